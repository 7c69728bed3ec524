"""Sums of scales that are nearly one: the logit over that one, without scales, and by how much it may be wrong.

Rows of nearly one length have nearly one scale R. Where r = R(i)/R,

    |r - 1| <= |r^2 - 1|,

as r^2 - 1 = (r - 1)(r + 1), and r^2 is known. So what a position adds to a sum, a combination of scales R(i), is R
times what it would be were they all R, but for an error that is bounded; and the sum is, but for as much at each
position of which it is said.

A logit a + b A or a + b |A|, with A linear in the sums, then differs from what it is without the errors by at most
|b| times their sum: it has the right sign where the other one has it by more than that.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace

import sympy

from weightproof.proofs.solving.cases import cleared
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.strategies.goals import DecidesBy, require_plain_sums
from weightproof.proofs.strategies.scales import scales_of
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.symbolic.algebra.iverson import ZERO, Conditions, Iverson, canonical, normalise
from weightproof.symbolic.algebra.linear import Context, Form, form_of
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, j
from weightproof.symbolic.derivation import Derivation, ExplicitSum, square_of

ONE_SCALE = "nearly one scale"
"""What the obligations are called that bound an error. They hold of all words alike."""
ALLOWED = sympy.S.One
"""The error at a position that is due to one of its scales."""


@dataclass(frozen=True)
class WithOneScale:
    """A derivation with one sum and no scales, of which a theorem says as much as is to be shown of the other; what
    shows that."""

    derivation: Derivation
    theorem: DecidesBy
    shown: tuple[Implication, ...]


def with_one_scale(derivation: Derivation, theorem: OnWords) -> WithOneScale:
    """Raises Underivable where the logit has another shape, or something else is asked for."""
    if not isinstance(theorem, Decides) or theorem.invariant is not None or theorem.up_to is not None:
        raise Underivable("of scales that are nearly one the decisions are proved, of all words")
    if derivation.nonzero or derivation.construction.network.readout.accept != "logit > 0":
        raise Underivable("the readout does not compare the logit with 0, or the last row may have no norm")
    if not derivation.sums:
        raise Underivable("the logit has no sums")
    require_plain_sums(derivation)
    words = derivation.vocabulary.words()
    shape = _shape(derivation, words)
    total, room, shown = _OneSum(derivation, shape.scale, words).of(shape.factors)
    unit = _unit(total.body, words, derivation.vocabulary)
    total = replace(total, body=Iverson(tuple((where, canonical(x / unit)) for where, x in total.body.terms)))
    logit = Iverson.constant(shape.logit(unit * total.symbol))
    plain = replace(
        derivation,
        logit=logit,
        scales={},
        sums={total.symbol: total},
        facts=derivation.facts | words.ledger,
    )
    stated = {field.name: getattr(theorem, field.name) for field in fields(Decides)}
    return WithOneScale(plain, DecidesBy(**stated, room=room), shown)


@dataclass(frozen=True)
class _Shape:
    """A logit that has the sign of rest + direction * A, or |A| if `absolute`, where A = free + the sum of factors
    times sums; rest and free are without scales and sums, as all has been divided by a scale."""

    scale: sympy.Expr
    rest: sympy.Expr
    direction: int
    absolute: bool
    free: sympy.Expr
    factors: dict[sympy.Symbol, sympy.Expr]

    def logit(self, total: sympy.Expr) -> sympy.Expr:
        """Without a quotient in an absolute value."""
        inner = self.free + total
        if not self.absolute:
            return self.rest + self.direction * inner
        above, below = sympy.fraction(canonical(inner))
        return self.rest + self.direction * sympy.Abs(sympy.expand(above)) / sympy.Abs(below)


def _shape(derivation: Derivation, words: Context) -> _Shape:
    if len(derivation.logit.terms) != 1 or derivation.logit.terms[0][0]:
        raise Underivable("the closed form has more than one case")
    [(_, value)] = derivation.logit.terms
    [scale, *more] = sorted(scales_of(value), key=str) or [None]
    if scale is None or more or not scale.is_Symbol:
        raise Underivable("the logit has not one scale beside those in its sums")
    value = sympy.expand(value)
    sizes = {atom for atom in value.atoms(sympy.Abs) if atom.free_symbols & derivation.sums.keys()}
    inner, rest, factor = value, sympy.S.Zero, sympy.S.One
    if sizes:
        [size, *others] = sizes
        if others:
            raise Underivable("the logit has more than one absolute value of sums")
        factor, rest, inner = *_linear(value, size), size.args[0]
    sign = sign_of(factor, words, derivation.vocabulary)
    if sign not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable("the sign of what an absolute value is multiplied by is open")
    factors = {}
    for symbol in derivation.sums:
        factor_of_sum, inner = _linear(sympy.expand(inner), symbol)
        factors[symbol] = canonical(factor_of_sum / scale)
    rest, free = canonical(rest / (sign.value * factor * scale)), canonical(inner / scale)
    mentioned = [rest, free, *factors.values(), factor]
    if any(x.free_symbols & derivation.sums.keys() for x in mentioned) or scales_of(rest) or scales_of(free):
        raise Underivable("the logit is not linear in its sums, or no multiple of one scale but for them")
    return _Shape(scale, rest, int(sign.value), bool(sizes), free, factors)


def _unit(body: Iverson, words: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """A positive factor that all that is added has, if one does not depend on the position; else 1."""
    factors = {sympy.factor_terms(x).as_independent(j, as_Add=False)[0] for _, x in body.terms}
    signs = {factor: sign_of(factor, words, vocabulary) for factor in factors}
    sizes = {sign.value * factor if sign in (Sign.POSITIVE, Sign.NEGATIVE) else None for factor, sign in signs.items()}
    return sizes.pop() if len(sizes) == 1 and None not in sizes else sympy.S.One


def _linear(value: sympy.Expr, atom: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """a and b of an expanded a*atom + b."""
    stand_in = sympy.Dummy()
    opened = sympy.expand(value.xreplace({atom: stand_in}))
    factor = opened.coeff(stand_in, 1)
    rest = sympy.expand(opened - factor * stand_in)
    if rest.has(stand_in):
        raise Underivable(f"the logit is not linear in {atom}")
    return factor, rest


@dataclass(frozen=True)
class _Added:
    """What a position adds: rest + the sum of factors times scales, each of these over the one."""

    rest: sympy.Expr
    factors: dict[sympy.Expr, sympy.Expr]


def _apart(added: _Added) -> tuple[sympy.Expr, sympy.Expr]:
    """What is added were all scales one: what is kept, which depends on the position, and what is dropped."""
    value = sympy.expand(canonical(added.rest + sympy.Add(*added.factors.values())))
    terms = sympy.Add.make_args(value)
    return tuple(sympy.Add(*(term for term in terms if term.has(j) is kept)) for kept in (True, False))


@dataclass(frozen=True)
class _OneSum:
    """The sum of all sums times factors, without the scales: these are written over one of them."""

    derivation: Derivation
    scale: sympy.Expr
    words: Context

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    def of(self, factors: dict[sympy.Symbol, sympy.Expr]) -> tuple[ExplicitSum, sympy.Expr, tuple[Implication, ...]]:
        """The sum, the most by which it may be wrong, and what shows that."""
        bodies = (self.derivation.sums[symbol].body.scaled(factor) for symbol, factor in factors.items())
        first, last = sympy.Integer(self.vocabulary.first), self.vocabulary.last
        here = self.words.given(form_of(j - first), form_of(last - j))
        body = self.vocabulary.tokens_in_range(sum(bodies, ZERO), here)
        plain, errors, shown = ZERO, dict[Conditions, list[sympy.Expr]](), list[Implication]()
        for cell, value in cells(body):
            if value == 0 or not cell.terms:
                continue
            [(conditions, _)] = cell.terms
            inside = here.given(*(form for condition in conditions for form in condition.forms()))
            if inside.impossible():
                continue
            added = self._added(value)
            kept, dropped = _apart(added)
            plain += cell.scaled(kept)
            places = frozenset(c for c in conditions if not any(map(self.vocabulary.is_token, c.axis.atoms)))
            # A bound of all words, not only of those with such a position: it is never negative.
            error = _size(dropped, self.words, self.vocabulary) + ALLOWED * len(added.factors)
            errors.setdefault(places, []).append(error)
            shown += self._small(added.factors, cell, inside, f"{ONE_SCALE}, {len(shown) + 1}")
        room = sympy.Add(*(self._how_many(places) * self._most(each) for places, each in errors.items()))
        number = max(int(str(symbol)[1:]) for symbol in self.derivation.all_sums) + 1
        symbol = sympy.Symbol(f"S{number}", real=True)
        total = ExplicitSum(symbol, first, last, normalise(plain, here))
        return total, sympy.expand(room), tuple(shown)

    def _added(self, value: sympy.Expr) -> _Added:
        value = sympy.expand(value)
        scales = sorted(scales_of(value) - {self.scale}, key=str)
        factors = {scale: canonical(value.coeff(scale) * self.scale) for scale in scales}
        rest = canonical(value - sympy.Add(*(x * scale / self.scale for scale, x in factors.items())))
        if any(scales_of(x) for x in (rest, *factors.values())):
            raise Underivable("what a position adds is no combination of scales")
        return _Added(rest, factors)

    def _small(
        self, factors: Mapping[sympy.Expr, sympy.Expr], cell: Iverson, inside: Context, name: str
    ) -> Iterator[Implication]:
        """That each |factor (r^2 - 1)| is at most what is allowed, r being a scale over the one."""
        for scale, factor in factors.items():
            beyond = self._square(self.scale, inside) / self._square(scale, inside) - 1
            terms = normalise(cell.scaled(factor * beyond), inside).terms  # in j alone, where n is 2j + 1
            if len(terms) > 1:
                raise Underivable("the square of a scale has more than one case")
            error = sympy.Add(*(_size(x, inside, self.vocabulary) for _, x in terms))
            small = cleared(ALLOWED - error, inside, self.vocabulary)
            yield Implication(f"{name}, {scale}", self.vocabulary, inside, (), Rel(">=", small))

    def _square(self, scale: sympy.Expr, inside: Context) -> sympy.Expr:
        """1 over the square of a scale where its position is."""
        terms = normalise(self.vocabulary.settle(square_of(scale, self.derivation.scales)), inside).terms
        value = sympy.Add(*(x for _, x in terms))
        if any(conditions for conditions, _ in terms) or scales_of(value):
            raise Underivable("the square of a scale has more than one case, or other scales")
        return value

    def _how_many(self, places: Conditions) -> sympy.Expr:
        """At most as many positions as there are under conditions on them: from x to y there are y - x + 1 at most,
        where that is not negative. The least of such numbers in long words."""
        first: list[Form] = [form_of(sympy.Integer(self.vocabulary.first))]
        last: list[Form] = [form_of(self.vocabulary.last)]
        for condition in places:
            factor = condition.axis.coefficient(j)
            rest = condition.axis - form_of(j) * factor
            if factor == 0 or any(atom.has(j) for atom in rest.atoms):
                continue
            ends = [(condition.lo, factor > 0), (condition.hi, factor < 0)]
            for end, below in ends:
                if end is not None:
                    (first if below else last).append((-rest + end) * (1 / factor))
        numbers = (y - x + 1 for x, y in itertools.product(first, last))
        return min((x for x in numbers if self.words.nonnegative(x)), key=_in_long_words).expression()

    def _most(self, values: Iterable[sympy.Expr]) -> sympy.Expr:
        """One that is the greatest; all of them together, where none is known to be."""
        different = sorted(set(values), key=str)
        known = (Sign.ZERO, Sign.POSITIVE)
        for value in different:
            if all(sign_of(value - other, self.words, self.vocabulary) in known for other in different):
                return value
        return sympy.Add(*different)


def _size(value: sympy.Expr, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """At least the absolute value: term by term, where the sign of the whole is open."""
    sign = sign_of(value, context, vocabulary)
    if sign is not Sign.OPEN:
        return sign.value * value
    terms = sympy.Add.make_args(sympy.expand(value))
    if len(terms) == 1:
        raise Underivable(f"the sign of {value} is open")
    return sympy.Add(*(_size(term, context, vocabulary) for term in terms))


def _in_long_words(form: Form) -> tuple[object, object]:
    return sum(value for _, value in form.terms), form.constant

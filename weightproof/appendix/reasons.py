"""Why an obligation holds, as lines that a reader checks by hand: an identity whose right side has the sign that is
asked for."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import sympy

from weightproof.appendix.steps import signed
from weightproof.document.blocks import Line, Math, Span, Spans, equation, joined
from weightproof.document.layout import width
from weightproof.proofs.solving.atoms import quotient
from weightproof.proofs.solving.combining import within_bounds
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.latex import OPERATORS, goal, in_sides, of_relation
from weightproof.proofs.solving.logic import Formula, Rel
from weightproof.proofs.solving.products import Product, SumOfProducts
from weightproof.proofs.solving.reasons import (
    Absolute,
    Absurd,
    Each,
    Evident,
    FromHypothesis,
    Impossible,
    Linear,
    OneOf,
    Reason,
    SameSign,
)
from weightproof.symbolic.algebra.certificates import Certificate, certify, rewritten
from weightproof.symbolic.algebra.rings import factors_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.breakable import Terms
from weightproof.symbolic.writing.latex import PRODUCT, SUM, bound, juxtaposed, polynomial

MOST_TERMS = 12
"""Of a polynomial that is written out to show its coefficients."""
WIDEST_LEFT = 16.0
"""In em: of a left side that stands before the sign of an equation, where it is not broken."""
MOST_TO_FACTOR = 40
"""Terms of one that is factored."""
CLEAR = "by the linear hypotheses"
AS_ASSUMED = "as assumed"


def reasoned(item: Implication, reason: Reason | None, otherwise: str) -> tuple[Line, ...]:
    """The lines of an obligation. otherwise: what it rests on where there is no reason."""
    if reason is None:
        return (Line("", (Terms(goal(item)),), (otherwise,), relation=""),)
    return tuple(dict.fromkeys(_Reasons(item).lines(item.goal, reason)))


@dataclass(frozen=True)
class _Reasons:
    item: Implication

    @property
    def vocabulary(self) -> Vocabulary:
        return self.item.vocabulary

    def lines(self, wanted: Formula, reason: Reason) -> Iterator[Line]:
        match reason:
            case Evident():
                return
            case Impossible():
                yield Line("", (Terms((r"\text{no integers are like this}",)),), (CLEAR,), relation="")
            case Linear():
                yield self.stated(wanted, CLEAR)
            case Each(parts=parts):
                for part, why in parts:
                    yield from self.lines(part, why)
            case OneOf(part=part, reason=why):
                yield from self.lines(part, why)
            case Absurd(denied=denied, reason=why):
                for each in denied:
                    yield self.stated(each, "if it is not so")
                yield self.of_products(Rel(">", sympy.S.Zero), why)
            case SameSign(other=other, reason=why):
                yield self.stated(wanted, "as ", Math(of_relation(other, self.vocabulary)))
                yield from self.lines(other, why)
            case Absolute(size=size, known=known, why=first, without=without, reason=why):
                yield equation(" ".join(self.text(size)), " ".join(self.text(known.expression)))
                yield from self.lines(known, first)
                yield from self.lines(without, why)
            case Certificate() if isinstance(wanted, Rel):
                yield self.of_certificate(wanted, reason)
            case FromHypothesis() if isinstance(wanted, Rel):
                yield from self.from_hypothesis(wanted, reason)
            case SumOfProducts() if isinstance(wanted, Rel):
                yield self.of_products(wanted, reason)
            case _:
                raise TypeError(reason)

    def stated(self, wanted: Formula, *why: Span) -> Line:
        """What is to be shown, without more."""
        if not isinstance(wanted, Rel):
            return Line("", (Terms(goal(self.item.with_goal(wanted))),), why, relation="")
        left, sign, right = in_sides(wanted, self.vocabulary)
        if width(str(left)) <= WIDEST_LEFT:
            return Line(str(left), (right,), why, relation=sign)
        return Line("", (Terms((*left.parts, f"{sign} {right.parts[0]}", *right.parts[1:])),), why, relation="")

    @functools.cached_property
    def quotients(self) -> dict[sympy.Expr, sympy.Expr]:
        """What a number exceeds its residue by, over the modulus: a name of obligations that means nothing in print."""
        expressions = self.item.expressions()
        residues = {atom for expression in expressions for atom in expression.atoms(sympy.Mod)}
        return {quotient(residue): (residue.args[0] - residue) / residue.args[1] for residue in residues}

    def plainly(self, expression: sympy.Expr) -> sympy.Expr:
        """Without the names of quotients."""
        return sympy.expand(expression.xreplace(self.quotients)) if expression.has(*self.quotients) else expression

    def text(self, expression: sympy.Expr) -> tuple[str, ...]:
        """An expression in pieces, powers of one base multiplied."""
        return polynomial(sympy.powsimp(self.plainly(expression), combine="exp"), self.vocabulary).parts

    def product(self, weight: sympy.Expr, factors: Sequence[sympy.Expr]) -> str:
        """A number times factors, sums in brackets; what is no sum is multiplied with what else is none."""
        sums = [each for each in factors if isinstance(each, sympy.Add)]
        single = sympy.powsimp(sympy.Mul(weight, *(each for each in factors if each not in sums)), combine="exp")
        if not sums:
            return " ".join(self.text(single))
        if abs(single) == 1:
            return ("-" if single < 0 else "") + juxtaposed([*map(self.factor, sums)])
        return juxtaposed([self.factor(single), *map(self.factor, sums)])

    def factor(self, expression: sympy.Expr) -> str:
        parts = self.text(expression)
        is_factor = len(parts) == 1 and not isinstance(expression, sympy.Mod)
        return bound(" ".join(parts), PRODUCT if is_factor else SUM, PRODUCT)

    def identity(self, wanted: Rel, left: sympy.Expr, right: Sequence[str], note: Spans) -> Line:
        """left = right, and its sign."""
        *parts, last = right
        signed = [*parts, f"{last} {OPERATORS[wanted.op]} 0"]
        before = self.text(left)
        if width(" ".join(before)) <= WIDEST_LEFT:
            return Line(" ".join(before), (Terms(tuple(signed)),), note)
        return Line("", (Terms((*before, f"= {signed[0]}", *signed[1:])),), note, relation="")

    def of_certificate(self, wanted: Rel, certificate: Certificate) -> Line:
        """By its factors, if each is known to have a sign, else by its coefficients."""
        factors = self.factors(wanted)
        if factors is not None:
            sums = [factor for factor in factors if isinstance(factor, sympy.Add)]
            note = tuple(self.bounds(sympy.Mul(*sums)))
            return self.identity(wanted, wanted.expression, [self.product(sympy.S.One, factors)], note)
        return self.by_coefficients(wanted, certificate)

    def factors(self, wanted: Rel) -> tuple[sympy.Expr, ...] | None:
        """Those of what is to be positive, or not negative, if there are several and each one is; with multiplicity.
        What is made of units alone stays in one piece."""
        opened = sympy.expand(sympy.expand_power_exp(wanted.expression))
        if len(sympy.Add.make_args(opened)) > MOST_TO_FACTOR:
            return None
        try:
            constant, found = factors_of(opened)
        except ValueError:
            return None
        units = {self.vocabulary.unit(name) for name in self.vocabulary.real}
        alone = [factor**times for factor, times in found if factor.free_symbols <= units and factor.is_Add]
        others = [pair for pair in found if not (pair[0].free_symbols <= units and pair[0].is_Add)]
        together = [(sympy.expand(sympy.Mul(*alone)), 1)] if alone else []
        factors = [] if constant == 1 else [abs(constant)]
        for factor, times in (*others, *together):
            signed = self.positive(factor, wanted.op)
            if signed is None:
                return None
            factors += [signed] * times
        parts = [factor for factor in factors if not factor.is_Rational]
        if len(factors) < 2 or (len(parts) < 2 and not alone) or sympy.expand(sympy.Mul(*factors) - opened) != 0:
            return None
        return tuple(factors)

    def positive(self, factor: sympy.Expr, op: str) -> sympy.Expr | None:
        """A factor or its opposite, which is known to be positive, or not negative."""
        vocabulary = within_bounds(self.vocabulary, self.item.relations)
        for each in (factor, -factor):
            if certify(each, self.item.context, vocabulary, strict=op == ">") is not None:
                return each
        return None

    def by_coefficients(self, wanted: Rel, certificate: Certificate) -> Line:
        """The polynomial in what the variables exceed their bounds by."""
        if certificate.polynomial.atoms(sympy.Dummy):  # in a power of a unit that has no name
            return self.stated(wanted, *self.bounds(wanted.expression))
        opened = rewritten(certificate)
        names = {slack: sympy.Symbol(f"t{number}") for number, slack in enumerate(opened.gens, start=1)}
        terms = opened.as_expr().xreplace(names)
        bounds: list[Spans] = [
            (
                Math(f"{' '.join(self.text(each))} = {' '.join(self.text(value.xreplace(names)))}"),
                *_outgrows(each, value, dict(certificate.slacks)),
            )
            for each, value in certificate.substitution
            if each != value
        ]
        count = len(opened.terms())
        what = "no coefficient is negative" if count <= MOST_TERMS else f"none of its {count} coefficients is negative"
        where: Spans = ("; ", *joined(bounds)) if bounds else ()
        right = self.text(terms) if count <= MOST_TERMS else (r"\cdots",)
        return self.identity(wanted, certificate.polynomial, right, (what, *where))

    def bounds(self, expression: sympy.Expr) -> Iterator[Span]:
        """Of the units, scales and real parameters in an expression, what is known of each; what is known of counts and
        positions goes without saying."""
        vocabulary, before = within_bounds(self.vocabulary, self.item.relations), "as "
        for symbol in sorted(expression.free_symbols, key=str):
            bound_ = vocabulary.lower_bound(symbol)
            if bound_ is not None:
                known = Rel(">" if bound_[1] else ">=", symbol - _rational(bound_[0]))
                yield from (before, Math(of_relation(known, self.vocabulary)))
                before = ", "

    def from_hypothesis(self, wanted: Rel, reason: FromHypothesis) -> Iterator[Line]:
        """p goal = q known + what is not negative, which has a line of its own where its factors do not show it; p is 1
        where q is a multiple of it."""
        known, p, q = reason.known, reason.p, reason.q
        if (ratio := sympy.cancel(q / p)).is_Rational and ratio > 0:
            rest = sympy.expand(wanted.expression - ratio * known.expression)
            p, q = (sympy.S.One, ratio) if rest == 0 else (p, q)
        left = p * wanted.expression
        rest = sympy.expand(left - q * known.expression)
        if rest == 0 and p == q == 1:
            yield self.stated(wanted, AS_ASSUMED)
            return
        note: Spans = ("as ", Math(of_relation(known, self.vocabulary))) if known.op == "==" else ()
        parts = [self.product(*_weighted(q, known.expression))]
        if rest != 0:
            factors = self.factors(Rel(">=", rest))
            parts += [self.product(sympy.S.One, factors)] if factors else self.text(rest)
            if factors is None and len(self.text(rest)) > 1:
                yield self.by_coefficients(Rel(">=", rest), reason.certificate)
        yield self.identity(wanted, left, signed(parts), note)

    def of_products(self, wanted: Rel, reason: SumOfProducts) -> Line:
        """What is assumed alone needs no identity; an equation is said beside it."""
        match reason:
            case SumOfProducts(multiplier=sympy.S.One, constant=0, products=(Product(factors=(known,), weight=1),)) if (
                known.expression == reason.goal.expression and known.op == wanted.op
            ):
                return self.stated(wanted, AS_ASSUMED)
        parts = [] if not reason.constant else [self.factor(_rational(reason.constant))]
        told = [product for product in reason.products if self.plainly(product.expression()) != 0]
        for product in told:
            factors = [
                self.plainly(each) for each in (product.multiple, *(known.expression for known in product.factors))
            ]
            parts.append(self.product(_rational(product.weight), factors))
        zero = dict.fromkeys(known for product in told for known in product.factors if known.op == "==")
        stated: list[Spans] = [(Math(of_relation(known, self.vocabulary)),) for known in zero]
        note: Spans = ("as ", *joined(stated)) if stated else ()
        left = sympy.expand(reason.multiplier * reason.goal.expression)
        return self.identity(wanted, left, signed(parts) or ["0"], note)


def _weighted(weight: sympy.Expr, expression: sympy.Expr) -> tuple[sympy.Expr, list[sympy.Expr]]:
    """The number and the factors of a product."""
    number, rest = weight.as_coeff_Mul()
    return number, [rest, expression]


def _outgrows(power: sympy.Expr, value: sympy.Expr, slacks: Iterable[sympy.Symbol]) -> Spans:
    """Why a power is at least a polynomial in its exponent, if it is replaced by one."""
    exponent = sorted(value.free_symbols & {*slacks}, key=str)
    if not isinstance(power, sympy.Pow) or not exponent:
        return ()
    linear = sympy.Poly(value, *exponent).total_degree() == 1
    return (" by Bernoulli's inequality",) if linear else (" by the first terms of its series",)


def _rational(value: object) -> sympy.Rational:
    return sympy.Rational(str(value))

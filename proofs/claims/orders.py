"""Judges what is printed of large numbers: how the logit grows with n in each case of its closed form, and that a
printed approximation is one, as the difference vanishes on each word as a parameter c grows.

A rational function of n and of one growing power grows like the quotient of its leading terms, exactly: as rate^n *
n^degree, times a constant that is not 0. Where the closed form keeps a sum over the word, families of words are tried:
one that grows faster refutes, none proves.

In a parameter c a closed form is a quotient of sums of e^p(c) c^k, with polynomials p, times what does not depend on c.
These compare by the leading coefficient of the difference of their exponents, and then by k; the difference vanishes
where each term above the line grows more slowly than the fastest below it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy
from flint import fmpq

from weightproof.constructions.claims.statements import Logit, Order, named
from weightproof.constructions.claims.statements import Value as ValueClaim
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.exact import Real, ball, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.words import Stated
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.differences import substitutions
from weightproof.proofs.quantities.explaining import Case as InCase
from weightproof.proofs.quantities.explaining import describe
from weightproof.proofs.quantities.explanation import Explanation, Theta, explained
from weightproof.proofs.quantities.instances import LONGEST_TRIED, instances, made, truth
from weightproof.proofs.quantities.outcome import EVERY_WORD, NOTHING, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.probe import substituted
from weightproof.proofs.refuting.refute import text
from weightproof.proofs.solving.cases import cases
from weightproof.proofs.solving.logic import read_formula
from weightproof.proofs.strategies.family import Block, logits
from weightproof.proofs.theorem import EVERYTHING, OF_ACCEPTED, PROVER, Margin
from weightproof.proofs.verdict import Proved
from weightproof.symbolic.algebra.iverson import Condition, Iverson, canonical, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, Form, form_of
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, is_power_of_e, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.writing.plain import condition, number

Size = tuple[sympy.Expr, sympy.Rational]
"""A rate and a degree that compare like growths: larger for what grows faster."""
CONSTANT: Size = (sympy.S.One, sympy.S.Zero)
"""Less than this vanishes, more is not bounded."""


@dataclass(frozen=True)
class Growth:
    """rate^n * n^degree. The rate is a positive number, or a power of one unit, which is more than 1."""

    rate: sympy.Expr
    degree: sympy.Rational

    @property
    def size(self) -> Size:
        """Powers of a unit u > 1 compare like those of 2."""
        return self.rate.xreplace({symbol: sympy.Integer(2) for symbol in self.rate.free_symbols}), self.degree

    def text(self, variable: str = "n") -> str:
        """In the language of `constructions.scalars.expressions`."""
        base, exponent = self.rate.as_base_exp()
        if base.is_Rational and base < 1:
            base, exponent = 1 / base, -exponent
        shown = str(base) if base.is_Integer else f"({base})"
        name = f"exp({str(base).removeprefix('u_')})" if base.is_Symbol else shown
        powers = [(name, exponent, variable), (variable, self.degree, "")]
        above = [_power(b, e, v) for b, e, v in powers if e > 0 and b != "1"]
        below = [_power(b, -e, v) for b, e, v in powers if e < 0]
        bottom = below[0] if len(below) == 1 else f"({'*'.join(below)})"
        return "*".join(above or ["1"]) + (f"/{bottom}" if below else "")


def _power(base: str, exponent: sympy.Rational, variable: str) -> str:
    """base**(exponent*variable), or base**exponent."""
    factors = [*([] if variable and exponent == 1 else [str(exponent)]), *([variable] if variable else [])]
    text = "*".join(factors)
    return base if text == "1" else f"{base}**{text}" if text.isalnum() else f"{base}**({text})"


def growth(expression: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    """The growth of an expression that is 0 for no large value; None for 0 itself.

    Raises Underivable where it depends on more than the variable and the parameters, or where it cannot be told.
    """
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(expression)))
    above = _leading(numerator, variable, context, vocabulary)
    below = _leading(denominator, variable, context, vocabulary)
    if above is None or below is None:
        return None
    return _comparable(Growth(above.rate / below.rate, above.degree - below.degree), above, below)


def _comparable(result: Growth, *parts: Growth) -> Growth:
    """The result, if all rates are numbers, or powers of one unit."""
    kinds = {frozenset(part.rate.free_symbols) for part in parts if part.rate != 1}
    if len(kinds) > 1 or any(len(kind) > 1 for kind in kinds):
        raise Underivable("powers of different bases are not compared")
    if any(kind and part.rate.as_base_exp()[0] not in kind for kind in kinds for part in parts if part.rate != 1):
        raise Underivable("powers of different bases are not compared")
    return result


def _leading(polynomial: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    found: dict[Growth, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(polynomial)):
        rate, degree, constant = sympy.S.One, sympy.S.Zero, sympy.S.One
        for factor in sympy.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base == variable and power.is_Rational:
                degree += power
            elif variable in power.free_symbols and variable not in base.free_symbols:
                slope = sympy.expand(power).coeff(variable, 1)
                rest = sympy.expand(power - slope * variable)
                if not slope.is_Rational or variable in rest.free_symbols:
                    raise Underivable(f"{factor} is no power with an exponent linear in {variable}")
                if sign_of(base - 1, context, vocabulary) is not Sign.POSITIVE:
                    raise Underivable(f"whether {base} > 1 is open")
                rate, constant = rate * base**slope, constant * base**rest
            else:
                constant *= factor
        here = Growth(rate, degree)
        found[here] = found.get(here, sympy.S.Zero) + constant
    _comparable(Growth(sympy.S.One, sympy.S.Zero), *found)
    units = {vocabulary.unit(name) for name in vocabulary.real}
    known = units | {vocabulary.parameter(name) for name in vocabulary.natural}
    for size in sorted(found, key=lambda part: part.size, reverse=True):
        constant = found[size]
        unknown = constant.free_symbols - known
        if unknown or constant.has(sympy.core.function.AppliedUndef):
            names = ", ".join(sorted(number(each, vocabulary) for each in unknown)) or number(constant, vocabulary)
            raise Underivable(f"it depends on the word, by {names}")
        direction = sign_of(constant, context, vocabulary)
        if direction is Sign.OPEN:
            raise Underivable(f"whether {number(constant, vocabulary)} is 0 is open")
        if direction is not Sign.ZERO:
            return size
    return None


FAR = 12
"""From which n on a bound has to be positive, and the least |logit| be stated."""

LARGE = (100, 10_000)
"""At these n the values that a claim gives to parameters have to be in their domains."""


@dataclass(frozen=True)
class Case:
    """The growth of |logit|, and of its quotient by the bound, on the words with `where`."""

    where: str
    own: Growth | None
    quotient: Growth | None

    @property
    def size(self) -> Size | None:
        return None if self.quotient is None else self.quotient.size


def judge_order(stated: Stated, claim: Order) -> Outcome:
    analysis = stated.analysis
    if not all(_are_parameters(analysis, claim, length) for length in LARGE):
        return Open("the parameters are outside their domains where n is large, so that nothing is said")
    try:
        derivation = analysis.derivation()
        if claim.side is not None:
            found = list(_of_margins(stated, derivation, claim))
        elif derivation.sums:
            return _by_families(analysis, derivation, claim)
        else:
            found = list(_of_cases(analysis, derivation, claim))
    except Underivable as error:
        return Open(str(error))
    if not found:
        return Open("the claim speaks of finitely many words, of which everything is O, or of none")
    largest = max((case.size for case in found), key=lambda size: (0, 0) if size is None else size)
    bounded, vanishes = largest is None or largest <= CONSTANT, largest is None or largest < CONSTANT
    true = {"O": bounded, "o": vanishes, "Theta": bounded and not vanishes}[claim.relation]
    case, witnesses = _witnessed(analysis, claim, [case for case in found if case.size == largest])
    order = _order(claim, case)
    if len(witnesses) < 2 and not (true and claim.relation != "Theta"):
        return Open(f"{order} where {case.where}, but no two short words are known to be in that case")
    if true:
        tight = explained() if claim.relation != "O" else explained("not tight: " if vanishes else "tight: ")
        return Holds(EVERY_WORD, "certificate (leading terms)", tight + order if len(witnesses) > 1 else NOTHING)
    where = explained(" where ", Expression(case.where)) if case.where else explained()
    return Fails(order + where, _shown(analysis, claim, case, witnesses))


def _are_parameters(analysis: Analysis, claim: Order, length: int) -> bool:
    try:
        parameter_values(analysis.construction, {k: str(substituted(v, {"n": length})) for k, v in claim.at.items()})
    except InputError:
        return False
    return True


def _order(claim: Order, case: Case) -> Explanation:
    own = None if case.own is None else Expression(case.own.text())
    if claim.side is None:
        return explained("|logit| is 0" if own is None else Theta(own))
    return explained(f"the least |logit| of {claim.side} words is {'0' if own is None else f'Theta({own})'}")


def _witnessed(analysis: Analysis, claim: Order, equally: list[Case]) -> tuple[Case, tuple[str, ...]]:
    """The first of the cases that grow fastest of which words of two lengths are known, and these words."""
    for case in equally:
        known = tuple(_some_words(analysis, claim, case))
        if len(known) > 1 and len(known[0]) < len(known[-1]):
            return case, known
    return equally[0], ()


def _is_finite(context: Context) -> bool:
    """Whether n is bounded where the linear conditions of a context hold, which are then finitely many words, and no
    matter of growth: whether they go on for ever in no direction in which n grows."""
    onward = Context(frozenset(Form(form.terms) for form in context.constraints), context.symbols, context.ledger)
    return onward.impossible(form_of(n - 1))


def _bound(derivation: Derivation, claim: Order) -> sympy.Expr:
    """Raises Underivable unless it is positive for every large n."""
    vocabulary = derivation.vocabulary
    far = vocabulary.words().given(form_of(n - FAR))
    bound = Value(read_scalar(claim.bound, vocabulary, context=far)).plain()
    if sign_of(bound, far, vocabulary) is not Sign.POSITIVE:
        raise Underivable(f"whether {claim.bound} is positive for every large n is open")
    return bound


def _of_cases(analysis: Analysis, derivation: Derivation, claim: Order) -> Iterator[Case]:
    """The cases of the closed form that hold of infinitely many words."""
    vocabulary, words = derivation.vocabulary, analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    bound = _bound(derivation, claim)
    far = form_of(n - FAR)
    when = substitute(read_scalar(claim.when, vocabulary), given)
    for case in (cell for cell, true in cells(normalise(when, words)) if true != 0):
        inside = words.given(*case.forms())
        value = normalise(substitute(derivation.logit, given), inside)
        for cell, logit in cells(value):
            conditions = [c for part in (case, cell) for terms, _ in part.terms for c in terms]
            context = words.given(*(form for c in conditions for form in c.forms()))
            if _is_finite(context) or not vocabulary.tokens_in_range(case * cell, words.given(far)).terms:
                continue
            logit = sympy.sympify(logit).xreplace(_settled_counts(conditions, vocabulary))
            where = condition(frozenset(conditions), vocabulary)
            own = growth(logit, n, context, vocabulary)
            yield Case(where, own, growth(logit / bound, n, context, vocabulary))


def _settled_counts(conditions: list[Condition], vocabulary: Vocabulary) -> dict[sympy.Expr, sympy.Expr]:
    """The counts that the equations among the conditions express by n, as all counts add up to the symbols."""
    totals = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
    room = n - int(vocabulary.begin) - int(vocabulary.end)
    equations = [c.axis.expression() - c.lo for c in conditions if c.lo is not None and c.lo == c.hi]
    linear = [e for e in (*equations, sum(totals, -room)) if e.free_symbols <= {n, *totals} and not e.atoms(sympy.Mod)]
    return {
        atom: value
        for solution in sympy.solve(linear, totals, dict=True)
        for atom, value in solution.items()
        if value.free_symbols <= {n}
    }


def _of_margins(known: Stated, derivation: Derivation, claim: Order) -> Iterator[Case]:
    """The least |logit| of a side, as the theorems about it state it, which have to be proved."""
    vocabulary, words = derivation.vocabulary, known.analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    stated = [t for t in known.theorems if isinstance(t, Margin) and t.side == claim.side and t.value is not None]
    if not stated:
        raise Underivable(f"no theorem states the least |logit| of the {claim.side} words")
    uncovered = Iverson.constant(1)
    for theorem in stated:
        uncovered *= Iverson.constant(1) - read_scalar(theorem.when, vocabulary)
    if normalise(uncovered, words.given(form_of(n - FAR))).terms:
        raise Underivable(f"no theorem states the least |logit| of the {claim.side} words for every large n")
    for theorem in stated:
        if not _is_given(theorem, claim):
            raise Underivable(f"the theorem {theorem.name!r} is about {theorem.given} alone")
        verdict = known.verdict(theorem)
        if not isinstance(verdict, Proved) or verdict.scope != EVERY_WORD:
            raise Underivable(f"the theorem {theorem.name!r} is not proved for all lengths")
        assert theorem.value is not None
        context = words.given(*_lengths(derivation, theorem))
        least = Value(read_scalar(theorem.value, vocabulary, context=context)).plain().xreplace(given)
        bound = _bound(derivation, claim)
        quotient = growth(least / bound, n, words, vocabulary)
        yield Case(str(theorem.when), growth(least, n, words, vocabulary), quotient)


def _is_given(theorem: Margin, claim: Order) -> bool:
    """Whether what a theorem supposes of the parameters is so at the values that a claim is about."""
    supposed = substituted(theorem.given, claim.at)
    if supposed.source == EVERYTHING:
        return True
    try:
        return not supposed.names and holds(supposed, {}, (), ())
    except ArithmeticError:
        return False


def _lengths(derivation: Derivation, theorem: Margin) -> list[Form]:
    """What the case of a margin says of n, as far as it is linear."""
    [*parts] = cells(read_scalar(theorem.when, derivation.vocabulary))
    true = [cell for cell, value in parts if value != 0]
    return [form for cell in true for form in cell.forms()] if len(true) == 1 else []


COPIES = sympy.Symbol("m copies", integer=True)
"""How long a family has become."""


def _by_families(analysis: Analysis, derivation: Derivation, claim: Order) -> Outcome:
    """Refuted by a family on which |logit| outgrows the bound."""
    vocabulary, words = derivation.vocabulary, analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    bound = _bound(derivation, claim)
    for pattern in _patterns(analysis.alphabet):
        start, family = sympy.Integer(vocabulary.first), []
        before: dict[str, sympy.Expr] = dict.fromkeys(vocabulary.alphabet, sympy.S.Zero)
        for word, times in pattern:
            family.append(Block(word, times, start, dict(before)))
            start += len(word) * times
            before = {symbol: count + word.count(symbol) * times for symbol, count in before.items()}
        length = start + int(vocabulary.end)
        try:
            for context, logit in logits(derivation, tuple(family), words):
                value = logit.xreplace(given).xreplace({n: length})
                quotient = growth(value / bound.xreplace({n: length}), COPIES, context, vocabulary)
                if quotient is None or quotient.size < CONSTANT:
                    continue
                if quotient.size == CONSTANT and claim.relation != "o":
                    continue
                size = growth(value, COPIES, context, vocabulary)
                assert size is not None
                named = " ".join(f"{word}{{{number(times.subs(COPIES, sympy.Symbol('m')), vocabulary)}}}"
                                 for word, times in pattern)  # fmt: skip
                concrete = tuple("".join(w * int(t.subs(COPIES, m)) for w, t in pattern) for m in (2, 6))
                order = size.text("m")
                case = Case(f"the word is {named}", size, quotient)
                derived = explained(Theta(Expression(order)), f" on the words {named}")
                return Fails(derived, _shown(analysis, claim, case, concrete))
        except Underivable:
            continue
    return Open("the closed form keeps a sum over the word, and no family of words that was tried outgrows the bound")


def _patterns(alphabet: tuple[str, ...]) -> Iterator[tuple[tuple[str, sympy.Expr], ...]]:
    m = COPIES
    for a in alphabet:
        yield ((a, m),)
        for b in alphabet:
            if a != b:
                yield ((b, sympy.S.One), (a, m))
                yield ((a, m), (b, sympy.S.One))
                yield ((a, m), (b, sympy.S.One), (a, m))
                yield ((a, m), (b, sympy.S.One), (a, m + 1))


def _shown(analysis: Analysis, claim: Order, case: Case, words: tuple[str, ...]) -> Difference:
    """The quotient of |logit| by the bound on words of the case, the first and the last one, exactly."""
    found: list[tuple[str, dict[str, str], Real]] = []
    construction = analysis.construction
    for word in words:
        tokens = add_markers(analysis.network, word)
        at = {name: str(substituted(value, {"n": len(tokens)})) for name, value in claim.at.items()}
        given = {p.name: str(p.default) for p in construction.parameters} | at
        try:
            parameter_values(construction, given)
        except InputError:
            continue
        logit = run(construction, word, given).logit
        bound = evaluate(claim.bound, {"n": fmpq(len(tokens))})
        found.append((word, given, logit * sign(logit) / bound))
    (first, _, small), (last, given, large) = found[0], found[-1]
    wanted = {"O": "bounded", "o": "tends to 0", "Theta": "bounded, and not tending to 0"}[claim.relation]
    trend = "stays away from 0"
    if case.size is None or case.size != CONSTANT:
        trend = "tends to 0" if case.size is None or case.size < CONSTANT else "grows"
    values = f"{_decimal(small)} on {first!r}, {_decimal(large)} on {last!r}, and so on: it {trend}"
    return Difference(f"|logit|/({claim.bound})", wanted, values, last, given)


def _decimal(value: Real) -> str:
    return text(value) if isinstance(value, fmpq) else ball(value).str(6, radius=False)


def _some_words(analysis: Analysis, claim: Order, case: Case) -> Iterator[str]:
    """The first short word of a case that has more than one symbol, and the last one; of a side the closest ones."""
    lengths = (2, 3, LONGEST_TRIED - 1, LONGEST_TRIED)
    if claim.side is not None:
        yield from (word for length in (2, LONGEST_TRIED - 1) for word in _closest(analysis, claim, length))
        return
    where = Expression(case.where) if case.where else Expression("n >= 1")
    found = [
        instance.word
        for instance in instances(analysis.construction)
        if len(instance.word) in lengths
        and made(where, instance, analysis.alphabet)
        and made(claim.when, instance, analysis.alphabet)
    ]
    yield from (found[0], found[-1]) if found else ()


def _closest(analysis: Analysis, claim: Order, length: int) -> Iterator[str]:
    """The word of a length on the claim's side whose |logit| is least, if there is one."""
    best: tuple[str, Real] | None = None
    language = analysis.construction.language.characterisation
    tried = set()
    for instance in instances(analysis.construction, claim.at, length):
        known = instance.word in tried or len(instance.word) < length
        if known or truth(language, instance, analysis.alphabet) is not PROVER.of("side", str(claim.side), OF_ACCEPTED):
            continue
        tried.add(instance.word)
        logit = run(analysis.construction, instance.word, instance.parameters).logit
        size = logit * sign(logit)
        if best is None or sign(size - best[1]) < 0:
            best = instance.word, size
    if best is not None:
        yield best[0]


MOST_SYMBOLS = 4
"""Symbols of the words on which a difference is shown not to vanish."""


@functools.total_ordering
@dataclass(frozen=True)
class Exponential:
    """e^(the sum of exponents[k] c^k) c^degree, for large c: exponents from the highest power down to the first."""

    exponents: tuple[sympy.Rational, ...]
    degree: sympy.Rational

    def __lt__(self, other: Exponential) -> bool:
        longest = max(len(self.exponents), len(other.exponents))
        mine, theirs = ((*(sympy.S.Zero,) * (longest - len(g.exponents)), *g.exponents) for g in (self, other))
        return (mine, self.degree) < (theirs, other.degree)


Growing = Mapping[Exponential, sympy.Expr]
"""What grows so fast, times what does not depend on the parameter."""


def judge_limit(analysis: Analysis, claim: ValueClaim) -> Outcome:
    """Whether a logit tends to the printed value on all words in the case of the claim."""
    assert claim.tends is not None
    if not isinstance(claim.of, Logit):
        return Open("limits are judged of outputs alone")
    try:
        derivation = analysis.derivation()
        words = analysis.words(derivation)
        found = [_of_case(analysis, derivation, claim, where) for where, _ in _cases(claim, derivation, words)]
    except Underivable as error:
        return Open(str(error))
    in_case = (made(claim.when, instance, analysis.alphabet) for instance in instances(analysis.construction))
    if not found or not any(in_case):
        return Open("no word that was tried is in the case of the claim: it may be vacuous")
    return next((each for each in found if not isinstance(each, Holds)), found[0])


def _cases(claim: ValueClaim, derivation: Derivation, words: Context) -> list[tuple[Context, object]]:
    formula = read_formula(claim.when, derivation.vocabulary)
    found = list(cases(formula, words))
    if any(literals for _, literals in found):
        raise Underivable(f"{claim.when} is no linear condition")
    return list(found)


def _of_case(analysis: Analysis, derivation: Derivation, claim: ValueClaim, where: Context) -> Outcome:
    vocabulary = derivation.vocabulary
    printed = read_scalar(claim.equals, vocabulary, context=where)
    difference = derivation.logit - printed
    if difference.axes:
        raise Underivable("the closed form has more than one case")
    counts = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
    absent = [count for count in counts if where.impossible(form_of(count - 1))]
    whole = sum((x for _, x in difference.terms), sympy.S.Zero).xreplace(dict.fromkeys(absent, sympy.S.Zero))
    above, below = sympy.fraction(canonical(whole))
    grow = functools.partial(growing, parameter=str(claim.tends), vocabulary=vocabulary)
    upper, lower = grow(above), grow(below)
    fastest = max(lower)
    if sign_of(lower[fastest], where, vocabulary) not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable(f"whether {lower[fastest]} is 0 on some word is open")
    as_fast = {growth: constant for growth, constant in upper.items() if not growth < fastest}
    if not as_fast:
        return Holds(EVERY_WORD, "certificate")
    for instance in instances(analysis.construction, longest=MOST_SYMBOLS):
        if made(claim.when, instance, analysis.alphabet):
            values: dict[str, Real] = {name: instance.values[name] for name in instance.parameters}
            at_word = Word(vocabulary, instance.tokens, values)
            if any(sign(at_word.expression(constant)) != 0 for constant in as_fast.values()):
                derived = describe(derivation, derivation.logit, InCase(claim.when), analysis.words(derivation))
                what = f"the limit of {named(claim.of)} less the printed value"
                return Fails(derived, Difference(what, "0", "not 0", instance.word, instance.parameters))
    return Open("whether the difference vanishes is open")


def growing(expression: sympy.Expr, parameter: str, vocabulary: Vocabulary) -> Growing:
    """A sum by how fast its terms grow with a real parameter; Underivable where it is no such sum."""
    c, unit = vocabulary.parameter(parameter), vocabulary.unit(parameter)
    found: dict[Exponential, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        exponent, degree, constant = sympy.S.Zero, sympy.S.Zero, sympy.S.One
        for factor in sympy.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base == c and power.is_Rational:
                degree += power
            elif base == unit and power.is_Rational:
                exponent += power * c
            elif is_power_of_e(base) and power.is_Rational:
                exponent += power * base.args[0]
            else:
                constant *= factor
        if constant.has(c) or constant.has(unit):
            raise Underivable(f"how {term} grows with {parameter} is not known")
        growth = Exponential(_coefficients(exponent, c), degree)
        found[growth] = sympy.expand(found.get(growth, sympy.S.Zero) + constant)
    return {growth: constant for growth, constant in found.items() if constant != 0}


def _coefficients(exponent: sympy.Expr, c: sympy.Symbol) -> tuple[sympy.Rational, ...]:
    polynomial = sympy.Poly(exponent, c)
    numbers = tuple(polynomial.all_coeffs())
    if not all(number.is_Rational for number in numbers) or numbers[-1] != 0:
        raise Underivable(f"e^({exponent}) is not compared with other powers")
    return () if not exponent else numbers[:-1]

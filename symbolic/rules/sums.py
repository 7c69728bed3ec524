"""The summation rules: a small, closed set, each one checked against brute force in the tests.

A sum runs over positions j = lo..hi that hold symbols of the word, be it any symbol, or, under [w_j = a], the symbol a
alone. What no rule covers becomes an explicit sum.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy

from weightproof.symbolic.algebra.iverson import (
    MOST_RESIDUES,
    ZERO,
    Condition,
    Conditions,
    Iverson,
    bracket,
    canonical,
    normalise,
    remainder,
    residue,
    substitute,
)
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules.shared_terms import bounds, in_common_form, is_range, is_residue, only_plainly, shared


@dataclass(frozen=True)
class Positions:
    """What is summed over: j = lo..hi, of these the positions that hold `symbol` where one is named; the context knows
    hi >= lo - 1."""

    symbol: str | None
    lo: sympy.Expr
    hi: sympy.Expr
    context: Context
    vocabulary: Vocabulary


def sum_symbols(values: Mapping[str, Iverson], context: Context, vocabulary: Vocabulary, record: Record) -> Iverson:
    """The sum over the positions that hold symbols of the value given for the symbol at j; what all values share is
    summed plainly."""
    values = in_common_form(values)
    common = shared(values)
    everywhere = Positions(None, sympy.Integer(vocabulary.first), vocabulary.last, context, vocabulary)
    total = sum_over(everywhere, common, record)
    for symbol, value in values.items():
        if (value - common).terms:
            total += sum_over(replace(everywhere, symbol=symbol), value - common, record)
    return total


def sum_over(positions: Positions, value: Iverson, record: Record) -> Iverson:
    """The sum of value(j) over positions j."""
    lo, hi, vocabulary = positions.lo, positions.hi, positions.vocabulary
    needed = [hi - lo] if positions.symbol is None else [hi - lo, vocabulary.total(positions.symbol) - 1]
    missing = [each for each in needed if not positions.context.entails(_difference(each, sympy.S.Zero))]
    if missing and _may_have_poles(value, positions.context, vocabulary):
        some = positions.context.given(*(_difference(each, sympy.S.Zero) for each in missing))
        total = sum_over(replace(positions, context=some), value, record)
        return functools.reduce(operator.mul, (bracket(">=", each) for each in missing), total)
    total = ZERO
    left_over = ZERO
    for conditions, coefficient in value.terms:
        free = {condition for condition in conditions if not _depends(condition)}
        outer = Iverson(((frozenset(free), sympy.S.One),))
        closed = _term(positions, coefficient, conditions - free)
        if closed is None:
            left_over += Iverson(((conditions, coefficient),))
        else:
            total += outer * closed
    if left_over.terms:
        total += _explicit(positions, left_over, record)
    return total


def _may_have_poles(value: Iverson, context: Context, vocabulary: Vocabulary) -> bool:
    """Whether a divisor that does not depend on j may be 0 where there is no position to be summed over."""
    powers = {power for _, coefficient in value.terms for power in coefficient.atoms(sympy.Pow)}
    divisors = {power.base for power in powers if power.exp.is_negative and not power.base.has(j)}
    return any(sign_of(divisor, context, vocabulary) is Sign.OPEN for divisor in divisors)


def _depends(condition: Condition) -> bool:
    return any(j in atom.free_symbols for atom in condition.axis.atoms)


def _difference(a: sympy.Expr, b: sympy.Expr):  # type: ignore[no-untyped-def]
    form = linear_form(a - b)
    if form is None:
        raise Underivable(f"summation bound {a - b} is not linear")
    return form


def _term(positions: Positions, coefficient: sympy.Expr, conditions: Conditions) -> Iverson | None:
    """The closed form of a single term, or None."""
    symbol, lo, hi, vocabulary = positions.symbol, positions.lo, positions.hi, positions.vocabulary
    for condition in sorted(conditions, key=lambda condition: _kronecker(condition) is None):
        others = conditions - {condition}
        rest = Iverson(((others, coefficient),))
        if (place := _kronecker(condition)) is not None:
            here = vocabulary.settle(substitute(rest, {j: place}))
            if symbol is not None:
                here = here * vocabulary.token_is(symbol, place)
            return here * bracket(">=", place - lo) * bracket("<=", place - hi)
        if is_range(condition):
            gaps = _gaps(condition, lo, hi)
            if gaps is not None and symbol is not None:  # [j in range] = 1 - [j among the few others]
                whole = _term(positions, coefficient, others)
                for place in gaps:
                    [(point, _)] = bracket("==", j - place).terms
                    single = _term(positions, coefficient, others | point)
                    whole = None if whole is None or single is None else whole - single
                return whole
            narrowed = _narrow(condition, positions)
            if narrowed is None:
                window = _window(condition, lo, hi)
                return None if window is None else _in_window(positions, rest, window)
            return _term_over(narrowed, coefficient, others)
    if len(conditions) == 1:
        [condition] = conditions
        if (
            is_residue(condition)
            and symbol is None
            and j not in coefficient.free_symbols
            and len(_residues_of(condition)) <= MOST_RESIDUES
        ):
            return _count_residues(condition, lo, hi).scaled(coefficient)
        return None
    if conditions:
        return None
    if symbol is not None:
        if j in coefficient.free_symbols or any(_is_long(end, vocabulary) for end in (lo - 1, hi)):
            return None
        counted = vocabulary.prefix(symbol, hi) - vocabulary.prefix(symbol, lo - 1)
        return counted.scaled(coefficient)
    closed = _closed(coefficient, positions)
    return None if closed is None else Iverson.constant(closed)


MOST_TOKENS = 6


def _is_long(position: sympy.Expr, vocabulary: Vocabulary) -> bool:
    """Whether a count up to a position near an end would be written out in more tokens than can be told apart."""
    gaps = (position - (vocabulary.first - 1), vocabulary.last - position)
    return any(gap.is_Integer and gap > MOST_TOKENS for gap in map(sympy.expand, gaps))


def _term_over(narrowed: Positions, coefficient: sympy.Expr, conditions: Conditions) -> Iverson | None:
    """A term over a narrower range, which may be empty: then it contributes nothing."""
    closed = _term(narrowed, coefficient, conditions)
    if closed is None:
        return None
    gap = _difference(narrowed.hi, narrowed.lo) + 1
    return closed if narrowed.context.entails(gap) else closed * bracket(">=", narrowed.hi - narrowed.lo + 1)


def _kronecker(condition: Condition) -> sympy.Expr | None:
    """The one position that the condition allows, if it is such a condition."""
    factor = condition.axis.coefficient(j)
    if condition.lo is None or condition.lo != condition.hi or abs(factor) != 1 or not only_plainly(condition):
        return None
    rest = condition.axis.expression() - factor.numerator * j
    return sympy.expand((condition.lo - rest) / factor.numerator)


def _residues_of(condition: Condition) -> range:
    """The residues that a condition allows; an end that is missing is that of all residues."""
    [atom] = condition.axis.atoms
    last = int(atom.args[1]) - 1
    return range(condition.lo or 0, (last if condition.hi is None else condition.hi) + 1)


LONGEST_GAP = 4


def _gaps(condition: Condition, lo: sympy.Expr, hi: sympy.Expr) -> list[sympy.Expr] | None:
    """The positions of lo..hi outside the condition, if they are a fixed small number at the ends."""
    low, high = bounds(condition)
    places: list[sympy.Expr] = []
    for wanted, present, step in ((low, lo, 1), (high, hi, -1)):
        if wanted is None:
            continue
        gap = sympy.expand((wanted - present) * step)
        if not gap.is_Integer or gap > LONGEST_GAP:
            return None
        places += [present + step * k for k in range(max(int(gap), 0))]
    return places


def _window(condition: Condition, lo: sympy.Expr, hi: sympy.Expr) -> list[sympy.Expr] | None:
    """The positions that the condition allows, in order, if they are a fixed small number where all of them are in
    lo..hi, as a word that is too short holds fewer of them."""
    low, high = bounds(condition)
    for first, last in ((low, high), (lo, high), (low, hi)):
        if first is not None and last is not None and (size := sympy.expand(last - first + 1)).is_Integer:
            return [first + step for step in range(int(size))] if size <= LONGEST_GAP else None
    return None


def _in_window(positions: Positions, rest: Iverson, window: list[sympy.Expr]) -> Iverson:
    """A term at the positions of a window alone."""
    total = ZERO
    for place in window:
        for conditions, coefficient in (rest * bracket("==", j - place)).terms:
            closed = _term(positions, coefficient, conditions)
            assert closed is not None
            total += closed
    return total


def _narrow(condition: Condition, positions: Positions) -> Positions | None:
    """The range lo..hi cut down by a range condition, where the context tells which bound is the tighter one."""
    low, high = bounds(condition)
    lo, hi, context = positions.lo, positions.hi, positions.context
    if low is not None:
        if context.entails(_difference(low, lo)):
            lo = low
        elif not context.entails(_difference(lo, low)):
            return None
    if high is not None:
        if context.entails(_difference(hi, high)):
            hi = high
        elif not context.entails(_difference(high, hi)):
            return None
    return replace(positions, lo=lo, hi=hi)


def _count_residues(condition: Condition, lo: sympy.Expr, hi: sympy.Expr) -> Iverson:
    """How many j in lo..hi have the residue that the condition asks for: #{j <= hi} - #{j <= lo - 1}."""
    [atom] = condition.axis.atoms
    modulus = int(atom.args[1])
    total = ZERO
    for wanted in _residues_of(condition):
        for end, direction in ((hi, 1), (lo - 1, -1)):
            form = linear_form(end)
            if form is None:
                raise Underivable(f"summation bound {end} is not linear")
            if modulus > MOST_RESIDUES:
                beyond = remainder(form - wanted, modulus)
                total += Iverson.constant((end - beyond) * direction / sympy.Integer(modulus))
                continue
            for r in range(modulus):  # up to end, with end = r mod m: (end - (r - wanted) mod m)/m, up to a constant
                count = (end - (r - wanted) % modulus) / sympy.Integer(modulus)
                total += residue(form, modulus, r).scaled(count * direction)
    return total


def _closed(coefficient: sympy.Expr, positions: Positions) -> sympy.Expr | None:
    """The sum of a coefficient without brackets: constant, polynomial, or geometric with a ratio that is never 1."""
    lo, hi = positions.lo, positions.hi
    if j not in coefficient.free_symbols:
        return coefficient * (hi - lo + 1)
    if coefficient.is_polynomial(j):
        return sympy.expand(sympy.summation(coefficient, (j, lo, hi)))
    constant, varying = coefficient.as_independent(j, as_Add=False)
    ratio = sympy.powsimp(sympy.expand_power_exp(varying.subs(j, j + 1) / varying))
    if j in ratio.free_symbols:
        return None
    if sign_of(ratio - 1, positions.context, positions.vocabulary) not in (Sign.POSITIVE, Sign.NEGATIVE):
        return None
    first, beyond = varying.subs(j, lo), varying.subs(j, hi + 1)
    return constant * (beyond - first) / (ratio - 1)


def _explicit(positions: Positions, body: Iverson, record: Record) -> Iverson:
    """What stays a sum: over increasing powers (the index is reflected where one falls), rational factors outside."""
    lo, hi, vocabulary = positions.lo, positions.hi, positions.vocabulary
    if positions.symbol is not None:
        body = body * vocabulary.token_is(positions.symbol, j)
    falling = Iverson(tuple(term for term in body.terms if _falling(term[1])))
    rising = Iverson(tuple(term for term in body.terms if not _falling(term[1])))
    body = rising + vocabulary.settle(substitute(falling, {j: lo + hi - j}))
    total = ZERO
    for conditions, coefficient in body.terms:
        free = frozenset(condition for condition in conditions if not _depends(condition))
        outer, inner = sympy.expand_power_exp(sympy.factor(coefficient)).as_independent(j, as_Add=False)
        atom = record.explicit(lo, hi, Iverson(((conditions - free, inner),)))
        total += Iverson(((free, outer * atom),))
    return total


def _falling(coefficient: sympy.Expr) -> bool:
    """Whether a power with base u has an exponent that falls with j."""
    for power in coefficient.atoms(sympy.Pow):
        form = linear_form(power.exp)
        if form is not None and form.coefficient(j) < 0 and not power.base.has(j):
            return True
    return False


def collect(value: Iverson, record: Record, context: Context, vocabulary: Vocabulary) -> Iverson:
    """Explicit sums with factors of natural parameters drawn in, and joined where their factors are proportional."""
    naturals = {vocabulary.parameter(name) for name in vocabulary.natural}
    for symbol in [symbol for symbol in record.sums if symbol in value.free_symbols]:
        total = record.sums[symbol]
        factors = {factor for factor in _factors(value, symbol) or () if factor != 0}
        if len(factors) == 1 and (factor := factors.pop()).free_symbols <= naturals and factor != 1:
            drawn_in = record.explicit(total.lo, total.hi, total.body.scaled(factor))
            value = substitute(value, {symbol: drawn_in / factor})
    value = normalise(value, context)
    atoms = [symbol for symbol in record.sums if symbol in value.free_symbols]
    for first, second in itertools.combinations(atoms, 2):
        left, right = record.sums[first], record.sums[second]
        ratio = _ratio(_factors(value, second), _factors(value, first), context, vocabulary)
        if (left.lo, left.hi) == (right.lo, right.hi) and ratio is not None:
            body = left.body + right.body.scaled(ratio)
            inside = context.given(_difference(j, left.lo), _difference(left.hi, j))
            body = vocabulary.tokens_in_range(body, inside)
            joined = record.explicit(left.lo, left.hi, body) if body.terms else sympy.S.Zero
            value = substitute(value, {second: sympy.S.Zero, first: joined})
            return collect(value, record, context, vocabulary)
    return value


def _ratio(
    numerators: tuple[sympy.Expr, ...] | None,
    denominators: tuple[sympy.Expr, ...] | None,
    context: Context,
    vocabulary: Vocabulary,
) -> sympy.Expr | None:
    """The one quotient of all pairs, if it depends on real parameters and constants alone and is always defined."""
    if numerators is None or denominators is None:
        return None
    pairs = [(a, b) for a, b in zip(numerators, denominators, strict=True) if a != 0 or b != 0]
    if any(a == 0 or b == 0 for a, b in pairs):
        return None
    ratios = {canonical(a / b) for a, b in pairs}
    if len(ratios) != 1 or not all(map(vocabulary.is_unit, (ratio := ratios.pop()).free_symbols)):
        return None
    return ratio if sign_of(sympy.denom(ratio), context, vocabulary) in (Sign.POSITIVE, Sign.NEGATIVE) else None


def _factors(value: Iverson, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...] | None:
    """The factor of `symbol` in each term of a value that is linear in it."""
    factors = tuple(canonical(sympy.diff(coefficient, symbol)) for _, coefficient in value.terms)
    return None if any(symbol in factor.free_symbols for factor in factors) else factors

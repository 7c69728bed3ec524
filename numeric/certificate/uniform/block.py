"""What is known of the residual stream at every position of every word with n positions, n in a block of lengths.

An exact coordinate is a linear form: a number for each token, plus multiples of *profiles*, functions of the position
of which only bounds are known (a position encoding, a row of a head, a row of a feed-forward network). Forms add up and
cancel exactly, their coefficients being exact. A computed coordinate is off from its form by a bounded error.

What the roundings of a sum amount to is the worst over all orders in which its terms may be added. An order is a binary
tree with the terms for leaves; a node is rounded by at most the distance of its value to the nearest number of the
format (`off`). What the nodes of a tree may be is known of each set of terms, so that sums that cancel, whatever is
added first, are rounded little. Of all splits of each set the worst is taken. A block of the order "left to right"
bounds what strict arithmetic computes (model/strict.py), which is one of these orders: less, where a rule knows more of
it. There the same operations on the same numbers give the same result at all positions of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Literal

from flint import arb, fmpq

from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, enclosure
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.positions import (
    ZERO,
    NotUnderstood,
    PositionReader,
    Profile,
    Range,
    either_within,
)
from weightproof.numeric.rounding.formats import Format, fraction, lowest_bit
from weightproof.numeric.rounding.model import Order, greatest, least, off

Where = Literal["all", "first", "last"]
"""At all positions, or at the one that alone is read."""


@dataclass(frozen=True)
class Form:
    """The function of the position: tokens[w_i] + the sum of coefficient * profile(i). Absent entries are 0."""

    tokens: Mapping[str, Real] = field(default_factory=dict)
    profiles: Mapping[Profile, Real] = field(default_factory=dict)

    def __add__(self, other: Form) -> Form:
        return Form(_added(self.tokens, other.tokens), _added(self.profiles, other.profiles))

    def times(self, factor: Real) -> Form:
        return Form(
            {token: x * factor for token, x in self.tokens.items()} if factor != 0 else {},
            {profile: x * factor for profile, x in self.profiles.items()} if factor != 0 else {},
        )

    def __sub__(self, other: Form) -> Form:
        return self + other.times(fmpq(-1))

    @property
    def is_zero(self) -> bool:
        return not self.tokens and not self.profiles


def _added(left: Mapping, right: Mapping) -> dict:  # type: ignore[type-arg]
    result = dict(left)
    for key, value in right.items():
        total = result[key] + value if key in result else value
        if total == 0:
            result.pop(key, None)
        else:
            result[key] = total
    return result


@dataclass(frozen=True)
class Value:
    """A coordinate: its exact form, and how far the computed one may be off.

    At a position, |computed - exact| <= absolute + relative*|exact|; the sum of |computed - exact| over the positions
    of a word is at most `total`. quantum: a power of two of which exact values are integer multiples, given only where
    the computed value is the exact one; then all errors are 0. owed: parts of the error that are known functions of the
    errors of another coordinate, all counted in `absolute`; without them it is `rest`. same: neither the exact nor the
    computed value depends on the position.
    """

    form: Form
    absolute: arb = ZERO
    relative: arb = ZERO
    total: arb = ZERO
    quantum: Fraction | None = None
    owed: tuple[Owed, ...] = ()
    rest: arb = ZERO
    same: bool = False

    @property
    def is_zero(self) -> bool:
        """Exactly 0 everywhere, and computed as 0."""
        return self.form.is_zero and self.exact

    @property
    def exact(self) -> bool:
        return bool(self.absolute.is_zero() and self.relative.is_zero() and self.total.is_zero())


@dataclass(frozen=True)
class Owed:
    """The sum over positions of the error of another coordinate, each times a weight in this range divided by n."""

    source: Value
    weights: Range


NOTHING = Value(Form(), quantum=Fraction(1))
Stream = dict[str, Value]


MOST_TERMS = 5
"""Of which all orders are tried: 105 trees."""

BINADES = 12
"""That are looked at one by one, the highest first."""

Terms = int
"""A set of terms: bit k stands for the k-th."""


def roundings(count: int, reach: Callable[[Terms], arb], format: Format) -> tuple[arb, arb]:
    """What all roundings but the last amount to, and the last one, which is of the whole sum.

    reach: at least the sum of a set of terms, as they are when they are added.
    """
    whole = (1 << count) - 1
    if count < 2:
        return ZERO, ZERO
    if count > MOST_TERMS:
        # By sizes alone: see rounding/model.py, where the terms are taken one after the other, the largest first.
        error, sizes = ZERO, sum((reach(1 << k) for k in range(count)), ZERO)
        for _ in range(count - 2):
            error += off(sizes + error, format)
        return error, off(reach(whole).min(sizes) + error, format)
    errors = {1 << k: ZERO for k in range(count)}
    inner = ZERO
    for terms in range(1, whole + 1):
        if terms & (terms - 1):
            inner = _worst(errors, terms)
            errors[terms] = inner + off(reach(terms) + inner, format)
    return inner, off(reach(whole) + inner, format)


def _worst(errors: dict[Terms, arb], terms: Terms) -> arb:
    result = ZERO
    for left in _parts(terms):
        result = result.max(errors[left] + errors[terms ^ left])
    return result


def _parts(terms: Terms) -> Iterator[Terms]:
    """The proper parts with the lowest term: one of each split."""
    rest = terms & (terms - 1)
    lowest = terms ^ rest
    part = (rest - 1) & rest
    while True:
        yield part | lowest
        if part == 0:
            return
        part = (part - 1) & rest


def spaced(step: arb, high: arb, slack: arb, count: arb, format: Format) -> arb:
    """At least the sum of `off` over numbers that are at least `step` apart, from 0 to `high`; off by `slack` each.

    So many lie in each binade as it has room for, and one more; those below the last binade that is looked at are
    taken together. At most `count` numbers there are.
    """
    top, total = high + slack, ZERO
    if not top > 0:
        return ZERO
    for _ in range(BINADES):
        mantissa, exponent = top.upper().man_exp()
        below = arb(2) ** (int(mantissa - 1).bit_length() - 1 + int(exponent))
        total += ((top - below) / step + 1) * off(top, format)
        top = below
    return (total + count * off(top, format)).min(count * off(high + slack, format))


NO_BIAS = fmpq(0)


class Block:
    """All words whose number of positions n lies from `shortest` to `longest`, in one format."""

    def __init__(
        self,
        network: Encoder,
        alphabet: Sequence[str],
        names: Environment,
        format: Format,
        shortest: int,
        longest: int,
        order: Order = "any",
    ) -> None:
        self.network, self.alphabet, self.names, self.format = network, tuple(alphabet), names, format
        self.in_order = BOUND.of("order of sums", order, {"any": False, "left to right": True})
        self.n = Range(arb(shortest), arb(longest))
        self.markers = network.markers
        self.symbols = Range.of(-len(self.markers)) + self.n
        self.tokens = (*self.alphabet, *self.markers)
        self.u = arb(fmpq(1, format.unit_roundoff.denominator))
        self.least = arb(fmpq(1, format.smallest.denominator))
        self.greatest = arb(2) ** format.greatest
        self.reader = PositionReader(self.n, names)
        self._only: tuple[str, ...] = ()
        self._sums: dict[object, tuple[object, dict[Terms, arb]]] = {}

    # Numbers of the format

    def gamma(self, count: int | arb) -> arb:
        """The relative error of `count` roundings one after the other; refused where it is not small."""
        size = count * self.u
        if not size < fmpq(1, 2):
            raise NotUnderstood("more roundings than the format bears")
        return size / (1 - size)

    def entry(self, scalar: Expression) -> Real:
        return evaluate(scalar, self.names)

    def held(self, number: Real) -> bool:
        """Whether the format holds a number exactly."""
        if not isinstance(number, fmpq):
            return False
        part = lowest_bit(fraction(number))
        return number == 0 or (part is not None and self.representable(part, abs(arb(number))))

    def representable(self, quantum: Fraction, size: arb) -> bool:
        """Whether the format holds every multiple of the quantum up to this size."""
        multiple = size / fmpq(quantum.numerator, quantum.denominator)
        fine = quantum >= self.format.smallest and bool(multiple <= arb(2) ** self.format.precision)
        return fine and bool(size < self.greatest)

    # Bounds of forms

    def at_token(self, token: str) -> Block:
        """The same, where sizes, ranges and errors are wanted only of positions that hold this token."""
        result = copy(self)
        result._only, result._sums = (token,), {}
        return result

    def _present(self, where: Where) -> tuple[str, ...]:
        if self._only and where == "all":
            return self._only
        if where == "first" and self.network.begin is not None:
            return (self.network.begin,)
        if where == "last" and self.network.end is not None:
            return (self.network.end,)
        return self.markers if self.symbols.high <= 0 else self.tokens

    def token_range(self, form: Form, where: Where = "all") -> Range:
        values = [enclosure(form.tokens.get(token, fmpq(0))) for token in self._present(where)]
        return Range(least(values), greatest(values))

    def range(self, form: Form, where: Where = "all") -> Range:
        result = self.token_range(form, where)
        for profile, factor in form.profiles.items():
            at = {"all": profile.values, "first": profile.first, "last": profile.last}[where]
            result = result + at * Range.of(enclosure(factor))
        return result

    def size(self, form: Form, where: Where = "all") -> arb:
        return self.range(form, where).size

    def total(self, form: Form) -> arb:
        """At least the sum of absolute values over all positions."""
        result = self._over_tokens({token: abs(enclosure(x)) for token, x in form.tokens.items()}).high
        for profile, factor in form.profiles.items():
            result += profile.total * abs(enclosure(factor))
        return result.min(self.n.high * self.size(form))

    def positive_total(self, form: Form) -> arb:
        """At least the sum of positive parts: that of a sum is at most the sum of those of its terms."""
        result = self._over_tokens({token: enclosure(x).max(ZERO) for token, x in form.tokens.items()}).high
        for profile, factor in form.profiles.items():
            scaled = profile.values * Range.of(enclosure(factor))
            result += ZERO if scaled.high <= 0 else profile.total * abs(enclosure(factor))
        return result.min(self.n.high * self.range(form).high.max(ZERO))

    def sums(self, form: Form) -> Range:
        result = self._over_tokens({token: enclosure(x) for token, x in form.tokens.items()})
        for profile, factor in form.profiles.items():
            result = result + profile.sums * Range.of(enclosure(factor))
        return result

    def support(self, form: Form, positive: bool = False) -> arb:
        """At least the number of positions where the form is not 0, or is positive."""
        bits = {token: arb(int(not positive or not enclosure(x) <= 0)) for token, x in form.tokens.items()}
        result = self._over_tokens(bits).high
        for profile, factor in form.profiles.items():
            scaled = profile.values * Range.of(enclosure(factor))
            result += ZERO if positive and scaled.high <= 0 else profile.support
        return result.min(self.n.high)

    def within(self, form: Form, positive: bool = False) -> Range | None:
        """The positions from the first to the last where the form may be not 0, or positive; None is all of them."""
        ends = {self.network.begin: Range.of(0), self.network.end: self.n - Range.of(1)}
        found: list[Range | None] = []
        for token, x in form.tokens.items():
            if token in self.tokens and not (positive and enclosure(x) <= 0):
                found.append(ends.get(token))
        for profile, factor in form.profiles.items():
            if not (positive and (profile.values * Range.of(enclosure(factor))).high <= 0):
                found.append(profile.within)
        return reduce(either_within, found) if found else Range.of(0)

    def _over_tokens(self, values: Mapping[str, arb]) -> Range:
        """The sum over positions of a number for each token: each marker stands once, the symbols on all the rest."""
        result = Range.of(sum((values.get(marker, ZERO) for marker in self.markers), ZERO))
        symbols = [values.get(symbol, ZERO) for symbol in self.alphabet]
        return result + Range(least(symbols), greatest(symbols)) * self.symbols

    def slope(self, form: Form) -> Range | None:
        """The step from each position to the next, where it is the same in all of a word."""
        if self.tells_apart(form):
            return None
        result = Range.of(0)
        for profile, factor in form.profiles.items():
            if profile.slope is None:
                return None
            result = result + profile.slope * Range.of(enclosure(factor))
        return result

    def step(self, form: Form) -> arb | None:
        """At least the distance between the values at two positions; None where they may be the same."""
        slope = self.slope(form)
        if slope is None or not (slope.low > 0 or slope.high < 0):
            return None
        return abs(slope.low).min(abs(slope.high))

    def constant(self, form: Form) -> bool:
        """Whether it is certainly the same at all positions of a word."""
        slope = self.slope(form)
        return slope is not None and slope.is_zero

    def tells_apart(self, form: Form) -> bool:
        """Whether the form differs from token to token."""
        return not _same([form.tokens.get(token, fmpq(0)) for token in self.tokens])

    def uniform(self, number: Real) -> Form:
        """The form that is this number everywhere."""
        return Form(dict.fromkeys(self.tokens, number)) if number != 0 else Form()

    # Values

    def error(self, value: Value, where: Where = "all", size: arb | None = None) -> arb:
        """The error at a position where the exact value is at most `size`."""
        reach = self.size(value.form, where) if size is None else size
        return value.absolute + value.relative * reach

    def embedding(self) -> Stream:
        """The entries of WE and the values of PE, each rounded once, and their sum."""
        return {name: self._embedded(name) for name in self.network.coordinates}

    def _embedded(self, name: str) -> Value:
        WE, PE = self.network.embedding.WE, self.network.embedding.PE
        entries = {token: self.entry(row[name]) for token, row in WE.items() if token in self.tokens and name in row}
        form = Form({token: x for token, x in entries.items() if x != 0})
        parts = [NOTHING if form.is_zero else self._given(form)]
        if name in PE:
            profile = self.reader.read(PE[name])
            # A profile that is 0 everywhere is no profile.
            parts.append(NOTHING if profile.values.is_zero else self._given(Form({}, {profile: fmpq(1)})))
        return self.combine([(fmpq(1), part) for part in parts])

    def _given(self, form: Form) -> Value:
        """Exact data, rounded once."""
        quanta = [lowest_bit(fraction(x)) if isinstance(x, fmpq) else None for x in form.tokens.values()]
        quanta += [profile.quantum for profile in form.profiles]
        size = self.size(form)
        if all(quantum is not None and self.representable(quantum, size) for quantum in quanta):
            return Value(form, quantum=min(quantum for quantum in quanta if quantum is not None))
        self.require_finite(2 * size)
        return Value(form, self.least, self.u, self.u * self.total(form) + self.n.high * self.least)

    def combine(self, terms: Sequence[tuple[Real, Value]], bias: Real = NO_BIAS, where: Where = "all") -> Value:
        """A computed linear combination, in any order of summation; terms that are exactly 0 cause no rounding."""
        self.require_held(weight for weight, _ in terms)
        terms = [(weight, value) for weight, value in terms if weight != 0 and not value.is_zero]
        form = self.uniform(bias)
        for weight, value in terms:
            form = form + value.form.times(weight)
        quantum = self._exact_quantum(terms, bias, where)
        if quantum is not None:
            return Value(form, quantum=quantum)
        lone = len(terms) == 1 and bias == 0
        sizes = [abs(enclosure(weight)) for weight, _ in terms]
        inner = sum((w * self.error(v, where) for w, (_, v) in zip(sizes, terms, strict=True)), ZERO)
        gamma, local, lost = self.local(terms, bias, where)
        owed, rest = self._owed(terms)
        same = self.in_order and all(self.same(value) for _, value in terms)
        if lone:
            [(size, (_, value))] = zip(sizes, terms, strict=True)
            absolute = size * value.absolute * (1 + gamma) + lost
            relative = value.relative + gamma * (1 + value.relative)
            owed, rest = (owed, rest + lost) if gamma.is_zero() else ((), ZERO)
        else:
            relative = ZERO
            part = (w * v.relative * self.size(v.form, where) for w, (_, v) in zip(sizes, terms, strict=True))
            rest = sum(part, rest + local + lost)
            absolute = (inner + local + lost).min(rest + sum((self.owing(debt) for debt in owed), ZERO))
        if where != "all":
            total = absolute + relative * self.size(form, where)
            return Value(form, absolute, relative, total, owed=owed, rest=rest, same=same)
        total = sum(
            (w * (v.total * (1 + gamma) + gamma * self.total(v.form)) for w, (_, v) in zip(sizes, terms, strict=True)),
            self.n.high * (lost + gamma * abs(enclosure(bias))),
        )
        total = total.min(self.n.high * (absolute + relative * self.size(form)))
        return Value(form, absolute, relative, total, owed=owed, rest=rest, same=same)

    def same(self, value: Value) -> bool:
        """Whether neither the exact nor the computed value depends on the position."""
        return value.same or (value.exact and self.constant(value.form))

    def _owed(self, terms: Sequence[tuple[Real, Value]]) -> tuple[tuple[Owed, ...], arb]:
        """What a combination owes to the errors of other coordinates, those of each added up, and the other errors.

        The latter without those in proportion to the exact values, and without the roundings of the combination itself.
        """
        owed: dict[int, Owed] = {}
        rest = ZERO
        for weight, value in terms:
            size = Range.of(enclosure(weight))
            rest += size.size * (value.rest if value.owed else value.absolute)
            for debt in value.owed:
                before = owed.get(id(debt.source), Owed(debt.source, Range.of(0)))
                owed[id(debt.source)] = Owed(debt.source, before.weights + debt.weights * size)
        return tuple(owed.values()), rest

    def owing(self, debt: Owed) -> arb:
        """At least that part of the error."""
        return debt.weights.size * debt.source.total / self.n.low

    def local(
        self,
        terms: Sequence[tuple[Real, Value]],
        bias: Real = NO_BIAS,
        where: Where = "all",
        reach: Sequence[arb] | None = None,
    ) -> tuple[arb, arb, arb]:
        """The roundings of one linear combination alone: their relative size, what they amount to, and underflow.

        reach: bounds of the exact terms, where they are better known than from their forms.
        """
        weights = [weight for weight, _ in terms]
        rounded_weights = not all(self.held(weight) for weight in (*weights, bias))
        products = not all(power_of_two(weight) for weight in weights)
        gamma = self.gamma(rounded_weights + products + len(terms) - 1 + (bias != 0)) if terms else self.gamma(1)
        size, lost = abs(enclosure(bias)), self.least
        for k, (weight, value) in enumerate(terms):
            here = self.size(value.form, where) if reach is None else reach[k]
            computed = here + self.error(value, where, here)
            size += abs(enclosure(weight)) * computed
            self.require_finite(2 * abs(enclosure(weight)))
            lost += self.least * (2 + computed)
        self.require_finite(2 * size)
        leaves, inner, last = self.nodes(terms, bias, where, reach)
        return gamma, (gamma * size).min(leaves + inner + last), lost

    def nodes(
        self, terms: Sequence[tuple[Real, Value]], bias: Real, where: Where, reach: Sequence[arb] | None = None
    ) -> tuple[arb, arb, arb]:
        """What the roundings of the terms, of all partial sums and of the whole sum amount to, in the worst order."""
        sizes, errors, leaves = [], [], []
        for k, (weight, value) in enumerate(terms):
            w = abs(enclosure(weight))
            here = self.size(value.form, where) if reach is None else reach[k]
            error = self.error(value, where, here)
            entry = ZERO if self.held(weight) else self.off(w)
            product = ZERO if power_of_two(weight) else self.off((w + entry) * (here + error))
            sizes.append(w * here)
            errors.append(w * error)
            leaves.append(entry * (here + error) + product)
        if bias != 0:
            sizes.append(abs(enclosure(bias)))
            errors.append(ZERO)
            leaves.append(ZERO if self.held(bias) else self.off(sizes[-1]))
        exact = self._partial_sums(terms, bias, where)

        def partial(which: Terms) -> arb:
            chosen = [k for k in range(len(sizes)) if which >> k & 1]
            return sum((sizes[k] for k in chosen), ZERO).min(exact(which)) + sum(
                (errors[k] + leaves[k] for k in chosen), ZERO
            )

        inner, last = roundings(len(sizes), partial, self.format)
        return sum(leaves, ZERO), inner, last

    def _partial_sums(self, terms: Sequence[tuple[Real, Value]], bias: Real, where: Where) -> Callable[[Terms], arb]:
        """The greatest exact size of the sum of each set of terms; kept, as it does not depend on what is near."""
        key = (tuple((weight, id(value)) for weight, value in terms), bias, where)
        if key not in self._sums:
            self._sums[key] = tuple(terms), {}  # the terms are kept, so that no other one takes their place
        _, known = self._sums[key]

        def size(which: Terms) -> arb:
            if which not in known:
                form = self.uniform(bias) if which >> len(terms) & 1 else Form()
                for k, (weight, value) in enumerate(terms):
                    form = form + value.form.times(weight) if which >> k & 1 else form
                known[which] = self.size(form, where)
            return known[which]

        return size

    def left_to_right(self, largest: arb, total: arb, count: arb) -> arb:
        """What the roundings of all partial sums amount to, of `count` terms that are added one after the other.

        largest: at least the size of each term; total: at least all their sizes together. The sum of j terms is at
        most j*largest, and at most `total`, before the errors so far: the first of these are `largest` apart. Terms
        that are 0 cause no rounding. All errors together are at most gamma(count)*total (Higham, section 4.2), and
        from each bound of the errors so far follows another one.
        """
        error = self.gamma(count) * total
        for _ in range(2):
            at_most = spaced(largest, total, error, count, self.format)
            error = error.min(at_most + (count - total / largest).max(ZERO) * self.off(total + error))
        return error

    def off(self, size: arb) -> arb:
        """At least the distance of a number of at most this size to the nearest number of the format."""
        return off(size, self.format)

    def require_finite(self, size: arb) -> None:
        """Refuse what might overflow."""
        if not size < self.greatest:
            raise NotUnderstood("a number that the format may not hold")

    def require_held(self, weights: Iterable[Real]) -> None:
        """Refuse weights that overflow: even 0 times such a one is no number."""
        for weight in weights:
            self.require_finite(2 * abs(enclosure(weight)))

    def _exact_quantum(self, terms: Sequence[tuple[Real, Value]], bias: Real, where: Where) -> Fraction | None:
        """The number that a combination is a multiple of, where all products and partial sums are numbers of the
        format."""
        parts = [(weight, value.quantum, self.size(value.form, where)) for weight, value in terms]
        if bias != 0:
            parts.append((bias, Fraction(1), arb(1)))
        quanta, size = [], ZERO
        for weight, quantum, reach in parts:
            own = lowest_bit(fraction(weight)) if isinstance(weight, fmpq) and self.held(weight) else None
            if own is None or quantum is None:
                return None
            quanta.append(own * quantum)
            size += abs(enclosure(weight)) * reach
        if not quanta:
            return Fraction(1)
        return min(quanta) if self.representable(min(quanta), size) else None


def _same(values: Sequence[Real]) -> bool:
    return all(value == values[0] for value in values)


def power_of_two(weight: Real) -> bool:
    return isinstance(weight, fmpq) and lowest_bit(fraction(weight)) == abs(fraction(weight))

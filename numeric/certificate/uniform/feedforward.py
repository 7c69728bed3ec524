"""What a ReLU network adds to the stream, row by row: exactly where its units are exact, else with an error at each
position and summed over positions.

An error of the input reaches the output through the gradient of the units that are on. Between input and computed input
lies a segment, on which a unit may switch only if its preactivation is within its *slack*, the error that it may have
itself. So a position is *off*, where no unit of a row is on or may be; *on*, where all are on for certain, and the
error passes through one fixed gradient, which the weights often make 0; or *near*. Preactivations that move evenly from
position to position are near 0 at few positions only, and at those the input may be known to be small.

Sums from left to right have more in common: an error that is the same at all positions shifts a tent as a whole, and
units that begin with the same terms are rounded alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key

from flint import arb, fmpq

from weightproof.constructions.meaning.schema import FeedForward
from weightproof.constructions.scalars.exact import Real, enclosure, sign
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.block import (
    NOTHING,
    Block,
    Form,
    Stream,
    Terms,
    Value,
    Where,
    power_of_two,
    roundings,
    spaced,
)
from weightproof.numeric.certificate.uniform.positions import ZERO, NotUnderstood, Profile, Range
from weightproof.numeric.rounding.model import greatest, least


@dataclass(frozen=True)
class Tent:
    """A row a*f(x/a), where x is the preactivation of the first unit and a >= 0: its units are x + shift*a, and their
    outer weights sum to 0, so that f is piecewise linear, and flat at both ends."""

    width: Form
    kinks: Sequence[tuple[Real, Real]]
    """The shift and the outer weight of each unit."""

    @property
    def heights(self) -> Range:
        """Where f lies: its extreme values are those at the kinks -shift."""
        kinks = [(enclosure(shift), enclosure(outer)) for shift, outer in self.kinks]
        heights = [sum((w * (shift - kink).max(ZERO) for shift, w in kinks), ZERO) for kink, _ in kinks]
        return Range(least([ZERO, *heights]), greatest([ZERO, *heights]))

    def pieces(self) -> Iterator[tuple[Real, Real]]:
        """The length of each piece between two kinks, in multiples of a, and the slope of f there."""
        slope: Real = fmpq(0)
        falling = sorted(self.kinks, key=cmp_to_key(_first_on))
        for (shift, outer), (following, _) in itertools.pairwise(falling):
            slope = slope + outer
            yield shift - following, slope


def _first_on(left: tuple[Real, Real], right: tuple[Real, Real]) -> int:
    return sign(right[0] - left[0])


def tent(block: Block, units: Sequence[tuple[Form, Real]]) -> Tent | None:
    """The tent of units (preactivation, outer weight); None where they are not known to be one."""
    if len(units) < 2 or sum((outer for _, outer in units), fmpq(0)) != 0:
        return None
    gaps = [form - units[0][0] for form, _ in units]
    width = next((gap for gap in gaps if not gap.is_zero), None)
    if width is None:
        return None
    if not block.range(width).nonnegative:
        width = width.times(fmpq(-1))
    shifts = [shift for gap in gaps if (shift := _ratio(gap, width)) is not None]
    if len(shifts) < len(gaps) or not block.range(width).nonnegative:
        return None
    return Tent(width, [(shift, outer) for shift, (_, outer) in zip(shifts, units, strict=True)])


def _ratio(form: Form, width: Form) -> Real | None:
    """The number of which the form is that multiple of the width; None where it is none."""
    if form.is_zero:
        return fmpq(0)
    [ratio, *rest] = [
        *(form.tokens.get(token, fmpq(0)) / x for token, x in width.tokens.items()),
        *(form.profiles.get(profile, fmpq(0)) / x for profile, x in width.profiles.items()),
    ]
    return ratio if all(other == ratio for other in rest) and (form - width.times(ratio)).is_zero else None


MOST_OPEN_UNITS = 5
"""Units of one row that may switch: all sets of them are tried."""
ROUNDS = 64
"""How often the bound of the inputs at near positions may be improved by itself: each bound holds, the last is best."""

Sizes = Mapping[str, arb]


@dataclass(frozen=True, eq=False)
class Unit:
    """A hidden unit relu(form), as a row reads it: with weight `outer`; weights: of the coordinates it reads."""

    outer: Real
    weights: Mapping[str, Real]
    bias: Real
    form: Form
    exact: bool

    def terms(self, stream: Stream) -> list[tuple[Real, Value]]:
        """What it adds up, without the bias."""
        return [(weight, stream[name]) for name, weight in self.weights.items()]

    def partial_sums(self, stream: Stream, block: Block) -> Iterator[tuple[tuple[tuple[str, Real], ...], Form]]:
        """From left to right, without the first term alone: of which terms, and the form; the bias comes last."""
        terms: tuple[tuple[str, Real], ...] = ()
        form = Form()
        for name, weight in self.weights.items():
            form = form + stream[name].form.times(weight)
            terms = (*terms, (name, weight))
            if len(terms) > 1:
                yield terms, form
        if self.bias != 0:
            yield (*terms, ("", self.bias)), form + block.uniform(self.bias)


class Row:
    """One row of the output, its units read with their outer weights."""

    def __init__(self, block: Block, units: Sequence[Unit], bias: Real, stream: Stream, where: Where) -> None:
        self.block, self.bias, self.stream, self.where = block, bias, stream, where
        self.names = list(dict.fromkeys(name for unit in units for name in unit.weights))
        self._outer: tuple[arb, arb] | None = None
        self._sums: dict[tuple[frozenset[Unit], bool], arb] = {}
        self.sizes = {name: block.size(stream[name].form, where) for name in self.names}
        slack = {unit: self.slack(unit, self.sizes) for unit in units}
        at = {unit: block.range(unit.form, where) for unit in units}
        units = [unit for unit in units if not (at[unit].high < -slack[unit] or (unit.exact and at[unit].high <= 0))]
        self.exact = [unit for unit in units if unit.exact]
        self.active = [unit for unit in units if not unit.exact and at[unit].low > slack[unit]]
        self.open = [unit for unit in units if not unit.exact and unit not in self.active]
        self.settled, self.units = [*self.exact, *self.active], units
        if len(self.open) + len(self.exact) > MOST_OPEN_UNITS:
            raise NotUnderstood(f"{len(self.open) + len(self.exact)} units of a row that may each be on or off")
        self.gradients = [self.gradient([*self.active, *which]) for which in self._patterns()]
        self.off, self.on = self.gradient(self.active), self.gradient([*self.active, *self.open])

    # Errors at one position

    def input_error(self, name: str, sizes: Sizes) -> arb:
        return self.block.error(self.stream[name], self.where, sizes[name])

    def rounding(self, unit: Unit, sizes: Sizes) -> arb:
        """What the unit's own roundings amount to, where the inputs are at most `sizes`."""
        if unit.exact:
            return ZERO
        terms = unit.terms(self.stream)
        _, local, lost = self.block.local(terms, unit.bias, self.where, [sizes[name] for name in unit.weights])
        return local + lost

    def slack(self, unit: Unit, sizes: Sizes) -> arb:
        if unit.exact:
            return ZERO
        errors = (abs(enclosure(weight)) * self.input_error(name, sizes) for name, weight in unit.weights.items())
        return sum(errors, self.rounding(unit, sizes))

    def gradient(self, units: Sequence[Unit]) -> dict[str, Real]:
        result: dict[str, Real] = dict.fromkeys(self.names, fmpq(0))
        for unit in units:
            for name, weight in unit.weights.items():
                result[name] = result[name] + unit.outer * weight
        return result

    def passed(self, gradient: Mapping[str, Real], sizes: Sizes) -> arb:
        """The error that a gradient lets through."""
        return sum((abs(enclosure(g)) * self.input_error(c, sizes) for c, g in gradient.items() if g != 0), ZERO)

    def rounded(
        self, patterns: Sequence[Sequence[Unit]], sizes: Sizes, heights: Mapping[Unit, arb], own: bool = True
    ) -> arb:
        """What the roundings amount to where the units of one of these sets are on, none higher than its height.

        own: with those of the units themselves.
        """
        units = [unit for unit in self.units if any(unit in on for on in patterns)]
        if not units and self.bias == 0:
            return ZERO
        block = self.block
        inside = [abs(enclosure(unit.outer)) * self.rounding(unit, sizes) for unit in units]
        tops = [heights[unit] + self.slack(unit, sizes) for unit in units]
        leaves, signed = [], []
        for unit, top in zip(units, tops, strict=True):
            w = abs(enclosure(unit.outer))
            entry = ZERO if block.held(unit.outer) else block.off(w)
            product = ZERO if power_of_two(unit.outer) else block.off((w + entry) * top)
            leaves.append(entry * top + product)
            signed.append(enclosure(unit.outer) * top)
        if self.bias != 0:
            leaves.append(ZERO if block.held(self.bias) else block.off(self._bias()))
            signed.append(enclosure(self.bias))
        block.require_finite(2 * sum((abs(x) for x in signed), ZERO))

        def partial(which: Terms) -> arb:
            chosen = [k for k in range(len(signed)) if which >> k & 1]
            positive = sum((signed[k].max(ZERO) for k in chosen), ZERO)
            negative = sum(((-signed[k]).max(ZERO) for k in chosen), ZERO)
            some = frozenset(units[k] for k in chosen if k < len(units))
            sets = {frozenset(on) & some for on in patterns}
            exact = greatest([self._partial_sum(on, len(units) in chosen) for on in sets])
            through = greatest([self.passed(self.gradient(sorted(on, key=id)), sizes) for on in sets])
            slips = sum((inside[k] for k in chosen if k < len(units)), ZERO)
            return (positive.max(negative)).min(exact + through + slips) + sum((leaves[k] for k in chosen), ZERO)

        inner, whole = roundings(len(signed), partial, block.format)
        return sum(inside if own else [], sum(leaves, inner + whole)) + self.outer_roundings()[1]

    def _partial_sum(self, on: frozenset[Unit], biased: bool) -> arb:
        """The greatest exact size of what units add up to where all of them are on; kept, as nothing changes it."""
        if (on, biased) not in self._sums:
            form = self.block.uniform(self.bias) if biased else Form()
            for unit in on:
                form = form + unit.form.times(unit.outer)
            self._sums[on, biased] = self.block.size(form, self.where)
        return self._sums[on, biased]

    def _with_exact(self, units: Sequence[Unit]) -> list[list[Unit]]:
        """The active units and these, with each set of the exact ones, which may be on or off."""
        chosen = itertools.chain.from_iterable(
            itertools.combinations(self.exact, size) for size in range(len(self.exact) + 1)
        )
        return [[*self.active, *units, *exact] for exact in chosen]

    def _bias(self) -> arb:
        return abs(enclosure(self.bias))

    def outer_roundings(self) -> tuple[arb, arb]:
        """The relative size of the roundings in the second linear map, and what underflow may lose."""
        if self._outer is not None:
            return self._outer
        heights = [(unit.outer, Value(Form())) for unit in self.units]
        gamma, _, _ = self.block.local(heights, self.bias, self.where)
        top = sum((self.height(unit) + self.slack(unit, self.sizes) + 2 for unit in self.units), arb(1))
        self._outer = gamma, self.block.least * top
        return self._outer

    def height(self, unit: Unit) -> arb:
        return self.block.range(unit.form, self.where).high.max(ZERO)

    def _patterns(self) -> list[list[Unit]]:
        """The sets of open units that may be on together, at the input, the computed input, or between them."""
        above = [(a, b) for a, b in itertools.permutations(self.open, 2) if self._certainly_above(a, b)]
        chosen = itertools.chain.from_iterable(
            itertools.combinations(self.open, size) for size in range(len(self.open) + 1)
        )
        return [list(on) for on in chosen if all(a in on for a, b in above if b in on)]

    def _certainly_above(self, a: Unit, b: Unit) -> bool:
        """Whether one preactivation is at least the other, of the exact as of the computed inputs."""
        gap = {name: a.weights.get(name, fmpq(0)) - b.weights.get(name, fmpq(0)) for name in self.names}
        return bool(self.block.range(a.form - b.form, self.where).low >= self.passed(gap, self.sizes))

    # Near positions

    def near(self, pivot: Unit) -> tuple[arb, arb, dict[str, arb]]:
        """At near positions the pivot's exact preactivation lies from -below to above, the inputs within sizes."""
        sizes, block = dict(self.sizes), self.block
        for _ in range(ROUNDS):
            slack = {unit: self.slack(unit, sizes) for unit in self.open}
            # Some unit is not on for certain, and some unit is not off for certain.
            above = greatest([slack[u] + block.range(pivot.form - u.form, self.where).high for u in self.open])
            below = greatest([slack[u] + block.range(u.form - pivot.form, self.where).high for u in self.open])
            reach = above.max(below).max(ZERO)
            better = {name: self._near_size(name, pivot, reach).min(sizes[name]) for name in self.names}
            settled = all(not better[name] < fmpq(15, 16) * sizes[name] for name in self.names)
            sizes = better
            if settled:
                break
        return above, below, sizes

    def _near_size(self, name: str, pivot: Unit, reach: arb) -> arb:
        """A bound of an input where the pivot's preactivation is within `reach`: the input is a multiple and a rest."""
        form, bounds = self.stream[name].form, [self.sizes[name]]
        for profile, factor in form.profiles.items():
            if profile in pivot.form.profiles:
                times = factor / pivot.form.profiles[profile]
                rest = self.block.size(form - pivot.form.times(times), self.where)
                bounds.append(rest + abs(enclosure(times)) * reach)
        return least(bounds)

    def near_heights(self, pivot: Unit, above: arb) -> dict[Unit, arb]:
        def height(unit: Unit) -> arb:
            ahead = self.block.range(unit.form - pivot.form, self.where).high + above
            return self.height(unit).min(ahead.max(ZERO))

        return {unit: height(unit) for unit in self.units}

    # Counting positions

    def near_count(self, pivot: Unit, above: arb, below: arb) -> arb:
        """How many positions of one word may be near."""
        step, n = self.block.step(pivot.form), self.block.n.high
        return n if step is None else ((above + below).max(ZERO) / step + 1).min(n)

    def awake_count(self, pivot: Unit, below: arb) -> arb:
        """How many positions of one word may be near or on.

        There the profiles of the pivot have to make up for what its tokens lack, and their total is bounded.
        """
        lacking = -self.block.range(Form(pivot.form.tokens), self.where).high - below
        if not lacking > 0:
            return self.block.n.high
        return (self.block.positive_total(Form({}, pivot.form.profiles)) / lacking).min(self.block.n.high)

    # The row

    def value(self) -> Value:
        block, heights = self.block, {unit: self.height(unit) for unit in self.units}
        off = self.passed(self.off, self.sizes) + self.rounded(self._with_exact([]), self.sizes, heights)
        if not self.open:
            total = self._far_total() + self._rounding_total()
            support = block.n.high if self.units or self.bias != 0 else ZERO
            return self._made(off, total.min(block.n.high * off), support, None)
        on = self.passed(self.on, self.sizes) + self.rounded(self._with_exact(self.open), self.sizes, heights)
        errors, totals, supports, counts = [], [], [block.n.high], []
        everything = [with_exact for on in self._patterns() for with_exact in self._with_exact(on)]
        for pivot in self.open:
            above, below, sizes = self.near(pivot)
            through = greatest([self.passed(gradient, sizes) for gradient in self.gradients])
            lower = self.near_heights(pivot, above)
            near = through + self.rounded(everything, sizes, lower)
            count, awake = self.near_count(pivot, above, below), self.awake_count(pivot, below)
            errors.append(near.max(on).max(off))
            let = [count * through, self._worst_total(), self._shifted_total(count, sizes)]
            outside = count * self.rounded(everything, sizes, lower, own=False)
            slips = [self._rounding_total(), self._spaced_total(outside)]
            if block.in_order:
                slips.append(self._in_order_total(count * self.rounded(everything, sizes, lower)))
            totals.append(self._far_total() + least(let) + least(slips))
            totals.append(awake * near.max(on) + block.n.high * off)
            counts.append(count)
            if not self.settled and self.bias == 0:
                supports.append(awake)
        error = least(errors)
        return self._made(error, least([*totals, block.n.high * error]), least(supports), least(counts))

    def beside(self, name: str, whole: Value) -> Value:
        """The sum of a coordinate and the row that is added to it, where more is known of its error than of both.

        An error of a coordinate that the row reads reaches the sum through the gradient of the row and, straight, of 1:
        of x - 2 relu(x) through 1 or -1.
        """
        if name not in self.names:
            return whole
        gradients = ({**gradient, name: gradient[name] + 1} for gradient in self.gradients)
        everything = [with_exact for on in self._patterns() for with_exact in self._with_exact(on)]
        error = greatest([self.passed(gradient, self.sizes) for gradient in gradients])
        error += self.rounded(everything, self.sizes, {unit: self.height(unit) for unit in self.units})
        error += self.block.off(self.block.size(whole.form, self.where) + error)
        if not error < self.block.error(whole, self.where):
            return whole
        total = whole.total.min(error if self.where != "all" else self.block.n.high * error)
        return replace(whole, absolute=error, relative=ZERO, total=total, owed=(), rest=ZERO)

    def _far_total(self) -> arb:
        """What fixed gradients let through at all positions together."""
        worst = {c: abs(enclosure(self.on[c])).max(abs(enclosure(self.off[c]))) for c in self.names}
        return sum((worst[c] * self.stream[c].total for c in self.names), ZERO)

    def _worst_total(self) -> arb:
        worst = {c: greatest([abs(enclosure(gradient[c])) for gradient in self.gradients]) for c in self.names}
        return sum((worst[c] * self.stream[c].total for c in self.names), ZERO)

    def _rounding_total(self) -> arb:
        """What roundings amount to at all positions together."""
        n, (gamma, lost) = self.block.n.high, self.outer_roundings()
        result = n * (lost + gamma * self._bias())
        for unit in self.units:
            outer, errors, own = abs(enclosure(unit.outer)), ZERO, ZERO
            if not unit.exact:
                terms = unit.terms(self.stream)
                inner, _, underflow = self.block.local(terms, unit.bias, self.where)
                own = n * (inner * abs(enclosure(unit.bias)) + underflow)
                for weight, value in terms:
                    size = abs(enclosure(weight))
                    errors += size * value.total
                    own += inner * size * (self.block.total(value.form) + value.total)
                own = own.min(self._own_total(unit))
            result += outer * (own + gamma * (self.block.positive_total(unit.form) + errors + own))
        return result

    def _own_total(self, unit: Unit) -> arb:
        """The roundings of a unit at all positions where it may be on, the last one of each by where it lies."""
        terms = unit.terms(self.stream)
        leaves, inner, last = self.block.nodes(terms, unit.bias, self.where)
        n = self.block.n.high
        return n * (leaves + inner + self.block.least) + self._spaced(unit.form, self.slack(unit, self.sizes), n * last)

    def _spaced(self, form: Form, slack: arb, otherwise: arb) -> arb:
        """The rounding of a form at all positions where it is positive; `slack`: how far the computed one is off."""
        step, n = self.block.step(form), self.block.n.high
        if step is None:
            return otherwise
        return spaced(step, self.block.range(form, self.where).high, slack, n, self.block.format).min(otherwise)

    def _spaced_total(self, near: arb) -> arb:
        """What roundings amount to at all positions: near ones, and those where all units are on, which move evenly.

        near: what the roundings outside the units amount to at the near positions.
        There a partial sum is at most the sum of the positive terms, or of the negative ones.
        """
        if self.settled or self.bias != 0 or not all(power_of_two(unit.outer) for unit in self.units):
            return arb("inf")
        positive, whole, slack = Form(), Form(), ZERO
        for unit in self.open:
            form = unit.form.times(unit.outer)
            positive, whole = positive + form if enclosure(unit.outer) > 0 else positive, whole + form
            slack += abs(enclosure(unit.outer)) * self.slack(unit, self.sizes)
        last = self.block.size(whole) + slack
        n, own = self.block.n.high, ZERO
        for unit in self.open:
            own += abs(enclosure(unit.outer)) * self._own_total(unit)
        inner = (len(self.open) - 2) * self._spaced(positive, slack + last, arb("inf")) if len(self.open) > 2 else ZERO
        return near + own + inner + n * (self.block.off(last) + self.outer_roundings()[1])

    def _shifted_total(self, count: arb, sizes: Sizes) -> arb:
        """What errors that are the same at all positions let through a tent there, and the other errors at near ones.

        Only where all units read those inputs alike: so that all preactivations, which move by even steps, are off by
        one shift g. Of a piece of the tent with slope f and length l, a shift passes at each position f times the
        length of the part of the piece between the preactivation and g beside it. With |g| at most a step, these
        stretches do not overlap, and each step of the piece has at most g of them. The other errors come on top: from
        the shifted inputs to the computed ones is a way through the same slack.
        """
        [first, *rest], tent = self.open, self._tent()
        step = self.block.step(first.form)
        if tent is None or step is None or not self.block.constant(tent.width):
            return arb("inf")
        common = {
            name: weight
            for name, weight in first.weights.items()
            if self.block.same(self.stream[name]) and all(unit.weights.get(name) == weight for unit in rest)
        }
        shift = self.passed(common, self.sizes)
        if not shift <= step:
            return arb("inf")
        width, total = self.block.range(tent.width).high, ZERO
        for length, slope in tent.pieces():
            total += abs(enclosure(slope)) * _covered(enclosure(length) * width, shift, step)
        others = ({name: g for name, g in gradient.items() if name not in common} for gradient in self.gradients)
        return total + count * greatest([self.passed(gradient, sizes) for gradient in others])

    def _in_order_total(self, near: arb) -> arb:
        """What roundings amount to at all positions, sums being taken from left to right: near ones, and those where
        all units are on.

        There units that begin with the same terms have the same partial sums, rounded alike: what such a rounding adds
        to the row is that rounding times the sum of their outer weights. near: all roundings at the near positions.
        """
        block, n = self.block, self.block.n.high
        if self.settled or self.bias != 0 or not all(power_of_two(unit.outer) for unit in self.units):
            return arb("inf")
        total, slack, row = near + n * self.outer_roundings()[1], ZERO, Form()
        shared: dict[tuple[tuple[str, Real], ...], tuple[Form, Real, arb]] = {}
        for unit in self.open:
            outer, own = abs(enclosure(unit.outer)), self.slack(unit, self.sizes)
            leaves, _, _ = block.nodes(unit.terms(self.stream), unit.bias, self.where)
            total += outer * n * (leaves + block.least)
            for terms, form in unit.partial_sums(self.stream, block):
                _, before, most = shared.get(terms, (form, fmpq(0), ZERO))
                shared[terms] = form, before + unit.outer, most.max(own)
            slack += outer * own
            row = row + unit.form.times(unit.outer)
            if unit is not self.open[0]:
                slack += block.off(block.size(row) + slack)
                total += self._on_total(row, slack)
        return sum((abs(enclosure(w)) * self._on_total(form, own) for form, w, own in shared.values() if w != 0), total)

    def _on_total(self, form: Form, slack: arb) -> arb:
        """The roundings of a form at all positions where all units are on for certain; it is off by `slack`."""
        block, n = self.block, self.block.n.high
        step = block.step(form)
        if step is None:
            return n * block.off(block.size(form) + slack)
        at = block.range(form)
        falls, rises = (self._has_sign(form.times(fmpq(way))) for way in (-1, 1))
        ends = ([] if falls else [at.high]) + ([] if rises else [-at.low])
        return sum((spaced(step, end, slack, n, block.format) for end in ends), ZERO)

    def _has_sign(self, form: Form) -> bool:
        """Whether a form is certainly at least 0 wherever all units are on: a positive multiple of one and a rest."""
        for unit in self.open:
            for profile, factor in unit.form.profiles.items():
                times = form.profiles.get(profile, fmpq(0)) / factor
                if enclosure(times) >= 0 and self.block.range(form - unit.form.times(times)).nonnegative:
                    return True
        return False

    def _made(self, error: arb, total_error: arb, support: arb, count: arb | None) -> Value:
        block, n = self.block, self.block.n.high
        if not self.units and self.bias == 0:
            return Value(Form(), error, ZERO, total_error)
        if self.where != "all":
            profile = Profile.at_one(self._range(self.where))
            return Value(Form({}, {profile: fmpq(1)}), error, ZERO, error)
        everywhere = self._range("all")
        total = sum((abs(enclosure(u.outer)) * block.positive_total(u.form) for u in self.units), n * self._bias())
        tent = self._tent()
        if tent is not None:
            settled = (abs(enclosure(u.outer)) * block.positive_total(u.form) for u in self.settled)
            total = total.min(sum(settled, n * self._bias()) + tent.heights.size * block.total(tent.width))
        total = total.min(n * everywhere.size).min(support * everywhere.size)
        if count is not None and not self.settled and self.bias == 0 and self._vanishes_on():
            total = total.min(count * everywhere.size)
        sums = Range(ZERO if everywhere.nonnegative else -total, total)
        slope = Range.of(0) if all(block.constant(unit.form) for unit in self.units) else None
        profile = Profile(everywhere, total, sums, support, slope, self._range("first"), self._range("last"))
        return Value(Form({}, {profile: fmpq(1)}), error, ZERO, total_error)

    def _vanishes_on(self) -> bool:
        """Whether the row is 0 wherever all units are on."""
        total = Form()
        for unit in self.open:
            total = total + unit.form.times(unit.outer)
        return total.is_zero

    def _range(self, where: Where) -> Range:
        block, result, tent = self.block, Range.of(enclosure(self.bias)), self._tent()
        for unit in self.settled if tent is not None else self.units:
            result = result + block.range(unit.form, where).positive_part() * Range.of(enclosure(unit.outer))
        return result if tent is None else result + block.range(tent.width, where) * tent.heights

    def _tent(self) -> Tent | None:
        return tent(self.block, [(unit.form, unit.outer) for unit in self.open])


def _covered(length: arb, shift: arb, step: arb) -> arb:
    """How much of a stretch lies within `shift` above one of the points that are `step` apart, shift <= step.

    Every step of it has `shift`, and what is less than a step at most that. It grows with the length in steps, of which
    the upper end is taken, as it is.
    """
    steps = (length / step).upper()
    whole = steps.floor()
    return whole * shift + shift.min((steps - whole) * step)


def feed_forward(block: Block, network: FeedForward, stream: Stream, where: Where, residual: bool) -> Stream:
    """The stream behind the network; residual: whether it adds to the stream."""
    if network.gate is not None:
        raise NotUnderstood("a feed-forward network with a gate")
    match network.activation:
        case "relu":
            pass
        case (
            "saturated-linear"
            | "step"
            | "square"
            | "identity"
            | "abs"
            | "tanh"
            | "sigmoid"
            | "silu"
            | "gelu"
            | "gelu-tanh"
        ):
            raise NotUnderstood(f"the activation {network.activation}")
        case _:
            BOUND.refuse("activation", network.activation)
    hidden = {unit: _unit(block, network, stream, unit, where) for unit in network.first.rows}
    update: Stream = {}
    inexact: dict[str, list[Row]] = {}
    known: dict[str, Value] = {}
    for name in network.second.rows:
        row = network.second.weights.get(name, {})
        weights = {unit: block.entry(weight) for unit, weight in row.items()}
        block.require_held(weights.values())
        weights = {unit: weight for unit, weight in weights.items() if weight != 0}
        bias = block.entry(network.second.bias[name]) if name in network.second.bias else fmpq(0)
        units = {name: unit for name, unit in hidden.items() if name in weights}
        if all(unit.exact for unit in units.values()):
            for unit in units:
                known.setdefault(unit, _exact(block, hidden[unit], stream, where))
            update[name] = block.combine([(weights[unit], known[unit]) for unit in units], bias, where)
        else:
            reads = [_reading(unit, weights[name]) for name, unit in units.items()]
            inexact[name] = [Row(at, reads, bias, stream, where) for at in _blocks(block, reads, where)]
            update[name] = _narrowed(block, [row.value() for row in inexact[name]])
    one, result = fmpq(1), {}
    for name, value in stream.items():
        terms = [(one, value)] if residual else []
        result[name] = block.combine([*terms, (one, update.get(name, NOTHING))], where=where)
        if residual and name in inexact:
            result[name] = _narrowed(block, [row.beside(name, result[name]) for row in inexact[name]])
    return result


def _blocks(block: Block, units: Sequence[Unit], where: Where) -> list[Block]:
    """The block, and where the units tell tokens apart, and so are on at some of them alone, the positions of each."""
    apart = where == "all" and any(block.tells_apart(unit.form) for unit in units)
    return [block, *(block.at_token(token) for token in block.tokens if apart)]


def _narrowed(block: Block, known: Sequence[Value]) -> Value:
    """What is known of a row at all positions, and its error from what is known at those of each token, if it is less:
    each position holds one token, so that the greatest of these errors bounds all."""
    whole, *at_tokens = known
    if not at_tokens:
        return whole
    error = greatest([block.at_token(token).error(value) for token, value in zip(block.tokens, at_tokens, strict=True)])
    if not error < block.error(whole):
        return whole
    total = whole.total.min(block.n.high * error)
    return replace(whole, absolute=error, relative=ZERO, total=total, owed=(), rest=ZERO)


def _unit(block: Block, network: FeedForward, stream: Stream, unit: str, where: Where) -> Unit:
    weights = {name: block.entry(weight) for name, weight in network.first.weights.get(unit, {}).items()}
    # In the order of the stream, in which strict arithmetic adds them up.
    block.require_held(weights.values())
    weights = {name: weights[name] for name in stream if name in weights and weights[name] != 0}
    weights = {name: weight for name, weight in weights.items() if not stream[name].is_zero}
    bias = block.entry(network.first.bias[unit]) if unit in network.first.bias else fmpq(0)
    value = block.combine([(weight, stream[name]) for name, weight in weights.items()], bias, where)
    return Unit(fmpq(1), weights, bias, value.form, value.quantum is not None)


def _reading(unit: Unit, outer: Real) -> Unit:
    return Unit(outer, unit.weights, unit.bias, unit.form, unit.exact)


def _exact(block: Block, unit: Unit, stream: Stream, where: Where) -> Value:
    """relu of what is computed exactly: a multiple of the same quantum."""
    value = block.combine([(weight, stream[name]) for name, weight in unit.weights.items()], unit.bias, where)
    at = block.range(unit.form, where).positive_part()
    if at.is_zero:
        return Value(Form(), quantum=value.quantum)
    profile = Profile.at_one(at)
    if where == "all":
        first, last = block.range(unit.form, "first"), block.range(unit.form, "last")
        total, support = block.positive_total(unit.form), block.support(unit.form, positive=True)
        slope = Range.of(0) if block.constant(unit.form) else None
        ends, within = (first.positive_part(), last.positive_part()), block.within(unit.form, positive=True)
        profile = Profile(at, total, Range(ZERO, total), support, slope, *ends, within=within)
    return Value(Form({}, {profile: fmpq(1)}), quantum=value.quantum)

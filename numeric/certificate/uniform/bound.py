"""How far a computed output may be off from the exact one, for every word whose number of positions lies in a block.

The forward pass once, in bounds that hold at every position of every such word, under the rounding model and for any
order of summation (see `block` and `feedforward`).

A head returns means of values: its weights are positive and sum to 1. Where m keys are seen, the exact weight of each
is at most concentration/m: by Jensen's inequality the mean of e^s is at least e^(mean of s). Where scores move evenly,
and values are 0 but at some positions, all these weigh no more than a geometric series (`Weights.share`). A computed
weight is off by a relative error, whatever the order of summation, so that a mean is off by at most that part of the
mean of sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from weightproof.constructions.meaning.choices import REACHES, Choices
from weightproof.constructions.meaning.schema import Head, Layer, Place, Rows
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.block import NOTHING, Block, Form, Owed, Stream, Value, Where, power_of_two
from weightproof.numeric.certificate.uniform.feedforward import feed_forward
from weightproof.numeric.certificate.uniform.positions import ZERO, NotUnderstood, Profile, Range
from weightproof.numeric.rounding.model import EXP_ULPS, least

UNIFORM = Choices("the uniform certificate", NotUnderstood)


@dataclass(frozen=True)
class Weights:
    """What is known of a head's softmax weights at the rows that are wanted.

    even: all scores of a row are computed as the same number, so that every power is e^0, which is computed exactly.
    spread: two exact scores of a row differ by at most this; error: each computed score is off by at most this. Where m
    keys are seen, each exact weight is at least thinness/m, and at most concentration/m. rise: the step of the exact
    scores from each position to the next, where it is even.
    """

    even: bool
    spread: arb
    concentration: arb
    error: arb
    thinness: arb = ZERO
    rise: Range | None = None

    def share(self, block: Block, within: Range | None) -> arb:
        """At least what all exact weights of the positions within amount to, where all positions are seen.

        A weight is at most e^-(what its score lacks of the greatest one). Where scores move evenly, the greatest one
        stands at an end, and those of the positions within lack at least `away` steps, one more from each to the next:
        a geometric series.
        """
        if within is None or self.rise is None or not (self.rise.low > 0 or self.rise.high < 0):
            return arb(1)
        falls = bool(self.rise.high < 0)
        step = -self.rise.high if falls else self.rise.low
        away = (within.low if falls else block.n.low - 1 - within.high).max(ZERO)
        return ((-step * away).exp() / (1 - (-step).exp())).min(arb(1))


def attend(block: Block, heads: Sequence[Head], stream: Stream, where: Where) -> list[Stream]:
    """What each head adds to the stream."""
    return [_attend(block, head, stream, where) for head in heads]


def _attend(block: Block, head: Head, stream: Stream, where: Where) -> Stream:
    UNIFORM.require_plain(head)
    if BOUND.side(head.normaliser) is not None or BOUND.is_less_size(head.score):
        raise NotUnderstood(f"{head.normaliser} over {head.score} scores")
    if BOUND.reach(head.mask) not in (REACHES["none"], REACHES["causal"]):
        raise NotUnderstood(f"the mask {head.mask}")
    weights = _weights(block, head, stream, where)
    means = {
        row: _mean(block, head, value, weights, where, _owed(block, head.W_V[row], stream, weights))
        for row, value in rows(block, head.W_V, stream).items()
    }
    return means if head.W_O is None else rows(block, head.W_O, means, where)


def rows(block: Block, matrix: Rows, stream: Stream, where: Where = "all") -> Stream:
    """A sparse matrix times the stream."""
    return {
        row: block.combine([(block.entry(weight), stream[name]) for name, weight in columns.items()], where=where)
        for row, columns in matrix.items()
    }


def _weights(block: Block, head: Head, stream: Stream, where: Where) -> Weights:
    """The scores of the rows that are wanted: queries there, keys at all positions.

    Equal keys give equal computed scores only while a score is a single product: sums may take another order each.
    """
    queries, keys = rows(block, head.W_Q, stream, where), rows(block, head.W_K, stream)
    pairs = [(queries[name], keys[name]) for name in queries if name in keys]
    pairs = [(query, key) for query, key in pairs if not _zero(block, query, where) and not key.is_zero]
    scale = abs(_scale(block, head))
    block.require_finite(2 * scale)
    if len(pairs) <= 1 and all(key.quantum is not None and block.constant(key.form) for _, key in pairs):
        for query, key in pairs:
            q, k = block.size(query.form, where), block.size(key.form)
            block.require_finite(4 * (q + block.error(query, where)) * k * (1 + scale))
        return Weights(True, ZERO, arb(1), ZERO, arb(1))
    size, spread, lead, error = ZERO, ZERO, ZERO, ZERO
    for query, key in pairs:
        q, at = block.size(query.form, where), block.range(key.form)
        mean = block.sums(key.form) / block.n
        off = block.error(key), block.error(query, where)
        size += (q + off[1]) * (at.size + off[0])
        error += q * off[0] + at.size * off[1] + off[0] * off[1]
        if not block.constant(key.form):
            spread += q * at.width
            # Whichever sign the query has: no score leads the mean score by more.
            lead += q * (at.high - mean.low).max(mean.high - at.low).max(ZERO).min(at.width)
    block.require_finite(4 * size * (1 + scale))
    # The products and their sum; the rounding of the scale and the product with it.
    gamma, lost = block.gamma(len(pairs) + 2), block.least * (len(pairs) + 2) * (2 + scale + size)
    error = scale * (error + gamma * (size + lost)) + lost
    spread = scale * spread
    if BOUND.is_causal(head.mask):
        return Weights(False, spread, spread.exp(), error)
    thin, thick = _extremes(scale * lead)
    rise = None
    if len(pairs) == 1:
        [(query, key)] = pairs
        step = block.slope(key.form)
        rise = step and step * block.range(query.form, where) * block.reader.read(head.scale).values
        share = _share_of_high(block, pairs[0][1].form)
        if share is not None:
            # Of m powers 1 and e^-spread, these shares; whichever is the higher of them, the query's sign tells.
            least, most = share.low.min(1 - share.high), share.high.max(1 - share.low)
            low = (-spread).exp()
            thin, thick = thin.max(low / (most + (1 - most) * low)), thick.min(1 / (least + (1 - least) * low))
    return Weights(False, spread, thick.min(block.n.high), error, thin, rise)


def _extremes(lead: arb) -> tuple[arb, arb]:
    """m times the least and the greatest of m weights, where no score is farther than `lead` from their mean.

    The mean of e^s, s counted from the mean score, is at least 1, by Jensen's inequality; and at most cosh(lead), as
    e^s lies below the line through its ends at -lead and lead.
    """
    return (-lead).exp() / lead.cosh(), lead.exp()


def _share_of_high(block: Block, form: Form) -> Range | None:
    """Which part of the positions has the greater of two values; None where there may be more values."""
    if form.tokens or len(form.profiles) != 1:
        return None
    [profile] = form.profiles
    if not profile.two:
        return None
    share = (profile.sums / block.n - Range.of(profile.values.low)) / Range.of(profile.values.width)
    return _inside(share, Range(ZERO, arb(1)))


def _zero(block: Block, value: Value, where: Where) -> bool:
    """Computed as exactly 0 at the rows that are wanted."""
    return value.quantum is not None and block.range(value.form, where).is_zero


def _scale(block: Block, head: Head) -> arb:
    """The size of the scale, which may depend on n."""
    profile = block.reader.read(head.scale)
    if not profile.constant:
        raise NotUnderstood("a scale that depends on the position")
    return profile.values.size


def _equal_terms(block: Block, count: arb) -> arb:
    """The relative error of a sum of `count` equal terms in any order.

    A node with j leaves is off by at most u times j terms and the errors before; one after the other, j = 2, 3, ...
    are the most that there are (rounding/model.py).
    """
    if not count > 1:
        return ZERO
    if not count * block.u < fmpq(1, 2):
        raise NotUnderstood("more roundings than the format bears")
    return block.u * ((count + 1) / 2 - 1 / count) / (1 - (count - 1) * block.u)


def _relative(block: Block, weights: Weights, terms: arb, causal: bool, equal: bool) -> tuple[arb, arb]:
    """The relative error of a mean of computed values with `terms` values that are not 0, and what underflow may lose.

    equal: those values are all the same number, a power of two.

    A computed power is P*(1 + eta): its exponent is off by the error of the score and by a rounding of the difference
    from the greatest score, and exp by EXP_ULPS. They are summed, divided (or multiplied by a reciprocal), multiplied
    with values and summed; or, in the other order, the quotient of two sums is taken.
    """
    n, least = block.n.high, block.least
    products = block.gamma(terms)
    if weights.even:
        if not n <= arb(2) ** block.format.precision:
            return (1 + block.gamma(2)) / (1 - block.gamma(n - 1)) * (1 + products) - 1, 4 * n * least
        # All powers are 1, and so is their sum n exact: a weight is 1/n, rounded once, whether divided or multiplied.
        sums = _equal_terms(block, terms) if equal else products
        return (1 + block.gamma(1)) * (1 + sums) - 1, 4 * n * least
    reach = weights.spread + 2 * weights.error
    exponent = weights.error + block.u * reach + least
    partition = (-reach if causal else -exponent).exp()  # at least this, where the greatest power is about 1
    missing = 2 * EXP_ULPS * least * n / partition
    power, total = block.gamma(2 * EXP_ULPS) + missing, block.gamma(n - 1)
    factor = (2 * exponent).exp() * (1 + power) * (1 + block.gamma(2)) * (1 + total)
    factor /= (1 - power) * (1 - block.gamma(2)) * (1 - total)
    if not (power < fmpq(1, 8) and total < fmpq(1, 8) and factor < 2):
        raise NotUnderstood("attention weights that may be wrong altogether")
    return factor * (1 + products) - 1, 40 * n * least / partition


def _in_order(block: Block, value: Value, terms: arb, equal: bool) -> tuple[arb, arb]:
    """The relative error of the terms of a mean with equal weights, and what the roundings of their sum from left to
    right amount to; there are `terms` values that are not 0, equal ones as in `_relative`.

    All powers are 1, and so is their sum n exact: a weight is 1/n, rounded once, and each product with it once more,
    if the value is no power of two.
    """
    relative = block.gamma(1 if equal else 2)
    more = (1 + relative) / block.n.low
    size = block.size(value.form)
    largest = more * (size + block.error(value)) + block.least * (3 + size)
    total = (more * (block.total(value.form) + value.total) + terms * block.least * (3 + size)).min(terms * largest)
    return relative, block.left_to_right(largest, total, terms)


def _mean(block: Block, head: Head, value: Value, weights: Weights, where: Where, owed: Owed | None) -> Value:
    """The mean of a value under the weights of a head; owed: what it owes to the errors of the stream, if that is so.

    With w the exact weights, v the values, ~ for what is computed and all roundings written as |eta| <= psi, the error
    is sum(w*~v*(1 + eta)) - sum(w*v) = sum(w*(~v - v)) + sum(w*eta*~v): the first sum is owed.
    """
    if value.is_zero:
        return NOTHING
    if block.n.high <= 1:
        return value  # the only key weighs e^0/e^0 = 1
    causal, n = BOUND.is_causal(head.mask), block.n
    at, total = block.range(value.form), block.total(value.form)
    block.require_finite(4 * n.high * (1 + at.size + block.error(value)))
    support = block.support(value.form) if value.quantum is not None else n.high
    psi, lost = _relative(block, weights, support.min(n.high), causal, _equal(value))
    lost = lost * (1 + at.size + block.error(value))
    same = block.in_order and weights.even and not causal
    harmonic = 1 + n.high.log() if causal else arb(1)
    profile = _profile(block, head, value, weights, harmonic)
    # The mean of sizes and the mean of errors, at each row and over all rows.
    spread = weights.concentration * total / (1 if causal else n.low)
    mean_size = at.size if causal else at.size.min(spread).min(at.size * weights.share(block, block.within(value.form)))
    if same and n.high <= arb(2) ** block.format.precision:
        part, sums = _in_order(block, value, support.min(n.high), _equal(value))
        if part * mean_size + sums < psi * mean_size:
            psi, lost = part, lost + sums
    absolute, relative = value.absolute, value.relative
    debts: tuple[Owed, ...] = ()
    if not causal:
        shared = weights.concentration * value.total / n.low
        if not shared >= absolute + relative * mean_size:
            absolute, relative = shared, ZERO
            debts = () if owed is None else (owed,)
    rest = absolute * psi + (ZERO if at.one_sign else psi * mean_size) + lost
    if at.one_sign:  # the mean of sizes is the size of the mean
        off, part = absolute * (1 + psi) + lost, relative + psi * (1 + relative)
    else:
        off, part = (absolute + relative * mean_size) * (1 + psi) + psi * mean_size + lost, ZERO
    if where != "all":
        single = Profile.at_one(profile.first if where == "first" else profile.last)
        return Value(Form({}, {single: fmpq(1)}), off, part, off + part * single.values.size, owed=debts, rest=rest)
    summed = n.high * (off + part * profile.values.size)
    if causal:
        inner = (n.high * value.absolute).min(weights.concentration * value.total * harmonic)
        inner += value.relative * (n.high * at.size).min(weights.concentration * total * harmonic)
        outer = _causal_total(block, psi, support, weights, at.size, total, harmonic)
        summed = summed.min(inner * (1 + psi) + outer + n.high * lost)
    return Value(Form({}, {profile: fmpq(1)}), off, part, summed, owed=debts, rest=rest, same=same)


def _owed(block: Block, columns: Mapping[str, Expression], stream: Stream, weights: Weights) -> Owed | None:
    """What a mean owes to the errors of the one coordinate that it averages, times a power of two."""
    read = [(block.entry(weight), stream[name]) for name, weight in columns.items()]
    read = [(weight, value) for weight, value in read if weight != 0 and not value.is_zero]
    if len(read) != 1 or not power_of_two(read[0][0]):
        return None
    [(weight, source)] = read
    return Owed(source, Range(weights.thinness, weights.concentration) * Range.of(enclosure(weight)))


def _equal(value: Value) -> bool:
    """Whether all values that are not 0 are one power of two, and computed so."""
    given = list(value.form.tokens.values())
    return value.exact and not value.form.profiles and all(x == given[0] and power_of_two(x) for x in given)


def _causal_total(block: Block, psi: arb, support: arb, weights: Weights, size: arb, total: arb, harmonic: arb) -> arb:
    """The sum over all rows i of psi_i times the mean of sizes, which is at most size, and concentration*total/(i+1).

    Under even weights psi_i is at most gamma(2 + the number of values seen that are not 0), at most gamma(i + 3).
    """
    n = block.n.high
    bounds = [psi * n * size, psi * weights.concentration * total * harmonic]
    if weights.even and n <= arb(2) ** block.format.precision:
        unit = block.gamma(n + 3) / (n + 3)  # gamma(k) is at most k times this, for k <= n + 3
        bounds += [unit * size * (n * (n + 1) / 2 + 2 * n), unit * total * (n + 2 * harmonic)]
    return least(bounds)


def _profile(block: Block, head: Head, value: Value, weights: Weights, harmonic: arb) -> Profile:
    """The exact means."""
    n, at = block.n, block.range(value.form)
    causal, exactly_even = BOUND.is_causal(head.mask), weights.even or bool(weights.spread.is_zero())
    total = block.total(value.form)
    if causal:
        first = block.range(value.form, "first")
        low = at.low
        if at.nonnegative and first.low > 0:
            low = low.max(first.low / (weights.concentration * n.high))
        values, summed = Range(low, at.high), weights.concentration * total * harmonic
        slope = Range.of(0) if block.constant(value.form) else None
        last = block.sums(value.form) / n if exactly_even else values
        summed = summed.min(n.high * values.size)
        ends = first, _inside(last, values)
        return Profile(values, summed, _sums(values, summed), n.high, slope, *ends)
    if exactly_even:
        values = _inside(block.sums(value.form) / n, at)
    else:
        bound = (weights.concentration * total / n.low).min(at.size * weights.share(block, block.within(value.form)))
        values = Range(at.low.max(ZERO if at.nonnegative else -bound), at.high.min(ZERO if at.high <= 0 else bound))
    summed = n.high * values.size
    # Equal scores give every row the same mean.
    slope = Range.of(0) if exactly_even else None
    return Profile(values, summed, _sums(values, summed), n.high, slope, values, values)


def _inside(inner: Range, outer: Range) -> Range:
    return Range(inner.low.max(outer.low), inner.high.min(outer.high))


def _sums(values: Range, total: arb) -> Range:
    return Range(ZERO if values.nonnegative else -total, ZERO if values.high <= 0 else total)


def output_errors(block: Block, rows: Iterable[str]) -> dict[str, arb]:
    """At least |computed - exact output| of rows of the readout, finite; NotUnderstood where one has no bound."""
    [*_, (stream, _)] = streams(block)
    return {row: _output_error(block, stream, row) for row in rows}


def _output_error(block: Block, stream: Stream, row: str) -> arb:
    position, linear = block.network.readout.position, block.network.readout.W
    read = _where(position)
    weights = {name: block.entry(weight) for name, weight in linear.weights.get(row, {}).items()}
    bias = block.entry(linear.bias[row]) if row in linear.bias else fmpq(0)
    output = block.combine([(weight, stream[name]) for name, weight in weights.items()], bias, read)
    if position != "sum":
        return _finite(block.error(output, read))
    total = block.total(output.form)
    if output.quantum is not None and block.representable(output.quantum, total):
        return arb(0)
    block.require_finite(2 * (total + output.total))
    return _finite(output.total + block.gamma(block.n.high) * (total + output.total))


def streams(block: Block) -> Iterator[tuple[Stream, Where]]:
    """The residual stream before the first layer and after each one, and at which positions it is bounded."""
    if block.network.final_norm is not None:
        raise NotUnderstood("a norm before the readout")
    stream = block.embedding()
    yield stream, "all"
    for layer, where in zip(block.network.layers, _wanted(block), strict=True):
        stream = _layer(block, layer, stream, where)
        yield stream, where


def _finite(error: arb) -> arb:
    if not (error.is_finite() and error >= 0):
        raise NotUnderstood("an error that nothing bounds")
    return error


def _where(position: Place) -> Where:
    """What the readout reads."""
    read: dict[str, Where] = {"first": "first", "last": "last", "sum": "all"}
    if position == "mean":
        raise NotUnderstood("a mean over all positions")
    return BOUND.of("readout position", position, read)


def _wanted(block: Block) -> list[Where]:
    """Which rows matter after each layer: all that a later head or a sum reads, or the one that the readout reads."""
    position = block.network.readout.position
    wanted = [_where(position)]
    for layer in reversed(block.network.layers[1:]):
        wanted.append("all" if layer.heads else wanted[-1])
    return wanted[::-1][-len(block.network.layers) :] if block.network.layers else []


def _layer(block: Block, layer: Layer, stream: Stream, where: Where) -> Stream:
    if layer.norms:
        raise NotUnderstood("layer normalisation")
    one = fmpq(1)
    added = attend(block, layer.heads, stream, where)
    middle = {}
    for name, value in stream.items():
        terms = [(one, value)] if layer.attention_residual else []
        terms += [(one, rows[name]) for rows in added if name in rows]
        middle[name] = block.combine(terms, where=where)
    if layer.feed_forward is None:
        return middle
    return feed_forward(block, layer.feed_forward, middle, where, layer.feed_forward_residual)

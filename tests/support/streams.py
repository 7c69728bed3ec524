"""For the suites of the uniform bound: exact and strict streams of many words, and what of them a bound misses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Environment, add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.certificate.bound import BallPass
from weightproof.numeric.certificate.uniform.block import Block, Form, Value, Where
from weightproof.numeric.certificate.uniform.bound import output_errors, streams
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.model.strict import Pass
from weightproof.numeric.model.transformer import encode, token_names
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import FORMATS, Format
from weightproof.numeric.rounding.model import ORDERS, Order, RoundingModel

NEARLY_EXACT = Format("nearly exact", 200, -4000, 4000)
"""Balls of this format contain the exact values, and are far smaller than any bound that is tested."""
Balls = list[dict[str, arb]]


class Enclosing(RoundingModel):
    """Balls around the exact numbers: stored ones, too, and sums and means without the care that bounds take."""

    def entry(self, exact: arb) -> arb:
        return self.rounded(exact)

    def total(self, terms: Sequence[arb]) -> arb:
        return self.rounded(sum(terms, arb(0)))

    def mean(self, scores: Sequence[arb], values: Sequence[arb]) -> arb:
        powers = [score.exp() for score in scores]
        return self.rounded(sum((p * v for p, v in zip(powers, values, strict=True)), arb(0)) / sum(powers, arb(0)))


class Nearly(BallPass):
    """Balls so small that nothing is gained by taking them apart."""

    _parted = BallPass._fed_forward


def names_of(construction: Construction) -> Environment:
    return {**parameter_values(construction), "d": fmpq(len(construction.network.coordinates))}


def block_of(
    construction: Construction, dtype: str, shortest: int, longest: int | None = None, order: Order = "any"
) -> Block:
    network = construction.network
    assert isinstance(network, Encoder)
    format, reach = FORMATS[dtype], shortest if longest is None else longest
    return Block(network, construction.language.alphabet, names_of(construction), format, shortest, reach, order)


def positions(construction: Construction, word: str) -> int:
    return len(add_markers(construction.network, word))  # type: ignore[arg-type]


def exact_streams(construction: Construction, word: str) -> list[Balls]:
    """The exact residual stream of a word, at all positions, before the first layer and after each one."""
    network = construction.network
    assert isinstance(network, Encoder)
    tokens = add_markers(network, word)
    forward = Nearly(Enclosing(NEARLY_EXACT), {**names_of(construction), "n": fmpq(len(tokens))})
    stream = [forward.embed(network, token, i) for i, token in enumerate(tokens)]
    result = [stream]
    for layer in network.layers:
        stream = forward._layer(layer, stream)
        result.append(stream)
    return result


def strict_streams(construction: Construction, words: Sequence[str], dtype: str) -> list[dict[str, np.ndarray]]:
    """The same as strict arithmetic computes it, for words of one length: arrays [words, n]."""
    network = construction.network
    assert isinstance(network, Encoder)
    ids = encode(construction, words).numpy()
    names = {**names_of(construction), "n": fmpq(ids.shape[1])}
    strict = Pass(network, token_names(construction), ids, Rounded(FORMATS[dtype]), names)
    with np.errstate(all="ignore"):
        streams = [strict.stream(stage, 0, ids.shape[1]) for stage in range(0, strict.stages + 1, 2)]
    return [{name: x.astype(np.float64) for name, x in stream.items()} for stream in streams]


def escapes(construction: Construction, words: Sequence[str], dtype: str, wider: Sequence[int] = (0,)) -> list[str]:
    """What the bounds of blocks miss, on words of one length: a line each. wider: how much longer words are in them.

    Of every order of sums and of the strict one, in which the words are run.
    """
    found = []
    with ctx.workprec(256):
        n = positions(construction, words[0])
        kinds = [(more, order) for more in wider for order in ORDERS]
        blocks = [block_of(construction, dtype, n, n + more, order) for more, order in kinds]
        try:
            bounds = [list(streams(block)) for block in blocks]
        except NotUnderstood:
            return []
        computed = strict_streams(construction, words, dtype)
        exact = [exact_streams(construction, word) for word in words]
        for (more, order), block, layers in zip(kinds, blocks, bounds, strict=True):
            for layer, (stream, where) in enumerate(layers):
                for name, value in stream.items():
                    for row, word in enumerate(words):
                        values = [vector[name] for vector in exact[row][layer]]
                        missed = _missed(block, value, where, computed[layer][name][row], values)
                        place = (
                            f"{construction.name} {word!r} {dtype} up to {n + more} layer {layer} {name}, {order} order"
                        )
                        found += [f"{place}: {what}" for what in missed]
    return found


def _missed(block: Block, value: Value, where: Where, computed: Sequence[float], exact: Sequence[arb]) -> Iterator[str]:
    """What the bounds of one coordinate miss, of its values at all positions of a word."""
    yield from misjudged(block, value.form, where, exact)
    errors = [abs(arb(float(x)) - y) for x, y in zip(computed, exact, strict=True)]
    at = {"all": slice(None), "first": slice(0, 1), "last": slice(-1, None)}[where]
    for error, x in list(zip(errors, exact, strict=True))[at]:
        if error > value.absolute + value.relative * abs(x):
            yield "error"
    if sum(errors[at], arb(0)) > value.total:
        yield "total error"
    if value.same and where == "all" and len(set(computed)) > 1:
        yield "same"


def misjudged(block: Block, form: Form, where: Where, values: Sequence[arb]) -> Iterator[str]:
    """What the bounds of a form get wrong about its values at positions 0..n-1; values are tiny balls."""

    def outside(x: arb, low: arb, high: arb) -> bool:
        return bool(x < low or x > high)

    first, last = block.range(form, "first"), block.range(form, "last")
    if where in ("all", "first") and outside(values[0], first.low, first.high):
        yield "first value"
    if where in ("all", "last") and outside(values[-1], last.low, last.high):
        yield "last value"
    if where != "all":
        return
    everywhere = block.range(form)
    if any(outside(x, everywhere.low, everywhere.high) for x in values):
        yield "range"
    zero = arb(0)
    if sum((abs(x) for x in values), zero) > block.total(form):
        yield "total"
    if sum((x.max(zero) for x in values), zero) > block.positive_total(form):
        yield "positive total"
    sums = block.sums(form)
    if outside(sum(values, zero), sums.low, sums.high):
        yield "sum"
    if sum(not x.contains(0) for x in values) > block.support(form):
        yield "support"
    if sum(bool(x > 0) for x in values) > block.support(form, positive=True):
        yield "positive support"
    within, present = block.within(form), [i for i, x in enumerate(values) if not x.contains(0)]
    if within is not None and any(outside(arb(i), within.low, within.high) for i in present):
        yield "within"
    slope = block.slope(form)
    if slope is not None and any(outside(b - a, slope.low, slope.high) for a, b in itertools.pairwise(values)):
        yield "slope"


def logit_bound(construction: Construction, dtype: str, n: int) -> arb | None:
    with ctx.workprec(128):
        try:
            return output_errors(block_of(construction, dtype, n), ["logit"])["logit"]
        except NotUnderstood:
            return None


def exact_logit(construction: Construction, word: str) -> arb:
    """A tiny ball around the exact logit."""
    network = construction.network
    assert isinstance(network, Encoder)
    with ctx.workprec(256):
        stream = exact_streams(construction, word)[-1]
        position = network.readout.position
        read = {"first": stream[:1], "last": stream[-1:], "sum": stream, "mean": stream}[position]
        W = network.readout.W
        names = names_of(construction)
        bias = enclosure(evaluate(W.bias["logit"], names)) if "logit" in W.bias else arb(0)
        weights = {name: enclosure(evaluate(x, names)) for name, x in W.weights.get("logit", {}).items()}
        total = sum((sum((w * vector[name] for name, w in weights.items()), bias) for vector in read), arb(0))
        return total / len(stream) if position == "mean" else total

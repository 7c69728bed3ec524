"""Where rounding loses the sign, what keeps it where it does not, and what a computed logit depends on.

The strict run of a word stands against the exact one. The computed residual stream after each stage is continued in
exact arithmetic. The first stage after which that comes to the wrong decision is where the word was lost, and the
coordinate that loses it alone is the one to blame: a statement about causes, not about sizes of errors.

Low precision gets long words right although it cannot count their positions. A sum of ones that is rounded from left to
right stops growing at 2^p, where 1 is half the last place. A decision that is right beyond owes that to where sums
stop, to sums of a single term, or to sums that are not rounded one by one.

A logit may depend on what else is computed with it: other words in the batch, threads. Words of different lengths are
never padded to one, so that there is no padding to depend on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.numeric.model.strict import Pass, Stream, exact_pass
from weightproof.numeric.model.transformer import Transformer, encode, token_names
from weightproof.numeric.rounding.arithmetic import Array, Rounded
from weightproof.numeric.rounding.formats import FORMATS, Format

Kind = Literal["overflow", "underflow", "collision", "absorption", "cancellation", "rounding"]

LONGEST_EXACT, LONGEST_EXACT_CAUSAL = 20_000, 500
"""Symbols of a word up to which it is run in exact arithmetic; fewer where every pair of positions takes its time."""


@dataclass(frozen=True)
class Mechanism:
    """Where and how the decision was lost.

    place: "embedding", "layer 1, attention", "layer 1, feed-forward", ..., "readout". coordinates: those each of which
    loses it alone, or all that differ, where only together they do. The values are those of the first of them at the
    position where it is farthest off.

    overflow: the computed value is not finite. underflow: it is 0 and the exact one is not. collision: two positions
    with different encodings are rounded to one. absorption: a running sum drifts, because each term loses what is
    below the last place of the sum. cancellation: a difference of larger numbers is mostly their rounding errors.
    rounding: a single rounding error is enough.
    """

    kind: Kind
    place: str
    coordinates: tuple[str, ...]
    position: int
    exact: float
    computed: float


def longest(construction: Construction) -> int:
    """Symbols of the longest words of a construction that are run in exact arithmetic."""
    return LONGEST_EXACT_CAUSAL if construction.encoder.causal else LONGEST_EXACT


def mechanism(construction: Construction, word: str, names: Environment, dtype: str) -> Mechanism | None:
    """How strict arithmetic loses a word; None where it does not, or where the word is too long to be run exactly."""
    if len(word) > longest(construction):
        return None
    exact, format = exact_pass(construction, word, names), FORMATS[dtype]
    computed = Pass(exact.network, exact.tokens, exact.ids, Rounded(format), exact.names)
    right = exact.accepts()
    if computed.accepts() == right:
        return None
    for stage in range(exact.stages + 1):
        start, stop = exact.seen(stage)
        with np.errstate(all="ignore"):
            seen = {name: x.astype(np.float64) for name, x in computed.stream(stage, start, stop).items()}
        there = exact.stream(stage, start, stop)
        broken = [name for name, x in seen.items() if not np.isfinite(x).all()]
        if broken:
            return _described("overflow", stage, exact, (broken[0],), seen, there)
        converted = {name: _exactly(x) for name, x in seen.items()}
        if exact.resumed(stage, start, stop, converted).accepts() == right:
            continue
        different = [name for name, x in converted.items() if (x != there[name]).any()]
        alone = [
            name
            for name in different
            if exact.resumed(stage, start, stop, {**there, name: converted[name]}).accepts() != right
        ]
        blamed = tuple(alone or different)
        return _described(_kind(stage, exact, blamed[0], seen, there, format), stage, exact, blamed, seen, there)
    logit, value = exact.logits()[0], float(computed.logits()[0])
    return Mechanism("cancellation", "readout", ("logit",), 0, _approximately(logit), value)


def _exactly(x: Array) -> Array:
    result = np.empty(x.size, dtype=object)
    result[:] = [fmpq(*value.as_integer_ratio()) for value in x.ravel().tolist()]
    return result.reshape(x.shape)


def _approximately(value: Real) -> float:
    return float(ball(value).mid())


def _described(kind: Kind, stage: int, exact: Pass, names: tuple[str, ...], seen: Stream, there: Stream) -> Mechanism:
    column = _farthest(seen[names[0]], there[names[0]])
    start, _ = exact.seen(stage)
    value, computed = there[names[0]][0, column], float(seen[names[0]][0, column])
    return Mechanism(kind, place_of(stage), names, start + column, _approximately(value), computed)


def _farthest(seen: Array, there: Array) -> int:
    """The column in which the computed value is farthest from the exact one."""
    errors = [abs(a - _approximately(b)) for a, b in zip(seen[0].tolist(), there[0], strict=True)]
    return max(range(len(errors)), key=lambda column: math.inf if math.isnan(errors[column]) else errors[column])


def place_of(stage: int) -> str:
    """What a stage is called."""
    return "embedding" if stage == 0 else f"layer {(stage + 1) // 2}, {'attention' if stage % 2 else 'feed-forward'}"


def _kind(stage: int, exact: Pass, name: str, seen: Stream, there: Stream, format: Format) -> Kind:
    column = _farthest(seen[name], there[name])
    computed, value = float(seen[name][0, column]), _approximately(there[name][0, column])
    if computed == 0 and value != 0 and abs(value) < 2.0**format.least:
        return "underflow"
    if stage == 0:
        return "collision" if _collides(seen[name][0], there[name][0]) else "rounding"
    if abs(computed - value) <= float(format.unit_roundoff) * abs(value):
        return "rounding"
    return "absorption" if stage % 2 and not _heads_cancel(stage, exact, name, column) else "cancellation"


def _heads_cancel(stage: int, exact: Pass, name: str, column: int) -> bool:
    """Whether the heads of an attention stage add to less than half of what they add up to in size."""
    start, stop = exact.seen(stage)
    rows = exact.added(stage, start, stop)
    parts = [_approximately(row[name][0, column]) for row in rows if name in row]
    return 2 * abs(sum(parts)) < sum(map(abs, parts))


def _collides(seen: Array, there: Array) -> bool:
    """Whether two positions have one computed value and different exact ones."""
    by_value: dict[float, Real] = {}
    return any(by_value.setdefault(a, b) != b for a, b in zip(seen.tolist(), there, strict=True))


def explained(found: Mechanism) -> str:
    """One line for a table."""
    names = ", ".join(found.coordinates)
    return (
        f"{found.kind} in {found.place}: {names} is {found.computed:.6g} at position {found.position}, "
        f"exactly {found.exact:.6g}"
    )


def reasons(construction: Construction, model: Transformer, word: str) -> list[str]:
    """What keeps the decision on a long word, one line each; empty where nothing is known to."""
    if model.strict is None:
        return [*_wider_sums(model)]
    return [*_stagnation(construction, model, word), *_single_terms(_pass(construction, model, word))]


def _pass(construction: Construction, model: Transformer, word: str) -> Pass:
    assert model.strict is not None
    ids = encode(construction, [word]).numpy()
    names = {**model.names, "n": fmpq(ids.shape[1])}
    return Pass(model.network, token_names(construction), ids, model.strict, names)


def _denominators(construction: Construction, model: Transformer, word: str) -> dict[tuple[int, int], float]:
    done = _pass(construction, model, word)
    done.logits()
    return {place: float(total) for place, total in done.denominators.items()}


def _stagnation(construction: Construction, model: Transformer, word: str) -> Iterator[str]:
    """The softmax denominators that are the same for the word and for its first half."""
    half = _denominators(construction, model, word[: len(word) // 2])
    for (layer, head), total in _denominators(construction, model, word).items():
        if total == half[layer, head]:
            power = ", a power of two, by which division is exact" if float(np.log2(total)).is_integer() else ""
            yield f"the softmax denominator of layer {layer}, head {head} stagnates at {total:g}{power}"


def _single_terms(done: Pass) -> Iterator[str]:
    """The means with one nonzero term, at the positions that are read: no other term can change their sign."""
    for number, layer in enumerate(done.network.layers):
        for place, head in enumerate(layer.heads, start=1):
            values = done.values(2 * number, head)
            single = [row for row, x in values.items() if np.count_nonzero(x[0]) == 1]
            if single and len(single) == len(values):
                yield f"the sum of layer {number + 1}, head {place} has one nonzero term"


def _wider_sums(model: Transformer) -> Iterator[str]:
    """Whether torch sums ones beyond where the format could count them one by one."""
    most = 1 << model.format.precision
    ones = torch.ones(4 * most, dtype=model.dtype, device=model.device)
    if float(ones.sum()) == 4 * most:
        yield f"torch does not round sums term by term: {4 * most} ones add up, where the format counts to {most}"


@dataclass(frozen=True)
class Dependence:
    """How many of `words` logits differ between two ways to compute them, and by how many units in the last place.

    Units of the greater of the two logits: 2^(1-p) times the power of two below it.
    """

    words: int
    different: int
    most_units: float


def on_batch(model: Transformer, words: Sequence[str]) -> Dependence:
    """Every word alone, and all at once; words of one length."""
    return _between(model, torch.cat([model.logits([word]) for word in words]), model.logits(words))


def on_threads(model: Transformer, words: Sequence[str]) -> Dependence:
    """All words at once, in one thread and in as many as torch takes."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        alone = model.logits(words)
    finally:
        torch.set_num_threads(threads)
    return _between(model, alone, model.logits(words))


def _between(model: Transformer, left: torch.Tensor, right: torch.Tensor) -> Dependence:
    a, b = left.double(), right.double()
    different = (a != b) & ~(a.isnan() & b.isnan())
    greater = torch.maximum(a.abs(), b.abs())[different]
    unit = torch.ldexp(torch.ones_like(greater), torch.frexp(greater).exponent - model.format.precision)
    units = (a - b).abs()[different] / unit
    finite = units[units.isfinite()]
    return Dependence(len(a), int(different.sum()), float(finite.max()) if len(finite) else 0.0)

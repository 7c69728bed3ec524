"""What a network makes of a long word, by its runs of equal symbols: positions with equal vectors are one, with their
number, and a sum over positions is one over these.

The parts are the interpreter's own; what differs is that equal things are computed once. Without positions a network
sees of a run how long it is, so that a word may be too long to be written out. With positions, or where a head sees
those before alone, each position is its own, and is written out; but equal queries are answered together, in one pass
over the keys, so that of prefix counts a word takes as long as it has symbols.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, replace

from flint import ctx, fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.interpreter import (
    STEPS_A_VALUE,
    Environment,
    Memory,
    Reading,
    Vector,
    add,
    apply_layer,
    apply_linear,
    embed,
    normalised,
    read_positions,
    require_values,
    score,
    seen_from,
    valued_head,
)
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import exp, identity, sign
from weightproof.constructions.scalars.values import ZERO, Evaluator, Number, exactly, in_balls

Runs = tuple[tuple[str, int], ...]
"""A marked word: tokens, each with how often it stands there in a row."""
BITS = 256
"""Of the balls."""


class NotCounted(ArithmeticError):
    """A part of a network that is not read here; one line that names it."""


READING = Choices("the interpreter of counted positions", NotCounted)
LAST = 1
"""The last of two positions, to see whether it sees both."""
MOST_SCORES = 1 << 19
"""Scores that are computed for a word."""


class TooLong(ArithmeticError):
    """More scores than MOST_SCORES."""


@dataclass(frozen=True)
class _Seen:
    """So many positions with the same vector."""

    vector: Vector
    times: int


def sees_counts(network: Encoder) -> bool:
    """Whether it sees of a word how often each token is there, and the last token, and nothing else."""
    return (
        len(network.layers) == 1
        and not network.embedding.PE
        and network.readout.position == "last"
        and all(
            head.is_plain
            and READING.side(head.normaliser) is None
            and seen_from(head, LAST, LAST + 1) == range(LAST + 1)
            for head in network.layers[0].heads
        )
    )


def sees_runs(network: Encoder) -> bool:
    """Whether equal tokens in a row are equal to it: it has no positions, and no head that would tell them apart."""
    return not network.embedding.PE and not _tells_apart(network)


def _tells_apart(network: Encoder) -> bool:
    """Whether a position sees another part of the word than those with the same vector, or tells equal keys apart."""
    for number, layer in enumerate(network.layers, start=1):
        is_read_last = number == len(network.layers) and network.readout.position == "last"
        masks = ("none", "causal") if is_read_last else ("none",)
        for head in layer.heads:
            if head.mask not in masks or head.normaliser not in ("softmax", "hardmax") or not head.is_plain:
                return True
    return False


def read_runs(network: Encoder, runs: Runs, parameters: Environment, bits: int | None = BITS) -> Vector:
    """The outputs on a marked word, in balls computed with so many bits, or exactly.

    Of ArithmeticErrors NoValue where a norm has no value, Undecided where balls do not tell, TooLong for a word of too
    many different positions.
    """
    READING.require_plain_heads(network)
    names: Environment = {**parameters, "n": fmpq(sum(times for _, times in runs)), "d": fmpq(len(network.coordinates))}
    with nullcontext() if bits is None else ctx.workprec(bits):
        reading = exactly if bits is None else in_balls
        scalars, left = reading(names), MOST_SCORES
        stream = _embedded(network, runs, names, reading)
        for number, layer in enumerate(network.layers, start=1):
            is_last = number == len(network.layers)
            rows = read_positions(network, len(stream)) if is_last else range(len(stream))
            stream, left = _behind(layer, stream, rows, scalars, left)
        read = [stream[place] for place in read_positions(network, len(stream))]
        vectors = [normalised(network.final_norm, each.vector, scalars) for each in read]
        require_values(vectors)
        outputs = apply_linear(network.readout.W, vectors, scalars)
        total = dict.fromkeys(outputs[0], ZERO)
        for each, output in zip(read, outputs, strict=True):
            times = fmpq(each.times if READING.reads_all(network.readout.position) else 1)
            total = add(total, {name: times * value for name, value in output.items()})
        parts = sum(each.times for each in read) if network.readout.position == "mean" else 1
        return {name: value / parts for name, value in total.items()}


def _embedded(network: Encoder, runs: Runs, names: Environment, reading: Reading) -> list[_Seen]:
    if sees_runs(network):
        scalars = reading(names)
        return [_Seen(embed(network, token, scalars), times) for token, times in runs]
    if sum(times for _, times in runs) > MOST_SCORES:
        raise TooLong("more positions than scores that are computed")
    tokens = [token for token, times in runs for _ in range(times)]
    return [_Seen(embed(network, token, reading({**names, "i": fmpq(i)})), 1) for i, token in enumerate(tokens)]


def _behind(layer: Layer, stream: list[_Seen], rows: range, scalars: Evaluator, left: int) -> tuple[list[_Seen], int]:
    """What a layer makes of the positions at some places, and how many scores may still be computed; left: before."""
    require_values([each.vector for each in stream])
    read = [_Seen(normalised(layer.attention_norm_before, each.vector, scalars), each.times) for each in stream]
    require_values([each.vector for each in read])
    before = [stream[place].vector for place in rows]
    added = before if layer.attention_residual else [dict.fromkeys(vector, ZERO) for vector in before]
    for head in layer.heads:
        attended, left = _attended(head, read, rows, scalars, left)
        added = [add(vector, more) for vector, more in zip(added, attended, strict=True)]
    bare = replace(layer, heads=(), attention_residual=True, attention_norm_before=None)
    rest = apply_layer(bare, added, scalars)
    return [_Seen(vector, stream[place].times) for vector, place in zip(rest, rows, strict=True)], left


def _attended(head: Head, stream: list[_Seen], rows: range, scalars: Evaluator, left: int) -> tuple[list[Vector], int]:
    """What a head adds at some places, for equal queries at once."""
    READING.is_causal(head.mask)  # one pass over the keys makes sums up to positions, and no others
    with_values, times = valued_head(head, scalars), [fmpq(each.times) for each in stream]
    memory = Memory().see(with_values, [each.vector for each in stream])
    asked: dict[Hashable, dict[int, int]] = {}
    every = [with_values.query(each.vector, 0) for each in stream]  # at places that nothing reads, too
    queries = [every[place] for place in rows]
    for number, (place, query) in enumerate(zip(rows, queries, strict=True)):
        seen = len(seen_from(head, place, len(stream)))
        asked.setdefault(tuple(map(identity, query.values())), {})[number] = seen
    added: dict[int, Vector] = {}
    left -= len(asked) * len(stream)
    if left < 0:
        raise TooLong(f"more than {MOST_SCORES} scores")
    for numbered in asked.values():
        query = queries[next(iter(numbered))]
        scores = [with_values.scale * score(head, query, key) for key in memory.keys]
        means = _means(head, scores, times, memory.values, set(numbered.values()))
        added |= {number: means[seen] for number, seen in numbered.items()}
    return [added[number] for number in range(len(rows))], left


def _means(
    head: Head, scores: Sequence[Number], times: Sequence[fmpq], values: Sequence[Vector], ends: Set[int]
) -> dict[int, Vector]:
    """The weighted means of the first so many values, for each of the ends: one pass over them all."""
    work.spend(STEPS_A_VALUE * len(values))
    is_soft, best, found = READING.is_soft(head.normaliser), scores[0], {}
    total, sums = ZERO, dict.fromkeys(values[0], ZERO)
    for count, (each, number, value) in enumerate(zip(scores, times, values, strict=True), start=1):
        over = 0 if is_soft else sign(each - best)
        if over > 0:  # it is the greatest so far, and those before it have no weight
            best, total, sums = each, ZERO, dict.fromkeys(values[0], ZERO)
        if over >= 0:
            weight = number * exp(each) if is_soft else number
            total, sums = total + weight, {row: sums[row] + weight * value[row] for row in sums}
        if count in ends:
            found[count] = {row: x / total for row, x in sums.items()}
    return found


def seen(head: Head, vectors: Sequence[Vector], scalars: Evaluator) -> tuple[list[Number], list[Vector]]:
    """The power of e of each score, which the last of the vectors gives to the others, and what each value adds."""
    with_values = valued_head(head, scalars)
    memory, query = Memory().see(with_values, vectors), with_values.query(vectors[-1], 0)
    return [exp(with_values.scale * score(head, query, key)) for key in memory.keys], memory.values

"""What a network makes of a word of which it sees no more than how often each token is there: a sum over the positions
is one over the tokens, each with its number.

So it is of networks with one layer and without positions of which the last position is read. Sums are taken in balls,
and how many bits that takes does not grow with the word: it may be too long to be written out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flint import ctx, fmpq

from weightproof.constructions.meaning.interpreter import (
    INTERPRETER,
    Prediction,
    Vector,
    add,
    apply_layer,
    apply_linear,
    apply_rows,
    embed,
    mean,
    numbers,
    ranked,
    require_values,
    score,
    seen_from,
)
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.numbers import ZERO, Number, Scalars, exp, in_balls

Runs = tuple[tuple[str, int], ...]
"""A marked word: tokens, each with how often it stands there in a row."""
BITS = 256
"""Of the balls."""
LAST = 1
"""The last of two positions, to see whether it sees both."""


def sees_counts(network: Encoder) -> bool:
    """Whether it sees of a word how often each token is there, and the last token, and nothing else."""
    return (
        len(network.layers) == 1
        and not network.embedding.PE
        and network.readout.position == "last"
        and all(
            INTERPRETER.is_soft(head.normaliser) and seen_from(head, LAST, LAST + 1) == LAST + 1
            for head in network.layers[0].heads
        )
    )


def counted(network: Encoder, runs: Runs, parameters: Mapping[str, Real]) -> Prediction:
    """What a network that sees counts predicts after a marked word, in balls, without streams. Of ArithmeticErrors
    NoValue where a norm has no value, Undecided where balls do not tell."""
    length = sum(times for _, times in runs)
    [layer] = network.layers
    with ctx.workprec(BITS):
        scalars = in_balls({**parameters, "n": fmpq(length), "d": fmpq(len(network.coordinates))})
        vectors = [embed(network, token, scalars) for token, _ in runs]
        added = vectors[-1] if layer.attention_residual else dict.fromkeys(vectors[-1], ZERO)
        for head in layer.heads:
            added = add(added, _attended(head, vectors, [times for _, times in runs], scalars))
        rest = apply_layer(replace(layer, heads=(), attention_residual=True), [added], scalars)
        require_values(rest)
        [read] = apply_linear(network.readout.W, rest, scalars)
        return ranked(tuple(token for token, _ in runs), (), read)


def _attended(head: Head, vectors: Sequence[Vector], times: Sequence[int], scalars: Scalars) -> Vector:
    """What a head adds at the last position, which sees all of them."""
    powers, values = seen(head, vectors, scalars)
    weights = [fmpq(many) * power for many, power in zip(times, powers, strict=True)]
    total = sum(weights, ZERO)
    return mean([weight / total for weight in weights], values)


def seen(head: Head, vectors: Sequence[Vector], scalars: Scalars) -> tuple[list[Number], list[Vector]]:
    """The power of e of each score, which the last of the vectors gives to the others, and what each value adds."""
    W_Q, W_K, W_V = (numbers(rows, scalars) for rows in (head.W_Q, head.W_K, head.W_V))
    query, scale = apply_rows(W_Q, vectors[-1]), scalars(head.scale)
    keys, values = ([apply_rows(rows, vector) for vector in vectors] for rows in (W_K, W_V))
    if head.W_O is not None:
        W_O = numbers(head.W_O, scalars)
        values = [apply_rows(W_O, value) for value in values]
    return [exp(scale * score(head, query, key)) for key in keys], values

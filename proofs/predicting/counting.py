"""Words that are too long to be written out, with a run of 2^k equal symbols: what is predicted after one, and a search
for one after which a theorem is wrong.

A network with one layer and without positions sees of a word how often each token is there, and the last token, where
alone it is read. So a sum over the positions is one over the tokens, each with its number. Sums and weights are balls,
and the number of bits does not grow with the word. No run of the interpreter: `Counterexample.counted` says so.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from flint import ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import (
    Prediction,
    Vector,
    add,
    apply_layer,
    apply_linear,
    apply_rows,
    embed,
    mark,
    mean,
    numbers,
    parameter_values,
    ranked,
    require_values,
    score,
)
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.numbers import ZERO, Scalars, exp, in_balls
from weightproof.constructions.scalars.values import holds_on_runs
from weightproof.proofs.predicting.parts import Part
from weightproof.proofs.predicting.replaying import counterexample, right_tokens
from weightproof.proofs.quantities.subject import Subject
from weightproof.proofs.refuting.critical import relations, settings
from weightproof.proofs.theorem import Predicts
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

Runs = tuple[tuple[str, int], ...]
"""A marked word: tokens, each with how often it stands there in a row."""
BITS = 256
"""Of the balls."""
LARGEST = 1 << 12
"""The greatest k."""
LONGEST = 2
"""Symbols beside those of the run."""


def sees_counts(network: Encoder) -> bool:
    """Whether it sees of a word how often each token is there, and the last token, and nothing else."""
    return (
        len(network.layers) == 1
        and not network.embedding.PE
        and network.readout.position == "last"
        and all(head.normaliser == "softmax" for head in network.layers[0].heads)
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
    W_Q, W_K, W_V = (numbers(rows, scalars) for rows in (head.W_Q, head.W_K, head.W_V))
    query, scale = apply_rows(W_Q, vectors[-1]), scalars(head.scale)
    keys, values = ([apply_rows(rows, vector) for vector in vectors] for rows in (W_K, W_V))
    if head.W_O is not None:
        W_O = numbers(head.W_O, scalars)
        values = [apply_rows(W_O, value) for value in values]
    weights = [fmpq(many) * exp(scale * score(head, query, key)) for many, key in zip(times, keys, strict=True)]
    total = sum(weights, ZERO)
    return mean([weight / total for weight in weights], values)


@dataclass(frozen=True)
class Long:
    """A word, and before one of its indices a run of a symbol."""

    word: tuple[str, ...]
    place: int
    symbol: str

    def marked(self, network: Encoder, k: int) -> Runs:
        """With 2^k symbols in the run, between the markers of a network."""
        ones = [(token, 1) for token in mark(network, self.word)]
        place = self.place + int(network.begin is not None)
        return (*ones[:place], (self.symbol, 2**k), *ones[place:])

    def shown(self, k: int) -> str:
        return f"{''.join(self.word[: self.place])}{self.symbol}{{2^{k}}}{''.join(self.word[self.place :])}"


def search(subject: Subject, theorem: Predicts, part: Part, end: float) -> Counterexample | None:
    """A counterexample with a run of 2^k equal symbols, at the values of parameters that are critical to one of the
    statements of a part; end: as `time.monotonic` tells it, after which no further word is tried."""
    if not sees_counts(subject.network):
        return None
    tried = _settings(subject, part)
    for long in _long_words(subject.alphabet):
        for parameters in tried:
            if time.monotonic() > end:
                return None
            found = _at_least_k(subject.construction, theorem, long, parameters)
            if found is not None:
                return found
    return None


def _long_words(alphabet: Sequence[str]) -> Iterator[Long]:
    for length in range(LONGEST + 1):
        for word in itertools.product(alphabet, repeat=length):
            yield from itertools.starmap(partial(Long, word), itertools.product(range(length + 1), alphabet))


def _settings(subject: Subject, part: Part) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for other in part.others:
        pair = subject.output(part.token, other)
        derivation = pair.attempt()
        if isinstance(derivation, Derivation):
            try:
                found += settings(pair.construction, relations(part.compares(other), derivation))
            except (Underivable, ValueError):  # a formula that only the interpreter reads
                continue
    return [given for place, given in enumerate(found) if given not in found[:place]]


def _at_least_k(
    construction: Construction, theorem: Predicts, long: Long, parameters: Mapping[str, str]
) -> Counterexample | None:
    """If the longest run is wrong, a shorter one, by bisection."""
    wrong = partial(misprediction, construction, theorem, long, parameters)
    least, most, best = 0, LARGEST, wrong(LARGEST)
    while best is not None and most - least > 1:
        middle = (least + most) // 2
        found = wrong(middle)
        least, most, best = (middle, most, best) if found is None else (least, middle, found)
    return best


def misprediction(
    construction: Construction, theorem: Predicts, long: Long, parameters: Mapping[str, str], k: int
) -> Counterexample | None:
    """As of a word that is run (`replaying.misprediction`), but counted; None, too, where balls do not tell."""
    network, language = construction.network, construction.language
    assert isinstance(network, Encoder)
    values, runs = parameter_values(construction, parameters), long.marked(network, k)

    def holds(formula: Expression) -> bool:
        return holds_on_runs(formula, values, runs, language.alphabet)

    try:
        if not holds(theorem.hypothesis):
            return None
        for right, wanted in right_tokens(construction, theorem, holds):
            found = counted(network, runs, values)
            if wanted != (found.decided and found.token == right):
                with ctx.workprec(BITS):
                    wrong = counterexample(construction, long.shown(k), parameters, right, found)
                return replace(wrong, bits=BITS, counted=True)
    except ArithmeticError:
        pass
    return None

"""What no encoder-decoder can do that lacks a part: of every depth and width, and whatever its weights are.

A layer is known by which of its blocks are there and which residuals are cut; all such shapes are gone through, and
what comes through is read off (`symbolic/simulation/flow.py`). Layers follow one another, so what holds behind each
shape of a layer holds behind any number of them; heads stand beside one another, so that two stand for any number."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, states
from weightproof.constructions.meaning.interpreter import attention_weights, mean, score
from weightproof.constructions.meaning.schema import OF_ONE_POSITION, FeedForward, Head, Layer, Linear
from weightproof.proofs.prover import Obligations, checked, stated
from weightproof.proofs.solving.polynomials import EVERYWHERE
from weightproof.symbolic.simulation.flow import (
    EXP,
    NOTHING,
    WEIGHT_OF_ONE,
    Choice,
    Dependencies,
    Dependency,
    behind,
    behind_encoder,
)
from weightproof.symbolic.simulation.parts import advanced
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, interval

EVERYTHING: Dependencies = frozenset(Dependency)
SAME = {Dependency.INPUTS, Dependency.LENGTH}
"""What is the same on two words of one length, at every step, where the outputs so far are."""
OF_WORD = {Dependency.WORD, Dependency.ORDER, Dependency.LENGTH}
"""What is the same at all steps on a word."""

POWER = "2^n"
NONE = Polynomial()
CHOICES = Polynomial.atom(POWER) - Polynomial.number(1)
"""How many sets of n positions are not empty; so many means of n values there are."""

PLAIN, LONG = Head({}, normaliser="hardmax", scale=1), Head({}, normaliser="hardmax", scale="n")
MASKED, SOFT = Head({}, normaliser="hardmax", scale=1, mask="causal"), Head({}, scale=1)
SOFT_MASKED = Head({}, scale=1, mask="causal")
NETWORK = FeedForward(Linear(), Linear({"x": {}}))
ABSENT = FeedForward(Linear(), Linear())
"""A feed-forward network that adds nothing: with its residual cut it leaves nothing, as where both are away."""
HARD: tuple[tuple[Head, ...], ...] = ((), (PLAIN,), (MASKED,), (PLAIN, MASKED))
UNMASKED: tuple[tuple[Head, ...], ...] = ((), (PLAIN,), (LONG,), (SOFT,))
SEEN: tuple[tuple[Head, ...], ...] = (*UNMASKED, (MASKED,), (SOFT_MASKED,), (PLAIN, MASKED))
SIDED = tuple(
    (Head({}, normaliser=each, scale=1, mask=mask),) for each in OF_ONE_POSITION for mask in ("none", "causal")
)


def shapes(**fixed: tuple[Any, ...]) -> Iterator[Layer]:
    """Every shape of a layer, but for the parts that are given."""
    options: dict[str, tuple[Any, ...]] = {
        "heads": UNMASKED,
        "attention_residual": (True, False),
        "cross_heads": SEEN,
        "cross_residual": (True, False),
        "feed_forward": (None, NETWORK),
        "feed_forward_residual": (True, False),
    }
    for parts in itertools.product(*(fixed.get(name, values) for name, values in options.items())):
        layer = Layer(**dict(zip(options, parts, strict=True)))
        if (layer.cross_heads or layer.cross_residual) and (layer.feed_forward or layer.feed_forward_residual):
            yield layer


def of_encoder(**fixed: tuple[Any, ...]) -> Iterator[Layer]:
    return shapes(**{"heads": SEEN, "cross_heads": ((),), **fixed})


def reads_no_word() -> Obligations:
    """Without cross heads."""
    for number, layer in enumerate(shapes(cross_heads=((),))):
        found = behind(layer, frozenset(SAME), EVERYTHING)
        yield checked(f"decoder layer of shape {number}", _beside(found, SAME))


def encoder_says_nothing(**cut: tuple[Any, ...]) -> Obligations:
    """With a layer in the encoder of which parts are cut."""
    for number, layer in enumerate(of_encoder(**cut)):
        yield checked(f"encoder layer of shape {number}, cut", _beside(behind_encoder(layer, EVERYTHING), NOTHING))
    for number, layer in enumerate(of_encoder()):
        yield checked(f"encoder layer of shape {number}, later", _beside(behind_encoder(layer, NOTHING), NOTHING))
    for number, layer in enumerate(shapes()):
        yield checked(f"decoder layer of shape {number}", _beside(behind(layer, frozenset(SAME), NOTHING), SAME))


def reads_no_order() -> Obligations:
    """Without position encodings in the encoder, and without masks there and in the cross heads."""
    others = EVERYTHING - {Dependency.ORDER}
    for number, layer in enumerate(of_encoder(heads=UNMASKED)):
        yield checked(f"encoder layer of shape {number}", _beside(behind_encoder(layer, others), others))
    for number, layer in enumerate(shapes(cross_heads=UNMASKED)):
        found = behind(layer, others, others)
        yield checked(f"decoder layer of shape {number}", _beside(found, {*others, Choice(0)}))


def chooses_alone(**cut: tuple[Any, ...]) -> Obligations:
    """That the output vector depends on the word and on what each cross head of the last layer chooses, and on no more,
    where parts of that layer are cut and its cross heads are of hardmax."""
    for number, layer in enumerate(shapes(**{"cross_heads": HARD, **cut})):
        chosen = {Choice(head) for head in range(len(layer.cross_heads))}
        found = behind(layer, EVERYTHING, EVERYTHING)
        yield checked(f"last layer of shape {number}", _beside(found, {*OF_WORD, *chosen}))


def is_the_same(**cut: tuple[Any, ...]) -> Obligations:
    """That on a word of one position the output vector depends on the word alone, and is the same at all steps, where
    parts of the last layer are cut; its cross heads are of any normaliser."""
    for number, layer in enumerate(shapes(**{"cross_heads": (*SEEN, *SIDED), **cut})):
        found = behind(layer, EVERYTHING, EVERYTHING, one_position=True)
        yield checked(f"last layer of shape {number}", _beside(found, OF_WORD))


def has_all_weight(more: Polynomial = NONE) -> Obligations:
    """That a single position has a weight of 1 by every normaliser: w/(w + more), with w > 0. more: what anything that
    is seen beside it weighs, as a sink does."""
    region = Region(positive=frozenset({EXP}))
    for normaliser, weight in WEIGHT_OF_ONE.items():
        of_all = weight + more
        has_all = weight == of_all and region.is_positive(of_all)
        reason = None if has_all else f"it is ({weight})/({of_all})"
        yield stated(f"weight of one position, {normaliser}", reason, [("=", weight - of_all), (">", of_all)], region)


def asks_for_different(tokens: Sequence[Polynomial]) -> Obligations:
    """That numbers to be produced one after the other are several and all different: each is more than the one
    before."""
    yield checked("tokens asked for", None if len(tokens) > 1 else "they are not several")
    for number, (before, then) in enumerate(itertools.pairwise(tokens), start=1):
        reason = None if EVERYWHERE.is_positive(then - before) else f"{then} is not more than {before}"
        yield stated(f"tokens {number} and {number + 1}", reason, [(">", then - before)])


def counts_choices(sets: Polynomial = CHOICES) -> Obligations:
    """That n positions have 2^n - 1 sets that are not empty: those of n + 1 are those of n, those with the new position
    beside one of them, and the new position alone."""
    of_one = sets.at({POWER: fmpq(2)}) - 1
    yield stated("sets of one position", "they are not 1" if of_one else None, [("=", Polynomial.number(of_one))])
    one_more = sets.replaced({POWER: Polynomial.number(2) * Polynomial.atom(POWER)})
    recurred = sets + sets + Polynomial.number(1)
    reason = None if one_more == recurred else f"{one_more} is not {recurred}"
    yield stated("sets of one position more", reason, [("=", one_more - recurred)])


def asks_for_more(quotient: Polynomial) -> Obligations:
    """That 0, D, 2 D, ... up to 1 are more numbers than there are choices, where 1/D is at least that whole number."""
    numbers = quotient + Polynomial.number(1)
    region, more = Region(positive=frozenset({POWER})), numbers - CHOICES
    reason = None if region.is_positive(more) else f"{numbers} are not more than {CHOICES}"
    yield stated("numbers asked for", reason, [(">", more)], region)


def every_choice(positions: int) -> Obligations:
    """That hardmax of all orders of so many scores gives 2^n - 1 lists of weights, and that a head attains all of them:
    its keys are unit vectors, its queries sums of some of them."""
    wanted = 2**positions - 1
    orders = itertools.product(range(positions), repeat=positions)
    weights = {tuple(attention_weights(PLAIN, [fmpq(score) for score in scores])) for scores in orders}
    yield checked(f"weights on {positions} positions", None if len(weights) == wanted else f"there are {len(weights)}")
    names = [str(number) for number in range(positions)]
    units = [{name: fmpq(int(name == other)) for name in names} for other in names]
    queries = [dict(zip(names, map(fmpq, bits), strict=True)) for bits in itertools.product((0, 1), repeat=positions)]
    means = {
        tuple(mean(attention_weights(PLAIN, [score(PLAIN, query, key) for key in units]), units).values())
        for query in queries
        if any(query.values())
    }
    yield checked(f"means on {positions} positions", None if len(means) == wanted else f"there are {len(means)}")


def tells_apart(rnn: RNN, word: str, other: str) -> Obligations:
    """That a recurrent network has another state at some step on another word of the same length."""
    steps = len(word) + 2
    same = list(itertools.islice(states(rnn, word), steps)) == list(itertools.islice(states(rnn, other), steps))
    told = None if len(word) == len(other) and not same else f"the states are the same on {word!r} and {other!r}"
    yield checked(f"states on {word!r} and {other!r}", told)


def takes_ever_new_values(rnn: RNN, unit: str, word: str, other: str) -> Obligations:
    """That a unit is x/2 behind x in (0, 1] behind a word, and stays 0 behind another one of the same length: so their
    difference takes infinitely many values."""
    [(last, zero)] = itertools.islice(zip(states(rnn, word), states(rnn, other), strict=True), len(word), len(word) + 1)
    first = last[unit]
    inside = isinstance(first, fmpq) and 0 < first <= 1
    begun = inside and not any(zero.values()) and len(word) == len(other)
    yield checked(f"behind {word!r} and {other!r}", None if begun else "no positive value beside 0")
    x = Polynomial.atom("x")
    region = Region((interval("x", 0, 1),), frozenset({"x"}))
    others = {name: Polynomial.atom(name) for name in rnn.units if name != unit}
    halved = advanced(rnn, {**others, unit: x}, rnn.end, region)[unit]
    over = halved - Polynomial.number(fmpq(1, 2)) * x
    yield stated("the next value", f"it is {halved}, not x/2" if over.terms else None, [("=", over)], region)
    rest = advanced(rnn, {}, rnn.end, region)
    yield checked("0 behind 0", None if not any(value.terms for value in rest.values()) else "it is not 0")


def _beside(found: Dependencies, allowed: Collection[object]) -> str | None:
    """What comes through that should not."""
    more = [each for each in found if each not in allowed]
    return ", ".join(sorted(str(each) for each in more)) + " comes through" if more else None

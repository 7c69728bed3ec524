"""Random networks of the class that finite automata tell, or nearly: some of them are refused."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, get_args

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    OF_ONE_POSITION,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Mask,
    Readout,
)

ALPHABET = ("0", "1")
OF_TOKENS = ("[0]", "[1]", "[C]", "[E]")
OF_HEADS = ("a", "b", "c", "e")
COORDINATES = (*OF_TOKENS, "i", "i2", "one", "pos", "alt", *OF_HEADS, "g", "h")
FACTORS = ("-1", "1", "1/2", "-1/2", "2", "-2")
ALTERNATING = ("cos(pi*i)", "cos(2*pi*i/3)", "i % 2", "(-1)**i", "i % 3")
Rows = dict[str, dict[str, object]]


def words(longest: int, shortest: int = 0) -> Iterator[str]:
    for length in range(shortest, longest + 1):
        yield from map("".join, itertools.product(ALPHABET, repeat=length))


def construction(network: Encoder, formula: str = "n >= 1") -> Construction:
    """The network with a language, whose own membership nothing here asks for."""
    language = Language(name="drawn", alphabet=ALPHABET, member=lambda word: True, characterisation=formula)
    return Construction(name="drawn", title="drawn", source="own", language=language, network=network)


def _rows(random: Random, names: Sequence[str], columns: Sequence[str], share: float) -> Rows:
    return {name: {column: random.choice(FACTORS) for column in columns if random.random() < share} for name in names}


def _by_distance(random: Random, distance: int, soft: bool) -> dict[str, object]:
    """-|i - j - distance|, times what a user may have put before it."""
    size = random.choice((1, 2, "1/2", -1))
    scale = random.choice(("log(100)", "2", "n", "1/2")) if soft else random.choice((1, 1, "n", "1/n", -1, 0, "n - 3"))
    return {
        "W_Q": {"x": {"i": size}, "y": {"one": size}},
        "W_K": {"x": {"one": 1}, "y": {"i": -1, "one": -distance}},
        "score": "-|dot|",
        "scale": scale,
    }


def _by_square(random: Random, distance: int, soft: bool) -> dict[str, object]:
    """-(i - j - distance)^2, but for what does not depend on j."""
    scales = ("log(100)", "1", "log(2)", "n", "-1") if soft else (1, "n", "1/n", -1, 0)
    return {
        "W_Q": {"x": {"i": 2, "one": -2 * distance}, "y": {"one": -1}},
        "W_K": {"x": {"i": 1}, "y": {"i2": 1}},
        "scale": random.choice(scales),
    }


def _by_side(random: Random, distance: int, soft: bool) -> dict[str, object]:
    """What is there first, and then the side; or the side alone."""
    what, side = random.choice(("[0]", "[1]", "a", "b", "alt")), random.choice(("pos", "pos", "i"))
    keys = {what: random.choice((3, 2, 1, -1, -2, "1/2", 0)), side: random.choice((1, -1))}
    query = {"one": 1, random.choice(("[1]", "a")): random.choice((0, 0, -1, 1))}
    return {"W_Q": {"x": query}, "W_K": {"x": keys}, "scale": random.choice((1, 1, "n", -1, "1/n"))}


def _by_key(random: Random, distance: int, soft: bool) -> dict[str, object]:
    """What is there, with ties between the positions where it is the same."""
    what = random.choice(("[0]", "[1]", "a", "b", "c", "alt"))
    keys = {what: random.choice((0, 1, -1, "1/2", "log(2)"))}
    return {
        "W_V": _rows(random, random.sample(OF_HEADS, 2), (what, "one"), 0.8),
        "W_Q": {"x": {"one": 1}},
        "W_K": {"x": keys},
        "scale": random.choice((1, 1, "log(2)", "-1", 2)),
        "score": random.choice(("dot", "dot", "-|dot|")),
    }


def _even(random: Random, distance: int, soft: bool) -> dict[str, object]:
    return {}


KINDS = (_by_distance, _by_distance, _by_square, _by_side, _by_side, _by_key, _even)


def _head(random: Random) -> Head:
    kind, distance = random.choice(KINDS), random.choice((-2, -1, 0, 1, 1, 2, 3))
    soft = kind is not _by_side and random.random() < 0.5
    seen = ("[0]", "[1]", "[C]", *OF_HEADS[:2])[: random.choice((3, 3, 5))]
    values = _rows(random, random.sample(OF_HEADS, 2), seen, 0.6)
    parts: dict[str, object] = {"W_V": values, **kind(random, distance, soft)}
    if random.random() < 0.25:
        held = tuple(parts["W_V"])  # type: ignore[arg-type]
        parts |= {"W_O": _rows(random, random.sample(OF_HEADS, 2), held, 0.8)}
    mask, normaliser = random.choice(("none", "causal")), "softmax" if soft else "hardmax"
    return Head(mask=mask, normaliser=normaliser, **parts)  # type: ignore[arg-type]


def _feed_forward(random: Random, last: bool) -> FeedForward:
    units, seen = ("u", "v"), (*OF_TOKENS, "alt", "a", "b", "c")
    bias = {unit: random.choice(("-1", "1/2", "0")) for unit in units}
    activations = ("relu", "abs", "identity") if last else ("relu", "step", "abs", "saturated-linear", "square")
    second = Linear(_rows(random, ("g", "h", "c"), units, 0.6))
    activation = random.choice(activations)
    return FeedForward(Linear(_rows(random, units, seen, 0.4), bias), second, activation)  # type: ignore[arg-type]


def _layer(random: Random, last: bool) -> Layer:
    heads = tuple(_head(random) for _ in range(random.choice((1, 1, 2))))
    feed_forward = _feed_forward(random, last) if random.random() < 0.6 else None
    return Layer(
        heads=heads,
        feed_forward=feed_forward,
        attention_residual=not last or random.random() < 0.9,
        feed_forward_residual=feed_forward is None or not last or random.random() < 0.8,
    )


def drawn(seed: int) -> Encoder:
    """A network of one to three layers over the symbols 0 and 1."""
    random = Random(seed)
    begin, end = random.choice(("C", None)), random.choice(("E", None, None))
    tokens: Rows = {"0": {"[0]": 1, "a": random.choice(FACTORS)}, "1": {"[1]": 1, "b": random.choice(FACTORS)}}
    tokens |= {marker: {f"[{marker}]": 1} for marker in (begin, end) if marker is not None}
    places = {"i": "i", "i2": "i*i", "one": "1", "pos": "i/n", "alt": random.choice(ALTERNATING)}
    count = random.choice((1, 2, 2, 3))
    layers = [_layer(random, number == count) for number in range(1, count + 1)]
    logit = _rows(random, ("logit",), ("a", "b", "c", "e", "g", "h", "[0]", "[1]"), 0.5)
    return Encoder(
        coordinates=COORDINATES,
        embedding=Embedding(WE=tokens, PE=places),
        layers=tuple(layers),
        begin=begin,
        end=end,
        readout=Readout(
            Linear(logit, {"logit": random.choice(("0", "0", "-1/2", "1/3"))}),
            position=random.choice(("first", "last", "sum", "mean")),
            accept=random.choice(("logit > 0", "logit >= 0", "logit = 0", "logit < 0", "logit <= 0")),
        ),
    )


WINDOWS = ("i - j < 2", "i - j <= 2", "j - i <= 1", "i < j + 2 and j < i + 2", "2*j >= 2*i - 5")
"""Bounds of i - j that show every position its own."""
APART = ("i - j > 1", "j - i > 1", "i - j == 1", "j == i + 2", "i - j > 1 and i - j < 4", "j > i", "i >= j + 3")
"""Bounds that do not."""


def masked(seed: int) -> Encoder:
    """A drawn network whose heads have other masks, windows, and weights of one position."""
    random = Random(f"masked {seed}")

    def other(head: Head) -> Head:
        changed: dict[str, Any] = {}
        if random.random() < (0.75 if head.normaliser == "hardmax" else 0.4):
            changed["normaliser"] = random.choice(OF_ONE_POSITION)
        of_one = "normaliser" in changed
        changed["mask"] = random.choice(get_args(Mask) if of_one else ("none", "causal", "future"))
        windows = (*WINDOWS, *APART) if of_one else WINDOWS
        changed["sees"] = random.choice(windows) if random.random() < 0.4 else None
        return replace(head, **changed)

    network = drawn(seed)
    layers = tuple(replace(layer, heads=tuple(map(other, layer.heads))) for layer in network.layers)
    return replace(network, layers=layers)


def _mean(random: Random) -> Head:
    """A mean over what comes before, or over everything; a few with weights by what is there."""
    seen = ("[0]", "[1]", "[C]", *OF_HEADS[:2], "g", "h", "alt")
    keys: dict[str, object] = {}
    if random.random() < 0.15:
        weight = {random.choice(("[1]", "alt")): random.choice(("log(2)", "1"))}
        keys = {"W_Q": {"x": {"one": 1}}, "W_K": {"x": weight}}
    values = _rows(random, random.sample(OF_HEADS, 2), random.sample(seen, 3), 0.7)
    normaliser = random.choice(("softmax", "softmax" if keys else "hardmax"))
    return Head(W_V=values, mask=random.choice(("causal", "causal", "none")), normaliser=normaliser, **keys)  # type: ignore[arg-type]


def _before(random: Random) -> Head:
    return Head(
        W_V=_rows(random, random.sample(OF_HEADS, 2), ("[0]", "[1]", "g"), 0.6),
        W_Q={"x": {"i": 1}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"i": -1, "one": -random.choice((0, 1, 1, 2, -1))}},
        score="-|dot|",
        normaliser="hardmax",
        mask=random.choice(("none", "causal")),
        scale=1,
    )


def _at_a_count(random: Random) -> Head:
    """What is at the position whose number is a count, near it by softmax."""
    factor = random.choice((1, 1, -1, 2))
    soft = random.random() < 0.5
    return Head(
        W_V=_rows(random, random.sample(OF_HEADS, 2), ("[0]", "[1]", "alt"), 0.7),
        W_Q={"x": {random.choice(OF_HEADS): factor}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"pos": random.choice((-1, -1, 1))}},
        score="-|dot|",
        normaliser="softmax" if soft else "hardmax",
        scale=random.choice(("n*log(4)", "n*log(10)", "n")) if soft else "n",
    )


def at_counts(seed: int) -> Encoder:
    """What is at the position whose number is a count, or at the end that is nearest to it: a 1, or a 0."""
    random = Random(f"at counts {seed}")
    begin, end = random.choice(("C", "C", None)), random.choice(("E", None))
    counted = {
        "[0]": random.choice((0, 0, 1, -1)),
        "[1]": random.choice((0, 1, 1, 1, -1, 2)),
        "[C]": random.choice((0, 0, 1)),
    }
    soft = random.random() < 0.4
    there = Head(
        W_V={"g": {random.choice(("[0]", "[1]", "[1]")): 1}},
        W_Q={"x": {"a": 1, "alt": random.choice((0, 0, 1, -1, 2))}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"pos": -1}},
        score="-|dot|",
        normaliser="softmax" if soft else "hardmax",
        scale=random.choice(("n*log(10)", "n*log(4)")) if soft else "n",
    )
    tokens: Rows = {"0": {"[0]": 1}, "1": {"[1]": 1}}
    tokens |= {marker: {f"[{marker}]": 1} for marker in (begin, end) if marker is not None}
    return Encoder(
        coordinates=COORDINATES,
        embedding=Embedding(WE=tokens, PE={"one": "1", "pos": "i/n", "alt": "1/n"}),
        layers=(Layer((Head(W_V={"a": counted}),)), Layer((there,))),
        begin=begin,
        end=end,
        readout=Readout(
            Linear({"logit": {"g": 1}}, {"logit": "-1/2"}),
            position=random.choice(("first", "last")),
            accept=random.choice(("logit > 0", "logit > 0", "logit < 0")),
        ),
    )


def _of_means(random: Random) -> FeedForward:
    units, seen = ("u", "v"), (*OF_TOKENS, "alt", "a", "b", "c", "e", "g")
    bias = {unit: random.choice(("-1", "1/2", "0", "0", "-1/2")) for unit in units}
    activation = random.choice(("relu", "step", "step", "abs", "saturated-linear", "square", "identity"))
    first, second = _rows(random, units, seen, 0.35), _rows(random, ("g", "h", "c"), units, 0.7)
    return FeedForward(Linear(first, bias), Linear(second), activation)  # type: ignore[arg-type]


def counting(seed: int) -> Encoder:
    """A network of one to three layers, most of whose heads take means that units compare with something."""
    random = Random(seed)
    begin, end = random.choice(("C", "C", None)), random.choice(("E", None, None, None))
    tokens: Rows = {"0": {"[0]": 1, "a": random.choice(FACTORS)}, "1": {"[1]": 1, "b": random.choice(FACTORS)}}
    tokens |= {marker: {f"[{marker}]": 1} for marker in (begin, end) if marker is not None}
    places = {"i": "i", "i2": "i*i", "one": "1", "pos": "i/n", "alt": random.choice(ALTERNATING)}
    layers = []
    for _ in range(random.choice((1, 2, 2, 3))):
        kinds = random.choices((_mean, _before, _at_a_count), (14, 5, 1), k=random.choice((1, 1, 2)))
        heads = tuple(kind(random) for kind in kinds)
        feed_forward = _of_means(random) if random.random() < 0.85 else None
        kept = feed_forward is None or random.random() < 0.9
        layers.append(
            Layer(
                heads=heads,
                feed_forward=feed_forward,
                attention_residual=random.random() < 0.9,
                feed_forward_residual=kept,
            )
        )
    logit = _rows(random, ("logit",), ("a", "b", "c", "e", "g", "h", "[0]", "[1]"), 0.5)
    return Encoder(
        coordinates=COORDINATES,
        embedding=Embedding(WE=tokens, PE=places),
        layers=tuple(layers),
        begin=begin,
        end=end,
        readout=Readout(
            Linear(logit, {"logit": random.choice(("0", "0", "-1/2", "1/3"))}),
            position=random.choice(("first", "last", "last", "sum", "mean")),
            accept=random.choice(("logit > 0", "logit >= 0", "logit = 0", "logit < 0")),
        ),
    )

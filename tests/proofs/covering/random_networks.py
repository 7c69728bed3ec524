"""Small encoders and decoders without structure, with every choice of the schema that covering reads: nothing that is
said of their words is true by construction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, get_args

from weightproof.constructions.meaning.choices import ACCEPTED
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    OF_ONE_POSITION,
    Decoder,
    Embedding,
    Encoder,
    Extreme,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Mask,
    Norm,
    Place,
    Readout,
    RootMeanSquare,
    Rotary,
    Rows,
)

KNOWN = (
    "saturated-linear", "step", "square", "identity", "abs", "tanh", "sigmoid", "silu", "gelu",
)  # fmt: skip
COORDINATES = ("x", "y", "z")
ALPHABET = ("a", "b")
ANGLES = ("1", "2*pi/5", "1/10", "pi/2")
BIASES = ("-(i - j)*log(10)", "(i - j)/3", "2*(i == j)", "(i + j)/(n + 1)", "-30*(j == 0)")
FORMULAS = ("i - j <= 2", "j != 1 or i == 1", "i == j or j == 0")
STRICT = "j < i"
"""The first position sees nothing but a sink."""
SINKS = ("0", "1", "-2", "log(n)")


def weight(random: Random) -> str:
    return str(Fraction(random.randint(-12, 12), random.choice((1, 1, 2, 3, 8))))


def rows(random: Random, names: Iterable[str], columns: tuple[str, ...]) -> Rows:
    return {row: {column: weight(random) for column in columns if random.random() < 0.8} for row in names}  # type: ignore[misc]


def linear(random: Random, names: tuple[str, ...], columns: tuple[str, ...]) -> Linear:
    return Linear(rows(random, names, columns), {name: weight(random) for name in names if random.random() < 0.6})


def head(random: Random) -> Head:
    values = rows(random, ("u", "v"), COORDINATES)
    into = rows(random, ("x", "z"), ("u", "v")) if random.random() < 0.5 else None
    return Head(
        values if into is not None else rows(random, ("y", "z"), COORDINATES),
        rows(random, ("q",), COORDINATES),
        rows(random, ("q",), COORDINATES),
        into,
        score=random.choice(("dot", "dot", "-|dot|")),
        scale=random.choice(("1/sqrt(d)", "log(n)", "1", "1/8")),
        normaliser=random.choice(("softmax", "softmax", "hardmax")),
        mask=random.choice(("none", "causal")),
        query_norm=norm(random, ("q",)),
        key_norm=norm(random, ("q",)),
    )


def norm(random: Random, names: tuple[str, ...] = COORDINATES, likely: float = 0.2) -> Norm | None:
    if random.random() >= likely:
        return None
    epsilon = random.choice((1, "1/100", 0))
    gain = {name: weight(random) for name in names} if random.random() < 0.5 else None
    if random.random() < 0.5:
        return RootMeanSquare(epsilon, gain=gain)
    return LayerNorm(epsilon, gain=gain, bias={name: weight(random) for name in names[:2]} if gain else None)


def layer(random: Random) -> Layer:
    units = ("h", "k")
    fed = None
    if random.random() < 0.7:
        activation = random.choice(("relu", "relu", *KNOWN))
        gated = random.random() < 0.3
        first, gate = (
            Linear({unit: {"x": 1, **rows(random, (unit,), COORDINATES)[unit]} for unit in units}) for _ in range(2)
        )
        fed = FeedForward(first, linear(random, ("x", "y"), units), activation, gate=gate if gated else None)
    heads = tuple(head(random) for _ in range(random.choice((0, 1, 1, 2))))
    return Layer(
        heads,
        fed,
        attention_residual=random.random() < 0.8,
        feed_forward_residual=fed is None or random.random() < 0.8,
        attention_norm=norm(random),
        feed_forward_norm=None if fed is None else norm(random),
        attention_norm_before=norm(random) if heads else None,
        feed_forward_norm_before=None if fed is None else norm(random),
    )


def encoder(random: Random, alphabet: Sequence[str] = ALPHABET) -> Construction:
    begin = random.choice(("CLS", None))
    end = random.choice((None, None, "EOS"))
    tokens = (*alphabet, *(marker for marker in (begin, end) if marker is not None))
    positions = {} if random.random() < 0.4 else {"z": random.choice(("i/n", "i", "(i == 1)", "1/(i + 1)"))}
    network = Encoder(
        COORDINATES,
        Embedding(rows(random, tokens, COORDINATES), positions),
        tuple(layer(random) for _ in range(random.choice((0, 1, 1, 2, 2)))),
        Readout(
            Linear({"logit": {name: weight(random) for name in COORDINATES}}, {"logit": weight(random)}),
            random.choice(get_args(Place)),
            random.choice(("logit > 0", *ACCEPTED)),
        ),
        begin,
        end,
        final_norm=norm(random),
    )
    language = Language(
        "MAJ", tuple(alphabet), lambda word: word.count("a") > word.count("b"), "count('a') > count('b')"
    )
    return Construction("drawn", "drawn", "none", language, network)


def drawn(random: Random, alphabet: Sequence[str] = ALPHABET) -> Construction:
    """An encoder whose heads may have rotary positions, biases, formulas of what is seen, and sinks."""
    construction = encoder(random, alphabet)
    layers = tuple(
        replace(layer, heads=tuple(_more(random, head) for head in layer.heads))
        for layer in construction.encoder.layers
    )
    return replace(construction, network=replace(construction.encoder, layers=layers))


def _more(random: Random, head: Head) -> Head:
    """With some of them."""
    fields: dict[str, Any] = {}
    if random.random() < 0.6:
        W_Q, W_K = (rows(random, ("q0", "q1"), COORDINATES) for _ in range(2))
        turned = {"rotary": (Rotary("q0", "q1", random.choice(ANGLES)),), "query_norm": None, "key_norm": None}
        fields |= {"W_Q": W_Q, "W_K": W_K, "scale": "1/4", **turned}
    if random.random() < 0.4:
        fields["bias"] = random.choice(BIASES)
    if random.random() < 0.4:
        fields["sees"] = random.choice(FORMULAS)
    among = random.random()
    if among < 0.4 and head.normaliser == "softmax":
        fields["sink"] = random.choice(SINKS)
        if among < 0.1:
            fields["sees"] = STRICT
    return replace(head, **fields)


def masked(random: Random, alphabet: Sequence[str] = ALPHABET) -> Construction:
    """An encoder as `drawn` makes them whose heads have any mask, and of hard ones some all weight at one position."""
    construction = drawn(random, alphabet)
    layers = tuple(
        replace(layer, heads=tuple(_masked(random, head) for head in layer.heads))
        for layer in construction.encoder.layers
    )
    return replace(construction, network=replace(construction.encoder, layers=layers))


def _masked(random: Random, head: Head) -> Head:
    of_one = random.random() < 0.5
    fields: dict[str, Any] = {"normaliser": random.choice(OF_ONE_POSITION), "sink": None} if of_one else {}
    masks = get_args(Mask) if of_one or head.sink is not None else ("none", "causal", "future")
    return replace(head, mask=random.choice(masks), **fields)


def predictor(random: Random, alphabet: Sequence[str] = ALPHABET) -> Construction:
    """An encoder as `drawn` makes them that predicts a token, that of the greatest output or of the least one."""
    construction = drawn(random, alphabet)
    network = construction.encoder
    W = linear(random, tuple(network.embedding.WE), COORDINATES)
    readout = Readout(W, network.readout.position, random.choice(get_args(Extreme)))
    return replace(construction, network=replace(network, readout=readout))


def plain(random: Random, alphabet: Sequence[str] = ALPHABET) -> Construction:
    """An encoder without layers."""
    construction = encoder(random, alphabet)
    return replace(construction, network=replace(construction.encoder, layers=(), final_norm=None))


def decoder(random: Random, length: int) -> Decoder:
    """With the layers of an encoder, an output for each symbol, and a row of a table for each of so many positions, or
    none. Where a norm of it may have no value, covering refuses it."""
    like = drawn(random).encoder
    causal = tuple(
        replace(each, heads=tuple(replace(head, mask="causal") for head in each.heads)) for each in like.layers
    )
    known = {token: row for token, row in like.embedding.WE.items() if token != like.end}
    return Decoder(
        like.coordinates,
        replace(like.embedding, WE=known),
        causal,
        Readout(linear(random, ALPHABET, COORDINATES), "last", random.choice(get_args(Extreme))),
        begin=like.begin,
        table=tuple(rows(random, map(str, range(length)), COORDINATES).values()) if random.random() < 0.3 else None,
        final_norm=like.final_norm,
    )


def of_any_size(random: Random) -> str:
    """In the stead of `weight`: float64 holds each, and not their sums and products."""
    size = random.choice((0, 1, 1, 3, 2**9 - 1, 2**29 - 1, 2**40 + 1, 2**54))
    return str(Fraction(random.choice((-1, 1)) * size, random.choice((1, 1, 2, 8))))

"""Small encoders without structure, with every choice of the schema: nothing that is said of their words is true by
construction."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    Readout,
    RootMeanSquare,
    Rows,
)

KNOWN = (
    "saturated-linear", "step", "square", "identity", "abs", "tanh", "sigmoid", "silu", "gelu",
)  # fmt: skip
COORDINATES = ("x", "y", "z")
ALPHABET = ("a", "b")


def weight(random: Random) -> str:
    return str(Fraction(random.randint(-12, 12), random.choice((1, 1, 2, 3, 8))))


def rows(random: Random, names: tuple[str, ...], columns: tuple[str, ...]) -> Rows:
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


def encoder(random: Random) -> Construction:
    begin = random.choice(("CLS", None))
    end = random.choice((None, None, "EOS"))
    tokens = (*ALPHABET, *(marker for marker in (begin, end) if marker is not None))
    positions = {} if random.random() < 0.4 else {"z": random.choice(("i/n", "i", "(i == 1)", "1/(i + 1)"))}
    network = Encoder(
        COORDINATES,
        Embedding(rows(random, tokens, COORDINATES), positions),
        tuple(layer(random) for _ in range(random.choice((0, 1, 1, 2, 2)))),
        Readout(
            Linear({"logit": {name: weight(random) for name in COORDINATES}}, {"logit": weight(random)}),
            random.choice(("first", "last", "sum")),
            random.choice(("logit > 0", "logit > 0", "logit = 0")),
        ),
        begin,
        end,
        final_norm=norm(random),
    )
    language = Language("MAJ", ALPHABET, lambda word: word.count("a") > word.count("b"), "count('a') > count('b')")
    return Construction("drawn", "drawn", "none", language, network)

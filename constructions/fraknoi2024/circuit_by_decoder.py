"""A Boolean circuit by chain of thought: Fraknoi (2024), theorem 3.4, after Li et al. (2024).

Every token is the value of a wire, and the decoder appends those of the gates, one after the other. The position that
writes gate i has its number and those of the two wires that it reads, each in k bits that are -1 or 1, and its kind,
c = 1 for AND and 0 for NOT, in the table of positions. Two heads look up the values of the two wires:

  a score adds up B and -B for each bit that is equal, -B and -B for each that is not. Numbers have s bits, and B is the
  greatest of them: so it is 0 after each bit as long as all were equal, and -B from the first one on that is not, as
  -B - B is -B again. exp(-B) is rounded to 0, exp(0) is 1: the head takes what stands where the number is the address.

Then ReLU(1 - x_a - c) + ReLU(x_a + x_b + c - 2) is NOT x_a where c = 0 and x_a = x_b, and AND of both where c = 1.

As printed, a NOT has 0 for its second wire and an input has it for both. No position has the number 0: all weights are
rounded to 0 there, and a head has no value. Here a NOT reads its wire twice, and an input itself. The text asks nothing
of the format but that exp(-B) is rounded to 0; the sum of the second unit also needs B >= 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.circuits.family import GREATEST, Family, Layout
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.fixed_point import FixedPoint

FEWEST_BITS = FixedPoint(bits=3, fraction=0)
"""The smallest format in which it computes every circuit."""
Row = dict[str, object]


def layout(bits: Sequence[str]) -> Layout:
    """bits: what the bits of a number are called, the first one first; here and below."""
    return Layout(
        constants={"1": 1},
        kinds={"c": {"NOT": 0, "AND": 1}},
        number=tuple(f"id {bit}" for bit in bits),
        addresses={address: tuple(f"{address} {bit}" for bit in bits) for address in ("a", "b")},
    )


def decoder(bits: Sequence[str]) -> Decoder:
    """That for numbers of these bits, in every format: its greatest number is a name."""
    return Decoder(
        coordinates=(
            *("x", "x_a", "x_b", "g", "c"),
            *(f"{what} {bit}" for what in ("id", "a", "b") for bit in bits),
            "1",
        ),
        embedding=Embedding(WE={"0": {}, "1": {"x": 1}}),
        layers=(
            Layer(heads=(_look_up("a", bits, GREATEST),)),
            Layer(heads=(_look_up("b", bits, GREATEST),), feed_forward=_gate()),
        ),
        readout=Readout(Linear({"0": {"1": 1, "g": -1}, "1": {"g": 1}}), position="last", accept="argmax"),
    )


def _look_up(wire: str, bits: Sequence[str], B: str) -> Head:
    """The value of the wire whose number is the address `wire`."""
    W_Q: dict[str, Row] = {}
    W_K: dict[str, Row] = {}
    for bit in bits:
        W_Q |= {f"{bit}": {f"{wire} {bit}": 1}, f"{bit}'": {"1": 1}}
        W_K |= {f"{bit}": {f"id {bit}": B}, f"{bit}'": {"1": f"-({B})"}}
    return Head(W_Q=W_Q, W_K=W_K, W_V={f"x_{wire}": {"x": 1}}, scale=1, mask="causal")


def _gate() -> FeedForward:
    return FeedForward(
        first=Linear(
            {"not": {"x_a": -1, "c": -1}, "and": {"x_a": 1, "x_b": 1, "c": 1}},
            bias={"not": 1, "and": -2},
        ),
        second=Linear({"g": {"not": 1, "and": 1}}),
    )


circuit_by_decoder = Family(
    name="by a decoder",
    title="A Boolean circuit by chain of thought",
    source="after Fraknoi (2024), theorem 3.4",
    decoder=decoder,
    layout=layout,
    missing="its own wire",
    format=FEWEST_BITS,
)

as_printed = Family(
    name="by a decoder as printed",
    title="A Boolean circuit by chain of thought, as printed",
    source="Fraknoi (2024), theorem 3.4",
    decoder=decoder,
    layout=layout,
    missing="wire 0",
    format=FEWEST_BITS,
)

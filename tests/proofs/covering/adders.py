"""Decoders that add two numbers of so many digits, as the hand-set one of 50 parameters in the contest AdderBoard does
with ten (lichengliu03, TinyAdder-50p). Sinusoids have a period of one more than there are digits, so that what is
appended attends to where the digits of its place stand, and those of the place before; two units tell a carry, two a
sum of ten or more; the output of d is greatest where d is the nearest digit."""

from __future__ import annotations

from weightproof.constructions.languages.transducers import Track, Transducer
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.proofs.theorem import Computes

DIGITS = tuple("0123456789")


def adder(digits: int) -> Construction:
    period = digits + 1
    large = f"(1 + 99*(i <= {2 * digits + 1}))"
    units = {"h0": "-1/2", "h1": "-3/2", "h2": "-9045", "h3": "-9055"}
    near, ten = {"x": -1, "s": 1}, {"x": -10, "s": 10, "z": 1000}
    network = Decoder(
        ("x", "s", "c", "z"),
        Embedding(
            {digit: {"x": int(digit)} for digit in DIGITS},
            {"s": f"{large}*sin(pi*2*i/{period})", "c": f"{large}*cos(pi*2*i/{period})"},
        ),
        (
            Layer(
                (_head(digits - 2, period, "z"), _head(digits - 1, period, "s")),
                FeedForward(
                    Linear({"h0": near, "h1": near, "h2": ten, "h3": ten}, units),
                    Linear({"z": {"h0": 1, "h1": -1, "h2": -1, "h3": 1}}),
                ),
            ),
        ),
        Readout(Linear({d: {"z": 2 * int(d)} for d in DIGITS}, {d: -(int(d) ** 2) for d in DIGITS}), "last", "argmax"),
    )
    return Construction(f"adder of {digits}", "adds", "AdderBoard", Language("SUM", DIGITS, bool, "n >= 1"), network)


def _head(turns: int, period: int, into: str) -> Head:
    """Its queries are turned, so that its scores are greatest where positions of query and key add up to `turns`, but
    for multiples of the period."""
    cos, sin = (f"{name}(pi*2*{turns}/{period})" for name in ("cos", "sin"))
    queries = {"q0": {"s": f"-{cos}", "c": sin}, "q1": {"s": sin, "c": cos}}
    return Head({into: {"x": 2}}, queries, {"q0": {"s": 1}, "q1": {"c": 1}}, scale="1/sqrt(2)", mask="causal")


def carried(carry: int, a: str, b: str) -> tuple[int, str]:
    total = carry + int(a) + int(b)
    return total // 10, str(total % 10)


def adds(digits: int) -> Computes:
    letters = {"a": DIGITS, "b": DIGITS}
    return Computes(
        "adds",
        f"appends the sum of any two numbers of {digits} digits, the last digit first",
        Transducer(tracks=letters, slots=digits, step=carried, start=0, more=1),
        (Track("a", backward=True), "0", Track("b", backward=True), "0"),
    )

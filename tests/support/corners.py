"""Small constructions in corners of the schema: equal markers, no layers, fractions, values that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout


def bits(characterisation: str, member: Callable[..., bool]) -> Language:
    return Language("L", ("0", "1"), member, characterisation)


def small(
    language: Language,
    WE: Mapping[str, Mapping[str, object]],
    PE: Mapping[str, object] | None = None,
    *,
    values: Mapping[str, Mapping[str, object]] | None = None,
    parameters: tuple[Parameter, ...] = (),
    position: Any = "first",
    begin: str | None = "CLS",
    end: str | None = None,
) -> Construction:
    """Reads coordinate s, which one head with uniform attention writes where `values` are given."""
    heads = () if values is None else (Layer(heads=(Head(W_V=values),)),)
    tokens = {token: {} for token in (*language.alphabet, begin, end) if token is not None}
    return Construction(
        name="corner",
        title="a corner",
        source="a test",
        language=language,
        parameters=parameters,
        network=Encoder(
            coordinates=("x", "s"),
            embedding=Embedding({**tokens, **WE}, PE),
            layers=heads,
            readout=Readout(Linear({"logit": {"s": 1}}), position=position),
            begin=begin,
            end=end,
        ),
    )


FIVE = bits("count('1') >= 5", lambda word: word.count("1") >= 5)
MORE_THAN_TWENTY = bits("n > 20", lambda word: len(word) >= 20)
NOTHING = bits("n < 1", lambda word: False)
EVERYTHING = bits("n >= 1", lambda word: True)
D = Parameter("D", "D >= 0", 3, "natural")

equal_markers = small(FIVE, {"1": {"x": 2}, "#": {"x": -9}}, values={"s": {"x": 1}}, begin="#", end="#")
"""Five 1s weigh 10, two markers -18: 1{5} has logit -8/7."""

never_accepts = small(NOTHING, {}, {"s": -1})
always_accepts = small(EVERYTHING, {}, {"s": 1})


def no_layers(position: str, begin: str | None, end: str | None) -> Construction:
    """PE n - 20 at the begin marker, 2*n - 40 at the end marker, which are to be read; symbols weigh -100."""
    weighed = {token: {"s": weight} for token, weight in (("0", -100), ("1", -100))}
    PE = {"s": "(n - 20)*((i == 0) + 2*(i == n - 1 and i > 0))"}
    at_markers = [place for place, marker in (("first", begin), ("last", end)) if marker is not None]
    assert position in at_markers
    return small(bits("n > 20", lambda word: len(word) > 20 - len(at_markers)), weighed, PE,
                 position=position, begin=begin, end=end)  # fmt: skip


UNDEFINED: dict[str, Construction] = {
    "PE at n = 20": small(EVERYTHING, {}, {"s": 1, "x": "(n - 20)**(0 - 1)"}),
    "PE at one position": small(EVERYTHING, {}, {"s": 1, "x": "1/(i - 7)"}),
    "root": small(EVERYTHING, {}, {"s": 1, "x": "sqrt(25 - n)"}),
    "logarithm": small(EVERYTHING, {}, {"s": 1, "x": "log(i)"}),
    "power": small(EVERYTHING, {}, {"s": 1, "x": "2**(n/2)"}),
    "turns": small(EVERYTHING, {}, {"s": 1, "x": "cos(pi/(n - 20))"}),
    "remainder": small(EVERYTHING, {}, {"s": 1, "x": "n % (n - 30)"}),
    "a weight that multiplies 0": small(EVERYTHING, {}, {"s": 1}, values={"s": {"x": "1/D"}}, parameters=(D,)),
    "a word embedding": small(EVERYTHING, {"1": {"x": "1/(D - 2)"}}, {"s": 1}, parameters=(D,)),
}

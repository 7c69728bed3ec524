"""Hardmax attention and scores -|q.k| are derived as the interpreter runs them, on every short word, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.support.derived import vector_of
from tests.support.suites import short_suite
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import sign
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LANGUAGE = Language("a", ("a", "b"), lambda word: word[:1] == "a", "w[1] == 'a'")
MARKERS = {"CLS": ("CLS", None), "EOS": (None, "EOS"), "both": ("CLS", "EOS")}
LONGEST = 5


def network(
    p: str,
    keys: Mapping[str, object],
    markers: tuple[str | None, str | None] = ("CLS", None),
    position: str = "first",
    queries: Mapping[str, object] | None = None,
    parameters: tuple[Parameter, ...] = (),
    **head: Any,
) -> Construction:
    """One head whose keys are made of p, [w=a] and 1; it averages the as, and the positions."""
    attention = Head(
        {"s": {"[w=a]": 1}, "t": {"i": "1/7"}},
        {"q": queries or {"1": 1}},
        {"q": keys},
        **({"normaliser": "hardmax", "scale": 1} | head),
    )
    tokens: dict[str, dict[str, object]] = {"a": {"[w=a]": 1, "1": 1}, "b": {"1": 1}}
    tokens |= {marker: {"1": 1, "CLS": 1} for marker in markers if marker is not None}
    return Construction(
        name="hard",
        title="hardmax attention",
        source="a test",
        language=LANGUAGE,
        parameters=parameters,
        network=Encoder(
            coordinates=("[w=a]", "CLS", "1", "i", "p", "s", "t"),
            embedding=Embedding(tokens, {"i": "i", "p": p}),
            layers=(Layer(heads=(attention,)),),
            readout=Readout(Linear({"logit": {"s": 1, "t": 1}}), position=position),  # type: ignore[arg-type]
            begin=markers[0],
            end=markers[1],
        ),
    )


SCORES: dict[str, tuple[str, dict[str, object]]] = {
    "all equal": ("0", {"1": 1}),
    "the position": ("i", {"p": 1}),
    "the position, falling": ("-i", {"p": 1}),
    "a place": ("(i == 3)", {"p": 1}),
    "a window": ("(i >= 2) - (i >= 4)", {"p": 1}),
    "the symbol": ("0", {"[w=a]": 1}),
    "the symbol, and markers between": ("0", {"[w=a]": 2, "CLS": 1}),
    "the symbol and a place": ("(i == 2)", {"[w=a]": 1, "p": 1}),
    "even places": ("(i % 2 == 0)", {"p": 1}),
    "a rise up to a place": ("i*(i <= 3)", {"p": 1}),
    "a rise and a fall": ("i*(i <= 3) + (6 - i)*(i > 3)", {"p": 1}),
    "a rise behind a marker": ("i - 2", {"p": 1, "CLS": 4}),
}
HEADS: dict[str, dict[str, Any]] = {
    "plain": {},
    "minus dot": {"score": "-|dot|"},
    "minus minus dot": {"score": "-|dot|", "scale": -1},
    "causal": {"mask": "causal"},
    "causal, minus dot": {"mask": "causal", "score": "-|dot|"},
}


def agrees(construction: Construction, longest: int = LONGEST, **parameters: str) -> None:
    """Asserts that the derived logit and vectors are those of the runs."""
    derived = derive(construction)
    values = parameter_values(construction, parameters)
    assert isinstance(construction.network, Encoder)
    for length in range(longest + 1):
        for word in map("".join, product("ab", repeat=length)):
            tokens = add_markers(construction.network, word)
            ran = run(construction, word, parameters)
            assert sign(evaluate_logit(derived, tokens, values) - ran.logit) == 0, word  # type: ignore[arg-type]
            for place, vector in enumerate(ran.streams[1]):
                found = vector_of(derived, 1, place, tokens, values)
                if found is not None:
                    assert all(sign(found.get(name, 0 * ran.logit) - x) == 0 for name, x in vector.items()), word  # type: ignore[arg-type]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("head", short_suite(HEADS, ["causal, minus dot"]))
def test_hardmax_is_derived_as_it_runs(score: str, head: str) -> None:
    p, keys = SCORES[score]
    markers = list(MARKERS)[(list(SCORES).index(score) + 2 * list(HEADS).index(head)) % len(MARKERS)]
    position = {"CLS": "first", "EOS": "last", "both": "last" if "causal" in head else "sum"}[markers]
    agrees(network(p, keys, MARKERS[markers], position, **HEADS[head]))


def test_each_position_looks_at_the_one_before_it() -> None:
    """Scores -|i - 1 - j|, with the query at i and the key at j, over two score coordinates."""
    look_back = Head(
        {"s": {"[w=a]": 1}, "t": {"i": "1/7"}},
        {"i": {"i": 1, "1": -1}, "1": {"1": 1}},
        {"i": {"1": 1}, "1": {"i": -1}},
        score="-|dot|",
        normaliser="hardmax",
    )
    plain = network("0", {"1": 1}, position="sum")
    assert isinstance(plain.network, Encoder)
    layers = (Layer(heads=(look_back,)),)
    changed = Encoder(plain.network.coordinates, plain.network.embedding, layers, plain.network.readout)
    agrees(Construction("back", "look back", "a test", LANGUAGE, changed), 5)


def test_softmax_over_minus_dot_is_derived_as_it_runs() -> None:
    c = (Parameter("c", "c > 0", "log(2)"),)
    distance = network("i - 2", {"p": 1}, queries={"1": "c"}, parameters=c, normaliser="softmax", score="-|dot|")
    agrees(distance, 5)
    agrees(distance, 3, c="1")
    agrees(network("0", {"[w=a]": 1, "1": -2}, normaliser="softmax", score="-|dot|"), 4)


@pytest.mark.parametrize(
    ("p", "keys", "says"),
    [
        ("i", {"p": 1, "[w=a]": "1/2"}, "depend on the position and on the symbol"),
        ("i*i", {"p": 1}, "not linear in the position"),
        ("(2*i - n)*(2*i > n)", {"p": 1}, "more than a range of positions"),
        ("i*(i % 2 == 0)", {"p": 1}, "more than a range of positions"),
        ("(i % 2 == 0)", {"p": 1, "[w=a]": 1}, "takes a sum that no rule closes"),
    ],
)
def test_what_hardmax_cannot_tell_is_said(p: str, keys: dict[str, object], says: str) -> None:
    with pytest.raises(Underivable, match=says):
        derive(network(p, keys))

"""Where no rule applies the derivation says so, and where one applies to an unusual network its result is the logit's.

The networks here are small and odd: one head over a position encoding p, with what the test changes.
"""

from __future__ import annotations

import ast
from itertools import product
from typing import Any

import pytest
import sympy

from tests.support.meaning import World, worlds
from weightproof.constructions.library import BUILT_IN, load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.expressions import fold, quantifier
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules.reading import reading

LANGUAGE = Language(name="ALL", alphabet=("0", "1"), member=lambda word: True, characterisation="n >= 1")
C = Parameter("c", domain="c > 0", default="log(2)")
ABSOLUTE = FeedForward(Linear({"h": {"s": 1}, "g": {"s": -1}}), Linear({"t": {"h": 1, "g": 1}}))


def network(
    p: str = "i",
    *,
    query: object = 0,
    parameters: tuple[Parameter, ...] = (),
    position: Any = "first",
    layers: tuple[Layer, ...] | None = None,
    markers: tuple[str | None, str | None] = ("CLS", None),
    read: str = "s",
    **head: Any,
) -> Construction:
    """CLS asks every position for its p, with `query` as the weight; the values are p, and 1 for a 1."""
    one = Head({"s": {"p": 1, "[w=1]": 1}}, {"q": {"[w=CLS]": query}}, {"q": {"p": 1}}, **{"scale": 1, **head})
    words: dict[str, dict[str, object]] = {"0": {}, "1": {"[w=1]": 1}}
    words |= {marker: {"[w=CLS]": 1} for marker in markers if marker is not None}
    return Construction(
        name="odd",
        title="an odd network",
        source="a test",
        language=LANGUAGE,
        parameters=parameters,
        network=Encoder(
            coordinates=("[w=1]", "[w=CLS]", "p", "s", "t"),
            embedding=Embedding(words, {"p": p}),
            layers=layers or (Layer(heads=(one,)),),
            readout=Readout(Linear({"logit": {read: 1}}), position=position),
            begin=markers[0],
            end=markers[1],
        ),
    )


MEAN = Head({"s": {"p": 1}}, mask="causal")
MEAN_OF_MEANS = Head({"t": {"s": 1}})
AGAIN = (Layer(heads=(Head({"s": {"p": 1, "[w=1]": "1/2"}}),)), Layer(heads=(Head({"t": {"s": 1, "[w=1]": 1}}),)))

REFUSED: dict[str, tuple[Construction, str]] = {
    "hardmax over squares": (network("i*i", query=1, normaliser="hardmax"), "not linear in the position"),
    "a score -|dot| of an open sign": (network("i*i - 7", query=1, score="-|dot|"), "the sign of"),
    "a norm without a value": (
        network(layers=(Layer(attention_residual=False, attention_norm=LayerNorm(0)),)),
        "all coordinates may be equal",
    ),
    "a score of position times position": (
        network(layers=(Layer(heads=(Head({"s": {"p": 1}}, {"q": {"p": 1}}, {"q": {"p": 1}}),)),), position="last"),
        "no integer form",
    ),
    "a fraction as score": (network("i/n", query=1), "no integer form"),
    "a mean up to i, averaged": (
        network(layers=(Layer(heads=(Head({"s": {"[w=1]": 1, "p": "1/2"}}, mask="causal"),)),
                        Layer(heads=(MEAN_OF_MEANS,))), read="t", p="1/(i + 1)"),
        "is used at row",
    ),
    "a square as condition": (network("(i*i == 4)"), "no linear condition"),
    "the remainder of a half": (network("(i/2) % 2"), "integers only"),
    "an open sign": (network(layers=(Layer(heads=(Head({"s": {"p": 1}}),), feed_forward=ABSOLUTE),), p="i*i - 7",
                             read="t"), "sign of"),
    "a parameter called like the index": (
        network(query="j", parameters=(Parameter("j", "j >= 0", 1, "natural"),)), "rename it"
    ),
    "a parameter called like a count": (
        network(query="K_1", parameters=(Parameter("K_1", "K_1 >= 0", 1, "natural"),)), "rename it"
    ),
    "a parameter called like a sum": (network(query="S1", parameters=(Parameter("S1", "S1 > 0", 1),)), "rename it"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_rule_covers_is_refused(name: str) -> None:
    construction, message = REFUSED[name]
    with pytest.raises(Underivable, match=message):
        derive(construction)


DERIVED: dict[str, Construction] = {
    "a remainder": network("(2*i + n) % 3"),
    "an alternating sign": network("(-1)**(i + n)"),
    "a power": network("2**i"),
    "a cube": network("i**3/n"),
    "a logarithm": network("log(i + 1)*n"),
    "a root": network("sqrt(i)"),
    "hyperbolic functions": network("tanh(i) - cosh(1) + sinh(i)"),
    "an early range": network("(i < 3)*i"),
    "a hole": network("(i != 2)*i"),
    "a half": network("(2*i < n)"),
    "geometric scores": network(query="c", parameters=(C,)),
    "geometric scores to the base e": network(query=1),
    "geometric scores to an irrational base": network(query="sqrt(2)"),
    "geometric scores to an irrational multiple of a parameter": network(query="c*sqrt(2)", parameters=(C,)),
    "geometric scores to a sum of multiples": network(query="c - c*sqrt(2)/3", parameters=(C,)),
    "geometric scores to the base n": network(query=1, scale="log(n)"),
    "a ratio of 1": network(query="c", parameters=(Parameter("c", "c >= 0", 0),)),
    "a ratio of 1 by two parameters": network(query="b - c", parameters=(Parameter("b", "b > 0", "log(2)"), C)),
    "falling scores": network(query="-c", parameters=(C,)),
    "leaning to one position": network("(i == 2)", query="c", parameters=(C,)),
    "a natural parameter in a condition": network("i", parameters=(Parameter("D", "D >= 0", 2, "natural"),),
                                                 query="(D == 2)"),
    "an end marker": network("i", markers=(None, "EOS"), position="last", mask="causal"),
    "two markers": network("n - i", markers=("CLS", "EOS")),
    "no marker, summed": network("0", markers=(None, None), position="sum", mask="causal"),
    "no marker, last": network("1", markers=(None, None), position="last", mask="causal"),
    "a sum inside a sum": network(layers=AGAIN, read="t"),
}  # fmt: skip


@pytest.mark.parametrize("name", DERIVED)
def test_what_is_derived_is_the_logit(name: str) -> None:
    construction = DERIVED[name]
    assert isinstance(construction.network, Encoder)
    derived = derive(construction)
    for length in range(5):
        for word in map("".join, product("01", repeat=length)):
            tokens = add_markers(construction.network, word)
            if tokens:
                got = evaluate_logit(derived, tokens, parameter_values(construction))
                assert got - run(construction, word).logit == 0, word


def truth(node: ast.expr, world: World, vocabulary: Vocabulary) -> bool:
    """A formula of which each part without quantifiers is read symbolically, a quantified one at the position j."""
    meaning = reading(vocabulary, None)
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(truth(part, world, vocabulary) for part in values)
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() as body]):
            name, _, inner = quantifier(body)
            read = fold(inner, meaning, {name: Value(Iverson.constant(j))}).value
            places = range(vocabulary.first, len(world.tokens) - int(vocabulary.end))
            return all(world.with_symbols({j: sympy.Integer(place)}).value(read) == 1 for place in places)
    return bool(world.value(fold(node, meaning).value) == 1)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_characterisation_is_read_as_membership(name: str) -> None:
    """Every word up to length 6, at depth 2 where the language has a depth."""
    language, vocabulary = load(name).language, Vocabulary.of(load(name))
    markers = int(vocabulary.begin) + int(vocabulary.end)
    depths = dict.fromkeys(vocabulary.natural, 2)
    values = {vocabulary.parameter(name): sympy.Integer(depth) for name, depth in depths.items()}
    for world in worlds(vocabulary, range(markers, markers + 7), values):
        word = "".join(language.alphabet[token] for token in world.tokens if token >= 0)
        assert truth(language.characterisation.tree, world, vocabulary) is language.member(word, **depths), word

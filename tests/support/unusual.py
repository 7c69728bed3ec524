"""Constructions that differ from an ordinary one in one respect each, for the tests of corners."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

PLAIN = Head(W_V={"s": {"1": 1, "0": -1}})


def more_ones(word: str) -> bool:
    return word.count("1") > word.count("0")


def recogniser(
    characterisation: str = "count('1') > count('0')",
    member: Callable[..., bool] | None = None,
    *,
    alphabet: Sequence[str] = ("0", "1"),
    weight: object = 1,
    head: Head | None = None,
    layers: tuple[Layer, ...] | None = None,
    PE: Mapping[str, object] | None = None,
    WE: Mapping[str, Mapping[str, object]] | None = None,
    parameters: tuple[Parameter, ...] = (),
    readout: object = "s",
    bias: object = 0,
    **network: Any,
) -> Construction:
    """More 1s than 0s by uniform attention, but for what is given. weight: of a 1, against one 0."""
    weights = {"s": {"1": weight, "0": -1}}
    begin = network.get("begin", "CLS")
    embedding = {"0": {"0": 1}, "1": {"1": 1}}
    tokens = [*alphabet, *([begin] if begin else [])]
    return Construction(
        name="unusual",
        title="a corner",
        source="a test",
        language=Language("CORNER", tuple(alphabet), member or (lambda word, **_: more_ones(word)), characterisation),
        parameters=parameters,
        network=Encoder(
            coordinates=("0", "1", "p", "C", "s"),
            embedding=Embedding(
                WE or {token: embedding.get(token, {"C": 1} if token == "CLS" else {}) for token in tokens}, PE
            ),
            layers=layers if layers is not None else (Layer(heads=(head or Head(W_V=weights),)),),
            readout=Readout(Linear({"logit": {readout: 1}}, {"logit": bias}), network.pop("position", "first")),
            **network,
        ),
    )


def contains(scale: str, parameters: tuple[Parameter, ...] = ()) -> Construction:
    """A 1 somewhere: its share has to be more than a half."""
    ones = Head(W_Q={"x": {"p": 1}}, W_K={"x": {"1": 1}}, W_V={"s": {"1": 1}}, scale=scale)
    return recogniser(
        "count('1') > 0",
        lambda word: "1" in word,
        layers=(Layer(heads=(ones,)),),
        PE={"p": 1},
        bias="-1/2",
        parameters=parameters,
    )


def is_right(construction: Construction, length: int) -> bool:
    """Whether each word of a length is decided as it should be."""
    words = map("".join, itertools.product("01", repeat=length))
    return all(run(construction, word).accepts == construction.language.member(word) for word in words)

"""No part of a network is left out without a word: a field of the schema that is changed is refused when the network is
made, or changes what every reading makes of it, or is refused by that reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pytest

import weightproof as wp
from tests.readings import OF_DECODERS, OF_ENCODERS, OF_FORMATS, OF_PAIRS, OF_RECURRENT, Readings, construction
from tests.test_choices import DECODER, ENCODER, FORMATTED, HEAD, OF_ONE_UNIT, SIMULATION, told
from weightproof.constructions.checks.networks import refuse_malformed
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import (
    Embedding,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.constructions.scalars.fixed_point import FixedPoint

# What is changed: arrangement, class and field -> the network before, and after.

[LAYER] = ENCODER.layers
NORMED = replace(LAYER, attention_norm=LayerNorm("1/3"))


def layered(layer: Layer, network: Any = ENCODER) -> Any:
    return replace(network, layers=(layer,))


def headed(network: Any = ENCODER, **changed: Any) -> Any:
    [layer] = network.layers
    return layered(replace(layer, heads=(replace(layer.heads[0], **changed),)), network)


def with_units(network: Any = ENCODER, **changed: Any) -> Any:
    [layer] = network.layers
    return layered(replace(layer, feed_forward=replace(layer.feed_forward, **changed)), network)


def embedded(network: Any = ENCODER, **changed: Any) -> Any:
    return replace(network, embedding=replace(network.embedding, **changed))


def read_out(network: Any = ENCODER, **changed: Any) -> Any:
    return replace(network, readout=replace(network.readout, **changed))


GATE = Linear({"h": {"1": 1}}, {"h": "1/2"})
GAIN = {"1": 2, "a": 1, "s": "1/2"}


def normed(network: Any, first: Any, second: Any) -> Change:
    """With the attention of the layer behind one norm, and behind another."""
    [layer] = network.layers
    before, after = (layered(replace(layer, attention_norm=norm), network) for norm in (first, second))
    return before, after


def of_norms(network: Any) -> dict[tuple[str, str], Change]:
    [layer] = network.layers
    return {
        ("LayerNorm", "gain"): normed(network, LayerNorm(1), LayerNorm(1, gain=GAIN)),
        ("LayerNorm", "bias"): normed(network, LayerNorm(1), LayerNorm(1, bias={"s": "1/3"})),
        ("RootMeanSquare", "epsilon"): normed(network, RootMeanSquare(1), RootMeanSquare(2)),
        ("RootMeanSquare", "gain"): normed(network, RootMeanSquare(1), RootMeanSquare(1, gain=GAIN)),
        ("Head", "query_norm"): (network, headed(network, query_norm=LayerNorm(1, bias={"q": -3}))),
        ("Head", "key_norm"): (network, headed(network, key_norm=RootMeanSquare(1, gain={"q": -1}))),
        ("Layer", "attention_norm_before"): (network, layered(replace(layer, attention_norm_before=BEFORE), network)),
        ("Layer", "cross_norm_before"): (network, layered(replace(layer, cross_norm_before=BEFORE), network)),
        ("Layer", "feed_forward_norm_before"): (
            network, layered(replace(layer, feed_forward_norm_before=BEFORE), network)
        ),
        (type(network).__name__, "final_norm"): (network, replace(network, final_norm=BEFORE)),
    }  # fmt: skip


def of_positions(network: Any) -> dict[tuple[str, str], Change]:
    """What heads make of positions, and the sink."""
    plain = headed(
        network,
        W_Q={"q": {"1": 1}, "r": {"a": -1}, "t": {"1": 1}},
        W_K={"q": {"a": 1}, "r": {"1": 3}, "t": {"a": 2}},
        normaliser="softmax",
    )
    turned = headed(plain, rotary=(Rotary("q", "r", 1),))
    return {
        ("Head", "rotary"): (plain, turned),
        ("Rotary", "first"): (turned, headed(plain, rotary=(Rotary("t", "r", 1),))),
        ("Rotary", "second"): (turned, headed(plain, rotary=(Rotary("q", "t", 1),))),
        ("Rotary", "angle"): (turned, headed(plain, rotary=(Rotary("q", "r", "1/2"),))),
        ("Head", "bias"): (plain, headed(plain, bias="(j - i)/2")),
        ("Head", "sees"): (plain, headed(plain, sees="i % 2 == j % 2")),
        ("Head", "sink"): (plain, headed(plain, sink=1)),
    }


BEFORE = LayerNorm(1, bias={"a": 2, "1": -1})
Change = tuple[Any, Any]
OF_HEADS = {
    "W_V": {"s": {"a": 2}},
    "W_Q": {"q": {"1": -2}},
    "W_K": {"q": {"1": 3, "a": -1}},
    "W_O": {"s": {"s": -1}},
    "scale": "1/3",
}
ENCODERS: dict[tuple[str, str], Change] = {
    **{("Head", name): (ENCODER, headed(**{name: value})) for name, value in OF_HEADS.items()},
    ("Head", "score"): (headed(W_Q={"q": {"1": 1}}), headed(W_Q={"q": {"1": 1}}, score="-|dot|")),
    ("Head", "normaliser"): (ENCODER, headed(normaliser="hardmax")),
    ("Head", "mask"): (read_out(position="last"), read_out(headed(mask="causal"), position="sum")),
    ("FeedForward", "first"): (ENCODER, with_units(first=Linear({"h": {"s": 2}}, {"h": 1}))),
    ("FeedForward", "second"): (ENCODER, with_units(second=Linear({"s": {"h": 2}}))),
    ("FeedForward", "activation"): (ENCODER, with_units(activation="square")),
    ("FeedForward", "gate"): (ENCODER, with_units(gate=GATE)),
    ("Linear", "weights"): (ENCODER, with_units(first=Linear({"h": {"s": 1, "1": 1}}, {"h": 1}))),
    ("Linear", "bias"): (ENCODER, with_units(second=Linear({"s": {"h": 1}}, {"s": 1}))),
    ("LayerNorm", "epsilon"): (layered(NORMED), layered(replace(NORMED, attention_norm=LayerNorm(1)))),
    **of_norms(ENCODER),
    **of_positions(ENCODER),
    ("Layer", "heads"): (ENCODER, layered(replace(LAYER, heads=(HEAD, HEAD)))),
    ("Layer", "feed_forward"): (ENCODER, layered(replace(LAYER, feed_forward=None))),
    ("Layer", "cross_heads"): (ENCODER, layered(replace(LAYER, cross_heads=(HEAD,)))),
    ("Layer", "attention_residual"): (
        embedded(PE={"s": "1/2"}), layered(replace(LAYER, attention_residual=False), embedded(PE={"s": "1/2"}))
    ),
    ("Layer", "cross_residual"): (ENCODER, layered(replace(LAYER, cross_residual=False))),
    ("Layer", "feed_forward_residual"): (ENCODER, layered(replace(LAYER, feed_forward_residual=False))),
    ("Layer", "attention_norm"): (ENCODER, layered(NORMED)),
    ("Layer", "cross_norm"): (ENCODER, layered(replace(LAYER, cross_norm=LayerNorm(1)))),
    ("Layer", "feed_forward_norm"): (ENCODER, layered(replace(LAYER, feed_forward_norm=LayerNorm(1)))),
    ("Readout", "W"): (ENCODER, read_out(W=Linear({"logit": {"s": 1, "1": 1}}))),
    ("Readout", "position"): (embedded(PE={"s": "i"}), read_out(embedded(PE={"s": "i"}), position="last")),
    ("Readout", "accept"): (ENCODER, read_out(accept="logit = 0")),
    ("Embedding", "WE"): (ENCODER, embedded(WE={**ENCODER.embedding.WE, "1": {"1": 1, "a": 2}})),
    ("Embedding", "PE"): (ENCODER, embedded(PE={"s": "1/2"})),
    ("Encoder", "coordinates"): (ENCODER, replace(ENCODER, coordinates=("1", "a", "s", "t"))),
    ("Encoder", "embedding"): (ENCODER, embedded(PE={"a": "1"})),
    ("Encoder", "layers"): (ENCODER, replace(ENCODER, layers=(LAYER, LAYER))),
    ("Encoder", "readout"): (ENCODER, read_out(W=Linear({"logit": {"s": 1}}, {"logit": "-1/4"}))),
    ("Encoder", "begin"): (ENCODER, replace(ENCODER, begin=None)),
    ("Encoder", "end"): (ENCODER, replace(ENCODER, end="CLS")),
}  # fmt: skip
OF_LAYERS = {name for name in ENCODERS if name[0] in ("Head", "FeedForward", "Linear", "LayerNorm", "Layer")}
UNNORMED = {"attention_norm": LayerNorm(1), "feed_forward_norm": LayerNorm(1), "cross_norm": LayerNorm(1)}


def of_steps(network: Any) -> dict[tuple[str, str], Change]:
    """Changes of the one layer of a decoder."""
    [layer] = network.layers
    cut = dict.fromkeys(("attention_residual", "cross_residual", "feed_forward_residual"), False)
    kept = embedded(network, PE={"s": "1/2"})
    return {
        **{("Head", name): (network, headed(network, **{name: value})) for name, value in OF_HEADS.items()},
        ("Head", "scale"): (network, headed(network, scale=-1)),
        ("Head", "score"): (network, headed(network, score="-|dot|")),
        ("Head", "normaliser"): (network, headed(network, normaliser="softmax")),
        ("Head", "mask"): (network, headed(network, mask="none")),
        ("FeedForward", "first"): (network, with_units(network, first=Linear({"h": {"s": 2}}, {"h": 1}))),
        ("FeedForward", "second"): (network, with_units(network, second=Linear({"s": {"h": 2}}))),
        ("FeedForward", "activation"): (network, with_units(network, activation="step")),
        ("FeedForward", "gate"): (network, with_units(network, gate=GATE)),
        ("Linear", "weights"): (network, with_units(network, first=Linear({"h": {"s": 1, "1": 1}}, {"h": 1}))),
        ("Linear", "bias"): (network, with_units(network, second=Linear({"s": {"h": 1}}, {"s": 1}))),
        ("LayerNorm", "epsilon"): tuple(
            layered(replace(layer, attention_norm=LayerNorm(epsilon)), network) for epsilon in (1, 2)
        ),
        **of_norms(network),
        **of_positions(network),
        ("Layer", "heads"): (network, layered(replace(layer, heads=layer.heads * 2), network)),
        ("Layer", "feed_forward"): (network, layered(replace(layer, feed_forward=None), network)),
        ("Layer", "cross_heads"): (network, layered(replace(layer, cross_heads=layer.heads), network)),
        **{
            ("Layer", name): (kept, layered(replace(layer, **{name: value}), kept))
            for name, value in {**cut, **UNNORMED}.items()
        },
        ("Readout", "W"): (network, read_out(network, W=Linear({"0": {"s": 2}, "!": {"1": 3}}))),
        ("Readout", "position"): (network, read_out(network, position="first")),
        ("Readout", "accept"): (network, read_out(network, accept="argmin")),
        ("Embedding", "WE"): (network, embedded(network, WE={**network.embedding.WE, "1": {"1": 1, "a": 2}})),
        ("Embedding", "PE"): (network, kept),
        ("Decoder", "coordinates"): (network, replace(network, coordinates=("1", "a", "s", "t"))),
        ("Decoder", "embedding"): (network, embedded(network, PE={"a": "1"})),
        ("Decoder", "layers"): (network, replace(network, layers=(layer, layer))),
        ("Decoder", "readout"): (network, read_out(network, W=Linear({"0": {"s": 1}, "!": {"1": 2}}))),
        ("Decoder", "stop"): (
            network,
            replace(network, stop=None, readout=Readout(Linear({"0": {"s": 1}, "1": {"1": 3}}), "last", "argmax")),
        ),
        ("Decoder", "begin"): (network, replace(network, begin="0")),
        ("Decoder", "table"): (network, replace(network, table=[{"s": 2}] * 9)),
        ("Decoder", "arithmetic"): (network, replace(network, arithmetic=FixedPoint(3, 1))),
    }


PAIR = SIMULATION.network
[STEP] = PAIR.layers
[CROSS] = STEP.cross_heads


def crossing(**changed: Any) -> wp.EncoderDecoder:
    return replace(PAIR, layers=(replace(STEP, cross_heads=(replace(CROSS, **changed),)),))


def stepping(**changed: Any) -> wp.EncoderDecoder:
    return replace(PAIR, layers=(replace(STEP, **changed),))


OWN_OF_H = Head(W_V={"h": {"h": 1, "1": 1}}, normaliser="hardmax", scale=1)
OWN = Head(W_V={"h": {"1": 1}}, normaliser="hardmax", scale=1)
BOTH = {"q": {"1": 1}, "r": {"1": 2}}
OWN_SOFT = stepping(heads=(Head(W_V={"h": {"h": 1, "1": 1}}, W_Q=BOTH, W_K=BOTH, scale=1),))
IN_STEP = STEP.feed_forward
assert IN_STEP is not None
THIRDS = {"a": {"x": "1/3"}, "#": {}, "$": {}}
PAIRS: dict[tuple[str, str], Change] = {
    ("Head", "W_V"): (PAIR, crossing(W_V={"x x": {"x": 2}})),
    ("Head", "W_Q"): (PAIR, crossing(W_Q={"q1": {"t": 1}, "q2": {"1": 0}})),
    ("Head", "W_K"): (PAIR, crossing(W_K={"q1": {"1": -1}, "q2": {"1": 1}})),
    ("Head", "W_O"): (PAIR, crossing(W_V={"v": {"x": 1}}, W_O={"x x": {"v": "1/3"}})),
    ("Head", "score"): (PAIR, crossing(score="dot")),
    ("Head", "scale"): (PAIR, crossing(scale=-1)),
    ("Head", "normaliser"): (PAIR, crossing(normaliser="softmax")),
    ("Head", "mask"): (PAIR, crossing(mask="causal", scale=-1)),
    ("FeedForward", "first"): (PAIR, stepping(feed_forward=replace(IN_STEP, first=Linear(IN_STEP.first.weights)))),
    ("FeedForward", "second"): (PAIR, stepping(feed_forward=replace(IN_STEP, second=Linear({"h": {"new h": 1}})))),
    ("FeedForward", "activation"): (PAIR, stepping(feed_forward=replace(IN_STEP, activation="step"))),
    ("FeedForward", "gate"): (PAIR, stepping(feed_forward=replace(IN_STEP, gate=IN_STEP.first))),
    ("Layer", "heads"): (PAIR, stepping(heads=(OWN,))),
    ("Layer", "cross_heads"): (PAIR, stepping(cross_heads=(CROSS, CROSS))),
    ("Layer", "feed_forward"): (PAIR, stepping(feed_forward=None)),
    ("Layer", "attention_residual"): (PAIR, stepping(attention_residual=False)),
    ("Layer", "cross_residual"): (PAIR, stepping(cross_residual=False)),
    ("Layer", "feed_forward_residual"): (PAIR, stepping(feed_forward_residual=False)),
    ("Layer", "attention_norm"): (PAIR, stepping(attention_norm=LayerNorm(1))),
    ("Layer", "attention_norm_before"): (
        stepping(heads=(OWN_OF_H,)), stepping(heads=(OWN_OF_H,), attention_norm_before=LayerNorm(1))
    ),
    ("Layer", "cross_norm_before"): (PAIR, stepping(cross_norm_before=LayerNorm(1, bias={"t": 9}))),
    ("Layer", "feed_forward_norm_before"): (PAIR, stepping(feed_forward_norm_before=LayerNorm(1))),
    ("Head", "rotary"): (OWN_SOFT, headed(OWN_SOFT, rotary=(Rotary("q", "r", 1),))),
    ("Head", "bias"): (OWN_SOFT, headed(OWN_SOFT, bias="j - i")),
    ("Head", "sees"): (OWN_SOFT, headed(OWN_SOFT, sees="i == j")),
    ("Head", "sink"): (OWN_SOFT, headed(OWN_SOFT, sink=1)),
    ("Head", "query_norm"): (PAIR, crossing(query_norm=LayerNorm(1, bias={"q1": 9}))),
    ("Head", "key_norm"): (PAIR, crossing(key_norm=LayerNorm(1, bias={"q1": 2}))),
    ("Layer", "cross_norm"): (PAIR, stepping(cross_norm=LayerNorm(1))),
    ("Layer", "feed_forward_norm"): (PAIR, stepping(feed_forward_norm=LayerNorm(1))),
    ("EncoderDecoder", "encoder"): (PAIR, replace(PAIR, encoder=embedded(PAIR.encoder, WE=THIRDS))),
    ("EncoderDecoder", "coordinates"): (PAIR, replace(PAIR, coordinates=(*PAIR.coordinates, "more"))),
    ("EncoderDecoder", "seed"): (PAIR, replace(PAIR, seed={"h": "1/2"})),
    ("EncoderDecoder", "PE"): (PAIR, replace(PAIR, PE={"t": "i + 1", "1": 1})),
    ("EncoderDecoder", "layers"): (PAIR, replace(PAIR, layers=(STEP, STEP))),
    ("EncoderDecoder", "feedback"): (PAIR, replace(PAIR, feedback=Linear({"h": {"h": "1/2"}}))),
    ("EncoderDecoder", "readout"): (PAIR, replace(PAIR, readout=Readout(Linear({"logit": {"h": 1}})))),
}  # fmt: skip
RECURRENT: dict[tuple[str, str], Callable[[], Any]] = {
    ("RNN", "name"): lambda: replace(OF_ONE_UNIT, name=""),
    ("RNN", "alphabet"): lambda: replace(OF_ONE_UNIT, alphabet=("b",)),
    ("RNN", "units"): lambda: replace(OF_ONE_UNIT, units=("g",)),
    ("RNN", "inputs"): lambda: replace(OF_ONE_UNIT, inputs=("y",)),
    ("RNN", "embedding"): lambda: replace(OF_ONE_UNIT, embedding=Embedding({"a": {"x": 1}})),
    ("RNN", "W_h"): lambda: replace(OF_ONE_UNIT, W_h=Linear({"h": {"h": "1/3"}})),
    ("RNN", "W_x"): lambda: replace(OF_ONE_UNIT, W_x=Linear({"h": {"x": 1}}, {"h": "1/4"})),
    ("RNN", "numbers"): lambda: replace(OF_ONE_UNIT, numbers=("n",)),
    ("RNN", "fractions"): lambda: replace(OF_ONE_UNIT, fractions=("u",)),
    ("Linear", "bias"): lambda: replace(OF_ONE_UNIT, W_h=Linear({"h": {"h": "1/2"}}, {"h": "1/4"})),
    ("Embedding", "PE"): lambda: replace(OF_ONE_UNIT, embedding=Embedding({"a": {"x": "1/2"}}, {"x": "i"})),
}
UNREAD = {
    ("encoder", "Readout", "accept", "bound on rounding"),  # which is of the logit, whatever is decided by it
    *(("encoder", kind, field, "ONNX") for kind, field in (
        ("Embedding", "WE"), ("Embedding", "PE"), ("Encoder", "embedding"), ("Encoder", "begin"), ("Encoder", "end"),
        ("Encoder", "readout"), ("Readout", "W"), ("Readout", "accept"), ("Readout", "position"),
    )),  # of which layers alone are written without its package
    # A coordinate that nothing writes or reads is 0 everywhere, and changes nothing but the width.
    *(("encoder", "Encoder", "coordinates", reading) for reading in OF_ENCODERS),
    *(("decoder", "Decoder", "coordinates", reading) for reading in OF_DECODERS),
    *(("formatted", "Decoder", "coordinates", reading) for reading in OF_FORMATS),
    *(("pair", "EncoderDecoder", "coordinates", reading) for reading in OF_PAIRS),
    # Which nothing runs: a simulation with one is refused.
    *(("pair", "EncoderDecoder", "readout", reading) for reading in OF_PAIRS),
    # The one step in front of the first has no other place in what is derived of a step.
    ("pair", "EncoderDecoder", "seed", "derivation"),
}  # fmt: skip
CHANGES: dict[str, tuple[dict[tuple[str, str], Change], Readings]] = {
    "encoder": (ENCODERS, OF_ENCODERS),
    "decoder": (of_steps(DECODER), OF_DECODERS),
    "formatted": (of_steps(FORMATTED), OF_FORMATS),
    "pair": (PAIRS, OF_PAIRS),
}
GRID = [(arrangement, reading) for arrangement, (_, readings) in CHANGES.items() for reading in readings]
QUICK = ("interpreter", "ONNX", "python", "JSON", "show", "appendix", "Coq")
"""Readings, each of which takes a few seconds for all fields together."""


def made(network: Any, arrangement: str) -> Any:
    """ConstructionError where it is refused."""
    if arrangement != "pair":
        return construction(network)
    refuse_malformed("tried", network, ("a",), ())
    return network


@pytest.mark.parametrize(
    ("arrangement", "reading"),
    [each if each[-1] in QUICK else pytest.param(*each, marks=pytest.mark.controls) for each in GRID],
)
def test_every_field_is_read_or_refused(arrangement: str, reading: str, tmp_path: Path) -> None:
    """Two networks that differ in one field are not the same to a reading."""
    changes, readings = CHANGES[arrangement]
    assert any((arrangement, *place, reading) not in UNREAD for place in changes)
    unread = [
        place
        for place, pair in changes.items()
        if (arrangement, *place, reading) not in UNREAD
        and _is_unread(pair, arrangement, readings[reading], tmp_path / "-".join(place))
    ]
    assert unread == []


@pytest.mark.parametrize(
    ("arrangement", "reading"),
    [each if each[-1] in QUICK else pytest.param(*each, marks=pytest.mark.controls) for each in GRID],
)
def test_what_heads_make_of_positions_is_read_or_refused_by_name(
    arrangement: str, reading: str, tmp_path: Path
) -> None:
    changes, readings = CHANGES[arrangement]
    for name, called in POSITIONED.items():
        (folder := tmp_path / name).mkdir()
        read, given = readings[reading], made(changes["Head", name][1], arrangement)
        more = (folder,) if "tmp_path" in signature(read).parameters else ()
        found = told(lambda read=read, given=given, more=more: read(given, *more))  # type: ignore[misc]
        assert not found.startswith("refused: ") or (called in found and "\n" not in found), found


POSITIONED = {
    "rotary": "rotary positions",
    "bias": "a bias of scores",
    "sees": "a formula of what is seen",
    "sink": "a sink",
}


OF_HEADS_BY_NAME: dict[str, tuple[str, ...]] = {
    "mask": get_args(schema.Mask),
    "normaliser": get_args(schema.Normaliser),
}


READ_MOSTLY = ("none", "causal", "softmax", "hardmax")
"""Names that no reading refuses as such; here it may refuse for what else the head has."""


@pytest.mark.parametrize("field", OF_HEADS_BY_NAME)
@pytest.mark.parametrize("reading", OF_ENCODERS)
def test_a_mask_or_a_normaliser_is_read_as_no_other_one(field: str, reading: str, tmp_path: Path) -> None:
    """Of a head of which every position is read: what a reading makes of one name it makes of no other; or it refuses
    one of the two, by name."""
    read, found = OF_ENCODERS[reading], dict[str, str]()
    for name in OF_HEADS_BY_NAME[field]:
        own = {"mask": "causal", "normaliser": "rightmost"} | {field: name}
        placed = headed(embedded(PE={"s": "i"}), W_V={"s": {"a": 3, "s": 1}}, **own)
        given = construction(read_out(placed, position="sum"))
        (folder := tmp_path / name).mkdir()
        more = (folder,) if "tmp_path" in signature(read).parameters else ()
        said = told(lambda given=given, more=more: read(given, *more))  # type: ignore[misc]
        if said.startswith("refused: "):
            assert any(each in said for each in own.values()) or name in READ_MOSTLY, said
            assert "\n" not in said
        else:
            found[name] = said
    assert len({*found.values()}) == len(found)


def _is_unread(pair: Change, arrangement: str, read: Callable[..., Any], folder: Path) -> bool:
    first, second = pair
    try:
        other = made(second, arrangement)
    except ConstructionError:
        return False
    found = []
    for number, given in enumerate((made(first, arrangement), other)):
        into = folder / str(number)
        into.mkdir(parents=True)
        more = (into,) if "tmp_path" in signature(read).parameters else ()
        found.append(told(lambda given=given, more=more: read(given, *more)))
    return found[0] == found[1] and not found[0].startswith("refused: ")


@pytest.mark.parametrize(("kind", "field"), RECURRENT)
def test_a_field_of_a_recurrent_network_is_read_or_refused(kind: str, field: str) -> None:
    try:
        changed = RECURRENT[kind, field]()
    except ConstructionError:
        return
    for read in OF_RECURRENT.values():
        assert told(lambda read=read: read(changed)) != told(lambda read=read: read(OF_ONE_UNIT))


def test_no_field_is_left_out() -> None:
    """Of the three arrangements, and of their parts."""
    every = {
        (kind.__name__, field.name)
        for kind in vars(schema).values()
        if isinstance(kind, type) and kind.__module__ == schema.__name__ and is_dataclass(kind)
        for field in fields(kind)
    }
    asked = set().union(*(changes for changes, _ in CHANGES.values()))
    assert asked == every
    assert {field for _, field in RECURRENT if _ == "RNN"} == {field.name for field in fields(wp.RNN)}
    assert set(ENCODERS) >= {each for each in every if each[0] not in ("Decoder", "EncoderDecoder")}
    assert set(CHANGES["decoder"][0]) >= {each for each in every if each[0] not in ("Encoder", "EncoderDecoder")}

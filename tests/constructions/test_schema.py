"""Malformed constructions are refused when they are built, in one line that names the place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.constructions.library import BUILT_IN, load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
)
from weightproof.constructions.scalars.expressions import Expression, entries

STARTS_WITH_A = Language("STARTS", ("a", "b"), lambda word: word[:1] == "a", "w[1] == 'a'")
EMBEDDING = Embedding(
    WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "CLS": {"[CLS]": 1}, "EOS": {}}, PE={"[i=1]": "(i == 1)", "i/n": "i/n"}
)
HEAD = Head(
    W_Q={"q": {"[CLS]": "c*sqrt(d)"}}, W_K={"q": {"[i=1]": 1}}, W_V={"v": {"[a]": 1}}, W_O={"sum": {"v": "1/2"}}
)
FEED_FORWARD = FeedForward(Linear({"h": {"sum": 1, "[a]": -1}}, {"h": "1/3"}), Linear({"sum": {"h": 2}}, {"sum": "-c"}))
LAYER = Layer((HEAD,), FEED_FORWARD, attention_norm=LayerNorm("1/100000"), feed_forward_norm=LayerNorm())
READOUT = Readout(Linear({"logit": {"sum": 1}}, {"logit": "-1/2"}))
NETWORK = Encoder(("[a]", "[b]", "[CLS]", "[i=1]", "i/n", "sum"), EMBEDDING, (LAYER,), READOUT, end="EOS")
VALID = Construction("tiny", "a tiny one", "here", STARTS_WITH_A, NETWORK, (Parameter("c", "c > 0", "1/2"),))

Build = Callable[[], Construction]


def construction(**parts: Any) -> Construction:
    return dataclasses.replace(VALID, **parts)


def language(**parts: Any) -> Construction:
    return construction(language=dataclasses.replace(STARTS_WITH_A, **parts))


def network(**parts: Any) -> Construction:
    return construction(network=dataclasses.replace(NETWORK, **parts))


def embedding(**parts: Any) -> Construction:
    return network(embedding=dataclasses.replace(EMBEDDING, **parts))


def layer(**parts: Any) -> Construction:
    return network(layers=(Layer(), dataclasses.replace(LAYER, **parts)))


def head(**parts: Any) -> Construction:
    return layer(heads=(HEAD, dataclasses.replace(HEAD, **parts)))


def feed_forward(**parts: Any) -> Construction:
    return layer(feed_forward=dataclasses.replace(FEED_FORWARD, **parts))


def readout(**parts: Any) -> Construction:
    return network(readout=dataclasses.replace(READOUT, **parts))


def parameter(*arguments: Any, **keywords: Any) -> Construction:
    return construction(parameters=(*VALID.parameters, Parameter(*arguments, **keywords)))


WE = EMBEDDING.WE
CAUSAL = Head(W_V={"sum": {"[a]": 1}}, mask="causal")


def decoder(**parts: Any) -> Construction:
    tokens = Readout(Linear({"a": {"sum": 1}, "EOS": {"[a]": 1}}), position="last", accept="argmax")
    base = Decoder(NETWORK.coordinates, EMBEDDING, (Layer((CAUSAL,)),), tokens, stop="EOS", begin="CLS")
    return construction(network=dataclasses.replace(base, **parts))


def encoder_decoder(**parts: Any) -> Construction:
    base = EncoderDecoder(
        encoder=NETWORK,
        coordinates=("y", "halt"),
        seed={"y": 1},
        PE={"y": "1/(i + 1)"},
        layers=(
            Layer(
                cross_heads=(
                    Head(W_V={"y": {"[a]": 1}}, W_Q={"q": {"y": 1}}, W_K={"q": {"i/n": 1}}, score="-|dot|", scale=1),
                ),
                feed_forward=FeedForward(Linear({"h": {"y": 1}}), Linear({"halt": {"h": 1}}), "saturated-linear"),
            ),
        ),
        feedback=Linear({"y": {"y": 1}}),
        readout=Readout(Linear({"a": {"halt": 1}, "b": {"y": 1}}), position="last", accept="argmax"),
    )
    return construction(network=dataclasses.replace(base, **parts))


REFUSED: dict[str, tuple[Build, tuple[str, ...]]] = {
    # what stands where: construction, layer, part, coordinate
    "no name": (lambda: construction(name=""), ("needs a name",)),
    "name of two lines": (lambda: construction(name="a\nb"), ("needs a name",)),
    "name of another type": (lambda: construction(name=5), ("needs a name", "5")),
    "unknown coordinate in WE": (
        lambda: embedding(WE={**WE, "a": {"[A]": 1}}),
        ("tiny: embedding WE, token 'a'", "coordinate '[A]'", "did you mean '[a]'?"),
    ),
    "unknown coordinate in PE": (
        lambda: embedding(PE={"i/m": "i/n"}),
        ("embedding PE", "coordinate 'i/m'", "did you mean 'i/n'?"),
    ),
    "unknown coordinate, nothing like it": (
        lambda: embedding(PE={"zzz": 1}),
        ("coordinate 'zzz'", "there are '[a]', '[b]', '[CLS]'"),
    ),
    "unknown coordinate in W_Q": (
        lambda: head(W_Q={"q": {"[cls]": 1}}),
        ("layer 2, head 2, W_Q, row 'q'", "'[cls]'", "did you mean '[CLS]'?"),
    ),
    "wrong row of W_V": (
        lambda: head(W_V={"summ": {"[a]": 1}}, W_O=None),
        ("layer 2, head 2, W_V", "row 'summ'", "did you mean 'sum'?"),
    ),
    "wrong row of W_O": (lambda: head(W_O={"total": {"v": 1}}), ("layer 2, head 2, W_O", "row 'total'")),
    "wrong column of W_O": (lambda: head(W_O={"sum": {"u": 1}}), ("layer 2, head 2, W_O, row 'sum'", "'u'")),
    "W_Q without W_K": (lambda: head(W_K={}), ("layer 2, head 2", "W_Q and W_K", "(q)")),
    "W_Q and W_K with different rows": (lambda: head(W_K={"k": {"[a]": 1}}), ("W_Q and W_K", "(k, q)")),
    "unknown coordinate of the first map": (
        lambda: feed_forward(first=Linear({"h": {"sums": 1}})),
        ("layer 2, feed-forward network, first map, row 'h'", "'sums'", "did you mean 'sum'?"),
    ),
    "wrong row of the second map": (
        lambda: feed_forward(second=Linear({"out": {"h": 1}})),
        ("layer 2, feed-forward network, second map", "row 'out'"),
    ),
    "unknown coordinate in the gate": (
        lambda: feed_forward(gate=Linear({"h": {"sums": 1}})),
        ("layer 2, feed-forward network, gate, row 'h'", "'sums'", "did you mean 'sum'?"),
    ),
    "a gate without a row": (
        lambda: feed_forward(gate=Linear()),
        ("layer 2, feed-forward network", "the gate has no row 'h'", "the same rows"),
    ),
    "a gate with a row more": (
        lambda: feed_forward(gate=Linear({"h": {"sum": 1}}, {"g": 1})),
        ("layer 2, feed-forward network", "the first map has no row 'g'", "the same rows"),
    ),
    "no gate": (lambda: feed_forward(gate="relu"), ("layer 2, feed-forward network, gate", "'relu' is no Linear")),
    "unknown coordinate in the readout": (
        lambda: readout(W=Linear({"logit": {"s": 1}})),
        ("readout, row 'logit'", "'s'"),
    ),
    "no row in the readout": (lambda: readout(W=Linear()), ("readout", "one output row 'logit', not none")),
    "a row that is no token": (
        lambda: readout(W=Linear({"z": {"sum": 1}}), accept="argmax"),
        ("readout", "row 'z'", "there are 'a', 'b'"),
    ),
    # scalars
    "float weight": (
        lambda: head(W_V={"v": {"[a]": 0.5}}),
        ("layer 2, head 2, W_V, row 'v', coordinate '[a]'", "0.5 is a float", "write '1/2'"),
    ),
    "NaN": (lambda: embedding(PE={"i/n": float("nan")}), ("embedding PE, coordinate 'i/n'", "nan", "no place")),
    "bool": (lambda: readout(W=Linear({"logit": {"sum": True}})), ("readout, row 'logit', coordinate 'sum'", "bool")),
    "unreadable weight": (
        lambda: feed_forward(first=Linear({}, {"h": "1 +"})),
        ("layer 2, feed-forward network, first map, bias, coordinate 'h'", "cannot read '1 +'"),
    ),
    "unreadable Expression": (lambda: layer(attention_norm=LayerNorm(Expression("1 +"))), ("layer 2, attention_norm",)),
    "unknown name": (
        lambda: head(W_Q={"q": {"[CLS]": "b"}}),
        ("layer 2, head 2, W_Q, row 'q', coordinate '[CLS]'", "uses b", "only c, d"),
    ),
    "position in a weight": (lambda: head(W_K={"q": {"[a]": "i"}}), ("W_K, row 'q', coordinate '[a]'", "uses i")),
    "length in a weight": (lambda: feed_forward(first=Linear({"h": {"sum": "n"}})), ("first map, row 'h'", "uses n")),
    "position in a scale": (lambda: head(scale="1/i"), ("layer 2, head 2, scale", "uses i")),
    "count in a weight": (
        lambda: embedding(PE={"i/n": "count('a')"}),
        ("embedding PE, coordinate 'i/n'", "speaks of the word"),
    ),
    "token in a weight": (lambda: head(scale="(w[1] == 'a')"), ("layer 2, head 2, scale", "speaks of the word")),
    "quantifier in a weight": (
        lambda: readout(W=Linear({"logit": {}}, {"logit": "all(j > 1 for j in positions)"})),
        ("readout, bias, coordinate 'logit'", "speaks of the word"),
    ),
    "epsilon": (lambda: layer(feed_forward_norm=LayerNorm("n")), ("layer 2, feed_forward_norm, epsilon", "uses n")),
    "a norm that is none": (
        lambda: layer(attention_norm="layer"),
        ("layer 2, attention_norm", "is no LayerNorm"),
    ),
    "negative epsilon": (
        lambda: layer(feed_forward_norm_before=RootMeanSquare("-1")),
        ("layer 2, feed_forward_norm_before", "epsilon -1 is negative"),
    ),
    "gain of no coordinate": (
        lambda: layer(attention_norm_before=RootMeanSquare(1, gain={"summ": 1})),
        ("layer 2, attention_norm_before, gain: coordinate 'summ'", "did you mean 'sum'?"),
    ),
    "bias of no coordinate": (
        lambda: network(final_norm=LayerNorm(1, bias={"x": 1})),
        ("final_norm, bias: coordinate 'x'",),
    ),
    "gain of no score coordinate": (
        lambda: head(key_norm=RootMeanSquare(1, gain={"sum": 1})),
        ("layer 2, head 2, key_norm, gain", "'sum'"),
    ),
    "position in a gain": (
        lambda: layer(attention_norm=LayerNorm(1, gain={"sum": "i"})),
        ("layer 2, attention_norm, gain, coordinate 'sum'", "uses i"),
    ),
    "norm of no queries": (
        lambda: head(W_Q={}, W_K={}, query_norm=LayerNorm(1)),
        ("layer 2, head 2, query_norm", "no score coordinates"),
    ),
    "norm before no heads": (
        lambda: layer(heads=(), attention_norm_before=LayerNorm(1)),
        ("layer 2", "a norm before heads that are not there"),
    ),
    "norm before no cross heads": (
        lambda: layer(cross_norm_before=LayerNorm(1)),
        ("layer 2", "a norm before cross heads that are not there"),
    ),
    "norm before no network": (
        lambda: layer(feed_forward=None, feed_forward_norm=None, feed_forward_norm_before=LayerNorm(1)),
        ("layer 2", "a norm before a feed-forward network that is not there"),
    ),
    # tokens
    "missing embedding": (
        lambda: embedding(WE={name: row for name, row in WE.items() if name != "b"}),
        ("embedding WE", "token 'b' has no embedding"),
    ),
    "missing marker": (lambda: network(end="END"), ("embedding WE", "token 'EOS'", "there are 'a', 'b', 'CLS', 'END'")),
    "unknown token": (lambda: embedding(WE={**WE, "c": {}}), ("embedding WE", "token 'c'")),
    "marker in the alphabet": (lambda: network(begin="a"), ("marker 'a'", "alphabet")),
    "empty marker": (lambda: network(begin=""), ("marker ''",)),
    "repeated symbol": (lambda: language(alphabet=("a", "a")), ("language STARTS", "repeats a symbol")),
    "empty alphabet": (lambda: language(alphabet=()), ("language STARTS", "empty")),
    "long symbol": (lambda: language(alphabet=("a", "bb")), ("language STARTS", "single characters", "'bb'")),
    "characterisation of another alphabet": (
        lambda: language(characterisation="count('1') == 1"),
        ("language STARTS, characterisation", "'1'", "no symbol of the alphabet"),
    ),
    "unknown name in the characterisation": (
        lambda: language(characterisation="count('a') == k"),
        ("language STARTS, characterisation", "uses k"),
    ),
    "coordinate twice": (lambda: network(coordinates=("[a]", "[a]")), ("coordinates", "'[a]' stands twice")),
    "no coordinate": (lambda: network(coordinates=()), ("coordinates", "at least one")),
    # choices
    "score": (lambda: head(score="cosine"), ("layer 2, head 2", "score 'cosine'", "dot, -|dot|")),
    "normaliser": (
        lambda: head(normaliser="max"),
        ("layer 2, head 2", "normaliser 'max'", "softmax, hardmax, leftmost, rightmost"),
    ),
    "mask": (lambda: head(mask="past"), ("layer 2, head 2", "mask 'past'", "none, causal, strictly-causal")),
    "activation": (
        lambda: feed_forward(activation="swirl"),
        ("layer 2, feed-forward", "'swirl'", "relu, saturated-linear"),
    ),
    "position": (lambda: readout(position="middle"), ("readout", "'middle'", "first, last, sum")),
    "acceptance": (lambda: readout(accept="logit != 0"), ("readout", "'logit != 0'")),
    # parameters
    "reserved name": (lambda: parameter("n", "n > 0", 1), ("parameter n", "reserved")),
    "name of a function": (lambda: parameter("sqrt", "sqrt > 0", 1), ("parameter sqrt", "reserved")),
    "repeated name": (lambda: parameter("c", "c > 0", 1), ("parameter c", "repeated")),
    "no identifier": (lambda: parameter("c d", "c > 0", 1), ("parameter c d", "no identifier")),
    "keyword": (lambda: parameter("lambda", "lambda > 0", 1), ("parameter lambda, domain",)),
    "private": (lambda: parameter("_c", "_c > 0", 1), ("parameter _c, domain",)),
    "upper bound": (lambda: parameter("e", "e < 1", 0), ("parameter e", "no bound from below", "'e > 0'")),
    "domain of another": (lambda: parameter("e", "c > 1", 2), ("parameter e, domain", "uses c")),
    "bound by itself": (lambda: parameter("e", "e > e - 1", 0), ("parameter e", "no bound from below")),
    "two bounds": (lambda: parameter("e", "e > 0 and e < 1", "1/2"), ("parameter e", "no bound from below")),
    "open default": (lambda: parameter("e", "e > 0", "c"), ("parameter e, default", "uses c")),
    "default outside": (lambda: parameter("e", "e > 0", -1), ("tiny: parameter e = -1", "outside its domain e > 0")),
    "default without value": (lambda: parameter("e", "e > 0", "1/0"), ("tiny: parameter e", "zero")),
    "unnatural": (lambda: parameter("D", "D >= 0", "1/2", kind="natural"), ("parameter D = 1/2", "no natural number")),
    "kind": (lambda: parameter("e", "e > 0", 1, kind="integer"), ("parameter e", "'integer'", "real, natural")),
    # arrangements
    "no network": (lambda: construction(network=LAYER), ("network", "no Encoder, Decoder or EncoderDecoder")),
    "cross heads in an encoder": (lambda: layer(cross_heads=(HEAD,)), ("layer 2", "cross heads", "encoder")),
    "norm after nothing": (lambda: layer(feed_forward=None), ("layer 2", "norm", "not there")),
    "cut after nothing": (
        lambda: layer(feed_forward=None, feed_forward_norm=None, feed_forward_residual=False),
        ("layer 2", "cut residual", "not there"),
    ),
    "norm after no cross heads": (lambda: layer(cross_norm=LayerNorm()), ("layer 2", "cross heads", "not there")),
    "decoder without causal mask": (lambda: decoder(layers=(Layer((HEAD,)),)), ("layer 1", "causal")),
    "cross heads in a decoder": (lambda: decoder(layers=(Layer((), cross_heads=(HEAD,)),)), ("layer 1", "cross heads")),
    "decoder that recognises": (lambda: decoder(readout=READOUT), ("readout", "row 'logit'", "'EOS'")),
    "decoder that never stops": (
        lambda: decoder(readout=Readout(Linear({"a": {"sum": 1}}), "last", accept="argmax")),
        ("readout", "no row 'EOS'", "never stops"),
    ),
    "decoder that is read elsewhere": (
        lambda: decoder(readout=Readout(Linear({"a": {"sum": 1}, "EOS": {}}), "first", accept="argmax")),
        ("readout", "read at the last position, not 'first'"),
    ),
    "encoder-decoder, seed": (lambda: encoder_decoder(seed={"x": 1}), ("decoder, seed", "'x'")),
    "encoder-decoder, PE": (lambda: encoder_decoder(PE={"y": "n"}), ("decoder, PE, coordinate 'y'", "uses n")),
    "encoder-decoder, feedback": (
        lambda: encoder_decoder(feedback=Linear({"y": {"x": 1}})),
        ("feedback, row 'y'", "'x'"),
    ),
    "encoder-decoder, heads": (
        lambda: encoder_decoder(layers=(Layer(cross_heads=(Head(W_V={"y": {"halt": 1}}),)),)),
        ("decoder layer 1, cross head 1, W_V, row 'y'", "'halt'"),
    ),
    "encoder-decoder, encoder": (lambda: encoder_decoder(encoder=None), ("encoder is None", "Encoder")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_that_names_the_place(case: str) -> None:
    build, fragments = REFUSED[case]
    with pytest.raises(ConstructionError) as caught:
        build()
    message = str(caught.value)
    assert [fragment for fragment in fragments if fragment not in message] == [], message
    assert len(message.splitlines()) == 1
    assert fragments[0] == "needs a name" or message.startswith("tiny: ")


def test_what_is_well_formed_is_built() -> None:
    """The parts that the table above breaks are whole before."""
    assert [build().name for build in (construction, decoder, encoder_decoder, layer, head)] == ["tiny"] * 5


def expressible() -> Iterator[Construction]:
    """What the sources need beyond the built-in constructions."""
    yield decoder(layers=(Layer((dataclasses.replace(CAUSAL, normaliser="hardmax"),), attention_residual=False),))
    yield encoder_decoder()
    cut = Layer((CAUSAL_Y,), cross_heads=(CROSS,), cross_residual=False, cross_norm=LayerNorm())
    yield encoder_decoder(layers=(cut,))
    yield head(score="-|dot|", normaliser="hardmax", scale="log(n)/sqrt(d)")
    yield layer(attention_residual=False, feed_forward_residual=False)
    yield parameter("D", "D >= 0", 3, kind="natural")
    yield network(begin=None, embedding=Embedding({name: WE[name] for name in ("a", "b", "EOS")}))
    for activation in ("relu", "saturated-linear", "step", "square"):
        yield feed_forward(activation=activation)
    for position in ("first", "last", "sum"):
        yield readout(position=position, accept="logit = 0")


CAUSAL_Y = Head(W_V={"halt": {"y": 1}}, mask="causal", normaliser="hardmax")
CROSS = Head(W_V={"v": {"[b]": 1}}, W_Q={"q": {"y": 1}}, W_K={"q": {"sum": 1}}, W_O={"y": {"v": 1}}, scale="1/n")


def test_the_schema_expresses_what_the_sources_need() -> None:
    assert all(isinstance(built, Construction) for built in expressible())


JUNK: list[Any] = [
    *(None, True, 0, 5, -1, 1.5, float("nan"), 1j, b"a", "", "a", "zz", "1/0", "count('a')", "1 +", "a\nb", "i", "[a]"),
    *(
        (),
        [],
        {},
        set(),
        (None,),
        [5],
        {"a": None},
        {5: {}},
        {None: 1},
        {"": 1},
        {"[a]": []},
        {"q": {"[a]": 1}},
        {"q": 7},
    ),
    *(object(), int, len, lambda *_: None, Expression("x"), Expression("1 +"), Ellipsis, range(3), iter("ab")),
    *(HEAD, LAYER, FEED_FORWARD, READOUT, EMBEDDING, NETWORK, LayerNorm(), Linear(), STARTS_WITH_A, Layer()),
    *((HEAD,), (LAYER, None), Linear(None, {"h": []}), Linear(5), Linear({"logit": 1}), Head(None)),
    *(Head({"sum": None}), LayerNorm(None), Embedding(None), Embedding({"a": 1}), Embedding([], 0), Readout(None)),
    *(Language(None, None, None, None), Language("L", "ab", 1, "1 == 1"), Parameter(None, None, None)),
]


def mutations(value: Any, draw: Callable[[int], int]) -> Any:
    """A copy of `value` with one part, at any depth, replaced by junk."""
    if dataclasses.is_dataclass(value) and not isinstance(value, Expression) and draw(4):
        field = dataclasses.fields(value)[draw(len(dataclasses.fields(value)))].name
        return dataclasses.replace(value, **{field: mutations(getattr(value, field), draw)})
    if isinstance(value, tuple) and value and draw(4):
        place = draw(len(value))
        return (*value[:place], mutations(value[place], draw), *value[place + 1 :])
    if isinstance(value, Mapping) and value and draw(4):
        key = list(value)[draw(len(value))]
        if draw(3):
            return {**value, key: mutations(value[key], draw)}
        other = [5, f"{key}x"][draw(2)]
        return {other if name == key else name: row for name, row in value.items()}
    return JUNK[draw(len(JUNK))]


@pytest.mark.parametrize("base", [VALID, decoder(), encoder_decoder(), load("dyck1-depth")], ids=lambda base: base.name)
@settings(max_examples=250)
@given(st.data())
def test_junk_is_refused_and_nothing_else_happens(base: Construction, data: st.DataObject) -> None:
    def draw(bound: int) -> int:
        return data.draw(st.integers(0, bound - 1))

    said = ""
    try:
        built = mutations(base, draw)
        if isinstance(built, Construction):
            run(built, built.language.alphabet[:1] * 2)
    except (ConstructionError, InputError, ArithmeticError) as error:
        said = str(error)
    assert len(said.splitlines()) <= 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_parts_are_frozen(name: str) -> None:
    built = load(name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        built.name = "other"  # type: ignore[misc]
    assert isinstance(built.network, Encoder)
    with pytest.raises(TypeError):
        built.network.embedding.WE["0"]["[w=0]"] = Expression("2")  # type: ignore[index]
    with pytest.raises(TypeError):
        built.network.readout.W.weights["logit"] = {}  # type: ignore[index]


def test_a_users_mapping_is_copied() -> None:
    weights = {"logit": {"sum": 1}}
    linear = Linear(weights)
    weights["logit"]["sum"] = 2
    assert linear.weights["logit"]["sum"] == Expression("1")


@pytest.mark.parametrize("part", ["W_V", "a row of W_V", "WE", "seed"])
def test_what_may_not_be_left_out_is_not_read_as_zero(part: str) -> None:
    made = {
        "W_V": lambda: Head(None).W_V,  # type: ignore[arg-type]
        "a row of W_V": lambda: Head({"x": None}).W_V["x"],  # type: ignore[dict-item]
        "WE": lambda: Embedding(None).WE,  # type: ignore[arg-type]
        "seed": lambda: entries(None),  # type: ignore[arg-type]
    }[part]()
    assert made is None, "passes unchanged, so that the checks of a construction refuse it"

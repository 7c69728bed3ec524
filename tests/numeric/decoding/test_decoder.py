"""Decoders: what is appended, exactly and in PyTorch."""

from __future__ import annotations

import itertools
from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import Phase, assume, given, reject, settings
from hypothesis import strategies as st

from tests.numeric.decoding.naive import appended
from tests.numeric.decoding.random_decoders import ANY, ANYTHING, DYADIC, decoders
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout
from weightproof.numeric.decoding.networks import DecoderTransformer
from weightproof.numeric.rounding.formats import FORMATS

LONGEST = 5
"""Tokens that are compared of those that are appended; some decoders never stop."""


def majority() -> Construction:
    """Appends the more frequent symbol, 0 where there is none, and then 1, until n is the limit: a share that is
    counted, a tie that is broken, and a position encoding and a scale that speak of n."""
    counts = Head(
        W_V={"ones": {"1": 1}, "zeros": {"0": 1}},
        W_Q={"q": {"0": 0}},
        W_K={"q": {"0": 0}},
        scale="log(n)",
        mask="causal",
    )
    network = Decoder(
        coordinates=("0", "1", ".", "zeros", "ones", "n"),
        embedding=Embedding({"0": {"0": 1}, "1": {"1": 1}, ".": {".": 1}}, PE={"n": "n"}),
        layers=(Layer(heads=(counts,)),),
        readout=Readout(
            Linear({"0": {"zeros": 1}, "1": {"ones": 1}, ".": {"n": 1}}, bias={".": "-limit"}), "last", "argmax"
        ),
        stop=".",
    )
    return Construction("majority", "majority", "none", ANYTHING, network, (Parameter("limit", "limit > 0", 4),))


def test_the_more_frequent_symbol_is_appended_until_the_limit() -> None:
    """The outputs are the shares and n - 4; from n = 5 on that is more than any share but 1, which it ties with."""
    found = list(generate(majority(), "01"))
    assert [produced.token for produced in found] == ["0", "0", "0", "."]
    assert [str(found[0].outputs[token]) for token in ("0", "1", ".")] == ["1/2", "1/2", "-2"]
    assert [str(found[3].outputs[token]) for token in ("0", "1", ".")] == ["4/5", "1/5", "1"]
    assert [produced.token for produced in generate(majority(), "1", {"limit": 2})] == ["1", "1", "1", "."]
    assert [produced.token for produced in generate(majority(), "10011", {"limit": 5})] == ["1", "."]


@pytest.mark.parametrize("kind", ["strict", "explicit"])
@pytest.mark.parametrize("limit", ["2", "9/2", "7"])
def test_torch_appends_the_same_to_all_words_of_a_batch(limit: str, kind: str) -> None:
    model = DecoderTransformer(majority(), {"limit": limit}, attention=kind)
    words = ["".join(word) for word in itertools.product("01", repeat=3)]
    rows = [produced.tokens for produced in model.generate(words)]
    for number, word in enumerate(words):
        wanted = [produced.token for produced in generate(majority(), word, {"limit": limit})]
        assert [row[number] for row in rows] == wanted + ["."] * (len(rows) - len(wanted))


@pytest.mark.controls
@settings(max_examples=150, phases=[Phase.generate])
@given(decoders(DYADIC), st.sampled_from(("", "0", "1")))
def test_dyadic_numbers_are_exact(construction: Construction, word: str) -> None:
    """One token, of no more than two positions."""
    network = construction.network
    assert isinstance(network, Decoder)
    assume(word or network.begin)
    wanted = next(generate(construction, word))
    assume(all(abs(x.p) * x.q < 2**20 for x in wanted.outputs.values()))  # type: ignore[union-attr]
    for kind in ("strict", "explicit"):
        found = next(DecoderTransformer(construction, attention=kind).generate([word]))
        assert found.tokens == (wanted.token,)
        assert found.logits[0].tolist() == [float(x.p) / float(x.q) for x in wanted.outputs.values()]  # type: ignore[union-attr]


@pytest.mark.controls
@pytest.mark.parametrize("dtype", FORMATS)
@settings(max_examples=30, phases=[Phase.generate])
@given(decoders(ANY), st.text(("0", "1"), min_size=1, max_size=3))
def test_strict_is_each_operation_rounded_and_all_positions_anew(
    dtype: str, construction: Construction, word: str
) -> None:
    model = DecoderTransformer(construction, dtype=dtype, attention="strict")
    found = list(itertools.islice(model.generate([word]), LONGEST))
    assume(all(isfinite(x) for produced in found for x in produced.logits[0].tolist()))
    try:
        naive = list(itertools.islice(appended(construction, word, FORMATS[dtype]), LONGEST))
    except OverflowError:  # what is divided by infinity is finite again
        reject()
    assert [produced.tokens[0] for produced in found] == [token for token, _ in naive]
    assert [produced.logits[0].tolist() for produced in found] == [[*logits.values()] for _, logits in naive]


def test_a_changed_weight_is_noticed() -> None:
    """The comparisons can fail."""
    network = majority().network
    assert isinstance(network, Decoder)
    flipped = Layer(feed_forward=FeedForward(Linear({"h": {"ones": 1}}), Linear({"ones": {"h": -2}})))
    changed = replace(majority(), network=replace(network, layers=(*network.layers, flipped)))
    wanted = [produced.token for produced in generate(majority(), "11")]
    assert [produced.token for produced in generate(changed, "11")] != wanted
    assert [produced.tokens[0] for produced in DecoderTransformer(changed).generate(["11"])] != wanted


def test_what_cannot_be_run_is_refused() -> None:
    with pytest.raises(InputError, match="is no decoder"):
        DecoderTransformer(load("parity"))
    with pytest.raises(InputError, match="the empty word has no position"):
        next(generate(majority(), ""))
    with pytest.raises(InputError, match="not in the alphabet"):
        next(generate(majority(), "2"))
    model = DecoderTransformer(majority())
    for words, says in (([""], "no position"), (["0", "11"], "of one length"), (["2"], "not in the alphabet")):
        with pytest.raises(InputError, match=says):
            next(model.generate(words))

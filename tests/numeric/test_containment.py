"""What each implementation computes against the exact interpreter: within the ball of its word, and within the error of
all words of its length.

No certificate speaks of a GPU: its exponentials and its orders of summation are not those that `numeric.rounding.model`
describes. That its logits lie within the bounds all the same is seen here, word by word, and proved nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
import torch
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.changes import changes
from tests.support.derived import NAMES, construction_of
from tests.support.streams import exact_logit, logit_bound, positions
from tests.support.suites import short_suite
from weightproof.constructions.chiang2022.transformed import EXACTLY
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.transforms.by_name import transformed
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model import transformer
from weightproof.numeric.model.attention import ATTENTION
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.formats import FORMATS

GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")
IMPLEMENTATIONS = [
    pytest.param("cpu", ("strict", "explicit", "matmul"), id="cpu"),
    pytest.param("cuda", ATTENTION, id="cuda", marks=GPU),
]
NORMALISED = "first, normalised"
"""Its second layer has a feed-forward network without hidden units, for the norm behind it."""


def escapes(construction: Construction, word: str, *computed: float, dtype: str = "float64") -> bool:
    """Whether one of the computed logits lies outside the bound, or the exact one farther from it than a few roundings:
    it may lie outside where the roundings are known one by one."""
    bound = output_balls(construction, word, dtype=dtype)["logit"]
    inside = all(bound.contains(arb(logit)) for logit in computed)
    exact, few = ball(run(construction, word).logit), 64 * fmpq(1, 1 << FORMATS[dtype].precision)
    return not (inside and (bound * (1 + arb(0, 1) * few)).overlaps(exact))


def drawn(construction: Construction, length: int, count: int, seed: int = 0) -> list[str]:
    """Random words, the most uneven ones, and one that changes in the middle."""
    random, alphabet = Random(seed), construction.language.alphabet
    half = length // 2
    found = ["".join(random.choices(alphabet, k=length)) for _ in range(count)] + [a * length for a in alphabet]
    return [*found, alphabet[1] * (length - half) + alphabet[0] * half]


def strays(construction: Construction, dtype: str, computed: Mapping[str, Sequence[float]]) -> list[str]:
    """Words with a logit that is farther from the exact one than the error of their length, where that is known."""
    lengths = {word: positions(construction, word) for word in computed}
    errors = {n: logit_bound(construction, dtype, n) for n in set(lengths.values())}
    known = {word: error for word, n in lengths.items() if (error := errors[n]) is not None}
    exact = {word: exact_logit(construction, word) for word in known}
    return [word for word in known if any(abs(arb(x) - exact[word]) > known[word] for x in computed[word])]


SHORT, LONGER = (4, 3), (6, 4)
"""Symbols of the longest words that are all tried, over two letters, and over more."""
FEW = [("float64", SHORT), ("bfloat16", SHORT)]
MANY = [*FEW, ("float16", SHORT), ("float64", LONGER), ("float32", LONGER)]


@pytest.mark.parametrize("case", short_suite(MANY, FEW))
@pytest.mark.parametrize(("device", "kinds"), IMPLEMENTATIONS)
@pytest.mark.parametrize("name", [*NAMES, NORMALISED])
def test_what_is_computed_lies_within_its_bounds(
    monkeypatch: pytest.MonkeyPatch, name: str, device: str, kinds: tuple[str, ...], case: tuple[str, tuple[int, int]]
) -> None:
    """Short words within both, some longer ones within the error of their length, which is known without norms.

    Explicit attention also in pieces of 2 and of 3 positions, the last of which has 1, 2, or all of them.
    """
    dtype, longest = case
    construction = transformed(load("first"), EXACTLY) if name == NORMALISED else construction_of(name)
    most = longest[len(construction.language.alphabet) > 2]
    short = [word for word in words(construction.language.alphabet, most) if word or construction.network.begin]
    long = drawn(construction, 11, 3, 11)
    assert (logit_bound(construction, dtype, positions(construction, long[0])) is None) == (name == NORMALISED)
    models = [Transformer(construction, None, dtype, device, kind) for kind in kinds]
    logits = [model.logits([*short, *long]).tolist() for model in models]
    for length in (2, 3):
        monkeypatch.setattr(transformer, "PIECE", {device: length})
        logits += [model.logits([*short, *long]).tolist() for model in models if model.divides]
    computed = zip(*logits, strict=True)
    by_word = dict(zip([*short, *long], computed, strict=True))
    assert [word for word in short if escapes(construction, word, *by_word[word], dtype=dtype)] == []
    assert strays(construction, dtype, by_word) == []


def averaging(where: Mapping[str, str], **head: object) -> Construction:
    """A head averages the best of a 1 for each 1, less 1; where: what stands at a 0 and a 1."""
    heads = (Head(W_V={"s": {"v": 1}}, normaliser="hardmax", **head),)  # type: ignore[arg-type]
    read = Readout(Linear({"logit": {"s": 1}}, {"logit": -1}), "last", "logit = 0")
    symbols = {"0": where, "1": {**where, "v": 1}, "CLS": {"v": 1}}
    network = Encoder(("v", "k", "s"), Embedding(symbols), (Layer(heads),), read, begin="CLS")
    return replace(load("one"), name="averaging", network=network)


@pytest.mark.parametrize("dtype", FORMATS)
def test_means_of_equally_good_values_are_rounded(dtype: str) -> None:
    """1/n is, and n times 1/n is not 1 for every n; whether the scores are known to be equal or not."""
    for construction in (averaging({}), averaging({}, W_Q={"q": {"v": "1/3"}}, W_K={"q": {"v": "1/3"}})):
        tried = ["1" * length for length in range(2, 14)]
        found = [Transformer(construction, dtype=dtype, attention=kind) for kind in ("strict", "explicit", "matmul")]
        computed = dict(zip(tried, zip(*(model.logits(tried).tolist() for model in found), strict=True), strict=True))
        assert any(computed[word][0] != 0 for word in tried)
        assert [word for word in tried if escapes(construction, word, *computed[word], dtype=dtype)] == []


def test_what_overflows_is_bounded_by_nothing() -> None:
    """Not by the values of the best scores either, where one is no number."""
    keys = {"q": {"k": 300, "v": 300}, "p": {"k": -300}}
    overflowing = averaging({"k": "1000"}, W_Q=keys, W_K=keys | {"p": {"k": 300}})
    assert Transformer(overflowing, dtype="float16").logits(["00"]).isnan().all()
    assert not output_balls(overflowing, "00", dtype="float16")["logit"].is_finite()


@settings(max_examples=40)
@given(name=st.sampled_from(names()), word=st.text("01", min_size=7, max_size=24))
def test_longer_words_lie_within_the_derived_bound(name: str, word: str) -> None:
    construction = load(name)
    [computed] = Transformer(construction).logits([word]).tolist()
    assert not escapes(construction, word, computed)


def test_the_bound_notices_a_changed_weight() -> None:
    """All changes of PARITY's weights that change an exact logit on some short word; and the bound is not vacuous."""
    original = load("parity")
    tried = list(words("01", 4))
    exact = [run(original, word).logit for word in tried]
    noticed = unnoticed = 0
    for change in changes(original, one_of=7):
        computed = Transformer(change.construction).logits(tried).tolist()
        try:
            same = [run(change.construction, word).logit for word in tried] == exact
        except ArithmeticError:
            continue
        outside = any(escapes(original, word, x) for word, x in zip(tried, computed, strict=True))
        noticed += outside
        unnoticed += outside == same
    assert noticed > 10
    assert unnoticed == 0


def test_the_bound_notices_a_rounding_that_it_does_not_allow() -> None:
    """Logits computed in float32 mostly lie outside the bound for float64."""
    construction = load("first")
    tried = list(words("01", 6))[1:]
    computed = dict(zip(tried, Transformer(construction, dtype="float32").logits(tried).tolist(), strict=True))
    assert sum(escapes(construction, word, x) for word, x in computed.items()) > len(tried) / 4
    assert len(strays(construction, "float64", {word: [x] for word, x in computed.items()})) > len(tried) / 4


@GPU
@pytest.mark.parametrize("attention", ["explicit", "matmul"])
@pytest.mark.parametrize("name", names())
def test_long_words_lie_within_the_bound_in_which_strict_order_lies(name: str, attention: str) -> None:
    construction, random = load(name), Random(0)
    drawn = ["".join(random.choices(sorted(construction.language.alphabet), k=n)) for n in (97, 300)]
    bounds = [output_balls(construction, word, dtype="float32")["logit"] for word in drawn]
    for device, kind in (("cpu", "strict"), ("cuda", attention)):
        computed = Transformer(construction, None, "float32", device, kind).logits(drawn).tolist()
        assert [x for x, bound in zip(computed, bounds, strict=True) if not bound.contains(x)] == []


@GPU
@pytest.mark.parametrize("name", names())
def test_the_same_batch_gives_the_same_logits_again(name: str) -> None:
    construction, random = load(name), Random(0)
    drawn = ["".join(random.choices(sorted(construction.language.alphabet), k=500)) for _ in range(64)]
    model = Transformer(construction, None, "float32", "cuda")
    assert torch.equal(model.logits(drawn), model.logits(drawn))

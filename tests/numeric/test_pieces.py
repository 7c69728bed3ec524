"""Words in pieces of positions: where heads allow it. That they lie within their bounds is seen in test_containment."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import torch
from flint import arb

from tests.support.streams import logit_bound
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names, predictors
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model import transformer
from weightproof.numeric.model.transformer import Transformer, encode


def in_pieces(patch: pytest.MonkeyPatch, length: int) -> None:
    patch.setattr(transformer, "PIECE", {"cpu": length})


def escapes(construction: Construction, dtype: str, longest: int) -> list[str]:
    """Short words with a logit outside the bound."""
    model, tried = Transformer(construction, dtype=dtype), list(words(construction.alphabet, longest))[1:]
    assert model.divides
    computed = zip(tried, model.logits(tried).tolist(), strict=True)
    return [word for word, x in computed if not output_balls(construction, word, dtype=dtype)["logit"].contains(arb(x))]


def test_the_bounds_notice_a_total_that_is_not_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def alone(self: object, means: object) -> object:
        yield from (whole for whole in pieces(self, means) if whole.start == 0)  # type: ignore[arg-type]

    pieces = transformer.Pieces._pieces
    monkeypatch.setattr(transformer.Pieces, "_pieces", alone)
    in_pieces(monkeypatch, 2)
    assert escapes(load("parity"), "float64", 2)
    assert escapes(load("dyck1-margin"), "float64", 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["parity", "dyck1-margin"])
def test_pieces_and_whole_words_differ_in_the_last_bits_alone(
    monkeypatch: pytest.MonkeyPatch, name: str, dtype: str
) -> None:
    """Several words at a time, as they are blocked: 4 pieces of a word, or of 4 words."""
    model = Transformer(load(name), dtype=dtype)
    random = Random(0)
    tokens = encode(model.construction, ["".join(random.choices("01", k=length)) for length in [1_000] * 9])
    whole = model(tokens)
    in_pieces(monkeypatch, 250)
    monkeypatch.setattr(transformer, "BLOCK", {"cpu": 1_000})
    computed = model(tokens)
    assert not torch.equal(computed, whole)
    assert torch.equal(computed > 0, whole > 0)
    assert (computed - whole).abs().max() < 1e-3 * whole.abs().max()


def network(head: Head, position: str = "sum") -> Construction:
    readout = Readout(Linear({"logit": {"k": 1}}), position=position)  # type: ignore[arg-type]
    embedding = Embedding(WE={"0": {}, "1": {"a": 1}, "CLS": {}})
    return replace(load("one"), name="one head", network=Encoder(("a", "k"), embedding, (Layer((head,)),), readout))


def test_heads_that_need_whole_words_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries that differ from row to row, causal scores that differ, and the last row of a causal head."""
    ones, keys = {"k": {"a": 1}}, {"q": {"a": 1}}
    assert Transformer(network(Head(ones))).divides
    assert Transformer(network(Head(ones, mask="causal"))).divides
    assert not Transformer(network(Head(ones, mask="causal"), "last")).divides
    assert not Transformer(network(Head(ones, keys, keys, mask="causal"))).divides
    differing = network(Head(ones, keys, keys))
    assert not Transformer(differing).divides
    in_pieces(monkeypatch, 2)
    tried = list(words("01", 4))
    [found, wanted] = (Transformer(differing, attention=kind).logits(tried) for kind in ("explicit", "matmul"))
    bounds = [logit_bound(differing, "float64", n) for n in range(1, 6)]
    assert (found - wanted).abs().max() <= 2 * max(float(bound) for bound in bounds if bound is not None)
    assert wanted.abs().max() > 0.5


def test_a_weight_that_is_set_counts() -> None:
    model = Transformer(load("parity"))
    model.blocks[0].attn.W_Q = model.blocks[0].attn.W_K = torch.nn.Parameter(torch.ones(1, 9, 1), requires_grad=False)
    model.blocks[0].attn.sizes = [(1, 2)]
    assert not model.divides


def test_which_networks_take_long_words_in_pieces() -> None:
    assert {name for name in names() if not Transformer(load(name)).divides} == set()
    assert {name for name in predictors() if Transformer(load(name)).divides} == set()
    assert not Transformer(load("parity"), attention="fused").divides

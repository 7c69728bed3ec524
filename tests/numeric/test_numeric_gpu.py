"""What a GPU computes against the exact interpreter and strict order; skipped where torch finds no CUDA device.

No certificate speaks of a GPU: its exponentials and its orders of summation are not those that `numeric.rounding.model`
describes. That its logits lie within the bound all the same is seen here, word by word, and proved nowhere.
"""

from __future__ import annotations

from random import Random

import pytest
import torch

from tests.numeric.test_numeric import escapes
from weightproof.constructions.library import load, names
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model.attention import ATTENTION
from weightproof.numeric.model.transformer import Transformer
from weightproof.proofs.refuting.refute import words

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize("name", names())
def test_every_short_word_lies_within_the_derived_bound(name: str, attention: str, dtype: str) -> None:
    construction = load(name)
    most = 3 if len(construction.language.alphabet) > 2 else 5
    tried = [word for word in words(construction.language.alphabet, most) if word or construction.network.begin]
    computed = Transformer(construction, None, dtype, "cuda", attention).logits(tried).tolist()
    assert [w for w, x in zip(tried, computed, strict=True) if escapes(construction, w, x, dtype=dtype)] == []


@pytest.mark.parametrize("attention", ["explicit", "matmul"])
@pytest.mark.parametrize("name", names())
def test_long_words_lie_within_the_bound_in_which_strict_order_lies(name: str, attention: str) -> None:
    construction, random = load(name), Random(0)
    drawn = ["".join(random.choices(sorted(construction.language.alphabet), k=n)) for n in (97, 300)]
    bounds = [output_balls(construction, word, dtype="float32")["logit"] for word in drawn]
    for device, kind in (("cpu", "strict"), ("cuda", attention)):
        computed = Transformer(construction, None, "float32", device, kind).logits(drawn).tolist()
        assert [x for x, bound in zip(computed, bounds, strict=True) if not bound.contains(x)] == []


@pytest.mark.parametrize("name", names())
def test_the_same_batch_gives_the_same_logits_again(name: str) -> None:
    construction, random = load(name), Random(0)
    drawn = ["".join(random.choices(sorted(construction.language.alphabet), k=500)) for _ in range(64)]
    model = Transformer(construction, None, "float32", "cuda")
    assert torch.equal(model.logits(drawn), model.logits(drawn))

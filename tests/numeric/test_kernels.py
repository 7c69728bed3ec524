"""Fused attention is the kernel that it is said to be, over all rows, and refused where that has no such case."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from torch.nn.attention import SDPBackend
from torch.profiler import profile

from tests.numeric.test_numeric import BOTH, LAYERS, K, Q, V, quadratic, tiny
from weightproof.constructions.library import load
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model import kernels
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.rounding.model import is_modelled

FLASH = "aten::_scaled_dot_product_flash_attention_for_cpu"
CAUSAL = Head(V, Q, K, mask="causal")
SCALED = {
    "no scale": Layer((replace(CAUSAL, scale="0"),)),
    "no scale for one position": Layer((replace(CAUSAL, scale="log(n)"),)),
    "scale below 0": Layer((replace(CAUSAL, scale="-3/2"),)),
    "more scores than values": Layer((Head({"b": {"a": 1}}, BOTH, {"q": {"b": 2}, "r": {}}),)),
}
REFUSED = {"hardmax": "no hardmax", "hardmax, ties": "no hardmax", "-|dot|": "no softmax over -|dot|"}
REFUSED |= dict.fromkeys(("no heads", "nothing left"), "no heads")


def called(model: Transformer, *words: str) -> Counter[str]:
    """How often torch computes attention in each way."""
    with profile() as profiled:
        model.outputs(words)
    return Counter({each.key: each.count for each in profiled.key_averages() if "_attention_" in each.key})


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("name", ["parity", "dyck1", "palindrome-margin"])
def test_the_kernel_is_the_one_that_is_named(name: str, dtype: str) -> None:
    """Once a head, whether or not queries are alike or rows are read."""
    model = Transformer(load(name), dtype=dtype, attention="fused")
    assert kernels.kernel_of("fused", "cpu", dtype) == "flash"
    assert called(model, "0110", "0101") == {FLASH: sum(len(layer.heads) for layer in model.network.layers)}


def test_another_kernel_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Transformer(load("parity"), dtype="float32", attention="fused")
    monkeypatch.setitem(kernels.BACKENDS, "flash", SDPBackend.MATH)
    assert called(model, "0110") == {"aten::_scaled_dot_product_attention_math": 3}
    assert called(Transformer(load("parity"), dtype="float32"), "0110") == {}


@pytest.mark.parametrize("position", ["first", "last", "sum"])
@pytest.mark.parametrize("part", LAYERS | SCALED)
def test_every_part_of_the_schema_runs_or_is_refused(part: str, position: str) -> None:
    construction = tiny((LAYERS | SCALED)[part], position)
    if part in REFUSED:
        with pytest.raises(kernels.NoKernel, match=REFUSED[part].replace("|", r"\|")):
            Transformer(construction, attention="fused")
        return
    model, tried = Transformer(construction, attention="fused"), ["", "0", "011", "01101" * 8, "1" * 33]
    # The kernel takes words as short as these in one block, by the operations of the rounding model.
    for word, logit in zip(tried, model.logits(tried).tolist(), strict=True):
        around = output_balls(construction, word, None, "float64")["logit"]
        assert around.contains(logit)
        assert around.contains(quadratic(model, word))
        assert not around.contains(logit * (1 + 1e-9))


def test_words_are_more_than_a_grid_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tried = Transformer(load("parity"), dtype="float32", attention="fused"), ["0110", "1110", "0000", "1111"]
    whole = model.logits(tried).tolist()
    monkeypatch.setattr(kernels, "MOST_WORDS", 3)
    assert model.logits(tried).tolist() == whole
    assert called(model, *tried)[FLASH] == 6


def test_heads_that_torch_does_not_take_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, and not another kernel's; the kernel that is efficient in memory is there on a GPU alone."""
    monkeypatch.setitem(kernels.FUSED["cpu"], "float32", "efficient")
    says = "parity: layer 1: torch's efficient kernel takes no heads of size 2; take explicit"
    with pytest.raises(kernels.NoKernel, match=f"^{says}$"):
        Transformer(load("parity"), dtype="float32", attention="fused")


def test_a_dtype_without_a_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(kernels.FUSED["cpu"], "float64")
    with pytest.raises(InputError, match=r"^parity: torch has no fused kernel for float64 on cpu; take explicit$"):
        Transformer(load("parity"), attention="fused")


def test_what_is_no_fused_kernel_has_no_name() -> None:
    assert [kernels.kernel_of(kind, "cpu", "float32") for kind in ("strict", "explicit", "matmul")] == [None] * 3
    found = {dtype: kernels.kernel_of("fused", "cuda:1", dtype) for dtype in FORMATS}
    assert found == {"float64": None, "float32": "efficient", "bfloat16": "flash", "float16": "flash"}


def test_certificates_cover_what_their_model_names() -> None:
    covered = [kind for kind in ("strict", "explicit", "matmul", "fused", "loud") if is_modelled("cpu", kind)]
    assert covered == ["strict", "explicit", "matmul"]
    assert not any(is_modelled("cuda", kind) for kind in ("explicit", "matmul", "fused"))

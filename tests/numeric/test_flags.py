"""Settings of torch that change numbers are those that are said while a network runs, and the user's otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread

import pytest
import torch

from weightproof.constructions.library import load
from weightproof.numeric.model.flags import FLAGS, Inference, numeric_flags
from weightproof.numeric.model.transformer import Transformer

SAID = {
    "allow_tf32": False,
    "float32_matmul_precision": "highest",
    "allow_fp16_accumulation": False,
    "allow_fp16_reduced_precision_reduction": False,
    "allow_bf16_reduced_precision_reduction": False,
    "flush_denormal": False,
    "deterministic_algorithms": True,
    "fill_uninitialized_memory": False,
}


def settings() -> dict[str, object]:
    return {name: flag.read() for name, flag in FLAGS.items()}


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = settings()
    yield
    for name, flag in FLAGS.items():
        flag.write(before[name])


def careless() -> None:
    """Whatever a user may have set for speed."""
    torch.set_float32_matmul_precision("medium")
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = True
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = True
    torch.backends.cuda.matmul.allow_fp16_accumulation = True
    torch.use_deterministic_algorithms(False)
    torch.set_flush_denormal(True)


def mixed() -> None:
    """Newer settings, after which torch refuses to say what the older one is."""
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    with pytest.raises(RuntimeError):
        torch.get_float32_matmul_precision()


@pytest.mark.parametrize("chosen", [lambda: None, careless, mixed])
def test_a_network_runs_as_is_said_and_leaves_all_as_it_was(chosen: object) -> None:
    chosen()  # type: ignore[operator]
    before, inside = settings(), list[object]()
    model = Transformer(load("parity"), dtype="float32")
    model.blocks[0].register_forward_hook(lambda *_: inside.append(settings()))
    model.logits(["0110"])
    assert inside == [{name: flag.wanted for name, flag in FLAGS.items()}]
    assert settings() == before
    assert numeric_flags() == SAID
    assert settings() == before


def test_what_a_user_has_set_would_count() -> None:
    """A logit below the least normal number is 0 where that is flushed."""
    model, word = Transformer(load("parity")), "0111"
    model.unembed.W_U *= 2.0**-1040
    exact = model.logits([word]).view(torch.int64).item()
    torch.set_flush_denormal(True)
    assert (model.unembed.W_U * 1).abs().max() == 0
    assert model.logits([word]).view(torch.int64).item() == exact != 0


def test_between_what_a_generator_yields_all_is_as_it_was() -> None:
    @Inference()
    def three() -> Iterator[dict[str, object]]:
        for _ in range(3):
            yield settings()

    before = settings()
    for inside in three():
        assert inside == {name: flag.wanted for name, flag in FLAGS.items()} != before
        assert settings() == before


def test_threads_that_overlap_leave_all_as_it_was() -> None:
    """The first one to enter is the first one to leave, and the other one is inside all the while."""
    careless()
    before, inside = settings(), list[dict[str, object]]()
    entered, left = Event(), Event()

    def second() -> None:
        with Inference():
            entered.set()
            left.wait(10)
            inside.append(settings())

    thread = Thread(target=second)
    with Inference():
        thread.start()
        assert entered.wait(10)
    left.set()
    thread.join()
    assert inside == [{name: flag.wanted for name, flag in FLAGS.items()}]
    assert settings() == before

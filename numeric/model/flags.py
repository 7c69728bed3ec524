"""The settings of torch that change what floating point computes: as networks are run, and put back behind them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Lock
from typing import Any

import torch
import torch.utils.deterministic


@dataclass(frozen=True)
class Flag:
    """A setting: what it is while a network runs, and how it is read and set; both hold the process, and flushing the
    thread."""

    wanted: Any
    read: Callable[[], Any]
    write: Callable[[Any], object]


def _attribute(holder: Any, name: str, wanted: bool) -> Flag:
    return Flag(wanted, lambda: getattr(holder, name), lambda value: setattr(holder, name, value))


PRODUCTS: Any = torch.backends.cuda.matmul
PRECISIONS: tuple[Any, ...] = (PRODUCTS, torch.backends.mkldnn.matmul)  # type: ignore[attr-defined]


def _precision() -> tuple[str, ...]:
    """As torch's older setting says, which holds GPU and CPU, and as its newer ones say of each."""
    try:
        both = torch.get_float32_matmul_precision()
    except RuntimeError:  # it has none once they differ
        both = "highest"
    return both, *(each.fp32_precision for each in PRECISIONS)


def _set_precision(values: tuple[str, ...]) -> None:
    torch.set_float32_matmul_precision(values[0])
    for each, value in zip(PRECISIONS, values[1:], strict=True):
        each.fp32_precision = value


def _flushes() -> bool:
    """Whether this thread takes numbers below the least normal one for 0: torch does not say."""
    least = sys.float_info.min
    return least / 2 == 0


def _determined() -> tuple[bool, bool]:
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


def _determine(values: tuple[bool, bool]) -> None:
    """Not by use_deterministic_algorithms, which imports torch's compiler: 80 MB, and seconds before the first word."""
    enabled, only_warns = values
    torch.set_deterministic_debug_mode("default" if not enabled else "warn" if only_warns else "error")


FLUSHING = Flag(False, _flushes, torch.set_flush_denormal)
FLAGS = {
    "float32_matmul_precision": Flag(("highest", "ieee", "ieee"), _precision, _set_precision),
    "allow_fp16_accumulation": _attribute(PRODUCTS, "allow_fp16_accumulation", False),
    "allow_fp16_reduced_precision_reduction": _attribute(PRODUCTS, "allow_fp16_reduced_precision_reduction", False),
    "allow_bf16_reduced_precision_reduction": _attribute(PRODUCTS, "allow_bf16_reduced_precision_reduction", False),
    "flush_denormal": FLUSHING,
    "deterministic_algorithms": Flag(
        (True, True),  # where there are some: of others torch warns, and runs them
        _determined,
        _determine,
    ),
    "fill_uninitialized_memory": _attribute(torch.utils.deterministic, "fill_uninitialized_memory", False),
}


class Inference(torch.inference_mode):
    """torch.inference_mode, with products and sums in the dtype, no flushing to 0, and deterministic algorithms where
    there are some; behind it, and between what a generator yields, everything is as it was.

    Threads may run networks at the same time: the first that enters changes what holds the process, and the last that
    leaves puts it back. Flushing is this thread's: of torch's own threads, one that was made while it was on goes on
    flushing, which torch lets nobody see or change.
    """

    _lock = Lock()
    _inside = 0
    _before = ExitStack()
    """Puts back what holds the process."""

    def __enter__(self) -> None:
        super().__enter__()
        self._flushed = FLUSHING.read()
        FLUSHING.write(FLUSHING.wanted)
        with Inference._lock:
            if Inference._inside == 0:
                Inference._before.enter_context(warnings.catch_warnings())
                warnings.filterwarnings("ignore", message=".*deterministic.*")
                for flag in FLAGS.values():
                    if flag is not FLUSHING:
                        Inference._before.callback(flag.write, flag.read())
                        flag.write(flag.wanted)
            Inference._inside += 1

    def __exit__(self, *raised: Any) -> None:
        with Inference._lock:
            Inference._inside -= 1
            if Inference._inside == 0:
                Inference._before.close()
        FLUSHING.write(self._flushed)
        super().__exit__(*raised)


@Inference()
def numeric_flags() -> dict[str, str | bool]:
    """What torch says of these settings while a network runs; those of cuDNN are not there, as nothing calls it."""
    found = {name: flag.read() for name, flag in FLAGS.items()}
    known = {name: value[0] if isinstance(value, tuple) else value for name, value in found.items()}
    return {"allow_tf32": PRODUCTS.allow_tf32, **known}

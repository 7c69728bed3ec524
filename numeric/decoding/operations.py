"""Sums in floating point, in torch's order or from left to right, for vectors [words, rows, width].

Torch computes +, *, / of single numbers correctly rounded, in every dtype, but not always square roots, and products of
matrices as its kernels please. `Strict` uses the former alone, with numpy's square roots, and so gives the same bits on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import torch

from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.schema import Normaliser
from weightproof.numeric import STRICT
from weightproof.numeric.model.attention import weights
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import Format

Tensor = torch.Tensor
Map = Callable[[Tensor], Tensor]


class Operations(Protocol):
    """The operations of a layer in which sums occur."""

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        """x [..., inputs] to x @ W + b, W [inputs, outputs] and b [outputs]."""
        ...

    def sqrt(self, x: Tensor) -> Tensor: ...

    def total(self, x: Tensor) -> Tensor:
        """The sum along the last axis, which stays, of length 1."""
        ...

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        """q·k: queries [words, rows, width] and keys [words, n, width] to [words, rows, n]."""
        ...

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        """Along the last axis; a score of -infinity has the weight 0."""
        ...

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        """weights [words, rows, n] and values [words, n, width] to [words, rows, width]."""
        ...


class Explicit:
    """The operations by torch's products of matrices and its softmax."""

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        return (lambda x: x @ W) if b is None else (lambda x: x @ W + b)

    def sqrt(self, x: Tensor) -> Tensor:
        return torch.sqrt(x)

    def total(self, x: Tensor) -> Tensor:
        return x.sum(-1, keepdim=True)

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        return queries @ keys.transpose(1, 2)

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        return weights(scores, normaliser)

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        return weights @ values


class Strict:
    """Each elementary operation rounded, sums from left to right, exponentials correctly rounded; on the cpu.

    Terms with a weight of 0 are left out, as everywhere: they add nothing, whatever they are.
    """

    def __init__(self, format: Format) -> None:
        self.arithmetic = Rounded(format)

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        """All outputs at once: term k of each is its k-th input that has a weight."""
        inputs, outputs = W.shape
        order = (
            (W == 0).to(torch.int8).argsort(dim=0, stable=True)
        )  # of each output: the inputs with a weight, then others
        most = int((W != 0).sum(0).max()) if inputs and outputs else 0
        places, weights = order[:most], W.gather(0, order[:most])

        def apply(x: Tensor) -> Tensor:
            sums = x.new_zeros(*x.shape[:-1], outputs)
            for place, weight in zip(places, weights, strict=True):
                sums = sums + _product(x[..., place], weight)
            return sums if b is None else sums + b

        return apply

    def sqrt(self, x: Tensor) -> Tensor:
        return self._tensor(self.arithmetic.sqrt(self._array(x)), x)

    def total(self, x: Tensor) -> Tensor:
        if x.shape[-1] == 0:
            return x.new_zeros(*x.shape[:-1], 1)
        with np.errstate(all="ignore"):  # overflow is part of what is measured
            sums = np.add.accumulate(self._array(x), axis=-1)[..., -1:]
        return self._tensor(sums, x)

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.total(queries[:, :, None, :] * keys[:, None, :, :])[..., 0]

    def weights(self, scores: Tensor, normaliser: Normaliser) -> Tensor:
        best = scores.amax(-1, keepdim=True)
        powers = self._exp(scores - best) if STRICT.is_soft(normaliser) else (scores == best).to(scores.dtype)
        return powers / self.total(powers)

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        return self.total(_product(values.transpose(1, 2)[:, None], weights[:, :, None, :]))[..., 0]

    def _exp(self, x: Tensor) -> Tensor:
        return self._tensor(self.arithmetic.exp(self._array(x)), x)

    def _array(self, x: Tensor) -> np.ndarray:
        return x.double().numpy().astype(self.arithmetic.type)

    def _tensor(self, x: np.ndarray, like: Tensor) -> Tensor:
        return torch.from_numpy(x.astype(np.float64)).to(like.dtype)


def _product(x: Tensor, weight: Tensor) -> Tensor:
    """0 where the weight is 0."""
    return torch.where(weight == 0, torch.zeros((), dtype=x.dtype), x * weight)


def require_one_length(reader: str, words: Sequence[Sequence[str]], name: str, alphabet: Sequence[str]) -> None:
    """InputError for words of different lengths, or none, and for a symbol outside the alphabet of what has that name.

    reader: what runs them.
    """
    if len({len(word) for word in words}) != 1:
        raise InputError(f"{reader} runs words of one length; give at least one, and others apart")
    for word in words:
        refuse_foreign(name, alphabet, word)


IMPLEMENTATIONS = ("strict", "explicit")


def operations(attention: str, format: Format, device: torch.device) -> Operations:
    """The operations of an implementation of attention; InputError where there is none of that name, or not on that
    device."""
    if attention not in IMPLEMENTATIONS:
        raise InputError(f"unknown attention {attention!r} for a decoder; there are {', '.join(IMPLEMENTATIONS)}")
    if attention == "explicit":
        return Explicit()
    if device.type != "cpu":
        raise InputError(f"strict attention runs on the cpu, not on {str(device)!r}")
    return Strict(format)

"""A network that adds modulo p, as a torch module over pairs of residues: the exact data rounded once, every operation
in the dtype; or strictly, one operation after the other, as in `model.strict`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Names, mark
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.sums.addition import Adder
from weightproof.numeric.model.attention import ATTENTION
from weightproof.numeric.model.parts import DTYPES, Affine, Block, Entries, device_named
from weightproof.numeric.model.stream import Stream, at, dense
from weightproof.numeric.model.strict import Pass
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import FORMATS, rounded

Tensor = torch.Tensor
STRICT = "strict"
IMPLEMENTATIONS = (STRICT, *ATTENTION)


class AddingTransformer(torch.nn.Module):
    """dtype: one of FORMATS; device: as torch names it; attention: one of IMPLEMENTATIONS. InputError for what is not
    there."""

    def __init__(self, adder: Adder, dtype: str = "float64", device: str = "cpu", attention: str = "explicit") -> None:
        super().__init__()
        check(dtype, device, attention)
        self.adder, self.network = adder, adder.network
        self.format, self.dtype, self.device = FORMATS[dtype], DTYPES[dtype], device_named(device)
        self.tokens = mark(self.network, adder.modulus.tokens)
        self.rows = tuple(dict.fromkeys((*self.network.readout.W.weights, *self.network.readout.W.bias)))
        self.names: Names = {"d": fmpq(len(self.network.coordinates)), "n": fmpq(3)}
        self.strict = Rounded(self.format) if attention == STRICT else None
        if self.strict is None:
            entries = Entries(self.names, self.format, self.dtype, self.device)
            coordinates, embedding = self.network.coordinates, self.network.embedding.WE
            self.W_E = entries.parameter(entries.matrix(embedding, coordinates, self.tokens).T)
            self.blocks = torch.nn.ModuleList(
                Block(layer, coordinates, entries, ATTENTION[attention]) for layer in self.network.layers
            )
            scales = [
                [rounded(evaluate(h.scale, self.names), self.format) for h in x.heads] for x in self.network.layers
            ]
            self.scales = [[torch.tensor(x).to(self.device, self.dtype) for x in row] for row in scales]
            self.unembed = Affine(self.network.readout.W, self.rows, coordinates, entries)

    @torch.inference_mode()
    def outputs(self, words: Sequence[tuple[str, str]]) -> Tensor:
        """All outputs, in the order of `rows`, shape [words, outputs]."""
        known = {token: number for number, token in enumerate(self.tokens)}
        ids = np.array([[known[token] for token in mark(self.network, word)] for word in words], dtype=np.int64)
        if self.strict is not None:
            found = Pass(self.network, self.tokens, ids, self.strict, self.names).outputs()
            return torch.from_numpy(np.stack([found[row].astype("float64") for row in self.rows], 1)).to(self.dtype)
        columns = self.W_E[torch.from_numpy(ids).to(self.device)]
        stream = Stream(lambda coordinate: columns[:, :, coordinate])
        for block, scale in zip(self.blocks, self.scales, strict=True):
            stream = block(stream, ids.shape[1], scale, "sum")
        read = self.unembed(at(self.network.readout.position, stream))
        return dense([read(row) for row in range(len(self.rows))], self.W_E)[:, :, 0].T.expand(len(words), -1)


def check(dtype: str, device: str, attention: str) -> None:
    """InputError for what is not there."""
    if dtype not in FORMATS:
        raise InputError(f"unknown dtype {dtype!r}; there are {', '.join(FORMATS)}")
    if attention not in IMPLEMENTATIONS:
        raise InputError(f"unknown attention {attention!r}; there are {', '.join(IMPLEMENTATIONS)}")
    if attention == STRICT and device_named(device).type != "cpu":
        raise InputError(f"strict attention runs on the cpu, not on {device!r}")

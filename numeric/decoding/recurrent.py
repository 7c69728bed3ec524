"""A recurrent network in floating point: h_t = saturated(h_(t-1) @ W_h + x_t @ W_x + b), from 0."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import torch

from weightproof.constructions.machines.rnn import RNN, read
from weightproof.numeric.decoding.operations import operations, require_one_length
from weightproof.numeric.model.parts import DTYPES, Entries, activate, device_named
from weightproof.numeric.rounding.formats import format_named

Tensor = torch.Tensor


class RecurrentNetwork(torch.nn.Module):
    """W_E [tokens, inputs], W_h [units, units], W_x [inputs, units], b [units]: the exact data rounded once.

    dtype, device and attention as in `EncoderDecoderTransformer`, though there is nothing to attend to. Raises
    InputError for what is not there.
    """

    def __init__(self, network: RNN, dtype: str = "float64", device: str = "cpu", attention: str = "explicit") -> None:
        super().__init__()
        self.network, self.format, self.device = network, format_named(dtype), device_named(device)
        self.operations = operations(attention, self.format, self.device)
        entries = Entries({}, self.format, DTYPES[dtype], self.device)
        embedding = {token: network.embedding.WE.get(token, {}) for token in network.tokens}
        self.W_E = entries.parameter(entries.matrix(embedding, network.inputs, network.tokens).T)
        self.W_h = entries.matrix(network.W_h.weights, network.units, network.units)
        self.W_x = entries.matrix(network.W_x.weights, network.inputs, network.units)
        self.b = entries.vector(network.W_x.bias, network.units)

    def forward(self, words: Sequence[Sequence[str]], steps: int) -> Tensor:
        """h_0 ... h_(steps-1) of words of one length: [words, steps, units]."""
        return torch.stack([*itertools.islice(self.states(words), steps)], 1)

    @torch.inference_mode()
    def states(self, words: Sequence[Sequence[str]]) -> Iterator[Tensor]:
        """h_0, h_1, h_2, ... of words of one length, each [words, units], without end.

        Raises InputError for a symbol outside the alphabet, and for words of different lengths.
        """
        require_one_length("a recurrent network", words, self.network.name, self.network.alphabet)
        numbers = {token: number for number, token in enumerate(self.network.tokens)}
        recur, enter = self.operations.linear(self.W_h), self.operations.linear(self.W_x)
        h = self.b.new_zeros(len(words), len(self.network.units))
        for tokens in zip(*(read(self.network, word) for word in words), strict=True):
            x = self.W_E[[numbers[token] for token in tokens]]
            h = activate("saturated-linear", recur(h) + enter(x) + self.b)
            yield h

"""An encoder-decoder in floating point, step after step: what `constructions.meaning.decoding` means, rounded."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment, add_markers
from weightproof.constructions.meaning.schema import EncoderDecoder, Linear
from weightproof.numeric.decoding.layers import Stack
from weightproof.numeric.decoding.operations import operations, require_one_length
from weightproof.numeric.model.parts import DTYPES, Entries, device_named
from weightproof.numeric.rounding.formats import format_named

Tensor = torch.Tensor


class Embedded(torch.nn.Module):
    """The encoder: W_E [tokens, d_encoder], tokens the alphabet and then the markers, and its blocks."""

    def __init__(self, network: EncoderDecoder, alphabet: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        encoder = network.encoder
        self.network = encoder
        self.tokens = (*alphabet, *encoder.markers)
        self.W_E = entries.parameter(entries.matrix(encoder.embedding.WE, encoder.coordinates, self.tokens).T)
        self.blocks = Stack(encoder.layers, encoder.coordinates, entries)


class Feedback(torch.nn.Module):
    """W [d_model, d_model] and b [d_model]: from an output vector to what stands in the next input."""

    def __init__(self, linear: Linear, coordinates: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        self.W = entries.matrix(linear.weights, coordinates, coordinates)
        self.b = entries.vector(linear.bias, coordinates)


class EncoderDecoderTransformer(torch.nn.Module):
    """An encoder-decoder whose output vectors are what is wanted; its readout is not used.

    Parameters: encoder.W_E, encoder.blocks.0.attn.W_Q, ..., seed [d_model], blocks.0.attn.W_Q, blocks.0.cross.W_Q,
    blocks.0.mlp.W_in, ..., feedback.W. dtype and device as in `Transformer`; attention: "explicit", by torch's
    products, or "strict", every elementary operation rounded and sums from left to right, which gives the same bits on
    every machine. Raises InputError for what is not there.
    """

    def __init__(
        self,
        network: EncoderDecoder,
        alphabet: tuple[str, ...],
        dtype: str = "float64",
        device: str = "cpu",
        attention: str = "explicit",
    ) -> None:
        super().__init__()
        self.network, self.alphabet = network, alphabet
        self.format, self.device = format_named(dtype), device_named(device)
        self.operations = operations(attention, self.format, self.device)
        inner, outer = (
            Entries({"d": fmpq(len(coordinates))}, self.format, DTYPES[dtype], self.device)
            for coordinates in (network.encoder.coordinates, network.coordinates)
        )
        self.encoder = Embedded(network, alphabet, inner)
        self.seed = outer.vector(network.seed, network.coordinates)
        self.blocks = Stack(network.layers, network.coordinates, outer, network.encoder.coordinates)
        self.feedback = Feedback(network.feedback, network.coordinates, outer)

    def forward(self, words: Sequence[Sequence[str]], steps: int) -> Tensor:
        """z_0 ... z_(steps-1) of words of one length: [words, steps, d_model]."""
        return torch.stack([*itertools.islice(self.decode(words), steps)], 1)

    @torch.inference_mode()
    def decode(self, words: Sequence[Sequence[str]]) -> Iterator[Tensor]:
        """z_0, z_1, z_2, ... of words of one length, each [words, d_model], without end.

        Keys and values are kept: those of the encoder's output, and those of each step, so that step t looks at
        t + 1 vectors and computes one. Raises InputError for a symbol outside the alphabet, and for words of
        different lengths.
        """
        memory = self._encoded(words)
        names: Environment = {**self.blocks.entries.names, "n": fmpq(memory.shape[1])}
        layers, scales = self.blocks.start(self.operations), self.blocks.scales(names)
        for layer in layers:
            layer.remember(memory)
        fed_back = self.operations.linear(self.feedback.W, self.feedback.b)
        before = self.seed.expand(len(words), 1, -1)
        for step in itertools.count():
            x = before + self._position(step, names)
            for layer in layers:
                x = layer(x, step, scales)
            yield x[:, 0]
            before = fed_back(x)

    def _position(self, step: int, names: Environment) -> Tensor:
        return self.blocks.entries.vector(self.network.PE, self.network.coordinates, {**names, "i": fmpq(step)})

    def _encoded(self, words: Sequence[Sequence[str]]) -> Tensor:
        """The encoder's output, [words, n, d_encoder]."""
        require_one_length("a decoder", words, "the encoder", self.alphabet)
        encoder, network = self.encoder, self.network.encoder
        numbers = {token: number for number, token in enumerate(encoder.tokens)}
        ids = torch.tensor(
            [[numbers[token] for token in add_markers(network, word)] for word in words], device=self.device
        )
        n = ids.shape[1]
        if n == 0:
            raise InputError("the empty word has no position to look at; give a word")
        names: Environment = {**encoder.blocks.entries.names, "n": fmpq(n)}
        places: list[Tensor] = [
            encoder.blocks.entries.vector(network.embedding.PE, network.coordinates, {**names, "i": fmpq(i)})
            for i in range(n)
        ]
        x = encoder.W_E[ids] + torch.stack(places)
        scales = encoder.blocks.scales(names)
        for layer in encoder.blocks.start(self.operations):
            x = layer(x, 0, scales)
        return x

"""Networks in floating point that go on step after step: decoders, encoder-decoders, recurrent networks.

They are what `constructions.meaning.decoding` and `constructions.machines.rnn` mean, rounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, read
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment, add_markers
from weightproof.constructions.meaning.running import Runs, parameter_values
from weightproof.constructions.meaning.schema import Decoder, EncoderDecoder, Linear
from weightproof.numeric.decoding.layers import Running, Stack, normalised, operations, require_one_length
from weightproof.numeric.model.flags import Inference
from weightproof.numeric.model.parts import Affine, Entries, Normalising, activate

Tensor = torch.Tensor


@dataclass(frozen=True)
class Produced:
    """tokens: what each word gets appended, `stop` again and again where it has stopped; logits: [words, outputs]."""

    tokens: tuple[str, ...]
    logits: Tensor


class DecoderTransformer(torch.nn.Module):
    """A decoder that appends the token that it predicts.

    Parameters: W_E [tokens, d_model], blocks.0.attn.W_Q, ..., unembed.W_U [d_model, outputs]; tokens are the alphabet,
    and the marker and `stop`, if there are any; outputs are the rows of the readout. dtype, device and attention as in
    `EncoderDecoderTransformer`. Raises InputError for what is not there.
    """

    def __init__(
        self,
        construction: Runs,
        parameters: Mapping[str, object] | None = None,
        dtype: str = "float64",
        device: str = "cpu",
        attention: str = "explicit",
    ) -> None:
        super().__init__()
        network = construction.network
        if not isinstance(network, Decoder):
            raise InputError(f"{construction.name} is no decoder")
        if network.arithmetic is not None:
            raise InputError(f"{construction.name} computes in numbers of {network.arithmetic.name}, not in a dtype")
        if network.table is not None:
            raise InputError(f"{construction.name} has a table of positions, which is not run in floating point")
        names: Environment = {**parameter_values(construction, parameters), "d": fmpq(len(network.coordinates))}
        self.construction, self.network = construction, network
        self.entries = entries = Entries(names, dtype, device)
        self.device, self.operations = entries.device, operations(attention, entries)
        begin = () if network.begin is None else (network.begin,)
        stop = () if network.stop is None else (network.stop,)
        self.tokens = tuple(dict.fromkeys((*construction.alphabet, *begin, *stop)))
        self.outputs = network.readout.W.rows
        self.rank = Choices("a decoder in floating point").ranked(network.readout.accept)
        self.W_E = entries.parameter(entries.matrix(network.embedding.WE, network.coordinates, self.tokens).T)
        self.blocks = Stack(network.layers, network.coordinates, entries)
        norm = network.final_norm
        self.final_norm = None if norm is None else Normalising(norm, network.coordinates, entries)
        self.unembed = Affine(network.readout.W, self.outputs, network.coordinates, entries)

    @Inference()
    def generate(self, words: Sequence[Sequence[str]]) -> Iterator[Produced]:
        """What is appended to words of one length, until all have stopped; ties go to the first output.

        Keys and values are kept, so that a token costs as much as what it looks at. Raises InputError for a symbol
        outside the alphabet, for words of different lengths, and where there is no position.
        """
        require_one_length("a decoder", words, self.construction.name, self.construction.alphabet)
        numbers = {token: number for number, token in enumerate(self.tokens)}
        begin = [] if self.network.begin is None else [self.network.begin]
        prompts = torch.tensor([[numbers[token] for token in (*begin, *word)] for word in words], device=self.device)
        if prompts.shape[1] == 0:
            raise InputError(f"{self.construction.name}: the empty word has no position to read out; give a word")
        layers = self.blocks.start(self.operations)
        unembed = self.operations.linear(self.unembed.W_U, self.unembed.b_U)
        for i in range(prompts.shape[1]):
            x = self._step(layers, prompts[:, i], i)
        stopped = [False] * len(words)
        while True:
            logits = unembed(normalised(self.final_norm, x, self.operations))[:, 0]
            ranked = logits * self.rank.sign
            tokens = tuple(
                str(self.network.stop) if done else self.outputs[int(best)]
                for done, best in zip(stopped, (ranked == ranked.amax(1, keepdim=True)).int().argmax(1), strict=True)
            )
            yield Produced(tokens, logits)
            stopped = [token == self.network.stop for token in tokens]
            if all(stopped):
                return
            i += 1
            x = self._step(layers, torch.tensor([numbers[token] for token in tokens], device=self.device), i)

    def _step(self, layers: Sequence[Running], ids: Tensor, i: int) -> Tensor:
        """The vectors [words, 1, d_model] of position i, which all of the layers see from now on."""
        names: Environment = {**self.entries.names, "i": fmpq(i), "n": fmpq(i + 1)}
        embedding, scalars = self.network.embedding, self.blocks.scalars(names)
        x = self.W_E[ids][:, None] + self.entries.vector(embedding.PE, self.network.coordinates, names)
        for layer in layers:
            x = layer(x, i, scalars)
        return x


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
        inner, outer = (
            Entries({"d": fmpq(len(coordinates))}, dtype, device)
            for coordinates in (network.encoder.coordinates, network.coordinates)
        )
        self.device, self.operations = outer.device, operations(attention, outer)
        self.encoder = Embedded(network, alphabet, inner)
        self.seed = outer.vector(network.seed, network.coordinates)
        self.blocks = Stack(network.layers, network.coordinates, outer, network.encoder.coordinates)
        self.feedback = Feedback(network.feedback, network.coordinates, outer)

    def forward(self, words: Sequence[Sequence[str]], steps: int) -> Tensor:
        """z_0 ... z_(steps-1) of words of one length: [words, steps, d_model]."""
        return torch.stack([*itertools.islice(self.decode(words), steps)], 1)

    @Inference()
    def decode(self, words: Sequence[Sequence[str]]) -> Iterator[Tensor]:
        """z_0, z_1, z_2, ... of words of one length, each [words, d_model], without end.

        Keys and values are kept: those of the encoder's output, and those of each step, so that step t looks at
        t + 1 vectors and computes one. Raises InputError for a symbol outside the alphabet, and for words of
        different lengths.
        """
        memory = self._encoded(words)
        names: Environment = {**self.blocks.entries.names, "n": fmpq(memory.shape[1])}
        layers, scalars = self.blocks.start(self.operations), self.blocks.scalars(names)
        for layer in layers:
            layer.remember(memory, scalars)
        fed_back = self.operations.linear(self.feedback.W, self.feedback.b)
        before = self.seed.expand(len(words), 1, -1)
        for step in itertools.count():
            x = before + self._position(step, names)
            for layer in layers:
                x = layer(x, step, scalars)
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
        scalars = encoder.blocks.scalars(names)
        for layer in encoder.blocks.start(self.operations):
            x = layer(x, 0, scalars)
        return x


class RecurrentNetwork(torch.nn.Module):
    """W_E [tokens, inputs], W_h [units, units], W_x [inputs, units], b [units]: the exact data rounded once.

    dtype, device and attention as in `EncoderDecoderTransformer`, though there is nothing to attend to. Raises
    InputError for what is not there.
    """

    def __init__(self, network: RNN, dtype: str = "float64", device: str = "cpu", attention: str = "explicit") -> None:
        super().__init__()
        entries = Entries({}, dtype, device)
        self.network, self.operations = network, operations(attention, entries)
        embedding = {token: network.embedding.WE.get(token, {}) for token in network.tokens}
        self.W_E = entries.parameter(entries.matrix(embedding, network.inputs, network.tokens).T)
        self.W_h = entries.matrix(network.W_h.weights, network.units, network.units)
        self.W_x = entries.matrix(network.W_x.weights, network.inputs, network.units)
        self.b = entries.vector(network.W_x.bias, network.units)

    def forward(self, words: Sequence[Sequence[str]], steps: int) -> Tensor:
        """h_0 ... h_(steps-1) of words of one length: [words, steps, units]."""
        return torch.stack([*itertools.islice(self.states(words), steps)], 1)

    @Inference()
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

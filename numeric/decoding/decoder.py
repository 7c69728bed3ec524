"""A decoder in floating point, token after token: what `constructions.meaning.decoding` means, rounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.running import Runs, parameter_values
from weightproof.constructions.meaning.schema import Decoder
from weightproof.numeric.decoding.layers import Running, Stack
from weightproof.numeric.decoding.operations import operations, require_one_length
from weightproof.numeric.model.parts import DTYPES, Affine, Entries, device_named
from weightproof.numeric.rounding.formats import format_named

Tensor = torch.Tensor


@dataclass(frozen=True)
class Produced:
    """tokens: what each word gets appended, `stop` again and again where it has stopped; logits: [words, outputs]."""

    tokens: tuple[str, ...]
    logits: Tensor


class DecoderTransformer(torch.nn.Module):
    """A decoder that appends the argmax token.

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
        self.construction, self.network, self.format = construction, network, format_named(dtype)
        self.device = device_named(device)
        self.operations = operations(attention, self.format, self.device)
        names: Environment = {**parameter_values(construction, parameters), "d": fmpq(len(network.coordinates))}
        self.entries = entries = Entries(names, self.format, DTYPES[dtype], self.device)
        begin = () if network.begin is None else (network.begin,)
        stop = () if network.stop is None else (network.stop,)
        self.tokens = tuple(dict.fromkeys((*construction.alphabet, *begin, *stop)))
        self.outputs = tuple(dict.fromkeys((*network.readout.W.weights, *network.readout.W.bias)))
        self.W_E = entries.parameter(entries.matrix(network.embedding.WE, network.coordinates, self.tokens).T)
        self.blocks = Stack(network.layers, network.coordinates, entries)
        self.unembed = Affine(network.readout.W, self.outputs, network.coordinates, entries)

    @torch.inference_mode()
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
            logits = unembed(x)[:, 0]
            tokens = tuple(
                str(self.network.stop) if done else self.outputs[int(best)]
                for done, best in zip(stopped, (logits == logits.amax(1, keepdim=True)).int().argmax(1), strict=True)
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
        embedding, scales = self.network.embedding, self.blocks.scales(names)
        x = self.W_E[ids][:, None] + self.entries.vector(embedding.PE, self.network.coordinates, names)
        for layer in layers:
            x = layer(x, i, scales)
        return x

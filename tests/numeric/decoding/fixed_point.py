"""A decoder in numbers of s bits, token after token, many words at once: what `constructions.meaning.decoding` means.

Nothing is approximate: every number is the int64 numerator of a multiple of 2^-fraction, and every operation is rounded
as the format says, so that this and the interpreter agree to the bit. Vectors are [words, d_model], or [1, d_model]
where all words have the same one: the keys of a network that looks positions up are computed once, not for each word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from flint import arb, fmpq

from tests.numeric.decoding.fixed_point_numbers import Numbers
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.schema import Activation, Decoder, FeedForward, Head, Layer, Linear, Rows
from weightproof.constructions.scalars.exact import Real, pi_times, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import MODEL
from weightproof.numeric.decoding.networks import Produced
from weightproof.numeric.model.parts import device_named

Tensor = torch.Tensor


class Entries:
    """Scalars of the data, each rounded once, where their names have values."""

    def __init__(self, numbers: Numbers, names: Mapping[str, Real], device: torch.device) -> None:
        self.numbers, self.names, self.device = numbers, dict(names), device

    def number(self, scalar: Expression, **more: int) -> int:
        return self.numbers.constant(evaluate(scalar, self.names | {name: fmpq(x) for name, x in more.items()}))

    def vector(self, row: Mapping[str, Expression], order: Sequence[str], **more: int) -> Tensor:
        return torch.tensor(
            [self.number(row[name], **more) if name in row else 0 for name in order], device=self.device
        )


class SparseRows(torch.nn.Module):
    """A matrix, row by row: what stands in it, W [rows, most], and in which columns, [rows, most], in the order of the
    data, which is that of the sums. Shorter rows end in zeros, which change no sum."""

    def __init__(self, rows: Rows, outputs: Sequence[str], inputs: Sequence[str], entries: Entries) -> None:
        super().__init__()
        self.numbers, most = entries.numbers, max((len(rows.get(row, {})) for row in outputs), default=0)
        W, columns = torch.zeros((2, len(outputs), most), dtype=torch.int64)
        for number, row in enumerate(outputs):
            for place, (column, weight) in enumerate(rows.get(row, {}).items()):
                W[number, place], columns[number, place] = entries.number(weight), inputs.index(column)
        self.W = torch.nn.Parameter(W.to(entries.device), requires_grad=False)
        self.register_buffer("columns", columns.to(entries.device))
        self.columns: Tensor

    def forward(self, x: Tensor) -> Tensor:
        """[words, inputs] to [words, outputs]."""
        return self.numbers.total(self.numbers.product(self.W, x[:, self.columns]))


class Affine(torch.nn.Module):
    """W x + b."""

    def __init__(self, linear: Linear, outputs: Sequence[str], inputs: Sequence[str], entries: Entries) -> None:
        super().__init__()
        self.rows = SparseRows(linear.weights, outputs, inputs, entries)
        self.b = torch.nn.Parameter(entries.vector(linear.bias, outputs), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.rows.numbers.sum(self.rows(x), self.b)


class Kept:
    """Vectors [words, rows] of the positions seen so far, as [rows, words, positions], in a buffer that doubles; of one
    word for all as long as all have the same ones."""

    def __init__(self) -> None:
        self.length, self._buffer = 0, torch.zeros(0)

    def add(self, x: Tensor) -> None:
        new = x.T[..., None]
        if not self.length:
            self._buffer = new.clone()
        words = max(len(x), self._buffer.shape[1])
        self._buffer = self._buffer.expand(-1, words, -1)
        if self.length == self._buffer.shape[2]:
            self._buffer = torch.cat([self._buffer, torch.zeros_like(self._buffer)], 2)
        elif not self._buffer.is_contiguous():
            self._buffer = self._buffer.contiguous()
        self._buffer[..., self.length : self.length + 1] = new
        self.length += 1

    def __call__(self) -> Tensor:
        return self._buffer[..., : self.length]


Memory = tuple[Kept, Kept]
"""Keys and values of a head."""


def alike(x: Tensor) -> Tensor:
    """[1, ...] where all words have the same."""
    return x[:1] if len(x) > 1 and bool((x == x[:1]).all()) else x


class NoWeights(ArithmeticError):
    """Weights of a word that add up to 0, so that no quotient by their sum has a value."""

    def __init__(self, word: int) -> None:
        super().__init__(f"word {word}: a quotient by 0 has no value")


class Attention(torch.nn.Module):
    """One head: W_Q, W_K, W_V, and W_O where there is one; without it, values stand in the residual stream."""

    def __init__(self, head: Head, coordinates: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        MODEL.require_plain(head)
        MODEL.is_causal(head.mask)  # all that is kept is seen, by either mask
        self.head, self.entries, self.numbers = head, entries, entries.numbers
        scored = tuple(name for name in head.W_Q if name in head.W_K)
        through = coordinates if head.W_O is None else tuple(head.W_V)
        self.W_Q = SparseRows(head.W_Q, scored, coordinates, entries)
        self.W_K = SparseRows(head.W_K, scored, coordinates, entries)
        self.W_V = SparseRows(head.W_V, through, coordinates, entries)
        self.W_O = None if head.W_O is None else SparseRows(head.W_O, coordinates, through, entries)
        moved: Rows = head.W_V if head.W_O is None else head.W_O
        self.reached = [coordinates.index(name) for name in moved]

    def forward(self, x: Tensor, keys: Kept, values: Kept, i: int, stopped: Tensor) -> Tensor:
        """What the head adds at position i, with the vectors x [words, d_model]; NoWeights where those of a word
        that has not stopped add up to 0."""
        value = self.W_V(x)
        value = value if self.W_O is None else self.W_O(value)
        keys.add(alike(self.W_K(x)))
        values.add(value[:, self.reached])
        weights, seen = self._weights(alike(self.W_Q(x)), keys(), i, stopped), values()
        added = torch.zeros_like(x)
        for row, coordinate in enumerate(self.reached):
            added[:, coordinate] = self.numbers.total(self.numbers.product(weights, seen[row]))
        return added

    def _weights(self, query: Tensor, keys: Tensor, i: int, stopped: Tensor) -> Tensor:
        """[words, positions]. Where m positions attain the maximum, each gets 1/m: m is counted, and 1/m is rounded."""
        scores = torch.zeros((max(len(query), keys.shape[1]), i + 1), dtype=torch.int64, device=query.device)
        for row, key in enumerate(keys):  # one after the other: a sum that has reached the greatest number stays there
            scores = self.numbers.sum(scores, self.numbers.product(query[:, row, None], key))
        scores = -scores.abs() if MODEL.is_less_size(self.head.score) else scores
        scale = torch.tensor(self.entries.number(self.head.scale, i=i, n=i + 1), device=scores.device)
        scores = self.numbers.product(scale, scores)
        if not MODEL.is_soft(self.head.normaliser):
            best = scores == scores.amax(1, keepdim=True)
            count = best.sum(1, keepdim=True)
            return best * self.numbers.quotient(torch.ones_like(count), count)
        weights = self.numbers.exponential(scores)
        total = self.numbers.total(weights)[:, None]
        without = (total[:, 0] == 0) & ~stopped
        if bool(without.any()):
            raise NoWeights(int(without.int().argmax()))
        return self.numbers.quotient(weights, total.clamp(min=1))


class MLP(torch.nn.Module):
    """The feed-forward network."""

    def __init__(self, network: FeedForward, coordinates: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        hidden = network.first.rows
        self.activation: Activation = network.activation
        self.first, self.second = (
            Affine(network.first, hidden, coordinates, entries),
            Affine(network.second, coordinates, hidden, entries),
        )
        gate = network.gate
        order = None if gate is None else Linear({u: gate.weights.get(u, {}) for u in hidden}, gate.bias)
        self.gate = None if order is None else Affine(order, hidden, coordinates, entries)
        self.numbers, self.one = entries.numbers, entries.numbers.constant(fmpq(1))

    def forward(self, x: Tensor) -> Tensor:
        if self.gate is None:
            return torch.as_tensor(self.second(self.activated(self.first(x))))
        return torch.as_tensor(self.second(self.numbers.product(self.activated(self.gate(x)), self.first(x))))

    def activated(self, x: Tensor) -> Tensor:
        match self.activation:
            case "relu":
                x = x.clamp(min=0)
            case "saturated-linear":
                x = x.clamp(0, self.one)
            case "step":
                x = (x > 0) * self.one
            case "square":
                x = self.numbers.product(x, x)
            case "identity":
                pass
            case "abs":
                x = x.abs()
            case "tanh":
                x = self.numbers.curve(arb.tanh, x)
            case "sigmoid":
                x = self.sigmoid(x)
            case "silu":
                x = self.numbers.product(x, self.sigmoid(x))
            case "gelu":
                x = self.gated(x, arb.erf, self.numbers.signed_quotient(x, self.numbers.constant(sqrt(fmpq(2)))))
            case "gelu-tanh":
                product, constant = self.numbers.product, self.numbers.constant
                cube = product(product(product(x, x), x), torch.tensor(constant(fmpq(44715, 10**6))))
                scaled = product(self.numbers.sum(x, cube), torch.tensor(constant(sqrt(2 / pi_times(fmpq(1))))))
                x = self.gated(x, arb.tanh, scaled)
            case _:
                MODEL.refuse("activation", self.activation)
        return x

    def sigmoid(self, x: Tensor) -> Tensor:
        one = torch.full_like(x, self.one)
        return self.numbers.quotient(one, self.numbers.sum(one, self.numbers.exponential(-x)))

    def gated(self, x: Tensor, curve: Callable[[arb], arb], at: Tensor) -> Tensor:
        value = self.numbers.sum(torch.full_like(x, self.one), self.numbers.curve(curve, at))
        return self.numbers.signed_quotient(self.numbers.product(x, value), self.numbers.constant(fmpq(2)))


class Block(torch.nn.Module):
    """One layer."""

    def __init__(self, layer: Layer, coordinates: tuple[str, ...], entries: Entries) -> None:
        super().__init__()
        self.layer, self.numbers = layer, entries.numbers
        self.heads = torch.nn.ModuleList(Attention(head, coordinates, entries) for head in layer.heads)
        self.mlp = None if layer.feed_forward is None else MLP(layer.feed_forward, coordinates, entries)

    def start(self) -> list[Memory]:
        """Of a new run, for each head."""
        return [(Kept(), Kept()) for _ in self.heads]

    def forward(self, x: Tensor, memories: Sequence[Memory], i: int, stopped: Tensor) -> Tensor:
        attended = torch.zeros_like(x)
        for head, (keys, values) in zip(self.heads, memories, strict=True):
            attended = self.numbers.sum(attended, head(x, keys, values, i, stopped))
        x = self.numbers.sum(attended, x) if self.layer.attention_residual else attended
        if self.mlp is None:
            return x
        update: Tensor = self.mlp(x)
        return self.numbers.sum(x, update) if self.layer.feed_forward_residual else update


class FixedPointDecoder(torch.nn.Module):
    """A decoder whose arithmetic is a format, and that appends the token that it predicts.

    Parameters are numerators: W_E [tokens, d_model], W_pos [positions, d_model] where it has a table of positions,
    blocks.0.heads.0.W_Q.W [rows, entries of a row], ..., unembed.rows.W; tokens and outputs are as in
    `DecoderTransformer`. parameters: values of the names in the data. Raises InputError for exact arithmetic, a format
    of more than 31 bits, and layer normalisation.
    """

    def __init__(
        self,
        network: Decoder,
        alphabet: Sequence[str],
        parameters: Mapping[str, Real] | None = None,
        device: str = "cpu",
    ) -> None:
        super().__init__()
        if network.arithmetic is None:
            raise InputError("the decoder computes in exact numbers, not in those of a format")
        if network.final_norm is not None or any(layer.norms for layer in network.layers):
            raise InputError("layer normalisation is not computed in numbers of a format")
        self.network, self.alphabet, self.numbers = network, tuple(alphabet), Numbers(network.arithmetic)
        self.device, width = device_named(device), fmpq(len(network.coordinates))
        self.entries = Entries(self.numbers, {**(parameters or {}), "d": width}, self.device)
        begin = () if network.begin is None else (network.begin,)
        stop = () if network.stop is None else (network.stop,)
        self.tokens = tuple(dict.fromkeys((*self.alphabet, *begin, *stop)))
        self.outputs = network.readout.W.rows
        self.rank = Choices("a decoder in numbers of a format").ranked(network.readout.accept)
        embedded = [self.row(network.embedding.WE.get(token, {})) for token in self.tokens]
        self.W_E = torch.nn.Parameter(torch.stack(embedded), requires_grad=False)
        self.W_pos = None if network.table is None else torch.nn.Parameter(self._table(), requires_grad=False)
        self.blocks = torch.nn.ModuleList(Block(layer, network.coordinates, self.entries) for layer in network.layers)
        self.unembed = Affine(network.readout.W, self.outputs, network.coordinates, self.entries)

    def row(self, row: Mapping[str, Expression], **names: int) -> Tensor:
        """Of numerators, [d_model]."""
        return self.entries.vector(row, self.network.coordinates, **names)

    def _table(self) -> Tensor:
        rows = [self.row(row, i=i, n=i + 1) for i, row in enumerate(self.network.table or ())]
        return torch.stack(rows) if rows else torch.zeros((0, len(self.network.coordinates)), dtype=torch.int64)

    @torch.inference_mode()
    def generate(self, words: Sequence[Sequence[str]], tables: Tensor | None = None) -> Iterator[Produced]:
        """What is appended to words of one length, until all have stopped or positions end; ties go to the first
        output. The logits of what is produced are numerators.

        tables [words, positions, d_model], numerators: a table for each word in the place of that of the network, so
        that many networks that differ in it run at once. Keys and values are kept. Raises InputError for a symbol
        outside the alphabet, words of different lengths, no position, and, at a position, a quotient by 0.
        """
        if len({len(word) for word in words}) != 1:
            raise InputError("a decoder runs words of one length; give at least one, and others apart")
        for word in dict.fromkeys(map(tuple, words)):
            refuse_foreign("the decoder", self.alphabet, word)
        if tables is not None and (tables.ndim != 3 or len(tables) not in (1, len(words))):
            raise InputError(f"tables of shape {[*tables.shape]}; give one for each of the {len(words)} words")
        numbers = {token: number for number, token in enumerate(self.tokens)}
        begin = [] if self.network.begin is None else [self.network.begin]
        prompts = torch.tensor([[numbers[token] for token in (*begin, *word)] for word in words], device=self.device)
        if prompts.shape[1] == 0:
            raise InputError("the empty word has no position to read out; give a word")
        table = self.W_pos[None] if tables is None and self.W_pos is not None else tables
        memories = [block.start() for block in self.blocks]  # type: ignore[operator]
        position = torch.tensor([numbers[token] for token in self.outputs], device=self.device)
        stop = -1 if self.network.stop is None else numbers[self.network.stop]
        ids, stopped, i = prompts[:, 0], torch.zeros(len(words), dtype=torch.bool, device=self.device), 0
        while table is None or i < table.shape[1]:
            x = self._step(memories, ids, None if table is None else table[:, i], i, stopped)
            i += 1
            if i < prompts.shape[1]:
                ids = prompts[:, i]
                continue
            logits: Tensor = self.unembed(x)
            ranked = logits * self.rank.sign
            best = (ranked == ranked.amax(1, keepdim=True)).int().argmax(1)
            ids = torch.where(stopped, stop, position[best])
            yield Produced(tuple(self.tokens[number] for number in ids.tolist()), logits)
            stopped = ids == stop
            if bool(stopped.all()):
                return

    def _step(
        self, memories: Sequence[list[Memory]], ids: Tensor, table: Tensor | None, i: int, stopped: Tensor
    ) -> Tensor:
        """The vectors [words, d_model] of position i, which all of the layers see from now on."""
        x = self.W_E[ids]
        if self.network.embedding.PE:
            x = self.numbers.sum(x, self.row(self.network.embedding.PE, i=i, n=i + 1))
        if table is not None:
            x = self.numbers.sum(x, table)
        for number, (block, memory) in enumerate(zip(self.blocks, memories, strict=True), start=1):
            try:
                x = block(x, memory, i, stopped)
            except NoWeights as error:
                raise InputError(f"position {i}, layer {number}, {error}") from error
        return x

"""A construction as a torch module over batches of words: the exact data rounded once, every operation in the dtype.

Coordinates that nothing reads are not computed; nor are rows, and equal query rows are computed once (see `stream`),
but for `matmul` and `fused`, which compute every row of every layer. A `Rule` says how a computed logit decides: the
construction's own rule, and those that papers and their code use.

Words are tensors of token ids: the alphabet's symbols in its order, then the markers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.choices import more_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.running import Runs, parameter_values
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import MODEL
from weightproof.numeric.model.attention import ATTENTION, DENSE, LARGEST_BLOCK, Scores, head_size
from weightproof.numeric.model.flags import Inference
from weightproof.numeric.model.kernels import NoKernel, attended, kernel_of
from weightproof.numeric.model.parts import DTYPES, Affine, Block, Entries, Normalising, device_named, normed
from weightproof.numeric.model.pieces import Pieces, WholeWordsOnly
from weightproof.numeric.model.positions import positions_of
from weightproof.numeric.model.stream import Stream, at, numbers, total, weights_read_once
from weightproof.numeric.model.strict import strict_outputs
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import format_named, over_positions, rounded


def token_names(construction: Runs) -> tuple[str, ...]:
    """The tokens in the order of their ids."""
    network = construction.network
    assert isinstance(network, Encoder)
    return (*construction.alphabet, *network.markers)


def by_length(words: Sequence[Sequence[str]]) -> Iterator[tuple[list[int], int]]:
    """The indices of the words of each length, and the length."""
    groups: dict[int, list[int]] = {}
    for index, word in enumerate(words):
        groups.setdefault(len(word), []).append(index)
    for length, indices in groups.items():
        yield indices, length


def encode(construction: Runs, words: Sequence[Sequence[str]]) -> torch.Tensor:
    """Token ids of words of one length, markers added: uint8 where they are so few, shape [words, n].

    Raises InputError for a symbol outside the alphabet, and for the empty input without markers.
    """
    network, alphabet = construction.network, construction.alphabet
    assert isinstance(network, Encoder)
    names = token_names(construction)
    length = len(words[0])
    n = length + len(network.markers)
    if n == 0:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    ids = np.empty((len(words), n), dtype=np.uint8 if len(names) <= FEW else np.int32)
    first = int(network.begin is not None)
    ids[:, first : first + length] = _symbols(construction, words, length)
    if network.begin is not None:
        ids[:, 0] = names.index(network.begin)
    if network.end is not None:
        ids[:, -1] = len(alphabet) + int(network.begin is not None)
    return torch.from_numpy(ids)


FEW = 255
"""Tokens of which an id is one byte, and another byte is left, which is none."""


def _symbols(construction: Runs, words: Sequence[Sequence[str]], length: int) -> np.ndarray:
    """The ids of the symbols, shape [words, length]."""
    alphabet = construction.alphabet
    unknown = len(alphabet)
    known = {symbol: index for index, symbol in enumerate(alphabet)}
    bytewise = unknown <= FEW and all(len(symbol) == 1 for symbol in alphabet)
    if bytewise and all(isinstance(word, str) and word.isascii() for word in words):
        table = bytes(known.get(chr(code), unknown) for code in range(256))
        codes = "".join(words).encode("ascii").translate(table)  # type: ignore[arg-type]
        ids = np.frombuffer(codes, dtype=np.uint8)
    else:
        ids = np.array([[known.get(symbol, unknown) for symbol in word] for word in words], dtype=np.int32)
    ids = ids.reshape(len(words), length)
    if (ids == unknown).any():
        word, position = (int(axis[0]) for axis in np.nonzero(ids == unknown))
        raise InputError(
            f"{construction.name}: symbol {words[word][position]!r} at index {position} of the word is not in the "
            f"alphabet {{{', '.join(alphabet)}}}"
        )
    return ids


Tensor = torch.Tensor
STRICT = "strict"
IMPLEMENTATIONS = (STRICT, *ATTENTION)

BLOCK = {"cpu": 1 << 18, "cuda": 1 << 26}
"""Symbols computed at a time: 1 MB a coordinate in float32, which stays in the cache; on a GPU enough to fill it."""
PIECE = {device: size // 2 for device, size in BLOCK.items()}
"""Positions of a word computed at a time, where it has more and the network allows it (see `pieces`)."""
KEPT = 1 << 20
"""Positions of the longest words whose position encodings are kept for the next words of their length."""

# glibc hands freed memory back to the system, and fetching it again for each coordinate of each block costs several
# times the arithmetic; having freed one allocation of nearly 32 MB, the most that counts, it keeps up to 64.
torch.empty(31 << 20, dtype=torch.uint8)

Encoding = Callable[[int, int, int], Tensor | None]
"""Of a coordinate, from one position to before another, [1, positions]; None where it has none."""


class Transformer(torch.nn.Module):
    """An encoder in floating point, whatever it reads out: rows are the outputs, of a recogniser its logit alone.

    dtype: one of FORMATS. device: as torch names it. attention: "explicit" (softmax and products in torch, each
    distinct row once), "matmul" (softmax(Q K^T scale) V over all rows, as published code has it: time and memory grow
    with the square of the length), "fused" (the same by the fused kernel of the device and dtype: see `kernels`), or
    "strict" (every elementary operation rounded, sums from left to right: see `strict`; on the cpu, slowly). Raises
    InputError for what is not there, for parameters outside their domains, and NoKernel for what no fused kernel does.
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
        if not isinstance(network, Encoder):
            raise InputError(
                f"{construction.name}: a Transformer is an encoder; for others there are DecoderTransformer and "
                "EncoderDecoderTransformer"
            )
        self.format, self.device, self.attention = format_named(dtype), checked(device, attention), attention
        self.dtype = DTYPES[dtype]
        if attention == "fused":
            _require_kernel(construction.name, network, dtype, self.device)
        self.construction, self.network = construction, network
        self.rows = network.readout.W.rows
        self.names: Environment = {**parameter_values(construction, parameters), "d": fmpq(len(network.coordinates))}
        entries = Entries(self.names, dtype, device)
        tokens, coordinates = token_names(construction), network.coordinates
        self.W_E = entries.parameter(entries.matrix(network.embedding.WE, coordinates, tokens).T)
        self.blocks = torch.nn.ModuleList(
            Block(layer, coordinates, entries, ATTENTION.get(attention, ATTENTION["explicit"]))
            for layer in network.layers
        )
        self.plain = not any(MODEL.is_of_table(head) for layer in network.layers for head in layer.heads)
        self.square, self.dense = attention == "matmul" or not self.plain, attention in DENSE
        self.strict = Rounded(self.format) if attention == STRICT else None
        norm = network.final_norm
        self.final_norm = None if norm is None else Normalising(norm, coordinates, entries)
        self.unembed = Affine(network.readout.W, self.rows, coordinates, entries)
        hidden = [tensor.shape[1] for name, tensor in self.named_parameters() if name.endswith("W_in")]
        self._widest = max(len(coordinates), *hidden, 1)
        self._at_length = lru_cache(1)(self._of_length)

    def logits(self, words: Sequence[Sequence[str]] | Tensor) -> Tensor:
        """The logits, shape [words]; the rest as in `outputs`. InputError where tokens are ranked."""
        if self.network.readout.predicts:
            raise InputError(f"{self.construction.name}: it predicts a token or a class, and reads out no logit")
        return self.outputs(words)[:, 0]

    def outputs(self, words: Sequence[Sequence[str]] | Tensor) -> Tensor:
        """The outputs, shape [words, rows], of words or of token ids with their markers, shape [words, n] (see
        `encode`)."""
        if isinstance(words, Tensor):
            return self(words)
        result = torch.empty(len(words), len(self.rows), dtype=self.dtype, device=self.device)
        for indices, _ in by_length(words):
            result[indices] = self(encode(self.construction, [words[index] for index in indices]))
        return result

    def accepts(self, words: Sequence[Sequence[str]] | Tensor) -> Tensor:
        """Whether each word is accepted by the sign of its logit, without tolerance; bool, shape [words]."""
        return Rule(self.network.readout.accept).accepts(self, self.logits(words))

    def probabilities(self, logits: Tensor) -> Tensor:
        """The sigmoid of logits, computed in the dtype; strict: 1/(1 + e^-x), each operation rounded."""
        if self.strict is None:
            return torch.sigmoid(logits)
        arithmetic, x = self.strict, logits.double().numpy()
        powers = arithmetic.exp(-np.abs(x).astype(arithmetic.type))
        one = np.ones_like(powers)
        above = one / (one + powers)  # of |x|
        return torch.from_numpy(np.where(x < 0, (powers / (one + powers)), above).astype("float64")).to(self.dtype)

    @property
    def quadratic(self) -> bool:
        """Whether time grows with the square of the length: where all rows are computed, and in strict causal
        attention."""
        return self.square or self.dense or (self.strict is not None and self.network.causal)

    @Inference()
    def forward(self, tokens: Tensor) -> Tensor:
        """Token ids [words, n] to outputs [words, rows]."""
        words, n = tokens.shape
        if not words:
            return self.W_E.new_empty(0, len(self.rows))
        if n == 0:
            raise InputError(f"{self.construction.name}: words without a position have none to read out; give some")
        self.require_memory(n)
        if self.strict is not None:
            names = {**self.names, "n": fmpq(n)}
            computed = strict_outputs(self.network, token_names(self.construction), tokens.numpy(), self.strict, names)
            return torch.from_numpy(computed.astype("float64")).to(self.dtype)
        encoding, scores = self._at_length(n)
        piece = self._piece(n)
        size = min(words, max(1, LARGEST_BLOCK // (n * n) if self.square else BLOCK[self.device.type] // piece))
        read = {"first": 0, "last": -1, "sum": None}[self._rows_read]
        same = read is not None and bool((tokens[:, read] == tokens[0, read]).all())  # once, before any block
        found: list[Tensor] = []
        start = 0
        with weights_read_once():
            while start < words:
                here = tokens[start : start + size]
                try:
                    found.append(self._block(self._here(here), encoding, scores, piece, same))
                except torch.OutOfMemoryError as error:
                    if size == 1:
                        raise InputError(
                            f"{self.construction.name}: a word of {n} positions does not fit into the memory of "
                            f"{self.device}; take a shorter one"
                        ) from error
                    size //= 2
                else:
                    start += size
        totals = torch.cat(found)
        if self.network.readout.position != "mean":
            return totals
        return totals / self._scalar(rounded(fmpq(n), self.format))

    def _here(self, tokens: Tensor) -> Tensor:
        """On the device. What is copied there is copied while the device computes what came before."""
        if self.device.type == "cuda" and tokens.device.type == "cpu":
            tokens = tokens.pin_memory()
        return tokens.to(self.device, non_blocking=True)

    def _block(
        self, tokens: Tensor, encoding: Encoding, scores: list[list[Scores]], piece: int, same: bool = False
    ) -> Tensor:
        """same: whether all words are known to have one token in the row that is read."""
        words, n = tokens.shape
        embedded, read = partial(self._embedded, tokens, encoding, same), self._rows_read
        if piece < n:
            pieces = Pieces(
                [*self.blocks], self.final_norm, self.unembed, embedded, scores, self._rows(), read, words, n, piece
            )
            parts = pieces.outputs(len(self.rows))
            return torch.cat([self.W_E.new_zeros(words, 1) if x is None else x.expand(words, 1) for x in parts], 1)
        stream = embedded(0, n)
        for block, how, rows in zip(self.blocks, scores, self._rows(), strict=True):
            stream = block(stream, n, how, rows)
        outputs = self.unembed(normed(self.final_norm, at(read, stream)))
        rows_read = n if read == "sum" else 1
        parts = [outputs(number) for number in range(len(self.rows))]
        return torch.stack(
            [self.W_E.new_zeros(words) if x is None else x.expand(words, rows_read).sum(1) for x in parts], 1
        )

    def _piece(self, n: int) -> int:
        """Positions of a word of n that are computed at a time."""
        most = PIECE[self.device.type]
        return most if n > most and self.divides else n

    @property
    def divides(self) -> bool:
        """Whether words are taken in pieces where they are long: where attention is explicit and the heads allow it.

        That is seen from the shapes, which do not depend on the length, of four positions in two pieces.
        """
        if self.attention != "explicit" or not self.plain:
            return False
        tokens = torch.zeros(1, 4, dtype=torch.uint8, device=self.device)
        scores = [[Scores(head, self._scalar(1.0)) for head in layer.heads] for layer in self.network.layers]
        zero = self.W_E.new_zeros(1, 1)

        def encoding(coordinate: int, start: int, stop: int) -> Tensor | None:
            return zero.expand(1, stop - start) if self._encoded(coordinate) is not None else None

        try:
            self._block(tokens, encoding, scores, 2)
        except WholeWordsOnly:
            return False
        return True

    def _embedded(self, tokens: Tensor, encoding: Encoding, same: bool, start: int, stop: int) -> Stream:
        here, table = tokens[:, start:stop], numbers(self.W_E)
        ids = cache(lambda: here.flatten().int())

        def embedded(coordinate: int) -> Tensor | None:
            column = self.W_E[:, coordinate]
            if len(set(table[coordinate])) == 1:
                word = column[:1, None] if any(table[coordinate]) else None
            else:
                word = column.index_select(0, ids()).view(here.shape)
            return total([word, encoding(coordinate, start, stop)])

        return Stream(embedded, lambda _: same)

    @property
    def _rows_read(self) -> str:
        """Which rows are read out: "first", "last", or "sum", all of them, which are added up."""
        position = self.network.readout.position
        return "sum" if MODEL.reads_all(position) else position

    def _rows(self) -> list[str]:
        """Which rows each layer computes: all that a later head sees, at last those that the readout reads."""
        if self.dense:
            return ["sum"] * len(self.network.layers)
        wanted = [self._rows_read]
        for layer in reversed(self.network.layers[1:]):
            wanted.append("sum" if layer.heads else wanted[-1])
        return wanted[::-1][-len(self.network.layers) :] if self.network.layers else []

    def _of_length(self, n: int) -> tuple[Encoding, list[list[Scores]]]:
        """The position encodings and how heads score, which alone depend on n."""
        names = {**self.names, "n": fmpq(n)}

        def of_head(head: Head) -> Scores:
            scale = self._scalar(rounded(evaluate(head.scale, names), self.format))
            return Scores(head, scale, positions_of(head, names, self.format, n, self._tensor))

        scores = [[*map(of_head, layer.heads)] for layer in self.network.layers]

        def computed(coordinate: int, start: int, stop: int) -> Tensor | None:
            scalar = self._encoded(coordinate)
            if scalar is None:
                return None
            values = over_positions(scalar, self.names, n, self.format, start=start, stop=stop)
            return torch.from_numpy(values).to(self.device, self.dtype)[None]

        if n > KEPT and self.divides:
            return computed, scores
        whole = [computed(coordinate, 0, n) for coordinate in range(len(self.network.coordinates))]

        def kept(coordinate: int, start: int, stop: int) -> Tensor | None:
            values = whole[coordinate]
            return None if values is None else values[:, start:stop]

        return kept, scores

    def _encoded(self, coordinate: int) -> Expression | None:
        return self.network.embedding.PE.get(self.network.coordinates[coordinate])

    def _scalar(self, value: float) -> Tensor:
        return torch.tensor(value, dtype=torch.float64).to(self.device, self.dtype)

    def _tensor(self, values: np.ndarray) -> Tensor:
        return torch.from_numpy(values).to(self.device, self.dtype)

    def require_memory(self, n: int) -> None:
        """InputError where a word of n positions does not fit into memory."""
        strict_in_pieces = self.strict is not None and not self.quadratic
        needed = 4 * n if strict_in_pieces else 4 * n + 8 * self._piece(n) * self._widest * self.dtype.itemsize
        if self.square:
            needed += 4 * n * n * self.dtype.itemsize  # products, scaled, masked, weights
        if self.device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.device)
            cached = torch.cuda.memory_reserved(self.device) - torch.cuda.memory_allocated(self.device)
            room = free + cached  # torch's allocator holds memory that nothing uses, and gives it to whoever asks
        else:
            room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        if needed > room:
            raise InputError(
                f"{self.construction.name}: a word of {n} positions needs about {needed / 2**30:.1f} GiB, and there "
                f"are {room / 2**30:.1f}; take a shorter one"
            )


def checked(device: str, attention: str) -> torch.device:
    """The device; InputError where it, or that kind of attention on it, is not there."""
    if attention not in IMPLEMENTATIONS:
        raise InputError(f"unknown attention {attention!r}; there are {', '.join(IMPLEMENTATIONS)}")
    found = device_named(device)
    if attention == STRICT and found.type != "cpu":
        raise InputError(f"strict attention runs on the cpu, not on {device!r}")
    return found


def _require_kernel(name: str, network: Encoder, dtype: str, device: torch.device) -> None:
    """NoKernel for what the fused kernel of the dtype on the device does not compute."""
    if kernel_of("fused", device.type, dtype) is None:
        raise NoKernel(f"{name}: torch has no fused kernel for {dtype} on {device.type}; take explicit")
    if not any(layer.heads for layer in network.layers):
        raise NoKernel(f"{name}: it has no heads, and so nothing for a fused kernel to compute; take explicit")
    for number, layer in enumerate(network.layers, start=1):
        for head in layer.heads:
            for more in more_of(head):
                raise NoKernel(f"{name}: layer {number}: fused attention has no heads with {more}; take explicit")
            if MODEL.is_of_table(head):
                raise NoKernel(f"{name}: layer {number}: fused attention has no mask {head.mask!r}; take explicit")
            if MODEL.side(head.normaliser) is not None or MODEL.is_less_size(head.score):
                raise NoKernel(
                    f"{name}: layer {number}: fused attention has no {head.normaliser} over {head.score} "
                    "scores; take explicit"
                )
            tried = torch.zeros(1, 1, 1, head_size(head, device), dtype=DTYPES[dtype], device=device)
            try:
                attended(tried, tried, tried, MODEL.is_causal(head.mask), 1.0)
            except NoKernel as error:
                raise NoKernel(f"{name}: layer {number}: {error}") from error


@dataclass(frozen=True)
class Rule:
    """A name, as tables print it, and the tolerance of a rule that has one."""

    name: str
    tolerance: float | None = None

    def accepts(self, model: Transformer, logits: torch.Tensor) -> torch.Tensor:
        """Whether computed logits accept, bool, shape [words]. A logit that is no number accepts nothing."""
        if self.tolerance is not None:
            return logits.double().abs() <= self.tolerance
        accepted: dict[str, Callable[[], torch.Tensor]] = {
            "logit > 0": lambda: logits > 0,
            "logit >= 0": lambda: logits >= 0,
            "logit = 0": lambda: logits == 0,
            "logit < 0": lambda: logits < 0,
            "logit <= 0": lambda: logits <= 0,
            "probability > 1/2": lambda: model.probabilities(logits) > 0.5,
        }
        return MODEL.of("rule of acceptance", self.name, accepted)()


PROBABILITY = Rule("probability > 1/2")
"""The sigmoid of the logit, computed in the dtype, is above 1/2: Chiang and Cholak (2022), section 2."""


def rules(network: Encoder, tolerance: float | None) -> tuple[Rule, ...]:
    """The construction's own rule, then the probability where the logit is to be above 0, or the tolerance, if given,
    for an equality."""
    own, accepted = Rule(network.readout.accept), MODEL.accepted(network.readout.accept)
    if accepted.is_above:
        return own, PROBABILITY
    return (own,) if tolerance is None or accepted.side else (own, Rule(f"|logit| <= {tolerance:g}", tolerance))

"""Long words in pieces of positions, each small enough for the cache: the same quotients of sums, piece after piece.

A head that is not causal, and has one query for all rows, is a mean over positions that all rows share. Two passes over
the pieces find it: the first the greatest score m, the second the sums of the powers e^(s - m) and of their products
with the values, of which the mean is the quotient. Where all positions have one score, it is m, and the powers are e^0
= 1; where all powers of a piece are rounded to 0, it is passed over. A causal head with one score for all positions is
a mean over the positions so far: running sums, to which a piece adds the totals of those before it, over the number of
positions.

All else is done at each position alone. This is within the rounding model (`mean` in numeric/rounding/model.py), so
that certificates hold for it: m is the greatest of the scores as computed, known before any power is; totals of pieces
that are added up are binary trees over the terms; the mean is one quotient of two sums; and a number of positions is a
sum of ones whose partial sums are not rounded. Sums and quotients are formed in float32 where the dtype is narrower, as
in torch's own sums, and rounded to it at the end. That second rounding of a quotient changes nothing while the dtype
holds both sums, for 24 >= 2*11 + 2 (Figueroa 1995, When is double rounding innocuous?); where it does not, the model
allows each sum an error of u/4 at least, in relation to it, and the second rounding adds 2^-24.

A word that is taken whole may differ in its last bits: there torch's softmax divides before products are formed, and
sums are taken in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import TypeVar

import torch

from weightproof.constructions.meaning.schema import Head
from weightproof.numeric import MODEL
from weightproof.numeric.model.attention import Scores
from weightproof.numeric.model.parts import Affine, Block, Normalising, normed
from weightproof.numeric.model.stream import Stream, linear, numbers, total

Tensor = torch.Tensor
Key = TypeVar("Key")

Place = tuple[int, int, int]
"""Layer, head, and coordinate of its values."""


class WholeWordsOnly(Exception):
    """A head has other queries in other rows; or it is causal, and its scores differ or the last row is read; or all
    of its weight is at one position."""


@dataclass(frozen=True)
class Pieces:
    """Words of n positions, some at a time, on their way through a network.

    embedded: the embedding of the positions from `start` to before `stop`; scores: of the heads, by layer; rows: which
    rows a layer computes; length: of a piece, in positions, 2 or more.
    """

    blocks: Sequence[Block]
    final_norm: Normalising | None
    unembed: Affine
    embedded: Callable[[int, int], Stream]
    scores: Sequence[Sequence[Scores]]
    rows: Sequence[str]
    read: str
    words: int
    n: int
    length: int

    def outputs(self, count: int) -> list[Tensor | None]:
        """Each output, [words, 1], None where it is 0 for all words. Raises WholeWordsOnly."""
        means: dict[Place, Tensor] = {}
        for layer in range(len(self.blocks)):
            means |= self._means(layer, means)
        if self.read != "sum":
            read = self._read_out(self._read_row(means))
            return [read(number) for number in range(count)]
        sums: dict[int, Tensor] = {}
        for piece in self._pieces(means):
            read = self._read_out(piece)
            for number in range(count):
                if (values := read(number)) is not None:
                    _add(sums, number, values.expand(self.words, piece.size))
        dtype = self.unembed.W_U.dtype
        return [sums[number].to(dtype) if number in sums else None for number in range(count)]

    def _read_out(self, piece: Piece) -> Stream:
        outputs: Stream = self.unembed(normed(self.final_norm, self._after(len(self.blocks), piece)))
        return outputs

    def _pieces(self, means: dict[Place, Tensor]) -> Iterator[Piece]:
        """All positions; running sums go from piece to piece."""
        running: dict[Place, Tensor] = {}
        for start in range(0, self.n, self.length):
            yield Piece(start, min(start + self.length, self.n), means, running)

    def _read_row(self, means: dict[Place, Tensor]) -> Piece:
        """The one position that is read."""
        start = MODEL.of("readout position", self.read, {"first": 0, "last": self.n - 1, "sum": None})
        assert start is not None
        return Piece(start, start + 1, means, {})

    def _after(self, layers: int, piece: Piece) -> Stream:
        """The stream of a piece after so many layers."""
        stream = self.embedded(piece.start, piece.stop)
        for layer in range(layers):
            stream = self._updated(layer, stream, piece)
        return stream

    def _updated(self, layer: int, stream: Stream, piece: Piece) -> Stream:
        block = self.blocks[layer]
        seen = block.read(stream)

        @cache
        def head(number: int) -> Stream:
            means = self._running(layer, number, seen, piece) if self._causal(layer, number) else piece.means
            return linear(block.attn.W_O, Stream(lambda part: means.get((layer, number, part))), head=number)

        return block.updated(stream, block.attn.joined(head))

    def _means(self, layer: int, known: dict[Place, Tensor]) -> dict[Place, Tensor]:
        """What the heads of a layer that are not causal make of their values, each [words, 1]."""
        reaching = [any(map(any, columns)) for columns in numbers(self.blocks[layer].attn.W_O)]
        heads = [number for number, reaches in enumerate(reaching) if reaches and not self._causal(layer, number)]
        if not heads:
            return {}
        block = self.blocks[layer]
        for number in heads:
            _require_spread(block.attn.heads[number])
        read = None if self.rows[layer] == "sum" else block.read(self._after(layer, self._read_row(known)))

        def scores(number: int, stream: Stream) -> Tensor:
            return self._scores(layer, number, stream if read is None else read, stream)

        greatest: dict[int, Tensor] = {}
        tops: dict[tuple[int, int], list[list[float]]] = {}
        differing = set(heads)
        for piece in self._pieces(known):
            stream = block.read(self._after(layer, piece))
            for number in [*differing]:
                scored = scores(number, stream)
                top = scored.amax(1, keepdim=True)
                tops[number, piece.start] = top.tolist()
                greatest[number] = torch.maximum(greatest.get(number, top), top)
                if scored.shape[1] < piece.size:
                    differing.remove(number)
            if not differing:
                break
        dtype = self.unembed.W_U.dtype
        vanishing, powers = _vanishing(dtype), dict[int, Tensor]()
        products: dict[Place, Tensor] = {}
        for piece in self._pieces(known):
            stream = block.read(self._after(layer, piece))
            for number in heads:
                attention, best = self.blocks[layer].attn, greatest[number]
                if number in differing and bool((best.new_tensor(tops[number, piece.start]) - best < vanishing).all()):
                    continue
                scored = scores(number, stream)
                soft = MODEL.side(attention.heads[number].normaliser) is None
                power = _exp(scored - best) if soft else (scored == best).to(scored.dtype)
                _add(powers, number, power.expand(-1, piece.size))
                _, _, values = attention.projected(number, stream, stream)
                for part in range(attention.sizes[number][1]):
                    if (value := values(part)) is not None:
                        value = value.expand(-1, piece.size)
                        _add(products, (layer, number, part), value * power if number in differing else value)
        return {place: (sums / powers[place[1]]).to(dtype) for place, sums in products.items()}

    def _causal(self, layer: int, number: int) -> bool:
        return MODEL.is_causal(self.blocks[layer].attn.heads[number].mask)

    def _scores(self, layer: int, number: int, here: Stream, seen: Stream) -> Tensor:
        """[words, positions], either of which is 1 where all have the same."""
        attention, products = self.blocks[layer].attn, []
        q, k, _ = attention.projected(number, here, seen)
        for part in range(attention.sizes[number][0]):
            query, key = q(part), k(part)
            if query is not None and query.shape[1] > 1:
                raise WholeWordsOnly
            if query is not None and key is not None:
                products.append((query[:1] if q.same(part) else query) * key)
        found = total(products)
        return self.scores[layer][number].of(self.unembed.W_U.new_zeros(1, 1) if found is None else found)

    def _running(self, layer: int, number: int, stream: Stream, piece: Piece) -> dict[Place, Tensor]:
        """The means of a causal head over the positions up to each, [words, positions of the piece]."""
        attention = self.blocks[layer].attn
        _require_spread(attention.heads[number])
        if self.read == "last" or (piece.size > 1 and self._scores(layer, number, stream, stream).shape[1] > 1):
            raise WholeWordsOnly
        dtype = self.unembed.W_U.dtype
        counts = torch.arange(piece.start + 1, piece.stop + 1, dtype=torch.float64, device=self.unembed.W_U.device)
        counts, means = counts.to(_wide(dtype)), {}
        _, _, values = attention.projected(number, stream, stream)
        for part in range(attention.sizes[number][1]):
            if (value := values(part)) is not None:
                place = layer, number, part
                sums = torch.cumsum(value.expand(-1, piece.size), 1, dtype=_wide(dtype))
                if place in piece.running:
                    sums += piece.running[place]
                piece.running[place] = sums[:, -1:].clone()
                means[place] = (sums / counts).to(dtype)
        return means


@dataclass(frozen=True)
class Piece:
    """The positions from `start` to before `stop`; what is known of heads that are not causal, and the sums that causal
    ones have come to before."""

    start: int
    stop: int
    means: dict[Place, Tensor]
    running: dict[Place, Tensor]

    @property
    def size(self) -> int:
        return self.stop - self.start


def _require_spread(head: Head) -> None:
    """WholeWordsOnly where all of the weight is at the first or the last of the best positions."""
    if MODEL.side(head.normaliser) in (-1, 1):
        raise WholeWordsOnly


def _vanishing(dtype: torch.dtype) -> float:
    """Below this e^x is less than half the least positive number, and so is rounded to 0."""
    return log(torch.finfo(dtype).tiny) + log(torch.finfo(dtype).eps) - 1


def _exp(x: Tensor) -> Tensor:
    """e^x; libraries take many times as long for what they round to 0, which is not left to them."""
    least = _vanishing(x.dtype)
    if bool(x.amin() >= least):
        return torch.exp(x)
    vanish = x < least
    return torch.exp(x.masked_fill(vanish, 0)).masked_fill(vanish, 0)


def _wide(dtype: torch.dtype) -> torch.dtype:
    """In which sums are formed."""
    return dtype if dtype in (torch.float32, torch.float64) else torch.float32


def _add(sums: dict[Key, Tensor], key: Key, values: Tensor) -> None:
    """Adds the total of values [words, positions] to what there is."""
    found = values.sum(1, keepdim=True, dtype=_wide(values.dtype))
    sums[key] = sums[key] + found if key in sums else found

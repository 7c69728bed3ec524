"""The least modulus found for which a network in floating point takes another output for the greatest."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

import torch

from weightproof.constructions.modular.addition import Adder, Makes
from weightproof.constructions.modular.family import all_frequencies, modulus
from weightproof.numeric.model.transformer import Transformer

Failure = TypeVar("Failure")
MOST_OUTPUTS = 1 << 21
"""Computed at a time."""
MOST_TERMS, MOST_TERMS_OF_ALL = 1 << 27, 1 << 20
"""Of outputs, after which not all pairs of residues are run any more, but some; with one frequency, and with all."""
DRAWN, DRAWN_OF_ALL = 32, 8
"""Pairs that are drawn of a modulus where not all are run, with one frequency and with all of them."""
STEP, BETWEEN = 16, 64
"""The part of a modulus by which the next one is greater then; and where one fails, how many are run of those since the
last one that did not."""
NEXT = 1
"""Outputs on either side of the sum that are compared with it where not all are, beside those of what else is drawn:
there the cosine of the frequency 1 differs least."""


@dataclass(frozen=True)
class Misread:
    """The sum of a and b modulo p is expected, and the output got is computed as greater, or as great, which is a tie:
    then it depends on the order of the outputs which one is taken. computed: the two outputs."""

    p: int
    a: int
    b: int
    expected: int
    got: int
    computed: tuple[float, float]

    @property
    def tie(self) -> bool:
        return self.computed[0] == self.computed[1]


@dataclass(frozen=True)
class Found(Generic[Failure]):
    """failure: one of the least size, a modulus or a number of bits, of which one was found; searched_to: the size up
    to which everything of every size was run, the failing one included; looked_to: the greatest of which some was."""

    failure: Failure | None
    searched_to: int
    looked_to: int


@dataclass(frozen=True)
class Search:
    """every: all frequencies 1 to p-1 at once, and not the frequency 1 alone; odd: odd moduli alone. Another frequency
    coprime to p permutes the weights of residues and outputs, and so the outputs that are computed: it fails, too."""

    family: Makes
    every: bool
    odd: bool
    dtype: str
    device: str
    attention: str

    def run(self, longest: int, safe: int = 1) -> Found[Misread]:
        """All pairs as long as they are not too many, then some, of moduli that grow by a part, and where one fails, of
        moduli between. safe: up to which none can fail; of those not some are run, but all or none."""
        terms, p, searched = 0, self._next(1), 1
        while p <= longest:
            terms += p**3 * 2 * (p - 1 if self.every else 1)
            if terms > (MOST_TERMS_OF_ALL if self.every else MOST_TERMS):
                break
            if (misread := self.at(p, None)) is not None:
                return Found(misread, p, p)
            searched, p = p, self._next(p)
        return self._sampled(max(searched, min(safe, longest)), longest, searched)

    def _next(self, p: int, more: int = 1) -> int:
        """The next modulus that is greater by so much, or, where they have to be odd, by one more."""
        p = max(p + more, 2)
        return p + int(self.odd and p % 2 == 0)

    def _sampled(self, before: int, longest: int, searched: int) -> Found[Misread]:
        while (p := self._next(before, 1 + before // STEP)) <= longest:
            if (misread := self.at(p, self._drawn)) is not None:
                return Found(self._least(before, misread), searched, p)
            before = p
        return Found(None, searched, before)

    @property
    def _drawn(self) -> int:
        return DRAWN_OF_ALL if self.every else DRAWN

    def _least(self, before: int, misread: Misread) -> Misread:
        between = range(self._next(before), misread.p, 1 + int(self.odd))
        found = (self.at(p, self._drawn) for p in between[:: max(1, len(between) // BETWEEN)])
        return next((each for each in found if each is not None), misread)

    def at(self, p: int, drawn: int | None) -> Misread | None:
        """The first misread pair of all of a modulus; or of so many that are drawn, and half as many of residues that
        lie opposite, whose waves cancel: of these the outputs next to the sum are seen."""
        if drawn is None:
            adder, pairs = self.family(modulus(p, self._frequencies(p))), [(a, b) for a in range(p) for b in range(p)]
            return self._misread(adder, pairs)
        random = Random(p)
        pairs = [(random.randrange(p), random.randrange(p)) for _ in range(drawn)]
        pairs += [(a, (a + (p + 1) // 2) % p) for a, _ in pairs[: drawn // 2]]
        return self.of_pairs(p, pairs)

    def of_pairs(self, p: int, pairs: Sequence[tuple[int, int]], beside: Sequence[int] = ()) -> Misread | None:
        """The first misread one of some pairs, where the outputs next to their sums are seen, those of the residues
        themselves, and those named."""
        near = {(a + b + step) % p for a, b in pairs for step in range(-NEXT, NEXT + 1)}
        residues = tuple(sorted({*near, *itertools.chain(*pairs), *beside}))
        return self._misread(self.family(modulus(p, self._frequencies(p), residues)), pairs)

    def _frequencies(self, p: int) -> tuple[int, ...]:
        return all_frequencies(p) if self.every else (1,)

    def _misread(self, adder: Adder, pairs: Sequence[tuple[int, int]]) -> Misread | None:
        model = Transformer(adder, None, self.dtype, self.device, self.attention)
        p, *_ = adder.modulus.numbers
        place = {int(row): number for number, row in enumerate(model.rows)}
        for block in _blocks(pairs, max(1, MOST_OUTPUTS // len(model.rows))):
            outputs = model.outputs([(str(a), str(b)) for a, b in block]).double().cpu()
            expected = torch.tensor([place[(a + b) % p] for a, b in block])
            own = outputs.gather(1, expected[:, None])
            others = outputs.scatter(1, expected[:, None], -torch.inf)
            greatest, got = others.max(1)
            wrong = ~(own[:, 0] > greatest)
            if wrong.any():
                at = int(wrong.int().argmax())
                (a, b), row = block[at], int(got[at])
                computed = float(own[at, 0]), float(greatest[at])
                return Misread(p, a, b, (a + b) % p, int(model.rows[row]), computed)
        return None


def _blocks(pairs: Sequence[tuple[int, int]], size: int) -> Iterator[Sequence[tuple[int, int]]]:
    return (pairs[start : start + size] for start in range(0, len(pairs), size))

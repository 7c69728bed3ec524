"""How long a word may be so that a transformer that simulates recurrent networks reads in floating point what stands in
it: the first step at which it reads another token, and a length that is certified for every word and any order of
summation.

The bounds of `certificate` are taken for all words of a length at once. Beside each other go runs that differ in what
is known of the positions before. Of an encoder whose vectors depend on the token alone, seen by causal heads, that is
how many of them hold which token. Of any other it is nothing: each may hold any symbol, and so may those
behind, if there are any; known is the token at the position of the step. Runs of which the same is known go on as one,
and what any of them may be off that one may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch

from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN, read
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Encoder, EncoderDecoder, Rows
from weightproof.numeric import BOUND
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.numeric.rounding.formats import Format
from weightproof.numeric.simulation.certificate import ENLARGED, Array, Bounds, Seen, Steps, Sums, covers, embedded

DRAWN, BEHIND = 4, 4
"""Random words of a length, and steps behind the end of a word."""


def reader() -> RNN:
    """A recurrent network of one unit, which holds whether the token just read is a; the other symbol is b."""
    return numbered(every_rnn(1, 1, 2), {"f_a_x1": 1, "W_h1_x1": 1})


def wanted(token: str) -> float:
    """What the unit is to hold after reading it."""
    return float(token == "a")


@dataclass(frozen=True)
class Misread:
    """After `step` the unit is not what the token read there says."""

    word: str
    step: int
    computed: float
    wanted: float


def words_of(length: int) -> list[str]:
    """One symbol up to the last one, two in turn, and drawn ones."""
    drawn = Random(length)
    words = ["a" * (length - 1) + "b", "b" * (length - 1) + "a", ("ab" * length)[:length]]
    return [*words, *("".join(drawn.choices("ab", k=length)) for _ in range(DRAWN))]


def misread(model: EncoderDecoderTransformer, unit: int, words: Sequence[str]) -> Misread | None:
    """The first time that the unit is off by 1/2 or more, on words of one length."""
    tokens: Iterator[tuple[str, ...]] = zip(*(read(reader(), word) for word in words), strict=True)
    steps = range(len(words[0]) + 2 + BEHIND)
    for step, z, here in zip(steps, model.decode(words), tokens, strict=False):
        right = torch.tensor([wanted(token) for token in here])
        found = z[:, unit].double().cpu()
        wrong = ~((found - right).abs() < 0.5)
        if wrong.any():
            first = int(wrong.int().argmax())
            return Misread(words[first], step, float(found[first]), float(right[first]))
    return None


def lengths(longest: int) -> Iterator[int]:
    """Every one up to 32, then each an eighth more than the last."""
    length = 1
    while length <= longest:
        yield length
        length += max(1, length // 8 if length >= 32 else 1)


def model_of(simulation: Simulation, dtype: str, device: str, attention: str) -> tuple[EncoderDecoderTransformer, int]:
    """The transformer, and the place of the unit among its coordinates; InputError for what cannot be had."""
    network = simulation.network
    model = EncoderDecoderTransformer(network, simulation.rnn.alphabet, dtype, device, attention)
    return model, network.coordinates.index(simulation.rnn.units[0])


def first_misread(
    simulation: Simulation, dtype: str, device: str, attention: str, longest: int
) -> tuple[Misread | None, int]:
    """On the shortest of the words that are run, and the length of the longest that were."""
    model, unit = model_of(simulation, dtype, device, attention)
    reached = 0
    for reached in lengths(longest):
        if (found := misread(model, unit, words_of(reached))) is not None:
            return found, reached
    return None, reached


@dataclass(frozen=True)
class Known:
    """What is known of runs, [runs] each. length: symbols of the word, where its end was read, and otherwise -1; last:
    the number of the token read last; counts: of the tokens at the positions so far, [runs, tokens], or 0."""

    length: Array
    last: Array
    counts: Array

    @property
    def ended(self) -> Array:
        return self.length >= 0


@dataclass(frozen=True)
class Read:
    """The output vectors of a step, and what is known of the runs."""

    z: Bounds
    known: Known


class ByCounts:
    """The encoder's output where it depends on the token alone: the kinds are the tokens."""

    counts_tokens = True

    def __init__(self, encoder: Encoder, format: Format) -> None:
        self.names, self.tokens = encoder.coordinates, tuple(encoder.embedding.WE)
        self.vectors = embedded(encoder, [(token, 0) for token in self.tokens], 0, format)

    def stand(self, known: Known) -> None:
        self.counts = known.counts

    def mapped(self, rows: Rows, names: Sequence[str], format: Format) -> Bounds:
        return _of_all_runs(self.vectors, self.names, rows, names, format)

    def seen(self, step: int, causal: bool) -> Seen:
        return Seen(len(self.tokens), self.counts, self.counts)


class ByPlaces:
    """The encoder's output where it depends on the position, too: the kinds are tokens at positions, up to the end of
    words of `longest` symbols."""

    counts_tokens = False

    def __init__(self, encoder: Encoder, longest: int, format: Format) -> None:
        self.names, self.tokens, self.n = encoder.coordinates, tuple(encoder.embedding.WE), longest + 2
        self.vectors = embedded(encoder, [(token, i) for i in range(self.n) for token in self.tokens], 0, format)
        self.begins, self.ends = (
            np.array([token == each for each in self.tokens]) for token in (encoder.begin, encoder.end)
        )

    def stand(self, known: Known) -> None:
        self.known = known

    def mapped(self, rows: Rows, names: Sequence[str], format: Format) -> Bounds:
        return _of_all_runs(self.vectors, self.names, rows, names, format)

    def seen(self, step: int, causal: bool) -> Seen:
        known, n = self.known, step + 1 if causal else self.n
        here = np.where(known.ended, known.length + 1, step)[:, None]
        place = np.arange(n)
        before, behind = (place > 0) & (place < here), (place > here) & ~known.ended[:, None]
        most = np.where(before[:, :, None], ~(self.begins | self.ends), behind[:, :, None] & ~self.begins)
        least = np.zeros_like(most)
        least[:, 0] = self.begins
        there = np.arange(len(most)), here[:, 0]
        least[(*there, known.last)] = True
        return Seen(
            n * len(self.tokens), *(part.reshape(len(part), -1).astype(float) for part in (least, most | least))
        )


def _of_all_runs(vectors: Bounds, columns: Sequence[str], rows: Rows, names: Sequence[str], format: Format) -> Bounds:
    made = Sums(rows, {}, columns, names, format)(vectors)
    return Bounds(*(part[None] for part in made.parts))


def is_covered(network: EncoderDecoder) -> bool:
    """Whether it is bounded on all words of a length at once: as in `certificate`, and no position on that length."""
    positions = network.encoder.embedding.PE.values()
    return covers(network) and not any("n" in scalar.names for scalar in positions)


def certified(simulation: Simulation, format: Format, longest: int) -> int | None:
    """Symbols, up to `longest`, of words on each of which the unit that holds the token read last is nearer than 1/2 to
    it, whatever the order of sums, at every step until BEHIND behind the end; -1 where that is not certain of the empty
    word. None for what is not covered."""
    if not is_covered(simulation.network):
        return None
    reading = Reading(simulation, longest, format)
    read: Read | None = reading.begun()
    safe, step = longest, 0
    while read is not None:
        # A word that is not at its end has at least the symbols that were read.
        lengths = np.where(read.known.ended, read.known.length, step)
        safe = min([safe, *(int(length) - 1 for length in lengths[~reading.is_certain(read)])])
        step += 1
        read = reading.after(_some(read, lengths <= safe), step)
    return safe


class Reading:
    """The runs of a transformer that simulates a recurrent network of one unit, which holds what it reads."""

    def __init__(self, simulation: Simulation, longest: int, format: Format) -> None:
        network, encoder = simulation.network, simulation.network.encoder
        is_causal = all(BOUND.is_causal(head.mask) for layer in network.layers for head in layer.cross_heads)
        alone = is_causal and not encoder.embedding.PE
        self.memory = ByCounts(encoder, format) if alone else ByPlaces(encoder, longest, format)
        self.longest, self.steps = longest, Steps(network, self.memory, 0, format)
        self.unit = network.coordinates.index(simulation.rnn.units[0])
        self.tokens = self.memory.tokens
        self.symbols = np.array([self.tokens.index(symbol) for symbol in simulation.rnn.alphabet])
        self.end = self.tokens.index(simulation.rnn.end)
        self.begin = self.tokens.index(simulation.rnn.begin)
        self.wanted = np.array([wanted(token) for token in self.tokens])

    def begun(self) -> Read:
        """After step 0."""
        last = np.array([self.begin])
        known = Known(np.array([-1]), last, self._counted(np.zeros((1, len(self.tokens))), last))
        self.memory.stand(known)
        return Read(self.steps.first(1), known)

    def after(self, read: Read, step: int) -> Read | None:
        """After a step: each symbol was read next, or the end of the word; those behind it stay for BEHIND steps. None
        where no run goes on."""
        known = read.known
        going, behind = np.flatnonzero(~known.ended), np.flatnonzero(known.ended & (step < known.length + 2 + BEHIND))
        symbols = self.symbols if step <= self.longest else self.symbols[:0]
        nexts = np.array([*symbols, self.end])
        taken = np.concatenate([np.repeat(going, len(nexts)), behind])
        if not len(taken):
            return None
        last = np.concatenate([np.tile(nexts, len(going)), np.full(len(behind), self.end)])
        before = known.length[taken]
        length = np.where((before < 0) & (last == self.end), step - 1, before)
        counts = np.where(before[:, None] < 0, self._counted(known.counts[taken], last), known.counts[taken])
        known = Known(length, last, counts)
        self.memory.stand(known)
        z = self.steps.next(Bounds(*(part[taken] for part in read.z.parts)), step)
        return _as_one(Read(z, known))

    def _counted(self, before: Array, last: Array) -> Array:
        return before + np.eye(len(self.tokens))[last] if self.memory.counts_tokens else before

    def is_certain(self, read: Read) -> Array:
        """Whether the unit of each run is certainly right. No number is no certainty."""
        beside, beside_off, off = (part[:, self.unit] for part in read.z.parts)
        apart = np.abs(beside - self.wanted[read.known.last]) + beside_off + off + 2.0**-50
        return apart * ENLARGED < 0.5


def _some(read: Read, which: Array) -> Read:
    """Some of the runs."""
    known = read.known
    return Read(
        Bounds(*(part[which] for part in read.z.parts)),
        Known(known.length[which], known.last[which], known.counts[which]),
    )


def _as_one(read: Read) -> Read:
    """Runs of which the same is known, as one."""
    known = np.column_stack([read.known.length, read.known.last, read.known.counts])
    _, first, group = np.unique(known, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    beside, beside_off, off = read.z.parts
    shifted = np.abs(beside - beside[first][group])
    around = np.where(shifted > 0, (beside_off + shifted) * ENLARGED, beside_off)
    merged = [np.full((len(first), beside.shape[1]), -np.inf) for _ in range(2)]
    for most, part in zip(merged, (around, off), strict=True):
        np.maximum.at(most, group, part)
    return _some(Read(Bounds(beside, *(most[group] for most in merged)), read.known), first)

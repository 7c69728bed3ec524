"""Goes through all words of a length in sets, and splits those on which the signs stay open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context

import numpy as np

from weightproof.constructions.scalars import work
from weightproof.proofs.covering.automaton import Flags, Integers, Words
from weightproof.proofs.covering.certificate import Positions, Ran, Sets, Shown, Split
from weightproof.proofs.covering.forms import Forms
from weightproof.proofs.covering.reading import Reading, Tables
from weightproof.proofs.running.enclosures import Enclosed, Floats
from weightproof.proofs.verdict import Unknown

DOUBTS = 4
"""Of what is open about a row: the greatest ones, that a cut is chosen for."""
TOGETHER = 1 << 21
"""Numbers for an edge, of so many sets and rows that are read at a time."""
MOST_TOGETHER = 64
LIKELY = 2
"""Words that are run of sets that are read together, for one that is wrong."""
FEW = 24
"""Words of a set that are run one by one instead of splitting it."""
BEYOND = 1_000
"""Sets that are looked at after a word that is open, for one that is wrong."""
DOWNWARD = Context(prec=3, rounding=ROUND_FLOOR)
OF_FOUND = 0.999
"""The part of a margin found in floats that is said in a certificate: what rounding in another order takes is far less
than the rest."""
STEPS_A_SET, STEPS_A_NUMBER = 3_000, 0.2
"""Of counted work, to read one set, and for each number that its reading takes."""

Half = tuple["Words", "Cut"]
"""A part of a set, and by which cut."""
Decided = Callable[[Floats, Floats], Flags]
"""Whether numbers from the one to the other are as they should be."""
SIGNS: dict[str, Decided] = {
    "positive": lambda low, high: low > 0,
    "not negative": lambda low, high: low >= 0,
    "zero": lambda low, high: (low == 0) & (high == 0),
    "not zero": lambda low, high: (low > 0) | (high < 0),
}


@dataclass(frozen=True, eq=False)
class Part:
    """Words, one set of them, with what is to be shown of their outputs: what the matrix makes of these has that sign,
    row by row. token: the one that they have where the stream is read, by its number, if they have one there."""

    words: Words
    matrix: Enclosed
    sign: str
    token: int | None

    @property
    def group(self) -> tuple[object, ...]:
        """Parts with the same one are read together."""
        return self.token, self.sign, self.matrix.middle.shape


@dataclass(frozen=True)
class Cut:
    """Of a set the words whose path uses one of these edges in a layer, edges by their numbers there."""

    layer: int
    edges: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A set of words that is decided: of the words of a part, by its number, what all cuts leave. margin: how far from
    0 what is to be shown is on it, at least; run: its words, where they were run one by one instead."""

    part: int
    words: Words
    cuts: tuple[Cut, ...]
    margin: float
    run: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Open:
    """Where no answer came: after so many sets."""

    sets: int
    reason: str


@dataclass(frozen=True, eq=False)
class Found:
    """leaves: of all parts; sets: how many were looked at."""

    leaves: tuple[Leaf, ...]
    sets: int


@dataclass(frozen=True, eq=False)
class _Left:
    """A set that is not decided yet: of the words of a part, by its number, what all cuts leave. tables: of a set in
    which it is."""

    words: Words
    part: int
    cuts: tuple[Cut, ...]
    tables: Tables


Run = Callable[[Sequence[tuple[str, ...]]], object | None]
"""Of words, tokens with markers, one after the other: what is wrong or open about one of them; None where all are as
they should be."""


def search(reading: Reading, parts: Sequence[Part], run: Run, most: int) -> Found | Open | object:
    """Every word of all parts in a leaf; or what `run` says of one of them, that it is open if of no other one within
    some sets that it is wrong; or Open after more than `most` sets."""
    leaves: list[Leaf] = []
    unknown: Unknown | None = None
    sets = 0
    groups: dict[tuple[object, ...], list[_Left]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(part.group, []).append(_Left(part.words[0], number, (), reading.of_all))
    for left in groups.values():
        sign = parts[left[0].part].sign
        while left:
            some = [left.pop() for _ in range(min(len(left), _together(reading)))]
            sets += len(some)
            if sets > most:
                return Open(sets, f"more than {most} sets of words") if unknown is None else unknown
            work.spend(int(len(some) * (STEPS_A_SET + _numbers_of_a_set(reading) * STEPS_A_NUMBER)))
            # By the tables of sets in which they are first, which are there.
            tables = Tables.together([each.tables for each in some])
            for is_own in (False, True):
                if is_own:
                    tables = reading.tables(stacked([each.words for each in some]))
                words = stacked([each.words for each in some])
                matrix = _matrices([parts[each.part].matrix for each in some])
                forms, low, high = _read(reading, words, tables, matrix)
                right = SIGNS[sign](low, high).all(-1)
                margins = np.minimum(np.abs(low), np.abs(high)).min(-1)
                for k in np.flatnonzero(right):
                    leaves.append(Leaf(some[k].part, some[k].words, some[k].cuts, float(margins[k])))
                if right.all() or is_own or not reading.rereads:
                    break
                some = [some[k] for k in np.flatnonzero(~right)]
            worst = _worst(sign, low, high)
            # About what the word of the least sum comes to: the words of the sets where that is the least are run.
            sure = np.take_along_axis(low + sum(forms.noise.values(), forms.radius), worst[:, None], -1)[:, 0]
            sure = np.where(right, np.inf, sure)
            likely = [k for k in np.argsort(sure, kind="stable")[:LIKELY] if sure[k] <= 0]
            candidates = [words.word_of_least(k, _numbers(forms, k, int(worst[k]))) for k in map(int, likely)]
            for k in np.flatnonzero(~right):
                one = some[k]
                if one.words.are_few(FEW):
                    few = (*all_of(one.words),)
                    candidates += few
                    leaves.append(Leaf(one.part, one.words, one.cuts, 0.0, few))
                    continue
                left += [
                    _Left(half, one.part, (*one.cuts, cut), tables.of_set(int(k)))
                    for half, cut in _split(words, forms, int(k), int(worst[k]))
                ]
            wrong = run(candidates) if candidates else None
            if isinstance(wrong, Unknown):
                unknown, most = wrong if unknown is None else unknown, min(most, sets + BEYOND)
            elif wrong is not None:
                return wrong
    return Found(tuple(leaves), sets) if unknown is None else unknown


def _matrices(parts: Sequence[Enclosed]) -> Enclosed:
    return Enclosed(np.stack([each.middle for each in parts]), np.stack([each.radius for each in parts]))


def _read(reading: Reading, words: Words, tables: Tables, matrix: Enclosed) -> tuple[Forms, Floats, Floats]:
    """Of sets of words, what a matrix makes of their outputs, and between which numbers that lies."""
    with np.errstate(all="ignore"):  # what is no number decides nothing
        forms = reading.outputs(words, tables).through(matrix)
        return forms, *forms.range()


def _together(reading: Reading) -> int:
    return max(1, min(MOST_TOGETHER, TOGETHER // _numbers_of_a_set(reading)))


def _numbers_of_a_set(reading: Reading) -> int:
    """About how many numbers for an edge its reading takes."""
    return int(reading.automaton.starts[-1]) * reading.rows_together * len(reading.network.coordinates)


def stacked(words: Sequence[Words]) -> Words:
    return Words(words[0].automaton, np.stack([each.edges for each in words]), np.stack([each.ends for each in words]))


def _worst(sign: str, low: Floats, high: Floats) -> Integers:
    """The row that is the farthest from what it should be."""
    away = np.where(np.isnan(low), -np.inf, low)
    if sign in ("zero", "not zero"):
        away = -(np.where(np.isnan(high), np.inf, high) - away)
    found: Integers = away.argmin(-1)
    return found


def _numbers(forms: Forms, k: int, row: int) -> Floats:
    """About what each edge adds to one row."""
    return forms.basis.numbers(forms.factors[:, row])[k]


def all_of(one: Words) -> Iterator[tuple[str, ...]]:
    """Every word of one set, which is on no axis."""
    automaton = one.automaton

    def onward(layer: int, state: int, word: dict[int, str]) -> Iterator[tuple[str, ...]]:
        if layer == len(automaton.layers):
            if one.ends[state]:
                yield tuple(word[place] for place in range(len(word)))
            return
        here = automaton.layers[layer]
        used = one.edges[automaton.edges(layer)] & (here.source == state)
        for edge in np.flatnonzero(used):
            tokens = {place: automaton.tokens[here.tokens[edge, c]] for c, place in enumerate(here.places)}
            yield from onward(layer + 1, int(here.target[edge]), word | tokens)

    return onward(0, 0, {})


@dataclass(frozen=True, eq=False)
class Doubt:
    """A part of what is open about a row, and by which sum over the edges of a path it is told: between which numbers
    the sum lies on the paths that use each edge, no number where none does."""

    size: float
    least: Floats
    greatest: Floats

    @property
    def used(self) -> Flags:
        return np.isfinite(self.least)

    @property
    def width(self) -> float:
        used = self.used
        return float(self.greatest[used].max() - self.least[used].min())

    def left(self, *sides: Flags) -> float:
        """About how much of it is left on the worse one of two sides."""
        return self.size * max(float(self.greatest[side].max() - self.least[side].min()) for side in sides) / self.width


def _split(words: Words, forms: Forms, k: int, row: int) -> list[Half]:
    """A set in two: of the cuts that are best for one of the greatest parts of what is open about a row, the one that
    leaves the least of all of them."""
    one = words[k : k + 1]
    noise = {c: float(np.nan_to_num(size[k, row], nan=np.inf)) for c, size in forms.noise.items() if size[k, row] != 0}
    greatest = sorted(noise, key=lambda c: (-noise[c], c))[:DOUBTS]
    most = noise[greatest[0]] if greatest else 0.0
    told = [(noise[c] / most if np.isfinite(most) else 1.0, forms.basis.directions[c][k]) for c in greatest]
    for some in (told, [(1.0, forms.factors[k, row])]):
        parts = [part for size, factors in some if (part := _doubt(one, size, _directed(forms, k, factors)))]
        cuts = [cut for part in parts if (cut := _best(one, part))]
        if cuts:
            layer, above, _ = min(cuts, key=lambda cut: sum(part.left(*cut[1:]) for part in parts))
            return _parted(one, layer, above)
    return _by_halves(one)


def _directed(forms: Forms, k: int, factors: Floats) -> Floats:
    total = np.zeros(forms.basis.words.edges.shape[-1])
    with np.errstate(all="ignore"):  # by what is no number nothing is cut
        for factor, functional in zip(factors, forms.basis.functionals, strict=False):
            total = total + factor * functional.numbers.middle[k]
    return total


def _doubt(one: Words, size: float, numbers: Floats) -> Doubt | None:
    """None where all paths come to the same."""
    if not np.isfinite(numbers).all():
        return None
    low, high = one.through(numbers[None, None])[0, 0], -one.through(-numbers[None, None])[0, 0]
    used = np.isfinite(low)
    least, most = low[used].min(), high[used].max()
    return None if most - least <= 1e-9 * max(abs(least), abs(most)) else Doubt(size, low, high)


def _best(one: Words, part: Doubt) -> tuple[int, Flags, Flags] | None:
    """By what the paths through each edge come to, in the layer in which this tells most: which edges are above the
    middle, and which below."""
    middle = np.where(part.used, part.least, 0.0) / 2 + np.where(part.used, part.greatest, 0.0) / 2
    best: tuple[float, int, Flags, Flags] | None = None
    for layer in reversed(range(len(one.automaton.layers))):
        here = one.automaton.edges(layer)
        at = part.used[here]
        threshold = (middle[here][at].min() + middle[here][at].max()) / 2
        above, below = np.zeros_like(part.used), np.zeros_like(part.used)
        above[here] = at & (middle[here] > threshold)
        below[here] = at & ~above[here]
        if not above.any() or not below.any():
            continue
        left = part.left(above, below)
        if best is None or left < best[0] * (1 - 1e-9):
            best = (left, layer, above, below)
    return None if best is None else best[1:]


def _parted(one: Words, layer: int, chosen: Flags) -> list[Half]:
    """The words that use one of the chosen edges in a layer, and those that use another one."""
    automaton = one.automaton
    here = np.zeros_like(chosen)
    here[automaton.edges(layer)] = True
    halves = []
    for kept in (one.edges[0] & chosen, one.edges[0] & here & ~chosen):
        words = Words(automaton, one.edges & ~(here & ~kept), one.ends).pruned()[0]
        halves.append((words, Cut(layer, tuple(map(int, np.flatnonzero(kept) - automaton.starts[layer])))))
    return halves


def _by_halves(one: Words) -> list[Half]:
    """In the layer that has the most edges, these in their order."""
    counts = np.add.reduceat(one.edges[0].astype(np.int64), one.automaton.starts[:-1])
    layer = int(counts.argmax())
    here = np.flatnonzero(one.edges[0] & (np.arange(len(one.edges[0])) >= one.automaton.starts[layer]))
    chosen = np.zeros(one.edges.shape[-1], dtype=np.bool_)
    chosen[here[: counts[layer] // 2]] = True
    return _parted(one, layer, chosen)


def found_at(positions: int, parts: Sequence[Part], found: Found) -> Positions:
    """What a search found of some words."""
    leaves: list[list[Leaf]] = [[] for _ in parts]
    for leaf in found.leaves:
        leaves[leaf.part].append(leaf)
    covered = []
    for part, some in zip(parts, leaves, strict=True):
        token = None if part.token is None else part.words.automaton.tokens[part.token]
        covered.append((token, _sets([(leaf.cuts, leaf) for leaf in some])))
    return Positions(positions, tuple(covered))


def _sets(leaves: Sequence[tuple[tuple[Cut, ...], Leaf]]) -> Sets:
    """Of the leaves of a set, each with the cuts that are left on the way to it."""
    (cuts, leaf), *others = leaves
    if not cuts:
        assert not others
        return Ran(leaf.run) if leaf.run else Shown(str(DOWNWARD.create_decimal(leaf.margin * OF_FOUND)))
    halves: dict[Cut, list[tuple[tuple[Cut, ...], Leaf]]] = {}
    for cuts, leaf in leaves:
        halves.setdefault(cuts[0], []).append((cuts[1:], leaf))
    return Split(cuts[0].layer, tuple((cut.edges, _sets(some)) for cut, some in halves.items()))

"""Sets of words as paths of an automaton, and the least that a number which depends on the word can be on one of them:
in balls of many bits and Python's own integers, without arrays and floats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flint import arb

from weightproof.proofs.covering.automaton import Automaton

SCALE = 120
"""Sums over paths are compared in multiples of 2^-SCALE, rounded outward."""
LARGE = arb(2) ** 1000
"""What numbers of an edge have to be less than."""


class Uncovered(Exception):
    """A certificate that shows less than it says; one line."""


@dataclass(frozen=True)
class Sum:
    """constant + sums over the edges of a path, each times a factor + numbers from -1 to 1, each times a size."""

    constant: arb
    paths: Mapping[int, arb] = field(default_factory=dict)
    noise: Mapping[int, arb] = field(default_factory=dict)

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.constant + other.constant, _plus(self.paths, other.paths), _plus(self.noise, other.noise))

    def times(self, by: arb) -> Sum:
        return Sum(self.constant * by, *({k: x * by for k, x in part.items()} for part in (self.paths, self.noise)))


def _plus(left: Mapping[int, arb], right: Mapping[int, arb]) -> dict[int, arb]:
    found = dict(left)
    for key, value in right.items():
        found[key] = found[key] + value if key in found else value
    return found


Stream = Mapping[str, Sum]
Edge = tuple[int, int, int]
"""Its number in its layer, from which state, and to which one."""
Multiples = list[list[int]]
"""Of each edge, by layer, a multiple of 2^-SCALE."""


@dataclass(eq=False)
class WordSet:
    """The words whose paths use these edges, by layer, and end in one of these states; each edge is used by one of
    them. carried: by place of the word, the layer that carries its token, and the token of each edge of that layer.
    paths: of each sum over a path, what every edge adds, at least and at most, and how much that is in all, at most."""

    layers: list[list[Edge]]
    ends: frozenset[int]
    carried: list[tuple[int, list[str]]]
    paths: list[tuple[Multiples, Multiples, int]] = field(default_factory=list)
    noises: int = 0

    def __post_init__(self) -> None:
        reached = [{0}]
        for edges in self.layers:
            reached.append({target for _, source, target in edges if source in reached[-1]})
        needed = reached[-1] & self.ends
        self.ends, pruned = frozenset(needed), []
        for edges, before in zip(reversed(self.layers), reversed(reached[:-1]), strict=True):
            pruned.append([edge for edge in edges if edge[1] in before and edge[2] in needed])
            needed = {source for _, source, _ in pruned[-1]}
        self.layers = pruned[::-1]

    @classmethod
    def everything(cls, automaton: Automaton, ends: Collection[int]) -> WordSet:
        """All words whose paths end in one of these states."""
        layers = [
            [(number, int(a), int(b)) for number, (a, b) in enumerate(zip(layer.source, layer.target, strict=True))]
            for layer in automaton.layers
        ]
        carried = [
            (layer, [automaton.tokens[each] for each in automaton.layers[layer].tokens[:, column]])
            for layer, column in automaton.carriers
        ]
        return cls(layers, frozenset(ends), carried)

    def keeping(self, layer: int, kept: Collection[int]) -> WordSet:
        """Those of its words that use one of these edges in a layer."""
        here = [edge for edge in self.layers[layer] if edge[0] in kept]
        return WordSet([*self.layers[:layer], here, *self.layers[layer + 1 :]], self.ends, self.carried)

    def with_token(self, place: int, token: str) -> WordSet:
        """Those of its words that have this token there."""
        layer, tokens = self.carried[place]
        return self.keeping(layer, {number for number, _, _ in self.layers[layer] if tokens[number] == token})

    def tokens_at(self, place: int) -> set[str]:
        """Those that some word has there."""
        layer, tokens = self.carried[place]
        return {tokens[number] for number, _, _ in self.layers[layer]}

    def count(self) -> int:
        """How many words it has."""
        ways = {0: 1}
        for edges in self.layers:
            behind: dict[int, int] = {}
            for _, source, target in edges:
                behind[target] = behind.get(target, 0) + ways[source]
            ways = behind
        return sum(ways[end] for end in self.ends)

    def words(self) -> Iterator[tuple[str, ...]]:
        """All of them, one after the other."""

        def onward(layer: int, state: int, taken: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
            if layer == len(self.layers):
                yield tuple(tokens[taken[at]] for at, tokens in self.carried)
                return
            for number, source, target in self.layers[layer]:
                if source == state:
                    yield from onward(layer + 1, target, (*taken, number))

        return onward(0, 0, ())

    @cached_property
    def tokens(self) -> list[list[str]]:
        """By place, those of the edges of its layer."""
        return [[tokens[number] for number, _, _ in self.layers[layer]] for layer, tokens in self.carried]

    @cached_property
    def between(self) -> list[list[tuple[int, int, slice]]]:
        """By layer, edges one after the other that lead from one state to one other: which states, and which edges."""
        found = []
        for edges in self.layers:
            starts = [at for at, edge in enumerate(edges) if at == 0 or edge[1:] != edges[at - 1][1:]]
            ends = [*starts[1:], len(edges)]
            found.append([(*edges[a][1:], slice(a, b)) for a, b in zip(starts, ends, strict=True)])
        return found

    def path(self, table: Sequence[Mapping[str, arb]]) -> Sum:
        """The sum of what a table has for each of the first places and the token there; nothing for a place without
        any."""
        low, high = ([[0] * len(edges) for edges in self.layers] for _ in range(2))
        for row, here, (layer, _) in zip(table, self.tokens, self.carried, strict=False):
            if row:
                least, most = ({token: _below(sign * x) for token, x in row.items()} for sign in (1, -1))
                low[layer] = [total + least[token] for total, token in zip(low[layer], here, strict=True)]
                high[layer] = [total - most[token] for total, token in zip(high[layer], here, strict=True)]
        size = sum(max(map(abs, (*a, *b)), default=0) for a, b in zip(low, high, strict=True))
        self.paths.append((low, high, size))
        return Sum(arb(0), {len(self.paths) - 1: arb(1)})

    def open(self, size: arb) -> Sum:
        """A number from -size to size, as no other one."""
        return Sum(arb(0), {}, {self.new(): size.abs_upper()})

    def new(self) -> int:
        """A number from -1 to 1 that is not used yet."""
        self.noises += 1
        return self.noises

    def least(self, of: Sum) -> arb:
        """No more than what it is on any word of the set."""
        lost = sum((abs(size).upper() for size in of.noise.values()), arb(0))
        added: list[tuple[int, Multiples]] = []
        for key, factor in of.paths.items():
            low, high, size = self.paths[key]
            multiple = _below(factor)
            lost += abs(factor - arb(multiple) / 2**SCALE).upper() * size / 2**SCALE
            added.append((multiple, low if multiple >= 0 else high))
        ways = {0: 0}
        for k, between in enumerate(self.between if added else ()):
            (first, numbers), *others = ((multiple, each[k]) for multiple, each in added)
            totals = [first * x for x in numbers]
            for multiple, numbers in others:
                totals = [total + multiple * x for total, x in zip(totals, numbers, strict=True)]
            behind: dict[int, int] = {}
            for source, target, some in between:
                total = ways[source] + min(totals[some])
                if target not in behind or total < behind[target]:
                    behind[target] = total
            ways = behind
        return (arb(min(ways.values())) / 4**SCALE + of.constant - lost).lower()

    def range(self, of: Sum) -> tuple[arb, arb]:
        """Between which numbers it is, on all words of the set."""
        return self.least(of), -self.least(of.times(arb(-1)))


def total(sums: Iterable[Sum]) -> Sum:
    return sum(sums, start=Sum(arb(0)))


def around(low: arb, high: arb) -> tuple[arb, arb]:
    """A number between two, and how far from it these are, at most."""
    middle = ((low + high) / 2).mid()
    return middle, max((high - middle).upper(), (middle - low).upper())


def _below(x: arb) -> int:
    """x times 2^SCALE, rounded downward."""
    if not abs(x) < LARGE:
        raise Uncovered("a number that is not known to be less than 2^1000")
    mantissa, exponent = x.lower().man_exp()
    shift = int(exponent) + SCALE
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift

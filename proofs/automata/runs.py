"""The runs of words of every length: a graph whose paths from a start to an end are the words.

Its edges are positions. What a position shows, to a network or to a language, may depend on all of the word as far as
finite memories tell: of the positions before it, or of those behind. Sums that no finite memory tells are guessed: each
word is one path on which all that is said of sums is true, and there may be paths that are no word's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from weightproof.constructions.scalars import work
from weightproof.proofs.automata.values import Between, Polynomial, Row, Taken
from weightproof.symbolic.algebra.vocabulary import Underivable

MOST_EDGES = 3_000
STEPS_AN_EDGE = 30
"""Of counted work, to make one."""
STEPS_TO_COMPARE = 3
"""Of counted work for each edge, to tell nodes apart once more."""


@dataclass(frozen=True)
class Tally:
    """What a position adds to a sum over positions, which is a whole number, and from where to where the sum up to it
    and with it is said to be: None where nothing is said. sign: where the sum is that of a place, of the number of the
    position less the place."""

    step: int
    least: int | None = None
    most: int | None = None
    sign: int | None = None

    def allows(self, total: int) -> bool:
        return (self.least is None or self.least <= total) and (self.most is None or total <= self.most)

    def narrowed(self, other: Tally) -> Tally:
        """With what another one says of the same sum."""
        ends = [[end for end in some if end is not None] for some in zip(self._ends, other._ends, strict=True)]
        return replace(self, least=max(ends[0], default=None), most=min(ends[1], default=None))

    @property
    def is_open(self) -> bool:
        """Whether there is a number that the sum may be."""
        return self.least is None or self.most is None or self.least <= self.most

    @property
    def _ends(self) -> tuple[int | None, int | None]:
        return self.least, self.most


@dataclass(frozen=True)
class Share:
    """What a position gives to a mean: its weight, and its values by name."""

    weight: Between
    values: Row


@dataclass(frozen=True)
class Edge:
    """A position: its token, what the residual stream is there, and what else is known of it. tallies: of sums, shares:
    in means, in the same order everywhere; None is one that nothing asks for any more."""

    source: int
    target: int
    token: str
    row: Row = ()
    marks: tuple[Hashable, ...] = ()
    tallies: tuple[Tally, ...] = ()
    shares: tuple[Share | None, ...] = ()

    def share_in(self, mean: Taken) -> Share:
        share = self.shares[mean.place]
        assert share is not None
        return share

    def holds(self, mean: Taken) -> Between:
        """What it holds of what it is a mean of."""
        return dict(self.share_in(mean).values).get(mean.name, Polynomial()).number


Seen = Callable[[Edge, Any, Any], Edge]
"""A position with what is known of it, by the memory without it and the memory with it."""
Guessed = Callable[[Edge, Any, Any], Edge | None]
"""The same, or that it cannot be."""


@dataclass(frozen=True)
class Runs:
    """No edge leads to a start, and none leaves an end."""

    edges: tuple[Edge, ...]
    starts: frozenset[int]
    ends: frozenset[int]

    @cached_property
    def leaving(self) -> Mapping[tuple[int, str], Sequence[Edge]]:
        """The edges of a token that leave a node, where there are any."""
        found = defaultdict[tuple[int, str], list[Edge]](list)
        for edge in self.edges:
            found[edge.source, edge.token].append(edge)
        return dict(found)

    def is_first(self, edge: Edge) -> bool:
        return edge.source in self.starts

    def is_last(self, edge: Edge) -> bool:
        return edge.target in self.ends

    def changed(self, change: Callable[[Edge], Edge]) -> Runs:
        """What is known of each position changed."""
        return replace(self, edges=tuple(map(change, self.edges)))

    def remembering(self, first: Hashable, after: Callable[[Any, Edge], Hashable], seen: Seen) -> Runs:
        """With a memory of what is before: `first` at the beginning."""
        return self.guessing(first, lambda memory, edge: (after(memory, edge),), seen)

    def guessing(self, first: Hashable, after: Callable[[Any, Edge], Iterable[Hashable]], seen: Guessed) -> Runs:
        """With a memory of what is before that may be any of those after each position."""
        leaving = defaultdict[int, list[Edge]](list)
        for edge in self.edges:
            leaving[edge.source].append(edge)
        numbers: dict[tuple[int, Hashable], int] = {}
        todo = [(start, first) for start in sorted(self.starts)]
        numbers.update({state: number for number, state in enumerate(todo)})
        made = list[Edge]()
        for node, memory in todo:  # grows while it is gone through
            for edge, behind in ((each, behind) for each in leaving[node] for behind in after(memory, each)):
                if (shown := seen(edge, memory, behind)) is None:
                    continue
                state = (edge.target, behind)
                if state not in numbers:
                    numbers[state] = len(todo)
                    todo.append(state)
                made.append(replace(shown, source=numbers[node, memory], target=numbers[state]))
                _require_few(made)
        ends = frozenset(number for (node, _), number in numbers.items() if node in self.ends)
        return Runs(tuple(made), frozenset(range(len(self.starts))), ends).merged()

    def foreseeing(self, last: Hashable, after: Callable[[Any, Edge], Hashable], seen: Seen) -> Runs:
        """With a memory of what is behind: `last` at the end."""
        return self._reversed().remembering(last, after, seen)._reversed()

    def _reversed(self) -> Runs:
        turned = tuple(replace(edge, source=edge.target, target=edge.source) for edge in self.edges)
        return Runs(turned, self.ends, self.starts)

    def merged(self) -> Runs:
        """Without what is on no path; and nodes from which the same can follow as one, and then those to which the same
        can lead. A word stays on one path: a path of the merged graph is one of the graph from each node that its
        first was merged of."""
        merged = self._useful()._merged_by_what_follows()
        return merged._reversed()._merged_by_what_follows()._reversed()

    def _useful(self) -> Runs:
        reached = _closure(self.starts, ((edge.source, edge.target) for edge in self.edges))
        leading = _closure(self.ends, ((edge.target, edge.source) for edge in self.edges))
        kept = reached & leading
        edges = tuple(edge for edge in self.edges if edge.source in kept and edge.target in kept)
        return Runs(edges, self.starts & kept, self.ends & kept)

    def _merged_by_what_follows(self) -> Runs:
        nodes = sorted({node for edge in self.edges for node in (edge.source, edge.target)})
        classes = {node: (node in self.starts, node in self.ends) for node in nodes}
        numbers = _numbered(classes)
        kinds = _numbered({k: (e.token, e.row, e.marks, e.tallies, e.shares) for k, e in enumerate(self.edges)})
        while True:
            following = defaultdict[int, set[Hashable]](set)
            for number, edge in enumerate(self.edges):
                following[edge.source].add((kinds[number], numbers[edge.target]))
            work.spend(len(self.edges) * STEPS_TO_COMPARE)
            refined = _numbered({node: (numbers[node], frozenset(following[node])) for node in nodes})
            if len(set(refined.values())) == len(set(numbers.values())):
                break
            numbers = refined
        edges = dict.fromkeys(
            replace(edge, source=numbers[edge.source], target=numbers[edge.target]) for edge in self.edges
        )
        return Runs(
            tuple(edges),
            frozenset(numbers[node] for node in self.starts),
            frozenset(numbers[node] for node in self.ends),
        )


def _closure(some: Iterable[int], steps: Iterable[tuple[int, int]]) -> set[int]:
    following = defaultdict[int, list[int]](list)
    for source, target in steps:
        following[source].append(target)
    found, todo = set(some), list(some)
    while todo:
        for node in following[todo.pop()]:
            if node not in found:
                found.add(node)
                todo.append(node)
    return found


def _numbered(classes: dict[int, Any]) -> dict[int, int]:
    seen: dict[Hashable, int] = {}
    return {node: seen.setdefault(each, len(seen)) for node, each in classes.items()}


def _require_few(edges: list[Edge]) -> None:
    work.spend(STEPS_AN_EDGE)
    if len(edges) > MOST_EDGES:
        raise Underivable(f"runs that take more than {MOST_EDGES} kinds of positions to tell apart")


def every_word(alphabet: tuple[str, ...], begin: str | None, end: str | None) -> Runs:
    """All words between their markers, of which there is at least one position."""
    start, inside, behind = 0, 1, 2

    def edges() -> Iterator[Edge]:
        firsts = alphabet if begin is None else (begin,)
        lasts = alphabet if end is None else (end,)
        yield from (Edge(start, inside, token) for token in firsts)
        yield from (Edge(inside, inside, token) for token in alphabet)
        yield from (Edge(inside, behind, token) for token in lasts)
        if begin is None or end is None:  # one position is a word
            only = alphabet if begin is None and end is None else (begin or end or "",)
            yield from (Edge(start, behind, token) for token in only)

    return Runs(tuple(edges()), frozenset({start}), frozenset({behind})).merged()

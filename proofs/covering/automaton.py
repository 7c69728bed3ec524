"""Sets of words of one length as sets of paths: a layered automaton whose edges carry the tokens of the word, and what
additive numbers, sums over the edges of a path, come to on all paths at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightproof.constructions.scalars import work
from weightproof.proofs.running.enclosures import GREATEST, GRID, TINY, Enclosed, Floats, U

Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Layer:
    """The edges between two layers of states: from where, to where, and the token of each place that it carries, as its
    number. Edges are sorted by where they lead, and to every state one leads. places: those of the word."""

    source: Integers
    target: Integers
    tokens: Integers
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Automaton:
    """A path from the one state at the beginning to a state behind the last layer is a word. outcomes: what is known of
    a word by the state in which its path ends. tokens: by their numbers."""

    tokens: tuple[str, ...]
    layers: tuple[Layer, ...]
    outcomes: tuple[Hashable, ...]

    @cached_property
    def starts(self) -> Integers:
        """Of each layer, where its edges begin among those of all layers; and at last how many there are."""
        return np.cumsum([0, *(len(layer.source) for layer in self.layers)])

    @cached_property
    def firsts(self) -> tuple[Integers, ...]:
        """Of each layer, the first edge that leads to each state."""
        return tuple(np.flatnonzero(np.diff(layer.target, prepend=-1)) for layer in self.layers)

    @cached_property
    def carriers(self) -> tuple[tuple[int, int], ...]:
        """Of each place of the word, the layer that carries its token, and the column in which."""
        found = {place: (k, c) for k, layer in enumerate(self.layers) for c, place in enumerate(layer.places)}
        return tuple(found[place] for place in range(len(found)))

    def edges(self, layer: int) -> slice:
        return slice(int(self.starts[layer]), int(self.starts[layer + 1]))

    def told(self, numbers: Enclosed) -> tuple[int, ...]:
        """The layers with an edge whose number is not 0; edges on the last axis."""
        some = ((numbers.middle != 0) | (numbers.radius != 0)).any((*range(numbers.middle.ndim - 1),))
        return tuple(map(int, np.flatnonzero(np.logical_or.reduceat(some, self.starts[:-1]))))

    def among(self, layers: Sequence[int]) -> Integers:
        """The edges of these layers, by their numbers among all."""
        return np.concatenate([np.arange(0), *(np.arange(self.starts[k], self.starts[k + 1]) for k in layers)])

    @cached_property
    def steps(self) -> tuple[tuple[Integers, Integers, Integers], ...]:
        """Of each layer, edges from a state to a state as one: the first edge of each, of these those that are the
        first one to lead to a state, and the states that they come from."""
        found = []
        for layer in self.layers:
            alike = (np.diff(layer.target, prepend=-1) != 0) | (np.diff(layer.source, prepend=-1) != 0)
            first = np.flatnonzero(alike)
            found.append((first, np.flatnonzero(np.diff(layer.target[first], prepend=-1)), layer.source[first]))
        return tuple(found)

    def token_at(self, place: int) -> Integers:
        """The token that each edge of the layer carries that has this place, as its number."""
        layer, column = self.carriers[place]
        return self.layers[layer].tokens[:, column]

    def spread(self, tables: Enclosed) -> Enclosed:
        """Numbers for each of the first places and each token, on the last two axes, as numbers for each edge, on the
        last one."""
        shape = (*tables.middle.shape[:-2], int(self.starts[-1]))
        total = Enclosed(np.zeros(shape), np.zeros(shape))
        for place, (layer, _) in enumerate(self.carriers[: tables.middle.shape[-2]]):
            here, tokens = self.edges(layer), self.token_at(place)
            if not tables.middle[..., place, :].any() and not tables.radius[..., place, :].any():
                continue
            added = total[..., here] + tables[..., place, :][..., tokens]
            total.middle[..., here], total.radius[..., here] = added.middle, added.radius
        return total

    def of_word(self, word: Sequence[str]) -> Words:
        """The set of one word, on no axis, of an automaton in which no two paths are the same word."""
        number = {token: k for k, token in enumerate(self.tokens)}
        edges = np.ones(int(self.starts[-1]), dtype=np.bool_)
        for place, token in enumerate(word):
            edges[self.edges(self.carriers[place][0])] &= self.token_at(place) == number[token]
        return Words(self, edges, np.ones(len(self.outcomes), dtype=np.bool_)).pruned()

    def everything(self, ends: Iterable[bool]) -> Words:
        """One set: all words whose paths end in one of these states."""
        edges = np.ones((1, int(self.starts[-1])), dtype=np.bool_)
        return Words(self, edges, np.array([[*ends]], dtype=np.bool_)).pruned()


@dataclass(frozen=True, eq=False)
class Words:
    """Sets of words, as many as the leading axes say: those whose paths use no other edges than these, and end in one
    of these states."""

    automaton: Automaton
    edges: Flags
    ends: Flags

    def __getitem__(self, index: Any) -> Words:
        return Words(self.automaton, self.edges[index], self.ends[index])

    @property
    def some(self) -> Flags:
        """Which of them have a word at all."""
        return np.isfinite(self.least(np.zeros((*self.edges.shape[:-1], 1, 0)), ())[..., 0])

    @cached_property
    def steps(self) -> tuple[Flags, ...]:
        """Of each layer, which steps from a state to a state some edge makes, as `Automaton.steps` has them."""
        automaton = self.automaton
        return tuple(
            np.logical_or.reduceat(self.edges[..., automaton.edges(k)], first, axis=-1)
            for k, (first, _, _) in enumerate(automaton.steps)
        )

    def with_token(self, place: int, token: int) -> Words:
        """Those of their words that have this token there."""
        layer, _ = self.automaton.carriers[place]
        edges = self.edges.copy()
        edges[..., self.automaton.edges(layer)] &= self.automaton.token_at(place) == token
        return Words(self.automaton, edges, self.ends)

    def least(self, numbers: Floats, layers: Sequence[int]) -> Floats:
        """The least sum over a path of numbers for each edge of these layers: numbers on the axis before the last,
        edges on the last one. Infinite where there is no path. Rounded: see `rounding`."""
        value, behind = np.zeros((*numbers.shape[:-1], 1)), 0
        for k, layer in enumerate(self.automaton.layers):
            here = self.automaton.edges(k)
            if k in layers:
                count = len(layer.source)
                used = np.where(self.edges[..., None, here], numbers[..., behind : behind + count], np.inf)
                used, firsts, behind = value[..., layer.source] + used, self.automaton.firsts[k], behind + count
            else:
                _, firsts, source = self.automaton.steps[k]
                used = np.where(self.steps[k][..., None, :], value[..., source], np.inf)
            value = np.minimum.reduceat(used, firsts, axis=-1)
        found: Floats = np.where(self.ends[..., None, :], value, np.inf).min(-1)
        return found

    def range(self, numbers: Enclosed) -> tuple[Floats, Floats]:
        """The least and the greatest sum over a path, rounded outward. Empty sets: more than that, and less."""
        layers = self.automaton.told(numbers)
        some = numbers[..., self.automaton.among(layers)]
        return self.between(some, layers, self.rounding(self.sizes(some, layers), 0, on_grid(some)))

    def between(self, numbers: Enclosed, layers: Sequence[int], slack: Floats) -> tuple[Floats, Floats]:
        """The same of numbers for the edges of some layers, where rounding takes at most that much of a sum."""
        low, high = numbers.middle - numbers.radius, numbers.middle + numbers.radius
        return _down(self.least(low, layers) - slack, slack), _up(-self.least(-high, layers) + slack, slack)

    def rounding(self, sizes: Floats, operations: int, exact: Flags) -> Floats:
        """How far from the true sum along a path, at most, the rounded one can be, of numbers that came out of so many
        operations, less or plus their radii; sizes: of the numbers along a path; exact: which are multiples of
        1/GRID, so that their sums do not round up to GREATEST."""
        count = len(self.automaton.layers) + operations
        slack = 2 * (count + 4) * U * sizes * (1 + 8 * (count + 4) * U) + TINY
        return np.where(exact & (sizes < GREATEST / 2), 0.0, slack)

    def sizes(self, numbers: Enclosed, layers: Sequence[int]) -> Floats:
        """Of numbers for the edges of some layers, with their radii, the sum of the greatest along a path, about."""
        total, behind = np.zeros(numbers.middle.shape[:-1]), 0
        for k in layers:
            here = slice(behind, behind + len(self.automaton.layers[k].source))
            size = np.abs(numbers.middle[..., here]) + numbers.radius[..., here]
            used = np.where(self.edges[..., None, self.automaton.edges(k)], size, 0.0)
            total, behind = total + used.max(-1), here.stop
        return total

    def through(self, numbers: Floats) -> Floats:
        """Of each edge the least sum of a path that uses it; infinite where none does."""
        automaton = self.automaton
        forward = [np.zeros((*numbers.shape[:-1], 1))]
        for k, layer in enumerate(automaton.layers):
            here = automaton.edges(k)
            used = np.where(self.edges[..., None, here], numbers[..., here], np.inf)
            forward.append(np.minimum.reduceat(forward[-1][..., layer.source] + used, automaton.firsts[k], axis=-1))
        behind = np.where(self.ends[..., None, :], 0.0, np.inf) + np.zeros_like(forward[-1])
        found = np.empty(numbers.shape)
        for k in reversed(range(len(automaton.layers))):
            layer, here = automaton.layers[k], automaton.edges(k)
            used = np.where(self.edges[..., None, here], numbers[..., here], np.inf) + behind[..., layer.target]
            found[..., here] = forward[k][..., layer.source] + used
            behind = np.full((*numbers.shape[:-1], forward[k].shape[-1]), np.inf)
            np.minimum.at(np.moveaxis(behind, -1, 0), layer.source, np.moveaxis(used, -1, 0))
        return found

    def pruned(self) -> Words:
        """Without the edges and ends that no word uses."""
        nothing = np.zeros((*self.edges.shape[:-1], 1, self.edges.shape[-1]))
        edges = np.isfinite(self.through(nothing)[..., 0, :])
        last = len(self.automaton.layers) - 1
        used = np.zeros(self.ends.shape, dtype=np.bool_)
        np.logical_or.at(
            np.moveaxis(used, -1, 0),
            self.automaton.layers[last].target,
            np.moveaxis(edges[..., self.automaton.edges(last)], -1, 0),
        )
        return Words(self.automaton, edges, self.ends & used)

    def counted(self) -> list[int]:
        """How many words each of them has, of sets on one axis."""
        return [self._counted(k) for k in range(len(self.edges))]

    def _counted(self, number: int) -> int:
        value = np.array([1], dtype=object)
        for k, layer in enumerate(self.automaton.layers):
            used = self.edges[number, self.automaton.edges(k)]
            after = np.zeros(int(layer.target[-1]) + 1, dtype=object)
            np.add.at(after, layer.target[used], value[layer.source[used]])
            value = after
        return int(value[self.ends[number]].sum())

    def are_few(self, most: int) -> bool:
        """Whether one set, which is on no axis, has no more words than that."""
        value = np.ones(1)
        for k, layer in enumerate(self.automaton.layers):
            used = np.where(self.edges[self.automaton.edges(k)], value[layer.source], 0.0)
            value = np.minimum(np.add.reduceat(used, self.automaton.firsts[k]), most + 1)
        return bool(value[self.ends].sum() <= most)

    def word_of_least(self, number: int, numbers: Floats) -> tuple[str, ...]:
        """The tokens of a path with the least sum, of one of the sets, which is not empty; numbers: for each edge."""
        value, taken = np.zeros(1), []
        for k, layer in enumerate(self.automaton.layers):
            here = self.automaton.edges(k)
            used = value[layer.source] + np.where(self.edges[number, here], numbers[here], np.inf)
            ends = [*self.automaton.firsts[k][1:], len(used)]
            best = [b + int(np.argmin(used[b:e])) for b, e in zip(self.automaton.firsts[k], ends, strict=True)]
            taken.append(best)
            value = used[best]
        state = int(np.argmin(np.where(self.ends[number], value, np.inf)))
        word: dict[int, str] = {}
        for k in reversed(range(len(self.automaton.layers))):
            layer, edge = self.automaton.layers[k], taken[k][state]
            for column, place in enumerate(layer.places):
                word[place] = self.automaton.tokens[layer.tokens[edge, column]]
            state = int(layer.source[edge])
        return tuple(word[place] for place in range(len(word)))


def on_grid(numbers: Enclosed) -> Flags:
    """Which are, on the last axis, multiples of 1/GRID that are known without a radius."""
    exact = (numbers.radius == 0).all(-1)
    return exact & (np.rint(numbers.middle * GRID) == numbers.middle * GRID).all(-1) if exact.any() else exact


def _down(value: Floats, slack: Floats) -> Floats:
    return np.where(slack == 0, value, np.nextafter(value, -np.inf))


def _up(value: Floats, slack: Floats) -> Floats:
    return np.where(slack == 0, value, np.nextafter(value, np.inf))


class TooManyStates(Exception):
    """An automaton would be too large; one line."""


MOST_EDGES = 200_000
STEPS_AN_EDGE = 30
"""Of counted work, to make one."""


def layered(
    choices: Sequence[Sequence[str]],
    first: Hashable,
    after: Callable[[Any, int, str], Hashable],
    outcome: Callable[[Any], Hashable],
    most: int = MOST_EDGES,
) -> Automaton:
    """The automaton whose layers carry one place each. choices: the tokens that may stand at each place; after: the
    state after a token at a place. TooManyStates where there are more edges than `most`."""
    tokens = tuple(dict.fromkeys(token for some in choices for token in some))
    number = {token: k for k, token in enumerate(tokens)}
    states: dict[Hashable, int] = {first: 0}
    layers, total = [], 0
    for place, some in enumerate(choices):
        behind: dict[Hashable, int] = {}
        edges = []
        total += len(states) * len(some)
        if total > most:
            raise TooManyStates(f"more than {most} edges of an automaton that reads words of {len(choices)} positions")
        work.spend(len(states) * len(some) * STEPS_AN_EDGE)
        for state, source in states.items():
            for token in some:
                edges.append((behind.setdefault(after(state, place, token), len(behind)), source, number[token]))
        target, source_of, token_of = np.array(sorted(edges), dtype=np.int64).T
        layers.append(Layer(source_of, target, token_of[:, None], (place,)))
        states = behind
    return Automaton(tokens, tuple(layers), tuple(map(outcome, states)))

"""How often a word uses each edge of its runs: what linear arithmetic says of it, and a word that uses them so often.

A path through a graph enters every node as often as it leaves it, and numbers of uses with this property, of edges that
hang together, are those of a path (Euler; for the words of automata Parikh 1966, in this form Verma, Seidl, Schwentick,
On the complexity of equational Horn clauses, 2005, section 3).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import sympy
from flint import fmpq

from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.refuting.long import LONGEST_RUN
from weightproof.proofs.solving.logic import And, Formula, Or, disjunction, relation
from weightproof.symbolic.algebra.vocabulary import Underivable


def rational(number: fmpq) -> sympy.Rational:
    return sympy.Rational(int(number.p), int(number.q))


@dataclass(frozen=True)
class Flow:
    """The uses of the edges of a graph, as integers: N1, N2, ... in their order."""

    runs: Runs

    @cached_property
    def uses(self) -> dict[Edge, sympy.Symbol]:
        return {edge: sympy.Symbol(f"N{k}", integer=True) for k, edge in enumerate(self.runs.edges, start=1)}

    def total(self, factor: Callable[[Edge], fmpq]) -> sympy.Expr:
        """A sum over the positions of a word."""
        return sympy.Add(*(rational(factor(edge)) * use for edge, use in self.uses.items()))

    @cached_property
    def balanced(self) -> tuple[Formula, ...]:
        """That they are those of a path from a start to an end, but that edges hang together."""
        change: dict[int, sympy.Expr] = defaultdict(lambda: sympy.S.Zero)
        for edge, use in self.uses.items():
            change[edge.source] -= use
            change[edge.target] += use
        inside = [total for node, total in sorted(change.items()) if node not in self.runs.starts | self.runs.ends]
        starts = sum((use for edge, use in self.uses.items() if self.runs.is_first(edge)), sympy.S.Zero)
        ends = sum((use for edge, use in self.uses.items() if self.runs.is_last(edge)), sympy.S.Zero)
        return (
            *(relation(">=", use) for use in self.uses.values()),
            relation("==", starts - 1),
            relation("==", ends - 1),
            *(relation("==", total) for total in inside),
        )

    def entered(self, nodes: frozenset[int]) -> Formula:
        """That some edge leads into these nodes from others if one between them is used."""
        inside = [u for e, u in self.uses.items() if e.source in nodes and e.target in nodes]
        into = [u for e, u in self.uses.items() if e.source not in nodes and e.target in nodes]
        return disjunction(relation("==", sympy.Add(*inside)), relation(">=", sympy.Add(*into) - 1))

    def is_whole(self, model: Mapping[str, str]) -> bool:
        """Whether a model uses every edge a whole number of times."""
        return all(model.get(str(use), "0").isdigit() for use in self.uses.values())

    def word(self, model: Mapping[str, str]) -> tuple[str, ...] | frozenset[int]:
        """The tokens of a word with these uses; or nodes whose edges are used, but that no path leads to. Underivable
        where the word is longer than LONGEST_RUN."""
        counts = {edge: int(model.get(str(use), "0")) for edge, use in self.uses.items()}
        if sum(counts.values()) > LONGEST_RUN:
            raise Underivable(f"a word of more than {LONGEST_RUN} positions, which is too long to run")
        used = [edge for edge, count in counts.items() if count]
        reached = {edge.source for edge in used if self.runs.is_first(edge)}
        while more := {edge.target for edge in used if edge.source in reached} - reached:
            reached |= more
        apart = {node for edge in used for node in (edge.source, edge.target)} - reached
        return frozenset(apart) if apart else _along(counts, self.runs)


def _along(counts: dict[Edge, int], runs: Runs) -> tuple[str, ...]:
    """The path that uses each edge so often (Hierholzer 1873)."""
    left = defaultdict[int, list[Edge]](list)
    for edge, count in counts.items():
        left[edge.source] += [edge] * count
    [start] = {edge.source for edge, count in counts.items() if count and runs.is_first(edge)}
    stack: list[tuple[int, str | None]] = [(start, None)]
    tokens: list[str] = []
    while stack:
        node, token = stack[-1]
        if left[node]:
            edge = left[node].pop()
            stack.append((edge.target, edge.token))
        else:
            stack.pop()
            if token is not None:
                tokens.append(token)
    return tuple(reversed(tokens))


def alternatives(formulas: Iterable[Formula], most: int) -> list[tuple[Formula, ...]] | None:
    """Ways in which all of them hold, each as relations; None where these are more than `most`."""
    found: list[tuple[Formula, ...]] = [()]
    for formula in formulas:
        match formula:
            case And(parts=parts):
                ways = alternatives(parts, most)
            case Or(parts=parts):
                each = [alternatives((part,), most) for part in parts]
                ways = None if None in each else [way for some in each for way in some or ()]
            case _:
                ways = [(formula,)]
        if ways is None or len(found) * len(ways) > most:
            return None
        found = [(*left, *right) for left, right in product(found, ways)]
    return found

"""What the values of the symbolic reading mean, by brute force: every atom replaced by its value on a concrete word.

Independent of `symbolic.evaluate`; the tests of the symbolic reading compare meanings before and after a rewriting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

import sympy
from sympy.core.function import AppliedUndef

from weightproof.symbolic.algebra.iverson import Conditions, Iverson
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, j, n
from weightproof.symbolic.derivation import ExplicitSum


@dataclass(frozen=True)
class World:
    """Values for the symbols, and a word: the index of each position's token in the alphabet, -1 for a marker."""

    alphabet: tuple[str, ...]
    tokens: tuple[int, ...]
    symbols: Mapping[sympy.Basic, sympy.Expr]
    sums: Mapping[sympy.Symbol, ExplicitSum] = field(default_factory=dict)

    def with_symbols(self, symbols: Mapping[sympy.Basic, sympy.Expr]) -> World:
        return World(self.alphabet, self.tokens, {**self.symbols, **symbols}, self.sums)

    def with_sums(self, sums: Mapping[sympy.Symbol, ExplicitSum]) -> World:
        return World(self.alphabet, self.tokens, self.symbols, sums)

    def number(self, expression: sympy.Expr) -> sympy.Expr:
        """The value of an expression without brackets."""
        mentioned = {symbol: self.sum(self.sums[symbol]) for symbol in self.sums if expression.has(symbol)}
        placed = expression.xreplace({**self.symbols, **mentioned})
        atoms = {atom: self._atom(atom) for atom in placed.atoms(AppliedUndef)}
        return placed.xreplace(atoms)

    def _atom(self, atom: AppliedUndef) -> sympy.Integer:
        [place] = atom.args
        assert place.is_Integer, atom
        name = str(atom.func)
        if name == "w":
            return sympy.Integer(self.tokens[place] if 0 <= place < len(self.tokens) else -1)
        return sympy.Integer(self.tokens[: max(int(place) + 1, 0)].count(self.alphabet.index(name.removeprefix("k_"))))

    def holds(self, conditions: Conditions) -> bool:
        for condition in conditions:
            value = self.number(condition.axis.expression())
            if (condition.lo is not None and value < condition.lo) or (
                condition.hi is not None and value > condition.hi
            ):
                return False
        return True

    def value(self, iverson: Iverson) -> sympy.Expr:
        held = (self.number(coefficient) for conditions, coefficient in iverson.terms if self.holds(conditions))
        return sum(held, sympy.S.Zero)

    def sum(self, total: ExplicitSum) -> sympy.Expr:
        return self.over(total.body, total.lo, total.hi)

    def over(self, body: Iverson, lo: sympy.Expr, hi: sympy.Expr, symbol: int | None = None) -> sympy.Expr:
        """The sum of body(j) over j = lo..hi, only where the token is `symbol` if one is given."""
        places = range(int(self.number(lo)), int(self.number(hi)) + 1)
        return sum(
            (
                self.with_symbols({j: sympy.Integer(place)}).value(body)
                for place in places
                if symbol is None or (0 <= place < len(self.tokens) and self.tokens[place] == symbol)
            ),
            sympy.S.Zero,
        )


def worlds(vocabulary: Vocabulary, lengths: Iterable[int], values: Mapping[sympy.Basic, sympy.Expr]) -> Iterator[World]:
    """Every word with so many positions, markers included, and further symbols with given values."""
    for length in lengths:
        for word in product(
            range(len(vocabulary.alphabet)), repeat=length - int(vocabulary.begin) - int(vocabulary.end)
        ):
            tokens = (-1,) * vocabulary.begin + word + (-1,) * vocabulary.end
            counts = {
                vocabulary.total(symbol): sympy.Integer(word.count(index))
                for index, symbol in enumerate(vocabulary.alphabet)
            }
            yield World(vocabulary.alphabet, tokens, {n: sympy.Integer(length), **counts, **values})


def rows(vocabulary: Vocabulary, world: World) -> Iterator[World]:
    """The world seen from each position that holds a symbol, as i."""
    for place in range(vocabulary.first, len(world.tokens) - int(vocabulary.end)):
        yield world.with_symbols({i: sympy.Integer(place)})

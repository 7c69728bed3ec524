"""What a derivation is: the recorded steps from the embeddings to the closed form of the logit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Activation
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, substitute
from weightproof.symbolic.algebra.linear import Fact
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, i, is_power_of_e, is_scale

Vector = dict[str, Iverson]
"""Coordinate -> value; coordinates that are 0 are absent."""

Units = dict[str, tuple[Iverson, Iverson]]
"""Unit -> argument and value."""

Stream = dict[str, Vector]
"""Kind of position -> the vector there: at position 0 for the begin marker, n-1 for the end marker, at a generic
position i for a symbol of the alphabet. A kind is called like its token, markers as `marker_names` says."""


def renamed(vector: Vector, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Vector:
    """A vector with other symbols for the explicit sums."""
    return {name: substitute(value, names) for name, value in vector.items()}


def marker_names(begin: str | None, end: str | None) -> tuple[str, str]:
    """What the positions of the markers are called: like them, or apart where both are the same token.

    No symbol is called so, as symbols are single characters. A marker that is absent has no name.
    """
    if begin is not None and begin == end:
        return f"{begin} (first)", f"{end} (last)"
    return begin or "", end or ""


@dataclass(frozen=True)
class OverPositions:
    """The sum over the positions in view of a value given for each token, in terms of j where symbols stand."""

    summands: tuple[tuple[str, Iverson], ...]

    @staticmethod
    def of(stream: Stream, coordinate: str) -> OverPositions:
        return OverPositions(tuple((token, vector.get(coordinate, ZERO)) for token, vector in stream.items()))


@dataclass(frozen=True)
class Quotient:
    numerator: Iverson
    denominator: Iverson


@dataclass(frozen=True)
class DotProduct:
    """A query times a key, row by row, and a scale."""

    scale: Iverson
    factors: tuple[tuple[Iverson, Iverson], ...]


Function = Activation | Literal["sgn", "-|x|"]


@dataclass(frozen=True)
class Applied:
    """A function of a value, and a scale."""

    function: Function
    argument: Iverson
    scale: Iverson = field(default_factory=lambda: Iverson.constant(1))


Before = Iverson | OverPositions | Quotient | DotProduct | Applied
"""What has the value that a step ends with."""


@dataclass(frozen=True)
class Step:
    """One rewriting: the rule, where it was applied, what it turned into what.

    positive: what has to be positive for it, where something has. scale: where this is 1 over the square of a scale.
    """

    rule: str
    location: str
    before: Before
    after: Iverson
    positive: Iverson | None = None
    scale: sympy.Expr | None = None

    def renamed(self, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Step:
        """The step with other symbols for the explicit sums."""
        before = self.before
        match before:
            case OverPositions(summands=summands):
                before = OverPositions(tuple((token, substitute(value, names)) for token, value in summands))
            case Quotient(numerator=numerator, denominator=denominator):
                before = Quotient(substitute(numerator, names), substitute(denominator, names))
            case DotProduct(scale=scale, factors=factors):
                before = DotProduct(scale, tuple((substitute(q, names), substitute(k, names)) for q, k in factors))
            case Applied(argument=argument):
                before = replace(before, argument=substitute(argument, names))
            case Iverson():
                before = substitute(before, names)
        positive = None if self.positive is None else substitute(self.positive, names)
        return Step(self.rule, self.location, before, substitute(self.after, names), positive, self.scale)


@dataclass(frozen=True)
class ExplicitSum:
    """A sum that no rule closes: `symbol` = sum of `body` over the positions j from lo to hi that hold symbols."""

    symbol: sympy.Symbol
    lo: sympy.Expr
    hi: sympy.Expr
    body: Iverson


@dataclass(frozen=True)
class NonZero:
    """Values that must not all be 0 for a row to have a norm with epsilon = 0: the one of which all coordinates are
    multiples, or the coordinates. ratio times the sum of their squares is the mean square of the row."""

    values: tuple[Iverson, ...]
    ratio: sympy.Expr

    def square(self) -> Iverson:
        """The mean square of the row."""
        return sum((value * value for value in self.values), ZERO).scaled(self.ratio)

    def changed(self, change: Callable[[Iverson], Iverson]) -> NonZero:
        """What must not be 0 after a change of every value."""
        return NonZero(tuple(map(change, self.values)), self.ratio)


@dataclass(frozen=True)
class Looked:
    """What a head does at a row. Of each key by the name of its row, in terms of j where symbols stand: score, weight,
    and value; over the positions in view, total: the weights summed, numerators: the weighted values summed, by
    coordinate; added: what the head adds."""

    scores: Vector
    weights: Vector
    values: Stream
    total: Iverson
    numerators: Vector
    added: Vector

    def renamed(self, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Looked:
        """The same with other symbols for the explicit sums."""

        scores, weights, numerators, added = (
            renamed(each, names) for each in (self.scores, self.weights, self.numerators, self.added)
        )
        values = {name: renamed(each, names) for name, each in self.values.items()}
        return Looked(scores, weights, values, substitute(self.total, names), numerators, added)


@dataclass(frozen=True)
class Normed:
    """What a norm does at a row: the vector before it, the mean of its coordinates, and the vector less that mean,
    `divided` by a positive `factor`. The row is then `divided` times a scale, of which 1 over the square is the mean
    square of `divided` with epsilon over the square of the factor added: `square`, which for a row that keeps a sign
    alone is a number."""

    vector: Vector
    mean: Iverson
    factor: Iverson
    divided: Vector
    square: Iverson
    scale: sympy.Expr | None

    def renamed(self, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Normed:
        """The same with other symbols for the explicit sums."""
        vector, divided = renamed(self.vector, names), renamed(self.divided, names)
        mean, factor, square = (substitute(each, names) for each in (self.mean, self.factor, self.square))
        return Normed(vector, mean, factor, divided, square, self.scale)


@dataclass
class Record:
    """What one derivation writes down as it goes: steps, scales of rows, explicit sums, linear facts that were used.

    scales: R1, R2(i), ... -> 1 over the square of it, of a generic position i where it is a function of one.
    nonzero: of some scales, what must not be 0 for the network to have a value.
    looked: what a head does, and units: those of a feed-forward network, by its location and the name of the row.
    A pair of units that was told only in its difference stands as that difference and 0.
    norms: what a norm does, by its location and the name of the row.
    """

    steps: list[Step] = field(default_factory=list)
    looked: dict[tuple[str, str], Looked] = field(default_factory=dict)
    units: dict[tuple[str, str], Units] = field(default_factory=dict)
    norms: dict[tuple[str, str], Normed] = field(default_factory=dict)
    scales: dict[sympy.Expr, Iverson] = field(default_factory=dict)
    nonzero: dict[sympy.Expr, NonZero] = field(default_factory=dict)
    sums: dict[sympy.Symbol, ExplicitSum] = field(default_factory=dict)
    facts: set[Fact] = field(default_factory=set)

    def step(
        self,
        rule: str,
        location: str,
        before: Before,
        after: Iverson,
        positive: Iverson | None = None,
        scale: sympy.Expr | None = None,
    ) -> None:
        self.steps.append(Step(rule, location, before, after, positive, scale))

    def explicit(self, lo: sympy.Expr, hi: sympy.Expr, body: Iverson) -> sympy.Symbol:
        for known in self.sums.values():
            if (known.lo, known.hi, known.body) == (lo, hi, body):
                return known.symbol
        symbol = sympy.Symbol(f"S{len(self.sums) + 1}", real=True)
        self.sums[symbol] = ExplicitSum(symbol, lo, hi, body)
        return symbol

    def scale(self, square: Iverson, of_positions: bool) -> sympy.Expr:
        """The positive real 1/sqrt(square), named; a function of the generic position i if `of_positions`."""
        for known, other in self.scales.items():
            if other == square and known.is_Symbol != of_positions:
                return known
        name = f"R{len(self.scales) + 1}"
        symbol = sympy.Function(name, positive=True)(i) if of_positions else sympy.Symbol(name, positive=True)
        self.scales[symbol] = square
        return symbol

    def mentions_reals(self, expression: sympy.Expr) -> bool:
        """Whether scales, powers of e or explicit sums are left in it."""
        atoms = expression.atoms(sympy.Symbol, AppliedUndef)
        return any(atom in self.sums or is_scale(atom) or is_power_of_e(atom) for atom in atoms)

    def square_of(self, scale: sympy.Expr) -> Iverson:
        """1 over the square of a scale, at the position that it is taken at."""
        return square_of(scale, self.scales)

    def at(self, value: Iverson, position: sympy.Expr) -> Iverson:
        """A value of the generic position i at another one; Underivable if it holds a sum that depends on i."""
        mentioned = value.free_symbols & self.sums.keys()
        for symbol in reversed(self.sums):  # a body mentions only sums that arose before it
            if symbol in mentioned:
                total = self.sums[symbol]
                symbols = total.lo.free_symbols | total.hi.free_symbols | total.body.free_symbols
                if i in symbols:
                    raise Underivable(f"a sum over positions {total.lo}..{total.hi} of row i is used at row {position}")
                mentioned |= symbols & self.sums.keys()
        return substitute(value, {i: position})


def square_of(scale: sympy.Expr, scales: Mapping[sympy.Expr, Iverson]) -> Iverson:
    """1 over the square of a scale, at the position that it is taken at; KeyError for what is none."""
    for known, square in scales.items():
        if known == scale:
            return square
        if isinstance(known, AppliedUndef) and isinstance(scale, AppliedUndef) and known.func == scale.func:
            return substitute(square, {known.args[0]: scale.args[0]})
    raise KeyError(scale)


@dataclass(frozen=True)
class Derivation:
    """The symbolic forward pass of a construction on a word of length n.

    scales are the positive factors of normalised rows, and nonzero what must not be 0 for some of them, as in `Record`.
    streams[l] is the residual stream after layer l (0: the embedding) at a generic position, attended[l-1] that after
    the attention of layer l and its residual connection, only the rows that the readout sees; logit is the closed
    form, in terms of n, counts, tokens, parameters and `sums`.
    inner_sums are those that only vectors and steps mention; a sum's body may mention sums before it.
    facts are the linear side conditions that were used. looked, units and norms are as in `Record`.
    """

    construction: Construction
    vocabulary: Vocabulary
    streams: tuple[Stream, ...]
    attended: tuple[Stream, ...]
    logit: Iverson
    scales: dict[sympy.Expr, Iverson]
    nonzero: dict[sympy.Expr, NonZero]
    sums: dict[sympy.Symbol, ExplicitSum]
    inner_sums: dict[sympy.Symbol, ExplicitSum]
    steps: tuple[Step, ...]
    looked: dict[tuple[str, str], Looked]
    units: dict[tuple[str, str], Units]
    norms: dict[tuple[str, str], Normed]
    facts: frozenset[Fact]

    @property
    def all_sums(self) -> dict[sympy.Symbol, ExplicitSum]:
        """All sums in the order of their numbers: a sum's body mentions only sums before it."""
        return self.sums | self.inner_sums

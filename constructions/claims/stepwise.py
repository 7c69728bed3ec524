"""What a paper can print about a transformer that simulates recurrent networks, step by step: kinds of statements.

A statement is made of every recurrent network, every word and every step in a range. Steps and positions count from 0,
"#" stands at position 0 and "$" at position n; t' is min(t, n).

What a vector holds is written as rows of what is known, as the weights of a network are: name -> number. Names are:

- "1", "t", "2^-t", and "2^-t'", up to step n; "n", from there on;
- a unit: what it is before the step, and `NEXT` with it: what it is after the step;
- `INPUT` with an input of the RNN: that of the token at t'; `MEAN` with one: the mean over positions 0 ... t';
- `NOW` with a token: its share of positions 0 ... t', and `SHARE` with one: that share a step earlier, at step 0 0;
- `GROWTH` with a token: by how much its share has grown at step t, if it has;
- `BACK` with a token: its share of positions 0 ... t' - 1, up to step n what `SHARE` is;
- `IS` with a token: 1 if it is the token at t', 0 if not.

Of keys and values, of which print says what they are at a position j: "j", "1", `INPUT` and `IS` of the token there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statement import Bearing, Statement, Topic, choice_problems, with_fields
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.scalars.expressions import Expression, exact
from weightproof.constructions.scalars.frozen import Written, freeze

NEXT, INPUT, MEAN, SHARE, NOW, GROWTH, BACK, IS = (
    f"{word} " for word in ("next", "input", "mean", "share", "now", "growth", "back", "is")
)
Row = Mapping[str, int | str]
"""Name -> number: a sum of multiples."""
Steps = Literal["t >= 0", "t = 0", "0 < t < n", "0 <= t < n", "0 < t <= n", "0 <= t <= n", "t = n", "t >= n", "t > n"]
Place = Literal["input", "keys", "values", "looked", "attended", "hidden", "update", "output", "next"]
"""A vector at a step: its input y_t; the keys and values that a layer's cross head makes of the encoder's vectors; what
that head adds; the vector behind it, a_t; the units of the feed-forward network, and what it adds; the layer's output;
the input of the next step."""


class Stepwise(Statement):
    """A statement about the transformer for one recurrent network."""


@dataclass(frozen=True)
class Holds(Stepwise):
    """The vector at a place holds these rows, and 0 in every other coordinate.

    It is said of a step whose input is as the induction hypothesis has it; of the place "input", of every step of a
    run. ahead: print's step t is the step t + ahead of the network. fractions: said only of recurrent networks whose
    embeddings lie in [0, 1].
    """

    place: Place
    layer: int
    rows: Mapping[str, Row]
    steps: Steps = "t >= 0"
    ahead: int = 0
    fractions: bool = False


Token = Literal["the token at t'", "another token", "#", "$"]


@dataclass(frozen=True)
class Growth:
    """Share of positions 0 ... t less share of positions 0 ... t - 1 of a token, and no less than that."""

    token: Token


@dataclass(frozen=True)
class Share:
    """Share of positions 0 ... t' of a token."""

    token: Token


@dataclass(frozen=True)
class Score:
    """The score of a layer's cross head, scale and all, where a position i that it sees holds this token, None: any; of
    -|q.k|, what stands between the bars, times the scale. whole: the score itself, with its sign; best: that of the
    position at which it looks."""

    layer: int
    token: Token | None
    best: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Ratio(Stepwise):
    """At steps in a range the quantity `op` value: a formula in t, p = 2^-t, n, the position i of a key, and phi, the
    number of times that the token stands at positions 0 ... t - 1, or psi, that of any other token. ahead as in
    `Holds`."""

    of: Growth | Share | Score
    op: Literal["==", ">=", "<=", ">"]
    value: Written[Expression] = Written(exact)
    steps: Steps = "0 < t <= n"
    ahead: int = 0


@dataclass(frozen=True)
class Keys(Stepwise):
    """The encoder makes so many keys, and as many values, of a word: a formula in n."""

    number: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Attends(Stepwise):
    """The cross head of a layer gives the same weight to all positions from `first` to t', and none to others: it is 1
    divided by how many there are from 0 to `counted`. same: those alone count that hold the token at t'."""

    layer: int
    first: int = 0
    same: bool = False
    counted: Literal["t'", "n - 1"] = "t'"
    steps: Steps = "t >= 0"


@dataclass(frozen=True)
class Blocks(Stepwise):
    """A vector or matrix that is printed in blocks of these sizes has so many rows, whatever the sizes of the recurrent
    network are: formulas in d_h, d_b (of units and of inputs) and m, the number of tokens."""

    transcribed = True

    sizes: tuple[Expression, ...]
    width: Expression

    def __init__(self, width: object, *sizes: object) -> None:
        freeze(self, sizes=tuple(map(exact, sizes)), width=exact(width))


@dataclass(frozen=True)
class Block:
    """A block of a matrix of the network, the rows from the columns: `diagonal` times the identity, or a matrix of the
    RNN, or zeros where diagonal is 0."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    diagonal: int | str | Literal["W_h", "W_x"]


@dataclass(frozen=True)
class BlockMatrix(Stepwise):
    """W_K or W_V of a layer's cross head, or a map of its feed-forward network, has these blocks, and 0 elsewhere."""

    transcribed = True

    part: Literal["W_K", "W_V", "W_F1", "W_F2"]
    layer: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Simulates(Stepwise):
    """The output vector of every step holds the state of that step. fractions as in `Holds`."""

    bearing = "outcome"

    fractions: bool = False


@dataclass(frozen=True)
class OfEvery(Statement):
    """A statement about the transformers of a family, as `claims` has it of each recurrent network: the one with this
    number among the senses of the claim, or of the correction of a slip, with this id.

    fractions: made only of those recurrent networks whose embeddings lie in [0, 1], where it can be.
    """

    family: str
    claims: Callable[[RNN], Claims]
    id: str
    sense: int
    correction: bool
    fractions: bool = False

    def made(self, rnn: RNN) -> Stepwise:
        """The statement about the transformer for one recurrent network."""
        printed = self.claims(rnn).claims
        corrections = [slip.correction for claim in printed for slip in claim.slips]
        claim = next(claim for claim in (corrections if self.correction else printed) if claim.id == self.id)
        statement = claim.senses[self.sense].statement
        assert isinstance(statement, Stepwise)
        if self.fractions and isinstance(statement, Holds | Simulates):
            return replace(statement, fractions=True)
        return statement

    @property
    def transcribed(self) -> bool:
        return self.made(every_rnn(1, 1, 1)).transcribed

    @property
    def bearing(self) -> Bearing:
        return self.made(every_rnn(1, 1, 1)).bearing

    def problems(self, about: Topic) -> Iterator[str]:
        if self.family not in about.names:
            yield f"there are no transformers {self.family!r}; there are {', '.join(about.names)}"
        yield from choice_problems(self.made(every_rnn(1, 1, 1)))

    def of_fractions(self) -> OfEvery:
        """Made of those recurrent networks alone whose embeddings lie in [0, 1]; itself, where it is no statement that
        can be."""
        other, smallest = replace(self, fractions=True), every_rnn(1, 1, 1)
        return other if other.made(smallest) != self.made(smallest) else self


def of_every(claims: Callable[[RNN], Claims]) -> Claims:
    """The claims about a family of transformers, from those for each recurrent network: their names and their order are
    the same for all of them."""
    smallest = claims(every_rnn(1, 1, 1))
    if not all(isinstance(claim, Published) for claim in smallest.claims):
        return smallest  # for `check_claims` to refuse it

    def of_family(claim: Published, family: str, correction: bool = False) -> Published:
        senses = (
            replace(reading, statement=OfEvery(family, claims, claim.id, at, correction))
            for at, reading in enumerate(claim.senses)
        )
        slips = (with_fields(slip, correction=of_family(slip.correction, slip.about, True)) for slip in claim.slips)
        return with_fields(claim, senses=tuple(senses), slips=tuple(slips))

    return with_fields(smallest, claims=tuple(of_family(claim, smallest.construction) for claim in smallest.claims))

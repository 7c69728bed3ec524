"""A head that looks up: its score at a key, added up row after row, tells whether two numbers are the same.

The rows of W_Q and W_K are gone through in their order. What matters of the past is the sum so far, whether all bits
that were compared were equal, and the values of those unknowns that later rows read again: a state of a machine with
few states, in which every bit is free. What the states are at the end is true of every pair of numbers; where the rows
of the bits are all alike and one more of them leads to no further state, of numbers of any width.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import Head
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.fixed_point.arithmetic import ONE, ZERO, Arithmetic, Number
from weightproof.symbolic.fixed_point.finite import Finite, Unknown, Values, applied, assignments, linear, renamed

KEY = " at the key"
"""What an unknown of the position that is looked at is called after its name."""
LIVE, STATES = 8, 4096
"""Unknowns that a state holds, and states."""

Bits = tuple[tuple[str, str], ...]
"""Unknowns, of the query's address and of the key's number, that are to be compared."""


@dataclass(frozen=True)
class State:
    """sum: of the rows so far; equal: whether all bits compared so far were; live: unknowns that are read again."""

    sum: Number
    equal: bool
    live: tuple[tuple[str, object], ...] = ()


START = State(ZERO, True)


@dataclass(frozen=True)
class Row:
    """One product of a score: the query's factor and the key's."""

    query: Finite
    key: Finite

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return tuple(dict.fromkeys((*self.query.unknowns, *self.key.unknowns)))


def rows(head: Head, stream: Values, arithmetic: Arithmetic) -> list[Row]:
    """The products of q.k, of the streams of any two positions, in the order in which they are added."""
    found = []
    for name, weights in head.W_Q.items():
        if name in head.W_K:
            query, key = (
                linear({column: arithmetic.scalar(w) for column, w in row.items()}, ZERO, stream, arithmetic)
                for row in (weights, head.W_K[name])
            )
            found.append(Row(query, renamed(key, KEY)))
    return found


def final_states(rows: Sequence[Row], bits: Bits, arithmetic: Arithmetic, start: frozenset[State]) -> frozenset[State]:
    """The states in which the sum of all rows may be, whatever the unknowns are; bits that no row reads are free."""
    last = {unknown.name: place for place, row in enumerate(rows) for unknown in row.unknowns}
    partner = {name: other for pair in bits for name, other in (pair, pair[::-1])}
    states = start
    for place, row in enumerate(rows):
        states = frozenset(
            _stepped(state, known, row, arithmetic, _kept(known, last, partner, place))
            for state in states
            for known in _extended(state, row, partner)
        )
        if len(states) > STATES:
            raise Underivable(f"a score of more than {STATES} states")
    unread = any(first not in last or second not in last for first, second in bits)
    return states | {State(state.sum, False, state.live) for state in states} if unread else states


def _extended(state: State, row: Row, partner: Mapping[str, str]) -> Iterator[tuple[dict[str, object], bool]]:
    """The unknowns with values so far and those of the row, and whether all compared bits are equal."""
    known = dict(state.live)
    new = [unknown for unknown in row.unknowns if unknown.name not in known]
    if len(known) + len(new) > LIVE:
        raise Underivable(f"a score in which more than {LIVE} unknowns matter at once")
    for values in assignments(new):
        whole = {**known, **values}
        equal = state.equal and all(
            whole[name] == whole[other]
            for name in values
            if (other := partner.get(name)) is not None and other in whole
        )
        yield whole, equal


def _kept(
    known: tuple[dict[str, object], bool], last: Mapping[str, int], partner: Mapping[str, str], place: int
) -> tuple[tuple[str, object], ...]:
    """Unknowns that later rows read, and bits whose partner comes later."""
    values, _ = known
    return tuple(
        sorted(
            (name, value)
            for name, value in values.items()
            if last[name] > place or (partner.get(name) not in values and last.get(partner.get(name, ""), -1) > place)
        )
    )


def _stepped(
    state: State,
    known: tuple[dict[str, object], bool],
    row: Row,
    arithmetic: Arithmetic,
    live: tuple[tuple[str, object], ...],
) -> State:
    values, equal = known
    product = arithmetic.times(row.query.at(values), row.key.at(values))
    return State(arithmetic.plus(state.sum, product), equal, live)


@dataclass(frozen=True)
class LookUp:
    """A head that finds the key whose number is the address: its scores there, and everywhere else."""

    field: str
    here: frozenset[Number]
    elsewhere: frozenset[Number]


def looks_up(head: Head, stream: Values, field: str, bits: Bits, arithmetic: Arithmetic) -> LookUp:
    """The scores of a head where the bits of an address are those of a key, and where one of them is not.

    Underivable where the key with the address does not get all of the weight.
    """
    if not DERIVATION.is_soft(head.normaliser) or DERIVATION.is_less_size(head.score):
        raise Underivable("only softmax over dot products is read in numbers of s bits")
    states = final_states(rows(head, stream, arithmetic), bits, arithmetic, frozenset({START}))
    return concluded(head, field, states, arithmetic)


def concluded(head: Head, field: str, states: frozenset[State], arithmetic: Arithmetic) -> LookUp:
    """What the states say of a head's weights; the sum of weights adds up 0s and that of the key with the address."""
    scale = arithmetic.scalar(head.scale)
    scores = {
        equal: frozenset(arithmetic.times(scale, state.sum) for state in states if state.equal == equal)
        for equal in (True, False)
    }
    for score in scores[False]:
        if arithmetic.exp(score) != ZERO:
            raise Underivable(f"a key whose number is not the address {field!r} has the score {score}, and some weight")
    for score in scores[True]:
        power = arithmetic.exp(score)
        if power == ZERO:
            raise Underivable(f"the key whose number is the address {field!r} has the score {score}, and no weight")
        if arithmetic.over(power, power) != ONE:
            raise Underivable(f"the weight of the score {score} is not 1")
    return LookUp(field, scores[True], scores[False])


def added(head: Head, stream: Values, field: str, arithmetic: Arithmetic) -> dict[str, Finite]:
    """What the head adds: 0 times what stands elsewhere, and once what stands where the number is the address; unknowns
    of that position are named after it."""
    there = {name: renamed(value, at(field)) for name, value in stream.items()}
    value = applied(head.W_V, there, arithmetic)
    return value if head.W_O is None else applied(head.W_O, value, arithmetic)


def at(field: str) -> str:
    """What an unknown of the position with that address is called after its name."""
    return f" at {field}"

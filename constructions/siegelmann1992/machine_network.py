"""A recurrent network for a Turing machine, after Siegelmann and Sontag (1992): Bhattamishra et al., appendix B.1.

A half tape is one number: with m symbols on the tape, the blank counted as 0, the symbols a_0, a_1, ... from the head
outwards are 2 a_0/(2m) + 2 a_1/(2m)^2 + ..., for two symbols a number in base 4. All of these lie in a Cantor set: what
is left of the number behind a_0 is less than 1/(2m), so that top, pop and push are exact with saturated units,

    a_0 >= a  is saturated(2m x - 2a + 1),    pop is 2m x - 2 a_0,    push of b is (x + 2b)/(2m).

The source has the digits 2a + 1 and a bit for the empty stack. Blanks for ever are the number 0 here, and no bit.

One step of the machine takes four of the network, which hand the configuration on: to units that find the tops, to one
unit for each transition, to what that transition makes of the tape, and back. A transition to the left also pops the
left half; it has a unit for each symbol found there. In each of the four steps the units of the others are 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN, State
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration, TuringMachine, moves_right
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.constructions.scalars.exact import Real

STEPS = 4
"""Steps of the network for one of the machine."""
HALTED = "halted"
LEFT, RIGHT = "left", "right"
Row = dict[str, Fraction]
Units = dict[str, tuple[str, Row]]
"""Each with what it is there for, in words, and its weights, its bias under ""."""


def ready(word: Sequence[str]) -> int:
    """The step in which the first configuration stands in the network: "#", the word and "$" are read, and two pass."""
    return len(word) + 3


def unit_of(state: str) -> str:
    return f"state {state}"


def pushed(machine: TuringMachine, symbol: str, number: fmpq) -> fmpq:
    """The number of a half tape with a symbol put before it."""
    return (number + 2 * machine.symbols.index(symbol)) / (2 * len(machine.symbols))


def stack(machine: TuringMachine, symbols: Sequence[str]) -> fmpq:
    """The number of a half tape."""
    number = fmpq(0)
    for symbol in reversed(symbols):
        number = pushed(machine, symbol, number)
    return number


def encoded(machine: TuringMachine, at: Configuration) -> State:
    """What the network holds of a configuration, by unit."""
    state: State = {unit_of(state): fmpq(int(state == at.state)) for state in machine.states}
    return state | {LEFT: stack(machine, at.left), RIGHT: stack(machine, at.right)}


def written(machine: TuringMachine, held: State) -> str:
    """The state and both half tapes, the symbols as digits."""
    states = [state for state in machine.states if held[unit_of(state)] == 1]
    left, right = (_in_base(held[half], 2 * len(machine.symbols)) for half in (LEFT, RIGHT))
    return f"{' and '.join(states) or 'no state'} {left} {right}"


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LONGEST_NUMBER = 200
"""Digits; a longer number is written as a fraction."""


def _in_base(x: Real, base: int) -> str:
    """A number in [0, 1) whose denominator divides a power of the base, or else as it is."""
    digits, rest = "", x
    while isinstance(rest, fmpq) and rest and len(digits) < LONGEST_NUMBER and base <= len(DIGITS):
        rest *= base
        digit = int(rest.p // rest.q)
        if not 0 <= digit < base:
            return str(x)
        digits += DIGITS[digit]
        rest -= digit
    return str(x) if rest else f".{digits}"


@dataclass(frozen=True)
class _Case:
    """What the machine does in a state on a symbol, with another one on top of the left half where that is popped."""

    name: str
    state: str
    symbol: int
    popped: int | None
    next_state: str
    left: Row
    right: Row
    halts: bool = False

    def said(self, machine: TuringMachine) -> str:
        """In words, symbols and the state between quotes."""
        beside = "" if self.popped is None else f" beside {machine.symbols[self.popped]!r}"
        return f"{self.state!r} on {machine.symbols[self.symbol]!r}{beside}"


def _cases(machine: TuringMachine) -> Iterator[_Case]:
    digits = {symbol: number for number, symbol in enumerate(machine.symbols)}
    m = len(digits)
    base = Fraction(2 * m)
    for state, row in machine.table.items():
        for symbol, a in digits.items():
            transition, name = row.get(symbol), f"{state}, {symbol!r}"
            if transition is None:
                yield _Case(name, state, a, None, state, {LEFT: Fraction(1)}, {RIGHT: Fraction(1)}, halts=True)
                continue
            b = digits[transition.write]
            if moves_right(transition):
                left, right = {LEFT: 1 / base, "": 2 * b / base}, {RIGHT: base, "": Fraction(-2 * a)}
                yield _Case(name, state, a, None, transition.state, left, right)
                continue
            for other, c in digits.items():
                left = {LEFT: base, "": Fraction(-2 * c)}
                right = {RIGHT: 1 / base, "": (2 * c + (2 * b - 2 * a) / base) / base}
                yield _Case(f"{name} beside {other!r}", state, a, c, transition.state, left, right)


def machine_network(machine: TuringMachine) -> MachineNetwork:
    """The network that runs a machine."""
    units = {**_loading(machine), **_reading(machine), **_choosing(machine), **_writing(machine), **_returning(machine)}
    rows = {unit: row for unit, (_, row) in units.items()}
    inputs = tuple(_input(symbol) for symbol in machine.alphabet)
    network = RNN(
        name=f"{machine.name} as a recurrent network",
        alphabet=machine.alphabet,
        units=tuple(rows),
        inputs=inputs,
        embedding=Embedding(WE={symbol: {_input(symbol): 1} for symbol in machine.alphabet}),
        W_h=Linear(_columns(rows, tuple(rows))),
        W_x=Linear(_columns(rows, inputs), bias={unit: row[""] for unit, row in rows.items() if row.get("")}),
    )
    digits = ", ".join(f"{2 * digit} for {symbol!r}" for digit, symbol in enumerate(machine.symbols))
    return MachineNetwork(
        machine=machine,
        rnn=network,
        every=STEPS,
        halted=HALTED,
        first=ready,
        encoded=lambda configuration: encoded(machine, configuration),
        written=lambda held: written(machine, held),
        legend=f"A number is a half tape in base {2 * len(machine.symbols)}: the symbols are the digits {digits}, from "
        "the head on.",
        computes={unit: words for unit, (words, _) in units.items()},
        apart=fmpq(1, 4 * len(machine.symbols)),
    )


def _columns(rows: dict[str, Row], names: tuple[str, ...]) -> dict[str, Row]:
    return {unit: {name: row[name] for name in names if row.get(name)} for unit, row in rows.items()}


def _input(symbol: str) -> str:
    return f"[x={symbol}]"


def _loading(machine: TuringMachine) -> Units:
    """The word becomes the right half tape: `place` is (2m)^-k where symbol k is read; `go` tells the first "$"."""
    m = len(machine.symbols)
    begun = {"first": Fraction(1), "loading": Fraction(1)}
    symbols = {_input(symbol): Fraction(1) for symbol in machine.alphabet}
    digits: Units = {
        f"digit {symbol}": (
            f"where {symbol!r} is read, what it adds to the number of the word",
            {
                "place": Fraction(a, m),
                "first": Fraction(a, m),
                _input(symbol): Fraction(1),
                "": Fraction(-1),
            },
        )
        for a, symbol in enumerate(machine.symbols)
        if a
    }
    half = Fraction(1, 2 * m)
    return {
        "begun": ("1 at every step", {"": Fraction(1)}),
        "first": ("whether this is the first step", {"begun": Fraction(-1), "": Fraction(1)}),
        "loading": ("whether a symbol of the word is read", {**begun, **symbols, "": Fraction(-1)}),
        "go": ("whether the word has just ended", {**begun, **{name: -weight for name, weight in symbols.items()}}),
        "place": ("the place of the next digit", {"place": half, "first": half}),
        **digits,
        "word": (
            "the number of the symbols before this one",
            {"word": Fraction(1), **dict.fromkeys(digits, Fraction(1))},
        ),
        "loaded": (
            "the number of the word, a step behind its end",
            {"word": Fraction(1), "go": Fraction(1), "": Fraction(-1)},
        ),
        "started": ("whether this is a step behind its end", {"go": Fraction(1)}),
    }


def _reading(machine: TuringMachine) -> Units:
    """The first of the four steps: which symbols the tops are at least."""
    base = Fraction(2 * len(machine.symbols))
    states = {unit_of(state): f"whether the state is {state!r}" for state in machine.states}
    halves = {half: f"the {half} half" for half in (LEFT, RIGHT)}
    return {
        **{f"1: {unit}": (f"step 1: {words}", {unit: Fraction(1)}) for unit, words in (states | halves).items()},
        **{
            _top(half, a): (
                f"step 1: whether {machine.symbols[a]!r} or a later symbol is on top of the {half} half",
                {half: base, "": Fraction(1 - 2 * a)},
            )
            for half in (LEFT, RIGHT)
            for a in range(1, len(machine.symbols))
        },
    }


def _top(half: str, a: int) -> str:
    return f"1: {half} >= {a}"


def _is_top(machine: TuringMachine, half: str, a: int) -> Row:
    """1 where the top is a, else 0, as a combination."""
    row = {"": Fraction(1)} if a == 0 else {_top(half, a): Fraction(1)}
    return row if a == len(machine.symbols) - 1 else row | {_top(half, a + 1): Fraction(-1)}


def _choosing(machine: TuringMachine) -> Units:
    """The second: which case it is, as a conjunction."""
    units: Units = {f"2: {half}": (f"step 2: the {half} half", {f"1: {half}": Fraction(1)}) for half in (LEFT, RIGHT)}
    for case in _cases(machine):
        tops = [_is_top(machine, RIGHT, case.symbol)]
        tops += [] if case.popped is None else [_is_top(machine, LEFT, case.popped)]
        row = _added({f"1: {unit_of(case.state)}": Fraction(1), "": Fraction(-len(tops))}, *tops)
        units[f"2: {case.name}"] = (f"step 2: whether the case is {case.said(machine)}", row)
    return units


def _writing(machine: TuringMachine) -> Units:
    """The third: what the case makes of both halves, 0 from all others, and the next state."""
    gate = Fraction(2 * len(machine.symbols))
    halves, halted = Units(), {HALTED: Fraction(1)}
    states: dict[str, Row] = {state: {} for state in machine.states}
    for case in _cases(machine):
        chosen = f"2: {case.name}"
        for half, made in ((LEFT, case.left), (RIGHT, case.right)):
            moved = {f"2: {name}" if name else "": weight for name, weight in made.items()}
            words = f"step 3: the {half} half behind the case {case.said(machine)}, in others 0"
            halves[f"3: {half}, {case.name}"] = (words, _added(moved, {chosen: gate, "": -gate}))
        states[case.next_state][chosen] = Fraction(1)
        if case.halts:
            halted[chosen] = Fraction(1)
    return {
        **{f"3: {unit_of(s)}": (f"step 3: whether the next state is {s!r}", row) for s, row in states.items()},
        HALTED: ("whether the machine has halted", halted),
        **halves,
    }


def _returning(machine: TuringMachine) -> Units:
    """The fourth: the next configuration, and the first one from the word."""
    states: dict[str, Row] = {state: {f"3: {unit_of(state)}": Fraction(1)} for state in machine.states}
    states[machine.start]["started"] = Fraction(1)
    halves: dict[str, Row] = {
        half: {f"3: {half}, {case.name}": Fraction(1) for case in _cases(machine)} for half in (LEFT, RIGHT)
    }
    halves[RIGHT]["loaded"] = Fraction(1)
    return {
        **{unit_of(state): (f"step 4: whether the state is {state!r}", row) for state, row in states.items()},
        **{half: (f"step 4: the {half} half", row) for half, row in halves.items()},
    }


def _added(*rows: Row) -> Row:
    total: Row = {}
    for row in rows:
        for name, weight in row.items():
            total[name] = total.get(name, Fraction(0)) + weight
    return total

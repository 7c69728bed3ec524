"""How long a tape may be so that rounding never happens: then a network in floating point is the exact one, for ever.

Not along runs, but for all configurations at once whose half tapes have at most so many cells: of each unit is known in
which interval its computed values lie, and a power of two of which all are multiples. A sum, in any order, is exact
while the sizes of its terms add up to at most 2^p such powers, and a unit that is certainly saturated is exact, too.
Configurations with the same state and the same symbols on top of both halves are taken through the steps of a
transition together, their numbers anywhere between those of tapes that repeat one symbol.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration, moves_right
from weightproof.numeric.rounding.formats import Format, fraction, lowest_bit, nearest
from weightproof.numeric.simulation.certificate import value_of

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Held:
    """Computed values from low to high, which are 0 or more: all of them exact, and multiples of a power of two, `bit`;
    or, with bit 0, any between the two, exact or not."""

    low: Fraction
    high: Fraction
    bit: Fraction

    def __or__(self, other: Held) -> Held:
        """What may be either."""
        bits = [each.bit for each in (self, other) if each.high]
        return Held(min(self.low, other.low), max(self.high, other.high), min(bits, default=ONE))

    def __contains__(self, other: Held) -> bool:
        return (self | other) == self


NOTHING, ANYTHING = Held(ZERO, ZERO, ONE), Held(ZERO, ONE, ZERO)
State = dict[str, Held]
"""Unit -> what it holds; missing ones hold 0."""


def _is(value: Fraction) -> Held:
    return Held(value, value, _bit(value))


def _bit(value: Fraction) -> Fraction:
    """The greatest power of two of which it is a multiple; 0 where there is none; 1 for 0."""
    return (lowest_bit(value) or ZERO) if value else ONE


class Abstract:
    """The recurrent network in a format, for many states at once."""

    def __init__(self, network: MachineNetwork, format: Format) -> None:
        rnn, self.format = network.rnn, format
        self.rows = {
            unit: [
                (name, w, _bit(w) if nearest(w, format) == w else ZERO)
                for name, w in (
                    *((name, value_of(w)) for name, w in rnn.W_h.weights.get(unit, {}).items()),
                    *((f"input {name}", value_of(w)) for name, w in rnn.W_x.weights.get(unit, {}).items()),
                    ("", value_of(rnn.W_x.bias.get(unit))),
                )
                if w
            ]
            for unit in rnn.units
        }
        self.inputs = {
            token: {f"input {name}": _is(value_of(w)) for name, w in rnn.embedding.WE.get(token, {}).items()}
            for token in rnn.tokens
        }
        read = [held.high for row in self.inputs.values() for held in row.values()]
        self.reads_exactly = all(x >= 0 and nearest(x, format) == x for x in read)

    def after(self, state: State, token: str) -> State:
        """The units after reading a token."""
        given = {**state, **self.inputs[token], "": Held(ONE, ONE, ONE)}
        known = {name: held for name, held in given.items() if held.high}
        made = {
            unit: self._saturated([(w, bit, known[name]) for name, w, bit in row if name in known])
            for unit, row in self.rows.items()
        }
        return {unit: held for unit, held in made.items() if held.high}

    def _saturated(self, terms: list[tuple[Fraction, Fraction, Held]]) -> Held:
        """What a unit holds, the saturated value of a sum; with each weight its lowest bit, 0 where the format does not
        hold it."""
        low = sum((w * (x.low if w > 0 else x.high) for w, _, x in terms), ZERO)
        high = sum((w * (x.high if w > 0 else x.low) for w, _, x in terms), ZERO)
        size = sum((abs(w) * x.high for w, _, x in terms), ZERO)
        bit = min((weight_bit * x.bit for _, weight_bit, x in terms), default=ONE)
        bit = bit if bit >= self.format.smallest and size <= bit * 2**self.format.precision else ZERO
        error = ZERO if bit else self._error(len(terms), size)
        if high + error <= 0:
            return NOTHING
        if low - error >= 1:
            return Held(ONE, ONE, ONE)
        return Held(min(max(low - error, ZERO), ONE), min(max(high + error, ZERO), ONE), min(bit, ONE))

    def _error(self, terms: int, size: Fraction) -> Fraction:
        """The error of weights and products, each rounded, and of their sum in any order: (1 + u)^(terms + 1) bounds
        them all."""
        u = self.format.unit_roundoff
        return ((1 + u) ** (terms + 1) - 1) * size + 2 * terms * self.format.smallest


def stays_exact(network: MachineNetwork, format: Format, cells: int) -> bool:
    """Whether the units of a configuration are exact whatever the word, of at most so many symbols, and after any
    number of steps, as long as no half tape has more cells; in any order of summation."""
    abstract = Abstract(network, format)
    beside = _loaded(network, abstract, cells) if abstract.reads_exactly else None
    if beside is None:
        return False
    while True:  # what may leave its interval may be anything from then on
        before = dict(beside)
        for configurations in _transitions(network, cells):
            units = _together(network, configurations)
            state = {**beside, **units}
            for _ in range(network.every):
                state = abstract.after(state, network.rnn.end)
            if any(not state.get(unit, NOTHING).bit for unit in units):
                return False
            beside = {u: held if state.get(u, NOTHING) in held else ANYTHING for u, held in beside.items()}
        if beside == before:
            return True


def longest_exact(network: MachineNetwork, format: Format, most: int) -> int:
    """Cells of half tapes, up to `most`, with which it does; 0 where it does with none."""
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if stays_exact(network, format, middle) else (low, middle)
    return low


def _loaded(network: MachineNetwork, abstract: Abstract, cells: int) -> State | None:
    """What the other units hold when the first configuration stands in the network, on any word of at most so many
    symbols; None where this configuration may not be exact."""
    machine, found = network.machine, State()
    wanted = network.encoded(Configuration(machine.start, (), ()))
    reading = abstract.after({}, network.rnn.begin)
    for length in range(cells + 1):
        state = reading
        for _ in range(network.first(machine.alphabet[0] * length) - length):
            state = abstract.after(state, network.rnn.end)
        if any(not state.get(unit, NOTHING).bit for unit in wanted):
            return None
        beside = {unit: state.get(unit, NOTHING) for unit in network.rnn.units if unit not in wanted}
        found = {unit: held | found.get(unit, held) for unit, held in beside.items()}
        reading = _either([abstract.after(reading, symbol) for symbol in machine.alphabet])
    return found


def _either(states: list[State]) -> State:
    """What the units hold in one of the states."""
    result = states[0]
    for state in states[1:]:
        units = result.keys() | state.keys()
        result = {unit: result.get(unit, NOTHING) | state.get(unit, NOTHING) for unit in units}
    return result


def _transitions(network: MachineNetwork, cells: int) -> Iterator[list[Configuration]]:
    """For each state, and symbols on top of both halves, the tapes of so many cells that repeat one symbol behind them;
    of the half that a symbol is put on one cell less, but for the one under the head."""
    machine = network.machine
    for state, right, left in itertools.product(machine.states, machine.symbols, machine.symbols):
        transition = machine.table[state].get(right)
        if transition is None:
            continue
        on_left, on_right = (cells - 1, cells) if moves_right(transition) else (cells, cells - 1)
        lefts, rights = [
            [(top, *[symbol] * (count - 1)) if count > 0 else () for symbol in machine.symbols]
            for top, count in ((left, on_left), (right, max(1, on_right)))
        ]
        yield [Configuration(state, *both) for both in itertools.product(lefts, rights)]


def _together(network: MachineNetwork, configurations: list[Configuration]) -> State:
    """What the units hold of configurations, and of all between them."""
    exact = [network.encoded(at) for at in configurations]
    return _either([{u: _is(fraction(x)) for u, x in each.items()} for each in exact])

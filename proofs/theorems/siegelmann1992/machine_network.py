"""The network of a machine runs it, for every word and every number of steps; see `machine_network`.

By induction. The number of a half tape with the symbol a on top is (2a + x)/(2m), where x is that of the rest; all of
them lie between 0 and g = (2m - 2)/(2m - 1), and this is the first obligation. Then the word is loaded: after k of its
symbols P = (2m)^-(k-1) and the number W of those before the last are the atoms, in the triangle 0 <= W <= g (1 - P).
Last, each case of the machine's table is run for STEPS steps with the rest of both halves as atoms. Everything that the
network holds besides stays as it was: that, too, is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from weightproof.constructions.machines.rnn import BEGIN, END, marker
from weightproof.constructions.machines.turing import Transition, TuringMachine, moves_right
from weightproof.constructions.siegelmann1992.machine_network import HALTED, LEFT, RIGHT, STEPS, unit_of
from weightproof.proofs.simulation.passages import Passage
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values, interval

ZERO, ONE = Polynomial(), Polynomial.number(1)
Halves = tuple[Polynomial, Polynomial]


def parts(machine: TuringMachine) -> dict[str, Iterator[Passage]]:
    """What there is to show of the network that is to run a machine, by what it is about."""
    return {
        "The number of a half tape": _half_tapes(machine),
        "Loading the word": _loading(machine),
        "Steps of the machine": _steps(machine),
    }


def invariant(machine: TuringMachine) -> tuple[Region, Values]:
    """What the network holds between two steps of the machine in a state q, and where all is that is not known of it;
    x and y are the numbers of the half tapes."""
    left, right, place, word, halted = map(Polynomial.atom, ("x", "y", "p", "w", "h"))
    return _kept(machine), _held("q", left, right, place, word, halted)


def _numbers(machine: TuringMachine, atom: str) -> Simplex:
    """Where the numbers of half tapes are."""
    m = len(machine.symbols)
    return interval(atom, 0, fmpq(2 * m - 2, 2 * m - 1))


def _pushed(machine: TuringMachine, symbol: str, rest: Polynomial) -> Polynomial:
    """(2a + x)/(2m)."""
    base = 2 * len(machine.symbols)
    digit = Polynomial.number(2 * machine.symbols.index(symbol))
    return Polynomial.number(fmpq(1, base)) * (digit + rest)


def _half_tapes(machine: TuringMachine) -> Iterator[Passage]:
    rest = _numbers(machine, "x")
    for symbol in machine.symbols:
        again = {"x": _pushed(machine, symbol, Polynomial.atom("x"))}
        yield Passage(f"half tape with {symbol!r} on top", Region((rest,)), {}, (), {}, ((rest, again),))


def _loading(machine: TuringMachine) -> Iterator[Passage]:
    m = len(machine.symbols)
    most = fmpq(2 * m - 2, 2 * m - 1)
    part = Polynomial.number(fmpq(1, 2 * m))
    triangle = Simplex(("P", "W"), ((fmpq(0), fmpq(0)), (fmpq(1), fmpq(0)), (fmpq(0), most)))
    region = Region((triangle,))
    P, W = Polynomial.atom("P"), Polynomial.atom("W")
    begun: Values = {"begun": ONE, "first": ONE}

    def read(symbol: str, place: Polynomial, word: Polynomial) -> Values:
        """What is held after a symbol whose weight is place, the number of those before it being word."""
        digit = Polynomial.number(fmpq(machine.symbols.index(symbol), m)) * place
        held = {"begun": ONE, "loading": ONE, "place": part * place, f"digit {symbol}": digit, "word": word}
        return _nonzero(held)

    def number(symbol: str) -> Polynomial:
        """That of the word up to a symbol that is read."""
        return W + Polynomial.number(fmpq(machine.symbols.index(symbol), m)) * P

    begin = marker(BEGIN, machine.alphabet)
    yield Passage(f"load, {begin}", Region(), {}, (begin,), begun)
    yield _loaded(machine, "load, the empty word", Region(), begun, part * part * part, ZERO)
    for symbol in machine.alphabet:
        at_once = ((triangle, {"P": ONE, "W": ZERO}),)
        yield Passage(f"load, {symbol!r} first", region, begun, (symbol,), read(symbol, ONE, ZERO), at_once)
        place = part * part * part * part * P
        yield _loaded(machine, f"load, {symbol!r} last", region, read(symbol, P, W), place, number(symbol))
        for other in machine.alphabet:
            again = {"P": part * P, "W": number(symbol)}
            held = read(other, part * P, number(symbol))
            name = f"load, {other!r} behind {symbol!r}"
            yield Passage(name, region, read(symbol, P, W), (other,), held, ((triangle, again),))


def _loaded(
    machine: TuringMachine, name: str, region: Region, before: Values, place: Polynomial, word: Polynomial
) -> Passage:
    """The end of the word: what `_steps` begins with."""
    after = _held(machine.start, ZERO, word, place, word, ZERO)
    first = {"x": ZERO, "y": word, "p": place, "w": word, "h": ZERO}
    inside = tuple((simplex, first) for simplex in _kept(machine).simplices)
    return Passage(name, region, before, (marker(END, machine.alphabet),) * 3, after, inside)


def _held(
    state: str, left: Polynomial, right: Polynomial, place: Polynomial, word: Polynomial, halted: Polynomial
) -> Values:
    """A configuration, and what is left of the loading."""
    own = {unit_of(state): ONE, LEFT: left, RIGHT: right}
    return _nonzero(own | {"begun": ONE, "place": place, "word": word, HALTED: halted})


def _nonzero(values: Values) -> Values:
    return {unit: value for unit, value in values.items() if value != ZERO}


def _kept(machine: TuringMachine) -> Region:
    """Where all is that a network holds between two steps of the machine: the rests x and y of the left and the right
    half, and what is left of the loading, p and w; h is 1 where it has halted."""
    halves = (_numbers(machine, "x"), _numbers(machine, "y"))
    return Region((*halves, interval("p", 0, 1), interval("w", 0, 1), interval("h", 0, 1)))


def _steps(machine: TuringMachine) -> Iterator[Passage]:
    """Each case of the table. The place shrinks; that the machine has halted is remembered."""
    region, shrunk = _kept(machine), Polynomial.number(fmpq(1, (2 * len(machine.symbols)) ** STEPS))
    left, right, place, word, halted = map(Polynomial.atom, ("x", "y", "p", "w", "h"))
    inside = tuple((simplex, {"p": shrunk * place}) for simplex in region.simplices if simplex.atoms == ("p",))

    def case(name: str, state: str, halves: Halves, then: str, made: Halves, halts: bool) -> Passage:
        before = _held(state, *halves, place, word, halted if halts else ZERO)
        after = _held(then, *made, shrunk * place, word, ONE if halts else ZERO)
        return Passage(name, region, before, (marker(END, machine.alphabet),) * STEPS, after, inside)

    for state, row in machine.table.items():
        for symbol in machine.symbols:
            transition: Transition | None = row.get(symbol)
            read = _pushed(machine, symbol, right)
            name = f"{state!r} on {symbol!r}"
            if transition is None:
                yield case(f"{name} halts", state, (left, read), state, (left, read), True)
            elif moves_right(transition):
                made = (_pushed(machine, transition.write, left), right)
                yield case(name, state, (left, read), transition.state, made, False)
            else:
                for other in machine.symbols:
                    rest = _pushed(machine, transition.write, right)
                    made = (left, _pushed(machine, other, rest))
                    halves = (_pushed(machine, other, left), read)
                    yield case(f"{name} beside {other!r}", state, halves, transition.state, made, False)

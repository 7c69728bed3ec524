"""The circuits of an automaton accept what it accepts, for words of every length.

By induction over the prefix of a word: the prologue leaves the code of the start state, whatever it reads, and if the
state wires carry the code of the state behind a prefix, the block makes that of the state behind one symbol more. The
step is gone through for every state and every symbol, as the block is the same at each; so is the epilogue, which tells
whether the last state is accepting. A circuit is nothing else than these parts, one put behind the other, as
`constructions.circuits.regular.assembled` says. That what is put down reads the wires that its part names is seen of
wires that are any numbers; beside that whole circuits are compared, gate by gate and written anew, for words of up to
LONGEST_COMPARED symbols.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjoins
from weightproof.constructions.circuits.regular import Automaton, Block, Parts, Wire, assembled, parts_of, put
from weightproof.proofs.prover import Obligations, checked

LONGEST_COMPARED = 12
"""Symbols of the words whose circuits are compared."""


def regular_gaps(
    automaton: Automaton, parts: Parts | None = None, made: Callable[[int], Circuit] | None = None
) -> Obligations:
    """Obligations by name, with the reason why one stays open.

    parts: those that the circuits are said to be made of. made: a function that makes the circuit for words of n
    symbols, in the place of `assembled`; it may make another one of a longer word than is compared, and is not proved.
    """
    found = parts_of(automaton) if parts is None else parts
    yield checked("the parts read what is there", _misread(automaton, found))
    if _misread(automaton, found) is not None:
        return
    yield checked("the prologue encodes the start state", _of_prologue(automaton, found.prologue))
    yield from _of_block(automaton, found.block)
    yield from _of_epilogue(automaton, found.epilogue)
    for name, block in (("prologue", found.prologue), ("block", found.block), ("epilogue", found.epilogue)):
        yield checked(f"the {name}, wherever it is put", _put_gap(automaton, block))
    for n in range(1, LONGEST_COMPARED + 1):
        circuit = assembled(automaton, found, n) if made is None else made(n)
        yield checked(f"n = {n}: the prologue, n blocks, the epilogue", _otherwise(automaton, found, n, circuit))
    if made is not None:
        yield checked(
            f"n > {LONGEST_COMPARED}: the prologue, n blocks, the epilogue", "a function makes it, not `assembled`"
        )


def _misread(automaton: Automaton, parts: Parts) -> str | None:
    """A wire that a part reads and does not have, or a wrong number of results."""
    states, bits = len(automaton.table), automaton.bits
    for name, block, state, symbol, results in (
        ("the prologue", parts.prologue, 0, bits, states),
        ("the block", parts.block, states, bits, states),
        ("the epilogue", parts.epilogue, states, 0, 1),
    ):
        there = {"state": state, "symbol": symbol}
        read = [(wire, number) for number, gate in enumerate(block.gates) for wire in (gate.a, gate.b)]
        for wire, gates in [*read, *((wire, len(block.gates)) for wire in block.results)]:
            if not 0 <= wire.number < {**there, "gate": gates}[wire.of]:
                return f"{name} reads {wire.of} {wire.number}, which is not there"
        if len(block.results) != results:
            return f"{name} has {len(block.results)} results, not {results}"
        for number, gate in enumerate(block.gates):
            if not conjoins(gate.kind) and gate.a != gate.b:
                return f"gate {number} of {name} is a NOT of two wires"
    return None


def _results(block: Block, state: Sequence[bool], symbol: Sequence[bool]) -> list[bool]:
    gates: list[bool] = []
    values: Mapping[str, Sequence[bool]] = {"state": state, "symbol": symbol, "gate": gates}

    def value(wire: Wire) -> bool:
        return values[wire.of][wire.number]

    for gate in block.gates:
        gates.append(value(gate.a) and value(gate.b) if conjoins(gate.kind) else not value(gate.a))
    return [value(wire) for wire in block.results]


def _one_hot(state: int, states: int) -> list[bool]:
    return [number == state for number in range(states)]


def _binary(number: int, bits: int) -> list[bool]:
    return [number >> place & 1 == 1 for place in reversed(range(bits))]


def _shown(bits: Sequence[bool]) -> str:
    return "".join("01"[bit] for bit in bits)


def _compared(found: Sequence[bool], wanted: Sequence[bool], where: str = "") -> str | None:
    return None if found == wanted else f"{where}it is {_shown(found)}, not {_shown(wanted)}"


def _of_prologue(automaton: Automaton, prologue: Block) -> str | None:
    """Whatever it reads, codes of symbols or not."""
    wanted = _one_hot(0, len(automaton.table))
    for bits in itertools.product((False, True), repeat=automaton.bits):
        reason = _compared(_results(prologue, (), bits), wanted, f"on {_shown(bits)} ")
        if reason is not None:
            return reason
    return None


def _of_block(automaton: Automaton, block: Block) -> Obligations:
    states = len(automaton.table)
    for state, row in enumerate(automaton.table):
        for number, (symbol, following) in enumerate(zip(automaton.alphabet, row, strict=True)):
            found = _results(block, _one_hot(state, states), _binary(number, automaton.bits))
            yield checked(
                f"state {state}, symbol {symbol!r}: the next state", _compared(found, _one_hot(following, states))
            )


def _of_epilogue(automaton: Automaton, epilogue: Block) -> Obligations:
    states = len(automaton.table)
    for state in range(states):
        found = _results(epilogue, _one_hot(state, states), ())
        yield checked(f"state {state}: whether it is accepting", _compared(found, [state in automaton.accepting]))


@dataclass(frozen=True)
class _Place:
    """A wire, whichever it is, and another one so many behind it."""

    of: str
    behind: int = 0

    def __add__(self, number: int) -> _Place:
        return replace(self, behind=self.behind + number)


def _put_gap(automaton: Automaton, block: Block) -> str | None:
    """How a block that is put somewhere reads other wires than it says."""
    named: dict[str, list[_Place]] = {
        "state": [_Place(f"state {number}") for number in range(len(automaton.table))],
        "symbol": [_Place(f"symbol {number}") for number in range(automaton.bits)],
        "gate": [_Place("gate", number) for number in range(len(block.gates))],
    }
    gates, results = put(block, named["state"], named["symbol"], _Place("gate"))  # type: ignore[arg-type]
    found = [*((gate.kind, gate.a, gate.b) for gate in gates), *results]
    wanted = [
        *((gate.kind, named[gate.a.of][gate.a.number], named[gate.b.of][gate.b.number]) for gate in block.gates),
        *(named[wire.of][wire.number] for wire in block.results),
    ]
    return None if found == wanted else f"it is {found}, not {wanted}"


def _otherwise(automaton: Automaton, parts: Parts, n: int, circuit: Circuit) -> str | None:
    """How a circuit is something else than its parts, one behind the other."""
    bits, step = automaton.bits, len(parts.block.gates)
    begin = n * bits
    if circuit.inputs != begin:
        return f"it has {circuit.inputs} inputs, not {begin}"
    placed = [(parts.prologue, 0, begin)]
    placed += [(parts.block, i * bits, begin + len(parts.prologue.gates) + i * step) for i in range(n)]
    placed += [(parts.epilogue, begin, begin + len(parts.prologue.gates) + n * step)]
    wanted: list[Gate] = []
    before: list[int] = []

    def at(wire: Wire, symbol: int, gate: int, state: Sequence[int]) -> int:
        return state[wire.number] if wire.of == "state" else {"symbol": symbol, "gate": gate}[wire.of] + wire.number + 1

    for block, symbol, gate in placed:
        wanted += [Gate(g.kind, at(g.a, symbol, gate, before), at(g.b, symbol, gate, before)) for g in block.gates]
        before = [at(wire, symbol, gate, before) for wire in block.results]
    if len(circuit.gates) != len(wanted):
        return f"it has {len(circuit.gates)} gates, not {len(wanted)}"
    for number, (found, one) in enumerate(zip(circuit.gates, wanted, strict=True), start=begin + 1):
        if found != one:
            return f"gate {number} is {found.kind} of {found.a} and {found.b}, not {one.kind} of {one.a} and {one.b}"
    if circuit.outputs != tuple(before):
        return f"it reads out {circuit.outputs}, not {tuple(before)}"
    return None

"""The induction over the blocks of an automaton's circuits, and mistakes that it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjunction
from weightproof.constructions.circuits.regular import (
    Automaton,
    Block,
    BlockGate,
    Parts,
    Wire,
    assembled,
    automaton_of,
    circuit_of,
    parts_of,
    put,
)
from weightproof.proofs.circuits import regular
from weightproof.proofs.circuits.regular import LONGEST_COMPARED, regular_gaps

REGEXES = [
    ("(0|1)*11", "01"),
    ("0*(10*10*)*", "01"),
    ("0&1", "01"),
    ("(aaa)*", "a"),
    ("a*b*c*", "abc"),
    ("(a|b|c|d|e)*ae", "abcde"),
]
BEYOND = {f"n > {LONGEST_COMPARED}: the prologue, n blocks, the epilogue": "a function makes it, not `assembled`"}


def open_ones(
    automaton: Automaton, parts: Parts | None = None, made: Callable[[int], Circuit] | None = None
) -> dict[str, str]:
    return {each.name: str(gap) for each in regular_gaps(automaton, parts, made) if (gap := each.gap()) is not None}


@pytest.mark.parametrize(("regex", "alphabet"), REGEXES)
def test_nothing_stays_open(regex: str, alphabet: str) -> None:
    automaton = automaton_of(regex, alphabet)
    names = [each.name for each in regular_gaps(automaton)]
    states = len(automaton.table)
    assert len(names) == len(set(names)) == 2 + states * len(alphabet) + states + 3 + 12
    assert open_ones(automaton) == {}


def test_of_a_function_that_makes_circuits_nothing_is_proved() -> None:
    """It may make another one of a word that is longer than all that are compared."""
    automaton = automaton_of("(0|1)*11")

    def wrong_at(length: int) -> Callable[[int], Circuit]:
        return lambda n: circuit_of(automaton, n + (n == length))

    assert list(open_ones(automaton, made=wrong_at(LONGEST_COMPARED))) == [
        f"n = {LONGEST_COMPARED}: {next(iter(BEYOND))[8:]}",
        *BEYOND,
    ]
    assert open_ones(automaton, made=wrong_at(LONGEST_COMPARED + 1)) == BEYOND
    assert open_ones(automaton, made=wrong_at(0)) == BEYOND


def test_a_part_that_is_put_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One gate further from the 14th wire on, say: of no circuit of a short word."""

    def late(block: Block, state: Sequence[int], symbol: Sequence[int], first: int) -> tuple[list[Gate], list[int]]:
        return put(block, state, symbol, first + 1)

    monkeypatch.setattr(regular, "put", late)
    automaton = automaton_of("(0|1)*11")
    wrong = open_ones(automaton)
    assert {"the prologue, wherever it is put", "the block, wherever it is put"} <= set(wrong)


@pytest.mark.parametrize(("regex", "alphabet"), REGEXES)
def test_every_other_gate_is_found_or_changes_nothing(regex: str, alphabet: str) -> None:
    """Each gate of each part becomes the other kind: then some step is another one, or the part computes the same on
    all codes; and the circuit is no longer the one that was said."""
    automaton = automaton_of(regex, alphabet)
    parts = parts_of(automaton)
    found = 0
    for name in ("prologue", "block", "epilogue"):
        block: Block = getattr(parts, name)
        for number, gate in enumerate(block.gates):
            other = BlockGate("AND", gate.a, gate.a) if gate.kind == "NOT" else BlockGate("NOT", gate.a, gate.a)
            gates = (*block.gates[:number], other, *block.gates[number + 1 :])
            changed = replace(parts, **{name: replace(block, gates=gates)})
            reasons = open_ones(automaton, changed)
            assert not any(said.startswith("n =") for said in reasons)
            other_ones = open_ones(automaton, made=lambda n, changed=changed: assembled(automaton, changed, n))
            assert len(other_ones) > len(BEYOND)
            found += bool(reasons)
    assert found > 0


def test_a_wrong_next_state_a_wrong_start_and_a_wrong_accepting_state_are_named() -> None:
    automaton = automaton_of("(0|1)*11")
    parts = parts_of(automaton)
    assert automaton.table == ((0, 1), (0, 2), (0, 2))
    other = replace(automaton, table=((0, 1), (0, 2), (0, 1)), accepting=frozenset({1}))
    wrong = open_ones(automaton, replace(parts, block=parts_of(other).block))
    assert wrong == {"state 2, symbol '1': the next state": "it is 010, not 001"}
    wrong = open_ones(automaton, replace(parts, epilogue=parts_of(other).epilogue))
    assert wrong == {
        "state 1: whether it is accepting": "it is 1, not 0",
        "state 2: whether it is accepting": "it is 0, not 1",
    }
    first, second, third = parts.prologue.results
    wrong = open_ones(automaton, replace(parts, prologue=replace(parts.prologue, results=(second, first, third))))
    assert wrong == {"the prologue encodes the start state": "on 0 it is 010, not 100"}


def test_a_prologue_that_depends_on_the_word_is_found() -> None:
    automaton = automaton_of("(0|1)*11")
    parts = parts_of(automaton)
    x = Wire("symbol", 0)
    read = Block((BlockGate("NOT", x, x),), (Wire("gate", 0), x, x))
    assert open_ones(automaton, replace(parts, prologue=read)) == {
        "the prologue encodes the start state": "on 1 it is 011, not 100"
    }


@pytest.mark.parametrize(
    ("block", "says"),
    [
        (Block((), (Wire("state", 2),)), "the epilogue reads state 2, which is not there"),
        (Block((), (Wire("symbol", 0),)), "the epilogue reads symbol 0, which is not there"),
        (Block((), (Wire("state", -1),)), "the epilogue reads state -1"),
        (Block((BlockGate("NOT", Wire("gate", 0), Wire("gate", 0)),), (Wire("gate", 0),)), "reads gate 0"),
        (Block((), ()), "the epilogue has 0 results, not 1"),
        (Block((BlockGate("NOT", Wire("state", 0), Wire("state", 1)),), (Wire("gate", 0),)), "is a NOT of two wires"),
    ],
)
def test_parts_that_read_what_is_not_there_are_found(block: Block, says: str) -> None:
    automaton = automaton_of("0*(10*10*)*")
    [(name, reason)] = open_ones(automaton, replace(parts_of(automaton), epilogue=block)).items()
    assert name == "the parts read what is there"
    assert says in reason


def test_circuits_that_are_otherwise_are_found_at_their_length() -> None:
    automaton = automaton_of("(0|1)*11")

    def swapped(n: int) -> Circuit:
        circuit = circuit_of(automaton, n)
        return (
            replace(circuit, gates=(*circuit.gates[:5], conjunction(1, 1), *circuit.gates[6:])) if n == 7 else circuit
        )

    def longer(n: int) -> Circuit:
        circuit = circuit_of(automaton, n)
        return replace(circuit, gates=(*circuit.gates, conjunction(1, 1))) if n > 11 else circuit

    def unread(n: int) -> Circuit:
        return replace(circuit_of(automaton, n), outputs=(1,)) if n == 2 else circuit_of(automaton, n)

    for made, n, says in (
        (swapped, 7, "gate 13 is AND of 1 and 1, not "),
        (longer, 12, "gates, not "),
        (unread, 2, "it reads out (1,), not "),
        (lambda n: circuit_of(automaton, n + (n == 3)), 3, "it has 4 inputs, not 3"),
    ):
        (name, reason), last = open_ones(automaton, made=made).items()
        assert dict([last]) == BEYOND
        assert name == f"n = {n}: the prologue, n blocks, the epilogue"
        assert says in reason

"""Turing machines as data: what they do, held against somebody else's simulator, and what is no machine."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from automata.base.exceptions import RejectionException
from automata.tm.dtm import DTM
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import machines
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.turing import Configuration, Transition, TuringMachine, run, start, step
from weightproof.constructions.meaning.inputs import InputError

LONGEST = 60
"""Steps that are compared."""


def shipped(name: str) -> TuringMachine:
    machine = find_machine(name)
    assert machine is not None
    return machine


def oracle(machine: TuringMachine) -> DTM:
    """That of automata-lib, with a final state that nothing leads to: it rejects where there is no transition."""
    return DTM(
        states={*machine.states, "nowhere"},
        input_symbols=set(machine.alphabet),
        tape_symbols=set(machine.symbols),
        transitions={
            state: {symbol: (each.state, each.write, each.move) for symbol, each in row.items()}
            for state, row in machine.table.items()
        },
        initial_state=machine.start,
        blank_symbol=machine.blank,
        final_states={"nowhere"},
    )


def theirs(machine: TuringMachine, word: str) -> list[tuple[str, str, str, str]]:
    """State, what is left of the head, what is under it, what is right of it; without the blanks at both ends."""
    found = []
    try:
        for configuration in itertools.islice(oracle(machine).read_input_stepwise(word), LONGEST):
            cells, head = configuration.tape.tape, configuration.tape.current_position
            left, right = "".join(cells[:head]), "".join(cells[head + 1 :])
            found.append((configuration.state, left.lstrip(machine.blank), cells[head], right.rstrip(machine.blank)))
    except RejectionException:
        pass
    return found


def ours(machine: TuringMachine, word: str) -> list[tuple[str, str, str, str]]:
    return [
        (at.state, "".join(reversed(at.left)), at.under_head(machine.blank), "".join(at.right[1:]))
        for at in itertools.islice(run(machine, word), LONGEST)
    ]


@settings(max_examples=150, deadline=None)
@given(machines(), st.data())
def test_machines_do_what_another_simulator_does(machine: TuringMachine, data: st.DataObject) -> None:
    word = data.draw(st.text(machine.alphabet, max_size=6))
    assert ours(machine, word) == theirs(machine, word)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_machines_do_what_another_simulator_does(name: str) -> None:
    machine = shipped(name)
    for length in range(5):
        for word in map("".join, itertools.product(machine.alphabet, repeat=length)):
            assert ours(machine, word) == theirs(machine, word)


def last(name: str, word: str) -> tuple[Configuration, int]:
    found = list(run(shipped(name), word))
    return found[-1], len(found) - 1


def written(at: Configuration) -> str:
    return "".join((*reversed(at.left), *at.right)).strip()


def test_shipped_machines_compute_what_they_say() -> None:
    for number in range(70):
        assert written(last("increment", f"{number:b}")[0]) == f"{number + 1:b}"
        assert written(last("unary-to-binary", "|" * number)[0]) == (f"{number:b}" if number else "")
    for length in range(8):
        for word in map("".join, itertools.product("01", repeat=length)):
            assert last("palindrome-machine", word)[0].state == ("accept" if word == word[::-1] else "reject")
    configuration, steps = last("busy-beaver-3", "")
    assert (written(configuration), steps) == ("111111", 13)


def test_blanks_at_the_ends_are_no_part_of_a_configuration() -> None:
    machine = TuringMachine("erase", " ", "a", {"a": {"0": Transition(" ", "R", "a")}})
    assert list(run(machine, "00")) == [
        Configuration("a", (), ("0", "0"), 0),
        Configuration("a", (), ("0",), 1),
        Configuration("a", (), (), 2),
    ]
    assert step(machine, Configuration("a", (), ())) is None
    assert machine.symbols == (" ", "0")


ROW = {"0": Transition("1", "R", "a")}
REFUSED: dict[str, tuple[Mapping[str, object], str]] = {
    "blank": ({"blank": ""}, "blank '' is no single character"),
    "start": ({"start": "b"}, "start state 'b' is not in the table; it has a"),
    "state": ({"table": {"a": {"0": Transition("1", "R", "b")}}}, "state 'a', symbol '0': goes to state 'b', which is"),
    "symbol": ({"table": {"a": {"01": Transition("1", "R", "a")}}}, "a symbol is a single character"),
    "write": ({"table": {"a": {"0": Transition("", "R", "a")}}}, "writes '', which is no single character"),
    "printed blank": ({"blank": "\x07"}, r"blank '\\x07' cannot be printed"),
    "printed state": ({"table": {"a": ROW, "b\n": {}}}, r"state 'b\\n' cannot be printed; give it another name"),
    "printed symbol": ({"table": {"a": {"\x07": Transition("1", "R", "a")}}}, r"symbol '\\x07' cannot be printed"),
    "blank of another type": ({"blank": 0}, "blank is 0, not a str"),
    "example of another type": ({"example": 11}, "example is 11, not a str"),
    "row of another type": ({"table": {"a": None}}, "state 'a': None is no mapping from symbols to transitions"),
    "state of another type": ({"table": {1: ROW}}, "state 1 cannot be printed"),
    "transition of another type": ({"table": {"a": {"0": ["1", "R", "a"]}}}, r"\['1', 'R', 'a'\] is no Transition"),
    "write of another type": ({"table": {"a": {"0": Transition([1], "R", "a")}}}, r"write is \[1\], not a str"),  # type: ignore[arg-type]
    "nothing to read": ({"table": {"a": {}}}, "the tape has no symbol but the blank ' '"),
    "move": ({"table": {"a": {"0": Transition("1", "N", "a")}}}, "moves 'N'; write L or R"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("changed", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_machine_is_refused(changed: Mapping[str, object], says: str) -> None:
    parts: dict[str, object] = {"name": "m", "blank": " ", "start": "a", "table": {"a": ROW}}
    assert TuringMachine(**parts).states == ("a",)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"^m: .*{says}"):
        TuringMachine(**parts | changed)  # type: ignore[arg-type]


def test_words_of_other_symbols_are_refused() -> None:
    with pytest.raises(InputError, match=r"increment: symbol ' ' at index 1 of the word is not in the alphabet \{0, 1"):
        start(shipped("increment"), "0 1")

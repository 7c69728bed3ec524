"""Regular languages as circuits: what automata-lib accepts, and who the least automaton is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from random import Random

import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.circuits.circuit import values
from weightproof.constructions.circuits.regular import (
    Automaton,
    accepts,
    automaton_from,
    automaton_of,
    circuit_of,
    encoded,
    parts_of,
)
from weightproof.constructions.meaning.inputs import InputError

LONGEST = {1: 8, 2: 8, 3: 6, 4: 5, 5: 4}
"""Symbols of the words that are gone through, by the size of the alphabet."""
LANGUAGES = [
    ("(0|1)*11", "01"),
    ("(00|11)*", "01"),
    ("0*(10*10*)*", "01"),
    ("1?(01)*0?", "01"),
    ("(0|1)*1(0|1)(0|1)", "01"),
    ("0{2,4}|1+", "01"),
    ("", "01"),
    ("0&1", "01"),
    (r"\d[^0]\w", "01"),
    ("[0-9]*?[?1]", "01"),
    (".*", "10"),
    ("(ab)*", "ab"),
    ("(aaa)*", "a"),
    ("a*b*c*", "abc"),
    ("[a-c]*d[a-c]*", "abcd"),
    ("(a|b|c|d|e)*ae", "abcde"),
]
languages = pytest.mark.parametrize(("regex", "alphabet"), LANGUAGES)


def words(alphabet: str, longest: int) -> Iterator[str]:
    for length in range(1, longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=length))


@languages
def test_circuits_accept_what_automata_lib_accepts(regex: str, alphabet: str) -> None:
    oracle, automaton = NFA.from_regex(regex, input_symbols=set(alphabet)), automaton_of(regex, alphabet)
    assert accepts(automaton, "") == oracle.accepts_input("")
    for n, group in itertools.groupby(words(alphabet, LONGEST[len(alphabet)]), len):
        circuit = circuit_of(automaton, n)
        assert circuit.outputs == (circuit.wires,)
        for word in group:
            assert accepts(automaton, word) == oracle.accepts_input(word)
            assert values(circuit, encoded(automaton, word))[-1] == oracle.accepts_input(word)


@languages
def test_the_automaton_is_the_least(regex: str, alphabet: str) -> None:
    """Every state is reached, and every two are told apart by a word."""
    table, accepting = automaton_of(regex, alphabet).table, automaton_of(regex, alphabet).accepting
    reached = [0]
    for state in reached:
        reached += [following for following in dict.fromkeys(table[state]) if following not in reached]
    assert reached == list(range(len(table)))
    apart = {(a, b) for a in reached for b in reached if (a in accepting) != (b in accepting)}
    for _ in table:
        apart |= {
            (a, b)
            for a in reached
            for b in reached
            if any(pair in apart for pair in zip(table[a], table[b], strict=True))
        }
    assert apart == {(a, b) for a in reached for b in reached if a != b}


@languages
def test_the_size_is_linear(regex: str, alphabet: str) -> None:
    automaton = automaton_of(regex, alphabet)
    parts = parts_of(automaton)
    for n in (1, 2, 30):
        circuit = circuit_of(automaton, n)
        assert circuit.inputs == n * automaton.bits
        fixed = len(parts.prologue.gates) + len(parts.epilogue.gates)
        assert len(circuit.gates) == fixed + n * len(parts.block.gates)
    moves, bits = len(automaton.table) * len(alphabet), automaton.bits
    assert len(parts.block.gates) <= bits + bits * len(alphabet) + 3 * moves + 2 + len(automaton.table)


def test_a_word_over_two_symbols_is_the_input_and_others_are_written_in_binary() -> None:
    assert encoded(automaton_of("(ab)*", "ab"), "abba") == "0110"
    assert encoded(automaton_of("a*", "a"), "aaa") == "000"
    assert encoded(automaton_of("a*", "abcde"), "ebc") == "100001010"
    with pytest.raises(InputError, match="not in the alphabet"):
        encoded(automaton_of("a*", "ab"), "abc")


def test_long_words_of_a_long_circuit() -> None:
    random, automaton = Random(4), automaton_of("(0|1)*1(0|1)(0|1)(0|1)")
    circuit = circuit_of(automaton, 200)
    for _ in range(5):
        word = "".join(random.choices("01", k=200))
        assert values(circuit, word)[-1] == accepts(automaton, word) == (word[-4] == "1")


def test_automata_of_automata_lib_are_taken() -> None:
    """Partial ones are completed, and what is too large is made smaller."""
    partial = DFA(
        states={"p", "q", "r", "unreached"},
        input_symbols={"a", "b"},
        transitions={"p": {"a": "q"}, "q": {"b": "r"}, "r": {"a": "q"}, "unreached": {"a": "p"}},
        initial_state="p",
        final_states={"p", "r", "unreached"},
        allow_partial=True,
    )
    found = automaton_from("partial", partial, "ab")
    assert (found.table, found.accepting) == (automaton_of("(ab)*", "ab").table, automaton_of("(ab)*", "ab").accepting)
    with pytest.raises(InputError, match=r"partial: an automaton over \{a, b\}, not 'abc'"):
        automaton_from("partial", partial, "abc")


@pytest.mark.parametrize("regex", ["(", "0)", "*", "0|", "2", "0{3,1}", "[]", "0**(", "λ", "{"])
def test_malformed_expressions_are_refused_in_one_line(regex: str) -> None:
    with pytest.raises(InputError, match=rf"^regular expression {re.escape(repr(regex))}: [^\n]+$"):
        automaton_of(regex)


@given(st.text("01()*|?+&^.[]- a", max_size=9))
def test_any_expression_is_read_or_refused(regex: str) -> None:
    """And what is read accepts the same words as what automata-lib reads."""
    try:
        found = automaton_of(regex)
    except InputError as error:
        found, said = None, str(error)
    if found is None:
        assert re.fullmatch(rf"regular expression {re.escape(repr(regex))}: [^\n]+", said)
        return
    oracle = NFA.from_regex(regex, input_symbols={"0", "1"})
    assert all(accepts(found, word) == oracle.accepts_input(word) for word in ("", *words("01", 4)))


@pytest.mark.parametrize("alphabet", ["", "00", ["0", "11"], ["0", ""]])
def test_other_alphabets_are_refused(alphabet: list[str]) -> None:
    with pytest.raises(InputError, match="no alphabet; give single characters, each once"):
        automaton_of("0*", alphabet)


def test_what_is_no_automaton_is_refused() -> None:
    for table, accepting in (((), ()), (((0,),), ()), (((0, 1),), ()), (((0, 0),), (1,))):
        with pytest.raises(InputError, match="give each state a next state for each symbol"):
            Automaton("none", ("0", "1"), table, frozenset(accepting))
    with pytest.raises(InputError, match="a circuit reads at least one symbol, not 0"):
        circuit_of(automaton_of("0*"), 0)

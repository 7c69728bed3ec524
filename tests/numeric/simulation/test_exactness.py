"""Tapes on which rounding never happens: proved for all configurations, held against runs."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import machines
from tests.numeric.simulation.test_certificate_of_runs import shipped, with_weight
from weightproof.constructions.library import network_of
from weightproof.constructions.machines import turing
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import Configuration, TuringMachine
from weightproof.constructions.meaning.schema import Embedding
from weightproof.numeric.decoding.networks import RecurrentNetwork
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.simulation import exactness
from weightproof.numeric.simulation.exactness import Held, longest_exact, stays_exact

STEPS = 40
"""Of the machine."""


def inexact(network: MachineNetwork, word: str, dtype: str, cells: int, kind: str) -> int | None:
    """The first configuration that is not exact, of those up to the first half tape of more cells."""
    at_once = list(itertools.islice(turing.run(network.machine, word), STEPS))
    short = [*itertools.takewhile(lambda at: max(len(at.left), len(at.right)) <= cells, at_once)]
    first = network.first(word)
    steps = first + network.every * len(short) + 1
    computed = RecurrentNetwork(network.rnn, dtype, attention=kind)([word], steps)[0].double().tolist()
    for number, configuration in enumerate(short):
        h = dict(zip(network.rnn.units, computed[first + number * network.every], strict=True))
        for unit, wanted in network.encoded(configuration).items():
            if fmpq(*h[unit].as_integer_ratio()) != wanted:
                return number
    return None


DYADIC = machines().filter(lambda machine: len(machine.symbols) in (2, 4))


@pytest.mark.controls
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@settings(max_examples=6, phases=[Phase.generate])
@given(DYADIC, st.data())
def test_nothing_is_rounded_on_shorter_tapes(dtype: str, machine: TuringMachine, data: st.DataObject) -> None:
    network = network_of(machine)
    cells = longest_exact(network, FORMATS[dtype], 4)
    assert cells >= 2
    for _ in range(5):
        word = data.draw(st.text(machine.alphabet, max_size=cells))
        for kind in ("strict", "explicit"):
            assert inexact(network, word, dtype, cells, kind) is None


@pytest.mark.controls
def test_the_claim_can_fail() -> None:
    """Two cells more, and there is a word on which something is rounded."""
    network = shipped("busy-beaver-3")
    for format in FORMATS.values():
        cells = longest_exact(network, format, 30)
        words = ["1" * length for length in range(cells + 3)]
        assert [inexact(network, word, format.name, cells, "strict") for word in words[: cells + 1]] == [None] * (
            cells + 1
        )
        assert any(inexact(network, word, format.name, cells + 2, "strict") is not None for word in words)


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_so_many_bits_a_cell(format: object) -> None:
    """Half tapes of L cells in base 4: 2L - 1 bits, 3 for the 4 that is added and taken away, and 1 for any order."""
    network, p = shipped("busy-beaver-3"), format.precision  # type: ignore[attr-defined]
    assert longest_exact(network, format, 30) == (p - 1) // 2 - 1  # type: ignore[arg-type]


def test_a_base_that_is_no_power_of_two_is_never_exact() -> None:
    for name in ("increment", "palindrome-machine"):
        assert longest_exact(shipped(name), FORMATS["float64"], 3) == 0


def test_a_weight_that_the_format_does_not_hold_is_noticed() -> None:
    network = shipped("busy-beaver-3")
    assert stays_exact(network, FORMATS["float64"], 3)
    assert not stays_exact(with_weight(network, "right", "loaded", "1/3"), FORMATS["float64"], 3)
    assert not stays_exact(with_weight(network, "state A", "3: state A", "2/3"), FORMATS["float64"], 3)


@pytest.mark.parametrize("embedded", ["1/3", "-1", "257"])
def test_an_input_that_is_rounded_or_negative_is_noticed(embedded: str) -> None:
    network = shipped("busy-beaver-3")
    changed = replace(network.rnn, embedding=Embedding({"1": {"[x=1]": embedded}}))
    assert not stays_exact(replace(network, rnn=changed), FORMATS["bfloat16"], 2)


@settings(max_examples=60)
@given(DYADIC, st.data())
def test_numbers_of_tapes_lie_between_those_that_repeat_one_symbol(machine: TuringMachine, data: st.DataObject) -> None:
    network, cells = network_of(machine), 4
    for configurations in itertools.islice(exactness._transitions(network, cells), 6):
        held = exactness._together(network, configurations)
        at = configurations[0]

        def tape(top: tuple[str, ...], most: int) -> tuple[str, ...]:
            return (*top, *data.draw(st.text(machine.symbols, max_size=most - 1)))

        drawn = Configuration(at.state, tape(at.left[:1], len(at.left)), tape(at.right[:1], len(at.right)))
        for unit, value in network.encoded(drawn).items():
            exact = Fraction(int(value.p), int(value.q))  # type: ignore[union-attr]
            assert exactness._is(exact) in held[unit]


def test_what_is_held() -> None:
    half, third = Held(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)), exactness._is(Fraction(1, 3))
    assert third.bit == 0
    assert half | exactness.NOTHING == Held(Fraction(0), Fraction(1, 2), Fraction(1, 2))
    assert half in (half | third)
    assert third not in half
    assert (half | third).bit == 0
    assert Held(Fraction(1, 2), Fraction(1, 2), Fraction(1, 4)) not in half

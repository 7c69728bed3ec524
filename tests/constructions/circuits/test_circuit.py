"""Boolean circuits, what they compute, and the decoders that append it."""

from __future__ import annotations

import itertools

import pytest

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjunction, inputs_of, negation, values
from weightproof.constructions.circuits.family import every_circuit, signed, width
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.fraknoi2024.circuit_by_decoder import as_printed, circuit_by_decoder
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.scalars.fixed_point import FixedPoint

NAND = Circuit("nand", 2, (conjunction(1, 2), negation(3)), (4,))


def test_values_are_those_of_the_gates() -> None:
    assert [values(NAND, word)[-1] for word in inputs_of(NAND)] == [True, True, True, False]
    assert values(NAND, "10") == [True, False, False, True]


@pytest.mark.parametrize(
    ("gates", "outputs", "message"),
    [
        ((conjunction(1, 4),), (), "gate 3 reads wire 4, which is missing; there are 1 to 3"),
        ((conjunction(1, 0),), (), "gate 3 reads wire 0, which is missing"),
        ((negation(3),), (), "gate 3 reads wire 3, which does not stand before it"),
        ((negation(4), negation(3)), (), "gate 3 reads wire 4, which does not stand before it"),
        ((Gate("NOT", 1, 2),), (), "gate 3 is a NOT of two wires, 1 and 2"),
        ((Gate("XOR", 1, 2),), (), r"gate 3 is Gate\(kind='XOR', a=1, b=2\), neither an AND nor a NOT"),
        (((1, 2),), (), r"gates, entry 1 is \(1, 2\), not a Gate"),
        ((Gate("AND", "1", 2),), (), "gate 3: a is '1', not a int"),
        ((Gate("AND", 1, True),), (), "gate 3: b is True, not a int"),
        ((Gate("AND", [1], 2),), (), r"gate 3: a is \[1\], not a int"),
        ((negation(1),), (None,), "outputs, entry 1 is None, not a int"),
        ([negation(1)], (), "gates is .*, not a tuple"),
        ((negation(1),), (4,), "output 4 is missing; there are wires 1 to 3"),
    ],
)
def test_a_malformed_circuit_is_refused(gates: tuple[Gate, ...], outputs: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Circuit("it", 2, gates, outputs)


def test_a_circuit_without_inputs_is_refused() -> None:
    with pytest.raises(InputError, match="give it one"):
        Circuit("it", 0, ())


@pytest.mark.parametrize(
    ("word", "message"), [("1", "an input of 1 bits; it reads 2"), ("1a", "'a' at index 1 of the input")]
)
def test_what_is_no_input_is_refused(word: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        values(NAND, word)


def test_circuits_are_counted_once() -> None:
    """With w wires a gate is one of w NOTs and w(w+1)/2 ANDs."""
    found = [listed(circuit.gates) for circuit in every_circuit(3, 2)]
    assert len(found) == len(set(found)) == (3 + 6) * (4 + 10)
    assert [listed(circuit.gates) for circuit in every_circuit(2, 0)] == ["-"]


def test_numbers_of_wires_are_written_in_as_few_bits_as_hold_all_that_are_read() -> None:
    for wires in range(1, 70):
        k = width(wires)
        codes = {tuple(signed(number, k).values()) for number in range(wires)}
        assert len(codes) == wires  # 0 among them, which no wire has
        assert k == 1 or 2 ** (k - 1) < wires
    assert signed(6, 4) == {1: -1, 2: 1, 3: 1, 4: -1}


@pytest.mark.parametrize("format", [FixedPoint(3, 0), FixedPoint(6, 2)], ids=lambda format: format.name)
def test_the_decoder_appends_the_value_of_every_gate(format: FixedPoint) -> None:
    tried = 0
    for inputs, gates in itertools.product((1, 2), (0, 1, 2)):
        for circuit in every_circuit(inputs, gates):
            network = circuit_by_decoder(circuit, format).network
            for word in inputs_of(circuit):
                found = [produced.token == "1" for produced in appended(network, word, {})]
                assert found == values(circuit, word)[inputs:], (circuit, word)
                tried += 1
    assert tried == 2 + 4 + 20 + 4 + 20 + 180


def test_two_bits_are_too_few() -> None:
    circuit = Circuit("and", 1, (conjunction(1, 1),))
    [produced] = appended(circuit_by_decoder(circuit, FixedPoint(2, 0)).network, "1", {})
    assert produced.token == "0"


def test_as_printed_a_head_has_no_value() -> None:
    circuit = Circuit("not", 1, (negation(1),))
    with pytest.raises(NoValue, match="position 0, layer 2: a quotient by 0 has no value"):
        list(appended(as_printed(circuit).network, "1", {}))


def test_the_vectors_hold_what_the_gate_reads() -> None:
    steps = list(appended(circuit_by_decoder(NAND).network, "11", {}))
    vector = {name: str(x) for name, x in steps[0].vectors[-1].items()}
    assert {name: vector[name] for name in ("x", "x_a", "x_b", "g", "c", "1")} == {
        "x": "1", "x_a": "1", "x_b": "1", "g": "1", "c": "1", "1": "1",
    }  # fmt: skip
    assert [produced.token for produced in steps] == ["1", "0"]

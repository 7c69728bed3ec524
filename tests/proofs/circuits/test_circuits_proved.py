"""Every theorem about circuits by chain of thought; what is changed is refuted, and what is lost is noticed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.support.changes import changed_weights, entries_of_table
from weightproof.constructions.circuits import family
from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork, conjunction, inputs_of, negation
from weightproof.constructions.circuits.family import Family, signed
from weightproof.constructions.fraknoi2024.circuit_by_decoder import decoder, layout
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.schema import Decoder, Head, Layer
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.changes import CHANGES, weights
from weightproof.proofs.circuits import deciding
from weightproof.proofs.circuits.deciding import (
    CHECKED_GATES,
    CHECKED_RUNS,
    decide,
    diverges,
    step_gaps,
    table_gaps,
)
from weightproof.proofs.circuits.prove import (
    of_circuit,
    theorem_of,
)
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import Obligations, checked, first, proved, settle
from weightproof.proofs.verdict import Proved
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat
from weightproof.symbolic.fixed_point.decoder import vector

FAMILY = "circuit-by-decoder"
DECODERS, LEAST = circuits_of(FAMILY), theorem_of(FAMILY).LEAST
XOR = Circuit(
    "xor",
    2,
    (
        negation(1),
        negation(2),
        conjunction(1, 4),
        conjunction(3, 2),
        negation(5),
        negation(6),
        conjunction(7, 8),
        negation(9),
    ),
    (10,),
)


def open_ones(obligations: Obligations) -> Iterator[tuple[str, str]]:
    return ((each.name, str(gap)) for each in obligations if (gap := each.gap()) is not None)


def test_a_circuit_is_proved_for_all_inputs() -> None:
    [result] = proved(of_circuit(XOR))
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all inputs"
    network = circuit_network_of(FAMILY, XOR)
    assert all(diverges(network, word) is None for word in inputs_of(XOR))


def test_a_long_chain_is_proved_without_running_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run takes the square of its gates: before a proof counts, the first are run alone."""
    gates = 600
    chain = Circuit("chain", 2, tuple(conjunction(2 + (number > 0) * number, 1) for number in range(gates)))
    run = 0

    def counted(*of: Any) -> Iterator[Any]:
        nonlocal run
        for each in appended(*of):
            run += 1
            yield each

    monkeypatch.setattr(deciding, "appended", counted)
    [stated] = of_circuit(chain)
    decided = stated.decided(Deadline.after(60))
    assert (decided.counterexample, decided.gap) == (None, None)
    assert decided.obligations > gates
    assert run <= CHECKED_RUNS * (CHECKED_GATES + 1)


def test_a_long_chain_with_a_wrong_row_at_its_end_is_not_proved() -> None:
    """Beyond the gates that are run, each row of the table is checked."""
    gates = CHECKED_GATES + 20
    chain = Circuit("chain", 2, tuple(conjunction(2 + (number > 0) * number, 1) for number in range(gates)))
    wrong = changed(circuit_network_of(FAMILY, chain), chain.wires - 2, c=0)
    found = decide(wrong, DECODERS.layout_of(chain))
    assert found.gap == (f"row {chain.wires - 2}", "'c' is 0")
    assert found.counterexample is not None
    assert found.counterexample.step is not None
    assert found.counterexample.step.number == gates - 1


def test_a_format_that_is_too_small_is_refuted_where_two_ones_are_added() -> None:
    found = decide(circuit_network_of(FAMILY, XOR, FixedPoint(2, 0)), DECODERS.layout_of(XOR))
    assert found.counterexample is not None
    assert found.gap is not None
    assert found.counterexample.step is not None
    assert found.counterexample.step.found != found.counterexample.step.expected


def changed(network: CircuitNetwork, position: int, **row: int) -> CircuitNetwork:
    table = network.network.table
    assert table is not None
    new = {**table[position], **{name.replace("_", " "): Expression(str(value)) for name, value in row.items()}}
    return replace(network, network=replace(network.network, table=(*table[:position], new, *table[position + 1 :])))


@pytest.mark.parametrize(
    ("position", "row", "reason"),
    [
        (2, {"id_4": -1}, "has the number of position"),
        (3, {"c": 0}, "'c' is 0"),
        (3, {"a_4": -1}, "is the number of"),
        (1, {"id_1": 0}, "'id 1' is 0"),
        (4, {"1": 2}, "'1' is 2"),
        (4, {"g": 1}, "'g' is 1"),
    ],
)
def test_a_row_that_is_not_laid_out_is_noticed(position: int, row: dict[str, int], reason: str) -> None:
    network = circuit_network_of(FAMILY, XOR)
    layout = DECODERS.layout_of(XOR)
    assert [gap for _, gap in open_ones(table_gaps(network, layout))] == []
    gaps = [gap for _, gap in open_ones(table_gaps(changed(network, position, **row), layout))]
    assert gaps
    assert any(reason in gap for gap in gaps), gaps


def test_a_table_that_is_too_short_is_noticed() -> None:
    network = circuit_network_of(FAMILY, XOR)
    table = network.network.table
    assert table is not None
    short = replace(network, network=replace(network.network, table=table[:-1]))
    [(_, reason)] = open_ones(table_gaps(short, DECODERS.layout_of(XOR)))
    assert "rows" in reason


def test_every_weight_is_needed_or_harmless_on_all_inputs() -> None:
    """Refuted by a run, or proved from the weights; what is neither is run on every input, and agrees."""
    layout, network = DECODERS.layout_of(XOR), circuit_network_of(FAMILY, XOR)
    changed = changed_weights(weights(network.network))
    kinds = {"refuted": 0, "proved": 0, "run": 0}
    for place, what, new in itertools.islice(changed, 0, None, 7):
        mutant = replace(network, network=new)
        found = decide(mutant, layout)
        if found.counterexample is not None:
            again = diverges(mutant, found.counterexample.word)
            assert again == found.counterexample, (place, what)
            kinds["refuted"] += 1
        else:
            kinds["proved" if found.gap is None else "run"] += 1
            assert all(diverges(mutant, word) is None for word in inputs_of(XOR)), (place, what)
    assert kinds["refuted"] > 10 * kinds["run"]
    assert kinds["proved"] > 0
    assert len(CHANGES) == 6


def test_changed_entries_of_the_table_are_refuted_or_harmless() -> None:
    layout, network = DECODERS.layout_of(XOR), circuit_network_of(FAMILY, XOR)
    refuted = 0
    for place, what, new in changed_weights(entries_of_table(network.network), one_of=29):
        mutant = replace(network, network=new)
        found = decide(mutant, layout)
        refuted += found.counterexample is not None
        if found.counterexample is None:
            assert all(diverges(mutant, word) is None for word in inputs_of(XOR)), (place, what)
    assert refuted > 5


def with_key(network: Decoder, bit: str, weight: str) -> Decoder:
    """The first head gives one bit another weight."""
    first, second = network.layers
    [head] = first.heads
    W_K = {**head.W_K, bit: {f"id {bit}": Expression(weight)}}
    new = Head(head.W_V, head.W_Q, W_K, scale=head.scale, mask=head.mask)
    return replace(network, layers=(Layer(heads=(new,)), second))


def test_a_bit_that_differs_from_the_others_is_no_block() -> None:
    arithmetic = EveryFormat(LEAST)

    def uneven(bits: Sequence[str]) -> Decoder:
        network = DECODERS.decoder(bits)
        return with_key(network, bits[1], "0") if len(bits) > 1 else network

    gaps = [name for name, _ in open_ones(block_gaps(uneven, DECODERS.layout, arithmetic))]
    assert gaps[0] == "2 bits"
    assert [gap for _, gap in open_ones(block_gaps(DECODERS.decoder, DECODERS.layout, arithmetic))] == []


def test_a_head_that_does_not_tell_bits_apart_is_not_derived() -> None:
    arithmetic = EveryFormat(LEAST)
    [(_, reason)] = open_ones(
        step_gaps(with_key(DECODERS.decoder(ONE_BIT), "j", "0"), DECODERS.layout(ONE_BIT), arithmetic)
    )
    assert "the address 'a'" in reason


def test_a_row_with_its_bits_in_the_wrong_order_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def reversed_bits(number: int, k: int) -> dict[int, int]:
        return dict(enumerate(reversed(signed(number, k).values()), start=1))

    assert [gap for _, gap in open_ones(row_gaps(DECODERS))] == []
    monkeypatch.setattr(family, "signed", reversed_bits)
    names = [name for name, _ in open_ones(row_gaps(DECODERS))]
    assert names[0] == "rows of 2 bits, no gate"
    assert len(names) == 3 * (WIDEST - 1)


def other_layout(**parts: object) -> Family:
    return replace(DECODERS, layout=lambda bits: replace(DECODERS.layout(bits), **parts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "name", "reason"),
    [
        (circuits_of("circuit-by-decoder-as-printed"), "rows of 1 bits, no gate", "'a 1' is -1"),
        (other_layout(constants={"id 1": 1}), "rows of 1 bits", "'id 1' stands for two things"),
        (other_layout(kinds={"c": {"AND": 1}}), "rows of 1 bits", "its kinds are others than AND and NOT"),
        (other_layout(number=("id 1",)), "rows of 2 bits", "it has other fields than a number and two addresses"),
    ],
)
def test_rows_that_do_not_say_what_is_written_are_noticed(other: Family, name: str, reason: str) -> None:
    first_open, gap = next(open_ones(row_gaps(other)))
    assert first_open == name
    assert gap.startswith(reason)


def test_the_members_of_a_family_are_its_decoder_with_a_number_for_a_name() -> None:
    """And no name is left."""
    for format in (FixedPoint(3, 0), FixedPoint(6, 2)):
        network = DECODERS(XOR, format).network
        named = DECODERS.decoder(family.bits_of(XOR))
        assert {weight.source for weight in named.layers[0].heads[0].W_K["1"].values()} == {"B"}
        assert {weight.source for weight in network.layers[0].heads[0].W_K["1"].values()} == {str(format.greatest)}
    with pytest.raises(ConstructionError, match="uses B"):
        replace(DECODERS, decoder=lambda bits: with_value(DECODERS.decoder(bits)))(XOR)


def with_value(network: Decoder) -> Decoder:
    first, second = network.layers
    [head] = first.heads
    return replace(
        network, layers=(replace(first, heads=(replace(head, W_V={"x_a": {"x": Expression("B")}}),)), second)
    )


def test_a_proof_that_a_run_contradicts_is_an_error() -> None:
    network = circuit_network_of(FAMILY, XOR, FixedPoint(2, 0))
    runs = (diverges(network, word) for word in inputs_of(XOR))
    with pytest.raises(AssertionError, match="proved, but on"):
        settle([checked("nothing", None)], check=lambda: first(runs))


@pytest.mark.parametrize("called", ["token", "kind", "id 1 at the key", "id 1 at a"])
def test_a_bit_that_is_called_like_another_unknown_is_refused(called: str) -> None:
    with pytest.raises(Underivable, match="is called"):
        vector(decoder(("1",)), replace(layout(("1",)), number=(called,)), EveryFormat(3))

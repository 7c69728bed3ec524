"""Every weight of a network that is no encoder alone stands in its section and on its page, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from weightproof.circuits.deriving import CircuitExplained
from weightproof.constructions.circuits.files import SHIPPED
from weightproof.constructions.library import ADDERS, AS_PRINTED, CIRCUITS, COUNTERS, FAMILIES, adder_of, units_of
from weightproof.constructions.meaning import schema
from weightproof.constructions.modular.family import every_modulus
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import rewritten
from weightproof.document import layout, markdown, tex
from weightproof.document.blocks import Code, Matrix, Table, spans
from weightproof.document.html import Page
from weightproof.machines.deriving import RecurrentExplained, SimulatorExplained
from weightproof.machines.machine_deriving import MORE, MachineExplained
from weightproof.modular.deriving import SumExplained
from weightproof.reports import matrices
from weightproof.reports.explanation import Explanation
from weightproof.subjects.registry import everything, subject_of
from weightproof.subjects.subject import Subject
from weightproof.symbolic.writing.latex import label
from weightproof.symbolic.writing.latex_source import scalar
from weightproof.website.networks import told_of

Placed = Counter[tuple[str, str, str]]
"""Row, column and entry, as they are printed, each as often as it is there."""
OF_CIRCUITS, OF_SUMS, OF_MACHINES = (*CIRCUITS, *SHIPPED), tuple(ADDERS), (*FAMILIES, *AS_PRINTED)


def in_data(part: Any) -> Iterator[tuple[str, str, str]]:
    """Every weight that is not 0 of whatever parts a network has, wherever the schema puts them."""
    match part:
        case schema.Embedding(WE=WE, PE=PE):
            for token, row in WE.items():
                yield from ((label(name), label(token), scalar(weight)) for name, weight in row.items())
            yield from in_data(PE)
        case Mapping():
            for row, weights in part.items():
                if isinstance(weights, Expression):
                    yield label(row), "", scalar(weights)
                else:
                    yield from ((label(row), label(column), scalar(weight)) for column, weight in weights.items())
        case tuple():
            if part and isinstance(part[0], Mapping):
                yield from in_data({str(number): row for number, row in enumerate(part)})
            else:
                yield from (found for each in part for found in in_data(each))
        case _ if is_dataclass(part):
            yield from (found for field in fields(part) for found in in_data(getattr(part, field.name)))


def printed(blocks: Any) -> Placed:
    return Counter(
        (row, column, entry)
        for block in blocks
        if isinstance(block, Matrix)
        for row, entries in zip(block.rows, block.entries, strict=True)
        for column, entry in zip(block.columns, entries, strict=True)
        if entry != "0"
    )


def wanted(network: schema.Network) -> Placed:
    return Counter(found for found in in_data(network) if found[2] != "0")


def explained(name: str) -> Explanation:
    made: Explanation = subject_of(name).derivation().explained()
    return made


def network_of(made: Explanation) -> schema.Network:
    match made:
        case CircuitExplained(network=network):
            return network
        case SumExplained(family=family):
            return adder_of(family, every_modulus()).network
        case SimulatorExplained(simulation=simulation):
            return simulation.network
    raise TypeError(made)


@pytest.mark.parametrize("name", [*OF_CIRCUITS, *OF_SUMS, *OF_MACHINES])
def test_every_weight_is_printed_once(name: str) -> None:
    made = explained(name)
    found = wanted(network_of(made))
    assert sum(found.values()) > 10
    assert printed(made.weights()) - found == of_rows(made)
    assert found - printed(made.weights()) == Counter()


def of_rows(made: Explanation) -> Placed:
    """What the rows of a table of a family hold whatever the circuit is, which is data of its own."""
    if not isinstance(made, CircuitExplained) or made.network.table is not None:
        return Counter()
    kinds = {name: dict(of) for name, of in made.layout.kinds.items()}
    constants = {name: dict.fromkeys(("NOT", "AND"), value) for name, value in made.layout.constants.items()}
    held = ((label(name), label(kind), str(x)) for name, row in (kinds | constants).items() for kind, x in row.items())
    return Counter(each for each in held if each[2] != "0")


@pytest.mark.parametrize("name", COUNTERS)
def test_the_weights_of_every_unit_are_printed_once(name: str) -> None:
    units, blocks = units_of(name), [b for b in explained(name).weights() if isinstance(b, Matrix)]
    found = {block.name: [entry for row in block.entries for entry in row] for block in blocks}
    assert found == {each: [scalar(getattr(units, each))] for each in ("W_1", "b_1", "W_2", "b_2")}


@pytest.mark.parametrize("name", ["circuit-by-decoder", "majority-of-3", *FAMILIES])
def test_a_changed_weight_changes_what_is_printed(name: str) -> None:
    """Each of them by itself."""
    network = network_of(explained(name))
    before, count = printed(matrices.weights(network)), 0

    def all_but(number: int) -> schema.Network:
        seen = iter(range(10_000))
        return rewritten(network, lambda w: Expression(f"({w}) + 7") if next(seen) == number else w)

    scalars: list[Expression] = []
    rewritten(network, lambda w: scalars.append(w) or w)  # type: ignore[func-returns-value]
    for number in range(len(scalars)):
        changed = all_but(number)
        if wanted(changed) != wanted(network):
            count += 1
            assert printed(matrices.weights(changed)) == wanted(changed) != before, scalars[number]
    assert count >= sum(wanted(network).values())


def test_other_rows_of_a_table_are_printed_otherwise() -> None:
    made = CircuitExplained("circuit-by-decoder")
    before = printed(made.weights())
    for layout_ in (
        replace(made.layout, constants={"1": 2}),
        replace(made.layout, kinds={"c": {"NOT": 5, "AND": 1}}),
        replace(made.layout, addresses={"a": ("b j",), "b": ("a j",)}),
    ):
        other = CircuitExplained("circuit-by-decoder")
        other.layout = layout_
        assert [*other.weights()] != [*made.weights()]
        assert (printed(other.weights()) != before) == (layout_.addresses == made.layout.addresses)


@pytest.mark.parametrize("left_out", ["matrix", "_vector", "_linear", "_head", "_feed_forward", "_layer"])
@pytest.mark.parametrize("name", ["majority-of-3", "rnn-by-directional"])
def test_a_matrix_that_is_left_out_is_missed(name: str, left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, left_out, lambda *given, **named: iter(()))
    with pytest.raises(AssertionError):
        test_every_weight_is_printed_once(name)


@pytest.mark.parametrize("name", ["majority-of-3", "modular-addition", "rnn-by-directional", "parity-feed-forward"])
def test_sections_and_pages_have_the_matrices_of_the_data(name: str) -> None:
    """In every format; as many matrices as there are blocks, each with all its entries."""
    of_data = [block for block in explained(name).weights() if isinstance(block, Matrix)]
    told = told_of(name)
    assert [block for block in told.section if isinstance(block, Matrix)] == of_data
    html = Page().written(told.section)
    full = [block for block in of_data if block.rows]
    assert html.count('<table class="matrix">') == len(full) > 3
    for block in full:
        alone = Page().written((block,))
        assert alone.count("<td>") - alone.count("<td></td>") == sum(map(len, block.entries))
        assert alone.strip() in html
    for written in (tex.fragment(told.section), markdown.markdown(told.section)):
        for block in of_data:
            assert block.name in written
        for _, _, entry in printed(of_data):
            assert entry in written


def test_what_python_hands_over_has_the_weights_of_both_transformers() -> None:
    made = RecurrentExplained(subject_of("rnn-by-directional").derivation().explained().simulation.rnn)  # type: ignore[attr-defined]
    found = sum((wanted(each.network) for each in made.simulations.values()), Counter())
    assert printed(made.weights()) == found


def test_a_matrix_of_many_rows_is_cut_where_a_page_ends() -> None:
    many = Matrix("T", tuple(map(str, range(100))), ("x",), (("1",),) * 100)
    cut = [*layout.blocks(many, 46.0)]
    assert [len(block.rows) for block in cut] == [40, 40, 20]
    assert printed(cut) == printed([many])


@pytest.mark.parametrize(
    "subject", [each for each in everything("derive") if each.source is None], ids=lambda each: each.argument
)
def test_no_kind_is_without_its_weights(subject: Subject) -> None:
    """As matrices; of Turing machines the recurrent network, whose rows are long and nearly empty, as a table."""
    made = subject.derivation().explained()
    assert isinstance(made, MachineExplained) != any(isinstance(block, Matrix) for block in made.weights())


def test_the_table_of_a_machine_has_every_weight_of_its_recurrent_network_once() -> None:
    made = explained("increment")
    assert isinstance(made, MachineExplained)
    rnn = made.network.rnn
    [table] = [block for block in made.blocks() if isinstance(block, Table)]
    assert [spans(unit) for unit, _, _ in table.rows] == [(Code(unit),) for unit in rnn.units]
    names = (*rnn.units, *rnn.inputs)
    for unit, (_, _, told) in zip(rnn.units, table.rows, strict=True):
        row = {*rnn.W_h.weights.get(unit, {}), *rnn.W_x.weights.get(unit, {})}
        shown = [span.text for span in spans(told) if isinstance(span, Code)]
        meant = [
            name
            for each in shown
            for name in ([n for n in names if n.startswith(each.removesuffix(MORE))] if each.endswith(MORE) else [each])
        ]
        assert len(meant) == len({*meant})
        assert {*meant} == row
    longest = max(len(spans(told)) for _, _, told in table.rows)
    assert longest < 30, "a row has a name for each case of the machine"

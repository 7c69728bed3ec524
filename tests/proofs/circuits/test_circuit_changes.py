"""Negative controls of circuits by chain of thought: nonzero weights of decoders, and entries of their tables, changed,
one at a time.

What is changed must be refuted with an input and a step, or proved again because the change is harmless; where the
proof does not go through, every input is run, which are few: that is a proof, too. No verdict may stay open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.support.changes import changed_weights, entries_of_table
from weightproof.constructions.circuits.circuit import Circuit, inputs_of
from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.schema import Decoder
from weightproof.proofs.changes import Weight, weights
from weightproof.proofs.circuits.deciding import MOST_RUNS, decide, diverges

HEADER = "weights of circuits' decoders changed\ttried\trefuted with an input\tproved harmless\tevery input run\topen"
FAMILY = "circuit-by-decoder"
ONE_OF = {"full-adder": 1, "majority-of-3": 7}
"""Which changes of weights are made: one of how many; and of tables."""
SAMPLE, OF_TABLES = 37, 53


def shipped(name: str) -> Circuit:
    circuit = find_circuit(name)
    assert circuit is not None
    return circuit


@pytest.mark.controls
@pytest.mark.parametrize("what", ["weights", "table"])
@pytest.mark.parametrize("name", SHIPPED)
def test_changed_decoders_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    of: dict[str, Callable[[Decoder], Iterator[Weight]]] = {
        "weights": weights,
        "table": entries_of_table,
    }
    circuit = shipped(name)
    network, layout = circuit_network_of(FAMILY, circuit), circuits_of(FAMILY).layout_of(circuit)
    step = ONE_OF.get(name, SAMPLE) if what == "weights" else OF_TABLES
    made: list[tuple[str, str, Any]] = list(changed_weights(of[what](network.network), one_of=step))
    tally: Counter[str] = Counter()
    wrong = []
    for place, change, changed in made:
        mutant = replace(network, network=changed)
        found = decide(mutant, layout)
        if found.counterexample is not None:
            tally["refuted"] += 1
            if diverges(mutant, found.counterexample.word) != found.counterexample:
                wrong.append((place, change, found.counterexample))
            continue
        agrees = 2**circuit.inputs <= MOST_RUNS and all(diverges(mutant, word) is None for word in inputs_of(circuit))
        kind = "open" if not agrees else "proved" if found.gap is None else "run"
        tally[kind] += 1
        if not agrees:
            wrong.append((place, change, found.gap))
    row = [tally.total(), *(tally[each] for each in ("refuted", "proved", "run", "open"))]
    count_row(HEADER, f"{name}, {what}", row)
    assert tally["refuted"] > 0
    assert not wrong, wrong

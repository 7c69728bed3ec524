"""Negative controls of networks that add: nonzero weights changed, in all members of a family alike, or in one network.

What is changed must be refuted by a modulus, residues or a word, or proved again because the change is harmless: then
nothing may be found with moduli and lengths that no proof runs. No verdict may stay open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from weightproof.constructions.library import COUNTERS, adder_of, adders_of, units_of
from weightproof.constructions.modular.counting import counter
from weightproof.constructions.modular.family import modulus
from weightproof.proofs.modular import counting
from weightproof.proofs.modular.changes import changed_counters, changed_families, changed_members, changed_units
from weightproof.proofs.modular.deciding import decide
from weightproof.proofs.modular.instances import run, wrong
from weightproof.proofs.modular.stated import Frequencies, Predicts
from weightproof.proofs.prover import Decided

HEADER = "weights of sums changed\ttried\trefuted\tproved harmless\topen"
SEARCHED = 16
"""Modulus up to which a changed family is run: some are right up to 15."""
THEOREMS = {"modular-addition": Predicts("argmax", Frequencies.ONE)} | {
    "modular-addition-uncorrected": Predicts("argmax, odd p", Frequencies.ONE, odd=True)
}


def kind(decided: Decided) -> str:
    return "refuted" if decided.counterexample is not None else "harmless" if decided.gap is None else "open"


def counts(tally: Counter[str]) -> list[int]:
    return [tally.total(), *(tally[each] for each in ("refuted", "harmless", "open"))]


@pytest.mark.controls
@pytest.mark.parametrize("name", THEOREMS)
def test_changed_families_are_refuted_or_harmless(
    name: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    tally: Counter[str] = Counter()
    wrong_ones = []
    for place, what, family in changed_families(adders_of(name)):
        found = decide(family, THEOREMS[name], SEARCHED)
        tally[kind(found)] += 1
        if found.counterexample is not None:
            p, k = (int(found.counterexample.parameters[each]) for each in ("p", "k"))
            fine = not run(family(modulus(p, (k,))), found.counterexample.word).is_right
        else:
            fine = found.gap is None and wrong(family(modulus(9, (2,)))) is None
        wrong_ones += [] if fine else [(place, what, found)]
    count_row(HEADER, f"{name}, all members", counts(tally))
    assert tally["refuted"] > tally["harmless"] > 0
    assert not wrong_ones, wrong_ones


@pytest.mark.controls
@pytest.mark.parametrize("p", [3, 4])
def test_changed_members_are_refuted_or_harmless(p: int, count_row: Callable[[str, str, Sequence[int]], None]) -> None:
    """One network: all of its words are run, so that nothing stays open."""
    tally: Counter[str] = Counter()
    for _, _, adder in changed_members(adder_of("modular-addition", modulus(p, (1,)))):
        tally["harmless" if wrong(adder) is None else "refuted"] += 1
    count_row(HEADER, f"modular-addition, p = {p}", counts(tally))
    assert tally["refuted"] > 0


@pytest.mark.controls
@pytest.mark.parametrize("name", COUNTERS)
def test_changed_units_are_refuted_or_harmless(name: str, count_row: Callable[[str, str, Sequence[int]], None]) -> None:
    theorem = counting.Decides("y", "")
    tally: Counter[str] = Counter()
    wrong_ones = []
    for place, what, units in changed_units(units_of(name)):
        found = counting.decide(units, theorem)
        tally[kind(found)] += 1
        if found.counterexample is None and (found.gap or counting.fails_at(counter(units, 10), theorem)):
            wrong_ones.append((place, what, found))
    count_row(HEADER, f"{name}, all lengths", counts(tally))
    assert tally["refuted"] > tally["harmless"] > 0
    assert not wrong_ones, wrong_ones


@pytest.mark.controls
@pytest.mark.parametrize("name", COUNTERS)
@pytest.mark.parametrize("n", [1, 4])
def test_changed_networks_of_one_length_are_refuted_or_harmless(
    name: str, n: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    tally: Counter[str] = Counter()
    for _, _, changed in changed_counters(counter(units_of(name), n)):
        tally["harmless" if counting.fails_at(changed, counting.Decides("y", "")) is None else "refuted"] += 1
    count_row(HEADER, f"{name}, n = {n}", counts(tally))
    assert tally["refuted"] > 0

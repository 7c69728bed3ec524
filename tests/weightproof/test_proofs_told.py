"""Sections about machines, simulators, circuits and sums end in the proof of each theorem, told from what was checked;
of what is not proved none is told, and another network has another proof or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.constructions.machines.test_turing import shipped
from tests.proofs.automata.networks import CASES
from tests.proofs.modular.test_sums_proved import shifted
from tests.proofs.simulation.test_simulations_proved import SMALL, with_feed_forward, with_weight
from tests.support.changes import changed_weights, entries_of_table
from weightproof.appendix.arguments import theorems
from weightproof.appendix.runs import sentence
from weightproof.appendix.sections import section_of
from weightproof.circuits import proof as circuits_told
from weightproof.constructions.circuits.files import find_circuit
from weightproof.constructions.library import circuit_network_of, circuits_of, network_of, simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.scalars.expressions import Expression
from weightproof.document.blocks import Block, Heading, spans
from weightproof.document.markdown import page
from weightproof.document.markdown import spans as written
from weightproof.machines import machine_deriving, run_proof, simulation_proof
from weightproof.modular import proof as sums_told
from weightproof.proofs.automata.formulas import read
from weightproof.proofs.automata.sentences import Compared
from weightproof.proofs.circuits.deciding import GATES, decide
from weightproof.proofs.modular import counting
from weightproof.proofs.prove import proofs
from weightproof.proofs.prover import Decided, Obligation
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.simulation import prove
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.prove import invariant_of, passages_of
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.reports.verdicts import resting
from weightproof.reports.wording import case
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.derivation import Derivation

CHEAP = (
    "busy-beaver-3",
    "rnn-by-encoder-decoder",
    "rnn-by-directional-as-printed",
    "rnn-by-encoder-decoder-as-printed",
    "majority-of-3",
    "circuit-by-decoder-as-printed",
    "modular-addition",
    "modular-addition-uncorrected",
    "modular-addition-any-frequency",
    "parity-feed-forward",
)


def by_theorem(blocks: Sequence[Block]) -> list[str]:
    """The text behind the heading of each theorem."""
    found: list[list[Block]] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 4 and str(spans(block.text)[0]).startswith("Theorem "):
            found.append([])
        elif found:
            found[-1].append(block)
    return [page(tuple(each)) for each in found]


@pytest.mark.parametrize("name", CHEAP)
def test_every_section_ends_in_its_proofs(name: str) -> None:
    blocks, results = subject_of(name).derivation().section("B")
    told = by_theorem(blocks)
    assert len(told) == len(results) > 0
    for result, text in zip(results, told, strict=True):
        assert f"To be shown of `{result.construction}`: " in text
        assert ("Proof" in text) == isinstance(result.verdict, Proved)
        if isinstance(result.verdict, Refuted):
            word = result.verdict.counterexample.word or "(empty)"
            assert f"by the word `{word}`" in text
            assert "Replay: `weightproof run " in text


@pytest.mark.controls
@pytest.mark.parametrize("name", ["increment", "rnn-by-directional", "circuit-by-decoder", "full-adder"])
def test_sections_that_take_longer_do_so_too(name: str) -> None:
    test_every_section_ends_in_its_proofs(name)


@pytest.mark.parametrize("name", CHEAP)
def test_what_is_told_is_what_was_checked(name: str) -> None:
    """What an obligation was looked at by says that it is closed; and there are as many as are counted."""
    settled = subject_of(name).derivation().settled()
    for result, made in settled:
        if isinstance(result.verdict, Proved):
            assert sum(result.obligations.values()) == len(made.exactly) > 0
        assert all(each.shown().gap is None for each in made.exactly if each.shown is not None)
    proved = sum(len(made.exactly) for result, made in settled if isinstance(result.verdict, Proved))
    text = page(subject_of(name).derivation().section("A")[0])
    assert (resting(proved, 0) in text) == (proved > 0)


def test_each_step_of_a_machine_stands_in_its_proof() -> None:
    network = network_of(shipped("increment"))
    decided = decide_run(network, passages_of(network))
    text = page(tuple(run_proof.told(network, decided.closed)))
    names = [each.name for each in decided.closed]
    assert all(f"| {written(case(name))} |" in text for name in names)
    assert "17 cases, of 6 instructions and 3 places of the table where there is none" in text
    assert r"`'right'` on `'0'` | `left` = $`\tfrac{1}{3} + \tfrac{1}{6} \cdot x`$; `right` = $`y`$" in text
    assert "In 3 of the 17 cases, those without an instruction, `halted` becomes 1" in text
    counts = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) (?:arguments|are numbers)", text)]
    steps = sum(len(each.tokens) for each in passages_of(network))
    assert counts[0] == steps * len(network.rnn.units)


def test_the_bounds_of_a_step_are_those_of_the_run() -> None:
    """The arguments that are said to be saturated are so at the ends of what is not known."""
    network = network_of(shipped("busy-beaver-3"))
    for each in passages_of(network):
        found = each.followed(network.rnn)
        arguments = run_proof.Arguments.of(found)
        assert arguments.all == len(each.tokens) * len(network.rnn.units)
        assert all(bounds is None or bounds[1] <= 0 for bounds in arguments.to_0)
        assert all(bounds is None or bounds[0] >= 1 for bounds in arguments.to_1)
        assert all(bounds is None or 0 <= bounds[0] <= bounds[1] <= 1 for bounds in arguments.themselves)


def test_a_planted_mistake_in_a_machine_s_network_has_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = with_weight(network_of(shipped("increment")), "3: left, right, '0'", "2: left", "1/3")
    for module in (machine_deriving, prove):
        monkeypatch.setattr(module, "network_of", lambda machine: wrong)
    blocks, (runs, *simulated) = subject_of("increment").derivation().section("A")
    text, *others = by_theorem(blocks)
    assert isinstance(runs.verdict, Refuted)
    assert "Proof" not in text
    assert f"Refuted (expected: proved)** by the word `{runs.verdict.counterexample.word}`" in text
    assert all(isinstance(each.verdict, Proved) for each in simulated)  # of the wrong network, too
    assert all("Proof" in each for each in others)


def test_a_planted_mistake_in_a_simulator_has_no_proof() -> None:
    rnn = every_rnn(1, 1, 1)
    right, invariant = simulation_of("rnn-by-encoder-decoder", rnn), invariant_of("rnn-by-encoder-decoder", rnn)
    text = page(tuple(simulation_proof.told(decide_simulation(right, invariant).closed)))
    assert r"$`y_{\texttt{t}} = t`$, $`y_{\texttt{1}} = 1`$; all other coordinates are 0." in text
    assert r"z_{\texttt{h1}} = \sigma(W_{\texttt{h1}, \texttt{h1}} \cdot h_{1}" in text
    wrong = with_feed_forward(right, 0, "second", row="h1", column="new h1", to=2)
    decided = decide_simulation(wrong, invariant)
    assert decided.gap is not None
    assert decided.gap[0] == "step on #"
    assert [each.name for each in decided.closed] == ["before the first step"]


def test_what_an_invariant_only_bounds_is_told_with_what_its_bounds_leave() -> None:
    """Where nothing is said of a coordinate, what runs show of it is tried, and is what the proof tells."""
    family = "rnn-by-directional"
    said = {name: held for name, held in invariant_of(family, SMALL).items() if name != "2^-t"}
    decided = decide_simulation(simulation_of(family, SMALL), said)
    assert decided.gap is None
    text = page(tuple(simulation_proof.told(decided.closed)))
    here = r"y_{\texttt{2\^{}-t}}"
    assert rf"$`0 < {here} \le 1`$" in text
    half = rf"\tfrac{{1}}{{2}} \cdot {here}"
    assert rf"$`{half} > 0`$, $`1 - {half} \ge 0`$ | so by signs, at least $`\tfrac{{1}}{{2}}`$ |" in text


DECODER = """
from weightproof import *
language = Language("ALL", ("a", "b"), lambda w: True, "n >= 1")
construction = Construction("bigram", "t", "s", language, Decoder(
    coordinates=("[a]", "[b]"), embedding=Embedding(WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {}}),
    layers=(Layer(),), begin="C",
    readout=Readout(Linear({"a": {"[b]": 1}, "b": {"[a]": WEIGHT}}), position="last", accept="argmax"),
))
theorems = (Appends("a", "b"), Appends("b", "b", expected="refuted"))
"""


@pytest.mark.parametrize(
    ("weight", "said"),
    [("1", r"$`1 > 0`$ | at least $`1`$ |"), ("'2/3'", r"at least $`\tfrac{2}{3}`$ |"), ("-1", None)],
)
def test_what_a_decoder_appends_is_told_with_its_outputs(tmp_path: Path, weight: str, said: str | None) -> None:
    file = tmp_path / "bigram.py"
    file.write_text(DECODER.replace("WEIGHT", weight), encoding="utf-8")
    made = section_of(subject_of(str(file)).derivation(), 0)
    first, second = by_theorem(made.section[1])
    assert ("Proof" in first, said is None or said in first) == (said is not None, True)
    assert "Proof" not in second
    assert "by the word `b`" in second


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"b_1": Expression("1/3 - j")}, (r"\left(k - j + \tfrac{1}{3}\right)", r"-1 + \tfrac{1}{3} \le 0")),
        ({"W_1": Expression("2"), "b_1": Expression("1 - 2*j")}, (r"2 k + 1 - 2 j", r"2 \left(k - j + \tfrac{1}{2}")),
        ({"b_2": Expression("-1/3")}, (r"\tfrac{2}{3} > 0", r"-\tfrac{1}{3} \le 0")),
    ],
)
def test_another_network_that_counts_has_another_proof(weights: dict[str, Any], said: tuple[str, ...]) -> None:
    theorem = counting.Decides("x", "")
    texts = []
    for given in ({}, weights):
        decided = counting.decide(shifted(**given), theorem)
        assert decided.gap is None
        texts.append(page(tuple(sums_told.told(decided.closed))))
    assert all(each in texts[1] and each not in texts[0] for each in said)


def refuted(decided: Decided, told: Callable[[Sequence[Obligation]], Iterator[Block]]) -> bool:
    """And what was closed so far is no proof that ends."""
    return decided.gap is not None and "End." not in page(tuple(told(decided.closed)))


def test_a_planted_mistake_among_units_has_no_proof() -> None:
    assert refuted(counting.decide(shifted(b_1=Expression("-j")), counting.Decides("x", "")), sums_told.told)


def test_a_gate_that_is_computed_wrong_has_no_proof() -> None:
    circuit = find_circuit("majority-of-3")
    assert circuit is not None
    network, layout = (
        circuit_network_of("circuit-by-decoder", circuit),
        circuits_of("circuit-by-decoder").layout_of(circuit),
    )
    right = decide(network, layout)
    assert right.gap is None
    text = page(tuple(circuits_told.told(right.closed)))
    assert "of the 10 that write a gate" in text
    assert "| AND | 1, 1 | `1` | `1` |" in text
    for place, what, changed in changed_weights(entries_of_table(network.network), ("zeroed",), one_of=17):
        decided = decide(replace(network, network=changed), layout)
        assert decided.gap is not None, (place, what)
        assert GATES not in {each.part for each in decided.closed}


def test_what_was_not_proved_is_told_without_a_proof() -> None:
    """Whatever was closed on the way."""
    derivable = subject_of("parity-feed-forward").derivation()
    settled = derivable.settled()
    assert all(made.exactly for _, made in settled)
    late = Decided((), gap=("", "the time is up"), timed_out=True).verdict("all lengths")
    told = replace(derivable, settled=lambda: [(replace(result, verdict=late), made) for result, made in settled])
    blocks, _ = told.section("A")
    assert all("Proof" not in text and "Unknown" in text for text in by_theorem(blocks))


def test_a_proof_by_automata_is_told_as_one() -> None:
    """Not as that of the closed form, which there is, too, and with what its numbers count."""
    construction = CASES["bigram majority"].construction()
    proved = tuple(proofs(construction, [Decides("recognises", "it accepts the words of the language")]))
    derivation = Analysis(construction).maybe_derived()
    assert isinstance(derivation, Derivation)
    text = page(tuple(theorems(proved, derivation, "A", construction.name)))
    assert "Proof, by finite automata." in text
    assert "closed form" not in text
    assert "w_{x} = \\texttt{0} \\land w_{x - 1} = \\texttt{0}" in text
    assert "N_{1}" in text
    assert "up to two positions" not in text


def test_what_is_asked_where_sums_are_not_told_is_said() -> None:
    """(10)*, as well-nested brackets of depth 1 are defined."""
    depth = "(count('1', {0}) - count('0', {0}))"
    here, before = depth.format("j"), depth.format("k")
    formula = (
        f"count('1') == count('0') and all({here} >= 0 and {here} <= 1 and (w[j] != '0' or"
        f" any(k < j and {before} == {here} + 1 for k in positions)) for j in positions)"
    )
    construction = CASES["tomita 2"].construction()
    proved = tuple(proofs(construction, [Decides("recognises", "it accepts these words", Expression(formula))]))
    assert [type(each.result.verdict) for each in proved] == [Proved]
    text = page(tuple(theorems(proved, None, "A", construction.name)))
    assert "The definition compares a sum up to two positions." in text


def test_positions_that_are_compared_with_counts_are_written() -> None:
    counted = read(Expression("sum((w[j] == '1')*(2*j < count('0') + n - 1) for j in positions) > 2"))
    assert isinstance(counted, Compared)
    [(number, _)] = counted.numbers
    assert sentence(number.body) == (
        r"w_{x} = \texttt{1} \land x < \frac{1}{2} \#\{x : w_{x} = \texttt{0}\} + \frac{1}{2} n - \frac{1}{2}"
    )

"""`prove --smt DIR`: of every kind of network either obligations are written, or it is said that none was, and why."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.constructions.machines.test_turing import shipped
from tests.proofs.simulation.test_simulations_proved import with_weight
from weightproof.cli import main
from weightproof.constructions.library import network_of, units_of
from weightproof.constructions.modular.counting import Units
from weightproof.proofs.modular import counting
from weightproof.proofs.simulation.prove import passages_of
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.verdict import Folders
from weightproof.reports.proving import proved
from weightproof.subjects.registry import everything, subject_of

ENCODER = """
from weightproof import *
language = Language("HAS 1", ("0", "1"), lambda w: "1" in w, "count('1') >= 1", {more})
construction = Construction("{name}", "t", "s", language, Encoder(
    ("[1]", "s"),
    Embedding({{"0": {{}}, "1": {{"[1]": 1}}, "CLS": {{}}}}),
    (Layer(heads=(Head(W_V={{"s": {{"[1]": 1}}}}),)),),
    Readout(Linear({rows}), "first", "{accept}"),
))
{theorems}
"""
LABELS = 'label=lambda w: "1" if "1" in w else None, labels={"1": "count(\'1\') >= 1"}'
DECODER = """
from weightproof import *
language = Language("ALL", ("a", "b"), lambda w: True, "n >= 1")
construction = Construction("bigram", "t", "s", language, Decoder(
    coordinates=("[a]", "[b]"), embedding=Embedding(WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {}}),
    layers=(Layer(),), begin="C",
    readout=Readout(Linear({"a": {"[b]": 1}, "b": {"[a]": 1}}), position="last", accept="argmax"),
))
theorems = (Appends("a", "b"), Appends("b", "b", expected="refuted"))
"""
MARGINS = """theorems = (
    Decides("same", "s"), Decides("same.", "s"), Decides("other", "s", accepts="n >= 2", expected="refuted"),
    Margin("accepted", "1/n", when="n >= 2", attained=(("1", 1), ("0", "n - 2"))),
)"""
FILES = {
    "encoder.py": ENCODER.format(name="has-1", more="", rows={"logit": {"s": 1}}, accept="logit > 0", theorems=MARGINS),
    "predictor.py": ENCODER.format(
        name="predicts-1", more=LABELS, rows={"0": {}, "1": {"s": 1}}, accept="argmax", theorems=""
    ),
    "decoder.py": DECODER,
}


def written(argument: str, folder: Path) -> list[dict[str, object]]:
    """What the JSON says of each theorem; the folder has as many files as it says, and the text says the same."""
    results = proved(lambda: [subject_of(argument).statements()], None, Folders(smt=folder / "smt"))
    text = str(results)
    found = [theorem["smt"] for theorem in results.data["theorems"]]
    files = sum(each["written"] for each in found)
    assert len(list((folder / "smt").glob("*.smt2"))) == files
    assert "Written as SMT-LIB 2" in text
    assert (f"{files} obligation" in text) == (files > 0)
    for each in found:
        assert each["written"] or each["reason"]
        said = each["reason"], each["written"] == 0
        alike = [other for other in found if (other["reason"], other["written"] == 0) == said]
        assert each["reason"] is None or f"theorem{'' if len(alike) == 1 else 's'}, as {each['reason']}" in text
    return found


def own(name: str, folder: Path) -> str:
    path = folder / name
    path.write_text(FILES[name])
    return str(path)


def test_the_obligations_of_an_encoder_are_written_and_files_of_two_theorems_are_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "same" and "same." were written to the same files."""
    found = written(own("encoder.py", tmp_path), tmp_path)
    assert [each["written"] == 0 for each in found] == [False, False, True, False]
    assert found[0] == found[1]
    assert "a word refutes it" in str(found[2]["reason"])


def test_the_obligations_of_a_predictor_are_written(tmp_path: Path) -> None:
    [only] = written(own("predictor.py", tmp_path), tmp_path)
    assert only["written"] != 0


def asked(folder: Path, *solvers: str) -> Counter[tuple[str, ...]]:
    """What each file is said to be, and what solvers answer."""
    scripts = [file.read_text() for file in (folder / "smt").glob("*.smt2")]
    return Counter(
        (script.split(":status ")[1].split(")")[0], *(ask(solver, script, 5.0).status for solver in solvers))
        for script in scripts
    )


def test_the_obligations_of_a_decoder_are_written_and_the_solvers_agree(tmp_path: Path) -> None:
    """Of the one that is refuted, too, where they have a model."""
    assert [each["written"] for each in written(own("decoder.py", tmp_path), tmp_path)] == [1, 1]
    assert asked(tmp_path, *SOLVERS) == {("unsat", "unsat", "unsat"): 1, ("unknown", "sat", "sat"): 1}


def test_the_steps_of_a_family_are_written_and_a_solver_agrees(tmp_path: Path) -> None:
    assert all(each["written"] for each in written("rnn-by-directional", tmp_path))
    assert set(asked(tmp_path, "z3")) == {("unsat", "unsat")}


def test_the_steps_of_a_machine_are_written_as_its_network_makes_them_and_a_solver_agrees() -> None:
    """Of a network with another weight there is a model."""
    network = network_of(shipped("busy-beaver-3"))
    for item in itertools.islice(passages_of(network), 0, None, 3):
        script = item.as_smt(network.rnn)
        assert ask("z3", script, 5.0).status == "unsat"
        assert ":status unsat" in script
    wrong = with_weight(network, "halted", "begun", 1).rnn
    scripts = [item.as_smt(wrong) for item in passages_of(network) if item.followed(wrong).gap is not None]
    assert all(":status unknown" in script for script in scripts)
    assert ask("z3", scripts[0], 5.0).status == "sat"


def test_of_sums_and_gates_is_written_what_speaks_of_unknowns_and_the_solvers_agree(tmp_path: Path) -> None:
    for argument, number in (("parity-feed-forward", 6), ("full-adder", 12)):
        found = written(argument, tmp_path / argument)
        assert sum(each["written"] for each in found) == number
        assert all("in which there is no unknown" in str(each["reason"]) for each in found)
        assert asked(tmp_path / argument, *SOLVERS) == {("unsat", "unsat", "unsat"): number}


def test_of_wrong_units_the_solvers_have_a_model() -> None:
    right = units_of("parity-feed-forward")
    late = Units("late", "", "", right.W_1, "3/2 - j", right.W_2, right.b_2)
    [_, threshold] = counting.obligations(late, counting.Compares("x", ""))
    assert threshold.smt is not None
    assert ":status unknown" in threshold.smt()
    assert {ask(solver, threshold.smt(), 5.0).status for solver in SOLVERS} == {"sat"}


def test_of_what_has_no_unknown_nothing_is_written(tmp_path: Path) -> None:
    [only] = written("circuit-by-decoder-as-printed", tmp_path)
    assert only["written"] == 0
    assert "gates of circuits are gone through" in str(only["reason"])


def test_every_kind_writes_obligations_or_says_why() -> None:
    others = [subject for subject in (*everything("prove"), subject_of("regular:0*1")) if subject.source is None]
    assert len({subject.kind.noun for subject in others}) > 6
    for theorem in (theorem for subject in others for theorem in subject._theorems()):
        assert theorem.unwritten or next(iter(theorem.obligations())).smt is not None, theorem


def test_without_the_option_nothing_is_said_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own("decoder.py", tmp_path)
    assert main(["prove", path]) == 0
    assert "SMT" not in capsys.readouterr().out
    assert main(["prove", path, "--json"]) == 0
    assert [theorem["smt"] for theorem in json.loads(capsys.readouterr().out)["theorems"]] == [None, None]

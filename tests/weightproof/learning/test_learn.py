"""`learn`: what is kept is gone on from to the same numbers, whoever trains; a trained network is a construction; and
what cannot be trained is refused in a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import weightproof as wp
from tests.support.schemas import faults
from weightproof.cli import main
from weightproof.constructions.languages.brackets import DYCK2
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.by_name import transformed
from weightproof.learning import learning
from weightproof.learning.kept import taken_up
from weightproof.learning.learning import Training, learned
from weightproof.learning.report import Observed, Spread
from weightproof.numeric.learning import training, words
from weightproof.numeric.learning.experiment import Said
from weightproof.numeric.learning.library import experiments
from weightproof.parallel.processes import Processes
from weightproof.proofs.theorem import Decides, Predicts
from weightproof.proofs.verdict import Proved, Refuted

NAME, CURVE = "chiang2022-first", "n=10"


def points(file: Path) -> dict[int, Any]:
    """What is kept of each seed, but for what differs from call to call."""
    rows = json.loads(file.read_text())["rows"]
    return {row["seed"]: (row["epoch"], row["points"], row["weights"], row["moments"]) for row in rows}


def test_two_workers_find_what_one_does(tmp_path: Path) -> None:
    alone, apart = tmp_path / "alone.json", tmp_path / "apart.json"
    learned(NAME, Training(2, 1, (CURVE,)), alone)
    learned(NAME, Training(2, 1, (CURVE,), together=1), apart, Processes(2))
    assert points(alone) == points(apart)
    assert len(points(alone)) == 2


def test_what_was_interrupted_goes_on_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    through, parts = tmp_path / "through.json", tmp_path / "parts.json"
    learned(NAME, Training(2, 3, (CURVE,)), through)
    whole = training.train

    def cut(*given: Any) -> Iterator[Any]:
        yield next(iter(whole(*given)))
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", cut)
    asked = ("learn", NAME, "--seeds", "2", "--epochs", "3", "--curve", CURVE, "--keep", str(parts))
    assert main(asked) == 130
    assert f"interrupted; what was reached is in {parts}" in capsys.readouterr().err
    assert {epoch for epoch, *_ in points(parts).values()} == {1}
    monkeypatch.setattr(training, "train", whole)
    assert main(asked) == 0
    assert points(parts) == points(through)
    monkeypatch.setattr(training, "train", None)  # nothing is left to train
    assert main(asked) == 0


def test_seeds_that_are_added_are_trained_alone(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    found = wp.learn(NAME, seeds=1, epochs=1, curves=[CURVE], keep=file)
    assert [each.seed for each in found.learners[CURVE]] == [0]
    assert [each.agrees for each in found.observed] == [None] * 3
    before = points(file)
    found = wp.learn(NAME, seeds=2, epochs=1, curves=[CURVE], keep=file)
    assert [each.seed for each in found.learners[CURVE]] == [0, 1]
    assert points(file)[0] == before[0]
    assert "not trained so long" in repr(found)


def test_a_trained_network_is_a_construction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, kept = tmp_path / "first.py", tmp_path / "kept.json"
    found = wp.learn(NAME, seeds=2, epochs=1, curves=[CURVE], keep=kept, output=file, seed=1)
    assert found.written is not None
    assert f"n=10, seed 1, is written to {file}" in repr(found)
    construction = wp.load(str(file))
    (learner,) = [each for each in taken_up(kept).learners.values() if each.seed == 1]
    curve = found.experiment.curve(CURVE)
    assert construction.network == words.trained(found.experiment, curve, 1, learner.state.weights).network
    assert main(["run", str(file), "01", "--json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["member"] is False
    assert main(["prove", str(file), "--json"]) == 1  # after one epoch it knows nothing
    theorems = json.loads(capsys.readouterr().out)["theorems"]
    assert [each["theorem"] for each in theorems] == ["of 10 symbols", "of fewer"]
    assert {each["verdict"] for each in theorems} == {"refuted"}
    assert len(theorems[0]["counterexample"]["word"]) == 10


def nearly_at_most(number: str) -> Construction:
    """The 1s are no more than the 0s, with weights that are not quite whole numbers: one of them is the number."""
    network = Encoder(
        coordinates=("s", "mean"),
        embedding=Embedding(WE={"0": {"s": "65/64"}, "1": {"s": number}, "CLS": {"s": "1/100"}}),
        layers=(Layer(heads=(Head(W_V={"mean": {"s": "1"}}),)),),
        readout=Readout(Linear({"logit": {"mean": "33/32"}})),
    )
    language = Language(
        name="AT MOST",
        alphabet=("0", "1"),
        member=lambda word: word.count("1") <= word.count("0"),
        characterisation="count('1') <= count('0')",
    )
    return Construction(name="trained", title="trained", source="ours", language=language, network=network)


UP_TO_5 = Decides("of 4 symbols", "accepts", up_to=5)


def test_the_fewest_bits_are_those_with_which_it_is_still_right() -> None:
    """With none CLS weighs 0, and as many 0s as 1s are rejected at a logit of 0."""
    bits, rounded = learning._snapped(nearly_at_most("-1"), (UP_TO_5,))
    assert (bits, rounded.name) == (6, "trained-6-bits")
    assert rounded.encoder.embedding.WE["CLS"]["s"] == Expression("1/64")
    assert learning._unproved(rounded, (UP_TO_5,)) is None
    assert learning._unproved(transformed(nearly_at_most("-1"), ("snap:bits=5",)), (UP_TO_5,)) == (
        "of 4 symbols: wrong on ''"
    )


def test_what_is_wrong_unrounded_is_not_rounded() -> None:
    line = "--snap: trained, of 4 symbols: wrong on '01': so it is unrounded"
    with pytest.raises(InputError, match=re.escape(line)):
        learning._snapped(nearly_at_most("-2"), (UP_TO_5,))


ALL = Predicts("of all lengths", "predicts", given="n >= 2")


def test_of_one_look_what_is_rounded_are_circuits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The head is wrong as it is, and with whole numbers; with one bit behind the point it is right."""
    trained = load("trained-majority")
    assert str(learning._unproved(trained, (ALL,))).startswith("of all lengths: wrong on '0000")
    bits, rounded = learning._snapped(trained, (ALL,), circuits=True)
    assert bits == 1
    assert rounded.network == load("trained-majority-1-bit").network
    monkeypatch.setattr(learning, "BITS_OF_A_SCORE", 1)
    line = "trained-majority is not proved with any number of bits: 0 bits, of all lengths: wrong on '1'"
    with pytest.raises(InputError, match=re.escape(line)):
        learning._snapped(trained, (ALL,), circuits=True)


def test_a_network_that_predicts_is_written(tmp_path: Path) -> None:
    file, curve = tmp_path / "majority.py", "d=2 a=1"
    whole = experiments()["fraknoi2024-noisy-majority"]
    small = replace(whole, steps=2, words=8, kept=20, test_words=5)
    found = learned(small, Training(1, 1, (curve,)), None, None, file)
    assert found.written is not None
    construction = wp.load(str(file))
    assert construction.language is load("noisy-majority").language
    results = wp.prove(str(file))
    assert [each.theorem for each in results] == ["of 0 to 100 symbols", "of all lengths"]
    assert all(isinstance(each.verdict, Refuted) for each in results)  # after one epoch it knows nothing
    assert "every weight as training left it" in file.read_text()


@pytest.mark.controls
def test_a_trained_network_is_written_with_few_bits(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    found = wp.learn(NAME, seeds=2, epochs=15, curves=[CURVE], output=file, seed=1, snap=True)
    assert found.written is not None
    assert found.written.bits is not None  # how many, rests on how the processor rounds
    assert f"each weight rounded to {found.written.bits} bit" in repr(found)
    assert all(isinstance(each.verdict, Proved) for each in wp.prove(str(file)))


def test_a_language_without_a_construction_is_written_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "dyck2.py"
    wp.learn("steffen2022-dyck2", seeds=1, epochs=1, curves=["n=10"], output=file)
    language = wp.load(str(file)).language
    assert (language.name, language.characterisation) == (DYCK2.name, DYCK2.characterisation)
    assert "from weightproof.constructions.languages.brackets import DYCK2 as language" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("second",), "no experiment is called 'second'; there are: bhattamishra2020-copy, "),
        ((NAME, "--seeds", "0"), "--seeds 0: nothing would be trained; give 1 or more"),
        ((NAME, "--seeds", "99999999999"), "--seeds 99999999999: give 1000 at most"),
        ((NAME, "--epochs", "-1"), "--epochs -1: nothing would be trained"),
        ((NAME, "--epochs", "1001"), "--epochs 1001: chiang2022-first has 1000; give so many at most"),
        ((NAME, "--curve", "n=11"), "--curve n=11: chiang2022-first has no such curve; there are: n=10, "),
        ((NAME, "--device", "abacus"), "abacus"),
        ((NAME, "--device", "cuda:7"), "cuda:7"),
        ((NAME, "--seed", "0"), "--seed 0 says whose network is written; give --output FILE.py, too"),
        ((NAME, "--snap"), "--snap says how a network is written; give --output FILE.py, too"),
        (("--snap",), "--snap: name an experiment; weightproof learn lists them"),
        (
            ("bhattamishra2020-copy", "-o", "net.py"),
            "-o net.py: networks of bhattamishra2020-copy take in the tokens that they say, for which a construction",
        ),
        ((NAME, "-o", "net.txt"), "-o net.txt: the construction is written as Python; name a FILE.py"),
        ((NAME, "-o", __file__), "the file is there already"),
        ((NAME, "-o", "net.py", "--seeds", "2", "--seed", "2"), "--seed 2: seeds are 0 to 1; name one of them"),
        (("--seeds", "2"), "--seeds: name an experiment; weightproof learn lists them"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("learn", *arguments)) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    assert line in told.err


SPOILT = {
    "no object": lambda row: 3,
    "has no 'weights'": lambda row: {name: value for name, value in row.items() if name != "weights"},
    "'seed' is -1": lambda row: {**row, "seed": -1},
    "'machine' is 4, of which there are only 1": lambda row: {**row, "machine": 4},
    "base64": lambda row: {**row, "weights": "é"},
    "moments of them": lambda row: {**row, "weights": row["weights"][: 4 * 400]},
    "weights, where its network has": lambda row: {**row, "weights": "", "moments": ""},
    "a point that has no 'accuracy'": lambda row: {**row, "points": [{"epoch": 1}]},
}


def test_a_file_that_was_spoilt_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    how = Training(1, 1, (CURVE,))
    learned(NAME, how, file)
    whole = json.loads(file.read_text())
    for line, spoil in SPOILT.items():
        file.write_text(json.dumps({**whole, "rows": [spoil(whole["rows"][0])]}))
        with pytest.raises(InputError, match=line):
            learned(NAME, how, file)
    file.write_text(json.dumps({**whole, "rows": [{**whole["rows"][0], "moments": None}]}))
    with pytest.raises(InputError, match="no moments to go on from"):
        learned(NAME, Training(1, 2, (CURVE,)), file)
    file.write_text("[]")
    with pytest.raises(InputError, match="no results of `learn`"):
        learned(NAME, how, file)


def test_what_was_trained_otherwise_is_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.json"
    learned(NAME, Training(1, 1, (CURVE,)), file)
    whole = json.loads(file.read_text())
    row = {**whole["rows"][0], "sha256": "0" * 64}
    file.write_text(json.dumps({**whole, "rows": [row]}))
    learned(NAME, Training(1, 1, (CURVE,)), file)
    assert len(json.loads(file.read_text())["rows"]) == 2


def test_what_is_observed_agrees_or_not() -> None:
    said = Said("section 5", "it is learned", ("a",), "median", "accuracy", ">=", 0.9)
    assert [Observed(said, "a", 3, here).agrees for here in (0.9, 0.89, None)] == [True, False, None]
    assert Spread.of([1.0, 2.0, 3.0, 4.0, 5.0]) == Spread(3, 3, 2, 4)
    assert Spread.of([7.0]) == Spread(7, 7, 7, 7)


def test_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    told = capsys.readouterr().out
    assert NAME in told
    assert "figure 4" in told
    assert "table 1" in told
    assert "cannot be had here" in told


def test_pieces_have_seeds_that_have_reached_the_same(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    learned(NAME, Training(1, 1, (CURVE,)), file)
    experiment = learning.named_experiment(NAME)
    wanted = [(experiment.curve(CURVE), seed) for seed in range(4)]
    pieces = learning._pieces(experiment, wanted, taken_up(file), 2, 2)
    assert [[*piece.states] for piece in pieces] == [[0], [1, 2], [3]]


def test_cells_of_a_table_are_read_of_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("learn", "bhattamishra2020-counting", "--seeds", "2", "--epochs", "1", "--curve", "no dec-enc residual")
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "20 steps on 101 pairs" in told
    assert "in print: the mean BLEU" in told
    assert main((*asked, "--json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert faults("learn", data) == []
    [curve] = data["curves"]
    assert (curve["printed"], curve["points"][-1]["BLEU"]["mean"]) == (0, 0)
    assert curve["points"][-1]["most distinct"]["mean"] == 1

"""The JSON of every command is what its schema says, and what is no such document is refused.

What the commands of all other tests write is held against the schemas, too (`tests/conftest.py`).
"""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from jsonschema import Draft202012Validator
from safetensors.torch import save_file
from typer.main import get_command

import weightproof as wp
from tests.constructions.crasp.languages import path_of
from tests.support.places import ROOT
from tests.support.schemas import COMMANDS, FILES, SHARED, Place, described, faults, is_valid
from tests.weightproof.imports.published import PUBLISHED
from tests.weightproof.imports.test_files import said
from tests.weightproof.subjects.test_contract import DECODER
from weightproof.cli import app, main
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.measuring.kept import BESIDE, ENCODER, LAWS, MACHINE, PREDICTING, RECORDED, SIMULATED, columns
from weightproof.measuring.replaying import VERDICTS as REPLAYED
from weightproof.numeric.model.transformer import IMPLEMENTATIONS
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.proofs.claims.judging import VERDICTS
from weightproof.proofs.verdict import NOWHERE, Evidence, Verdict
from weightproof.reports import proving
from weightproof.reports.proving import Outcome
from weightproof.subjects.registry import Given, subject_of


def test_every_command_that_writes_json_has_a_schema_and_nothing_else_has_one() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    writing = {name for name, command in commands.items() if any("--json" in each.opts for each in command.params)}
    assert writing == COMMANDS
    for schema in FILES.values():
        Draft202012Validator.check_schema(schema)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object of a schema."""
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts(part)


@pytest.mark.parametrize("file", FILES)
def test_every_key_that_is_promised_is_described_in_a_sentence(file: str) -> None:
    for part in parts(FILES[file]):
        known = part.get("properties", {})
        if "required" in part and isinstance(part["required"], list):
            assert set(part["required"]) <= known.keys()
            for name, said in known.items():
                sentence = said["description"]
                assert sentence[0].isupper(), name
                assert ". " not in sentence, name
                assert sentence.endswith("."), name


DOCUMENTS = """
list
doctor
show one
show FILE
show increment
show full-adder
show circuit-by-decoder
show modular-addition
show parity-feed-forward
show parity-feed-forward --param n=2
run one 01 --dtype float32 --trace
run parity 1{20001} --dtype float32
run noisy-majority 1 --dtype float32 --trace
run FILE ab --dtype float32
run increment 1
run rnn-by-directional a
run full-adder 110
run circuit-by-decoder-as-printed 1 --param circuit=NOT(1)
run modular-addition '3 5' --param p=7 --dtype float32 --trace
run parity-feed-forward 101 --dtype float32
derive one FILE
derive rnn-by-directional
derive circuit-by-decoder
derive modular-addition
derive parity-feed-forward
claims nowak2022-formulas
claims chiang2022-feed-forward
prove full-adder --smt FOLDER
prove parity-feed-forward
prove FILE
precision parity-feed-forward --dtype float16 --max-length 20
precision rnn-by-directional --dtype float16 --max-length 5
export one --to edges -o FOLDER
repair one --kind sign
ablate first-one-layer --part head
threshold one
learn
learn chiang2022-first --curve n=10 --seeds 2 --epochs 1
compile PROGRAM
compile PROGRAM -o COMPILED
show PROGRAM
"""
"""Command lines whose documents are made in no time; FILE has a decoder, PROGRAM brackets."""


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("line", DOCUMENTS.strip().splitlines())
def test_a_document_is_what_its_schema_says_and_none_with_a_mistake_is(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bigram.py"
    path.write_text(DECODER)
    places = {"FILE": str(path), "FOLDER": str(tmp_path / "folder"), "COMPILED": str(tmp_path / "compiled.py")}
    places["PROGRAM"] = str(path_of("dyck1"))
    command, *others = (places.get(word, word) for word in shlex.split(line))
    hold(command, document(capsys, command, *others))


def test_what_is_imported_has_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = PUBLISHED["chiang-parity"].module(torch.float32)
    weights = tmp_path / "parity.safetensors"
    save_file({**module.state_dict(), "E": module.word_embedding}, weights)
    hold("import", document(capsys, *said(weights, tmp_path / "parity.py", "--recognise")))


def test_what_is_checked_has_a_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, theorem = tmp_path / "adder.py", "adder, adds = adders.adder(1), adders.adds(1)"
    path.write_text(f"from tests.proofs.covering import adders\n{theorem}\nconstruction, theorems = adder, (adds,)\n")
    proved = document(capsys, "prove", str(path), "--covering", str(tmp_path))
    hold("prove", proved)
    hold("check", document(capsys, "check", str(path), proved["theorems"][0]["certificate"]["file"]))


@pytest.mark.parametrize("given", [every_rnn(1, 1, 1), "components", "regular:0*1"], ids=str)
def test_what_takes_long_is_proved_in_part(given: Given) -> None:
    result = next(subject_of(given).statements().results(60, NOWHERE))
    hold("prove", proving.as_data([Outcome(result.construction, True, result)]))


def test_a_recurrent_network_is_derived_in_python() -> None:
    hold("derive", wp.derive(every_rnn(1, 1, 1)).data)


@pytest.mark.parametrize(
    "file", sorted((ROOT / "benchmarks" / "results").glob("precision-*.json")), ids=lambda p: p.stem
)
def test_results_that_are_kept_are_what_the_schema_says(file: Path) -> None:
    hold("precision", json.loads(file.read_text(encoding="utf-8")))


def test_what_is_replayed_has_a_schema() -> None:
    file = ROOT / "benchmarks" / "results" / "precision-predicting-cpu.json"
    hold("precision", wp.replay(file, max_length=2).data)


def hold(command: str, data: Any) -> None:
    """The schema takes the document, and none that has one mistake: a promised key less, a misspelt choice, a number in
    the place of a text, or a text in that of a number."""
    whole = json.loads(json.dumps(data))
    assert faults(command, whole) == []
    short = shortened(whole)
    found = list(mistakes(command, short))
    assert found
    assert [what for what, spoilt in found if is_valid(command, spoilt)] == []


def shortened(value: Any) -> Any:
    """What stands for the document: of each list the first two entries."""
    if isinstance(value, dict):
        return {name: shortened(inner) for name, inner in value.items()}
    return [shortened(inner) for inner in value[:2]] if isinstance(value, list) else value


OTHERS: dict[type, Any] = {str: 1, bool: "true", int: "1", float: "1", dict: [], list: {}}
"""What stands in the place of a value, by its type."""


def mistakes(command: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """One of each kind for each part of the schema, where it is met first."""
    for at, said_of in {id(said_of): (at, said_of) for at, said_of in reversed([*described(command, whole)])}.values():
        value = found_at(whole, at)
        if isinstance(value, dict):
            for name in said_of.get("required", ()):
                yield f"{at} without {name}", put(whole, at, {key: value[key] for key in value if key != name})
        if "enum" in said_of and isinstance(value, str):
            yield f"{at} misspelt", put(whole, at, f"{value}s")
        if "type" in said_of and value is not None:
            yield f"{at} of another type", put(whole, at, OTHERS[type(value)])


def found_at(whole: Any, at: Place) -> Any:
    for key in at:
        whole = whole[key]
    return whole


def put(whole: Any, at: Place, value: Any) -> Any:
    """A document with another value in a place."""
    if not at:
        return value
    changed = copy.copy(whole)
    changed[at[0]] = put(whole[at[0]], at[1:], value)
    return changed


def test_a_verdict_goes_with_what_it_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    proved = document(capsys, "prove", "full-adder")["theorems"][0]
    for wrong in (
        {"verdict": "refuted"},
        {"verdict": "unknown"},
        {"scope": None},
        {"evidence": None},
        {"reason": "no time"},
        {"obligations": {"certificates": 1}},
    ):
        assert faults("prove", {"theorems": [proved | wrong], "complete": True}), wrong


def test_the_choices_are_those_of_the_program() -> None:
    theorem, claim = FILES["prove"]["$defs"]["theorem"], FILES["claims"]["properties"]["claims"]["items"]
    assert FILES[SHARED]["$defs"]["evidence"]["enum"] == list(Evidence)
    verdicts = [next(each.default for each in fields(kind) if each.name == "name") for kind in get_args(Verdict)]
    assert theorem["properties"]["verdict"]["enum"] == verdicts
    assert claim["properties"]["verdict"]["enum"] == [*VERDICTS]


def test_a_row_is_promised_what_a_file_of_rows_is_asked_for() -> None:
    kinds = FILES["precision"]["$defs"]
    assert set(kinds["row"]["required"]) == columns(tuple(FORMATS), IMPLEMENTATIONS).keys()
    assert kinds["row"]["properties"]["dtype"]["enum"] == [*FORMATS]
    assert kinds["row"]["properties"]["attention"]["enum"] == list(IMPLEMENTATIONS)
    for kind, column in {"logit": ENCODER, "steps": SIMULATED, "token": PREDICTING}.items():
        assert BESIDE[column].keys() <= set(kinds[kind]["required"])
    assert MACHINE.keys() <= set(kinds["machine"]["required"])
    assert RECORDED.keys() <= kinds["machine"]["properties"].keys()
    assert kinds["replayed"]["properties"]["counts"]["required"] == list(REPLAYED)
    assert set(kinds["measured"]["properties"]["laws"]["items"]["required"]) == LAWS.keys()

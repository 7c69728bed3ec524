"""Every command and every kind of subject: it works, or is refused in one line, on a command line and in Python."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import weightproof as wp
from tests.support.places import ROOT
from weightproof import kinds
from weightproof.cli import main
from weightproof.constructions.library import simulation_of
from weightproof.constructions.machines.rnn import every_rnn
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import KINDS, VERBS, Kind, Measuring, Request, Running, Showing
from weightproof.numeric.machines.reading import reader
from weightproof.subjects.registry import Given, subject_of
from weightproof.subjects.subject import Subject

DECODER = """
from weightproof import *
construction = Construction("bigram", "t", "s", Language("ALL", ("a", "b"), lambda w: True, "n >= 1"), Decoder(
    coordinates=("[a]", "[b]"), embedding=Embedding(WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {}}),
    layers=(Layer(),), begin="C",
    readout=Readout(Linear({"a": {"[b]": 1}, "b": {"[a]": 1}}), position="last", accept="argmax"),
))
"""
EXAMPLES: dict[str, tuple[str, str]] = {
    kinds.ENCODER.noun: ("one", "01"),
    kinds.PREDICTOR.noun: ("noisy-majority", "1"),
    kinds.MACHINE.noun: ("increment", "1"),
    kinds.SIMULATORS.noun: ("rnn-by-directional", "a"),
    kinds.COMPONENTS.noun: ("components", ""),
    kinds.FORMULAS.noun: ("nowak2022-formulas", ""),
    kinds.CIRCUIT.noun: ("full-adder", "110"),
    kinds.REGULAR.noun: ("regular:0*1", "01"),
    kinds.CIRCUITS.noun: ("circuit-by-decoder", "1"),
    kinds.ADDER.noun: ("modular-addition", "3 5"),
    kinds.COUNTER.noun: ("parity-feed-forward", "101"),
}
"""An example of each kind that has a name, and a word for it."""
GIVEN = {kinds.CIRCUITS.noun: ("circuit=NOT(1)",), kinds.ADDER.noun: ("p=7",)}
PYTHON: dict[str, Callable[[Any], Any]] = {
    "show": wp.show,
    "run": lambda given: wp.run(given, ""),
    "prove": wp.prove,
    "derive": wp.derive,
    "claims": wp.claims,
    "precision": wp.precision,
    "export": lambda given: wp.export(given, "edges", "nowhere"),
    "repair": wp.repair,
    "ablate": wp.ablate,
}
MORE = {"run": ("",), "export": ("--to", "edges", "-o", "nowhere")}
"""What a command line cannot do without."""
HOOKS = {"show": "_show", "run": "_run", "prove": "_statements", "derive": "_derivation", "claims": "_judged"}
REQUESTS: dict[str, type[Request]] = {"show": Showing, "run": Running, "precision": Measuring}


def example(kind: Kind, folder: Path) -> Given:
    if kind is kinds.RECURRENT:
        return every_rnn(1, 1, 1)
    if kind is kinds.ENCODER_DECODER:
        network = simulation_of("rnn-by-directional", reader()).network
        return Construction("x", "x", "none", wp.Language("a", ("a", "b"), lambda word: True, "0 == 0"), network)
    if kind is kinds.DECODER:
        path = folder / "bigram.py"
        path.write_text(DECODER)
        return str(path)
    return EXAMPLES[kind.noun][0]


EVERY = pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.noun) for kind in KINDS])


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    return captured.err.removeprefix("weightproof: ").rstrip()


@EVERY
def test_what_a_kind_takes_is_written_for_it_and_nothing_else_is_taken(
    kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = example(kind, tmp_path)
    subject = subject_of(given)
    assert subject.kind is kind
    for verb in VERBS:
        if verb in kind.takes:
            hook = HOOKS.get(verb)
            if verb == "claims" and subject._without_claims is not None:  # it says where there are some
                continue
            assert hook is None or getattr(type(subject), hook) is not getattr(Subject, hook), verb
            continue
        with pytest.raises(InputError) as error:
            PYTHON[verb](given)
        assert str(error.value).startswith(f"{subject.argument} is {kind.noun}; {verb} takes: ")
        if isinstance(given, str):
            assert complaint(capsys, verb, given, *MORE.get(verb, ())) == str(error.value)


@EVERY
def test_every_other_option_is_refused_by_its_name(
    kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, values = example(kind, tmp_path), {"--trace": (), "--steps": (), "--dense": (), "--param": ("x=1",)}
    for verb, request in REQUESTS.items():
        if verb not in kind.takes or not isinstance(given, str):
            continue
        for option in (kinds.option(each.name) for each in fields(request)):
            if option not in kind.takes[verb]:
                said = complaint(capsys, verb, given, *MORE.get(verb, ()), option, *values.get(option, ("1",)))
                assert option in said.partition("; it takes")[0]
                assert said.startswith(f"{given} is {kind.noun}, of which {verb} takes no")


@pytest.mark.parametrize("noun", EXAMPLES)
@pytest.mark.parametrize("verb", ["show", "run"])
def test_python_returns_what_the_command_prints(verb: str, noun: str, capsys: pytest.CaptureFixture[str]) -> None:
    [kind] = [each for each in KINDS if each.noun == noun]
    name, word = EXAMPLES[noun]
    if verb not in kind.takes:
        return
    pairs = GIVEN.get(noun, ()) if verb == "run" else ()
    words, parameters = (word,) if verb == "run" else (), dict(pair.split("=") for pair in pairs)
    found = wp.run(name, word, **parameters) if verb == "run" else wp.show(name)
    options = [part for pair in pairs for part in ("--param", pair)]
    assert main([verb, name, *words, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.data))
    assert main([verb, name, *words, *options]) == 0
    assert capsys.readouterr().out.rstrip() == str(found)


def test_every_verb_is_a_command_and_every_option_of_the_table_is_one_of_it() -> None:
    from typer.main import get_command

    from weightproof.cli import app

    commands = get_command(app).commands  # type: ignore[attr-defined]
    for verb in VERBS:
        known = {option for parameter in commands[verb].params for option in parameter.opts}
        assert {option for kind in KINDS for option in kind.takes.get(verb, ())} <= known


def test_the_page_has_the_table() -> None:
    """Where it does not, the table that it should have is what is compared."""
    rows = [["what is named", *VERBS], ["---"] * (len(VERBS) + 1)]
    rows += [[kind.plural, *("yes" if verb in kind.takes else "" for verb in VERBS)] for kind in KINDS]
    table = "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in rows)
    assert table in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

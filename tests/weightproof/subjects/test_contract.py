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
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import KINDS, VERBS, Kind, Measuring, Request, Running, Showing
from weightproof.numeric.simulation.reading import reader
from weightproof.subjects.registry import Given, everything, options_of_each, subject_of
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
    "threshold": wp.threshold,
}
MORE = {"run": ("",), "export": ("--to", "edges", "-o", "nowhere")}
"""What a command line cannot do without."""
HOOKS = {
    "show": ("_show",),
    "run": ("_run",),
    "prove": ("_theorems", "_said", "_settled"),
    "derive": ("_explained",),
    "claims": ("_to_judge", "_without_claims"),  # it judges, or says where there is something to judge
    "precision": ("_searches",),
}
"""What is written for a kind that takes a verb: one of these. The other verbs take its construction."""
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
            hooks = HOOKS.get(verb, ("source",))
            assert any(getattr(type(subject), hook) is not getattr(Subject, hook) for hook in hooks), verb
            continue
        with pytest.raises(InputError) as error:
            PYTHON[verb](given)
        assert str(error.value).startswith(f"{subject.argument} is {kind.noun}; {verb} takes: ")
        if isinstance(given, str):
            assert complaint(capsys, verb, given, *MORE.get(verb, ())) == str(error.value)


VALUES: dict[str, Any] = {
    "parameters": {"x": "1"},
    "picture": Path("x.svg"),
    "tolerance": 1.0,
    "positions": (1,),
    "max_steps": 1,
    "max_length": 1,
}
"""Of the options that are no flags and no lists of names."""
FLAGS = ("trace", "steps", "dense", "law", "exact")
STRANGE = [
    pytest.param(kind, verb, each.name, id=f"{kind.noun}, {verb}, {each.name}")
    for kind in KINDS
    for verb, request in REQUESTS.items()
    if verb in kind.takes
    for each in fields(request)
    if kinds.option(each.name) not in kind.takes[verb]
]


@pytest.mark.parametrize(("kind", "verb", "name"), STRANGE)
def test_every_other_option_is_refused_by_its_name(
    kind: Kind, verb: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, option = example(kind, tmp_path), kinds.option(name)
    subject = subject_of(given)
    value = True if name in FLAGS else VALUES.get(name, ("1",))
    how: Any = REQUESTS[verb](**{name: value})
    ask = {"show": subject.show, "run": lambda how: subject.run("", how), "precision": subject.searches}[verb]
    with pytest.raises(InputError) as error:
        ask(how)
    assert str(error.value).startswith(f"{subject.argument} is {kind.noun}, of which {verb} takes no {option}; ")
    if isinstance(given, str):
        words = () if name in FLAGS else ("x=1",) if name == "parameters" else ("1",)
        assert complaint(capsys, verb, given, *MORE.get(verb, ()), option, *words) == str(error.value)


RUN = [(verb, kind.noun) for verb in ("show", "run") for kind in KINDS if kind.noun in EXAMPLES and verb in kind.takes]


@pytest.mark.parametrize(("verb", "noun"), RUN)
def test_python_returns_what_the_command_prints(verb: str, noun: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, word = EXAMPLES[noun]
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


@pytest.mark.parametrize("verb", ["prove", "derive", "precision"])
def test_all_is_of_every_kind_that_takes_the_verb(verb: str) -> None:
    """No regular language is built in, and some networks are made in Python alone."""
    built_in = {kind.noun for kind in KINDS if verb in kind.takes} & set(EXAMPLES) - {kinds.REGULAR.noun}
    assert {subject.kind.noun for subject in everything(verb)} == built_in


def test_of_several_each_takes_the_options_that_it_has() -> None:
    subjects = [subject_of(name) for name in ("one", "increment", "noisy-majority", "parity-feed-forward")]
    how = Measuring(parameters={"N": "5"}, attentions=("explicit", "fused"), max_length=9, tolerance=0.5)
    of_each = [each for _, each in options_of_each(subjects, how)]
    assert [each.max_length for each in of_each] == [9] * 4
    assert [each.tolerance for each in of_each] == [0.5, None, None, None]
    assert [each.attentions for each in of_each] == [how.attentions, ("explicit",), how.attentions, ()]
    assert [each.parameters for each in of_each] == [{}, {}, {"N": "5"}, {}]
    with pytest.raises(InputError, match="none of these takes --tolerance"):
        options_of_each(subjects[1:], how)
    with pytest.raises(InputError, match="takes no --param, --tolerance"):
        subjects[1].searches(how)

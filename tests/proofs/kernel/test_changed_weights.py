"""A proof is about the weights: with another weight in the table, and in the table alone, no proof compiles, or what it
says is true of the changed network, too."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import exact
from weightproof.proofs.changes import CHANGES, weights
from weightproof.proofs.kernel import weights as kernel_weights
from weightproof.proofs.kernel.development import LIBRARY, Development, development
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides, theorems_of
from weightproof.proofs.verdict import Proved

pytestmark = [
    pytest.mark.controls,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed"),
]
NETWORKS = {"one": 1, "first": 1, "first-one-layer": 1, "dyck1": 6, "parity": 5}
"""Each of them with how many weights there are to one that is changed: all are in a quarter of an hour."""
CHANGE = CHANGES["plus 1"]


def recognised(name: str) -> Decides:
    """The first theorem that says which words are accepted."""
    return next(each for each in theorems_of(name) if isinstance(each, Decides) and each.expected == "proved")


def failure(folder: Path, name: str, text: str) -> str | None:
    """Coq's error, if the file does not compile."""
    (folder / name).write_text(text, encoding="utf-8")
    command = ["coqc", "-Q", ".", "Weightproof", name]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    return None if run.returncode == 0 else run.stderr


def failing(folder: Path, files: Mapping[str, str]) -> tuple[str, str] | None:
    """The first file that does not compile, and why."""
    for name, text in files.items():
        if name.removesuffix(".v") not in LIBRARY and (error := failure(folder, name, text)) is not None:
            return name, error
    return None


def changed() -> dict[tuple[str, str], Construction]:
    """By the name of a construction and the place of a nonzero weight, the construction with that weight changed."""
    return {
        (name, place): replace(construction, network=rebuild(exact(CHANGE.format(w=weight))))
        for name, step in NETWORKS.items()
        for construction in (load(name),)
        for place, weight, rebuild in list(weights(construction.encoder))[::step]
    }


CHANGED = changed()


@cache
def original(name: str) -> Development:
    return development(load(name), recognised(name))


@pytest.mark.parametrize(("name", "place"), list(CHANGED))
def test_no_proof_compiles_with_another_weight_in_the_table(name: str, place: str, library: Path) -> None:
    """Or what it says is proved of the changed network, too."""
    network, theorem, files = CHANGED[name, place], recognised(name), original(name).files
    table = next(file for file in files if file.startswith("Weights_"))
    text = kernel_weights.weights(network)
    assert text != files[table]
    found = failing(library, {**files, table: text})
    if found is None:
        [result] = prove(network, [theorem])
        assert isinstance(result.verdict, Proved), "Coq proves what is not proved"
        return
    file, error = found
    assert file.startswith(("Forms_", "Proof_")), f"{file}: {error}"
    assert "Error" in error


def test_the_weights_are_those_of_five_networks() -> None:
    assert {name for name, _ in CHANGED} == set(NETWORKS)
    assert len(CHANGED) > 40


def test_the_proof_itself_compiles(library: Path) -> None:
    """What fails above is not the folder; those of the others are compiled by `make kernel`."""
    assert failing(library, original("one").files) is None


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Rules.v", "mean count by_weight values = N / Z.", "mean count by_weight values = Z / N."),
        ("Rules.v", "sum e f = F (Z.of_nat e).", "sum e f = F (Z.of_nat b)."),
        ("Rules.v", "sum_over lo hi f = sum_over lo (hi - 1) f + f hi.", "sum_over lo hi f = sum_over lo (hi - 1) f."),
        ("Rules.v", "Lemma relu_below x : x <= 0 -> relu x = 0.", "Lemma relu_below x : x <= 1 -> relu x = 0."),
        ("Words.v", "prefix alphabet tokens a p = count alphabet tokens a.", "prefix alphabet tokens a p = 0."),
        ("Waves.v", "cos (PI * x) = - cos (PI * (1 - x)).", "cos (PI * x) = cos (PI * (1 - x))."),
    ],
)  # fmt: skip
def test_a_mistake_in_a_rule_does_not_compile(file: str, old: str, new: str, library: Path, tmp_path: Path) -> None:
    text = original("one").files[file]
    assert old in text
    shutil.copytree(library, tmp_path / "changed")
    assert failure(tmp_path / "changed", file, text.replace(old, new, 1)) is not None


def test_a_statement_that_says_nothing_is_noticed(library: Path) -> None:
    files = original("one").files
    [statement] = [name for name in files if name.startswith("Statement_")]
    text = files[statement]
    trivial = re.sub(r"accepts_above_0 network \(marked w\) <-> in_language w", "in_language w <-> in_language w", text)
    assert trivial != text
    found = failing(library, {**files, statement: trivial})
    assert found is not None
    assert found[0].startswith("Proof_")

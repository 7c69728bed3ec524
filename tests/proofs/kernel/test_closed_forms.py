"""Closed forms in Coq: what is written compiles, and no changed weight, value or witness does."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.library import load, load_file
from weightproof.proofs.kernel.closed_forms import closed_forms
from weightproof.proofs.kernel.weights import weights
from weightproof.symbolic.algebra.iverson import Iverson, substitute
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.forward import derive

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def compiles(folder, name):
    command = ["coqc", "-Q", str(folder), "Weightproof", str(folder / f"{name}.v")]
    try:
        return subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def derived(example):
    return derive(load_file(EXAMPLES / f"{example}.py").construction)


def holds(library, derivation, change=lambda text: text):
    (library / "Weights_changed.v").write_text(weights(derivation.construction))
    assert compiles(library, "Weights_changed")
    (library / "Forms_changed.v").write_text(change(closed_forms(derivation, "changed")))
    return compiles(library, "Forms_changed")


EASY = (
    *("scores/hard_last", "scores/logarithms", "scores/log_length", "counting/three_by_square", "order/b_after_a"),
    "same_ends",  # the first and the last symbol may be the same one
)


@pytest.mark.parametrize("example", EASY)
def test_what_is_written_compiles(library, example):
    assert holds(library, derived(example))


def test_a_changed_weight_of_hard_attention_does_not_compile(library):
    derivation = derived("scores/hard_last")
    looked = {
        place: replace(each, weights={key: substitute(weight, {j: j + 1}) for key, weight in each.weights.items()})
        for place, each in derivation.looked.items()
    }
    assert not holds(library, replace(derivation, looked=looked))


def test_a_witness_without_a_greater_score_does_not_compile(library):
    def elsewhere(text):
        assert "position_at len (n - 1)%Z" in text
        return text.replace("position_at len (n - 1)%Z", "position_at len 1%Z")

    assert not holds(library, derived("scores/hard_last"), elsewhere)


@pytest.mark.parametrize("example", ["counting/three_by_square", "order/b_after_a"])
def test_a_changed_value_of_a_unit_does_not_compile(library, example):
    derivation = derived(example)
    units = {
        place: {unit: (argument, value + Iverson.constant(1)) for unit, (argument, value) in each.items()}
        for place, each in derivation.units.items()
    }
    assert not holds(library, replace(derivation, units=units))


def test_a_changed_power_of_a_logarithm_does_not_compile(library):
    def changed(text):
        assert "(IZR n) ^ 2 + bracket" in text
        return text.replace("(IZR n) ^ 2 + bracket", "(IZR n) ^ 3 + bracket")

    assert not holds(library, derived("scores/log_length"), changed)


def test_sums_over_falling_powers_and_joined_sums(library):
    """The derivation reflects one sum of palindrome, and joins two in the logit: both equations are checked."""

    derivation = derive(load("palindrome"))
    assert holds(library, derivation)
    assert not holds(library, derivation, lambda text: text.replace("(- 1) * (S3 (n - 2))", "(- 2) * (S3 (n - 2))"))


ROOT = "sqrt (powerRZ (exp c_) (2 * n) + (- 1))"


def test_a_changed_root_does_not_compile(library):
    def changed(text):
        assert ROOT in text
        return text.replace(ROOT, ROOT.replace("2 * n", "n"))

    assert not holds(library, derive(load("palindrome-isometric")), changed)

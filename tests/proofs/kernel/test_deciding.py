"""The last step in Coq: what is written compiles, and no wrong claim does."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.library import load
from weightproof.proofs import kernel
from weightproof.proofs.kernel.deciding import deciding
from weightproof.proofs.theorem import Decides, theorems_of
from weightproof.symbolic.algebra.iverson import Iverson, substitute
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

LIBRARY = ("Transformer", "Words", "Rules", "Signs", "Deciding")

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder with what is shipped, compiled."""
    folder = tmp_path_factory.mktemp("kernel")
    shipped = Path(next(iter(kernel.__path__)))
    for name in LIBRARY:
        shutil.copy(shipped / f"{name}.v", folder)
        assert compiles(folder, name)
    return folder


def compiles(folder, name):
    command = ["coqc", "-Q", str(folder), "Weightproof", str(folder / f"{name}.v")]
    return subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0


def theorem_named(name: str, theorem: str) -> Decides:
    [found] = [each for each in theorems_of(name) if isinstance(each, Decides) and each.name == theorem]
    return found


def holds(library, derivation: Derivation, theorem: Decides) -> bool:
    (library / "Proof.v").write_text(deciding(derivation, theorem))
    return compiles(library, "Proof")


DIRECT = (
    ("parity", "recognises"),
    ("parity", "bounded"),
    ("first", "recognises"),
    ("one", "recognises"),
    ("first-one-layer", "right above log(n-1)"),
    ("first-one-layer", "wrong up to log(n-1)"),
    ("first-one-layer", "where it accepts"),
)


@pytest.mark.parametrize(("name", "theorem"), DIRECT)
def test_what_is_written_compiles(library, name, theorem):
    assert holds(library, derive(load(name)), theorem_named(name, theorem))


WRONG = (
    ("parity", "recognises", "count('1') % 2 == 0"),
    ("parity", "recognises", "count('1') % 2 == 1 or n == 7"),
    ("first", "recognises", "w[2] == '1'"),
    ("first", "recognises", "w[1] != '0'"),
    ("one", "recognises", "count('1') <= 1"),
    ("first-one-layer", "right above log(n-1)", "w[1] == '0'"),
)


@pytest.mark.parametrize(("name", "theorem", "accepts"), WRONG)
def test_another_language_does_not(library, name, theorem, accepts):
    assert not holds(library, derive(load(name)), replace(theorem_named(name, theorem), accepts=accepts))


def test_less_is_not_given(library):
    assert not holds(library, derive(load("first-one-layer")), theorem_named("first-one-layer", "recognises"))


def other_sign(derivation: Derivation) -> Iverson:
    return derivation.logit.scaled(-1)


def one_more(derivation: Derivation) -> Iverson:
    """With one more 1 counted."""
    total = derivation.vocabulary.total("1")
    return substitute(derivation.logit, {total: total + 1})


@pytest.mark.parametrize("name", ["parity", "one"])
@pytest.mark.parametrize("change", [other_sign, one_more])
def test_another_closed_form_does_not(library, name, change):
    derivation = derive(load(name))
    assert not holds(library, replace(derivation, logit=change(derivation)), theorem_named(name, "recognises"))

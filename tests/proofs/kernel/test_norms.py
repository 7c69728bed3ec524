"""Layer normalisation in Coq: what is written goes through, from the weights to the language, and no mistake does."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proofs.kernel.alternating import CONSTRUCTION, MISTAKEN
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.coq import Rejected, check
from weightproof.proofs.kernel.development import Development, development
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.theorem import Decides, stated

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples" / "norms"
SLOW = pytest.mark.controls


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where files are that need not be compiled again."""
    return tmp_path_factory.mktemp("kernel")


def of_example(name: str) -> Development:
    return of_construction(load_file(EXAMPLES / f"{name}.py").construction)


def of_construction(construction: Construction) -> Development:
    [theorem] = [each for each in default_theorems(construction) if isinstance(each, Decides)]
    return development(construction, theorem)


def of_theorem(name: str, theorem: str = "recognises") -> Development:
    construction, theorems = stated()[name]
    [found] = [each for each in theorems if each.name == theorem]
    return development(construction, found)


@pytest.mark.parametrize(
    "name",
    [
        "contains_b_normed",
        pytest.param("sign", marks=SLOW),
        pytest.param("more_a_normed", marks=SLOW),
        pytest.param("first_last_normed", marks=SLOW),
    ],
)
def test_a_network_with_norms_goes_through(folder, name):
    assert check(of_example(name), folder).files


@pytest.mark.controls
@pytest.mark.parametrize(
    ("name", "theorem"),
    [
        ("one+remove-centering+layer-norm", "recognises"),
        ("one+sharpen", "recognises"),
        ("one+sharpen", "rejects where it should accept"),
        ("first+remove-centering+layer-norm", "recognises"),
        ("first+sharpen", "recognises"),
        ("first-one-layer+fix:c=1+scale-attention-by-log-length+remove-centering+layer-norm", "recognises"),
    ],
)
def test_a_theorem_about_norms_goes_through(folder, name, theorem):
    assert check(of_theorem(name, theorem), folder, processor=600).files


@pytest.mark.controls
@pytest.mark.parametrize(
    ("module", "right", "wrong", "refused"),
    [
        ("Weights", "exp eta_ - 1", "exp eta_ - 2", "Forms"),
        ("Forms", "R1_value : R := bracket", "R1_value : R := 1 + bracket", "Forms"),
        ("Statement", "  n >= 2", "  n >= 1", "Proof"),
    ],
)
def test_a_mistake_about_a_norm_without_a_value_does_not_go_through(folder, module, right, wrong, refused):
    """In the weights, in the value that must not be 0, and in which words are spoken of."""
    made = of_theorem("first+sharpen")
    [name] = [each for each in made.files if each.startswith(f"{module}_")]
    assert right in made.files[name]
    changed = made.files[name].replace(right, wrong, 1)
    with pytest.raises(Rejected, match=f"{refused}_first_sharpen"):
        check(replace(made, files={**made.files, name: changed}), folder)


COUNTED = '("1/n", (R1_ / (IZR n)))'
MISTAKES = {
    "another epsilon": ("contains_b_normed", "Weights", "Some (1 / 1000)", "Some (1 / 1001)"),
    "another square": ("contains_b_normed", "Forms", "R1_square : R := ((200 ", "R1_square : R := ((201 "),
    "a scale that is left out": ("contains_b_normed", "Forms", COUNTED, '("1/n", (1 / (IZR n)))'),
    "another scale": ("contains_b_normed", "Forms", COUNTED, '("1/n", (R2_ / (IZR n)))'),
    "a mean that is left out": (
        "more_a_normed",
        "Forms",
        "in (1 / 5)) (let i := Z.of_nat p in 1)",
        "in 0) (let i := Z.of_nat p in 1)",
    ),
}


ADDED = "- 1) * (bracket (j mod 2 =? 0)%Z"


def test_sums_of_powers_are_paired(folder):
    assert check(of_construction(CONSTRUCTION), folder).files


def test_pairs_that_add_something_else_do_not_go_through(folder):
    """Of the sum of powers of e that decides, one summand with the other sign."""
    made = of_construction(CONSTRUCTION)
    name = "Decides_alternating__recognises.v"
    assert ADDED in made.files[name]
    changed = made.files[name].replace(ADDED, ADDED.replace("- 1", "2"), 1)
    with pytest.raises(Rejected, match="Decides_alternating"):
        check(replace(made, files={**made.files, name: changed}), folder)


def test_pairs_of_another_network_are_not_written():
    with pytest.raises(Unwritten, match="paired"):
        of_construction(MISTAKEN)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_does_not_go_through(folder, mistake):
    """In the closed forms and in the weights alike: what was written of the network as it is does not fit."""
    example, module, right, wrong = MISTAKES[mistake]
    made = of_example(example)
    name = f"{module}_{example}.v"
    assert right in made.files[name]
    changed = made.files[name].replace(right, wrong, 1)
    with pytest.raises(Rejected, match=f"Forms_{example}"):
        check(replace(made, files={**made.files, name: changed}), folder)

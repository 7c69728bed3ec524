"""Layer normalisation in Coq: what is written goes through, from the weights to the language, and no mistake does. All
that is stated of built-in networks is checked by `make kernel`, and every example in test_examples.py."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sympy

from tests.proofs.kernel.alternating import CONSTRUCTION, MISTAKEN
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.coq import Rejected, check
from weightproof.proofs.kernel.development import LIBRARY, Development, development, shipped
from weightproof.proofs.kernel.terms import factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.theorem import Decides, stated

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples" / "norms"


def of_example(name: str) -> Development:
    return of_construction(load_file(EXAMPLES / f"{name}.py").construction)


def of_construction(construction: Construction) -> Development:
    [theorem] = [each for each in default_theorems(construction) if isinstance(each, Decides)]
    return development(construction, theorem)


def of_theorem(name: str, theorem: str = "recognises") -> Development:
    construction, theorems = stated()[name]
    [found] = [each for each in theorems if each.name == theorem]
    return development(construction, found)


def test_a_network_with_norms_goes_through(library):
    assert check(of_example("contains_b_normed"), library).files


@pytest.mark.controls
@pytest.mark.parametrize(
    ("module", "right", "wrong", "refused"),
    [
        ("Weights", "exp eta_ - 1", "exp eta_ - 2", "Forms"),
        ("Forms", "R1_value : R := bracket", "R1_value : R := 1 + bracket", "Forms"),
        ("Statement", "  n >= 2", "  n >= 1", "Proof"),
    ],
)
def test_a_mistake_about_a_norm_without_a_value_does_not_go_through(library, module, right, wrong, refused):
    """In the weights, in the value that must not be 0, and in which words are spoken of."""
    made = of_theorem("first+sharpen")
    [name] = [each for each in made.files if each.startswith(f"{module}_")]
    assert right in made.files[name]
    changed = made.files[name].replace(right, wrong, 1)
    with pytest.raises(Rejected, match=f"{refused}_first_sharpen"):
        check(replace(made, files={**made.files, name: changed}), library)


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


def test_sums_of_powers_are_paired(library):
    assert check(of_construction(CONSTRUCTION), library).files


def test_pairs_that_add_something_else_do_not_go_through(library):
    """Of the sum of powers of e that decides, one summand with the other sign."""
    made = of_construction(CONSTRUCTION)
    name = "Decides_alternating__recognises.v"
    assert ADDED in made.files[name]
    changed = made.files[name].replace(ADDED, ADDED.replace("- 1", "2"), 1)
    with pytest.raises(Rejected, match="Decides_alternating"):
        check(replace(made, files={**made.files, name: changed}), library)


def test_pairs_of_another_network_are_not_written():
    with pytest.raises(Unwritten, match="paired"):
        of_construction(MISTAKEN)


PARITY = "parity+remove-centering+layer-norm"


@pytest.mark.controls
def test_parity_with_another_weight_does_not_go_through(library):
    made = of_theorem(PARITY)
    [name] = [name for name in made.files if name.startswith("Weights_parity")]
    right, wrong = '("h2", -2); ("h3", 1)', '("h2", -3); ("h3", 1)'
    assert right in made.files[name]
    changed = made.files[name].replace(right, wrong, 1)
    with pytest.raises(Rejected, match="Forms_parity"):
        check(replace(made, files={**made.files, name: changed}), library)


def test_a_sum_of_squares_of_quotients_is_written_as_such():
    """Each square stays one, over factors that are known to be positive, though its denominator was multiplied out."""
    a, b, n = sympy.symbols("a b n", positive=True)
    of_quotients = (a - b) ** 2 / (a * n + b * n) ** 2 + a**2
    written = factored(2 * n * of_quotients)
    assert written == 2 * n * ((a - b) ** 2 / (n**2 * (a + b) ** 2) + a**2)


TACTICS = """\
From Weightproof Require Import Tactics Norms Statement_trial.
Open Scope R_scope.
Section Trial.
Variables (k n : Z) (s t x : R) (f : Z -> R) (g : Z -> Z -> R).
Hypotheses (positive : 0 < s + t) (other : 0 < x).
Goal 0 < x ^ 2 + bracket (k =? 0)%Z * ((s - t) ^ 2 / (9 * (s * x + t * x) ^ 2)).
Proof. square_positive. Qed.
Goal 0 < bracket (k =? 0)%Z * ((s - t) ^ 2 / (9 * (s * x + t * x) ^ 2)).
Proof. Fail square_positive. Abort.
Goal (k mod 2 = 1 -> (k + 1) mod 2 = 0)%Z. Proof. lia. Qed.
Goal (k mod 2 = 1 -> (k + 1) mod 2 = 1)%Z. Proof. Fail lia. Abort.
Goal f (k + 1 - 1)%Z + g k n + f (k + 2)%Z = f k + g k (n + 0)%Z + f (2 + k)%Z.
Proof. let same _ := ring in unify_places_by same. reflexivity. Qed.
Goal f k + g k n = f (k + 1)%Z + g (k + 1)%Z n.
Proof. let same _ := ring in unify_places_by same. Fail reflexivity. Abort.
End Trial.
Theorem all : Statement_trial.all. Proof. exact I. Qed.
"""


def test_tactics_of_norms(library):
    """Sums of squares are positive if one of them is, residues are seen, and values at the same place are the same."""
    files = {**shipped(LIBRARY), "Statement_trial.v": "Definition all : Prop := True.\n", "Proof_trial.v": TACTICS}
    assert check(Development(files, "Proof_trial.all"), library).files


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_does_not_go_through(library, mistake):
    """In the closed forms and in the weights alike: what was written of the network as it is does not fit."""
    example, module, right, wrong = MISTAKES[mistake]
    made = of_example(example)
    name = f"{module}_{example}.v"
    assert right in made.files[name]
    changed = made.files[name].replace(right, wrong, 1)
    with pytest.raises(Rejected, match=f"Forms_{example}"):
        check(replace(made, files={**made.files, name: changed}), library)

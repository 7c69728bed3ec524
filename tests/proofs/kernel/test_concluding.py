"""From the weights to the theorem, where it is a margin: the whole of it is checked, and says what it should."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.library import load
from weightproof.proofs.kernel.coq import Rejected, check
from weightproof.proofs.kernel.development import development
from weightproof.proofs.theorem import Margin, theorems_of

STATED = """\
Definition margin_accepted_n_2 : Prop :=
  forall w, Forall (fun symbol => In symbol alphabet) w ->
  given w ->
  (in_language w -> output network (marked w) "logit" >= value w)%R /\\
  (0 <= value w)%R /\\
  (exists v, Forall (fun symbol => In symbol alphabet) v /\\ length_of (marked v) = length_of (marked w) /\\
    in_language v /\\ (output network (marked v) "logit" = value w)%R).
"""


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_a_margin_is_a_bound_that_a_word_of_each_length_attains(library: Path) -> None:
    [margin] = [each for each in theorems_of("one") if isinstance(each, Margin) and each.of_accepted]
    written = development(load("one"), margin)
    assert STATED in written.files["Statement_one__margin_accepted_n_2.v"]
    assert check(written, library).axioms
    proof = written.files["Proof_one__margin_accepted_n_2.v"]
    for before, after in (('times ["1"] (1)', 'times ["0"] (1)'), ("(n - 2)", "(n - 3)")):
        assert before in proof
        changed = {**written.files, "Proof_one__margin_accepted_n_2.v": proof.replace(before, after)}
        with pytest.raises(Rejected):
            check(replace(written, files=changed), library)

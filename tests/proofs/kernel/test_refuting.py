"""A statement is refuted in Coq by a word of which it is false, and by no other one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.proofs.kernel.test_coq import with_coq
from tests.support.places import TESTS
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Linear
from weightproof.proofs.expected import as_expected
from weightproof.proofs.kernel.coq import Rejected, check
from weightproof.proofs.kernel.development import Development, shipped
from weightproof.proofs.kernel.refuting import LIBRARY, refutation
from weightproof.proofs.kernel.settling import settled
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import weights
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import AboutLogits, Compares, Decides, Margin, stated
from weightproof.proofs.verdict import Counterexample, Refuted, Unknown

pytestmark = with_coq
MISTAKE = load_file(TESTS / "examples" / "planted_mistake.py").construction
MORE_ONES = load_file(TESTS / "examples" / "more_ones.py").construction
RECOGNISES = Decides("recognises", "its language")


def refuted(construction: Construction, theorem: Decides) -> Counterexample:
    [result] = prove(construction, [theorem])
    assert isinstance(result.verdict, Refuted)
    return result.verdict.counterexample


def refused(library: Path, files: Development) -> str:
    with pytest.raises(Rejected) as error:
        check(files, library)
    return str(error.value)


def the_refuted(name: str, theorem: str) -> tuple[Construction, AboutLogits]:
    construction, theorems = stated()[name]
    [found] = [each for each in theorems if each.name == theorem]
    assert isinstance(found, AboutLogits)
    assert found.expected == "refuted"
    return construction, found


REFUTED = (("first-one-layer", "recognises"), ("parity", "logit, appendix A, n odd, k odd"))
"""Of all that are expected to be refuted; `make kernel` has Coq check each."""


@pytest.mark.parametrize(("name", "theorem"), REFUTED)
def test_what_is_expected_to_be_refuted_is_refuted(name: str, theorem: str, library: Path) -> None:
    found = check(as_expected(*the_refuted(name, theorem)), library)
    assert [each.name.removesuffix(".v") for each in found.files[: len(LIBRARY)]] == [*LIBRARY]
    assert len(found.files) == len(LIBRARY) + 4


def test_a_word_that_is_decided_as_the_theorem_says_refutes_nothing(library: Path) -> None:
    found = refuted(MISTAKE, RECOGNISES)
    check(refutation(MISTAKE, RECOGNISES, found), library)
    for word in ("", "1", "0", "111"):
        told = refused(library, refutation(MISTAKE, RECOGNISES, replace(found, word=word)))
        assert told.startswith("Refutes_planted_mistake__recognises.v, line"), told


@pytest.mark.parametrize(
    ("theorem", "word", "other"),
    [
        (Compares(">", "0"), "011", "111"),
        (Compares(">", "0", where="n >= 1", given="n == 1"), "", "1"),
        (Compares("<=", "1/4", where="count('1') >= 4", given="count('0') == 0"), "1111", "11"),
        (Compares(">", "-1/4", where="count('1') >= count('0')", only=True), "01", "001"),
        (Compares("==", "-1/4", where="n == 1", only=True), "01", ""),
        (Margin("accepted", "1/100"), "011", "111"),
        (Margin("rejected", "1/2"), "", "00"),
        (Margin("rejected", None), "0", "1"),
    ],
)
def test_what_is_said_of_the_logit_is_refuted_by_a_word(
    theorem: Compares | Margin, word: str, other: str, library: Path
) -> None:
    """Where the logit is (number of 1s - number of 0s)/n - 1/4; and not by another word."""
    theorem = replace(theorem, name="claimed")
    found = Counterexample(MISTAKE.name, word, {}, logit="a number")
    check(refutation(MISTAKE, theorem, found), library)
    told = refused(library, refutation(MISTAKE, theorem, replace(found, word=other)))
    assert told.startswith("Refutes_planted_mistake__claimed.v, line")


@pytest.mark.parametrize("other", [{"logit": "undefined"}, {"word": "2"}])
def test_nothing_else_is_said_of_a_word_than_what_is_so(other: dict[str, object], library: Path) -> None:
    found = replace(refuted(MISTAKE, RECOGNISES), **other)
    assert "Refutes_planted_mistake__recognises.v, line" in refused(library, refutation(MISTAKE, RECOGNISES, found))


def test_of_other_weights_the_word_refutes_nothing(library: Path) -> None:
    files = as_expected(MISTAKE, replace(RECOGNISES, expected="refuted"))
    network = MISTAKE.encoder
    right = replace(network, readout=replace(network.readout, W=Linear({"logit": {"s": 1}})))
    other = weights(replace(MISTAKE, network=right))
    assert other != files.files["Weights_planted_mistake.v"]
    told = refused(library, replace(files, files={**files.files, "Weights_planted_mistake.v": other}))
    assert told.startswith("Refutes_planted_mistake__recognises.v, line")


def test_the_word_and_the_values_are_such_as_the_theorem_speaks_of(library: Path) -> None:
    """The word does refute what speaks of more."""
    printed, theorem = the_refuted("palindrome-as-printed", "recognises")
    found = replace(refuted(printed, theorem), parameters={"c": "log(3/2)"})
    assert "specialize" not in refused(library, refutation(printed, theorem, found))
    check(refutation(printed, replace(theorem, given="n >= 1"), found), library)
    short = replace(theorem, given="n <= 3")
    assert "line" in refused(library, refutation(printed, short, found))
    negative = replace(found, parameters={"c": "-1"})
    with pytest.raises(Exception, match="c"):
        refutation(printed, theorem, negative)


def test_a_logit_of_0_refutes_a_strict_theorem(library: Path) -> None:
    strict = replace(RECOGNISES, strict=True)
    found = refuted(MORE_ONES, strict)
    check(refutation(MORE_ONES, strict, found), library)
    assert "line" in refused(library, refutation(MORE_ONES, strict, replace(found, word="1")))


def test_what_is_not_settled_or_too_long_is_not_written() -> None:
    with pytest.raises(Unwritten, match="neither proved nor refuted"):
        settled(MISTAKE, RECOGNISES, Unknown("no rule"))
    with pytest.raises(Unwritten, match="too long"):
        settled(MISTAKE, RECOGNISES, Refuted(Counterexample("planted-mistake", "1{1000000}", {}, symbols=1_000_000)))


PREAMBLE = """\
Require Import Reals ZArith List String.
From Weightproof Require Import Languages Refuting.
From Weightproof Require Statement_formulas.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
Definition alphabet := ["0"; "1"].
Definition tokens := ["CLS"; "0"; "1"; "1"; "EOS"].
"""
TRUE = (
    'occurrences "1" tokens = 2 /\\ 3 mod 2 = 1',
    '~ (occurrences "0" tokens > 1)',
    "symbol_at alphabet tokens 2 = symbol_at alphabet tokens 3",
    'symbol_at alphabet tokens 0 <> "CLS"',
    "forall j, is_position alphabet tokens j -> 1 <= j <= 3",
    "~ (forall j, is_index tokens j -> 1 <= j)",
    'exists j, is_position alphabet tokens j /\\ (symbol_at alphabet tokens j = "0" /\\ j < 2)',
    '~ (exists j, is_position alphabet tokens j /\\ symbol_at alphabet tokens j = "CLS")',
    "exists j, is_index tokens j /\\ ~ is_position alphabet tokens j",
    "forall j, is_position alphabet tokens j -> exists j', is_position alphabet tokens j' /\\ "
    "(j' < j \\/ symbol_at alphabet tokens j' = \"1\")",
    "(ln 2 < 7 / 10)%R \\/ 1 = 2",
    "~ (exp (ln 2) > 2)%R",
    "(exp 1 <> 3)%R",
    '(IZR (occurrences "1" tokens) >= sqrt 4)%R',
    "(exp (2 * ln ((1 + sqrt 5) / 2)) = (3 + sqrt 5) / 2)%R",
    "(exp (- ln (1 / 2 + sqrt 5 / 2)) <= (sqrt 5 - 1) / 2)%R",
    "(ln (1 + sqrt 2) < 9 / 10)%R",
    "(sqrt (1 + exp 1) < 2)%R",
    "(ln (1 + exp 1) / sqrt (1 + exp 1) > 6 / 10)%R",
    "(1 / (sqrt (exp 1) - 2) < - 2)%R",
)


def test_formulas_are_decided_by_computing(library: Path) -> None:
    """And none whose negation is."""
    goals = (
        f"Goal {each}. Proof. by_formula. Qed.\nGoal ~ ({each}). Proof. Fail by_formula. Abort.\n" for each in TRUE
    )
    proof = f"{PREAMBLE}{''.join(goals)}Theorem all : Statement_formulas.all.\nProof. exact I. Qed.\n"
    files = {**shipped(LIBRARY), "Statement_formulas.v": "Definition all : Prop := True.\n", "Proof_formulas.v": proof}
    check(Development(files, "Proof_formulas.all"), library)

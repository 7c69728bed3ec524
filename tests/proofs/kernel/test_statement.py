"""Statements in Coq say of every word what the data says, and languages are what they are called."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Embedding, Encoder, Layer, LayerNorm, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.kernel.formulas import OfIntegers, OfTokens, proposition
from weightproof.proofs.kernel.plain import PLAIN
from weightproof.proofs.kernel.statement import (
    OF_WORD,
    Part,
    definition,
    identifier,
    language,
    module_of,
    of_integers,
    on_integers,
    plain_theorem,
    statement,
)
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import texts, weights
from weightproof.proofs.theorem import Decides, theorems_of

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
SHIPPED = ("Transformer", "Words", "Languages", "Plain")
RECOGNISES = Decides("recognises", "accepts the words of the language")
MARKERS = ((None, None), ("CLS", None), (None, "EOS"), ("CLS", "EOS"))
WORDS = ["".join(word) for length in range(5) for word in itertools.product("01", repeat=length)]
Compile = Callable[..., str]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> Path:
    """The shipped definitions that a statement rests on, and nothing else."""
    folder = tmp_path_factory.mktemp("library")
    for name in SHIPPED:
        shutil.copy(compiled / f"{name}.vo", folder)
    return folder


def told(folder: Path, name: str, text: str | None = None) -> str:
    """What Coq says of a file: nothing, if it is right."""
    if text is not None:
        (folder / f"{name}.v").write_text(text, encoding="utf-8")
    run = subprocess.run(
        ["coqc", "-q", "-Q", ".", "Weightproof", f"{name}.v"], cwd=folder, capture_output=True, text=True
    )
    assert (run.returncode == 0) == (run.stderr == ""), run.stderr
    return run.stderr


def tried(
    formula: str = "count('1') % 2 == 1",
    begin: str | None = "CLS",
    end: str | None = None,
    parameters: tuple[Parameter, ...] = (),
    norm: LayerNorm | None = None,
    accept: str = "logit > 0",
) -> Construction:
    """A network of one coordinate, that is said to recognise a language; a formula may say more of its words than a
    language of a construction can be tested for."""
    tokens = ("0", "1", *(marker for marker in (begin, end) if marker is not None))
    network = Encoder(
        coordinates=("s",),
        embedding=Embedding({token: {} for token in tokens}),
        layers=(Layer((), attention_norm=norm),),
        readout=Readout(Linear({"logit": {"s": 1}}), accept=accept),  # type: ignore[arg-type]
        begin=begin,
        end=end,
    )

    def member(word: str, **values: object) -> bool:
        given = {name: parameter_values(made)[name] for name in values}
        return holds(Expression(formula), given, add_markers(network, word), ("0", "1"))

    made = Construction(
        "tried", "Tried", "A test", Language("TRIED", ("0", "1"), member, "n >= 1"), network, parameters
    )
    return replace(made, language=Language("TRIED", ("0", "1"), member, formula))


# What statements say.


def claim(construction: Construction, theorem: Decides = RECOGNISES) -> str:
    """The last definition of a statement."""
    return statement(construction, theorem).partition(f"Definition {identifier(theorem.name)} ")[2]


def test_a_statement_is_short_enough_to_be_read() -> None:
    parity = load("parity")
    assert (
        statement(parity, theorems_of("parity")[0])
        == """\
(* parity: PARITY by two heads that lean to odd and to even positions. Chiang and Cholak (2022), section 3.2. *)
Require Import Reals ZArith List String.
From Weightproof Require Import Transformer Words Languages Plain Weights_parity.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

(* The language PARITY, an odd number of 1s: count('1') % 2 == 1 *)
Definition in_language (w : list string) : Prop :=
  let tokens := marked w in
  occurrences "1" tokens mod 2 = 1.

(* The same without markers and positions. *)
Theorem in_language_is_plain (w : list string) :
  Forall (fun symbol => In symbol alphabet) w -> (in_language w <-> odd_ones w = true).
Proof.
  intros W. unfold in_language, marked, alphabet in *. cbv zeta.
  apply (odd_ones_formula ["0"; "1"] ["CLS"] w []); listed.
Qed.

(* accepts exactly the words with an odd number of 1s, for every c > 0 *)
Definition recognises : Prop :=
  forall c_ : R, (c_ > 0)%R ->
  forall w, Forall (fun symbol => In symbol alphabet) w ->
  (accepts_above_0 (network c_) (marked w) <-> in_language w).
"""
    )


def test_a_claim_names_all_that_it_asks_and_all_that_it_says() -> None:
    c, D = Parameter("c", "c >= log(2)", "1"), Parameter("D", "D >= 2", "2", "natural")
    given = replace(RECOGNISES, given="n >= 2 and exp(c) > D", up_to=12, strict=True)
    assert (
        claim(tried(begin=None, parameters=(c, D), norm=LayerNorm(0)), given)
        == """\
: Prop :=
  forall c_ : R, (c_ >= ln 2)%R ->
  forall D_ : Z, D_ >= 0 -> D_ >= 2 ->
  forall w, Forall (fun symbol => In symbol alphabet) w ->
  w <> [] ->
  length_of (marked w) <= 12 ->
  given c_ D_ w ->
  has_value (network c_ D_) (marked w) /\\
  output (network c_ D_) (marked w) "logit" <> 0%R /\\
  (accepts_above_0 (network c_ D_) (marked w) <-> in_language w).
"""
    )
    assert "let n := length_of tokens in\n  n >= 2\n  /\\ (exp c_ > IZR D_)%R" in statement(
        tried(parameters=(c, D)), given
    )
    strict = claim(tried(accept="logit = 0"), replace(RECOGNISES, strict=True))
    assert "accepts_at_0 network (marked w) <-> in_language w" in strict
    assert "output" not in strict  # logit 0 accepts


def test_a_theorem_may_say_what_is_accepted() -> None:
    said = statement(tried(), replace(RECOGNISES, accepts="count('0') == 0"))
    assert 'occurrences "0" tokens = 0.' in said
    assert "The language TRIED" not in said
    assert "is_plain" not in said


def test_names_are_identifiers() -> None:
    assert module_of(tried(), Decides("right above log(n-1)", "it")) == "tried__right_above_log_n_1"
    found = [identifier(name) for name in ("forall", "network", "a-b+c:1/2", "2n", "§")]
    assert found == ["forall_", "network_", "a_b_c_1_2", "named_2n", "named"]


def test_a_comment_ends_where_it_should() -> None:
    said = statement(tried(), replace(RECOGNISES, statement='ends *) here, begins (* and "quotes'))
    assert "(* ends * ) here, begins ( * and 'quotes *)" in said


@pytest.mark.parametrize(
    "formula",
    [
        "w[n/2] == '1'",
        "count('1', n/2) > 0",
        "count('1') % (n/2) == 1",
        "count('1') % count('0') == 1",
        "1/(n - 2) > 0",
        "log(count('1')) > 0",
        "sqrt(n - 2) > 0",
        "(count('0') - 1)**(n/2) > 0",
        "(count('0') - 1)**(-n) > 0",
        "(exp(n) > 2) + 1 == 2",
        "sum((w[j] == '1') for j in positions) > 2",
        "count('11') > 1",
        "matches('1*')",
    ],
)
def test_what_may_have_no_value_is_refused(formula: str) -> None:
    construction = tried()
    for vocabulary in (OfTokens(), OfIntegers(construction)):
        with pytest.raises(Unwritten) as error:
            proposition(Expression(formula), construction, vocabulary)
        assert "\n" not in str(error.value)


def test_real_numbers_are_compared_as_such() -> None:
    construction = tried(parameters=(Parameter("c", "c > 0", "1"), Parameter("D", "D >= 0", "2", "natural")))
    of_tokens, of_integers = (
        [
            proposition(Expression(formula), construction, vocabulary)
            for formula in ("exp(c) > n - 1", "n/c < count('1', 2)", "-tanh(c)**2 != D", "c**n >= 2**n")
        ]
        for vocabulary in (OfTokens(), OfIntegers(construction))
    )
    tanh = "((exp c_ - exp (- c_)) / (exp c_ + exp (- c_)))"
    assert of_tokens == [
        "(exp c_ > IZR n - 1)%R",
        '(IZR n / c_ < IZR (occurrences_upto "1" tokens 2)%Z)%R',
        f"(- {tanh} ^ 2 <> IZR D_)%R",
        "(powerRZ c_ n >= IZR (2 ^ n)%Z)%R",
    ]
    assert of_integers[1] == "(IZR n / c_ < IZR (prefix 1 2)%Z)%R"


# What Coq makes of them.

DECISIONS = """
Class Decision (P : Prop) := decide : {P} + {~ P}.
#[local] Instance both P Q : Decision P -> Decision Q -> Decision (P /\\ Q).
Proof. intros [] []; [left|right|right|right]; tauto. Defined.
#[local] Instance either P Q : Decision P -> Decision Q -> Decision (P \\/ Q).
Proof. intros [] []; [left|left|left|right]; tauto. Defined.
#[local] Instance none P : Decision P -> Decision (~ P).
Proof. intros []; [right|left]; tauto. Defined.
#[local] Instance equal (x y : Z) : Decision (x = y) := Z.eq_dec x y.
#[local] Instance less (x y : Z) : Decision (x < y) := Z_lt_dec x y.
#[local] Instance at_most (x y : Z) : Decision (x <= y) := Z_le_dec x y.
#[local] Instance greater (x y : Z) : Decision (x > y) := Z_gt_dec x y.
#[local] Instance at_least (x y : Z) : Decision (x >= y) := Z_ge_dec x y.
Lemma all_of (P : Z -> Prop) : (forall j, Decision (P j)) -> forall k lo,
  {forall j, lo <= j < lo + Z.of_nat k -> P j} + {~ forall j, lo <= j < lo + Z.of_nat k -> P j}.
Proof.
  intros D k. induction k as [|k IH]; intros lo; [left; intros; lia|].
  destruct (D lo) as [H|H]; [|right; intros A; apply H, A; lia].
  destruct (IH (lo + 1)) as [A|A]; [left|right].
  - intros j J. destruct (Z.eq_dec j lo) as [->|N]; [exact H|apply A; lia].
  - intros B. apply A. intros j J. apply B. lia.
Defined.
#[local] Instance everywhere P lo hi : (forall j, Decision (P j)) -> Decision (forall j, lo <= j <= hi -> P j).
Proof.
  intros D. destruct (all_of P D (Z.to_nat (hi + 1 - lo)) lo) as [H|H]; [left|right].
  - intros j J. apply H. lia.
  - intros A. apply H. intros j J. apply A. lia.
Defined.
Lemma some_of (P : Z -> Prop) : (forall j, Decision (P j)) -> forall k lo,
  {exists j, lo <= j < lo + Z.of_nat k /\\ P j} + {~ exists j, lo <= j < lo + Z.of_nat k /\\ P j}.
Proof.
  intros D k. induction k as [|k IH]; intros lo; [right; intros (j & J & _); lia|].
  destruct (D lo) as [H|H]; [left; exists lo; split; [lia|exact H]|].
  destruct (IH (lo + 1)) as [A|A]; [left|right].
  - destruct A as (j & J & A). exists j. split; [lia|exact A].
  - intros (j & J & B). apply A. exists j. destruct (Z.eq_dec j lo) as [->|N]; [tauto|]. split; [lia|exact B].
Defined.
#[local] Instance somewhere P lo hi : (forall j, Decision (P j)) -> Decision (exists j, lo <= j <= hi /\\ P j).
Proof.
  intros D. destruct (some_of P D (Z.to_nat (hi + 1 - lo)) lo) as [H|H]; [left|right].
  - destruct H as (j & J & A). exists j. split; [lia|exact A].
  - intros (j & J & A). apply H. exists j. split; [lia|exact A].
Defined.
"""
"""That formulas without real numbers can be decided, as they are of finitely many integers."""

HEADER = """
Require Import Reals ZArith List String Lia.
From Weightproof Require Import Transformer Words Languages {modules}.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
"""


def evaluation(part: Part, words: Sequence[str], says: Sequence[bool], values: str = "") -> str:
    """That a formula says this of these words."""
    name, all_words, all_said = part.name, "; ".join(map(texts, words)), "; ".join(str(each).lower() for each in says)
    return f"""
#[local] Instance {name}_decision w : Decision ({name}_of_integers {values} {OF_WORD}).
Proof. unfold {name}_of_integers. typeclasses eauto. Defined.
Definition {name}_says w : bool := if {name}_decision w then true else false.
Lemma {name}_is_said w :
  Forall (fun symbol => In symbol alphabet) w -> ({name} {values} w <-> {name}_says w = true).
Proof.
  intros W. rewrite {name}_on_integers by exact W. unfold {name}_says.
  destruct ({name}_decision w); intuition congruence.
Qed.
Lemma {name}_on_words : List.map {name}_says [{all_words}] = [{all_said}].
Proof. vm_compute. reflexivity. Qed.
"""


PAPERS = {
    "parity": "", "first": "", "one": "", "palindrome": "", "dyck1": "", "dyck1-depth": "1",
}  # fmt: skip
"""Construction -> the value of its natural parameter."""


@with_coq
@pytest.mark.parametrize("name", PAPERS)
def test_a_language_is_what_its_functions_say_and_is_plain(name: str, library: Path) -> None:
    construction, theorem, value = load(name), theorems_of(name)[0], PAPERS[name]
    assert isinstance(theorem, Decides)
    made = identifier(construction.name)
    assert told(library, f"Weights_{made}", weights(construction)) == ""
    text = statement(construction, theorem)
    assert "in_language_is_plain" in text
    assert told(library, f"Statement_{made}", text) == ""
    values = parameter_values(construction, {"D": value} if value else {})
    says = [is_member(construction, word, values) for word in WORDS]
    assert len(set(says)) == 2
    part = Part("in_language", construction.language.characterisation, construction)
    header = HEADER.format(modules=f"Weights_{made} Statement_{made}") + DECISIONS + on_integers(construction, theorem)
    assert told(library, "Evaluation", header + evaluation(part, WORDS, says, value)) == ""
    wrong = [*says[:-1], not says[-1]]
    assert "Unable to unify" in told(library, "Evaluation", header + evaluation(part, WORDS, wrong, value))


CHANGED = {
    "parity": ("mod 2 = 1.", "mod 2 = 0."),
    "first": ('tokens 1 = "1".', 'tokens 1 = "0".'),
    "one": ("tokens = 1.", "tokens >= 1."),
    "palindrome": ("2 * j > n - 1", "2 * j > n - 2"),
    "dyck1": ('<= occurrences_upto "0" tokens j)', '< occurrences_upto "0" tokens j)'),
    "dyck1-depth": ("tokens j <= D_)", "tokens j < D_)"),
}


@with_coq
@pytest.mark.parametrize("name", CHANGED)
def test_another_formula_is_not_the_plain_language(name: str, library: Path) -> None:
    construction, theorem = load(name), theorems_of(name)[0]
    assert isinstance(theorem, Decides)
    assert told(library, f"Weights_{identifier(name)}", weights(construction)) == ""
    text = statement(construction, theorem)
    before, after = CHANGED[name]
    changed = text.replace(before, after, 1)
    assert changed != text
    assert told(library, "Changed", text) == ""
    assert "Error" in told(library, "Changed", changed)


@with_coq
@pytest.mark.parametrize("markers", MARKERS, ids=str)
def test_plain_languages_stand_between_the_markers_of_the_table(
    markers: tuple[str | None, str | None], library: Path
) -> None:
    has = markers[0] is not None, markers[1] is not None
    construction = tried("n >= 1", *markers, (Parameter("D", "D >= 0", "2", "natural"),))
    assert told(library, "Weights_tried", weights(construction)) == ""
    text = HEADER.format(modules="Plain Weights_tried")
    for number, entry in enumerate(PLAIN):
        part = Part(f"language_{number}", Expression(entry.formula), construction)
        found = plain_theorem(construction, part)
        assert bool(found) == (has in entry.markers)
        text += "\n".join((definition(part, "Tried"), *found))
    assert told(library, "Plain_tried", text) == ""
    real = replace(construction, parameters=(Parameter("D", "D >= 0", "2"),))
    assert not plain_theorem(real, Part("language", Expression(PLAIN[-1].formula), real))


FORMULAS = (
    "w[0] == w[n]",
    "w[0] == w[n - 1]",
    "w[-1] == w[n + 5]",
    "w[n - 1] != '1'",
    "w[count('1')] == '1'",
    "count('1', n + 3) > count('0', -1)",
    "count('1', 0) == 1 or count('0', -4) != 0",
    "any(w[j] == '1' and w[j - 1] == '0' for j in positions)",
    "all(w[j] != '1' for j in indices)",
    "all(w[j] == '1' for j in indices)",
    "any(w[j] != '0' and w[j] != '1' for j in indices)",
    "not all(w[j] == '1' or any(w[k] == '1' and k > j for k in positions) for j in positions)",
    "not (count('1') == 1) and not any(w[j] == '0' for j in positions)",
    "-n % 3 == 2",
    "(count('1') - 2*count('0')) % 3 == 1",
    "count('1')**2 == 2**count('0')",
    "count('1')*n - -1 >= 5 or n < 2",
    "count('1') - (count('0') - 1) > 1",
    "0 > 1",
    "(count('1') > count('0')) + 1 == 2",
    "(w[n - 1] == '1') + (w[0] != w[1]) + (count('1') != 1 or w[1] == '0') >= 2",
)


@with_coq
@pytest.mark.parametrize("markers", MARKERS, ids=str)
def test_a_formula_says_in_coq_what_it_says_in_exact_arithmetic(
    markers: tuple[str | None, str | None], library: Path
) -> None:
    construction = tried("n >= 1", *markers)
    assert told(library, "Weights_tried", weights(construction)) == ""
    text, found = HEADER.format(modules="Weights_tried") + DECISIONS, []
    words = WORDS if any(markers) else WORDS[1:]  # a word without a position is none
    for number, formula in enumerate(FORMULAS):
        part = Part(f"formula_{number}", Expression(formula), construction)
        says = [holds(part.formula, {}, add_markers(construction.encoder, word), ("0", "1")) for word in words]
        found.append(says)
        text += definition(part, "Tried") + of_integers(part) + evaluation(part, words, says)
    assert sum(len(set(says)) == 2 for says in found) > len(FORMULAS) // 2
    assert told(library, "Formulas", text) == ""


@with_coq
def test_other_integers_are_not_those_of_the_formula(library: Path) -> None:
    construction = load("dyck1")
    assert told(library, "Weights_dyck1", weights(construction)) == ""
    assert told(library, "Statement_dyck1", statement(construction, RECOGNISES)) == ""
    of_words = language(construction, RECOGNISES)
    assert of_words is not None
    assert of_words.of_integers == (
        "(count 1 = count 0\n  /\\ (forall j, 1 <= j <= n - 1 -> prefix 1 j <= prefix 0 j))%Z"
    )
    header = HEADER.format(modules="Weights_dyck1 Statement_dyck1")
    text = on_integers(construction, RECOGNISES)
    assert told(library, "Integers", header + text) == ""
    for before, after in (
        ("count 1 =", "count 0 ="),
        ("1 <= j", "0 <= j"),
        ("n - 1 ->", "n - 2 ->"),
        ("1 j", "1 (j - 1)"),
    ):
        assert "Error" in told(library, "Integers", header + text.replace(before, after, 1))

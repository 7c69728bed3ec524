"""The last step in Coq: what is written compiles, and no wrong claim does. What is stated of built-in networks is not
compiled here: `make kernel` has Coq check all of it, and fails where a proof of its record does not go through."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.constructions.library import load, load_file
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.kernel.deciding import deciding
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.theorem import AboutLogits, ClosedForm, Compares, Decides, Margin, stated, theorems_of
from weightproof.symbolic.algebra.iverson import Iverson, substitute
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

LIBRARY = ("Transformer", "Words", "Rules", "Sums", "Bounds", "Signs", "Deciding", "Inductions", "Pairs")

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def compiles(folder, name):
    command = ["coqc", "-Q", str(folder), "Weightproof", str(folder / f"{name}.v")]
    return subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0


def theorem_named(name: str, theorem: str) -> Decides:
    [found] = [each for each in theorems_of(name) if isinstance(each, Decides) and each.name == theorem]
    return found


def holds(library, derivation: Derivation, theorem: AboutLogits) -> bool:
    (library / "Proof.v").write_text(deciding(derivation, theorem))
    return compiles(library, "Proof")


SLOW = pytest.mark.controls
BALANCED = "count('1') == count('0')"
NESTED = "all(count('1', j) <= count('0', j) and count('0', j) - count('1', j) <= {} for j in positions)"
WRONG = (
    ("parity", "recognises", "count('1') % 2 == 0"),
    ("parity", "recognises", "count('1') % 2 == 1 or n == 7"),
    ("first", "recognises", "w[2] == '1'"),
    ("first", "recognises", "w[1] != '0'"),
    ("one", "recognises", "count('1') <= 1"),
    ("first-one-layer", "right above log(n-1)", "w[1] == '0'"),
    ("dyck1", "recognises", "all(count('1', j) <= count('0', j) for j in positions)"),
    pytest.param("dyck1", "recognises", f"{BALANCED} and all(count('1', j) <= 0 for j in positions)", marks=SLOW),
    pytest.param("dyck1-depth", "recognises", f"{BALANCED} and {NESTED.format('D + 1')}", marks=SLOW),
    pytest.param("palindrome", "recognises", "all(2*j > n - 3 or w[j] == w[n - 1 - j] for j in positions)", marks=SLOW),
)


@pytest.mark.parametrize(("name", "theorem", "accepts"), WRONG)
def test_another_language_does_not(library, name, theorem, accepts):
    assert not holds(library, derive(load(name)), replace(theorem_named(name, theorem), accepts=accepts))


EXAMPLES = Path(__file__).parents[2] / "examples"
SMALLER = "all(w[j] == 'a' or all(w[k] == '{}' for k in positions) for j in positions)"
BEHIND = "any(w[j] == 'b' and any(w[k] == 'a' and k {} j for k in positions) for j in positions)"
MARKS = "any(w[j] == 'b' and j <= {} for j in positions)"
INVARIANT = "(so_far and S1 == 0) or (not so_far and S1 > 1/2)"


@pytest.mark.parametrize(
    ("file", "accepts", "invariant", "is_right"),
    [
        ("order/all_equal", SMALLER.format("b"), None, True),
        ("order/all_equal", SMALLER.format("a"), None, False),
        ("order/b_after_a", BEHIND.format("<"), INVARIANT, True),
        ("order/b_after_a", BEHIND.format(">"), INVARIANT, False),
        ("places/early_b", MARKS.format("3"), None, True),
        ("places/early_b", MARKS.format("2"), None, False),
    ],
)
def test_statements_about_all_positions_are_counted(library, file, accepts, invariant, is_right):
    construction = load_file(EXAMPLES / f"{file}.py").construction
    [theorem] = default_theorems(construction)
    theorem = replace(theorem, accepts=accepts, invariant=invariant)
    assert holds(library, derive(construction), theorem) is is_right


IN_WINDOW, SQUARES = "count('b') - count('b', n - 4) >= {}", "{}*count('a')*count('a') > count('b')*count('b')"


@pytest.mark.parametrize(
    ("file", "accepts", "is_right"),
    [
        ("places/most_of_last_three", IN_WINDOW.format(2), True),
        ("places/most_of_last_three", IN_WINDOW.format(1), False),
        ("scores/root_two", SQUARES.format(2), True),
        ("scores/root_two", SQUARES.format(3), False),
        ("scores/logarithms", "count('1') >= count('0')", True),
        ("scores/logarithms", "count('1') > count('0')", False),
    ],
)
def test_counts_up_to_a_position_roots_by_squares_and_logarithms_by_bounds(library, file, accepts, is_right):
    construction = load_file(EXAMPLES / f"{file}.py").construction
    [theorem] = default_theorems(construction)
    assert holds(library, derive(construction), replace(theorem, accepts=accepts)) is is_right


@pytest.mark.parametrize(
    ("name", "theorem"), [("first-one-layer", "recognises"), ("palindrome", "recognises in every base")]
)
def test_less_is_not_given(library, name, theorem):
    assert not holds(library, derive(load(name)), theorem_named(name, theorem))


def printed(value: str, when: str = "n >= 1") -> ClosedForm:
    return ClosedForm(Published("one/value", "section 1", "s", Value(Logit(), value, when)))


def margin(side: str, value: str | None, when: str = "n >= 2", first: str = "1") -> Margin:
    return Margin(side, value, when=when, attained=((first, 1), ("0", "n - 2")))  # type: ignore[arg-type]


OF_ONE = (
    (printed("((count('1') == 1) - 1/2)/n"), printed("((count('1') == 1) - 1/3)/n")),
    (printed("(-1)**(count('1') + 1)/(2*n)", "count('1') <= 1"), printed("(-1)**count('1')/(2*n)", "count('1') <= 1")),
    (printed("1/(2*n)", "count('1') == 1"), printed("1/(2*n)", "count('1') <= 1")),
    (Compares(">=", "1/(2*n)"), Compares(">", "1/(2*n)")),
    (Compares("==", "1/(2*n)", only=True), Compares("<=", "1/(2*n)", only=True)),
    (Compares("<", "0", where="count('1') > 1"), Compares("<", "0", where="count('1') > 0")),
    (Compares("!=", "0", where="n >= 1"), Compares("!=", "1/(2*n)", where="n >= 1")),
    (margin("accepted", "1/(2*n)"), margin("accepted", "1/(3*n)")),
    (margin("rejected", "1/(2*n)", first="0"), margin("rejected", "1/n", first="0")),
    (margin("accepted", "1/(2*n)"), margin("accepted", "1/(2*n)", first="0")),
    (margin("accepted", None, when="n == 1"), margin("accepted", None, when="n >= 1")),
    (Decides("strict", "no logit is 0", strict=True), Decides("strict", "it", "n >= 1", strict=True)),
    (Decides("short", "up to 2", "count('1') >= 1", up_to=2), Decides("short", "up to 3", "count('1') >= 1", up_to=3)),
)


@pytest.mark.parametrize(("right", "wrong"), OF_ONE)
def test_what_is_said_of_the_logit_compiles_and_what_is_wrong_does_not(library, right, wrong):
    derivation = derive(load("one"))
    assert holds(library, derivation, right)
    assert not holds(library, derivation, wrong)


def other_sign(derivation: Derivation) -> Iverson:
    return derivation.logit.scaled(-1)


def one_more(derivation: Derivation) -> Iverson:
    """With one more 1 counted."""
    total = derivation.vocabulary.total("1")
    return substitute(derivation.logit, {total: total + 1})


@pytest.mark.parametrize("name", ["parity", "one", pytest.param("dyck1", marks=SLOW)])
@pytest.mark.parametrize("change", [other_sign, one_more])
def test_another_closed_form_does_not(library, name, change):
    derivation = derive(load(name))
    assert not holds(library, replace(derivation, logit=change(derivation)), theorem_named(name, "recognises"))


def of_sums(derivation: Derivation, change) -> Derivation:
    sums = {symbol: replace(total, body=change(total.body)) for symbol, total in derivation.sums.items()}
    return replace(derivation, sums=sums)


@pytest.mark.controls
@pytest.mark.parametrize("name", ["dyck1", "dyck1-depth"])
def test_another_sum_does_not(library, name):
    derivation, theorem = derive(load(name)), theorem_named(name, "recognises")
    counted = derivation.vocabulary.prefix_atom("1")(j)
    assert not holds(library, of_sums(derivation, lambda body: body.scaled(-1)), theorem)
    assert not holds(library, of_sums(derivation, lambda body: substitute(body, {counted: counted + 1})), theorem)


def test_without_an_invariant_the_step_is_named():
    theorem = replace(theorem_named("dyck1", "recognises"), invariant=None)
    with pytest.raises(Unwritten, match="an invariant of sums"):
        deciding(derive(load("dyck1")), theorem)


@pytest.mark.parametrize("invariant", ["S1 <= 0", "so_far and S1 == 0"])
def test_an_invariant_that_is_none_does_not(library, invariant):
    theorem = replace(theorem_named("dyck1", "recognises"), invariant=invariant)
    assert not holds(library, derive(load("dyck1")), theorem)


def sharpened(theorem: str) -> tuple[Derivation, AboutLogits]:
    """FIRST behind a norm that has no value on the empty word, which the theorem leaves out."""
    construction, theorems = stated()["first+sharpen"]
    [found] = [each for each in theorems if each.name == theorem]
    return derive(construction), found


def test_a_word_without_a_value_is_not_left_out_by_itself(library):
    """Without n >= 2 the empty word is spoken of, on which the norm has no value."""
    derivation, theorem = sharpened("recognises")
    assert not holds(library, derivation, replace(theorem, given=Expression("exp(eta) < 2")))


def test_the_sign_of_a_logarithm_is_not_taken_for_granted():
    """Without exp(eta) < 2 the logit may have the opposite sign of the value."""
    derivation, theorem = sharpened("recognises")
    with pytest.raises(Unwritten, match="positive"):
        deciding(derivation, replace(theorem, given=Expression("n >= 2")))


def test_another_margin_of_a_sign_does_not_go_through(library):
    derivation, theorem = sharpened("margin, accepted, n >= 2")
    assert not holds(library, derivation, replace(theorem, value=Expression("-log(exp(eta) - 1)/2")))


def test_the_other_language_of_a_sign_does_not_go_through(library):
    derivation, theorem = sharpened("recognises")
    assert not holds(library, derivation, replace(theorem, accepts=Expression("w[1] == '0'")))

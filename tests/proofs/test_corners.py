"""Corners in which false statements were once proved: equal markers, rows without layers, tokens at fractions, values
that do not exist."""

from __future__ import annotations

import pytest

from tests.support.corners import UNDEFINED, always_accepts, equal_markers, never_accepts, no_layers
from tests.support.unusual import recogniser
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.constructions.languages.samples import long_words, samples, words
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.exact import sign
from weightproof.proofs.claims.judging import judge_claims
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.theorem import ClosedForm, Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

READ = [
    ("first", "CLS", None),
    ("first", "CLS", "EOS"),
    ("last", "CLS", "EOS"),
    ("last", None, "EOS"),
    ("last", "#", "#"),
]


def verdict(construction: Construction, *theorems: Decides | ClosedForm) -> Verdict:
    [result] = prove(construction, theorems or default_theorems(construction), timeout=10)
    return result.verdict


def claimed(value: str) -> Published:
    return Published("a test", "a test", "a formula", Value(Logit(), value))


def agrees(construction: Construction, word: str, parameters: dict[str, str]) -> bool:
    """Whether the derived logit of a word is the interpreter's."""
    exact = run(construction, word, parameters)
    derived = evaluate_logit(derive(construction), exact.tokens, parameter_values(construction, parameters))
    return sign(derived - exact.logit) == 0


def test_equal_markers_are_two() -> None:
    found = verdict(equal_markers)
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "11111"
    assert found.counterexample.logit == "-8/7"
    assert all(agrees(equal_markers, word, {}) for word in words("01", 5))


@pytest.mark.parametrize(("position", "begin", "end"), READ)
def test_without_layers_the_marker_that_is_named_is_read(position: str, begin: str | None, end: str | None) -> None:
    construction = no_layers(position, begin, end)
    assert all(agrees(construction, word, {}) for word in ("", "1", "1" * 19, "1" * 30))
    assert isinstance(verdict(construction), Proved)


def test_the_logit_of_30_symbols_is_11() -> None:
    assert run(no_layers("first", "CLS", "EOS"), "1" * 29).logit == 11


FRACTIONS = [
    "w[n/2] == '1' and n % 2 == 1",
    "w[n/2] == '0' and n % 2 == 1",
    "n % 3 == 1 and w[(2*n)/3] == '1'",
    "any(w[j/2] == '1' and j % 2 == 1 for j in positions)",
    "w[1/2] == '1'",
]
"""No token stands at a fraction, so these hold of no word."""


@pytest.mark.parametrize("formula", FRACTIONS)
def test_no_token_stands_at_a_fraction(formula: str) -> None:
    invariant = "so_far" if "any" in formula else None
    nothing = Decides("nothing", "a test", accepts=formula, invariant=invariant)
    assert isinstance(verdict(never_accepts, nothing), Proved)
    everything = Decides("everything", "a test", accepts=f"not ({formula})", invariant=invariant)
    assert isinstance(verdict(always_accepts, everything), Proved)


def test_a_token_at_half_the_length_is_one_where_the_length_is_even() -> None:
    """Every second length has one, of which a symbol is as good as another."""
    some = Decides("some", "a test", accepts="w[n/2] == '0' or w[n/2] == '1'", given="n >= 2")
    found = verdict(always_accepts, some)
    assert isinstance(found, Refuted)
    assert len(found.counterexample.word) % 2 == 0  # with the marker, an odd number of positions
    even = Decides("even", "a test", accepts="w[n/2] == '0' or w[n/2] == '1'", given="n % 2 == 0")
    assert isinstance(verdict(always_accepts, even), Proved)


def test_a_claimed_value_speaks_of_no_token_at_a_fraction() -> None:
    true = ClosedForm(claimed("(w[n/2] == '1' and n % 2 == 1) + 1"))
    assert isinstance(verdict(always_accepts, true), Proved)
    false = ClosedForm(claimed("1 - (w[n/2] == '1')"))
    assert isinstance(verdict(always_accepts, false), Refuted)
    printed = Published("half", "here", "$s = 1$", Value(Logit(), "1 - (w[n/2] == '1' and n % 2 == 1)"))
    [judged] = judge_claims(always_accepts, Claims("corner", printed))
    assert judged.verdict == "true"


@pytest.mark.parametrize("name", UNDEFINED)
@pytest.mark.usefixtures("little_search")
def test_what_may_have_no_value_is_not_proved(name: str) -> None:
    """Whether or not something reads it."""
    found = verdict(UNDEFINED[name])
    assert not isinstance(found, Proved)


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_closed_form_of_what_may_have_no_value_is_not_proved(name: str) -> None:
    """It is compared where the network has a value, which is 1."""
    assert isinstance(verdict(UNDEFINED[name], ClosedForm(claimed("1"))), Unknown)
    shown = isinstance(verdict(UNDEFINED[name], ClosedForm(claimed("2"))), Refuted)
    assert shown == (name not in ("logarithm", "remainder"))  # which have none on any short word


@pytest.mark.usefixtures("little_search")
def test_the_scalar_without_a_value_is_named() -> None:
    found = verdict(UNDEFINED["PE at n = 20"], Decides("short", "a test", given="n <= 19"))
    assert isinstance(found, Unknown)
    assert "embedding PE, coordinate 'x': (n - 20) ** (0 - 1) may have no value: n - 20 may be 0" in found.reason


@pytest.mark.parametrize(
    "formula",
    [
        "(n - 20)/(n - 20) == 1",
        "(n - 20)**(0 - 1) != 5 or n >= 1",
        "n >= 1 or log(20 - n) > 0",
        "all(1/(j - 30) < 2 or w[j] != '1' or w[j] == '1' for j in positions)",
    ],
)
@pytest.mark.usefixtures("little_search")
def test_a_formula_without_a_value_somewhere_proves_nothing(formula: str) -> None:
    invariant = "so_far" if "all" in formula else None
    theorem = Decides("odd", "a test", accepts=formula, given="n % 2 == 0", invariant=invariant)
    assert isinstance(verdict(always_accepts, theorem), Unknown)


def test_counts_beyond_the_word_are_the_total() -> None:
    """All the symbols up to a place are as many as positions, but only where the place is in the word."""
    for value in ("1 + count('0', 2*n) + count('1', 2*n) - 2*n", "1 + count('0', 0 - n) + count('1', 0 - n) + n"):
        found = verdict(always_accepts, ClosedForm(claimed(value)))
        assert isinstance(found, Refuted), value
    true = ClosedForm(claimed("1 + count('0', 2*n) + count('1', 2*n) - (n - 1) + count('1', 0 - n)"))
    assert isinstance(verdict(always_accepts, true), Proved)


def test_samples_have_the_least_parameters_and_words_every_length() -> None:
    assert {"D": "0"} in samples(UNDEFINED["a word embedding"])
    assert {len(word) for word in long_words(("0", "1"))} >= {*range(41)}


@pytest.mark.parametrize("weight", ["sqrt(sqrt(c))", "c*sqrt(sqrt(sqrt(c)))", "1/sqrt(sqrt(c))"])
def test_a_root_of_a_root_is_a_power(weight: str) -> None:
    """Once an internal error: the closed form has c**(1/4), which was not evaluated."""
    construction = recogniser(weight=weight, parameters=(Parameter("c", "c >= 1", 16),))
    assert all(agrees(construction, word, {"c": c}) for word in words("01", 3) for c in ("1", "16"))
    assert isinstance(verdict(construction, Decides("empty", "rejects the empty word", "n < 1", "n <= 1")), Proved)


def test_the_logarithm_of_a_parameter_is_no_constant() -> None:
    """Once an internal error: it is written like the logarithm of a constant, and its bounds were asked for."""
    above_2, above_half = (Parameter("c", f"c >= {least}", 3) for least in ("2", "1/2"))
    for parameter, expected in ((above_2, Proved), (above_half, Unknown)):  # of log(1/2) the sign is known, and no more
        construction = recogniser("n >= 1", lambda word: True, bias="log(c) + 2", parameters=(parameter,))
        assert isinstance(verdict(construction), expected)


def test_an_absolute_value_in_a_claim_is_no_polynomial() -> None:
    """Once an internal error: sympy makes one of the root of a square, and a certificate was looked for."""
    theorem = ClosedForm(claimed("1/sqrt(1 + n/(2*n - 1)*(n/(2*n - 1)))"))
    assert isinstance(verdict(always_accepts, theorem), Refuted | Unknown)

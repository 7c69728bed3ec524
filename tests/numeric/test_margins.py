"""Margins: what is stated is the least |logit| on every short word, and what is stated wrongly is refuted."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from flint import fmpq

from tests.support.derived import derivation_of
from tests.support.suites import short_suite
from weightproof.cli import main
from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.prove import prove
from weightproof.proofs.refuting.margins import unattained
from weightproof.proofs.refuting.refute import counterexample
from weightproof.proofs.solving.close import close
from weightproof.proofs.solving.logic import FALSE
from weightproof.proofs.strategies.family import attained, blocks
from weightproof.proofs.theorem import Margin, theorems_of
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import n
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LONGEST = 7


def margins_of(name: str) -> list[Margin]:
    """The margins that are stated of a built-in construction."""
    return [theorem for theorem in theorems_of(name) if isinstance(theorem, Margin)]


MARGINS = [
    pytest.param(name, theorem, id=f"{name}: {theorem.name}")
    for name in names()
    for theorem in margins_of(name)
    if theorem.value is not None
]
NONE = [
    pytest.param(name, theorem, id=f"{name}: {theorem.name}")
    for name in names()
    for theorem in margins_of(name)
    if theorem.value is None
]


def test_a_margin_is_stated_of_both_sides_or_of_none() -> None:
    for name in names():
        assert {theorem.side for theorem in margins_of(name)} in (set(), {"accepted", "rejected"}), name


@pytest.mark.parametrize(("name", "theorem"), MARGINS)
def test_the_margin_is_the_least_logit_of_all_short_words(name: str, theorem: Margin) -> None:
    """By brute force: the least |logit| at each length and at several parameter values, exactly; no proof is used."""
    construction, met = load(name), 0
    network, language = construction.network, construction.language
    assert isinstance(network, Encoder)
    for length in range(LONGEST + 1):
        positions = len(add_markers(network, "0" * length))
        for given in samples(construction):
            values: dict[str, Real] = {**parameter_values(construction, given), "n": fmpq(positions)}
            if not holds(theorem.hypothesis, values, ["0"] * positions, language.alphabet):
                continue
            margin = evaluate(theorem.value, values)
            distances = []
            for word in words(language.alphabet, length, length):
                member = holds(language.characterisation, values, add_markers(network, word), language.alphabet)
                if member == (theorem.side == "accepted"):
                    result = run(construction, word, given)
                    assert result.accepts == member
                    distances.append(sign(result.logit * sign(result.logit) - margin))
            assert min(distances) == 0, (positions, given)
            met += 1
    assert met


@pytest.mark.parametrize(("name", "theorem"), MARGINS)
def test_the_words_that_attain_it_do(name: str, theorem: Margin) -> None:
    """The family written out for n up to 60: on its side, and with the margin as its |logit|."""
    construction, met = load(name), 0
    network, language, derivation = construction.network, construction.language, derive(construction)
    assert isinstance(network, Encoder)
    family = blocks(theorem, derivation.vocabulary)
    for positions in (*range(1, 12), 59, 60):
        for given in samples(construction):
            values: dict[str, Real] = {**parameter_values(construction, given), "n": fmpq(positions)}
            if not holds(theorem.hypothesis, values, ["0"] * positions, language.alphabet):
                continue
            numbers = {n: sympy.Integer(positions)}
            word = "".join(block.word * int(block.times.xreplace(numbers)) for block in family)
            tokens = add_markers(network, word)
            assert len(tokens) == positions
            assert holds(language.characterisation, values, tokens, language.alphabet) == (theorem.side == "accepted")
            logit = evaluate_logit(derivation, tokens, parameter_values(construction, given))
            assert sign(logit * sign(logit) - evaluate(theorem.value, values)) == 0
            met += 1
    assert met


@pytest.mark.parametrize(("name", "theorem"), NONE)
def test_no_short_word_is_on_a_side_that_is_said_to_be_empty(name: str, theorem: Margin) -> None:
    construction, met = load(name), 0
    network, language = construction.network, construction.language
    assert isinstance(network, Encoder)
    for word in words(language.alphabet, LONGEST):
        tokens = add_markers(network, word)
        values: dict[str, Real] = {**parameter_values(construction), "n": fmpq(len(tokens))}
        if holds(theorem.hypothesis, values, tokens, language.alphabet):
            assert holds(language.characterisation, values, tokens, language.alphabet) != (theorem.side == "accepted")
            met += 1
    assert met


@pytest.mark.parametrize("name", [name for name in names() if name.endswith("-margin")])
def test_a_construction_with_a_margin_has_a_positive_one_on_both_sides(name: str) -> None:
    for theorem in (theorem for theorem in margins_of(name) if theorem.value is not None):
        for positions in range(4, 40):
            values: dict[str, Real] = {**parameter_values(load(name)), "n": fmpq(positions)}
            assert sign(evaluate(theorem.value, values)) > 0


def stated(name: str, number: int) -> Margin:
    """Counted among those with a value."""
    return [theorem for theorem in margins_of(name) if theorem.value is not None][number]


def changed(theorem: Margin, **fields: Any) -> Margin:
    """The theorem with other fields, under the name that these give it."""
    kept = {
        key: getattr(theorem, key)
        for key in ("side", "value", "when", "given", "invariant", "attained")
        if key not in fields
    }
    return Margin(**(kept | fields))


WRONG: list[tuple[str, Margin, str, str]] = [
    # Too large: a word comes closer.
    (
        "one",
        changed(stated("one", 0), value="1/n"),
        "1",
        "the least |logit| of accepted words of 2 positions is not 1/2",
    ),
    ("one", Margin("rejected", "1/(2*n) + (n - 1)*(n - 2)*(n - 3)/n"), "000", "of 4 positions is not 13/8"),
    ("parity", changed(stated("parity", 0), value="2*tanh(c)/n"), "1", "of 2 positions is not 3/5"),
    ("first", changed(stated("first", 1), value="exp(c)/(exp(c) + n)"), "0", "of 2 positions is not 1/2"),
    ("dyck1", changed(stated("dyck1", 1), value="1/n**2"), "0", "is not 1/4"),
    ("dyck1-margin", changed(stated("dyck1-margin", 1), value="1/n"), "0", "is not 1/2"),
    ("palindrome", changed(stated("palindrome", 1), value="exp(2*c)*(exp(c) - 1)/(exp(c*n) - 1)"), "01", "is not 4/15"),
    ("palindrome", changed(stated("palindrome", 0), value="1/n"), "", "accepted words of 2 positions is not 1/2"),
    # Too small: no word comes as close.
    ("one", changed(stated("one", 0), value="1/(3*n)"), "1", "accepted words of 2 positions is 1/4, not 1/6"),
    ("parity", changed(stated("parity", 1), value=0), "0", "rejected words of 2 positions is 3/10, not 0"),
    ("one", changed(stated("one", 1), value="-1/(2*n)"), "", "a margin of -1/2 is below 0, which no |logit| is"),
    ("dyck1-margin", changed(stated("dyck1-margin", 1), value="1/(2*n) - (n - 2)/n**9"), "00", "is 1/6, not"),
    ("palindrome", changed(stated("palindrome", 1), value="(exp(c) - 1)/(exp(c*n) - 1)"), "01", "is 2/15, not 1/15"),
    ("palindrome", changed(stated("palindrome", 1), given="exp(c) > 2", value=0), "01", "not 0"),
    # The other side.
    ("dyck1", changed(stated("dyck1", 1), side="accepted", when="n % 2 == 1"), "", "is 1, not 0"),
    ("dyck1", changed(stated("dyck1", 0), side="rejected", when="n >= 2"), "0", "is not 1/2"),
    ("parity", changed(stated("parity", 2), side="rejected"), "00", "is not"),
    ("parity", changed(stated("parity", 3), side="accepted", when="n % 2 == 1 and n >= 3"), "01", "is"),
    # No word, where there is one.
    (
        "parity",
        Margin("accepted", None, when="n % 2 == 0"),
        "1",
        "there is a word of 2 positions that is to be accepted",
    ),
    ("dyck1-margin", changed(stated("dyck1-margin", 0), value=None, attained=None), "", "of 1 positions that is to be"),
]


@pytest.mark.parametrize(("name", "theorem", "word", "says"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_margin_is_refuted(name: str, theorem: Margin, word: str, says: str) -> None:
    construction = load(name)
    [result] = prove(construction, [theorem])
    assert isinstance(result.verdict, Refuted), result.verdict
    found = result.verdict.counterexample
    assert found.word == word
    assert says in found.note
    assert found.member is (theorem.side == "accepted")
    again = (
        counterexample(construction, theorem, found.word, found.parameters),
        unattained(construction, theorem, len(found.word)),
    )
    assert found in again


def test_a_margin_outside_its_parameters_is_refuted() -> None:
    """Below base 2 a word with two mismatches comes closer than one with the outermost alone."""
    theorem = changed(stated("palindrome", 1), given="n >= 1")
    [result] = prove(load("palindrome"), [theorem])
    assert isinstance(result.verdict, Refuted)


def test_a_word_of_a_side_that_is_said_to_have_none_is_found_at_16_symbols() -> None:
    theorem = changed(stated("dyck1-margin", 0), value=None, attained=None, when="n % 4 == 1 and n > 14")
    [result] = prove(load("dyck1-margin"), [theorem])
    assert isinstance(result.verdict, Refuted)
    assert len(result.verdict.counterexample.word) == 16


OPEN: list[tuple[str, Margin, str]] = [
    # A case with no word at all.
    (
        "dyck1",
        changed(stated("dyck1", 0), when="n >= 1"),
        "there are no accepted words of 2 positions: narrow the case",
    ),
    ("dyck1-depth", changed(stated("dyck1-depth", 0), when="n % 2 == 1"), "no accepted words of 3 positions, D = 0"),
    # Words that are not of that length, not whole, not closest, not a constant in each copy.
    ("dyck1", changed(stated("dyck1", 1), attained=(("0", "n"),)), ""),
    ("dyck1", changed(stated("dyck1", 1), when="n >= 3", attained=(("00", "(n - 1)/2"),)), ""),
    ("dyck1", changed(stated("dyck1", 1), when="n >= 2", attained=(("0", "n - 4"), ("1", 3))), ""),
    ("palindrome", changed(stated("palindrome", 1), attained=(("0", "n - 3"), ("1", 1))), "add different values to S1"),
    # An invariant that is too weak.
    ("dyck1-margin", changed(stated("dyck1-margin", 1), invariant="S1 <= 0"), ""),
]


@pytest.mark.parametrize("case", short_suite(OPEN, [case for case in OPEN if case[0] != "palindrome"]))
def test_what_is_not_shown_is_unknown(case: tuple[str, Margin, str], monkeypatch: pytest.MonkeyPatch) -> None:
    name, theorem, says = case
    monkeypatch.setattr("weightproof.proofs.deciding.SEARCHED", 300_000)  # no word refutes them
    [result] = prove(load(name), [theorem], timeout=15)
    assert isinstance(result.verdict, Unknown), result.verdict
    assert says in result.verdict.reason


@pytest.mark.parametrize(
    ("name", "theorem", "word"),
    [
        ("dyck1", changed(stated("dyck1", 0), attained=(("0", "n - 1"),)), "00"),
        ("dyck1-margin", changed(stated("dyck1-margin", 1), attained=(("1", "n - 1"),)), "1"),
        ("palindrome", changed(stated("palindrome", 1), attained=(("01", 1), ("0", "n - 4")), when="n >= 6"), "0100"),
    ],
    ids=["on the other side", "too far from 0", "not the closest"],
)
def test_words_that_do_not_attain_a_margin_refute_it(name: str, theorem: Margin, word: str) -> None:
    [result] = prove(load(name), [theorem])
    assert isinstance(result.verdict, Refuted)
    assert result.verdict.counterexample.word == word
    assert "said to attain the margin" in result.verdict.counterexample.note


def test_no_word_from_some_length_on_is_refuted_with_a_long_one() -> None:
    theorem = changed(stated("dyck1-margin", 0), value=None, attained=None, when="n % 4 == 1 and n > 14")
    [result] = prove(load("dyck1-margin"), [theorem])
    assert isinstance(result.verdict, Refuted)
    assert len(result.verdict.counterexample.word) == 16
    assert "there is a word of 17 positions" in result.verdict.counterexample.note


def test_other_words_that_attain_it_do_as_well() -> None:
    """The mirrored words, the first 0 standing apart because it is compared with the 1."""
    theorem = changed(stated("palindrome", 1), attained=(("0", 1), ("0", "n - 4"), ("1", 1)))
    [result] = prove(load("palindrome"), [theorem])
    assert isinstance(result.verdict, Proved)


def test_without_words_that_attain_it_the_scope_says_how_far_it_was_checked() -> None:
    [result] = prove(load("one"), [Margin("accepted", "1/(2*n)", when="n >= 2")])
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths, attained up to n = 9"
    assert result.verdict.evidence is Evidence.SAMPLED
    [result] = prove(load("parity"), [Margin("rejected", "2*tanh(c)/n**2", when="n % 2 == 0")])
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths, attained up to n = 9, at 3 parameter values"
    assert result.verdict.evidence is Evidence.SAMPLED


@pytest.mark.parametrize(("name", "theorem"), MARGINS)
def test_no_obligation_about_the_family_closes_with_a_wrong_goal(name: str, theorem: Margin) -> None:
    derivation = derivation_of(name)
    items = list(attained(derivation, theorem, derivation.vocabulary.words()))
    assert items
    for item in items:
        assert close(item, timeout=5).evidence is not None
        assert close(replace(item, goal=FALSE), timeout=5).evidence is None, item.name


PLANTED = """
from weightproof import Margin, load

VIOLATED = "(so_far and S1 == 0 and count('1', j) <= count('0', j)) or (not so_far and S1 <= -1/(j + 1))"
construction = load("dyck1-margin")

theorems = (
    Margin("rejected", "1/(2*n)", when="n >= 2", invariant=VIOLATED, attained=(("0", "n - 1"),)),
    Margin("rejected", "1/n", when="n >= 2", invariant=VIOLATED, name="too large"),
    Margin("rejected", "1/(3*n)", when="n >= 2", invariant=VIOLATED, name="too small", expected="refuted"),
)
"""


def test_margins_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "planted.py"
    path.write_text(PLANTED)
    assert main(["prove", str(path), "--json"]) == 1
    right, large, small = json.loads(capsys.readouterr().out)["theorems"]
    assert (right["verdict"], right["scope"]) == ("proved", "all lengths")
    assert right["statement"] == "least |logit| of rejected words = 1/(2*n) if n >= 2"
    assert (large["verdict"], large["counterexample"]["word"]) == ("refuted", "0")
    assert small["as_expected"]
    assert small["counterexample"]["note"] == "the least |logit| of rejected words of 2 positions is 1/4, not 1/6"
    assert main(["prove", str(path)]) == 1
    text = capsys.readouterr().out
    assert "planted" not in text.split("Counterexamples")[0]
    assert "dyck1-margin, too small: '0' has logit -1/4; the least |logit| of rejected words of 2 positions" in text
    assert f"    weightproof run {path} '0'" in text


def test_the_margin_at_a_length_can_be_computed() -> None:
    """How other code reads a margin: the closed form at a length and at parameter values."""
    accepted = stated("dyck1-margin", 0)
    assert accepted.value is not None
    value = evaluate(accepted.value, {"n": fmpq(101)})
    assert Fraction(str(value)) == Fraction(1, 202)

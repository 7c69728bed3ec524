"""Malformed theorems, and languages whose function and formula differ, are refused before anything is proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support.places import TESTS
from weightproof.constructions.claims.published import Published, Reading
from weightproof.constructions.claims.statements import Accepts, Logit, Stream, Value
from weightproof.constructions.languages.membership import check_membership, is_member
from weightproof.constructions.library import load, load_file, names
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.theorem import ClosedForm, Compares, Decides, Margin, theorems_of
from weightproof.proofs.wellformed import check

MORE_ONES = load_file(TESTS / "examples" / "more_ones.py").construction


@pytest.mark.parametrize("name", names())
def test_the_theorems_and_languages_of_the_suite_are_well_formed(name: str) -> None:
    construction = load(name)
    assert check(construction, theorems_of(name)) is None
    assert check(construction, default_theorems(construction)) is None
    assert check_membership(construction) is None


def claimed(*senses: Any) -> Published:
    return Published("a", "here", "a formula", *senses)


BAD: list[tuple[Any, str]] = [
    ("it holds", "is of type str; write a Decides, a ClosedForm, a Compares, a Margin, or a Predicts"),
    (Decides("", "a statement"), "name is '', not a line of text"),
    (Decides("a name", "two\nlines"), "statement is"),
    (Decides("a", "b", expected="perhaps"), "expected is 'perhaps', not 'proved' or 'refuted'"),  # type: ignore[arg-type]
    (Decides("a", "b", up_to=0), "up_to is 0, not a number of positions"),
    (Decides("a", "b", up_to=True), "up_to is True, not a number of positions"),
    (Decides("a", "b", given="n > m"), "given: n > m uses m, but may use only n"),
    (Decides("a", "b", given="n - 1"), "given: n - 1 is neither true nor false"),
    (Decides("a", "b", given="n > 1 or n"), "uses n as if it were true or false"),
    (Decides("a", "b", accepts="count('2') > 0"), "speaks of '2', which is no symbol of the alphabet"),
    (Decides("a", "b", accepts="1/(n - 2) > 0"), "accepts: 1/(n - 2) > 0 has no value on '0'"),
    (Decides("a", "b", invariant="S1 + j"), "invariant: S1 + j is neither true nor false"),
    (Compares("=", 0), "op is '=', not one of <, <=, ==, !=, >=, >"),  # type: ignore[arg-type]
    (Compares(">", "m"), "value: m uses m, but may use only n"),
    (Compares(">", "count('1')"), "value: count('1') speaks of the word"),
    (Compares(">", 0, "n"), "where: n is neither true nor false"),
    (Compares(">", 0, only=1), "only is 1, not True or False"),  # type: ignore[arg-type]
    (Margin("both", 0), "side is 'both', not 'accepted' or 'rejected'"),  # type: ignore[arg-type]
    (Margin("accepted", "m"), "value: m uses m, but may use only n"),
    (Margin("accepted", "count('1')/n"), "value: count('1')/n speaks of the word"),
    (Margin("accepted", 0, when="w[1] == '1'"), "when: w[1] == '1' speaks of the word; a case is a condition on n"),
    (Margin("accepted", 0, given="n"), "given: n is neither true nor false"),
    (Margin("accepted", 0, when="1/(n - 2) > 0"), "when: 1/(n - 2) > 0 has no value on '0'"),
    (Margin("accepted", 0, attained=(("2", 1),)), "attained: '2' is no word over the alphabet"),
    (Margin("accepted", 0, attained=(("", 1),)), "attained: '' is no word over the alphabet"),
    (Margin("accepted", 0, attained=(("1", "m"),)), "attained, '1': m uses m"),
    (Margin("accepted", 0, invariant="S1"), "invariant: S1 is neither true nor false"),
    (ClosedForm("k/n"), "claim is of type str, not a Published"),  # type: ignore[arg-type]
    (ClosedForm(claimed(Value(Logit(), "m"))), "claim a: value: m uses m"),
    (ClosedForm(claimed(Value(Logit(), "1/n", "i == 0"))), "claim a: when: i == 0 uses i"),
    (ClosedForm(claimed(Value(Stream("unbalance"), "1/n"))), "claim a: 'unbalance' is none of"),
    (ClosedForm(claimed(Value(Logit(), "1/n", "n"))), "claim a: when: n is neither true nor false"),
    (ClosedForm(claimed(Value(Logit(), "1/n")), given="n"), "given: n is neither true nor false"),
    (ClosedForm(claimed(Value("logit", "1/n"))), "claim a: 'logit' is no quantity"),  # type: ignore[arg-type]
    (ClosedForm(claimed(Accepts())), "claim a: it states no value, or has more than one sense"),
    (
        ClosedForm(claimed(Reading(Value(Logit(), 0), "one"), Reading(Value(Logit(), 1), "other"))),
        "claim a: it states no value, or has more than one sense",
    ),
    (ClosedForm(Published("a", "here", "$s", Value(Logit(), "1/n"))), "claim a: printed: a formula is not closed"),
    (ClosedForm(claimed(Value(Logit(), "1/n")), name=""), "name is '', not a line of text"),
]


@pytest.mark.parametrize(("theorem", "says"), BAD, ids=[says for _, says in BAD])
def test_a_malformed_theorem_is_refused(theorem: Any, says: str) -> None:
    for refuse in (check, lambda construction, theorems: next(prove(construction, theorems))):
        with pytest.raises(InputError) as refusal:
            refuse(MORE_ONES, (Decides("fine", "accepts its language"), theorem))
        message = str(refusal.value)
        assert message.startswith("more-ones: theorems[1]")
        assert says in message
        assert "\n" not in message


def test_two_theorems_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="there are two theorems 'a'; give them different names"):
        check(MORE_ONES, (Decides("a", "b"), Decides("a", "c")))


def with_language(**changes: Any) -> Construction:
    old = MORE_ONES.language
    fields = {"member": old.member, "characterisation": old.characterisation} | changes
    return replace(MORE_ONES, language=Language(old.name, old.alphabet, **fields))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"member": lambda word: len(word) == 5}, "member('1') is False, but the characterisation says True"),
        ({"characterisation": "n >= 1"}, "member('') is False, but the characterisation says True"),
        ({"member": lambda word: word[0] == "1"}, "member(''): string index out of range"),
        ({"characterisation": "log(n - 1) > 0"}, "the characterisation has no value on ''"),
    ],
)
def test_a_language_that_is_said_twice_in_two_ways_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as refusal:
        check_membership(with_language(**changes))
    assert str(refusal.value).startswith("more-ones: language MORE ONES")
    assert says in str(refusal.value)


@pytest.mark.parametrize("formula", ["n", "count('1')", "n > 1 and n"])
def test_a_characterisation_is_true_or_false(formula: str) -> None:
    with pytest.raises(ConstructionError, match=r"neither true nor false|as if it were true or false"):
        with_language(characterisation=formula)


def test_membership_gets_natural_parameters_as_integers() -> None:
    construction = load("dyck1-depth")
    seen: list[object] = []

    def member(word: str, D: int) -> bool:
        seen.append(D)
        return bool(construction.language.member(word, D=D))

    old = construction.language
    spied = replace(construction, language=Language(old.name, old.alphabet, member, old.characterisation))
    check_membership(spied)
    assert {type(value) for value in seen} == {int}
    assert is_member(spied, "01", {"D": 1}) is True  # type: ignore[dict-item]


def test_a_case_without_a_value_is_refused() -> None:
    construction = load("one")
    claim = claimed(Value(Logit(), 0, "not (count('1', n - 1 - 1/2) != 3)"))
    with pytest.raises(InputError, match=r"case: .* has no value on ''"):
        check(construction, [ClosedForm(claim)])

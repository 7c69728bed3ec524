"""The recipes of Yang et al. (2025): each is proved on words, what is printed wrongly is refuted, and two mistakes in
each are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import weightproof as wp
from weightproof.constructions.library import load, module_of, recipes
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.places import Path, Place, put_at
from weightproof.proofs.theorem import Decides, Predicts, Theorem, theorem_file, theorems_of
from weightproof.proofs.verdict import Proved, Refuted, Unknown

pytestmark = pytest.mark.proofs

UP_TO = {
    "cookbook-lookup-hash": "norms of queries and keys",
    "cookbook-predecessor-turning": "is read at linear functions of integers only",
}
"""Recipes that are proved of short words, and why they are not of all."""


@pytest.mark.parametrize("name", recipes())
def test_every_theorem_about_a_recipe(name: str) -> None:
    for result in wp.prove(name):
        if result.expected == "refuted":
            assert isinstance(result.verdict, Refuted), result
        else:
            assert isinstance(result.verdict, Proved), result
            assert (result.verdict.scope == "all lengths") == (name not in UP_TO), result


def test_what_is_proved_of_short_words_says_so() -> None:
    for name in recipes():
        short = [theorem for theorem in theorems_of(name) if isinstance(theorem, Decides) and theorem.up_to is not None]
        assert bool(short) == (name in UP_TO), name
        if short:
            assert "unknown" in str(theorem_file(module_of(name)[0]).__doc__)


def on_all(theorem: Theorem) -> Decides:
    """The theorem without its greatest length."""
    assert isinstance(theorem, Decides)
    return replace(theorem, up_to=None, name="recognises")


@pytest.mark.controls
@pytest.mark.parametrize("name", UP_TO)
def test_of_all_words_these_are_unknown(name: str) -> None:
    """Once one of these is proved, its theorem is to say so."""
    [result] = wp.prove(load(name), [on_all(theorems_of(name)[0])])
    assert isinstance(result.verdict, Unknown)
    assert UP_TO[name] in result.verdict.reason


Weight = tuple[str, str, str, str]
"""Which matrix, as "1 W_F1" or "1.2 W_V" of a layer or of a head of one; row, column, and the mistake there."""
MISTAKES: dict[str, tuple[Weight, Weight]] = {
    "cookbook-and": (
        ("1 W_F1", "y: x0 and x1 and x2", "x2", "0"),
        ("1 W_F1", "y: x0 and x1 and x2", "x0", "2"),
    ),
    "cookbook-or": (("1 W_F1", "y: none", "x1", "0"), ("1 W_F2", "y", "y: none", "1")),
    "cookbook-not": (("W", "logit", "[w=1]", "0"), ("W", "logit", "1", "0")),
    "cookbook-xor": (
        ("1 W_F1", "y: x0 and not x1", "x1", "0"),
        ("1 W_F2", "y", "y: not x0 and x1", "-1"),
    ),
    "cookbook-most": (
        ("1 W_F2", "y", "y: x0 and x1 and x2", "0"),
        ("1 W_F1", "y: x0 and x1 and not x2", "x1", "0"),
    ),
    "cookbook-min": (("1 W_F1", "m: beyond", "y", "0"), ("1 W_F2", "m", "m: x", "0")),
    "cookbook-max": (("1 W_F2", "m", "m: beyond", "1/2"), ("1 W_F2", "m", "m: -x", "0")),
    "cookbook-conditional": (
        ("1 W_F1", "r: x", "[w=1]", "0"),
        ("1 W_F1", "r: y", "[w=1]", "1"),
    ),
    "cookbook-piecewise-linear": (("1 W_F2", "f", "f: x-2", "4"), ("1 W_F2", "f", "f: 1", "-1")),
    "cookbook-positive": (("1 W_F2", "z", "z: x", "1/2"), ("1 W_F2", "z", "z: x-1", "-2")),
    "cookbook-zero": (("1 W_F2", "z", "z: x", "-1"), ("1 W_F2", "z", "z: x+1", "0")),
    "cookbook-at-most": (
        ("1 W_F1", "z: 1-x", "x", "0"),
        ("1 W_F2", "z", "z: 1-x", "-1/4"),
    ),
    "cookbook-count": (
        ("1.1 W_V", "#1/(i+1)", "[w=1]", "1/2"),
        ("1.1 W_V", "#0/(i+1)", "[w=BOS]", "-1"),
    ),
    "cookbook-inverse-length": (("1.1 W_V", "x", "[w=BOS]", "0"), ("1.1 W_V", "x", "[w=1]", "-1")),
    "cookbook-subtract": (("1 W_F2", "d", "d: y < 0", "0"), ("1 W_F2", "d", "d: x > 0", "1/2")),
    "cookbook-replace": (
        ("1 W_F2", "x", "less x: x > 0", "0"),
        ("1 W_F2", "x", "x: beyond", "0"),
    ),
    "cookbook-hash": (("W", "logit", "x", "-1"), ("W", "logit", "1", "1")),
    "cookbook-hash-product": (("1 W_F2", "x", "-1", "0"), ("1 W_F1", "x", "x", "0")),
    "cookbook-lookup": (("2.1 W_K", "a", "j", "1"), ("2.1 W_K", "1", "j^2", "-2")),
    "cookbook-lookup-hash": (("2.1 W_K", "x", "j", "2"), ("2.1 W_Q", "x", "#0/(i+1)", "1")),
    "cookbook-lookup-distance": (("2.1 W_K", "1", "j", "-2"), ("2.1 W_Q", "a", "#0/(i+1)", "1")),
    "cookbook-predecessor": (("1.1 W_Q", "a", "1", "0"), ("1.1 W_K", "1", "j^2", "-1/2")),
    "cookbook-predecessor-turning": (
        ("1.1 W_Q", "z", "10(-1)^i", "1"),
        ("1.1 W_K", "z", "10(-1)^i", "0"),
    ),
    "cookbook-first": (("1.1 W_K", "s", "1/(j+1)", "-1"), ("1.1 W_K", "s", "[w=1]", "-1")),
    "cookbook-last": (("1.1 W_K", "s", "1/(j+1)", "1"), ("1.1 W_K", "s", "1/(j+1)", "0")),
    "cookbook-first-place": (("1.1 W_K", "s", "j/n", "1"), ("1.1 W_K", "s", "[w=1]", "0")),
    "cookbook-last-place": (("1.1 W_K", "s", "j/n", "-1"), ("1.1 W_K", "s", "[w=1]", "1/2")),
    "cookbook-trigram": (("1.2 W_K", "one", "1", "0"), ("W", "0", "[1 0]", "-2")),
    "cookbook-mod": (("2.1 W_K", "1", "j", "-2"), ("1.1 W_V", "#1/(i+1)", "[w=0]", "1")),
    "cookbook-mod-position": (("W", "logit", "[j%3=0]", "1/2"), ("W", "logit", "1", "1")),
    "cookbook-induction": (("2.1 W_K", "order", "j/n", "-1"), ("2.1 W_K", "0", "[-1=0]", "0")),
    "cookbook-dyck-2-2": (("2.1 W_Q", "[depth=1]", "[depth=1]", "0"), ("3 W_F1", "(] wrong", "[w=]]", "0")),
}


def mistaken(construction: Construction, weight: Weight) -> Construction:
    matrix, row, column, to = weight
    numbers, _, part = matrix.rpartition(" ")
    layer, _, head = numbers.partition(".")
    match part:
        case "W":
            path: Path = ("readout", "W", "weights")
        case "W_F1" | "W_F2":
            path = ("layers", int(layer) - 1, "feed_forward", {"W_F1": "first", "W_F2": "second"}[part], "weights")
        case _:
            path = ("layers", int(layer) - 1, "heads", int(head) - 1, part)
    network = put_at(construction.encoder, Place(matrix, (*path, row, column)), Expression(to))
    return replace(construction, network=network)


def first_of(theorems: Sequence[Theorem]) -> Theorem:
    """What is said of all of its words, whether they are accepted or what is predicted."""
    return next((each for each in theorems if isinstance(each, Decides | Predicts)), theorems[0])


def test_two_mistakes_are_planted_in_each() -> None:
    right = {name for name in recipes() if first_of(theorems_of(name)).expected == "proved"}
    assert right == MISTAKES.keys()


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("which", [0, 1])
def test_a_mistake_is_refuted_by_a_word(name: str, which: int) -> None:
    construction = mistaken(load(name), MISTAKES[name][which])
    assert construction != load(name)
    [result] = wp.prove(construction, [first_of(theorems_of(name))])
    assert isinstance(result.verdict, Refuted), result

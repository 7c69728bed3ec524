"""What is left of a formula after the first tokens: at the end of a word it is what the formula is on that word."""

from __future__ import annotations

import itertools

import pytest

from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Embedding, Encoder, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.covering.automaton import TooManyStates
from weightproof.proofs.covering.progression import Unread, automaton

AB, ABC = ("a", "b"), ("a", "b", "c")
FORMULAS = (
    ("count('a') > count('b')", AB),
    ("count('a') % 2 == 1", AB),
    ("all(w[j] == w[n - j] for j in positions)", AB),
    ("all(count('a', j) >= count('b', j) for j in positions) and count('a') == count('b')", AB),
    ("any(w[j] == 'a' and w[j-1] == 'b' for j in positions)", AB),
    ("sum((w[j] == 'a')*j for j in positions) > n", AB),
    ("count('a')*count('b') == 4 or w[1] == 'a'", AB),
    ("sum((w[j] == 'a')*(w[j-1] == 'a') for j in indices) >= 2", AB),
    ("(count('a') == 2) + (count('b') == 1) == 1", ABC),
    ("count('a')**2 <= 2*count('b') + 1 or not w[n-1] != 'c'", ABC),
    ("count('a', 2) == 1 and w[0] != 'a'", AB),
    ("2**count('a') > n", AB),
    ("count('a')/(1 + count('b')) > 1", AB),
    ("count('ab') > count('ba') or count('aa', 3) == 1", AB),
    ("matches('(ab)*')", AB),
    ("matches('') or not matches('a[^b]*|b.')", ABC),
    ("matches('(a|b)*a(a|b){2}') or count('a') > count('b')", AB),
    ("(matches('a{2,}.*')) + count('b') == 2", AB),
)


def network(begin: str | None, end: str | None) -> Encoder:
    embedding = Embedding({token: {"x": 1} for token in (*ABC, *(m for m in (begin, end) if m is not None))})
    return Encoder(("x",), embedding, (), Readout(Linear({"logit": {"x": 1}})), begin, end)


@pytest.mark.parametrize(("formula", "alphabet"), FORMULAS)
@pytest.mark.parametrize("markers", [("CLS", None), (None, None), ("CLS", "EOS"), (None, "EOS")])
def test_paths_end_where_the_formula_says(
    formula: str, alphabet: tuple[str, ...], markers: tuple[str | None, str | None]
) -> None:
    whole, of = network(*markers), Expression(formula)
    for symbols in range(1 if markers == (None, None) else 0, 5):
        length = symbols + len(whole.markers)
        found = automaton(whole, alphabet, (of,), length)
        ends = [outcome == (True,) for outcome in found.outcomes]
        words = itertools.product(alphabet, repeat=symbols)
        true = sum(holds(of, {}, add_markers(whole, word), alphabet) for word in words)
        assert found.everything(ends).counted() == [true], (formula, length)
        assert found.everything([True] * len(ends)).counted() == [len(alphabet) ** symbols]


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("w[count('a')] == 'a'", "a place that depends on the word"),
        ("count('a', count('b')) == 1", "counts up to a place that depends on the word"),
        ("count('a') > c", "speaks of c"),
        ("sqrt(n) > count('a')", "sqrt"),
        ("sqrt(count('a')) > 1", "sqrt"),
    ],
)
def test_what_is_not_read_is_refused_by_name(formula: str, told: str) -> None:
    with pytest.raises(Unread, match=told.replace("(", r"\(")):
        automaton(network("CLS", None), AB, (Expression(formula),), 3)


def test_an_automaton_that_grows_too_large_is_refused() -> None:
    with pytest.raises(TooManyStates, match="edges of an automaton that reads words of 40 positions"):
        automaton(network("CLS", None), AB, (Expression("all(w[j] == w[n - j] for j in positions)"),), 40)


def test_states_are_few_where_the_same_is_left() -> None:
    """Of a prefix-closed condition on counts, without counts of their own in the states: too many symbols."""
    letters = tuple("abcdefgh")
    found = automaton(network("CLS", None), letters, (Expression("count('a') > count('b')"),), 40)
    assert found.starts[-1] < 40 * 80 * 8
    assert max(int(layer.target[-1]) for layer in found.layers) < 80

"""What automata prove or refute of drawn networks, against every short word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from tests.proofs.automata.drawn import ALPHABET, at_counts, construction, counting, drawn, masked, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.automata.deciding import _word, by_automata
from weightproof.proofs.automata.flows import Flow
from weightproof.proofs.automata.network import read
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.solving.solvers import Answer
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.vocabulary import Underivable

Outcome = Literal["proved", "refuted", "open", "not read", "no time"]
LONGEST = 7
GUESSED = 4
"""Formulas that are right up to here are tried: some of them are wrong of longer words."""
FORMULAS = (
    "n < 0",
    "n >= 1",
    "n >= 2",
    "n >= 3",
    "n % 2 == 0",
    "n % 2 == 1",
    "n <= 6",
    "n != 6",
    "w[n-1] == '1'",
    "w[n-1] == '0'",
    "w[n-2] == '1'",
    "w[n-2] == '0'",
    "w[0] == '1'",
    "w[0] == '0'",
    "w[1] == '1'",
    "w[1] == '0'",
    "count('1') == 0",
    "count('0') == 0",
    "count('1') >= 1",
    "count('0') >= 1",
    "count('1') >= 2",
    "count('0') >= 2",
    "count('0') <= 1",
    "count('1') <= 1",
    "count('1') > count('0')",
    "count('1') >= count('0')",
    "count('1') < count('0')",
    "count('1') <= count('0')",
    "2*count('1') > count('0')",
    "2*count('0') > count('1')",
    "count('1') % 2 == 0",
    "count('0') % 2 == 0",
    "any(w[j] == '1' and w[j-1] == '0' for j in positions)",
    "any(w[j] == '0' and w[j-1] == '1' for j in positions)",
    "any(w[j] == '0' and w[j-1] == '0' for j in positions)",
    "any(w[j] == '1' and w[j-1] == '1' for j in positions)",
    "all(w[j] != '1' or w[j-1] != '1' for j in positions)",
    "all(w[j] != '0' or w[j-1] != '0' for j in positions)",
    "sum((w[j] == '0')*(w[j-1] == '1') for j in positions) <= 1",
    "any(w[j] == '1' and j % 2 == 0 for j in positions)",
    "any(w[j] == '0' and j % 2 == 0 for j in positions)",
    "count('1') >= 1 and count('0') >= 1",
    "count('1') == 0 or count('0') >= 5",
    "count('0') == 0 or count('1') >= 5",
    "w[n-1] != '1' or n == 7",
)


OF_PREFIXES = (
    "all(count('1', j) >= count('0', j) for j in positions)",
    "all(count('0', j) >= count('1', j) for j in positions)",
    "all(count('1', j) <= 1 for j in positions)",
    "any(count('1', j) > count('0', j) for j in positions)",
    "any(count('0', j) > count('1', j) for j in positions)",
    "any(count('1', j) == count('0', j) for j in positions)",
    "any(count('1', j) > count('0', j) + 1 for j in positions)",
    "all(2*count('1', j) >= j for j in positions)",
    "any(w[j] == '1' and count('0', j) == count('1', j) for j in positions)",
    "sum((count('1', j) > count('0', j)) for j in positions) > 1",
    "2*sum((count('1', j) > count('0', j)) for j in positions) > n",
    "any(count('1', j) >= 2 and w[j] == '0' for j in positions)",
    "all(w[j] == '0' or count('0', j) == 0 for j in positions)",
    "all(w[j] == '1' or count('1', j) == 0 for j in positions)",
)
PLACES = tuple(
    f"{ones}count('1'){zeros} + {more}"
    for ones in ("", "-", "2*", "0*")
    for zeros in ("", " + count('0')", " - count('0')")
    for more in (-1, 0, 1, 2)
)
OF_PLACES = tuple(
    said.format(place, symbol)
    for said in (
        "any(w[j] == '{1}' and (j == {0} or (j == 0 and j > {0}) or (j == n - 1 and j < {0})) for j in indices)",
        "not any(w[j] == '{1}' and (j == {0} or (j == 0 and j > {0}) or (j == n - 1 and j < {0})) for j in indices)",
        "any(w[j] == '{1}' and j == {0} for j in indices)",
        "all(w[j] != '{1}' or j != {0} for j in positions)",
    )
    for place in PLACES
    for symbol in ALPHABET
)
Draws = Callable[[int], Encoder]


def labels(made: Construction, longest: int) -> dict[tuple[str, ...], bool]:
    """Whether it accepts, of every word whose logit is decided."""
    found = {}
    for word in words(longest, 0 if made.encoder.markers else 1):
        try:
            ran = run(made, word)
        except Undecided:
            continue
        found[tuple(ran.tokens)] = ran.accepts
    return found


def differing(formula: str, accepted: dict[tuple[str, ...], bool], given: str = "n >= 1") -> list[tuple[str, ...]]:
    def true(said: str, tokens: tuple[str, ...]) -> bool:
        return holds(Expression(said), {}, tokens, ALPHABET)

    return [tokens for tokens, accepts in accepted.items() if true(given, tokens) and true(formula, tokens) != accepts]


def outcome(seed: int, seconds: float = 8, draws: Draws = drawn, guessed: int = GUESSED) -> tuple[Outcome, str]:
    """What becomes of a formula that is right of words that are so short where one is. AssertionError where it is
    wrong."""
    random, network = Random(seed), draws(seed)
    made = construction(network)
    try:
        runs = read(made)
    except Underivable:
        return "not read", ""
    few = labels(made, guessed)
    formulas = {drawn: FORMULAS, at_counts: OF_PLACES}.get(draws, FORMULAS + OF_PREFIXES)
    right = [formula for formula in formulas if not differing(formula, few)]
    formula, given = random.choice(right or formulas), random.choice(("n >= 1", "n >= 1", "n >= 3", "w[n-1] != '1'"))
    theorem = Decides("decides", "decides", accepts=formula, given=given)
    try:
        proving = by_automata(made, runs, theorem, Deadline.after(seconds))
    except Underivable as error:
        return "not read", str(error)
    except TimeUp:
        return "no time", formula
    refuted = proving.counterexample
    if refuted is not None:
        tokens = tuple(run(made, refuted.word).tokens)
        assert differing(formula, {tokens: refuted.accepts}, given), (seed, formula, given, refuted.word)
        return "refuted", f"{formula}, given {given}: {refuted.word}"
    if not proving.closed or proving.gap is not None:
        return "open", formula
    wrong = differing(formula, labels(made, LONGEST if len(network.layers) < 3 else LONGEST - 1), given)
    assert not wrong, (seed, formula, given, wrong[0])
    return "proved", f"{formula}, given {given}"


PROVED, REFUTED = (15, 26, 70), (30, 34, 72)


@pytest.mark.parametrize("seed", PROVED)
def test_what_is_proved_of_a_drawn_network_is_right_of_every_short_word(seed: int) -> None:
    assert outcome(seed)[0] == "proved"


@pytest.mark.parametrize("seed", REFUTED)
def test_a_formula_that_is_right_of_short_words_alone_is_refuted(seed: int) -> None:
    assert outcome(seed)[0] == "refuted"


@pytest.mark.controls
@pytest.mark.parametrize("start", range(1_000, 1_400, 100))
def test_so_it_is_of_many_drawn_networks(start: int) -> None:
    found = Counter(outcome(seed)[0] for seed in range(start, start + 100))
    assert found["proved"] > 2


def test_a_solver_that_does_not_say_which_word_it_found_has_found_none() -> None:
    """As the one of the two that answers without a model, where the other one had no time."""
    unclosed: Any = SimpleNamespace(answers=(Answer("z3", "unknown"), Answer("cvc5", "sat")))
    assert _word(SimpleNamespace(), unclosed) is None  # type: ignore[arg-type]


def test_half_an_edge_is_no_word() -> None:
    """As of the relaxation to reals, where there was no time to ask for integers."""
    case: Any = SimpleNamespace(flow=Flow(read(construction(drawn(PROVED[0])))))
    halves: Any = SimpleNamespace(answers=(Answer("z3", "sat", {"N1": "1/2", "N2": "1/2"}), Answer("z3", "given up")))
    assert _word(case, halves) is None


MASKED_PROVED, MASKED_REFUTED = (12, 24, 39, 66), (30, 34, 73, 97)


@pytest.mark.parametrize("seed", MASKED_PROVED)
def test_what_is_proved_of_a_network_with_other_masks_is_right_of_every_short_word(seed: int) -> None:
    assert outcome(seed, draws=masked)[0] == "proved"


@pytest.mark.parametrize("seed", MASKED_REFUTED)
def test_a_formula_of_a_network_with_other_masks_is_refuted(seed: int) -> None:
    assert outcome(seed, draws=masked)[0] == "refuted"


@pytest.mark.controls
@pytest.mark.parametrize("start", range(1_000, 1_400, 100))
def test_so_it_is_of_many_drawn_networks_with_other_masks(start: int) -> None:
    found = Counter(outcome(seed, draws=masked)[0] for seed in range(start, start + 100))
    assert found["proved"] > 10


COUNTED_PROVED, COUNTED_REFUTED = (6, 19, 23, 43), (41, 68, 96, 103)


@pytest.mark.parametrize("seed", COUNTED_PROVED)
def test_what_is_proved_of_a_network_that_counts_is_right_of_every_short_word(seed: int) -> None:
    assert outcome(seed, draws=counting)[0] == "proved"


@pytest.mark.parametrize("seed", COUNTED_REFUTED)
def test_a_formula_of_a_network_that_counts_is_refuted(seed: int) -> None:
    assert outcome(seed, draws=counting)[0] == "refuted"


@pytest.mark.controls
@pytest.mark.parametrize("start", range(1_000, 1_300, 100))
def test_so_it_is_of_many_drawn_networks_that_count(start: int) -> None:
    found = Counter(outcome(seed, draws=counting)[0] for seed in range(start, start + 100))
    assert found["proved"] > 10


PLACED_PROVED, PLACED_REFUTED = (2, 24, 36), (11, 25, 29, 38)


@pytest.mark.parametrize("seed", PLACED_PROVED)
def test_what_is_proved_of_a_network_that_looks_at_a_count_is_right_of_every_short_word(seed: int) -> None:
    assert outcome(seed, draws=at_counts)[0] == "proved"


@pytest.mark.parametrize("seed", PLACED_REFUTED)
def test_a_formula_of_a_network_that_looks_at_a_count_is_refuted(seed: int) -> None:
    assert outcome(seed, draws=at_counts, guessed=2)[0] == "refuted"


@pytest.mark.controls
@pytest.mark.parametrize("start", range(1_000, 1_100, 50))
@pytest.mark.parametrize("guessed", [2, GUESSED])
def test_so_it_is_of_many_drawn_networks_that_look_at_a_count(start: int, guessed: int) -> None:
    found = Counter(outcome(seed, draws=at_counts, guessed=guessed)[0] for seed in range(start, start + 50))
    assert found["proved" if guessed == GUESSED else "refuted"] > 10

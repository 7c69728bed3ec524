"""What papers print of the architecture, and formulas that no weight enters, are judged: right, wrong, malformed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from tests.proofs.claims.test_claims import EXAMPLE
from tests.support.replays import breaks
from tests.support.unusual import recogniser
from weightproof.constructions.claims.published import Claims, Convention, Published
from weightproof.constructions.claims.statements import (
    Count,
    Domain,
    Formula,
    Output,
    Stack,
    Statement,
    Value,
    Weights,
    Writes,
)
from weightproof.constructions.library import load, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import Place, RootMeanSquare
from weightproof.proofs.claims.judging import Judgement, judge_claims
from weightproof.proofs.quantities.outcome import Holds

POWERS = "sum(2**j for j in indices)"


def judged(name: str, statement: Statement, under: tuple[tuple[Convention, ...], ...] = ()) -> Judgement:
    return judged_of(load(name), statement, under)


def judged_of(
    construction: Construction, statement: Statement, under: tuple[tuple[Convention, ...], ...] = ()
) -> Judgement:
    published = Published("claim", "here", "as stated", statement, under=under)
    [judgement] = judge_claims(construction, Claims(construction.name, published))
    return judgement


def reading(name: str, **readout: Any) -> Construction:
    """With another readout."""
    construction = load(name)
    network = replace(construction.encoder, readout=replace(construction.encoder.readout, **readout))
    return replace(construction, network=network)


RIGHT: list[tuple[str, Statement]] = [
    ("parity", Domain("WE", "CLS", "0", "1")),
    ("parity", Domain("PE", "i", "n")),
    ("first", Domain("PE", "i")),
    ("dyck1", Output("sum")),
    ("one", Output("first")),
    ("first", Writes(Weights("W_V", 2, 1), 6)),
    ("parity", Writes(Weights("W_V", 1, 1), 6, 7)),
    ("palindrome", Stack("W_K", 2, 1, "rows", "n", 1)),
    ("parity", Stack("W_V", 2, 1, "columns", 9, "n")),
    ("dyck1", Count("layers", "2 + 0*n")),
    ("one", Value(Formula(POWERS), "2**n - 1")),
    ("parity", Value(Formula("sum((count('1') >= j)*(-1)**(j + 1) for j in positions)"), "(count('1') % 2 == 1)")),
    ("palindrome", Value(Formula("sum(exp(c*j) for j in indices)"), "(exp(c*n) - 1)/(exp(c) - 1)")),
]
WRONG: list[tuple[str, Statement, str]] = [
    ("parity", Domain("WE", "0", "1"), "0, 1, CLS"),
    ("one", Domain("WE", "0", "1", "CLS", "EOS"), "0, 1, CLS"),
    ("parity", Domain("PE", "i"), "i/n: i/n"),
    ("dyck1-depth", Domain("PE", "i"), "[last]: (i == n - 1)"),
    ("dyck1", Output("first"), "the readout of all positions, summed"),
    ("first", Writes(Weights("W_V", 2, 1), 4, 5), "6"),
    ("parity", Writes(Weights("W_V", 1, 1), 6), "6, 7"),
    ("one", Writes(Weights("W_Q", 1, 1), 1), "none"),
    ("palindrome", Stack("W_K", 2, 2, "rows", 1, "n"), "n x 1"),
    ("parity", Stack("W_V", 2, 1, "columns", 9, "n + 1"), "9 x n"),
    ("dyck1", Count("layers", "n - 1"), "2"),
    ("one", Value(Formula(POWERS), "2**n"), "2**n - 1"),
    ("one", Value(Formula("12345*10**4 + 67890/10"), "12345*10**4"), "123456789"),
    (
        "palindrome",
        Value(Formula("(sum(exp(c*j) for j in indices) != sum(exp(c*(n-1-j)) for j in indices))"), "1"),
        "0",
    ),
]


@pytest.mark.parametrize(("name", "statement"), RIGHT)
def test_what_is_right_is_true(name: str, statement: Statement) -> None:
    judgement = judged(name, statement)
    assert judgement.verdict == "true"
    assert isinstance(judgement.deciding.outcome, Holds)
    assert judgement.deciding.outcome.scope in ("all lengths", "the weights")


@pytest.mark.parametrize(("name", "statement", "derived"), WRONG)
def test_what_is_wrong_is_false_and_breaks(name: str, statement: Statement, derived: str) -> None:
    judgement = judged(name, statement)
    assert judgement.verdict == "false"
    assert str(judgement.derived) == derived
    assert judgement.difference is not None
    assert breaks(load(name), statement, judgement.difference)


def test_an_output_layer_is_shown_on_a_word_that_it_decides_otherwise() -> None:
    difference = judged("dyck1", Output("first")).difference
    assert difference is not None
    assert (difference.word, difference.printed, difference.found) == ("01", "0", "1/3")


def test_an_encoding_is_shown_at_a_place_with_two_values() -> None:
    difference = judged("parity", Domain("PE", "i")).difference
    assert difference is not None
    assert difference.what == "i/n of the position encoding, as on '0'"
    assert (difference.printed, difference.found, difference.word, difference.position) == ("1/2", "1/3", "00", 1)


def test_an_output_that_short_words_do_not_tell_apart_is_open() -> None:
    """Every position of `one` holds the same logit."""
    assert judged("one", Output("last")).verdict == "unknown"


@pytest.mark.parametrize("name", ["one", "dyck1"])
@pytest.mark.parametrize("position", get_args(Place))
def test_an_output_of_a_network_that_reads_the_mean(name: str, position: Place) -> None:
    """Of `one` every position holds the same logit, which is their mean, and not their sum."""
    construction = reading(name, position="mean")
    found = judged_of(construction, Output(position)).verdict
    assert found == ("true" if position == "mean" else "unknown" if name == "one" and position != "sum" else "false")


def test_an_output_is_of_what_the_final_norm_makes_of_the_stream() -> None:
    """Behind the norm every position holds the same logit. What stood before it is another number, for which the claim
    was taken for false."""
    construction = recogniser(final_norm=RootMeanSquare(1))
    assert judged_of(construction, Output("last")).verdict == "unknown"
    assert judged_of(construction, Output("sum")).verdict == "false"


def test_stacked_vectors_are_transposed_by_the_convention_only() -> None:
    statement = Stack("W_V", 2, 1, "columns", "n", 9)
    assert judged("parity", statement).verdict == "false"
    judgement = judged("parity", statement, (("transposition",),))
    assert judgement.verdict == "true-under"
    assert judgement.deciding.reading.conventions == ("transposition",)


def test_a_construction_never_seen_is_judged_by_its_architecture() -> None:
    construction = load_file(EXAMPLE).construction
    claims = Claims(
        "more-b", Published("a", "p", "c", Domain("WE", "a", "b", "CLS")), Published("b", "p", "c", Output("first"))
    )
    assert [judgement.verdict for judgement in judge_claims(construction, claims)] == ["true", "true"]


MALFORMED: list[tuple[Statement, str]] = [
    (Domain("PE", "j"), "PE of ('j',): write i and n"),
    (Domain("W", "i"), "of: 'W' is none of WE, PE"),  # type: ignore[arg-type]
    (Output("all"), "position: 'all' is none of first, last, sum"),  # type: ignore[arg-type]
    (Writes(Weights("W_V", 1, 1), 0), "are no rows; the first one is 1"),
    (Writes(Weights("W_V", 3, 1), 1), "there is no layer 3"),
    (Stack("W_Q", 1, 1, "rows", "n", 1), "part: 'W_Q' is none of W_K, W_V"),  # type: ignore[arg-type]
    (Stack("W_K", 1, 1, "rows", "k", 1), "rows: k uses k, but may use only n"),
    (Value(Formula("i + 1"), "1"), "formula: i + 1 uses i"),
]


@pytest.mark.parametrize(("statement", "message"), MALFORMED, ids=[message for _, message in MALFORMED])
def test_malformed_statements_are_refused(statement: Statement, message: str) -> None:
    with pytest.raises(ConstructionError, match="one: claim claim: ") as refused:
        judged("one", statement)
    assert message in str(refused.value)

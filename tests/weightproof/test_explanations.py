"""What came out is explained by its pieces: no printed text is taken apart again."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.proofs.claims.test_claims import judged
from weightproof.appendix.published import spans
from weightproof.constructions.claims.statements import Logit, Order, Projected, Value, Vector
from weightproof.constructions.scalars.expressions import Expression
from weightproof.document.blocks import Math
from weightproof.proofs.quantities.explanation import Explanation, Named, Theta, Values, explained
from weightproof.proofs.quantities.outcome import Holds

N = Expression("n")
PIECES: list[tuple[Explanation, str, tuple[Any, ...]]] = [
    (explained(N), "n", (Math("n"),)),
    (explained(Expression("no")), "no", (Math(r"\text{no}"),)),
    (explained("n"), "n", ("n",)),
    (explained(Values((N, Expression("1/n")))), "n or 1/n", (Math("n"), " or ", Math(r"\frac{1}{n}"))),
    (explained(Values((N,), ("a at b", "; "))), "n at a at b, ; ", (Math("n"), " at a at b, ; ")),
    (explained("row 1, x or y: ", Values((N,))), "row 1, x or y: n", ("row 1, x or y: ", Math("n"))),
    (
        explained(N, ", where ", Named(Expression("S1"), N)),
        "n, where S1 = n",
        (Math("n"), ", where ", Math("S_{1} = n")),
    ),
    (
        explained("tight: ", Theta(Expression("1/n"))),
        "tight: |logit| is Theta(1/n)",
        ("tight: ", Math(r"\lvert\mathrm{logit}\rvert \in \Theta(\frac{1}{n})")),
    ),
    (explained("|logit| is Theta(1/n)"), "|logit| is Theta(1/n)", ("|logit| is Theta(1/n)",)),
    (explained(Expression("1 +")), "1 +", ("1 +",)),
    (explained(""), "", ()),
]


@pytest.mark.parametrize(("said", "text", "written"), PIECES, ids=[text for _, text, _ in PIECES])
def test_two_renderings(said: Explanation, text: str, written: tuple[Any, ...]) -> None:
    assert str(said) == text
    found = spans(said)
    assert tuple(dataclasses.replace(each, typed="") if isinstance(each, Math) else each for each in found) == written
    assert "".join(each.typed if isinstance(each, Math) else str(each) for each in found) == text


def test_an_explanation_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        explained(N).pieces = ()  # type: ignore[misc]


def test_a_derived_value_names_its_tokens_and_its_sums() -> None:
    failure = judged("palindrome", Value(Projected("W_V", 2, 2, "s"), "1")).failure
    assert failure is not None
    by_token = [piece for piece in failure.derived.pieces if isinstance(piece, Values)]
    assert [piece.tokens for piece in by_token] == [("CLS", "0", "EOS"), ("1",)]
    failure = judged("dyck1", Value(Logit(), "1/n")).failure
    assert failure is not None
    [whole, words, total] = failure.derived.pieces
    assert isinstance(whole, Values)
    assert words == ", where "
    assert isinstance(total, Named)
    assert total.name.source in whole.values[0].names
    assert total.value.source.startswith("sum(")


def test_a_row_of_a_vector_is_named_before_its_value() -> None:
    failure = judged("one", Vector(1, "0", "0", "0", "0", "0", "0", "0", stage="attention")).failure
    assert failure is not None
    assert failure.derived.pieces[0] == "row 1, [w=0]: "
    assert isinstance(failure.derived.pieces[1], Values)
    assert failure.derived.pieces[-1] == "; rows 2, 3, 4, 5, 6 differ, too"


def test_an_order_is_a_formula() -> None:
    outcome = judged("one", Order("O", "1/n")).deciding.outcome
    assert isinstance(outcome, Holds)
    assert outcome.note.pieces == ("tight: ", Theta(Expression("1/n")))

"""Between what heads add up and its closed form: numbers of positions times values, and fractions over one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import sympy
from flint import fmpq

from tests.support.derived import derivation_of
from tests.support.read_back.derivations import check_printed
from weightproof.appendix.steps import Teller, place_of
from weightproof.constructions.scalars.exact import log
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import OverPositions, Step
from weightproof.symbolic.rules.counting import Counted, counted
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.breakable import Cases
from weightproof.symbolic.writing.joining import joined

PARITY = derivation_of("parity")
C = PARITY.vocabulary.unit("c")
WORDS = [(("CLS", *word), {"c": log(fmpq(2))}) for word in ("1", "11", "010", "0110")]


def sums() -> Iterator[tuple[Step, Any, str]]:
    """The sums of PARITY's heads, with the head and the row."""
    teller = Teller(PARITY, "A")
    for step in PARITY.steps:
        place = place_of(step, teller.tokens)
        head = teller.sides.head(place.part)
        if isinstance(step.before, OverPositions) and head is not None and place.row is not None:
            yield step, head, place.row


def told(step: Step, head: Any, row: str, closed: Iverson | None = None) -> Counted | None:
    table = Teller(PARITY, "A").between.table
    assert isinstance(step.before, OverPositions)
    return counted(step.before, step.after if closed is None else closed, head, table[row], table)


def test_the_partition_functions_of_parity_count_even_and_odd_positions() -> None:
    teller = Teller(PARITY, "A")
    lines = [teller.between.counts(*each) for each in sums()]
    first, second = (line for line in lines if line is not None)
    half = r"\frac{n}{2} \cdot "
    assert first == Cases(
        (
            (rf"{half}e^{{-c}} + {half}e^{{c}}", r"n\text{ even}"),
            (r"\frac{n + 1}{2} \cdot e^{-c} + \frac{n - 1}{2} \cdot e^{c}", r"n\text{ odd}"),
        )
    )
    assert str(first) != str(second)


@pytest.mark.parametrize("length", range(1, 8))
def test_the_numbers_are_those_of_the_positions(length: int) -> None:
    """Counted one by one: CLS is at position 0, which is even."""
    [found] = [
        each
        for step, head, row in sums()
        if (each := told(step, head, row)) is not None
        and step.location.count("2, head 1")
        and len(each.values) > 1
        and "coordinate" not in step.location
    ]
    places = Counter(C if place % 2 else 1 / C for place in range(length))
    [case] = [
        value
        for conditions, value in found.total.terms
        if all(condition.covers(length % 2, length % 2) for condition in conditions)
    ]
    assert {value: number.subs(n, length) for number, value in found.counts(case)} == {
        value: places[value] for value in (C, 1 / C)
    }


def test_what_does_not_make_the_closed_form_is_not_told() -> None:
    several = [
        (step, head, row) for step, head, row in sums() if (found := told(step, head, row)) and len(found.values) > 1
    ]
    assert several
    for step, head, row in several:
        assert told(step, head, row, step.after + Iverson.constant(1)) is None
        assert isinstance(step.before, OverPositions)
        moving = OverPositions(tuple((token, value.scaled(j)) for token, value in step.before.summands))
        assert told(replace(step, before=moving), head, row) is None


def test_a_sum_that_is_another_one_has_no_common_denominator() -> None:
    parts, vocabulary = (1 / (n * C), -C / (n + 1)), PARITY.vocabulary
    whole = sympy.Add(*parts)
    found = joined(parts, whole, vocabulary)
    assert found is not None
    assert latex.over_common_denominator(found, vocabulary) == (r"\frac{e^{-c}\,(n + 1) - e^{c}\,n}{n\,(n + 1)}")
    assert joined(parts, whole + 1 / n**9, vocabulary) is None
    less = joined((n / (n + 1), sympy.S.NegativeOne), -1 / (n + 1), vocabulary)
    assert less is not None
    assert latex.over_common_denominator(less, vocabulary) == r"\frac{n - (n + 1)}{n + 1}"
    more = joined((n / (n + 1), (-C - 3) / (n + 1)), (n - C - 3) / (n + 1), vocabulary)
    assert more is not None
    assert latex.over_common_denominator(more, vocabulary) == r"\frac{n - e^{c} - 3}{n + 1}"
    assert joined((n, n / 2), 3 * n / 2, vocabulary) is None  # without a denominator there is nothing to tell
    assert joined((C**n / n, 1 / n), (C**n + 1) / n, vocabulary) is None


MISTAKES: dict[str, tuple[str, Callable[..., str]]] = {
    "counted": ("multiples", lambda old: lambda counts, vocabulary: old([(x + 1, y) for x, y in counts], vocabulary)),
    "joined": ("addition", lambda old: lambda parts, vocabulary: old([-part for part in parts], vocabulary)),
    "joined, over one line": ("over_common_denominator", lambda old: lambda *given: old(*given).replace(" - ", " + ")),
}


def test_the_lines_of_parity_read_back() -> None:
    check_printed(PARITY, WORDS, tally := Counter())
    assert min(tally["counted"], tally["joined"]) >= len(WORDS)


@pytest.mark.parametrize("who", MISTAKES)
def test_a_mistake_in_a_line_is_noticed(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, mistake = MISTAKES[who]
    monkeypatch.setattr(latex, name, mistake(getattr(latex, name)))
    with pytest.raises(AssertionError, match=who.split(",")[0]):
        check_printed(PARITY, WORDS, Counter())


def test_what_is_too_long_to_be_read_says_how_long_it_is() -> None:
    teller = Teller(PARITY, "A")
    for terms, shown in ((120, 120), (121, 5)):
        value = Iverson.constant(sympy.Add(*sympy.symbols(f"S1:{terms + 1}")))
        step = Step("a rule", "logit", value, value)
        line = teller.line(step, place_of(step, teller.tokens), {})
        assert len(line.rights[0].parts) == shown  # type: ignore[union-attr]
        assert (line.note == ("a rule", ", 121 terms")) == (terms > 120)

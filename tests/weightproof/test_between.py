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
from weightproof.document.blocks import Math
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import OverPositions, Step
from weightproof.symbolic.rules.counting import Counted, counted
from weightproof.symbolic.writing import joining, latex
from weightproof.symbolic.writing.breakable import Cases
from weightproof.symbolic.writing.joining import joined, multiplied_out

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


def test_the_one_position_that_adds_anything_is_told() -> None:
    """Of what layer 2 of PARITY adds up, where k_1 stands; not of its partition functions, nor where a symbol, a marker
    or a case adds something elsewhere."""
    teller = Teller(PARITY, "A")
    total = PARITY.vocabulary.total("1")
    places = [teller.between.place(step.before) for step, _, _ in sums()]  # type: ignore[arg-type]
    assert {*places} == {None, total}
    lines = [teller.line(step, place_of(step, teller.tokens), {}) for step, _, _ in sums()]
    notes = [("weighted values summed", ", only at ", Math(r"j = k_{\texttt{1}}")) == line.note for line in lines]
    assert notes == [place is not None for place in places]
    [before, *_] = [step.before for (step, _, _), place in zip(sums(), places, strict=True) if place is not None]
    assert isinstance(before, OverPositions)
    assert {token for token, _ in before.summands} == {"CLS", "0", "1"}
    for changed in before.summands:
        more = OverPositions(
            tuple(
                (token, value + Iverson.constant(1) if (token, value) == changed else value)
                for token, value in before.summands
            )
        )
        assert teller.between.place(more) is None
    everywhere = OverPositions(tuple((token, value + Iverson.constant(1)) for token, value in before.summands))
    assert teller.between.place(everywhere) is None


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


def test_what_parity_adds_up_is_multiplied_out_where_n_is_odd() -> None:
    """As in appendix A of the paper, but for the last line, where that has cosh in place of sinh."""
    line = Teller(PARITY, "A").between.join(2, "CLS", "s", "c")
    assert line is not None
    assert line.note == ("over a common denominator, multiplied out",)
    over, out = line.rights[-3:-1]
    assert isinstance(over, Cases)
    assert isinstance(out, Cases)
    less, more = (rf"\frac{{n {sign} 1}}{{2}} \cdot " for sign in "-+")
    above = {
        r"k_{\texttt{1}}\text{ even} \land n\text{ odd}": rf"{less}e^{{-2 c}} - {less}e^{{2 c}}",
        r"k_{\texttt{1}}\text{ odd} \land n\text{ odd}": rf"{more}e^{{2 c}} - {more}e^{{-2 c}}",
    }
    below = r"n\,(n\,\cosh(c) - \sinh(c))\,(n\,\cosh(c) + \sinh(c))"
    written = {where: rf"\frac{{{text}}}{{{below}}}" for where, text in above.items()}
    assert out.rows == tuple((written.get(where, value), where) for value, where in over.rows)
    assert len({*out.rows} - {*over.rows}) == 2


def test_what_is_not_shown_to_be_the_same_is_not_multiplied_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def apart() -> tuple[tuple[sympy.Expr, sympy.Expr], ...] | None:
        found = joined(parts, sympy.Add(*parts), PARITY.vocabulary)
        assert found is not None
        return multiplied_out(found)

    parts = (n / (n + 1), (C + 1 / C) * n / (n * C + n / C + 2))
    assert {power: sympy.expand(number) for number, power in apart() or ()} == {
        sympy.S.One: n, C: n**2 + n / 2, 1 / C: n**2 + n / 2
    }  # fmt: skip
    true = joining.exponential
    monkeypatch.setattr(joining, "exponential", lambda *given: true(*given) + 1)
    assert apart() is None
    monkeypatch.undo()
    parts = (n / (n + 1), 1 / (n * C))  # which is multiplied out as it is
    assert apart() is None


MISTAKES: dict[str, tuple[str, Callable[..., str]]] = {
    "counted": ("multiples", lambda old: lambda counts, vocabulary: old([(x + 1, y) for x, y in counts], vocabulary)),
    "joined": ("addition", lambda old: lambda parts, vocabulary: old([-part for part in parts], vocabulary)),
    "joined, multiplied out": (
        "over_same_denominator",
        lambda old: lambda *given: old(*given).replace(" - ", " + ", 1),
    ),
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
    """Of powers so high that nothing is factored."""
    teller = Teller(PARITY, "A")
    for terms, shown in ((120, 120), (121, 5)):
        value = Iverson.constant(sympy.Add(*((power + 1) * C**power for power in range(terms))))
        step = Step("a rule", "logit", value, value)
        line = teller.line(step, place_of(step, teller.tokens), {})
        assert len(line.rights[0].parts) == shown  # type: ignore[union-attr]
        assert (line.note == ("a rule", ", 121 terms")) == (terms > 120)

"""Numbers between two others, whose ends they may be or not: against what their members come to."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from random import Random

import pytest
from flint import fmpq

from weightproof.constructions.scalars.exact import log
from weightproof.proofs.automata.values import Between

ENDS = [fmpq(number, 2) for number in (-4, -2, -1, 0, 1, 2, 3)]


def drawn(random: Random) -> Between:
    low, high = sorted(random.choices(ENDS, k=2))
    return Between(low, high) if low == high else Between(low, high, random.random() < 0.5, random.random() < 0.5)


def members(of: Between) -> Iterator[fmpq]:
    """Ends that are attained, and numbers between them, near to each end too."""
    width = of.high - of.low
    if not of.above:
        yield of.low
    if not of.below:
        yield of.high
    if width > 0:
        yield from (of.low + width * part for part in (fmpq(1, 1000), fmpq(1, 3), fmpq(1, 2), fmpq(999, 1000)))


def holds(of: Between, number: fmpq) -> bool:
    above = number > of.low if of.above else number >= of.low
    return bool(above and (number < of.high if of.below else number <= of.high))


Operation = Callable[[fmpq, fmpq], fmpq]
OPERATIONS: dict[str, tuple[Callable[[Between, Between], Between], Operation]] = {
    "sum": (Between.__add__, lambda a, b: a + b),
    "difference": (Between.__sub__, lambda a, b: a - b),
    "product": (Between.__mul__, lambda a, b: a * b),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_result_lies_between_the_ends_and_attained_ends_are(name: str) -> None:
    together, each = OPERATIONS[name]
    random = Random(name)
    for _ in range(400):
        left, right = drawn(random), drawn(random)
        found = together(left, right)
        results = [each(a, b) for a, b in itertools.product(members(left), members(right))]
        assert all(holds(found, result) for result in results), (left, right, found)
        assert (found.low in results) == (not found.above), (left, right, found)
        assert (found.high in results) == (not found.below), (left, right, found)


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_what_is_beside_a_number_holds_all_that_is(sign: int) -> None:
    random = Random(sign)
    for _ in range(300):
        own, number = drawn(random), random.choice(ENDS)
        there = [each for each in members(own) if (each > number) - (each < number) == sign]
        assert all(holds(own.beside(number, sign), each) for each in there)
        for larger in (own.at_least(number), -(-own).at_most(-number)):
            assert all(holds(larger, max(each, number)) for each in members(own))


def test_a_sign_is_told_where_an_end_at_0_is_not_attained() -> None:
    assert [Between(fmpq(0), fmpq(1), above).sign for above in (True, False)] == [1, None]
    assert [Between(fmpq(-1), fmpq(0), False, below).sign for below in (True, False)] == [-1, None]


def test_real_numbers_that_are_nearly_equal_are_not_the_same() -> None:
    """Apart by less than their ends are."""
    one, other = Between.around(log(fmpq(2))), Between.around(log(fmpq(2)) + fmpq(1, 10**90))
    assert (one - one).sign == 0
    assert (one - other).sign != 0
    assert one != other
    assert (one * Between.exactly(2)).known == log(fmpq(4))

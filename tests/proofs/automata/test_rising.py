"""Scores that rise or fall with the position without being linear in it, against exact values, and against runs."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flint import fmpq

from tests.proofs.automata.drawn import construction
from tests.proofs.automata.test_numbered import elsewhere
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.automata import attention, rising
from weightproof.proofs.automata.attention import _dot, _rise
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.rising import Rise
from weightproof.proofs.automata.values import ONE, Between, Polynomial, Repetition, scalar
from weightproof.symbolic.algebra.vocabulary import Underivable

LONGEST = 12
KNOWN = {
    "1/(i + 1)": Rise(-1, fmpq(0), fmpq(1)),
    "-1/(i + 2)": Rise(1, fmpq(0), fmpq(1, 2)),
    "3*i": Rise(1, fmpq(3), None),
    "-2*i/n": Rise(-1, fmpq(0), fmpq(2)),
    "i**2": Rise(1, fmpq(1), None),
    "i**2/n**2": Rise(1, fmpq(0), fmpq(1)),
    "i**2 - i/2": Rise(1, fmpq(1, 2), None),
    "i/(i + 1)": Rise(1, fmpq(0), fmpq(1)),
    "i/(n + 1)": Rise(1, fmpq(0), fmpq(1)),
    "1/(n - i)": Rise(1, fmpq(0), fmpq(1)),
    "i + 1/(i + 1)": Rise(1, fmpq(1, 2), None),
    "(i + 1)**(-2)": Rise(-1, fmpq(0), fmpq(1)),
    "i/n**2": Rise(1, fmpq(0), None),
    "(i**2 - 5*i)/n": None,
    "i**2 - i": None,
    "1/(i + 1) + i/n": None,
    "1/(i**2 - 5*i + 7)": None,
}


def score(source: str) -> Polynomial:
    """What a key that holds it gives to a score."""
    one = Polynomial.constant(Between(ONE, ONE))
    return _dot((("x", one),), (("x", scalar(Expression(source), 1, 0, Repetition())),))


def is_right(source: str, rise: Rise) -> bool:
    """Of all words of up to so many positions."""
    for n in range(1, LONGEST + 1):
        values = [evaluate(Expression(source), {"i": fmpq(i), "n": fmpq(n)}) for i in range(n)]
        steps = [rise.side * (b - a) for a, b in itertools.pairwise(values)]
        if any(step <= 0 or step < rise.least for step in steps):
            return False
        if rise.most is not None and rise.side * (values[-1] - values[0]) >= rise.most:
            return False
    return True


@pytest.mark.parametrize("source", KNOWN)
def test_how_a_quotient_rises(source: str) -> None:
    rise = _rise(score(source))
    assert rise == KNOWN[source]
    assert rise is None or is_right(source, rise)


def drawn(seed: int) -> str:
    """A sum of quotients of the position and the length."""
    random = Random(f"rising {seed}")

    def number() -> str:
        return random.choice(("1", "2", "3", "1/2", "-1", "-2", "5/3"))

    def polynomial() -> str:
        return " + ".join(f"{number()}*{random.choice(('1', '1', 'i', 'i', 'i**2', 'n'))}" for _ in range(2))

    def part() -> str:
        under = f"({random.choice(('i', 'i', 'i**2', 'n', 'n - i', '2*i'))} + {random.choice((0, 1, 1, 2, 3))})"
        return random.choice(
            (
                f"{number()}*i",
                f"{number()}*i/n",
                f"{number()}*i**2",
                f"{number()}/{under}",
                f"{number()}/{under}",
                f"({polynomial()})/{under}",
                f"{number()}*{under}**(-{random.choice((1, 2))})",
            )
        )

    return " + ".join(part() for _ in range(random.choice((1, 1, 1, 2))))


def outcome(seed: int) -> str:
    source = drawn(seed)
    try:
        rise = _rise(score(source))
    except Underivable:
        return "not read"
    if rise is None:
        return "open"
    assert is_right(source, rise), source
    return "known"


def test_what_is_said_of_drawn_quotients_is_so() -> None:
    found = Counter(outcome(seed) for seed in range(300))
    assert found["known"] > 100
    assert found["open"] > 20


@pytest.mark.controls
def test_what_is_said_of_many_drawn_quotients_is_so() -> None:
    assert Counter(outcome(seed) for seed in range(1_000, 5_000))["known"] > 1_500


@pytest.mark.parametrize("divisor", ["i", "i - 3", "2*i - 3", "n - 2", "n - 2*i", "i - i"])
def test_what_may_be_divided_by_0_is_refused(divisor: str) -> None:
    with pytest.raises(Underivable, match="a division by what may be 0"):
        score(f"1/({divisor})")


def network(
    order: str,
    keys: dict[str, Any],
    *,
    position: str = "last",
    normaliser: str = "hardmax",
    begin: str | None = "CLS",
    **more: Any,
) -> Encoder:
    """Finds what is at one of the best positions, by what is there and by an order of positions."""
    head = Head(
        W_V={"s": {"[1]": 1, "[C]": 5}, "t": {"even": 1}},
        W_Q={"x": {"one": 1}},
        W_K={"x": keys},
        normaliser=normaliser,  # type: ignore[arg-type]
        **{"scale": 1, **more},
    )
    marker = {} if begin is None else {begin: {"[C]": 1}}
    return Encoder(
        coordinates=("[0]", "[1]", "[C]", "one", "order", "even", "s", "t"),
        embedding=Embedding(
            WE={"0": {"[0]": 1}, "1": {"[1]": 1}, **marker}, PE={"one": 1, "order": order, "even": "(i % 2 == 0)"}
        ),
        layers=(Layer((head,)),),
        begin=begin,
        readout=Readout(Linear({"logit": {"s": 1, "t": "1/3"}}), position=position),  # type: ignore[arg-type]
    )


READ = (
    network("1/(i + 1)", {"[1]": 1, "order": 1}),
    network("1/(i + 1)", {"[1]": 1, "order": -1}),
    network("1/(i + 1)", {"[1]": -1, "order": 1}, begin=None, position="sum"),
    network("1/(n - i)", {"[1]": 1, "order": "1/2"}),
    network("i**2", {"[1]": "1/2", "order": 1}),
    network("i**2", {"[1]": "1/2", "order": -1}, mask="causal", position="sum"),
    network("i**2/n**2", {"[1]": 2, "order": -1}, scale=-1),
    network("i/(i + 1)", {"[1]": 1, "[C]": 2, "order": -1}, normaliser="rightmost"),
    network("i/(n + 1)", {"[0]": 1, "order": 1}, scale="n"),
    network("(i % 2 == 0)/(i + 1)", {"[0]": 1, "one": 1}),
)


@pytest.mark.parametrize("number", range(len(READ)))
def test_a_head_looks_where_the_best_score_is(number: int) -> None:
    assert elsewhere(READ[number]) == []


REFUSED = {
    "neither the position nor what is there comes first": network("1/(i + 1)", {"[1]": "1/2", "order": 1}),
    "not shown that they rise or fall": network("1/(i**2 - 5*i + 7)", {"order": 1}),
    "no products of hard attention": network("1/(i + 1)", {"order": 1}, normaliser="softmax"),
    "on the position and on what is there, not as a sum": network("(i % 2 == 0)/(i + 1)", {"order": 1}),
    "a division by what may be 0": network("1/i", {"order": 1}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_other_scores_are_refused_by_name(reason: str) -> None:
    with pytest.raises(Underivable, match=reason):
        read(construction(REFUSED[reason]))


def test_quotients_in_values_and_queries_are_refused_by_name() -> None:
    made = network("1/(i + 1)", {"[1]": 1, "order": 1})
    [head] = made.layers[0].heads
    for changed in (replace(head, W_V={"s": {"order": 1}}), replace(head, W_Q={"x": {"order": 1}})):
        with pytest.raises(Underivable, match="a quotient of the position stands where"):
            read(construction(replace(made, layers=(Layer((changed,)),))))


def at_random(seed: int) -> Encoder:
    random = Random(f"heads {seed}")
    factors = (1, 1, -1, 2, "1/2", "-1/2", 3)
    keys = {name: random.choice((0, *factors)) for name in ("[0]", "[1]", "[C]")} | {"order": random.choice(factors)}
    return network(
        drawn(seed) if random.random() < 0.5 else random.choice([*KNOWN]),
        keys,
        position=random.choice(("first", "last", "sum")),
        normaliser=random.choice(("hardmax", "hardmax", "leftmost", "rightmost")),
        begin=random.choice(("CLS", None)),
        mask=random.choice(("none", "none", "causal", "future")),
        scale=random.choice((1, 1, -1, "n", "1/n")),
    )


def looked_at(seed: int) -> str:
    made = at_random(seed)
    try:
        read(construction(made))
    except Underivable:
        return "not read"
    assert elsewhere(made) == [], made
    return "read"


def test_drawn_heads_look_where_the_best_score_is() -> None:
    assert Counter(looked_at(seed) for seed in range(60))["read"] > 15


@pytest.mark.controls
def test_many_drawn_heads_look_where_the_best_score_is() -> None:
    assert Counter(looked_at(seed) for seed in range(1_000, 2_000))["read"] > 250


def test_a_rise_that_is_said_to_be_less_or_to_fall_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(**change: Any) -> bool:
        monkeypatch.setattr(attention, "rise_of", lambda parts: replace(rising.rise_of(parts), **change))  # type: ignore[type-var]
        seen = elsewhere(network("1/(i + 1)", {"[1]": "1/2", "order": 1}))
        return seen != []

    assert wrong(most=fmpq(1, 2))
    assert wrong(least=fmpq(1))
    assert wrong(side=1, most=fmpq(1, 2))

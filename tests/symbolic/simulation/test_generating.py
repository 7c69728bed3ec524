"""Decoders at a generic position: what is said to be appended is, on every word that is run; and what is not known is
not said."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numeric.decoding.random_decoders import ANYTHING, DYADIC, decoders
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import (
    Activation,
    Decoder,
    Embedding,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.strategies import appending
from weightproof.proofs.strategies.appending import decide_appends
from weightproof.proofs.theorem import Appends
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.constraints import Constrained, facts
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex

X, Y, ONE = Polynomial.atom("x"), Polynomial.atom("y"), Polynomial.number(1)
TRIANGLE = Simplex(("x", "y"), ((fmpq(0), fmpq(0)), (fmpq(1), fmpq(0)), (fmpq(0), fmpq(1))))


EMBEDDED = {"#": {"#": 1}, "0": {"0": 1, "1*": 1}, "1": {"1": 1, "1*": 1}, ".": {}}


def decoder(head: Head | None, network: FeedForward | None = None, PE: str = "i", *more: Layer) -> Construction:
    """Over 0 and 1, with a marker; says 1 where "out" is positive, 0 where it is not, and never stops."""
    made = Decoder(
        coordinates=("#", "0", "1", "1*", "at", "mean", "out"),
        embedding=Embedding(EMBEDDED, PE={"at": PE}),
        layers=(Layer(heads=() if head is None else (head,), feed_forward=network), *more),
        readout=Readout(Linear({"0": {}, "1": {"out": 1}, ".": {}}, bias={".": -1}), "last", "argmax"),
        stop=".",
        begin="#",
    )
    return Construction("a decoder", "a decoder", "none", ANYTHING, made)


def looking(values: dict[str, dict[str, int]] | None = None, **scored: object) -> Head:
    into = {"out": {"1": 1, "0": -1}} if values is None else values
    return Head(W_V=into, normaliser="hardmax", scale=1, mask="causal", **scored)  # type: ignore[arg-type]


def outcome(construction: Construction, *theorem: str, **given: str) -> str:
    decided = decide_appends(construction, Appends(*theorem, **given))
    if decided.counterexample is not None:
        return "refuted"
    return "proved" if decided.gap is None else decided.gap[1]


MORE, NOT_MORE = "count('1') > count('0')", "count('1') <= count('0')"


def test_the_mean() -> None:
    mean = decoder(looking())
    for behind in ("0", "1"):
        assert outcome(mean, behind, "1", given=MORE) == "proved"
        assert outcome(mean, behind, "0", given=NOT_MORE) == "proved"
        assert outcome(mean, behind, "1", given="2*count('1') > n") == "proved"
    assert outcome(mean, "#", "0") == "proved"
    assert outcome(mean, "1", "1", given="count('1') >= count('0')") == "refuted"
    assert outcome(mean, "0", "1") == "refuted"
    assert "vacuous" in outcome(mean, "0", "1", given="count('1') > n")


def test_the_own_position_and_what_stands_for_certain() -> None:
    own = decoder(OWN)
    assert outcome(own, "1", "1") == "proved"
    assert outcome(own, "0", "0") == "proved"
    # The marker has a greater score than all symbols.
    first = looking({"out": {"#": 1}}, W_Q={"q": {"1*": 1}}, W_K={"q": {"#": 1}})
    assert outcome(decoder(first), "0", "1") == "proved"


OWN = looking(
    W_Q={"q": {"at": 1}, "r": {"#": -1, "1*": -1}}, W_K={"q": {"#": 1, "1*": 1}, "r": {"at": 1}}, score="-|dot|"
)
"""Looks at its own position."""


def test_n_is_another_number_at_every_position() -> None:
    """The score is n: so the last position is looked at, and it is no mean. No rule covers it."""
    latest = decoder(looking(W_Q={"q": {"1*": 1}}, W_K={"q": {"at": 1}}), None, "n")
    assert (
        outcome(latest, "1", "1", given=NOT_MORE)
        == "not derived: layer 1: scores or values that depend on the position"
    )
    assert outcome(latest, "1", "0", given=NOT_MORE) == "refuted"


MEAN = looking({"mean": {"1": 1, "0": -1}})


@pytest.mark.parametrize("activation", ["step", "relu", "saturated-linear"])
def test_activations(activation: Activation) -> None:
    """Behind the mean; where its sign is not known, in both cases."""
    says = decoder(MEAN, FeedForward(Linear({"u": {"mean": 1}}), Linear({"out": {"u": 1}}), activation))
    assert outcome(says, "0", "1", given=MORE) == "proved"
    assert outcome(says, "0", "0", given=NOT_MORE) == "proved"
    assert outcome(says, "0", "1", given=NOT_MORE) == "refuted"
    never = decoder(MEAN, FeedForward(Linear({"u": {"mean": 1}}), Linear({"at": {"u": 1}}), activation))
    assert outcome(never, "0", "0") == "proved"


def test_a_square_that_is_positive_is_not_known_to_be() -> None:
    says = decoder(MEAN, FeedForward(Linear({"u": {"mean": 1}}), Linear({"out": {"u": 1}}), "square"))
    assert "which output is the greatest" in outcome(says, "0", "1", given=MORE)
    assert outcome(says, "0", "0", given=NOT_MORE) == "refuted"


def test_layers() -> None:
    """Before a layer whose heads look, positions hold what depends on their token; behind it, on more."""
    first = FeedForward(Linear({"u": {"1": 1}}), Linear({"mean": {"u": 2}}), "relu")
    reads = Layer(heads=(looking({"out": {"mean": 1, "0": -2}}),))
    assert outcome(decoder(None, first, "i", reads), "0", "1", given=MORE) == "proved"
    twice = decoder(looking(), None, "i", Layer(heads=(looking(),)))
    assert outcome(twice, "0", "1", given=MORE) == "proved"  # what the first one adds is not looked at
    of_means = decoder(MEAN, None, "i", Layer(heads=(looking({"out": {"mean": 1}}),)))
    gap = decide_appends(of_means, Appends("1", "1", given=MORE)).gap
    assert gap is not None
    assert "layer 2: heads that see what is not known at every position" in gap[1]
    unclear = FeedForward(Linear({"u": {"at": 1}}, bias={"u": -3}), Linear({"mean": {"u": 1}}), "saturated-linear")
    gap = decide_appends(decoder(None, unclear, "i", reads), Appends("0", "0")).gap
    assert gap is not None
    assert "at every position" in gap[1]


def test_a_table_and_rounded_numbers_are_not_overlooked() -> None:
    """Both are as if they were not there on the words that are run before a proof counts."""
    for part in ({"table": [{}] * 40 + [{"out": -5}]}, {"arithmetic": FixedPoint(40, 20)}):
        other = replace(decoder(looking()).network, **part)  # type: ignore[arg-type]
        gap = outcome(replace(decoder(looking()), network=other), "0", "1", given=MORE)
        assert gap.startswith("not derived: a table" if "table" in part else "not derived: numbers of 40 bits")


@pytest.mark.controls
def test_the_domain_of_a_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """At default values nothing refutes this where a may be negative."""
    monkeypatch.setattr(appending, "CHECKED_WORDS", 6)
    network = decoder(looking({"out": {"1": 1, "0": -1}})).network
    assert isinstance(network, Decoder)
    scaled = replace(
        network, readout=Readout(Linear({"0": {}, "1": {"out": "a"}, ".": {}}, {".": -1}), "last", "argmax")
    )
    for domain, told in (("a > 0", "proved"), ("a >= 2", "proved"), ("a > -1", "not derived"), ("a >= 0", "proved")):
        named = Construction("a", "a", "none", ANYTHING, scaled, (Parameter("a", domain, 3),))
        # of a product of two unknowns no sign is known: it is that of a alone where one symbol stands there
        assert outcome(named, "#", "0").startswith("proved")
        one = replace(named, network=replace(scaled, layers=(Layer(heads=(OWN,)),)))
        assert outcome(one, "0", "0").startswith(told), domain


def test_a_parameter_that_is_called_as_a_position() -> None:
    network = decoder(looking()).network
    named = Construction("j", "j", "none", ANYTHING, network, (Parameter("j", "j > 0", 1),))
    assert outcome(named, "0", "1", given=MORE) == "not derived: a parameter is called 'j', as is a position"


def test_what_is_given() -> None:
    region = Constrained((TRIANGLE,), above=(X - Y,))
    assert region.is_positive(X - Y)
    assert region.is_positive(X)  # x > y >= 0
    assert region.is_positive(X + X - Y)
    assert not region.is_positive(Y)
    assert region.is_not_negative(Y)
    assert not Region((TRIANGLE,)).is_positive(X)
    assert not Constrained((TRIANGLE,), not_below=(X - Y,)).is_positive(X)
    assert Constrained((TRIANGLE,), not_below=(X - Y,)).is_not_negative(X - Polynomial.number(fmpq(1, 2)) * (X + Y))
    first, second = Constrained((TRIANGLE,)).cases(X - Y)
    assert first.is_positive(X - Y)
    assert second.is_not_negative(Y - X)
    assert not second.is_positive(Y - X)


@settings(max_examples=200)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=2, max_size=2), st.booleans())
def test_what_follows_is_so_at_points(forms: list[list[int]], strict: bool) -> None:
    fact, asked = (Polynomial.number(a) * X + Polynomial.number(b) * Y + Polynomial.number(c) for a, b, c in forms)
    region = Constrained((TRIANGLE,), above=(fact,) if strict else (), not_below=() if strict else (fact,))
    points = [{"x": fmpq(a, 6), "y": fmpq(b, 6)} for a, b in itertools.product(range(7), repeat=2) if a + b <= 6]
    there = [point for point in points if (fact.at(point) > 0 if strict else fact.at(point) >= 0)]
    if region.is_positive(asked):
        assert all(asked.at(point) > 0 for point in there)
    if region.is_not_negative(asked):
        assert all(asked.at(point) >= 0 for point in there)


REFUSED = {
    "a number": "count('1') > 2",
    "a token": "w[1] == '1'",
    "either": "count('1') > count('0') or count('0') > count('1')",
    "not": "not (count('1') > 0)",
    "a product": "count('1')*count('0') > 0",
    "up to a position": "count('1', 2) > 0",
    "by a count": "n/count('1') > n",
    "unequal": "count('1') != count('0')",
    "a remainder": "count('1') % 2 == 0",
}


@pytest.mark.parametrize("formula", REFUSED.values(), ids=REFUSED)
def test_other_hypotheses_are_not_read(formula: str) -> None:
    with pytest.raises(Underivable):
        facts(Expression(formula), {"0": X, "1": Y}.__getitem__)


def test_hypotheses() -> None:
    def read(formula: str) -> object:
        return facts(Expression(formula), {"0": X, "1": Y}.__getitem__)

    assert read("count('0') > count('1') and n >= 2*count('1')") == (
        (X - Y, True),
        (ONE - Y - Y, False),
    )
    assert read("count('0') == n/2")[0][0] == X - Polynomial.number(fmpq(1, 2))  # type: ignore[index]
    assert read("-count('0') < 0*n") == ((X, True),)


@pytest.mark.controls
def test_what_is_proved_of_random_decoders_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that a short word contradicts would be an AssertionError; each token is tried, and one at most is proved.
    Some are, or else this would say nothing."""
    for name in ("CHECKED_WORDS", "MOST_WORDS"):
        monkeypatch.setattr(appending, name, 30)
    tally: Counter[str] = Counter()

    @settings(max_examples=60, deadline=None, database=None)
    @given(decoders(DYADIC), st.sampled_from(("0", "1")), st.sampled_from(("n >= 1", MORE, NOT_MORE)))
    def asked(construction: Construction, behind: str, case: str) -> None:
        found = [decide_appends(construction, Appends(behind, token, case)) for token in (".", "1", "0")]
        proved = [each for each in found if each.gap is None]
        assert len(proved) <= 1
        if proved:
            assert all(each.counterexample is not None for each in found if each is not proved[0])
        tally["proved"] += len(proved)

    asked()
    assert tally["proved"] > 5

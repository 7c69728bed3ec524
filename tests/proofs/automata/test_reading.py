"""Networks as automata against the interpreter: on every short word the logit is where its one path says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flint import arb

from tests.proofs.automata.counting import CASES
from tests.proofs.automata.drawn import COORDINATES, construction, counting, drawn, words
from tests.proofs.automata.networks import weighted_softmax
from weightproof.constructions.meaning.choices import Choices, Reach
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import Undecided, ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata import attention, means
from weightproof.proofs.automata import network as automata_network
from weightproof.proofs.automata.deciding import by_automata
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.tallies import Comparison
from weightproof.proofs.automata.values import NOTHING, ZERO, Between, Repetition, repetition, scalar
from weightproof.proofs.automata.walking import logits, path_of
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Compares, Op
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.vocabulary import Underivable

READ = (12, 31, 34, 39, 45, 57, 67, 70, 72, 80, 85, 93, 101, 103, 117, 133, 142, 148)


def mistake(network: Encoder, longest: int = 5) -> str | None:
    """The first word whose logit is elsewhere, or that is not one path, with what is said of it. Underivable where the
    network is not read."""
    made = construction(network)
    runs = read(made)
    for word in words(longest, 0 if made.encoder.markers else 1):
        try:
            ran = run(made, word)
        except Undecided:
            continue
        try:
            found = logits(made, path_of(runs, ran.tokens))
        except ArithmeticError as error:
            return f"{word!r}: {error}"
        value = ball(ran.logit, 512)
        if all(value < arb(each.low) or value > arb(each.high) for each in found):
            return f"{word!r}: {ran.logit}, not in {found}"
    return None


@pytest.mark.parametrize("seed", READ)
def test_the_logit_of_a_drawn_network_is_where_its_path_says(seed: int) -> None:
    assert mistake(drawn(seed)) is None


Mistake = Callable[..., Any]
NEAREST, BETTER, RANKED = attention._nearest, attention._better, attention._ranked
PLANTED: dict[str, tuple[object, str, Mistake]] = {
    "a window that is off by one": (
        attention,
        "_nearest",
        lambda seen, offset, reach: NEAREST(seen, offset - 1, reach),
    ),
    "a tie that is taken the other way": (attention, "_better", lambda a, b, side, later: BETTER(a, b, -side, later)),
    "gaps of ranks that are ignored": (attention, "_ranked", lambda ahead, gap, place: RANKED(ahead, ZERO, place)),
    "ranks that are ignored": (attention, "_ranked", lambda ahead, gap, place: [0] * len(ahead)),
    "others that weigh nothing": (attention, "_others", lambda steepness, place: ZERO),
    "a mask that hides nothing": (Choices, "reach", lambda self, mask: Reach()),
    "a scale whose sign is ignored": (attention, "_sign", lambda scale, place: 1),
    "places that all are even": (automata_network, "repetition", lambda scalars, width: Repetition()),
}
SEEN_BY = {
    "a window that is off by one": (29, 31, 57),
    "a tie that is taken the other way": (57, 67),
    "gaps of ranks that are ignored": (77,),
    "ranks that are ignored": (67, 77),
    "others that weigh nothing": (29, 31, 39),
    "a mask that hides nothing": (67, 72),
    "a scale whose sign is ignored": (29, 32),
    "places that all are even": (30, 45, 57),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_in_the_reading_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[name])
    assert all(mistake(drawn(seed), 4) is not None for seed in SEEN_BY[name])


COMPARED, SUMMED = means._comparison, means._summed


def of_the_whole_word(*given: Any) -> Comparison | None:
    found = COMPARED(*given)
    return None if found is None else replace(found, whole=not found.whole)


OF_MEANS: dict[str, tuple[str, Mistake]] = {
    "a sum of the whole word where one up to the position is asked for": ("_comparison", of_the_whole_word),
    "a constant that is ignored": ("_summed", lambda edge, some, more: SUMMED(edge, some, NOTHING)),
}
SEEN_IN = {
    "a sum of the whole word where one up to the position is asked for": [
        CASES[name].network for name in ("ballot", "majority of leads")
    ],
    "a constant that is ignored": [counting(seed) for seed in (3, 17, 33)],
}


@pytest.mark.parametrize("name", OF_MEANS)
def test_a_mistake_about_means_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    networks = SEEN_IN[name]
    assert [mistake(network, 4) for network in networks] == [None] * len(networks)
    monkeypatch.setattr(means, *OF_MEANS[name])
    assert all(mistake(network, 4) is not None for network in networks)


def test_keys_that_weigh_the_same_by_mistake_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of no drawn network: few have a softmax by keys in their last layer that is read."""
    written = weighted_softmax().encoder
    assert mistake(written) is None
    monkeypatch.setattr(attention, "_power", lambda exponent: Between.exactly(1))
    assert mistake(written) is not None


@pytest.mark.controls
@pytest.mark.parametrize("start", range(10_000, 11_000, 100))
def test_so_is_that_of_many_drawn_networks(start: int) -> None:
    read_ones = 0
    for seed in range(start, start + 100):
        try:
            assert mistake(drawn(seed), 4) is None, seed
        except Underivable:
            continue
        read_ones += 1
    assert read_ones > 10


def test_ties_of_keys_that_are_known_roughly_are_open() -> None:
    """Two keys between the same numbers need not be equal: here the last position is not the best one."""
    with pytest.raises(Underivable, match="not known exactly"):
        read(construction(network(softly(before(1, "b")), hard_to_last("b"))))


@pytest.mark.parametrize("scale", [-1, 0, "n - 3"])
def test_a_distance_that_attracts_is_none_that_repels(scale: object) -> None:
    with pytest.raises(Underivable, match=r"^layer 1, head 1: .*(rise with the distance|a scale of scores)"):
        read(construction(network(Layer(heads=(before(1, "a", normaliser="hardmax", scale=scale),)))))


def test_weights_between_the_same_numbers_are_two() -> None:
    """Of two heads, whose keys are different and known roughly."""
    keys = softly(before(1, "b"), before(-1, "c"))

    def mean(to: str, key: str) -> Head:
        return Head(W_V={to: {"[1]": 1}}, W_Q={"x": {"one": 1}}, W_K={"x": {key: 1}}, scale=20)

    same = network(rounded(keys), Layer(heads=(mean("a", "g"), mean("e", "g"))), logit={"a": 1, "e": -1})
    assert mistake(same, 4) is None
    with pytest.raises(Underivable, match="means with different weights"):
        read(
            construction(network(rounded(keys), Layer(heads=(mean("a", "g"), mean("e", "h"))), logit={"a": 1, "e": -1}))
        )


def network(*layers: Layer, logit: dict[str, int] | None = None) -> Encoder:
    tokens = {"0": {"[0]": 1}, "1": {"[1]": 1}, "C": {"[C]": 1}}
    return Encoder(
        coordinates=COORDINATES,
        embedding=Embedding(WE=tokens, PE={"i": "i", "one": "1", "pos": "i/n"}),
        layers=layers,
        begin="C",
        readout=Readout(Linear({"logit": logit or {"a": 1}}), position="last"),
    )


def before(distance: int, to: str, **choices: Any) -> Head:
    """What is so many positions before, whether it is a 1."""
    return Head(
        W_V={to: {"[1]": 1}},
        W_Q={"x": {"i": 1}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"i": -1, "one": -distance}},
        score="-|dot|",
        **choices,
    )


def softly(*heads: Head) -> Layer:
    return Layer(heads=tuple(replace(head, scale=Expression("log(2)")) for head in heads))


def rounded(layer: Layer) -> Layer:
    """With g and h for whether b and c are above 1/2, which may be either everywhere."""
    first = Linear({"u": {"b": 1}, "v": {"c": 1}}, {"u": "-1/2", "v": "-1/2"})
    return replace(layer, feed_forward=FeedForward(first, Linear({"g": {"u": 1}, "h": {"v": 1}}), activation="step"))


def hard_to_last(key: str) -> Layer:
    keys = {"x": {key: 3, "pos": "1/1000"}}
    head = Head(W_V={"a": {"[1]": 1}}, W_Q={"x": {"one": 1}}, W_K=keys, normaliser="hardmax", scale=1)
    return Layer(heads=(head,))


@pytest.mark.parametrize("scalar", ["1/(i - 7)", "1/(n - 3)", "sqrt(cos(pi*i))", "log(i)"])
def test_what_has_no_value_somewhere_is_refused_though_nothing_reads_it(scalar: str) -> None:
    """The interpreter has no value there, either, so that a proof would be of what is none."""
    network = drawn(READ[0])
    unread = replace(network.embedding, PE={**network.embedding.PE, "unread": scalar})
    with pytest.raises(Underivable):
        read(construction(replace(network, coordinates=(*network.coordinates, "unread"), embedding=unread)))


ENCODINGS = {
    "(i*(i % 2)) % 3": (0, 6),
    "(i*(i % 2) > 9)": (10, 2),
    "cos(pi*i*(i % 3)/2)": (0, 12),
    "(i == 2)": (3, 1),
    "(i > 3 and i % 2 == 1)": (4, 2),
    "(-1)**(i*(i % 2))": (0, 2),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_repeats_itself_is_found_where_it_is_seen_at_some_positions_alone(encoding: str) -> None:
    found = repetition((Expression(encoding),), 3)
    assert (found.start, found.period) == ENCODINGS[encoding]
    for position in range(found.start, found.start + 3 * found.period):
        here = scalar(Expression(encoding), 3, position, Repetition())
        assert here.number == scalar(Expression(encoding), 3, position + found.period, Repetition()).number


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_network_with_such_an_encoding_is_where_its_path_says(encoding: str) -> None:
    made = Encoder(
        coordinates=("[1]", "alt", "m"),
        embedding=Embedding(WE={"0": {}, "1": {"[1]": 1}}, PE={"alt": encoding}),
        layers=(Layer(heads=(Head(W_V={"m": {"alt": 1, "[1]": 1}}, mask="causal"),)),),
        begin=None,
        readout=Readout(Linear({"logit": {"alt": 1, "[1]": "1/3", "m": 1}}), position="last"),
    )
    assert mistake(made, 7) is None


def test_encodings_that_take_long_to_repeat_themselves_are_refused() -> None:
    with pytest.raises(Underivable, match="more than 500 positions"):
        repetition((Expression("(i*(i % 2) > 1000)"),), 3)


@pytest.mark.parametrize(
    ("position", "op", "value", "where", "proved"),
    [
        ("sum", ">", -1, "n >= 1", False),
        ("sum", ">", -15, "n >= 1", False),
        ("sum", ">=", 1, "count('1') > count('0')", True),
        ("sum", ">=", 2, "count('1') > count('0')", False),
        ("sum", "<=", 0, "count('1') <= count('0')", True),
        ("sum", "!=", "1/2", "n >= 1", True),
        ("mean", ">=", -1, "n >= 1", True),
        ("mean", ">", "1/3", "count('1') > 2*count('0')", True),
        ("mean", ">", "1/2", "count('1') > 2*count('0')", False),
        ("last", ">=", -1, "n >= 1", True),
        ("last", ">", -1, "n >= 1", False),
    ],
)
def test_a_logit_is_compared_with_a_number(position: str, op: Op, value: object, where: str, proved: bool) -> None:
    """Of a sum the number is taken off once, and not at every position."""
    made = Encoder(
        coordinates=("s",),
        embedding=Embedding(WE={"0": {"s": -1}, "1": {"s": 1}}),
        layers=(),
        begin=None,
        readout=Readout(Linear({"logit": {"s": 1}}), position=position),  # type: ignore[arg-type]
    )
    whole, theorem = construction(made), Compares(op, value, where)
    proving = by_automata(whole, read(whole), theorem, Deadline.after(60))
    assert (proving.gap is None and proving.counterexample is None) == proved
    [result] = prove(whole, [theorem], timeout=60)
    assert isinstance(result.verdict, Proved if proved else Refuted)

"""Every theorem about families that add; and that what is stated wrong is refuted, and what is lost is noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from weightproof.constructions.fraknoi2024.modular_addition import any_frequency, modular_addition, uncorrected
from weightproof.constructions.library import ADDERS, adders_of, units_of
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Linear, Readout
from weightproof.constructions.modular.addition import Adder, Makes, Modulus
from weightproof.constructions.modular.counting import Units, counter
from weightproof.constructions.modular.family import Family, all_frequencies, beside, every_modulus, modulus
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.modular import counting
from weightproof.proofs.modular.deciding import decide, obligations
from weightproof.proofs.modular.instances import members, run, wrong
from weightproof.proofs.modular.prove import LENGTHS, MODULI, theorems_of
from weightproof.proofs.modular.stated import Frequencies, Gap, Holds, Predicts, Theorem
from weightproof.proofs.verdict import Refuted, Unknown

ONE, SEVERAL, ALL, ANY = Frequencies.ONE, Frequencies.SEVERAL, Frequencies.ALL, Frequencies.ANY


def test_refutations_are_found_again() -> None:
    for family, (p, k), word in ((uncorrected, (2, 1), "0 1"), (any_frequency, (4, 2), "0 2")):
        at = run(family(modulus(p, (k,))), word)
        assert not at.is_right
        assert at.prediction.token != at.expected
    even = decide(uncorrected, Predicts("x", ONE))
    assert even.counterexample is not None
    assert (even.counterexample.word, even.counterexample.parameters) == ("0 1", {"p": "2", "k": "1"})
    assert even.counterexample.command() == (
        "weightproof run modular-addition-uncorrected '0 1' --param p='2' --param k='1'"
    )


FALSE: list[tuple[Makes, Theorem]] = [
    (modular_addition, Holds("x", "cos of sum k", "2*cos(2*pi*k*(a - b)/p)")),
    (modular_addition, Holds("x", "sin of sum k", "-2*sin(2*pi*k*(a + b)/p)")),
    (modular_addition, Holds("x", "", "cos(2*pi*k*(a + b - c)/p)")),
    (modular_addition, Holds("x", "cos k", "0")),
    (modular_addition, Gap("x", ONE, "1 - cos(2*pi/p)")),
    (modular_addition, Gap("x", ONE, "2*(1 - cos(pi/p))")),
    (modular_addition, Gap("x", ALL, "p")),
    (uncorrected, Predicts("x", ONE)),
    (uncorrected, Gap("x", ONE, "2*(1 - cos(2*pi/p))", odd=True)),
    (uncorrected, Holds("x", "", "2*cos(2*pi*k*(a + b - c)/p)")),
    (any_frequency, Predicts("x", ANY)),
]


@pytest.mark.parametrize("number", range(len(FALSE)))
def test_what_is_stated_wrong_is_refuted(number: int) -> None:
    found = decide(*FALSE[number])
    assert found.gap is not None
    assert found.counterexample is not None
    assert found.counterexample.note


def test_what_no_rule_covers_stays_unknown() -> None:
    """True, but the factor varies with a - b."""
    found = decide(uncorrected, Predicts("x", ALL, odd=True), searched=5)
    assert isinstance(found.verdict(MODULI), Unknown)
    several = decide(modular_addition, Gap("x", SEVERAL, "0"), searched=1)
    assert several.gap == ("the difference", "no rule gives it for several frequencies")


def branching(of: Modulus) -> Adder:
    """Right with names, and for p < 5, but not for p = 5: what a function may do."""
    adder = modular_addition(of)
    if of.p != 5:
        return adder
    embedding = {**adder.network.embedding.WE, "1": adder.network.embedding.WE["2"]}
    return replace(adder, network=replace(adder.network, embedding=Embedding(embedding)))


def test_a_family_that_is_not_what_its_names_say_is_noticed() -> None:
    found = decide(branching, Predicts("x", ONE))
    assert found.gap is not None
    assert found.gap[0] == "the networks of numbers"
    assert found.counterexample is not None
    assert found.counterexample.parameters == {"p": "5", "k": "1"}


def broken(largest: int) -> Callable[[Modulus], Adder]:
    """Right but for one modulus, of which all outputs are 0."""

    def made(of: Modulus) -> Adder:
        adder = modular_addition(of)
        if of.p != largest:
            return adder
        readout = Readout(Linear({c: {} for c in adder.network.readout.W.weights}), position="last", accept="argmax")
        return replace(adder, network=replace(adder.network, readout=readout))

    return made


def crowded(of: Modulus) -> Adder:
    """With several frequencies, the first one alone; but for two and three that are names."""
    return modular_addition(of if of.names else Modulus(of.p, of.frequencies[:1], of.residues))


PROVED = {theorem.name: theorem for theorem in theorems_of("modular-addition")}


@pytest.mark.parametrize(
    ("family", "name", "p"),
    [
        (broken(11), "argmax, one frequency", "11"),
        (broken(13), "argmax, one frequency", None),
        (broken(13), "gap, all frequencies", None),
        (broken(13), "step 3", None),
        (crowded, "gap, all frequencies", "3"),
        (lambda of: modular_addition(of), "argmax, one frequency", None),
    ],
)
def test_of_a_function_nothing_is_proved(family: Makes, name: str, p: str | None) -> None:
    """It may make another network of a number than of a name, at a modulus beyond all that are run."""
    found = decide(family, PROVED[name], searched=12 if p == "11" else 4)
    assert found.gap is not None
    assert found.gap[0] == "the networks of numbers"
    assert (None if found.counterexample is None else found.counterexample.parameters["p"]) == p
    assert isinstance(found.verdict(MODULI), Unknown if p is None else Refuted)


def changed(**parts: object) -> Encoder:
    return replace(modular_addition.network, **parts)  # type: ignore[arg-type]


def with_layer(**parts: object) -> Encoder:
    [layer] = modular_addition.network.layers
    return changed(layers=(replace(layer, **parts),))  # type: ignore[arg-type]


def embedded(token: str, coordinate: str, weight: str) -> Encoder:
    WE = modular_addition.network.embedding.WE
    return changed(embedding=Embedding({**WE, token: {**WE[token], coordinate: weight}}))


W_V = modular_addition.network.layers[0].heads[0].W_V


@pytest.mark.parametrize(
    ("network", "says"),
    [
        (changed(coordinates=(*modular_addition.network.coordinates, "cos 1")), "'cos 1' does not end in the name k"),
        (with_layer(feed_forward=FeedForward(Linear({"u 1": {}}), Linear(), "square")), "'u 1' does not end in the "),
        (embedded("b", "cos k", "cos(2*pi*k*b/p) + (b > 5)"), "embedded in two ways"),
        (embedded("=", "cos k", "(d - 6)*(d - 12)*(d - 18)"), "uses d; take k, p alone"),
        (with_layer(heads=(Head({**W_V, "cos of sum k": {"cos 2*k": "d - 9"}}),)), "uses d; take k, p alone"),
        (with_layer(heads=(Head(W_V), Head(W_V))), "2 heads, not one"),
        (with_layer(heads=(Head(W_V, {"s k": {"cos k": 1}}, {"s k": {"cos k": 1}}),)), "does not look everywhere"),
        (with_layer(feed_forward=FeedForward(Linear({}, {"u k": 1}), Linear(), "square")), "a bias"),
        (with_layer(feed_forward=None), "no feed-forward network"),
    ],
)
def test_a_network_that_does_not_say_what_its_members_are_is_refused(network: Encoder, says: str) -> None:
    """What two numbers would call alike, what sees how many frequencies there are, and what looks at all at once."""
    with pytest.raises(ConstructionError, match=re.escape(says)):
        Family("x", "x", "x", network)


def test_members_are_the_network_with_numbers_in_the_place_of_names() -> None:
    generic, named = modular_addition.network, modular_addition(every_modulus()).network
    assert replace(named, readout=generic.readout) == generic
    assert named.readout.W.weights["c"] == generic.readout.W.weights["c"]
    one, two = (modular_addition(modulus(5, (k,))).network for k in (1, 2))
    assert modular_addition(modulus(5, (1, 2))).network == beside([one, two])
    assert not {*one.coordinates} & {*two.coordinates}
    assert one.embedding.WE["3"]["cos 1"] == Expression("cos(2*pi*1*3/5)")
    assert two.readout.W.weights["4"]["sin of sum 2"] == Expression("sin(2*pi*2*4/5)")


def test_a_difference_behind_a_proof_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a rule is wrong, the networks of small moduli say so."""
    from weightproof.symbolic.modular.rotations import Rotation

    monkeypatch.setattr(Rotation, "is_positive", lambda *_: True)
    with pytest.raises(AssertionError, match="proved, but"):
        decide(uncorrected, Predicts("x", ONE))


def test_the_members_that_are_run_are_those_of_the_theorem() -> None:
    def chosen(frequencies: Frequencies, odd: bool, largest: int) -> list[tuple[int, ...]]:
        return [adder.modulus.numbers for adder in members(any_frequency, frequencies, odd, largest)]

    assert chosen(ONE, False, 4) == [(2, 1), (3, 1), (3, 2), (4, 1), (4, 3)]
    assert chosen(ANY, False, 4) == [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)]
    assert chosen(ALL, True, 7) == [(3, 1, 2), (5, 1, 2, 3, 4), (7, 1, 2, 3, 4, 5, 6)]
    assert (4, 2) not in chosen(SEVERAL, False, 4)
    assert (4, 2, 3) in chosen(SEVERAL, False, 4)
    assert wrong(modular_addition(modulus(6, all_frequencies(6)))) is None


def test_every_theorem_has_obligations_of_its_own() -> None:
    for name in ADDERS:
        for theorem in (Predicts("x", ONE), Gap("x", ONE, "1"), Predicts("x", ALL), Holds("x", "", "1")):
            listed = [each.name for each in obligations(adders_of(name), theorem)]
            assert len(set(listed)) == len(listed) > 1


def shifted(**weights: object) -> Units:
    units = units_of("parity-feed-forward")
    given = {"W_1": units.W_1, "b_1": units.b_1, "W_2": units.W_2, "b_2": units.b_2} | weights
    return Units("shifted", "", "", **given)


@pytest.mark.parametrize(
    ("weights", "word"),
    [
        ({"b_1": "-j"}, "1"),  # k > j
        ({"b_1": "1 - j"}, None),  # k >= j, as 1 - j + k > 0
        ({"b_1": "3/2 - j"}, "0"),
        ({"b_1": "(1 - 2*j)/3"}, "011"),
        ({"W_1": "i"}, "01"),
        ({"W_2": "1"}, "11"),
        ({"W_2": "(-1)**j"}, "1"),
        ({"b_2": "0"}, None),
        ({"b_2": "-1"}, "1"),
        ({"b_2": "1/2"}, "0"),
        ({"W_2": "3*(-1)**(j + 1)"}, None),
    ],
)
def test_other_units_are_refuted_by_a_word_or_proved(weights: dict[str, object], word: str | None) -> None:
    found = counting.decide(shifted(**weights), counting.Decides("x", ""))
    assert (None if found.counterexample is None else found.counterexample.word) == word
    assert (found.gap is None) == (word is None)


def test_units_that_no_rule_covers_stay_unknown() -> None:
    """1 - 2 + 3 - ... is positive just for odd k."""
    found = counting.decide(shifted(W_2="j*(-1)**(j + 1)", b_2="0"), counting.Decides("x", ""))
    assert isinstance(found.verdict(LENGTHS), Unknown)


def test_the_layers_are_told_apart() -> None:
    late, loud = shifted(b_1="3/2 - j"), shifted(W_2="2*(-1)**(j + 1)")
    for units, theorem, note in (
        (late, counting.Compares("x", ""), "unit 1 is 1, not 0"),
        (loud, counting.Sums("x", ""), "the units make 2, not 1"),
    ):
        found = counting.decide(units, theorem).counterexample
        assert found is not None
        assert found.note == note
    assert counting.decide(loud, counting.Compares("x", "")).gap is None
    assert counting.fails_at(counter(late, 1), counting.Decides("x", "")) is not None
    assert isinstance(counting.decide(shifted(W_2="j - j"), counting.Sums("x", "")).verdict(LENGTHS), Refuted)


def test_a_wrong_rule_for_units_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting.Threshold, "gap", None)
    with pytest.raises(AssertionError, match="proved, but"):
        counting.decide(shifted(b_1=Expression("-j")), counting.Compares("x", ""))

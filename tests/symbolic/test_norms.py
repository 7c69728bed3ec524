"""Layer normalisation for words of every length: the scales, their squares, and what is proved with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy
from flint import arb, fmpq

from tests.support.derived import construction_of
from tests.support.suites import short_suite
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, mark, parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Head, Layer, LayerNorm, Linear
from weightproof.constructions.scalars.exact import Real, Undecided, ball, sign
from weightproof.constructions.transforms.chosen import transformed
from weightproof.constructions.transforms.rewriting import negated
from weightproof.proofs.changes import changes
from weightproof.proofs.deciding import obligations
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.solving.close import close
from weightproof.proofs.stated import stated
from weightproof.proofs.strategies.signs import by_sign
from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.constants import constant_bounds, constant_logarithm, constant_unit, is_constant
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation, NonZero, Record
from weightproof.symbolic.evaluate import evaluate_logit, evaluate_vector, has_value
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import feedforward, norms
from weightproof.symbolic.writing import latex, plain

EPSILONS = ["layer-norm:epsilon=0", "layer-norm:epsilon=1/7", "layer-norm"]
FORMS = [(name, epsilon) for name in ("one", "majority_with_ties", "dyck1-margin", "first") for epsilon in EPSILONS]
FORMS += [("palindrome-isometric", epsilon) for epsilon in EPSILONS]
OF_MAKE_TEST = [*FORMS[:6], ("dyck1-margin", EPSILONS[0]), ("first", EPSILONS[0]), FORMS[-1]]
CERTAIN = 512
"""Bits that tell two logits apart; that roots of roots are equal is not recognised."""


def network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def normalised(name: str, epsilon: str, *before: str) -> Construction:
    return transformed(construction_of(name), [*before, epsilon])


def words(construction: Construction, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        yield from map("".join, product(construction.language.alphabet, repeat=length))


def wrong(derived: Derivation, longest: int) -> list[str]:
    """The words on which the derived logit is not the exact one; epsilon is 1/7 where it is a parameter."""
    of = derived.construction
    given = {"epsilon": "1/7"} if "epsilon" in (parameter.name for parameter in of.parameters) else {}
    values = parameter_values(of, given)
    return [
        word
        for word in words(of, longest)
        if _differ(evaluate_logit(derived, mark(network(of), word), values), run(of, word, given).logit)
    ]


def _differ(left: Real, right: Real) -> bool:
    try:
        return sign(left - right, CERTAIN) != 0
    except Undecided:
        return False


@pytest.mark.parametrize("form", short_suite(FORMS, OF_MAKE_TEST), ids="-".join)
def test_the_closed_form_is_the_logit_of_every_short_word(form: tuple[str, str]) -> None:
    name, epsilon = form
    longest = 5 if name in ("one", "majority_with_ties") else 3
    assert wrong(derive(normalised(name, epsilon, "remove-centering")), longest) == []


@pytest.mark.controls
@pytest.mark.parametrize("epsilon", EPSILONS[:2])
def test_sums_of_powers_of_e_are_the_logit_of_every_short_word(epsilon: str) -> None:
    assert wrong(derive(normalised("parity", epsilon, "remove-centering")), 3) == []


def test_the_mean_is_taken_away_where_it_is_not_0() -> None:
    derived = derive(normalised("one", "layer-norm:epsilon=1"))
    assert any(step.rule == "mean of the coordinates" for step in derived.steps)
    assert wrong(derived, 6) == []


@pytest.mark.parametrize("name", ["one", pytest.param("dyck1-margin", marks=pytest.mark.controls)])
def test_every_vector_is_that_of_the_interpreter(name: str) -> None:
    of = normalised(name, "layer-norm:epsilon=1/7", "remove-centering")
    derived, values, compared = derive(of), parameter_values(of), 0
    for word in words(of, 3):
        tokens, result = mark(network(of), word), run(of, word)
        for layer, stream in enumerate(result.streams):
            for position, vector in enumerate(stream):
                found = evaluate_vector(derived, layer, position, tokens, values)
                if found is not None:
                    assert all(sign(found.get(name, fmpq(0)) - x) == 0 for name, x in vector.items())
                    compared += 1
    assert compared > 15


def forgotten_epsilon(self: Record, square: Iverson, of_positions: bool) -> sympy.Expr:
    return scale(self, square - Iverson.constant(sympy.Rational(1, 7)), of_positions)


def twice(self: Record, square: Iverson, of_positions: bool) -> sympy.Expr:
    return scale(self, square.scaled(2), of_positions)


scale = Record.scale
PLANTED = {
    "epsilon forgotten": ("one", "scale", forgotten_epsilon),
    "a square twice as large": ("one", "scale", twice),
}


@pytest.mark.parametrize("which", PLANTED)
def test_a_planted_mistake_is_found(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    name, place, mistaken = PLANTED[which]
    monkeypatch.setattr(Record, place, mistaken)
    assert wrong(derive(normalised(name, "layer-norm:epsilon=1/7", "remove-centering")), 2) != []


def test_rows_with_the_same_square_have_one_scale() -> None:
    derived = derive(normalised("palindrome-isometric", "layer-norm", "remove-centering"))
    assert all(scale.is_Symbol for scale in derived.scales)
    in_layer_1 = [
        step.scale for step in derived.steps if step.scale is not None and step.location.startswith("layer 1")
    ]
    assert len(in_layer_1) > len(set(in_layer_1)) == 2
    of_positions = derive(normalised("dyck1-margin", "layer-norm", "remove-centering"))
    assert any(scale.is_Function for scale in of_positions.scales)


def test_two_scales_of_a_row_are_as_right_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(norms, "_common_scale", lambda vector: None)
    derived = derive(normalised("one", "layer-norm:epsilon=1/7", "remove-centering"))
    assert wrong(derived, 4) == []


def test_a_mean_that_is_forgotten_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(norms, "_without_mean", lambda vector, *_: vector)
    assert wrong(derive(normalised("one", "layer-norm:epsilon=1")), 2) != []


def test_rows_of_symbols_that_may_have_no_norm_are_refused() -> None:
    of = transformed(construction_of("more_ones"), ["remove-centering"])
    encoder = network(of)
    nothing = replace(encoder.embedding, WE={**encoder.embedding.WE, "0": {}})
    layers = (Layer((), attention_norm=LayerNorm(0)), *encoder.layers)
    with pytest.raises(Underivable, match="all coordinates may be equal, and then a norm with epsilon = 0"):
        derive(replace(of, network=replace(encoder, embedding=nothing, layers=layers)))


def test_a_norm_that_has_no_value_on_some_word_is_refuted_with_it() -> None:
    """Without a coordinate for CLS, the two values that are read there are 0 for the empty word."""
    apart = Head(W_V={"s": {"[w=1]": 1, "[w=0]": -1}, "-s": {"[w=1]": -1, "[w=0]": 2}})
    of = transformed(construction_of("more_ones"), ["remove-centering"])
    at_0, at_1 = (
        replace(of, network=replace(network(of), layers=(Layer((apart,), attention_norm=LayerNorm(epsilon)),)))
        for epsilon in (0, 1)
    )
    assert len(one_nonzero(at_0).values) > 1
    assert words_without_value(at_0) > 0
    [result] = prove(at_0, timeout=5)
    assert isinstance(result.verdict, Refuted)
    assert (result.verdict.counterexample.word, result.verdict.counterexample.logit) == ("", "undefined")
    assert wrong(derive(at_1), 4) == []


def test_a_row_of_two_numbers_that_differ_has_a_value() -> None:
    """Each of the others may be 0, and their mean, too, but not both of two that are 1 apart."""
    of = construction_of("more_ones")
    apart = Head(W_V={"s": {"[w=1]": 1, "[w=0]": -1}, "1 more": {"[w=1]": 1, "[w=0]": -1, "1": 1}})
    table = {token: {**row, "1": 1} for token, row in network(of).embedding.WE.items()}
    normed = replace(
        network(of),
        coordinates=(*network(of).coordinates, "1", "1 more"),
        embedding=replace(network(of).embedding, WE=table),
        layers=(Layer((apart,), attention_residual=False, attention_norm=LayerNorm(0)),),
    )
    assert wrong(derive(replace(of, network=normed)), 4) == []


def test_an_epsilon_that_may_be_negative_is_refused() -> None:
    """Of PARITY's parameter c > 0."""
    of = transformed(load("parity"), ["remove-centering"])
    norm = LayerNorm("c - 1/2")
    layers = tuple(replace(layer, attention_norm=norm) for layer in network(of).layers)
    with pytest.raises(Underivable, match="epsilon may be negative"):
        derive(replace(of, network=replace(network(of), layers=layers)))


SHARP = ["sharpen:eta=1/100", "sharpen:eta=1"]


@pytest.mark.parametrize("eta", SHARP)
def test_of_a_row_with_one_value_an_exact_norm_leaves_the_sign(eta: str) -> None:
    derived = derive(transformed(construction_of("one"), [eta]))
    assert derived.scales == {}
    assert any(step.rule == "sgn" for step in derived.steps)
    assert wrong(derived, 5) == []


OPEN = ["parity", "first-one-layer", "majority_with_ties", "dyck1-margin"]


def valued(construction: Construction, longest: int) -> Iterator[tuple[str, dict[str, Real]]]:
    for word in words(construction, longest):
        yield word, parameter_values(construction)


@pytest.mark.parametrize("name", OPEN)
def test_where_the_sign_is_open_there_is_a_value_wherever_the_network_has_one(name: str) -> None:
    construction = transformed(construction_of(name), SHARP[:1])
    assert len(one_nonzero(construction).values) == 1
    assert (words_without_value(construction) > 0) == (name in ("parity", "first-one-layer"))


def test_so_of_a_row_of_which_all_coordinates_may_be_0() -> None:
    """The last layer moves a value and what is negative of it by different weights: no coordinate is a multiple of
    another."""
    construction = leaning(transformed(construction_of("first"), SHARP[:1]))
    assert len(one_nonzero(construction).values) > 1
    assert words_without_value(construction) == 1


def test_a_logit_whose_row_may_have_no_value_is_decided_where_it_has_one() -> None:
    construction = leaning(transformed(construction_of("first"), SHARP[:1]))
    for given, verdict in (("n >= 2", Proved), ("n >= 1", Refuted)):
        [result] = prove(construction, (Decides("recognises", "the first symbol is 1", given=given),), timeout=60)
        assert isinstance(result.verdict, verdict)
    derived = derive(construction)
    everywhere = Decides("recognises", "the first symbol is 1", given="n >= 1")
    assert any(close(item, 5).evidence is None for item in obligations(derived, everywhere, derived.vocabulary.words()))


def test_only_a_multiple_of_the_scale_says_that_there_is_one() -> None:
    derived = derive(leaning(transformed(construction_of("first"), SHARP[:1])))
    [scale] = derived.nonzero
    (before, _), _ = by_sign(derived, THEOREM)
    assert scale not in before.logit.free_symbols
    with pytest.raises(Underivable, match="no multiple of the scale"):
        by_sign(replace(derived, logit=derived.logit + Iverson.constant(1)), THEOREM)
    with pytest.raises(Underivable, match="decisions are proved alone"):
        by_sign(derived, Margin("accepted", "1"))


THEOREM = Decides("recognises", "the first symbol is 1", given="n >= 2")


def leaning(construction: Construction) -> Construction:
    """With one weight into the coordinate that is read doubled."""
    [row] = network(construction).readout.W.weights["logit"]
    place = re.compile(rf"layer \d, feed-forward second '{re.escape(row)}' from '\+\(.*doubled")
    found = [change for change in changes(construction) if place.match(f"{change.place} {change.what}")]
    return found[-1].construction


def one_nonzero(construction: Construction) -> NonZero:
    [found] = derive(construction).nonzero.values()
    return found


def words_without_value(construction: Construction) -> int:
    """The short words on which the network has no value, on which the derivation has none, either; on all others both
    have the same."""
    derived = derive(construction)
    undefined = 0
    for word, values in valued(construction, 5):
        tokens = mark(network(construction), word)
        try:
            logit = run(construction, word).logit
        except NoValue:
            undefined += 1
            assert not has_value(derived, tokens, values)
            continue
        assert has_value(derived, tokens, values)
        assert sign(evaluate_logit(derived, tokens, values)) == sign(logit)
        enclosed = evaluate_logit(derived, tokens, values, CERTAIN)
        assert enclosed.overlaps(ball(logit, CERTAIN))
        assert enclosed.rad() < 2**-400
    return undefined


def test_units_that_are_not_subtracted_are_not_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """relu(x) + relu(-x) is no x: the sharpened network with the second unit's weights turned round."""
    construction = transformed(load("first-one-layer"), SHARP[:1])
    last = network(construction).layers[-1]
    assert last.feed_forward is not None
    rows = {
        row: {unit: negated(x) if unit == "-(s)" else x for unit, x in columns.items()}
        for row, columns in last.feed_forward.second.weights.items()
    }
    turned = replace(last, feed_forward=replace(last.feed_forward, second=Linear(rows)))
    layers = (*network(construction).layers[:-1], turned)
    changed = replace(construction, network=replace(network(construction), layers=layers))
    with pytest.raises(Underivable, match=r"the sign of .* is open"):
        derive(changed)
    monkeypatch.setattr(feedforward, "_subtracted", lambda *_: "-(s)")
    derived, values = derive(changed), parameter_values(changed)
    runs = [run(changed, word, bits=CERTAIN) for word in ("00", "11")]
    assert any(not each.logit.overlaps(evaluate_logit(derived, each.tokens, values, CERTAIN)) for each in runs)


def test_balls_contain_the_derived_logit() -> None:
    for name in ("one", "first", "parity"):
        derived = derive(normalised(name, "layer-norm:epsilon=1/7", "remove-centering"))
        for word, values in valued(derived.construction, 3):
            tokens = mark(network(derived.construction), word)
            ball_of = evaluate_logit(derived, tokens, values, 64)
            assert arb(ball_of).contains(ball(evaluate_logit(derived, tokens, values), 512))


def test_the_wall_in_balls_stops_a_wrong_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Record, "scale", twice)
    with pytest.raises(InternalError, match="the derived logit is"):
        list(prove(normalised("one", "layer-norm:epsilon=1/7", "remove-centering")))


def test_signs_that_are_not_those_of_the_coordinates_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(norms, "_factor", lambda value, of, context: -sympy.S.One)
    assert wrong(derive(transformed(construction_of("one"), SHARP[:1])), 3) != []


def test_logarithms_of_constants_are_known_by_their_bounds() -> None:
    e = constant_unit(sympy.Rational(1, 100))
    less = constant_logarithm(e - 1)
    assert less == -sympy.Symbol("log(1/(exp(1/100) - 1))", positive=True)
    low, high = constant_bounds(-less) or (None, None)
    assert low is not None
    assert high is not None
    assert Fraction(46001660, 10**7) < low < high < Fraction(46001661, 10**7)
    assert is_constant(e)
    assert not is_constant(e + sympy.Symbol("n", integer=True))
    assert constant_logarithm(e**2 / constant_unit(sympy.Rational(1, 50))) is None


@pytest.mark.parametrize("name", ["one", "majority_with_ties"])
def test_it_is_proved_for_every_epsilon_at_once(name: str) -> None:
    [result] = prove(normalised(name, "layer-norm", "remove-centering"))
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.parametrize(
    "asked",
    [
        ["remove-centering", "layer-norm:epsilon=0"],
        pytest.param(["remove-centering", "layer-norm"], marks=pytest.mark.controls),
        ["fix:c=1", "scale-attention-by-log-length", "remove-centering", "layer-norm:epsilon=0"],
    ],
    ids=len,
)
def test_a_scale_in_an_exponent_is_no_obstacle_where_the_sign_does_not_depend_on_it(asked: list[str]) -> None:
    """FIRST, for every c > 0, or with attention that grows with log n: that a power of e is positive suffices."""
    [result] = prove(transformed(load("first"), asked))
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


def test_a_wrong_weight_in_a_normalised_construction_is_refuted() -> None:
    """The value of position 1 with the other sign."""
    of = load("first")
    layers = network(of).layers
    [head] = layers[1].heads
    turned = replace(head, W_V={"s": {"[i=1]": "1/2", "[w=1 and i=1]": -1}})
    mistaken = replace(of, network=replace(network(of), layers=(layers[0], replace(layers[1], heads=(turned,)))))
    [result] = prove(transformed(mistaken, ["remove-centering", "layer-norm:epsilon=0"]))
    assert isinstance(result.verdict, Refuted)


def test_with_its_centring_it_is_refuted() -> None:
    [result] = prove(normalised("one", "layer-norm:epsilon=1"))
    assert isinstance(result.verdict, Refuted)


def test_a_wrong_claim_about_a_normalised_construction_is_refuted() -> None:
    of = normalised("one", "layer-norm", "remove-centering")
    [result] = prove(of, [Decides("wrong", "a test", accepts="count('1') == 2")])
    assert isinstance(result.verdict, Refuted)


@pytest.mark.usefixtures("little_search")
def test_what_depends_on_a_scale_stays_unknown() -> None:
    of = normalised("one", "layer-norm", "remove-centering")
    [margin] = prove(of, [Margin("accepted", "1/1000000", when="n == 20")], timeout=5)
    assert isinstance(margin.verdict, Unknown)
    assert "keeps the scales R2" in margin.verdict.reason
    [result] = prove(normalised("dyck1", "layer-norm:epsilon=0", "remove-centering"), timeout=15)
    assert isinstance(result.verdict, Unknown)


def test_the_scales_are_named_and_their_squares_given() -> None:
    derived = derive(normalised("one", "layer-norm:epsilon=0", "remove-centering"))
    assert [" ".join(line.split()) for line in plain.closed_form(derived).splitlines()] == [
        "logit =",
        "-R2/(2*n) if count('1') == 0",
        "R2/(2*n) if count('1') == 1",
        "-R2/(2*n) if count('1') >= 2",
        "where 1/R2**2 = (4*count('1')**2 + 4*n**2 + 5)/(28*n**2)",
    ]
    assert r"\frac{1}{R_{2}^{2}} &=" in latex.closed_form(derived)
    assert "= 1/R1**2" in plain.steps(derived)
    dyck = derive(normalised("dyck1", "layer-norm:epsilon=0", "remove-centering"))
    assert "1/R3(i)**2 =" in plain.closed_form(dyck)
    assert r"R_{3}(j)" in latex.closed_form(dyck)


def test_a_logit_of_another_shape_is_no_error() -> None:
    """Twice the symbol 0 in the embedding shifts the mean: the logit is no constant times the sign of one value. Short
    words are decided rightly with the default parameters."""
    name = "first+set-weight:layer=2,head=1,part=W_V,row=s,column=[w=CLS],to=-1/4+remove-centering+layer-norm:epsilon=0"
    construction, [theorem, *_] = stated()[f"{name}+sharpen"]
    [changed] = [c for c in changes(construction) if (c.place, c.what) == ("WE '0' from '[w=0]': 1", "doubled")]
    [result] = prove(changed.construction, (theorem,), timeout=10)
    assert isinstance(result.verdict, Refuted)

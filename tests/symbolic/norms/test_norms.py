"""Layer normalisation for words of every length: the scales, their squares, and what is proved with them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq

from tests.support.derived import construction_of, vector_of
from tests.support.suites import short_suite
from tests.symbolic.norms.normalised import CERTAIN, EPSILONS, SHARP, network, normalised, valued, words, wrong
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, LayerNorm, Linear
from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.constructions.transforms.rewriting import negated
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.constants import constant_bounds, constant_logarithm, constant_unit, is_constant
from weightproof.symbolic.algebra.iverson import ZERO, Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import feedforward, norms
from weightproof.symbolic.writing import latex, plain

FORMS = [(name, epsilon) for name in ("one", "majority_with_ties", "dyck1-margin", "first") for epsilon in EPSILONS]
FORMS += [("palindrome-isometric", epsilon) for epsilon in EPSILONS]
OF_MAKE_TEST = [*FORMS[:6], ("dyck1-margin", EPSILONS[0]), ("first", EPSILONS[0]), FORMS[-1]]


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
        tokens, result = add_markers(network(of), word), run(of, word)
        for layer, stream in enumerate(result.streams):
            for position, vector in enumerate(stream):
                found = vector_of(derived, layer, position, tokens, values)
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
    monkeypatch.setattr(norms, "_mean", lambda *_: ZERO)
    assert wrong(derive(normalised("one", "layer-norm:epsilon=1")), 2) != []


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


@pytest.mark.parametrize("eta", SHARP)
def test_of_a_row_with_one_value_an_exact_norm_leaves_the_sign(eta: str) -> None:
    derived = derive(transformed(construction_of("one"), [eta]))
    assert derived.scales == {}
    assert any(step.rule == "sgn" for step in derived.steps)
    assert wrong(derived, 5) == []


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


def test_of_opposite_gates_the_values_that_they_let_through_have_to_be_the_same() -> None:
    """relu(g) f - relu(-g) f is g f, whatever the sign of g."""
    construction = transformed(load("first-one-layer"), SHARP[:1])
    last = network(construction).layers[-1]
    assert last.feed_forward is not None

    def through(units: FeedForward, **weights: int) -> Construction:
        opened = Linear(None, {unit: weights.get(unit, 1) for unit in units.first.rows})
        units = replace(units, first=opened, gate=units.first)
        layers = (*network(construction).layers[:-1], replace(last, feed_forward=units))
        return replace(construction, network=replace(network(construction), layers=layers))

    derived = derive(through(last.feed_forward))
    values = parameter_values(derived.construction)
    assert any(step.rule == "relu(x) - relu(-x) = x" for step in derived.steps)
    for each in (run(derived.construction, word, bits=CERTAIN) for word in ("00", "11")):
        assert each.logit.overlaps(evaluate_logit(derived, each.tokens, values, CERTAIN))
    with pytest.raises(Underivable, match=r"the sign of .* is open"):
        derive(through(last.feed_forward, **{"-(s)": 2}))


def test_balls_contain_the_derived_logit() -> None:
    for name in ("one", "first", "parity"):
        derived = derive(normalised(name, "layer-norm:epsilon=1/7", "remove-centering"))
        for word, values in valued(derived.construction, 3):
            tokens = add_markers(network(derived.construction), word)
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

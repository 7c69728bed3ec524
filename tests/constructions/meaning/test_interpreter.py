"""What the exact interpreter computes: hand-calculated networks, and the closed forms that the papers print."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from weightproof.constructions.checks.networks import refuse_malformed
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.interpreter import ACTIVATIONS, NoValue, add_markers, appended
from weightproof.constructions.meaning.running import Run, decode, run
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.constructions.scalars.exact import Real, ball, exp, sign, sqrt
from weightproof.constructions.scalars.fixed_point import FixedPoint, rounded
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate

HALF = fmpq(1, 2)
NUMBERS = {"a": "-1", "b": "0", "c": "3", "d": "1/2"}


def toy(layers: tuple[Layer, ...], **readout: Any) -> Construction:
    """Without markers, every position holds x (the number of its symbol), i, and 1; the logit is the last y."""
    keywords: dict[str, Any] = {"W": Linear({"logit": {"y": 1}}), "position": "last"} | readout
    return Construction(
        name="toy",
        title="a toy",
        source="here",
        language=Language("ANY", tuple(NUMBERS), lambda word: True, "n >= 1"),
        network=Encoder(
            coordinates=("x", "i", "1", "y"),
            embedding=Embedding({symbol: {"x": x} for symbol, x in NUMBERS.items()}, {"i": "i", "1": 1}),
            layers=layers,
            readout=Readout(**keywords),
            begin=None,
        ),
    )


def attention(**parts: Any) -> Construction:
    """One head whose query is 1, whose key is x and whose value is i, added into y."""
    head = Head(W_Q={"q": {"1": 1}}, W_K={"q": {"x": 1}}, W_V={"y": {"i": 1}}, scale=1)
    return toy((Layer((dataclasses.replace(head, **parts),)),))


def network(first: dict[str, Any], activation: Any = "relu", bias: dict[str, Any] | None = None) -> FeedForward:
    return FeedForward(Linear({"h": first}, bias), Linear({"y": {"h": 1}}), activation)


def same(left: Real, right: Real) -> bool:
    return sign(left - right) == 0


def test_softmax_weighs_by_the_exponential_of_the_score() -> None:
    """Scores -1, 0, 3 at positions 0, 1, 2: (0/e + 1*1 + 2*e^3)/(1/e + 1 + e^3)."""
    e = exp(fmpq(1))
    assert same(run(attention(), "abc").logit, (1 + 2 * e**3) / (1 / e + 1 + e**3))


def test_hardmax_averages_over_the_ties() -> None:
    """Scores 3, -1, 3, 0, 3: the maximum stands at 0, 2 and 4, whose average is 2."""
    assert run(attention(normaliser="hardmax"), "cacbc").logit == 2


def test_hardmax_compares_exactly() -> None:
    """Scores 3/(sqrt(2) - 1) and 3 + 3*sqrt(2) are one number in two forms, a tie; 10^-50 more is none."""
    keys = {"q": {"x": "1/(sqrt(2) - 1)", "i": "3 + 3*sqrt(2)"}}
    assert run(attention(normaliser="hardmax", W_K=keys), "cb").logit == HALF
    keys["q"]["i"] += " + 1/10**50"
    assert run(attention(normaliser="hardmax", W_K=keys), "cb").logit == 1


def test_minus_absolute_score() -> None:
    """Scores -|-1|, -|0|, -|3|: hardmax takes position 1; softmax gives (0/e + 1 + 2/e^3)/(1/e + 1 + 1/e^3)."""
    e = exp(fmpq(1))
    assert run(attention(score="-|dot|", normaliser="hardmax"), "abc").logit == 1
    assert same(run(attention(score="-|dot|"), "abc").logit, (1 + 2 * e**-3) / (e**-1 + 1 + e**-3))


def test_the_scale_multiplies_the_score() -> None:
    """With scale -1 the scores 1, 0, 3 of -|dot| make position 2 the maximum; 1/sqrt(d) is 1/2 at width 4."""
    assert run(attention(score="-|dot|", normaliser="hardmax", scale=-1), "abc").logit == 2
    root = exp(HALF)
    assert same(run(attention(scale="1/sqrt(d)"), "bcb").logit, (root**3 + 2) / (root**3 + 2))
    assert same(run(attention(scale="log(n)"), "bbd").logit, (0 + 1 + 2 * sqrt(fmpq(3))) / (2 + sqrt(fmpq(3))))


QUERIES, TURNED = {"a": {"1": 1}, "b": {}}, {"a": {}, "b": {"1": 1}}


def test_rotary_positions_turn_queries_and_keys() -> None:
    """By pi/2: from position i the score of j is cos((i - j) pi/2), which is 1 for 0 and 4, seen from position 4; and
    for a key at a right angle sin((i - j) pi/2), which is 1 for 0 and 0 for 1, seen from position 1."""
    quarter = (Rotary("a", "b", "pi/2"),)
    assert run(attention(W_Q=QUERIES, W_K=QUERIES, rotary=quarter, normaliser="hardmax"), "aaaa").logit == 3
    assert run(attention(W_Q=QUERIES, W_K=QUERIES, rotary=quarter, normaliser="hardmax"), "aaaaa").logit == 2
    assert run(attention(W_Q=QUERIES, W_K=TURNED, rotary=quarter, normaliser="hardmax"), "aa").logit == 0
    assert run(attention(W_Q=TURNED, W_K=QUERIES, rotary=quarter, normaliser="hardmax"), "aa").logit == 1


def test_rotary_positions_of_any_angle() -> None:
    """By 1/3 and scaled by 2: exp(2 cos(1/3)) to position 0, exp(2) to the own one."""
    made = attention(W_Q=QUERIES, W_K=QUERIES, rotary=(Rotary("a", "b", Fraction(1, 3)),), scale=2)
    with ctx.workprec(100):
        own, other = arb(2).exp(), (2 * (arb(1) / 3).cos()).exp()
        assert ball(run(made, "ab").logit, 100).overlaps(own / (own + other))
        assert run(made, "ab", bits=100).logit.overlaps(own / (own + other))


def test_what_is_behind_a_norm_is_turned() -> None:
    """(3, 0) has the root mean square sqrt(9/2): what is turned is (sqrt(2), 0), and cos(pi) makes its product -2."""
    made = attention(
        W_Q={"a": {"1": 3}, "b": {}},
        W_K={"a": {"1": 3}, "b": {}},
        query_norm=RootMeanSquare(),
        key_norm=RootMeanSquare(),
        rotary=(Rotary("a", "b", "pi"),),
    )
    e = exp(fmpq(2))
    assert same(run(made, "aa").logit, e / (e + 1 / e))


def test_a_bias_is_added_to_the_scaled_score() -> None:
    """Scores 0 under any scale: -(i - j)/2 alone is left, exp(-1/2) and 1; one that is greatest for the position
    before; and each position asks for itself, though all queries are the same."""
    half = exp(fmpq(-1, 2))
    assert same(run(attention(W_K={"q": {}}, scale=5, bias="(j - i)/2"), "aa").logit, 1 / (half + 1))
    before = attention(W_K={"q": {}}, bias="-(i - j - 1)**2", normaliser="hardmax")
    assert run(before, "aaaa").logit == 2
    own = dataclasses.replace(before.encoder.layers[0].heads[0], bias="-(i - j)**2 + n - d")
    assert run(toy((Layer((own,)),), position="sum"), "aaa").logit == 0 + 1 + 2


def test_a_formula_hides_positions_beside_the_mask() -> None:
    """A window of two: the mean of positions 2 and 3; without a mask, those within 1 of position 0."""
    assert run(attention(W_K={"q": {}}, sees="i - j < 2"), "aaaa").logit == fmpq(5, 2)
    near = attention(W_K={"q": {}}, sees="i - j < 2 and j - i < 2").encoder.layers
    stream = run(toy(near), "aaaa").streams[1]
    assert [vector["y"] for vector in stream] == [HALF, 1, 2, fmpq(5, 2)]
    masked = dataclasses.replace(near[0].heads[0], mask="causal")
    assert [vector["y"] for vector in run(toy((Layer((masked,)),)), "aaa").streams[1]] == [0, HALF, fmpq(3, 2)]


def test_what_sees_nothing_has_no_value_but_for_a_sink() -> None:
    """At any position, read or not; beside a sink it adds 0."""
    blind = attention(W_K={"q": {}}, sees="j < i")
    with pytest.raises(NoValue, match=r"^layer 1, head 1: position 0 sees nothing; [^\n]*$"):
        run(blind, "aa")
    beside = run(attention(W_K={"q": {}}, sees="j < i", sink=0), "aaa").streams[1]
    assert [vector["y"] for vector in beside] == [0, 0, fmpq(1, 3)]


def test_a_sink_takes_its_share() -> None:
    """Scores 0, 0 and values 0, 1: 1/(1 + 2) beside a sink of 0; exp(log(n)) = 2 beside one of log(n), not scaled."""
    assert run(attention(W_K={"q": {}}, sink=0), "aa").logit == fmpq(1, 3)
    assert run(attention(W_K={"q": {}}, sink="log(n)", scale=7), "aa").logit == fmpq(1, 4)
    assert run(attention(W_K={"q": {}}, sink=0), "aa", bits=64).logit.overlaps(arb(1) / 3)


POSITIONED = {"rotary": (Rotary("a", "b", "pi/2"),), "bias": "2*(i - j)", "sees": "j != 1 or i == 1", "sink": 0}


def positioned_decoder(arithmetic: FixedPoint | None = None) -> Decoder:
    head = Head(W_Q=QUERIES, W_K=QUERIES, W_V={"y": {"i": 1}}, scale=1, mask="causal", **POSITIONED)
    return Decoder(
        coordinates=("i", "1", "y"),
        embedding=Embedding({"a": {}}, {"i": "i + 1", "1": 1}),
        layers=(Layer((head,)),),
        readout=Readout(Linear({"a": {"y": 1}}), "last", "argmax"),
        arithmetic=arithmetic,
    )


def test_heads_of_decoders_know_positions() -> None:
    """At position 2: position 1 is hidden, cos(pi) + 4 = 3 is the score of 0, 1 that of 2, 0 that of the sink; at
    position 1 cos(pi/2) + 2 = 2 is that of 0, 1 that of 1."""
    e, outputs = (
        exp(fmpq(1)),
        [made.outputs["a"] for made in itertools.islice(appended(positioned_decoder(), "aa", {}), 2)],
    )
    assert same(outputs[0], (e**2 + 2 * e) / (e**2 + e + 1))
    assert same(outputs[1], (e**3 + 3 * e) / (e**3 + e + 1))


def test_heads_in_a_format_know_positions() -> None:
    """Each exponential is rounded, 7.4, 2.7 and 1, and so are the quotients by 11.1 and all products."""
    format = FixedPoint(16, 6)
    [made] = itertools.islice(appended(positioned_decoder(format), "aa", {}), 1)
    two, one, sink = (exp(rounded(fmpq(x), format)) for x in (2, 1, 0))
    total = two + one + sink
    weights = [two / total, one / total]
    assert made.outputs["a"] == weights[0] * rounded(fmpq(1), format) + weights[1] * rounded(fmpq(2), format)


def test_own_heads_behind_an_encoder_know_positions() -> None:
    """The seed 1, and 4 times the mean, which is 2: step 1 sees step 0 alone, step 2 both, with biases 0 and 2."""
    own = Head(W_V={"y": {"x": 1}}, sees="j < i or i == 0", bias="i*j", sink=0)
    network = EncoderDecoder(
        encoder=toy(()).encoder,
        coordinates=("x", "y"),
        seed={"x": 1},
        PE={},
        layers=(Layer((own,)),),
        feedback=Linear({"x": {"y": 4}}),
        readout=Readout(Linear({"logit": {"y": 1}})),
    )
    e, made = exp(fmpq(1)), [vector["y"] for vector in itertools.islice(decode(network, "a"), 3)]
    assert made[:2] == [HALF, HALF]
    assert same(made[2], (1 + 2 * e**2) / (2 + e**2))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"rotary": (Rotary("a", "a", 1),)}, "layer 1, head 1, rotary: 'a' stands twice"),
        ({"rotary": (Rotary("a", "b", 1), Rotary("b", "c", 1))}, "layer 1, head 1, rotary: 'b' stands twice"),
        ({"rotary": (Rotary("a", "e", 1),)}, "rotary, entry 1: 'e' is no score coordinate; W_Q has a, b, c"),
        ({"rotary": (Rotary("a", "b", "i"),)}, "rotary, entry 1, angle: i uses i, but may use only d"),
        ({"rotary": (Rotary("a", "b", "1)*cos(2"),)}, "entry 1, angle: cannot read '1)*cos(2'"),
        ({"rotary": (Rotary("a", "b", 0.5),)}, "angle: 0.5 is a float"),
        ({"rotary": "ab"}, "layer 1, head 1: rotary is 'ab', not a tuple"),
        ({"bias": "k"}, "layer 1, head 1, bias: k uses k, but may use only d, i, j, n"),
        ({"bias": "w[j] == 'a'"}, "bias: w[j] == 'a' speaks of the word"),
        ({"sees": "i - j"}, "layer 1, head 1, sees: i - j is neither true nor false; write a comparison"),
        ({"sees": True}, "sees: True is a bool"),
        ({"sink": "i"}, "layer 1, head 1, sink: i uses i, but may use only d, n"),
        ({"sink": 0, "normaliser": "hardmax"}, "layer 1, head 1: a sink is for softmax, not for hardmax"),
    ],
)
def test_what_heads_make_of_positions_is_checked(parts: dict[str, Any], said: str) -> None:
    matrix = {"a": {"1": 1}, "b": {}, "c": {}}
    with pytest.raises(ConstructionError) as caught:
        attention(W_Q=matrix, W_K=matrix, **parts)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", POSITIONED)
def test_cross_heads_know_no_positions(name: str) -> None:
    cross = Head(W_V={"y": {"x": 1}}, W_Q={"a": {}, "b": {}}, W_K={"a": {}, "b": {}}, **{name: POSITIONED[name]})
    network = EncoderDecoder(
        encoder=toy(()).encoder,
        coordinates=("x", "y"),
        seed={},
        PE={},
        layers=(Layer(cross_heads=(cross,)),),
        feedback=Linear(),
        readout=Readout(Linear({"logit": {"y": 1}})),
    )
    with pytest.raises(ConstructionError, match=f"decoder layer 1, cross head 1: cross heads have no {name}"):
        refuse_malformed("tried", network, tuple(NUMBERS), ())


def test_a_parameter_is_not_called_as_the_position_that_is_seen() -> None:
    made = attention(bias="j")
    with pytest.raises(ConstructionError, match="a parameter is called j, as the position that is seen"):
        dataclasses.replace(made, parameters=(Parameter("j", "j > 0", 1),))


def test_causal_attention_averages_over_i_plus_1_positions() -> None:
    uniform = Head(W_V={"y": {"x": 1}}, mask="causal")
    stream = run(toy((Layer((uniform,)),)), "ccad").streams[1]
    assert [vector["y"] for vector in stream] == [3, fmpq(6, 2), fmpq(5, 3), fmpq(11, 2) / 4]


def test_without_a_mask_every_position_averages_over_all() -> None:
    stream = run(toy((Layer((Head(W_V={"y": {"x": 1}}),)),)), "ccad").streams[1]
    assert [vector["y"] for vector in stream] == [fmpq(11, 8)] * 4


def test_heads_add_up_and_W_O_maps_values_back() -> None:
    """Mean x is 1 and mean i is 1/2: the head with W_O gives 3*(2*1 - 1/2), the other 1/2."""
    through = Head(W_V={"u": {"x": 2}, "v": {"i": 1}}, W_O={"y": {"u": 3, "v": -3}})
    assert run(toy((Layer((through, Head(W_V={"y": {"i": 1}}))),)), "ac").logit == 3 * (2 - HALF) + HALF


@pytest.mark.parametrize(
    ("activation", "values"),
    [
        ("relu", [0, 0, 3, HALF]),
        ("saturated-linear", [0, 0, 1, HALF]),
        ("step", [0, 0, 1, 1]),
        ("square", [1, 0, 9, fmpq(1, 4)]),
        ("identity", [-1, 0, 3, HALF]),
        ("abs", [1, 0, 3, HALF]),
    ],
)
def test_activations(activation: str, values: list[Any]) -> None:
    """At x = -1, 0, 3, 1/2."""
    stream = run(toy((Layer(feed_forward=network({"x": 1}, activation)),)), "abcd").streams[1]
    assert [vector["y"] for vector in stream] == values


E = exp(fmpq(1))
OF_E: dict[str, list[Real]] = {
    "sigmoid": [1 / (1 + E), HALF, E**3 / (E**3 + 1), exp(HALF) / (exp(HALF) + 1)],
    "silu": [-1 / (1 + E), fmpq(0), 3 * E**3 / (E**3 + 1), exp(HALF) / (exp(HALF) + 1) / 2],
    "tanh": [(1 - E**2) / (1 + E**2), fmpq(0), (E**6 - 1) / (E**6 + 1), (E - 1) / (E + 1)],
}
DECIMALS = {
    "gelu": ["-0.1586552539314570514148", "0", "2.99595030590510971642", "0.3457312306370065518189"],
    "gelu-tanh": ["-0.158808009391723295218", "0", "2.996362607918226981162", "0.3457140098251439220378"],
}
"""x times the integral of the normal density up to x, by quadrature in mpmath; and the formula of the schema there."""


@pytest.mark.parametrize("activation", OF_E)
def test_curves_of_powers_of_e_are_exact(activation: str) -> None:
    """At x = -1, 0, 3, 1/2."""
    stream = run(toy((Layer(feed_forward=network({"x": 1}, activation)),)), "abcd").streams[1]
    for vector, value in zip(stream, OF_E[activation], strict=True):
        assert same(vector["y"], value)


@pytest.mark.parametrize("activation", DECIMALS)
def test_the_two_kinds_of_gelu(activation: str) -> None:
    """At x = -1, 0, 3, 1/2: to 19 digits, in exact numbers, and in balls around them; x = gelu(x) - gelu(-x)."""
    construction = toy((Layer(feed_forward=network({"x": 1}, activation)),))
    exact, around = (run(construction, "abcd", bits=bits).streams[1] for bits in (None, 128))
    with ctx.workprec(128):
        for found, near, said in zip(exact, around, DECIMALS[activation], strict=True):
            assert abs(ball(found["y"]) - arb(said)) < arb("1e-19")
            assert near["y"].overlaps(ball(found["y"]))
    assert sign(exact[1]["y"]) == 0
    of = ACTIVATIONS[activation]
    assert of(fmpq(7, 3)) - of(fmpq(-7, 3)) == fmpq(7, 3)


def test_in_a_format_each_operation_of_a_curve_is_rounded() -> None:
    """With steps of 1/4: e^-3/2 = 0.223 is 1/4, 1/(1 + 1/4) is 3/4, and 3/2 times that, 9/8, is 1 by rounding to the
    smaller; erf(3/2 / (3/2)), the root of 2 being rounded to 3/2, is 3/4."""
    x = rounded(fmpq(3, 2), FixedPoint(8, 2))
    assert str(ACTIVATIONS["sigmoid"](x)) == "3/4"
    assert str(ACTIVATIONS["silu"](x)) == "1"
    assert str(ACTIVATIONS["tanh"](x)) == "1"
    assert str(ACTIVATIONS["gelu"](x)) == "5/4"


def test_a_gate_multiplies_what_the_first_map_makes() -> None:
    """relu(x - 1/3) (i - 2) at positions 0, 1, 2 with x = -1, 3, 1/2: 0, -(8/3), 0; and its silu of 0 is 0."""
    first, gate = Linear({"h": {"i": 1, "1": -2}}), Linear({"h": {"x": 1}}, {"h": "-1/3"})
    units = FeedForward(first, Linear({"y": {"h": 1}}), gate=gate)
    stream = run(toy((Layer(feed_forward=units),)), "acd").streams[1]
    assert [vector["y"] for vector in stream] == [0, -fmpq(8, 3), 0]
    curved = dataclasses.replace(units, activation="silu", gate=Linear({"h": {"x": 1}}))
    found = [vector["y"] for vector in run(toy((Layer(feed_forward=curved),)), "abc").streams[1]]
    assert [sign(found[0] - 2 / (1 + E)), found[1], found[2]] == [0, 0, 0]


def test_biases() -> None:
    """max(0, x - 1/3) + 2, then -1/7 in the readout: at x = 3 and at x = 0."""
    layer = Layer(feed_forward=FeedForward(Linear({"h": {"x": 1}}, {"h": "-1/3"}), Linear({"y": {"h": 1}}, {"y": 2})))
    biased = toy((layer,), W=Linear({"logit": {"y": 1}}, {"logit": "-1/7"}))
    assert run(biased, "c").logit == 3 - fmpq(1, 3) + 2 - fmpq(1, 7)
    assert run(biased, "b").logit == 2 - fmpq(1, 7)


def test_residual_connections_and_their_cuts() -> None:
    """x = 3; attention adds x into y; the network adds |x| into y. A cut drops what stood there before."""
    head, feed_forward = Head(W_V={"y": {"x": 1}}), network({"x": 1})
    whole = run(toy((Layer((head,), feed_forward),)), "c")
    assert whole.streams[1] == ({"x": fmpq(3), "i": fmpq(0), "1": fmpq(1), "y": fmpq(6)},)
    cut = run(toy((Layer((head,), feed_forward, attention_residual=False),)), "c")
    assert cut.streams[1] == ({"x": fmpq(0), "i": fmpq(0), "1": fmpq(0), "y": fmpq(3)},)
    cut = run(toy((Layer((head,), feed_forward, feed_forward_residual=False),)), "c")
    assert cut.streams[1] == ({"x": fmpq(0), "i": fmpq(0), "1": fmpq(0), "y": fmpq(3)},)


def test_layers_follow_each_other() -> None:
    """The second layer sees what the first one wrote: y = x, then y = x + max(0, 2*y)."""
    assert run(toy((Layer((Head(W_V={"y": {"x": 1}}),)), Layer(feed_forward=network({"y": 2})))), "c").logit == 3 + 6


def norm(epsilon: object, where: str = "attention_norm") -> Construction:
    return toy((Layer((), network({}), **{where: LayerNorm(epsilon)}),))  # type: ignore[arg-type]


@pytest.mark.parametrize("where", ["attention_norm", "feed_forward_norm"])
def test_layer_norm(where: str) -> None:
    """(3, 0, 1, 0): mean 1, variance (4 + 1 + 0 + 1)/4 = 3/2; with epsilon 5/2 the deviation is 2."""
    [vector] = run(norm(0, where), "c").streams[1]
    deviation = sqrt(fmpq(3, 2))
    assert all(same(vector[name], x / deviation) for name, x in (("x", fmpq(2)), ("i", -1), ("1", fmpq(0)), ("y", -1)))
    [vector] = run(norm("5/2", where), "c").streams[1]
    assert vector == {"x": 1, "i": -HALF, "1": 0, "y": -HALF}


def test_layer_norm_of_a_constant_vector_needs_an_epsilon() -> None:
    """At the first position of a word the vector is (x, 0, 1, y): constant for no symbol, unless all is cut."""
    nothing = Layer((), attention_residual=False, attention_norm=LayerNorm(0))
    with pytest.raises(ArithmeticError, match="constant vector with epsilon 0"):
        run(toy((nothing,)), "c")
    with_epsilon = dataclasses.replace(nothing, attention_norm=LayerNorm(1))
    assert run(toy((with_epsilon,)), "c").streams[1] == ({"x": 0, "i": 0, "1": 0, "y": 0},)


def test_a_step_whose_last_norm_has_no_value_has_none() -> None:
    """It was fed back as 0."""
    read = Readout(Linear({"logit": {}}))
    encoder = Encoder(("x",), Embedding({"1": {}}), (), read)
    layer = Layer((), attention_norm=LayerNorm("0"))
    back = Linear({"x": {"x": 1}}, {"y": 2})
    network = EncoderDecoder(
        encoder=encoder,
        coordinates=("x", "y"),
        seed={"x": 1, "y": 3},
        PE={},
        layers=(layer,),
        feedback=back,
        readout=read,
    )
    steps = decode(network, "1")
    assert next(steps) == {"x": -1, "y": 1}
    assert next(steps) == {"x": -1, "y": 1}
    constant = decode(dataclasses.replace(network, seed={"x": 1, "y": 1}), "1")
    with pytest.raises(NoValue):
        next(constant)


@pytest.mark.parametrize(("position", "logit"), [("first", -1), ("last", 3), ("sum", -1 + 0 + 3), ("mean", fmpq(2, 3))])
def test_readout_positions(position: str, logit: int | fmpq) -> None:
    assert run(toy((), W=Linear({"logit": {"x": 1}}), position=position), "abc").logit == logit


def test_a_mean_reads_the_bias_once() -> None:
    assert (
        run(toy((), W=Linear({"logit": {"x": 1}}, {"logit": "1/2"}), position="mean"), "abc").logit == fmpq(2, 3) + HALF
    )


def test_a_sum_reads_the_bias_at_every_position() -> None:
    assert run(toy((), W=Linear({"logit": {"x": 1}}, {"logit": "1/2"}), position="sum"), "abc").logit == 2 + 3 * HALF


@pytest.mark.parametrize(
    ("accept", "word", "accepts", "decided"),
    [
        ("logit > 0", "c", True, True),
        ("logit > 0", "a", False, True),
        ("logit > 0", "b", False, False),
        ("logit = 0", "b", True, True),
        ("logit = 0", "c", False, True),
        ("logit >= 0", "c", True, True),
        ("logit >= 0", "b", True, True),
        ("logit >= 0", "a", False, True),
        ("logit < 0", "a", True, True),
        ("logit < 0", "b", False, False),
        ("logit < 0", "c", False, True),
        ("logit <= 0", "a", True, True),
        ("logit <= 0", "b", True, True),
        ("logit <= 0", "c", False, True),
    ],
)
def test_acceptance(accept: str, word: str, accepts: bool, decided: bool) -> None:
    result = run(toy((), W=Linear({"logit": {"x": 1}}), accept=accept), word)
    assert (result.accepts, result.decided) == (accepts, decided)


def test_markers_enclose_the_word() -> None:
    assert run(load("palindrome"), "01").tokens == ("CLS", "0", "1", "EOS")


REFUSED: dict[str, tuple[Callable[[], Run], str]] = {
    "symbol": (lambda: run(load("one"), "012"), "symbol '2' at index 2 of the word is not in the alphabet {0, 1}"),
    "marker": (lambda: run(load("one"), ["CLS"]), "symbol 'CLS'"),
    "nothing": (lambda: run(toy(()), ""), "the empty word has no position"),
    "unknown parameter": (lambda: run(load("first"), "1", {"d": 1}), "no parameter 'd'; it has c"),
    "no parameter": (lambda: run(load("one"), "1", {"c": 1}), "no parameter 'c'; it has none"),
    "outside": (lambda: run(load("first"), "1", {"c": 0}), "c = 0 is outside its domain c > 0"),
    "just outside": (lambda: run(load("first"), "1", {"c": "sqrt(2) - 3/2"}), "outside its domain"),
    "float": (lambda: run(load("first"), "1", {"c": 0.5}), "0.5 is a float"),
    "unreadable": (lambda: run(load("first"), "1", {"c": "1 +"}), "cannot read '1 +'"),
    "open": (lambda: run(load("first"), "1", {"c": "n"}), "unknown name 'n'"),
    "of words": (lambda: run(load("first"), "1", {"c": "count('1')"}), "speaks of a word"),
    "too large": (lambda: run(load("first"), "1", {"c": "2**2**100"}), "too large"),
    "unnatural": (lambda: run(load("dyck1-depth"), "01", {"D": "1/2"}), "D = 1/2 is no natural number"),
    "irrational": (lambda: run(load("dyck1-depth"), "01", {"D": "sqrt(2)"}), "no natural number"),
    "negative": (lambda: run(load("dyck1-depth"), "01", {"D": -1}), "D = -1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line(case: str) -> None:
    call, said = REFUSED[case]
    with pytest.raises(InputError) as caught:
        call()
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


# What the papers print. n counts the marked positions, k the 1s; every comparison is exact.

PARAMETERS = ("log(2)", "1/2", "1", "sqrt(2)")


def words(longest: int, shortest: int = 0) -> Iterator[str]:
    return ("".join(word) for length in range(shortest, longest + 1) for word in product("01", repeat=length))


def partitions(n: int, c: Real) -> tuple[Real, Real]:
    """Z1 and Z2 of Chiang and Cholak (2022), appendix A, for odd n."""
    more, less = fmpq(n + 1, 2), fmpq(n - 1, 2)
    return less * exp(c) + more * exp(-c), more * exp(c) + less * exp(-c)


def printed_parity(word: str, c: Real) -> Real:
    """Section 3.2 for even n, appendix A for odd n, where an odd k has cosh."""
    n, k = len(word) + 1, word.count("1")
    up, down = exp(2 * c), exp(-2 * c)
    if n % 2 == 0:
        return fmpq((-1) ** (k + 1) * 2, n**2) * ((up - 1) / (up + 1))
    z1, z2 = partitions(n, c)
    numerator = -(n - 1) * (up - down) / 2 if k % 2 == 0 else (n + 1) * (up + down) / 2
    return numerator / (n * z1 * z2)


@pytest.mark.parametrize("c", PARAMETERS)
def test_parity_is_as_printed_but_for_cosh(c: str) -> None:
    """Where n and k are odd the paper prints cosh for sinh, which is too much by e^(-2c)."""
    value = evaluate(expression(c), {})
    for word in words(7):
        n, k, logit = len(word) + 1, word.count("1"), run(load("parity"), word, {"c": c}).logit
        if n % 2 == 0 or k % 2 == 0:
            assert same(logit, printed_parity(word, value)), word
        else:
            z1, z2 = partitions(n, value)
            assert same(printed_parity(word, value) - logit, (n + 1) * exp(-2 * value) / (n * z1 * z2)), word
            assert sign(logit) > 0


def test_parity_of_the_empty_word_is_not_negative() -> None:
    """Appendix A says s < 0 for every even k and odd n; at n = 1 it is 0."""
    result = run(load("parity"), "")
    assert (result.logit, result.accepts, result.decided) == (0, False, False)


@pytest.mark.parametrize("c", PARAMETERS)
def test_first_is_as_printed_but_for_the_empty_word(c: str) -> None:
    """Equation 1 of section 3.3 gives -1/2 for the empty word, which has no position 1; the network gives 0."""
    u = exp(evaluate(expression(c), {}))

    def printed(word: str) -> Real:
        return u / (u + len(word)) * (int(word[:1] == "1") - HALF)

    for word in words(7, shortest=1):
        assert same(run(load("first"), word, {"c": c}).logit, printed(word)), word
    assert run(load("first"), "", {"c": c}).logit == 0
    assert same(printed(""), -HALF)


@pytest.mark.parametrize("c", PARAMETERS)
def test_first_by_one_layer_is_as_printed(c: str) -> None:
    """Section 5.2, the empty word included."""
    u = exp(evaluate(expression(c), {}))
    for word in words(7):
        n, k = len(word) + 1, word.count("1")
        printed = (u - 1) / (u + n - 1) * (int(word[:1] == "1") - HALF) + 1 / (u + n - 1) * (k - fmpq(n, 2))
        assert same(run(load("first-one-layer"), word, {"c": c}).logit, printed), word


def test_first_with_log_length_scaling_is_as_printed() -> None:
    """Section 5.3, equation 2 with c = 1: (n-1)/(2n-1) (I[w_1=1] - 1/2) + 1/(2n-1) (k - n/2), positive iff w_1 = 1."""
    plain = load("first-one-layer")
    assert isinstance(plain.network, Encoder)
    [[head]] = [layer.heads for layer in plain.network.layers]
    scaled = dataclasses.replace(head, scale="log(n)/sqrt(d)")
    longer = dataclasses.replace(plain, network=dataclasses.replace(plain.network, layers=(Layer((scaled,)),)))
    for word in words(6):
        n, k, first = len(word) + 1, word.count("1"), int(word[:1] == "1")
        result = run(longer, word, {"c": 1})
        assert result.logit == fmpq(n - 1, 2 * n - 1) * (first - HALF) + fmpq(1, 2 * n - 1) * (k - fmpq(n, 2)), word
        assert result.accepts is (first == 1)


def test_one_is_as_printed() -> None:
    """Nowak et al. (2022), section 3.1.2."""
    for word in words(7):
        assert run(load("one"), word).logit == (int(word.count("1") == 1) - HALF) / (len(word) + 1), word


@pytest.mark.parametrize("c", PARAMETERS)
def test_palindrome_is_as_derived_in_the_appendix(c: str) -> None:
    """Nowak et al. (2022), appendix A: the difference of the two halves in base e^c.

    The last step, c = ln 2, sums over all errors w_i != w_(n-1-i) of the left half. CLS and EOS differ too, and are no
    error of the word: read literally, the printed sum is too large by 2^0.
    """
    u = exp(evaluate(expression(c), {}))
    for word in words(6):
        tokens = add_markers(load("palindrome").network, word)  # type: ignore[arg-type]
        n = len(tokens)
        total = sum((u**j for j in range(n)), fmpq(0))
        half = [int(tokens[i] == "1") - int(tokens[n - 1 - i] == "1") for i in range((n - 1) // 2 + 1)]
        logit = run(load("palindrome"), word, {"c": c}).logit
        assert same(logit, sum((fmpq(x) * u**i for i, x in enumerate(half)), fmpq(0)) / total), word
        if c == "log(2)":
            errors = [i for i in range((n - 1) // 2 + 1) if tokens[i] != tokens[n - 1 - i]]
            printed = fmpq(sum((-1) ** (tokens[i] == "0") * 2**i for i in errors), 2**n - 1)
            assert printed - logit == fmpq(1, 2**n - 1), word


def test_palindrome_fails_where_the_base_is_the_golden_ratio() -> None:
    """u^3 = u^2 + u: 110 in the left half, read from the outside, weighs as much as 001 in the right half."""
    golden = {"c": "log((1 + sqrt(5))/2)"}
    wrong = run(load("palindrome"), "110100", golden)
    assert (wrong.logit, wrong.accepts) == (0, True)
    assert not run(load("palindrome"), "110100").accepts


def test_palindrome_with_the_printed_matrices_reads_the_right_half_twice() -> None:
    """Section 3.2.3: both value matrices select the last coordinate."""
    for word in words(6):
        tokens = add_markers(load("palindrome-as-printed").network, word)  # type: ignore[arg-type]
        n = len(tokens)
        right = [i for i in range(n) if 2 * i >= n - 1 and tokens[i] == "1"]
        logit = run(load("palindrome-as-printed"), word).logit
        assert logit == fmpq(sum(2**i - 2 ** (n - 1 - i) for i in right), 2**n - 1), word


@pytest.mark.parametrize(("name", "D"), [("dyck1", 99), ("dyck1-depth", 0), ("dyck1-depth", 1), ("dyck1-depth", 2)])
def test_dyck_is_as_printed_but_for_the_number_of_positions(name: str, D: int) -> None:
    """Steffen et al., sections 4.1 and 4.2, print 1/i; causal attention at position i averages over i+1 positions.

    The printed k, opened minus closed, has the other sign: W_V counts closed minus opened, which the text then uses.
    """
    for word in words(7):
        tokens = ("CLS", *word)
        result = run(load(name), word, {"D": D} if name == "dyck1-depth" else {})
        balance = [tokens[: i + 1].count("1") - tokens[: i + 1].count("0") for i in range(len(tokens))]
        assert [vector["k/i"] for vector in result.streams[-1]] == [fmpq(k, i + 1) for i, k in enumerate(balance)]
        sizes = [fmpq(1, i + 1) for i in range(len(tokens))]
        violations = sum((s for s, k in zip(sizes, balance, strict=True) if k > 0 or k < -D), fmpq(0))
        assert result.logit == sizes[-1] * int(balance[-1] == 0) - violations, word


def test_gain_and_bias_come_behind_the_norm() -> None:
    """Position 0 of "c" is (3, 0, 1, 0), of mean 1 and variance 3/2, and with epsilon 5/2 a deviation of 2."""
    norm = LayerNorm("5/2", gain={"x": 3, "1": 5, "y": -2}, bias={"i": "1/3", "y": 1})
    [vector] = run(toy((Layer(attention_norm=norm),)), "c").streams[1]
    assert vector == {"x": 3, "i": fmpq(1, 3), "1": 0, "y": 2}


def test_the_root_mean_square_does_not_shift() -> None:
    """(3, 0, 1, 0) has the mean square 5/2, and with epsilon 3/2 the root 2."""
    [vector] = run(toy((Layer(attention_norm=RootMeanSquare("3/2")),)), "c").streams[1]
    assert vector == {"x": fmpq(3, 2), "i": 0, "1": HALF, "y": 0}
    [vector] = run(toy((Layer(attention_norm=RootMeanSquare("3/2", gain={"x": 2, "i": 1})),)), "c").streams[1]
    assert vector == {"x": 3, "i": 0, "1": 0, "y": 0}


def test_the_stream_goes_past_a_norm_before() -> None:
    """The head adds 3/2 + 1/2 = 2, and the units, of (3, 0, 1, 2) over the root of 14/4 + 1/2, (3 - 1 + 2)/2."""
    head = Head(W_V={"y": {"x": 1, "1": 1}})
    units = FeedForward(Linear({"h": {"x": 1, "1": -1, "y": 1}}), Linear({"y": {"h": 1}}))
    layer = Layer(
        (head,),
        units,
        attention_norm_before=RootMeanSquare("3/2"),
        feed_forward_norm_before=RootMeanSquare("1/2"),
    )
    [vector] = run(toy((layer,)), "c").streams[1]
    assert vector == {"x": 3, "i": 0, "1": 1, "y": 2 + fmpq(3 - 1 + 2, 2)}


def test_the_final_norm_is_of_what_is_read_out_alone() -> None:
    normed = toy((), W=Linear({"logit": {"x": 1}}))
    normed = dataclasses.replace(normed, network=dataclasses.replace(normed.encoder, final_norm=RootMeanSquare("3/2")))
    found = run(normed, "c")
    assert found.logit == fmpq(3, 2)
    assert found.streams[-1] == ({"x": 3, "i": 0, "1": 1, "y": 0},)


def test_queries_and_keys_are_normed_over_their_score_coordinates() -> None:
    """The query (3, 1) has the mean square 5: over the root of 5 + 4 it is (1, 1/3), and times the gain (0, 3) it is
    (0, 1). Keys (x, 1) less their mean are (x - 1, 1 - x)/2, over |x - 1|/2: the signs of x - 1 and of 1 - x. So scores
    are 1 where x < 1, and -1 where it is more."""
    head = Head(
        W_Q={"q": {"1": 3}, "r": {"1": 1}},
        W_K={"q": {"x": 1}, "r": {"1": 1}},
        W_V={"y": {"i": 1}},
        scale=1,
        query_norm=RootMeanSquare(4, gain={"r": 3}),
        key_norm=LayerNorm(),
    )
    e2 = exp(fmpq(2))
    assert same(run(toy((Layer((head,)),)), "cab").logit, 3 * e2 / (1 + 2 * e2))


@pytest.mark.parametrize(
    "layer",
    [
        Layer((Head(W_V={"y": {"x": 1}}),), attention_norm_before=RootMeanSquare(0)),
        Layer((Head(W_V={"y": {"x": 1}}, W_Q={"q": {"x": 1}}, W_K={"q": {"1": 1}}, query_norm=RootMeanSquare(0)),)),
        Layer((Head(W_V={"y": {"x": 1}}, W_Q={"q": {"1": 1}}, W_K={"q": {"x": 1}}, key_norm=RootMeanSquare(0)),)),
    ],
)
@pytest.mark.parametrize("unread", [True, False])
def test_where_heads_read_what_has_no_value_no_word_has_one(layer: Layer, unread: bool) -> None:
    """Also where it is a position that is not read out."""
    construction = toy((layer,))
    if layer.attention_norm_before is not None:
        nothing = dataclasses.replace(construction.encoder.embedding, PE={})
        construction = dataclasses.replace(
            construction, network=dataclasses.replace(construction.encoder, embedding=nothing)
        )
    assert run(construction, "cd", unread=unread).decided
    with pytest.raises(NoValue):
        run(construction, "bd", unread=unread)

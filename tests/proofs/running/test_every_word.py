"""Bounded verdicts by running every word: right where brute force is, and found out where an enclosure lies."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from flint import arb, ctx

from tests.constructions.predicting.ranking import majority, ranking
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.running import appended_to_each, generate, parameter_values, predict, run
from weightproof.constructions.meaning.schema import (
    Activation,
    Decoder,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Place,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.grammar import expression
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.running import every, forward
from weightproof.proofs.running.enclosures import Enclosed
from weightproof.proofs.theorem import Appends, Decides, Predicts
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown, Verdict

ALL = Language("ALL", ("0", "1"), lambda word: True, "n >= 1")
LONG = "-16777213/8388608"
"""A weight as training in float32 leaves it."""


def trained(norm: LayerNorm | None = None, bias: str = "10", **parts: object) -> Construction:
    """Two layers that no rule derives: their scores are of long fractions, and differ with the words."""
    first = Head(
        W_V={"x": {"x": LONG, "y": "3355443/4194304"}, "y": {"y": "1/3"}},
        W_Q={"q": {"x": "8388607/16777216", "y": LONG}},
        W_K={"q": {"x": "5592405/8388608", "y": "-1/7"}},
    )
    units = FeedForward(
        first=Linear({"h": {"x": "1398101/4194304", "y": -1}}, {"h": "1/8"}), second=Linear({"y": {"h": "2/3"}})
    )
    layer = Layer(heads=(first,), feed_forward=units, attention_norm=norm)
    embedding = Embedding({"0": {"x": LONG}, "1": {"y": "6710887/8388608"}, "CLS": {"x": 1, "y": 1}}, {"y": "i/n"})
    readout = Readout(Linear({"logit": {"x": 1, "y": "-5/3"}}, {"logit": bias}))
    return Construction("trained", "t", "a test", ALL, Encoder(("x", "y"), embedding, (layer, layer), readout))


def verdict(construction: Construction, theorem: Decides | Appends | Predicts, timeout: float = 60.0) -> Verdict:
    [result] = prove(construction, [theorem], timeout=timeout)
    return result.verdict


@pytest.mark.parametrize("norm", [None, LayerNorm("1/100000")])
def test_weights_out_of_training_are_decided_up_to_a_length(norm: LayerNorm | None) -> None:
    assert verdict(trained(norm), Decides("short", "a test", up_to=9)) == Proved(
        "n <= 9", Evidence.BOUNDED, words=2**9 - 1
    )


def test_numbers_that_no_polynomial_holds_are_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the library raises it where weights out of training meet in one closed form."""

    def derive(construction: Construction) -> None:
        raise OverflowError("exponent too large")

    monkeypatch.setattr("weightproof.proofs.quantities.analysis.derive", derive)
    found = verdict(trained(), Decides("all", "a test"))
    assert isinstance(found, Unknown)
    assert "too long" in found.reason


def test_every_word_is_as_brute_force_says() -> None:
    """With a bias that lies among the logits, so that some words are accepted, some not."""
    construction = trained(bias="29/10")
    words = ["".join(word) for length in range(5) for word in itertools.product("01", repeat=length)]
    accepted = [word for word in words if run(construction, word, {}, 256).accepts]
    assert 5 < len(accepted) < 26

    def exactly(chosen: list[str]) -> Decides:
        said = (
            " and ".join([f"n == {len(w) + 1}", *(f"w[{k + 1}] == '{a}'" for k, a in enumerate(w))]) for w in chosen
        )
        return Decides("chosen", "a test", accepts=" or ".join(f"({each})" for each in said), up_to=5)

    assert isinstance(verdict(construction, exactly(accepted)), Proved)
    for number in (0, len(accepted) // 2, -1):
        found = verdict(construction, exactly([word for word in accepted if word != accepted[number]]))
        assert isinstance(found, Refuted)
        assert found.counterexample.word == accepted[number]


def test_a_wrong_word_is_replayed_and_the_rest_of_the_theorem_kept() -> None:
    found = verdict(trained(), Decides("none", "a test", accepts="n > 4", up_to=9))
    assert isinstance(found, Refuted)
    assert (found.counterexample.word, found.counterexample.accepts) == ("", True)
    assert isinstance(verdict(trained(), Decides("some", "a test", accepts="n > 4", given="n > 4", up_to=9)), Proved)


def test_of_no_word_nothing_is_proved() -> None:
    assert isinstance(verdict(trained(), Decides("none", "a test", given="n > 9", up_to=9)), Unknown)


@pytest.mark.parametrize(
    "name", ["one", "first", "parity", "palindrome", "dyck1", "dyck1-depth-margin", "first-one-layer"]
)
def test_what_is_enclosed_is_what_the_interpreter_runs(name: str) -> None:
    construction = load(name)
    network, values = construction.network, parameter_values(construction)
    assert isinstance(network, Encoder)
    for length in (0, 1, 4):
        words = ["".join(word) for word in itertools.product(construction.language.alphabet, repeat=length)]
        found = forward.outputs(network, words, values)
        assert not found.open.any()
        for number, word in enumerate(words):
            with ctx.workprec(256):
                logit = run(construction, word, {}).logit
                ball = arb(logit) if not hasattr(logit, "sides") else enclosure(logit)
                middle, radius = found.values.middle[number, 0], found.values.radius[number, 0]
                assert abs(ball - arb(middle)) <= arb(radius) + arb(2) ** -200


def test_every_part_of_the_schema_is_enclosed_or_left_open() -> None:
    """Ties, steps at 0 and vectors without a value are left to the interpreter, which decides them."""
    hard = Head(W_V={"s": {"x": 1}}, W_Q={"q": {"s": 1}}, W_K={"q": {"x": 1}}, normaliser="hardmax", score="-|dot|")
    step = FeedForward(Linear({"h": {"x": 1, "s": -1}}), Linear({"s": {"h": 1}}), "step")
    for activation in get_args(Activation):
        for mask in ("none", "causal"):
            layers = (Layer((replace(hard, mask=mask),), replace(step, activation=activation)),)
            for position in get_args(Place):
                network = Encoder(
                    ("x", "s"),
                    Embedding({"0": {"x": "1/3"}, "1": {"x": -1}, "CLS": {"s": 1}}, {"s": "i/n"}),
                    layers,
                    Readout(Linear({"logit": {"s": 1, "x": "1/7"}}, {"logit": "-1/5"}), position=position),
                )
                construction = Construction("parts", "t", "a test", ALL, network)
                words = ["".join(word) for word in itertools.product("01", repeat=4)]
                found = forward.outputs(network, words, {})
                for number, word in enumerate(words):
                    if not found.open[number]:
                        away = abs(enclosure(run(construction, word).logit) - arb(found.values.middle[number, 0]))
                        assert away <= arb(found.values.radius[number, 0]) + arb(2) ** -50
                assert isinstance(verdict(construction, Decides("any", "a test", up_to=5)), Proved | Refuted)
    nowhere = Layer((), None, attention_norm=LayerNorm(0))
    network = Encoder(
        ("x",), Embedding({"0": {}, "1": {"x": 1}, "CLS": {}}), (nowhere,), Readout(Linear({"logit": {"x": 1}}))
    )
    assert forward.outputs(network, ["0"], {}).open.all()


ROWS = {"x": "3/2", "y": "-1/3"}
TWO_SCORES = {name: {"q": {"x": 2, "y": -1}, "r": {"y": "1/3"}} for name in ("W_Q", "W_K")}
OF_SCORES = RootMeanSquare("1/100000", gain={"q": 2})


@pytest.mark.parametrize(
    "parts",
    [
        {"attention_norm_before": LayerNorm("1/100000", gain=ROWS, bias={"y": "1/5"})},
        {"feed_forward_norm_before": RootMeanSquare("1/100000", gain=ROWS)},
        {"attention_norm": RootMeanSquare("1/100000")},
        {"query_norm": OF_SCORES, "key_norm": OF_SCORES},
        {"gate": Linear({"h": {"x": "1/3", "y": 1}}, {"h": "-1/2"})},
        {"rotary": (Rotary("q", "r", "1/3"),), **TWO_SCORES},
        {"rotary": (Rotary("r", "q", "2*pi/5"),), **TWO_SCORES, "query_norm": RootMeanSquare(1)},
        {"bias": "-(i - j)/3 + 1/(1 + j)"},
        {"bias": "-log(1 + i - j)", "mask": "causal"},
        {"sees": "i - j < 2 and j - i < 3"},
        {"sees": "j < i", "sink": "1/3", "mask": "causal"},
        {"sink": "log(n)", "score": "-|dot|"},
        {"bias": "100*((i + 2*j) % 7)", "sees": "i == j or j != 0"},
    ],
)
def test_blocks_of_every_kind_are_decided_by_running(parts: dict[str, Any]) -> None:
    """As the interpreter decides each word, which is what replays a wrong one; and behind a final norm."""
    construction = trained()
    [layer, _] = construction.encoder.layers
    own = {name: part for name, part in parts.items() if name in (field.name for field in fields(Head))}
    of_layer = {name: norm for name, norm in parts.items() if name not in (*own, "gate")}
    units = replace(layer.feed_forward, gate=parts.get("gate"))  # type: ignore[type-var]
    made = replace(layer, heads=(replace(layer.heads[0], **own),), feed_forward=units, **of_layer)
    network = replace(construction.encoder, layers=(made, made))
    normed = replace(network, final_norm=LayerNorm(1, bias={"x": "1/7"}))
    words = ["".join(word) for length in range(5) for word in itertools.product("01", repeat=length)]
    for given in (replace(construction, network=each) for each in (network, normed)):
        assert isinstance(verdict(given, Decides("short", "a test", "n >= 0", up_to=5)), Proved | Refuted)
        for length in range(5):
            chosen = [word for word in words if len(word) == length]
            found = forward.outputs(given.encoder, chosen, {})
            assert not found.open.any()
            for number, word in enumerate(chosen):
                logit = run(given, word, bits=256).logit
                middle, radius = found.values.middle[number, 0], found.values.radius[number, 0]
                assert abs(logit - arb(middle)) <= arb(radius) < arb("1e-6")


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "silu", "gelu", "gelu-tanh"])
def test_curves_are_decided_by_running_and_lies_about_them_found_out(
    activation: Activation, monkeypatch: pytest.MonkeyPatch
) -> None:
    construction = trained()
    units = construction.encoder.layers[0].feed_forward
    assert units is not None
    layer = replace(construction.encoder.layers[0], feed_forward=replace(units, activation=activation))
    construction = replace(construction, network=replace(construction.encoder, layers=(layer, layer)))
    assert isinstance(verdict(construction, Decides("short", "a test", up_to=5)), Proved)
    name = activation.replace("-", "_")
    before = getattr(Enclosed, name)

    def shifted(x: Enclosed) -> Enclosed:
        made: Enclosed = before(x)
        return Enclosed(made.middle + 1e-9, made.radius)

    monkeypatch.setattr(Enclosed, name, shifted)
    with pytest.raises(InternalError, match="where it is enclosed"):
        verdict(construction, Decides("short", "a test", up_to=4))


def test_an_enclosure_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def shifted(x: Enclosed) -> Enclosed:
        return Enclosed(x.middle + 1e-6, x.radius)

    before = Enclosed.exp
    monkeypatch.setattr(Enclosed, "exp", lambda x: shifted(before(x)) * shifted(before(x)))
    with pytest.raises(InternalError, match="where it is enclosed"):
        verdict(trained(), Decides("short", "a test", up_to=4))


def test_parameters_are_not_decided_by_samples() -> None:
    found = every.every_word(every.Analysis(load("first")), Decides("short", "a test", up_to=4), every.MOST_SYMBOLS)
    assert found is None


def ranked(norm: LayerNorm | None = None) -> Construction:
    """The network out of training with an output for each token, of which the last one of the word is right."""
    language = replace(
        ALL, labels={"1": "w[n - 1] == '1'", "0": "w[n - 1] == '0'"}, label=lambda word: word[-1:] or None
    )
    network = trained(norm).network
    outputs = Linear({"1": {"x": 1, "y": "-5/3"}, "0": {"y": 1}, "CLS": {"x": "1/7"}}, {"1": 5 if norm is None else 3})
    return Construction("ranked", "t", "a test", language, replace(network, readout=Readout(outputs, accept="argmax")))


def at_margin(limit: str = "1/9", **changes: object) -> Construction:
    """CLS has the output `limit`, and so comes before the more frequent symbol where its margin is no more than that:
    first on the words of 1/limit positions."""
    return ranking(W=Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {}}, {"CLS": limit}), **changes)


@pytest.mark.parametrize("norm", [None, LayerNorm("1/100000")])
def test_what_is_predicted_is_as_brute_force_says(norm: LayerNorm | None) -> None:
    construction = ranked(norm)
    words = ["".join(word) for length in range(1, 5) for word in itertools.product("01", repeat=length)]
    found = {word: predict(construction, word, {}, 256) for word in words}
    right = [word for word in words if found[word].token == word[-1]]
    assert 5 < len(right) < len(words) - 5

    def exactly(chosen: list[str], up_to: int = 5) -> Predicts:
        said = {
            token: " or ".join(
                "(" + " and ".join([f"n == {len(w) + 1}", *(f"w[{k + 1}] == '{a}'" for k, a in enumerate(w))]) + ")"
                for w in chosen
                if w[-1] == token
            )
            for token in "01"
        }
        return Predicts("chosen", "a test", said, up_to=up_to)

    assert verdict(construction, exactly(right)) == Proved("n <= 5", Evidence.BOUNDED, words=len(words))
    for word in (right[0], right[-1]):
        wrong = verdict(construction, exactly([each for each in right if each != word]))
        assert isinstance(wrong, Refuted)
        assert (wrong.counterexample.word, wrong.counterexample.predicted) == (word, word[-1])
        assert wrong.counterexample.bits is not None
    assert isinstance(verdict(construction, exactly([each for each in right if len(each) < 4], 4)), Proved)


def test_what_is_predicted_is_wrong_at_a_length_and_proved_below_it() -> None:
    """Only words that have a right token are counted."""
    words = ["".join(word) for length in range(9) for word in itertools.product("01", repeat=length)]
    spoken = sum(majority(word) is not None for word in words)
    assert verdict(at_margin(), Predicts("below", "a test", up_to=9)) == Proved("n <= 9", Evidence.BOUNDED, spoken)
    wrong = verdict(at_margin(), Predicts("there", "a test", up_to=10))
    assert isinstance(wrong, Refuted)
    assert len(wrong.counterexample.word) == 9
    assert "another output" not in wrong.counterexample.note
    tie = verdict(at_margin("1/10"), Predicts("a tie", "a test", up_to=10))
    assert isinstance(tie, Refuted)
    assert "another output is equal" in tie.counterexample.note


def test_of_more_words_than_are_run_what_is_predicted_is_proved() -> None:
    construction = at_margin("1/40")
    assert verdict(construction, Predicts("below", "a test", up_to=39)) == Proved("n <= 39", Evidence.CERTIFICATE)
    wrong = verdict(construction, Predicts("there", "a test", up_to=40))
    assert isinstance(wrong, Refuted)
    assert len(wrong.counterexample.word) == 39
    assert isinstance(verdict(ranked(), Predicts("no rule", "a test", up_to=40), 10.0), Unknown | Refuted)


def test_of_a_parameter_what_is_predicted_is_proved() -> None:
    construction = at_margin("c/9", parameters=(Parameter("c", domain="c > 0", default="1"),))
    proved = verdict(construction, Predicts("below", "a test", given="c <= 1", up_to=9))
    assert isinstance(proved, Proved)
    assert (proved.scope, proved.words) == ("n <= 9", None)
    wrong = verdict(construction, Predicts("there", "a test", given="c <= 1", up_to=10))
    assert isinstance(wrong, Refuted)
    assert len(wrong.counterexample.word) == 9


def test_what_is_predicted_after_no_word_is_not_proved() -> None:
    for construction, theorem in (
        (at_margin(), Predicts("none", "a test", given="n > 9", up_to=9)),
        (at_margin(), Predicts("none is right", "a test", given="count('0') == count('1')", up_to=9)),
        (load("noisy-majority"), Predicts("a parameter", "a test", given="N >= 5 and n > 8", up_to=8)),
    ):
        found = verdict(construction, theorem)
        assert isinstance(found, Unknown)
        assert "vacuous" in found.reason


def test_an_output_whose_enclosure_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Enclosed.__sub__
    with monkeypatch.context() as patched:
        exp = Enclosed.exp
        patched.setattr(Enclosed, "exp", lambda x: Enclosed(exp(x).middle + 1e-6 * x.middle, exp(x).radius))
        with pytest.raises(InternalError, match="output '1' does not lie where it is enclosed"):
            verdict(ranked(), Predicts("short", "a test", up_to=4))
    monkeypatch.setattr(Enclosed, "__sub__", lambda x, y: -before(x, y) if x.middle.shape == (1,) else before(x, y))
    with pytest.raises(InternalError, match="wrong in enclosures, right when run exactly"):
        verdict(at_margin(), Predicts("short", "a test", up_to=4))


def balance(threshold: str) -> Construction:
    """Appends a 1 where the 1s outweigh the 0s by more than the threshold, on the mean: no rule derives it for all."""
    mean = Head(W_V={"s": {"1": 1, "0": -1}}, scale=1, mask="causal")
    read = Readout(Linear({"1": {"s": 1}, "0": {}}, {"1": threshold, "0": 0}), position="last", accept="argmax")
    embedding = Embedding({"0": {"0": 1}, "1": {"1": 1}, "C": {}})
    network = Decoder(("0", "1", "s"), embedding, (Layer((mean,)),), read, begin="C")
    return Construction("balance", "t", "a test", ALL, network)


def test_a_decoder_is_decided_up_to_a_length() -> None:
    theorem = Appends("1", "1", "count('1') >= count('0')", up_to=9)
    found = verdict(balance("1/100"), theorem)
    assert found == Proved("n <= 9", Evidence.BOUNDED, words=191)
    wrong = verdict(balance("-1/3"), theorem)
    assert isinstance(wrong, Refuted)
    assert wrong.counterexample.word == "01"


def test_what_is_appended_to_each_word_is_what_is_generated() -> None:
    network = balance("1/100").network
    assert isinstance(network, Decoder)
    found = list(appended_to_each(network, ("0", "1"), 5, {}))
    assert len({word for word, _ in found}) == len(found) == 2**6 - 1
    for word, made in found:
        assert made == next(generate(balance("1/100"), word))
    short = replace(network, table=({}, {"s": 1}, {"s": "-1/2"}))
    tabled = replace(balance("1/100"), network=short)
    for word, made in appended_to_each(short, ("0", "1"), 9, {}):
        assert len(word) < 3
        assert made == next(generate(tabled, word))
    assert isinstance(verdict(tabled, Appends("1", "1", up_to=4)), Unknown)


def ones(**encoding: str) -> Construction:
    """Accepts a word with a 1 in it; the encoding is read by nothing."""
    embedding = Embedding({"0": {}, "1": {"[1]": 1}, "CLS": {}}, encoding)
    layer = Layer((Head(W_V={"s": {"[1]": 1}}),))
    network = Encoder(("[1]", "s", "u"), embedding, (layer,), Readout(Linear({"logit": {"s": 1}})))
    return Construction("ones", "t", "a test", ALL, network)


@pytest.mark.parametrize(
    "asked",
    [
        {"given": "1/(n - 6) > -5", "accepts": "count('1') >= 1 and n != 6"},
        {"given": "log((n - 6)**2) > -5", "accepts": "count('1') >= 1 and n != 6"},
        {"accepts": "count('1') >= 1 and 1/(n - 6) > -5"},
    ],
)
def test_a_word_on_which_a_formula_has_no_value_is_not_left_out(asked: dict[str, str]) -> None:
    """At n = 6, beyond the words of which the formulas are asked before anything is proved."""
    found = verdict(ones(), Decides("short", "a test", up_to=8, **asked))
    assert isinstance(found, Unknown)
    assert "'00000'" in found.reason
    assert isinstance(
        verdict(ones(), Decides("short", "a test", **{**asked, "accepts": "count('1') >= 1"}, up_to=5)), Proved
    )


def test_a_word_that_comes_before_it_refutes() -> None:
    asked = "count('1') >= 1 and w[1] == '1' and 1/(count('1') - 5) > -7"
    found = verdict(ones(), Decides("short", "a test", given="n > 5", accepts=asked, up_to=6))
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "00001"


def test_a_weight_without_a_value_at_a_length_is_a_reason() -> None:
    theorem = Decides("short", "a test", accepts="count('1') >= 1", up_to=8)
    found = verdict(ones(u="1/(n - 6)"), theorem)
    assert found == Unknown("on '00000': division by zero in '1 / (n - 6)'")
    assert isinstance(verdict(ones(u="1/(n - 6)"), replace(theorem, given=expression("n != 6"))), Proved)


def test_a_decoder_without_a_value_at_a_position_has_none_behind_it() -> None:
    """Where a word begins with a, its head divides by exp(-B), which is 0 in the format."""
    head = Head(W_V={"s": {"b": 1}}, W_Q={"q": {"a": -7}}, W_K={"q": {"a": 1}}, mask="causal")
    read = Readout(Linear({"a": {"a": 1}, "b": {"b": 1}}), position="last", accept="argmax")
    embedding = Embedding({"a": {"a": 1}, "b": {"b": 1}})
    network = Decoder(("a", "b", "s"), embedding, (Layer((head,)),), read, arithmetic=FixedPoint(8, 4))
    construction = Construction("cut", "t", "a test", replace(ALL, alphabet=("a", "b")), network)
    assert [len(word) for word, _ in appended_to_each(network, ("a", "b"), 3, {})].count(3) == 2**3
    found = verdict(construction, Appends("b", "b", up_to=4))
    assert isinstance(found, Unknown)
    assert "position 0" in found.reason
    given = verdict(balance("1/100"), Appends("1", "1", "1/(n - 6) > -5 and count('1') >= count('0')", up_to=9))
    assert isinstance(given, Unknown)

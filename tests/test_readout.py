"""What is read out means in every reading what it means to the interpreter: each rule of acceptance, at a
logit of exactly 0, too, and a mean over positions."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from flint import arb, fmpq

import weightproof as wp
from tests.constructions.predicting.comparing import ROWS, compared, comparing
from tests.constructions.predicting.ranking import majority, ranking
from tests.proofs.covering.adders import adder, adds
from tests.proofs.covering.certificates import shown
from tests.symbolic.simulation.test_generating import decoder, looking, outcome
from weightproof.appendix.language import language
from weightproof.cli import main
from weightproof.constructions.library import load
from weightproof.constructions.meaning.choices import ACCEPTED, RANKED, Accepted
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.outputs import logit_difference
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values, predict, run
from weightproof.constructions.meaning.schema import (
    Acceptance,
    Decoder,
    Embedding,
    Encoder,
    Extreme,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.transforms.rewriting import Refused
from weightproof.constructions.transforms.sharpen import sharpen
from weightproof.imports.writing import python
from weightproof.measuring.prompts import Form, executed
from weightproof.measuring.session import Place
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.certificate.certificate import Margin as Known
from weightproof.numeric.certificate.certificate import certified_safe_length, certifier
from weightproof.numeric.certificate.next_token import certified_length, kept, leads
from weightproof.numeric.certificate.uniform.bound import output_errors
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.model.strict import exact_pass
from weightproof.numeric.model.transformer import PROBABILITY, Rule, rules
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.proofs.covering.certificate import Certificate
from weightproof.proofs.covering.checking.sets import Uncovered
from weightproof.proofs.covering.deciding import by_covering
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.kernel.statement import statement
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import weights
from weightproof.proofs.next_token.replaying import Predicted
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.running.every import Decided
from weightproof.proofs.theorem import Compares, Decides, Margin, Predicts
from weightproof.proofs.verdict import Evidence, Proved, Refuted

RULES = [rule for rule in get_args(Acceptance) if rule not in get_args(Extreme)]
OPS: dict[str, Callable[[int], bool]] = {
    "logit > 0": lambda x: x > 0,
    "logit >= 0": lambda x: x >= 0,
    "logit = 0": lambda x: x == 0,
    "logit < 0": lambda x: x < 0,
    "logit <= 0": lambda x: x <= 0,
}
WORDS = ["".join(word) for length in range(5) for word in itertools.product("ab", repeat=length)]


def formula(rule: str) -> str:
    return rule.replace("logit", "count('a') - count('b')").replace(" = ", " == ")


def counting(rule: str, language: str | None = None, heads: tuple[Head, ...] = ()) -> Construction:
    """Its logit is the number of a less that of b; the language is that of another rule where one is named."""
    said = language or rule

    def member(word: str) -> bool:
        return OPS[said](word.count("a") - word.count("b"))

    return Construction(
        name="counting",
        title="more a than b",
        source="a test",
        language=Language("COUNTED", ("a", "b"), member, formula(said)),
        network=Encoder(
            coordinates=("x", "1"),
            embedding=Embedding({"a": {"x": 1, "1": 1}, "b": {"x": -1, "1": 1}, "CLS": {"1": 1}}),
            layers=(Layer(heads),) if heads else (),
            readout=Readout(Linear({"logit": {"x": 1}}), "sum", rule),  # type: ignore[arg-type]
        ),
    )


def averaging(rule: str) -> Construction:
    """Its logit is n times less, by attention."""
    made = counting(rule, heads=(Head(W_V={"x": {"x": 1}}),))
    return replace(made, network=replace(made.encoder, readout=replace(made.encoder.readout, position="first")))


def test_all_rules_are_here_and_in_the_table() -> None:
    assert [*OPS] == RULES == [*ACCEPTED]
    for rule, accepted in ACCEPTED.items():
        for direction in (1, 0, -1):
            assert accepted.accepts(direction) is OPS[rule](direction), rule


@pytest.mark.parametrize("rule", RULES)
def test_the_interpreter(rule: str) -> None:
    for word in WORDS:
        result = run(counting(rule), word)
        assert result.accepts is OPS[rule](word.count("a") - word.count("b"))
        assert result.decided is (word.count("a") != word.count("b") or result.accepts), word


@pytest.mark.parametrize("attention", ["explicit", "matmul", "fused", "strict"])
@pytest.mark.parametrize("rule", RULES)
def test_pytorch_and_exact_numbers_in_its_order(rule: str, attention: str) -> None:
    construction = averaging(rule)
    expected = [run(construction, word).accepts for word in WORDS]
    assert wp.Transformer(construction, attention=attention).accepts(WORDS).tolist() == expected
    assert [exact_pass(construction, word, {"d": fmpq(2)}).accepts() for word in WORDS] == expected


@pytest.mark.parametrize("rule", RULES)
def test_what_is_no_number_is_not_accepted(rule: str) -> None:
    made = counting(rule)
    model = wp.Transformer(made)
    logits = torch.tensor([float("nan")])
    assert not Rule(rule).accepts(model, logits).any()
    assert (PROBABILITY in rules(made.encoder, None)) is (rule == "logit > 0")


def decided(construction: Construction, **options: Any) -> Any:
    [result] = wp.prove(construction, [Decides("decides", "as said", **options)])
    return result.verdict


@pytest.mark.parametrize("make", [counting, averaging])
@pytest.mark.parametrize("rule", RULES)
def test_all_lengths_are_proved(rule: str, make: Callable[[str], Construction]) -> None:
    verdict = decided(make(rule))
    assert isinstance(verdict, Proved), verdict
    assert verdict.scope == "all lengths"


OTHERS = [(rule, other) for rule in RULES for other in RULES if rule != other]


@pytest.mark.parametrize(("rule", "other"), OTHERS)
def test_another_rule_is_refuted_by_a_word(rule: str, other: str) -> None:
    """The empty word where they differ at 0, a word of one symbol where they do at that alone."""
    verdict = decided(counting(rule, other))
    assert isinstance(verdict, Refuted), verdict
    word = verdict.counterexample.word
    difference = word.count("a") - word.count("b")
    assert OPS[rule](difference) is verdict.counterexample.accepts is not OPS[other](difference)
    assert len(word) == (OPS[rule](0) is OPS[other](0))


@pytest.mark.parametrize("rule", RULES)
def test_strict_says_that_no_logit_is_0(rule: str) -> None:
    """Of words of odd length that is so; the rule without a side is not asked."""
    assert isinstance(decided(counting(rule), strict=True, given="n % 2 == 0"), Proved)
    verdict = decided(counting(rule), strict=True)
    assert isinstance(verdict, Proved if rule == "logit = 0" else Refuted), verdict


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("other", RULES)
def test_covering_and_its_check(rule: str, other: str) -> None:
    construction = counting(rule, other)
    theorem = Decides("decides", "as said", up_to=6)
    verdict, positions = by_covering(Decided(Analysis(construction), theorem), Deadline.after(60))
    if rule != other:
        assert isinstance(verdict, Refuted), verdict
        return
    assert isinstance(verdict, Proved), verdict
    said = Certificate(construction.name, digest(construction), theorem.name, positions)
    found = shown(construction, theorem, said)
    assert found.words == verdict.covered.words == 2**6 - 1
    with pytest.raises(Uncovered):
        shown(counting(rule, next(each for each in RULES if each != rule)), theorem, said)


@pytest.mark.parametrize("rule", RULES)
def test_margins(rule: str) -> None:
    """Of words of an even number of symbols: 0 on the side where a logit of 0 is, and 2 on the other one."""
    construction = counting(rule)
    for side in ("accepted", "rejected"):
        least = 0 if ACCEPTED[rule].at_zero is (side == "accepted") else 2
        for value in (0, 1, 2):
            theorem = Margin(side, value, when="n % 2 == 1 and n >= 3", name=f"{side} {value}")  # type: ignore[arg-type]
            [result] = wp.prove(construction, [theorem])
            wanted = Proved if value == least else Refuted
            assert isinstance(result.verdict, wanted), (side, value, result.verdict)


@pytest.mark.parametrize("rule", RULES)
def test_certified_lengths(rule: str) -> None:
    """Small sums are exact in floats, so that what is known is the margin of the side where 0 is not."""
    construction, at_zero = counting(rule), ACCEPTED[rule].at_zero
    margins = [Known("accepted", 0 if at_zero else 1), Known("rejected", 1 if at_zero else 0)]
    assert certified_safe_length(construction, margins, dtype="float32") >= 6
    given, zero, above, below = certifier(construction, margins), arb(0), arb(1), arb(-1)
    assert given.right(zero, zero, at_zero, 3)
    assert not given.right(zero, zero, not at_zero, 3)
    for low, high in ((above, above), (below, below)):
        assert given.right(low, high, OPS[rule](1 if low > 0 else -1), 3)
        assert not given.right(low, high, not OPS[rule](1 if low > 0 else -1), 3)
    assert not given.right(below, above, at_zero, 3)
    assert not given.right(below, above, not at_zero, 3)


@pytest.mark.parametrize("rule", RULES)
def test_an_onnx_property_names_the_words_that_are_lost(rule: str, tmp_path: Path) -> None:
    """What says that Y decides otherwise is false of each exact logit of the rule's own language."""
    pytest.importorskip("onnx")
    wp.export(counting(rule), "onnx", tmp_path, length=2)
    for name, member in (("accepted", True), ("rejected", False)):
        said = (tmp_path / f"{name}.vnnlib").read_text().splitlines()[-1]
        for logit in (-2, 0, 2):
            lost = _of_y(said, logit)
            assert lost is (OPS[rule](logit) is not member), (said, logit)


def _of_y(said: str, y: int) -> bool:
    """The last line of a property, of a value of Y[0]."""
    parts = re.findall(r"\((<=|>=) Y\[0\] (-?[\d.]+)\)", said)
    held = [y <= Fraction(bound) if op == "<=" else y >= Fraction(bound) for op, bound in parts]
    return any(held) if "(or " in said else all(held)


@pytest.mark.parametrize("rule", ["logit >= 0", "logit < 0", "logit <= 0"])
def test_what_does_not_know_a_rule_refuses_it_by_name(rule: str) -> None:
    construction = counting(rule)
    with pytest.raises(Unwritten, match=re.escape(repr(rule))):
        statement(construction, Decides("decides", "as said"))
    with pytest.raises(Refused, match=re.escape(rule)):
        sharpen(construction)
    with pytest.raises(InputError, match=re.escape(rule)):
        certified_safe_length(construction, [], by_probability=True)


def test_a_rule_with_another_sense_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were 0 not accepted at logit >= 0 where it is derived, the replay of a run would contradict it."""
    monkeypatch.setitem(ACCEPTED, "logit >= 0", Accepted(1, at_zero=False))
    with pytest.raises(InternalError, match="wrong in enclosures, right when run exactly"):
        decided(counting("logit >= 0"))
    assert not isinstance(decided(counting("logit >= 0", "logit > 0")), Proved)


# A mean over positions.

RESIDUAL = Head(W_V={"x": {"1": "1/3"}}, W_Q={"q": {"x": 1}}, W_K={"q": {"x": "1/2"}})


def mean(formula: str, *heads: Head, bias: object = 0, accept: str = "logit > 0") -> Construction:
    """The mean of 1 for each a, of -1 for each b, of what heads add, and of a bias."""
    made = counting(accept, heads=heads)
    readout = Readout(Linear({"logit": {"x": 1}}, {"logit": bias}), "mean", accept)  # type: ignore[arg-type]
    language = Language("MEAN", ("a", "b"), lambda word: holds_of(formula, word), formula)
    return replace(made, language=language, network=replace(made.encoder, readout=readout))


def holds_of(formula: str, word: str) -> bool:
    return holds(Expression(formula), {}, ("CLS", *word), ("a", "b"))


def test_a_mean_is_the_sum_divided_by_the_number_of_positions() -> None:
    for heads in ((), (RESIDUAL,)):
        averaged = mean("n >= 1", *heads, bias="1/7")
        summed = replace(averaged.encoder, readout=replace(averaged.encoder.readout, position="sum"))
        for word in WORDS:
            total = run(replace(averaged, network=summed), word).logit
            assert sign(run(averaged, word).logit * (len(word) + 1) - total) == 0


@pytest.mark.parametrize("attention", ["explicit", "matmul", "fused", "strict"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_a_mean_in_floats_lies_within_its_bound(attention: str, dtype: str) -> None:
    construction = mean("n >= 1", RESIDUAL, bias="1/7")
    words = [word for word in WORDS if len(word) in (3, 4)]
    found = wp.Transformer(construction, dtype=dtype, attention=attention).logits(words).double().tolist()
    for word, logit in zip(words, found, strict=True):
        bound = output_balls(construction, word, dtype=dtype)["logit"]
        assert bound.contains(arb(logit)), word
        assert not bound.contains(arb(logit) * (len(word) + 1)), word


def test_a_long_word_is_averaged_piece_by_piece() -> None:
    model = wp.Transformer(mean("n >= 1"))
    [whole] = model.logits(["ab" * 50_000 + "a" * 10_001]).tolist()
    assert whole == 10_001 / 110_002


@pytest.mark.parametrize("accept", RULES)
def test_a_mean_is_proved_for_all_lengths_and_refuted_by_a_word(accept: str) -> None:
    formula = accept.replace("logit", "2*(count('a') - count('b')) - n").replace(" = ", " == ")
    right = mean(formula, bias="-1/2", accept=accept)
    verdict = decided(right)
    assert isinstance(verdict, Proved), verdict
    assert verdict.scope == "all lengths"
    summed = replace(right, network=replace(right.encoder, readout=replace(right.encoder.readout, position="sum")))
    assert isinstance(decided(summed), Proved)  # n times as much has the sign
    off = decided(mean(formula, bias="-1/3", accept=accept))
    assert isinstance(off, Refuted), off
    assert run(mean(formula, bias="-1/3", accept=accept), off.counterexample.word).accepts is off.counterexample.accepts


def test_what_a_mean_is_compared_with() -> None:
    """The mean itself, and not the sum."""
    construction = mean("n >= 1")
    for value, wanted in (("(n - 1)/n", Proved), ("n - 1", Refuted)):
        [result] = wp.prove(construction, [Compares("==", value, where="count('b') == 0")])
        assert isinstance(result.verdict, wanted), (value, result.verdict)


def test_a_mean_is_covered_and_checked() -> None:
    formula = "100*(count('a') - count('b')) > 41*n"
    construction = mean(formula, RESIDUAL, bias="-1/3 - 41/100")
    theorem = Decides("decides", "as said", up_to=7)
    verdict, positions = by_covering(Decided(Analysis(construction), theorem), Deadline.after(60))
    assert isinstance(verdict, Proved), verdict
    said = Certificate(construction.name, digest(construction), theorem.name, positions)
    assert shown(construction, theorem, said).words == 2**7 - 1
    with pytest.raises(Uncovered):
        shown(mean(formula, RESIDUAL, bias="1/3"), theorem, said)


def test_a_mean_where_it_is_not_known_is_refused_by_name() -> None:
    construction = mean("n >= 1")
    with pytest.raises(Unwritten, match="readout position 'mean'"):
        weights(construction)
    with pytest.raises(NotUnderstood, match="a mean over all positions"):
        output_errors(certifier(construction, ()).block(1, 3), ["logit"])


def test_onnx_computes_the_mean(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    construction = mean("n >= 1", bias="1/7")
    wp.export(construction, "onnx", tmp_path, length=3)
    session = runtime.InferenceSession(tmp_path / "model.onnx")
    [[logit]] = [session.run(None, {"X": [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]})[0]]
    assert abs(float(logit) - (1 / 4 + 1 / 7)) < 1e-15


# The least output.


def turned(construction: Construction) -> Construction:
    """A network that predicts a token by the least output, and so what it did before: the readout has another sign."""
    readout = construction.network.readout
    weights = {token: {name: f"-({x})" for name, x in row.items()} for token, row in readout.W.weights.items()}
    W = Linear(weights, {token: f"-({x})" for token, x in readout.W.bias.items()})
    return replace(construction, network=replace(construction.network, readout=replace(readout, W=W, accept="argmin")))


def taken_for_the_greatest(construction: Construction) -> Construction:
    readout = replace(construction.network.readout, accept="argmax")
    return replace(construction, network=replace(construction.network, readout=readout))


BITS = ["".join(word) for length in range(6) for word in itertools.product("01", repeat=length)]


def of_theorem(construction: Construction, theorem: Predicts) -> Any:
    [result] = wp.prove(construction, [theorem])
    return result.verdict


def test_both_extremes_are_in_the_table() -> None:
    assert [*RANKED] == [*get_args(Extreme)]
    assert {*get_args(Acceptance)} == {*ACCEPTED, *RANKED}


def test_the_interpreter_predicts_the_token_of_the_least_output() -> None:
    for word in BITS:
        greatest, least = predict(ranking(), word), predict(turned(ranking()), word)
        assert (least.token, least.decided) == (greatest.token, greatest.decided)
        assert all(sign(least.outputs[token] + x) == 0 for token, x in greatest.outputs.items())
    tied = ranking(W=Linear({"0": {}, "1": {}}), accept="argmin")
    assert (predict(tied, "1").token, predict(tied, "1").decided) == ("0", False)


@pytest.mark.parametrize("attention", ["explicit", "matmul", "fused", "strict"])
def test_floats_predict_the_token_of_the_least_output(attention: str) -> None:
    floating = {"dtype": "float32", "attention": attention}
    for word in ("110", "001"):
        both = turned(ranking()), taken_for_the_greatest(turned(ranking()))
        [least], [greatest] = (wp.run(each, word, **floating).numeric for each in both)
        assert (least["token"], least["agrees"]) == (majority(word), True)
        assert (greatest["token"], greatest["agrees"]) != (majority(word), True)


@pytest.mark.parametrize("theorem", [Predicts("all", "of all"), Predicts("short", "of few", up_to=7)])
def test_theorems_about_the_least_output(theorem: Predicts) -> None:
    wanted, found = of_theorem(ranking(), theorem), of_theorem(turned(ranking()), theorem)
    assert isinstance(found, Proved), found
    assert (found.scope, found.evidence) == (wanted.scope, wanted.evidence)
    refuted = of_theorem(taken_for_the_greatest(turned(ranking())), theorem)
    assert isinstance(refuted, Refuted), refuted
    assert refuted.counterexample.predicted != refuted.counterexample.right
    assert refuted.counterexample.logit == "-1"  # after one symbol of two positions outputs are 1/2 and -1/2


def test_the_least_output_is_covered() -> None:
    theorem = Predicts("short", "of few", up_to=7)
    verdict, _ = by_covering(Predicted(Analysis(turned(ranking())), theorem), Deadline.after(60))
    assert isinstance(verdict, Proved), verdict
    assert verdict.evidence is Evidence.COVERING
    other = taken_for_the_greatest(turned(ranking()))
    verdict, _ = by_covering(Predicted(Analysis(other), theorem), Deadline.after(60))
    assert isinstance(verdict, Refuted), verdict


def test_a_difference_of_outputs_is_by_how_much_one_is_ahead() -> None:
    construction = turned(ranking())
    for word in BITS:
        found, logit = predict(construction, word), run(logit_difference(construction, "0", "1"), word).logit
        assert sign(logit - (found.outputs["1"] - found.outputs["0"])) == 0


def test_a_length_of_the_least_output_is_certified() -> None:
    made = load("noisy-majority")
    names, format = parameter_values(made), FORMATS["float32"]
    wanted = leads(made, names)
    for each, side in ((turned(made), 1), (taken_for_the_greatest(turned(made)), -1)):
        for lead, other in zip(wanted, leads(each, names), strict=True):
            assert all(other.shares[token].overlaps(side * share) for token, share in lead.shares.items())
        assert (kept(each, names, format, 20) == kept(made, names, format, 20)) is (side == 1)
    assert certified_length(turned(made), dtype="float32", gone_through=20) == 20


def test_the_least_output_is_measured() -> None:
    one, other = (
        wp.precision(each, dtype="float16", max_length=200).rows[0] for each in (ranking(), turned(ranking()))
    )
    assert (one["rule"], other["rule"]) == ("greatest output, alone", "least output, alone")
    for found in ("first_failing_length", "certified_safe_length", "searched_to", "searched_in_full"):
        assert one[found] == other[found]
    lost = turned(ranking(W=Linear({"0": {"s": 1}, "1": {"s": -1}, "CLS": {}}, {"CLS": "1/30000"})))
    [row] = wp.precision(lost, dtype="float16", max_length=8).rows
    assert row["first_failing_length"] is None  # what exact arithmetic loses, too, is not lost by rounding


def test_sheets_documents_and_exports_name_the_least_output(tmp_path: Path) -> None:
    construction = turned(ranking())
    assert "the least output" in str(wp.show(construction))
    assert any("the answer is the least output" in str(block) for block in language(construction))
    wp.export(construction, "safetensors", tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["readout"]["accept"] == "argmin"
    assert 'accept="argmin"' in python(construction, "")


def three(construction: Construction, word: str) -> list[str]:
    """The tokens that the interpreter appends."""
    network = construction.network
    assert isinstance(network, Decoder)
    return [each.token for each in itertools.islice(appended(network, word, {}), 3)]


@pytest.mark.parametrize("attention", ["explicit", "strict"])
def test_a_decoder_appends_the_token_of_the_least_output(attention: str) -> None:
    says = decoder(looking())
    for word in ("1", "01", "110"):
        wanted = three(says, word)
        assert three(turned(says), word) == wanted != three(taken_for_the_greatest(turned(says)), word)
        made = wp.DecoderTransformer(turned(says), attention=attention).generate([word])
        assert [each.tokens[0] for each in itertools.islice(made, 3)] == wanted


@pytest.mark.parametrize(
    ("make", "wanted"), [(turned, "proved"), (lambda c: taken_for_the_greatest(turned(c)), "refuted")]
)
def test_what_is_appended_by_the_least_output_is_derived(
    make: Callable[[Construction], Construction], wanted: str
) -> None:
    assert outcome(make(decoder(looking())), "1", "1", given="count('1') > count('0')") == wanted


def test_what_is_computed_by_the_least_output_is_covered_and_checked() -> None:
    [result] = wp.prove(turned(adder(2)), [adds(2)])
    assert isinstance(result.verdict, Proved), result.verdict
    assert result.verdict.evidence is Evidence.COVERING
    [result] = wp.prove(taken_for_the_greatest(turned(adder(2))), [adds(2)])
    assert isinstance(result.verdict, Refuted), result.verdict


def test_prompts_of_a_decoder_by_the_least_output_are_run() -> None:
    place, theorem = Place("float64", "cpu", "explicit", 10), adds(1)
    lost = {
        name: len([*executed(made, Form.of(made, theorem), place, 50)])
        for name, made in (("least", turned(adder(1))), ("greatest", taken_for_the_greatest(turned(adder(1)))))
    }
    assert lost == {"least": 0, "greatest": 50}


def test_the_least_output_read_as_the_greatest_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is derived, the runs of words, which are the interpreter's, contradict it."""
    monkeypatch.setitem(RANKED, "argmin", RANKED["argmax"])
    with pytest.raises(InternalError, match="wrong in enclosures, right when run exactly"):
        of_theorem(turned(ranking()), Predicts("short", "of few", up_to=7))
    assert not isinstance(of_theorem(turned(ranking()), Predicts("all", "of all")), Proved)


# Classes.

CLASSES = {
    "greatest": comparing(),
    "least": turned(comparing()),
    "mean": comparing(position="mean"),
    "sum": comparing(position="sum"),
}
EVERY = Predicts("compares", "the class of the word is predicted")


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_predicted_by_every_run(name: str) -> None:
    construction = CLASSES[name]
    floats = {each: wp.Transformer(construction, attention=each) for each in ("explicit", "matmul", "fused", "strict")}
    side = 1 if name != "least" else -1
    for word in WORDS:
        found = predict(construction, word)
        assert (found.token, found.decided) == (compared(word), True)
        for model in floats.values():
            [outputs] = model.outputs([word]).tolist()
            assert max(zip(outputs, model.rows, strict=True), key=lambda each: side * each[0])[1] == compared(word)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_proved_for_all_lengths(name: str) -> None:
    verdict = of_theorem(CLASSES[name], EVERY)
    assert isinstance(verdict, Proved), verdict
    assert verdict.scope == "all lengths"


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_covered_and_checked(name: str) -> None:
    construction, theorem = CLASSES[name], replace(EVERY, up_to=9)
    verdict, positions = by_covering(Predicted(Analysis(construction), theorem), Deadline.after(60))
    assert isinstance(verdict, Proved), verdict
    said = Certificate(construction.name, digest(construction), theorem.name, positions)
    assert shown(construction, theorem, said).words == 2**9 - 1
    other = "argmin" if construction.encoder.readout.accept == "argmax" else "argmax"
    readout = replace(construction.encoder.readout, accept=other)  # type: ignore[arg-type]
    with pytest.raises(Uncovered):
        shown(replace(construction, network=replace(construction.encoder, readout=readout)), theorem, said)


def test_classes_of_which_nothing_is_derived_are_covered() -> None:
    """2^30 words, behind units of which there is no closed form."""
    made = comparing()
    units = FeedForward(Linear({"h": {"s": 1}}), Linear({"s": {"h": 1}}), "tanh")
    layer = replace(made.encoder.layers[0], feed_forward=units)
    smooth = replace(made, network=replace(made.encoder, layers=(layer,)))
    verdict = of_theorem(smooth, replace(EVERY, up_to=30))
    assert isinstance(verdict, Proved), verdict
    assert (verdict.evidence, verdict.covered.words) == (Evidence.COVERING, 2**30 - 1)  # type: ignore[union-attr]


WRONG_ROWS = {
    "a tie of more and equal": ROWS | {"more": {"s": 1}},
    "equal is never predicted": ROWS | {"equal": {"1/n": -1}},
    "more and fewer change places": ROWS | {"more": {"s": -2}, "fewer": {"s": 2}},
    "equal where the difference is 1": ROWS | {"equal": {"1/n": 3}},
}


@pytest.mark.parametrize("accept", get_args(Extreme))
@pytest.mark.parametrize("wrong", WRONG_ROWS)
def test_a_wrong_class_is_refuted_by_a_word(wrong: str, accept: str) -> None:
    construction = comparing(WRONG_ROWS[wrong])
    construction = construction if accept == "argmax" else turned(construction)
    for verdict in (
        of_theorem(construction, EVERY),
        of_theorem(construction, replace(EVERY, up_to=5)),
        by_covering(Predicted(Analysis(construction), replace(EVERY, up_to=5)), Deadline.after(60))[0],
    ):
        assert isinstance(verdict, Refuted), verdict
        word = verdict.counterexample.word
        found = predict(construction, word)
        assert len(word) <= 1
        assert not (found.decided and found.token == compared(word))
        assert verdict.counterexample.right == compared(word)


def test_where_a_class_is_predicted_and_where_not() -> None:
    """Where it is equal at differences up to 1 the others are right from 2 on."""
    construction = comparing(WRONG_ROWS["equal where the difference is 1"])
    apart = {"more": "count('a') > count('b') + 1", "fewer": "count('b') > count('a') + 1", "equal": "n >= 1"}
    assert isinstance(of_theorem(construction, replace(EVERY, where=apart)), Proved)
    assert isinstance(of_theorem(construction, replace(EVERY, where=apart | {"more": "n >= 1"})), Refuted)


def test_a_row_that_is_no_token_and_no_class_is_refused() -> None:
    with pytest.raises(ConstructionError, match="readout: row 'mor' does not exist; did you mean 'more'"):
        comparing(ROWS | {"mor": {"s": 1}})
    with pytest.raises(ConstructionError, match="label 'equal' is no output of the network"):
        comparing({name: row for name, row in ROWS.items() if name != "equal"})
    assert predict(comparing(ROWS | {"a": {"1/n": 9}}), "b").token == "a"  # tokens stand beside classes


def test_classes_are_told_in_every_document(tmp_path: Path) -> None:
    construction = comparing()
    assert "more is right iff    count('a') > count('b')" in str(wp.show(construction))
    assert "(2*count('a') - 2*count('b'))/n" in wp.derive(construction).closed_form
    assert [block for block in language(construction) if "The right output is " in str(block)]
    whole = replace(construction.encoder.layers[0], attention_residual=True)  # which TransformerLens has
    kept = replace(construction, network=replace(construction.encoder, layers=(whole,)))
    for form, given in (("safetensors", construction), ("edges", construction), ("transformer-lens", kept)):
        wp.export(given, form, tmp_path / form)
        for name in compared("a"), compared("b"), compared(""):
            assert any(name in path.read_text() for path in (tmp_path / form).iterdir() if path.suffix == ".json")
    assert "'equal' is right, but 'more' is predicted" in str(wp.prove(comparing(ROWS | {"more": {"1/n": 2}}), [EVERY]))


CLAIMED = """
from tests.constructions.predicting.comparing import comparing
from weightproof import Claims, Published, statements

construction = comparing()
claims = Claims(
    "comparing",
    Published("right", "here", "the class is right", statements.Predicts()),
    Published("more", "here", "2(a-b)/n", statements.Value(statements.Logit("more"), "2*(count('a') - count('b'))/n")),
    Published("less", "here", "2(a-b)/n", statements.Value(statements.Logit("fewer"), "2*(count('a') - count('b'))/n")),
)
"""


def test_a_document_says_which_output_its_example_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "claimed.py").write_text(CLAIMED)
    assert main(["derive", str(path)]) == 0
    tex = capsys.readouterr().out
    assert r"This is the output of \texttt{more}." in tex
    assert "The network accepts" not in tex


def test_claims_about_classes_are_judged(tmp_path: Path) -> None:
    (path := tmp_path / "claimed.py").write_text(CLAIMED)
    found = str(wp.claims(path))
    assert [re.search(rf"{name}\s.*?(true|false)", found)[1] for name in ("right", "more", "less")] == [  # type: ignore
        "true",
        "true",
        "false",
    ], found


def test_what_speaks_of_a_logit_refuses_classes_by_name(tmp_path: Path) -> None:
    construction = comparing()
    said = "predicts a token or a class"
    with pytest.raises(InputError, match=said):
        wp.export(construction, "onnx", tmp_path, length=3)
    with pytest.raises(InputError, match="no theorem speaks of the logit"):
        wp.export(construction, "coq", tmp_path)
    with pytest.raises(InputError, match=said):
        wp.Transformer(construction).accepts(["a"])
    with pytest.raises(InputError, match=said):
        wp.repair(construction)
    with pytest.raises(InputError, match=said):
        wp.ablate(construction)
    with pytest.raises(Refused, match=said):
        sharpen(construction)
    with pytest.raises(InputError, match=said):
        wp.prove(construction, [Decides("decides", "as said")])

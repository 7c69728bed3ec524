"""Several outputs by automata: what decoders append, and which class an encoder says; and parameters of scores."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.proofs.automata.drawn import words
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.running import generate, predict, run
from weightproof.constructions.meaning.schema import Decoder, Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.automata.appending import as_encoder
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.prove import proofs, prove
from weightproof.proofs.theorem import Appends, Compares, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.vocabulary import Underivable

ONE, ZERO, BEGIN = "[1]", "[0]", "[C]"
TOKENS = {"0": {ZERO: 1}, "1": {ONE: 1}, "C": {BEGIN: 1}}
ANY = Language(name="ANY", alphabet=("0", "1"), member=lambda word: True, characterisation="n >= 1")


def decoder(
    layers: Sequence[Layer], W: dict[str, dict[str, object]], coordinates: Sequence[str], **more: object
) -> Construction:
    network = Decoder(
        coordinates=(ZERO, ONE, BEGIN, "i", "one", *coordinates),
        embedding=Embedding(WE=TOKENS, PE={"i": "i", "one": 1, **more}),  # type: ignore[arg-type]
        layers=tuple(layers),
        begin="C",
        readout=Readout(Linear(W), position="last", accept="argmax"),  # type: ignore[arg-type]
    )
    return Construction(name="drawn", title="drawn", source="own", language=ANY, network=network)


def majority(weight: object = 1) -> Construction:
    """Appends 0 where there are at least as many 0 as 1, and else 1: equal outputs are those of the first token."""
    head = Head(W_V={"f0": {ZERO: 1}, "f1": {ONE: 1}}, mask="causal")
    return decoder([Layer(heads=(head,))], {"0": {"f0": 1}, "1": {"f1": weight}}, ("f0", "f1"))


def induction(other: str = "f1") -> Construction:
    """What followed the last token where it was before: the mean of what did."""
    before = Head(
        W_V={"p0": {ZERO: 1}, "p1": {ONE: 1}},
        W_Q={"x": {"i": 1}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"i": -1, "one": -1}},
        score="-|dot|",
        normaliser="hardmax",
        scale=1,
        mask="causal",
    )
    found = Head(
        W_V={"f0": {ZERO: 1}, "f1": {ONE: 1}},
        W_Q={"x": {ZERO: 1}, "y": {ONE: 1}},
        W_K={"x": {"p0": 1}, "y": {"p1": 1}},
        normaliser="hardmax",
        mask="causal",
        scale=1,
    )
    layers = [Layer(heads=(before,)), Layer(heads=(found,))]
    return decoder(layers, {"0": {"f0": 1}, "1": {other: 1}}, ("p0", "p1", "f0", "f1"))


ZEROS, ONES = (f"sum((w[j] == '{symbol}')*(w[j-1] == '1') for j in positions)" for symbol in "01")
"""What followed a 1, in numbers."""
APPENDED: dict[str, tuple[Construction, Appends]] = {
    "at least as many 0, behind a 0": (majority(), Appends("0", "0", "count('0') >= count('1')")),
    "at least as many 0, behind a 1": (majority(), Appends("1", "0", "count('0') >= count('1')")),
    "more 1, behind a 1": (majority(), Appends("1", "1", "count('0') < count('1')")),
    "the empty word": (majority(), Appends("C", "0")),
    "0 followed 1 as often": (
        induction(),
        Appends("1", "0", f"{ZEROS} >= {ONES} and {ZEROS} > 0"),
    ),
    "1 followed 1 more often": (
        induction(),
        Appends("1", "1", f"{ZEROS} < {ONES}"),
    ),
}
WRONG: dict[str, tuple[Construction, Appends]] = {
    "a 1 that weighs half": (majority("1/2"), Appends("1", "1", "count('0') < count('1')")),
    "a tie": (majority(), Appends("1", "1", "count('0') <= count('1')")),
    "the other token is read": (
        induction("f0"),
        Appends("1", "1", f"{ZEROS} < {ONES}"),
    ),
}


def verdict(construction: Construction, theorem: Theorem) -> Verdict:
    [result] = prove(construction, [theorem], timeout=60)
    return result.verdict


@pytest.mark.parametrize("name", APPENDED)
def test_what_a_decoder_appends_is_proved(name: str) -> None:
    construction, theorem = APPENDED[name]
    found = verdict(construction, theorem)
    assert isinstance(found, Proved), found
    for word in words(6):
        tokens = ("C", *word)
        if tokens[-1] == theorem.behind and holds(theorem.given, {}, tokens, ("0", "1")):
            assert next(generate(construction, word)).token == theorem.token


@pytest.mark.parametrize("name", WRONG)
def test_what_it_does_not_append_is_refuted_by_a_word(name: str) -> None:
    construction, theorem = WRONG[name]
    found = verdict(construction, theorem)
    assert isinstance(found, Refuted)
    assert next(generate(construction, found.counterexample.word)).token != theorem.token


def test_the_graph_is_kept_with_its_proof_under_the_name_of_each_pair() -> None:
    construction, theorem = APPENDED["more 1, behind a 1"]
    [proof] = proofs(construction, [theorem], timeout=60)
    assert {case.name.split(": ")[0] for case in proof.cases} == {"'1' over '0'"}
    assert all(any(item.obligation.name.startswith(f"{case.name}, ") for case in proof.cases) for item in proof.closed)
    assert proof.closed
    assert all(isinstance(case, Case) for case in proof.cases)


def test_a_decoder_whose_weights_know_the_length_is_refused() -> None:
    made = decoder([], {"0": {"n": 1}, "1": {}}, ("n",), n="1/n")
    with pytest.raises(Underivable, match="depend on the length"):
        as_encoder(made)


def classes(weight: object = 1) -> Construction:
    """Which of 0 and 1 there is more of, if any."""
    language = Language(
        name="MORE",
        alphabet=("0", "1"),
        member=lambda word: True,
        characterisation="n >= 1",
        labels={"zeros": "2*count('0') > n - 1", "ones": "2*count('1') > n - 1"},
        label=lambda word: (
            "zeros" if 2 * word.count("0") > len(word) else "ones" if 2 * word.count("1") > len(word) else None
        ),
    )
    network = Encoder(
        coordinates=(ZERO, ONE, BEGIN, "m"),
        embedding=Embedding(WE=TOKENS),  # type: ignore[arg-type]
        layers=(Layer(heads=(Head(W_V={"m": {ZERO: 1, ONE: -1}}, mask="causal"),)),),
        begin="C",
        readout=Readout(Linear({"zeros": {"m": weight}, "ones": {"m": -1}}), position="last", accept="argmax"),  # type: ignore[arg-type]
    )
    return Construction(name="drawn", title="drawn", source="own", language=language, network=network)


def test_the_class_that_an_encoder_says_is_proved() -> None:
    assert isinstance(verdict(classes(), Predicts("says", "it says which there is more of")), Proved)


def test_a_class_that_it_does_not_say_is_refuted() -> None:
    found = verdict(classes(-2), Predicts("says", "it says which there is more of"))
    assert isinstance(found, Refuted)
    assert predict(classes(-2), found.counterexample.word).token in ("zeros", "ones")


def last_by_softmax(domain: str, scale: str = "c", mask: str = "causal") -> Construction:
    head = Head(W_V={"g": {ONE: 1, ZERO: -1}}, W_Q={"x": {"one": 1}}, W_K={"x": {"i": 1}}, mask=mask, scale=scale)  # type: ignore[arg-type]
    network = Encoder(
        coordinates=(ZERO, ONE, BEGIN, "i", "one", "g"),
        embedding=Embedding(WE=TOKENS, PE={"i": "i", "one": 1}),  # type: ignore[arg-type]
        layers=(Layer(heads=(head,)),),
        begin="C",
        readout=Readout(Linear({"logit": {"g": 1}}), position="last"),  # type: ignore[arg-type]
    )
    language = Language(
        name="LAST", alphabet=("0", "1"), member=lambda w: w[-1:] == "1", characterisation="w[n-1] == '1'"
    )
    given = Parameter("c", domain, "2")
    return Construction("drawn", "drawn", "own", language, network, parameters=(given,))


DECIDES = Decides("decides", "it accepts the words that end in a 1")


@pytest.mark.parametrize(
    ("domain", "scale", "mask"),
    [
        ("c >= log(2)", "c", "causal"),
        ("c >= log(2)", "c*n", "causal"),
        ("c >= log(2)/2", "2*c", "causal"),
        ("c >= 1", "c**2", "causal"),
    ],
)
def test_a_softmax_is_proved_for_every_value_of_its_parameter(domain: str, scale: str, mask: str) -> None:
    assert isinstance(verdict(last_by_softmax(domain, scale, mask), DECIDES), Proved)


@pytest.mark.parametrize(
    ("domain", "scale"),
    [("c > 0", "c"), ("c >= 1", "c/2"), ("c >= 1", "1/c"), ("c >= 1", "c - 1"), ("c >= log(2) - 1/100", "c")],
)
def test_it_is_not_where_some_value_is_too_small(domain: str, scale: str) -> None:
    found = verdict(last_by_softmax(domain, scale), DECIDES)
    assert isinstance(found, Refuted | Unknown)
    if isinstance(found, Refuted):
        ran = run(last_by_softmax(domain, scale), found.counterexample.word, found.counterexample.parameters)
        assert ran.accepts != found.counterexample.word.endswith("1")


def test_weights_of_what_is_there_with_a_parameter_are_refused() -> None:
    """They are no larger where the parameter is: what is a bound of a distance is none of these."""
    made = last_by_softmax("c >= 1")
    head = Head(W_V={"g": {ONE: 1, ZERO: -1}}, W_Q={"x": {"one": 1}}, W_K={"x": {ONE: 1}}, scale="c")
    network = made.encoder
    wrong = Encoder(network.coordinates, network.embedding, (Layer(heads=(head,)),), network.readout, begin="C")
    found = verdict(
        Construction("drawn", "drawn", "own", made.language, wrong, parameters=made.parameters),
        Decides("decides", "decides", accepts="2*count('1') > count('0')"),
    )
    assert isinstance(found, Refuted)


def test_the_given_of_what_is_appended_may_speak_of_positions() -> None:
    assert holds(Expression(f"{ZEROS} == 1"), {}, ("C", "1", "0"), ("0", "1"))


STEPS = (
    "sum((w[j] == '1')*(w[j-1] == '0') for j in positions)",
    "sum((w[j] == '0')*(w[j-1] == '1') for j in positions)",
)
NO_WORD = f"count('1') > 0 and count('0') > count('1') and {STEPS[0]} == 0 and {STEPS[1]} == 0"
"""A flow of two parts that hang apart satisfies it, and no word."""
VACUOUS = {
    "appends": (majority(), Appends("0", "0", NO_WORD)),
    "decides": (last_by_softmax("c >= log(2)"), Decides("d", "d", given=NO_WORD)),
    "compares": (last_by_softmax("c >= log(2)"), Compares(">", -2, NO_WORD)),
    "below": (last_by_softmax("c >= log(2)"), Decides("d", "d", given="n < 0")),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_a_theorem_that_speaks_of_no_word_is_not_proved(name: str) -> None:
    construction, theorem = VACUOUS[name]
    found = verdict(construction, theorem)
    assert isinstance(found, Unknown)
    assert "vacuous" in found.reason


def test_one_that_speaks_of_long_words_alone_is() -> None:
    """No short word is one, and the solver's is."""
    theorem = Decides("d", "d", given="count('1') >= 12 and count('0') >= 9")
    assert isinstance(verdict(last_by_softmax("c >= log(2)"), theorem), Proved)
    appends = Appends("1", "1", "count('1') > count('0') and count('0') >= 11")
    assert isinstance(verdict(majority(), appends), Proved)

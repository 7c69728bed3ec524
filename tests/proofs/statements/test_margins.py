"""What a margin states: the least |logit| of a side, which is 0 or more, and words that attain it on that very side."""

from __future__ import annotations

import re

import pytest

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.deciding import obligations
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.close import close
from weightproof.proofs.strategies.goals import NOT_NEGATIVE
from weightproof.proofs.theorem import Margin
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.forward import derive

NO_ONES = Construction(
    "no-ones",
    "t",
    "s",
    Language("NO ONES", ("0", "1"), lambda w: "1" not in w, "count('1') == 0"),
    Encoder(
        ("[1]", "s"),
        Embedding({"0": {}, "1": {"[1]": 1}, "CLS": {}}),
        (Layer(heads=(Head(W_V={"s": {"[1]": 1}}),)),),
        Readout(Linear({"logit": {"s": 1}}), position="sum", accept="logit = 0"),
    ),
)
"""logit = number of 1s, and 0 accepts."""
MORE_ONES = Construction(
    "more-ones",
    "t",
    "s",
    Language("MORE ONES", ("0", "1"), lambda w: w.count("1") > w.count("0"), "count('1') > count('0')"),
    Encoder(
        ("[0]", "[1]", "b"),
        Embedding({"0": {"[0]": 1}, "1": {"[1]": 1}, "CLS": {}}),
        (Layer(heads=(Head(W_V={"b": {"[1]": 1, "[0]": -1}}),)),),
        Readout(Linear({"logit": {"b": 1}}), position="first", accept="logit > 0"),
    ),
)
"""logit = (number of 1s - number of 0s)/n, and more than 0 accepts."""


def verdict(construction: Construction, theorem: Margin) -> Verdict:
    [result] = prove(construction, [theorem], timeout=10.0)
    return result.verdict


ONE_1 = ("1", 1)
TRUE = [
    (NO_ONES, Margin("rejected", 1, when="n >= 2", attained=(ONE_1, ("0", "n - 2")))),
    (NO_ONES, Margin("accepted", 0, attained=(("0", "n - 1"),))),
    (MORE_ONES, Margin("accepted", "1/n", when="n % 2 == 0", attained=(("01", "(n - 2)/2"), ONE_1))),
    (MORE_ONES, Margin("rejected", "1/n", when="n % 2 == 0", attained=(("01", "(n - 2)/2"), ("0", 1)))),
    (MORE_ONES, Margin("rejected", 0, when="n % 2 == 1", attained=(("01", "(n - 1)/2"), ("1", "n - n")))),
]


@pytest.mark.parametrize(("construction", "theorem"), TRUE)
def test_a_true_margin_is_proved(construction: Construction, theorem: Margin) -> None:
    found = verdict(construction, theorem)
    assert isinstance(found, Proved), found
    assert found.scope == "all lengths"


FALSE = [
    (NO_ONES, Margin("rejected", -1, when="n >= 8", attained=(ONE_1, ("0", "n - 2"))), "below 0"),
    (NO_ONES, Margin("rejected", "3 - n", when="n >= 8", attained=(("1", "n - 3"), ("0", 2))), "below 0"),
    (NO_ONES, Margin("rejected", "10 - n", when="n >= 8", attained=(("1", "n - 10"), ("0", 9))), None),
    (NO_ONES, Margin("accepted", -1, attained=(("0", "n - 1"),)), "below 0"),
    (NO_ONES, Margin("rejected", -1), "below 0"),
    (MORE_ONES, Margin("accepted", "-1/n", when="n >= 8 and n % 2 == 0", attained=(("01", "(n - 2)/2"), ONE_1)), "0"),
    (NO_ONES, Margin("rejected", 1, when="n >= 8", attained=(("0", "n - 1"),)), "is to be accepted"),
    (NO_ONES, Margin("rejected", 1, when="n >= 8", attained=(("1", 2), ("0", "n - 3"))), "said to attain the margin 1"),
    (MORE_ONES, Margin("accepted", "1/n", when="n % 2 == 0", attained=(("01", "(n - 2)/2"), ("0", 1))), "be rejected"),
    (MORE_ONES, Margin("rejected", "1/n", when="n >= 6 and n % 2 == 0", attained=(("0", "n - 1"),)), "said to attain"),
]


@pytest.mark.parametrize(("construction", "theorem", "told"), FALSE)
def test_a_margin_below_0_and_one_that_its_words_do_not_attain_are_never_proved(
    construction: Construction, theorem: Margin, told: str | None
) -> None:
    """The first two were proved: |1| is -(-1), and no |logit| is less than -1."""
    found = verdict(construction, theorem)
    if told is None:
        assert isinstance(found, Unknown), found
        return
    assert isinstance(found, Refuted), found
    assert told in found.counterexample.note


LATER = Language("ALL", ("0", "1"), lambda w, **_: True, "n >= 1")


@pytest.mark.parametrize(
    ("logit", "parameters", "positions"),
    [
        ("n + (n == 50)", (), 50),
        ("n*(1 + 3*(n == 300))", (), 300),
        ("n + (D == 9)", (Parameter("D", "D >= 1", 3, "natural"),), 1),
    ],
)
def test_a_margin_that_is_not_attained_at_one_length_is_refuted_there(
    logit: str, parameters: tuple[Parameter, ...], positions: int
) -> None:
    """No word comes nearer to 0 than it says, and the first lengths attain it: a countermodel says where none does."""
    embedding = Embedding({"0": {}, "1": {}, "CLS": {}}, {"p": logit})
    network = Encoder(("p",), embedding, (), Readout(Linear({"logit": {"p": 1}}), position="first"))
    construction = Construction("later", "t", "s", LATER, network, parameters)
    found = verdict(construction, Margin("accepted", "n", attained=(("0", "n - 1"),)))
    assert isinstance(found, Refuted), found
    assert "said to attain the margin" in found.counterexample.note
    if not parameters:
        assert len(found.counterexample.word) + 1 == positions
    else:
        assert found.counterexample.parameters == {"D": "9"}


AS_MANY = Language("AS MANY", ("0", "1"), lambda w: w.count("1") >= w.count("0"), "count('1') >= count('0')")
TIES_LOST = Construction("ties-lost", "t", "s", AS_MANY, MORE_ONES.network)
"""It rejects members, whose logit is 0."""
NO_WORD = Language("NO WORD", ("0", "1"), lambda w: False, "n < 1")
ZEROS_WON = Construction("zeros-won", "t", "s", NO_WORD, NO_ONES.network)
"""It accepts words that are no members, whose logit is 0."""


@pytest.mark.parametrize(
    ("construction", "theorem"),
    [
        (TIES_LOST, Margin("accepted", 0, when="n >= 51 and n % 2 == 1", attained=(("01", "(n - 1)/2"),))),
        (ZEROS_WON, Margin("rejected", 0, when="n >= 51", attained=(("0", "n - 1"),))),
    ],
)
def test_a_word_that_the_network_decides_wrongly_attains_no_margin(
    construction: Construction, theorem: Margin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words are longer than those that are run at first."""
    found = verdict(construction, theorem)
    assert isinstance(found, Refuted), found
    assert re.search("the network (accepts|rejects) it$", found.counterexample.note)
    assert len(found.counterexample.word) == 50
    monkeypatch.setattr("weightproof.proofs.deciding._misattained", lambda *_: iter(()))
    found = verdict(construction, theorem)
    assert isinstance(found, Unknown), found
    assert (found.obligation or "").startswith("attained")


def test_a_margin_that_is_seen_to_be_attained_at_no_n_is_not_proved() -> None:
    """All words of the case are longer than those of which the least |logit| is looked for; it is 1, and not 0 or 1/2.
    They were proved, attained up to n = 9."""
    for value in ("0", "1/2", "1"):
        found = verdict(NO_ONES, Margin("rejected", value, when="n >= 20"))
        assert isinstance(found, Unknown), (value, found)
        assert found.reason.endswith("are shorter than the case: name words that attain it")
    found = verdict(NO_ONES, Margin("rejected", 1, when="n >= 2"))
    assert isinstance(found, Proved)
    assert found.scope == "all lengths, attained up to n = 9"


NO_WORDS = [
    (("1", "n - 4"), ("0", 3), "attained: at n = 2 '1' would be repeated -2 times"),
    (("01", "(n - 2)/2"), ("1", 1), "attained: at n = 3 '01' would be repeated 1/2 times"),
    (("1", 1), ("0", "n - 1"), "attained: at n = 2 they make 2 symbols, and there are 1"),
    (("1", 1), ("0", "1/(n - 2)"), None),
]


@pytest.mark.parametrize(("first", "second", "told"), NO_WORDS)
def test_words_that_are_not_there_for_every_n_of_the_case_attain_nothing(
    first: tuple[str, object], second: tuple[str, object], told: str | None
) -> None:
    found = verdict(NO_ONES, Margin("rejected", 1, when="n >= 2", attained=(first, second)))
    assert isinstance(found, Unknown), found
    assert told is None or found.reason == told


@pytest.mark.parametrize(("value", "is_closed"), [("1", True), ("0", True), ("n - 2", True), ("n - 50", False)])
def test_that_a_margin_is_not_negative_is_an_obligation(value: str, is_closed: bool) -> None:
    """It is the one that stays open where the words that are run are too short to tell."""
    derivation = derive(NO_ONES)
    every = list(obligations(derivation, Margin("rejected", value, when="n >= 2"), derivation.vocabulary.words()))
    [own] = [item for item in every if item.name.startswith(NOT_NEGATIVE)]
    assert (close(own, 5.0).evidence is not None) == is_closed

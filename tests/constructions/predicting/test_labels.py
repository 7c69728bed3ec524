"""Networks that predict a token or a class, as data: what is refused, and their outputs as recognisers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.constructions.predicting.ranking import majority, ranking
from weightproof.constructions.languages.membership import check_membership
from weightproof.constructions.library import load, predictors
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.outputs import (
    first_right,
    logit_difference,
    outputs,
    predicts,
    tied_outputs,
)
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import predict, run
from weightproof.constructions.meaning.schema import Linear
from weightproof.constructions.scalars.exact import sign

SCALED = Linear({"0": {"s": -1}, "1": {"s": 1}, "2": {}})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"labels": {"CLT": "n > 1"}}, "label 'CLT' is no output of the network"),
        ({"labels": {"0": "count('2') > 0"}}, "label '0'.*'2'"),
        ({"labels": {"0": "c > 0"}}, "label '0'.*uses c"),
        ({"labels": {"0": "n"}}, "label '0'.*neither true nor false"),
        ({"label": None}, "labels are said twice"),
        ({"labels": {}}, "labels are said twice"),
        ({"labels": 1}, "labels is 1, not a Mapping"),
        ({"W": SCALED}, "readout: row '2' does not exist"),
        (
            {"W": Linear({"logit": {"s": 1}}), "accept": "logit > 0"},
            "labels are for encoders that predict a token or a class",
        ),
    ],
)
def test_what_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ConstructionError, match=said):
        ranking(**changes)


def test_a_label_that_is_said_differently_is_found() -> None:
    check_membership(ranking())
    for wrong in (
        {"label": lambda word: "1" if word.count("1") >= word.count("0") else "0"},
        {"label": lambda word: None},
        {"labels": {"0": "count('0') > count('1')", "1": "count('1') > count('0') + 3"}},
        {"labels": {"0": "count('0') > count('1')", "1": "count('1') != count('0')"}},
        {"member": lambda word: True, "characterisation": "n >= 1"},
        {"label": lambda word: 1 // 0},
    ):
        with pytest.raises(InputError, match="ranking: language MAJORITY SYMBOL"):
            check_membership(ranking(**wrong))


def test_the_outputs_are_recognisers() -> None:
    construction = ranking()
    assert predicts(construction)
    assert outputs(construction) == ("0", "1", "CLS")
    assert first_right(construction) == "0"
    for length in range(6):
        for word in map("".join, product("01", repeat=length)):
            found = predict(construction, word)
            for token, other in product(outputs(construction), repeat=2):
                if token != other:
                    result = run(logit_difference(construction, token, other), word)
                    assert sign(result.logit - (found.outputs[token] - found.outputs[other])) == 0
            assert run(logit_difference(construction, "CLS"), word).logit == found.outputs["CLS"]
            right = majority(word)
            assert right is None or (found.decided and found.token == right)
            for token in ("0", "1"):
                assert logit_difference(construction, token).language.member(word) is (right == token)


def test_what_is_no_output_is_refused() -> None:
    with pytest.raises(InputError, match="'2' is no output of it; there are '0', '1', 'CLS'"):
        logit_difference(ranking(), "2")


def test_outputs_with_the_same_weights_are_alike() -> None:
    W = Linear({"0": {"s": -1}, "1": {"s": 1}, "CLS": {"s": 1}})
    assert tied_outputs(ranking(W=W)) == {"0": ("0",), "1": ("1", "CLS")}
    assert tied_outputs(ranking()) == {"0": ("0",), "1": ("1",), "CLS": ("CLS",)}


def test_the_hash_depends_on_the_labels() -> None:
    other = ranking(labels={"0": "count('1') < count('0')", "1": "count('1') > count('0')"})
    assert digest(ranking()) != digest(other)
    assert "labels" not in str(digest(load("one")))


@pytest.mark.parametrize("name", predictors())
def test_the_built_in_ones_say_the_same_twice(name: str) -> None:
    construction = load(name)
    check_membership(construction)
    random = Random(0)
    for length in range(1, 9):
        word = construction.language.sample(random, length)
        assert construction.language.member(word)

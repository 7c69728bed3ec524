"""What keeps long words right where a format cannot count, and how much of a logit depends on what else is computed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
import torch

from tests.support.fakes import Fake
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.search import mechanism
from weightproof.numeric.search.mechanism import Dependence, on_batch, on_threads, reasons


def half_ones() -> Construction:
    """Averages s under weights of 1 for a 1 and 1/2 for a 0; CLS weighs 1."""
    return Construction(
        name="half-ones",
        title="a head that leans to the 1s",
        source="a test",
        language=Language("A ONE", ("0", "1"), lambda word: "1" in word, "count('1') >= 1"),
        network=Encoder(
            coordinates=("one", "[w=0]", "[w=1]", "s"),
            embedding=Embedding(WE={"0": {"one": 1, "[w=0]": 1}, "1": {"one": 1, "[w=1]": 1}, "CLS": {"one": 1}}),
            layers=(
                Layer(heads=(Head(W_Q={"q": {"one": 2}}, W_K={"q": {"[w=0]": "-log(2)"}}, W_V={"s": {"[w=1]": 1}}),)),
            ),
            readout=Readout(Linear({"logit": {"s": 1}})),
        ),
    )


def told(construction: Construction, word: str, dtype: str = "bfloat16", attention: str = "strict") -> list[str]:
    return reasons(construction, Transformer(construction, dtype=dtype, attention=attention), word)


@pytest.mark.parametrize(("dtype", "most"), [("bfloat16", 256), ("float16", 2048)])
def test_a_sum_of_ones_stagnates_at_a_power_of_two(dtype: str, most: int) -> None:
    said = told(load("one"), "1" * (3 * most), dtype)
    power = ", a power of two, by which division is exact"
    assert said == [f"the softmax denominator of layer 1, head 1 stagnates at {most}{power}"]
    assert told(load("one"), "1" * (most // 2), dtype) == []


def test_every_head_that_stagnates_is_named() -> None:
    said = told(load("parity"), "1" * 3 + "0" * 1021)
    assert [line.split(" stagnates")[0] for line in said] == [
        "the softmax denominator of layer 1, head 1",
        "the softmax denominator of layer 2, head 1",
        "the softmax denominator of layer 2, head 2",
    ]


def test_a_sum_that_stagnates_elsewhere_is_told_as_such() -> None:
    """CLS and 128 ones make 129; a half more is a tie that goes to 130, and the next one stays there."""
    said = told(half_ones(), "1" * 128 + "0" * 2000)
    assert said == ["the softmax denominator of layer 1, head 1 stagnates at 130"]


def test_a_mean_with_one_nonzero_term_is_told() -> None:
    said = "the sum of layer 2, head 1 has one nonzero term"
    assert said in told(load("first"), "1" + "0" * 30)
    assert told(half_ones(), "0" * 20 + "1" + "0" * 20) == ["the sum of layer 1, head 1 has one nonzero term"]
    assert told(half_ones(), "0" * 20 + "11" + "0" * 20) == []
    assert told(half_ones(), "0" * 20) == []


def test_every_value_must_have_a_single_term() -> None:
    """In ONE a head averages both the 1s and CLS: two values."""
    assert told(load("one"), "0" * 20 + "1") == ["the sum of layer 1, head 1 has one nonzero term"]
    assert told(load("one"), "0" * 20 + "11") == []


@pytest.mark.parametrize(("dtype", "most"), [("bfloat16", 256), ("float16", 2048)])
@pytest.mark.parametrize("attention", ["explicit", "fused"])
def test_torch_adds_up_more_ones_than_the_format_counts(dtype: str, most: int, attention: str) -> None:
    said = "torch does not round sums term by term"
    expected = [f"{said}: {4 * most} ones add up, where the format counts to {most}"]
    assert told(load("first"), "1", dtype, attention) == expected


def test_where_torch_counts_no_further_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum that stops where the format stops counting."""
    monkeypatch.setattr(torch, "ones", lambda count, **given: torch.full((1,), count / 4, **given))
    model = Transformer(load("first"), dtype="bfloat16")
    assert [*mechanism._wider_sums(model)] == []


def test_a_word_twice_as_long_without_stagnation_has_no_such_reason() -> None:
    assert told(load("one"), "1" * 1024, "float32") == []


UNIT = 2.0**-7
"""The last place of 1 in bfloat16."""


class Drifting(Fake):
    """In a batch, the logits of some words are a number of units off."""

    def __init__(self, units: Callable[[str], float], logit: float = 1.0) -> None:
        super().__init__("parity")
        self.units, self.value = units, logit

    def logits(self, words: object) -> torch.Tensor:
        assert isinstance(words, list)
        off = [0.0 if len(words) == 1 else self.units(word) * UNIT for word in words]
        return torch.tensor([self.value * (1 + share) for share in off], dtype=torch.float64)


WORDS = ["000", "001", "010", "011"]


@pytest.mark.parametrize("logit", [1.0, -1.0, 1024.0, -(2.0**-20)])
@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (lambda word: 0, Dependence(4, 0, 0.0)),
        (lambda word: 3 * (word == "001"), Dependence(4, 1, 3.0)),
        (lambda word: word.count("1"), Dependence(4, 3, 2.0)),
        (lambda word: 1 / 4, Dependence(4, 4, 0.25)),
    ],
    ids=["none", "one word", "three words", "quarters"],
)
def test_what_differs_in_a_batch_is_counted_in_units(
    units: Callable[[str], float], expected: Dependence, logit: float
) -> None:
    assert on_batch(Drifting(units, logit).model, WORDS) == expected


def test_units_are_those_of_the_greater_logit() -> None:
    """From 1 to 2 there is 1, and one unit of 2 is 2^-6."""
    assert on_batch(Drifting(lambda word: 128).model, WORDS) == Dependence(4, 4, 64.0)


@pytest.mark.parametrize(
    ("single", "together", "expected"),
    [
        (torch.nan, torch.nan, Dependence(2, 0, 0.0)),
        (torch.inf, torch.inf, Dependence(2, 0, 0.0)),
        (torch.nan, 1.0, Dependence(2, 2, 0.0)),
        (1.0, torch.inf, Dependence(2, 2, 0.0)),
        (0.0, -0.0, Dependence(2, 0, 0.0)),
    ],
)
def test_logits_that_are_no_numbers(single: float, together: float, expected: Dependence) -> None:
    class Broken(Fake):
        def logits(self, words: object) -> torch.Tensor:
            assert isinstance(words, list)
            return torch.full((len(words),), single if len(words) == 1 else together, dtype=torch.float64)

    assert on_batch(Broken("parity").model, ["0", "1"]) == expected


def test_threads_are_set_back_and_compared() -> None:
    class Threaded(Fake):
        def logits(self, words: object) -> torch.Tensor:
            assert isinstance(words, list)
            seen.append(torch.get_num_threads())
            return torch.tensor([1.0 + UNIT * (seen[-1] > 1)] * len(words), dtype=torch.float64)

    before, seen = torch.get_num_threads(), list[int]()
    torch.set_num_threads(3)
    try:
        assert on_threads(Threaded("parity").model, WORDS) == Dependence(4, 4, 1.0)
        assert (seen, torch.get_num_threads()) == ([1, 3], 3)
    finally:
        torch.set_num_threads(before)


def test_threads_are_set_back_after_a_failure() -> None:
    class Failing(Fake):
        def logits(self, words: object) -> torch.Tensor:
            raise KeyboardInterrupt

    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        with pytest.raises(KeyboardInterrupt):
            on_threads(Failing("parity").model, WORDS)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("name", ["parity", "palindrome", "dyck1"])
def test_strict_arithmetic_depends_on_nothing(name: str) -> None:
    model = Transformer(load(name), dtype="bfloat16", attention="strict")
    assert on_batch(model, ["0" * 20, "01" * 10, "1" * 20]) == Dependence(3, 0, 0.0)
    assert on_threads(model, ["0" * 20, "01" * 10, "1" * 20]) == Dependence(3, 0, 0.0)


# On Linux a program starts with the greatest memory of the process that started it: here that is a small one.
USED = """
import json, resource, subprocess, sys
program = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"printed": json.loads(program.stdout), "KB": used.ru_maxrss, "CPU": used.ru_utime + used.ru_stime}))
"""


@pytest.mark.controls
def test_a_word_of_134_million_symbols_is_run_in_seconds() -> None:
    """What PARITY loses in float64, summed from left to right; and it fits into a gigabyte."""
    line = ["run", "parity", "1{134229312}0", "--dtype", "float64", "--attention", "strict", "--json"]
    program = [sys.executable, "-c", USED, sys.executable, "-m", "weightproof", *line]
    found = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout)
    assert not found["printed"]["member"]
    assert found["printed"]["numeric"][0]["accepts"]
    assert found["KB"] < 1 << 20
    assert found["CPU"] < 100  # position by position it were 200

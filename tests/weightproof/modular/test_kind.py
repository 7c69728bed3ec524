"""Families that add, as the commands take them."""

from __future__ import annotations

import json
import re
import shlex
from math import prod
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.latex_reader import Reader
from tests.support.printed import section_of
from tests.support.read_back.points import Point
from weightproof.constructions.library import ADDERS, COUNTERS
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.exact import cosine, sign
from weightproof.document import markdown, tex
from weightproof.kinds import Measuring, Running, Showing
from weightproof.manifest.families import hash_of_sums
from weightproof.manifest.rows import numbers
from weightproof.measuring.kept import Rows
from weightproof.modular import deriving
from weightproof.proofs.verdict import Refuted
from weightproof.reports.proving import proved
from weightproof.subjects import adder
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.modular.waves import Phase, Waves, cos, sin
from weightproof.terminal.page import plain

ADD, UNCORRECTED, ANY, COUNT = adder.named()
Captured = pytest.CaptureFixture[str]


def answer(word: str, argument: str = ADD, given: dict[str, str] | None = None, **how: Any) -> Any:
    """The JSON of a run, which says whether it agrees, too."""
    ran = subject_of(argument).run(word, Running(given or {}, **how))
    found = json.loads(json.dumps(ran.data))
    assert found["agrees"] == ran.agrees
    return found


def printed(word: str, argument: str = ADD, given: dict[str, str] | None = None, **how: Any) -> str:
    return str(subject_of(argument).run(word, Running(given or {}, **how)))


def shown(argument: str, **given: str) -> Any:
    return subject_of(argument).show(Showing(given))


def test_the_families_are_those_of_the_library() -> None:
    assert list(adder.named()) == [*ADDERS, *COUNTERS]
    assert all(adder.found(name) is not None for name in adder.named())
    assert adder.found("parity") is None
    [listed] = adder.listed()
    assert [row["name"] for row in listed.rows] == list(adder.named())
    assert all(row["title"] and row["source"] for row in listed.rows)
    assert listed.table is not None
    text = plain([listed.table])  # type: ignore[list-item]
    assert all(name in text for name in adder.named())


def test_a_sum_is_run_exactly_and_in_floating_point() -> None:
    found = answer("3 5", given={"p": "7", "k": "2"}, dtypes=("float32", "bfloat16"))
    assert (found["expected"], found["argmax"], found["decided"], found["agrees"]) == ("1", "1", True, True)
    assert found["ahead"] == "2 - 2*cos(2*pi/7)"
    assert found["outputs"]["1"] == "2"
    assert [row["dtype"] for row in found["numeric"]] == ["float32", "bfloat16"]
    assert all(row["agrees"] for row in found["numeric"])
    text = printed("3 5", given={"p": "7", "k": "2"}, dtypes=("float32",))
    assert "ahead by   2 - 2*cos(2*pi/7) = 0.753020396282532..." in text
    assert "argmax     1\n" in text
    assert "float32  cpu     explicit   1" in text


def test_without_parameters_it_is_the_modulus_of_the_source() -> None:
    assert answer("100 20")["expected"] == "7"


def test_all_frequencies_and_several() -> None:
    assert answer("1 1", given={"p": "3", "k": "all"})["ahead"] == "6"
    assert answer("5 5", given={"p": "6", "k": "2,3"})["frequencies"] == [2, 3]


def test_large_moduli_are_run_in_part() -> None:
    """A rounded run that fails: the witness of `precision` in float32."""
    given = {"p": "10659"}
    found = answer("3122 6392", given=given, dtypes=("float32",), attentions=("strict",))
    assert (found["agrees"], found["all_outputs"], found["expected"]) == (True, False, "9514")
    [row] = found["numeric"]
    assert (row["argmax"], row["agrees"], row["ahead"]) == ("9513", False, 0.0)
    assert "Outputs next to the sum" in printed("3122 6392", given=given)


def test_a_trace_has_every_part() -> None:
    found = answer("1 1", given={"p": "3"}, trace=True)["trace"]
    assert [stage["layer"] for stage in found] == [0, 1]
    assert found[0]["positions"][0]["vector"]["cos 1"] == "-1/2"
    assert found[0]["attended"]["cos 1"] == "-1"
    assert found[0]["hidden"]["x 1"] == "1"
    assert found[1]["positions"][2]["vector"]["cos of sum 1"] == "-1"
    text = printed("1 1", given={"p": "3"}, trace=True)
    assert all(part in text for part in ("Hidden units there", "Behind layer 1", "position 2, '='"))
    assert found[1]["positions"][0]["vector"]["cos of sum 1"] == "-7/2"  # which nothing reads


def test_words_of_bits_are_counted() -> None:
    found = answer("1011", COUNT, dtypes=("float32",))
    assert (found["n"], found["y"], found["expected"], found["agrees"]) == (4, 1, 1, True)
    assert found["units"] == {"h1": "1", "h2": "1", "h3": "1", "h4": "0"}
    assert found["numeric"][0]["y"] == 1
    assert "n = 4, of which 3 are 1" in printed("1011", COUNT, {"n": "4"})
    assert not answer("1" * 130, COUNT, dtypes=("bfloat16",))["numeric"][0]["agrees"]


REFUSED: list[tuple[str, dict[str, str], str, str]] = [
    (ADD, {"p": "6", "k": "3"}, "1 1", "frequency 3 is not coprime to 6: the outputs 0 and 2 always tie"),
    (UNCORRECTED, {"p": "4", "k": "2"}, "1 1", "frequency 2 is not coprime to 4"),
    (ADD, {"p": "1"}, "0 0", "the modulus p = 1"),
    (ADD, {"q": "1"}, "0 0", "no parameter 'q'; it has p, k"),
    (ADD, {"k": "x"}, "0 0", "k = x is no number"),
    (ADD, {"k": "-1"}, "0 0", "k = -1 is no number"),
    (ADD, {"p": "2000", "k": "all"}, "0 0", "too many frequencies"),
    (ADD, {"p": "5"}, "0 5", "'5' is no residue modulo 5: take 0 to 4"),
    (ADD, {"p": "5"}, "05", "is no residue modulo 5"),
    (ADD, {"p": "5"}, "0", "not two residues"),
    (ADD, {"p": "1000"}, "0", "not two residues modulo 1000"),
    (ADD, {"p": "1000"}, "0 1000", "not two residues modulo 1000"),
    (COUNT, {"p": "5"}, "1", "no parameter 'p'; it has n"),
    (COUNT, {"n": "5"}, "1", "a word of 1 bits, but n = 5"),
    (COUNT, {}, "", "n = 0 is not from 1"),
    (COUNT, {}, "12", "symbol '2' at index 1"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_cannot_be_run_is_refused_in_one_line(number: int) -> None:
    argument, given, word, says = REFUSED[number]
    with pytest.raises(InputError, match=says.replace("(", r"\(")) as error:
        subject_of(argument).run(word, Running(given))
    assert "\n" not in str(error.value)


def test_steps_are_for_other_kinds() -> None:
    for how in (Running(steps=True), Running(max_steps=3)):
        with pytest.raises(InputError, match="is a family of networks that add, of which run takes no --"):
            subject_of(ADD).run("0 0", how)


def test_weights_are_shown() -> None:
    text = str(shown(ADD))
    assert "cos k: cos(2*pi*k*a/p)" in text
    assert "x + y k  cos k: 1, sin k: 1" in text
    network = json.loads(json.dumps(shown(ADD, p="3", k="2").data))["network"]
    assert network["embedding"]["WE"]["1"]["cos 2"] == "cos(2*pi*2*1/3)"
    assert "b_1  -(j - 1/2)" in str(shown(COUNT))
    assert "bias: h1 -1/2, h2 -3/2, h3 -5/2" in str(shown(COUNT, n="3"))
    with pytest.raises(InputError, match="too large to be written out"):
        shown(ADD, p="5000")
    with pytest.raises(InputError, match="frequency 3 is not coprime to 6: the outputs 0 and 2 always tie"):
        shown(ADD, p="6", k="3")


def test_refutations_come_with_a_command_that_replays_them() -> None:
    wanted = [subject_of(name).statements() for name in (UNCORRECTED, ANY, COUNT)]
    results = proved(lambda: wanted, None)
    assert results.as_expected
    assert len(results) == sum(each.number for each in wanted)
    text = str(results)
    refuted = [outcome for outcome in results.outcomes if isinstance(outcome.result.verdict, Refuted)]
    assert len(refuted) == 2
    for outcome in refuted:
        assert outcome.replay is not None
        assert outcome.replay in text
        _, run, name, word, *options = shlex.split(outcome.replay)
        given = dict(value.split("=") for value in options[1::2])
        assert run == "run"
        assert not answer(word, name, given)["agrees"]
    assert {row["verdict"] for row in results.data["theorems"]} == {"proved", "refuted"}


def test_derivations_are_written() -> None:
    blocks, proved = subject_of(UNCORRECTED).derivation().section("A")
    assert all(result.as_expected for result in proved)
    page = markdown.page(blocks)
    assert r"2\cos\left(\tfrac{2\pi k (a + b - c)}{p}\right)" in page
    assert "by the word `0 1` with logit 0: the argmax is 0, and others are as great, not 1." in page
    assert "Replay: `weightproof run modular-addition-uncorrected '0 1' --param p='2' --param k='1'`." in page
    blocks, proved = subject_of(COUNT).derivation().section("A")
    text = tex.fragment(blocks)
    assert all(result.as_expected for result in proved)
    assert r"\tfrac{1}{2} - \tfrac{1}{2} \cdot (-1)^k" in text
    found = subject_of(ADD).derivation().data()
    assert found["closed_form"] == "2*cos(2*pi*k*(a + b - c)/p)"
    assert [step["rule"] for step in found["steps"]] == ["mean", "feed-forward", "squares", "readout"]
    assert found["latex"]
    for family in adder.named():
        short, long = (plain(subject_of(family).derivation().report(s)) for s in (False, True))  # type: ignore[misc]
        assert len(long) > len(short) > 0
    long = plain(subject_of(ADD).derivation().report(True))
    assert re.search(r"cos k = cos\(2\*pi\*a\*k/p\) \+ cos\(2\*pi\*b\*k/p\)", long)


AT = {"a": fmpq(3), "b": fmpq(5), "c": fmpq(1), "k": fmpq(2), "p": fmpq(12)}
NUMBERS = st.sampled_from([fmpq(x) for x in (1, -1, 2, -3)] + [fmpq(1, 2), fmpq(-2, 3), fmpq(1, 6)])
PRODUCTS = st.sampled_from(
    [(("a", 1), ("k", 1), ("p", -1)), (("b", 1), ("p", -1)), (("c", 1), ("k", 1), ("p", -1)), ()]
)
PHASES = st.lists(st.tuples(PRODUCTS, NUMBERS), min_size=1, max_size=3).map(Phase.of)
WAVES = st.lists(
    st.builds(lambda x, wave, phase: Waves.number(x) * wave(phase), NUMBERS, st.sampled_from((cos, sin)), PHASES),
    min_size=1,
    max_size=3,
).map(lambda waves: sum(waves[1:], waves[0]))


def shift(phase: Phase) -> fmpq:
    return sum((x * prod((AT[name] ** e for name, e in powers), start=fmpq(1)) for powers, x in phase.terms), fmpq(0))


@settings(max_examples=80, derandomize=True)
@given(WAVES)
def test_waves_are_printed_as_they_are(waves: Waves) -> None:
    wanted = sum((x * cosine(shift(phase) / 2) for phase, x in waves.terms), fmpq(0))
    printed = deriving.tex(waves)
    assert sign(Point("", "", AT).value(str(waves)) - wanted) == 0, str(waves)
    assert sign(Reader(printed.replace("tfrac", "frac"), "", "", AT).value() - wanted) == 0, printed


def test_a_wave_alone_is_printed_with_its_sign_in_front() -> None:
    wave = Waves.wave(Phase.of([((("a", 1), ("p", -1)), fmpq(-2))]))
    assert str(wave) == "exp(i*pi*-2*a/p)"
    assert deriving.tex(wave) == r"\exp\left(-i\tfrac{2\pi a}{p}\right)"


def measured(argument: str, dtype: str, longest: int, *attentions: str) -> list[Any]:
    how = Measuring(dtypes=(dtype,), attentions=attentions, max_length=longest)
    found = [each.measured(Rows(), lambda doing, share: None) for each in subject_of(argument).searches(how)]
    return [row for some in found for row in some.rows]


@pytest.mark.controls
def test_rows_of_precision() -> None:
    [one, every] = measured(ADD, "bfloat16", 41)
    assert (one["certified_safe_length"], one["first_failing_length"], one["least"]) == (3, 41, True)
    assert one["witness"]["word"] == "28 28"
    assert one["searched"] == "exhaustive"
    assert (every["parameters"], every["first_failing_length"]) == ({"k": "all"}, None)
    [counted] = measured(COUNT, "float16", 10_000)
    assert (counted["certified_safe_length"], counted["first_failing_length"]) == (1024, 1026)
    assert counted["witness"]["word"] == "1{1026}"
    json.dumps([one, every, counted])


def test_a_fused_kernel_has_no_certificate() -> None:
    rows = {kind: measured(ADD, "bfloat16", 5, kind) for kind in ("explicit", "fused")}
    assert [row["certified_safe_length"] for row in rows["explicit"]] == [3, 5]
    assert [row["certified_safe_length"] for row in rows["fused"]] == [None, None]


@pytest.mark.parametrize(
    ("argument", "how", "says"),
    [
        (ANY, Measuring(max_length=10), "nothing is proved of it"),
        (ADD, Measuring(max_length=1), "--max-length 1 leaves no modulus"),
        (COUNT, Measuring(attentions=("explicit",), max_length=10), "precision takes no --attention"),
        (ADD, Measuring(dtypes=("float8",), max_length=10), "unknown dtype"),
    ],
)
def test_what_cannot_be_measured_is_refused(argument: str, how: Measuring, says: str) -> None:
    with pytest.raises(InputError, match=says):
        subject_of(argument).searches(how)


def test_the_manifest_has_every_theorem() -> None:
    """As it stands in the repository; that this is what is proved now, the tests of the manifest say."""
    for name in adder.named():
        text = section_of(name, "sums")
        assert f"- hash: `{hash_of_sums(name)}`" in text
        assert numbers(text).total() == subject_of(name).statements().number
        assert "**expected" not in text
    assert len({hash_of_sums(name) for name in (ADD, UNCORRECTED, COUNT)}) == 3
    assert hash_of_sums(ADD) == hash_of_sums(ANY)

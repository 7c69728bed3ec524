"""What is derived of decoders: it is so on words, it can be stated and proved, and a mistake in it is seen."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import weightproof as wp
from tests.numeric.decoding.random_decoders import DYADIC, decoders
from tests.weightproof.decoders.test_decoders import MAJORITY, STATED
from weightproof.cli import main
from weightproof.constructions.library import simulation_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.decoders import reading
from weightproof.decoders.reading import all_behind, value_at, values_at
from weightproof.decoders.shares import InShares
from weightproof.numeric.simulation.reading import reader
from weightproof.proofs.strategies.appending import stages_for, standings
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import generating
from weightproof.symbolic.simulation.polynomial import Polynomial

POSITIONED = """
from weightproof import Construction, Decoder, Embedding, FeedForward, Head, Language, Layer, Linear, Readout

words = Language("ANY", ("0", "1"), lambda word: True, "0 == 0")
see = {"normaliser": "hardmax", "scale": 1, "mask": "causal"}
here = Head(W_V={"here": {"1": 1}}, W_Q={"q": {"at": 1}, "r": {"one": 1}}, W_K={"q": {"one": 1}, "r": {"at": -1}},
            score="-|dot|", **see)
mean = Head(W_V={"ahead": {"1": 1, "0": -1}}, **see)
network = Decoder(
    coordinates=("0", "1", "#", "at", "half", "one", "here", "ahead", "y"),
    embedding=Embedding(
        {"0": {"0": 1, "one": 1}, "1": {"1": 1, "one": 1}, "#": {"#": 1, "one": 1}, ".": {}},
        PE={"at": "i", "half": "2**(-i)"},
    ),
    layers=(
        Layer(
            heads=(here, mean),
            feed_forward=FeedForward(
                Linear({"u": {"ahead": 1, "here": "1/2", "half": 1}, "v": {"at": 1, "ahead": 3}}, bias={"u": -1}),
                Linear({"y": {"u": 1, "v": "-1/3"}}),
                "saturated-linear",
            ),
        ),
    ),
    readout=Readout(Linear({"1": {"y": 1}, "0": {"at": "-1/4"}, ".": {}}, bias={".": -2}), "last", "argmax"),
    stop=".",
    begin="#",
)
construction = Construction("positioned", "positions and saturated units", "a test", words, network)
"""

RISES = """
from weightproof import Construction, Decoder, Embedding, FeedForward, Head, Language, Layer, Linear, Readout

words = Language("ANY", ("0", "1"), lambda word: True, "0 == 0")
see = {"normaliser": "hardmax", "scale": 1, "mask": "causal"}
before = Head(W_V={"before": {"1": 1, "0": -1}}, W_Q={"q": {"at": -1, "one": 1}, "r": {"one": 1}},
              W_K={"q": {"one": 1}, "r": {"at": 1}}, score="-|dot|", **see)
turns = FeedForward(
    Linear({"rise": {"1": 1, "before": -1}, "fall": {"0": 1, "before": 1}}, bias={"rise": -1, "fall": -1}),
    Linear({"turns": {"rise": 1, "fall": -2}}),
)
network = Decoder(
    coordinates=("0", "1", "one", "at", "before", "turns", "ahead"),
    embedding=Embedding({"0": {"0": 1, "one": 1}, "1": {"1": 1, "one": 1}, "#": {"one": 1}, ".": {}}, PE={"at": "i"}),
    layers=(
        Layer(heads=(before,), feed_forward=turns),
        Layer(heads=(Head(W_V={"ahead": {"turns": 1}}, **see),)),
    ),
    readout=Readout(Linear({"0": {"ahead": -1}, "1": {"ahead": 1, "1": "-1/9"}, ".": {}}, bias={".": -2}), "last",
                    "argmax"),
    stop=".",
    begin="#",
)
construction = Construction("rises", "more rises than twice the falls", "a test", words, network)
"""
"""The first layer looks at the token before, the second one counts what the first one found."""


@pytest.fixture
def says(tmp_path: Path) -> str:
    return written(tmp_path, "says", STATED)


def written(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def derive(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["derive", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_is_derived_is_proved(says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A case is a theorem as it stands, and another token in it is refuted."""
    cases = derive(capsys, says)["cases"]
    assert {case["behind"] for case in cases} == set("01=yn")
    theorems = [wp.Appends(case["behind"], case["appends"], case["condition"] or "n >= 1") for case in cases]
    assert wp.prove(says, theorems).as_expected
    others = [wp.Appends(each.behind, "n" if each.token == "y" else "y", each.given) for each in theorems]
    assert {result.verdict.name for result in wp.prove(says, others)} == {"refuted"}


@pytest.mark.parametrize("text", [POSITIONED, RISES], ids=["positions", "the token before"])
def test_the_outputs_are_those_of_runs(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As text, read as formulas are: on words that the derivation has not been held against."""
    path = written(tmp_path, "decodes", text)
    cases = derive(capsys, path)["cases"]
    construction = wp.load(path)
    for word in ("", "1", "1111111", "0000000", "1011011", "0101010", "00000001", "110100010", "011111"):
        tokens = ("#", *word)
        produced = next(generate(construction, word))
        there = [case for case in cases if is_there(case, word) and is_so(case["condition"], tokens)]
        assert len(there) == 1, word
        assert there[0]["appends"] == produced.token
        for token, formula in there[0]["value"].items():
            assert at(formula, tokens) == Fraction(str(produced.outputs[token])), (word, token)


def is_there(case: Any, word: str) -> bool:
    """A word that stands there whole is left out of the others: what they say of it need not be so."""
    whole = {"", "0", "1"} if case["behind"] in ("00", "01", "10", "11") else {""}
    return word == case["behind"] if case["is_word"] else word.endswith(case["behind"]) and word not in whole


def is_so(condition: str | None, tokens: tuple[str, ...]) -> bool:
    return condition is None or bool(eval(fractions(condition), names(tokens)))


def at(text: str, tokens: tuple[str, ...]) -> Any:
    return eval(fractions(text), names(tokens))


def fractions(text: str) -> str:
    """Numbers as fractions, but for those in names of tokens and exponents."""
    parts = text.replace("2**(-i)", "half").split("'")
    return "'".join(
        part if place % 2 else "".join(f"F({x})" if x.isdigit() else x for x in _numbers(part))
        for place, part in enumerate(parts)
    )


def _numbers(text: str) -> list[str]:
    return ["".join(group) for _, group in itertools.groupby(text, str.isdigit)]


def names(tokens: tuple[str, ...]) -> dict[str, Any]:
    last = len(tokens) - 1
    return {
        "F": Fraction,
        "n": Fraction(last + 1),
        "i": Fraction(last),
        "half": Fraction(1, 2**last),
        "count": lambda part: sum(tokens[end : end + len(part)] == tuple(part) for end in range(len(tokens))),
        "min": min,
        "max": max,
    }


def test_random_decoders() -> None:
    """Where one is derived it is held against runs of words, on which exactly one case is so. Some are derived."""
    tally: Counter[str] = Counter()

    @settings(max_examples=30, deadline=None, database=None, derandomize=True)
    @given(decoders(DYADIC))
    def derived(construction: Construction) -> None:
        try:
            found = all_behind(construction)
        except Underivable:
            tally["refused"] += 1
            return
        tally["derived"] += sum(not each.reason for each in found)

    derived()
    assert tally["derived"] > 5
    assert tally["refused"] > 0


WRONG = {
    "saturated": ("positioned", generating, "_activated", lambda activation, x, region: x),
    "the mean": ("says", generating, "look", None),
    "a share": ("says", reading, "best", lambda case: {"y": ()}),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_mistake_in_a_rule_is_seen(wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, module, rule, other = wrong
    path = written(tmp_path, name, {"positioned": POSITIONED, "says": STATED}[name])
    right = getattr(module, rule)

    def of_the_last(*given: Any) -> Any:
        made = right(*given)
        return replace(made, added=made.values[given[3].token]) if made.rule == "mean" else made

    monkeypatch.setattr(module, rule, other or of_the_last)
    with pytest.raises(AssertionError, match="what was derived is not so on"):
        wp.derive(path)


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "says", MAJORITY)
    assert main(["derive", path, "--format", "md"]) == 1
    text = capsys.readouterr().out
    assert "state what it appends: theorems = (Appends(...),)" in text
    assert "| `...=` | $`\\omega_{\\texttt{1}} > \\omega_{\\texttt{0}}`$ | `y` |" in text
    assert "| `...0` | always | `y` |" in text
    assert "It adds $`o^{1,1}_{\\texttt{ahead}} = \\omega_{\\texttt{1}} - \\omega_{\\texttt{0}}`$." in text
    assert "$`\\mathrm{out}_{\\texttt{.}} = \\texttt{done}`$" in text


def test_the_report(says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", says, "--format", "text"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["behind", "'='", "count('0')", ">=", "count('1')", "1", "3/2", "0", "'n'"] in lines
    assert main(["derive", says, "--steps"]) == 0
    assert "behind '=', count('1') > count('0'), layer 1, head 1: mean" in capsys.readouterr().out


REFUSED = {
    "softmax": ('normaliser="hardmax"', 'normaliser="softmax"', "no closed form: layer 1: attention by softmax"),
    "a table": ('stop=".",', 'stop=".", table=[{}],', "no closed form: a table, with a row for each position"),
}


@pytest.mark.parametrize(("old", "new", "says"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_closed_form(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in MAJORITY
    path = written(tmp_path, "says", MAJORITY.replace(old, new))
    for asked in (["--json"], ["--format", "text"]):
        assert main(["derive", path, *asked]) == 2
        err = capsys.readouterr().err
        assert (err.count("\n"), says in err) == (1, True)
    with pytest.raises(wp.InputError, match="no closed form"):
        wp.derive(path)
    main(["derive", path, "--format", "md"])
    assert says.replace("no closed form: ", "There is no closed form: ") in capsys.readouterr().out


def test_an_encoder_decoder_is_refused() -> None:
    network = simulation_of("rnn-by-directional", reader()).network
    construction = Construction("x", "x", "none", wp.Language("a", ("a", "b"), lambda word: True, "0 == 0"), network)
    with pytest.raises(wp.InputError, match=r"is an encoder-decoder; derive takes: .*; recurrent networks"):
        wp.derive(construction)


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6), st.sampled_from("01=yn"), st.booleans())
def test_the_forms_of_a_polynomial_are_equal(numbers: list[int], behind: str, strict: bool) -> None:
    construction = SAYS
    [at_last] = standings(stages_for(construction), behind)
    written = InShares(at_last, None)
    atoms = [Polynomial.atom(atom) for atom in written.shares]
    x = sum(
        (Polynomial.number(fmpq(k, 2)) * atom for k, atom in zip(numbers, atoms, strict=False)),
        Polynomial.number(fmpq(numbers[5], 3)),
    )
    for word in (behind, f"011{behind}", f"10=yn1{behind}"):
        there = values_at(construction, at_last, tuple(word))
        value = value_at(x, there)
        assert value_at(written.short(x), there) == value
        assert at(written.text(x), tuple(word)) == Fraction(str(value))
        told = Expression(written.condition((x, strict)))
        assert holds(told, {}, tuple(word), construction.language.alphabet) == (value > 0 if strict else value >= 0)


def _says() -> Construction:
    space: dict[str, Any] = {}
    exec(MAJORITY, space)
    made: Construction = space["construction"]
    return made


SAYS = _says()

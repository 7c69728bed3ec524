"""What is left without a component: against the interpreter, and against ablations that are done by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from flint import fmpq

import weightproof as wp
from tests.support.places import TESTS
from weightproof.cli import main
from weightproof.constructions.library import load, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import Run, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.trace import trace
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.values import difference
from weightproof.constructions.transforms.ablate import ablations
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs import ablating as ablating
from weightproof.proofs.ablating import Effect, Original, change
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

TWO_ONES = load_file(TESTS / "examples" / "two_ones.py").construction
WORDS = ("", "1", "011", "1101")


def network_of(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], Effect]:
    original = Original.of(TWO_ONES, Decides("recognises", "a test"), 20.0)
    return {(row.ablation.component, row.ablation.how): row for row in original.effects()}


def test_every_component_has_its_rows(rows: dict[tuple[str, str], Effect]) -> None:
    parts = [row.ablation.part for row in rows.values()]
    assert {part: parts.count(part) for part in parts} == {"head": 2, "unit": 6, "weight": 12}


def test_what_is_said_to_be_left_is_what_short_words_show(rows: dict[tuple[str, str], Effect]) -> None:
    for row in rows.values():
        assert row.ablation.network is not None
        changed = replace(TWO_ONES, network=row.ablation.network)
        words = [f"{k:0{length}b}" if length else "" for length in range(6) for k in range(2**length)]
        different = [word for word in words if run(changed, word).accepts != run(TWO_ONES, word).accepts]
        if row.verdict == "same":
            assert different == []
        else:
            assert row.word is not None
            assert row.word.word == different[0]
            assert row.word.shortest
            assert (row.word.fate == "lost") == run(TWO_ONES, different[0]).accepts


def test_the_table_of_an_example(rows: dict[tuple[str, str], Effect]) -> None:
    """Unit h2 clips the count at 2, which no word needs: (k - 3/2)/n decides as well as (min(k, 2) - 3/2)/n."""
    told = {key: (row.verdict, row.by, row.word and (row.word.fate, row.word.word)) for key, row in rows.items()}
    assert told["layer 1, head 1", "zero"] == ("other", "", ("lost", "11"))
    assert told["layer 1, head 1", "mean"] == ("same", "the same logit", None)
    assert told["layer 1, unit 'h1'", "zero"] == ("other", "", ("lost", "11"))
    assert told["layer 1, unit 'h2'", "zero"] == ("same", "both recognise it", None)
    assert told["layer 1, unit 'h3'", "zero"] == ("other", "", ("gained", "1"))


def test_a_change_of_the_logit_is_that_of_two_runs(rows: dict[tuple[str, str], Effect]) -> None:
    derivation, checked = derive(TWO_ONES), 0
    for row in rows.values():
        assert row.change is not None
        assert row.ablation.network is not None
        changed = replace(TWO_ONES, network=row.ablation.network)
        as_logit = replace(derivation, logit=row.change.value, sums={t.symbol: t for t in row.change.sums})
        for word in WORDS:
            now = run(changed, word)
            assert now.logit - run(TWO_ONES, word).logit == evaluate_logit(as_logit, now.tokens, {})  # type: ignore[operator]
            checked += 1
    assert checked == len(rows) * len(WORDS)


@pytest.mark.parametrize(("name", "component"), [("parity", "layer 2, head 1"), ("dyck1", "layer 1, head 1")])
def test_the_mean_of_a_head_is_the_mean_over_the_positions(name: str, component: str) -> None:
    """By hand: the stream before the head's own layer, with the mean of what it adds in its place."""
    construction = load(name)
    [row] = [a for a in ablations(network_of(construction), ("head",)) if (a.component, a.how) == (component, "mean")]
    assert row.network is not None
    assert row.network.coordinates[: len(network_of(construction).coordinates)] == network_of(construction).coordinates
    layer, head = (int(part[-1]) - 1 for part in component.split(", "))
    changed = replace(construction, network=row.network)
    for word in ("1", "0110"):
        before = run(construction, word)
        added = trace(construction, before).layers[layer].heads[head].added
        count = fmpq(len(added))
        mean = {name: sum((each[name] for each in added), fmpq(0)) / count for name in added[0]}
        after_layer, old = run(changed, word).streams[layer + 2], before.streams[layer + 1]
        if network_of(construction).layers[layer].feed_forward is None:
            for place, vector in enumerate(after_layer):
                for name, value in mean.items():
                    wanted = old[place][name] - added[place][name] + value
                    assert sign(difference(vector[name], wanted)) == 0
        between = run(changed, word).streams[layer + 1]
        aside = row.network.coordinates[len(network_of(construction).coordinates) :]
        for place, vector in enumerate(between):
            assert [vector[name] for name in aside] == [added[place][name.removeprefix("mean of ")] for name in aside]


def test_the_mean_of_a_unit_is_the_mean_over_the_positions() -> None:
    for row in ablations(network_of(TWO_ONES), ("unit",)):
        if row.how != "mean":
            continue
        assert row.network is not None
        unit = row.component.split("'")[1]
        for word in WORDS:
            hidden = trace(TWO_ONES, run(TWO_ONES, word)).layers[0].hidden
            assert hidden is not None
            values = [vector[unit] for vector in hidden[1]]
            mean = sum(values, fmpq(0)) / fmpq(len(values))
            weight = {"h1": fmpq(1), "h2": fmpq(-1), "h3": fmpq(-3, 2)}[unit]
            wanted = run(TWO_ONES, word).logit + weight * (mean - values[0])  # type: ignore[operator]
            assert run(replace(TWO_ONES, network=row.network), word).logit == wanted


def test_under_a_norm_a_mean_is_not_made() -> None:
    normed = transformed(load("first"), ["remove-centering", "layer-norm:epsilon=1"])
    means = [row for row in ablations(network_of(normed), ("head",)) if row.how == "mean"]
    assert {row.network for row in means} == {None}
    assert {row.reason for row in means} == {"a layer norm would see the coordinates in which the mean is taken"}


# Planted mistakes of the program are found out


def test_a_wrong_difference_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(before: object, after: object) -> object:
        found = change(before, after)  # type: ignore[arg-type]
        return replace(found, value=found.value + Iverson.constant(1))

    monkeypatch.setattr(ablating, "change", wrong)
    original = Original.of(TWO_ONES, Decides("recognises", "a test"), 20.0)
    with pytest.raises(InternalError, match="the derived change of the logit is not that of the two runs"):
        next(original.effects())


def test_a_word_that_the_interpreter_decides_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def lies(construction: Construction, word: str, *rest: object) -> Run:
        return run(TWO_ONES, word)

    monkeypatch.setattr(ablating, "run", lies)
    original = Original.of(TWO_ONES, Decides("recognises", "a test"), 20.0)
    with pytest.raises(InternalError, match="when it is run again"):
        next(original.effects())


def test_what_no_word_tells_apart_is_unknown_where_the_original_is_not_proved() -> None:
    """A readout of 0 and a bias of 1 accept everything; without a weight nothing of that changes, but the language."""
    original = Original.of(TWO_ONES, Decides("all", "a test", accepts="count('1') >= 3"), 20.0)
    rows = list(original.effects(("weight",)))
    same = [row for row in rows if row.verdict != "other"]
    assert {row.by or row.reason for row in same} <= {
        "the same logit",
        "no short word is decided otherwise, and the original is not proved",
    }


# The command


def test_the_command_and_its_json(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(TESTS / "examples" / "more_ones.py")
    assert main(["ablate", path]) == 0
    text = capsys.readouterr().out
    assert text.startswith("more-ones, recognises: proved\ncomponent ")
    assert "layer 1, head 1" in text
    assert main(["ablate", path, "--part", "head", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(row["ablation"], row["language"], row["word"], row["change_of_logit"]) for row in data["ablations"]] == [
        ("zero", "other", "1", "(n - 2*count('1') - 1)/n"),
        ("mean", "same", None, "0"),
    ]
    assert wp.ablate(path, parts=["head"]).data == data


def test_an_interrupted_table_keeps_its_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Original.effect

    def second(self: Original, ablation: object) -> Effect:
        if getattr(ablation, "how", "") == "mean":
            raise KeyboardInterrupt
        return whole(self, ablation)  # type: ignore[arg-type]

    monkeypatch.setattr(Original, "effect", second)
    assert main(["ablate", str(TESTS / "examples" / "more_ones.py"), "--json"]) == 130
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert (len(data["ablations"]), data["complete"]) == (1, False)
    assert captured.err == "weightproof: interrupted after 1 ablations; what was reached is above\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["full-adder"], "full-adder is a circuit; ablate takes: encoders that read out a logit"),
        (["noisy-majority"], "noisy-majority is a network that predicts a token or a class; ablate takes:"),
        (["one", "--part", "x"], "--part x: there is no such part; there are head, unit, weight"),
        (["one", "--timeout", "-1"], "--timeout -1 is no time limit"),
    ],
)
def test_what_cannot_be_ablated_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["ablate", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"weightproof: {message}")
    assert captured.err.count("\n") == 1


@pytest.mark.controls
def test_the_table_of_a_built_in_construction() -> None:
    """Of `palindrome` three weights do nothing, proved; every word that another one costs is run again."""
    construction, rows = load("palindrome"), wp.ablate("palindrome").rows
    assert [row.by for row in rows if row.verdict != "other"] == ["the same logit"] * 3
    for row in rows:
        if row.word is not None:
            assert row.ablation.network is not None
            changed = replace(construction, network=row.ablation.network)
            before = run(construction, row.word.word, row.word.parameters).accepts
            now = run(changed, row.word.word, row.word.parameters).accepts
            assert (before, now) == (row.word.fate == "lost", row.word.fate == "gained")

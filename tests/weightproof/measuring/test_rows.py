"""`precision`: what its rows say, what replays them, and what bounds them from both sides."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.numeric.test_certificate import MARGINS
from tests.support.fakes import quickly
from weightproof.cli import main
from weightproof.constructions.languages.notation import expand
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load
from weightproof.constructions.meaning.record import digest
from weightproof.kinds import Measuring
from weightproof.measuring import logits
from weightproof.measuring.report import command
from weightproof.named import Named, resolve
from weightproof.numeric.certificate.certificate import Margin, certified_safe_length
from weightproof.numeric.model.transformer import Rule, Transformer, rules
from weightproof.numeric.search.search import Failure, Finding, Searched

Row = dict[str, Any]

pytestmark = pytest.mark.xdist_group("precision")
NAMES = ("parity", "palindrome", "dyck1")
DTYPES = ("float16", "bfloat16")
KINDS = ("strict", "explicit", "fused", "matmul")
OPTIONS = (
    *(f"--dtype={dtype}" for dtype in DTYPES),
    *(f"--attention={kind}" for kind in KINDS),
    "--max-length=80",
    "--tolerance=0.001",
    "--law",
)
DOCUMENTED = {
    "construction", "parameters", "dtype", "device", "attention", "kernel", "rule", "certified_safe_length",
    "first_failing_length", "witness", "mechanism", "searched", "searched_to", "refused",
}  # fmt: skip
FURTHER = {
    "certified_strict",
    "sha256", "max_length", "tolerance", "least", "of_families", "predicted_length", "luck", "probed_to", "followed",
    "only_in_batches", "dependence", "in_full", "in_part",
}  # fmt: skip


def margins_of(source: Named, parameters: object) -> list[Any]:
    """Those written by hand, which are held against the exact logits elsewhere."""
    return [*MARGINS.get(source.argument, ())]


def searched(
    name: str, dtype: str, attention: str, longest: int, tolerance: float | None = None
) -> list[logits.LogitSearch]:
    how = Measuring(dtypes=(dtype,), attentions=(attention,), max_length=longest, tolerance=tolerance)
    return logits.searches(resolve(name), how)


@pytest.fixture(scope="module")
def payload(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The JSON of one call, with little effort."""
    path = tmp_path_factory.mktemp("precision") / "rows.json"
    with pytest.MonkeyPatch.context() as patch:
        quickly(patch, margins_of, effort=1 << 17)
        assert main(["precision", *NAMES, *OPTIONS, "--keep", str(path)]) == 0
    found: dict[str, Any] = json.loads(path.read_text(), parse_constant=pytest.fail)
    return found


@pytest.fixture(scope="module")
def rows(payload: dict[str, Any]) -> list[Row]:
    found: list[Row] = payload["rows"]
    return found


def own(row: Row) -> bool:
    """Whether a row is about the construction's own rule of acceptance."""
    return bool(row["rule"] == load(row["construction"]).network.readout.accept)


def test_there_is_a_row_for_every_rule(rows: list[Row]) -> None:
    found = [(row["construction"], row["attention"], row["dtype"], row["rule"]) for row in rows]
    rules = {
        name: ("logit = 0", "|logit| <= 0.001") if name == "palindrome" else ("logit > 0", "probability > 1/2")
        for name in NAMES
    }
    assert sorted(found) == sorted(
        (name, attention, dtype, rule)
        for name in NAMES
        for attention in KINDS
        for dtype in DTYPES
        for rule in rules[name]
    )
    assert list(dict.fromkeys(row["construction"] for row in rows)) == [*NAMES]


def test_a_row_has_every_documented_key(payload: dict[str, Any], rows: list[Row]) -> None:
    assert payload["complete"] is True
    [machine] = payload["machines"]
    assert machine.keys() >= {"processor", "system", "python", "threads", "accelerator", "libraries", "date"}
    for row in rows:
        assert row["machine"] == 0
        assert row.keys() >= DOCUMENTED | FURTHER
        construction = load(row["construction"])
        assert row["sha256"] == digest(construction)
        assert row["parameters"] == {p.name: p.default.source for p in construction.parameters}
        assert (row["device"], row["max_length"], row["tolerance"]) == ("cpu", 80, 0.001)
        assert row["searched"] in ("exhaustive", "families", "sampled")
        assert (row["kernel"], row["refused"]) == ("flash" if row["attention"] == "fused" else None, None)
        assert (row["dependence"] is None) == (row["attention"] == "strict")
        if row["dependence"] is not None:
            for part in ("batch", "threads"):
                assert row["dependence"][part].keys() == {"words", "different", "most_units"}


def test_what_a_row_says_fits_together(rows: list[Row]) -> None:
    assert any(row["witness"] is None for row in rows)
    for row in rows:
        failing, witness = row["first_failing_length"], row["witness"]
        assert row["searched_to"] <= row["probed_to"] <= 80
        if failing is None:
            assert (witness, row["mechanism"], row["least"]) == (None, None, False)
            continue
        word = expand(witness["word"])
        assert len(word) == failing <= 80
        assert row["searched_to"] < failing
        assert row["of_families"] == (row["in_full"] == [[row["in_full"][0][0], failing - 1]])
        assert not any(first <= failing <= last for first, last in row["in_full"])
        assert witness["member"] is load(row["construction"]).language.member(word)
        assert witness["accepts"] is not witness["member"]
        assert row["mechanism"]


def test_the_first_failures_of_parity_are_those_that_are_known(rows: list[Row]) -> None:
    [row] = [r for r in rows if (r["construction"], r["dtype"], r["attention"]) == ("parity", "bfloat16", "strict")][:1]
    assert (row["first_failing_length"], row["witness"]["word"], row["least"]) == (29, "1{23}0{6}", False)
    assert row["mechanism"].startswith("cancellation in layer 1, feed-forward: [i=k]/n is ")
    assert row["witness"]["exact_logit"] == "1/750"


def test_certified_lengths_are_below_failing_lengths(rows: list[Row]) -> None:
    covered = 0
    for row in rows:
        assert (row["certified_safe_length"] is None) == (row["attention"] == "fused")
        if row["certified_safe_length"] is not None and row["first_failing_length"] is not None:
            covered += 1
            assert row["certified_safe_length"] < row["first_failing_length"]
    assert covered > 8


@pytest.mark.parametrize(("device", "attention"), [("cuda", "explicit"), ("cuda", "fused"), ("cpu", "fused")])
def test_what_is_assumed_of_no_library_is_not_certified(device: str, attention: str) -> None:
    [search] = searched("one", "float16", "explicit", 10)
    search = replace(search, margins=lambda: MARGINS["one"])
    assert logits.certified(search, "logit > 0") == 143
    elsewhere = replace(search.place, device=device, attention=attention)
    assert logits.certified(replace(search, place=elsewhere), "logit > 0") is None


def failures(row: Row, longest: int) -> list[str]:
    """All words up to a length that are decided wrongly under a row's rule."""
    construction = load(row["construction"])
    model = Transformer(construction, dtype=row["dtype"], attention=row["attention"])
    [rule] = [rule for rule in rules(model.network, row["tolerance"]) if rule.name == row["rule"]]
    found = []
    for word in words("01", longest):
        accepts = bool(rule.accepts(model, model.logits([word]))[0])
        found += [word] if accepts != construction.language.member(word) else []
    return found


def test_no_word_of_a_certified_length_fails(rows: list[Row]) -> None:
    swept = 0
    for row in rows:
        if row["certified_safe_length"] is not None:
            longest = min(row["certified_safe_length"], 8)
            swept += longest > 0
            assert failures(row, longest) == []
    assert swept > 4


def test_the_sweep_would_find_a_failure(rows: list[Row]) -> None:
    [row] = [r for r in rows if (r["construction"], r["dtype"], r["attention"]) == ("dyck1", "bfloat16", "strict")][:1]
    assert (row["rule"], row["first_failing_length"]) == ("logit > 0", 5)
    assert failures(row, 4) == []
    assert row["witness"]["word"] in failures(row, 5)


def test_every_witness_replays_by_its_command(capsys: pytest.CaptureFixture[str], rows: list[Row]) -> None:
    replayed = 0
    for row in rows:
        if row["witness"] is None:
            continue
        program, *arguments = shlex.split(command(row) or "")
        assert program == "weightproof"
        assert main([*arguments, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        [computed] = data["numeric"]
        assert (computed["dtype"], computed["attention"]) == (row["dtype"], row["attention"])
        assert data["member"] is row["witness"]["member"]
        assert computed["logit"] == row["witness"]["logit"]
        assert computed["rules"][row["rule"]] is not data["member"]
        assert computed["accepts"] is computed["rules"][next(iter(computed["rules"]))]
        replayed += 1
    assert replayed > 8


def test_lower_precision_predicts_for_higher(rows: list[Row]) -> None:
    """With the law u^-1/2 of `quickly`, three more bits multiply a length by 2^1.5."""
    by_place = {(row["construction"], row["attention"], row["rule"], row["dtype"]): row for row in rows}
    predicted = 0
    for (name, attention, rule, dtype), row in by_place.items():
        lower = by_place[name, attention, rule, "bfloat16"]["first_failing_length"]
        if dtype == "bfloat16" or lower is None:
            assert row["predicted_length"] is None
        else:
            predicted += 1
            assert row["predicted_length"] == round(lower * 2**1.5)
    assert predicted > 8


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["precision", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()


def test_the_table_in_a_pipe_has_a_line_for_every_rule(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly(monkeypatch, margins_of)
    lines = table(capsys, "parity", "palindrome", "--dtype", "bfloat16", "--max-length", "30", "--tolerance", "1e-3")
    header, *cells = [re.split(r" {2,}", line.strip()) for line in lines[: lines.index("")]]
    assert header == [
        "construction", "parameters", "dtype", "attention", "rule", "certified", "fails at", "ratio", "witness",
        "searched", "to",
    ]  # fmt: skip
    assert [(row[0], row[4], row[6]) for row in cells] == [
        ("parity", "logit > 0", "<= 29*"),
        ("parity", "probability > 1/2", "<= 13*"),
        ("palindrome", "logit = 0", "2"),
        ("palindrome", "|logit| <= 0.001", "<= 9*"),
    ]
    assert cells[0] == [
        "parity", "c = log(2)", "bfloat16", "strict", "logit > 0", "3", "<= 29*", "9.67", "1{23}0{6}",
        "families", "28",
    ]  # fmt: skip
    text = "\n".join(lines)
    assert "  * no shorter word of the language's families fails, all were run; others may" in lines
    assert "\x1b" not in text
    assert not re.search("[\u2500-\u257f]", text)
    command = "weightproof run palindrome 11 --param c='log(2)' --dtype bfloat16 --device cpu --attention strict"
    assert command in [line.strip() for line in lines]


def test_a_table_says_what_was_not_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch, margins_of)
    lines = table(capsys, "one", "--dtype", "float64", "--attention", "fused", "--max-length", "9")
    assert [re.split(r" {2,}", line.strip())[3:7] for line in lines[1:3]] == [
        ["flash", rule, "-", "none found"] for rule in ("logit > 0", "probability > 1/2")
    ]


def test_only_a_construction_that_accepts_at_zero_has_a_row_for_the_tolerance(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly(monkeypatch, margins_of)
    options = ["--dtype", "float16", "--max-length", "4", "--json"]
    found = []
    for more in ([], ["--tolerance", "0.125"], ["--tolerance", "0"]):
        assert main(["precision", "palindrome", *options, *more]) == 0
        found.append([row["rule"] for row in json.loads(capsys.readouterr().out)["rows"]])
    assert found == [["logit = 0"], ["logit = 0", "|logit| <= 0.125"], ["logit = 0", "|logit| <= 0"]]


MINE = """
from weightproof import Margin, load

construction = load("one")

theorems = (
    Margin("accepted", "1/(2*n)", when="n >= 2"),
    Margin("rejected", "{rejected}"),
)
"""


@pytest.mark.parametrize(("rejected", "certified"), [("1/(2*n)", 143), ("1/n", 6), ("1/2", 6)])
def test_a_margin_counts_only_once_it_is_proved(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    rejected: str,
    certified: int,
) -> None:
    """Without the margin of one side only the shortest words, which are run one by one, are certified."""
    path = tmp_path / "mine.py"
    path.write_text(MINE.format(rejected=rejected))
    quickly(monkeypatch, logits.proved_margins)
    assert main(["precision", str(path), "--dtype", "float16", "--max-length", "9", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert (row["construction"], row["certified_safe_length"]) == (str(path), certified)


def test_a_false_margin_would_certify_too_much() -> None:
    """What keeps it out is the prover alone."""
    false = (Margin("accepted", "1/2", "n >= 2"), Margin("rejected", "1/2"))
    assert certified_safe_length(load("one"), false, None, "float16") > 143


@pytest.mark.parametrize(("rule", "length"), [("logit = 0", 0), ("|logit| <= 0.001", 7)])
def test_the_tolerance_certifies_its_own_rule_alone(rule: str, length: int) -> None:
    """1/(2^n - 1) is above 1/1000 up to n = 9, which are 7 symbols."""
    [search] = searched("palindrome", "float32", "strict", 9, 1e-3)
    assert logits.certified(replace(search, margins=lambda: MARGINS["palindrome"]), rule) == length


def test_the_margins_of_a_built_in_construction_are_those_of_its_theorems() -> None:
    proved = logits.proved_margins(resolve("one"), {})
    assert {(case.side, str(case.value)) for case in proved} == {("accepted", "1/(2*n)"), ("rejected", "1/(2*n)")}


def test_a_mistaken_construction_is_told_from_a_rounding_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly(monkeypatch, margins_of)
    assert main(["precision", "palindrome-as-printed", "--dtype", "float64", "--max-length", "4", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["rows"]
    assert row["mechanism"] == "no rounding: the exact network misclassifies the word, too"


def test_luck_is_told_of_words_that_are_too_long_to_be_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times as long as bfloat16 counts."""
    quickly(monkeypatch, margins_of, effort=1 << 19)
    told = []
    for max_length in (1023, 1024):
        assert main(["precision", "first", "--dtype", "bfloat16", "--max-length", str(max_length), "--json"]) == 0
        row = json.loads(capsys.readouterr().out)["rows"][0]
        assert (row["first_failing_length"], row["probed_to"]) == (None, max_length)
        told.append(row["luck"])
    assert told[0] is None
    assert told[1].startswith("the softmax denominator of layer 2, head 1 stagnates at 128, a power of two")


@pytest.mark.parametrize(("value", "lucky"), [("0", True), ("1/(2*n)", False), (None, False)])
def test_luck_is_told_where_a_rejected_word_has_a_logit_of_zero(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, value: str | None, lucky: bool
) -> None:
    quickly(monkeypatch, lambda *given: [Margin("rejected", value)])
    assert main(["precision", "one", "--dtype", "float64", "--max-length", "9", "--json"]) == 0
    luck = [row["luck"] for row in json.loads(capsys.readouterr().out)["rows"]]
    said = "the margin of the rejected words is 0, but no rounding error was found to their harm"
    searched = "families were run in full at 0-9 symbols"
    assert luck == [f"{said}; {searched}" if lucky else None] * 2


@pytest.mark.parametrize(
    ("predicted", "in_full", "lucky"),
    [
        (None, ((0, 200), (250, 260)), True),
        (None, ((0, 200),), False),
        (544, ((0, 200), (250, 260)), False),
        (544, ((0, 200), (544, 544)), True),
    ],
)
def test_luck_is_told_only_after_families_were_run_in_full(
    predicted: int | None, in_full: tuple[tuple[int, int], ...], lucky: bool
) -> None:
    """At the length that is predicted, or at the 256 to which bfloat16 counts; and it says where."""
    [search] = searched("one", "bfloat16", "strict", 2_000)
    finding = Finding(Rule("logit > 0"), None, "sampled", 493, 2_000, in_full=in_full)
    said = logits._luck(search, search.model(), finding, (), predicted)
    assert (said is not None) == lucky
    assert said is None or said.endswith(f"; families were run in full at {logits.spans(in_full)} symbols")
    failing = replace(finding, failure=Failure("1" * 300, False, 1.0))
    assert logits._luck(search, search.model(), failing, (), predicted) is None


@pytest.mark.parametrize(
    ("searched", "safe", "strict", "least"),
    [
        ("exhaustive", 3, None, True),
        ("families", 3, None, False),
        ("families", 3, 7, False),
        ("families", 3, 8, True),
        ("families", 8, None, True),
        ("families", None, None, False),
    ],
)
def test_the_least_is_said_after_a_run_of_every_shorter_word_or_a_certificate(
    searched: Searched, safe: int | None, strict: int | None, least: bool
) -> None:
    finding = Finding(Rule("logit > 0"), Failure("1" * 9, True, -1.0), searched, 8, 9, of_families=True)
    assert logits._is_least(finding, safe, strict) == least
    assert not logits._is_least(replace(finding, failure=None), safe, strict)


def test_stretches_of_lengths_are_told_in_short() -> None:
    assert logits.spans([[0, 200], [544, 544], [1000, 1002]]) == "0-200, 544, 1,000-1,002"
    assert logits.spans([]) == "no"


def test_products_of_matrices_are_searched_as_far_as_words_are_published() -> None:
    """The row keeps the length that was asked for, and `probed_to` the one that was reached."""
    [square] = searched("one", "float32", "matmul", 1_000_000)
    [other] = searched("one", "float32", "explicit", 1_000_000)
    assert (square.reach, square.key["max_length"], other.reach) == (10_000, 1_000_000, 1_000_000)

"""CLAIMS.md says what comes out; every false claim is replayed; the formats say the same, and the same every time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from constructions.claims import Accepts, Compares, Count, Matrix, Order, Shape, Statement, Value, Vector
from constructions.library import load, load_claims, names
from proofs.claims.outcome import Fails, Holds
from tests.replays import breaks
from weightproof import markdown, tex
from weightproof.claiming import Section, counts, payload, sections
from weightproof.claimsheet import as_markdown, as_tex
from weightproof.cli import main
from weightproof.formulas import FormulaError, expression_tex, plain
from weightproof.published import line

ROOT = Path(__file__).parent.parent
CLAIMS = ROOT / "CLAIMS.md"


@pytest.fixture(scope="session")
def found() -> list[Section]:
    """Everything that is printed about the built-in constructions, judged once."""
    return sections(())


def test_the_report_in_the_repository_is_what_is_judged_now(found: list[Section]) -> None:
    assert as_markdown(found) == CLAIMS.read_text(), "CLAIMS.md is out of date; run: make claims"


def test_the_readme_has_the_counts(found: list[Section]) -> None:
    verdicts = Counter(judgement.verdict for section in found for judgement in section.judgements)
    assert (
        f"{verdicts.total()} claims, {verdicts['true']} true, {verdicts['true-under']} true under a named convention, "
        f"{verdicts['false']} false, {verdicts['ambiguous']} ambiguous" in (ROOT / "README.md").read_text()
    )


def test_every_false_or_ambiguous_claim_is_replayed(found: list[Section]) -> None:
    replayed = Counter[str]()
    for section in found:
        for judgement in section.judgements:
            failure = judgement.failure
            if failure is None:
                continue
            readings = [judged for judged in judgement.readings if judged.outcome is failure]
            [statement] = [judged.reading.statement for judged in readings]
            assert breaks(section.source.construction, statement, failure.difference), judgement.claim.id
            replayed[judgement.verdict] += 1
    assert replayed["false"] >= 10
    assert replayed["ambiguous"] >= 1


def test_every_kind_and_every_verdict_occurs(found: list[Section]) -> None:
    judgements = [judgement for section in found for judgement in section.judgements]
    kinds = {type(judged.reading.statement) for judgement in judgements for judged in judgement.readings}
    assert kinds == set(get_args(Statement)) == {Value, Vector, Matrix, Shape, Count, Accepts, Compares, Order}
    assert {judgement.verdict for judgement in judgements} == {"true", "true-under", "false", "ambiguous"}
    assert len(judgements) >= 60


def test_what_is_true_is_so_for_all_lengths(found: list[Section]) -> None:
    """No claim of the papers rests on short words only; should one do so, the report would say it."""
    holding = {
        judgement.claim.id: judged.outcome.scope
        for section in found
        for judgement in section.judgements
        for judged in (judgement.deciding,)
        if isinstance(judged.outcome, Holds)
    }
    assert set(holding.values()) == {"all lengths", "the weights"}


def test_ids_are_unique_and_name_their_construction() -> None:
    claims = [(name, claims) for name in names() if (claims := load_claims(name)) is not None]
    ids = [claim.id for _, known in claims for claim in known.claims]
    assert len(set(ids)) == len(ids)
    assert all(claim.id.startswith(f"{name}/") for name, known in claims for claim in known.claims)
    assert all(known.construction == load(name).name for name, known in claims)


def test_the_known_slips_are_found(found: list[Section]) -> None:
    """What a reader of the papers stumbles over."""
    verdicts = {judgement.claim.id: judgement.verdict for section in found for judgement in section.judgements}
    expected = {
        "parity/positions": "false",  # i = 0..n
        "parity/s-odd-k-odd": "false",  # cosh for sinh
        "parity/s-odd-k-even": "true",
        "first/s": "true-under",  # the empty word
        "first-one-layer/right": "true",
        "first-one-layer/wrong": "true",
        "palindrome/W_V-2-1": "false",  # reads the wrong half
        "palindrome-as-printed/W_V-2-1": "true",
        "palindrome/s": "true",
        "palindrome-as-printed/s": "false",
        "palindrome/V-2-2": "false",  # a sign
        "dyck1/k": "false",  # a sign
        "dyck1/zero": "true-under",  # 1/i
        "dyck1/a1-shape": "false",  # the row 1/i
        "dyck1/b_F2-2-shape": "false",
        "dyck1-depth/b_F2-2-shape": "true",
        "dyck1-depth/depth-row": "true-under",
    }
    assert {id: verdicts[id] for id in expected} == expected


def test_every_claim_stands_in_every_format(found: list[Section]) -> None:
    data = payload(found)["claims"]
    in_markdown, in_tex = as_markdown(found), as_tex(found)
    judgements = [judgement for section in found for judgement in section.judgements]
    assert [claim["id"] for claim in data] == [judgement.claim.id for judgement in judgements]
    rows = [row for row in in_tex.splitlines() if row.endswith(r"\\") and " & " in row]
    for claim, row in zip(data, rows, strict=True):
        assert claim.keys() >= {
            "id", "construction", "source", "location", "claim", "verdict", "derived", "counterexample", "note",
        }  # fmt: skip
        assert (claim["derived"] is None) == (claim["counterexample"] is None)
        assert (claim["derived"] is None) == (claim["verdict"] == "true")
        printed = line(claim["tex"])
        said = claim["verdict"] + (f": {claim['convention']}" if claim["convention"] else "")
        beginning = f"| `{claim['id']}` | {claim['location']} | {markdown.cell(printed)} | "
        if claim["verdict"] in ("true", "true-under"):
            assert f"{beginning}{markdown.text(said)}" in in_markdown
            assert f" & {tex.cell(printed)} & {tex.text(said)}" in row
        else:
            assert f"{beginning}**{said}**" in in_markdown
            assert re.search(rf"^### .*, {re.escape(markdown.text(claim['id']))}: {said}$", in_markdown, re.MULTILINE)
            assert f" & {tex.cell(printed)} & \\textbf{{{said}}}" in row
        assert row.startswith(tex.code(claim["id"].removeprefix(f"{claim['construction']}/")))
    assert in_tex.count("\\textit{claim}") == len(found)
    total = dict(zip(("construction", "claims"), counts(found)[-1], strict=False))
    assert total == {"construction": "all", "claims": str(len(data))}


def test_failures_keep_their_formula(found: list[Section]) -> None:
    """The derived value of a false claim about the logit can be read back, as it is in the language of the data."""
    derived = {
        judgement.claim.id: judgement.failure.derived
        for section in found
        for judgement in section.judgements
        if isinstance(judgement.failure, Fails)
    }
    formula = expression_tex(derived["parity/s-odd-k-odd"])
    assert formula is not None
    assert formula.startswith("\\frac{")


@pytest.mark.parametrize("form", ["json", "md", "tex", "text"])
def test_two_runs_print_the_same(form: str) -> None:
    def printed(seed: str) -> str:
        command = [sys.executable, "-m", "weightproof", "claims", "first-one-layer", "--format", form]
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, cwd=ROOT).stdout

    assert printed("1") == printed("2")


def test_json_is_the_same_by_either_option(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*options: str) -> Any:
        assert main(["claims", "one", *options]) == 0
        return json.loads(capsys.readouterr().out)

    assert printed("--json") == printed("--format", "json")


def test_the_default_report_names_verdicts_and_replays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "parity"]) == 0
    printed = capsys.readouterr().out
    assert "parity/s-odd-k-odd: false" in printed
    assert "weightproof run parity '01' --param c='log(2)' --trace" in printed
    assert "not tight: |logit| is Theta(1/n**2)" in printed


FORMULAS = [
    ("$s = \\frac{n+1}{n Z_1}$, odd", "s = (n+1)/(n Z_1), odd"),
    ("$W^{Q,2,1} = c\\sqrt{d}$", "W^(Q,2,1) = c√d"),
    ("$\\sum_{j \\ne i} e^{cj}$", "Σ_(j ≠ i) e^(cj)"),
]


@pytest.mark.parametrize(("line", "text"), FORMULAS)
def test_formulas_have_a_plain_form(line: str, text: str) -> None:
    assert plain(line) == text


def test_every_printed_formula_has_a_plain_form_and_no_bar_in_a_table() -> None:
    for name in names():
        known = load_claims(name)
        for claim in () if known is None else known.claims:
            assert "\\" not in plain(claim.printed), claim.id
            assert not re.search(r"(?<!\\)\|", markdown.cell(line(claim.printed))), claim.id


@pytest.mark.parametrize("line", ["$\\unknown$", "$a}$", "$\\frac{a}{b$"])
def test_formulas_that_cannot_be_shown_are_refused(line: str) -> None:
    with pytest.raises(FormulaError):
        plain(line)


def test_what_is_no_expression_has_no_tex() -> None:
    assert expression_tex("7 rows") is None

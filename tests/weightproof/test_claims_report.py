"""The pages in findings/claims say what comes out; every false claim is replayed; all formats say the same."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.claims.test_slips import faults
from tests.support.places import ROOT
from tests.support.replays import breaks
from weightproof.appendix import papers
from weightproof.appendix.published import COLUMNS, as_markdown, as_tex, line, report
from weightproof.cli import main
from weightproof.constructions.library import claims_of_transformed, load, load_claims, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.document import markdown, tex
from weightproof.proofs.circuits.widths import WIDEST
from weightproof.proofs.claims.circuit_runs import scope
from weightproof.proofs.claims.circuits import SMALL
from weightproof.proofs.claims.judging import ALONE, OF_NETWORKS
from weightproof.proofs.quantities.outcome import Fails, Holds
from weightproof.proofs.simulation.components import NETWORKS
from weightproof.proofs.simulation.prove import OF_SIZES, SIZED
from weightproof.reports import claiming
from weightproof.reports.claiming import (
    ODD,
    Section,
    by_construction,
    derived,
    mistakes,
    repairs,
    sections,
    transcribed,
    verdicts,
)
from weightproof.reports.claims_data import as_data
from weightproof.reports.formulas import FormulaError, expression_tex, plain
from weightproof.reports.severity import severity_of
from weightproof.subjects.registry import to_judge
from weightproof.terminal.page import write

pytestmark = [pytest.mark.xdist_group("claims report"), pytest.mark.controls]
CLAIMS = ROOT / "findings" / "claims"


@pytest.fixture(scope="session")
def found() -> list[Section]:
    """Everything that is printed about the built-in constructions, judged once."""
    return [*sections(partial(to_judge, (), None, ())).found]


@pytest.fixture(scope="session")
def data(found: list[Section]) -> dict[str, Any]:
    return as_data(found)


@pytest.fixture(scope="session")
def in_markdown(found: list[Section]) -> str:
    return as_markdown(found)


@pytest.fixture(scope="session")
def in_tex(found: list[Section]) -> str:
    return as_tex(found)


def test_the_pages_in_the_repository_are_what_is_judged_now(found: list[Section]) -> None:
    there = {path.stem: path.read_text() for path in CLAIMS.glob("*.md")}
    now = papers.pages(found)
    assert there.keys() == now.keys()
    differ = [name for name, text in now.items() if there[name] != text]
    assert differ == [], "these pages are out of date; run: make claims"


def test_a_slip_stands_on_the_page_of_its_paper(found: list[Section]) -> None:
    named = {
        (mistake.slip.id.split("/")[0], each.section.about.paper)
        for mistake in mistakes(found)
        for each in mistake.affected
    }
    assert all(slip == paper for slip, paper in named)


@pytest.mark.parametrize(
    ("slip", "severity"),
    [
        ("nowak2022/W_V", "outcome"),  # as printed it does not recognise PALINDROME
        ("fraknoi2024/exchanged", "outcome"),
        ("chiang2022/zero-logit", "outcome"),
        ("chiang2022/cosh", "formula"),
        ("chiang2022/eta", "case"),  # eta >= log 2
        ("chiang2022/WE", "form"),
        ("steffen2022/index", "form"),
    ],
)
def test_the_known_slips_are_as_bad_as_a_reader_takes_them_for(found: list[Section], slip: str, severity: str) -> None:
    [mistake] = [each for each in mistakes(found) if each.slip.id == slip]
    assert severity_of(mistake) == severity


def test_the_readme_has_the_counts(found: list[Section]) -> None:
    """Of distinct statements, and of transcription checks apart from them."""
    readme = " ".join((ROOT / "README.md").read_text().split())
    counts, checks = (
        verdicts(of(found)).replace("true-under", "true under a named convention") for of in (derived, transcribed)
    )
    assert f"{len(derived(found))} statements: {counts}." in readme
    assert f"{len(transcribed(found))} transcription checks, of matrices" in readme
    assert f"beside them: {checks}." in readme
    assert f"comes from {len(mistakes(found))} distinct slips" in readme


def test_every_slip_is_one_mistake_with_a_true_correction(found: list[Section]) -> None:
    """A false statement without a slip, a true one with one, and a correction that is not true are faults."""
    assert faults(found) == []
    folders = {mistake.slip.id.split("/")[0] for mistake in mistakes(found)}
    assert folders <= {path.name for path in (ROOT / "constructions").iterdir()}
    assert all(mistake.correction.claim.id == mistake.slip.id for mistake in mistakes(found))


def test_a_slip_of_two_constructions_is_told_once(found: list[Section]) -> None:
    told = {mistake.slip.id: mistake for mistake in mistakes(found)}
    assert {each.section.about.argument for each in told["steffen2022/k"].affected} == {"dyck1", "dyck1-depth"}
    assert {each.section.about.argument for each in told["nowak2022/W_V"].affected} == {
        "palindrome",
        "palindrome-as-printed",
    }


def test_nothing_is_unknown_and_what_is_repaired_is_told(found: list[Section]) -> None:
    assert all(judgement.verdict != "unknown" for section in found for judgement in section.judgements)
    told = {repair.construction: repair for repair in repairs(found)}
    assert {"palindrome", "dyck1", "dyck1-depth", "ordered", "circuit-by-decoder-as-printed"} == set(told)
    assert len(told["palindrome"].weights) == 2


def of_constructions(found: list[Section]) -> list[tuple[Section, Construction]]:
    """Those about families are replayed in tests/proofs/claims/test_simulated.py, those about formulas and circuits in
    tests/proofs/claims/formulas and tests/proofs/claims/circuits."""
    return [(section, section.about.construction) for section in found if section.about.construction is not None]


def test_what_is_true_under_a_convention_fails_literally(found: list[Section]) -> None:
    """The literal reading is refuted: by a word that is replayed, or by an entry or a shape that is not there."""
    shown = Counter[str]()
    for section, construction in of_constructions(found):
        for judgement in section.judgements:
            if judgement.verdict != "true-under":
                continue
            assert judgement.difference is not None
            literal = judgement.claim.senses[0].statement
            assert breaks(construction, literal, judgement.difference), judgement.claim.id
            shown["weights" if judgement.claim.transcribed else "word"] += 1
            assert judgement.claim.transcribed == (judgement.difference.word is None)
    assert shown["word"] >= 10
    assert shown["weights"] >= 5


def test_every_false_or_ambiguous_claim_is_replayed(found: list[Section]) -> None:
    replayed = Counter[str]()
    for section, construction in of_constructions(found):
        for judgement in section.judgements:
            failure = judgement.failure
            if failure is None or judgement.verdict not in ODD:
                continue
            readings = [judged for judged in judgement.readings if judged.outcome is failure]
            [statement] = [judged.reading.statement for judged in readings]
            assert breaks(construction, statement, failure.difference), judgement.claim.id
            replayed[judgement.verdict] += 1
    assert replayed["false"] >= 10
    assert replayed["ambiguous"] >= 1


def test_every_replay_line_of_a_family_can_be_run(
    found: list[Section], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And of constructions one of each command. What `claims` judges is what was found: it is not judged again."""
    differences = [
        (section.about, each.outcome.difference)
        for section in found
        for judgement in section.judgements
        for each in judgement.readings
        if isinstance(each.outcome, Fails)
    ]
    chosen = {}
    for about, difference in differences:
        words = shlex.split(difference.command(about.argument))
        chosen[tuple(words) if about.construction is None else tuple(words[:2])] = words
    monkeypatch.setattr(claiming, "sections", lambda *_, **__: claiming.Sections(()))
    for program, *arguments in chosen.values():
        assert program == "weightproof"
        assert main(arguments) in ((0,) if arguments[0] in ("claims", "show") else (0, 1)), arguments
    capsys.readouterr()
    assert {words[1] for words in chosen.values()} == {"claims", "show", "run"}
    assert len(chosen) >= 20


def test_every_kind_and_every_verdict_occurs(found: list[Section]) -> None:
    judgements = [judgement for section in found for judgement in section.judgements]
    kinds = {type(judged.reading.statement) for judgement in judgements for judged in judgement.readings}
    assert kinds == {*OF_NETWORKS, *ALONE}
    assert {judgement.verdict for judgement in judgements} == {"true", "true-under", "false", "ambiguous"}
    assert len(judgements) >= 60


def test_what_is_true_is_so_for_all_lengths(found: list[Section]) -> None:
    """No claim of the papers rests on short words only; should one do so, the report would say it, as it says of what
    sizes of recurrent networks, circuits and tables the others are judged."""
    holding = {
        judgement.claim.id: judged.outcome.scope
        for section in found
        for judgement in section.judgements
        for judged in (judgement.deciding,)
        if isinstance(judged.outcome, Holds)
    }
    of_families = {OF_SIZES, f"the weights, {SIZED}", "all sizes", NETWORKS}
    of_formulas = {f"all {what}" for what in ("numbers", "vectors", "angles", "k", "finite sets")}
    tables = (SMALL, f"{SMALL}; rows of numbers of up to {WIDEST} bits are made alike", f"k = 1 ... {WIDEST}")
    of_circuits = {scope(1), *tables, "every N >= 1", "all bits"}
    assert set(holding.values()) == {"all lengths", "the weights"} | of_families | of_formulas | of_circuits


def test_ids_are_unique_and_name_their_construction() -> None:
    claims = [(name, claims) for name in names() if (claims := load_claims(name)) is not None]
    ids = [claim.id for known in (*dict(claims).values(), *claims_of_transformed()) for claim in known.claims]
    assert len(set(ids)) == len(ids)
    assert all(claim.id.startswith(f"{name}/") for name, known in claims for claim in known.claims)
    assert all(known.construction == load(name).name for name, known in claims)


def test_the_known_slips_are_found(found: list[Section]) -> None:
    """What a reader of the papers stumbles over."""
    verdicts = {judgement.claim.id: judgement.verdict for section in found for judgement in section.judgements}
    expected = {
        "parity/positions": "false",  # i = 0..n
        "parity/PE-domain": "false",  # a function of i alone
        "parity/s-odd-k-odd": "false",  # cosh for sinh
        "parity/s-odd-k-even": "true",
        "first/s": "true-under",  # the empty word
        "first-scaled/s": "true-under",  # the empty word
        "first-scaled-normalised/least-1": "false",  # the norms before the last one
        "first-sharpened/accepted": "false",  # a sign
        "one-sharpened/recognises": "false",  # eta >= log 2
        "parity-normalised/one-scale": "false",  # a row has a scale of its own
        "parity-normalised/decisions": "true",
        "parity-scaled/s": "false",  # queries and keys are both scaled
        "parity-scaled/decisions": "true",
        "first-normalised/c1": "true",
        "first-normalised/a1": "false",  # epsilon
        "first-normalised-exactly/c2": "false",  # attention logits are scaled, too
        "first-normalised/no-effect": "false",  # epsilon
        "first-uncentred/W_Q": "ambiguous",  # which d
        "first-sharpened/eta": "false",  # 0/0 on the empty word
        "first/values-4-5": "false",  # component 6
        "first-one-layer/right": "true",
        "first-one-layer/wrong": "true",
        "palindrome/W_V-2-1": "false",  # reads the wrong half
        "palindrome-as-printed/W_V-2-1": "true",
        "palindrome/s": "true-under",  # CLS and EOS differ
        "palindrome/s-5": "false",  # both halves
        "palindrome-as-printed/s": "false",
        "palindrome/V-2-2": "false",  # a sign
        "palindrome/magnitude": "true",
        "palindrome/EOS": "false",
        "palindrome/plus": "false",
        "palindrome/rounded": "ambiguous",
        "dyck1/k": "false",  # a sign
        "dyck1/zero": "true-under",  # 1/i
        "dyck1/range": "false",  # i = 1..n
        "dyck1/positions": "true",
        "dyck1/output-layer": "false",  # reads CLS
        "dyck1/a1-shape": "false",  # the row 1/i
        "dyck1/b_F2-2-shape": "false",
        "dyck1-depth/b_F2-2-shape": "true",
        "dyck1-depth/depth-row": "true-under",
        "dyck1-depth/depth": "false",  # at most -D
    }
    assert {id: verdicts[id] for id in expected} == expected


def test_every_claim_stands_in_every_format(
    found: list[Section], data: dict[str, Any], in_markdown: str, in_tex: str
) -> None:
    claims = data["claims"]
    in_column = partial(tex.cell, room=COLUMNS["printed"] * tex.ROOM - tex.GAP)
    judgements = [judgement for section in found for judgement in section.judgements]
    assert [claim["id"] for claim in claims] == [judgement.claim.id for judgement in judgements]
    rows = [row for row in in_tex.splitlines() if row.endswith(r"\\") and row.count(" & ") == 3]
    for claim, row in zip(claims, rows, strict=True):
        assert claim.keys() >= {
            "id", "construction", "source", "location", "claim", "verdict", "derived", "counterexample", "note",
        }  # fmt: skip
        assert (claim["derived"] is None) == (claim["counterexample"] is None) == (claim["verdict"] == "true")
        printed, said = line(claim["tex"]), claim["verdict"]
        beginning = f"| `{claim['id']}` | {claim['location']} | {markdown.cell(printed)} | "
        if said in ODD:
            assert f"{beginning}**{said}**; " in in_markdown
            assert f"- `{claim['id']}`, {claim['location']}, **{said}**: " in in_markdown
            assert f" & {in_column(printed)} & \\textbf{{{said}}}" in row
        else:
            under = f"{said}: {claim['convention']}; literally it fails" if claim["convention"] else said
            assert f"{beginning}{markdown.text(under)}" in in_markdown
            assert f" & {in_column(printed)} & {tex.text(under)}" in row
        assert row.startswith(tex.code(claim["id"].removeprefix(f"{claim['construction']}/")))
    assert in_tex.count("\\textit{claim}") == len(found)
    header, table = by_construction(found)
    last = dict(zip(header, table[-1], strict=True))
    distinct = {(claim["source"].removeprefix("after "), claim["location"], claim["tex"]) for claim in claims}
    assert int(last["statements"]) + int(last["transcribed"]) == len(distinct)


def test_every_slip_stands_in_every_format(
    found: list[Section],
    data: dict[str, Any],
    in_markdown: str,
    in_tex: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(report(found), sys.stdout)
    as_text = capsys.readouterr().out
    for number, slip in enumerate(data["slips"], start=1):
        assert f"\n### Slip {number}: `{slip['id']}`\n" in in_markdown
        assert tex.code(slip["id"]) in in_tex
        assert f"\nSlip {number}: {slip['id']}\n{slip['cause']}\n" in as_text
        assert slip["correction"]["verdict"] == "true"
        named = [claim["id"] for claim in data["claims"] if slip["id"] in (claim["slip"] or "").split(", ")]
        assert slip["claims"] == named


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_document_compiles(in_tex: str, tmp_path: Path) -> None:
    needs = (*in_tex.partition("\n")[0].partition("Needs ")[2].rstrip(".").split(", "), "geometry")
    packages = "".join(f"\\usepackage{{{name}}}\n" for name in needs)
    body = f"\\documentclass{{article}}\n{packages}\\begin{{document}}\n{in_tex}\n\\end{{document}}\n"
    (tmp_path / "claims.tex").write_text(body)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "claims.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


def test_failures_keep_their_formula(found: list[Section]) -> None:
    """The derived value of a false claim about the logit can be read back, as it is in the language of the data."""
    derived = {
        judgement.claim.id: str(judgement.failure.derived)
        for section in found
        for judgement in section.judgements
        if isinstance(judgement.failure, Fails)
    }
    formula = expression_tex(derived["parity/s-odd-k-odd"])
    assert formula is not None
    assert formula.startswith("\\frac{")


@pytest.mark.controls
def test_two_runs_print_the_same() -> None:
    """In every format, also where Python hashes differently."""
    program = (
        "from weightproof.cli import main\n"
        "for form in ('json', 'md', 'tex', 'text'): main(['claims', 'palindrome-as-printed', '--format', form])"
    )

    def printed(seed: str) -> str:
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program]
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
    assert "Slip 4: chiang2022/cosh\n" in printed
    assert "  - parity/s-odd-k-odd, appendix A, false: " in printed
    assert "\n    weightproof run parity '01' --param c='log(2)' --trace\n" in printed
    assert "not tight: |logit| is Theta(1/n**2)" in printed


FORMULAS = [
    ("$s = \\frac{n+1}{n Z_1}$, odd", "s = (n+1)/(n Z_1), odd"),
    ("$\\frac{1}{2n} + \\sqrt{2n}$, $\\frac{1}{x^2}$", "1/(2n) + √(2n), 1/x^2"),
    ("$W^{Q,2,1} = c\\sqrt{d}$", "W^(Q,2,1) = c√d"),
    ("$\\sum_{j \\ne i} e^{cj}$", "Σ_(j ≠ i) e^(cj)"),
]


@pytest.mark.parametrize(("line", "text"), FORMULAS)
def test_formulas_have_a_plain_form(line: str, text: str) -> None:
    assert plain(line) == text


def test_every_printed_formula_has_a_plain_form_and_no_bar_in_a_table() -> None:
    for known in (*map(load_claims, names()), *claims_of_transformed()):
        for claim in () if known is None else known.claims:
            texts = (claim.printed, *(t for slip in claim.slips for t in (slip.cause, slip.correction.printed)))
            assert not any("\\" in plain(text) for text in texts), claim.id
            assert not re.search(r"(?<!\\)\|", markdown.cell(line(claim.printed))), claim.id


@pytest.mark.parametrize("line", ["$\\unknown$", "$a}$", "$\\frac{a}{b$", "$\\frac{a}$", "$\\sqrt $", "$x^$", "$\\$"])
def test_formulas_that_cannot_be_shown_are_refused(line: str) -> None:
    with pytest.raises(FormulaError):
        plain(line)


def test_what_is_no_expression_has_no_tex() -> None:
    assert expression_tex("7 rows") is None

"""What one paper prints is told worst first, by what is false because of a slip; its page leads where it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.proofs.claims.test_slips import FALSE, section, slip
from tests.support.places import ROOT
from weightproof.appendix.papers import by_paper, page, pages
from weightproof.cli import main
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.claims.statements import Accepts, Logit, Value
from weightproof.constructions.library import paper_of
from weightproof.document.markdown import anchor
from weightproof.interface import claims
from weightproof.named import parted
from weightproof.reports.claiming import mistakes
from weightproof.reports.severity import SEVERITIES, narrows, severity_of, worst_first
from weightproof.subjects.registry import claimed, printed_in
from weightproof.terminal.page import plain

SOME = Accepts("count('1') >= 1")
FEW = Accepts("count('1') >= 1", "count('1') <= 1")


def claim(id: str, statement: Statement, correction: Statement) -> Published:
    return Published(id, "here", "it is so", statement, slip=slip(f"{id}-slip", correction))


OUTCOME = claim("outcome", SOME, Accepts())
FORMULA = claim("formula", Value(Logit(), "2"), Accepts())
CASE = claim("case", SOME, FEW)


@pytest.mark.parametrize(
    ("printed", "severity"), [(OUTCOME, "outcome"), (FORMULA, "formula"), (CASE, "case"), (FALSE, "form")]
)
def test_a_slip_is_as_bad_as_what_is_false_because_of_it(printed: Published, severity: str) -> None:
    [mistake] = mistakes([section(printed)])
    assert severity_of(mistake) == severity


def test_of_several_statements_the_worst_counts() -> None:
    shared = slip("both", Accepts())
    said = (FALSE.senses[0].statement, SOME)
    [mistake] = mistakes(
        [section(*(Published(f"{n}", "here", "it is so", each, slip=shared) for n, each in enumerate(said)))]
    )
    assert severity_of(mistake) == "outcome"


def test_a_statement_needs_a_case_where_its_correction_says_the_same_of_fewer_words() -> None:
    assert narrows(FEW, SOME)
    assert not narrows(SOME, SOME)
    assert not narrows(Accepts(), SOME)
    assert not narrows(Value(Logit(), "1"), SOME)


def test_the_page_has_the_worst_first() -> None:
    found = [section(FALSE, CASE, FORMULA, OUTCOME)]
    assert [falls.severity for falls in worst_first(found)] == list(SEVERITIES)
    told = plain(page(found))
    places = [told.index(f"\n{title}\n") for title, _ in SEVERITIES.values()]
    assert places == sorted(places)
    where = (f"1 {where}" for _, where in SEVERITIES.values())
    assert f"The slips by what falls with them: {', '.join(where)}." in told
    said = "it is so, here, is false, as on '11' (slip 1)."
    assert f"\n  - First of all: {said}\n" in told
    assert (
        f"\n  - {said} One coordinate is counted twice. Corrected, here: d = 7 is true (all lengths, certificate).\n"
        in told
    )
    assert "False by it: formula, here, as on the empty word (slip 2)." in told
    assert "\nSlip 1: outcome-slip\n" in told
    assert "\nSlip 4: width\n" in told


def test_what_is_false_without_a_cause_stands_on_the_page_all_the_same() -> None:
    told = plain(page([section(Published("more", "here", "it is so", SOME))]))
    assert "Without a known cause\n  - more, here, false: it is so; " in told


def test_where_nothing_falls_no_severity_is_named() -> None:
    told = plain(page([section(Published("r", "here", "it recognises ONE", Accepts()))]))
    assert "What the networks do, and stands\n  - it recognises ONE, here (r: all lengths, " in told
    assert not any(title in told for title, _ in SEVERITIES.values())
    assert "slip" not in told.replace("distinct slips", "")


def test_what_is_printed_stands_in_the_folder_of_its_paper() -> None:
    papers = {subject.argument: paper_of(*parted(subject.argument)) for subject in claimed()}
    folders = {path.name for path in (ROOT / "constructions").iterdir() if (path / "__init__.py").exists()}
    assert set(papers.values()) <= folders
    assert papers["one --with remove-centering --with layer-norm:epsilon=0 --with sharpen"] == "chiang2022"
    assert papers["parity --with remove-centering --with layer-norm:epsilon=0 --with sharpen"] == "steffen2022"
    assert {subject.argument for subject in printed_in("nowak2022")} == {
        "one", "palindrome", "palindrome-as-printed", "nowak2022-formulas",
    }  # fmt: skip


def test_a_page_leads_to_what_is_there() -> None:
    """Each link of a page to a heading of it, and of the index to a page."""
    found = list(claims("one", "first-one-layer", "chiang2022-feed-forward").sections)
    assert list(by_paper(found)) == ["nowak2022", "chiang2022"]
    written = pages(found)
    assert set(written) == {"README", "nowak2022", "chiang2022"}
    assert set(re.findall(r"\]\((\w+)\.md\)", written["README"])) == {"nowak2022", "chiang2022"}
    for name in ("nowak2022", "chiang2022"):
        headings = {anchor(text.replace("`", "")) for text in re.findall(r"^#+ (.*)$", written[name], re.MULTILINE)}
        links = re.findall(r"\]\(#(.*?)\)", written[name])
        assert set(links) <= headings
    assert "](#slip-1-nowak2022we)" in written["nowak2022"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--paper", "nobody1999"), "no paper 'nobody1999' is judged here; there are chiang2022, nowak2022, "),
        (("one", "--paper", "nowak2022"), "--paper is all that the paper prints"),
        (("one", "--output", "pages"), "--output writes pages of Markdown for all papers"),
        (("--json", "--output", "pages"), "--output writes pages of Markdown for all papers"),
    ],
)
def test_what_cannot_be_judged_so_is_refused_in_a_line(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["claims", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1


def test_as_latex_it_is_told_in_the_same_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--paper", "nowak2022", "--format", "tex"]) == 0
    told = capsys.readouterr().out
    places = [told.find(f"\\subsection{{{title}}}") for title, _ in SEVERITIES.values()]
    assert -1 not in places
    assert places == sorted(places)
    assert told.find("\\subsection{The slips}") > places[-1]

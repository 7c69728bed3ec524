"""The pages in findings/trust say what the program proves now, and no weight changes without its hash."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.support.changes import changes
from tests.support.derived import ALL_STATED, file_of
from tests.support.places import ROOT
from tests.support.printed import section_of, told, trusted
from tests.support.suites import CLOSED_FORMS, MEMBERSHIP
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.record import digest
from weightproof.document import markdown
from weightproof.document.pages import INDEX
from weightproof.manifest import families, pages
from weightproof.manifest.constructions import of_construction
from weightproof.manifest.pages import RESTS_ON, name_of
from weightproof.manifest.rows import numbers
from weightproof.manifest.trusted import PAGES, rests
from weightproof.proofs.theorem import Decides, apart_by_file, by_file
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Result, Unknown, Verdict

STATED = by_file() | apart_by_file()
LONGEST = 260
"""Lines of a page."""


def with_theorems() -> dict[str, str]:
    """The pages that have theorems, in their order."""
    there = trusted()
    return {name: there[name] for name in (*map(name_of, STATED), *families.PAGES)}


def test_there_is_a_page_for_each_file_of_theorems_and_no_other() -> None:
    """What their sections say is held against the proofs in `test_proofs.py` and `test_apart.py`."""
    there = trusted()
    assert there.keys() == {INDEX, *PAGES, *with_theorems()}, "a page is missing, or of what is gone: make manifest"
    for file, found in STATED.items():
        headings = re.findall("^## (.*)$", there[name_of(file)], re.MULTILINE)
        assert headings == [markdown.text(name) for name in found]
        assert there[name_of(file)].startswith(f"# {markdown.text(pages.title_of(file))}\n")


def test_what_is_trusted_and_the_index_are_what_is_written_now() -> None:
    there = trusted()
    now = {INDEX: pages.index(with_theorems()), **{name: page() for name, page in PAGES.items()}}
    for name, text in now.items():
        if (difference := told(there[name], text)) is not None:
            pytest.fail(difference, pytrace=False)


def test_the_index_leads_to_every_section() -> None:
    there = trusted()
    links = re.findall(r"\]\(([\w-]+)\.md(?:#([^)]*))?\)", there[INDEX])
    for page, anchor in links:
        anchors = [markdown.anchor(heading) for heading in re.findall("^## (.*)$", there[page], re.MULTILINE)]
        assert not anchor or anchors.count(anchor) == 1
    assert {page for page, _ in links} == there.keys() - {INDEX}
    for name, text in with_theorems().items():
        assert [page for page, anchor in links if anchor].count(name) == len(re.findall("^## ", text, re.MULTILINE))


def test_a_page_is_of_a_size_that_a_person_reads() -> None:
    assert {name for name, text in trusted().items() if len(text.splitlines()) > LONGEST} == set()


def test_the_manifest_and_the_readme_say_what_each_evidence_is() -> None:
    index, readme = pages.index({}), (ROOT / "README.md").read_text().replace("\n", " ")
    assert list(RESTS_ON) == list(Evidence)
    said = readme.split("## How to read a verdict")[1].split("## More commands")[0]
    for evidence, what in RESTS_ON.items():
        assert f"| {evidence.value} | {what} | 0 |" in index
        assert f"`{evidence.value}`" in said


def test_what_the_manifest_says_is_compared_is_what_is() -> None:
    """Where the suites compare it; what is compared before a verdict is written from the constants themselves."""
    short = {size: longest for size, (_, longest) in CLOSED_FORMS.items()}
    said = " ".join(rests().split())
    assert f"with the interpreter on every word up to length {short[2]}, over three symbols {short[3]}," in said
    assert f"held against the formula on every word up to length {MEMBERSHIP}, and" in said


def test_what_differs_is_told_theorem_by_theorem_and_what_it_may_mean() -> None:
    """A newcomer on another machine is not told to overwrite what the repository says."""
    written = section_of("one", "nowak2022")
    assert told(written, written) is None
    [row] = [line for line in written.splitlines() if line.startswith("| recognises |")]
    other = row.replace("two solvers", "one solver").replace("certificate", "one solver")
    assert other != row
    difference = told(written, written.replace(row, other))
    assert difference is not None
    first, *lines = difference.splitlines()
    assert first == "findings/trust says something else:"
    assert lines[:3] == [f"  -{row}", f"  +{other}", ""]
    assert "a solver gave no answer here" in difference
    assert "findings/trust is right and something is wrong here" in difference
    assert difference.index("please report") < difference.index("make manifest")
    assert told("", written) is not None  # a section that is not there


def test_the_manifest_names_every_theorem_and_every_hash() -> None:
    for name, (construction, theorems) in ALL_STATED.items():
        section = section_of(name, name_of(file_of(name)))
        assert digest(construction) in section
        assert all(f"\n| {markdown.text(theorem.name)} | " in section for theorem in theorems)


@pytest.mark.parametrize("name", names())
def test_a_changed_weight_changes_the_hash(name: str) -> None:
    construction = load(name)
    changed = list(changes(construction))
    assert changed
    unnoticed = [change.place for change in changed if digest(change.construction) == digest(construction)]
    assert unnoticed == []


def with_language(construction: Construction, **fields: Any) -> Construction:
    old = construction.language
    kept = {key: getattr(old, key) for key in ("name", "alphabet", "member", "characterisation", "description")}
    return replace(construction, language=Language(**(kept | fields)))


def test_the_hash_covers_what_theorems_depend_on_and_nothing_else() -> None:
    construction = load("parity")
    covered = (
        with_language(construction, characterisation="count('1') % 2 == 0"),
        with_language(construction, alphabet=("1", "0")),
        replace(construction, parameters=(Parameter("c", "c >= 1", "1"),)),
    )
    assert len({digest(construction), *map(digest, covered)}) == 4
    not_covered = (
        with_language(construction, name="ODD", description="oddly many 1s", member=lambda word: True),
        replace(construction, name="another", title="another", source="another"),
    )
    assert {digest(construction), *map(digest, not_covered)} == {digest(construction)}


def result(verdict: Verdict, **fields: Any) -> Result:
    known: dict[str, Any] = {"solvers": ("z3 5.4.0",), "obligations": {"two solvers": 3, "certificate": 2}}
    said = {"hypotheses": ("n >= 2",), "accepts": "n > 1 or n == 1"}
    known |= {**said, "seconds": 1, "solver_seconds": 1}
    return Result("parity", "a theorem", "it holds", verdict=verdict, expected="proved", **(known | fields))


def test_a_row_says_how_each_verdict_came_about() -> None:
    verdicts = (
        result(Proved("all lengths", Evidence.TWO_SOLVERS)),
        result(Proved("n <= 4", Evidence.BOUNDED)),
        result(Refuted(Counterexample("parity", "01", {"c": "1"}, member=True, accepts=False, logit="-1"))),
        result(Unknown("no rule applies")),
    )
    theorem = Decides("a theorem", "it holds", accepts="n > 1 or n == 1", given="n >= 2")
    rows = of_construction(load("parity"), verdicts, [theorem] * 4).splitlines()[-4:]
    start = "| a theorem | it holds: accepts iff `n > 1 or n == 1` | `n >= 2` | "
    assert rows == [
        start + "proved | all lengths | two solvers (3), certificate (2) | z3 5.4.0 |",
        start + "proved | n \\<= 4 | bounded check: two solvers (3), certificate (2) | z3 5.4.0 |",
        start + "refuted, **expected proved** | word `'01'`, c = 1 | replayed exactly | - |",
        start + "unknown, **expected proved** | - | no rule applies | - |",
    ]


def test_the_numbers_are_those_of_the_rows() -> None:
    """Each theorem that is stated of a construction is one, and so are those of families."""
    verdicts = (
        result(Proved("all lengths", Evidence.KERNEL)),
        result(Proved("all lengths", Evidence.TWO_SOLVERS)),
        result(Proved("n <= 4", Evidence.BOUNDED)),
        result(Refuted(Counterexample("parity", "01", {}, member=True, accepts=False, logit="-1"))),
        result(Unknown("no rule applies: a | b")),
    )
    theorem = Decides("a theorem", "it holds", accepts="n > 1 or n == 1", given="n >= 2")
    text = of_construction(load("parity"), verdicts, [theorem] * 5)
    once = dict.fromkeys(("kernel", "two solvers", "bounded check", "refuted", "unknown"), 1)
    assert numbers(text) == once
    assert numbers(f"{text}\n{text}") == dict.fromkeys(once, 2)
    index = pages.index({"a": f"# A title\n\n{text}"})
    assert f"| kernel | {RESTS_ON[Evidence.KERNEL]} | 1 |" in index
    assert "5 theorems: 3 proved, 1 refuted by a word, 1 unknown" in index
    assert "| [a](a.md) | 5 | 1 | 0 | 1 | 0 | 0 | 1 | 0 | 1 | 1 |" in index
    found = numbers("\n".join(with_theorems().values()))
    assert sum(found.values()) > sum(len(theorems) for _, theorems in ALL_STATED.values())

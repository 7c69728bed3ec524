"""What a printed document has to be, whatever it says; and the pages in findings/trust against what is proved here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from tests.support.places import ROOT
from weightproof.document import markdown

TRUST = ROOT / "findings" / "trust"
MEANING = """
A line with - stands in findings/trust, one with + is what was proved here, just now. That can mean:

- a row says `unknown`, or rests on one solver where it rested on two: a solver gave no answer here. Ask again,
  on a machine that is not busy: weightproof prove NAME --timeout 300
- a version in the last column or in the table of software differs: other versions than those of constraints.txt are
  installed; `make clean` and begin anew
- the hash of a construction differs: its weights, parameters, alphabet or formula were changed
- a verdict, a scope, a word or a statement differs: a theorem or the way in which it is proved was changed, or a fault
  was made or mended; find out which before anything else

If nothing in this checkout was changed, findings/trust is right and something is wrong here: please report the lines
above.
Only whoever changed what is proved, and has read every line that differs, writes it anew: make manifest"""


def balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def assert_is_markdown(text: str) -> None:
    fences = [line for line in text.splitlines() if line.startswith("```")]
    assert fences == ["```math", "```"] * (len(fences) // 2)
    for formula in re.findall(r"```math\n(.*?)```", text, re.DOTALL):
        assert balanced(formula), formula
        assert formula.count(r"\begin{") == formula.count(r"\end{"), formula
    prose = re.sub(r"```math\n.*?```", "", text, flags=re.DOTALL)
    assert prose.count("$`") == prose.count("`$")
    for row in (line for line in prose.splitlines() if line.startswith("|")):
        assert row.endswith("|")


def told(written: str, now: str) -> str | None:
    """What differs, line by line, and what that means; None where nothing does. A row is a theorem."""
    before, after = written.strip().splitlines(), now.strip().splitlines()
    if before == after:
        return None
    return "\n".join(("findings/trust says something else:", *_differing(before, after), MEANING))


def _differing(before: list[str], after: list[str]) -> Iterator[str]:
    for line in difflib.unified_diff(before, after, lineterm="", n=0):
        if not line.startswith(("---", "+++", "@@")):
            yield f"  {line}"


def trusted() -> dict[str, str]:
    """The pages in findings/trust, by their names."""
    return {path.stem: path.read_text() for path in TRUST.glob("*.md")}


def section_of(name: str, page: str) -> str:
    """What a page of findings/trust says under a heading, with it; nothing where there is no such heading."""
    _, heading, rest = trusted().get(page, "").partition(f"\n## {markdown.text(name)}\n")
    return heading + rest.split("\n## ")[0]

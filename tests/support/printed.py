"""What a printed document has to be, whatever it says; and TRUST.md against what is proved here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from tests.support.places import ROOT

TRUST = ROOT / "TRUST.md"
MEANING = """
A line with - stands in TRUST.md, one with + is what was proved here, just now. That can mean:

- a row says `unknown`, or rests on one solver where it rested on two: a solver gave no answer here. Ask again,
  on a machine that is not busy: weightproof prove NAME --timeout 300
- a version in the last column or in the table of software differs: other versions than those of constraints.txt are
  installed; `make clean` and begin anew
- the hash of a construction differs: its weights, parameters, alphabet or formula were changed
- a verdict, a scope, a word or a statement differs: a theorem or the way in which it is proved was changed, or a fault
  was made or mended; find out which before anything else

If nothing in this checkout was changed, TRUST.md is right and something is wrong here: please report the lines above.
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
    return "\n".join(("TRUST.md says something else:", *_differing(before, after), MEANING))


def _differing(before: list[str], after: list[str]) -> Iterator[str]:
    for line in difflib.unified_diff(before, after, lineterm="", n=0):
        if not line.startswith(("---", "+++", "@@")):
            yield f"  {line}"


def section_of(name: str) -> str:
    """What TRUST.md says under a heading, with it; what is there instead where there is no such heading."""
    _, heading, rest = TRUST.read_text().partition(f"\n## {name}\n")
    return heading + rest.split("\n## ")[0]

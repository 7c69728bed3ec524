"""What a printed document has to be, whatever it says."""

from __future__ import annotations

import re


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

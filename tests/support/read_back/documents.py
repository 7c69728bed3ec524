"""The numbered equations of a document, read off its text: of LaTeX, and of Markdown."""

from __future__ import annotations

import re

from weightproof.symbolic.writing.breakable import Cases, Terms, Written

CASES = re.compile(r"\\begin\{cases\}(.*?)\\end\{cases\}", re.DOTALL)
FITTED = re.compile(r"\\fit\{[\d.]+em\}\{\$\\displaystyle \{\} ((?:(?!\\fit).)*)\$\}", re.DOTALL)
"""Of an equation of several lines each is scaled by itself."""
CONTINUED = re.compile(r"\\\\\[0ex\]|\\qquad\{\}")
"""The end of a line of a value, and the room before the next."""
TAG = re.compile(r"\\tag\{([A-Z.\d]+)\}(\\label\{[^}]*\})?")


def in_latex(text: str) -> dict[str, Written]:
    """Number -> the last right side."""
    found: dict[str, Written] = {}
    for body in re.findall(r"\\begin\{align\*\}(.*?)\\end\{align\*\}", text, re.DOTALL):
        found |= _numbered(body)
    return found


def in_markdown(text: str) -> dict[str, Written]:
    found: dict[str, Written] = {}
    for body in re.findall(r"```math\n(.*?)```", text, re.DOTALL):
        found |= _numbered(re.sub(r"\\(begin|end)\{aligned\}", "", body))
    return found


def _numbered(body: str) -> dict[str, Written]:
    cases: list[Cases] = []

    def aside(match: re.Match[str]) -> str:
        cases.append(_cases(match[1]))
        return rf"\cases{len(cases) - 1}."

    body = CASES.sub(aside, body)
    found: dict[str, Written] = {}
    equation = ""
    for row in re.split(r"\\\\\*?", body):
        if re.match(r"\s*&\\qquad \\text\{\\note", row):
            continue
        left, _, right = row.partition("&") if "&" in row else ("", "", row)
        equation = right if left.strip() else f"{equation} {right}"
        if number := TAG.search(equation):
            found[number[1]] = _last_side(TAG.sub("", equation).replace(r"\qquad{}", " "), cases)
            equation = ""
    return found


def _last_side(equation: str, cases: list[Cases]) -> Written:
    text = _sides(re.sub(FITTED, r"\1", equation))[-1].strip()
    if re.fullmatch(r"(\s*\\cases\d+\.)+", text) is None:
        return Terms((text,))
    return Cases(tuple(row for number in re.findall(r"\d+", text) for row in cases[int(number)].rows))


def _sides(equation: str) -> list[str]:
    """Between the signs of equality that stand in no brackets."""
    sides, depth = [""], 0
    for letter in re.findall(r"\\.|.", equation, re.DOTALL):
        depth += (letter in "{[(") - (letter in "}])")
        if letter == "=" and depth == 0:
            sides.append("")
        else:
            sides[-1] += letter
    return sides


def _cases(body: str) -> Cases:
    rows = []
    for row in re.split(r"\\\\\[2\.4ex\]|\\\\(?!\[)", body):
        value, where = re.split(r"&|\\\\\[0\.5ex\] \\qquad", row)
        rows.append(
            (
                CONTINUED.sub(" ", value).replace(r"\displaystyle", "").strip(),
                where.strip().removeprefix(r"\text{if } ").strip(),
            )
        )
    return Cases(tuple(rows))

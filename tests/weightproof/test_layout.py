"""How long formulas and wide matrices are broken, and text is escaped, without losing anything."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.printed import balanced
from weightproof.document import markdown, tex
from weightproof.document.blocks import Document, Heading, Line, Math, Matrix, equation
from weightproof.document.layout import blocks, broken, matrix_width, width
from weightproof.symbolic.writing.breakable import Cases, Terms
from weightproof.symbolic.writing.latex import label


def test_wide_matrices_are_cut_into_blocks_that_lose_nothing() -> None:
    columns = tuple(label(f"column {k}") for k in range(30))
    whole = Matrix("W", (label("a"), label("b")), columns, tuple(tuple(f"{r}{k}" for k in range(30)) for r in (1, 2)))
    parts = list(blocks(whole, 45.0))
    assert len(parts) > 3
    assert all(matrix_width(part) <= 45.0 for part in parts)
    assert tuple(column for part in parts for column in part.columns) == columns
    for row in (0, 1):
        assert tuple(entry for part in parts for entry in part.entries[row]) == whole.entries[row]


def test_long_formulas_are_broken_between_their_terms() -> None:
    terms = Terms(("x_{0}", *(rf"+ \frac{{x_{{{k}}}}}{{n + {k}}}" for k in range(1, 40))))
    rows = broken(equation("y", terms), 45.0)
    assert len(rows) > 3
    assert all(width(f"{row.left} {row.right}") <= 45.0 and row.width <= 45.0 for row in rows)
    assert [row.left for row in rows] == ["y", *[""] * (len(rows) - 1)]
    assert " ".join(row.right for row in rows).replace(r"\qquad{} ", "") == f"= {terms}"


def test_a_sum_without_limits_is_as_wide_as_its_sign() -> None:
    assert width(r"\sum x") == width(r"\sum_{j} x") == width("x") + 1.5


def test_cases_that_are_too_wide_have_their_conditions_below() -> None:
    cases = Cases((("a + " * 20 + "b", "c = " * 20 + "d"), ("0", r"\text{otherwise}")))
    [narrow] = broken(Line("x", (cases,)), 30.0)
    [wide] = broken(Line("x", (cases,)), 300.0)
    assert "&" in wide.right
    assert "&" not in narrow.right
    assert narrow.right.count(r"\\") == 3
    assert narrow.width < wide.width


def test_text_is_escaped_in_both_formats() -> None:
    odd = "50% of a_b & {c} \\ $x$ #1 ~ ^ <é> \u2603"
    assert tex.text(odd).isascii() is False  # the accented letter, which inputenc knows
    assert "U+2603" in tex.text(odd)
    assert balanced(tex.text(odd))
    assert r"a\_b" in markdown.text(odd)
    assert r"\$x\$" in markdown.text(odd)
    assert markdown.cell((Math("|x|"),)) == r"$`\vert x\vert `$"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_sections_have_letters_however_many_there_are(tmp_path: Path) -> None:
    sections = tuple((f"s{k}", (Heading(1, (f"section {k}",)),)) for k in range(80))
    (tmp_path / "many.tex").write_text(tex.latex(Document("many", (), sections)), encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "many.tex"], cwd=tmp_path, check=True, capture_output=True)
    letters = re.findall(r"numberline \{([A-Z]+)\}", (tmp_path / "many.toc").read_text(encoding="utf-8"))
    assert len(letters) == len(set(letters)) == 80
    assert [letters[k] for k in (0, 25, 26, 51, 52, 77, 78, 79)] == ["A", "Z", "AA", "AZ", "BA", "BZ", "CA", "CB"]

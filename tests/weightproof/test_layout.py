"""How long formulas and wide matrices are broken, and text is escaped, without losing anything."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from flint import fmpq

from tests.support.latex_reader import Reader
from tests.support.printed import balanced
from tests.support.read_back.documents import in_latex
from weightproof.appendix.appendix import derivation_alone
from weightproof.appendix.deriving import derived
from weightproof.constructions.scalars.exact import Real
from weightproof.document import markdown, tex
from weightproof.document.blocks import Document, Equations, Heading, Line, Math, Matrix, Table, equation
from weightproof.document.layout import blocks, broken, matrix_width, pieces, width
from weightproof.named import resolve
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


def test_a_part_of_a_wide_matrix_has_no_rows_of_zeros() -> None:
    """Unless it has no others."""
    columns = tuple(label(f"column {k}") for k in range(30))
    entries = tuple(tuple(str(k) if k // 10 == row else "0" for k in range(30)) for row in range(2))
    whole = Matrix("W", (label("a"), label("b")), columns, entries)
    parts = list(blocks(whole, 45.0))
    assert tuple(column for part in parts for column in part.columns) == columns
    shown = {
        (row, column, entry)
        for part in parts
        for row, entries in zip(part.rows, part.entries, strict=True)
        for column, entry in zip(part.columns, entries, strict=True)
    }
    for row, found in zip(whole.rows, entries, strict=True):
        for column, entry in zip(columns, found, strict=True):
            assert entry == "0" or (row, column, entry) in shown
    for part in parts:
        zeros = [set(each) == {"0"} for each in part.entries]
        assert not any(zeros) or zeros == [True, True]
    assert parts[0].rows == (label("a"),)
    assert parts[-1].rows == whole.rows
    [narrow] = blocks(Matrix("W", whole.rows, columns[:2], (("1", "2"), ("0", "0"))), 45.0)
    assert narrow.rows == whole.rows


def test_long_formulas_are_broken_between_their_terms() -> None:
    terms = Terms(("x_{0}", *(rf"+ \frac{{x_{{{k}}}}}{{n + {k}}}" for k in range(1, 40))))
    rows = broken(equation("y", terms), 45.0)
    assert len(rows) > 3
    assert all(width(f"{row.left} {row.right}") <= 45.0 and row.width <= 45.0 for row in rows)
    assert [row.left for row in rows] == ["y", *[""] * (len(rows) - 1)]
    assert " ".join(row.right for row in rows).replace(r"\qquad{} ", "") == f"= {terms}"


X = " + ".join(f"x^{{{k}}}" for k in range(2, 30))
MINUS = X.replace(" + ", " - ")
BELOW = rf"({X[:70]})\,({MINUS[:70]})^{{2}}"
PRODUCTS = " + ".join([r"2\,x"] * 20)
TOO_WIDE = {
    "a sum": X,
    "a numerator": rf"-\frac{{{X}}}{{3 x}}\,x",
    "a denominator": rf"\frac{{x - 1}}{{2 {BELOW}}}",
    "a sum of products below": rf"\frac{{{X}}}{{2\,x + x\,x^{{2}} - 3\,x\,(x + 1) + x\,x + 2\,x\,x^{{3}}}}",
    "only that": rf"\frac{{x}}{{{PRODUCTS}}}",
    "a difference above": rf"x - \frac{{{MINUS}}}{{x}} - \frac{{x}}{{{BELOW}}}\,\frac{{{X}}}{{2}}",
    "both": rf"1 - \frac{{{MINUS}}}{{{BELOW}}}",
    "a product": rf"x\,(x + 1 + \lvert {MINUS} \rvert)\,(x - ({X}))",
    "a bracket that grows": rf"x\,\left(\frac{{{MINUS}}}{{7}} + {X}\right)",
}


@pytest.mark.parametrize("kind", TOO_WIDE)
def test_a_formula_that_is_too_wide_comes_in_pieces_that_mean_the_same(kind: str) -> None:
    names = {"x": fmpq(3, 7)}

    def value(formula: str) -> Real:
        return Reader(formula, (), (), names, {}).value()

    formula = TOO_WIDE[kind]
    found = pieces(formula, 30.0)
    assert max(map(width, found)) <= 30.0 < width(formula) or found == [formula] == [TOO_WIDE["only that"]]
    assert all(each.count("{") == each.count("}") for each in found)
    assert value(" ".join(found)) == value(formula)
    assert pieces(formula, 1000.0) == [formula]
    cases = Cases(((formula, "n = 1"), ("0", r"\text{otherwise}")))
    [row] = broken(Line("y", (cases,)), 40.0)
    assert row.right.count(r"\\[0ex]") >= 1 or kind == "only that"


@pytest.mark.parametrize("wide", [False, True])
def test_cases_that_are_too_high_go_on_behind_another_brace(wide: bool) -> None:
    rows = tuple((X if wide else f"x + {k}", f"n = {k}") for k in range(60))
    cut = broken(Line("y", (Cases(rows),)), 40.0)
    assert len(cut) > 2
    assert [row.left for row in cut] == ["y", *[""] * (len(cut) - 1)]
    assert all(1 + row.right.count(r"\\") <= 24 and row.right.count(r"\begin{cases}") == 1 for row in cut)
    text = "".join(rf"{row.left} &{row.right} \\ " for row in cut).removesuffix(r" \\ ")
    [found] = in_latex(rf"\begin{{align*}}{text} \tag{{A.1}}\end{{align*}}").values()
    assert isinstance(found, Cases)
    assert [where for _, where in found.rows] == [where for _, where in rows]
    assert [value.split() for value, _ in found.rows] == [value.split() for value, _ in rows]


def test_lines_of_a_transformed_network_fit() -> None:
    """Whose fractions are twice as wide as a page."""
    source = resolve(
        "first-one-layer",
        ("fix:c=1", "scale-attention-by-log-length", "remove-centering", "layer-norm"),
    )
    told = derivation_alone(derived(source.construction))
    lines = [line for block in told if isinstance(block, Equations) for line in block.lines]
    assert len(lines) > 15
    assert max(row.width for line in lines for row in broken(line, 46.0)) <= 46.0


def test_a_sum_without_limits_is_as_wide_as_its_sign() -> None:
    assert width(r"\sum x") == width(r"\sum_{j} x") == width("x") + 1.5


def test_cases_that_are_too_wide_have_their_conditions_below() -> None:
    cases = Cases((("a + " * 20 + "b", "c = " * 20 + "d"), ("0", r"\text{otherwise}")))
    [narrow] = broken(Line("x", (cases,)), 30.0)
    [wide] = broken(Line("x", (cases,)), 300.0)
    assert "&" in wide.right
    assert "&" not in narrow.right
    assert narrow.right.count(r"\\[0.5ex] \qquad") == 2
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


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_fragments_bring_the_commands_that_they_use(tmp_path: Path) -> None:
    """Two in one document, and in each a fraction that is made smaller to fit its column."""
    wide = Math(rf"\frac{{{'x' * 80}}}{{y}}")
    part = tex.fragment((Table((("a",), ("b",)), (("1", wide),), (0.3, 0.7)),))
    assert r"\fit{\linewidth}" in part
    packages = "".join(rf"\usepackage{{{name}}}" for name in ("array", "longtable", "amsmath", "graphicx"))
    whole = rf"\documentclass{{article}}{packages}\begin{{document}}{part}{part}\end{{document}}"
    (tmp_path / "two.tex").write_text(whole, encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "two.tex"], cwd=tmp_path, check=True, capture_output=True)
    assert "Overfull" not in (tmp_path / "two.log").read_text(encoding="utf-8")


def test_a_fraction_whose_line_may_end_at_a_comma_is_not_made_smaller() -> None:
    vector = Math(rf"h = \frac{{1}}{{n}} ({'x' * 30}, {'y' * 30}, {'z' * 30})")
    assert r"\fit" in tex.cell(Math(vector.tex.replace(", ", "")), 25.0)
    assert r"\fit" not in tex.cell(vector, 25.0)

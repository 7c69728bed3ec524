"""Documents of derivations and proofs: complete, readable in both formats, the same at every run, built by LaTeX."""

from __future__ import annotations

import ast
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from constructions.library import load, load_file, names
from constructions.schema import Construction
from proofs.prove import proofs
from symbolic.derivation import Derivation
from symbolic.forward import derive
from symbolic.latex import Cases, Terms, label
from symbolic.latex_source import scalar
from weightproof import markdown, tex
from weightproof.appendix import Subject, derivation_alone, document, section
from weightproof.claiming import judged
from weightproof.cli import main
from weightproof.document import Equations, Line, Math, Matrix, equation
from weightproof.layout import blocks, broken, matrix_width, width
from weightproof.published import TITLE
from weightproof.sources import resolve
from weightproof.weights import weights

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.py"))
WIDEST_OVERFLOW = 3.0
"""Points by which a line may be too wide: less than the eye sees."""


@functools.cache
def derived(source: str) -> Derivation:
    return derive(load_file(Path(source)).construction if source.endswith(".py") else load(source))


ALL = [*names(), *(str(path) for path in EXAMPLES)]


def texts(data: Any) -> list[str]:
    """Every string inside a block."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, tuple):
        return [text for part in data for text in texts(part)]
    return [text for field in fields(data) for text in texts(getattr(data, field.name))] if is_dataclass(data) else []


def balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("source", ALL, ids=lambda source: Path(source).stem)
def test_every_step_is_told_with_its_rule(source: str) -> None:
    derivation = derived(source)
    told = derivation_alone(derivation)
    written = set(texts(told))
    for step in derivation.steps[:-1]:
        assert {step.rule, f"{step.rule}, "} & written, step.rule
    lines = [line for block in told if isinstance(block, Equations) for line in block.lines]
    assert next(line.number for line in lines if line.number) == "A.1"
    assert len([line for line in lines if line.number]) == 1 + len(derivation.all_sums)
    assert all(balanced(text) for text in written)


def rules() -> set[str]:
    """The rules that the symbolic reading can record, from its source."""
    found = set()
    for path in (ROOT / "symbolic").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step":
                rule = node.args[0]
                found |= {rule.value} if isinstance(rule, ast.Constant) else set()
    return found


def test_every_rule_occurs_in_some_derivation() -> None:
    told = {step.rule for source in ALL for step in derived(source).steps}
    assert len(rules()) >= 5
    assert rules() <= told


@pytest.mark.parametrize("name", names())
def test_every_nonzero_weight_stands_in_its_row_and_column(name: str) -> None:
    construction = load(name)
    matrices = [block for block in weights(construction) if isinstance(block, Matrix)]
    assert all(block.entries for block in matrices if block.rows)
    shown = {
        block.name: {
            (row, column): entry
            for row, entries in zip(block.rows, block.entries, strict=True)
            for column, entry in zip(block.columns, entries, strict=True)
        }
        for block in matrices
    }
    expected: dict[str, Any] = {}
    for number, layer in enumerate(construction.network.layers, start=1):
        for index, head in enumerate(layer.heads, start=1):
            for which, rows in (("Q", head.W_Q), ("K", head.W_K), ("V", head.W_V), ("O", head.W_O or {})):
                expected[f"W^{{{which},{number},{index}}}"] = rows
        if layer.feed_forward is not None:
            for place, part in ((1, layer.feed_forward.first), (2, layer.feed_forward.second)):
                expected[f"W^{{F,{number},{place}}}"] = part.weights
                assert shown[f"b^{{F,{number},{place}}}"] == {
                    (label(row), ""): scalar(value) for row, value in part.bias.items()
                }
    expected[r"W^{\mathrm{out}}"] = construction.network.readout.W.weights
    assert len(expected) > 2
    for name_, rows in expected.items():
        entries = {(label(row), label(c)): scalar(x) for row, columns in rows.items() for c, x in columns.items()}
        found = {where: entry for where, entry in shown.get(name_, {}).items() if entry != "0" or where in entries}
        assert found == entries, name_


def test_vectors_have_the_names_of_the_papers() -> None:
    """c^{l,i} after attention, a^{l,i} after the layer: Chiang and Cholak (2022), section 2.2.2."""
    rows = {block.name: block.rows for block in derivation_alone(derived("parity")) if isinstance(block, Matrix)}
    assert label("[w=1]") in rows["a^{0,i}"]
    assert label("k/n") not in rows["a^{0,i}"]  # which attention averages
    assert label("k/n") in rows["c^{1,i}"]
    assert label("[i=k]/n") not in rows["c^{1,i}"]  # which the feed-forward network adds
    assert label("[i=k]/n") in rows["a^{1,i}"]


def scores(derivation: Derivation) -> list[tuple[str, str]]:
    """Query times key, as told, with what comes out."""
    lines = [line for block in derivation_alone(derivation) if isinstance(block, Equations) for line in block.lines]
    return [(line.left, str(line.rights[-1])) for line in lines if line.note[:1] == ("scaled dot product",)]


def test_attention_is_told_from_query_and_key_on(tmp_path: Path) -> None:
    product = r"\frac{1}{\sqrt{d}}\,q^{2,1} \cdot K^{2,1}_"
    assert scores(derived("first")) == [(product + "{0}", "0"), (product + "{j}", r"c\,\mathbb{I}[j = 1]")]
    uniform = Path(__file__).parent / "examples" / "more_ones.py"
    assert scores(derived(str(uniform))) == []
    keys = """Head(W_Q={"q": {"[w=0]": 2}}, W_K={"q": {"[w=1]": 1}}, scale="1/3", """
    changed(uniform, "Head(", keys, tmp_path)
    leaning = derive(changed(tmp_path / "changed.py", '"CLS": {}', '"CLS": {"[w=0]": 1}', tmp_path))
    product = r"\frac{1}{3}\,q^{1,1} \cdot K^{1,1}_"
    assert scores(leaning) == [(product + "{0}", "0"), (product + "{j}", "0"), (product + "{j}", r"\frac{2}{3}")]
    text = markdown.markdown(derivation_alone(leaning))
    for symbol in "01":
        assert rf"*scaled dot product, $`w_{{j}} = \texttt{{{symbol}}}`$:*" in text


def changed(path: Path, old: str, new: str, folder: Path) -> Construction:
    text = path.read_text(encoding="utf-8")
    assert old in text
    (folder / "changed.py").write_text(text.replace(old, new), encoding="utf-8")
    return load_file(folder / "changed.py").construction


def test_a_changed_weight_changes_matrix_derivation_and_example(tmp_path: Path) -> None:
    path = Path(__file__).parent / "examples" / "more_ones.py"
    original, other = load_file(path).construction, changed(path, '"[w=1]": 1', '"[w=1]": 2', tmp_path)
    before, after = (section(Subject(c, derive(c)), "A") for c in (original, other))
    for kind in (Matrix, Equations):
        assert [b for b in before if isinstance(b, kind)] != [b for b in after if isinstance(b, kind)]
    assert tex.fragment(derivation_alone(derive(original))) != tex.fragment(derivation_alone(derive(other)))


def test_what_is_printed_is_told_with_its_verdict(tmp_path: Path) -> None:
    """Also of a user's file; a claim written wrongly on purpose is then false, and nothing else changes its verdict."""

    def verdicts(path: Path) -> dict[str, str]:
        source = resolve(str(path))
        text = markdown.markdown(section(Subject(source.construction, None, claims=judged(source)), "A"))
        assert_is_markdown(text)
        _, told = text.split(f"## {TITLE}\n")
        wrong = re.findall(
            r"^### Here, (.*): (false|ambiguous)\n\n(?:- .*\n)+?- replay: `weightproof (?:run|show) ", told, re.M
        )
        rows = dict(
            re.findall(r"^\| `(\S+)` \| here \| .* \| \**(true-under|true|false|ambiguous|unknown)\b.* \|$", told, re.M)
        )
        odd = {id: verdict for id, verdict in rows.items() if verdict in ("false", "ambiguous")}
        assert {id.replace("\\", ""): verdict for id, verdict in wrong} == odd
        return rows

    path = Path(__file__).parent / "examples" / "more_b.py"
    before = verdicts(path)
    assert Counter(before.values()) == {"true": 10, "false": 2, "true-under": 1, "ambiguous": 1, "unknown": 1}
    (tmp_path / "changed.py").write_text(
        path.read_text().replace(
            '\\max(0, k_b - k_a)/n$", Value(Logit(), UP)', '\\max(0, k_b - k_a)/n$", Value(Logit(), f"{UP}/2")'
        )
    )
    after = verdicts(tmp_path / "changed.py")
    assert {id for id in before if before[id] != after[id]} == {"s"}
    assert (before["s"], after["s"]) == ("true", "false")


def test_a_construction_without_closed_form_says_why(tmp_path: Path) -> None:
    path = Path(__file__).parent / "examples" / "more_ones.py"
    other = changed(path, "Head(", 'Head(normaliser="hardmax", ', tmp_path)
    text = markdown.markdown(section(Subject(other, None, "hardmax attention is not derived so far"), "A"))
    assert "There is no closed form: hardmax attention is not derived so far." in text
    assert "W^{V,1,1}" in text
    assert "## Worked example" in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_construction_never_seen_before_is_told_with_its_proofs(path: Path) -> None:
    file = load_file(path)
    subject = Subject(file.construction, derive(file.construction), "", tuple(proofs(file.construction, file.theorems)))
    [(_, told)] = document([subject]).sections
    for text in (tex.latex(document([subject])), markdown.markdown(told)):
        for part in ("Language and architecture", "Embeddings and weights", "Derivation", "Theorems", "Worked example"):
            assert part in text
    wrong = [proof for proof in subject.proofs or () if not proof.result.as_expected]
    assert ("planted" in path.stem) == bool(wrong)
    assert ("Refuted (expected: proved)" in markdown.markdown(told)) == bool(wrong)
    assert_is_markdown(markdown.markdown(told))


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


def run_command(*arguments: str, seed: str) -> bytes:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-m", "weightproof", *arguments], env=environment, capture_output=True, check=True, cwd=ROOT
    ).stdout


def test_two_runs_are_byte_identical() -> None:
    """Also where Python hashes differently; with proofs on two constructions, one direct and one by induction."""
    commands = (["derive", "--all", "--json"], ["derive", "one", "palindrome-margin", "--format", "latex"])
    for command in commands:
        first, second = (run_command(*command, seed=seed) for seed in ("1", "2"))
        assert first == second
        assert len(first) > 10_000


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_unusable_options_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert "name a directory" in refusal(capsys, "derive", "one", "-o", str(file))
    assert "name a directory" in refusal(capsys, "derive", "one", "-o", str(file / "below"))
    assert "text, latex, md" in refusal(capsys, "derive", "one", "--format", "pdf")
    assert "--output DIR" in refusal(capsys, "derive", "one", "--pdf")
    assert "leave out --format md" in refusal(capsys, "derive", "one", "--pdf", "--format", "md", "-o", str(tmp_path))
    assert "--json" in refusal(capsys, "derive", "one", "--json", "--format", "md")
    assert "--format text" in refusal(capsys, "derive", "one", "--steps", "--format", "latex")
    assert "--format text" in refusal(capsys, "derive", "one", "--steps", "--pdf", "-o", str(tmp_path))
    assert "nothing to derive" in refusal(capsys, "derive")
    example, again = (str(folder / EXAMPLES[0].name) for folder in (EXAMPLES[0].parent, tmp_path))
    shutil.copy(example, again)
    assert "rename a construction" in refusal(capsys, "derive", example, again, "-o", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install" in refusal(capsys, "derive", "one", "--pdf", "-o", str(tmp_path / "new"))


def test_the_json_has_the_derivation_as_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "one", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["latex"] == tex.fragment(derivation_alone(derived("one")))
    assert main(["derive", "one", "first", "--json"]) == 0
    both = json.loads(capsys.readouterr().out)["derivations"]
    assert [each["construction"] for each in both] == ["one", "first"]
    assert both[0] == alone


def test_markdown_has_a_file_for_each_construction_and_an_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["derive", "one", "first", "--format", "md", "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.md", "index.md", "one.md"]
    for name in ("one", "first"):
        text = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        assert f"({name}.md)" in (tmp_path / "index.md").read_text(encoding="utf-8")
        assert_is_markdown(text)
        assert all(f"a^{{{layer},i}}" in text for layer in range(len(load(name).network.layers) + 1))


def test_plain_text_goes_to_files_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "one", "--format", "text"]) == 0
    shown = capsys.readouterr().out
    assert main(["derive", "one", "--format", "text", "-o", str(tmp_path)]) == 0
    assert (tmp_path / "one.txt").read_text(encoding="utf-8") == shown


def test_an_unexpected_verdict_is_told_by_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in EXAMPLES if path.stem == "planted_mistake")
    assert main(["derive", str(path), "--format", "md"]) == 1
    assert f"weightproof run {path} '011'" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_document_of_everything_is_built(tmp_path: Path) -> None:
    examples = [str(path) for path in EXAMPLES if "planted" not in path.stem]
    assert main(["derive", "--all", *examples, "--output", str(tmp_path), "--pdf"]) == 0
    log = built(tmp_path)
    pages = re.search(r"Output written on derivations\.pdf \((\d+) pages", log)
    assert pages is not None
    assert int(pages[1]) > 40
    assert "Warning" not in re.sub(r"Package: infwarerr.*", "", log)


def built(folder: Path) -> str:
    """The log of a document that fits its pages and refers to what is there."""
    log = (folder / "derivations.log").read_text(encoding="utf-8", errors="replace")
    assert (folder / "derivations.pdf").read_bytes().startswith(b"%PDF")
    overflows = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)]
    assert [points for points in overflows if points > WIDEST_OVERFLOW] == []
    for trouble in ("LaTeX Warning: Reference", "LaTeX Warning: There were", "multiply defined", "Missing character"):
        assert trouble not in log
    return log


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_what_is_hard_to_print_fits_the_page_too(tmp_path: Path) -> None:
    from weightproof.pdf import build

    construction = load_file(Path(__file__).parent / "hard_to_print.py").construction
    whole = document([Subject(construction, derive(construction))])
    (tmp_path / "derivations.tex").write_text(tex.latex(whole), encoding="utf-8")
    build(tmp_path / "derivations.tex")
    built(tmp_path)
    assert_is_markdown(markdown.markdown(whole.sections[0][1]))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_pdf_is_the_same_at_every_run(tmp_path: Path) -> None:
    from weightproof.pdf import build

    subject = Subject(load("one"), derived("one"))
    written = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        source = tmp_path / folder / "derivations.tex"
        source.write_text(tex.latex(document([subject])), encoding="utf-8")
        build(source)
        written.append(source.with_suffix(".pdf").read_bytes())
    assert written[0] == written[1]

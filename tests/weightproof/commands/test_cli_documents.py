"""`weightproof derive` as documents: what it refuses, the files it writes, the same bytes every time, and the PDF."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import EXAMPLES, ROOT, TESTS
from tests.support.printed import assert_is_markdown
from weightproof.appendix.appendix import Findings, assembled, derivation_alone, document, letter
from weightproof.cli import main
from weightproof.constructions.library import load, load_file
from weightproof.document import markdown, tex
from weightproof.document.blocks import Equations, Heading, Line
from weightproof.subjects.registry import everything
from weightproof.symbolic.forward import derive
from weightproof.symbolic.writing.breakable import Terms

WIDEST_OVERFLOW = 3.0
"""Points by which a line may be too wide: less than the eye sees."""


def as_they_are() -> list[str]:
    """All that is derived, but for the transformed networks."""
    return [each.argument for each in everything("derive") if each.source is None or not each.source.transforms]


def run_command(*arguments: str, seed: str) -> bytes:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "weightproof", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, check=True, cwd=ROOT).stdout


@pytest.mark.controls
@pytest.mark.parametrize("command", [["derive", "dyck1-margin", "--format", "latex"], ["derive", "--json"]])
def test_two_runs_are_byte_identical(command: list[str]) -> None:
    """Also where Python hashes differently; all have proofs by induction among them."""
    asked = [*command, *([] if len(command) > 2 else as_they_are())]
    first, second = (run_command(*asked, seed=seed) for seed in ("1", "2"))
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
    assert alone["latex"] == tex.fragment(derivation_alone(derive(load("one"))))
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
@pytest.mark.controls
def test_the_document_of_everything_is_built(tmp_path: Path) -> None:
    examples = [str(path) for path in EXAMPLES if "planted" not in path.stem]
    assert main(["derive", *as_they_are(), *examples, "--output", str(tmp_path), "--pdf"]) == 0
    log = built(tmp_path)
    assert read_as_words(tmp_path) == []
    pages = re.search(r"Output written on derivations\.pdf \((\d+) pages", log)
    assert pages is not None
    assert int(pages[1]) > 40
    assert "Warning" not in re.sub(r"Package: infwarerr.*", "", log)


HARD = (
    ["palindrome-margin", "--with", "remove-centering", "--with", "layer-norm"],
    ["first", "--with", "fix:c=1", "--with", "scale-attention-by-log-length", "--with", "remove-centering", "--with",
     "layer-norm"],
    ["dyck1-margin", "--with", "remove-centering", "--with", "layer-norm:epsilon=0", "--with", "sharpen"],
    ["first", "--with", "set-weight:layer=2,head=1,part=W_V,row=s,column=[w=CLS],to=-1/4", "--with", "sharpen"],
)  # fmt: skip
"""Transformed networks whose lines are the longest."""


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.controls
@pytest.mark.parametrize("hard", HARD, ids=" ".join)
def test_the_longest_lines_of_transformed_networks_fit(hard: list[str], tmp_path: Path) -> None:
    assert shlex.join(hard) in {each.argument for each in everything("derive")}
    assert main(["derive", *hard, "--output", str(tmp_path), "--pdf"]) == 0
    assert r"\vbox" not in built(tmp_path)
    told = (tmp_path / "derivations.tex").read_text(encoding="utf-8")
    assert not re.search(r"holds \$\\texttt\{[^}]*,", told)  # a symbol, without the name of the step
    assert not re.search(r"\\textbf\{Step on [^}]", told)  # the symbol is code


def built(folder: Path) -> str:
    """The log of a document that refers to what is there, and fits its pages."""
    log = (folder / "derivations.log").read_text(encoding="utf-8", errors="replace")
    assert (folder / "derivations.pdf").read_bytes().startswith(b"%PDF")
    sections = [""]
    for line in (folder / "derivations.tex").read_text(encoding="utf-8").splitlines():
        found = re.match(r"\\section\{(.*)\}", line)
        sections.append(found[1] if found else sections[-1])
    overflows = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\).* at lines? (\d+)", log)
    assert len(overflows) == log.count("Overfull")
    wide = {sections[int(line)] for points, line in overflows if float(points) > WIDEST_OVERFLOW}
    assert wide == set()
    for trouble in ("LaTeX Warning: Reference", "LaTeX Warning: There were", "multiply defined", "Missing character"):
        assert trouble not in log
    return log


def read_as_words(folder: Path) -> list[str]:
    """What stands between dollars in a document that should be formulas."""
    return re.findall(r"\\\$\w.*", (folder / "derivations.tex").read_text(encoding="utf-8"))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_notes_on_notation_have_formulas(tmp_path: Path) -> None:
    assert main(["derive", "noisy-majority-as-printed", "--output", str(tmp_path), "--pdf"]) == 0
    built(tmp_path)
    assert read_as_words(tmp_path) == []
    assert "$n_0$, $n_1$ and $n_2$ are the numbers" in (tmp_path / "derivations.tex").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_every_output_of_an_argmax_over_tokens_fits_the_page(tmp_path: Path) -> None:
    """The last of them is nine times as wide as a page."""
    assert main(["derive", "noisy-majority-silent-2", "--output", str(tmp_path), "--pdf"]) == 0
    built(tmp_path)
    told = (tmp_path / "derivations.tex").read_text(encoding="utf-8")
    outputs = told[told.index("The other outputs are read off") : told.index("\\subsection{Theorems}")]
    assert outputs.count("\\mathrm{logit}") == 3


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_what_is_hard_to_print_fits_the_page_too(tmp_path: Path) -> None:
    from weightproof.document.tex import build

    construction = load_file(TESTS / "support" / "hard_to_print.py").construction
    whole = document([Findings(construction, derive(construction))])
    (tmp_path / "derivations.tex").write_text(tex.latex(whole), encoding="utf-8")
    build(tmp_path / "derivations.tex")
    built(tmp_path)
    assert_is_markdown(markdown.markdown(whole.sections[0][1]))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_what_is_higher_than_a_page_or_wider_is_all_there(tmp_path: Path) -> None:
    """TeX cuts off what it may not break, and says so in the log alone."""
    from weightproof.document.tex import build

    high = Line("x", (Terms(tuple(rf"+ y_{{{number}}}^{{{'2' * 40}}}" for number in range(400))),), ("a note",))
    wide = Line("x", (Terms((" ".join(f"e^{{R_{{2}}(0)\\,c\\,n^{{{number}}}}}" for number in range(30)),)),))
    blocks = (Heading(1, "set-weight:" + ",".join("part=WV" for _ in range(20))), Equations((high, wide)))
    source = tmp_path / "derivations.tex"
    source.write_text(tex.latex(assembled([("long", blocks)])), encoding="utf-8")
    build(source)
    log = built(tmp_path)
    assert "Overfull" not in log


def test_a_name_is_not_broken_at_its_end_or_between_quotes() -> None:
    assert tex.code("parity/") == r"\texttt{parity/}"
    assert tex.code("a/b") == r"\texttt{a/\allowbreak{}b}"
    assert tex.code("on ' '") == r"\texttt{on\ \allowbreak{}\char13{}~\char13{}}"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_sections_have_the_letters_that_their_theorems_have(tmp_path: Path) -> None:
    """Which LaTeX counts by itself."""
    sections = [(f"s{number}", (Heading(1, letter(number)),)) for number in range(60)]
    (tmp_path / "letters.tex").write_text(tex.latex(assembled(sections)), encoding="utf-8")
    run = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "letters.tex"]
    subprocess.run(run, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    listed = re.findall(r"\\numberline \{(\w+)\}(\w+)", (tmp_path / "letters.toc").read_text())
    assert len(listed) == 60
    assert all(counted == title for counted, title in listed)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_pdf_is_the_same_at_every_run(tmp_path: Path) -> None:
    from weightproof.document.tex import build

    subject = Findings(load("one"), derive(load("one")))
    written = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        source = tmp_path / folder / "derivations.tex"
        source.write_text(tex.latex(document([subject])), encoding="utf-8")
        build(source)
        written.append(source.with_suffix(".pdf").read_bytes())
    assert written[0] == written[1]

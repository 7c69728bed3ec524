"""A document as LaTeX: what pdflatex of a plain installation sets, with amsmath and hyperref, and its run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document import blocks
from weightproof.document.layout import HIGH_ROW, broken, matrix_width, packed, pieces, runs, width
from weightproof.symbolic.writing.latex import SPECIAL

ROOM = 45.0
"""Width of a line in em, less a margin for what `weightproof.document.layout` does not know."""

NEARLY = 42.0
"""Beyond this width, which is an estimate, a formula is measured by TeX, and made smaller where it does not fit."""

FIT = r"""\providecommand{\fit}[2]{\sbox2{#2}\ifdim\wd2>#1\resizebox{#1}{!}{\usebox2}\else\usebox2\fi}"""
"""What is made smaller where it is wider than the width."""
PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=2.2cm]{geometry}
\usepackage[fleqn]{amsmath}
\usepackage{amssymb}
\usepackage{array}
\usepackage{longtable}
\usepackage{graphicx}
\usepackage[hidelinks,bookmarksdepth=2]{hyperref}
% The same bytes at every run: no dates, no file names, no random identifiers.
\pdfinfoomitdate=1
\pdftrailerid{}
\pdfsuppressptexinfo=-1
\allowdisplaybreaks
\setlength{\mathindent}{1.5em}
\setlength{\jot}{5pt}
\AtBeginDocument{\setlength{\abovedisplayskip}{3pt plus 2pt}\setlength{\belowdisplayskip}{5pt plus 3pt}%
\setlength{\abovedisplayshortskip}{3pt plus 2pt}\setlength{\belowdisplayshortskip}{5pt plus 3pt}}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5ex plus 0.3ex}
\setlength{\emergencystretch}{4em}
\setlength{\lineskip}{2pt}\setlength{\lineskiplimit}{2pt} % fractions in lines of text do not touch
\setcounter{tocdepth}{1}
\makeatletter\@beginparpenalty=10000\makeatother % no page ends before a list or a short table
\renewcommand{\labelitemi}{$\bullet$}
\newcommand{\note}[1]{{\footnotesize\itshape #1}}
\makeatletter % after Z comes AA; numexpr rounds, and (2 s - 27) / 52 rounds to the whole part of (s - 1) / 26
\newcommand{\lettered}{\renewcommand{\thesection}{%
\ifnum\value{section}>26 \@Alph{\numexpr(2*\value{section}-27)/52\relax}\fi
\@Alph{\numexpr\value{section}-26*((2*\value{section}-27)/52)\relax}}}
\renewcommand{\numberline}[1]{\makebox[2em][l]{#1}}
\makeatother
"""

SHORT = 16
"""Rows of a table that is not broken."""
MOST_TOGETHER = 25
"""Rows of an equation that are kept on one page; a high one is as two."""
HYPHEN = r"\allowbreak{}"
"""Behind one, a name may be broken."""
BLANK = r"\char13{}\ \allowbreak{}\char13{}"
"""One between quotes, where nothing is broken."""
MATH_COMMA = re.compile(r", (?![^{}]*\})")
"""Where a vector in a line may be broken: after a comma that is in no braces."""
ROOMY = r"\hfil\allowbreak\hfilneg\rule[-2.2ex]{0pt}{5.4ex}"
"""Before a high formula: a line may end here, however short it is."""
GAP = 1.2
"""Between two columns of a table."""
RULE = r"\hline \noalign{\vskip 2pt}"
SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection", 4: "paragraph"}
LETTERS = {"·": r"$\cdot$", "≤": r"$\le$", "≥": r"$\ge$", "–": "--", "—": "---", "“": "``", "”": "''", "’": "'"}


def text(words: str) -> str:
    """Plain text, every character of it printable by pdflatex."""
    return "".join(_letter(letter) for letter in words.replace(">=", "≥").replace("<=", "≤"))


def _letter(letter: str) -> str:
    if letter.isascii():
        return {**SPECIAL, "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}.get(letter, letter)
    if letter in LETTERS:
        return LETTERS[letter]
    if unicodedata.decomposition(letter) and unicodedata.normalize("NFD", letter)[0].isascii():
        return letter  # an accented letter, which inputenc composes
    return rf"\texttt{{U+{ord(letter):04X}}}"


def code(words: str) -> str:
    """Text as it is typed, which may be broken where it is long."""
    parts = re.split(r"(?<=[A-Za-z0-9]-)(?=[A-Za-z0-9])", words)
    typed = HYPHEN.join("".join(map(_typed, part)) for part in parts)
    typed = typed.replace(BLANK, BLANK.replace(rf"\ {HYPHEN}", "~")).removesuffix(HYPHEN)
    return rf"\texttt{{{typed}}}"


def _typed(letter: str) -> str:
    """A character in the typewriter font, where ASCII is itself but for quotes, ligatures, and what is not in bold."""
    typed = {
        "'": r"\char13{}",
        "$": r"\char36{}",
        "-": "-{}",
        " ": r"\ \allowbreak{}",
        "<": "<",
        ">": ">",
        "|": "|",
        "\\": r"\char92{}",
    }
    may_break = r"\allowbreak{}" if letter in "/,=_]+" else ""
    return typed.get(letter, text(letter)) + may_break


def span(part: blocks.Span) -> str:
    match part:
        case blocks.Math(tex=tex):
            return f"${_breakable(tex)}$"
        case blocks.Code(text=words):
            return code(words)
        case blocks.Styled(text=words):
            return rf"\textbf{{{text(words)}}}" if part.is_bold else text(words)
        case blocks.Reference(number=number):
            return rf"(\ref{{eq:{number}}})"
        case blocks.Link(text=words):
            return text(words)
    return text(part)


def _breakable(formula: str) -> str:
    """After the commas of a vector."""
    return MATH_COMMA.sub(r",\\allowbreak ", formula)


def spans(parts: blocks.Text) -> str:
    return "".join(span(part) for part in blocks.spans(parts))


def latex(document: blocks.Document) -> str:
    """The whole file."""
    lines = [
        PREAMBLE + FIT,
        r"\begin{document}",
        rf"\begin{{center}}\LARGE\bfseries {text(document.title)}\end{{center}}",
        *(line for block in document.preface for line in _block(block)),
        *([r"\tableofcontents"] if len(document.sections) > 1 else []),
        r"\appendix\lettered",
    ]
    for number, (_, section) in enumerate(document.sections):
        lines += [r"\clearpage"] if number or len(document.sections) > 1 else []
        lines += _blocks(section)
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def fragment(section: tuple[blocks.Block, ...]) -> str:
    """Blocks without the file around them, and before them the command that they may use."""
    return "\n".join([FIT, *_blocks(section)]) + "\n"


def _blocks(section: tuple[blocks.Block, ...]) -> Iterator[str]:
    for block in runs(section):
        yield from _matrices(block) if isinstance(block, list) else _block(block)


def _block(block: blocks.Block) -> Iterator[str]:
    match block:
        case blocks.Heading(level=level, text=parts):
            yield f"\n\\{SECTIONS[level]}{{{_heading(parts)}}}"
        case blocks.Paragraph(text=parts):
            yield rf"\par {spans(parts)}"  # without an empty line, which would open a gap before a display
        case blocks.Items(items=items):
            yield r"\begin{itemize}\setlength{\itemsep}{0pt}"
            yield from (rf"\item {cell(item)}" for item in items)
            yield r"\end{itemize}"
        case blocks.Equations(lines=lines):
            yield from _equations(lines)
        case blocks.Matrix():
            yield from _matrices([block])
        case blocks.Table():
            yield from _table(block)


def _heading(parts: blocks.Text) -> str:
    """Formulas and code in headings have a plain twin for the bookmarks of the PDF; a list without blanks may be
    broken."""
    return "".join(map(_in_heading, blocks.spans(parts)))


def _in_heading(part: blocks.Span) -> str:
    match part:
        case blocks.Math(tex=tex):
            return rf"\texorpdfstring{{${tex}$}}{{{text(re.sub(r'[^A-Za-z0-9,]', '', tex))}}}"
        case blocks.Code(text=words):
            return rf"\texorpdfstring{{{code(words)}}}{{{text(words)}}}"
    return re.sub(r",(?=\S)", r"\\texorpdfstring{,\\hspace{0pt plus 3em}}{,}", span(part))


def _equations(lines: tuple[blocks.Line, ...]) -> Iterator[str]:
    left = max(width(line.left) for line in lines)
    yield r"\begin{align*}"
    yield " \\\\\n".join(_rows(line, left) for line in lines)
    yield r"\end{align*}"


def _rows(line: blocks.Line, left: float) -> str:
    """The rows of one line, which stay on one page with its number and its note, where a page holds them; left: in em,
    the width of the widest left side."""
    before = left - width(line.left)
    rows = broken(line, ROOM - before)
    texts = [f"{row.left} &{_fitting(row.right, before + row.width, ROOM - left)}" for row in rows]
    high = sum(1 + row.right.count(r"\\") + row.right.count(HIGH_ROW) for row in rows)
    if line.number is not None:
        texts[-1] += rf" \tag{{{line.number}}}\label{{eq:{line.number}}}"
    if line.note:
        note = rf"\note{{{spans(line.note)}}}"
        if line.number is None:
            texts[-1] += rf" \tag*{{{note}}}"
        else:
            texts.append(rf"&\qquad \text{{{note}}}")
    return (" \\\\*\n" if high <= MOST_TOGETHER else " \\\\\n").join(texts)


def _fitting(formula: str, wide: float, room: float) -> str:
    """A formula that may be too wide; in a box of its own, a sign that it begins with has nothing before it that would
    give it room."""
    return formula if wide <= NEARLY else rf"\fit{{{room:.1f}em}}{{$\displaystyle {{}} {formula}$}}"


def _matrices(matrices: Sequence[blocks.Matrix]) -> Iterator[str]:
    for row in packed(matrices, ROOM):
        yield r"\begin{equation*}"
        wide = sum(map(matrix_width, row))
        yield " \\qquad\n".join(_fitting(_array(matrix), wide, ROOM * matrix_width(matrix) / wide) for matrix in row)
        yield r"\end{equation*}"


def _array(matrix: blocks.Matrix) -> str:
    if not matrix.rows:
        return f"{matrix.name} = 0"
    rows = [" & ".join([row, *entries]) for row, entries in zip(matrix.rows, matrix.entries, strict=True)]
    gap = " \\\\[0.6ex]\n" if any(r"\frac" in row for row in rows) else " \\\\\n"
    header = ""
    if any(matrix.columns):
        header = " & ".join(["", *matrix.columns]) + " \\\\ \\hline\n\\rule{0pt}{2.4ex}"
    layout = f"{{@{{}}r|{'c' * len(matrix.columns)}@{{}}}}"
    return f"{matrix.name} \\quad \\begin{{array}}{layout}\n{header}{gap.join(rows)}\n\\end{{array}}"


def cell(parts: blocks.Text, room: float = ROOM) -> str:
    """Fractions as large as in a display, with room around them: in a line, those inside others could not be read."""
    return "".join(
        _roomy(part.tex, room) if isinstance(part, blocks.Math) and r"\frac" in part.tex else span(part)
        for part in blocks.spans(parts)
    )


def _roomy(formula: str, room: float) -> str:
    """Written so that LaTeX may break it where it is wider than the room, or smaller where that does not help."""
    parts = pieces(formula, room)
    if all(width(run) <= room for part in parts for run in MATH_COMMA.split(part)):
        return rf"{ROOMY}$\displaystyle {_breakable(' '.join(parts))}$"
    return rf"{ROOMY}\fit{{\linewidth}}{{$\displaystyle {formula}$}}"


def _table(table: blocks.Table) -> Iterator[str]:
    """One that is short stays on its page; rows with shares of the width may be high, and many of them too high."""
    short = not table.shares and len(table.rows) <= SHORT
    shares = table.shares or _shares(table)
    layout = "".join(
        rf">{{\raggedright\arraybackslash}}p{{\dimexpr {share:.3f}\linewidth-2\tabcolsep\relax}}" for share in shares
    )
    yield (
        rf"\begin{{center}}\begin{{tabular}}{{@{{}}{layout}@{{}}}}"
        if short
        else rf"\begin{{longtable}}{{@{{}}{layout}@{{}}}}"
    )
    yield RULE
    if table.header:
        yield " & ".join(rf"\textit{{{spans(part)}}}" for part in table.header) + rf" \\ {RULE}"
    if not short:
        yield r"\endhead \hline \endfoot"
    for row in table.rows:
        yield " & ".join(cell(part, share * ROOM - GAP) for part, share in zip(row, shares, strict=True)) + r" \\"
    yield r"\hline\end{tabular}\end{center}" if short else r"\end{longtable}"


def _shares(table: blocks.Table) -> list[float]:
    """How much of the width each column has: what it needs, cut down where that is too much in all."""
    rows = (*([table.header] if table.header else []), *table.rows)
    needs = [max(length(row[column]) for row in rows) + 2.5 for column in range(len(rows[0]))]
    if sum(needs) > ROOM:  # the widest columns are broken
        narrow = sum(need for need in needs if need <= ROOM / len(needs))
        wide = sum(1 for need in needs if need > ROOM / len(needs))
        needs = [need if need <= ROOM / len(needs) else (ROOM - narrow) / wide for need in needs]
    return [need / ROOM for need in needs]


def length(parts: blocks.Text) -> float:
    """About how wide a text is, in em."""
    total = 0.0
    for part in blocks.spans(parts):
        match part:
            case blocks.Math(tex=tex):
                total += width(tex)
            case blocks.Code(text=words):
                total += 0.53 * len(words)
            case blocks.Styled(text=words) | blocks.Link(text=words):
                total += 0.55 * len(words)
            case blocks.Reference(number=number):
                total += 0.5 * len(number) + 1.0
            case str():
                total += 0.5 * len(part)
    return total


PROGRAM = "pdflatex"
INSTALL = "on Debian and Ubuntu: apt-get install texlive-latex-base"
MOST_RUNS = 5
SECONDS = 300
"""For one run."""


def require() -> None:
    """InputError where there is no pdflatex."""
    if shutil.which(PROGRAM) is None:
        raise InputError(f"--pdf needs {PROGRAM}, which is not installed; {INSTALL}")


def build(source: Path) -> None:
    """Write the PDF of a file of LaTeX beside it; the same bytes for the same file.

    It is run until the references stand; what else it writes goes to a temporary directory, but for the log, which is
    kept. Raises InputError with the first complaint of LaTeX, which leaves no PDF.
    """
    require()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copy(source, work / source.name)
        environment = os.environ | {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "max_print_line": "10000"}
        command = [PROGRAM, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", source.name]
        for _ in range(MOST_RUNS):
            try:
                ended = subprocess.run(command, cwd=work, env=environment, capture_output=True, timeout=SECONDS)
            except subprocess.TimeoutExpired as error:
                raise InputError(f"{PROGRAM} did not end within {SECONDS} s on {source}") from error
            log = (work / source.with_suffix(".log").name).read_text(encoding="utf-8", errors="replace")
            if ended.returncode != 0:
                complaint = next((line for line in log.splitlines() if line.startswith("! ")), "! no reason given")
                raise InputError(f"{PROGRAM} failed on {source}: {complaint[2:]}")
            if not re.search(r"Rerun to get|Rerun LaTeX|Table widths have changed|There were undefined", log):
                break
        for ending in (".log", ".pdf"):
            write(source.with_suffix(ending), (work / source.with_suffix(ending).name).read_bytes())

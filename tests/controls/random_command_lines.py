"""Random command lines: known and unknown commands and options, odd words and values, and odd files."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.support.places import TESTS

EXAMPLES = [path.read_text(encoding="utf-8") for path in sorted((TESTS / "examples").glob("*.py"))]
# No power that a second change could raise to another one: a file is code, and Python itself would not end.
LITERALS = (
    "1", "0", "-1", "2", "'1/2'", "'-3/4'", "1", "2", "'2'", "'3/4'", "1/2", "1.5", "'1/0'", "'9**9**9'",
    "'log(0)'", "'sqrt(0 - 2)'", "'log(2)'", "'1/(n - 3)'", "'c'",
    "'i'", "'(i == 1)'", "'('", "''", "'\\x00'", "'é'", "'#'", "None", "()", "[]", "{}", "'CLS'", "'0'",
    "'w[n/2] == w[1]'",
    "\"count('1') == 1\"", "\"count('1', n*n) > 0\"", "'n >= 1'", "'last'", "'sum'", "float('nan')", "int('1' * 400)",
    "lambda: 0",
    "'hardmax'", "'-|dot|'", "True", "b''", "'exp(exp(9))'", "'n'", "'D'", "'2**i'", "'(i % 3 != 0)'", "'log(i)'",
)  # fmt: skip
GREETING = "hello"
WHOLE = (
    "", "\x00", "construction = 1", "construction = None\ntheorems = 3", "raise SystemExit(3)", "1/0", "\n  x",
    "import sys; sys.exit('no')", "raise RuntimeError('two\\nlines')", "def f(): return f()\nf()", "raise Exception",
    "assert False", "construction = [", "import nowhere", "exit()", "construction = type", "# coding: nonsense\n",
    "raise KeyError(chr(10))", "construction = property()", "raise BaseException('base')", "raise GeneratorExit",
    "raise UnicodeDecodeError('utf-8', b'', 0, 1, 'x')", f"print('{GREETING}')", "raise BrokenPipeError",
    "import this_",
)  # fmt: skip
ODD = ("", " ", "-", "---", "é", "\u202e", "0" * 300, "\t", "'", "nan", "-1", "1e9", "\udcff", "[bold]x[/bold]", "None")
NAMES = ("oen", "PARITY", "nonsense", "one.py", "/", "/dev/null", "a/b", ".", "..", *ODD)
WORDS = (
    "",
    "0",
    "1",
    "01",
    "0110",
    "2",
    "1{3}",
    "1{",
    "1{-1}",
    "(01){2}",
    "((",
    "1{2}{2}",
    "1{99}{0}",
    "0 1",
    "#",
    *ODD,
)
VALUES = (
    "c=1", "c=log(2)", "c=0", "c", "=", "c=", "c=1/0", "c=x", "D=1", "D=1/2", "c=9**9**9", "c=i", "c=10**400",
    "c==1", "c=((",
    "c=log(0)", "c=sqrt(0-1)", "c='1'", "c=w[1]", "c=count('1')", "c=(1 == 1)", "c=2**(1/2)", "c=1 % 0", *ODD,
)  # fmt: skip
SECONDS = ("0", "-1", "nan", "inf", "soon", "1", "1", "2", "0.5", "1e400")
OPTIONS = {
    "list": {"--json": None},
    "show": {"--json": None, "--dense": None, "--part": ("embedding", "layer-1", "layer-9", "readout", *ODD)},
    "run": {"--json": None, "--trace": None, "--param": VALUES, "--tolerance": ("0", "-1", "nan", "1e-7", "x")},
    "derive": {"--json": None, "--steps": None, "--format": ("text", "md", "latex", "nonsense", *ODD)},
    "prove": {"--json": None, "--timeout": SECONDS},
    "claims": {"--json": None, "--format": ("text", "md", "tex", "json", "nonsense", *ODD)},
    "precision": {
        "--json": None,
        "--max-length": ("0", "-1", "3", "x"),
        "--dtype": ("float12", "float32"),
        "--param": VALUES,
    },
}


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """The text of a file: an example with a few changes, most often; else anything."""
    kind = draw(st.sampled_from(("changed",) * 9 + ("whole", "text", "bytes")))
    if kind == "whole":
        return draw(st.sampled_from(WHOLE)).encode("utf-8", "surrogateescape")
    if kind == "text":
        return draw(st.text(max_size=60)).encode("utf-8", "surrogatepass")
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2, 3)))):
        text = draw(changed(text))
    return text.encode("utf-8", "surrogatepass")


@st.composite
def changed(draw: st.DrawFn, text: str) -> str:
    """A literal replaced, or a line left out or repeated, or a character changed."""
    import re

    spots = [match.span() for match in re.finditer(r"(?<![\w'\"])(\d+|\"[^\"\n]*\"|'[^'\n]*')", text)]
    how = draw(st.sampled_from(("literal", "literal", "literal", "literal", "left out", "repeated", "character")))
    if how == "literal" and spots:
        begin, end = draw(st.sampled_from(spots))
        return text[:begin] + draw(st.sampled_from(LITERALS)) + text[end:]
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    number = draw(st.integers(0, len(lines) - 1))
    if how == "left out":
        return "".join(lines[:number] + lines[number + 1 :])
    if how == "repeated":
        return "".join(lines[: number + 1] + lines[number:])
    place = draw(st.integers(0, len(text) - 1))
    return text[:place] + draw(st.characters()) + text[place + 1 :]


@st.composite
def command_lines(draw: st.DrawFn, path: str) -> list[str]:
    """Arguments; `path` is where the random file is."""
    command = draw(st.sampled_from(("show", "run", *OPTIONS) * 3 + ("shwo", "", "--help", "--bogus")))
    known = ("one", "first") if command in ("show", "run") else ()
    names = st.sampled_from((path,) * 12 + known * 2 + (draw(st.sampled_from(NAMES)),))
    rarely = st.integers(1, 12).map(lambda drawn: drawn == 12)
    arguments = [] if command == "list" or (draw(rarely) and command != "claims") else [draw(names)]
    if command == "run" and not draw(rarely):
        arguments.append(draw(st.sampled_from(WORDS)))
    for option, values in OPTIONS.get(command, {}).items():
        if draw(st.integers(1, 4)) == 4:
            arguments += [option] if values is None else [option, draw(st.sampled_from(values))]
    if draw(rarely):
        arguments.append(draw(st.sampled_from(("--bogus", "-x", *ODD))))
    if command == "precision" and "--max-length" not in arguments:
        arguments += ["--max-length", "4"]
    return [command, *arguments]

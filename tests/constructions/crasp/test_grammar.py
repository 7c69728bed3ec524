"""The notation: what is read as what, and what is refused, in one line with its place."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.constructions.crasp.drawn import drawn
from tests.constructions.crasp.languages import FOLDER
from weightproof.constructions.crasp.compiling import compiled_file
from weightproof.constructions.crasp.grammar import parsed, read_program
from weightproof.constructions.crasp.program import (
    And,
    Back,
    Comparison,
    Conditional,
    Difference,
    Extreme,
    Line,
    Multiple,
    Not,
    Number,
    Or,
    Program,
    Residue,
    Sum,
    Symbol,
    Truth,
    UpTo,
)
from weightproof.constructions.meaning.inputs import InputError

A, B, C = map(Symbol, "abc")


def program_of(text: str) -> Program:
    return parsed(text, Path("x.cr"))


READ = {
    '"a"': A,
    "Q_a(i)": A,
    "true || false": Or(Truth(True), Truth(False)),
    '!"a" && "b" || "c"': Or(And(Not(A), B), C),
    '"a" || "b" && "c"': Or(A, And(B, C)),
    '!("a" && "b")': Not(And(A, B)),
    "i % 3 == 2": Residue(3, 2),
    '# "a" > 0': Comparison(UpTo(A), ">", Number(0)),
    "# [j <= i] Q_a(j) > 0": Comparison(UpTo(A), ">", Number(0)),
    '#!"a" == 0': Comparison(UpTo(Not(A)), "==", Number(0)),
    '# ("a" || "b") != 1': Comparison(UpTo(Or(A, B)), "!=", Number(1)),
    '#[j < i] "a" <= 2': Comparison(UpTo(A, strict=True), "<=", Number(2)),
    '#[j == i - 12] "a" < 1': Comparison(Back(A, 12), "<", Number(1)),
    '#[j == i] "a" < 1': Comparison(Back(A, 0), "<", Number(1)),
    '2 * # "a" + 1 == 3': Comparison(Sum(Multiple(2, UpTo(A)), Number(1)), "==", Number(3)),
    "3 - 2 + 1 > 0": Comparison(Sum(Difference(Number(3), Number(2)), Number(1)), ">", Number(0)),
    "2 * 3 * 4 > 0": Comparison(Multiple(2, Multiple(3, Number(4))), ">", Number(0)),
    '(1 if "a" else 2 + 3) == 4': Comparison(Conditional(Number(1), A, Sum(Number(2), Number(3))), "==", Number(4)),
    "min(1, 2) >= max(3, 4)": Comparison(
        Extreme("min", Number(1), Number(2)), ">=", Extreme("max", Number(3), Number(4))
    ),
}


@pytest.mark.parametrize("text", READ)
def test_an_expression_is_read(text: str) -> None:
    assert program_of(f'#alphabet "a" "b" "c"\nD = {text}').definitions[-1].value == READ[text]


def test_lines_and_what_is_imported() -> None:
    program = program_of(
        "// counts\n\n#import pred\n#import pred4\n#import pos_even\n"
        'C(i) = # "a" // all of them\nP = C(i) > 1\nB = #[pred] P - #[pred4] P(j)\nD = pos_even && B == C'
    )
    assert (program.name, program.title, program.alphabet) == ("x", "counts", ("a",))
    assert [(each.name, each.line) for each in program.definitions] == [("C", 6), ("P", 7), ("B", 8), ("D", 9)]
    assert program.definitions[2].value == Difference(Back(Line("P", False), 1), Back(Line("P", False), 4))
    assert program.definitions[3].value == And(Residue(2, 0), Comparison(Line("B", True), "==", Line("C", True)))


def test_a_title_is_a_comment_in_the_first_line_without_the_name_of_the_file() -> None:
    titles = {"// x.cr: two as": "two as", "//two as": "two as", "// x.cr": "", "": "", " // a: b": "a: b"}
    assert {first: program_of(f'{first}\nD = "a"').title for first in titles} == titles


def test_the_alphabet_is_what_is_spoken_of_unless_it_is_given() -> None:
    assert program_of('D = "b" || "a"').alphabet == ("a", "b")
    assert program_of('#alphabet "c" "b" "a"\nD = "b"').alphabet == ("c", "b", "a")
    assert program_of('D = "(" || Q_)(i)').alphabet == ("(", ")")


REFUSED = {
    "": "defines nothing; write a line",
    "// nothing": "defines nothing; write a line",
    "D = true": 'speaks of no symbol, so that words are made of nothing; write #alphabet "a"',
    'D = # "a"': ":1:1: the last line, D, is a number",
    'D = "a': ':1:5: a symbol without its closing "',
    'D = "ab"': ':1:5: "ab" is no symbol; one is a single character',
    'D = ""': ':1:5: "" is no symbol',
    'D = "a" ∧ "b"': ":1:9: '∧' is not in the notation; write &&",
    'D := "a"': ":1:3: ':' is not in the notation; write =",
    "D = a": ":1:5: no line above is called a; there are: none",
    'D = "a"\nE = D && F': ":2:10: no line above is called F; there are: D",
    'D = "a"\nD = "b"': ":2:1: D is defined already",
    'min = "a"': ":1:1: min is no name of a line",
    '"a"': ':1:1: "a" is no name of a line',
    'D "a"': ":1:3: = is missing before",
    'D = "a" "b"': ':1:9: "b" is left over',
    'D = ("a"': ":1:9: ) is missing before the end of the line; brackets match",
    "D =": ":1:4: the end of the line stands where a truth value or a number is to begin",
    'D = "a" + 1 > 0': ":1:5: a truth value stands where a number is needed; count it",
    'D = !# "a" == 0': ":1:6: a number stands where a truth value is needed; compare it",
    'D = # "a" && "b"': ":1:5: a number stands where a truth value is needed",
    "D = # # true > 0": ":1:7: a number stands where a truth value is needed",
    'D = 0 < # "a" < 2': ":1:15: chained comparisons; join them by &&",
    'D = # "a" = 2': ":1:11: = defines a line; numbers are compared by ==",
    'D = # "a" * 2 > 0': ":1:11: only a number stands before *",
    'D = # "a" > -1': ":1:13: a number has no sign; write 0 - 1",
    'D = # "a" > 1234567': ":1:13: 1234567 is no number of up to 6 digits",
    'C = # "a" if "b"\nD = C > 0': ":1:17: else is missing before",
    'C = min(# "a")\nD = C > 0': ":1:14: , is missing before ); write min(C, D)",
    "D = i > 3": ":1:7: % is missing before >; of the position there are remainders alone",
    "D = i % 0 == 0": ":1:9: nothing has a remainder modulo 0",
    "D = i % 3 == 3": ":1:14: remainders modulo 3 are 0 to 2",
    'D = #[k <= i] "a" > 0': ":1:7: k is no imported predicate of two positions",
    'D = #[j > i] "a" > 0': ":1:7: positions are counted by [j <= i], [j < i] or [j == i - 3]",
    'D = #[j == i + 1] "a" > 0': ":1:14: ] is missing before +; a distance is a number",
    'D = #[pred] "a" > 0': ":1:7: pred is no imported predicate of two positions; write #import pred",
    "#import pred\nD = pred": ":2:5: pred is a predicate of two positions; write #[pred] ...",
    "#import prime": ":1:9: no predicate prime; there are pred, pred2, pred3, ... and pos_even",
    '#import pred\npred = "a"': ":2:1: pred is defined already",
    'D = "a"\nE = D(j)': ":2:7: D(j) is of another position: a line is at position i; write D(i)",
    'D = "a"\nE = # D(i) > 0': ":2:9: D(i) is of another position: what is counted is at position j; write D(j)",
    'D = "a"\nE = D(3)': ":2:7: D has a value at a position alone: D(i)",
    "D = Q_a(j)": ":1:5: Q_a(j) is of another position: a line is at position i; write Q_a(i)",
    "#alphabet": ":1:1: an alphabet has symbols, each once",
    '#alphabet "a" "a"': ":1:1: an alphabet has symbols, each once",
    '#alphabet "a"\n#alphabet "b"': ":2:1: a second #alphabet",
    '#alphabet "a"\nD = "b"': ":2:5: 'b' is none of the symbols of #alphabet: a; add it there",
    'D = "b"\n#alphabet "a"': ":2:1: 'b' is none of the symbols of #alphabet: a; add it there",
    f"D = {'(' * 50}true{')' * 50}": ": more than 40 brackets, ! and # inside of one another; name a part",
    f"D = {' && '.join(['true'] * 200)}": ":1:1: more than 200 words and signs",
    "\n" * 2000 + 'D = "a"': ": 2001 lines; at most 1000 are read",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_program_is_refused_in_one_line_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as refused:
        program_of(text)
    told = str(refused.value)
    assert told.startswith("x.cr:")
    assert REFUSED[text] in told
    assert "\n" not in told


def numbers(lines: int) -> str:
    """Each a choice of the one above: twice as many cases with each line."""
    chosen = [f"C{k} = C{k - 1} + {2**k} if # P{k} > {k} else C{k - 1}" for k in range(1, lines)]
    truths = [f'P{k} = # "a" > {k}' for k in range(lines)]
    return "\n".join(['C0 = # "a"', *truths, *chosen, f"D = C{lines - 1} > 3"])


UNCOMPILED = {
    "cases": (numbers(9), ":16: C6 has too many cases of conditionals, minima, maxima and distances; give parts of it"),
    "digits": (
        "\n".join(['C0 = # "a"', *(f"C{k} = 999999 * C{k - 1}" for k in range(1, 900)), "D = C899 > 3"]),
        ":18: C17 has a number of more than 100 digits; take smaller factors",
    ),
    "length": (
        "\n".join(['P0 = "a"', *(f"P{k} = # P{k - 1} > 1 || # P{k - 1} < # true - 1" for k in range(1, 9))]),
        ": the words that it accepts cannot be written as one formula: it is a formula of more than 2000 characters",
    ),
    "depth": (
        "\n".join(['P0 = "a"', *(f"P{k} = # P{k - 1} > 1" for k in range(1, 20))]),
        ": the words that it accepts cannot be written as one formula: too many counts stand inside of one another",
    ),
}


@pytest.mark.parametrize("what", UNCOMPILED)
def test_what_is_not_compiled_is_refused_by_name(what: str, tmp_path: Path) -> None:
    text, said = UNCOMPILED[what]
    path = tmp_path / "x.cr"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        compiled_file(path)
    assert str(refused.value).startswith(str(path))
    assert said in str(refused.value)


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.cr: no such file; name a C-RASP program"):
        read_program(tmp_path / "none.cr")
    (tmp_path / "bytes.cr").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="name a C-RASP program"):
        read_program(tmp_path / "bytes.cr")


SIGNS = [
    "(",
    ")",
    "#",
    "!",
    "&&",
    "||",
    "==",
    "=",
    "*",
    "+",
    "-",
    "<",
    "[",
    "]",
    "i",
    "j",
    "%",
    "if",
    "else",
    "min",
    ",",
]
SIGNS += ['"a"', '"b"', "D", "P0", "7", "#import", "#alphabet", "pred", "Q_a(j)", "é", "//", "\n", "\t", '"']


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_written_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    """Texts with pieces cut out, doubled, and put in."""
    random, path = Random(seed), tmp_path / "x.cr"
    sources = [each.read_text() for each in sorted(FOLDER.glob("*.cr"))]
    read = 0
    for _ in range(60):
        text = random.choice((*sources, drawn(random)))
        for _ in range(random.randrange(3)):
            start = random.randrange(len(text) + 1)
            end = min(len(text), start + random.randrange(4))
            text = text[:start] + random.choice(("", f" {random.choice(SIGNS)} ", text[start:end] * 2)) + text[end:]
        path.write_text(text)
        try:
            compiled_file(path)
            read += 1
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - each of many
    assert read > 10

"""Formulas as MathML, which a browser sets by itself: converted when a page is made, so that the page runs no program
for them. What the converter does not know is an error, and never left in the page as TeX.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from weightproof.symbolic.writing.latex import SPECIAL

CONVERTER = "latex2mathml"
TEXT = re.compile(r"\\(texttt|mathtt|text|textbf)\{((?:[^{}\\]|\\.|\{\})*)\}")
"""A command of text, with what it sets: escapes, and braces that end a command, but no commands with arguments."""
LETTERS = {written: letter for letter, written in SPECIAL.items()} | {r"\ ": " "}
TYPED = re.compile("|".join(re.escape(written) for written in sorted(LETTERS, key=len, reverse=True)))
GAP = re.compile(r"\\\\\[[^\]]*\]")
"""The end of a row with more room behind it, of which the converter makes a formula."""
SIZE = re.compile(r"\\displaystyle\b ?")
"""In a cell; the style sheet says it there."""
LINES = {r"\begin{aligned}": r"\begin{array}{rl}", r"\end{aligned}": r"\end{array}"}
"""Of environments, one that the converter does not know, by what is the same there."""
FUNCTION = re.compile(r"\\operatorname(?=\{[A-Za-z]+\})")
"""Of a name before its argument in brackets the converter makes a sign, with room on either side."""
BARS = {
    "l": ("\uf8f0", '<mo form="prefix" fence="true" stretchy="false">|</mo>'),
    "r": ("\uf8f1", '<mo form="postfix" fence="true" stretchy="false">|</mo>'),
}
"""Of bars, which the converter takes for relations: what stands for one while the rest is converted, and the bar."""
BAR = re.compile(r"\\([lr])vert(?![A-Za-z])")
BEFORE = r"\(|\[|&#x000(?:28|2C|3C|3D|3E|5B|7B);|&#x0(?:00B7|2227|2260|2264|2265);"
"""Brackets that open, a comma, relations, a dot, "and"."""
SIGNED = re.compile(rf"(<mo[^>]*>(?:{BEFORE})</mo>|{re.escape(BARS['l'][1])})<mo>&#x02212;</mo>")
"""A minus behind one of these, which is the sign of what follows: that of a difference has room on either side."""
ENVIRONMENT = re.compile(r"\\begin\{([^}]*)\}")
ENVIRONMENTS = frozenset({"aligned", "array", "cases", "matrix", "pmatrix", "bmatrix"})
PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3}
"""How many an element has."""
FIRST = 0xE000
"""Of the characters for private use, which stand for texts while the rest is converted."""
LEFT_OVER = re.compile(r"\\[A-Za-z]+|\\.|&(?!#?\w+;)")
"""What no formula shows: a command that was not known, or a mark between columns where there are none."""
TAG = re.compile(r"<[^>]*>")


class Unconvertible(ValueError):
    """A formula that cannot be MathML; one line that says which, and why."""


def mathml(tex: str, display: bool = False) -> str:
    """A formula as an element of its own; display: on a line of its own. Unconvertible names what is not known."""
    return _math(inside(tex), display)


def spoken(tex: str) -> str:
    """The letters and signs of a formula, one after the other, where no formula can stand."""
    return " ".join("".join(ElementTree.fromstring(f"<math>{inside(tex)}</math>").itertext()).split())


def aligned(rows: Sequence[tuple[str, str]]) -> str:
    """Lines of a left and a right side each, one beneath the other, as one formula on lines of its own."""
    if len(rows) == 1:
        return mathml(" ".join(rows[0]), display=True)
    cells = "".join(f"<mtr><mtd>{inside(left)}</mtd><mtd>{inside(right)}</mtd></mtr>" for left, right in rows)
    return _math(f'<mtable class="aligned">{cells}</mtable>', True)


def _math(content: str, display: bool) -> str:
    return f'<math display="block">{content}</math>' if display else f"<math>{content}</math>"


@functools.lru_cache(1 << 14)
def inside(tex: str) -> str:
    """What stands within the element: one row."""
    from latex2mathml.converter import convert

    if not tex.strip():
        return "<mrow></mrow>"
    if strange := {*ENVIRONMENT.findall(tex)} - ENVIRONMENTS:
        raise Unconvertible(f"{tex}: no environment {min(strange)!r} is known")
    texts: list[str] = []

    def kept(found: re.Match[str]) -> str:
        texts.append(TYPED.sub(lambda each: LETTERS[each[0]], found[2]))
        return rf"\{found[1]}{{{chr(FIRST + len(texts) - 1)}}}"

    plain = SIZE.sub("", GAP.sub(r"\\\\", TEXT.sub(kept, FUNCTION.sub(r"\\text", tex))))
    plain = BAR.sub(lambda bar: BARS[bar[1]][0], plain)
    for unknown, same in LINES.items():
        plain = plain.replace(unknown, same)
    try:
        written = convert(plain)
    except Exception as error:  # it raises whatever its parser comes upon
        raise Unconvertible(f"{tex}: {type(error).__name__} {error}".rstrip()) from error
    if (left_over := LEFT_OVER.search(TAG.sub("", written))) is not None:
        raise Unconvertible(f"{tex}: {CONVERTER} does not know {left_over[0]}")
    body = written[written.index(">") + 1 : written.rindex("<")]
    for letter, bar in BARS.values():
        body = body.replace(f"<mi>{letter}</mi>", bar)
        if letter in body:
            raise Unconvertible(f"{tex}: {CONVERTER} does not know a bar there")
    body = SIGNED.sub(r'\1<mo form="prefix">&#x02212;</mo>', body)
    for number, text in enumerate(texts):
        body = body.replace(chr(FIRST + number), html.escape(text, quote=False).replace(" ", "&#xA0;"))
    try:
        made = ElementTree.fromstring(f"<math>{body}</math>")
    except ElementTree.ParseError as error:
        raise Unconvertible(f"{tex}: {error}") from error
    if lacking := [each.tag for each in made.iter() if len(each) != PARTS.get(each.tag, len(each))]:
        raise Unconvertible(f"{tex}: {lacking[0]} has too few parts, or too many")
    return body

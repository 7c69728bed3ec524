"""Formulas for three kinds of paper: lines of words with TeX between dollar signs, as plain text, Markdown and TeX;
expressions of the data as TeX."""

from __future__ import annotations

import re

from constructions.expressions import ExpressionError, expression
from symbolic.latex_source import source

SYMBOLS = {
    "alpha": "α", "sigma": "σ", "pi": "π", "Theta": "Θ", "sum": "Σ", "in": "∈", "to": "→", "cdot": "·", "times": "×",
    "le": "≤", "ge": "≥", "ne": "≠", "wedge": "∧", "forall": "∀", "dots": "…", "cdots": "…", "iff": "⇔", "bar": "~",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "left": "", "right": "", "top": "T", "lvert": "|",
    "rvert": "|", "ln": "ln", "log": "log", "exp": "exp", "cos": "cos", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "max": "max",
}  # fmt: skip
"""The macros that printed formulas may use, beside \\frac and \\sqrt."""
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.")


class FormulaError(ValueError):
    """A formula with a macro that plain text has no form for."""


def parts(line: str) -> list[tuple[bool, str]]:
    """The pieces of a line, each with whether it is a formula."""
    return [(number % 2 == 1, piece) for number, piece in enumerate(line.split("$")) if piece]


def plain(line: str) -> str:
    """A line of words and formulas as plain text; raises FormulaError for a macro that is not known."""
    return "".join(_formula(piece) if is_formula else piece for is_formula, piece in parts(line))


def markdown(line: str) -> str:
    """The line with formulas as GitHub sets them, safe in a table."""
    return "".join(f"$`{piece}`$" if is_formula else _escaped(piece) for is_formula, piece in parts(line))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def tex(line: str) -> str:
    """The line for a LaTeX document; vectors may be broken after a comma."""
    return "".join(
        "$" + piece.replace(", ", ",\\allowbreak ") + "$" if is_formula else tex_text(piece)
        for is_formula, piece in parts(line)
    )


def tex_text(text: str) -> str:
    """Plain words for a LaTeX document."""
    named = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\(<\)",
             ">": r"\(>\)", "|": r"\(|\)", "'": r"\textquotesingle{}"}  # fmt: skip
    return re.sub(r"[\\^~<>|'&%$#_{}]", lambda found: named.get(found[0], "\\" + found[0]), text)


def _formula(source: str) -> str:
    tokens = TOKEN.findall(source)
    text, rest = _sequence(tokens, 0)
    if rest != len(tokens):
        raise FormulaError(f"{source!r}: a brace too many")
    return text


def _sequence(tokens: list[str], place: int) -> tuple[str, int]:
    """The text up to a closing brace or the end."""
    text = ""
    while place < len(tokens) and tokens[place] != "}":
        part, place = _item(tokens, place)
        text += part
    return text, place


def _item(tokens: list[str], place: int) -> tuple[str, int]:
    token = tokens[place]
    if token == "{":
        text, place = _sequence(tokens, place + 1)
        if place >= len(tokens):
            raise FormulaError("a brace is not closed")
        return text, place + 1
    if token in "^_":
        text, place = _item(tokens, place + 1)
        return token + (text if re.fullmatch(r"\w", text) else f"({text})"), place
    if token == "\\frac":
        above, place = _argument(tokens, place + 1)
        below, place = _argument(tokens, place)
        return f"{_bound(above)}/{_bound(below)}", place
    if token == "\\sqrt":
        text, place = _argument(tokens, place + 1)
        return f"√{_bound(text)}", place
    if token.startswith("\\"):
        if token[1:] not in SYMBOLS:
            raise FormulaError(f"{token} has no plain text")
        return SYMBOLS[token[1:]], place + 1
    return token, place + 1


def _argument(tokens: list[str], place: int) -> tuple[str, int]:
    while tokens[place] == " ":
        place += 1
    return _item(tokens, place)


def _bound(text: str) -> str:
    return text if re.fullmatch(r"[\w^]+|\([^()]*\)", text) else f"({text})"


def expression_tex(text: str) -> str | None:
    """An expression of the data as a TeX formula; None for what is no expression."""
    try:
        return source(expression(text))
    except ExpressionError:
        return None

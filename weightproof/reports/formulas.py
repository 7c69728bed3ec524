"""Printed lines with TeX between dollar signs, in pieces and as plain text; expressions of the data as TeX."""

from __future__ import annotations

import re

from weightproof.constructions.scalars.expressions import ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.symbolic.writing.latex_source import source

SYMBOLS = {
    "alpha": "α", "beta": "β", "delta": "δ", "epsilon": "ε", "eta": "η", "lambda": "λ", "phi": "φ", "omega": "ω",
    "Delta": "Δ", "leq": "≤", "geq": "≥", "neq": "≠", "langle": "⟨", "rangle": "⟩", "mathbb": "",
    "sigma": "σ", "pi": "π", "Theta": "Θ", "sum": "Σ", "in": "∈", "to": "→", "cdot": "·", "times": "×",
    "le": "≤", "ge": "≥", "ne": "≠", "wedge": "∧", "forall": "∀", "dots": "…", "cdots": "…", "iff": "⇔",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "left": "", "right": "", "top": "T", "lvert": "|",
    "rvert": "|", "ln": "ln", "log": "log", "exp": "exp", "cos": "cos", "sin": "sin", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "max": "max", "Sigma": "Σ", "cup": "∪", "{": "{", "}": "}", "gamma": "γ", "mu": "μ", "ell": "ℓ",
    "infty": "∞", "odot": "⊙", "mod": "mod", "emptyset": "∅", "subseteq": "⊆", "setminus": "∖",
    "varphi": "φ", "theta": "θ", "varepsilon": "ε",
}  # fmt: skip
"""The macros that printed formulas may use, beside \\frac, \\sqrt and accents."""
ACCENTS = ("bar", "overline", "tilde")
"""Plain text has one form for all of them, before what they stand over."""
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.")


class FormulaError(ValueError):
    """A formula that plain text has no form for."""


def parts(line: str) -> list[tuple[bool, str]]:
    """The pieces of a line, each with whether it is a formula."""
    return [(number % 2 == 1, piece) for number, piece in enumerate(line.split("$")) if piece]


def plain(line: str) -> str:
    """A line of words and formulas as plain text; raises FormulaError for a macro that is not known, and where
    something is missing."""
    return "".join(_formula(piece) if is_formula else piece for is_formula, piece in parts(line))


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
    if place >= len(tokens):
        raise FormulaError(f"nothing stands behind {tokens[-1]}")
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
    if token[1:] in ACCENTS:
        text, place = _argument(tokens, place + 1)
        return f"~{_bound(text)}", place
    if token.startswith("\\"):
        if token[1:] not in SYMBOLS:
            raise FormulaError(f"{token} has no plain text")
        return SYMBOLS[token[1:]], place + 1
    return token, place + 1


def _argument(tokens: list[str], place: int) -> tuple[str, int]:
    while tokens[place : place + 1] == [" "]:
        place += 1
    return _item(tokens, place)


def _bound(text: str) -> str:
    """In brackets, unless it is one symbol, with what stands above and below it, or a number: 1/2n would be n/2."""
    return text if re.fullmatch(r"\d+|\w([\^_](\w|\([^()]*\)))*|\([^()]*\)", text) else f"({text})"


def expression_tex(text: str) -> str | None:
    """An expression of the data as a TeX formula; None for what is no expression."""
    try:
        return source(expression(text))
    except ExpressionError:
        return None

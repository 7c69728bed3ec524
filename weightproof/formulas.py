"""Formulas for three kinds of paper: lines of words with TeX between dollar signs, as plain text, Markdown and TeX;
expressions of the data as TeX."""

from __future__ import annotations

import ast
import re

from constructions.expressions import COMPARE, ExpressionError, expression

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
        return _tex(expression(text).tree)
    except ExpressionError:
        return None


RELATIONS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}


def _tex(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(symbol)):
            return rf"\mathtt{{{tex_text(symbol)}}}"
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id="pi"):
            return r"\pi"
        case ast.Name(id=name):
            return re.sub(r"^([A-Za-z]+)(\d+)$", r"\1_{\2}", name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_factor(operand)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return rf"\neg ({_tex(operand)})"
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\frac{{{_tex(left)}}}{{{_tex(right)}}}"
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            simple = isinstance(left, ast.Name | ast.Constant)
            return f"{_tex(left) if simple else f'({_tex(left)})'}^{{{_tex(right)}}}"
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            both = f"{_factor(left)} {_factor(right)}"
            return both if not _factor(right)[:1].isdigit() else rf"{_factor(left)} \cdot {_factor(right)}"
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return rf"{_factor(left)} \bmod {_factor(right)}"
        case ast.BinOp(left=left, op=op, right=right):
            sub = isinstance(op, ast.Sub)
            return f"{_tex(left)} {'-' if sub else '+'} {_factor(right) if sub else _tex(right)}"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return rf"{_tex(left)} {RELATIONS[COMPARE[type(op)]]} {_tex(right)}"
        case ast.BoolOp(op=op, values=values):
            return (r" \wedge " if isinstance(op, ast.And) else r" \vee ").join(
                f"({_tex(value)})" if isinstance(value, ast.BoolOp) else _tex(value) for value in values
            )
        case ast.Subscript(slice=index):
            return f"w_{{{_tex(index)}}}"
        case ast.Call(func=ast.Name(id="count"), args=[symbol, *rest]):
            return rf"\#_{{{_tex(symbol)}}}" + (f"({_tex(rest[0])})" if rest else "")
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return rf"\sqrt{{{_tex(argument)}}}"
        case ast.Call(func=ast.Name(id="exp"), args=[argument]):
            return f"e^{{{_tex(argument)}}}"
        case ast.Call(func=ast.Name(id="sum" | "all" | "any" as which), args=[ast.GeneratorExp() as body]):
            sign = {"sum": r"\sum", "all": r"\forall", "any": r"\exists"}[which]
            place = ast.unparse(body.generators[0].target)
            return rf"{sign}_{{{place}}} {_factor(body.elt)}"
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return rf"\{name}({_tex(argument)})"
    raise ExpressionError(f"{ast.unparse(node)} has no TeX")


def _factor(node: ast.expr) -> str:
    """As a factor: sums in parentheses, truths in brackets."""
    if isinstance(node, ast.Compare | ast.BoolOp):
        return f"[{_tex(node)}]"
    loose = isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub))
    return f"({_tex(node)})" if loose else _tex(node)

"""Reads the LaTeX that the program writes, as a tree of the expression language: independent of how it was written.

Letters with an index are names, k_a and w_i speak of the word, everything side by side is a product, and what is not
known is refused. A bracket stands in front of the product that it is a factor of.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Mapping, Sequence

from tests.support.read_back.points import Point
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import kind

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+|[A-Za-z]|\S")
COMPARE: dict[str, type[ast.cmpop]] = {
    "=": ast.Eq, r"\ne": ast.NotEq, "<": ast.Lt, r"\le": ast.LtE, ">": ast.Gt, r"\ge": ast.GtE,
}  # fmt: skip
FUNCTION = re.compile(r"\\(cos|sin|tanh|sinh|cosh|log|relu)")
GREEK = "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|chi|psi|omega"
FACTOR = re.compile(rf"\\(frac|sqrt|mathbb|lvert|sum|pi|typed|words|{GREEK})|{FUNCTION.pattern}")
SIZES = {r"\left", r"\right", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\displaystyle"}
SET_ASIDE = {"texttt": "token", "text": "words", "mathrm": "words", "mathtt": "typed"}
ASIDE = re.compile(rf"\\({'|'.join(SET_ASIDE)})\{{((?:[^{{}}\\]|\\[A-Za-z]+\{{\}}|\\.(?:\{{\}})?)*)\}}")
SPECIAL = {r"\textbackslash{}": "\\", r"\^{}": "^", r"\~{}": "~", r"\textvisiblespace{}": " "}
WRITTEN = re.compile("|".join([*map(re.escape, SPECIAL), r"\\[^A-Za-z]"]))


EULER = "Euler's number"
RESIDUES = {"even": 0, "odd": 1, "mod": None}


class Unread(ValueError):
    """A text that is not in the language of this reader."""


class Reader:
    """One formula on one marked word; names holds n, i, parameters and sums S1, S2, ..., scales the functions R1."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[str],
        symbols: Sequence[str],
        names: Mapping[str, Real],
        scales: Mapping[str, Callable[[Real], Real]] | None = None,
    ) -> None:
        self.text, self.point = text, Point(tokens, symbols, names, scales or {})

    def value(self) -> Real:
        return self.point.value(number(self.text))

    def truth(self) -> bool:
        return self.point.truth(formula(self.text))


@functools.cache
def number(text: str) -> ast.expr:
    return _whole(text, _Translator.sum)


@functools.cache
def formula(text: str) -> ast.expr:
    return _whole(text, _Translator.formula)


def _whole(text: str, read: Callable[[_Translator], ast.expr]) -> ast.expr:
    translator = _Translator(text)
    result = read(translator)
    if translator.peek():
        raise Unread(f"left over: {' '.join(translator.parts[translator.place :])}")
    return result


def _plain(text: str) -> str:
    """A text inside braces, as it is seen."""
    return WRITTEN.sub(lambda found: SPECIAL.get(found[0], found[0][1:]), text)


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(function), list(arguments), [])


def _compared(left: ast.expr, op: type[ast.cmpop], right: ast.expr) -> ast.expr:
    return ast.Compare(left, [op()], [right])


def _either(ways: list[ast.expr], op: type[ast.boolop]) -> ast.expr:
    return ways[0] if len(ways) == 1 else ast.BoolOp(op(), ways)


class _Translator:
    def __init__(self, text: str) -> None:
        self.texts: list[str] = []
        text = ASIDE.sub(self._aside, text.replace(r"\sqcup", r"\texttt{ }"))
        text = re.sub(r"(?<!\\)\\[ ,]", " ", text)
        text = re.sub(r"\\operatorname\{(\w+)\}", r"\\\1", text)
        self.parts = [part for part in TOKEN.findall(text) if part not in SIZES]
        self.place = 0

    def _aside(self, found: re.Match[str]) -> str:
        self.texts.append(_plain(found[2]))
        return rf"\{SET_ASIDE[found[1]]} {{{len(self.texts) - 1}}}"

    def peek(self, ahead: int = 0) -> str:
        return self.parts[self.place + ahead] if self.place + ahead < len(self.parts) else ""

    def take(self, *wanted: str) -> str:
        part = self.peek()
        if not part or (wanted and part not in wanted):
            raise Unread(f"{' or '.join(wanted)} expected, not {part!r}, before {' '.join(self.parts[self.place :])}")
        self.place += 1
        return part

    def words(self) -> str:
        """The text that was set aside."""
        self.take("{")
        text = self.texts[int(self.take())]
        self.take("}")
        return text

    def formula(self) -> ast.expr:
        ways = [self.conjunction()]
        while self.peek() == r"\lor":
            self.take()
            ways.append(self.conjunction())
        return _either(ways, ast.Or)

    def conjunction(self) -> ast.expr:
        parts = [self.relation()]
        while self.peek() == r"\land":
            self.take()
            parts.append(self.relation())
        return _either(parts, ast.And)

    def relation(self) -> ast.expr:
        if self.peek() == r"\lnot":
            self.take()
            return ast.UnaryOp(ast.Not(), self.relation())
        if self.peek() in (r"\forall", r"\exists"):
            return self.quantified()
        if self.peek() == "w" and self.peek(1) == r"\words":
            return self.matching()
        start = self.place
        if self.peek() == "(":
            try:
                self.take("(")
                inside = self.formula()
                self.take(")")
            except Unread:
                self.place = start
            else:
                return inside
        left = self.sum()
        if isinstance(left, ast.Name) and self.peek() in ("", r"\land", r"\lor", ")", "]", r"\}"):
            return left  # a name that is true or false
        if self.peek() == r"\in":
            return _either([_compared(left, ast.Eq, symbol) for symbol in self.symbols_in_braces()], ast.Or)
        if self.peek() == r"\words":
            self.take()
            rest = RESIDUES[self.words().strip()]
            return _compared(ast.BinOp(left, ast.Mod(), ast.Constant(2)), ast.Eq, ast.Constant(rest))
        if self.peek() == r"\equiv":
            self.take()
            difference = ast.BinOp(left, ast.Sub(), self.sum())
            self.take("(")
            self.take(r"\words")
            assert self.words() == "mod"
            modulus = ast.Constant(int(self.take()))
            self.take(")")
            return _compared(ast.BinOp(difference, ast.Mod(), modulus), ast.Eq, ast.Constant(0))
        return _compared(left, COMPARE[self.take(*COMPARE)], self.sum())

    def matching(self) -> ast.expr:
        self.take("w")
        self.take(r"\words")
        assert self.words() == " matches "
        if self.take(r"\token", r"\varepsilon") == r"\varepsilon":
            return _call("matches", ast.Constant(""))
        return _call("matches", ast.Constant(self.words()))

    def symbols_in_braces(self) -> list[ast.expr]:
        self.take(r"\in")
        self.take(r"\{")
        found: list[ast.expr] = []
        while self.peek() != r"\}":
            self.take(r"\token")
            found.append(ast.Constant(self.words()))
            if self.peek() == ",":
                self.take()
        self.take(r"\}")
        return found

    def quantified(self) -> ast.expr:
        """Its scope reaches as far as it can."""
        sign, name, domain = self.take(), self.name(), "positions"
        if self.peek() == r"\in":
            said = [self.take() for _ in range(10)]
            assert "".join(said) == r"\in\{0,\dots,n-1\}", said
            domain = "indices"
        self.take(r"\colon")
        over = ast.comprehension(ast.Name(name), ast.Name(domain), [], 0)
        return _call({r"\forall": "all", r"\exists": "any"}[sign], ast.GeneratorExp(self.formula(), [over]))

    def sum(self) -> ast.expr:
        negative = self.peek() == "-" and bool(self.take())
        result = self.product()
        result = ast.UnaryOp(ast.USub(), result) if negative else result
        while self.peek() in ("+", "-"):
            op = ast.Add() if self.take() == "+" else ast.Sub()
            result = ast.BinOp(result, op, self.product())
        return result

    def product(self) -> ast.expr:
        factors = [self.power()]
        while True:
            part = self.peek()
            if part == r"\bmod":
                self.take()
                factors = [ast.BinOp(self.joined(factors), ast.Mod(), self.power())]
                continue
            if part == r"\cdot":
                self.take()
            elif not (part.isalnum() or part == "(" or FACTOR.fullmatch(part)) or self.says_residue():
                return self.joined(factors)
            factors.append(self.power())

    def says_residue(self) -> bool:
        """Whether "even", "odd" or "(mod" follows."""
        start = int(self.peek() == "(")
        return self.peek(start) == r"\words" and self.texts[int(self.peek(start + 2))].strip() in RESIDUES

    def joined(self, factors: list[ast.expr]) -> ast.expr:
        """A product, brackets first."""
        first, *rest = sorted(factors, key=lambda factor: kind(factor) != "truth")
        return functools.reduce(lambda one, other: ast.BinOp(one, ast.Mult(), other), rest, first)

    def power(self) -> ast.expr:
        base = self.atom()
        if self.peek() == "^":
            self.take()
            exponent = self.group()
            if isinstance(base, ast.Name) and base.id == EULER:
                return _call("exp", exponent)
            return ast.BinOp(base, ast.Pow(), exponent)
        return base

    def group(self) -> ast.expr:
        self.take("{")
        result = self.sum()
        self.take("}")
        return result

    def atom(self) -> ast.expr:
        part = self.take()
        if part.isdigit():
            return ast.Constant(int(part))
        match part:
            case "(":
                result = self.sum()
                self.take(")")
                return result
            case r"\frac":
                above = self.group()
                return ast.BinOp(above, ast.Div(), self.group())
            case r"\sqrt":
                return _call("sqrt", self.group())
            case r"\lvert":
                inside = self.sum()
                self.take(r"\rvert")
                return _call("sqrt", ast.BinOp(inside, ast.Pow(), ast.Constant(2)))
            case r"\mathbb":
                for wanted in ("{", "I", "}", "["):
                    self.take(wanted)
                held = self.formula()
                self.take("]")
                return held
            case r"\sum":
                return self.total()
            case r"\token":
                return ast.Constant(self.words())
            case r"\pi":
                return ast.Name("pi")
            case "k" | "w" if self.peek() == "_":
                return self.of_word(part)
        if FUNCTION.fullmatch(part):
            return self.function(part[1:])
        self.place -= 1
        if part == "e":
            self.take()
            return ast.Name(EULER)
        name = self.name()
        if re.fullmatch(r"R\d+", name) and self.peek() == "(":
            self.take()
            place = self.sum()
            self.take(")")
            return _call(name, place)
        return ast.Name(name)

    def function(self, name: str) -> ast.expr:
        power: ast.expr | None = None
        if self.peek() == "^":
            self.take()
            power = self.group()
        self.take("(")
        inside = self.sum()
        self.take(")")
        if name == "relu":
            return ast.BinOp(_compared(inside, ast.Gt, ast.Constant(0)), ast.Mult(), inside)
        found = _call(name, inside)
        return found if power is None else ast.BinOp(found, ast.Pow(), power)

    def name(self) -> str:
        """A letter or a word, with its index."""
        part = self.take()
        if part in (r"\typed", r"\words"):
            return self.words().replace(" ", "_")
        if re.fullmatch(rf"\\({GREEK})", part):
            part = part[1:]
        elif not part.isalpha():
            raise Unread(f"{part!r} before {' '.join(self.parts[self.place :])}")
        if self.peek() == "_":
            self.take()
            self.take("{")
            index = self.take()
            self.take("}")
            part = f"{part}{index}" if index.isdigit() else f"{part}_{index}"
        if self.peek() == "^" and self.peek(2) == r"\words":  # at another position
            self.place += 3
            part = f"{part}_{self.words()}"
            self.take("}")
        return part

    def of_word(self, which: str) -> ast.expr:
        self.take("_")
        if which == "w":
            return ast.Subscript(ast.Name("w"), self.group())
        self.take("{")
        self.take(r"\token")
        symbol = ast.Constant(self.words())
        self.take("}")
        if self.peek() != "(":
            return _call("count", symbol)
        self.take()
        place = self.sum()
        self.take(")")
        return _call("count", symbol, place)

    def total(self) -> ast.expr:
        """A sum, of the product that follows: with bounds, under a condition, or over what holds symbols."""
        self.take("_")
        self.take("{")
        held: ast.expr | None = None
        domain: ast.expr = ast.Name("positions")
        if self.peek() == r"\substack":
            self.take()
            self.take("{")
            low = self.sum()
            self.take(r"\le")
            name = self.name()
            self.take(r"\le")
            domain = _call("between", low, self.sum())
            self.take("\\\\")
            held = self.formula()
            self.take("}")
            self.take("}")
        else:
            name = self.name()
            low = None
            if self.peek() == "=":
                self.take()
                low = self.sum()
            self.take("}")
            if low is not None:
                self.take("^")
                domain = _call("between", low, self.group())
        body = self.product()
        body = body if held is None else ast.BinOp(held, ast.Mult(), body)
        over = ast.comprehension(ast.Name(name), domain, [], 0)
        return _call("sum", ast.GeneratorExp(body, [over]))

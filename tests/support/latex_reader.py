"""Reads the LaTeX that the program writes, and evaluates it on a word: independent of how it was written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import sympy

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+|[A-Za-z]|\S")
COMPARE = {
    "=": lambda a, b: a == b,
    r"\ne": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    r"\le": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    r"\ge": lambda a, b: a >= b,
}
FUNCTION = re.compile(r"\\(cos|tanh|sinh|cosh|log|relu)")
FACTOR = re.compile(r"\\(frac|sqrt|mathbb|lvert|sum|pi)|" + FUNCTION.pattern)
SIZES = {r"\left", r"\right", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\displaystyle"}


class Unread(ValueError):
    """A text that is not in the language of this reader."""


class Reader:
    """One formula on one marked word; names holds n, i, parameters and sums S1, S2, ..."""

    def __init__(self, text: str, tokens: Sequence[str], symbols: Sequence[str], names: Mapping[str, Any]) -> None:
        text = re.sub(r"\\(texttt|text|mathrm)\{((?:[^{}\\]|\\.)*)\}", self._set_aside, self._start(text))
        text = re.sub(r"\\operatorname\{(\w+)\}", r"\\\1", text)
        self.parts = [part for part in TOKEN.findall(text) if part not in SIZES]
        self.place = 0
        self.word, self.symbols, self.names = tokens, symbols, dict(names)

    def _start(self, text: str) -> str:
        self.texts: list[str] = []
        return re.sub(r"(?<!\\)\\[ ,]", " ", text)

    def _set_aside(self, found: re.Match[str]) -> str:
        self.texts.append(re.sub(r"\\(.)", r"\1", found[2]))
        return rf"\{ {'texttt': 'token', 'text': 'words', 'mathrm': 'words'}[found[1]] }{{{len(self.texts) - 1}}}"

    def peek(self) -> str:
        return self.parts[self.place] if self.place < len(self.parts) else ""

    def take(self, wanted: str | None = None) -> str:
        part = self.peek()
        if wanted is not None and part != wanted:
            raise Unread(f"{wanted} expected, not {part!r}, before {' '.join(self.parts[self.place :])}")
        self.place += 1
        return part

    def words(self) -> str:
        """The text that was set aside."""
        self.take("{")
        text = self.texts[int(self.take())]
        self.take("}")
        return text

    def value(self) -> Any:
        result = self.sum()
        if self.peek():
            raise Unread(f"left over: {' '.join(self.parts[self.place :])}")
        return result

    def truth(self) -> bool:
        result = self.formula()
        if self.peek():
            raise Unread(f"left over: {' '.join(self.parts[self.place :])}")
        return result

    def formula(self) -> bool:
        result = self.conjunction()
        while self.peek() == r"\lor":
            self.take()
            other = self.conjunction()
            result = result or other
        return result

    def conjunction(self) -> bool:
        result = self.relation()
        while self.peek() == r"\land":
            self.take()
            other = self.relation()
            result = result and other
        return result

    def relation(self) -> bool:
        if self.peek() == r"\lnot":
            self.take()
            return not self.relation()
        if self.peek() in (r"\forall", r"\exists"):
            return self.quantified()
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
        if self.peek() == r"\in":
            return left in self.symbols_in_braces()
        if self.peek() == r"\words":
            self.take()
            return bool(left % 2 == {" even": 0, " odd": 1}[self.words()])
        if self.peek() == r"\equiv":
            self.take()
            right = self.sum()
            for part in ("(", r"\words", "{"):
                self.take(part)
            self.take()
            self.take("}")
            modulus = int(self.take())
            self.take(")")
            return bool((left - right) % modulus == 0)
        compare = COMPARE.get(self.take())
        if compare is None:
            raise Unread("no relation")
        return bool(compare(left, self.sum()))

    def symbols_in_braces(self) -> list[str]:
        self.take(r"\in")
        self.take(r"\{")
        found = []
        while self.peek() != r"\}":
            self.take(r"\token")
            found.append(self.words())
            if self.peek() == ",":
                self.take()
        self.take(r"\}")
        return found

    def positions(self) -> list[int]:
        return [place for place, token in enumerate(self.word) if token in self.symbols]

    def quantified(self) -> bool:
        sign, name = self.take(), self.take()
        self.take(r"\colon")
        start, found = self.place, []
        for place in self.positions():
            self.place, self.names[name] = start, sympy.Integer(place)
            found.append(self.relation())
        if not self.positions():
            self.names[name] = sympy.S.Zero
            self.relation()
        return all(found) if sign == r"\forall" else any(found)

    def sum(self) -> Any:
        negative = self.peek() == "-" and bool(self.take())
        result = self.product()
        result = -result if negative else result
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            result += sign * self.product()
        return result

    def product(self) -> Any:
        result = self.power()
        while True:
            part = self.peek()
            if part == r"\cdot":
                self.take()
            elif part == r"\bmod":
                self.take()
                result = result % self.power()
                continue
            elif not (part.isalnum() or part == "(" or FACTOR.fullmatch(part)):
                return result
            result = result * self.power()

    def power(self) -> Any:
        base = self.atom()
        if self.peek() == "^":
            self.take()
            exponent = self.group()
            return sympy.exp(exponent) if base == "e" else base**exponent
        return base

    def group(self) -> Any:
        self.take("{")
        result = self.sum()
        self.take("}")
        return result

    def atom(self) -> Any:
        part = self.take()
        if part.isdigit():
            return sympy.Integer(part)
        match part:
            case "(":
                result = self.sum()
                self.take(")")
                return result
            case r"\frac":
                above = self.group()
                return sympy.sympify(above) / self.group()
            case r"\sqrt":
                return sympy.sqrt(self.group())
            case r"\lvert":
                result = self.sum()
                self.take(r"\rvert")
                return abs(result)
            case r"\mathbb":
                for wanted in ("{", "I", "}", "["):
                    self.take(wanted)
                held = self.formula()
                self.take("]")
                return sympy.Integer(held)
            case r"\sum":
                return self.total()
            case r"\token":
                return self.words()
            case r"\pi":
                return sympy.pi
            case "e":
                return "e"
            case "k" | "w" if self.peek() == "_":
                return self.of_word(part)
        if FUNCTION.fullmatch(part):
            power = sympy.S.One
            if self.peek() == "^":
                self.take()
                power = self.group()
            self.take("(")
            inside = self.sum()
            self.take(")")
            return self.function(part[1:], inside) ** power
        if part.isalpha():
            return self.named(part)
        raise Unread(f"{part!r} before {' '.join(self.parts[self.place :])}")

    def function(self, name: str, argument: Any) -> Any:
        """The value of a function; hyperbolic ones by their definition, so that at logarithms they are rational."""
        up = sympy.exp(argument)
        match name:
            case "relu":
                return sympy.Max(argument, 0)
            case "sinh":
                return (up - 1 / up) / 2
            case "cosh":
                return (up + 1 / up) / 2
            case "tanh":
                return (up - 1 / up) / (up + 1 / up)
        return getattr(sympy, name)(argument)

    def named(self, part: str) -> Any:
        if self.peek() == "_":
            self.take()
            self.take("{")
            part += self.take()
            self.take("}")
        if part not in self.names:
            raise Unread(f"name {part!r}")
        return self.names[part]

    def of_word(self, which: str) -> Any:
        self.take("_")
        if which == "w":
            place = int(self.group())
            return self.word[place] if 0 <= place < len(self.word) else None
        self.take("{")
        self.take(r"\token")
        symbol = self.words()
        self.take("}")
        last = len(self.word)
        if self.peek() == "(":
            self.take()
            last = int(self.sum()) + 1
            self.take(")")
        return sympy.Integer(list(self.word[: max(last, 0)]).count(symbol))

    def total(self) -> Any:
        """A sum, of the product that follows: with bounds, under a condition, or over what holds symbols."""
        self.take("_")
        self.take("{")
        held: int | None = None
        bounded, low, high = False, sympy.S.Zero, sympy.S.Zero
        if self.peek() == r"\substack":
            self.take()
            self.take("{")
            low = self.sum()
            self.take(r"\le")
            name = self.take()
            self.take(r"\le")
            high, bounded = self.sum(), True
            self.take("\\\\")
            held = self.place
            self.names[name] = sympy.S.Zero
            self.formula()
            self.take("}")
            self.take("}")
        else:
            name = self.take()
            if self.peek() == "=":
                self.take()
                low, bounded = self.sum(), True
            self.take("}")
            if bounded:
                self.take("^")
                high = self.group()
        start, result = self.place, sympy.S.Zero
        outer = self.names.get(name)
        self.names[name] = sympy.S.Zero  # read once, also where nothing is added
        self.product()
        end = self.place
        for place in range(int(low), int(high) + 1) if bounded else self.positions():
            self.names[name] = sympy.Integer(place)
            if held is not None:
                self.place = held
                if not self.formula():
                    continue
            self.place = start
            result += self.product()
        self.place = end
        if outer is not None:
            self.names[name] = outer
        return result

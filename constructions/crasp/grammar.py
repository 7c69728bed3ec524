"""C-RASP programs as people write them: in the notation of a public interpreter (https://github.com/m-hahn/c-rasp), and
in that of the papers for the same; docs/crasp.md has the grammar.

// a comment                                one definition a line; the last one is what the program accepts by
#alphabet "a" "b"                           the symbols of words; without, those that the program speaks of
#import pred                                what the interpreter has: predK is j == i - K, and pos_even i % 2 == 0
C_a = # "a"                                 how many positions j <= i hold an a; the same as # [j <= i] Q_a(j)
follows = "b" && #[pred] "a" >= 1           what is at a distance: the same as #[j == i - 1] "a"
odd = i % 2 == 1                            a remainder of the position, the first one being 0
D = 2*C_a - (1 if "b" else 0) == min(#odd, 3) || !follows

Brackets bind first, then ! and #, then * behind a number, + and -, comparisons, &&, ||, and the conditional last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeGuard

from weightproof.constructions.crasp.program import (
    COMPARE,
    And,
    Back,
    Boolean,
    Comparator,
    Comparison,
    Conditional,
    Count,
    Definition,
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

SUFFIX = ".cr"
TOKEN = re.compile(
    r"""(?P<blank>\s+|//.*)|(?P<directive>\#(?:import|alphabet)\b)|(?P<text>"[^"]*")|(?P<paper>Q_\S\([ij]\))
    |(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>&&|\|\||==|!=|<=|>=|[-+*%<>=!\#()\[\],])""",
    re.ASCII | re.VERBOSE,
)
KEYWORDS = ("true", "false", "if", "else", "min", "max", "i", "j")
PREDICATE = re.compile(r"pred([0-9]*)", re.ASCII)
WRITTEN = {
    "≤": "<=", "≥": ">=", "≠": "!=", "∧": "&&", "&": "&&", "∨": "||", "|": "||", "¬": "!", ":": "=", "·": "*", "−": "-",
}  # fmt: skip
"""What papers write, and what is written here."""
COUNTED = "positions are counted by [j <= i], [j < i] or [j == i - 3]; write one of these"
MOST_DIGITS, DEEPEST, MOST_SIGNS, MOST_LINES = 6, 40, 200, 1_000
"""Of a number; brackets, ! and # inside of one another; words and signs of a line; of a file."""
Expression = Boolean | Count


@dataclass(frozen=True)
class _Token:
    """kind: of TOKEN, or "end"; column: from 1 on."""

    kind: str
    text: str
    column: int


def read_program(path: Path) -> Program:
    """The program of a file, named like it; InputError with the line and the column of what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else " ".join(str(error).split())
        raise InputError(f"{path}: {reason}; name a C-RASP program") from error
    return parsed(text, path)


def parsed(text: str, path: Path) -> Program:
    """The program that a text is; path: the file in which it stands, as messages name it. InputError as above."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise InputError(f"{path}: {len(lines)} lines; at most {MOST_LINES} are read")
    known = _Known()
    for number, line in enumerate(lines, start=1):
        _Reader(path, number, line, known).statement()
    if not known.definitions:
        raise InputError(f'{path}: defines nothing; write a line such as D = # "a" > 0')
    last = known.definitions[-1]
    if is_count(last.value):
        raise InputError(
            f"{path}:{last.line}:1: the last line, {last.name}, is a number, but a program accepts by a truth value; "
            f"compare it, as in {last.name} == 0"
        )
    alphabet = known.alphabet or tuple(sorted(set(known.symbols)))
    if not alphabet:
        raise InputError(f'{path}: speaks of no symbol, so that words are made of nothing; write #alphabet "a"')
    name = re.sub(r"[\W_]+", "-", path.name.removesuffix(SUFFIX)).strip("-") or "program"
    first = lines[0].strip()
    title = first.removeprefix("//").strip().removeprefix(path.name).lstrip(": ") if first.startswith("//") else ""
    return Program(name, "".join(filter(str.isprintable, title)), alphabet, tuple(known.definitions))


def is_truth(value: Expression) -> TypeGuard[Boolean]:
    """Whether it is true or false at a position."""
    match value:
        case Line(is_count=counts):
            return not counts
        case Symbol() | Truth() | Residue() | Not() | And() | Or() | Comparison():
            return True
    return False


def is_count(value: Expression) -> TypeGuard[Count]:
    """Whether it is a number at a position."""
    return not is_truth(value)


@dataclass
class _Known:
    """What the lines so far have said."""

    definitions: list[Definition] = field(default_factory=list)
    imported: dict[str, Residue | int] = field(default_factory=dict)
    """Predicates by name: of one position, or the distance of two."""
    alphabet: tuple[str, ...] = ()
    symbols: list[str] = field(default_factory=list)

    def of(self, name: str) -> Definition | None:
        return next((each for each in self.definitions if each.name == name), None)


class _Reader:
    """Of one line."""

    def __init__(self, path: Path, line: int, text: str, known: _Known) -> None:
        self.path, self.line, self.known = path, line, known
        self.depth = self.counting = 0
        self.tokens = list(self.cut(text))
        if len(self.tokens) > MOST_SIGNS:
            self.refuse(1, f"more than {MOST_SIGNS} words and signs; give a part of them a line of its own")
        self.place = 0

    def refuse(self, column: int, message: str) -> NoReturn:
        raise InputError(f"{self.path}:{self.line}:{column}: {message}")

    def cut(self, text: str) -> Iterator[_Token]:
        place = 0
        while place < len(text):
            found = TOKEN.match(text, place)
            if found is None:
                sign = text[place]
                if sign == '"':
                    self.refuse(place + 1, 'a symbol without its closing "; write it as "a"')
                hint = f"write {WRITTEN[sign]}" if sign in WRITTEN else 'symbols of words stand in quotes, as in "a"'
                self.refuse(place + 1, f"{sign!r} is not in the notation; {hint}")
            kind = found.lastgroup or ""
            if kind != "blank":
                yield _Token(kind, found[0], place + 1)
            place = found.end()
        yield _Token("end", "the end of the line", len(text.rstrip()) + 1)

    @property
    def next(self) -> _Token:
        return self.tokens[self.place]

    def take(self) -> _Token:
        token = self.next
        self.place += token.kind != "end"
        return token

    def takes(self, *texts: str) -> _Token | None:
        """The next token, where it is one of these signs or keywords."""
        return self.take() if self.next.text in texts and self.next.kind in ("sign", "name") else None

    def expect(self, text: str, why: str) -> None:
        if self.takes(text) is None:
            self.refuse(self.next.column, f"{text} is missing before {self.next.text}; {why}")

    def statement(self) -> None:
        match self.next.kind:
            case "end":
                return
            case "directive":
                self.directive(self.take())
            case _:
                self.definition()
        if self.next.kind != "end":
            self.refuse(self.next.column, f"{self.next.text} is left over; a line is one definition, NAME = ...")

    def directive(self, token: _Token) -> None:
        if token.text == "#alphabet":
            if self.known.alphabet:
                self.refuse(token.column, "a second #alphabet; write all symbols in one")
            symbols = []
            while self.next.kind == "text":
                symbols.append(self.symbol(self.take()))
            if len(set(symbols)) != len(symbols) or not symbols:
                self.refuse(token.column, 'an alphabet has symbols, each once; write #alphabet "a" "b"')
            self.known.alphabet = tuple(symbols)
            self.strange(token.column)
            return
        name = self.take()
        found = PREDICATE.fullmatch(name.text)
        if name.text == "pos_even":
            self.known.imported[name.text] = Residue(2, 0)
        elif found is not None:
            self.known.imported[name.text] = self.number(_Token("number", found[1] or "1", name.column))
        else:
            self.refuse(
                name.column,
                f"no predicate {name.text}; there are pred, pred2, pred3, ... and pos_even, and others are written "
                'where they are used: #[j == i - 3] "a", i % 3 == 1',
            )

    def definition(self) -> None:
        name = self.take()
        if name.kind != "name" or name.text in KEYWORDS:
            self.refuse(name.column, f"{name.text} is no name of a line; write NAME = ...")
        if self.known.of(name.text) is not None or name.text in self.known.imported:
            self.refuse(name.column, f"{name.text} is defined already; a line is given once, take another name")
        if self.takes("("):
            self.expect("i", "a line is defined at position i: NAME(i) = ...")
            self.expect(")", "a line is defined at position i: NAME(i) = ...")
        self.expect("=", "a line is a definition, NAME = ...")
        self.known.definitions.append(Definition(name.text, self.conditional(), self.line))

    def conditional(self) -> Expression:
        column, then = self.next.column, self.either()
        if self.takes("if") is None:
            return then
        at_condition = self.next.column
        condition = self.truth(at_condition, self.either())
        self.expect("else", "a conditional has both: C if P else 0")
        at_other = self.next.column
        with_depth = self.nested(self.conditional)
        return Conditional(self.count(column, then), condition, self.count(at_other, with_depth))

    def either(self) -> Expression:
        return self.joined("||", Or, lambda: self.joined("&&", And, self.comparison))

    def joined(self, sign: str, make: type[And] | type[Or], part: Callable[[], Expression]) -> Expression:
        column, left = self.next.column, part()
        while self.takes(sign) is not None:
            at_right = self.next.column
            left = make(self.truth(column, left), self.truth(at_right, part()))
        return left

    def comparison(self) -> Expression:
        column, left = self.next.column, self.sum()
        sign = self.takes(*COMPARE)
        if sign is None:
            if self.next.text == "=":
                self.refuse(self.next.column, "= defines a line; numbers are compared by ==")
            return left
        at_right = self.next.column
        right = self.sum()
        if self.next.text in COMPARE:
            self.refuse(self.next.column, "chained comparisons; join them by &&")
        comparator: Comparator = sign.text  # type: ignore[assignment]
        return Comparison(self.count(column, left), comparator, self.count(at_right, right))

    def sum(self) -> Expression:
        column, left = self.next.column, self.product()
        while (sign := self.takes("+", "-")) is not None:
            at_right = self.next.column
            parts = self.count(column, left), self.count(at_right, self.product())
            left = Sum(*parts) if sign.text == "+" else Difference(*parts)
        return left

    def product(self) -> Expression:
        if self.next.kind == "number" and self.tokens[self.place + 1].text == "*":
            factor = self.number(self.take())
            self.take()
            column = self.next.column
            return Multiple(factor, self.count(column, self.nested(self.product)))
        value = self.unary()
        if self.next.text == "*":
            self.refuse(self.next.column, "only a number stands before *, and what it multiplies behind: 2*C")
        return value

    def unary(self) -> Expression:
        if self.takes("!") is not None:
            column = self.next.column
            return Not(self.truth(column, self.nested(self.unary)))
        if self.takes("#") is None:
            return self.primary()
        guard: bool | int = self.guard() if self.takes("[") is not None else False
        column = self.next.column
        self.counting += 1
        part = self.truth(column, self.nested(self.unary))
        self.counting -= 1
        return UpTo(part, strict=guard) if isinstance(guard, bool) else Back(part, guard)

    def guard(self) -> bool | int:
        """Behind "[": the distance of two positions, or whether all j < i, and not those up to i, are counted."""
        token, known = self.take(), self.known.imported
        if token.kind == "name" and token.text != "j":
            distance = known.get(token.text)
            if not isinstance(distance, int):
                self.refuse(token.column, f"{token.text} is no imported predicate of two positions; write #import pred")
            self.expect("]", "a predicate stands alone in its brackets")
            return distance
        sign = self.take()
        place = self.take()
        if token.text != "j" or sign.text not in ("<=", "<", "==") or place.text != "i":
            self.refuse(token.column, COUNTED)
        if sign.text != "==":
            self.expect("]", COUNTED)
            return sign.text == "<"
        distance = self.number(self.take()) if self.takes("-") is not None else 0
        self.expect("]", "a distance is a number: [j == i - 3]")
        return distance

    def primary(self) -> Expression:
        token = self.take()
        match token.kind, token.text:
            case "text", _:
                return Symbol(self.symbol(token))
            case "paper", text:
                self.require_position(token.column, text[-2], text)
                return Symbol(self.spoken(text[2], token.column))
            case "number", _:
                return Number(self.number(token))
            case "name", "true" | "false":
                return Truth(token.text == "true")
            case "name", "min" | "max":
                return self.extreme(token)
            case "name", "i":
                return self.residue()
            case "name", name if name not in KEYWORDS:
                return self.line_of(token)
            case "sign", "(":
                value = self.nested(self.conditional)
                self.expect(")", "brackets match")
                return value
            case "sign", "-":
                self.refuse(token.column, "a number has no sign; write 0 - 1")
        self.refuse(token.column, f"{token.text} stands where a truth value or a number is to begin")

    def extreme(self, token: _Token) -> Expression:
        self.expect("(", f"write {token.text}(C, D)")
        column = self.next.column
        left = self.count(column, self.nested(self.conditional))
        self.expect(",", f"write {token.text}(C, D)")
        column = self.next.column
        right = self.count(column, self.nested(self.conditional))
        self.expect(")", f"write {token.text}(C, D)")
        return Extreme("min" if token.text == "min" else "max", left, right)

    def residue(self) -> Expression:
        """Behind i: a remainder of the position, compared with a number."""
        why = "of the position there are remainders alone: i % 3 == 1; how many positions there are up to it is # true"
        self.expect("%", why)
        column = self.next.column
        modulus = self.number(self.take())
        self.expect("==", why)
        at_remainder = self.next.column
        remainder = self.number(self.take())
        if modulus == 0:
            self.refuse(column, "nothing has a remainder modulo 0; write i % 3 == 1")
        if remainder >= modulus:
            self.refuse(at_remainder, f"remainders modulo {modulus} are 0 to {modulus - 1}")
        return Residue(modulus, remainder)

    def line_of(self, token: _Token) -> Expression:
        """A line above, or an imported predicate of one position; in the papers' notation with its position."""
        imported, above = self.known.imported.get(token.text), self.known.of(token.text)
        if self.takes("(") is not None:
            place = self.take()
            if place.text not in ("i", "j"):
                self.refuse(place.column, f"{token.text} has a value at a position alone: {token.text}(i)")
            self.require_position(place.column, place.text, f"{token.text}({place.text})")
            self.expect(")", "brackets match")
        if isinstance(imported, Residue):
            return imported
        if isinstance(imported, int):
            self.refuse(token.column, f"{token.text} is a predicate of two positions; write #[{token.text}] ...")
        if above is None:
            names = ", ".join(each.name for each in self.known.definitions) or "none"
            self.refuse(token.column, f"no line above is called {token.text}; there are: {names}")
        return Line(token.text, is_count(above.value))

    def require_position(self, column: int, place: str, text: str) -> None:
        wanted = "j" if self.counting else "i"
        if place != wanted:
            where = "what is counted is at position j" if self.counting else "a line is at position i"
            self.refuse(column, f"{text} is of another position: {where}; write {text[:-2]}{wanted})")

    def symbol(self, token: _Token) -> str:
        symbol = token.text[1:-1]
        if len(symbol) != 1 or not symbol.isprintable():
            self.refuse(token.column, f"{token.text} is no symbol; one is a single character that can be printed")
        return self.spoken(symbol, token.column)

    def spoken(self, symbol: str, column: int) -> str:
        self.known.symbols.append(symbol)
        self.strange(column)
        return symbol

    def strange(self, column: int) -> None:
        """The program speaks of no symbol beside those of its alphabet, where that is given."""
        for symbol in self.known.symbols:
            if self.known.alphabet and symbol not in self.known.alphabet:
                alphabet = ", ".join(self.known.alphabet)
                self.refuse(column, f"{symbol!r} is none of the symbols of #alphabet: {alphabet}; add it there")

    def number(self, token: _Token) -> int:
        if token.kind != "number" or len(token.text) > MOST_DIGITS:
            self.refuse(token.column, f"{token.text} is no number of up to {MOST_DIGITS} digits; write one")
        return int(token.text)

    def truth(self, column: int, value: Expression) -> Boolean:
        if not is_truth(value):
            self.refuse(column, "a number stands where a truth value is needed; compare it, as in C > 0")
        return value

    def count(self, column: int, value: Expression) -> Count:
        if not is_count(value):
            self.refuse(column, "a truth value stands where a number is needed; count it, as in # P")
        return value

    def nested(self, part: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(self.next.column, f"more than {DEEPEST} brackets, ! and # inside of one another; name a part")
        value = part()
        self.depth -= 1
        return value

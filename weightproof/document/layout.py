"""How wide a formula is, about, and where it is broken: lines of pieces, blocks of columns. Widths are in em.

Only what `symbolic.writing.latex` writes is measured well. A printer keeps a margin, and LaTeX has the last word.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from weightproof.document.blocks import Block, Line, Matrix, fitting
from weightproof.symbolic.writing.breakable import Cases

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
SPACES = {r"\,": 0.17, r"\;": 0.28, r"\ ": 0.33, r"\quad": 1.0, r"\qquad": 2.0, r"\colon": 0.4, r"\!": 0.0}
RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\ne", r"\equiv", r"\vdash", r"\mid", r"\in", r"\to"}
OPERATIONS = {"+", "-", r"\land", r"\lor", r"\cdot"}
NOTHING = {"{", "}", r"\left", r"\right", r"\displaystyle", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", "&"}
UPRIGHT = {r"\text", r"\texttt", r"\mathtt", r"\mathit", r"\mathrm", r"\operatorname", r"\mathbb", r"\textbf"}
BETWEEN_COLUMNS = 1.1
BETWEEN_MATRICES = 2.0


@functools.lru_cache(maxsize=100_000)
def width(tex: str) -> float:
    """The width of a formula in a display."""
    return _Measure(tex).whole()


class _Measure:
    """Walks once through the tokens of a formula."""

    def __init__(self, tex: str) -> None:
        self.tokens = TOKEN.findall(tex)
        self.place = 0

    def whole(self) -> float:
        total = 0.0
        while self.place < len(self.tokens):
            total += self.next()
        return total

    def group(self) -> str:
        """The next argument, without its braces."""
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1
        if self.place >= len(self.tokens):
            return ""
        if self.tokens[self.place] != "{":
            self.place += 1
            return str(self.tokens[self.place - 1])
        depth, start = 0, self.place + 1
        while self.place < len(self.tokens):
            depth += {"{": 1, "}": -1}.get(self.tokens[self.place], 0)
            self.place += 1
            if depth == 0:
                break
        return "".join(self.tokens[start : self.place - 1])

    def next(self) -> float:
        token = self.tokens[self.place]
        self.place += 1
        if token.isspace() or token in NOTHING:
            return 0.0
        if token in SPACES:
            return SPACES[token]
        if token in RELATIONS:
            return 1.35
        if token in OPERATIONS:
            return 1.25
        match token:
            case "^" | "_":
                return 0.72 * width(self.group())
            case r"\frac":
                return max(width(self.group()), width(self.group())) + 0.3
            case r"\sqrt":
                return width(self.group()) + 0.9
            case r"\bmod":
                return 2.6
            case r"\sum":
                return max([1.5, *(0.72 * width(part) for part in self._limits())])
            case r"\texttt":
                return 0.53 * len(re.sub(r"\\(.)", r"\1", self.group()))
            case r"\begin":
                self.group()
                return 1.0
            case r"\end":
                self.group()
                return 0.0
        if token in UPRIGHT:
            return 0.49 * len(self.group())
        if token.startswith("\\") and token[1:].isalpha():
            return 0.5 * max(2, len(token) - 1) if token in (r"\tanh", r"\sinh", r"\cosh", r"\log") else 0.7
        return 0.4 if token in "()[],.:;|!'" else 0.56

    def _limits(self) -> Iterator[str]:
        while self.place < len(self.tokens) and self.tokens[self.place] in "^_":
            self.place += 1
            yield self.group()


def cases_width(cases: Cases) -> float:
    value, condition = (max(width(row[column]) for row in cases.rows) for column in (0, 1))
    return value + condition + 2.0


def _stacked_width(cases: Cases, room: float) -> float:
    """The width of the environment that `stacked` writes."""
    if narrow_cases(cases, room):
        return cases_width(cases)
    return max(max(width(value), width(condition) + 3.0) for value, condition in cases.rows) + 2.0


def narrow_cases(cases: Cases, room: float) -> bool:
    """Whether value and condition fit beside each other."""
    return cases_width(cases) <= room


@dataclass(frozen=True)
class Row:
    """A row of an aligned display; width: of both sides together."""

    left: str
    right: str
    width: float


def broken(line: Line, room: float) -> list[Row]:
    """The rows in which a line fits the room, as far as its pieces are short."""
    left = width(line.left)
    rows: list[list[str]] = []
    widths: list[float] = []
    used = room
    for number, right in enumerate(line.rights):
        relation = line.relation if number == 0 else "="
        parts = (stacked(right, room - left - 2.0),) if isinstance(right, Cases) else right.parts
        costs = (
            [_stacked_width(right, room - left - 2.0)] if isinstance(right, Cases) else [width(part) for part in parts]
        )
        if not rows or used + 1.4 + sum(costs) > room:
            rows.append([relation])
            widths.append(used)
            used = left + 1.4
        else:
            rows[-1].append(relation)
            used += 1.4
        for place, (part, cost) in enumerate(zip(parts, costs, strict=True)):
            if place and used + cost > room:
                rows.append([r"\qquad{}"])
                widths.append(used)
                used = left + 2.4
            rows[-1].append(part)
            used += cost
    return [
        Row(line.left if place == 0 else "", " ".join(row), wide)
        for place, (row, wide) in enumerate(zip(rows, [*widths[1:], used], strict=True))
    ]


def stacked(cases: Cases, room: float) -> str:
    """The environment, the condition under the value where they do not fit beside each other."""
    if narrow_cases(cases, room):
        rows = [rf"\displaystyle {value} & \text{{if }} {condition}" for value, condition in cases.rows]
        rows = [row.replace(r"\text{if } \text{otherwise}", r"\text{otherwise}") for row in rows]
        separator = r" \\[2.4ex] " if any(r"\frac" in row for row in rows) else r" \\ "
        return rf"\begin{{cases}} {separator.join(rows)} \end{{cases}}"
    rows = []
    for value, condition in cases.rows:
        reason = condition if condition == r"\text{otherwise}" else rf"\text{{if }} {condition}"
        rows.append(rf"\displaystyle {value} \\[0.5ex] \qquad {reason}")
    separator = r" \\[2.4ex] "
    return rf"\begin{{cases}} {separator.join(rows)} \end{{cases}}"


HIGH = 40
"""Rows of a matrix that stand on one page."""


def blocks(matrix: Matrix, room: float) -> Iterator[Matrix]:
    """The matrix cut into blocks of columns that fit, each with the row labels, and these into blocks of rows."""
    if matrix_width(matrix) <= room and len(matrix.rows) <= HIGH:
        yield matrix
        return
    for columns in fitting(_costs(matrix), room - _labels(matrix)):
        for first in range(0, len(matrix.rows), HIGH):
            rows = slice(first, first + HIGH)
            entries = tuple(row[columns] for row in matrix.entries[rows])
            yield Matrix(matrix.name, matrix.rows[rows], matrix.columns[columns], entries)


def _labels(matrix: Matrix) -> float:
    return max((width(row) for row in matrix.rows), default=0.0) + width(matrix.name) + 2.5


def _costs(matrix: Matrix) -> list[float]:
    """The width of each column."""
    return [
        max([width(column), *(width(row[place]) for row in matrix.entries)]) + BETWEEN_COLUMNS
        for place, column in enumerate(matrix.columns)
    ]


def matrix_width(matrix: Matrix) -> float:
    """The width of a matrix with its name and its labels."""
    if not matrix.rows:
        return width(matrix.name) + 2.0
    return _labels(matrix) + sum(_costs(matrix))


def runs(section: Iterable[Block]) -> Iterator[list[Matrix] | Block]:
    """The blocks, with matrices that follow one another taken together."""
    for together, run in itertools.groupby(section, key=lambda block: isinstance(block, Matrix)):
        if together:
            yield [block for block in run if isinstance(block, Matrix)]
        else:
            yield from run


def packed(matrices: Sequence[Matrix], room: float) -> Iterator[list[Matrix]]:
    """Matrices side by side as far as they fit; one that is too wide by itself is cut into blocks of columns."""
    row: list[Matrix] = []
    used = 0.0
    for block in (block for matrix in matrices for block in blocks(matrix, room)):
        cost = matrix_width(block) + BETWEEN_MATRICES
        if row and used + cost > room + BETWEEN_MATRICES:
            yield row
            row, used = [], 0.0
        row.append(block)
        used += cost
    if row:
        yield row

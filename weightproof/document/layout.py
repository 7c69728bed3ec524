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
from weightproof.symbolic.writing.breakable import Cases, Terms

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
SPACES = {r"\,": 0.17, r"\;": 0.28, r"\ ": 0.33, r"\quad": 1.0, r"\qquad": 2.0, r"\colon": 0.4, r"\!": 0.0}
RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\ne", r"\equiv", r"\vdash", r"\mid", r"\in", r"\to"}
OPERATIONS = {"+", "-", r"\land", r"\lor", r"\cdot"}
NOTHING = {"{", "}", r"\left", r"\right", r"\displaystyle", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", "&"}
UPRIGHT = {r"\text", r"\texttt", r"\mathtt", r"\mathit", r"\mathrm", r"\operatorname", r"\mathbb", r"\textbf"}
CAPITAL = 0.8
HIGH_ROW = r" \\[2.4ex] "
"""The end of a case that may be as high as two lines."""
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
        if token in "()[],.:;|!'":
            return 0.4
        return CAPITAL if token.isupper() else 0.56

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
    values = (row.width for value, _ in cases.rows for row in _lines(value, room))
    return max(*values, *(width(condition) + 3.0 for _, condition in cases.rows)) + 2.0


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
        if isinstance(right, Cases):
            cut = [*_cut(right, room - left - 2.4)]
            parts = [stacked(each, room - left - 2.4) for each in cut]
            costs = [_stacked_width(each, room - left - 2.4) for each in cut]
        else:
            parts = [piece for part in right.parts for piece in pieces(part, room - left - 2.4)]
            costs = [width(part) for part in parts]
        if not rows or used + 1.4 + sum(costs) > room:
            rows.append([relation])
            widths.append(used)
            used = left + 1.4
        else:
            rows[-1].append(relation)
            used += 1.4
        for place, (part, cost) in enumerate(zip(parts, costs, strict=True)):
            if place and (isinstance(right, Cases) or used + cost > room):
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
        separator = HIGH_ROW if any(r"\frac" in row for row in rows) else r" \\ "
        return rf"\begin{{cases}} {separator.join(rows)} \end{{cases}}"
    rows = []
    for value, condition in cases.rows:
        reason = condition if condition == r"\text{otherwise}" else rf"\text{{if }} {condition}"
        lines = r" \\[0ex] ".join(rf"\displaystyle {row.right.strip()}" for row in _lines(value, room))
        rows.append(rf"{lines} \\[0.5ex] \qquad {reason}")
    return rf"\begin{{cases}} {HIGH_ROW.join(rows)} \end{{cases}}"


def _lines(value: str, room: float) -> list[Row]:
    """Those of a value of cases."""
    return broken(Line("", (Terms((value,)),), relation=""), room - 2.0)


HIGHEST = 24
"""Lines of cases that stand behind one brace: more may not fit a page, and go behind another one."""


def _cut(cases: Cases, room: float) -> Iterator[Cases]:
    """Each so high at most, as far as its cases are."""
    if narrow_cases(cases, room):
        costs = [1.0] * len(cases.rows)
    else:
        costs = [len(_lines(value, room)) + 1.0 for value, _ in cases.rows]
    yield from (Cases(cases.rows[rows]) for rows in fitting(costs, HIGHEST))


def pieces(tex: str, room: float) -> list[str]:
    """A formula in pieces that fit the room, as far as there are places where it may be broken: before a sign that is
    in no braces; a fraction that is too wide as several, by the factors of its denominator, or as one over its
    denominator times its numerator; and in brackets that grow."""
    if width(tex) <= room:
        return [tex]
    parts = _at_signs(tex)
    for otherwise in (_apart(tex, room), _opened(tex)):
        parts = _at_signs(otherwise) if len(parts) == 1 else parts
    return [tex] if len(parts) == 1 else [piece for part in parts for piece in pieces(part, room)]


OPENING = {"{", r"\left", r"\begin"}
CLOSING = {"}", r"\right", r"\end"}
BREAKS = ({r"\land", r"\lor"}, RELATIONS, {"+", "-"}, {r"\cdot"})
"""Before which a line may be broken, where blanks stand around them: what binds least at first."""
BRACKETED = re.compile(r"\((.*)\)")


def _outside(tex: str) -> Iterator[tuple[int, str]]:
    """The tokens that are in no braces, each with its place."""
    depth = 0
    for found in TOKEN.finditer(tex):
        token = found[0]
        depth -= token in CLOSING
        if depth == 0 and token not in CLOSING:
            yield found.start(), token
        depth += token in OPENING


def _at_signs(tex: str) -> list[str]:
    """Broken before those that are in fewest brackets, and of these that bind least."""
    cuts: dict[tuple[int, int], list[int]] = {}
    tokens, depth = [*_outside(tex)], 0
    for (_, before), (place, token), (_, after) in zip(tokens, tokens[1:], tokens[2:], strict=False):
        depth += (before in ("(", "[", r"\lvert")) - (before in (")", "]", r"\rvert"))
        if before.isspace() and after.isspace() and tex[:place].strip():
            for rank, signs in enumerate(BREAKS):
                if token in signs:
                    cuts.setdefault((depth, rank), []).append(place)
    places = cuts[min(cuts)] if cuts else []
    return [tex[start:end].strip() for start, end in itertools.pairwise([0, *places, len(tex)])]


def _apart(tex: str, room: float) -> str:
    """With the widest fraction that is in no braces written as several factors, if it can be."""
    fractions = [_Fraction.at(tex, place) for place, token in _outside(tex) if token == r"\frac"]
    if not fractions:
        return tex
    widest = max(fractions, key=lambda each: width(each.written))
    return f"{tex[: widest.start]}{widest.apart(room)}{tex[widest.end :]}"


def _opened(tex: str) -> str:
    """With brackets of one size in the place of the first that grow, in which nothing is broken."""
    start = next((place for place, token in _outside(tex) if token == r"\left"), None)
    if start is None:
        return tex
    depth = 0
    for found in TOKEN.finditer(tex, start):
        depth += (found[0] == r"\left") - (found[0] == r"\right")
        if depth == 0:
            inside = tex[start + len(r"\left") : found.start()]
            return rf"{tex[:start]}\Bigl{inside}\Bigr{tex[found.end() :]}"
    return tex


@dataclass(frozen=True)
class _Fraction:
    """One in a formula, from start to end."""

    above: str
    below: str
    start: int
    end: int

    @staticmethod
    def at(tex: str, start: int) -> _Fraction:
        ends, depth = [], 0
        for found in TOKEN.finditer(tex, start + len(r"\frac")):
            depth += (found[0] == "{") - (found[0] == "}")
            if depth == 0:
                ends.append(found.end())
            if len(ends) == 2:
                break
        middle, end = ends
        return _Fraction(tex[start + len(r"\frac{") : middle - 1], tex[middle + 1 : end - 1], start, end)

    @property
    def written(self) -> str:
        return rf"\frac{{{self.above}}}{{{self.below}}}"

    def apart(self, room: float) -> str:
        factors = _factors(self.below)
        above = _opened(self.above)
        is_sum = len(_at_signs(above)) > 1
        if width(self.below) > room and len(factors) > 1 and not (is_sum and width(self.above) > room):
            first, *rest = (BRACKETED.sub(r"\1", each) if _is_one_bracket(each) else each for each in factors)
            return rf"\frac{{{self.above}}}{{{first}}}" + "".join(rf" \cdot \frac{{1}}{{{each}}}" for each in rest)
        if is_sum:
            in_brackets = above if _is_growing_bracket(self.above) else rf"\Bigl({above}\Bigr)"
            return rf"\frac{{1}}{{{self.below}}}\,{in_brackets}"
        return self.written


def _factors(product: str) -> list[str]:
    """Between the thin spaces that are in no braces and no brackets; of a sum there is one."""
    depth, cuts = 0, []
    for place, token in _outside(product):
        depth += (token in "([") - (token in ")]")
        if depth == 0 and token in ("+", "-", r"\sum"):
            return [product]
        if depth == 0 and token == r"\,":
            cuts.append(place)
    return [product[start:end].removeprefix(r"\,") for start, end in itertools.pairwise([0, *cuts, len(product)])]


def _is_growing_bracket(tex: str) -> bool:
    """Whether one that grows opens at its beginning and closes at its end."""
    return [token for _, token in _outside(tex)] == [r"\left", ")"]


def _is_one_bracket(factor: str) -> bool:
    """Whether a bracket that opens at its beginning closes at its end."""
    depth = 0
    for place, token in _outside(factor):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return place == len(factor) - 1
    return False


HIGH = 40
"""Rows of a matrix that stand on one page."""


def blocks(matrix: Matrix, room: float) -> Iterator[Matrix]:
    """The matrix cut into blocks of columns that fit, each with the labels of the rows that are not 0 there, and these
    into blocks of rows."""
    if matrix_width(matrix) <= room and len(matrix.rows) <= HIGH:
        yield matrix
        return
    cuts = [*fitting(_costs(matrix), room - _labels(matrix))]
    for columns in cuts:
        found = [(row, entries[columns]) for row, entries in zip(matrix.rows, matrix.entries, strict=True)]
        if len(cuts) > 1:  # where all are 0, they are shown
            found = [each for each in found if {*each[1]} != {"0"}] or found
        for first in range(0, len(found), HIGH):
            rows, entries = zip(*found[first : first + HIGH], strict=True)
            yield Matrix(matrix.name, rows, matrix.columns[columns], entries)


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

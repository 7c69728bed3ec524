"""The document's part on the derivation: each layer's vectors, every recorded step as an equation, the closed form.

What is said of several rows in the same words is said once.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import sympy

from weightproof.appendix.between import Between
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.document.blocks import (
    Block,
    Equations,
    Heading,
    Line,
    Math,
    Matrix,
    Paragraph,
    Span,
    Spans,
    equation,
    joined,
)
from weightproof.document.layout import width
from weightproof.proofs.solving.latex import fact
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, substitute
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, j, n
from weightproof.symbolic.derivation import (
    Applied,
    Derivation,
    DotProduct,
    OverPositions,
    Quotient,
    Step,
    Stream,
    Vector,
    marker_names,
)
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.breakable import Cases, Terms, Written
from weightproof.symbolic.writing.latex_source import score
from weightproof.symbolic.writing.presentation import logit

WRITTEN = Choices("the appendix")
OPPOSITE = "relu(x) - relu(-x) = x"
LOGIT = r"\mathrm{logit}"

Known = dict[str, Iverson]
"""What the results of the steps so far are called."""


@dataclass(frozen=True)
class Place:
    """Where a step was applied: its part of the network, what it computes there, and at which row.

    key: the token at the other position, where a query meets a key; kind: what is computed there, where it has a name.
    """

    part: str
    name: str
    row: str | None
    key: str | None = None
    kind: str = ""


def place_of(step: Step, tokens: Sequence[str]) -> Place:
    """The place of a step, read off its location; a location of another form is a part of its own."""
    location, row = step.location, None
    for token_ in sorted(tokens, key=len, reverse=True):
        if location.endswith(f", row {token_}"):
            location, row = location.removesuffix(f", row {token_}"), token_
            break
    found = re.fullmatch(
        r"(layer \d+, (?:head \d+|feed-forward network))(?:, (coordinate|unit|gate|key) (.*))?", location
    )
    if found is None:
        return Place(location, "", row)
    if found[2] == "key":
        return Place(found[1], "", row, found[3])
    return Place(found[1], found[3] or "", row, kind=found[2] or "")


@dataclass(frozen=True)
class Sides:
    """Writes the sides of the steps of one derivation."""

    network: Encoder
    vocabulary: Vocabulary

    def position(self, held: str, generic: str = "i") -> str:
        """The position of a row of the derivation."""
        begin, end = self.markers
        return {begin: "0", end: "n-1"}.get(held, generic)

    @property
    def markers(self) -> tuple[str, str]:
        """What the rows of the markers are called."""
        return marker_names(self.network.begin, self.network.end)

    def left(self, step: Step, place: Place) -> str:
        """What the step computes."""
        index, of = self.numbers(place), f"_{{{latex.label(place.name)}}}" if place.name else ""
        if place.part in ("logit", f"position {self.network.readout.position}"):
            return LOGIT
        head = self.head(place.part)
        if place.key is not None and head is not None:
            product = rf"q^{{{index}}} \cdot K^{{{index}}}_{{{self.position(place.key, 'j')}}}"
            absolute = WRITTEN.is_less_size(head.score)
            return product if absolute and isinstance(step.before, DotProduct) else score(head, product)
        if not index:  # a place that the program does not know has no name
            return ""
        if isinstance(step.before, Applied) and step.before.function == "sgn":
            return ""  # its argument is a value that the coordinates are multiples of, which has no name either
        if step.scale is not None:
            return latex.number(step.scale**-2, self.vocabulary)
        if step.rule == "mean of the coordinates":
            return rf"\mu^{{{index}}}"
        unit = "g" if place.kind == "gate" else "h"
        if step.rule == OPPOSITE:
            return " - ".join(f"{unit}^{{{index}}}_{{{latex.label(each)}}}" for each in place.name.split(" less ", 1))
        if isinstance(step.before, Applied) or place.kind in ("unit", "gate"):
            return f"{unit}^{{{index}}}{of}"
        if isinstance(step.before, Quotient):
            return f"o^{{{index}}}{of}"
        if isinstance(step.before, OverPositions):
            return f"N^{{{index}}}{of}" if place.name else f"Z^{{{index}}}"
        return f"c^{{{index},i}}{of}" if step.rule == "explicit sums joined" else f"f^{{{index}}}{of}"

    def numbers(self, place: Place) -> str:
        """Those of the layer and of the head."""
        return ",".join(re.findall(r"(?:layer|head) (\d+)", place.part))

    def before(self, step: Step, place: Place, known: Known) -> Written:
        match step.before:
            case DotProduct(scale=scale, factors=factors):
                return Terms(signed([self._product(scale, *pair) for pair in factors]) or ("0",))
            case OverPositions():
                return self.over_positions(step.before, place)
            case Quotient(numerator=above, denominator=below):
                numbers, of = self.numbers(place), f"_{{{latex.label(place.name)}}}"
                names = ((f"N^{{{numbers}}}{of}", above), (f"Z^{{{numbers}}}", below))
                top, bottom = (name if known.get(name) == x else latex.value(x, self.vocabulary) for name, x in names)
                return Terms((rf"\frac{{{top}}}{{{bottom}}}",))
            case Applied():
                return self._applied(step.before)
            case Iverson():
                return latex.terms(step.before, self.vocabulary)
            case other:
                assert_never(other)

    def _applied(self, before: Applied) -> Terms:
        body, scale = latex.terms(before.argument, self.vocabulary), self._scale(before.scale)
        if before.function == "-|x|":
            return Terms((rf"-{scale}\,\lvert {body} \rvert" if scale else rf"-\lvert {body} \rvert",))
        high = any(r"\frac" in part for part in body.parts)
        opened, closed = (r"\Bigl(", r"\Bigr)") if high else ("(", ")")
        first, *rest = body.parts
        parts = (first, *rest[:-1], f"{rest[-1]}{closed}") if rest else (f"{first}{closed}",)
        return Terms((rf"\operatorname{{{before.function}}}{opened}{parts[0]}", *parts[1:]))

    def _product(self, scale: Iverson, query: Iverson, key: Iverson) -> str:
        pair = rf"{latex.factor(query, self.vocabulary)} \cdot {latex.factor(key, self.vocabulary)}"
        first = self._scale(scale)
        return rf"{first} \cdot {pair}" if first else pair

    def _scale(self, scale: Iverson) -> str:
        """In front of a product; nothing for 1."""
        text = latex.value(scale, self.vocabulary)
        several = len(latex.terms(scale, self.vocabulary).parts) > 1 or text.startswith("-")
        return "" if text == "1" else latex.bound(text, latex.SUM if several else latex.PRODUCT, latex.PRODUCT)

    def over_positions(self, before: OverPositions, place: Place) -> Terms:
        """The values of all positions in view, added up: markers by themselves, symbols under a sum."""
        network, values = self.network, dict(before.summands)
        head = self.head(place.part)
        readout = network.readout.position
        if place.part == f"position {readout}" and not WRITTEN.reads_all(readout):
            return self._at_one(values, {"first": sympy.S.Zero, "last": n - 1}[readout])
        causal = head is not None and WRITTEN.is_causal(head.mask)
        at_begin, at_end = self.markers
        row = {at_begin: "begin", at_end: "end"}.get(place.row or "", "symbol")
        begin = network.begin is not None
        end = network.end is not None and (not causal or row == "end")
        lo: sympy.Expr = sympy.Integer(self.vocabulary.first)
        hi: sympy.Expr = i if causal and row == "symbol" else self.vocabulary.last
        symbols = {a: values.get(a, ZERO) for a in self.vocabulary.alphabet}
        markers = [*([(at_begin, sympy.S.Zero)] if begin else []), *([(at_end, n - 1)] if end else [])]
        before_, after = ZERO, ZERO
        common = set(symbols.values())
        if causal and row == "begin" and begin:
            return latex.terms(values.get(at_begin, ZERO), self.vocabulary)
        for marker, at in markers:
            here = values.get(marker, ZERO)
            same = len(common) == 1 and substitute(next(iter(common)), {j: at}) == here
            if same and at == 0:
                lo = lo - 1
            elif same:
                hi = hi + 1
            elif at == 0:
                before_ += here
            else:
                after += here
        parts = [
            *(latex.terms(before_, self.vocabulary).parts if before_.terms else ()),
            *self._sums(symbols, lo, hi),
            *(latex.terms(after, self.vocabulary).parts if after.terms else ()),
        ]
        return Terms(signed(parts) or ("0",))

    def _sums(self, values: dict[str, Iverson], lo: sympy.Expr, hi: sympy.Expr) -> Iterator[str]:
        """The sum over the symbols in a range, one for each value that some of them have."""
        groups: dict[Iverson, list[str]] = {}
        for symbol, x in values.items():
            groups.setdefault(x, []).append(symbol)
        low, high, name = (latex.number(x, self.vocabulary) for x in (lo, hi, j))
        for x, symbols in groups.items():
            if not x.terms:
                continue
            if len(groups) == 1:
                sign = rf"\sum_{{{name}={low}}}^{{{high}}}"
            else:
                sign = rf"\sum_{{\substack{{{low} \le {name} \le {high} \\ {holds(name, symbols)}}}}}"
            yield from latex.summed(sign, latex.terms(x, self.vocabulary)).parts

    def _at_one(self, values: dict[str, Iverson], place: sympy.Expr) -> Terms:
        """The value at the one position that is read, by what stands there."""
        held = {token_: substitute(x, {j: place}) for token_, x in values.items() if x.terms}
        if len(values) == 1:
            return latex.terms(next(iter(values.values())), self.vocabulary)
        parts: list[str] = []
        for token_, x in held.items():
            name = rf"\mathbb{{I}}[{latex.token(latex.number(place, self.vocabulary))} = {latex.label(token_)}]"
            parts.append(rf"\Bigl({latex.value(x, self.vocabulary)}\Bigr)\,{name}")
        return Terms(signed(parts) or ("0",))

    def head(self, part: str) -> Head | None:
        found = re.fullmatch(r"layer (\d+), head (\d+)", part)
        return None if found is None else self.network.layers[int(found[1]) - 1].heads[int(found[2]) - 1]


def holds(place: str, symbols: Sequence[str]) -> str:
    """That one of some symbols stands at a place."""
    if len(symbols) == 1:
        return f"{latex.token(place)} = {latex.label(symbols[0])}"
    return rf"{latex.token(place)} \in \{{{', '.join(map(latex.label, symbols))}\}}"


def signed(parts: Sequence[str]) -> tuple[str, ...]:
    """Pieces of several sums as those of one: each but the first with a sign in front."""
    return tuple(
        part
        if place == 0 or part.startswith(("+ ", "- "))
        else f"- {part[1:]}"
        if part.startswith("-")
        else f"+ {part}"
        for place, part in enumerate(parts)
    )


def _without(vector: Vector, told: Container[str]) -> Vector:
    return {coordinate: value for coordinate, value in vector.items() if coordinate not in told}


def _shortened(written: Written) -> Written:
    """The first pieces and the last one of what is too long to be read."""
    if not isinstance(written, Terms) or len(written.parts) <= MOST_PIECES:
        return written
    *first, last = (*written.parts[:3], written.parts[-1])
    return Terms((*first, r"+ \cdots", last))


MOST_PIECES = 120
"""Of a sum that is written out in full; a derivation as JSON, or as text with its steps, has all of a longer one."""
WIDEST_ENTRY = 13.0
LONGEST_REASON = 14.0
"""In em: coordinates with wider entries stand in equations beside the table; longer side conditions by their name."""


@dataclass(frozen=True)
class Teller:
    """Tells the derivation of one construction; `section` is the letter that its equations are numbered under."""

    derivation: Derivation
    section: str

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def network(self) -> Encoder:
        return self.construction.encoder

    @functools.cached_property
    def sides(self) -> Sides:
        return Sides(self.network, self.vocabulary)

    @functools.cached_property
    def between(self) -> Between:
        return Between(self.derivation)

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.derivation.streams[0])

    def blocks(self) -> Iterator[Block]:
        yield Heading(2, ("Derivation",))
        yield Heading(3, ("Input ", Math("a^{0,i}")))
        yield from self.vectors("a^{0,i}", self.derivation.streams[0])
        places = [(step, place_of(step, self.tokens)) for step in self.derivation.steps]
        parts = list(dict.fromkeys(place.part for _, place in places))
        for layer in range(1, len(self.network.layers) + 1):
            mine = [part for part in parts if part.startswith(f"layer {layer}, ")]
            heads = [
                part
                for part in mine
                if ", head " in part or part.endswith(("norm after attention", "norm before attention"))
            ]
            yield Heading(3, (f"Layer {layer}: ", Math(f"c^{{{layer},i}}"), " and ", Math(f"a^{{{layer},i}}")))
            for part in heads:
                yield from self.part(part, [(step, place) for step, place in places if place.part == part])
            yield from self.after_attention(layer)
            network = self.network.layers[layer - 1].feed_forward
            if network is not None and network.gate is not None:
                called, unit = Math(f"g^{{{layer}}}_{{u}}"), Math("u")
                yield Paragraph(("Here ", called, " is the activation of the gate of hidden unit ", unit, "."))
            for part in (part for part in mine if part not in heads):
                yield from self.part(part, [(step, place) for step, place in places if place.part == part])
            yield from self.after_feed_forward(layer)
        yield Heading(3, ("Logit",))
        *rest, (last, place) = [(step, place) for step, place in places if not place.part.startswith("layer ")]
        rest.append((replace(last, after=logit(self.derivation)), place))
        yield Equations(tuple(self.logit(rest)))
        yield from self.side_conditions()

    def after_attention(self, layer: int) -> Iterator[Block]:
        if self.network.layers[layer - 1].heads or self.network.layers[layer - 1].attention_norm is not None:
            yield Paragraph(("After attention:",))
            stream, name = self.derivation.attended[layer - 1], f"c^{{{layer},i}}"
            joins = self.joins(layer, name, stream)
            yield from self.vectors(name, {row: _without(vector, joins) for row, vector in stream.items()})
            if joins:
                yield Equations(tuple(itertools.chain.from_iterable(joins.values())))
        else:
            said = Math(f"c^{{{layer},i}} = a^{{{layer - 1},i}}")
            yield Paragraph((f"Layer {layer} has no heads: ", said, "."))

    def joins(self, layer: int, name: str, stream: Stream) -> dict[str, list[Line]]:
        """The coordinates that are sums of fractions at every row, with their lines."""
        lines: dict[str, list[Line]] = {}
        for coordinate in self.network.coordinates:
            joins = [(row, self.between.join(layer, row, coordinate, name)) for row in stream]
            found = [replace(line, note=(*line.note, ", at ", *self.rows([row]))) for row, line in joins if line]
            if len(found) == len(stream):
                lines[coordinate] = found
        return lines

    def after_feed_forward(self, layer: int) -> Iterator[Block]:
        if self.network.layers[layer - 1].feed_forward is None:
            said = Math(f"a^{{{layer},i}} = c^{{{layer},i}}")
            yield Paragraph((f"Layer {layer} has no feed-forward network: ", said, "."))
        else:
            yield Paragraph(("After the feed-forward network:",))
            yield from self.vectors(f"a^{{{layer},i}}", self.derivation.streams[layer])

    def logit(self, steps: list[tuple[Step, Place]]) -> Iterator[Line]:
        """The steps from the readout on, the last one being the closed form; then the sums that it mentions."""
        known: Known = {}
        changing = [pair for place, pair in enumerate(steps) if place == 0 or pair[0].before != pair[0].after]
        lines = [self.line(step, place, known) for step, place in changing]
        for number_, ((earlier, _), (later, _)) in enumerate(itertools.pairwise(changing), start=1):
            if earlier.after == later.before:  # said in the line above
                lines[number_] = replace(lines[number_], rights=lines[number_].rights[-1:])
        yield from lines[:-1]
        yield replace(lines[-1], number=f"{self.section}.1")
        for place, (symbol, total) in enumerate(self.derivation.all_sums.items(), start=2):
            name = latex.number(symbol, self.vocabulary)
            yield equation(name, latex.explicit_sum(total, self.vocabulary), number=f"{self.section}.{place}")

    def side_conditions(self) -> Iterator[Block]:
        """The facts that were used; of those that bound one number, from above below its least value, the number."""
        facts = self.derivation.facts
        told = sorted(fact(one, self.vocabulary) for one in facts if not one.bounds_one_form)
        if not facts:
            return
        why: list[Span] = []
        if told:
            why += [
                "no integers satisfy all inequalities of one of the sets below, a token standing for its place in the "
                "alphabet, from 0, and a marker for ",
                Math("-1"),
            ]
        if len(told) < len(facts):
            why.append(
                f"{', or because ' if told else ''}bounds of one number leave none ({len(facts) - len(told)} times)"
            )
        settled = ". Exact elimination settled each of them, and two solvers are asked again in every proof."
        yield Paragraph(("Cases were dropped and signs decided on the way because ", *why, settled))
        if told:
            sets = tuple(rf"\{{{', '.join(parts)}\}} \quad" for parts in told)
            yield Equations((Line("", (Terms(sets),), relation=""),))

    def vectors(self, name: str, stream: Stream) -> Iterator[Block]:
        """The vectors of all rows side by side where that is narrow enough, else coordinate by coordinate."""
        coordinates = [c for c in self.network.coordinates if any(c in vector for vector in stream.values())]
        columns = tuple(rf"{latex.token(self.sides.position(row))} = {latex.label(row)}" for row in stream)
        entries = tuple(
            tuple(latex.value(vector.get(c, ZERO), self.vocabulary) for vector in stream.values()) for c in coordinates
        )
        wide = [max(map(width, row), default=0.0) > WIDEST_ENTRY for row in entries]
        kept = [place for place, is_wide in enumerate(wide) if not is_wide]
        table = Matrix(
            name,
            tuple(latex.label(coordinates[place]) for place in kept),
            columns,
            tuple(entries[place] for place in kept),
        )
        if kept or not coordinates:
            yield table
        if any(wide):
            apart = [coordinate for coordinate, is_wide in zip(coordinates, wide, strict=True) if is_wide]
            yield Equations(tuple(self.coordinate(name, c, stream) for c in apart))

    def coordinate(self, name: str, coordinate: str, stream: Stream) -> Line:
        groups: dict[Iverson, list[str]] = {}
        for row, vector in stream.items():
            groups.setdefault(vector.get(coordinate, ZERO), []).append(row)
        left = rf"{name}_{{{latex.label(coordinate)}}}"
        if len(groups) == 1:
            [(only, rows)] = groups.items()
            note: Spans = ("at ", *self.rows(rows)) if len(stream) == 1 else ()
            return equation(left, latex.written(only, self.vocabulary), note=note)
        return equation(
            left,
            Cases(
                tuple(
                    (
                        latex.value(x, self.vocabulary),
                        r" \lor ".join(
                            rf"{latex.token(self.sides.position(row))} = {latex.label(row)}" for row in rows
                        ),
                    )
                    for x, rows in groups.items()
                )
            ),
        )

    def rows(self, rows: Sequence[str]) -> Spans:
        """Where the rows are."""
        by_place: dict[str, list[str]] = {}
        for row in rows:
            by_place.setdefault(self.sides.position(row), []).append(row)
        return joined(
            [
                (
                    "position ",
                    Math(place),
                    " holding ",
                    *joined([(Math(latex.label(row)),) for row in held], last=" or "),
                )
                for place, held in by_place.items()
            ],
            last=" and ",
        )

    def part(self, name: str, steps: list[tuple[Step, Place]]) -> Iterator[Block]:
        """The steps in one head or feed-forward network; rows with the same steps together."""
        by_row: dict[str | None, list[tuple[Step, Place]]] = {}
        for step, place in steps:
            by_row.setdefault(place.row, []).append((step, place))
        told: dict[tuple[Line, ...], list[str | None]] = {}
        for row, mine in by_row.items():
            told.setdefault(tuple(self.lines(mine)), []).append(row)
        for lines, rows in told.items():
            held = [row for row in rows if row is not None]
            where: Spans = (", at ", *self.rows(held)) if held else ()
            yield Paragraph((name.capitalize(), *where, ":"))
            yield Equations(lines)

    def lines(self, steps: list[tuple[Step, Place]]) -> Iterator[Line]:
        """The steps at one row; keys that say the same to its query together."""
        known: Known = {}
        keys: dict[Line, list[str]] = {}
        for step, place in steps:
            keys.setdefault(self.line(step, place, known), []).extend([] if place.key is None else [place.key])
        for line, held in keys.items():
            some = [key for key in held if key in self.vocabulary.alphabet]
            every = len(some) in (0, len(self.vocabulary.alphabet))
            yield line if every else replace(line, note=(*line.note, ", ", Math(holds("j", some))))

    def line(self, step: Step, place: Place, known: Known) -> Line:
        """One step as an equation, with its rule and its side condition; known: what has a name so far."""
        before = self.sides.before(step, place, known)
        after = latex.written(step.after, self.vocabulary)
        head = self.sides.head(place.part)
        counts = None if head is None or place.row is None else self.between.counts(step, head, place.row)
        rights: tuple[Written, ...] = (before, after) if counts is None else (before, counts, after)
        if str(before) == str(latex.terms(step.after, self.vocabulary)):
            rights = rights[1:]
        left = self.sides.left(step, place)
        known[left] = step.after
        most = max(len(each.parts) if isinstance(each, Terms) else 0 for each in rights)
        reason = self.reason(step, place)
        if most > MOST_PIECES:
            rights, reason = tuple(map(_shortened, rights)), (*reason, f", {most:,} terms")
        return Line(left, rights, reason, relation="=" if left else "")

    def reason(self, step: Step, place: Place) -> Spans:
        at = self.between.place(step.before) if isinstance(step.before, OverPositions) else None
        where: Spans = () if at is None else (", only at ", Math(f"j = {latex.number(at, self.vocabulary)}"))
        if step.positive is None:
            return (step.rule, *where)
        condition_ = rf"{latex.value(step.positive, self.vocabulary)} > 0"
        if width(condition_) > LONGEST_REASON:
            condition_ = rf"Z^{{{self.sides.numbers(place)}}} > 0"
        return (f"{step.rule}, ", Math(condition_), *where)

"""The document's part on the derivation: each layer's vectors, every recorded step, the closed form of the logit.

What is said of several rows in the same words is said once.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import sympy

from constructions.schema import Activation, Construction, Encoder, Head
from proofs.latex import fact
from symbolic.derivation import Derivation, OverPositions, Quotient, Step, Stream
from symbolic.iverson import ZERO, Iverson, substitute
from symbolic.latex import (
    Cases,
    Terms,
    Written,
    explicit_sum,
    label,
    number,
    summed,
    terms,
    token,
    value,
    written,
)
from symbolic.vocabulary import Vocabulary, i, j, n
from weightproof.document import (
    Block,
    Equations,
    Heading,
    Line,
    Math,
    Matrix,
    Paragraph,
    Spans,
    equation,
    joined,
)
from weightproof.layout import width

ACTIVATIONS = get_args(Activation)
LOGIT = r"\mathrm{logit}"
WIDEST_ENTRY = 13.0
LONGEST_REASON = 14.0
"""In em: coordinates with wider entries stand in equations beside the table; longer side conditions by their name."""


Known = dict[str, Iverson]
"""What the results of the steps so far are called."""


@dataclass(frozen=True)
class Place:
    """Where a step was applied: its part of the network, what it computes there, and at which row."""

    part: str
    name: str
    row: str | None


def place_of(step: Step, tokens: Sequence[str]) -> Place:
    """The place of a step, read off its location; a location of another form is a part of its own."""
    location, row = step.location, None
    for token_ in sorted(tokens, key=len, reverse=True):
        if location.endswith(f", row {token_}"):
            location, row = location.removesuffix(f", row {token_}"), token_
            break
    found = re.fullmatch(r"(layer \d+, (?:head \d+|feed-forward network))(?:, (?:coordinate|unit) (.*))?", location)
    return Place(location, "", row) if found is None else Place(found[1], found[2] or "", row)


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
        assert isinstance(self.construction.network, Encoder)
        return self.construction.network

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
            heads = [part for part in mine if ", head " in part]
            yield Heading(3, (f"Layer {layer}: ", Math(f"c^{{{layer},i}}"), " and ", Math(f"a^{{{layer},i}}")))
            for part in heads:
                yield from self.part(part, [(step, place) for step, place in places if place.part == part])
            yield from self.after_attention(layer)
            for part in (part for part in mine if part not in heads):
                yield from self.part(part, [(step, place) for step, place in places if place.part == part])
            yield from self.after_feed_forward(layer)
        yield Heading(3, ("Logit",))
        rest = [(step, place) for step, place in places if not place.part.startswith("layer ")]
        yield Equations(tuple(self.logit(rest)))
        yield from self.side_conditions()

    def after_attention(self, layer: int) -> Iterator[Block]:
        if self.network.layers[layer - 1].heads:
            yield Paragraph(("After attention:",))
            yield from self.vectors(f"c^{{{layer},i}}", self.derivation.attended[layer - 1])
        else:
            said = Math(f"c^{{{layer},i}} = a^{{{layer - 1},i}}")
            yield Paragraph((f"Layer {layer} has no heads: ", said, "."))

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
            name = number(symbol, self.vocabulary)
            yield equation(name, explicit_sum(total, self.vocabulary), number=f"{self.section}.{place}")

    def side_conditions(self) -> Iterator[Block]:
        facts = sorted(fact(one, self.vocabulary) for one in self.derivation.facts)
        if not facts:
            return
        yield Paragraph(
            (
                "Cases were dropped and signs decided on the way because no integers satisfy all inequalities of one "
                "of the following sets, a token standing for its place in the alphabet, from 0, and a marker for ",
                Math("-1"),
                ". Exact elimination settled each of them, and two solvers are asked again in every proof.",
            )
        )
        sets = tuple(rf"\{{{', '.join(parts)}\}} \quad" for parts in facts)
        yield Equations((Line("", (Terms(sets),), relation=""),))

    def position(self, row: str) -> str:
        """The position at which a token stands, where it is a row of the derivation."""
        return {self.network.begin: "0", self.network.end: "n-1"}.get(row, "i")

    def vectors(self, name: str, stream: Stream) -> Iterator[Block]:
        """The vectors of all rows side by side where that is narrow enough, else coordinate by coordinate."""
        coordinates = [c for c in self.network.coordinates if any(c in vector for vector in stream.values())]
        columns = tuple(rf"{token(self.position(row))} = {label(row)}" for row in stream)
        entries = tuple(
            tuple(value(vector.get(c, ZERO), self.vocabulary) for vector in stream.values()) for c in coordinates
        )
        wide = [max(map(width, row), default=0.0) > WIDEST_ENTRY for row in entries]
        kept = [place for place, is_wide in enumerate(wide) if not is_wide]
        table = Matrix(
            name,
            tuple(label(coordinates[place]) for place in kept),
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
        left = rf"{name}_{{{label(coordinate)}}}"
        if len(groups) == 1:
            [(only, rows)] = groups.items()
            note: Spans = ("at ", *self.rows(rows)) if len(stream) == 1 else ()
            return equation(left, written(only, self.vocabulary), note=note)
        return equation(
            left,
            Cases(
                tuple(
                    (
                        value(x, self.vocabulary),
                        r" \lor ".join(rf"{token(self.position(row))} = {label(row)}" for row in rows),
                    )
                    for x, rows in groups.items()
                )
            ),
        )

    def rows(self, rows: Sequence[str]) -> Spans:
        """Where the rows are."""
        by_place: dict[str, list[str]] = {}
        for row in rows:
            by_place.setdefault(self.position(row), []).append(row)
        return joined(
            [
                ("position ", Math(place), " holding ", *joined([(Math(label(row)),) for row in held], last=" or "))
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
            known: Known = {}
            lines = tuple(self.line(step, place, known) for step, place in mine)
            told.setdefault(lines, []).append(row)
        for lines, rows in told.items():
            held = [row for row in rows if row is not None]
            where: Spans = (", at ", *self.rows(held)) if held else ()
            yield Paragraph((name.capitalize(), *where, ":"))
            yield Equations(lines)

    def line(self, step: Step, place: Place, known: Known) -> Line:
        """One step as an equation, with its rule and its side condition; known: what has a name so far."""
        before = self.before(step, place, known)
        rights: tuple[Written, ...] = (before, written(step.after, self.vocabulary))
        if str(before) == str(terms(step.after, self.vocabulary)):
            rights = rights[1:]
        left = self.left(step, place)
        known[left] = step.after
        return Line(left, rights, self.reason(step, place), relation="=" if left else "")

    def left(self, step: Step, place: Place) -> str:
        """What the step computes."""
        index, of = self.numbers(place), f"_{{{label(place.name)}}}" if place.name else ""
        if place.part in ("logit", f"position {self.network.readout.position}"):
            return LOGIT
        if not index:  # a place that the program does not know has no name
            return ""
        if step.rule.removesuffix(" by cases") in ACTIVATIONS:
            return f"h^{{{index}}}{of}"
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
            case OverPositions():
                return self.over_positions(step.before, place)
            case Quotient(numerator=above, denominator=below):
                numbers, of = self.numbers(place), f"_{{{label(place.name)}}}"
                names = ((f"N^{{{numbers}}}{of}", above), (f"Z^{{{numbers}}}", below))
                top, bottom = (name if known.get(name) == x else value(x, self.vocabulary) for name, x in names)
                return Terms((rf"\frac{{{top}}}{{{bottom}}}",))
        body = terms(step.before, self.vocabulary)
        rule = step.rule.removesuffix(" by cases")
        if rule not in ACTIVATIONS:
            return body
        high = any(r"\frac" in part for part in body.parts)
        opened, closed = (r"\Bigl(", r"\Bigr)") if high else ("(", ")")
        first, *rest = body.parts
        parts = (first, *rest[:-1], f"{rest[-1]}{closed}") if rest else (f"{first}{closed}",)
        return Terms((rf"\operatorname{{{rule}}}{opened}{parts[0]}", *parts[1:]))

    def reason(self, step: Step, place: Place) -> Spans:
        if step.positive is None:
            return (step.rule,)
        condition_ = rf"{value(step.positive, self.vocabulary)} > 0"
        if width(condition_) > LONGEST_REASON:
            condition_ = rf"Z^{{{self.numbers(place)}}} > 0"
        return f"{step.rule}, ", Math(condition_)

    def over_positions(self, before: OverPositions, place: Place) -> Terms:
        """The values of all positions in view, added up: markers by themselves, symbols under a sum."""
        network, values = self.network, dict(before.summands)
        head = self._head(place.part)
        readout = network.readout.position
        if place.part == f"position {readout}" and readout != "sum":
            return self._at_one(values, {"first": "0", "last": "n-1"}[readout])
        causal = head is not None and head.mask == "causal"
        ends = {network.begin: sympy.S.Zero, network.end: n - 1}
        row = {network.begin: "begin", network.end: "end"}.get(place.row, "symbol")
        begin = network.begin is not None
        end = network.end is not None and (not causal or row == "end")
        lo: sympy.Expr = sympy.Integer(self.vocabulary.first)
        hi: sympy.Expr = i if causal and row == "symbol" else self.vocabulary.last
        symbols = {a: values.get(a, ZERO) for a in self.vocabulary.alphabet}
        index = i if head is None and any(i in x.free_symbols for x in symbols.values()) else j
        markers = [(marker, at) for marker, at in ends.items() if marker is not None and (begin, end)[at != 0]]
        before_, after = ZERO, ZERO
        common = set(symbols.values())
        if causal and row == "begin" and begin:
            return terms(values.get(str(network.begin), ZERO), self.vocabulary)
        for marker, at in markers:
            here = values.get(marker, ZERO)
            same = len(common) == 1 and substitute(next(iter(common)), {index: at}) == here
            if same and at == 0:
                lo = lo - 1
            elif same:
                hi = hi + 1
            elif at == 0:
                before_ += here
            else:
                after += here
        parts = [
            *(terms(before_, self.vocabulary).parts if before_.terms else ()),
            *self._sums(symbols, index, lo, hi),
            *(terms(after, self.vocabulary).parts if after.terms else ()),
        ]
        return Terms(_signed(parts) or ("0",))

    def _sums(self, values: dict[str, Iverson], index: sympy.Symbol, lo: sympy.Expr, hi: sympy.Expr) -> Iterator[str]:
        """The sum over the symbols in a range, one for each value that some of them have."""
        groups: dict[Iverson, list[str]] = {}
        for symbol, x in values.items():
            groups.setdefault(x, []).append(symbol)
        low, high, name = (number(x, self.vocabulary) for x in (lo, hi, index))
        for x, symbols in groups.items():
            if not x.terms:
                continue
            if len(groups) == 1:
                sign = rf"\sum_{{{name}={low}}}^{{{high}}}"
            else:
                held = token(name) + (
                    f" = {label(symbols[0])}" if len(symbols) == 1 else rf" \in \{{{', '.join(map(label, symbols))}\}}"
                )
                sign = rf"\sum_{{\substack{{{low} \le {name} \le {high} \\ {held}}}}}"
            yield from summed(sign, terms(x, self.vocabulary)).parts

    def _at_one(self, values: dict[str, Iverson], place: str) -> Terms:
        """The value at the one position that is read, by what stands there."""
        held = {token_: x for token_, x in values.items() if x.terms}
        if len(values) == 1:
            return terms(next(iter(values.values())), self.vocabulary)
        parts: list[str] = []
        for token_, x in held.items():
            name = rf"\mathbb{{I}}[{token(place)} = {label(token_)}]"
            parts.append(rf"\Bigl({value(x, self.vocabulary)}\Bigr)\,{name}")
        return Terms(_signed(parts) or ("0",))

    def _head(self, part: str) -> Head | None:
        found = re.fullmatch(r"layer (\d+), head (\d+)", part)
        return None if found is None else self.network.layers[int(found[1]) - 1].heads[int(found[2]) - 1]


def _signed(parts: Sequence[str]) -> tuple[str, ...]:
    """Pieces of several sums as those of one: each but the first with a sign in front."""
    return tuple(
        part
        if place == 0 or part.startswith(("+ ", "- "))
        else f"- {part[1:]}"
        if part.startswith("-")
        else f"+ {part}"
        for place, part in enumerate(parts)
    )

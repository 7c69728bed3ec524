"""The document's part on the derivation: each layer's vectors, every recorded step, the closed form of the logit.

What is said of several rows in the same words is said once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weightproof.appendix.sides import Known, Place, Sides, holds, place_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.document.blocks import (
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
from weightproof.document.layout import width
from weightproof.proofs.solving.latex import fact
from weightproof.symbolic.algebra.iverson import ZERO, Iverson
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.derivation import Derivation, Step, Stream
from weightproof.symbolic.writing.latex import (
    Cases,
    Terms,
    Written,
    explicit_sum,
    label,
    number,
    terms,
    token,
    value,
    written,
)
from weightproof.symbolic.writing.presentation import logit

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
        assert isinstance(self.construction.network, Encoder)
        return self.construction.network

    @functools.cached_property
    def sides(self) -> Sides:
        return Sides(self.network, self.vocabulary)

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
            heads = [part for part in mine if ", head " in part or part.endswith("norm after attention")]
            yield Heading(3, (f"Layer {layer}: ", Math(f"c^{{{layer},i}}"), " and ", Math(f"a^{{{layer},i}}")))
            for part in heads:
                yield from self.part(part, [(step, place) for step, place in places if place.part == part])
            yield from self.after_attention(layer)
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

    def vectors(self, name: str, stream: Stream) -> Iterator[Block]:
        """The vectors of all rows side by side where that is narrow enough, else coordinate by coordinate."""
        coordinates = [c for c in self.network.coordinates if any(c in vector for vector in stream.values())]
        columns = tuple(rf"{token(self.sides.position(row))} = {label(row)}" for row in stream)
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
                        r" \lor ".join(rf"{token(self.sides.position(row))} = {label(row)}" for row in rows),
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
        rights: tuple[Written, ...] = (before, written(step.after, self.vocabulary))
        if str(before) == str(terms(step.after, self.vocabulary)):
            rights = rights[1:]
        left = self.sides.left(step, place)
        known[left] = step.after
        return Line(left, rights, self.reason(step, place), relation="=" if left else "")

    def reason(self, step: Step, place: Place) -> Spans:
        if step.positive is None:
            return (step.rule,)
        condition_ = rf"{value(step.positive, self.vocabulary)} > 0"
        if width(condition_) > LONGEST_REASON:
            condition_ = rf"Z^{{{self.sides.numbers(place)}}} > 0"
        return f"{step.rule}, ", Math(condition_)

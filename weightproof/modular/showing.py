"""`show` and `list` of families that add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.library import ADDERS, units_of
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.meaning.schema import Linear, Rows
from weightproof.constructions.modular.addition import Adder
from weightproof.constructions.modular.counting import Counter, Units, counter
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.modular.given import FAMILIES, LENGTH, known, shown_adder, source, title, whole
from weightproof.reported import Shown


def listed() -> list[dict[str, Any]]:
    return [
        {
            "name": family,
            "title": title(family),
            "source": source(family),
            "parameters": ["p", "k"] if family in ADDERS else ["n"],
        }
        for family in FAMILIES
    ]


def overview() -> Table:
    cells: list[list[Text]] = [
        [Styled(row["name"]), row["title"], row["source"], ", ".join(row["parameters"])] for row in listed()
    ]
    return Table(("family", "what it does", "source", "parameters"), cells)


@dataclass(frozen=True, repr=False)
class ShownSums(Shown):
    """One member where a parameter is given, or else the family, with names in the place of numbers."""

    family: str
    given: Mapping[str, str]
    member: Adder | Counter | Units

    @property
    def data(self) -> dict[str, Any]:
        """sha256 is that of the network."""
        family, network = self.family, plain(self.member if isinstance(self.member, Units) else self.member.network)
        data = {"name": family, "title": title(family), "source": source(family), "given": dict(self.given)}
        return data | {"network": network, "sha256": fingerprint(network)}

    def report(self) -> Iterator[Plain]:
        """Every weight that is not 0."""
        said = ", ".join(f"{name} = {value}" for name, value in self.given.items())
        yield Heading(3, f"{self.family}: {title(self.family)}{f', {said}' if said else ''}")
        yield Paragraph(f"source: {source(self.family)}")
        match self.member:
            case Adder() as adder:
                yield from _adder(adder)
            case Counter(network=network):
                yield from _matrices((("W_1, b_1", network.first), ("W_2, b_2", network.second)))
            case Units() as units:
                yield Paragraph("Of the input i and the unit j, both from 1 to n; give one length with --param n=5.")
                yield pairs([(name, str(getattr(units, name))) for name in ("W_1", "b_1", "W_2", "b_2")], 1)


def shown(family: str, given: Mapping[str, str]) -> ShownSums:
    """InputError for what is no member."""
    known(family, given)
    if family in ADDERS:
        return ShownSums(family, given, shown_adder(family, given))
    units = units_of(family)
    return ShownSums(family, given, counter(units, whole(family, LENGTH, given[LENGTH])) if given else units)


def _adder(adder: Adder) -> Iterator[Plain]:
    if adder.modulus.names:
        yield Paragraph(
            "Of every modulus p and frequency k: a and b are residues, c an output; give one with --param p=7."
        )
    yield Heading(3, "Embedding")
    yield from _rows(adder.network.embedding.WE)
    for number, layer in enumerate(adder.network.layers, start=1):
        for head in layer.heads:
            yield Heading(3, f"Layer {number}: W_V of the head, which looks everywhere alike")
            yield from _rows(head.W_V)
        if layer.feed_forward is not None:
            inner = layer.feed_forward
            yield from _matrices(
                ((f"Layer {number}: first map, then {inner.activation}", inner.first), ("second map", inner.second)),
            )
    yield from _matrices((("Readout", adder.network.readout.W),))


def _matrices(maps: tuple[tuple[str, Linear], ...]) -> Iterator[Plain]:
    for name, linear in maps:
        yield Heading(3, name)
        yield from _rows(linear.weights)
        if linear.bias:
            yield Paragraph(f"bias: {', '.join(f'{row} {value}' for row, value in linear.bias.items())}", 1)


def _rows(rows: Rows) -> Iterator[Plain]:
    yield pairs(list(_texts(rows)), 1)


def _texts(rows: Rows) -> Iterator[tuple[str, str]]:
    for row, columns in rows.items():
        yield row, ", ".join(f"{name}: {weight}" for name, weight in columns.items()) or "0"

"""`show` and `list` of families that add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weightproof.constructions.library import ADDERS, units_of
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.meaning.schema import Linear, Rows
from weightproof.constructions.modular.addition import Adder
from weightproof.constructions.modular.counting import Counter, Units, counter
from weightproof.modular.given import FAMILIES, LENGTH, known, shown_adder, source, title, whole
from weightproof.terminal.page import Cell, Page, Table


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
    cells: list[list[str | Cell]] = [
        [Cell(row["name"], "bold"), row["title"], row["source"], ", ".join(row["parameters"])] for row in listed()
    ]
    return Table(("family", "what it does", "source", "parameters"), cells)


def subject(family: str, given: Mapping[str, str]) -> Adder | Counter | Units:
    """What is shown: one member where a parameter is given, or else the family with names."""
    known(family, given)
    if family in ADDERS:
        return shown_adder(family, given)
    units = units_of(family)
    return counter(units, whole(family, LENGTH, given[LENGTH])) if given else units


def payload(family: str, given: Mapping[str, str]) -> dict[str, Any]:
    """The JSON: sha256 is that of the network."""
    shown = subject(family, given)
    network = plain(shown if isinstance(shown, Units) else shown.network)
    data = {"name": family, "title": title(family), "source": source(family), "given": dict(given)}
    return data | {"network": network, "sha256": fingerprint(network)}


def draw(page: Page, family: str, given: Mapping[str, str]) -> None:
    """Every weight that is not 0."""
    shown = subject(family, given)  # refuses before a line is written
    said = ", ".join(f"{name} = {value}" for name, value in given.items())
    page.heading(f"{family}: {title(family)}{f', {said}' if said else ''}")
    page.line(f"source: {source(family)}")
    match shown:
        case Adder() as adder:
            _draw_adder(page, adder)
        case Counter(network=network):
            _matrices(page, (("W_1, b_1", network.first), ("W_2, b_2", network.second)))
        case Units() as units:
            page.line("Of the input i and the unit j, both from 1 to n; give one length with --param n=5.")
            page.pairs([(name, str(getattr(units, name))) for name in ("W_1", "b_1", "W_2", "b_2")], indent=1)


def _draw_adder(page: Page, adder: Adder) -> None:
    if adder.modulus.names:
        page.line("Of every modulus p and frequency k: a and b are residues, c an output; give one with --param p=7.")
    page.heading("Embedding")
    _rows(page, adder.network.embedding.WE)
    for number, layer in enumerate(adder.network.layers, start=1):
        for head in layer.heads:
            page.heading(f"Layer {number}: W_V of the head, which looks everywhere alike")
            _rows(page, head.W_V)
        if layer.feed_forward is not None:
            inner = layer.feed_forward
            _matrices(
                page,
                ((f"Layer {number}: first map, then {inner.activation}", inner.first), ("second map", inner.second)),
            )
    _matrices(page, (("Readout", adder.network.readout.W),))


def _matrices(page: Page, maps: tuple[tuple[str, Linear], ...]) -> None:
    for name, linear in maps:
        page.heading(name)
        _rows(page, linear.weights)
        if linear.bias:
            page.line(f"bias: {', '.join(f'{row} {value}' for row, value in linear.bias.items())}", indent=1)


def _rows(page: Page, rows: Rows) -> None:
    page.pairs(list(_texts(rows)), indent=1)


def _texts(rows: Rows) -> Iterator[tuple[str, str]]:
    for row, columns in rows.items():
        yield row, ", ".join(f"{name}: {weight}" for name, weight in columns.items()) or "0"

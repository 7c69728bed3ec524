"""A member of a family that adds or counts: which one is meant by the values of --param, and what `show` and `list` say
of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.library import ADDERS, COUNTERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.meaning.schema import Linear, Rows
from weightproof.constructions.modular.addition import Adder, Modulus
from weightproof.constructions.modular.counting import Counter, Units, counter
from weightproof.constructions.modular.family import all_frequencies, every_modulus, modulus
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.results import Shown

MODULUS, FREQUENCIES, LENGTH = "p", "k", "n"
DEFAULT, ALL = 113, "all"
"""The modulus of the source; and how all frequencies are named."""
MOST_FREQUENCIES, MOST_RESIDUES = 1000, 500
"""Of a network that is run; and residues of one that is run with all of them, not with those next to the sum alone."""


def known(family: str, given: Mapping[str, str]) -> None:
    """InputError for another parameter than the family has."""
    names = (MODULUS, FREQUENCIES) if family in ADDERS else (LENGTH,)
    for name in given:
        if name not in names:
            raise InputError(f"{family}: no parameter {name!r}; it has {', '.join(names)}")


def modulus_of(family: str, given: Mapping[str, str]) -> Modulus:
    """With all its residues; InputError for what is no modulus, or no frequency."""
    known(family, given)
    p = whole(family, MODULUS, given.get(MODULUS, str(DEFAULT)))
    said = given.get(FREQUENCIES, "1")
    if said == ALL:
        modulus(p, (1,), ())  # refused before p - 1 frequencies are made
        if p > MOST_FREQUENCIES:
            raise InputError(f"{family}: p = {p} has too many frequencies to run all: give k=1, say")
        return Modulus(p, all_frequencies(p), ())
    return modulus(p, tuple(whole(family, FREQUENCIES, part) for part in said.split(",")), ())


def adder(family: str, given: Mapping[str, str], word: str) -> Adder:
    """The network of a modulus, or of a large one the part that knows the two residues of a word and what is next to
    their sum; InputError as in `modulus_of`, for frequencies that the family cannot have, and for a bad word."""
    of = modulus_of(family, given)
    p = of.p
    assert not isinstance(p, str)
    adder_of(family, of)  # refuses its frequencies
    if p <= MOST_RESIDUES:
        return adder_of(family, Modulus(p, of.frequencies, tuple(range(p))))
    residues = [int(part) for part in word.split() if part.isdecimal() and int(part) < p]
    if len(residues) != 2 or len(word.split()) != 2:
        raise InputError(f"{family}: {word!r} is not two residues modulo {p}: write them as '3 5'")
    near = {(sum(residues) + step) % p for step in (-2, -1, 0, 1, 2)}
    return adder_of(family, Modulus(p, of.frequencies, tuple(sorted({*near, *residues}))))


def shown_adder(family: str, given: Mapping[str, str]) -> Adder:
    """That of a modulus, or where nothing is given that of all of them, with names in the place of numbers."""
    if not given:
        return adder_of(family, every_modulus())
    of = modulus_of(family, given)
    p = of.p
    assert not isinstance(p, str)
    if p > MOST_RESIDUES:
        raise InputError(f"{family}: p = {p} is too large to be written out; give {MOST_RESIDUES} or less")
    return adder_of(family, Modulus(p, of.frequencies, tuple(range(p))))


def counter_for(family: str, given: Mapping[str, str], word: str) -> Counter:
    """The network for a word; InputError where n is given, and is not its length."""
    known(family, given)
    n = whole(family, LENGTH, given.get(LENGTH, str(len(word))))
    return counter(units_of(family), n)


def whole(family: str, name: str, said: str) -> int:
    if not said.strip().isdecimal() or len(said.strip()) > 18:
        raise InputError(f"{family}: {name} = {said} is no number: give a whole number from 1 on, of 18 digits at most")
    return int(said)


FAMILIES = (*ADDERS, *COUNTERS)


def title(family: str) -> str:
    return adders_of(family).title if family in ADDERS else units_of(family).title


def source(family: str) -> str:
    return adders_of(family).source if family in ADDERS else units_of(family).source


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

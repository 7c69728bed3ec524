"""Numbers of every width: the rows of each head come in blocks that are alike, one a bit, and so do the table's.

The states of a score behind the first block contain those behind a second one: so, by induction over the bits, they
are the states behind any number of blocks. That a decoder of so many bits is made of such blocks, and is otherwise the
same, is compared for all widths up to WIDEST.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weightproof.constructions.meaning.schema import Decoder, Head
from weightproof.proofs.circuits.deciding import Gaps
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import Arithmetic
from weightproof.symbolic.fixed_point.decoder import Layout, step
from weightproof.symbolic.fixed_point.finite import Finite, Unknown, Values
from weightproof.symbolic.fixed_point.lookup import KEY, START, Row, concluded, final_states, rows

WIDEST = 24
"""Bits of the widest numbers whose decoders and rows are compared."""
ONE_BIT = ("j",)
LayoutOf = Callable[[Sequence[str]], Layout]
DecoderOf = Callable[[Sequence[str]], Decoder]


def block_gaps(of_bits: DecoderOf, layout: LayoutOf, arithmetic: Arithmetic) -> Gaps:
    """Each head finds its address, whatever the width of numbers is."""
    try:
        for place, head, stream, address in _heads(of_bits(ONE_BIT), layout(ONE_BIT), arithmetic):
            block, bits = rows(head, stream, arithmetic), layout(ONE_BIT).bits(address)
            first = final_states(block, bits, arithmetic, frozenset({START}))
            yield f"{place}, the first bit", None
            further = final_states(block, bits, arithmetic, first) - first
            yield f"{place}, one bit more", f"{len(further)} further states" if further else None
            concluded(head, address, first, arithmetic)
            yield f"{place}, weights", None
    except Underivable as error:
        yield "heads", f"not derived: {error}"
        return
    for width in range(1, WIDEST + 1):
        try:
            yield f"{width} bits", _width_gap(of_bits, layout, width, arithmetic)
        except Underivable as error:
            yield f"{width} bits", f"not derived: {error}"


def _heads(network: Decoder, layout: Layout, arithmetic: Arithmetic) -> list[tuple[str, Head, Values, str]]:
    """Each head with its place, the stream that it reads, and the address that it looks for."""
    made = step(network, layout, arithmetic)
    streams = [made.input, *(layer.output for layer in made.layers)]
    return [
        (f"layer {number}, head {place}", head, stream, look.field)
        for number, (layer, stream, done) in enumerate(zip(network.layers, streams, made.layers, strict=False), start=1)
        for place, (head, look) in enumerate(zip(layer.heads, done.looks, strict=True), start=1)
    ]


def _width_gap(of_bits: DecoderOf, layout: LayoutOf, width: int, arithmetic: Arithmetic) -> str | None:
    """Where a decoder for numbers of so many bits is not made of blocks like that of one bit."""
    names = tuple(map(str, range(1, width + 1)))
    one, whole = of_bits(ONE_BIT), of_bits(names)
    if _without_scores(one) != _without_scores(whole):
        return "it differs in more than the rows of its scores"
    pairs = zip(_heads(one, layout(ONE_BIT), arithmetic), _heads(whole, layout(names), arithmetic), strict=True)
    for (place, head, stream, address), (_, wide, its_stream, its_address) in pairs:
        block = rows(head, stream, arithmetic)
        blocks = [_renamed(row, _renaming(layout, name)) for name in names for row in block]
        if address != its_address or blocks != rows(wide, its_stream, arithmetic):
            return f"{place} is not made of equal blocks"
    return None


def _without_scores(network: Decoder) -> Decoder:
    """All but the rows of scores and the names of the coordinates."""
    layers = tuple(
        replace(
            layer,
            heads=tuple(
                Head(
                    head.W_V,
                    {},
                    {},
                    head.W_O,
                    score=head.score,
                    scale=head.scale,
                    normaliser=head.normaliser,
                    mask=head.mask,
                )
                for head in layer.heads
            ),
        )
        for layer in network.layers
    )
    return replace(network, coordinates=(), layers=layers)


def _renaming(layout: LayoutOf, bit: str) -> Mapping[str, str]:
    """The unknowns of one bit, called as those of another."""
    old, new = layout(ONE_BIT), layout((bit,))
    pairs = [*zip(old.number, new.number, strict=True)]
    for address, names in old.addresses.items():
        pairs += zip(names, new.addresses[address], strict=True)
    return {name + suffix: other + suffix for name, other in pairs for suffix in ("", KEY)}


def _renamed(row: Row, names: Mapping[str, str]) -> Row:
    def renamed(value: Finite) -> Finite:
        unknowns = tuple(Unknown(names.get(each.name, each.name), each.values) for each in value.unknowns)
        return Finite(unknowns, value.numbers)

    return Row(renamed(row.query), renamed(row.key))


@dataclass(frozen=True)
class _Shifted:
    """A number without its last bits."""

    number: str
    bits: int

    def __and__(self, one: int) -> _Bit:
        return _Bit(self.number, self.bits, one == 1)


@dataclass(frozen=True)
class _Bit:
    """A bit of a number: 2^bits stands before it; times 2, less 1, is -1 or 1."""

    number: str
    bits: int
    known: bool
    times: int = 1
    less: int = 0

    def __rmul__(self, factor: int) -> _Bit:
        return replace(self, times=self.times * factor)

    def __sub__(self, number: int) -> _Bit:
        return replace(self, less=self.less + number)


@dataclass(frozen=True)
class _Number:
    """Any number."""

    name: str

    def __rshift__(self, bits: int) -> _Shifted:
        return _Shifted(self.name, bits)


def row_gaps(row_of: Callable[..., Mapping[str, Any]], layout: LayoutOf) -> Gaps:
    """Whatever the numbers are, a row holds their bits, each in its place: then numbers of as many bits that are not
    the same differ in one."""
    for width in range(1, WIDEST + 1):
        said = layout(tuple(map(str, range(1, width + 1))))
        kind = object()
        made = row_of(_Number("number"), kind, tuple(map(_Number, said.addresses)), width)
        wanted: dict[str, Any] = {**said.constants, **dict.fromkeys(said.kinds, kind)}
        for number, names in {"number": said.number, **said.addresses}.items():
            wanted |= {name: _Bit(number, width - place, True, 2, 1) for place, name in enumerate(names, start=1)}
        different = [name for name in dict.fromkeys((*made, *wanted)) if made.get(name) != wanted.get(name)]
        yield f"rows of {width} bits", f"{different[0]!r} is {made.get(different[0])}" if different else None

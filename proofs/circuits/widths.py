"""Numbers of every width: the rows of each head come in blocks that are alike, one a bit, and so do the table's.

The states of a score behind the first block contain those behind a second one: so, by induction over the bits, they
are the states behind any number of blocks. That a decoder of so many bits is made of such blocks, and is otherwise the
same, is seen of each width up to WIDEST; so is what a row holds, of numbers whose bits are free.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.circuits.circuit import Gate
from weightproof.constructions.circuits.family import Family, Layout
from weightproof.constructions.meaning.schema import Decoder, Head
from weightproof.proofs.circuits.deciding import KINDS
from weightproof.proofs.prover import Obligations, checked, seen
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import Arithmetic
from weightproof.symbolic.fixed_point.decoder import bits_of, step
from weightproof.symbolic.fixed_point.finite import Finite, Unknown, Values
from weightproof.symbolic.fixed_point.lookup import KEY, START, LookUp, Row, State, concluded, final_states, rows

WIDEST = 24
"""Bits of the widest numbers whose decoders and rows are compared."""
ONE_BIT = ("j",)
BLOCKS, WIDTHS, ROWS = "blocks", "widths", "rows"
"""The parts of the proof for numbers of every width."""
LayoutOf = Callable[[Sequence[str]], Layout]
DecoderOf = Callable[[Sequence[str]], Decoder]


def block_gaps(of_bits: DecoderOf, layout: LayoutOf, arithmetic: Arithmetic) -> Obligations:
    """Each head finds its address, whatever the width of numbers is."""
    try:
        for place, head, stream, address in _heads(of_bits(ONE_BIT), layout(ONE_BIT), arithmetic):
            block, bits = rows(head, stream, arithmetic), bits_of(layout(ONE_BIT), address)
            first = final_states(block, bits, arithmetic, frozenset({START}))
            yield checked(f"{place}, the first bit", None)
            more = OneMore(place, first, final_states(block, bits, arithmetic, first) - first)
            yield seen(f"{place}, one bit more", more, BLOCKS)
            yield seen(f"{place}, weights", Weighed(place, concluded(head, address, first, arithmetic)), BLOCKS)
    except Underivable as error:
        yield checked("heads", f"not derived: {error}")
        return
    for width in range(1, WIDEST + 1):
        try:
            yield checked(f"{width} bits", _width_gap(of_bits, layout, width, arithmetic), part=WIDTHS)
        except Underivable as error:
            yield checked(f"{width} bits", f"not derived: {error}")


@dataclass(frozen=True)
class OneMore:
    """The states of a head's score behind one bit, and those that a second one adds to them."""

    place: str
    first: frozenset[State]
    further: frozenset[State]

    @property
    def gap(self) -> str | None:
        return f"{len(self.further)} further states" if self.further else None


@dataclass(frozen=True)
class Weighed:
    """What a head looks up; `concluded` says so only where nothing else has any weight."""

    place: str
    look: LookUp
    gap = None


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
        replace(layer, heads=tuple(replace(head, W_Q={}, W_K={}) for head in layer.heads)) for layer in network.layers
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


def row_gaps(family: Family) -> Obligations:
    """Whatever the numbers are and whatever is written there, a row holds the bits of its own number and of the wires
    that are read, each in its place; where no gate is written, those of its own wire. Numbers of as many bits that are
    not the same differ in one.

    So by induction over the gates every address is the number of one position that is seen: the position of a wire has
    its number, and a gate reads wires before its own, as every `Circuit` does.
    """
    for width in range(1, WIDEST + 1):
        layout = family.layout(tuple(map(str, range(1, width + 1))))
        yield checked(f"rows of {width} bits", _layout_gap(layout, width), part=ROWS)
        for name, gate, reads in WRITTEN:
            made = family.row(layout, OWN, gate)  # type: ignore[arg-type]
            wanted = _wanted(layout, "NOT" if gate is None else gate.kind, (OWN, *reads), width)
            different = [name for name in dict.fromkeys((*made, *wanted)) if made.get(name) != wanted.get(name)]
            reason = f"{different[0]!r} is {made.get(different[0])}" if different else None
            yield checked(f"rows of {width} bits, {name}", reason, part=ROWS)


OWN, A_WIRE, ANOTHER = _Number("the wire"), _Number("a"), _Number("b")
WRITTEN: tuple[tuple[str, Gate | None, tuple[_Number, _Number]], ...] = (
    ("no gate", None, (OWN, OWN)),
    ("a NOT", Gate("NOT", A_WIRE, A_WIRE), (A_WIRE, A_WIRE)),  # type: ignore[arg-type]
    ("an AND", Gate("AND", A_WIRE, ANOTHER), (A_WIRE, ANOTHER)),  # type: ignore[arg-type]
)
"""What a position can write, and the wires that it is to look up."""


def _layout_gap(layout: Layout, width: int) -> str | None:
    """Where a coordinate of a row has two meanings, or a number too few bits."""
    fields = (layout.number, *layout.addresses.values())
    names = [*layout.constants, *layout.kinds, *itertools.chain.from_iterable(fields)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        return f"{twice[0]!r} stands for two things"
    if any(len(field) != width for field in fields) or len(layout.addresses) != 2:
        return "it has other fields than a number and two addresses of so many bits"
    if any(set(kinds) != set(KINDS) for kinds in layout.kinds.values()):
        return "its kinds are others than AND and NOT"
    return None


def _wanted(layout: Layout, kind: str, numbers: Sequence[_Number], width: int) -> dict[str, object]:
    wanted: dict[str, object] = {name: kinds[kind] for name, kinds in layout.kinds.items()}
    for number, names in zip(numbers, (layout.number, *layout.addresses.values()), strict=True):
        wanted |= {name: _Bit(number.name, width - place, True, 2, 1) for place, name in enumerate(names, start=1)}
    return {**wanted, **layout.constants}

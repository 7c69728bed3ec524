"""The proofs that a decoder appends the value of every gate: an induction over its steps, by what was looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.circuits.formulas import number, scores
from weightproof.constructions.circuits.circuit import conjoins
from weightproof.document.blocks import Block, Code, Math, Paragraph, Spans, Styled, Table
from weightproof.proofs.circuits.deciding import FORMATS, GATES, HEADS, TABLE, Ahead, Found, LaidOut, Tried
from weightproof.proofs.circuits.prove import SMALL
from weightproof.proofs.circuits.widths import BLOCKS, ROWS, WIDTHS, OneMore, Weighed
from weightproof.proofs.prover import Obligation

MOST_ROWS = 24
"""Rows of a table that are written out."""


def told(closed: Sequence[Obligation]) -> Iterator[Block]:
    """In the parts in which the obligations come."""
    parts: dict[str, list[Obligation]] = {}
    for each in closed:
        parts.setdefault(each.part, []).append(each)
    tellers = {
        TABLE: _table,
        ROWS: _rows,
        SMALL: _small,
        BLOCKS: _blocks,
        WIDTHS: _widths,
        HEADS: _heads,
        GATES: _gates,
    }
    if FORMATS in parts:
        yield from _formats([each.value(Tried) for each in parts[FORMATS]])
        return
    whole = parts.keys() & {TABLE, ROWS}
    if whole:
        yield Paragraph(
            (
                "Proof, by induction over the steps. ",
                Styled("Invariant."),
                " The token at position ",
                Math("i"),
                " is the value of wire ",
                Math("i + 1"),
                ". ",
                Styled("Base."),
                " The tokens of the input are the values of its wires. ",
                Styled("Step."),
                " A position finds the values of the wires that its gate reads, and makes its value of them:",
            )
        )
    else:
        yield Paragraph("Proof.")
    for part, teller in tellers.items():
        if part in parts and not (part == HEADS and BLOCKS in parts):  # what blocks of any number say, one does
            yield from teller(parts[part])
    if whole:
        yield Paragraph(
            (
                Styled("End."),
                " So the token that is appended at each step is the value of the gate, whatever the input is, and the "
                "last ones are those of the outputs.",
            )
        )


def _table(closed: Sequence[Obligation]) -> Iterator[Block]:
    rows = [each.value(LaidOut) for each in closed]
    gates = [each for each in rows if each.gate is not None]
    yield Paragraph(
        (
            Styled("Table."),
            f" Each of its {len(rows)} rows has its number, which no other one has, and in its addresses numbers of "
            f"positions up to its own; of the {len(gates)} that write a gate these are the positions of the wires that "
            "the gate reads.",
        )
    )
    if len(gates) <= MOST_ROWS:
        header: tuple[Spans, ...] = (("position",), ("writes wire",), ("gate",), ("reads positions",))
        yield Table(header, [_row(each) for each in gates])


def _row(row: LaidOut) -> tuple[Spans, ...]:
    assert row.gate is not None
    wires = dict.fromkeys((row.gate.a, row.gate.b))
    positions = ", ".join(map(str, dict.fromkeys(row.found.values())))
    return (str(row.position),), (str(row.position + 2),), (f"{row.gate.kind} of {_and(wires)}",), (positions,)


def _and(wires: Sequence[int] | dict[int, None]) -> str:
    return " and ".join(map(str, wires))


def _rows(closed: Sequence[Obligation]) -> Iterator[Block]:
    yield Paragraph(
        (
            Styled("Table."),
            f" Numbers have up to {_widest(closed)} bits. Of each width, and of what a row can write, no gate, a NOT "
            "or an AND of wires that are any numbers, a row holds the bits of its number and of the wires that are "
            f"read, each in its place: that is asked {len(closed)} times. Numbers that are not the same differ in a "
            "bit, and a gate reads wires before its own: so every address is the number of one position that is seen.",
        )
    )


def _widest(closed: Sequence[Obligation]) -> int:
    return max(int(word) for each in closed for word in each.name.split() if word.isdigit())


def _small(closed: Sequence[Obligation]) -> Iterator[Block]:
    circuits = {each.name.rpartition(", ")[0] for each in closed}
    yield Paragraph(
        f"Beside that the tables of {len(circuits)} small circuits are gone through, all {len(closed)} rows of them."
    )


def _blocks(closed: Sequence[Obligation]) -> Iterator[Block]:
    """What is found by heads whose rows come in blocks, one a bit."""
    yield Paragraph(
        (
            Styled("Heads."),
            " The rows of a score come in equal blocks, one a bit, and are added one after the other. The sum so far, "
            "and whether all bits so far are the same, are in one of a few states; by induction over the bits:",
        )
    )
    for each in closed:
        match each.value(object):
            case OneMore(place=place, first=first):
                yield Paragraph(
                    f"{place[:1].upper()}{place[1:]}: behind one bit there are {len(first)} states, and behind one bit "
                    "more no other one, so that these are the states behind any number of bits."
                )
            case Weighed(place=place, look=look):
                yield Paragraph((f"{place[:1].upper()}{place[1:]}: ", *scores(look), "."))


def _widths(closed: Sequence[Obligation]) -> Iterator[Block]:
    yield Paragraph(
        f"That a decoder is made of such blocks, and is otherwise the same, is seen of each of {len(closed)} widths."
    )


def _heads(closed: Sequence[Obligation]) -> Iterator[Block]:
    [each] = closed
    found = each.value(Found)
    for layer, made in enumerate(found.made.layers, start=1):
        for place, look in enumerate(made.looks, start=1):
            yield Paragraph((f"Layer {layer}, head {place}: ", *scores(look), "."))


def _gates(closed: Sequence[Obligation]) -> Iterator[Block]:
    found = [each.value(Ahead) for each in closed]
    yield Paragraph(
        (
            Styled("Gates."),
            f" Of the values that the heads find, and of the token of the position itself, the outputs are made, in "
            f"{len(found)} cases. In each the output of the right token is ahead of every other one, by a number that "
            "is positive:",
        )
    )
    header: tuple[Spans, ...] = (("gate",), ("its wires",), ("behind",), ("right",), ("ahead by",))
    yield Table(header, [_case(each) for each in found])


def _case(found: Ahead) -> tuple[Spans, ...]:
    wires = f"{found.a}, {found.b}" if conjoins(found.gate.kind) else found.a
    ahead = ", ".join(dict.fromkeys(number(each) for each in found.ahead.values()))
    return (found.gate.kind,), (wires,), (Code(found.token),), (Code(found.right),), (Math(f"{ahead} > 0"),)


def _formats(tried: Sequence[Tried]) -> Iterator[Block]:
    """Each format for itself."""
    enough = [each for each in tried if each.enough]
    others = [each for each in tried if not each.enough]
    yield Paragraph(
        f"Proof, each of {len(tried)} formats for itself. In the {len(enough)} of the theorem the heads and the gates "
        f"of a decoder are derived anew, and nothing stays open. In each of the {len(others)} others a circuit is "
        "computed wrong, which was run exactly:"
    )
    rows = []
    for each in others:
        assert each.wrong is not None
        word = Code(each.wrong.word) if len(each.wrong.word) <= MOST_ROWS else f"{len(each.wrong.word)} symbols"
        rows.append((each.format.name, Code(each.wrong.parameters["circuit"]), word))
    yield Table(("format", "circuit", "input"), rows)

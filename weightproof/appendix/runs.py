"""A proof by finite automata: the graph of which all words are paths, and what linear arithmetic says of its edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq

from weightproof.appendix.obligations import rests_on
from weightproof.appendix.reasons import reasoned
from weightproof.document.blocks import Block, Code, Equations, Math, Paragraph, Spans, Table, Text, joined
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.automata.network import share_of
from weightproof.proofs.automata.sentences import END, START, And, Apart, Holds, Matches, Not, Residue, Sentence, Some
from weightproof.proofs.automata.values import Between
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.solving.latex import of_relation
from weightproof.reports.wording import leading
from weightproof.symbolic.writing.latex import SIGNS, label, matching

MOST_EDGES = 60
"""Of a graph that is shown; of a larger one it is said how large it is."""


def by_runs(cases: Sequence[Case], closed: Sequence[Closed]) -> Iterator[Block]:
    """cases: the words by how they end; closed: the obligations, which are named by them."""
    yield Paragraph(
        (
            "Proof, by finite automata. What the network does at a position, and what the definition of the language "
            "says of it, is told by finitely many memories of what stands before it and behind it. So the words are "
            "the paths through a graph from a start to an end, each word one path, and each edge is a kind of "
            "position. ",
            Math("N_{k}"),
            " is how often a path uses edge ",
            Math("k"),
            ": never less than 0; it leaves the starts once, enters the ends once, and every other node as often as "
            "it leaves it. Of an edge it is said what it adds to the logit, times a number that is positive and the "
            "same for all of them.",
        )
    )
    yield from _numbers(cases[0])
    for case in cases:
        own = [item for item in closed if item.obligation.name.startswith(f"{case.name}, ")]
        if own:
            yield from _case(case, own)


def _case(case: Case, closed: Sequence[Closed]) -> Iterator[Block]:
    count = len(case.flow.uses)
    shown = count <= MOST_EDGES
    size = "" if shown else f" Their graph has {count:,} edges, and is not shown."
    example: Spans = (" The shortest of these words, with its markers, is ", Code("".join(case.shortest)), f".{size}")
    yield Paragraph((*leading(case.name), *example))
    if shown:
        yield _edges(case)
    vocabulary = closed[0].obligation.vocabulary
    for item in closed:
        own = [rel for rel in item.obligation.relations if rel not in case.flow.balanced]
        assumed = [of_relation(rel, vocabulary) for rel in own]
        let: Spans = (" Let ", *joined([(Math(each),) for each in assumed]), ".") if assumed else ()
        lines = reasoned(item.obligation, item.because, f"by {rests_on(item)}")
        side = item.obligation.name.removeprefix(f"{case.name}, ")
        end = " To be shown:" if lines else " The logit is on its side on all of them: nothing is left to show."
        yield Paragraph((*leading(side), *let, end))
        if lines:
            yield Equations(lines)


def sentence(of: Sentence) -> str:
    """A sentence about positions, as LaTeX; binary signs stand in brackets where they are not outermost."""
    match of:
        case Holds(mark=mark, offset=offset, symbol=symbol):
            return rf"w_{{{_place(mark, offset)}}} = {label(symbol)}"
        case Apart(left=left, right=right, offset=offset, op=op):
            return f"{_place(left, 0)} {SIGNS[op]} {_place(right, -offset)}"
        case Residue(mark=mark, offset=offset, modulus=modulus, allowed=allowed):
            values = ", ".join(map(str, sorted(allowed)))
            return rf"({_place(mark, offset)}) \bmod {modulus} \in \{{{values}\}}"
        case Matches(pattern=pattern):
            return matching(pattern)
        case Not(part=Some(name=name, body=Not(part=body))):
            return rf"\forall {name}\colon {_inside(body)}"
        case Not(part=part):
            return rf"\lnot {_inside(part)}"
        case And(parts=()):
            return r"\top"
        case And(parts=parts):
            return r" \land ".join(map(_inside, parts))
        case Some(name=name, body=body):
            return rf"\exists {name}\colon {_inside(body)}"
    raise TypeError(of)


def _inside(of: Sentence) -> str:
    return f"({sentence(of)})" if isinstance(of, And | Some | Not) and of != And(()) else sentence(of)


def _place(mark: str, offset: int) -> str:
    named = {START: "", END: "n"}.get(mark, f"{mark[0]}_{{{mark[1:]}}}" if mark[1:] else mark)
    if not offset:
        return named or "0"
    return f"{named} {'+' if offset > 0 else '-'} {abs(offset)}" if named else str(offset)


def _numbers(case: Case) -> Iterator[Block]:
    """What the numbers are of that the columns of the table count."""
    for k, number in enumerate(case.numbers, start=1):
        of = "positions" if number.markers else "positions of symbols"
        yield Paragraph((f"Number {k} is of the {of} ", Math("x"), " with ", Math(sentence(number.body)), "."))


def _edges(case: Case) -> Table:
    """Each edge with what a position of its kind adds to the logit, times the sum of all weights, and to the numbers of
    positions that the definition compares."""
    pieces = [piece.logit for piece in case.pieces]
    header = (
        ("edge",),
        ("from",),
        ("to",),
        ("token",),
        *((f"logit, case {k}" if len(pieces) > 1 else "logit",) for k in range(1, len(pieces) + 1)),
        *((f"number {k}",) for k in range(1, len(case.numbers) + 1)),
    )
    rows: list[tuple[Text, ...]] = [
        (
            (Math(f"N_{{{k}}}"),),
            (_node(case, edge.source),),
            (_node(case, edge.target),),
            (Code(edge.token),),
            *((Math(_number(piece.on(share_of(edge)))),) for piece in pieces),
            *(("1" if edge.marks[place] else "0",) for place in case.numbers.values()),
        )
        for k, edge in enumerate(case.flow.uses, start=1)
    ]
    return Table(header, rows)


def _node(case: Case, node: int) -> str:
    if node in case.flow.runs.starts:
        return "start"
    return "end" if node in case.flow.runs.ends else str(node)


def _number(value: Between) -> str:
    if value.is_exact:
        return _fraction(value.low)
    return rf"\in [{float(value.low):.6g}, {float(value.high):.6g}]"


def _fraction(number: fmpq) -> str:
    if number.q == 1:
        return str(number.p)
    return rf"{'-' * (number < 0)}\frac{{{abs(int(number.p))}}}{{{number.q}}}"

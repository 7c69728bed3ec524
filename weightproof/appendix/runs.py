"""A proof by finite automata: the graph of which all words are paths, and what linear arithmetic says of its edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq

from weightproof.appendix.obligations import rests_on
from weightproof.appendix.reasons import reasoned
from weightproof.document.blocks import Block, Code, Equations, Math, Paragraph, Spans, Table, Text, joined
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.automata.network import share_of
from weightproof.proofs.automata.runs import Tally
from weightproof.proofs.automata.sentences import (
    END,
    START,
    And,
    Apart,
    Compared,
    Holds,
    Matches,
    Not,
    Placed,
    Residue,
    Sentence,
    Some,
    UpTo,
    compares_places,
)
from weightproof.proofs.automata.values import Between
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.solving.latex import of_relation
from weightproof.proofs.solving.logic import FALSE
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
    if cases[0].flow.runs.edges[0].tallies:
        yield Paragraph(
            (
                "Some sums over the positions up to each one no finite memory tells. Of these, ",
                Math("S_{1}, S_{2}, \\dots"),
                ", an edge says what a position adds, and how they stand with it; where that is left open by what is "
                "known of the position before, there is an edge for each way. So a word is one path on which all that "
                "is said of sums is true, and there may be paths that are no word's; what is shown of all paths is "
                "shown of all words.",
            )
        )
    if any(map(compares_places, cases[0].truths)):
        yield Paragraph(
            (
                "The definition compares a sum up to two positions. It is told apart where it is one of the numbers "
                "with which it is compared, or between two of these; elsewhere it is known to be less than all of "
                "them, or more. Of a word of which that leaves open what the definition says, it is asked both that it "
                "is accepted and that it is rejected: so it is shown, too, that there is none.",
            )
        )
    said = None
    for case in cases:
        if case.numbers != said:
            said = case.numbers
            yield from _numbers(case)
        own = [item for item in closed if item.obligation.name.startswith(f"{case.name}, ")]
        if own:
            yield from _case(case, own)


def _case(case: Case, closed: Sequence[Closed]) -> Iterator[Block]:
    count = len(case.flow.uses)
    shown = count <= MOST_EDGES
    size = "" if shown else f" Their graph has {count:,} edges, and is not shown."
    word = case.shortest
    example: Spans = (" No short word is one of these.",)
    if word is not None:
        example = (" The shortest of these words, with its markers, is ", Code("".join(word)), ".")
    yield Paragraph((*leading(case.name), *example, size))
    if shown:
        yield _edges(case)
    vocabulary = closed[0].obligation.vocabulary
    for item in closed:
        own = [rel for rel in item.obligation.relations if rel not in case.flow.balanced]
        assumed = [of_relation(rel, vocabulary) for rel in own]
        let: Spans = (" Let ", *joined([(Math(each),) for each in assumed]), ".") if assumed else ()
        lines = reasoned(item.obligation, item.because, f"by {rests_on(item)}")
        side = item.obligation.name.removeprefix(f"{case.name}, ")
        end = " To be shown:" if item.obligation.goal != FALSE else " There is no such word:"
        end = end if lines else " The logit is on its side on all of them: nothing is left to show."
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
        case UpTo(mark=mark, said=said, before=before):
            counts = []
            for number, factor in said.numbers:
                sign = "<" if number in before else r"\le"
                counts.append((rf"\#\{{x {sign} {_place(mark, 0)} : {sentence(number.body)}\}}", factor))
            total = _linear([*counts, (_place(mark, 0), said.length), ("", said.constant)])
            if isinstance(said, Compared):
                return f"{total} {SIGNS[said.op]} 0"
            return rf"({total}) \bmod {said.modulus} \in \{{{', '.join(map(str, sorted(said.allowed)))}\}}"
        case Placed(mark=mark, numbers=numbers, length=length, constant=constant, op=op):
            named = [(rf"\#\{{x : {sentence(number.body)}\}}", factor) for number, factor in numbers]
            return f"{_place(mark, 0)} {SIGNS[op]} {_linear([*named, ('n', length), ('', constant)])}"
    raise TypeError(of)


def _inside(of: Sentence) -> str:
    return f"({sentence(of)})" if isinstance(of, And | Some | Not) and of != And(()) else sentence(of)


def _linear(parts: Sequence[tuple[str, fmpq]]) -> str:
    """A sum of parts, each with a factor."""
    found = ""
    for part, factor in parts:
        if factor:
            size = "" if part and abs(factor) == 1 else _fraction(abs(factor))
            sign = "-" if factor < 0 else "+" if found else ""
            found += f" {sign} {size} {part}"
    return " ".join(found.split()) or "0"


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
    """Each edge with what a position of its kind adds to the logit, times the sum of all weights, to the numbers of
    positions that the definition compares, and to sums, with what is said of these."""
    pieces = case.pieces
    sums = [Math(f"S_{{{k}}}") for k, _ in enumerate(case.flow.runs.edges[0].tallies, start=1)]
    told: list[Text] = [text for name in sums for text in ((name, " adds"), (name,))]
    header: tuple[Text, ...] = (
        ("edge",),
        ("from",),
        ("to",),
        ("token",),
        *((f"logit, case {k}" if len(pieces) > 1 else "logit",) for k in range(1, len(pieces) + 1)),
        *((f"number {k}",) for k in range(1, len(case.numbers) + 1)),
        *told,
    )
    rows: list[tuple[Text, ...]] = [
        (
            (Math(f"N_{{{k}}}"),),
            (_node(case, edge.source),),
            (_node(case, edge.target),),
            (Code(edge.token),),
            *((Math(_number(piece.logit.on(share_of(edge, piece)))),) for piece in pieces),
            *(("1" if edge.marks[place] else "0",) for place in case.numbers.values()),
            *(text for tally in edge.tallies for text in _tally(tally)),
        )
        for k, edge in enumerate(case.flow.uses, start=1)
    ]
    return Table(header, rows)


def _tally(tally: Tally) -> tuple[Text, Text]:
    """What a position adds to a sum, and where that is said to be with it."""
    match tally.least, tally.most:
        case None, None:
            said = ""
        case least, most if least == most:
            said = f"{{=}} {least}"
        case least, None:
            said = rf"{{\ge}} {least}"
        case None, most:
            said = rf"{{\le}} {most}"
        case least, most:
            said = rf"{{\in}} [{least}, {most}]"
    return (str(tally.step),), (Math(said) if said else "",)


def _node(case: Case, node: int) -> str:
    if node in case.flow.runs.starts:
        return "start"
    return "end" if node in case.flow.runs.ends else str(node)


def _number(value: Between) -> str:
    if value.is_exact:
        return _fraction(value.low)
    low, high = "(" if value.above else "[", ")" if value.below else "]"
    return f"{{{low}{float(value.low):.6g}, {float(value.high):.6g}{high}}}"


def _fraction(number: fmpq) -> str:
    if number.q == 1:
        return str(number.p)
    return rf"{'-' * (number < 0)}\frac{{{abs(int(number.p))}}}{{{number.q}}}"

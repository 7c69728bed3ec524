"""What is printed about a construction, judged, as blocks: a table of the statements, then the mistakes of print, each
with its correction and what it makes false."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.document.blocks import Block, Code, Heading, Items, Math, Paragraph, Span, Spans, Styled, Table, joined
from weightproof.proofs.claims.judging import Judgement
from weightproof.proofs.quantities.outcome import EVERY_WORD, WEIGHTS, Difference, Holds
from weightproof.proofs.quantities.told import Named, Piece, Theta, Told, Values, told
from weightproof.reports.claiming import ODD, Section, evidence, note
from weightproof.reports.formulas import expression_tex, parts
from weightproof.reports.slips import Affected, Mistake, Repair, mistakes, repairs, unexplained
from weightproof.symbolic.writing.latex_source import source

TITLE = "What the paper prints"
COLUMNS = {"claim": 0.18, "place": 0.15, "printed": 0.39, "verdict": 0.28}
"""With the share of the width that each takes."""
NAME = re.compile(r"(?<![\\A-Za-z])(?:[A-Z]{2,}|[A-Za-z]{4,})(?![A-Za-z])")
"""Several capitals, as in WE, or four letters: not a product, and no macro."""
BRACKET = re.compile(r"(?<![\\A-Za-z])I\[")
WORD = re.compile(r"[a-z]{2,}")


def published(section: Section) -> Iterator[Block]:
    """The part of a document."""
    yield Heading(2, (TITLE,))
    prefix = f"{section.about.name}/"
    short = all(judgement.claim.id.startswith(prefix) for judgement in section.judgements)
    if not short:
        prefix = ""
    named: Spans = (" In the reports of ", Code("weightproof claims"), " their names begin with ", Code(prefix), ".")
    said = f"{section.about.source}. {section.claims.notation}".strip()
    yield Paragraph((said, *(named if prefix else ())))
    for repair in repairs((section,)):
        yield from repaired(repair)
    yield table(section, prefix)
    yield from spelled_out((section,))


def table(section: Section, prefix: str = "") -> Table:
    """A row for each claim; prefix: what is left out of its name."""
    rows = tuple(
        (
            (Code(judgement.claim.id.removeprefix(prefix)),),
            (judgement.claim.place,),
            line(judgement.claim.printed),
            _verdict(judgement),
        )
        for judgement in section.judgements
    )
    return Table(tuple((name,) for name in COLUMNS), rows, tuple(COLUMNS.values()))


def verdict(judgement: Judgement) -> Span:
    return Styled(judgement.verdict) if judgement.verdict in ODD else judgement.verdict


def _verdict(judgement: Judgement) -> Spans:
    """With what is to be said beside it, and what it rests on where that is less than all lengths."""
    outcome = judgement.deciding.outcome
    short = isinstance(outcome, Holds) and outcome.scope not in (EVERY_WORD, WEIGHTS.scope)
    said = (note(judgement), told(evidence(judgement.deciding) if short else ""))
    beside = [spans(part) for part in said if part.pieces]
    if not beside:
        return (verdict(judgement),)
    return verdict(judgement), ": " if judgement.verdict == "true-under" else "; ", *joined(beside, "; ")


def repaired(repair: Repair) -> Iterator[Block]:
    """How a construction departs from print."""
    yield Paragraph((Code(repair.construction), " is repaired. ", repair.said))
    if repair.weights:
        header: tuple[Spans, ...] = (("weight",), ("here",), ("as printed",))
        yield Table(header, tuple(((place,), value(here), value(printed)) for place, here, printed in repair.weights))


def spelled_out(found: Sequence[Section]) -> Iterator[Block]:
    """The mistakes of print, and what is false without a known one."""
    for number, mistake in enumerate(mistakes(found), start=1):
        yield from _mistake(number, mistake)
    rest = unexplained(found)
    if rest:
        yield Heading(4, ("Without a known cause",))
        yield Items(tuple(_affected(affected) for affected in rest))


def _mistake(number: int, mistake: Mistake) -> Iterator[Block]:
    """Cause, correction, and the statements that it makes false: print, what was derived, and where the two differ."""
    correction, claim = mistake.correction, mistake.correction.claim
    yield Heading(4, (f"Slip {number}: ", Code(mistake.slip.id)))
    yield Paragraph(line(mistake.slip.cause))
    said = f" is {correction.verdict} ({evidence(correction.deciding)})."
    yield Paragraph((f"Corrected, {claim.place}: ", *line(claim.printed), said))
    yield Items(tuple(_affected(affected) for affected in mistake.affected))


def _affected(affected: Affected) -> Spans:
    judgement = affected.judgement
    claim, difference = judgement.claim, judgement.difference
    said: list[Span] = [Code(claim.id), f", {claim.place}, ", verdict(judgement), ": ", *line(claim.printed)]
    if affected.told is not None:
        return (*said, "; told under ", Code(affected.told))
    if judgement.verdict == "ambiguous":
        said += [f"; read “{judged.name}”: {judged.word}" for judged in judgement.readings]
    if judgement.derived is not None:
        said += ["; derived: ", *spans(judgement.derived)]
    if difference is not None:
        said += ["; ", *differs(difference), "; replay: ", Code(difference.command(affected.section.about.argument))]
    return tuple(said)


def differs(difference: Difference) -> Spans:
    """Where print and weights differ."""
    where: list[Spans] = []
    if difference.word is not None:
        where.append(("on the word ", Code(difference.word)) if difference.word else ("on the empty word",))
    where += [(*value(f"{name} = {given}"),) for name, given in difference.parameters.items()]
    where += [] if difference.position is None else [(f"position {difference.position}",)]
    values = ("printed ", *value(difference.printed), ", derived ", *value(difference.found))
    return (f"{difference.what}: ", *joined([values, *where]))


def line(printed: str) -> Spans:
    """A line of words and formulas, as a claim is printed: names upright, Iverson brackets as in the derivations."""
    return tuple(Math(_upright(piece)) if is_formula else piece for is_formula, piece in parts(printed))


def _upright(formula: str) -> str:
    return NAME.sub(r"\\mathrm{\g<0>}", BRACKET.sub(r"\\mathbb{I}[", formula))


def spans(said: Told) -> Spans:
    """What came out, its formulas as TeX."""
    return tuple(span for piece in said.pieces for span in _spans(piece))


def _spans(piece: Piece) -> Spans:
    match piece:
        case str():
            return (piece,)
        case Values(values=values, tokens=tokens):
            at = (f" at {', '.join(tokens)}",) if tokens else ()
            return (*joined([_spans(each) for each in values], " or "), *at)
    try:
        return (Math(_tex(piece)),)
    except ExpressionError:  # it is too long to be read
        return (str(piece),)


def _tex(piece: Expression | Named | Theta) -> str:
    match piece:
        case Named(name=name, value=value):
            return f"{source(name)} = {source(value)}"
        case Theta(bound=bound):
            return rf"\lvert\mathrm{{logit}}\rvert \in \Theta({source(bound)})"
    return source(piece)


def value(text: str) -> Spans:
    """A formula, also `name = value`, where it is one, else words."""
    tex = formula(text)
    return (text,) if tex is None else (Math(tex),)


def formula(text: str) -> str | None:
    """As TeX; None for words, a single one included."""
    if WORD.fullmatch(text):
        return None
    name, equals, right = text.partition(" = ")
    if not equals:
        return expression_tex(text)
    left, written = expression_tex(name), expression_tex(right)
    return None if left is None or written is None else f"{left} = {written}"

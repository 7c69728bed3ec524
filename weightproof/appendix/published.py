"""What is printed about constructions, judged, as blocks: the report of `claims`, in all its forms, and the part of a
document about one of them. Neither says anything about today."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.document import markdown, tex
from weightproof.document.blocks import Code, Heading, Items, Math, Paragraph, Plain, Span, Spans, Styled, Table, joined
from weightproof.proofs.claims.judging import Judgement
from weightproof.proofs.quantities.explanation import Explanation, Named, Piece, Theta, Values, explained
from weightproof.proofs.quantities.outcome import EVERY_WORD, WEIGHTS, Difference, Holds
from weightproof.reports import claiming
from weightproof.reports.formulas import expression_tex, parts, plain
from weightproof.symbolic.writing.latex_source import source

TITLE = "What the paper prints"
COLUMNS = {"claim": 0.18, "place": 0.15, "printed": 0.39, "verdict": 0.28}
"""With the share of the width that each takes."""
NAME = re.compile(r"(?<![\\A-Za-z])(?:[A-Z]{2,}|[A-Za-z]{4,})(?![A-Za-z])")
"""Several capitals, as in WE, or four letters: not a product, and no macro."""
BRACKET = re.compile(r"(?<![\\A-Za-z])I\[")
WORD = re.compile(r"[a-z]{2,}")


HEAD = """\
# What the papers print, judged

Written by `make claims`, which judges every claim anew; `tests/weightproof/test_claims_report.py` fails when a page
no longer says what comes out. The claims are data, in `constructions/`, beside the networks; no verdict is entered
by hand.

| verdict | what it says |
|---|---|
| true | What is printed is what was derived: from the weights, or, of a formula about no network, from its terms. |
| true-under | Literally it is not, and it is said where; under the convention that is named it is. |
| false | It is not: the slip behind it stands below, with what was derived, and where the two differ. |
| ambiguous | Print leaves more than one literal reading, and they have different verdicts. |

| convention | how it reads a statement |
|---|---|
| index shift | A divisor that is a position is one larger: causal attention at i averages over i + 1 positions. |
| padding | A matrix or a shape counts zeros up to the width. |
| empty word | The statement is made of words with at least one symbol. |
| symbols only | It is made of positions that hold a symbol of the word, and sums run over these. |
| transposition | The rows and columns of a shape change places. |
| fractions | The statement is made of recurrent networks whose embeddings lie in [0, 1]. |

*Rests on*: a claim about words holds for `all lengths`, by a certificate of exact arithmetic or by solvers; short
words alone make nothing true. It is by the `kernel` of Coq where that has checked a theorem that says the same.
One that is about no network holds for `all numbers`, `all vectors` of every length, `all sizes` of
matrices, `all angles` or `all finite sets`; where it is false it has been evaluated, at the values that are named. One
about decoders for circuits holds for all inputs and in all formats that are named; what is said of their sizes and
tables is compared with those that were made. One about what a transformer needs of its components rests on theorems
about all networks without one, or on one that is without it (`weightproof show components`). One about transformers
for every recurrent network is judged for every one of the sizes that are named, units/inputs/symbols, for all words and
steps: of other sizes that is no proof, and it is called `sampled`. Printed formulas
are in the notation of the paper. Derived ones count positions from 0, n being the number of positions, markers
included; $`k_{\\texttt{1}}(i)`$ are the 1s at positions 0..i.

Counts are of distinct statements: what is printed at one place is one, of however many constructions it is judged, and
of their verdicts the strictest counts.

In Steffen et al. (2022) the brackets are 0, which opens, and 1, which closes; $`k_{\\texttt{1}} - k_{\\texttt{0}}`$ is
more closed than opened.

"""


def report(found: Sequence[claiming.Section]) -> Iterator[Plain]:
    """Counts, repairs, slips with what they make false, then every statement."""
    header, rows = claiming.by_construction(found)
    yield Heading(2, "Counts")
    yield Items(claiming.summary(found))
    yield Table(header, rows, right=frozenset(header[1:]))
    for repair in claiming.repairs(found):
        yield from repaired(repair)
    yield Heading(2, "The slips")
    yield from spelled_out(found)
    for section in found:
        yield from told(section)


def as_markdown(found: Sequence[claiming.Section]) -> str:
    """The whole report, with what its words say."""
    return HEAD + markdown.markdown(tuple(report(found)))


def told(section: claiming.Section) -> Iterator[Plain]:
    """Every statement of a section."""
    about = section.about
    yield Heading(2, about.name)
    yield Paragraph(line(f"{about.title}; {about.source}. {section.claims.notation}".strip()))
    yield _with_evidence(table(section), section)


def _with_evidence(plain: Table, section: claiming.Section) -> Table:
    """The table with a column for what the verdicts rest on."""
    basis = ["rests on", *(claiming.evidence(judgement.deciding) for judgement in section.judgements)]
    header, *rows = [(*row, said) for row, said in zip((plain.header, *plain.rows), basis, strict=True)]
    return replace(plain, header=header, rows=tuple(rows), shares=())


def as_tex(found: Sequence[claiming.Section]) -> str:
    r"""A fragment: what the document of the derivations says of it, a section for each construction."""
    return fragment(block for section in found for block in (Heading(1, (section.about.title,)), *published(section)))


def fragment(blocks: Iterable[Plain]) -> str:
    """LaTeX without a preamble, with a line that says what it needs there."""
    needs = (
        "% Written by: weightproof claims --format tex. Needs array, longtable, amsmath, amssymb, graphicx, hyperref.\n"
    )
    return needs + tex.fragment(tuple(blocks))


def published(section: claiming.Section) -> Iterator[Plain]:
    """The part of a document."""
    yield Heading(2, (TITLE,))
    prefix = f"{section.about.name}/"
    short = all(judgement.claim.id.startswith(prefix) for judgement in section.judgements)
    if not short:
        prefix = ""
    named: Spans = (" In the reports of ", Code("weightproof claims"), " their names begin with ", Code(prefix), ".")
    said = f"{section.about.source}. {section.claims.notation}".strip()
    yield Paragraph((*line(said), *(named if prefix else ())))
    for repair in claiming.repairs((section,)):
        yield from repaired(repair)
    yield table(section, prefix)
    yield from spelled_out((section,))


def table(section: claiming.Section, prefix: str = "") -> Table:
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
    return Styled(judgement.verdict, claiming.STYLES[judgement.verdict])


def _verdict(judgement: Judgement) -> Spans:
    """With what is to be said beside it, and what it rests on where that is less than all lengths."""
    outcome = judgement.deciding.outcome
    short = isinstance(outcome, Holds) and outcome.scope not in (EVERY_WORD, WEIGHTS.scope)
    said = (claiming.note(judgement), explained(claiming.evidence(judgement.deciding) if short else ""))
    beside = [spans(part) for part in said if part.pieces]
    if not beside:
        return (verdict(judgement),)
    return verdict(judgement), ": " if judgement.verdict == "true-under" else "; ", *joined(beside, "; ")


def repaired(repair: claiming.Repair) -> Iterator[Plain]:
    """How a construction departs from print."""
    yield Paragraph((Code(repair.construction), " is repaired. ", repair.said))
    if repair.weights:
        header: tuple[Spans, ...] = (("weight",), ("here",), ("as printed",))
        yield Table(header, tuple(((place,), value(here), value(printed)) for place, here, printed in repair.weights))


def spelled_out(found: Sequence[claiming.Section]) -> Iterator[Plain]:
    """The mistakes of print, and what is false without a known one."""
    for number, mistake in enumerate(claiming.mistakes(found), start=1):
        yield from mistaken(number, mistake)
    yield from unexplained(found)


def unexplained(found: Sequence[claiming.Section]) -> Iterator[Plain]:
    """What is false or ambiguous without a known cause."""
    if rest := claiming.unexplained(found):
        yield Heading(4, ("Without a known cause",))
        yield Items(tuple(_affected(affected) for affected in rest))


def mistaken(number: int, mistake: claiming.Mistake) -> Iterator[Plain]:
    """Cause, correction, and the statements that it makes false: print, what was derived, and where the two differ."""
    yield Heading(4, (f"Slip {number}: ", Code(mistake.slip.id)))
    yield Paragraph(line(mistake.slip.cause))
    yield Paragraph(corrected(mistake))
    yield Items(tuple(_affected(affected) for affected in mistake.affected))


def corrected(mistake: claiming.Mistake) -> Spans:
    """What is true in place of what is printed, in a sentence."""
    correction, claim = mistake.correction, mistake.correction.claim
    said = f" is {correction.verdict} ({claiming.evidence(correction.deciding)})."
    return (f"Corrected, {claim.place}: ", *line(claim.printed), said)


def _affected(affected: claiming.Affected) -> Spans:
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
    where += [value(f"{name} = {given}") for name, given in difference.parameters.items()]
    where += [] if difference.position is None else [(f"position {difference.position}",)]
    values = ("printed ", *value(difference.printed), ", derived ", *value(difference.found))
    return (f"{difference.what}: ", *joined([values, *where]))


def line(printed: str) -> Spans:
    """A line of words and formulas, as a claim is printed: names upright, Iverson brackets as in the derivations."""
    return tuple(
        Math(_upright(piece), plain(f"${piece}$")) if is_formula else piece for is_formula, piece in parts(printed)
    )


def _upright(formula: str) -> str:
    return NAME.sub(r"\\mathrm{\g<0>}", BRACKET.sub(r"\\mathbb{I}[", formula))


def spans(said: Explanation) -> Spans:
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
        return (Math(_tex(piece), str(piece)),)
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
    return (text,) if tex is None else (Math(tex, text),)


def formula(text: str) -> str | None:
    """As TeX; None for words, a single one included."""
    if WORD.fullmatch(text):
        return None
    name, equals, right = text.partition(" = ")
    if not equals:
        return expression_tex(text)
    left, written = expression_tex(name), expression_tex(right)
    return None if left is None or written is None else f"{left} = {written}"

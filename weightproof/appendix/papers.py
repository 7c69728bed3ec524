"""What one paper prints, judged, as a page that its author reads in two minutes: at its top what stands and what falls,
worst first; then every slip in that order, and every statement. And the page that leads to those of all papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from weightproof.appendix.published import HEAD, corrected, line, mistaken, repaired, told, unexplained
from weightproof.constructions.languages.notation import quoted
from weightproof.document import markdown
from weightproof.document.blocks import Code, Heading, Items, Link, Paragraph, Plain, Spans, Table, Text, joined
from weightproof.document.pages import INDEX
from weightproof.proofs.claims import judging
from weightproof.proofs.claims.judging import Judgement
from weightproof.proofs.quantities.outcome import WEIGHTS, Holds
from weightproof.reports import claiming
from weightproof.reports.claiming import Mistake, Section
from weightproof.reports.severity import SEVERITIES, Falls, Severity, bearing, worst_first

SHOWN = 3
"""Names of statements that are listed at the top of a page, where there are more of them."""


def by_paper(found: Sequence[Section]) -> dict[str, tuple[Section, ...]]:
    """In the order in which the papers occur; without what is of no paper."""
    papers = dict.fromkeys(section.about.paper for section in found if section.about.paper)
    return {paper: tuple(section for section in found if section.about.paper == paper) for paper in papers}


def pages(found: Sequence[Section]) -> dict[str, str]:
    """By their names: a page for each paper, and the one that leads to them, as Markdown."""
    papers = by_paper(found)
    each = {paper: markdown.markdown(tuple(page(sections))) for paper, sections in papers.items()}
    return {INDEX: HEAD + markdown.markdown(tuple(_index(found, papers))), **each}


def _index(found: Sequence[Section], papers: Mapping[str, Sequence[Section]]) -> Iterator[Plain]:
    yield Heading(2, "The papers")
    yield Items(claiming.summary(found))
    header = ("paper", "statements", *judging.VERDICTS[:-1], *SEVERITIES)
    yield Table(header, [_row(*each) for each in papers.items()], right=frozenset(header[1:]))
    said: list[Spans] = [(Code(name), f", {where}") for name, (_, where) in SEVERITIES.items()]
    yield Paragraph(("The last columns count distinct slips: ", *joined(said, "; "), "."))


def _row(paper: str, sections: Sequence[Section]) -> tuple[Text, ...]:
    statements = claiming.derived(sections)
    verdicts = Counter(statement.verdict for statement in statements)
    slips = _numbers(worst_first(sections))
    numbers = (len(statements), *(verdicts[each] for each in judging.VERDICTS[:-1]), *(slips[s] for s in SEVERITIES))
    return Link(sections[0].about.citation, paper), *map(str, numbers)


def _numbers(falls: Sequence[Falls]) -> Counter[Severity]:
    """How many slips there are of each severity."""
    return Counter({each.severity: len(each.mistakes) for each in falls})


def page(found: Sequence[Section]) -> Iterator[Plain]:
    """Of the sections of one paper."""
    falls = worst_first(found)
    mistakes = [mistake for each in falls for mistake in each.mistakes]
    numbers = {mistake.slip.id: number for number, mistake in enumerate(mistakes, start=1)}
    yield Heading(1, f"{found[0].about.citation}: what is printed, judged")
    yield Items((*_where(falls, numbers), *claiming.summary(found)))
    yield from _stands(found)
    for each in falls:
        title, _ = SEVERITIES[each.severity]
        yield Heading(2, title)
        yield Items(tuple(_items(each, numbers)))
    repairs = claiming.repairs(found)
    if repairs:
        yield Heading(2, "Repaired here")
    for repair in repairs:
        yield from repaired(repair)
    if mistakes:
        yield Heading(2, "The slips")
    for mistake in mistakes:
        yield from mistaken(numbers[mistake.slip.id], mistake)
    yield from unexplained(found)
    for section in found:
        yield from told(section)


def _where(falls: Sequence[Falls], numbers: Mapping[str, int]) -> Iterator[Spans]:
    """How many slips there are of each severity, and what falls first of all."""
    counts = _numbers(falls)
    said = [f"{counts[each]} {where}" for each, (_, where) in SEVERITIES.items() if counts[each]]
    if said:
        yield (f"The slips by what falls with them: {', '.join(said)}.",)
        worst = next(mistake for each in falls for mistake in each.mistakes)
        yield "First of all: ", *_false(worst, numbers)


def _stands(found: Sequence[Section]) -> Iterator[Plain]:
    """What is true of what the networks do; formulas are counted alone."""
    held: dict[str, list[Judgement]] = {}
    for section in found:
        for judgement in section.judgements:
            outcome = judgement.deciding.outcome
            about = {sense.statement.bearing for sense in judgement.claim.senses}
            if isinstance(outcome, Holds) and about == {"outcome"} and outcome.scope != WEIGHTS.scope:
                held.setdefault(judgement.claim.printed, []).append(judgement)
    if held:
        yield Heading(2, "What the networks do, and stands")
        yield Items(tuple(_held(each) for each in held.values()))


def _held(judgements: Sequence[Judgement]) -> Spans:
    first = judgements[0]
    rests = dict.fromkeys(claiming.evidence(judgement.deciding) for judgement in judgements)
    return *line(first.claim.printed), f", {first.claim.place} (", *_list(judgements), f": {'; '.join(rests)})"


def _list(judgements: Sequence[Judgement]) -> Spans:
    names: list[Spans] = [(Code(judgement.claim.id),) for judgement in judgements[:SHOWN]]
    more = len(judgements) - SHOWN
    return *joined(names), *((f" and {more} more",) if more > 0 else ())


def _items(falls: Falls, numbers: Mapping[str, int]) -> Iterator[Spans]:
    told = _failed if falls.severity == "outcome" else _fallen
    for mistake in falls.mistakes:
        yield told(mistake, numbers)
    for conventions, judgements in falls.under.items():
        count = f"{len(judgements)} statements are" if len(judgements) > 1 else "1 statement is"
        yield f"{count} true under a convention, {' and '.join(conventions)}: ", *_list(judgements), "."


def _slip(mistake: Mistake, numbers: Mapping[str, int]) -> Spans:
    number = numbers[mistake.slip.id]
    return " (", Link(f"slip {number}", heading=f"Slip {number}: {mistake.slip.id}"), ")."


def _worst_of(mistake: Mistake) -> list[Judgement]:
    """The statements that fall by it, the worst ones first."""
    return sorted((each.judgement for each in mistake.affected), key=lambda judgement: bearing(judgement.claim))


def _at(judgement: Judgement) -> Spans:
    """A word on which it fails."""
    if judgement.difference is None or judgement.difference.word is None:
        return ()
    word = judgement.difference.word
    return ", as on ", Code(quoted(word)) if word else "the empty word"


def _false(mistake: Mistake, numbers: Mapping[str, int]) -> Spans:
    """The worst of the statements that fall by it, as it is printed, and that it falls."""
    first = _worst_of(mistake)[0]
    said = (*line(first.claim.printed), f", {first.claim.place}, is {first.verdict}", *_at(first))
    return *said, *_slip(mistake, numbers)


def _failed(mistake: Mistake, numbers: Mapping[str, int]) -> Spans:
    """What falls, with a word, the cause, what is true in its place, and what else falls by it."""
    others = _worst_of(mistake)[1:]
    also: Spans = (" By it fall, too: ", *_list(others), ".") if others else ()
    return *_false(mistake, numbers), " ", *line(mistake.slip.cause), " ", *corrected(mistake), *also


def _fallen(mistake: Mistake, numbers: Mapping[str, int]) -> Spans:
    """The cause, the statements that fall by it, and a word of the first of these."""
    judgements = _worst_of(mistake)
    first = judgements[0]
    said = (*line(mistake.slip.cause), f" {first.verdict.capitalize()} by it: ", *_list(judgements))
    return *said, f", {first.claim.place}", *_at(first), *_slip(mistake, numbers)

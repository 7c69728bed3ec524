"""The first page: what this is, what is proved and what is trusted, and the catalogue of papers, networks, theorems and
slips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from weightproof.document.blocks import Heading, Items, Link, Paragraph, Plain, Span, Spans, Styled, Table, joined
from weightproof.manifest.pages import RESTS_ON
from weightproof.proofs.verdict import Proved
from weightproof.reports.severity import SEVERITIES
from weightproof.website.networks import Told
from weightproof.website.papers import Paper, Papers, Slip
from weightproof.website.theorems import THEOREMS, verdict

MANUAL = "manual"
"""The folder of the manual."""
CONTEST = f"{MANUAL}/findings/contest"
"""Its page of the contest, without the ending: no entry of it has a page as a network of a paper has."""
COOKBOOK = f"{MANUAL}/cookbook"
"""Its page of recipes, which have no pages either."""
COMPONENTS = f"{MANUAL}/findings/trust/components"
"""Its page of theorems that are about no network that could have one."""


def first_page(told: Sequence[Told], papers: Papers, with_manual: bool) -> Iterator[Plain]:
    yield Heading(1, "Weightproof")
    yield Paragraph(
        "Papers on what transformers can compute contain networks that are written down by hand: every weight is "
        "given, and the text argues that the network accepts exactly the words of some formal language, at every "
        "length. Here is what is true of them: derived from the weights, proved for all lengths or refuted by a word, "
        "and run in exact arithmetic. The page of an encoder has a box that runs it on a word of yours."
    )
    if with_manual:
        manual = Link("The manual", f"{MANUAL}/index")
        yield Paragraph((manual, " says how to have a network of your own proved, and what a proof here means."))
    yield Heading(2, "What is proved, and what is trusted")
    yield Items(tuple(_trusted(told, papers)))
    yield Heading(2, "Catalogue")
    yield Paragraph("Each paper with its networks, what is proved of each, and the slips of print that bear on it.")
    for paper in papers.each:
        yield from _of_paper(paper, [each for each in told if each.paper == paper.name])
    known = {paper.name for paper in papers.each}
    if others := [each for each in told if each.paper not in known]:
        yield Heading(3, "Machines, circuits and other networks")
        yield _networks(others, ())
    if with_manual:
        yield Heading(3, "Entries of a contest")
        contest = Link("Decoders that add", CONTEST)
        yield Paragraph((contest, ", with their weights set by hand: each proved of all prompts, or refuted by one."))
        yield Heading(3, "Recipes")
        recipes = Link("Networks from recipes", COOKBOOK)
        yield Paragraph((recipes, ": parts of networks, each proved by a small network that tries it on words."))
        yield Heading(3, "No network by itself")
        components = Link("What a transformer needs of its components", COMPONENTS)
        yield Paragraph((components, ": theorems about all networks without one of them, which are not counted above."))


def _trusted(told: Sequence[Told], papers: Papers) -> Iterator[Spans]:
    """Five sentences, with what is counted on the pages."""
    results = [result for each in told for result in each.results]
    verdicts = Counter(result.verdict.name for result in results)
    evidence = Counter(result.verdict.evidence for result in results if isinstance(result.verdict, Proved))
    odd = sum(not result.as_expected for result in results)
    yield (
        f"{len(results)} theorems about {len(told)} networks and families: {verdicts['proved']} are proved, "
        f"{verdicts['refuted']} are refuted by a word, {verdicts['unknown']} are unknown; "
        f"{'every verdict is the expected one' if not odd else f'{odd} are not the expected one'}.",
    )
    rests: list[Spans] = [
        (Styled(str(each)), f" ({evidence[each]}): {what}") for each, what in RESTS_ON.items() if evidence[each]
    ]
    yield "What a proof rests on, its weakest step counting: ", *joined(rests, "; "), "."
    yield (
        "A refutation is a word, which the exact interpreter, or for long words and norms a run in certified "
        "intervals, has shown to be wrong.",
    )
    yield (
        "Trusted are the definition of what a network computes, in real numbers, the exact arithmetic under it, and, "
        "where the kernel has not checked it all, the program that derives the closed form: it is compared with the "
        "interpreter before every proof. No verdict speaks of floating point; what a word box computes is no proof.",
    )
    yield f"What papers print, judged, of {len(papers.each)}: {papers.summary[0]}", f" {papers.summary[-1]}"


def _of_paper(paper: Paper, networks: Sequence[Told]) -> Iterator[Plain]:
    yield Heading(3, paper.citation)
    yield Paragraph((Link("What is printed, judged", paper.file), ": ", paper.summary[0]))
    if networks:
        yield _networks(networks, paper.slips, paper)
    known = {each.argument for each in networks}
    rest = [slip for slip in paper.slips if not known & {*slip.about}]
    if rest:
        beside = "Slips of formulas and of other networks: " if networks else "Slips: "
        yield Paragraph((beside, *_slips(rest, paper), "."))


def _networks(networks: Sequence[Told], slips: Sequence[Slip], paper: Paper | None = None) -> Table:
    header = ("network", "what it is", "theorems", *(("slips of print",) if paper else ()))
    rows = []
    for each in networks:
        row: list[Span | Spans] = [Link(each.argument, each.file), each.title, _theorems(each)]
        if paper is not None:
            row.append(_slips([slip for slip in slips if each.argument in slip.about], paper) or "none known")
        rows.append(row)
    return Table(header, rows)


def _theorems(each: Told) -> Spans:
    said: list[Spans] = [(Link(result.theorem, each.file, THEOREMS), ": ", *verdict(result)) for result in each.results]
    return joined(said, "; ")


def _slips(slips: Sequence[Slip], paper: Paper) -> Spans:
    """By severity, worst first."""
    said: list[Spans] = []
    for severity, (_, where) in SEVERITIES.items():
        links: list[Spans] = [
            (Link(str(slip.number), paper.file, slip.heading),) for slip in slips if slip.severity == severity
        ]
        if links:
            said.append((f"{where}: ", *joined(links)))
    return joined(said, "; ")

"""The report of `claims` as a Markdown file and as a LaTeX fragment; both say the same, and nothing about today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.claiming import Section, counts, evidence, note, shown, used_verdicts
from weightproof.formulas import expression_tex, markdown, tex, tex_text

HEAD = """\
# What the papers print, judged

Written by `make claims`, which judges every claim anew; `tests/test_claims_report.py` fails when this file no longer
says what comes out. The claims are data, in `constructions/claims_of/`; no verdict is entered by hand.

| verdict | what it says |
|---|---|
| true | What is printed is what was derived from the weights. |
| true-under | It is, under the convention that is named, but not literally. |
| false | It is not. What was derived stands below, with a word on which the two differ, or the entry that differs. |
| ambiguous | Print leaves more than one literal reading, and they have different verdicts. |

*Rests on*: a claim about words holds for `all lengths`, by a certificate of exact arithmetic or by solvers, or for
words up to a length only, which is then said. Printed formulas are in the notation of the paper. Derived ones count
positions from 0, n being the number of positions, markers included; `count('1', i)` are the 1s at positions 0..i.

In Steffen et al. (2022) the brackets are 0, which opens, and 1, which closes; `count_1 - count_0` is more closed than
opened.
"""


def as_markdown(found: Sequence[Section]) -> str:
    """The whole report."""
    verdicts = used_verdicts(found)
    blocks = [HEAD, _table(("construction", "claims", *verdicts), counts(found))]
    for section in found:
        construction = section.source.construction
        lines = [
            f"## {construction.name}",
            "",
            f"{construction.title}; {construction.source}. {section.notation}".strip(),
        ]
        rows = [
            (
                f"`{judgement.claim.id}`",
                judgement.claim.place,
                markdown(judgement.claim.printed),
                f"**{judgement.verdict}**" if judgement.verdict in ("false", "ambiguous") else judgement.verdict,
                evidence(judgement.deciding),
                note(judgement) or "-",
            )
            for judgement in section.judgements
        ]
        table = _table(("id", "place", "claim", "verdict", "rests on", "note"), rows, formulas=frozenset({2}))
        blocks += ["\n".join([*lines, "", table]), *_details(section)]
    return "\n".join(blocks)


def _details(section: Section) -> Iterator[str]:
    odd = [judgement for judgement in section.judgements if judgement.verdict in ("false", "ambiguous")]
    if not odd:
        return
    lines = ["False or ambiguous:", ""]
    for judgement in odd:
        difference = judgement.difference
        assert difference is not None
        lines += [
            f"- `{judgement.claim.id}`, {judgement.claim.place}: {markdown(judgement.claim.printed)}",
            f"  - derived: `{judgement.derived}`",
            f"  - differs: `{shown(judgement)}`",
            *(
                f'  - read "{judged.name}": {judged.word}'
                for judged in judgement.readings
                if len(judgement.readings) > 1
            ),
            f"  - replay: `{difference.command(section.source.argument)}`",
        ]
    yield "\n".join([*lines, ""])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], formulas: frozenset[int] = frozenset()) -> str:
    """A table; columns of formulas are escaped already."""

    def line(cells: Sequence[str], raw: frozenset[int]) -> str:
        texts = [cell if number in raw else cell.replace("|", "\\|") for number, cell in enumerate(cells)]
        return f"| {' | '.join(texts)} |"

    bar = ["---"] * len(header)
    return "\n".join([line(header, frozenset()), line(bar, frozenset()), *(line(row, formulas) for row in rows)]) + "\n"


COLUMNS = "".join(rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}" for width in (0.13, 0.38, 0.13, 0.26))


def as_tex(found: Sequence[Section]) -> str:
    r"""A fragment with one longtable for each construction, for a document that loads longtable, array and textcomp."""
    lines = ["% Written by: weightproof claims --format tex. Needs longtable, array, amsmath, amssymb, textcomp."]
    for section in found:
        construction = section.source.construction
        header = r"\textbf{place} & \textbf{claim} & \textbf{verdict} & \textbf{derived, or note} \\ \hline"
        lines += [
            rf"\begin{{longtable}}{{@{{}}{COLUMNS}@{{}}}}",
            rf"\caption{{Claims about \texttt{{{tex_text(construction.name)}}}, {tex_text(construction.source)}}} \\",
            header,
            r"\endfirsthead",
            header,
            r"\endhead",
        ]
        for judgement in section.judgements:
            cells = [tex_text(judgement.claim.place), tex(judgement.claim.printed), judgement.verdict]
            said = tex_text(note(judgement))
            if judgement.derived is not None:
                said = _derived(judgement.derived) + (f"; {said}" if said else "")
            lines.append(" & ".join([*cells, said]) + r" \\")
        lines += [r"\end{longtable}", ""]
    return "\n".join(lines)


def _derived(text: str) -> str:
    """A formula in math mode, what is none as words."""
    formula = expression_tex(text)
    return tex_text(text) if formula is None else f"${formula}$"

"""The proof of what a decoder appends: at the last position, window by window and case by case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.decoders.shares import InShares
from weightproof.document.blocks import Block, Code, Math, Paragraph, Spans, Table, joined
from weightproof.machines.formulas import rational, tex
from weightproof.proofs.prover import Obligation
from weightproof.proofs.strategies.appending import Chosen
from weightproof.symbolic.simulation.generating import Case
from weightproof.symbolic.simulation.polynomial import Polynomial

SHARES = (0.13, 0.27, 0.4, 0.2)


def told(closed: Sequence[Obligation]) -> Iterator[Block]:
    """By the tokens that were found to be appended."""
    windows = [each.value(Chosen) for each in closed]
    number = sum(len(each.cases) for each in windows)
    yield Paragraph(
        (
            "Proof, from what is made at the last position. What such a word can end in, as far as that matters: "
            f"{len(windows)}; cases that are told apart there: {number}. In each the output of ",
            Code(windows[0].token),
            f" is the {windows[0].cases[0].rank.called}, the first of several that are:",
        )
    )
    header: tuple[Spans, ...] = (("the word ends in",), ("where",), ("as",), ("the left side is",))
    yield Table(header, [row for each in windows for row in _rows(each)], SHARES)


def _rows(found: Chosen) -> Iterator[tuple[Spans, ...]]:
    for case in found.cases:
        written = InShares(case.at, found.marker)
        where = joined([(Math(written.condition_tex(fact)),) for fact in case.where]) or ("always",)
        end: Spans = (Code("".join(found.at.window)),)
        tokens = list(case.made.outputs)
        for place, other in enumerate(tokens):
            if other != found.token:
                difference, strict = case.ahead(found.token, other), place < tokens.index(found.token)
                sign = ">" if strict else r"\ge"
                yield end, where, (Math(f"{tex(written.short(difference))} {sign} 0"),), _least(case, difference)


def _least(case: Case, difference: Polynomial) -> Spans:
    """What its bounds leave, if these show it."""
    bounds = case.at.region.bounds(difference)
    if bounds is None or bounds[0] < 0:
        return ("by the signs of its terms",)
    return "at least ", Math(rational(bounds[0]))

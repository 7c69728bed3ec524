"""What is derived of decoders: what is made at the last position of every word."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Decoder, Head, Layer
from weightproof.decoders.reading import CHECKED, Appended, Behind, all_behind, appended_in
from weightproof.decoders.shares import Fact, InShares
from weightproof.document.blocks import Block, Code, Heading, Math, Paragraph, Plain, Spans, Table, Text, joined
from weightproof.machines.formulas import equations, nonzero, scores, scores_typed, vector
from weightproof.reports.explanation import UNDERIVABLE, Explanation, ShownStep
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.decoder import Look
from weightproof.symbolic.simulation.generating import Case, LayerRead
from weightproof.symbolic.simulation.polynomial import Values
from weightproof.symbolic.writing.latex import label

REASONS = {
    "nothing": "its values are 0",
    "mean": "all scores are the same, so it takes the mean of the positions up to this one",
    "token": "the score of a token that stands there for certain is greater than those of all others",
    "two": "one of two scores is greater, or both are the same, and so are their values",
    "back": "the score is 0 at one position, the one itself or one so many before it, and less at all others",
    "known": "all tokens are known that it sees, and so are all scores",
}
"""Why a head looks where it does; see `symbolic/simulation/generating.py`."""


def derivation(construction: Construction) -> Iterator[Block]:
    """The part of a document; where there is none, the reason."""
    try:
        found = all_behind(construction)
    except Underivable as error:
        yield Heading(2, "Derivation")
        yield Paragraph(f"There is no closed form: {error}.")
        return
    yield from _derivation(construction, found)


def _derivation(construction: Construction, found: Sequence[Behind]) -> Iterator[Block]:
    """What is appended, then what stands where, token by token; coordinates that are left out hold 0."""
    yield Heading(2, "Derivation")
    yield Paragraph(_notation())
    yield _overview(construction, found)
    yield Paragraph(
        "The exact interpreter, which knows nothing of the derivation, has the same outputs, and appends the same "
        f"token, on the {CHECKED} shortest words."
    )
    for behind in found:
        yield Heading(3, _heading(construction, behind))
        if behind.reason:
            yield Paragraph(f"There is no closed form: {behind.reason}.")
        else:
            yield from _told(construction, behind)


def _notation() -> Spans:
    return (
        "Read is the last position ",
        Math("i"),
        " of a word. Known is which token stands there, or which tokens do there and just before, and which share "
        "of the positions 0 to ",
        Math("i"),
        " has which: ",
        Math(r"\omega_{\texttt{a}}"),
        " is that of ",
        Math(r"\texttt{a}"),
        ". ",
        Math(r"s^{l,h}_{\texttt{a}}"),
        " is the score that head ",
        Math("h"),
        " of layer ",
        Math("l"),
        " gives to a position ",
        Math("j"),
        " that has ",
        Math(r"\texttt{a}"),
        ", and ",
        Math(r"\sigma(x) = \min(1, \max(0, x))"),
        ".",
    )


def _overview(construction: Construction, found: Sequence[Behind]) -> Table:
    """The cases of one token are one where the same is appended in all of them."""
    rows: list[tuple[Spans, ...]] = []
    for behind in found:
        told = [each for case in behind.cases for each in appended_in(case)]
        last = _last(construction, behind)
        if len({each.token for each in told}) == 1:
            rows.append((last, ("always",), (Code(told[0].token),)))
            continue
        for each in told:
            written = _writing(construction, each.case)
            where = joined([(Math(written.condition_tex(fact)),) for fact in each.where])
            rows.append((last, where, (Code(each.token),)))
    return Table((("word",), ("where",), ("is appended",)), tuple(rows), (0.2, 0.6, 0.2))


def _rows(found: Sequence[Behind]) -> Iterator[tuple[Behind, Appended]]:
    for behind in found:
        for case in behind.cases:
            for each in appended_in(case):
                yield behind, each


def _tokens(construction: Construction, behind: Behind) -> str:
    """The window, without the marker of the beginning."""
    return "".join(token for token in behind.window if token in construction.language.alphabet)


def _heading(construction: Construction, behind: Behind) -> Spans:
    tokens = _tokens(construction, behind)
    if not behind.is_word:
        return "Behind ", Code(tokens)
    return ("The word ", Code(tokens)) if tokens else ("The empty word",)


def _last(construction: Construction, behind: Behind) -> Spans:
    tokens = _tokens(construction, behind)
    if not behind.is_word:
        return (Code(f"...{tokens}"),)
    return (Code(tokens),) if tokens else ("the empty word",)


def _name(construction: Construction, behind: Behind) -> str:
    tokens = _tokens(construction, behind)
    if not behind.is_word:
        return f"behind {tokens!r}"
    return f"on {tokens!r}" if tokens else "on the empty word"


def _writing(construction: Construction, case: Case) -> InShares:
    network = construction.network
    assert isinstance(network, Decoder)
    return InShares(case.at, network.begin)


def _layers(construction: Construction) -> tuple[Layer, ...]:
    assert isinstance(construction.network, Decoder)
    return construction.network.layers


def _told(construction: Construction, behind: Behind) -> Iterator[Block]:
    """What all cases have in common stands first, once."""
    layers = _layers(construction)
    told = [tuple(_parts(layers, _writing(construction, case), case)) for case in behind.cases]
    common = [parts[0] for parts in itertools.takewhile(lambda parts: len(set(parts)) == 1, zip(*told, strict=False))]
    yield from common
    for case, parts in zip(behind.cases, told, strict=True):
        if case.where:
            written = _writing(construction, case)
            conditions = joined([(Math(written.condition_tex(fact)),) for fact in case.where], last=" and ")
            yield Heading(4, ("Where ", *conditions))
        yield from parts[len(common) :]


def _parts(layers: Sequence[Layer], written: InShares, case: Case) -> Iterator[Block]:
    yield vector("The input: ", "a^{0,i}", written.vector(case.made.input))
    for number, (given, layer) in enumerate(zip(layers, case.made.layers, strict=True), start=1):
        yield from _layer(written, number, given, layer)
    outputs = {rf"\mathrm{{out}}_{{{label(token)}}}": x for token, x in written.vector(case.made.outputs).items()}
    yield Paragraph(("The outputs: ", *equations(outputs), "."))


def _layer(written: InShares, number: int, given: Layer, layer: LayerRead) -> Iterator[Block]:
    for place, (head, look) in enumerate(zip(given.heads, layer.looks, strict=True), start=1):
        found = _scores(written, f"{number},{place}", head, look)
        yield Paragraph((f"Layer {number}, head {place}: {REASONS[look.rule]}.", *found))
        if look.rule != "nothing":
            yield vector("It adds ", f"o^{{{number},{place}}}", written.vector(look.added))
    if layer.looks:
        yield vector("Behind the heads: ", f"c^{{{number},i}}", written.vector(layer.attended))
    if layer.hidden:
        yield vector(f"Layer {number}, hidden units: ", f"h^{{{number}}}", written.vector(layer.hidden))
    yield vector(f"Behind layer {number}: ", f"a^{{{number},i}}", written.vector(layer.output))


def _scores(written: InShares, place: str, head: Head, look: Look) -> Spans:
    products = written.vector(look.products)
    return (" Scores: ", *scores(head, f"s^{{{place}}}", products), ".") if products else ()


class DecoderExplained(Explanation):
    """What is appended to every word, and what is made at its last position; InputError where there is no closed
    form."""

    brief = UNDERIVABLE

    def __init__(self, construction: Construction) -> None:
        self.construction = construction
        self.title = f"{construction.name}: {construction.title}"
        try:
            self.found = all_behind(construction)
        except Underivable as error:
            raise InputError(f"{construction.name}: no closed form: {error}") from error

    def blocks(self) -> Iterator[Block]:
        return _derivation(self.construction, self.found)

    @property
    def cases(self) -> list[dict[str, Any]]:
        return [_case(self.construction, behind, each) for behind, each in _rows(self.found)]

    def steps(self) -> Iterator[ShownStep]:
        for behind in self.found:
            yield from _steps(self.construction, behind)

    def lead(self) -> Iterator[Plain]:
        """What is appended, with the outputs."""
        outputs = list(next(case for behind in self.found for case in behind.cases).made.outputs)
        rows: list[list[Text]] = []
        for behind, each in _rows(self.found):
            written = _writing(self.construction, each.case)
            values = (written.text(each.case.made.outputs[token]) for token in outputs)
            where = _conditions(written, each.where) or "always"
            rows.append([_name(self.construction, behind), where, *values, repr(each.token)])
        yield Table(("word", "where", *map(repr, outputs), "appends"), rows, indent=1)


def _case(construction: Construction, behind: Behind, each: Appended) -> dict[str, Any]:
    written = _writing(construction, each.case)
    return {
        "behind": _tokens(construction, behind),
        "is_word": behind.is_word,
        "condition": _conditions(written, each.where),
        "value": {token: written.text(x) for token, x in each.case.made.outputs.items()},
        "appends": each.token,
    }


def _conditions(written: InShares, facts: Sequence[Fact]) -> str | None:
    return " and ".join(map(written.condition, facts)) or None


def _steps(construction: Construction, behind: Behind) -> Iterator[ShownStep]:
    name = _name(construction, behind)
    if behind.reason:
        yield ShownStep(UNDERIVABLE, name, {}, {}, behind.reason)
    for case in behind.cases:
        written = _writing(construction, case)
        where = _conditions(written, case.where)
        for step in _steps_of(_layers(construction), written, case):
            yield replace(step, location=", ".join((name, *((where,) if where else ()), step.location)))


def _steps_of(layers: Sequence[Layer], written: InShares, case: Case) -> Iterator[ShownStep]:
    def typed(values: Values) -> dict[str, str]:
        return {row: written.text(x) for row, x in nonzero(values).items()}

    vector = case.made.input
    for number, (given, layer) in enumerate(zip(layers, case.made.layers, strict=True), start=1):
        for place, (head, look) in enumerate(zip(given.heads, layer.looks, strict=True), start=1):
            products = {token: written.text(x) for token, x in look.products.items()}
            where = f"layer {number}, head {place}"
            yield ShownStep(look.rule, where, scores_typed(head, products), typed(look.added), REASONS[look.rule])
        if layer.looks:
            yield ShownStep("attention", f"layer {number}", typed(vector), typed(layer.attended))
        if layer.hidden:
            yield ShownStep("feed-forward", f"layer {number}", typed(layer.attended), typed(layer.output))
        vector = layer.output
    yield ShownStep("readout", "readout", typed(vector), typed(case.made.outputs))

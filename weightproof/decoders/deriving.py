"""`derive` of decoders: what is made at the last position of every word, as part of a document, as text, as data."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Decoder, Head, Layer
from weightproof.decoders.reading import SPOT, Appended, Behind, all_behind, appended_in
from weightproof.decoders.shares import Fact, InShares
from weightproof.document.blocks import Block, Code, Heading, Math, Paragraph, Plain, Spans, Table, Text, joined, pairs
from weightproof.document.tex import fragment
from weightproof.machines.formulas import equations, nonzero, scores, scores_typed, vector
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.decoder import Look
from weightproof.symbolic.simulation.generating import Case, LayerRead
from weightproof.symbolic.simulation.recurrent import Values
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


def derivation(construction: Construction) -> tuple[Block, ...]:
    """The part of a document: what is appended, then what stands where, token by token; coordinates that are left out
    hold 0. Where there is none, the reason."""
    return tuple(_derivation(construction))


def _derivation(construction: Construction) -> Iterator[Block]:
    yield Heading(2, ("Derivation",))
    try:
        found = all_behind(construction)
    except Underivable as error:
        yield Paragraph((f"There is no closed form: {error}.",))
        return
    yield Paragraph(_notation())
    yield _overview(construction, found)
    yield Paragraph(
        (
            "The exact interpreter, which knows nothing of the derivation, has the same outputs, and appends the same "
            f"token, on the {SPOT} shortest words.",
        )
    )
    for behind in found:
        yield Heading(3, _heading(construction, behind))
        if behind.reason:
            yield Paragraph((f"There is no closed form: {behind.reason}.",))
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


def _found(construction: Construction) -> tuple[Behind, ...]:
    try:
        return all_behind(construction)
    except Underivable as error:
        raise InputError(f"{construction.name}: no closed form: {error}") from error


def payload(argument: str, construction: Construction) -> dict[str, Any]:
    """The JSON: the outputs by cases, and every part of them. InputError where there is no closed form."""
    found = _found(construction)
    return {
        "construction": argument,
        "closed_form": None,
        "cases": [_case(construction, behind, each) for behind, each in _rows(found)],
        "steps": [step for behind in found for step in _steps(construction, behind)],
        "latex": fragment(derivation(construction)),
    }


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


def _steps(construction: Construction, behind: Behind) -> Iterator[dict[str, Any]]:
    name = _name(construction, behind)
    if behind.reason:
        yield {"rule": "none", "location": name, "before": {}, "after": {}, "condition": behind.reason}
    for case in behind.cases:
        written = _writing(construction, case)
        where = _conditions(written, case.where)
        for step in _steps_of(_layers(construction), written, case):
            yield {**step, "location": ", ".join((name, *((where,) if where else ()), step["location"]))}


def _steps_of(layers: Sequence[Layer], written: InShares, case: Case) -> Iterator[dict[str, Any]]:
    vector = case.made.input
    for number, (given, layer) in enumerate(zip(layers, case.made.layers, strict=True), start=1):
        for place, (head, look) in enumerate(zip(given.heads, layer.looks, strict=True), start=1):
            looked = _step(written, look.rule, f"layer {number}, head {place}", {}, look.added, REASONS[look.rule])
            products = {token: written.text(x) for token, x in look.products.items()}
            yield {**looked, "before": scores_typed(head, products)}
        if layer.looks:
            yield _step(written, "attention", f"layer {number}", vector, layer.attended)
        if layer.hidden:
            yield _step(written, "feed-forward", f"layer {number}", layer.attended, layer.output)
        vector = layer.output
    yield _step(written, "readout", "readout", vector, case.made.outputs)


def _step(
    written: InShares, rule: str, location: str, given: Values, made: Values, condition: str | None = None
) -> dict[str, Any]:
    before, after = ({row: written.text(x) for row, x in nonzero(values).items()} for values in (given, made))
    return {"rule": rule, "location": location, "before": before, "after": after, "condition": condition}


def require_closed_form(construction: Construction) -> None:
    """InputError where a decoder has none."""
    _found(construction)


def report(construction: Construction, with_steps: bool) -> Iterator[Plain]:
    """What is appended, with the outputs; with the steps, every part of them. InputError where there is no closed
    form."""
    found = _found(construction)
    yield Heading(3, f"{construction.name}: {construction.title}")
    outputs = list(next(case for behind in found for case in behind.cases).made.outputs)
    rows: list[list[Text]] = []
    for behind, each in _rows(found):
        written = _writing(construction, each.case)
        values = (written.text(each.case.made.outputs[token]) for token in outputs)
        rows.append(
            [_name(construction, behind), _conditions(written, each.where) or "always", *values, repr(each.token)]
        )
    yield Table(("word", "where", *map(repr, outputs), "appends"), rows, indent=1)
    for behind in found:
        if behind.reason:
            yield Paragraph(f"{_name(construction, behind)} there is no closed form: {behind.reason}", 1)
        for step in _steps(construction, behind) if with_steps and not behind.reason else ():
            yield Paragraph(f"{step['location']}: {step['rule']}", 1)
            if step["condition"] is not None:
                yield Paragraph(step["condition"], 2)
            yield pairs((step["after"] or {"all": "0"}).items(), 2)

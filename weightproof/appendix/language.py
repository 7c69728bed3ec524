"""The document's part on what a construction is: its language, its architecture, its parameters."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.appendix.steps import WRITTEN
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.construction import Construction
from weightproof.document.blocks import (
    Block,
    Code,
    Equations,
    Heading,
    Line,
    Math,
    Paragraph,
    Spans,
    Table,
    joined,
)
from weightproof.reports.sheet import overview, positions, streams
from weightproof.symbolic.writing.breakable import Terms
from weightproof.symbolic.writing.latex import SIGNS
from weightproof.symbolic.writing.latex_source import pieces, source


def language(construction: Construction) -> Iterator[Block]:
    """What is recognised, by what kind of network, and with which parameters."""
    said, network = construction.language, construction.network
    summary = overview(construction)
    yield Heading(2, ("Language and architecture",))
    rows: list[tuple[str, Spans]] = [
        ("construction", (Code(construction.name),)),
        ("source", (construction.source,)),
        ("language", (f"{said.name}: {said.description}" if said.description else said.name,)),
        ("alphabet", joined([(Code(symbol),) for symbol in said.alphabet])),
        ("positions", joined([(part,) for part in positions(network)])),
        *(("parameter", _parameter(parameter.name, construction)) for parameter in construction.parameters),
        (
            "network",
            (
                f"{summary['architecture']}, layers: {summary['layers']}, heads: {summary['heads']}, "
                f"width of the residual stream ",
                Math(f"d = {summary['width']}"),
            ),
        ),
        *((f"{name}coordinates", joined([(Code(part),) for part in stream])) for name, stream in streams(network)),
        ("read", (_reading(network.readout), *_acceptance(network.readout))),
    ]
    yield Table((), tuple(((name,), value) for name, value in rows))
    yield Paragraph(("A word is in the language if and only if",))
    yield Equations((Line("", (Terms(pieces(said.characterisation)),), relation=""),))
    for right, formula in said.labels.items():
        yield Paragraph(("The right output is ", Code(right), " where"))
        yield Equations((Line("", (Terms(pieces(formula)),), relation=""),))


def _reading(readout: schema.Readout) -> str:
    where = {"first": "at position 0", "last": "at the last position", "sum": "summed over all positions"}
    where |= {"mean": "averaged over all positions"}
    return f"{WRITTEN.of('readout position', readout.position, where)}; "


def _acceptance(readout: schema.Readout) -> Spans:
    if readout.predicts:
        return (f"the answer is the {WRITTEN.ranked(readout.accept).called} output",)
    relation = SIGNS[WRITTEN.accepted(readout.accept).op(True)]
    return "accepts if and only if ", Math(rf"\mathrm{{logit}} {relation} 0")


def _parameter(name: str, construction: Construction) -> Spans:
    [parameter] = [p for p in construction.parameters if p.name == name]
    kind = "a natural number" if parameter.is_natural else "real"
    return Math(source(parameter.domain)), f", {kind}"

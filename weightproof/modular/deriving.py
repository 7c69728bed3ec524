"""What is derived of families that add: the network whose numbers are names, layer by layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weightproof.constructions.library import ADDERS, adder_of, units_of
from weightproof.constructions.modular.addition import OUTPUT, SUMMANDS
from weightproof.constructions.modular.counting import INPUT, UNIT, Units
from weightproof.constructions.modular.family import every_modulus
from weightproof.document.blocks import Block, Heading, Items, Math, Matrix, Paragraph
from weightproof.modular import proof
from weightproof.modular.formulas import alternating_tex, tex
from weightproof.modular.members import source, title
from weightproof.proofs.modular.counting import slope, summed
from weightproof.proofs.prover import Obligation
from weightproof.reports.explanation import ShownStep, WithTheorems
from weightproof.reports.matrices import weights
from weightproof.reports.wording import worded
from weightproof.symbolic.modular.adding import Pass, forward
from weightproof.symbolic.modular.waves import Waves
from weightproof.symbolic.writing.latex import label
from weightproof.symbolic.writing.latex_source import scalar

MAPS = (
    f"Rows of the units {UNIT} and columns of the inputs {INPUT}, all from 1 to n; what makes the units, and the "
    "output y, is the step function."
)
UNITS_RULE = (
    "The input is bits, k of them 1; unit j is given k times its weight and its bias, and is 1 where j is at most k."
)


def passed(family: str) -> Pass:
    """The forward pass of the network whose numbers are names."""
    return forward(adder_of(family, every_modulus()).network, SUMMANDS)


class SumExplained(WithTheorems):
    """What stands where, for every modulus and frequency, or for every length."""

    brief = "readout"

    def __init__(self, family: str) -> None:
        self.family = family
        self.title = f"{family}: {title(family)}"

    def opening(self) -> Iterator[Block]:
        yield Heading(1, worded(title(self.family)))
        yield Paragraph(f"Source: {source(self.family)}.")
        if self.family in ADDERS:
            yield Paragraph(worded(READS))

    def weights(self) -> Iterator[Block]:
        if self.family in ADDERS:
            return weights(adder_of(self.family, every_modulus()).network)
        return _units(units_of(self.family))

    def blocks(self) -> Iterator[Block]:
        return _adding(self.family) if self.family in ADDERS else _counting(units_of(self.family))

    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        return proof.told(closed)

    def steps(self) -> Iterator[ShownStep]:
        return _adding_steps(self.family) if self.family in ADDERS else _counting_steps(units_of(self.family))

    @property
    def closed_form(self) -> Any:
        return [*self.steps()][-1].after


def _adding(family: str) -> Iterator[Block]:
    for heading, told in _vectors(passed(family)):
        yield Heading(2, worded(heading))
        yield Items(tuple((Math(rf"{label(name)} = {tex(value)}"),) for name, value in told.items()))
    yield Paragraph(worded(RULES))


READS = (
    "The network reads the residues a and b and then '=', where it is read; p is any modulus and k any frequency. Of "
    "several frequencies one network stands next to the other, and their outputs add up."
)
RULES = (
    "Of cos(2*pi*m/p) for whole numbers m the value is 1 where p divides m, and elsewhere at most cos(2*pi/p), which "
    "is attained; the least value is -cos(pi/p) for odd p, and -1 for even; the sum of cos(2*pi*k*m/p) over "
    "k = 1, ..., p-1 is p-1 in the former case and -1 in the latter."
)


def _vectors(made: Pass) -> Iterator[tuple[str, Mapping[str, Waves]]]:
    """Headings, and what stands under them; what is left out is 0."""
    yield f"The embedding of {SUMMANDS[0]}", made.embedded[0]
    for number, step in enumerate(made.steps, start=1):
        yield f"Layer {number}: what the head adds", step.added
        yield f"Layer {number}: hidden units, before they are squared", step.hidden
        yield f"The stream behind layer {number}", step.output
    yield f"The output {OUTPUT}", {OUTPUT: made.outputs[OUTPUT]}


def _units(units: Units) -> Iterator[Block]:
    yield Heading(2, ("Weights",))
    yield Paragraph(worded(MAPS))
    yield Matrix("W_1", (UNIT,), (INPUT,), ((scalar(units.W_1),),))
    yield Matrix("b_1", (UNIT,), ("",), ((scalar(units.b_1),),))
    yield Matrix("W_2", ("y",), (UNIT,), ((scalar(units.W_2),),))
    yield Matrix("b_2", ("y",), ("",), ((scalar(units.b_2),),))


def _counting(units: Units) -> Iterator[Block]:
    yield Heading(2, ("The first layer",))
    w = slope(units)
    yield Paragraph(worded(UNITS_RULE))
    yield Items(((Math(rf"h_j = [{'' if w == 1 else w} k {_added(scalar(units.b_1))} > 0] = [j \le k]"),),))
    yield Heading(2, ("The second layer",))
    total = alternating_tex(summed(units))
    telescopes = rf"\sum_{{j=1}}^{{k}} {scalar(units.W_2)} = {total.replace('j', 'k')}"
    yield Items(((Math(telescopes),), (Math(rf"y = [{total.replace('j', 'k')} {_added(scalar(units.b_2))} > 0]"),)))


def _added(term: str) -> str:
    """A term behind what it is added to."""
    return f"- {term.removeprefix('-')}" if term.startswith("-") else f"+ {term}"


def _adding_steps(family: str) -> Iterator[ShownStep]:
    made = passed(family)
    rows = zip(SUMMANDS, made.embedded, strict=False)  # the marker is embedded as 0
    before = {f"{token}, {name}": str(x) for token, row in rows for name, x in row.items()}
    for number, step in enumerate(made.steps, start=1):
        added, hidden, output = (
            {name: str(x) for name, x in vector.items()} for vector in (step.added, step.hidden, step.output)
        )
        yield ShownStep("mean", f"layer {number}, head", before, added, "all scores are 0")
        yield ShownStep("feed-forward", f"layer {number}, hidden units", added, hidden)
        yield ShownStep("squares", f"layer {number}", hidden, output)
        before = output
    yield ShownStep("readout", "readout", before, str(made.outputs[OUTPUT]))


def _counting_steps(units: Units) -> Iterator[ShownStep]:
    first = f"[{slope(units)}*k {_added(str(units.b_1))} > 0]"
    yield ShownStep("threshold", "first layer, unit j", first, "[j <= k]", "0 <= k, a whole number")
    total = str(summed(units)).replace("j", "k")
    yield ShownStep("telescope", "second layer", f"sum of {units.W_2} for j from 1 to k", total)
    yield ShownStep("readout", "output", f"[{total} {_added(str(units.b_2))} > 0]", "[k is odd]")

"""A circuit beside the decoder that computes it, gate by gate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weightproof.circuits.given import Member
from weightproof.constructions.circuits.circuit import Gate, values
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.reports.running import INTERPRETER


@dataclass(frozen=True)
class GateStep:
    """The gate of a step, its value, the token that the decoder appends, and the vector that it is read from."""

    number: int
    gate: Gate
    value: str
    token: str | None
    vector: dict[str, str]

    @property
    def agrees(self) -> bool:
        return self.token == self.value


@dataclass(frozen=True)
class CircuitRun:
    """reason: why the decoder stopped before the last gate, if it did."""

    member: Member
    steps: tuple[GateStep, ...]
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """All tokens are the values of their gates, and the last one says whether the word is in the language."""
        told = self.member.accepts in (None, self.outputs == "1") or len(self.steps) < len(self.member.circuit.gates)
        return not self.reason and all(step.agrees for step in self.steps) and told

    @property
    def outputs(self) -> str:
        """What the decoder writes for the outputs of the circuit; "?" where it wrote nothing, or not yet."""
        tokens = dict(enumerate([*self.member.word, *(step.token or "?" for step in self.steps)], start=1))
        return "".join(tokens.get(wire, "?") for wire in self.member.circuit.outputs)


def ran(member: Member, max_steps: int | None) -> CircuitRun:
    """All gates, or as many steps as are asked for; InputError for a word that is no input."""
    circuit, word = member.circuit, member.word
    wanted = values(circuit, word)[circuit.inputs :]
    gates = circuit.gates[:max_steps]
    steps: list[GateStep] = []
    produced = appended(member.network.network, word, {})
    for number, (gate, value) in enumerate(zip(gates, wanted, strict=False)):
        try:
            made = next(produced)
        except NoValue as error:
            return CircuitRun(member, (*steps, GateStep(number, gate, str(int(value)), None, {})), str(error))
        vector = {name: str(x) for name, x in made.vectors[-1].items()}
        steps.append(GateStep(number, gate, str(int(value)), made.token, vector))
    return CircuitRun(member, tuple(steps))


def payload(found: CircuitRun) -> dict[str, Any]:
    circuit, format = found.member.circuit, found.member.network.network.arithmetic
    assert format is not None
    return {
        "circuit": circuit.name,
        "family": found.member.family,
        "word": found.member.word,
        "format": {"bits": format.bits, "fraction": format.fraction, "greatest": str(format.greatest)},
        "member": found.member.accepts,
        "agrees": found.agrees,
        "evaluated": INTERPRETER,
        "reason": found.reason or None,
        "outputs": found.outputs,
        "steps": [
            {
                "step": step.number,
                "gate": circuit.inputs + step.number + 1,
                "kind": step.gate.kind,
                "reads": list(step.gate.reads),
                "value": step.value,
                "token": step.token,
                "agrees": step.agrees,
                "vector": step.vector,
            }
            for step in found.steps
        ],
    }


def report(found: CircuitRun, every: bool, with_trace: bool) -> Iterator[Plain]:
    """The gates, all or those that differ, and whether all are right."""
    circuit, network = found.member.circuit, found.member.network
    format = network.network.arithmetic
    assert format is not None
    yield Heading(3, f"{circuit.name} on {quoted(found.member.word)}")
    yield pairs(
        [
            ("decoder", f"{network.title}, {network.source}"),
            ("numbers", f"{format.name}: from -{format.greatest} to {format.greatest}"),
        ]
    )
    shown = found.steps if every or with_trace else [step for step in found.steps if not step.agrees][:1]
    if shown:
        yield _table(circuit.inputs, shown)
    if with_trace:
        for step in shown:
            yield Paragraph(f"step {step.number}", 1)
            nonzero = ", ".join(f"{name} = {x}" for name, x in step.vector.items() if x != "0")
            yield Paragraph(nonzero or "0", 2)
    if circuit.outputs:
        yield Paragraph(f"outputs: {found.outputs}")
    if found.member.accepts is not None:
        yield Paragraph(f"The word is {'' if found.member.accepts else 'not '}in the language.")
    right = f"The decoder appends the value of every gate: {len(found.steps)} of {len(circuit.gates)} run, exactly."
    wrong = next((step for step in found.steps if not step.agrees), None)
    if wrong is None:
        yield Paragraph(Styled(right, "green"))
    else:
        said = found.reason or f"the decoder appends {wrong.token}, the gate is {wrong.value}"
        yield Paragraph(Styled(f"It goes wrong at step {wrong.number}: {said}.", "red"))


def _table(inputs: int, steps: Sequence[GateStep]) -> Table:
    rows: list[list[Text]] = [
        [
            str(step.number),
            str(inputs + step.number + 1),
            listed((step.gate,)),
            step.value,
            "-" if step.token is None else step.token if step.agrees else Styled(step.token, "bold red"),
        ]
        for step in steps
    ]
    return Table(("step", "wire", "gate", "value", "decoder"), rows, right=frozenset({"step", "wire"}))

"""A circuit beside the decoder that computes it, gate by gate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weightproof.circuits.members import Member
from weightproof.constructions.circuits.circuit import Gate, values
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.kinds import Running
from weightproof.reports.running import INTERPRETER
from weightproof.results import Ran


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


@dataclass(frozen=True, repr=False, kw_only=True)
class CircuitRun(Ran):
    """reason: why the decoder stopped before the last gate, if it did; every, traced: all gates are shown, and the
    vectors that their tokens are read from."""

    member: Member
    steps: tuple[GateStep, ...]
    reason: str
    every: bool
    traced: bool

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

    @property
    def data(self) -> dict[str, Any]:
        circuit, format = self.member.circuit, self.member.network.network.arithmetic
        assert format is not None
        return {
            "circuit": circuit.name,
            "family": self.member.family,
            "word": self.member.word,
            "format": {"bits": format.bits, "fraction": format.fraction, "greatest": str(format.greatest)},
            "member": self.member.accepts,
            "agrees": self.agrees,
            "evaluated": INTERPRETER,
            "reason": self.reason or None,
            "outputs": self.outputs,
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
                for step in self.steps
            ],
        }

    def report(self) -> Iterator[Plain]:
        """The gates, all or the first that differs, and whether all are right."""
        circuit, network = self.member.circuit, self.member.network
        format = network.network.arithmetic
        assert format is not None
        yield Heading(3, f"{circuit.name} on {quoted(self.member.word)}")
        numbers = f"{format.name}: from -{format.greatest} to {format.greatest}"
        yield pairs([("decoder", f"{network.title}, {network.source}"), ("numbers", numbers)])
        wrong = next((step for step in self.steps if not step.agrees), None)
        shown = self.steps if self.every or self.traced else (wrong,) if wrong else ()
        if shown:
            yield _table(circuit.inputs, shown)
        for step in shown if self.traced else ():
            yield Paragraph(f"step {step.number}", 1)
            yield Paragraph(", ".join(f"{name} = {x}" for name, x in step.vector.items() if x != "0") or "0", 2)
        if circuit.outputs:
            yield Paragraph(f"outputs: {self.outputs}")
        if self.member.accepts is not None:
            yield Paragraph(f"The word is {'' if self.member.accepts else 'not '}in the language.")
        if wrong is None:
            run = f"{len(self.steps)} of {len(circuit.gates)} run, exactly"
            yield Paragraph(Styled(f"The decoder appends the value of every gate: {run}.", "green"))
        else:
            said = self.reason or f"the decoder appends {wrong.token}, the gate is {wrong.value}"
            yield Paragraph(Styled(f"It goes wrong at step {wrong.number}: {said}.", "red"))


def ran(member: Member, word: str, how: Running) -> CircuitRun:
    """All gates, or as many steps as are asked for; InputError for a word that is no input."""
    circuit, reason = member.circuit, ""
    wanted = values(circuit, member.word)[circuit.inputs :]
    steps: list[GateStep] = []
    produced = appended(member.network.network, member.word, {})
    for number, (gate, value) in enumerate(zip(circuit.gates[: how.max_steps], wanted, strict=False)):
        try:
            made = next(produced)
        except NoValue as error:
            steps.append(GateStep(number, gate, str(int(value)), None, {}))
            reason = str(error)
            break
        vector = {name: str(x) for name, x in made.vectors[-1].items()}
        steps.append(GateStep(number, gate, str(int(value)), made.token, vector))
    return CircuitRun(word=word, member=member, steps=tuple(steps), reason=reason, every=how.steps, traced=how.trace)


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

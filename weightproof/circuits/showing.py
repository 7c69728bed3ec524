"""What is printed of circuits and of the decoders that compute them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.circuits.given import Member
from weightproof.circuits.listing import listed_circuit
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.library import CIRCUITS_AS_PRINTED, circuits_of
from weightproof.constructions.meaning.record import plain
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.proofs.circuits.deciding import BITS, Sufficient, enough, forgets, formats
from weightproof.proofs.circuits.prove import theorem_of
from weightproof.reported import Shown


@dataclass(frozen=True, repr=False)
class ShownCircuit(Shown):
    """A circuit, with the decoder that computes it in a format."""

    member: Member

    @property
    def data(self) -> dict[str, Any]:
        circuit = self.member.circuit
        gates = [{"kind": gate.kind, "a": gate.a, "b": gate.b} for gate in circuit.gates]
        network = plain(self.member.network.network)
        return {**listed_circuit(circuit), "gates": gates, "outputs": list(circuit.outputs), "network": network}

    def report(self) -> Iterator[Plain]:
        """Its gates, and its decoder's size."""
        circuit, network = self.member.circuit, self.member.network.network
        yield Heading(3, f"{circuit.name}{f': {circuit.title}' if circuit.title else ''}")
        outputs = ", ".join(map(str, circuit.outputs)) or "none"
        yield Paragraph(f"Wires 1 to {circuit.inputs} are the inputs; outputs are {outputs}.")
        if circuit.gates:
            numbered = enumerate(circuit.gates, start=circuit.inputs + 1)
            rows = [[str(number), listed((gate,))] for number, gate in numbered]
            yield Table(("wire", "gate"), rows, right=frozenset({"wire"}))
        assert network.arithmetic is not None
        yield Paragraph(
            f"Its decoder has {len(network.layers)} layers, {len(network.coordinates)} coordinates and numbers of "
            f"{network.arithmetic.name}."
        )


@dataclass(frozen=True, repr=False)
class ShownCircuits(Shown):
    """A family of decoders for circuits, by its parts and its formats."""

    family: str

    @property
    def data(self) -> dict[str, Any]:
        table = [
            {
                "bits": format.bits,
                "fraction": format.fraction,
                "greatest": str(format.greatest),
                "exp_rounded_to_0": forgets(format),
                "computes_every_circuit": _computes(self.family, format),
            }
            for format in formats()
        ]
        return {"name": self.family, "formats": table}

    def report(self) -> Iterator[Plain]:
        theorem = theorem_of(self.family)
        yield Heading(3, f"{self.family}: a Boolean circuit by chain of thought")
        yield Paragraph("The decoder for numbers of one bit, j; others have these rows for each of their bits.")
        yield from _parts(circuits_of(self.family).decoder(("j",)))
        yield Heading(
            3, f"In which formats of up to {BITS} bits it computes every circuit: B, the greatest number, below"
        )
        columns = [f"{fraction} behind" for fraction in range(BITS)]
        cells: list[list[Text]] = []
        for bits in range(2, BITS + 1):
            row: list[Text] = [f"{bits} bits"]
            for format in (each for each in formats() if each.bits == bits):
                good = _computes(self.family, format)
                small = "B < 3" if format.greatest < theorem.LEAST else "no"
                mark = "yes" if good else small if forgets(format) else "exp"
                row.append(Styled(f"{format.greatest} {mark}", "green" if good else "yellow"))
            cells.append([*row, *[""] * (BITS + 1 - len(row))])
        yield Table(("", *columns), cells)
        every = "no: NOT has no value" if self.family in CIRCUITS_AS_PRINTED else "yes: every circuit"
        yield Paragraph(f"{every}; B < 3: the sum of a unit saturates; exp: exp(-B) is not rounded to 0.")


def _computes(family: str, format: FixedPoint) -> bool:
    """Whether it computes every circuit in a format, by the theorems about it."""
    return family not in CIRCUITS_AS_PRINTED and enough(format, Sufficient(family, theorem_of(family).LEAST))


def _parts(network: Decoder) -> Iterator[Plain]:
    for number, layer in enumerate(network.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            yield Paragraph(f"layer {number}, head {place}: softmax of q.k, causal", 1)
            yield pairs([(part, _matrix(getattr(head, part))) for part in ("W_Q", "W_K", "W_V")], 2)
        if layer.feed_forward is not None:
            yield Paragraph(f"layer {number}, feed-forward network: W2 ReLU(W1 x + b1)", 1)
            first, second = layer.feed_forward.first, layer.feed_forward.second
            bias = ", ".join(f"{name}: {value}" for name, value in first.bias.items())
            yield pairs([("W1", _matrix(first.weights)), ("b1", bias), ("W2", _matrix(second.weights))], 2)
    yield Paragraph("readout: the token of the greatest output", 1)
    yield pairs([("W", _matrix(network.readout.W.weights))], 2)


def _matrix(rows: Mapping[str, Mapping[str, object]]) -> str:
    return "; ".join(
        f"{name} from {', '.join(f'{weight} {column}' for column, weight in row.items())}" for name, row in rows.items()
    )

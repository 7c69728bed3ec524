"""What is said of sizes, tables and the build of decoders for circuits."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork, inputs_of
from weightproof.constructions.claims.circuits import Built, Fits, HasValue, Numbered, Positions, Width, Writes
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.certified import settle
from weightproof.proofs.circuits.deciding import FEW_GATES, FEW_INPUTS, TRIED, small_circuits
from weightproof.proofs.circuits.widths import WIDEST, row_gaps
from weightproof.proofs.claims.circuits.runs import DecoderDifference, given, signed_bit
from weightproof.proofs.claims.circuits.settings import Formats, derived, heads_gap, judged_in_formats, layout_gap
from weightproof.proofs.claims.formulas.quotients import Quotient, polynomial, quotient
from weightproof.proofs.quantities.outcome import NO_VALUE, WEIGHTS, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

SMALL = f"circuits of up to {FEW_INPUTS} inputs and {FEW_GATES} gates"
BOUNDED = Evidence.BOUNDED.value


def judge_numbered(claim: Numbered) -> Outcome:
    """Whether the rows of gates hold these numbers: of small circuits, and that rows of all numbers are made alike."""
    for circuit in small_circuits():
        apart = next(_numbers_apart(claim, circuit), None)
        if apart is not None:
            return Fails(told(f"{apart.what}: {apart.found}"), apart)
    gap = settle(row_gaps(circuits_of(claim.family))).gap
    if gap is not None:
        return Open(": ".join(gap))
    return Holds(f"{SMALL}; rows of numbers of up to {WIDEST} bits are made alike", BOUNDED)


def _numbers_apart(claim: Numbered, circuit: Circuit) -> Iterator[DecoderDifference]:
    layout = circuits_of(claim.family).layout_of(circuit)
    table = circuit_network_of(claim.family, circuit).network.table or ()
    k = len(layout.number)
    for number, gate in enumerate(circuit.gates, start=circuit.inputs + 1):
        known: dict[str, Real] = {"i": fmpq(number), "a": fmpq(gate.a), "b": fmpq(gate.b)}
        row = table[number - 2]
        for field, formula in claim.numbers.items():
            names = layout.number if field == "id" else layout.addresses[field]
            found = [evaluate(row[name], {}) if name in row else fmpq(0) for name in names]
            printed = evaluate(formula, known)
            if found != _signed(printed, k):
                yield DecoderDifference(
                    f"{field!r} of the row of gate {number}",
                    f"{formula} = {printed}",
                    f"[{', '.join(map(str, found))}]",
                    "0" * circuit.inputs,
                    given(circuit),
                    number - 2,
                    evidence="the entry differs",
                    family=claim.family,
                )


def _signed(number: Real, k: int) -> list[fmpq] | None:
    """The k bits of a number, as -1 and 1; None if it has no k bits."""
    if not isinstance(number, fmpq) or number.q != 1 or not 0 <= number < 2**k:
        return None
    return [fmpq(signed_bit(int(number.p), j, k)) for j in range(1, k + 1)]


def judge_positions(claim: Positions) -> Outcome:
    """Whether the tables of small circuits have so many rows."""
    for circuit in small_circuits():
        rows = len(circuit_network_of(claim.family, circuit).network.table or ())
        last = evaluate(claim.last, {"N": fmpq(circuit.wires)})
        if claim.first != 2 or last != rows + 1:
            found = f"2 to {rows + 1}"
            parameters = {**given(circuit), "N": str(circuit.wires)}
            return Fails(told(found), Evaluated("positions", f"{claim.first} to {last}", found, None, parameters))
    return Holds(SMALL, BOUNDED)


def judge_width(claim: Width) -> Outcome:
    """Whether the decoder for numbers of k bits is so wide."""
    of_bits = circuits_of(claim.family).decoder
    for k in range(1, WIDEST + 1):
        found = len(of_bits(tuple(map(str, range(1, k + 1)))).coordinates)
        printed = evaluate(claim.width, {"k": fmpq(k)})
        if printed != found:
            difference = Evaluated("coordinates", str(printed), str(found), None, {"k": str(k)})
            return Fails(told(f"{found} coordinates"), difference)
    return Holds(f"k = 1 ... {WIDEST}", BOUNDED)


def judge_fits(claim: Fits) -> Outcome:
    """ceil(log_2(N)) is the least k with N <= 2^k: of those N with it 2^k is the greatest. So N + c has k bits for
    all N if and only if 2^k + c <= 2^k - 1; where not, N = 2 shows it."""
    excess = polynomial(quotient(claim.greatest, {"N": Quotient.atom("N")}.__getitem__)) - Polynomial.atom("N")
    if excess.atoms:
        return Open(f"{claim.greatest} is not N and a constant")
    constant = excess.at({})
    if constant <= -1:
        return Holds("every N >= 1", Evidence.CERTIFICATE.value)
    found = "the greatest number of 1 bit is 1"
    return Fails(told(found), Evaluated(str(claim.greatest), str(constant + 2), "1", None, {"N": "2", "k": "1"}))


def judge_built(claim: Built) -> Outcome:
    """Whether a decoder is built so; all of a family are, but for the rows of scores and the table."""
    layers = circuit_network_of(claim.family, TRIED).network.layers
    heads = sorted({len(layer.heads) for layer in layers})
    last = layers[-1].feed_forward
    units = 0 if last is None else len({**last.first.weights, **last.first.bias})
    found: dict[str, object] = {
        "layers": len(layers),
        "heads": heads[0] if len(heads) == 1 else heads,
        "hidden_layers": int(last is not None),
        "units": units,
    }
    for name, number in found.items():
        printed = getattr(claim, name)
        if printed is not None and printed != number:
            what = name.replace("_", " ")
            return Fails(told(f"{what}: {number}"), Evaluated(what, str(printed), str(number), None, {}, None, None))
    return WEIGHTS


def judge_value(claim: HasValue) -> Outcome:
    """Whether heads find a position wherever such wires are written: true where they do at every position, as what a
    head sees of another one needs a value there."""
    return judged_in_formats(
        claim.family,
        1,
        lambda arithmetic: layout_gap(claim.family) or _underived(claim.family, arithmetic),
        lambda _: _without_value(claim),
    )


@functools.cache
def _underived(family: str, arithmetic: Formats) -> tuple[str, str] | None:
    """Where it is not derived that heads find what they look for."""
    try:
        derived(family, arithmetic)
    except Underivable as error:
        return "heads", str(error)
    return heads_gap(family, arithmetic)


def _written(circuit: Circuit, position: int) -> Writes:
    """What a position writes, counted from 0."""
    return "input" if position + 1 < circuit.inputs else circuit.gates[position + 1 - circuit.inputs].kind


def _without_value(claim: HasValue) -> Iterator[DecoderDifference]:
    """The first position of a run that has no value."""
    for circuit in small_circuits():
        network = circuit_network_of(claim.family, circuit)
        for word in inputs_of(circuit):
            found = _stops(network, word)
            if found is not None and _written(circuit, found[0]) in claim.of:
                position, reason = found
                what = f"the heads at the position that writes wire {position + 2}"
                said = f"{NO_VALUE} ({reason})"
                yield DecoderDifference(what, "a value", said, word, given(circuit), position, family=claim.family)


def _stops(network: CircuitNetwork, word: str) -> tuple[int, str] | None:
    """The first position that has no value, and why."""
    decoder, table = network.network, network.network.table or ()
    for position in range(len(table)):
        try:
            for _ in appended(replace(decoder, table=table[: position + 1]), word, {}):
                pass
        except NoValue as error:
            return position, str(error)
    return None

"""Judges what is printed about decoders for circuits: their sizes and tables, what a vector carries at a position, the
scores of heads and what they find by them, what is appended, bits, and what exp(-B) is rounded to."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork, Gate, conjoins, inputs_of
from weightproof.constructions.circuits.family import Layout
from weightproof.constructions.claims import circuits as says
from weightproof.constructions.claims.formulas import Always
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.schema import Decoder, Embedding
from weightproof.constructions.scalars.exact import Real, exp
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import rounded
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import COMPARISONS, ZERO, compare, evaluate
from weightproof.constructions.scalars.values import Number as Exact
from weightproof.proofs.circuits.deciding import (
    FEW_GATES,
    FEW_INPUTS,
    KINDS,
    TOKENS,
    TRIED,
    formats,
    small_circuits,
    step_gaps,
    wrong_circuit,
)
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, row_gaps
from weightproof.proofs.claims.circuit_runs import (
    DecoderDifference,
    DecoderRun,
    Formats,
    Setting,
    derived,
    entry,
    exactly,
    head_of,
    heads_gap,
    judged_in_formats,
    layout_gap,
    parameters_of,
    runs,
    scaled,
    scope,
    settings,
    signed_bit,
    value_of,
)
from weightproof.proofs.claims.formulas.always import differs, judge_always
from weightproof.proofs.claims.formulas.quotients import Quotient, polynomial, quotient
from weightproof.proofs.prover import settle
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import NO_VALUE, WEIGHTS, Difference, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP, Arithmetic, Number
from weightproof.symbolic.fixed_point.decoder import BIT, KIND, TOKEN, Step, bits_of, vector
from weightproof.symbolic.fixed_point.finite import NOTHING, Assignment, Values, applied
from weightproof.symbolic.fixed_point.lookup import START, Bits, Row, State, at, final_states, rows
from weightproof.symbolic.simulation.polynomial import Polynomial

SMALL = f"circuits of up to {FEW_INPUTS} inputs and {FEW_GATES} gates"
BOUNDED = Evidence.BOUNDED.value


def judge_numbered(claim: says.Numbered) -> Outcome:
    """Whether the rows of gates hold these numbers: of small circuits, and that rows of all numbers are made alike."""
    for circuit in small_circuits():
        apart = next(_numbers_apart(claim, circuit), None)
        if apart is not None:
            return Fails(explained(f"{apart.what}: {apart.found}"), apart)
    gap = settle(row_gaps(circuits_of(claim.family))).gap
    if gap is not None:
        return Open(": ".join(gap))
    return Holds(f"{SMALL}; rows of numbers of up to {WIDEST} bits are made alike", BOUNDED)


def _numbers_apart(claim: says.Numbered, circuit: Circuit) -> Iterator[DecoderDifference]:
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
                    parameters_of(circuit),
                    number - 2,
                    evidence="the entry differs",
                    family=claim.family,
                )


def _signed(number: Real, k: int) -> list[fmpq] | None:
    """The k bits of a number, as -1 and 1; None if it has no k bits."""
    if not isinstance(number, fmpq) or number.q != 1 or not 0 <= number < 2**k:
        return None
    return [fmpq(signed_bit(int(number.p), j, k)) for j in range(1, k + 1)]


def judge_positions(claim: says.Positions) -> Outcome:
    """Whether the tables of small circuits have so many rows."""
    for circuit in small_circuits():
        length = len(circuit_network_of(claim.family, circuit).network.table or ())
        last = evaluate(claim.last, {"N": fmpq(circuit.wires)})
        if claim.first != 2 or last != length + 1:
            parameters = {**parameters_of(circuit), "N": circuit.wires}
            return differs("positions", f"{claim.first} to {last}", f"2 to {length + 1}", parameters)
    return Holds(SMALL, BOUNDED)


def judge_width(claim: says.Width) -> Outcome:
    """Whether the decoder for numbers of k bits is so wide."""
    of_bits = circuits_of(claim.family).decoder
    for k in range(1, WIDEST + 1):
        found = len(of_bits(tuple(map(str, range(1, k + 1)))).coordinates)
        printed = evaluate(claim.width, {"k": fmpq(k)})
        if printed != found:
            return differs("coordinates", printed, str(found), {"k": k}, f"{found} coordinates")
    return Holds(f"k = 1 ... {WIDEST}", BOUNDED)


def judge_fits(claim: says.Fits) -> Outcome:
    """ceil(log_2(N)) is the least k with N <= 2^k: of those N with it 2^k is the greatest. So N + c has k bits for
    all N if and only if 2^k + c <= 2^k - 1; where not, N = 2 shows it."""
    excess = polynomial(quotient(claim.greatest, {"N": Quotient.atom("N")}.__getitem__)) - Polynomial.atom("N")
    if excess.atoms:
        return Open(f"{claim.greatest} is not N and a constant")
    constant = excess.at({})
    if constant <= -1:
        return Holds("every N >= 1", Evidence.CERTIFICATE.value)
    return differs(str(claim.greatest), constant + 2, "1", {"N": 2, "k": 1}, "the greatest number of 1 bit is 1")


def judge_built(claim: says.Built) -> Outcome:
    """Whether a decoder is built so; all of a family are, but for the rows of scores and the table."""
    layers = circuit_network_of(claim.family, TRIED).network.layers
    heads = sorted({len(layer.heads) for layer in layers})
    last = layers[-1].feed_forward
    units = 0 if last is None else len(last.first.rows)
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
            return differs(what, printed, str(number), {}, f"{what}: {number}")
    return WEIGHTS


def judge_value(claim: says.HasValue) -> Outcome:
    """Whether heads find a position wherever such wires are written: true where they do at every position, as what a
    head sees of another one needs a value there."""
    return judged_in_formats(
        claim.family,
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


def _written(circuit: Circuit, position: int) -> says.Writes:
    """What a position writes, counted from 0."""
    return "input" if position + 1 < circuit.inputs else circuit.gates[position + 1 - circuit.inputs].kind


def _without_value(claim: says.HasValue) -> Iterator[DecoderDifference]:
    """The first position of a run that has no value."""
    for circuit in small_circuits():
        network = circuit_network_of(claim.family, circuit)
        for word in inputs_of(circuit):
            found = _stops(network, word)
            if found is not None and _written(circuit, found[0]) in claim.of:
                position, reason = found
                what = f"the heads at the position that writes wire {position + 2}"
                none = f"{NO_VALUE} ({reason})"
                yield DecoderDifference(
                    what, "a value", none, word, parameters_of(circuit), position, family=claim.family
                )


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


[BIT_NAME] = ONE_BIT
PER_BIT = frozenset({"query", "key"})
"""The places whose rows are named after bits."""
BEFORE_ATTENTION = frozenset({"embedded", "table", "input"})


def judge_carries(claim: says.Carries) -> Outcome:
    """Whether vectors are as is said, in every format."""
    return judged_in_formats(claim.family, partial(_vector_apart, claim), partial(_vector_seen, claim))


def _vector_apart(claim: says.Carries, arithmetic: Formats) -> tuple[str, str] | None:
    """Where what is derived is not what is said, and what it is; or why nothing is derived."""
    gap = layout_gap(claim.family)
    if gap is None and not {place.part for place in claim.places} <= BEFORE_ATTENTION:
        gap = heads_gap(claim.family, arithmetic)
    if gap is not None:
        return gap
    family = circuits_of(claim.family)
    network, layout = family.decoder(ONE_BIT), family.layout(ONE_BIT)
    try:
        made = derived(claim.family, arithmetic)
        for place in claim.places:
            values = _place(network, layout, made, place, arithmetic)
            for name, formula in claim.rows.items():
                for known, assignment in _positions(layout):
                    found = values.get(name, NOTHING).at(assignment)
                    if found != value_of(formula, known, arithmetic):
                        return f"{name!r} of the {_named(place)}", f"{found} where {_told(formula, known)}"
    except Underivable as error:
        return "a step", f"not derived: {error}"
    return None


def _place(network: Decoder, layout: Layout, made: Step, place: says.Place, arithmetic: Arithmetic) -> Values:
    streams = [made.input, *(layer.output for layer in made.layers)]
    match place.part:
        case "embedded":
            return vector(network, Layout({}, {}, (), {}), arithmetic)
        case "table":
            return vector(replace(network, embedding=Embedding(WE={token: {} for token in TOKENS})), layout, arithmetic)
        case "input":
            return made.input
    head, before = head_of(network, place.layer), streams[place.layer - 1]
    match place.part:
        case "query":
            return applied(head.W_Q, before, arithmetic)
        case "key":
            return applied(head.W_K, before, arithmetic)
        case "value":
            value = applied(head.W_V, before, arithmetic)
            return value if head.W_O is None else applied(head.W_O, value, arithmetic)
        case "attended":
            return made.layers[place.layer - 1].attended
        case "output":
            return streams[place.layer]
    PROVER.refuse("place", place.part)


def _positions(layout: Layout) -> Iterator[tuple[dict[str, int], Assignment]]:
    """Every position as far as a step can tell them apart: what formulas are in, and the values of unknowns."""
    fields = {"id": layout.number, **layout.addresses}
    names = {f"{field}_j": bits[0] for field, bits in fields.items()}
    for kind, token, (a, b), bits in itertools.product(
        KINDS, TOKENS, itertools.product(TOKENS, repeat=2), itertools.product(BIT, repeat=len(names))
    ):
        if not conjoins(kind) and a != b:
            continue
        known = {"x": int(TOKENS[token]), "x_a": int(TOKENS[a]), "x_b": int(TOKENS[b]), "c": int(conjoins(kind))}
        known["y"] = int(Gate(kind, 1, 1)(TOKENS[a], TOKENS[b]))
        known |= dict(zip(names, bits, strict=True))
        assignment: dict[str, object] = {TOKEN: token, KIND: kind, TOKEN + at("a"): a, TOKEN + at("b"): b}
        yield known, {**assignment, **dict(zip(names.values(), bits, strict=True))}


def _told(formula: Expression, known: Mapping[str, int]) -> str:
    used = ", ".join(f"{name} = {value}" for name, value in known.items() if name in formula.names)
    return f"{used} and {formula} is said" if used else f"{formula} is said"


def _named(place: says.Place) -> str:
    return f"{place.part} of layer {place.layer}" if place.layer else place.part


def _vector_seen(claim: says.Carries, setting: Setting) -> Iterator[DecoderDifference]:
    """Entries of vectors that are not what is said, of runs."""
    for run in runs(claim.family, setting.format):
        for position, place in itertools.product(range(len(run.produced)), claim.places):
            vector = run.vector(position, place)
            for name, formula, known in _rows(claim, place, run, position):
                printed, found = evaluate(formula, known), entry(vector, name)
                if printed != exactly(found):
                    yield run.apart(f"{name!r} of the {_named(place)}", printed, found, position)
        if run.stopped is not None:
            place = claim.places[-1]
            yield run.apart(f"the {_named(place)}", "a value", f"{NO_VALUE} ({run.stopped})", len(run.produced))


def _rows(
    claim: says.Carries, place: says.Place, run: DecoderRun, position: int
) -> Iterator[tuple[str, Expression, dict[str, Real]]]:
    """The entries of a vector with their formulas, bit for bit where they are named after bits."""
    known = run.known(position)
    if place.part not in PER_BIT:
        yield from ((name, formula, known) for name, formula in claim.rows.items())
        return
    for bit, bits in run.bits(position):
        for name, formula in claim.rows.items():
            yield name.replace(BIT_NAME, bit), formula, {**known, **bits}


NEXT = 1
"""Position i has the number i - 1: the position with the number of a wire is that much behind it."""


def judge_scores(claim: says.PartialSum | says.LooksUp) -> Outcome:
    """Whether sums or scores are as is said, for numbers of every width, in every format."""
    return judged_in_formats(claim.family, partial(_score_apart, claim), partial(_score_seen, claim))


@dataclass(frozen=True)
class _Block:
    """The products of one bit, and the states behind any number of bits, from one on."""

    rows: Sequence[Row]
    bits: Bits
    scale: Number
    behind: frozenset[State]


def _block(family: str, layer: int, address: str, arithmetic: Formats) -> _Block:
    """The products of the head of a layer, told apart by whether the bits of an address are those of a key's number.
    Bits that the head does not read may be either."""
    decoders = circuits_of(family)
    network, layout = decoders.decoder(ONE_BIT), decoders.layout(ONE_BIT)
    made, head = derived(family, arithmetic), head_of(network, layer)
    stream = (made.input, *(each.output for each in made.layers))[layer - 1]
    block, bits = rows(head, stream, arithmetic), bits_of(layout, address)
    behind = final_states(block, bits, arithmetic, frozenset({START}))
    if not final_states(block, bits, arithmetic, behind) <= behind:
        raise Underivable(f"the sums of more bits of the address {address!r} than one are others")
    return _Block(block, bits, arithmetic.scalar(head.scale), behind)


def _score_apart(claim: says.PartialSum | says.LooksUp, arithmetic: Formats) -> tuple[str, str] | None:
    gap = layout_gap(claim.family) or heads_gap(claim.family, arithmetic)
    if gap is not None:
        return gap
    try:
        block = _block(claim.family, claim.layer, claim.address, arithmetic)
        if isinstance(claim, says.LooksUp):
            return next(_wrong_scores(claim, block, arithmetic), None)
        return next(_wrong_sums(claim, block, arithmetic), None)
    except Underivable as error:
        return "the scores", f"not derived: {error}"


def _speaks_of(claim: says.PartialSum, product: int) -> bool:
    """Whether it is about the sum behind the first or the second product of a bit."""
    return product in PROVER.of("products", claim.products, {"first": (1,), "second": (2,), "each": (1, 2)})


def _is_power(claim: says.LooksUp) -> bool:
    return PROVER.of("quantity", claim.of, {"score": False, "power": True})


def _wrong_sums(claim: says.PartialSum, block: _Block, arithmetic: Arithmetic) -> Iterator[tuple[str, str]]:
    if len(block.rows) != 2:
        raise Underivable(f"a bit has {len(block.rows)} products, not two")
    printed = value_of(claim.value, {}, arithmetic)
    for start in (START, *block.behind):
        for product in (1, 2):
            if not _speaks_of(claim, product):
                continue
            for state in final_states(block.rows[:product], block.bits, arithmetic, frozenset({start})):
                phase = _phase(start.equal, state.equal, product)
                if phase in claim.phases and not _compares(claim.op, state.sum, printed, arithmetic):
                    yield f"the sum behind product {product} of a bit ({phase})", str(state.sum)


def _phase(before: bool, after: bool, product: int) -> says.Phase:
    """before: whether all earlier bits were equal; after: whether this one is, too."""
    if after:
        return "equal"
    return "first unequal" if before and product == 1 else "later"


def _compares(op: str, x: Number, y: Number, arithmetic: Arithmetic) -> bool:
    if op == "==":
        return x == y
    return COMPARISONS[op](arithmetic.sign(Number(x.number - y.number, x.tops - y.tops)))


def _wrong_scores(claim: says.LooksUp, block: _Block, arithmetic: Arithmetic) -> Iterator[tuple[str, str]]:
    if claim.ahead != NEXT:
        yield f"the head of layer {claim.layer}", f"it finds position {claim.address} + {NEXT}"
    for equal, formula in ((True, claim.here), (False, claim.elsewhere)):
        printed = value_of(formula, {}, arithmetic)
        for state in block.behind:
            score = arithmetic.times(block.scale, state.sum)
            found = arithmetic.exp(score) if _is_power(claim) else score
            if state.equal == equal and found != printed:
                yield f"the {claim.of} {'at the address' if equal else 'elsewhere'}", str(found)


def _score_seen(claim: says.PartialSum | says.LooksUp, setting: Setting) -> Iterator[DecoderDifference]:
    """Sums and scores that are not what is said, of runs."""
    for run in runs(claim.family, setting.format):
        for position in range(len(run.produced)):
            for key in range(position + 1):
                if isinstance(claim, says.PartialSum):
                    yield from _sums_seen(claim, run, position, key)
                else:
                    yield from _scores_seen(claim, run, position, key)


def _products(run: DecoderRun, layer: int, position: int, key: int) -> list[Exact]:
    """The products of the score of a key, in their order."""
    query, other = run.vector(position, says.Place("query", layer)), run.vector(key, says.Place("key", layer))
    return [query[name] * other[name] for name in query if name in other]


def _sums_seen(claim: says.PartialSum, run: DecoderRun, position: int, key: int) -> Iterator[DecoderDifference]:
    products = _products(run, claim.layer, position, key)
    number = run.wire(position, claim.address)
    k, total, equal = len(products) // 2, ZERO, True
    if "first unequal" in claim.phases and number == key + 1:
        return  # said of two numbers that are not the same
    printed = evaluate(claim.value, {TOP: run.format.greatest})
    for place, product in enumerate(products):
        total, before = total + product, equal
        j, which = place // 2 + 1, place % 2 + 1
        equal = equal and signed_bit(number, j, k) == signed_bit(key + 1, j, k)
        if not _speaks_of(claim, which):
            continue
        found = exactly(total)
        if _phase(before, equal, which) in claim.phases and not compare(claim.op, found, printed):
            what = f"h_{place + 1} of the numbers {number} and {key + 1}"
            yield run.apart(what, f"{claim.op} {printed}" if claim.op != "==" else printed, found, position)


def _scores_seen(claim: says.LooksUp, run: DecoderRun, position: int, key: int) -> Iterator[DecoderDifference]:
    head = head_of(run.network, claim.layer)
    score = run.scalars(position)(head.scale) * sum(_products(run, claim.layer, position, key), ZERO)
    found = exactly(exp(score) if _is_power(claim) else score)
    index, wanted = key + 2, run.wire(position, claim.address) + claim.ahead
    formula: Expression = claim.here if index == wanted else claim.elsewhere
    printed = evaluate(formula, {TOP: run.format.greatest})
    if found != printed:
        relation = "=" if index == wanted else "not"
        shift = f" + {claim.ahead}" if claim.ahead else ""
        what = f"the {claim.of} of position i' = {index}, {relation} {claim.address}(i){shift}, at i = {position + 2}"
        yield run.apart(what, printed, found, position)


def judge_bits(claim: says.OfBits) -> Outcome:
    """There are eight cases."""
    for bits in itertools.product((0, 1), repeat=3):
        known: dict[str, Real] = {name: fmpq(bit) for name, bit in zip(("x_a", "x_b", "c"), bits, strict=True)}
        if holds(claim.given, known, (), ()) and not holds(claim.says, known, (), ()):
            return differs(str(claim.says), "true", "false", known, f"not {claim.says}")
    return Holds("all bits", Evidence.CERTIFICATE.value)


def judge_forgets(claim: says.Forgets) -> Outcome:
    """A number of f bits behind the point that is at most 2^-(f + 1) is rounded to 0. exp(-B) is less than that where
    B >= 7/10 (f + 1), as exp(7/10) > 2."""
    met = False
    for format in formats():
        known: dict[str, Real] = {"B": format.greatest, "s": fmpq(format.bits), "f": fmpq(format.fraction)}
        if not holds(claim.given, known, (), ()):
            continue
        met = True
        found = rounded(-format.greatest, format).exp()
        if found.sign:
            return differs("exp(-B), rounded", "0", str(found), known, Expression(str(found.value)))
    if not met:
        return Open("no format was found of which it speaks")
    every = f"({claim.given}) and s >= 2 and 0 <= f and f < s and (f > 0 or B >= 1)"
    far = judge_always(Always("10*B >= 7*(f + 1)", {"B": "positive", "s": "natural", "f": "integer"}, every))
    if isinstance(far, Holds):
        return Holds(f"every format with {claim.given}", far.evidence)
    return Open(f"it is not seen that B >= 7/10 (f + 1) wherever {claim.given}")


def judge_computed(claim: says.Appends | says.Computes) -> Outcome:
    """Whether what is appended is the value of the gate that is written, or of another wire if that is claim."""
    for setting in settings(claim.family, claim.least):
        gap = _gap(claim, setting)
        if gap is not None:
            seen = _wrong(claim, setting) if isinstance(claim, says.Computes) else next(_others(claim, setting), None)
            return Open(": ".join(gap)) if seen is None else Fails(explained(f"{seen.what}: {seen.found}"), seen)
    return Holds(scope(claim.least), Evidence.CERTIFICATE.value)


def _gap(claim: says.Appends | says.Computes, setting: Setting) -> tuple[str, str] | None:
    if isinstance(claim, says.Appends) and claim.ahead:
        return "the token that is appended", "the value of the gate that is written"
    scale = claim.scale if isinstance(claim, says.Computes) else None
    made = scaled(claim.family, scale)
    gap = layout_gap(claim.family) or heads_gap(claim.family, setting.arithmetic, scale)
    gates = step_gaps(made.decoder(ONE_BIT), made.layout(ONE_BIT), setting.arithmetic)
    return gap or settle(gates).gap


def _wrong(claim: says.Computes, setting: Setting) -> Difference | None:
    """A circuit that is computed wrong; a decoder with another scale than its own is run by no command line."""
    found = wrong_circuit(claim.family, setting.format, scaled(claim.family, claim.scale))
    if found is None or (wrong := found.step) is None:
        return None
    what = f"{wrong.unit}, appended at step {wrong.number}"
    if claim.scale is not None:
        return Evaluated(what, wrong.expected, wrong.found, found.word, found.parameters, evidence="run exactly")
    return DecoderDifference(what, wrong.expected, wrong.found, found.word, found.parameters, None, family=claim.family)


def _others(claim: says.Appends, setting: Setting) -> Iterator[DecoderDifference]:
    """Tokens that are not the value of the wire of which it is claim."""
    for run in runs(claim.family, setting.format):
        for position, produced in enumerate(run.produced):
            wire = position + 2 + claim.ahead
            if 1 <= wire <= run.circuit.wires and produced.token != str(run.wires[wire - 1]):
                what = f"the token behind {position + 1} tokens, of wire {wire}"
                yield run.apart(what, run.wires[wire - 1], produced.token, position)
        if run.stopped is not None:
            yield run.apart("the next token", "a value", f"{NO_VALUE} ({run.stopped})", len(run.produced))

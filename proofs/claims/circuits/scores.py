"""What is said of a head's scores: of their partial sums, and of which position the head finds by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from weightproof.constructions.claims.circuits import LooksUp, PartialSum, Phase, Place
from weightproof.constructions.library import circuits_of
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.numbers import ZERO, exp
from weightproof.constructions.scalars.numbers import Number as Exact
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.circuits.widths import ONE_BIT
from weightproof.proofs.claims.circuits.formulas import said
from weightproof.proofs.claims.circuits.runs import DecoderDifference, DecoderRun, exactly, head_of, runs, signed_bit
from weightproof.proofs.claims.circuits.settings import (
    Formats,
    Setting,
    derived,
    heads_gap,
    judged_in_formats,
    layout_gap,
)
from weightproof.proofs.quantities.outcome import Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP, Arithmetic, Number
from weightproof.symbolic.fixed_point.decoder import bits_of
from weightproof.symbolic.fixed_point.lookup import START, Bits, Row, State, final_states, rows

NEXT = 1
"""Position i has the number i - 1: the position with the number of a wire is that much behind it."""


def judge_scores(claim: PartialSum | LooksUp) -> Outcome:
    """Whether sums or scores are as is said, for numbers of every width, in every format."""
    return judged_in_formats(claim.family, claim.least, partial(_apart, claim), partial(_seen, claim))


@dataclass(frozen=True)
class _Block:
    """The products of one bit, and the states behind any number of bits, from one on."""

    rows: Sequence[Row]
    bits: Bits
    scale: Number
    behind: frozenset[State]


def _block(family: str, layer: int, address: str, arithmetic: Formats) -> _Block:
    """Of the head of a layer, told by whether the bits of an address are those of a key's number. Bits that the head
    does not read may be either."""
    decoders = circuits_of(family)
    network, layout = decoders.decoder(ONE_BIT), decoders.layout(ONE_BIT)
    made, head = derived(family, arithmetic), head_of(network, layer)
    stream = (made.input, *(each.output for each in made.layers))[layer - 1]
    block, bits = rows(head, stream, arithmetic), bits_of(layout, address)
    behind = final_states(block, bits, arithmetic, frozenset({START}))
    if not final_states(block, bits, arithmetic, behind) <= behind:
        raise Underivable(f"the sums of more bits of the address {address!r} than one are others")
    return _Block(block, bits, arithmetic.scalar(head.scale), behind)


def _apart(claim: PartialSum | LooksUp, arithmetic: Formats) -> tuple[str, str] | None:
    gap = layout_gap(claim.family) or heads_gap(claim.family, arithmetic)
    if gap is not None:
        return gap
    try:
        if isinstance(claim, LooksUp):
            block = _block(claim.family, claim.layer, claim.address, arithmetic)
            return next(_wrong_scores(claim, block, arithmetic), None)
        block = _block(claim.family, claim.layer, _address(claim), arithmetic)
        return next(_wrong_sums(claim, block, arithmetic), None)
    except Underivable as error:
        return "the scores", f"not derived: {error}"


def _speaks_of(claim: PartialSum, product: int) -> bool:
    """Whether it is about the sum behind the first or the second product of a bit."""
    return product in PROVER.of("products", claim.products, {"first": (1,), "second": (2,), "each": (1, 2)})


def _is_power(claim: LooksUp) -> bool:
    return PROVER.of("quantity", claim.of, {"score": False, "power": True})


def _wrong_sums(claim: PartialSum, block: _Block, arithmetic: Arithmetic) -> Iterator[tuple[str, str]]:
    if len(block.rows) != 2:
        raise Underivable(f"a bit has {len(block.rows)} products, not two")
    printed = said(claim.value, {}, arithmetic)
    for start in (START, *block.behind):
        for product in (1, 2):
            if not _speaks_of(claim, product):
                continue
            for state in final_states(block.rows[:product], block.bits, arithmetic, frozenset({start})):
                phase = _phase(start.equal, state.equal, product)
                if phase in claim.phases and not _compares(claim.op, state.sum, printed, arithmetic):
                    yield f"the sum behind product {product} of a bit ({phase})", str(state.sum)


def _phase(before: bool, after: bool, product: int) -> Phase:
    """before: whether all earlier bits were equal; after: whether this one is, too."""
    if after:
        return "equal"
    return "first unequal" if before and product == 1 else "later"


def _compares(op: str, x: Number, y: Number, arithmetic: Arithmetic) -> bool:
    if op == "==":
        return x == y
    above = arithmetic.sign(Number(x.number - y.number, x.tops - y.tops))
    return above <= 0 if op == "<=" else above >= 0


def _wrong_scores(claim: LooksUp, block: _Block, arithmetic: Arithmetic) -> Iterator[tuple[str, str]]:
    if claim.ahead != NEXT:
        yield f"the head of layer {claim.layer}", f"it finds position {claim.address} + {NEXT}"
    for equal, formula in ((True, claim.here), (False, claim.elsewhere)):
        printed = said(formula, {}, arithmetic)
        for state in block.behind:
            score = arithmetic.times(block.scale, state.sum)
            found = arithmetic.exp(score) if _is_power(claim) else score
            if state.equal == equal and found != printed:
                yield f"the {claim.of} {'at the address' if equal else 'elsewhere'}", str(found)


def _seen(claim: PartialSum | LooksUp, setting: Setting) -> Iterator[DecoderDifference]:
    """Sums and scores that are not what is said, of runs."""
    for run in runs(claim.family, setting.format):
        for position in range(len(run.produced)):
            for key in range(position + 1):
                if isinstance(claim, PartialSum):
                    yield from _sums_seen(claim, run, position, key)
                else:
                    yield from _scores_seen(claim, run, position, key)


def _products(run: DecoderRun, layer: int, position: int, key: int) -> list[Exact]:
    """Those of the score of a key, in their order."""
    query, other = run.vector(position, Place("query", layer)), run.vector(key, Place("key", layer))
    return [query[name] * other[name] for name in query if name in other]


def _sums_seen(claim: PartialSum, run: DecoderRun, position: int, key: int) -> Iterator[DecoderDifference]:
    products = _products(run, claim.layer, position, key)
    number = run.wire(position, _address(claim))
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
        above = sign(found - printed)
        holds = {"==": above == 0, "<=": above <= 0, ">=": above >= 0}[claim.op]
        if _phase(before, equal, which) in claim.phases and not holds:
            what = f"h_{place + 1} of the numbers {number} and {key + 1}"
            yield run.apart(what, f"{claim.op} {printed}" if claim.op != "==" else printed, found, position)


def _address(claim: PartialSum) -> str:
    """That by which the head of a layer is said to look up: the first layer by the first one; Underivable where there
    are fewer."""
    addresses = list(circuits_of(claim.family).layout(ONE_BIT).addresses)
    if claim.layer > len(addresses):
        raise Underivable(f"there is no address {claim.layer}")
    return addresses[claim.layer - 1]


def _scores_seen(claim: LooksUp, run: DecoderRun, position: int, key: int) -> Iterator[DecoderDifference]:
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

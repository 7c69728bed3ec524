"""Claims about what a transformer needs of its components, and about what one without a component can make: judged by
theorems about all networks without it, or by one that is without it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import sympy
from flint import fmpq

from weightproof.constructions.claims.formulas import Needs, Takes
from weightproof.constructions.meaning.interpreter import decoded_steps
from weightproof.constructions.meaning.schema import Embedding, Encoder, EncoderDecoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.always import differs
from weightproof.proofs.prover import proved, settle
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.simulation.bounds import CHOICES, chooses_alone, counts_choices, every_choice
from weightproof.proofs.simulation.components import NETWORKS, components, evidence_of, judged
from weightproof.proofs.simulation.prove import OF_SIZES
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence

HAS_POSITION = {"attended": False, "output": False, "input": True}
"""Whether the position encoding, which is another one at every step, is added at a place."""
SMALL = range(1, 4)
"""Numbers of positions for which all choices are gone through."""
MOST_STEPS = 1_000
"""The most steps of a run in which more vectors are looked for than are said to be there."""


def judge_needs(said: Needs) -> Outcome:
    """Whether a component is needed as said, by the theorems about networks without it."""
    known = {each.name: each for each in components()}
    if said.component not in known:
        return Open(f"there is no component {said.component!r}; there are {', '.join(known)}")
    component = replace(known[said.component], printed=said.role)
    results = {each.theorem: each for each in proved((*component.without, *component.impossible))}
    verdict, evidence = judged(component, results), evidence_of(component, results)
    if evidence is None:
        return Open("no theorem about networks without it tells")
    by_example = evidence is Evidence.SAMPLED
    if verdict == "true":
        return Holds(OF_SIZES if by_example else NETWORKS, evidence.value)
    shown = component.without if by_example else component.impossible
    found = "; ".join(f"{each.name}: {each.statement}" for each in shown)
    return Fails(explained(found), Evaluated(said.component, said.role, found, evidence=evidence.value))


def judge_takes(said: Takes) -> Outcome:
    """What stands behind a cross head without a residual connection around it tells no more of earlier steps than which
    positions are chosen; the position encoding that is added to the output tells the step."""
    if PROVER.of("place", said.of, HAS_POSITION):
        return _of_inputs(said)
    for positions in SMALL if said.positions is None else (said.positions,):
        bound, choices = _bound(said, positions), 2**positions - 1
        if sign(bound - choices) < 0:
            if positions not in SMALL or settle(every_choice(positions)).gap is not None:
                return Open(f"that {choices} are attained at {positions} positions was not gone through")
            return _too_few(positions, bound, choices)
    if said.positions is None and not _is_enough(said.at_most):
        return Open(f"whether {said.at_most} is at least {CHOICES} is not seen")
    closed = settle(itertools.chain(chooses_alone(cross_residual=(False,)), counts_choices()))
    return (
        Holds(NETWORKS, Evidence.CERTIFICATE.value) if closed.gap is None else Open(f"{closed.gap[0]}: {closed.gap[1]}")
    )


def _bound(said: Takes, positions: int) -> Real:
    return evaluate(said.at_most, {"p": fmpq(2**positions)})


def _is_enough(at_most: Expression) -> bool:
    """For every number of positions: where p = 2^n is 2 + r, no coefficient of what is left over is negative."""
    p, r = sympy.symbols("p r")
    try:
        over = sympy.sympify(at_most.source, locals={"p": p}) - (p - 1)
        return all(coefficient >= 0 for coefficient in sympy.Poly(over.subs(p, 2 + r), r).coeffs())
    except (sympy.PolynomialError, TypeError):  # TypeError: of brackets
        return False


def _too_few(positions: int, printed: Real, found: int) -> Fails:
    return differs("number of vectors", f"<= {printed}", str(found), {"n": positions})


def _of_inputs(said: Takes) -> Outcome:
    """One more of them than is said, in the run of a network."""
    positions = said.positions or 1
    bound = _bound(said, positions)
    seen: set[str] = set()
    for each in itertools.islice(_inputs(positions), 1, MOST_STEPS):
        seen.add(str(each))
        if sign(bound - len(seen)) < 0:
            return _too_few(positions, bound, len(seen))
    return Open(f"in {MOST_STEPS} steps there are no more than that")


def _inputs(positions: int) -> Iterator[Real]:
    """The one coordinate of the input at each step of a network that fits: what it reads, and the step's number."""
    network = EncoderDecoder(
        encoder=Encoder(
            coordinates=("x",),
            embedding=Embedding(WE={"a": {"x": 1}}),
            layers=(),
            readout=Readout(Linear({"logit": {}})),
            begin=None,
        ),
        coordinates=("x",),
        seed={},
        PE={"x": "i"},
        layers=(Layer(cross_heads=(Head(W_V={"x": {"x": 1}}, normaliser="hardmax", scale=1),), cross_residual=False),),
        feedback=Linear({"x": {"x": 1}}),
        readout=Readout(Linear({"logit": {}})),
    )
    return (step.input["x"] for step in decoded_steps(network, "a" * positions))

"""Lemmas on the way of a simulation: what a vector inside a step holds, for every recurrent network, word and step."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from flint import fmpq

from weightproof.constructions.machines import rnn as recurrent
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.running import decode
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.diverging import BEHIND, network_that_fails
from weightproof.proofs.simulation.holding import HALVED, Gap, Invariant, read
from weightproof.proofs.simulation.simulates import (
    Compared,
    InductionStep,
    before,
    induction_steps,
    input_at,
    of_vectors,
)
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Counterexample, WrongStep
from weightproof.symbolic.simulation import decoder, parts
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.decoder import POSITION, encoded
from weightproof.symbolic.simulation.parts import advanced, applied, embedded
from weightproof.symbolic.simulation.polynomial import Polynomial, Values

ZERO = Polynomial()
NEXT, INPUT, GROWTH = "next ", "input ", "growth of "
"""Of what a name begins with it is, in a lemma: what it is at the beginning of the next step, and of a unit its next
value; of an input of the RNN, that of the token; of a token, by how much its share grows, if it does."""


@dataclass(frozen=True)
class Lemma:
    """What coordinates hold: a number, a unit, t, 2^-t, j, a `share`, or one of those above.

    place: the keys or the values that the cross head of a layer makes of the encoder's vector at position j; what that
    head adds at a step; or the output vector of the layer.
    """

    name: str
    statement: str
    place: Literal["keys", "values", "looked", "output"]
    layer: int
    holds: Mapping[str, str]


def compared(simulation: Simulation, invariant: Invariant, lemma: Lemma) -> Iterator[Obligation]:
    """At each moment of a run, or of each token, whether the lemma holds."""
    if lemma.place in ("keys", "values"):
        yield from _of_encoder(simulation, lemma)
        return
    for each in induction_steps(simulation.rnn):
        yield of_vectors(each.name, partial(_at_a_moment, simulation, invariant, lemma, each))


def _at_a_moment(simulation: Simulation, invariant: Invariant, lemma: Lemma, each: InductionStep) -> Compared:
    given, earlier = input_at(each, simulation.rnn, invariant), before(invariant, simulation.rnn)
    made = decoder.layer_steps(simulation.network, given, earlier, each.moment)[lemma.layer]
    at = {"output": made.output, "looked": parts.added(*(look.added for look in made.looks))}
    known, region = _values(simulation, each), each.moment.region
    return Compared(
        each.name, partial(_held, PROVER.of("place", lemma.place, at), lemma, known), known, region, invariant
    )


def _of_encoder(simulation: Simulation, lemma: Lemma) -> Iterator[Obligation]:
    rnn, network = simulation.rnn, simulation.network
    [head] = network.layers[lemma.layer].cross_heads
    moment = next(induction_steps(rnn)).moment
    memory = encoded(network.encoder, dict.fromkeys(rnn.tokens), moment.region)
    for token in rnn.tokens:
        made = applied(head.W_K, memory[token]) if lemma.place == "keys" else parts.valued(head, memory[token])
        known = {INPUT + name: value for name, value in _inputs(rnn, token).items()}
        known |= {POSITION: Polynomial.atom(POSITION)}
        name = f"token {token!r}"
        yield of_vectors(name, partial(Compared, name, partial(_held, made, lemma, known), known, moment.region, {}))


def _held(made: Values, lemma: Lemma, known: Values) -> Iterator[Gap]:
    for name, said in lemma.holds.items():
        yield Gap("", name, made.get(name, ZERO), read(said, name, known))


def _values(simulation: Simulation, each: InductionStep) -> Values:
    rnn, moment = simulation.rnn, each.moment
    state = {unit: each.before.get(unit, ZERO) for unit in rnn.units}
    after = {**each.after, **advanced(rnn, state, moment.token, moment.region)}
    known = {**each.before, **state, **{NEXT + name: value for name, value in after.items()}}
    known |= {INPUT + name: value for name, value in _inputs(rnn, moment.token).items()}
    for token in rnn.tokens:
        grown = after[share(token)] - each.before[share(token)]
        known[GROWTH + token] = moment.region.saturated(grown)
    return known


def _inputs(rnn: RNN, token: str) -> Values:
    x = embedded(rnn, token)
    return {name: x.get(name, ZERO) for name in rnn.inputs}


def lemma_that_fails(family: Callable[[RNN], Simulation], network: RNN, lemma: Lemma) -> Counterexample | None:
    """Numbers of a recurrent network, a word and a step at which the last output vector does not hold what a lemma
    says, with as few numbers that are not 0 as possible; only of coordinates that are to hold 0, 2^-(t+1) or a unit."""
    return network_that_fails(family, network, partial(_run, lemma))


def _run(lemma: Lemma, simulation: Simulation, word: str) -> Counterexample | None:
    runs = zip(recurrent.states(simulation.rnn, word), decode(simulation.network, word), strict=True)
    for step, (h, z) in enumerate(itertools.islice(runs, len(word) + 2 + BEHIND)):
        known = {NEXT + unit: value for unit, value in h.items()} | {
            NEXT + HALVED: fmpq(1, 2 ** (step + 1)),
            "0": fmpq(0),
        }
        for name, said in lemma.holds.items():
            if said in known and z[name] != known[said]:
                beside = name not in simulation.rnn.units
                found = WrongStep(step, name, str(known[said]), str(z[name]), beside=beside)
                return Counterexample.at(found, simulation.name, word)
    return None

"""A transformer simulates a recurrent network: for every word, at every step, and from every state.

By induction over the steps. The input of step t holds h_(t-1), whatever state that is, and beside it what the theorem's
invariant says in terms of t, of 2^-t, and of the share that a token has of the first min(t, n) positions. The moments
of a run are told apart: the step on "#", those on each symbol, the one on the first "$", those after the last position.

Where the invariant tells step 0 apart from the others, later steps may rest on what is held there, all units 0: then it
is from every state that is put in before a later step, and from none that is put in before step 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from flint import fmpq

from weightproof.constructions.claims.stepwise import BACK, GROWTH, INPUT, IS, MEAN, NOW, SHARE
from weightproof.constructions.claims.stepwise import NEXT as NEXT_STATE
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.holding import (
    FIRST,
    FIRST_POSITION,
    HALVED,
    HELD,
    LATER,
    NEXT,
    STEP,
    Gap,
    Invariant,
    Multiple,
    comparisons_of,
    known_of,
    read,
    tells_step_0_apart,
)
from weightproof.proofs.solving.polynomials import script
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder, parts
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.decoder import LayerStep, Moment
from weightproof.symbolic.simulation.parts import Place, advanced, weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values, interval, same, total

ZERO, ONE = Polynomial(), Polynomial.number(1)
START = Place(ZERO, ONE)
SHRINKING, FALL, LAST, HALVED_LAST = "1/(t+1)", "1/(t+1) - 1/(t+2)", "n-1", "2^-(n-1)"
"""Atoms that no invariant speaks of."""


@dataclass(frozen=True)
class InductionStep:
    """The step at a moment: from the input that the invariant says, the output holds the next state, and the next input
    is what the invariant says then. before and after: what its atoms are at the beginning of this step and the next."""

    name: str
    moment: Moment
    before: Values
    after: Values

    def compared(self, simulation: Simulation, invariant: Invariant) -> Compared:
        """Underivable where no rule of the reading covers the step."""
        network, rnn = simulation.network, simulation.rnn
        state = {unit: self.before.get(unit, ZERO) for unit in rnn.units}
        moment = replace(self.moment, region=known_of(invariant, self.moment.region))
        first = _at_step_0(simulation, invariant) if moment.step != START and tells_step_0_apart(invariant) else ()
        given = input_at(self, rnn, invariant)
        layers = decoder.layer_steps(network, given, before(invariant, rnn), moment, first)
        made = dict(layers[-1].output if layers else given)
        wanted = advanced(rnn, state, moment.token, moment.region)
        values = {**self.after, **wanted}

        def comparisons() -> Iterator[Gap]:
            yield from (Gap(OUTPUT, unit, made.get(unit, ZERO), wanted[unit]) for unit in rnn.units)
            after = decoder.next_input(network, made | wanted, moment.step)
            yield from comparisons_of(NEXT, simulation, invariant, after, values)

        return Compared(self.name, comparisons, values, moment.region, invariant, layers)


OUTPUT = "the output vector"


@dataclass(frozen=True)
class Compared:
    """What has to be so of vectors. values: of units and atoms behind the step; invariant: of the induction, and
    layers: what these make at the step, of which a comparison says more than that."""

    name: str
    comparisons: Callable[[], Iterator[Gap]]
    values: Values
    region: Region
    invariant: Invariant
    layers: tuple[LayerStep, ...] = ()

    @property
    def gap(self) -> Gap | None:
        """The first that is not so."""
        return next((each for each in self.comparisons() if not self.is_closed(each)), None)

    def is_closed(self, each: Gap) -> bool:
        if each.vector == OUTPUT and isinstance(each.wanted, Polynomial):
            return same(each.found, each.wanted, self.region)
        return each.is_closed(self.values, self.region)

    def as_smt(self) -> str:
        facts = (fact for each in self.comparisons() for fact in each.facts(self.values))
        return script(self.name, self.region, facts, self.gap is None)


def start(simulation: Simulation, invariant: Invariant) -> Compared:
    """The input of step 0, with all units 0."""
    values, found = _at_the_beginning(simulation.rnn), _first_input(simulation.network)
    comparisons = partial(comparisons_of, FIRST, simulation, invariant, found, values)
    return Compared("before the first step", comparisons, values, Region(), invariant)


def of_vectors(name: str, compared: Callable[[], Compared], part: str = "") -> Obligation:
    """An obligation about vectors that are yet to be derived."""
    return Obligation(name, lambda: compared().gap, lambda: compared().as_smt(), compared, part)


BASE, STEPPED = "base", "step"
"""The parts of the induction."""


def induction(simulation: Simulation, invariant: Invariant) -> Iterator[Obligation]:
    """All that is to be shown."""
    yield of_vectors("before the first step", partial(start, simulation, invariant), BASE)
    for each in induction_steps(simulation.rnn, put_in=not tells_step_0_apart(invariant)):
        yield of_vectors(each.name, partial(each.compared, simulation, invariant), STEPPED)


def _first_input(network: EncoderDecoder) -> dict[str, Polynomial]:
    seed = {name: weight(value) for name, value in network.seed.items()}
    first = parts.position(network.PE, START)
    return {name: seed.get(name, ZERO) + first.get(name, ZERO) for name in network.coordinates}


def _at_step_0(simulation: Simulation, invariant: Invariant) -> tuple[Values, ...]:
    """The input of each layer at step 0."""
    moment = next(induction_steps(simulation.rnn)).moment
    moment = replace(moment, region=known_of(invariant, moment.region))
    return decoder.inputs_of_layers(simulation.network, _first_input(simulation.network), moment)


def _at_the_beginning(rnn: RNN) -> Values:
    return {STEP: ZERO, HALVED: ONE, LATER: ZERO, FIRST_POSITION: ZERO, **{share(token): ZERO for token in rnn.tokens}}


def input_at(each: InductionStep, rnn: RNN, invariant: Invariant) -> dict[str, Polynomial]:
    """The input of a step, as an invariant says it."""
    state = {unit: each.before.get(unit, ZERO) for unit in rnn.units}
    return {**state, **{name: read(said, name, each.before) for name, said in invariant.items()}}


def before(invariant: Invariant, rnn: RNN) -> dict[str, Polynomial]:
    """The input of every earlier step: the induction is over all of them; but for step 0, where that is told apart."""
    here = Place.called(decoder.EARLIER)
    known = {
        STEP: here.index,
        HALVED: here.halved,
        LATER: ONE,
        **{share(token): decoder.unknown(share(token)) for token in rnn.tokens},
    }
    exact = {name: read(said, name, known) for name, said in invariant.items() if isinstance(said, str | Multiple)}
    return {name: decoder.unknown(name) for name in (*rnn.units, *invariant)} | exact


SPOKEN = (NEXT_STATE, INPUT, MEAN, SHARE, NOW, GROWTH, BACK, IS)
"""What begins the names by which lemmas and claims speak of a step."""


def induction_steps(rnn: RNN, put_in: bool = True) -> Iterator[InductionStep]:
    """A step at each moment; Underivable where a name in the network is also one of what is known of every step.

    put_in: whether any state may stand before step 0; otherwise all units are 0 there.
    """
    begin, end = rnn.begin, rnn.end
    markers = f"{rnn.begin} and {rnn.end}"
    known = {
        STEP,
        HALVED,
        LATER,
        SHRINKING,
        FALL,
        LAST,
        HALVED_LAST,
        *decoder.TAKEN,
        *map(share, (*rnn.tokens, markers)),
    }
    for name in (*rnn.units, *rnn.numbers):
        if name in known or name.startswith((HELD, *SPOKEN)):
            raise Underivable(f"a unit or a number is called {name!r}, as is what is known of every step")
        known.add(name)
    units = tuple(interval(name, 0, 1) for name in (*rnn.units, *rnn.fractions))
    half = interval(HALVED, 0, 1)
    everything = rnn.tokens
    state = {unit: Polynomial.atom(unit) for unit in rnn.units}
    t, p, r = (Polynomial.atom(name) for name in (STEP, HALVED, SHRINKING))
    here = Place(t, p)
    later: Values = {STEP: t + ONE, HALVED: Polynomial.number(fmpq(1, 2)) * p, LATER: ONE}

    first = Moment(begin, begin, START, START, {begin: ONE}, (*rnn.alphabet, end), Region(units))
    one_half = Polynomial.number(fmpq(1, 2))
    after = {STEP: ONE, HALVED: one_half, LATER: ONE, FIRST_POSITION: one_half, **_shares({begin: ONE}, everything)}
    yield InductionStep(f"step on {begin}", first, {**(state if put_in else {}), **_at_the_beginning(rnn)}, after)

    for token in (*rnn.alphabet, end):
        # The share of the token itself is what the others leave of 1: "#" has one of the positions so far.
        before, simplex = _parts((begin, *rnn.alphabet), token if token != end else (*rnn.alphabet, begin)[0])
        now = {each: (ONE - r) * x for each, x in before.items()}
        now[token] = now.get(token, ZERO) + r
        positive = frozenset({share(begin), HALVED, SHRINKING})
        # "#" stands at one of the t positions before, and at one of t + 1 now: r s = s - r for its share s.
        once: Mapping[tuple[str, ...], Polynomial] = {(SHRINKING, share(begin)): Polynomial.atom(share(begin)) - r}
        shrinking = interval(SHRINKING, 0, fmpq(1, 2))
        region = Region((*units, half, shrinking, simplex), positive, frozenset({FALL}), once)
        others = (*rnn.alphabet, end) if token != end else ()
        moment = Moment(f"step on {token!r}", token, here, here, now, others, region)
        held = {**state, STEP: t, HALVED: p, LATER: ONE, FIRST_POSITION: r, **_shares(before, everything)}
        fallen = {FIRST_POSITION: r - Polynomial.atom(FALL)}  # or not, behind the last position
        yield InductionStep(moment.name, moment, held, {**later, **fallen, **_shares(now, everything)})

    # Each of "#" and "$" has one position.
    parts, simplex = _parts((markers, *rnn.alphabet), (*rnn.alphabet, markers)[0])
    marker = one_half * parts.pop(markers)
    final = {**parts, begin: marker, end: marker}
    region = Region((*units, half, simplex), frozenset({HALVED, share(markers)}))
    last = Place(Polynomial.atom(LAST), Polynomial.atom(HALVED_LAST))
    moment = Moment("step after the last position", end, here, last, final, (), region)
    known_then = {FIRST_POSITION: final[begin], **_shares(final, everything)}
    held = {**state, STEP: t, HALVED: p, LATER: ONE, **known_then}
    yield InductionStep(moment.name, moment, held, {**later, **known_then})


def _shares(known: Mapping[str, Polynomial], tokens: tuple[str, ...]) -> dict[str, Polynomial]:
    return {share(token): known.get(token, ZERO) for token in tokens}


def _parts(tokens: tuple[str, ...], rest: str) -> tuple[dict[str, Polynomial], Simplex]:
    """Shares that add up to 1: those of all tokens but `rest` are atoms."""
    atoms = tuple(share(token) for token in tokens if token != rest)
    origin = (fmpq(0),) * len(atoms)
    corners = tuple(tuple(fmpq(int(k == number)) for k in range(len(atoms))) for number in range(len(atoms)))
    parts = {token: Polynomial.atom(share(token)) for token in tokens if token != rest}
    parts[rest] = ONE - total(parts.values())
    return parts, Simplex(atoms, (origin, *corners))

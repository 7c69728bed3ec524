"""A transformer simulates a recurrent network: for every word and at every step, its output vector holds the state.

By induction over the steps. The input of step t holds h_(t-1), and beside it what the theorem's invariant says in terms
of t, of 2^-t, and of the share that a token has of the first min(t, n) positions. The moments of a run are told apart:
the step on "#", those on each symbol, the one on the first "$", those after the last position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.proofs.carried import HALVED, STEP, Invariant, share
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import decoder, parts
from weightproof.symbolic.machines.decoder import Moment
from weightproof.symbolic.machines.parts import Place
from weightproof.symbolic.machines.polynomial import Polynomial, Region, Simplex, interval, total
from weightproof.symbolic.machines.recurrent import Values, advanced, weight

ZERO, ONE = Polynomial(), Polynomial.number(1)
START = Place(ZERO, ONE)
SHRINKING, LAST, HALVED_LAST = "1/(t+1)", "n-1", "2^-(n-1)"
"""Atoms that no invariant speaks of."""


@dataclass(frozen=True)
class Obligation:
    """The step at a moment: from the input that the invariant says, the output holds the next state, and the next input
    is what the invariant says then. before and after: what its atoms are at the beginning of this step and the next."""

    name: str
    moment: Moment
    before: Values
    after: Values

    def gap(self, simulation: Simulation, invariant: Invariant) -> str | None:
        """Where it does not hold; None where it does. Underivable where no rule of the reading covers the step."""
        network, rnn = simulation.network, simulation.rnn
        state = {unit: self.before.get(unit, ZERO) for unit in rnn.units}
        given = {**state, **_read(invariant, self.before)}
        made = decoder.step(network, given, before(invariant, rnn), self.moment)
        wanted = advanced(rnn, state, self.moment.token, self.moment.region)
        if (found := _different(rnn.units, made, wanted)) is not None:
            return f"the output vector: {found}"
        after = decoder.next_input(network, made, self.moment.step)
        if (found := _different(network.coordinates, after, {**wanted, **_read(invariant, self.after)})) is not None:
            return f"the next input: {found}"
        return None


def start_gap(simulation: Simulation, invariant: Invariant) -> str | None:
    """Where the input of step 0 is not what the invariant says, with all units 0; None where it is."""
    network = simulation.network
    seed = {name: weight(value) for name, value in network.seed.items()}
    first = parts.position(network.PE, START)
    found = {name: seed.get(name, ZERO) + first.get(name, ZERO) for name in network.coordinates}
    return _different(network.coordinates, found, _read(invariant, _at_the_beginning(simulation.rnn.tokens)))


def _at_the_beginning(tokens: tuple[str, ...]) -> Values:
    return {STEP: ZERO, HALVED: ONE, **{share(token): ZERO for token in tokens}}


def before(invariant: Invariant, rnn: RNN) -> dict[str, Polynomial]:
    """The input of every earlier step: the induction is over all of them."""
    here = Place.called(decoder.EARLIER)
    shares = {share(token): decoder.unknown(share(token)) for token in rnn.tokens}
    state = {unit: decoder.unknown(unit) for unit in rnn.units}
    return {**state, **_read(invariant, {STEP: here.index, HALVED: here.halved, **shares})}


def _read(invariant: Invariant, values: Values) -> dict[str, Polynomial]:
    return {name: values[said] if said in values else Polynomial.number(fmpq(said)) for name, said in invariant.items()}


def _different(names: tuple[str, ...], found: Values, wanted: Values) -> str | None:
    for name in names:
        if found.get(name, ZERO) != wanted.get(name, ZERO):
            return f"{name!r} is {found.get(name, ZERO)}, not {wanted.get(name, ZERO)}"
    return None


def obligations(rnn: RNN) -> Iterator[Obligation]:
    """A step at each moment; Underivable where a name in the network is also one of what is known of every step."""
    known = {STEP, HALVED, SHRINKING, LAST, HALVED_LAST, *decoder.TAKEN, *map(share, rnn.tokens)}
    for name in (*rnn.units, *rnn.numbers):
        if name in known:
            raise Underivable(f"a unit or a number is called {name!r}, as is what is known of every step")
        known.add(name)
    units = tuple(interval(name, 0, 1) for name in (*rnn.units, *rnn.fractions))
    half = interval(HALVED, 0, 1)
    everything = rnn.tokens
    state = {unit: Polynomial.atom(unit) for unit in rnn.units}
    t, p, r = (Polynomial.atom(name) for name in (STEP, HALVED, SHRINKING))
    here = Place(t, p)
    later: Values = {STEP: t + ONE, HALVED: Polynomial.number(fmpq(1, 2)) * p}

    begin = Moment(BEGIN, BEGIN, START, START, {BEGIN: ONE}, (*rnn.alphabet, END), Region(units))
    after = {STEP: ONE, HALVED: Polynomial.number(fmpq(1, 2)), **_shares({BEGIN: ONE}, everything)}
    # The state before the first step is 0.
    yield Obligation(f"step on {BEGIN}", begin, _at_the_beginning(everything), after)

    for token in (*rnn.alphabet, END):
        # The share of the token itself is what the others leave of 1: "#" has one of the positions so far.
        before, simplex = _parts((BEGIN, *rnn.alphabet), token if token != END else BEGIN)
        now = {each: (ONE - r) * x for each, x in before.items()}
        now[token] = now.get(token, ZERO) + r
        positive = frozenset({share(BEGIN), HALVED, SHRINKING})
        region = Region((*units, half, interval(SHRINKING, 0, 1), simplex), positive)
        others = (*rnn.alphabet, END) if token != END else ()
        moment = Moment(f"step on {token!r}", token, here, here, now, others, region)
        held = {**state, STEP: t, HALVED: p, **_shares(before, everything)}
        yield Obligation(moment.name, moment, held, {**later, **_shares(now, everything)})

    final, simplex = _parts(everything, BEGIN)
    region = Region((*units, half, simplex), frozenset({HALVED}))
    last = Place(Polynomial.atom(LAST), Polynomial.atom(HALVED_LAST))
    moment = Moment("step after the last position", END, here, last, final, (), region)
    held = {**state, STEP: t, HALVED: p, **_shares(final, everything)}
    yield Obligation(moment.name, moment, held, {**later, **_shares(final, everything)})


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

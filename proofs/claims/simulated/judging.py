"""The verdict on each claim about a family of transformers that simulate recurrent networks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

from weightproof.constructions.claims.conventions import Read
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.stepwise import Holds, Simulates, Stepwise
from weightproof.constructions.library import ClaimsOf, simulation_of
from weightproof.constructions.machines.rnn import RNN, every_rnn
from weightproof.proofs.claims.judging import READING, Judged, Judgement, combined, in_time
from weightproof.proofs.claims.simulated.runs import Family
from weightproof.proofs.claims.simulated.statements import judge_family
from weightproof.proofs.machines.prove import invariant_of


@functools.cache
def family_of(name: str) -> Family:
    """The built-in family of that name."""
    return Family(name, lambda rnn: simulation_of(name, rnn), lambda rnn: invariant_of(name, rnn))


def judge_family_claims(family: Family, claims: ClaimsOf, timeout: float = READING) -> Iterator[Judgement]:
    """The judgement of each claim, in their order; timeout: seconds for one reading."""
    for number in range(len(claims(every_rnn(1, 1, 1)).claims)):
        yield judge_family_claim(family, lambda rnn, at=number: claims(rnn).claims[at], timeout)  # type: ignore[misc]


def judge_family_claim(family: Family, claim: Callable[[RNN], Published], timeout: float = READING) -> Judgement:
    """The judgement of one claim."""
    published = claim(every_rnn(1, 1, 1))

    def said(rnn: RNN) -> Stepwise:
        statement = claim(rnn).senses[0].statement
        assert isinstance(statement, Stepwise)
        return statement

    outcome = in_time(timeout, lambda: judge_family(family, said))
    literal = Judged(Read(said(every_rnn(1, 1, 1)), published.senses[0].sense), outcome)
    readings = [literal]
    if literal.holds is False and ("fractions",) in published.under:
        outcome = in_time(timeout, lambda: judge_family(family, lambda rnn: for_fractions(said(rnn))))
        readings.append(Judged(replace(literal.reading, conventions=("fractions",)), outcome))
    return Judgement(published, *combined(tuple(readings)))


def for_fractions(statement: Stepwise) -> Stepwise:
    """Said of those recurrent networks alone whose embeddings lie in [0, 1]."""
    assert isinstance(statement, Holds | Simulates)
    return replace(statement, fractions=True)

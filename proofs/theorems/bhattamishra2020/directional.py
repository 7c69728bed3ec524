"""The input of step t holds h_(t-1), 2^-t and the share of each token before position t; see `directional`. Appendix D,
equation (14)."""

from dataclasses import replace

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.simulation.holding import HALVED, Invariant
from weightproof.proofs.simulation.lemmas import GROWTH, INPUT, NEXT, Lemma
from weightproof.symbolic.simulation.constraints import share

PRINTED_FOR_FRACTIONS = True
"""As printed it simulates those whose embeddings lie in [0, 1]."""


def invariant(rnn: RNN) -> Invariant:
    return {"2^-t": HALVED, **{f"w before {token}": share(token) for token in rnn.tokens}}


def lemmas(rnn: RNN) -> tuple[Lemma, ...]:
    inputs = {f"x {name}": INPUT + name for name in rnn.inputs}
    grown = {f"delta {token}": GROWTH + token for token in (rnn.begin, *rnn.alphabet)}
    kept = {"2^-t": NEXT + HALVED, **{f"w before {token}": NEXT + share(token) for token in rnn.tokens}}
    old = {unit: unit for unit in rnn.units}
    return (
        Lemma(
            "lemma D.2",
            "the first layer finds the growth of each share, and 2^-(t+1) for the end",
            "output",
            0,
            {**old, **grown, f"delta {rnn.end}": NEXT + HALVED, **kept},
        ),
        Lemma(
            "lemma D.3",
            "at step t the cross head of the second layer adds what the token at min(t, n-1) embeds as",
            "looked",
            1,
            {**inputs, **dict.fromkeys((*rnn.units, *grown, *kept), "0")},
        ),
        _next_state(rnn, "the second layer makes h_t of h_(t-1) and the token", ()),
    )


def as_printed(rnn: RNN) -> tuple[Lemma, ...]:
    cleared = (
        *(f"x {name}" for name in rnn.inputs),
        *(f"delta {token}" for token in rnn.tokens),
        *(f"w {token}" for token in rnn.tokens),
    )
    said = "behind the second layer h_t stands beside 2^-(t+1) and the shares, and 0 where what was read stood"
    return (replace(_next_state(rnn, said, cleared), name="output vector, behind lemma D.4"),)


def _next_state(rnn: RNN, statement: str, cleared: tuple[str, ...]) -> Lemma:
    kept = {"2^-t": NEXT + HALVED, **{f"w before {token}": NEXT + share(token) for token in rnn.tokens}}
    holds = {**{unit: NEXT + unit for unit in rnn.units}, **kept, **dict.fromkeys(cleared, "0")}
    return Lemma("lemma D.4", statement, "output", 1, holds)

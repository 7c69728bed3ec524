"""The input of step t holds h_(t-1), t and 1; see `encoder_decoder`. Appendix C.2, equation (9), has t + 1 for t."""

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.simulation.holding import STEP, Invariant
from weightproof.proofs.simulation.lemmas import INPUT, NEXT, Lemma

PRINTED_FOR_FRACTIONS = False
"""As printed it fails whatever the embeddings are."""


def invariant(rnn: RNN) -> Invariant:
    return {"t": STEP, "1": "1"}


def lemmas(rnn: RNN) -> tuple[Lemma, ...]:
    inputs = {f"x {name}": INPUT + name for name in rnn.inputs}
    nothing = dict.fromkeys((*rnn.units, "t", "1"), "0")
    return (
        Lemma("lemma C.3, keys", "the key of position j is (-1, j)", "keys", 0, {"q1": "-1", "q2": "j"}),
        Lemma("lemma C.3, values", "the value of a position is what its token embeds as", "values", 0, inputs),
        Lemma(
            "lemma C.5",
            "at step t the cross head adds what the token at min(t, n-1) embeds as",
            "looked",
            0,
            {**inputs, **nothing},
        ),
        Lemma(
            "lemma C.4",
            "the feed-forward network makes h_t of h_(t-1) and the token",
            "output",
            0,
            {unit: NEXT + unit for unit in rnn.units},
        ),
    )


def as_printed(rnn: RNN) -> tuple[Lemma, ...]:
    cleared = dict.fromkeys((*(f"x {name}" for name in rnn.inputs), "t", "1"), "0")
    next_state = {unit: NEXT + unit for unit in rnn.units}
    said = "the feed-forward network makes h_t of h_(t-1) and the token, and 0 of all else"
    return (Lemma("lemma C.4", said, "output", 0, {**next_state, **cleared}),)

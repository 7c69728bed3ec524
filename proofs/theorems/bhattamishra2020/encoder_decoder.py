"""The input of step t holds h_(t-1), t and 1; see `encoder_decoder`. Appendix C.2, equation (9), has t + 1 for t."""

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.carried import STEP, Invariant

PRINTED_FOR_FRACTIONS = False
"""As printed it fails whatever the embeddings are."""


def invariant(rnn: RNN) -> Invariant:
    return {"t": STEP, "1": "1"}

"""The input of step t holds h_(t-1), 2^-t and the share of each token before position t; see `directional`. Appendix D,
equation (14)."""

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.carried import HALVED, Invariant, share

PRINTED_FOR_FRACTIONS = True
"""As printed it simulates those whose embeddings lie in [0, 1]."""


def invariant(rnn: RNN) -> Invariant:
    return {"2^-t": HALVED, **{f"w before {token}": share(token) for token in rnn.tokens}}

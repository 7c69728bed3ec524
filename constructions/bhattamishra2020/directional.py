"""An RNN by an encoder-decoder without positions, by masks alone: Bhattamishra et al. (2020), appendix D.

The cross heads see positions 0 ... t of the encoder. In the first layer all scores are 0: the mean of the one-hot
vectors of the tokens is w_t, the share of each of them so far. The share of the token at position t has grown since
w_(t-1), which the output vector carries, and no other has: its growth, saturated, is the query with which the second
layer finds that token. "$" has 2^-(t+1) for its query, so that it is still found when nothing grows any more.

The embedding of the token is read by the second layer alone, and the feedback, which is the identity in print, takes h,
2^-(t+1) and w_t alone; so nothing need be subtracted that saturated units might cut.
"""

from __future__ import annotations

from weightproof.constructions.bhattamishra2020.encoder_decoder import UNREAD, next_state, tokens_embedded
from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    Linear,
)


def rnn_by_directional(rnn: RNN) -> Simulation:
    """The transformer without positions that simulates an RNN."""
    inputs = {name: f"x {name}" for name in rnn.inputs}
    tokens = (BEGIN, *rnn.alphabet, END)
    one_hot = {token: f"[s={token}]" for token in tokens}
    share, before, growth = ({token: f"{kind} {token}" for token in tokens} for kind in ("w", "w before", "delta"))

    shares = Head(
        W_V={share[token]: {one_hot[token]: 1} for token in tokens}, normaliser="hardmax", mask="causal", scale=1
    )
    grown: dict[str, dict[str, object]] = {
        f"grown {token}": {share[token]: 1, before[token]: -1} for token in (BEGIN, *rnn.alphabet)
    }
    kept: dict[str, dict[str, object]] = {f"w {token}": {share[token]: 1} for token in tokens}
    gone: dict[str, dict[str, object]] = {f"w before {token}": {before[token]: 1} for token in tokens}
    compare = FeedForward(
        first=Linear({**grown, "half": {"2^-t": "1/2"}, **kept, **gone}),
        second=Linear(
            {
                **{growth[token]: {f"grown {token}": 1} for token in (BEGIN, *rnn.alphabet)},
                growth[END]: {"half": 1},
                "2^-t": {"half": -1},
                **{share[token]: {f"w {token}": -1} for token in tokens},
                **{before[token]: {f"w {token}": 1, f"w before {token}": -1} for token in tokens},
            }
        ),
        activation="saturated-linear",
    )
    look_up = Head(
        W_Q={f"is {token}": {growth[token]: 1} for token in tokens},
        W_K={f"is {token}": {one_hot[token]: 1} for token in tokens},
        W_V={inputs[name]: {name: 1} for name in rnn.inputs},
        normaliser="hardmax",
        mask="causal",
        scale=1,
    )
    carried = (*rnn.units, "2^-t", *before.values())
    return Simulation(
        name=f"{rnn.name} by a directional transformer",
        title="An RNN by an encoder-decoder with masks and without positions",
        source="after Bhattamishra et al. (2020), appendix D",
        rnn=rnn,
        network=EncoderDecoder(
            encoder=Encoder(
                coordinates=(*rnn.inputs, *one_hot.values()),
                embedding=Embedding(
                    WE={token: {**row, one_hot[token]: 1} for token, row in tokens_embedded(rnn).items()}
                ),
                layers=(),
                readout=UNREAD,
                begin=BEGIN,
                end=END,
            ),
            coordinates=(*rnn.units, *inputs.values(), *growth.values(), "2^-t", *share.values(), *before.values()),
            seed={"2^-t": 1},
            PE={},
            layers=(
                Layer(cross_heads=(shares,), feed_forward=compare),
                Layer(cross_heads=(look_up,), feed_forward=next_state(rnn, inputs)),
            ),
            feedback=Linear({name: {name: 1} for name in carried}),
            readout=UNREAD,
        ),
    )

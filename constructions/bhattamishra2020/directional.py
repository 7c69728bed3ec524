"""An RNN by an encoder-decoder without positions, by masks alone: Bhattamishra et al. (2020), appendix D.

The cross heads see positions 0 ... t of the encoder. In the first layer all scores are 0: the mean of the one-hot
vectors of the tokens is w_t, the share of each of them so far. The share of the token at position t has grown since
w_(t-1), which the output vector carries, and no other has: its growth, saturated, is the query with which the second
layer finds that token. "$" has 2^-(t+1) for its query, so that it is still found when nothing grows any more.

The embedding of the token is read by the second layer alone, and the feedback, which is the identity in print, takes h,
2^-(t+1) and w_t alone; so nothing need be subtracted that saturated units might cut. As printed, both layers read the
embedding, and it passes through saturated units to be subtracted: it has to lie in [0, 1], which the text does not ask.
"""

from __future__ import annotations

from weightproof.constructions.bhattamishra2020.encoder_decoder import UNREAD, next_state, tokens_embedded, without
from weightproof.constructions.machines.rnn import RNN
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
    inputs, _, _, before = _blocks(rnn)
    carried = (*rnn.units, "2^-t", *before.values())
    return _simulation(
        rnn,
        name=f"{rnn.name} by a directional transformer",
        title="An RNN by an encoder-decoder with masks and without positions",
        source="after Bhattamishra et al. (2020), appendix D",
        compare=_compare(rnn),
        next_state=next_state(rnn, inputs),
        in_both_layers=False,
        feedback=Linear({name: {name: 1} for name in carried}),
    )


def as_printed(rnn: RNN) -> Simulation:
    """The transformer with the feed-forward networks of lemmas D.2 and D.4, fed back without change."""
    inputs, growth, share, before = _blocks(rnn)
    everything = (*rnn.units, *inputs.values(), *growth.values(), "2^-t", *share.values(), *before.values())
    return _simulation(
        rnn,
        name=f"{rnn.name} by a directional transformer as printed",
        title="An RNN by an encoder-decoder with masks and without positions, as printed",
        source="Bhattamishra et al. (2020), appendix D",
        compare=without(_compare(rnn), tuple(inputs.values())),
        next_state=without(next_state(rnn, inputs), (*inputs.values(), *growth.values(), *share.values())),
        in_both_layers=True,
        feedback=Linear({name: {name: 1} for name in everything}),
    )


Names = dict[str, str]


def _blocks(rnn: RNN) -> tuple[Names, Names, Names, Names]:
    """The coordinates of the decoder for the input, and for each token its growth, its share, and that before."""
    tokens = rnn.tokens
    growth, share, before = ({token: f"{kind} {token}" for token in tokens} for kind in ("delta", "w", "w before"))
    return {name: f"x {name}" for name in rnn.inputs}, growth, share, before


def _compare(rnn: RNN) -> FeedForward:
    """The growth of each share, 2^-(t+1), and the share of this step in the place of that of the step before."""
    _, growth, share, before = _blocks(rnn)
    tokens = rnn.tokens
    grown: dict[str, dict[str, object]] = {
        f"grown {token}": {share[token]: 1, before[token]: -1} for token in (rnn.begin, *rnn.alphabet)
    }
    kept: dict[str, dict[str, object]] = {f"w {token}": {share[token]: 1} for token in tokens}
    gone: dict[str, dict[str, object]] = {f"w before {token}": {before[token]: 1} for token in tokens}
    return FeedForward(
        first=Linear({**grown, "half": {"2^-t": "1/2"}, **kept, **gone}),
        second=Linear(
            {
                **{growth[token]: {f"grown {token}": 1} for token in (rnn.begin, *rnn.alphabet)},
                growth[rnn.end]: {"half": 1},
                "2^-t": {"half": -1},
                **{share[token]: {f"w {token}": -1} for token in tokens},
                **{before[token]: {f"w {token}": 1, f"w before {token}": -1} for token in tokens},
            }
        ),
        activation="saturated-linear",
    )


def _simulation(
    rnn: RNN,
    name: str,
    title: str,
    source: str,
    compare: FeedForward,
    next_state: FeedForward,
    in_both_layers: bool,
    feedback: Linear,
) -> Simulation:
    """in_both_layers: the cross heads of both bring the embedding and the one-hot vector, not one of them each."""
    inputs, growth, share, before = _blocks(rnn)
    tokens = rnn.tokens
    one_hot = {token: f"[s={token}]" for token in tokens}
    marks = {share[token]: {one_hot[token]: 1} for token in tokens}
    embeddings = {inputs[each]: {each: 1} for each in rnn.inputs}
    both = {**embeddings, **marks}
    shares = Head(W_V=both if in_both_layers else marks, normaliser="hardmax", mask="causal", scale=1)
    look_up = Head(
        W_Q={f"is {token}": {growth[token]: 1} for token in tokens},
        W_K={f"is {token}": {one_hot[token]: 1} for token in tokens},
        W_V=both if in_both_layers else embeddings,
        normaliser="hardmax",
        mask="causal",
        scale=1,
    )
    return Simulation(
        name=name,
        title=title,
        source=source,
        rnn=rnn,
        network=EncoderDecoder(
            encoder=Encoder(
                coordinates=(*rnn.inputs, *one_hot.values()),
                embedding=Embedding(
                    WE={token: {**row, one_hot[token]: 1} for token, row in tokens_embedded(rnn).items()}
                ),
                layers=(),
                readout=UNREAD,
                begin=rnn.begin,
                end=rnn.end,
            ),
            coordinates=(*rnn.units, *inputs.values(), *growth.values(), "2^-t", *share.values(), *before.values()),
            seed={"2^-t": 1},
            PE={},
            layers=(
                Layer(cross_heads=(shares,), feed_forward=compare),
                Layer(cross_heads=(look_up,), feed_forward=next_state),
            ),
            feedback=feedback,
            readout=UNREAD,
        ),
    )

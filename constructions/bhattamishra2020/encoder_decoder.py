"""An RNN by an encoder-decoder with positions: Bhattamishra et al. (2020), section 4 and appendix C.2.

The decoder holds h_(t-1) at step t. Its cross head finds the token that the RNN reads then: with the query (t, 1) and
the keys (-1, j) the score -|j - t| is greatest at position min(t, n-1). The feed-forward network makes h_t of it.

What is printed differs. It has t + 1 in y_t where the sum says pos(t), so that "#" is never read; the RNN here reads it
first, and `as_printed` is read with pos(t). It has the input and the position pass through the saturated units to be
subtracted again: these are at most 1, and so from t = 2 on a part of the position stays. Here the feedback, which is
the identity in print, takes h alone, and nothing else need be subtracted.
"""

from __future__ import annotations

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
    Readout,
)

UNREAD = Readout(Linear({"logit": {}}))
"""Of an encoder, and of a decoder, whose vectors themselves are what is wanted."""


def tokens_embedded(rnn: RNN) -> dict[str, dict[str, object]]:
    """f(s), "#" and "$" included, which embed as 0 unless the RNN says more."""
    return {token: dict(rnn.embedding.WE.get(token, {})) for token in rnn.tokens}


def next_state(rnn: RNN, inputs: dict[str, str]) -> FeedForward:
    """Adds h_t - h_(t-1) to the units; inputs: the coordinate that holds each input of the RNN.

    A unit is its own saturated value, being one already.
    """
    first: dict[str, dict[str, object]] = {}
    for unit in rnn.units:
        read = {inputs[name]: weight for name, weight in rnn.W_x.weights.get(unit, {}).items()}
        first[f"new {unit}"] = {**rnn.W_h.weights.get(unit, {}), **read}
        first[f"old {unit}"] = {unit: 1}
    return FeedForward(
        first=Linear(first, bias={f"new {unit}": value for unit, value in rnn.W_x.bias.items()}),
        second=Linear({unit: {f"new {unit}": 1, f"old {unit}": -1} for unit in rnn.units}),
        activation="saturated-linear",
    )


def without(network: FeedForward, gone: tuple[str, ...]) -> FeedForward:
    """With the saturated values of coordinates subtracted from them."""
    first = Linear({**network.first.weights, **{f"gone {name}": {name: 1} for name in gone}}, bias=network.first.bias)
    second = Linear({**network.second.weights, **{name: {f"gone {name}": -1} for name in gone}})
    return FeedForward(first, second, network.activation)


def rnn_by_encoder_decoder(rnn: RNN) -> Simulation:
    """The transformer with positions that simulates an RNN."""
    inputs = {name: f"x {name}" for name in rnn.inputs}
    return _simulation(
        rnn,
        name=f"{rnn.name} by an encoder-decoder",
        title="An RNN by an encoder-decoder that looks its input up by position",
        source="after Bhattamishra et al. (2020), appendix C.2",
        feed_forward=next_state(rnn, inputs),
        feedback=Linear({unit: {unit: 1} for unit in rnn.units}),
    )


def as_printed(rnn: RNN) -> Simulation:
    """The transformer with the feed-forward network of lemma C.4, fed back without change."""
    inputs = {name: f"x {name}" for name in rnn.inputs}
    gone = (*inputs.values(), "t", "1")
    return _simulation(
        rnn,
        name=f"{rnn.name} by an encoder-decoder as printed",
        title="An RNN by an encoder-decoder that subtracts what it does not need, as printed",
        source="Bhattamishra et al. (2020), appendix C.2",
        feed_forward=without(next_state(rnn, inputs), gone),
        feedback=Linear({name: {name: 1} for name in (*rnn.units, *gone)}),
    )


def _simulation(
    rnn: RNN, name: str, title: str, source: str, feed_forward: FeedForward, feedback: Linear
) -> Simulation:
    inputs = {each: f"x {each}" for each in rnn.inputs}
    look_up = Head(
        W_Q={"q1": {"t": 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {"j": 1}},
        W_V={inputs[each]: {each: 1} for each in rnn.inputs},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )
    return Simulation(
        name=name,
        title=title,
        source=source,
        rnn=rnn,
        network=EncoderDecoder(
            encoder=Encoder(
                coordinates=(*rnn.inputs, "j", "1"),
                embedding=Embedding(WE=tokens_embedded(rnn), PE={"j": "i", "1": 1}),
                layers=(),
                readout=UNREAD,
                begin=rnn.begin,
                end=rnn.end,
            ),
            coordinates=(*rnn.units, *inputs.values(), "t", "1"),
            seed={},
            PE={"t": "i", "1": 1},
            layers=(Layer(cross_heads=(look_up,), feed_forward=feed_forward),),
            feedback=feedback,
            readout=UNREAD,
        ),
    )

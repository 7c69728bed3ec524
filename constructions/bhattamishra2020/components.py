"""The transformer with positions, with one component less: Bhattamishra et al. (2020), section 4.2 and figure 2.

`complete` has every component, most of them idle, as in appendix C.2: heads whose values are 0, and in the encoder a
feed-forward network whose output is 0. Each other function takes one of them away, and changes what has to be changed
for it.

Where a residual around attention is cut, the heads that were idle look at their own position, or at their own step:
the score -|j - i| is greatest there. Where the one around the encoder's feed-forward network is cut, everything passes
through saturated units, which are at most 1: the position as 2^-i, and the token as a one-hot vector, of which the
values of the cross head make its embedding. The printed encoding, i, does not pass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weightproof.constructions.bhattamishra2020.encoder_decoder import (
    UNREAD,
    next_state,
    rnn_by_encoder_decoder,
    tokens_embedded,
)
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

IDLE = Head(W_V={}, normaliser="hardmax", scale=1)
SILENT = FeedForward(Linear(), Linear(), activation="saturated-linear")


def complete(rnn: RNN) -> Simulation:
    """With every component."""
    plain = rnn_by_encoder_decoder(rnn)
    [layer] = plain.network.layers
    encoder = replace(plain.network.encoder, layers=(Layer(heads=(IDLE,), feed_forward=SILENT),))
    network = replace(plain.network, encoder=encoder, layers=(replace(layer, heads=(IDLE,)),))
    return replace(plain, name=f"{plain.name} with every component", network=network)


def without_encoder_attention(rnn: RNN) -> Simulation:
    return _encoder(complete(rnn), heads=())


def without_encoder_attention_residual(rnn: RNN) -> Simulation:
    whole = complete(rnn)
    own = _finds_itself(whole.network.encoder.coordinates, "j")
    return _encoder(whole, heads=(own,), attention_residual=False)


def without_encoder_feed_forward(rnn: RNN) -> Simulation:
    return _encoder(complete(rnn), feed_forward=None)


def without_encoder_feed_forward_residual(rnn: RNN) -> Simulation:
    """The coordinates of the encoder are a one-hot vector of the token, 2^-i and 1."""
    whole = complete(rnn)
    one_hot = {token: f"[s={token}]" for token in rnn.tokens}
    coordinates = (*one_hot.values(), "2^-j", "1")
    passes = FeedForward(
        first=Linear({f"pass {name}": {name: 1} for name in coordinates}),
        second=Linear({name: {f"pass {name}": 1} for name in coordinates}),
        activation="saturated-linear",
    )
    rows = tokens_embedded(rnn)
    look_up = Head(
        W_Q={"q1": {"2^-t": 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {"2^-j": 1}},
        W_V={
            f"x {each}": {one_hot[token]: row[each] for token, row in rows.items() if each in row}
            for each in rnn.inputs
        },
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )
    encoder = Encoder(
        coordinates=coordinates,
        embedding=Embedding(WE={token: {one_hot[token]: 1} for token in one_hot}, PE={"2^-j": "2**(-i)", "1": 1}),
        layers=(Layer(heads=(IDLE,), feed_forward=passes, feed_forward_residual=False),),
        readout=UNREAD,
        begin=BEGIN,
        end=END,
    )
    [layer] = whole.network.layers
    return _with_network(
        whole,
        encoder=encoder,
        coordinates=tuple("2^-t" if name == "t" else name for name in whole.network.coordinates),
        PE={"2^-t": "2**(-i)", "1": 1},
        layers=(replace(layer, cross_heads=(look_up,)),),
    )


def without_decoder_attention(rnn: RNN) -> Simulation:
    return _decoder(complete(rnn), heads=())


def without_decoder_attention_residual(rnn: RNN) -> Simulation:
    whole = complete(rnn)
    own = _finds_itself(whole.network.coordinates, "t")
    return _decoder(whole, heads=(own,), attention_residual=False)


def without_decoder_feed_forward_residual(rnn: RNN) -> Simulation:
    """The feed-forward network writes the next state; nothing else is fed back."""
    first = next_state(rnn, {each: f"x {each}" for each in rnn.inputs}).first
    new = FeedForward(first, Linear({unit: {f"new {unit}": 1} for unit in rnn.units}), "saturated-linear")
    return _decoder(complete(rnn), feed_forward=new, feed_forward_residual=False)


def _finds_itself(coordinates: tuple[str, ...], place: str) -> Head:
    """Brings the whole vector of the position, or step, that looks."""
    return Head(
        W_Q={"q1": {place: 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {place: 1}},
        W_V={name: {name: 1} for name in coordinates},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )


def _encoder(simulation: Simulation, **parts: Any) -> Simulation:
    """With other parts in the one layer of the encoder."""
    encoder = simulation.network.encoder
    [layer] = encoder.layers
    return _with_network(simulation, encoder=replace(encoder, layers=(replace(layer, **parts),)))


def _decoder(simulation: Simulation, **parts: Any) -> Simulation:
    """With other parts in the one layer of the decoder."""
    [layer] = simulation.network.layers
    return _with_network(simulation, layers=(replace(layer, **parts),))


def _with_network(simulation: Simulation, **parts: Any) -> Simulation:
    network: EncoderDecoder = replace(simulation.network, **parts)
    return replace(simulation, network=network)

"""An RNN by an encoder-decoder without any feed-forward network: against Bhattamishra et al. (2020), section 4.2:

    "The FFN is the only component that can perform computations based on the input and the computations performed
    earlier via recurrence and hence, the model is not Turing-complete without it."

Hardmax computes, too. With x what a unit of the RNN gets, its next state is max(0, x) - max(0, x - 1), as in section
3.2. A head makes max(0, x) where it looks at this step, which has the value x, if x > 0, and at one of the value 0 if
x < 0. Where x = 0 both are looked at, and both have the value 0.

At step t > 0 that other step is step 0, where "later", 1 at all steps behind it, is 0. The score of step s is

    x later_s + s - t later_s,      which is 0 at step 0, x at step t, and less than x in between

and x has "later" for the bias and no input at "#", so it is 0 at step 0, where the state is 0. At step 0 itself, where
no other step can be looked at, the cross head does the same: the score of "#" is x, its value is x, and those of all
other positions are 0. At all later steps the score of "#" is -1.

Without the network, a layer is z_t = a_t: what its residual connection leaves of O(a_t) + a_t in equation (7) of
appendix B.2. There is none in the encoder either. A block has one head at most, as in appendix C.2. Two things go
beyond the letter of appendix B.2: one head has the score -|q.k|, of the vanilla transformer, and the others have q.k,
of the directional one; and each layer has keys and values of its own of the encoder's output.
"""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.bhattamishra2020.encoder_decoder import UNREAD, tokens_embedded
from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Embedding, Encoder, EncoderDecoder, Head, Layer, Linear

Row = dict[str, object]
Rows = dict[str, Mapping[str, object]]
IS_BEGIN = f"[s={BEGIN}]"
LATER = "later"
LEVELS = (0, 1)
"""What x is compared with: max(0, x - 1) is taken away from max(0, x)."""


def rnn_without_feed_forward(rnn: RNN) -> Simulation:
    """The transformer with positions and without feed-forward networks that simulates an RNN, two layers for a unit and
    two more."""
    encoder = Encoder(
        coordinates=(*rnn.inputs, *(_at_begin(name) for name in rnn.inputs), IS_BEGIN, "j", "1"),
        embedding=Embedding(WE=_embedded(rnn), PE={"j": "i", "1": 1}),
        layers=(),
        readout=UNREAD,
        begin=BEGIN,
        end=END,
    )
    rectified = tuple(
        Layer(heads=(_at_later_steps(rnn, unit, level),), cross_heads=(_at_step_0(rnn, unit, level),))
        for unit in rnn.units
        for level in LEVELS
    )
    return Simulation(
        name=f"{rnn.name} by an encoder-decoder without feed-forward networks",
        title="An RNN by an encoder-decoder that computes by attention alone",
        source="ours, against Bhattamishra et al. (2020), section 4.2",
        rnn=rnn,
        network=EncoderDecoder(
            encoder=encoder,
            coordinates=(
                *rnn.units,
                *(f"x {name}" for name in rnn.inputs),
                *(f"new {unit}" for unit in rnn.units),
                LATER,
                "t",
                "1",
            ),
            seed={},
            PE={"t": "i", "1": 1},
            layers=(Layer(cross_heads=(_look_up(rnn),)), *rectified, Layer(heads=(_renew(rnn),))),
            feedback=Linear({**{unit: {unit: 1} for unit in rnn.units}, LATER: {"1": 1}}),
            readout=UNREAD,
        ),
    )


def _at_begin(name: str) -> str:
    """The coordinate for an input at "#", which is 0 at all other positions."""
    return f"{name} of {BEGIN}"


def _embedded(rnn: RNN) -> dict[str, Row]:
    rows = tokens_embedded(rnn)
    return {**rows, BEGIN: {IS_BEGIN: 1, **{_at_begin(name): value for name, value in rows[BEGIN].items()}}}


def _look_up(rnn: RNN) -> Head:
    return Head(
        W_Q={"q1": {"t": 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {"j": 1}},
        W_V={f"x {each}": {each: 1} for each in rnn.inputs},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )


def _at_later_steps(rnn: RNN, unit: str, level: int) -> Head:
    read = {f"x {name}": weight for name, weight in rnn.W_x.weights.get(unit, {}).items()}
    received: Rows = {"x": {**rnn.W_h.weights.get(unit, {}), **read, LATER: _bias(rnn, unit)}, "level": {LATER: -level}}
    return Head(
        W_Q={**received, "past": {"t": -1}, "step": {"1": 1}},
        W_K={"x": {LATER: 1}, "level": {LATER: 1}, "past": {LATER: 1}, "step": {"t": 1}},
        W_V=received,
        W_O=_written(unit, level),
        scale=1,
        normaliser="hardmax",
    )


def _at_step_0(rnn: RNN, unit: str, level: int) -> Head:
    read = {_at_begin(name): weight for name, weight in rnn.W_x.weights.get(unit, {}).items()}
    received: Rows = {"x": {**read, IS_BEGIN: _bias(rnn, unit)}, "level": {IS_BEGIN: -level}}
    now: Row = {"1": 1, LATER: -1}
    return Head(
        W_Q={"x": now, "level": now, "past": {LATER: 1}},
        W_K={**received, "past": {IS_BEGIN: -1}},
        W_V=received,
        W_O=_written(unit, level),
        scale=1,
        normaliser="hardmax",
    )


def _bias(rnn: RNN, unit: str) -> object:
    return rnn.W_x.bias.get(unit, 0)


def _written(unit: str, level: int) -> dict[str, Row]:
    sign = 1 - 2 * level
    return {f"new {unit}": {"x": sign, "level": sign}}


def _renew(rnn: RNN) -> Head:
    """At this step, the latest: the new state, with the old one taken away."""
    return Head(
        W_Q={"step": {"1": 1}},
        W_K={"step": {"t": 1}},
        W_V={unit: {f"new {unit}": 1, unit: -1} for unit in rnn.units},
        scale=1,
        normaliser="hardmax",
    )

"""An RNN by an encoder-decoder without any feed-forward network: against Bhattamishra et al. (2020), section 4.2, where
the one of the decoder is called essential, as the only component that can compute on what was computed before.

Hardmax computes, too. With x what a unit of the RNN gets, its next state is max(0, x) - max(0, x - 1), and max(0, x) is
x if x > 0 and 0 if not:

    layer 1    looks up the token of this step, and that of position 0, "#"
    layer 2    compares x with 0: "#" has the score x, and all other tokens have 0; its value is 1 and theirs are 0. So
               this is 1 if x > 0, 0 if x < 0, and 1/n if x = 0
    layer 3    compares that with 3/4, in the same way, and there are two positions or more: 1 if x > 0, and 0 if not
    layer 4    looks at steps, and the score of step s is s or -s: so it looks at this step if x > 0, and at step 0 if
               not

At step s the head of layer 4 has the value x less what x was at step 0, which is 0 at step 0; what x was there comes
from layer 3, where it belongs to "#". The same is done with x - 1, and the last head takes the old state away.
"""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.bhattamishra2020.encoder_decoder import UNREAD, tokens_embedded
from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Embedding, Encoder, EncoderDecoder, Head, Layer, Linear
from weightproof.constructions.scalars.expressions import Expression

Row = dict[str, object]
Rows = Mapping[str, Mapping[str, object]]
IS_BEGIN = f"[s={BEGIN}]"
LEVELS = (0, 1)
"""What x is compared with."""


def rnn_without_feed_forward(rnn: RNN) -> Simulation:
    """The transformer of four layers, with positions and without feed-forward networks, that simulates an RNN."""
    encoder = Encoder(
        coordinates=(*rnn.inputs, *(f"{name} of {BEGIN}" for name in rnn.inputs), IS_BEGIN, "j", "1"),
        embedding=Embedding(WE=_embedded(rnn), PE={"j": "i", "1": 1}),
        layers=(),
        readout=UNREAD,
        begin=BEGIN,
        end=END,
    )
    pairs = [(unit, level) for unit in rnn.units for level in LEVELS]
    found = [f"{word} {unit} > {level}" for word in ("maybe", "is", "also") for unit, level in pairs]
    begun = [_begun(name, unit, level) for unit, level in pairs for name in rnn.inputs]
    looked = [f"{kind} {name}" for kind in ("x", "first") for name in rnn.inputs]
    return Simulation(
        name=f"{rnn.name} by an encoder-decoder without feed-forward networks",
        title="An RNN by an encoder-decoder that computes by attention alone",
        source="ours, against Bhattamishra et al. (2020), section 4.2",
        rnn=rnn,
        network=EncoderDecoder(
            encoder=encoder,
            coordinates=(*rnn.units, *looked, *found, *begun, "t", "1"),
            seed={},
            PE={"t": "i", "1": 1},
            layers=(
                Layer(cross_heads=(_look_up(rnn), _look_at_begin(rnn))),
                Layer(cross_heads=tuple(_compare(rnn, unit, level) for unit, level in pairs)),
                Layer(cross_heads=tuple(_settle(rnn, unit, level) for unit, level in pairs)),
                Layer(
                    heads=(*(_select(rnn, unit, level) for unit, level in pairs), *(_rest(rnn, u) for u in rnn.units))
                ),
            ),
            feedback=Linear({unit: {unit: 1} for unit in rnn.units}),
            readout=UNREAD,
        ),
    )


def _embedded(rnn: RNN) -> dict[str, Row]:
    rows = tokens_embedded(rnn)
    begun: Row = {f"{name} of {BEGIN}": value for name, value in rows[BEGIN].items()}
    return {**rows, BEGIN: {**rows[BEGIN], **begun, IS_BEGIN: 1}}


def _begun(name: str, unit: str, level: int) -> str:
    """The coordinate for an input at "#" where the unit gets more than the level, and 0 where not."""
    return f"first {name} if {unit} > {level}"


def _received(rnn: RNN, unit: str) -> dict[str, Expression]:
    """x but for the bias."""
    read = {f"x {name}": weight for name, weight in rnn.W_x.weights.get(unit, {}).items()}
    return {**rnn.W_h.weights.get(unit, {}), **read}


def _bias(rnn: RNN, unit: str) -> Expression | int:
    return rnn.W_x.bias.get(unit, 0)


def _look_up(rnn: RNN) -> Head:
    return Head(
        W_Q={"q1": {"t": 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {"j": 1}},
        W_V={f"x {each}": {each: 1} for each in rnn.inputs},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )


def _look_at_begin(rnn: RNN) -> Head:
    return _cross({"q": {"1": 1}}, {"q": {IS_BEGIN: 1}}, {f"first {each}": {each: 1} for each in rnn.inputs})


def _compare(rnn: RNN, unit: str, level: int) -> Head:
    query: Row = {**_received(rnn, unit), "1": _bias(rnn, unit)}
    keys = {"x": {IS_BEGIN: 1}, "level": {IS_BEGIN: -level}}
    return _cross({"x": query, "level": {"1": 1}}, keys, {f"maybe {unit} > {level}": {IS_BEGIN: 1}})


def _settle(rnn: RNN, unit: str, level: int) -> Head:
    query = {"x": {f"maybe {unit} > {level}": 1}, "level": {"1": 1}}
    keys: dict[str, Row] = {"x": {IS_BEGIN: 1}, "level": {IS_BEGIN: "-3/4"}}
    values: dict[str, Row] = {f"{word} {unit} > {level}": {IS_BEGIN: 1} for word in ("is", "also")}
    values |= {_begun(name, unit, level): {f"{name} of {BEGIN}": 1} for name in rnn.inputs}
    return _cross(query, keys, values)


def _cross(W_Q: Rows, W_K: Rows, W_V: Rows) -> Head:
    return Head(W_Q=W_Q, W_K=W_K, W_V=W_V, scale=1, normaliser="hardmax")


def _select(rnn: RNN, unit: str, level: int) -> Head:
    """x less what it was at step 0, or 0; taken away where it is that of x - 1."""
    first = {f"first {name}": weight for name, weight in rnn.W_x.weights.get(unit, {}).items()}
    return Head(
        W_Q={"q": {f"is {unit} > {level}": 2, "1": -1}},
        W_K={"q": {"t": 1}},
        W_V={"x": _received(rnn, unit), "first": first},
        W_O={unit: {"x": 1 - 2 * level, "first": 2 * level - 1}},
        scale=1,
        normaliser="hardmax",
    )


def _rest(rnn: RNN, unit: str) -> Head:
    """What x was at step 0 if x > 0, what x - 1 was taken away if x > 1, and the old state taken away."""
    first = rnn.W_x.weights.get(unit, {})
    kept: list[Row] = [
        {
            **{_begun(name, unit, level): weight for name, weight in first.items()},
            f"is {unit} > {level}": _bias(rnn, unit),
        }
        for level in LEVELS
    ]
    return Head(
        W_Q={"q1": {"t": 1}, "q2": {"1": 1}},
        W_K={"q1": {"1": -1}, "q2": {"t": 1}},
        W_V={"more": {**kept[0], f"also {unit} > 1": 1}, "less": {**kept[1], unit: 1}},
        W_O={unit: {"more": 1, "less": -1}},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )

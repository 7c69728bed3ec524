"""Cross-entropy at most eta nats: Chiang and Cholak (2022), proposition 2.

One more layer replaces the stream by the logit s, its opposite and zeros, which the norm with epsilon = 0 scales to
sqrt(d/2) and -sqrt(d/2); the readout multiplies by c = -log(e^eta - 1)/sqrt(d/2). That layer's attention does nothing,
and its feed-forward network takes a vector from itself. Every norm needs the same epsilon: with another than 0, as in
figure 2 of the paper, the logit is smaller, the less the original one was, and the cross-entropy is not bounded by eta.

Where the logit is a sum over positions, which the paper has not, the new layer averages them instead: one head of
uniform attention, and no residual connection.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from flint import fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, LayerNorm, Linear, Readout
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.rewriting import Refused, encoder_of, negated, written

EXACTLY = Expression("0")
ETA = Parameter("eta", domain="eta > 0", default="1/100")
"""For all eta at once; where it is run it is 1/100."""
CHOICES = Choices("sharpen", Refused)


def sharpen(construction: Construction, eta: Expression | None = None, epsilon: Expression = EXACTLY) -> Construction:
    """eta: nats, an exact value > 0, in which d is the width; None makes it a parameter eta > 0. epsilon: that of the
    new layer's norm. Refused where eta is no such value, where a norm has another epsilon, and where the logit is
    accepted at 0."""
    network = encoder_of(construction)
    parameters = construction.parameters
    if eta is None:
        if ETA.name in (parameter.name for parameter in parameters):
            raise Refused(f"there is a parameter {ETA.name!r} already: give eta a value")
        eta, parameters = Expression(ETA.name), (*parameters, ETA)
    elif set(eta.names) - {"d"} or sign(evaluate(eta, {"d": fmpq(len(network.coordinates))})) <= 0:
        raise Refused(f"eta = {eta} is no positive number of nats")
    if network.readout.accept != "logit > 0":
        raise Refused(f"the readout accepts at {network.readout.accept}, and what is sharpened does at logit > 0 alone")
    if len(network.coordinates) < 2:
        raise Refused("the residual stream has one coordinate; the logit and its opposite need two")
    CHOICES.require_norms_behind(network)
    for number, layer in enumerate(network.layers, start=1):
        for norm in (layer.attention_norm, layer.feed_forward_norm):
            if norm is not None and norm.epsilon != epsilon:
                raise Refused(
                    f"layer {number} has a norm with epsilon = {norm.epsilon}, and the new one has {epsilon}; the "
                    "proposition needs 0"
                )
    norm = LayerNorm(epsilon)
    match network.readout.position:
        case "first" | "last" as position:
            last = _replaced(network, norm)
        case "sum" | "mean":
            position, last = "first", _averaged(network, norm)
        case _:
            CHOICES.refuse("readout position", network.readout.position)
    scale = f"-log(exp({eta}) - 1)/sqrt(d/2)"
    readout = Readout(Linear({"logit": {network.coordinates[0]: scale}}), position)
    sharpened = replace(network, layers=(*network.layers, last), readout=readout)
    return replace(construction, network=sharpened, parameters=parameters)


def _replaced(network: Encoder, norm: LayerNorm) -> Layer:
    """The hidden units max(0, x) and max(0, -x) make x, which is taken away, and s and -s, which are put there."""
    read, bias = network.readout.W.weights.get("logit", {}), network.readout.W.bias.get("logit", Expression("0"))
    logit, opposite = network.coordinates[:2]
    first: dict[str, dict[str, object]] = {}
    second: dict[str, dict[str, Expression]] = {}
    for x in network.coordinates:
        first |= {f"+({x})": {x: 1}, f"-({x})": {x: -1}}
        second[x] = {f"+({x})": Expression("-1"), f"-({x})": Expression("1")}
    for x, weight in read.items():
        for coordinate, plus, minus in ((logit, weight, negated(weight)), (opposite, negated(weight), weight)):
            for unit, added in ((f"+({x})", plus), (f"-({x})", minus)):
                row = second[coordinate]
                row[unit] = _sum(row[unit], added) if unit in row else added
    return Layer(
        feed_forward=FeedForward(Linear(first), Linear(second, {logit: bias, opposite: negated(bias)})),
        attention_norm=norm if any(layer.attention_norm for layer in network.layers) else None,
        feed_forward_norm=norm,
    )


def _averaged(network: Encoder, norm: LayerNorm) -> Layer:
    """The mean of the logits of all positions, which has the sign of their sum, and its opposite."""
    if network.readout.W.bias:
        raise Refused("the readout has a bias, and is of all positions")
    read = network.readout.W.weights["logit"]
    logit, opposite = network.coordinates[:2]
    average = Head(W_V={logit: read, opposite: {x: negated(weight) for x, weight in read.items()}})
    return Layer(heads=(average,), attention_residual=False, attention_norm=norm)


def _sum(left: Expression, right: Expression) -> Expression:
    return written(ast.BinOp(left.tree, ast.Add(), right.tree))

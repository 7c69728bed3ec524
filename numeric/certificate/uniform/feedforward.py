"""What a ReLU network adds to the stream, row by row: exactly where its units are exact, else with an error (`row`)."""

from __future__ import annotations

from flint import fmpq

from weightproof.constructions.meaning.schema import FeedForward
from weightproof.constructions.scalars.exact import Real
from weightproof.numeric.certificate.uniform.block import Block
from weightproof.numeric.certificate.uniform.forms import Form, Stream, Value, Where
from weightproof.numeric.certificate.uniform.positions import NotUnderstood, Profile
from weightproof.numeric.certificate.uniform.ranges import ZERO, Range
from weightproof.numeric.certificate.uniform.row import Row, Unit
from weightproof.numeric.choices import BOUND


def feed_forward(block: Block, network: FeedForward, stream: Stream, where: Where) -> Stream:
    """What the network adds to the stream."""
    match network.activation:
        case "relu":
            pass
        case "saturated-linear" | "step" | "square":
            raise NotUnderstood(f"the activation {network.activation}")
        case _:
            BOUND.refuse("activation", network.activation)
    hidden = {unit: _unit(block, network, stream, unit, where) for unit in _names(network)}
    result = {}
    known: dict[str, Value] = {}
    for name in dict.fromkeys((*network.second.weights, *network.second.bias)):
        row = network.second.weights.get(name, {})
        weights = {unit: block.entry(weight) for unit, weight in row.items()}
        weights = {unit: weight for unit, weight in weights.items() if weight != 0}
        bias = block.entry(network.second.bias[name]) if name in network.second.bias else fmpq(0)
        units = {unit: hidden[unit] for unit in weights if unit in hidden}
        if all(unit.exact for unit in units.values()):
            for unit in units:
                known.setdefault(unit, _exact(block, hidden[unit], stream, where))
            result[name] = block.combine([(weights[unit], known[unit]) for unit in units], bias, where)
        else:
            reads = [_reading(unit, weights[name]) for name, unit in units.items()]
            result[name] = Row(block, reads, bias, stream, where).value()
    return result


def _names(network: FeedForward) -> list[str]:
    return list(dict.fromkeys((*network.first.weights, *network.first.bias)))


def _unit(block: Block, network: FeedForward, stream: Stream, unit: str, where: Where) -> Unit:
    weights = {name: block.entry(weight) for name, weight in network.first.weights.get(unit, {}).items()}
    weights = {name: weight for name, weight in weights.items() if weight != 0 and not stream[name].is_zero}
    bias = block.entry(network.first.bias[unit]) if unit in network.first.bias else fmpq(0)
    value = block.combine([(weight, stream[name]) for name, weight in weights.items()], bias, where)
    return Unit(fmpq(1), weights, bias, value.form, value.quantum is not None)


def _reading(unit: Unit, outer: Real) -> Unit:
    return Unit(outer, unit.weights, unit.bias, unit.form, unit.exact)


def _exact(block: Block, unit: Unit, stream: Stream, where: Where) -> Value:
    """relu of what is computed exactly: a multiple of the same quantum."""
    value = block.combine([(weight, stream[name]) for name, weight in unit.weights.items()], unit.bias, where)
    at = block.range(unit.form, where).positive_part()
    if at.is_zero:
        return Value(Form(), quantum=value.quantum)
    profile = Profile.at_one(at)
    if where == "all":
        first, last = block.range(unit.form, "first"), block.range(unit.form, "last")
        total, support = block.positive_total(unit.form), block.support(unit.form, positive=True)
        slope = Range.of(0) if block.constant(unit.form) else None
        profile = Profile(at, total, Range(ZERO, total), support, slope, first.positive_part(), last.positive_part())
    return Value(Form({}, {profile: fmpq(1)}), quantum=value.quantum)

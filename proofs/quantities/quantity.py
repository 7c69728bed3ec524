"""The quantities that claims are about: what they are called, what is derived of them, what an exact run finds."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.claims import statements as says
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Vector, apply_rows, numbers, require_values
from weightproof.constructions.meaning.running import Run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.schema import Rows as Matrix
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import value_on
from weightproof.constructions.scalars.values import exactly
from weightproof.proofs.quantities.differences import Derived
from weightproof.proofs.quantities.instances import Instance, made
from weightproof.proofs.quantities.probe import WEIGHT, AttentionPoint, Point
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.iverson import ZERO
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation, Record
from weightproof.symbolic.rules import attention
from weightproof.symbolic.rules.reading import read_scalar


@dataclass(frozen=True)
class Wanted:
    """A quantity with its name in words, and the point at which a probe stops to show it.

    None: the whole network shows it, as one that reads every position shows what stands there in the end.
    """

    of: says.Quantity
    name: str
    point: Point | AttentionPoint | None


def wanted(of: says.Quantity, network: Encoder) -> Wanted:
    match of:
        case says.Logit():
            return Wanted(of, says.named(of), None)
        case says.Formula():  # no weight enters it: any network will do, and this is the shortest
            return Wanted(of, says.named(of), Point(0, "embedding"))
        case says.Stream(coordinate=coordinate):
            layer, stage = says.placed(of, network)
            reads_all = PROVER.reads_all(network.readout.position)
            whole = reads_all and layer == len(network.layers) and stage == "layer"
            return Wanted(of, says.named(says.Stream(coordinate, layer, stage)), None if whole else Point(layer, stage))
        case says.Projected(layer=layer):
            return Wanted(of, says.named(of), Point(layer - 1, "layer" if layer > 1 else "embedding"))
        case says.Attention(layer=layer, head=head):
            return Wanted(of, says.named(of), AttentionPoint(layer, head))
    raise TypeError(of)


def derived_of(construction: Construction, derivation: Derivation, goal: Wanted) -> Derived:
    """The quantity at a generic position, by the token there."""
    stream = derivation.streams[-1]
    match goal.of:
        case says.Logit():
            return derivation.logit
        case says.Formula(value=value):
            return read_scalar(value, derivation.vocabulary, record=Record())
        case says.Stream(coordinate=name):
            return {token: vector.get(name, ZERO) for token, vector in stream.items()}
        case says.Projected(row=row):
            matrix = _matrix(construction, goal.of)
            return {
                token: attention.apply_rows(matrix, vector, derivation.vocabulary).get(row, ZERO)
                for token, vector in stream.items()
            }
    if not derivation.vocabulary.begin:
        raise Underivable("position 0 holds no marker, so that its attention depends on the word")
    return stream[next(iter(stream))].get(WEIGHT, ZERO)


def _matrix(construction: Construction, of: says.Projected) -> Matrix:
    matrix: Matrix = getattr(construction.encoder.layers[of.layer - 1].heads[of.head - 1], of.part)
    return matrix


def places(goal: Wanted, instance: Instance) -> range:
    """The positions at which a quantity has a value; a logit has one, and stands at none."""
    if isinstance(goal.of, says.Attention):
        return range(int(made(Expression("p < n"), instance, ())))
    return range(1 if isinstance(goal.of, says.Logit | says.Formula) else len(instance.tokens))


def found_in(construction: Construction, goal: Wanted, result: Run, place: int, instance: Instance) -> Real:
    """The quantity in the exact run of a probe of the construction."""
    match goal.of:
        case says.Logit():
            return result.logit
        case says.Formula(value=value):
            return value_on(value, instance.values, instance.tokens, construction.language.alphabet)
        case says.Stream(coordinate=name):
            return _valued(result.streams[-1][place])[name]
        case says.Attention():
            return result.streams[-1][0][WEIGHT]
        case says.Projected(row=row):
            names = {**instance.values, "d": fmpq(len(construction.encoder.coordinates))}
            rows = numbers(_matrix(construction, goal.of), exactly(names))
            return apply_rows(rows, _valued(result.streams[-1][place])).get(row, fmpq(0))
    raise TypeError(goal.of)


def _valued(vector: Vector) -> Vector:
    require_values([vector])
    return vector

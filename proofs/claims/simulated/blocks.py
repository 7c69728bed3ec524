"""Claims about how much there is: the blocks of vectors and matrices, their sizes, against each other, and their
weights, as data; and how many keys an encoder makes."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from weightproof.constructions.claims.stepwise import BlockMatrix, Blocks
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Layer
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.quantities.outcome import WEIGHTS, Evaluated, Fails, Holds, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.simulation.parts import weight
from weightproof.symbolic.simulation.polynomial import Polynomial

Matrix = Mapping[str, Mapping[str, Expression]]


def judge_blocks(said: Blocks) -> Outcome:
    """The sizes add up to the width, as polynomials in the sizes of the recurrent network."""
    total = sympy.Add(*(sympy.sympify(size.source) for size in said.sizes))
    width = sympy.sympify(said.width.source)
    if sympy.Poly(total - width, *sympy.symbols("d_h d_b m")).is_zero:
        return Holds("all sizes", "certificate")
    return _differ("rows of the blocks", said.width.source, str(total))


def keys_made(encoder: Encoder) -> sympy.Expr:
    """One for each position: n - 1 symbols, and the markers that the encoder has."""
    return sympy.Symbol("n") - 1 + sum(marker is not None for marker in (encoder.begin, encoder.end))


def same_number(printed: Expression, number: sympy.Expr) -> bool:
    """Whether two formulas in n are the same polynomial."""
    return bool(sympy.Poly(sympy.sympify(printed.source) - number, sympy.Symbol("n")).is_zero)


def judge_matrix(simulation: Simulation, said: BlockMatrix) -> Outcome:
    """A matrix is the printed one, entry by entry."""
    here, printed = _matrix(simulation, said), _printed(simulation, said)
    for row in dict.fromkeys((*printed, *here)):
        for column in dict.fromkeys((*printed.get(row, {}), *here.get(row, {}))):
            found = weight(here[row][column]) if column in here.get(row, {}) else Polynomial()
            wanted = printed.get(row, {}).get(column, Polynomial())
            if found != wanted:
                what = f"{said.part} of layer {said.layer}, {row!r} from {column!r}"
                return _differ(what, str(wanted), str(found))
    return WEIGHTS


def _differ(what: str, printed: str, found: str) -> Fails:
    """Of the family as a whole: no run of one member shows it."""
    return Fails(told(found), Evaluated(what, printed, found, evidence="the entry differs"))


def _matrix(simulation: Simulation, said: BlockMatrix) -> Matrix:
    layer = simulation.network.layers[said.layer - 1]
    [head] = layer.cross_heads
    match said.part:
        case "W_K":
            return head.W_K
        case "W_V":
            return head.W_V
        case "W_F1":
            return _feed_forward(layer).first.weights
        case "W_F2":
            return _feed_forward(layer).second.weights
    PROVER.refuse("part", said.part)


def _feed_forward(layer: Layer) -> FeedForward:
    assert layer.feed_forward is not None
    return layer.feed_forward


def _printed(simulation: Simulation, said: BlockMatrix) -> dict[str, dict[str, Polynomial]]:
    rnn = simulation.rnn
    entries: dict[str, dict[str, Polynomial]] = {}
    for block in said.blocks:
        if block.diagonal in ("W_h", "W_x"):
            of, names = (rnn.W_h.weights, rnn.units) if block.diagonal == "W_h" else (rnn.W_x.weights, rnn.inputs)
            for row, unit in zip(block.rows, rnn.units, strict=True):
                named = dict(zip(names, block.columns, strict=True))
                entries.setdefault(row, {}).update({named[name]: weight(w) for name, w in of.get(unit, {}).items()})
            continue
        for row, column in zip(block.rows, block.columns, strict=True):
            entries.setdefault(row, {})[column] = weight(Expression(str(block.diagonal)))
    return entries

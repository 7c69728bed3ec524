"""Activations multiplied by positive numbers, one for each layer: Chiang and Cholak (2022), appendix B.

There a layer normalisation is supposed to multiply all vectors of a layer by one number. In an encoder without biases
that is what multiplying the embedding does: each layer before the last passes the factor on.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.layer_norm import require_homogeneous
from weightproof.constructions.transforms.rewriting import Refused, encoder_of, written

INNER = Parameter("inner", domain="inner > 0", default="2")
OUTER = Parameter("outer", domain="outer > 0", default="3")
"""Of the vectors that the last layer reads, and of those that are read out."""


def scale_activations(construction: Construction) -> Construction:
    """The embedding multiplied by `inner`, and what is read out by `outer`: two new parameters, any positive numbers.

    Refused where a bias or an activation is not homogeneous, or where a parameter is called so already.
    """
    network = encoder_of(construction)
    for parameter in (INNER, OUTER):
        if parameter.name in (each.name for each in construction.parameters):
            raise Refused(f"there is a parameter {parameter.name!r} already: rename it")
    require_homogeneous(network)
    embedding, W = network.embedding, network.readout.W
    embedding = replace(
        embedding,
        WE={token: _times(INNER, row) for token, row in embedding.WE.items()},
        PE=_times(INNER, embedding.PE),
    )
    readout = replace(network.readout, W=Linear({name: _times(OUTER, row) for name, row in W.weights.items()}))
    return replace(
        construction,
        network=replace(network, embedding=embedding, readout=readout),
        parameters=(*construction.parameters, INNER, OUTER),
    )


def _times(factor: Parameter, row: Mapping[str, Expression]) -> dict[str, Expression]:
    name = ast.Name(factor.name, ast.Load())
    return {each: written(ast.BinOp(name, ast.Mult(), weight.tree)) for each, weight in row.items()}

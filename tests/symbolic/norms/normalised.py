"""Networks with norms, and their derived logits held against the exact ones on short words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tests.support.derived import construction_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit

EPSILONS = ["layer-norm:epsilon=0", "layer-norm:epsilon=1/7", "layer-norm"]
SHARP = ["sharpen:eta=1/100", "sharpen:eta=1"]
CERTAIN = 512
"""Bits that tell two logits apart; that roots of roots are equal is not recognised."""


def network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def normalised(name: str, epsilon: str, *before: str) -> Construction:
    return transformed(construction_of(name), [*before, epsilon])


def words(construction: Construction, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        yield from map("".join, product(construction.language.alphabet, repeat=length))


def valued(construction: Construction, longest: int) -> Iterator[tuple[str, dict[str, Real]]]:
    for word in words(construction, longest):
        yield word, parameter_values(construction)


def wrong(derived: Derivation, longest: int) -> list[str]:
    """The words on which the derived logit is not the exact one; epsilon is 1/7 where it is a parameter."""
    of = derived.construction
    given = {"epsilon": "1/7"} if "epsilon" in (parameter.name for parameter in of.parameters) else {}
    values = parameter_values(of, given)
    return [
        word
        for word in words(of, longest)
        if _differ(evaluate_logit(derived, add_markers(network(of), word), values), run(of, word, given).logit)
    ]


def _differ(left: Real, right: Real) -> bool:
    try:
        return sign(left - right, CERTAIN) != 0
    except Undecided:
        return False

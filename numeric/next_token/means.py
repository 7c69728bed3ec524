"""Which outputs keep their order whatever a head averages: where its scores are far apart rounding may change weights
by any factor, but what it computes is still a mean of its values, up to the roundings of the mean itself.

No power of e is negative, and that of the greatest score is 1. Their sum is off by a relative gamma(n - 1), each
quotient by one more rounding, or two with a reciprocal, each product by one, and their sum by gamma(n - 1) again:
together by at most gamma(2n + 2) of the greatest size of a value; as a quotient of two sums by no more. Each weight and
each product may lose the least number of the format, besides.
"""

from __future__ import annotations

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Names
from weightproof.constructions.meaning.schema import Encoder
from weightproof.numeric.certificate.bound import PRECISION, BallPass
from weightproof.numeric.rounding.formats import Format
from weightproof.numeric.rounding.model import RoundingModel, hull, largest

PARTS = 64
"""Into which the means are divided: what several outputs read is then the same number, up to the width of a part."""


def kept(construction: Construction, names: Names, format: Format, n: int) -> set[tuple[str, str]]:
    """Pairs of outputs of which the first is computed as greater than the second, of one run of words of up to n
    positions, in any order of sums, for a network with one head of one row and nothing behind it (`leads`); none for
    others."""
    network = construction.network
    assert isinstance(network, Encoder)
    [layer] = network.layers
    [head] = layer.heads
    roundings = (2 * n + 2) * arb(fmpq(1, format.unit_roundoff.denominator))
    if len(head.W_V) != 1 or not roundings < fmpq(1, 2):
        return set()
    tokens = (*construction.language.alphabet, *(token for token in (network.begin, network.end) if token is not None))
    before, ctx.prec = ctx.prec, PRECISION
    try:
        given = BallPass(RoundingModel(format), {**names, "d": fmpq(len(network.coordinates))})
        vectors = [given.embed(network, token, 0) for token in tokens]
        [name] = head.W_V
        values = [value[name] for value in given.rows(head.W_V, vectors)]
        size = largest([abs(value).upper() for value in values])
        least = arb(fmpq(1, format.smallest.denominator))
        off = roundings / (1 - roundings) * size + n * least * (2 + size) * 2
        means = hull(values) + arb(0, 1) * off
        low, high = means.lower(), means.upper()
        result: set[tuple[str, str]] | None = None
        for part in range(PARTS):
            mean = (low + (high - low) * part / PARTS).union(low + (high - low) * (part + 1) / PARTS)
            added = {name: mean} if head.W_O is None else given.rows(head.W_O, [{name: mean}])[0]
            rest = vectors[-1] if layer.attention_residual else {}
            vector = {each: given.sum([x[each] for x in (rest, added) if each in x]) for each in network.coordinates}
            [found] = given.linear(network.readout.W, [vector])
            above = {(r, o) for r in found for o in found if found[r] > found[o]}
            result = above if result is None else result & above
        return result or set()
    finally:
        ctx.prec = before

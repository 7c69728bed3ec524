"""A modulus up to which no arithmetic of a format takes another output for the greatest: a running error analysis of
the network whose numbers are names, against the least difference of outputs; that and what coordinates come to is
proved elsewhere, and taken from there.

Every quantity is known by a size, which no residue and no frequency exceeds, and by how far what is computed may be off
from the exact one. What is assumed of a format is in `rounding.model`: sums are taken in any order, and so are means.
An entry is a rational number, or at most as large as with 1 in the place of each cosine and sine; x cos(t) + y sin(t)
is at most the root of x^2 + y^2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.schema import Encoder, Linear, Rows
from weightproof.constructions.modular.addition import OUTPUT, SUMMANDS
from weightproof.constructions.modular.family import LARGEST_MODULUS, Family
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric import BOUND
from weightproof.numeric.rounding.formats import FORMATS, Format, fraction, lowest_bit, nearest
from weightproof.numeric.rounding.model import off as distance

BITS = 128
"""Of the balls in which errors are added up."""
Wave = tuple[str, str]
"""A token, and the argument of its cosine and sine."""


@dataclass(frozen=True)
class Bound:
    """size: at least the exact number's; off: at least the distance to what is computed. factor: the number itself,
    where it is 1, -1 or another power of two, that is stored as it is. waves: coefficients of cosine and sine, where it
    is a sum of waves of embeddings."""

    size: arb
    off: arb
    factor: fmpq | None = None
    exact: fmpq | None = None
    waves: Mapping[Wave, tuple[fmpq, fmpq]] | None = field(default=None, hash=False)

    @property
    def most(self) -> arb:
        """The size of what is computed, at most."""
        return (self.size + self.off).upper()


NOTHING = Bound(arb(0), arb(0))
Vector = Mapping[str, Bound]


class NotBounded(Exception):
    """A part of a network that this analysis does not know; says which."""


@dataclass(frozen=True)
class Analysis:
    format: Format

    def entry(self, weight: Expression, token: str = "") -> Bound:
        """token: whose embedding it is in."""
        if not weight.names and isinstance(value := evaluate(weight, {}), fmpq):
            exact = fraction(value)
            off = abs(Fraction(nearest(exact, self.format)) - exact)
            power = off == 0 and lowest_bit(exact) == abs(exact)
            off_ball = arb(fmpq(off.numerator, off.denominator)).upper()
            return Bound(abs(arb(value)).upper(), off_ball, value if power else None, value)
        size = abs(_size(weight)).upper()
        found = _wave(weight)
        waves = None if found is None else {(token, found[1]): found[0]}
        return Bound(size, distance(size, self.format), waves=waves)

    def product(self, left: Bound, right: Bound) -> Bound:
        """left: the weight."""
        size = (left.size * right.size).upper()
        off = left.size * right.off + left.off * right.size + left.off * right.off
        rounding = distance(size + off, self.format)
        if left.factor is not None:
            rounding = arb(0) if abs(left.factor) == 1 else _smallest(self.format)
        waves = right.waves
        if waves is not None and left.exact is not None:
            w = left.exact
            return _of_waves({place: (w * x, w * y) for place, (x, y) in waves.items()}, (off + rounding).upper())
        return Bound(size, (off + rounding).upper())

    def total(self, terms: Sequence[Bound]) -> Bound:
        """The sum of terms in any order; what is exactly 0 adds nothing."""
        added = [term for term in terms if term is not NOTHING]
        if len(added) < 2:
            return added[0] if added else NOTHING
        off = _sum(term.off for term in added) + self.sum_error([term.most for term in added])
        return _added(added, off.upper())

    def sum_error(self, sizes: Sequence[arb]) -> arb:
        """How far a sum in any order may be off: as where the largest come first, see `rounding.model`."""
        first, *others = sorted(sizes, key=lambda size: -float(size.mid()))
        reach, error = first, arb(0)
        for size in others:
            reach += size
            error += distance((reach + error).upper(), self.format)
        return error.upper()

    def mean(self, values: Sequence[Bound]) -> Bound:
        """The mean over all positions alike, whose scores are 0 and their powers 1: as the sum of products with a
        weight, or as a sum that is divided."""
        known = [value for value in values if value is not NOTHING]
        if not known:
            return NOTHING
        share = arb(fmpq(1, len(values)))
        lost = distance(share.upper(), self.format)
        products = [distance(((share + lost) * value.most).upper(), self.format) for value in known]
        terms = [((share + lost) * value.most + off).upper() for value, off in zip(known, products, strict=True)]
        weighted = _sum((*products, *(lost * value.most for value in known), self.sum_error(terms)))
        inner = self.sum_error([value.most for value in known])
        whole = (_sum(value.most for value in known) + inner) * share
        divided = (inner * share + distance(whole.upper(), self.format)).upper()
        scaled = [_scaled(value, fmpq(1, len(values))) for value in known]
        return _added(scaled, (_sum(value.off for value in scaled) + weighted.max(divided)).upper())

    def rows(self, rows: Rows, vector: Vector) -> dict[str, Bound]:
        return {
            row: self.total([self.product(self.entry(w), vector[c]) for c, w in columns.items() if c in vector])
            for row, columns in rows.items()
        }

    def linear(self, linear: Linear, vector: Vector) -> dict[str, Bound]:
        made = self.rows(linear.weights, vector)
        for row, weight in linear.bias.items():
            made[row] = self.total([made.get(row, NOTHING), self.entry(weight)])
        return made


def _of_waves(waves: Mapping[Wave, tuple[fmpq, fmpq]], off: arb) -> Bound:
    size = _sum(arb(x * x + y * y).sqrt() for x, y in waves.values())
    return Bound(size, off, waves=waves)


def _added(terms: Sequence[Bound], off: arb) -> Bound:
    """A sum with a smaller size than that of its terms, where it is one of waves."""
    if any(term.waves is None for term in terms):
        return Bound(_sum(term.size for term in terms), off)
    waves: dict[Wave, tuple[fmpq, fmpq]] = {}
    for term in terms:
        for place, (x, y) in (term.waves or {}).items():
            before = waves.get(place, (fmpq(0), fmpq(0)))
            waves[place] = before[0] + x, before[1] + y
    return _of_waves(waves, off)


def _scaled(value: Bound, by: fmpq) -> Bound:
    """An exact multiple, not rounded."""
    waves = value.waves
    scaled = None if waves is None else {place: (x * by, y * by) for place, (x, y) in waves.items()}
    return Bound((value.size * arb(by)).upper(), (value.off * arb(by)).upper(), waves=scaled)


def _smallest(format: Format) -> arb:
    """What a product with a power of two may be off, where it is subnormal."""
    return arb(fmpq(format.smallest.numerator, format.smallest.denominator))


def _sum(parts: Iterable[arb]) -> arb:
    return sum(parts, arb(0)).upper()


def _wave(weight: Expression) -> tuple[tuple[fmpq, fmpq], str] | None:
    """(1, 0) for a cosine and (0, 1) for a sine alone, with the argument."""
    match weight.tree:
        case ast.Call(func=ast.Name(id="cos" | "sin" as function), args=[argument]):
            pair = (fmpq(1), fmpq(0)) if function == "cos" else (fmpq(0), fmpq(1))
            return pair, ast.unparse(argument)
    return None


def _size(weight: Expression) -> arb:
    """A ball that contains an entry whatever its names are, which stand in cosines and sines alone."""

    def refused(*_: Any) -> Any:
        raise NotBounded(f"the weight {weight}")

    meaning = meaning_of_part(
        refused,
        number=arb,
        name=lambda _: arb("nan"),
        function=lambda which, _: arb(0, 1) if which in ("cospi", "sinpi") else refused(),
    )
    return fold(weight.tree, meaning)


def terms_of_output(family: Family, dtype: str, known: Mapping[str, Expression]) -> list[Bound]:
    """The products that are added up for an output of the network with one frequency; NotBounded for other parts than
    one head that looks everywhere alike and squares. known: what coordinates are that are read out."""
    network = family.network
    analysis = Analysis(FORMATS[dtype])
    last = {
        name: Bound(abs(_size(known[name])).upper(), bound.off) if name in known else bound
        for name, bound in _behind_layers(network, analysis).items()
    }
    if network.readout.W.bias:
        raise NotBounded("a bias of the readout")
    entries = network.readout.W.weights[OUTPUT].items()
    return _turned([(weight, analysis.entry(weight), last[name]) for name, weight in entries], analysis)


def _turned(terms: Sequence[tuple[Expression, Bound, Bound]], analysis: Analysis) -> list[Bound]:
    """Products with a cosine and a sine of the same argument: together, what is off in what they are taken of counts as
    the root of the squares, not as the sum."""
    products = [analysis.product(entry, value) for _, entry, value in terms]
    found = [_wave(weight) for weight, _, _ in terms]
    arguments = {wave[1] for wave in found if wave is not None}
    if None in found or len(arguments) > 1 or len(terms) != 2 or found[0] == found[1]:
        return products
    alone, together = (_sum(value.off for _, _, value in terms), _sum(value.off**2 for _, _, value in terms).sqrt())
    less = ((alone - together) / len(terms)).lower()
    return [Bound(product.size, (product.off - less).upper()) for product in products]


def _behind_layers(network: Encoder, analysis: Analysis) -> Vector:
    if network.embedding.PE or network.readout.position != "last" or len(network.layers) != 1:
        raise NotBounded("positions, or layers")
    [layer] = network.layers
    WE, marker = network.embedding.WE, network.end
    tokens = (*SUMMANDS, *(() if marker is None else (marker,)))
    vectors = [{name: analysis.entry(weight, token) for name, weight in WE[token].items()} for token in tokens]
    units = layer.feed_forward
    if len(layer.heads) != 1 or units is None or units.gate or units.activation != "square":
        raise NotBounded("a layer without one head and squares")
    [head] = layer.heads
    BOUND.require_known(head)
    if head.W_Q or head.W_O is not None or layer.attention_norm or layer.feed_forward_norm:
        raise NotBounded("a head that does not look everywhere alike, or a norm")
    values = [analysis.rows(head.W_V, vector) for vector in vectors]
    means = {name: analysis.mean([vector.get(name, NOTHING) for vector in values]) for name in head.W_V}
    middle = _together(vectors[-1] if layer.attention_residual else {}, means, analysis)
    hidden = analysis.linear(units.first, middle)
    squares = {unit: _square(x, analysis.format) for unit, x in hidden.items()}
    update = analysis.linear(units.second, squares)
    return _together(middle if layer.feed_forward_residual else {}, update, analysis)


def _square(x: Bound, format: Format) -> Bound:
    size, off = (x.size**2).upper(), 2 * x.size * x.off + x.off**2
    return Bound(size, (off + distance((size + off).upper(), format)).upper())


def _together(left: Vector, right: Vector, analysis: Analysis) -> dict[str, Bound]:
    names = dict.fromkeys((*left, *right))
    return {name: analysis.total([left.get(name, NOTHING), right.get(name, NOTHING)]) for name in names}


def off_of_output(terms: Sequence[Bound], dtype: str, times: int) -> arb:
    """How far an output may be off in which these terms are added up so many times: m terms by (m-1)u/(1-(m-1)u) of
    their sizes (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2); infinite where it may overflow.
    """
    format = FORMATS[dtype]
    m, u = len(terms) * times, arb(fmpq(1, 2**format.precision))
    size, off = (_sum(parts) * times for parts in ([t.size + t.off for t in terms], [t.off for t in terms]))
    steps = (m - 1) * u
    if not (steps < arb(fmpq(1, 2)) and 2 * size < arb(2) ** format.greatest):
        return arb("inf")
    return (off + steps / (1 - steps) * size).upper()


def certified(
    family: Family, dtype: str, gap: Expression, all_frequencies: bool, known: Mapping[str, Expression]
) -> int:
    """The greatest modulus up to which the expected output is computed as greater than all others, with any frequency
    coprime to it, or with all; 1 where there is none.

    gap: the least difference of outputs, a function of p. Per frequency it has to fall as p grows, as 1 - cos(2 pi/p)
    does, while the errors that are added up for each do not: so that what is right for a modulus is for all below.
    known: what coordinates are that are read out, functions of a, b, k and p.
    """
    with ctx.workprec(BITS):
        terms = terms_of_output(family, dtype, known)

        def is_safe(p: int) -> bool:
            off = off_of_output(terms, dtype, p - 1 if all_frequencies else 1)
            return bool(enclosure(evaluate(gap, {"p": fmpq(p)})) > 2 * off)

        safe, unsafe = 1, LARGEST_MODULUS
        while unsafe - safe > 1:
            middle = (safe + unsafe) // 2 if safe > 1 << 20 else min(2 * safe, (safe + unsafe) // 2)
            safe, unsafe = (middle, unsafe) if is_safe(middle) else (safe, middle)
        return safe

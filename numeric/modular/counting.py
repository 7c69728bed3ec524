"""Feed-forward networks that count, in floating point, and where rounding breaks them.

Bits and the number of them that are 1 are whole numbers, which a format holds up to 2^precision, in whatever order they
are added up; and so are the weights of the second layer with all their sums. What is rounded is a bias.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.modular.counting import UNIT, Counter, Units
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.model.parts import MLP, Entries
from weightproof.numeric.model.stream import Stream
from weightproof.numeric.modular.search import Found
from weightproof.numeric.rounding.arithmetic import TYPES
from weightproof.numeric.rounding.formats import FORMATS, Format, fraction, nearest

LONGEST_IN_FULL, LONGEST_RUN = 1 << 12, 1 << 25
"""Bits up to which every number of 1s is run at every length; and of the longest words that are run at all."""
LAST = 4
"""Numbers of 1s that are run of longer words, the greatest ones; and lengths behind the certified one."""


def logit(of: Counter, word: str, dtype: str, device: str) -> float:
    """The logit of one word, computed in torch."""
    entries = Entries({}, dtype, device)
    inputs = tuple(of.network.first.weights[next(iter(of.network.first.weights))])
    network = MLP(of.network, (*inputs, "logit"), entries)
    bits = torch.tensor([float(bit) for bit in word]).to(entries.device, entries.dtype)
    found = network(Stream(lambda place: bits[place].view(1, 1) if place < len(word) else None))(len(inputs))
    return 0.0 if found is None else float(found)


@dataclass(frozen=True)
class Miscounted:
    """n bits, of which k are 1; computed: the logit, on the wrong side of 0."""

    n: int
    k: int
    computed: float


class NotCertified(Exception):
    """Weights of which this is not known: says which."""


def certified(units: Units, dtype: str) -> int:
    """Bits up to which no rounding occurs at all, in any order of sums: every weight is 1 or -1, every bias a multiple
    of 1/2 of at most the size of its unit's number, and so every sum is one that is held."""
    largest = 1 << (FORMATS[dtype].precision - 1)  # below, all multiples of 1/2 are held
    for place in ("W_1", "W_2"):
        if not _is_sign(getattr(units, place).tree):
            raise NotCertified(f"the weights {place} are {getattr(units, place)}")
    for place in ("b_1", "b_2"):
        x, y = _affine(getattr(units, place))
        if any((2 * each).denominator != 1 for each in (x, y)) or not (abs(y) <= 1 and abs(x) <= 1 and x * y <= 0):
            raise NotCertified(f"the bias {place} is {getattr(units, place)}")
    return largest


def _is_sign(tree: ast.expr) -> bool:
    """Whether it is 1 or -1, whatever its names are, which are whole numbers."""
    match tree:
        case ast.Constant(value=1):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_sign(operand)
        case ast.BinOp(left=left, op=ast.Pow()):
            return _is_sign(left)
    return False


Affine = tuple[Fraction, Fraction]


def _affine(bias: Expression) -> Affine:
    """(x, y) where it is x + y j; NotCertified where it is no sum of those."""

    def of(tree: ast.expr) -> Affine:
        match tree:
            case ast.Constant(value=int(number)):
                return Fraction(number), Fraction(0)
            case ast.Name(id=name) if name == UNIT:
                return Fraction(0), Fraction(1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                x, y = of(operand)
                return -x, -y
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                (x, y), (z, w) = of(left), of(right)
                return (x + z, y + w) if isinstance(op, ast.Add) else (x - z, y - w)
            case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=int(number))) if number:
                x, y = of(left)
                return x / number, y / number
        raise NotCertified(f"the bias is {bias}")

    return of(bias.tree)


def _value(weight: Expression, j: int) -> Fraction:
    return fraction(evaluate(weight, {name: fmpq(j) if name == UNIT else fmpq(1) for name in weight.names}))


def search(units: Units, dtype: str, longest: int) -> Found[Miscounted]:
    """The shortest word found that strict arithmetic, sums from left to right, miscounts; words with their 1s in front,
    as only their number counts."""
    format, safe = FORMATS[dtype], certified(units, dtype)
    most = min(longest, LONGEST_IN_FULL)
    found = next(_every(units, format, most), None)
    if found is not None or most == longest:
        return Found(found, most if found is None else found.n, most if found is None else found.n)
    looked = most
    for n in range(safe + 1, min(longest, safe + LAST) + 1):
        if n > LONGEST_RUN:
            break
        looked = n
        for k in range(n, n - LAST, -1):
            computed = logit_in_order(units, format, n, k)
            if (computed > 0) != (k % 2 == 1):
                return Found(Miscounted(n, k, computed), most, n)
    return Found(None, most, looked)


def _every(units: Units, format: Format, longest: int) -> Iterator[Miscounted]:
    """All that are miscounted, the shortest first: every number k of 1s at once, one unit after the other."""
    kind = TYPES[format.name]
    k = np.arange(longest + 1).astype(kind)
    total = np.zeros(longest + 1, dtype=kind)
    last = kind(nearest(_value(units.b_2, 1), format))
    for n in range(1, longest + 1):
        bias, weight = (kind(nearest(_value(each, n), format)) for each in (units.b_1, units.W_2))
        total = total + weight * (k + bias > 0).astype(kind)
        computed = (total + last)[: n + 1]
        wrong = (computed > 0) != (np.arange(n + 1) % 2 == 1)
        if wrong.any():
            at = int(wrong.argmax())
            yield Miscounted(n, at, float(computed[at]))


def logit_in_order(units: Units, format: Format, n: int, k: int) -> float:
    """The logit of one word with k ones in front, summed from left to right; k is held, and its sum exact, as it is at
    most 2^precision. InputError for more, and for words of none or of more than LONGEST_RUN bits."""
    kind = TYPES[format.name]
    if not 1 <= n <= LONGEST_RUN:
        raise InputError(f"a word of {n} bits is not run; give 1 to {LONGEST_RUN}")
    if k > 1 << format.precision:
        raise InputError(f"{k} ones are more than {format.name} counts; give {1 << format.precision} or less")
    x, step = _affine(units.b_1)
    first = x + step
    biases = (float(first) + float(step) * np.arange(n, dtype=np.float64)).astype(kind)  # exact before it is rounded
    signs = np.where(np.arange(n) % 2 == 0, *(float(_value(units.W_2, j)) for j in (1, 2))).astype(kind)
    terms = signs * (kind(k) + biases > 0).astype(kind)
    total = np.add.accumulate(terms)[-1]
    return float(total + kind(nearest(_value(units.b_2, 1), format)))

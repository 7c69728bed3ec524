"""Feed-forward networks of two layers of threshold units, one network for each length n of a word of bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Vector, activated, apply_linear
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression, exact
from weightproof.constructions.scalars.frozen import Checked, Written
from weightproof.constructions.scalars.values import evaluate, exactly

BITS = ("0", "1")
INPUT, UNIT = "i", "j"
"""The number of an input, and that of a unit, in the weights; both count from 1."""
MOST_BITS = 300
"""Bits of a word; the network has the square of that many weights."""


@dataclass(frozen=True)
class Units(Checked):
    """A network for every n, its weights functions of the input i and the unit j, both from 1 to n.

    The input x_i is 1 where bit i is 1, else 0; unit j is the step function of the sum of W_1 x_i, and b_1; y that of
    the sum of W_2 times the units, and b_2. The step function is 1 above 0, and 0 elsewhere.
    """

    name: str
    title: str
    source: str
    W_1: Written[Expression] = Written(exact)
    b_1: Written[Expression] = Written(exact)
    W_2: Written[Expression] = Written(exact)
    b_2: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Counter:
    """That of one length, as parts of the schema; "logit" is what y is the step function of."""

    name: str
    n: int
    network: FeedForward


def counter(units: Units, n: int) -> Counter:
    """InputError for n < 1 and n > MOST_BITS."""
    if not 1 <= n <= MOST_BITS:
        raise InputError(f"{units.name}: n = {n} is not from 1 to {MOST_BITS}")
    numbers = range(1, n + 1)

    def value(weight: Expression, **at: int) -> str:
        return str(evaluate(weight, {name: fmpq(at[name]) for name in weight.names}))

    first = Linear(
        {f"h{j}": {f"x{i}": value(units.W_1, i=i, j=j) for i in numbers} for j in numbers},
        {f"h{j}": value(units.b_1, j=j) for j in numbers},
    )
    second = Linear({"logit": {f"h{j}": value(units.W_2, j=j) for j in numbers}}, {"logit": value(units.b_2)})
    return Counter(units.name, n, FeedForward(first, second, "step"))


@dataclass(frozen=True)
class Counted:
    """A run: inputs, units, and y; logit is what y is the step function of."""

    inputs: Vector
    units: Vector
    logit: fmpq
    y: int


def count(of: Counter, word: Sequence[str]) -> Counted:
    """Exactly; InputError for a word that is not n bits."""
    for index, bit in enumerate(word):
        if bit not in BITS:
            raise InputError(f"{of.name}: symbol {bit!r} at index {index} of the word is no bit: write 0 and 1")
    if len(word) != of.n:
        raise InputError(f"{of.name}: a word of {len(word)} bits, but n = {of.n}: give {of.n} bits")
    inputs: Vector = {f"x{i}": fmpq(int(bit == "1")) for i, bit in enumerate(word, start=1)}
    scalars = exactly({})
    [sums] = apply_linear(of.network.first, [inputs], scalars)
    units = activated(of.network.activation, sums)
    [outputs] = apply_linear(of.network.second, [units], scalars)
    return Counted(inputs, units, outputs["logit"], int(sign(outputs["logit"]) > 0))


def odd(word: Sequence[str]) -> int:
    """1 where the number of its 1s is odd, else 0."""
    return sum(bit == "1" for bit in word) % 2

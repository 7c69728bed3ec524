"""Two arithmetics for one forward pass: rounded after each operation, and exact.

Arrays carry their arithmetic with them. A format's own numpy type rounds every +, -, *, / and square root correctly:
float64 and float32 natively, float16 and bfloat16 because they are computed in float32 and rounded again, and
24 >= 2p + 2 makes that the same as rounding once (Figueroa 1995). Arrays of Python objects hold exact reals.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Protocol

import ml_dtypes
import numpy as np
from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.scalars.exact import Real, erf, exp, sign, sqrt, tanh
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.rounding.formats import Format, nearest_enclosed, over_positions, rounded
from weightproof.numeric.rounding.repeated import repeated

Array = np.ndarray
TYPES: dict[str, Any] = {
    "float64": np.float64,
    "float32": np.float32,
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
}

LONGEST_KEPT = 1 << 22
"""Positions up to which a position encoding is kept for the next words of the length."""
SEEN, FEW = 1 << 10, 4
"""Scores that are looked at first, and how many different ones are compared with all one after the other."""


class Arithmetic(Protocol):
    """What a forward pass needs besides the arithmetic of its arrays."""

    def entry(self, scalar: Expression, names: Environment) -> Any:
        """The value of a weight."""

    def positions(self, scalar: Expression, names: Environment, start: int, stop: int) -> Array:
        """The values of a function of i at the positions from start to stop; n is among the names."""

    def zeros(self, shape: tuple[int, ...]) -> Array: ...

    def exp(self, x: Array) -> Array:
        """e^x for x <= 0."""

    def sqrt(self, x: Array) -> Array: ...

    def tanh(self, x: Array) -> Array: ...

    def erf(self, x: Array) -> Array: ...

    def constant(self, value: Real) -> Any:
        """A number that no weight is."""

    def positive(self, x: Array) -> Array:
        """Whether x > 0, where it is a number."""

    def greatest(self, x: Array) -> Array:
        """The greatest along each row, shape [rows, 1]."""

    def repeated(self, total: Array, term: Array, times: int) -> Array:
        """total + term + ... + term, from left to right."""


class Rounded:
    """Every operation rounded to nearest in one format, exponentials too; for one value of every name but n."""

    def __init__(self, format: Format) -> None:
        self.format, self.type = format, TYPES[format.name]
        self._entries: dict[tuple[str, tuple[Real, ...]], Any] = {}
        self._length: Real | None = None
        self._positions: dict[str, Array] = {}  # of words of that length
        self._exponential = functools.cache(functools.partial(exponential, format=format))

    def entry(self, scalar: Expression, names: Environment) -> Any:
        known = scalar.source, tuple(names[each] for each in ("i", "j", "n") if each in scalar.names)
        if known not in self._entries:
            self._entries[known] = self.constant(evaluate(scalar, names))
        return self._entries[known]

    def positions(self, scalar: Expression, names: Environment, start: int, stop: int) -> Array:
        n = names["n"]
        assert isinstance(n, fmpq)
        if n > LONGEST_KEPT:
            return over_positions(scalar, names, int(n.p), self.format, start=start, stop=stop).astype(self.type)
        if self._length != n:
            self._length, self._positions = n, {}
        if scalar.source not in self._positions:
            self._positions[scalar.source] = over_positions(scalar, names, int(n.p), self.format).astype(self.type)
        return self._positions[scalar.source][start:stop]

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return np.zeros(shape, dtype=self.type)

    def exp(self, x: Array) -> Array:
        if not x.any():
            return np.ones_like(x)
        distinct = np.unique(x[:1].flat[:SEEN])  # the first scores of one word are mostly those of all
        if len(distinct) > FEW:
            distinct = np.unique(x[:1])
            which = np.minimum(np.searchsorted(distinct, x), len(distinct) - 1)
            if (distinct[which] == x).all():
                return self._exponentials(distinct)[which]
        else:
            result, known = np.empty_like(x), np.zeros(x.shape, dtype=bool)
            for value, power in zip(distinct, self._exponentials(distinct), strict=True):
                here = x == value
                np.copyto(result, power, where=here)
                known |= here
            if known.all():
                return result
        distinct, which = np.unique(x, return_inverse=True)
        return self._exponentials(distinct)[which].reshape(x.shape)

    def _exponentials(self, x: Array) -> Array:
        return np.array([self._exponential(float(value)) for value in x]).astype(self.type)

    def sqrt(self, x: Array) -> Array:
        return np.sqrt(x)

    def tanh(self, x: Array) -> Array:
        return self._of_distinct(arb.tanh, x)

    def erf(self, x: Array) -> Array:
        return self._of_distinct(arb.erf, x)

    def _of_distinct(self, function: Callable[[arb], arb], x: Array) -> Array:
        distinct, which = np.unique(x, return_inverse=True)
        values = [correctly_rounded(function, float(value), self.format) for value in distinct]
        return np.array(values).astype(self.type)[which].reshape(x.shape)

    def constant(self, value: Real) -> Any:
        return self.type(rounded(value, self.format))

    def positive(self, x: Array) -> Array:
        return x > 0

    def greatest(self, x: Array) -> Array:
        return x.max(1, keepdims=True)

    def repeated(self, total: Array, term: Array, times: int) -> Array:
        return repeated(total, term, np.full(total.shape, times), self.format)


class Exact:
    """No rounding at all: arrays of exact reals."""

    def entry(self, scalar: Expression, names: Environment) -> Real:
        return evaluate(scalar, names)

    def positions(self, scalar: Expression, names: Environment, start: int, stop: int) -> Array:
        result = np.empty(stop - start, dtype=object)
        result[:] = [evaluate(scalar, {**names, "i": fmpq(i)}) for i in range(start, stop)]
        return result

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return np.full(shape, fmpq(0), dtype=object)

    def exp(self, x: Array) -> Array:
        return _each(functools.cache(exp), x, object)

    def sqrt(self, x: Array) -> Array:
        return _each(sqrt, x, object)

    def tanh(self, x: Array) -> Array:
        return _each(tanh, x, object)

    def erf(self, x: Array) -> Array:
        return _each(erf, x, object)

    def constant(self, value: Real) -> Real:
        return value

    def positive(self, x: Array) -> Array:
        return _each(lambda value: sign(value) > 0, x, bool)

    def greatest(self, x: Array) -> Array:
        rows = [functools.reduce(lambda a, b: b if a != b and sign(b - a) > 0 else a, row) for row in x]
        result = np.empty((len(rows), 1), dtype=object)
        result[:, 0] = rows
        return result

    def repeated(self, total: Array, term: Array, times: int) -> Array:
        return total + term * fmpq(times)


def _each(function: Any, x: Array, kind: type) -> Array:
    result: Array = np.empty(x.size, dtype=kind)
    result[:] = [function(value) for value in x.ravel()]
    return result.reshape(x.shape)


def exponential(x: float, format: Format) -> float:
    """e^x for x <= 0, correctly rounded."""
    if x == 0 or x != x:
        return 1.0 if x == 0 else x
    if x < -2000:  # below half the least positive number of every format
        return 0.0
    return correctly_rounded(arb.exp, x, format)


def correctly_rounded(function: Callable[[arb], arb], x: float, format: Format) -> float:
    """The value of a function there; at infinity and at no number, where tanh and erf are asked, their limits and x."""
    if not math.isfinite(x):
        return x if math.isnan(x) else math.copysign(1, x)

    def enclosed(bits: int) -> arb:
        with ctx.workprec(bits):
            return function(arb(x))

    found = nearest_enclosed(enclosed, format)
    if found is None:
        raise ArithmeticError(f"{function.__name__}({x}) lies too close to the middle of two {format.name} numbers")
    return found

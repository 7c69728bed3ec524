"""The activations of hidden units, one operation after the other, each as the arithmetic rounds it."""

from __future__ import annotations

import numpy as np

from weightproof.constructions.meaning.interpreter import CUBIC, ROOT_2, ROOT_2_OVER_PI
from weightproof.constructions.meaning.schema import Activation
from weightproof.numeric import STRICT
from weightproof.numeric.rounding.arithmetic import Arithmetic, Array


def activated(activation: Activation, x: Array, arithmetic: Arithmetic) -> Array:
    """The activation of each number."""
    zero = arithmetic.zeros((1,) * x.ndim)
    one = arithmetic.exp(zero)
    match activation:
        case "relu":
            return np.where(arithmetic.positive(-x), zero, x)
        case "saturated-linear":
            below = np.where(arithmetic.positive(-x), zero, x)
            return np.where(arithmetic.positive(x - one), one, below)
        case "step":
            return np.where(arithmetic.positive(x), one, zero)
        case "square":
            return x * x
        case "identity":
            return x
        case "abs":
            return np.where(arithmetic.positive(-x), -x, x)
        case "tanh":
            return arithmetic.tanh(x)
        case "sigmoid":
            return _sigmoid(x, one, arithmetic)
        case "silu":
            return x * _sigmoid(x, one, arithmetic)
        case "gelu":
            return x * (one + arithmetic.erf(x / arithmetic.constant(ROOT_2))) / (one + one)
        case "gelu-tanh":
            cubic = x + x * x * x * arithmetic.constant(CUBIC)
            return x * (one + arithmetic.tanh(cubic * arithmetic.constant(ROOT_2_OVER_PI))) / (one + one)
    STRICT.refuse("activation", activation)


def _sigmoid(x: Array, one: Array, arithmetic: Arithmetic) -> Array:
    """1/(1 + e^-x), of x < 0 as e^x/(1 + e^x), so that no power is greater than 1."""
    below = arithmetic.positive(-x)
    power = arithmetic.exp(np.where(below, x, -x))
    return np.where(below, power, one) / (one + power)

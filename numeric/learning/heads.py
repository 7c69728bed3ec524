"""What heads are worth, of which half are dropped: Fraknoi (2024), sections 5.4 and 5.5.

A set of heads is worth the share of words that a line through what they find separates: the line is learned on words of
training (definition 5.2), and judged here on those of validation. Definition 5.2 judges it on the words of the test,
which must not choose what is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import factorial

import numpy as np

from weightproof.constructions.meaning.schema import known
from weightproof.numeric.learning.architecture import TRAINING
from weightproof.numeric.learning.experiment import Rule

PENALTY = 1000
"""C of section 5.4."""
STEPS = 200
"""Of Newton's method, far more than it takes."""
FLAT = 1e-9
"""A gradient below this, in units of C, is 0."""
Found = tuple[np.ndarray, np.ndarray]
"""What heads find for words, [words, heads, carried], and on which side these are to be, 1 or -1, [words]."""
Value = Callable[[tuple[int, ...]], float]
"""Of a set of heads."""


def line(points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """The weights and, behind them, the bias with the least |w|^2 + C mean(max(0, 1 - side (w x + b))^2), [columns +
    1], of points [words, columns]: section 5.4 says that the hinge loss is squared, where its formula has no square.

    Newton's method with halved steps: the function is quadratic where the words within the margin stay the same, so
    that it ends after finitely many (Mangasarian, A finite Newton method for classification, 2002).
    """
    x = np.column_stack([points, np.ones(len(points))])
    u, penalised = np.zeros(x.shape[1]), np.r_[np.ones(points.shape[1]), 0.0]
    share = PENALTY / len(points)

    def value(u: np.ndarray) -> float:
        return float(penalised @ (u * u) + share * np.square(np.maximum(0, 1 - sides * (x @ u))).sum())

    for _ in range(STEPS):
        slack = 1 - sides * (x @ u)
        inside = slack > 0
        gradient = 2 * penalised * u - 2 * share * (x[inside].T @ (sides[inside] * slack[inside]))
        if np.abs(gradient).max() < FLAT * PENALTY:
            break
        curvature = 2 * np.diag(penalised) + 2 * share * (x[inside].T @ x[inside])
        direction = np.linalg.lstsq(curvature, -gradient, rcond=None)[0]
        size, here, slope = 1.0, value(u), gradient @ direction
        while value(u + size * direction) > here + 1e-4 * size * slope and size > 1e-10:
            size /= 2
        u = u + size * direction
    return u


def separation(training: Found, validation: Found) -> Value:
    """What a set of heads is worth; nothing, if there is none in it."""

    def of(heads: tuple[int, ...]) -> float:
        if not heads:
            return 0.0
        learned, judged = (found[:, heads].reshape(len(found), -1) for found, _ in (training, validation))
        u = line(learned, training[1])
        return float(np.mean((judged @ u[:-1] + u[-1] >= 0) == (validation[1] > 0)))

    return of


def alone(heads: Sequence[int], value: Value) -> dict[int, float]:
    """Of each head by itself."""
    return {head: value((head,)) for head in heads}


def shapley(heads: Sequence[int], value: Value) -> dict[int, float]:
    """Of each head its Shapley value: definition 5.3."""
    sets = {chosen: value(chosen) for size in range(len(heads) + 1) for chosen in combinations(heads, size)}
    n = len(heads)

    def share(head: int, others: tuple[int, ...]) -> float:
        weight = factorial(len(others)) * factorial(n - len(others) - 1) / factorial(n)
        return weight * (sets[tuple(sorted((*others, head)))] - sets[others])

    return {head: sum(share(head, others) for others in sets if head not in others) for head in heads}


RULES: Mapping[str, Callable[[Sequence[int], Value], dict[int, float]]] = {"separation": alone, "Shapley": shapley}


def kept(rule: Rule, heads: Sequence[int], training: Found, validation: Found) -> list[int]:
    """The better half of heads, rounded up, in their order; of those that are worth the same, the later ones."""
    worth = known(TRAINING, "rule for dropping heads", rule, RULES)(sorted(heads), separation(training, validation))
    dropped = sorted(sorted(heads), key=worth.__getitem__)[: len(heads) // 2]
    return [head for head in sorted(heads) if head not in dropped]

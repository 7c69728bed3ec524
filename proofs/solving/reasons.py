"""Why an obligation holds, as exact arithmetic shows it: all that a reader needs to check it again by hand."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.proofs.solving.logic import Formula, Rel
from weightproof.proofs.solving.products import SumOfProducts
from weightproof.symbolic.algebra.certificates import Certificate


@dataclass(frozen=True)
class Evident:
    """The goal is true as it stands."""


@dataclass(frozen=True)
class Impossible:
    """No integers satisfy the linear hypotheses, as elimination shows."""


@dataclass(frozen=True)
class Linear:
    """The goal follows from the linear hypotheses by elimination, its atoms being integers."""


@dataclass(frozen=True)
class FromHypothesis:
    """p * goal - q * known is not negative, nor 0 where the goal is strict and what is known is not; p > 0, and
    q >= 0 but for an equation."""

    known: Rel
    p: sympy.Expr
    q: sympy.Expr
    certificate: Certificate


@dataclass(frozen=True)
class SameSign:
    """The goal has the sign of another relation, which is shown for a reason: of its product with its conjugate, which
    has no root; or of x - 1 for log x, where that has a value."""

    other: Rel
    reason: Reason


@dataclass(frozen=True)
class Absolute:
    """|x|, which is `size`, is the value that is known not to be negative, for the reason `why`; the goal with it is
    shown for a reason."""

    size: sympy.Expr
    known: Rel
    why: Reason
    without: Rel
    reason: Reason


@dataclass(frozen=True)
class Each:
    """All parts of the goal hold, each for a reason."""

    parts: tuple[tuple[Formula, Reason], ...]


@dataclass(frozen=True)
class OneOf:
    """One part of the goal holds, for a reason, and one is enough."""

    part: Formula
    reason: Reason


@dataclass(frozen=True)
class Absurd:
    """Where no part of the goal holds, 0 > 0 follows. denied: that none of them holds."""

    denied: tuple[Rel, ...]
    reason: SumOfProducts


Reason = (
    Evident
    | Impossible
    | Linear
    | Certificate
    | FromHypothesis
    | SumOfProducts
    | SameSign
    | Absolute
    | Each
    | OneOf
    | Absurd
)

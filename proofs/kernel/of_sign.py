"""A logit that is a number times the sign of a value, in Coq, as a last norm without epsilon leaves it."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.proofs.kernel.terms import ATOM, Terms, scale_name
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.strategies.signs import value_and_size
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation


@dataclass(frozen=True)
class OfSign:
    """The logit is size * (scale * value / root), the scale being 1 over the root of ratio * value^2, and ratio 1 over
    the square of `root`: where the value is not 0, what is in brackets is 1 or -1."""

    scale: sympy.Expr
    value: Iverson
    ratio: sympy.Expr
    size: sympy.Expr

    @property
    def name(self) -> str:
        """What the scale is called in Coq."""
        return scale_name(self.scale)

    @property
    def there(self) -> str:
        """What it is called in Coq that the value is not 0."""
        return f"{self.name}there"

    def square(self, terms: Terms, value: str) -> str:
        """1 over the square of the scale; value: its text."""
        return f"{terms.real(self.ratio, ATOM)} * {value} ^ 2"

    def logit(self, terms: Terms, value: str) -> str:
        """As the scale and the text of the value make it."""
        root = f"sqrt {terms.real(1 / self.ratio, ATOM)}"
        return f"{terms.real(self.size, ATOM)} * ({self.name} * {value} / {root})"


def of_sign(derivation: Derivation) -> OfSign | None:
    """None where every norm has a value on all words; Unwritten where the logit is not of one sign."""
    if not derivation.nonzero:
        return None
    if len(derivation.nonzero) > 1:
        raise Unwritten("several norms that may have no value")
    [(scale, row)] = derivation.nonzero.items()
    if len(row.values) > 1:
        raise Unwritten("a norm that may have no value, of a row with more than one value")
    try:
        value, size = value_and_size(derivation, scale, row)
    except Underivable as error:
        raise Unwritten(str(error)) from error
    return OfSign(scale, value, row.ratio, size)

"""What a theorem is: a statement about one construction, as data; its strategy is chosen by its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from constructions.expressions import Expression, expression
from constructions.schema import Claim


@dataclass(frozen=True)
class Decides:
    """For every word and all parameters with `given`: the network accepts exactly where `accepts` is true.

    accepts: a formula in the vocabulary of `constructions.expressions`; None is the language's characterisation.
    given: a hypothesis on n, counts, tokens and parameters.
    invariant: for a proof by induction over positions, what holds after position j of n: a formula over j, prefix
    counts, the explicit sums S1, S2, ... of the derivation so far, S1_next, the absolute value of what position j+1
    adds to S1 where it adds anything, and so_far, whether the quantified part of `accepts` has held at all positions
    up to j.
    Without one the proof is direct, by cases.
    up_to: if set, only n <= up_to is claimed and checked, every count for itself: a bounded check, named as such.
    """

    name: str
    statement: str
    accepts: Expression | None
    given: Expression
    invariant: Expression | None
    up_to: int | None
    expected: Literal["proved", "refuted"]

    def __init__(
        self,
        name: str,
        statement: str,
        accepts: object | None = None,
        given: object = "n >= 1",
        invariant: object | None = None,
        up_to: int | None = None,
        expected: Literal["proved", "refuted"] = "proved",
    ) -> None:
        for field, value in (
            ("name", name),
            ("statement", statement),
            ("accepts", None if accepts is None else expression(accepts)),
            ("given", expression(given)),
            ("invariant", None if invariant is None else expression(invariant)),
            ("up_to", up_to),
            ("expected", expected),
        ):
            object.__setattr__(self, field, value)


@dataclass(frozen=True)
class ClosedForm:
    """The derived value of the claim's quantity equals the claimed formula, for all words of its case."""

    claim: Claim
    expected: Literal["proved", "refuted"] = "proved"

    @property
    def name(self) -> str:
        return f"{self.claim.quantity}, {self.claim.place}"

    @property
    def statement(self) -> str:
        case = "" if self.claim.when.source == "n >= 1" else f" if {self.claim.when}"
        at = ", ".join(f"{name} = {value}" for name, value in self.claim.at.items())
        return f"{self.claim.quantity} = {self.claim.value}{case}" + (f" at {at}" if at else "")


Theorem = Decides | ClosedForm

"""What a theorem about predicted tokens is taken apart into: statements about one output less another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import alike
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.theorem import EVERYTHING, Compares, Op, Predicts


@dataclass(frozen=True)
class Part:
    """On some of the words after which `token` is right its output is greater than that of each of `others`, or, where
    it is not `predicted`, at most that of one of them."""

    token: str
    predicted: bool
    others: tuple[str, ...]
    on: Expression
    given: Expression

    def compares(self, other: str) -> Compares:
        op: Op = ">" if self.predicted else "<="
        name = f"{self.token!r} {'' if self.predicted else 'not '}over {other!r}"
        return Compares(op, 0, self.on, given=self.given, name=name)


def parts(construction: Construction, theorem: Predicts) -> Iterator[Part]:
    """Together they are the theorem: no other words have a right token."""
    for token, right in construction.language.labels.items():
        others = rivals(construction, token)
        where = Expression(EVERYTHING) if theorem.where is None else theorem.where.get(token)
        if where is None:
            yield Part(token, False, others, right, theorem.hypothesis)
        elif where.source == EVERYTHING:
            yield Part(token, True, others, right, theorem.hypothesis)
        else:
            yield Part(token, True, others, Expression(f"({right}) and ({where})"), theorem.hypothesis)
            yield Part(token, False, others, Expression(f"({right}) and not ({where})"), theorem.hypothesis)


def rivals(construction: Construction, token: str) -> tuple[str, ...]:
    """The other outputs, of those with the same weights one, the right tokens of other words first."""
    labels = construction.language.labels
    others = (next((o for o in tokens if o != token), None) for tokens in alike(construction).values())
    return tuple(sorted((other for other in others if other is not None), key=lambda other: other not in labels))

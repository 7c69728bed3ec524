"""The choices of the schema by name, and what becomes of a name that a reading does not know: it is refused.

A reading that took an unknown name for another one would speak of another network. So whoever reads a choice does it
here, or by a `match` whose last case is `refuse`; a name that is new in the schema is refused by every reading until
that reading says what it makes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Never, NoReturn, Protocol, TypeVar

from weightproof.constructions.meaning.schema import FeedForward, UnknownChoice, known

T = TypeVar("T")
IS_CAUSAL = {"none": False, "causal": True}
IS_SOFT = {"softmax": True, "hardmax": False}
IS_LESS_SIZE = {"dot": False, "-|dot|": True}
ACCEPTS_ABOVE = {"logit > 0": True, "logit = 0": False}


class Attends(Protocol):
    """The choices of a head."""

    @property
    def mask(self) -> str: ...
    @property
    def normaliser(self) -> str: ...
    @property
    def score(self) -> str: ...


@dataclass(frozen=True)
class Choices:
    """Of one reading: what it is called where it refuses, and by which error.

    The methods that tell two names apart are for readings that know no others.
    """

    reading: str
    error: type[Exception] = UnknownChoice

    def refuse(self, choice: str, name: Never) -> NoReturn:
        """Stands behind the last case of a `match`, where type checkers see that no name is left."""
        known(self.reading, choice, name, {}, self.error)
        raise AssertionError(name)

    def of(self, choice: str, name: str, table: Mapping[str, T]) -> T:
        """What the table has under that name."""
        return known(self.reading, choice, name, table, self.error)

    def is_causal(self, mask: str) -> bool:
        """Whether a position sees those up to its own, and not all."""
        return self.of("mask", mask, IS_CAUSAL)

    def is_soft(self, normaliser: str) -> bool:
        """Whether weights are the softmax of scores, and not even over the greatest ones."""
        return self.of("normaliser", normaliser, IS_SOFT)

    def is_less_size(self, score: str) -> bool:
        """Whether a score is less the size of the product of query and key, and not the product."""
        return self.of("score", score, IS_LESS_SIZE)

    def require_known(self, head: Attends) -> None:
        """Of a head that adds the same whatever its choices are: that they are known all the same."""
        self.is_causal(head.mask)
        self.is_soft(head.normaliser)
        self.is_less_size(head.score)

    def require_ungated(self, network: FeedForward) -> None:
        """Of a reading of feed-forward networks whose units no gate multiplies."""
        if network.gate is not None:
            raise self.error(f"{self.reading} does not know feed-forward networks with a gate")

    def accepts_above(self, accept: str) -> bool:
        """Whether a recogniser accepts logits above 0, and not 0 itself."""
        return self.of("acceptance rule", accept, ACCEPTS_ABOVE)

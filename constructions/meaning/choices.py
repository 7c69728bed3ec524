"""The choices of the schema by name, and what becomes of a name that a reading does not know: it is refused.

A reading that took an unknown name for another one would speak of another network. So whoever reads a choice does it
here, or by a `match` whose last case is `refuse`; a name that is new in the schema is refused by every reading until
that reading says what it makes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Never, NoReturn, TypeVar

from weightproof.constructions.meaning.schema import (
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Norm,
    RootMeanSquare,
    UnknownChoice,
    known,
)

T = TypeVar("T")
IS_CAUSAL = {"none": False, "causal": True}
IS_SOFT = {"softmax": True, "hardmax": False}
SIDES = {"softmax": None, "hardmax": 0, "leftmost": -1, "rightmost": 1}
IS_LESS_SIZE = {"dot": False, "-|dot|": True}


@dataclass(frozen=True)
class Accepted:
    """Which logits a recogniser accepts: those above 0 where `side` is 1, below it where it is -1, none of either where
    it is 0; and 0 itself, or not."""

    side: int
    at_zero: bool

    def accepts(self, sign: int) -> bool:
        """Whether it accepts the logits of a sign: 1, 0 or -1."""
        return self.at_zero if sign == 0 else sign == self.side

    @property
    def is_above(self) -> bool:
        """Whether it accepts all that is above 0 and nothing else, as a sigmoid above 1/2 does."""
        return self.side == 1 and not self.at_zero

    def on_side(self, accepted: bool) -> tuple[int, bool]:
        """Of a rule with a side: the sign that the logits of what is accepted, or rejected, have; and whether none of
        them is 0."""
        return (self.side if accepted else -self.side), accepted != self.at_zero

    def op(self, accepted: bool, strict: bool = False) -> str:
        """How the logits of what is accepted, or rejected, compare with 0; strict: where none of them is to be 0, which
        a rule without a side does not ask."""
        if not self.side:
            return "==" if accepted else "!="
        direction, apart = self.on_side(accepted)
        return (">" if direction > 0 else "<") + ("" if apart or strict else "=")


@dataclass(frozen=True)
class Ranked:
    """Which output is that of the predicted token: the greatest where `sign` is 1, the least where it is -1, as it is
    called."""

    sign: int
    called: str

    def ahead(self, output: Any, other: Any) -> Any:
        """By how much an output is ahead of another one, both of a type that has differences."""
        return output - other if self.sign > 0 else other - output


@dataclass(frozen=True)
class Reach:
    """Which positions j are seen from a position i: those with i - j from `least` to `most`, None being no bound."""

    least: int | None = None
    most: int | None = None

    def shows(self, i: int, j: int) -> bool:
        """Whether j is seen from i."""
        return (self.least is None or i - j >= self.least) and (self.most is None or i - j <= self.most)

    def span(self, i: int, count: int) -> range:
        """Which of so many positions are seen from i."""
        first = 0 if self.most is None else max(0, i - self.most)
        return range(first, count if self.least is None else max(first, min(count, i - self.least + 1)))

    def within(self, other: Reach) -> Reach:
        """What both show."""
        least = [each for each in (self.least, other.least) if each is not None]
        most = [each for each in (self.most, other.most) if each is not None]
        return Reach(max(least, default=None), min(most, default=None))

    @property
    def is_all(self) -> bool:
        """Whether all positions are seen."""
        return self.least is None and self.most is None

    @property
    def looks_ahead(self) -> bool:
        """Whether some position may see one behind it."""
        return self.least is None or self.least < 0

    @property
    def sees_itself(self) -> bool:
        """Whether every position sees its own, and so none sees nothing."""
        return self.shows(0, 0)


REACHES = {
    "none": Reach(),
    "causal": Reach(least=0),
    "strictly-causal": Reach(least=1),
    "future": Reach(most=0),
    "strictly-future": Reach(most=-1),
}
READS_ALL = {"first": False, "last": False, "sum": True, "mean": True}
ACCEPTED = {
    "logit > 0": Accepted(1, False),
    "logit >= 0": Accepted(1, True),
    "logit = 0": Accepted(0, True),
    "logit < 0": Accepted(-1, False),
    "logit <= 0": Accepted(-1, True),
}
RANKED = {"argmax": Ranked(1, "greatest"), "argmin": Ranked(-1, "least")}


def more_of(head: Head) -> tuple[str, ...]:
    """What a head has beside maps, norms, a score, a normaliser and a mask, as messages call it."""
    more = {
        "rotary positions": head.rotary,
        "a bias of scores": head.bias,
        "a formula of what is seen": head.sees,
        "a sink": head.sink,
    }
    return tuple(name for name, part in more.items() if part)


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
        """Whether a position sees those up to its own, and not all: for readings that know no other masks."""
        return self.of("mask", mask, IS_CAUSAL)

    def reach(self, mask: str) -> Reach:
        """Which positions a mask shows."""
        return self.of("mask", mask, REACHES)

    def is_soft(self, normaliser: str) -> bool:
        """Whether weights are the softmax of scores, and not even over the greatest ones: for readings that know no
        other normalisers."""
        return self.of("normaliser", normaliser, IS_SOFT)

    def side(self, normaliser: str) -> int | None:
        """Of hard attention which of the positions with the greatest score have weight: the first one where it is -1,
        the last one where it is 1, all where it is 0; None where attention is soft."""
        return self.of("normaliser", normaliser, SIDES)

    def is_of_table(self, head: Head) -> bool:
        """Whether a head hides other positions than the later ones, or makes something else of them, or has a sink: for
        readings that then look up of each pair of positions whether one sees the other."""
        return not head.is_plain or self.reach(head.mask) not in (REACHES["none"], REACHES["causal"])

    def is_less_size(self, score: str) -> bool:
        """Whether a score is less the size of the product of query and key, and not the product."""
        return self.of("score", score, IS_LESS_SIZE)

    def require_known(self, head: Head) -> None:
        """Of a head that adds the same whatever its choices are: that they are known all the same."""
        self.require_plain(head)
        self.is_causal(head.mask)
        self.is_soft(head.normaliser)
        self.is_less_size(head.score)

    def require_plain(self, head: Head) -> None:
        """Of a reading whose scores are of queries and keys as their maps and norms make them, where a head sees what
        its mask shows and nothing else."""
        for name in more_of(head):
            raise self.error(f"{self.reading} does not know heads with {name}")

    def require_plain_heads(self, network: Encoder | Decoder | EncoderDecoder) -> None:
        """The same, of all heads of a network."""
        for layer in network.layers:
            for head in (*layer.heads, *layer.cross_heads):
                self.require_plain(head)

    def require_ungated(self, network: FeedForward) -> None:
        """Of a reading of feed-forward networks whose units no gate multiplies."""
        if network.gate is not None:
            raise self.error(f"{self.reading} does not know feed-forward networks with a gate")

    def require_norms_behind(self, network: Encoder | Decoder | EncoderDecoder) -> None:
        """Of a reading that knows layer norms behind sublayers alone, without gain and bias."""
        if not isinstance(network, EncoderDecoder) and network.final_norm is not None:
            raise self.error(f"{self.reading} does not know a norm before the readout")
        for layer in network.layers:
            if any((layer.attention_norm_before, layer.cross_norm_before, layer.feed_forward_norm_before)):
                raise self.error(f"{self.reading} does not know norms before a sublayer")
            if any(head.query_norm or head.key_norm for head in (*layer.heads, *layer.cross_heads)):
                raise self.error(f"{self.reading} does not know norms of queries and keys")
            for norm in layer.norms:
                self.require_layer_norm(norm)

    def require_layer_norm(self, norm: Norm) -> None:
        """Of a reading of layer norms without gain and bias."""
        if isinstance(norm, RootMeanSquare):
            raise self.error(f"{self.reading} does not know norms by the root mean square")
        if norm.gain is not None or norm.bias is not None:
            raise self.error(f"{self.reading} does not know norms with a gain or a bias")

    def reads_all(self, position: str) -> bool:
        """Whether every position is read out."""
        return self.of("readout position", position, READS_ALL)

    def accepted(self, accept: str) -> Accepted:
        """Which logits a recogniser accepts."""
        return self.of("acceptance rule", accept, ACCEPTED)

    def ranked(self, accept: str) -> Ranked:
        """Which output is that of the predicted token, where there is no recogniser."""
        return self.of("acceptance rule", accept, RANKED)

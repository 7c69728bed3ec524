"""Masked transformers of unique hard attention for known languages, without position encodings, and mistakes that could
be theirs: a position is found by a strict mask, the first or the last of the best ones (Yang, Chiang, Angluin, Masked
Hard-Attention Transformers Recognize Exactly the Star-Free Languages)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Mask,
    Normaliser,
    Place,
    Readout,
)

A, B = "[a]", "[b]"
Row = dict[str, Any]
Rows = dict[str, Row]


@dataclass(frozen=True)
class Case:
    """A language of words with a symbol, by a regular expression; what its network is made of, and by what is wrong
    what is said otherwise."""

    expression: str
    network: Callable[..., Encoder]
    mistakes: Mapping[str, Mapping[str, Any]]
    alphabet: tuple[str, str] = ("a", "b")

    def member(self, word: str) -> bool:
        return re.fullmatch(self.expression, word) is not None

    def construction(self, mistake: str | None = None) -> Construction:
        network = self.network(**({} if mistake is None else self.mistakes[mistake]))
        first, second = self.alphabet
        table = {first: network.embedding.WE["a"], second: network.embedding.WE["b"]}
        made = Encoder(
            network.coordinates,
            Embedding(table),
            network.layers,
            network.readout,
            begin=None,
        )
        language = Language(
            name="L",
            alphabet=self.alphabet,
            member=self.member,
            characterisation=f"matches({self.expression!r})",
        )
        return Construction(name="unique", title="unique", source="own", language=language, network=made)


def head(
    values: Rows,
    normaliser: Normaliser,
    mask: Mask = "none",
    key: str | Row | None = None,
    sees: str | None = None,
) -> Head:
    """All weight at the first or the last of the positions seen with the greatest key."""
    keys: Row = key if isinstance(key, dict) else {} if key is None else {key: 1}
    scored: Rows = {"s": keys}
    return Head(
        W_V=values,
        W_Q={"s": {"one": 1}} if keys else {},
        W_K=scored if keys else {},
        scale=1,
        normaliser=normaliser,
        mask=mask,
        sees=sees,
    )


def units(to: str, *conditions: Row) -> FeedForward:
    """The sum of ReLUs, each of a row whose entry "" is its bias."""
    weights = {f"u{k}": {name: x for name, x in row.items() if name} for k, row in enumerate(conditions)}
    bias = {f"u{k}": row.get("", 0) for k, row in enumerate(conditions)}
    return FeedForward(Linear(weights, bias), Linear({to: dict.fromkeys(weights, 1)}))


def of(*layers: Layer, logit: Row, bias: Any = 0, position: Place = "last") -> Encoder:
    maps: list[Any] = [head.W_V for layer in layers for head in layer.heads]
    maps += [layer.feed_forward.second.weights for layer in layers if layer.feed_forward is not None]
    made = dict.fromkeys(name for each in maps for name in each)
    return Encoder(
        coordinates=tuple(dict.fromkeys((A, B, "one", *made))),
        embedding=Embedding({"a": {A: 1, "one": 1}, "b": {B: 1, "one": 1}}),
        layers=layers,
        readout=Readout(Linear({"logit": logit}, {"logit": bias}), position),
        begin=None,
    )


def some(name: str, to: str = "some") -> Layer:
    """Whether a position has what is 0 or 1: the value of one with the greatest."""
    return Layer((head({to: {name: 1}}, "rightmost", key=name),))


def first_is_a() -> Case:
    def network(normaliser: Normaliser = "leftmost", mask: Mask = "none") -> Encoder:
        return of(Layer((head({"f": {A: 1}}, normaliser, mask),)), logit={"f": 1}, bias="-1/2")

    return Case(
        "a(a|b)*",
        network,
        {
            "the last is taken": {"normaliser": "rightmost"},
            "the first does not see itself": {"mask": "strictly-causal"},
        },
    )


def last_is_b() -> Case:
    def network(normaliser: Normaliser = "rightmost", mask: Mask = "none") -> Encoder:
        return of(Layer((head({"l": {B: 1}}, normaliser, mask),)), logit={"l": 1}, bias="-1/2", position="first")

    return Case(
        "(a|b)*b",
        network,
        {"the first is taken": {"normaliser": "leftmost"}, "nothing behind is seen": {"mask": "causal"}},
    )


def contains_ab() -> Case:
    def network(mask: Mask = "strictly-causal", normaliser: Normaliser = "rightmost") -> Encoder:
        pair = Layer((head({"before": {A: 1}}, normaliser, mask),), units("h", {"before": 1, B: 1, "": -1}))
        return of(pair, some("h"), logit={"some": 1}, bias="-1/2")

    return Case(
        "(a|b)*ab(a|b)*",
        network,
        {
            "the position before is its own": {"mask": "causal"},
            "the first is taken for the one before": {"normaliser": "leftmost"},
            "the one before is looked for behind": {"mask": "strictly-future", "normaliser": "leftmost"},
        },
    )


def sorted_word() -> Case:
    """a*b*, by no a behind some b: the nearest b before, wherever it is."""

    def network(key: str | None = B, mask: Mask = "strictly-causal") -> Encoder:
        earlier = Layer(
            (head({"b before": {B: 1}}, "rightmost", mask, key),), units("h", {"b before": 1, A: 1, "": -1})
        )
        return of(earlier, some("h"), logit={"some": -1}, bias="1/2")

    return Case(
        "a*b*",
        network,
        {"an a hides a b": {"key": A}, "what is behind is taken": {"mask": "strictly-future"}},
    )


def ab_star() -> Case:
    def network(alone: Any = 1, last: Any = 1) -> Encoder:
        before = head({"pa": {A: 1}, "pb": {B: 1}}, "rightmost", "strictly-causal")
        wrong = units("h", {"pa": 1, A: 1, "": -1}, {"pb": 1, B: 1, "": -1}, {B: alone, "pa": -1, "pb": -1})
        return of(Layer((before,), wrong), some("h"), logit={"some": -1, A: -last}, bias="1/2")

    return Case(
        "(ab)*",
        network,
        {"it may begin with b": {"alone": 0}, "it may end with a": {"last": 0}},
    )


def last_a_behind_an_a() -> Case:
    """The last a before the last position stands behind another a."""

    def network(key: str = A, mask: Mask = "strictly-causal") -> Encoder:
        before = Layer((head({"pa": {A: 1}}, "rightmost", "strictly-causal"),), units("aa", {"pa": 1, A: 1, "": -1}))
        return of(before, Layer((head({"h": {"aa": 1}}, "rightmost", mask, key),)), logit={"h": 1}, bias="-1/2")

    return Case(
        "(a|b)*aab*(a|b)",
        network,
        {"the last b": {"key": B}, "the last position itself": {"mask": "causal"}, "any aa": {"key": "aa"}},
    )


def each_a_before_b() -> Case:
    def network(mask: Mask = "strictly-future", normaliser: Normaliser = "leftmost") -> Encoder:
        behind = Layer((head({"nb": {B: 1}}, normaliser, mask),), units("h", {A: 1, "nb": -1}))
        return of(behind, some("h"), logit={"some": -1}, bias="1/2")

    return Case(
        "(b|ab)*",
        network,
        {
            "any b behind": {"normaliser": "rightmost"},
            "the position behind is its own": {"mask": "future"},
            "the one behind is looked for before": {"mask": "strictly-causal", "normaliser": "rightmost"},
        },
    )


def second_to_last_is_a() -> Case:
    """The last position sees nothing behind it, and the one before sees one that does not."""

    def network(first: Mask = "strictly-future", second: Mask = "strictly-future") -> Encoder:
        more = Layer((head({"more": {"one": 1}}, "leftmost", first),))
        behind = head({"end": {"one": 1, "more": -1}}, "leftmost", second)
        found = Layer((behind,), units("h", {"end": 1, A: 1, "": -1}))
        return of(more, found, some("h"), logit={"some": 1}, bias="-1/2", position="first")

    return Case(
        "(a|b)*a(a|b)",
        network,
        {"every position sees one behind": {"first": "future"}, "the last position is meant": {"second": "future"}},
    )


def starts_with_aab() -> Case:
    """By windows: of the position that has one two before it, and none three before it."""

    def network(far: str = "i - j == 3", near: str = "i - j == 1") -> Encoder:
        heads = (
            head({"two": {A: 1}}, "rightmost", "causal", sees="i - j == 2"),
            head({"before": {A: 1}}, "rightmost", "causal", sees=near),
            head({"three": {"one": 1}}, "rightmost", "causal", sees=far),
        )
        third = Layer(heads, units("h", {"two": 1, "before": 1, B: 1, "three": -1, "": -2}))
        return of(third, some("h"), logit={"some": 1}, bias="-1/2")

    return Case(
        "aab(a|b)*",
        network,
        {"it may begin later": {"far": "i - j == 4"}, "the window is off by one": {"near": "i - j == 2"}},
    )


def dyck_of_depth_2() -> Case:
    """Brackets that are closed at once are matched; so are those of which the rest is closed at once (Yang et al.,
    section 3); and no others are there."""

    def network(opened: str | None = "outer", closed: str | None = "outer", again: int = 1) -> Encoder:
        def ends(before: str, behind: str, left: str, right: str, *keys: str | None) -> tuple[Head, Head]:
            return (
                head({before: {left: 1}}, "rightmost", "strictly-causal", keys[0]),
                head({behind: {right: 1}}, "leftmost", "strictly-future", keys[1]),
            )

        # An opening bracket is left where none that closes is next, and a closing one where none that opens is last.
        at_once = units("left", {A: 1, "closes": -1})
        other = units("right", {B: 1, "opens": -1})
        first = Linear(
            {f"l{k}": row for k, row in at_once.first.weights.items()}
            | {f"r{k}": row for k, row in other.first.weights.items()}
        )
        second = Linear({"left": {"lu0": 1}, "right": {"ru0": 1}, "outer": {"lu0": 1, "ru0": 1}})
        inner = Layer(ends("opens", "closes", A, B, None, None), FeedForward(first, second))
        rest = units("h", {"left": 1, "closes again": -again}, {"right": 1, "opens again": -again})
        outer = Layer(ends("opens again", "closes again", "left", "right", opened, closed), rest)
        return of(inner, outer, some("h"), logit={"some": -1}, bias="1/2")

    return Case(
        r"(\((\(\))*\))*",
        network,
        {
            "what is matched is seen before": {"opened": None},
            "what is matched is seen behind": {"closed": None},
            "of depth 1": {"again": 0},
        },
        ("(", ")"),
    )


def first_is_last() -> Case:
    def network(normaliser: Normaliser = "leftmost", scale: Any = 1) -> Encoder:
        ends = Layer(
            (head({"f": {A: 1}}, normaliser), head({"l": {A: scale}}, "rightmost")),
            units("h", {"f": 1, "l": -1}, {"f": -1, "l": 1}),
        )
        return of(ends, logit={"h": -1}, bias="1/2", position="first")

    return Case(
        "a|b|a(a|b)*a|b(a|b)*b",
        network,
        {"both are the last": {"normaliser": "rightmost"}, "the last weighs nothing": {"scale": 0}},
    )


def a_among_the_last_three() -> Case:
    def network(sees: str = "i - j < 3", key: str = A) -> Encoder:
        return of(Layer((head({"h": {A: 1}}, "leftmost", "causal", key, sees),)), logit={"h": 1}, bias="-1/2")

    return Case(
        "(a|b)*a(a|b)?(a|b)?",
        network,
        {"two are seen": {"sees": "i - j < 2"}, "four are seen": {"sees": "i - j <= 3"}, "a b is taken": {"key": B}},
    )


def most_of_three_are_a() -> Case:
    """Of the last three, or of as many as there are, more than half: a mean over a window, by softmax."""

    def network(sees: str = "i - j < 3", bias: Any = "-1/2") -> Encoder:
        mean = Head(W_V={"m": {A: 1}}, mask="causal", sees=sees)
        return of(Layer((mean,)), logit={"m": 1}, bias=bias)

    return Case(
        "a|aa|(a|b)*(aa(a|b)|aba|baa)",
        network,
        {"four are seen": {"sees": "i - j < 4"}, "two thirds are asked for": {"bias": "-2/3"}},
    )


def exactly_one_a() -> Case:
    def network(mask: Mask = "strictly-causal", bias: Any = "-1/2") -> Encoder:
        twice = Layer((head({"a before": {A: 1}}, "rightmost", mask, A),), units("h", {"a before": 1, A: 1, "": -1}))
        both = Layer((*some("h", "twice").heads, *some(A, "once").heads))
        return of(twice, both, logit={"once": 1, "twice": -1}, bias=bias)

    return Case(
        "b*ab*",
        network,
        {"an a is before itself": {"mask": "causal"}, "none is enough": {"bias": "1/2"}},
    )


CASES = {
    "first is a": first_is_a(),
    "last is b": last_is_b(),
    "contains ab": contains_ab(),
    "sorted": sorted_word(),
    "ab star": ab_star(),
    "the last a is behind an a": last_a_behind_an_a(),
    "each a before b": each_a_before_b(),
    "second to last is a": second_to_last_is_a(),
    "starts with aab": starts_with_aab(),
    "Dyck of depth 2": dyck_of_depth_2(),
    "first is last": first_is_last(),
    "an a among the last three": a_among_the_last_three(),
    "most of three are a": most_of_three_are_a(),
    "exactly one a": exactly_one_a(),
}

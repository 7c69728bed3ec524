"""Networks of regular languages and of counting ones, as a user would write them, and mistakes that could be theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

PLACES = {"i": "i", "i2": "i*i", "one": "1", "pos": "i/n", "even": "(1 + (-1)**i)/2"}
ONE, ZERO, BEGIN = "[1]", "[0]", "[C]"
OF_TOKENS = (ZERO, ONE, BEGIN)
Row = dict[str, object]
Rows = dict[str, Row]


@dataclass(frozen=True)
class Case:
    """mistakes: the network with one weight that is wrong, by what is wrong."""

    member: Callable[[str], bool]
    formula: str
    network: Encoder
    mistakes: Mapping[str, Encoder]

    def construction(self, mistake: str | None = None) -> Construction:
        network = self.network if mistake is None else self.mistakes[mistake]
        language = Language(name="L", alphabet=("0", "1"), member=self.member, characterisation=self.formula)
        return Construction(name="drawn", title="drawn", source="own", language=language, network=network)


def previous(values: Rows, distance: int = 1) -> Head:
    """What is at the position before, by -|i - j - 1|; the first position sees itself."""
    return Head(
        W_V=values,
        W_Q={"x": {"i": 1}, "y": {"one": 1}},
        W_K={"x": {"one": 1}, "y": {"i": -1, "one": -distance}},
        score="-|dot|",
        normaliser="hardmax",
        scale=1,
    )


def softly_previous(values: Rows, scale: str = "log(100)") -> Head:
    """Nearly all of what is at the position before, by -(i - j - 1)^2 but for what does not depend on j."""
    return Head(
        W_V=values,
        W_Q={"x": {"i": 2, "one": -2}, "y": {"one": -1}},
        W_K={"x": {"i": 1}, "y": {"i2": 1}},
        mask="causal",
        scale=scale,
    )


def rightmost(values: Rows, key: str | None, factor: object = 2, side: int = 1) -> Head:
    """What is at the last position with the key, and where there is none at the last one; with side -1 at the first."""
    keys: Row = {"pos": side} if key is None else {key: factor, "pos": side}
    return Head(W_V=values, W_Q={"x": {"one": 1}}, W_K={"x": keys}, normaliser="hardmax", scale=1)


def both(to: str, *conditions: str, of: Row | None = None) -> FeedForward:
    """1 where all of the conditions are, which are 0 or 1."""
    weights: Row = dict.fromkeys(conditions, 1)
    return FeedForward(Linear({"u": weights | (of or {})}, {"u": 1 - len(conditions)}), Linear({to: {"u": 1}}))


def of(*layers: Layer, logit: Row, bias: object = 0, position: str = "first", accept: str = "logit > 0") -> Encoder:
    """A network behind CLS, whose first coordinates are what stands at a position and its place."""
    maps = [head.W_V for layer in layers for head in layer.heads]
    maps += [layer.feed_forward.second.weights for layer in layers if layer.feed_forward is not None]
    made = dict.fromkeys(name for each in maps for name in each)
    return Encoder(
        coordinates=tuple(dict.fromkeys((*OF_TOKENS, *PLACES, *made))),
        embedding=Embedding(WE={"0": {ZERO: 1}, "1": {ONE: 1}, "CLS": {BEGIN: 1}}, PE=PLACES),
        layers=layers,
        readout=Readout(Linear({"logit": logit}, {"logit": bias}), position=position, accept=accept),  # type: ignore[arg-type]
    )


def mean(values: Rows) -> Layer:
    """Means over all positions, which CLS is one of."""
    return Layer(heads=(Head(W_V=values),))


def never(pattern: Layer, name: str, threshold: object = 1, weight: object = 2) -> Encoder:
    """Accepts where a mean of what the pattern finds is 0: 1/n less twice it is above 0."""
    return of(pattern, mean({"t": {BEGIN: threshold}, "s": {name: weight}}), logit={"t": 1, "s": -1})


def pair(first: str, second: str, to: str = "h") -> Layer:
    """1 where these follow one another."""
    before = "before" + first
    return Layer(heads=(previous({before: {first: 1}}),), feed_forward=both(to, before, second))


def _pairs(word: str, of: str) -> int:
    return sum(word[k : k + len(of)] == of for k in range(len(word)))


def tomita_1() -> Case:
    def network(weight: object = 2, threshold: object = 1) -> Encoder:
        return of(mean({"t": {BEGIN: threshold}, "s": {ZERO: weight}}), logit={"t": 1, "s": -1})

    return Case(
        lambda w: "0" not in w,
        "all(w[j] == '1' for j in positions)",
        network(),
        {"a 0 weighs too little": network("1/2"), "three are borne": network(threshold=7)},
    )


def tomita_2() -> Case:
    """(10)*: a 1 first, a 0 last, and no two that are the same."""

    def network(first: object = 1, last: object = 1) -> Encoder:
        same = Layer(
            heads=(previous({"p0": {ZERO: 1, BEGIN: 1}, "p1": {ONE: 1}}), rightmost({"end": {ONE: last}}, None)),
            feed_forward=FeedForward(
                Linear({"u": {"p0": first, ZERO: 1}, "v": {"p1": 1, ONE: 1}}, {"u": -1, "v": -1}),
                Linear({"h": {"u": 1, "v": 1}}),
            ),
        )
        return of(same, mean({"t": {BEGIN: 1}, "s": {"h": 2, "end": 2}}), logit={"t": 1, "s": -1})

    formula = "all((w[j] == '1') == (w[j-1] != '1') for j in positions) and w[n-1] != '1'"
    return Case(
        lambda w: re.fullmatch("(10)*", w) is not None,
        formula,
        network(),
        {"a 0 after a 0 is not seen": network(first=0), "a 1 at the end is not seen": network(last=0)},
    )


def tomita_4() -> Case:
    def network(distance: int = 2, threshold: object = 1) -> Encoder:
        seen = (previous({"p": {ZERO: 1}}), previous({"pp": {ZERO: 1}}, distance))
        return never(Layer(heads=seen, feed_forward=both("h", "p", "pp", ZERO)), "h", threshold)

    return Case(
        lambda w: "000" not in w,
        "all(w[j] != '0' or w[j-1] != '0' or w[j-2] != '0' for j in positions)",
        network(),
        {"two before is three before": network(3), "one is borne": network(threshold=3)},
    )


def tomita_7() -> Case:
    def network(threshold: object = "3/2", first: str = ONE) -> Encoder:
        return never(pair(first, ZERO), "h", threshold, 1)

    return Case(
        lambda w: re.fullmatch("0*1*0*1*", w) is not None,
        "sum((w[j] == '0')*(w[j-1] == '1') for j in positions) <= 1",
        network(),
        {"two are borne": network("5/2"), "pairs of 0 are counted": network(first=ZERO)},
    )


def ab_star() -> Case:
    """(01)*: each symbol is another than the one before, the first a 0 and the last a 1; by a sum over positions."""

    def network(end: object = 1, begin: object = 1) -> Encoder:
        seen = (previous({"p0": {ZERO: 1}, "p1": {ONE: 1, BEGIN: begin}}), rightmost({"end": {ZERO: end}}, None))
        units = {"u": {"p0": 1, ZERO: 1}, "v": {"p1": 1, ONE: 1}}
        found = FeedForward(Linear(units, {"u": -1, "v": -1}), Linear({"h": {"u": 1, "v": 1}}))
        return of(Layer(heads=seen, feed_forward=found), logit={"h": 1, "end": 1}, position="sum", accept="logit <= 0")

    formula = "all((w[j] == '0') == (w[j-1] != '0') for j in positions) and (n == 1 or w[n-1] == '1')"
    return Case(
        lambda w: re.fullmatch("(01)*", w) is not None,
        formula,
        network(),
        {"a 0 at the end is borne": network(0), "a 1 at the start is borne": network(begin=0)},
    )


def contains_01() -> Case:
    def network(bias: object = 0, second: str = ONE) -> Encoder:
        return of(pair(ZERO, second), logit={"h": 1}, bias=bias, position="sum")

    return Case(
        lambda w: "01" in w,
        "any(w[j] == '1' and w[j-1] == '0' for j in positions)",
        network(),
        {"pairs of 0": network(second=ZERO), "a bias": network("1/100")},
    )


def softly_contains_01() -> Case:
    """The position before by softmax: a unit opens at 3/2."""

    def network(threshold: object = "-3/2", weight: object = 1) -> Encoder:
        found = FeedForward(Linear({"u": {ONE: weight, "p": 1}}, {"u": threshold}), Linear({"h": {"u": 1}}))
        layer = Layer(heads=(softly_previous({"p": {ZERO: 1}}),), feed_forward=found)
        return of(layer, logit={"h": 1}, position="sum")

    return Case(
        lambda w: "01" in w,
        "any(w[j] == '1' and w[j-1] == '0' for j in positions)",
        network(),
        {"a 1 alone is enough": network("-1/2"), "a 1 weighs nothing": network(weight=0)},
    )


def bigram_majority() -> Case:
    def network(ones: object = -1, threshold: object = -1) -> Encoder:
        units = {"u": {ZERO: 1, "p0": 1}, "v": {ONE: 1, "p1": 1}}
        found = FeedForward(Linear(units, {"u": -1, "v": threshold}), Linear({"x": {"u": 1, "v": ones}}))
        seen = previous({"p0": {ZERO: 1}, "p1": {ONE: 1}})
        return of(Layer(heads=(seen,), feed_forward=found), mean({"s": {"x": 1}}), logit={"s": 1})

    return Case(
        lambda w: _pairs(w, "00") > _pairs(w, "11"),
        "sum((w[j] == '0')*(w[j-1] == '0') for j in positions) > sum((w[j] == '1')*(w[j-1] == '1') for j in positions)",
        network(),
        {"a pair of 1 weighs half": network("-1/2"), "a 1 is enough for a pair": network(threshold="-1/2")},
    )


def majority() -> Case:
    def network(ones: object = 1, begin: object = 0) -> Encoder:
        return of(mean({"s": {ONE: ones, ZERO: -1, BEGIN: begin}}), logit={"s": 1})

    formula = "sum((w[j] == '1') for j in positions) > sum((w[j] == '0') for j in positions)"
    mistakes = {"a 1 weighs more": network("5/4"), "CLS counts": network(begin="1/2")}
    return Case(lambda w: w.count("1") > w.count("0"), formula, network(), mistakes)


def last_symbol() -> Case:
    def network(side: int = 1, bias: object = "-1/2") -> Encoder:
        return of(Layer(heads=(rightmost({"g": {ONE: 1}}, None, side=side),)), logit={"g": 1}, bias=bias)

    mistakes = {"the first one": network(-1), "a bias of 1": network(bias=1)}
    return Case(lambda w: w[-1:] == "1", "w[n-1] == '1'", network(), mistakes)


def second_to_last() -> Case:
    def network(distance: int = 1, what: str = ONE) -> Encoder:
        return of(Layer(heads=(previous({"g": {what: 1}}, distance),)), logit={"g": 1}, position="last")

    mistakes = {"the third to last": network(2), "the other symbol": network(what=ZERO)}
    return Case(lambda w: w[-2:-1] == "1", "w[n-2] == '1'", network(), mistakes)


def first_is_last() -> Case:
    """By the symbol behind CLS, which CLS sees as the next one, and the last one."""

    def network(distance: int = -1, zero: object = 1) -> Encoder:
        seen = (
            previous({"f0": {ZERO: 1}, "f1": {ONE: 1}}, distance),
            rightmost({"l0": {ZERO: 1}, "l1": {ONE: 1}}, None),
        )
        units = {"u": {"f0": zero, "l0": 1}, "v": {"f1": 1, "l1": 1}}
        found = FeedForward(Linear(units, {"u": -1, "v": -1}), Linear({"h": {"u": 1, "v": 1}}))
        return of(Layer(heads=seen, feed_forward=found), logit={"h": 1})

    formula = "n > 1 and (w[1] == '0') == (w[n-1] == '0')"
    mistakes = {"the second is compared": network(-2), "equal 0 are not seen": network(zero=0)}
    return Case(lambda w: w != "" and w[0] == w[-1], formula, network(), mistakes)


def odd_length() -> Case:
    def network(even: object = -1, bias: object = "1/2") -> Encoder:
        return of(Layer(heads=(rightmost({"g": {"even": even}}, None),)), logit={"g": 1}, bias=bias)

    mistakes = {"the other parity": network(1, "-1/2"), "a bias of 2": network(bias=2)}
    return Case(lambda w: len(w) % 2 == 1, "n % 2 == 0", network(), mistakes)


def ones_in_even_places() -> Case:
    def network(weight: object = -1, threshold: object = 1) -> Encoder:
        found = FeedForward(Linear({"u": {ONE: 1, "even": weight}}), Linear({"h": {"u": 1}}))
        return never(Layer(feed_forward=found), "h", threshold)

    return Case(
        lambda w: "1" not in w[::2],
        "all(w[j] != '1' or j % 2 == 0 for j in positions)",
        network(),
        {"even places hardly excuse": network("-1/4"), "one is borne": network(threshold=3)},
    )


def rightmost_one_at_even() -> Case:
    def network(factor: object = 2, side: int = 1) -> Encoder:
        values: Rows = {"g": {ONE: 1, "even": 1}}
        return of(Layer(heads=(rightmost(values, ONE, factor, side),)), logit={"g": 1}, bias="-3/2")

    formula = "any(w[j] == '1' and j % 2 == 0 and all(m <= j or w[m] == '0' for m in positions) for j in positions)"
    mistakes = {"the leftmost": network(side=-1), "a 0 is preferred": network(-2)}
    return Case(lambda w: "1" in w and w.rindex("1") % 2 == 1, formula, network(), mistakes)


def no_two_ones() -> Case:
    def network(threshold: object = 1, distance: int = 1) -> Encoder:
        layer = Layer(heads=(previous({"p": {ONE: 1}}, distance),), feed_forward=both("h", "p", ONE))
        return never(layer, "h", threshold)

    return Case(
        lambda w: "11" not in w,
        "all(w[j] != '1' or w[j-1] != '1' for j in positions)",
        network(),
        {"one is borne": network(3), "two before": network(distance=2)},
    )


def exactly_one_10() -> Case:
    """|number - 1| is 0."""

    def network(wanted: object = 1, first: str = ONE) -> Encoder:
        size = FeedForward(Linear({"u": {"s": 1, "t": -1}}), Linear({"z": {"u": 1}}), activation="abs")
        layer = Layer(heads=mean({"t": {BEGIN: wanted}, "s": {"h": 1}}).heads, feed_forward=size)
        return of(pair(first, ZERO), layer, logit={"z": 1}, accept="logit = 0")

    formula = "sum((w[j] == '0')*(w[j-1] == '1') for j in positions) == 1"
    mistakes = {"two are asked for": network(2), "pairs of 0": network(first=ZERO)}
    return Case(lambda w: _pairs(w, "10") == 1, formula, network(), mistakes)


def equal_numbers() -> Case:
    def network(ones: object = 1, begin: object = 0) -> Encoder:
        return of(logit={ONE: ones, ZERO: -1, BEGIN: begin}, position="mean", accept="logit = 0")

    mistakes = {"a 1 weighs two": network(2), "CLS counts": network(begin=1)}
    formula = "sum((w[j] == '1') for j in indices) == sum((w[j] == '0') for j in positions)"
    return Case(lambda w: w.count("1") == w.count("0"), formula, network(), mistakes)


def weighted_softmax() -> Construction:
    """1s weigh twice as much in a softmax, as log(2) says, known nearly: no case, as nothing tells at 2 a = b."""
    head = Head(W_V={"s": {ONE: 1, ZERO: -1}}, W_Q={"x": {"one": 1}}, W_K={"x": {ONE: "log(2)"}}, scale=1)
    formula = "2*sum((w[j] == '1') for j in positions) > sum((w[j] == '0') for j in positions)"
    network = of(Layer(heads=(head,)), logit={"s": 1})
    return Case(lambda w: 2 * w.count("1") > w.count("0"), formula, network, {}).construction()


def zero_second() -> Case:
    def network(distance: int = -2, bias: object = 0) -> Encoder:
        return of(Layer(heads=(previous({"g": {ZERO: 1}}, distance),)), logit={"g": 1}, bias=bias)

    mistakes = {"the first": network(-1), "a bias": network(bias=1)}
    return Case(lambda w: w[:2][-1:] == "0", "w[2] == '0' or n == 2 and w[1] == '0'", network(), mistakes)


def starts_with_1() -> Case:
    def network(distance: int = -1, bias: object = 0) -> Encoder:
        return of(Layer(heads=(previous({"g": {ONE: 1}}, distance),)), logit={"g": 1}, bias=bias)

    mistakes = {"the second": network(-2), "a bias": network(bias="1/2")}
    return Case(lambda w: w[:1] == "1", "w[1] == '1'", network(), mistakes)


def leftmost_zero_before_one() -> Case:
    """What follows the leftmost 0 is a 1."""

    def network(side: int = -1, distance: int = -1) -> Encoder:
        ahead = Layer(heads=(previous({"next": {ONE: 1}}, distance),), feed_forward=both("h", "next", ZERO))
        return of(ahead, Layer(heads=(rightmost({"g": {"h": 1}}, ZERO, side=side),)), logit={"g": 1})

    formula = "any(w[j] == '0' and w[j+1] == '1' and all(k >= j or w[k] == '1' for k in positions) for j in positions)"
    mistakes = {"the rightmost 0": network(1), "what is before": network(distance=1)}
    return Case(lambda w: w.lstrip("1")[:2] == "01", formula, network(), mistakes)


def some_111() -> Case:
    def network(distance: int = 2, bias: object = 0) -> Encoder:
        seen = (previous({"p": {ONE: 1}}), previous({"pp": {ONE: 1}}, distance))
        layer = Layer(heads=seen, feed_forward=both("h", "p", "pp", ONE))
        return of(layer, logit={"h": 1}, bias=bias, position="mean")

    formula = "any(w[j] == '1' and w[j-1] == '1' and w[j-2] == '1' for j in positions)"
    mistakes = {"one before, twice": network(1), "a bias": network(bias="-1/6")}
    return Case(lambda w: "111" in w, formula, network(), mistakes)


def more_than_three_ones() -> Case:
    def network(wanted: object = 3, zero: object = 0) -> Encoder:
        return of(logit={ONE: 1, BEGIN: f"-({wanted})", ZERO: zero}, position="sum")

    mistakes = {"more than four": network(4), "0s count": network(zero="1/10")}
    return Case(lambda w: w.count("1") > 3, "sum((w[j] == '1') for j in positions) > 3", network(), mistakes)


def ends_with_01() -> Case:
    def network(distance: int = 1, bias: object = 0) -> Encoder:
        layer = Layer(heads=(previous({"p": {ZERO: 1}}, distance),), feed_forward=both("h", "p", ONE))
        return of(layer, logit={"h": 1}, bias=bias, position="last")

    mistakes = {"two before": network(2), "a bias": network(bias="1/3")}
    return Case(lambda w: w.endswith("01"), "w[n-1] == '1' and w[n-2] == '0'", network(), mistakes)


def ones_then_zeros() -> Case:
    """1*0*: no 1 behind a 0, by the leftmost 0 before each 1."""

    def network(threshold: object = 1, what: str = ZERO) -> Encoder:
        seen = rightmost({"some": {what: 1}}, what, side=-1)
        causal = Head(W_V=seen.W_V, W_Q=seen.W_Q, W_K=seen.W_K, normaliser="hardmax", scale=1, mask="causal")
        return never(Layer(heads=(causal,), feed_forward=both("h", "some", ONE)), "h", threshold)

    formula = "all(all(w[j] != '0' or w[k] != '1' or j > k for k in positions) for j in positions)"
    mistakes = {"one is borne": network(3), "a 1 before a 1": network(what=ONE)}
    return Case(lambda w: re.fullmatch("1*0*", w) is not None, formula, network(), mistakes)


CASES: dict[str, Case] = {
    make.__name__.replace("_", " "): make()
    for make in (
        tomita_1,
        tomita_2,
        tomita_4,
        tomita_7,
        ab_star,
        contains_01,
        softly_contains_01,
        bigram_majority,
        majority,
        last_symbol,
        second_to_last,
        first_is_last,
        odd_length,
        ones_in_even_places,
        rightmost_one_at_even,
        no_two_ones,
        exactly_one_10,
        equal_numbers,
        zero_second,
        starts_with_1,
        leftmost_zero_before_one,
        some_111,
        more_than_three_ones,
        ends_with_01,
        ones_then_zeros,
    )
}

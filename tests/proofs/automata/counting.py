"""Networks that count up to each position, as a user would write them or compile them from counting logic, and mistakes
that could be theirs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from tests.proofs.automata.networks import BEGIN, ONE, ZERO, Case, Row, Rows, both, mean, of, previous, rightmost
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Linear, Mask


def so_far(values: Rows) -> Head:
    """Means over the positions up to each one, and with it."""
    return Head(W_V=values, mask="causal")


def steps(first: Rows, second: Rows, bias: Row | None = None, activation: str = "step") -> FeedForward:
    return FeedForward(Linear(first, bias), Linear(second), activation)  # type: ignore[arg-type]


def _sums(word: str) -> Iterator[int]:
    """Of each prefix, how many more 0 it has than 1."""
    return itertools.accumulate(1 if symbol == "0" else -1 for symbol in word)


def dyck_1() -> Case:
    """0 opens and 1 closes: no prefix closes more than it opens, and all is closed; by the sum of ReLU."""

    def network(closing: object = -1, total: object = 1) -> Encoder:
        balance: Row = {ZERO: 1, ONE: closing}
        heads = (so_far({"d": balance}), *mean({"e": balance}).heads)
        below = steps(
            {"u": {"d": -1}, "x": {"e": 1}, "y": {"e": -1}}, {"v": {"u": 1, "x": total, "y": 1}}, None, "relu"
        )
        return of(Layer(heads=heads, feed_forward=below), logit={"v": 1}, position="sum", accept="logit = 0")

    formula = "count('0') == count('1') and all(count('1', j) <= count('0', j) for j in positions)"
    return Case(
        lambda w: min(_sums(w), default=0) >= 0 and w.count("0") == w.count("1"),
        formula,
        network(),
        {"closing weighs two": network(-2), "what stays open is borne": network(total=0)},
    )


def dyck_1_in_two_layers() -> Case:
    """A flag where too much is closed, then a mean of the flags, and the balance of the last position."""

    def network(flags: object = 2, threshold: object = 0) -> Encoder:
        closed = Layer(
            heads=(so_far({"d": {ZERO: 1, ONE: -1}, "start": {BEGIN: 1}}),),
            feed_forward=steps(
                {"b": {"d": -1, "start": threshold}, "p": {"d": 1}, "m": {"d": -1}},
                {"bad": {"b": 1}, "open": {"p": 1, "m": 1}},
            ),
        )
        seen = Layer(
            heads=(so_far({"ever": {"bad": 1}}),), feed_forward=steps({"e": {"ever": flags}}, {"was bad": {"e": 1}})
        )
        return of(closed, seen, logit={"open": -1, "was bad": -1}, bias="1/2", position="last")

    formula = "count('0') == count('1') and all(count('1', j) <= count('0', j) for j in positions)"
    return Case(
        lambda w: min(_sums(w), default=0) >= 0 and w.count("0") == w.count("1"),
        formula,
        network(),
        {"flags are not seen": network(0), "one too many is borne": network(threshold=-1)},
    )


def ballot() -> Case:
    """At every prefix at least as many 0 as 1."""

    def network(closing: object = -1, bias: object = 0) -> Encoder:
        below = steps({"u": {"d": -1}}, {"v": {"u": 1}}, {"u": bias})
        layer = Layer(heads=(so_far({"d": {ZERO: 1, ONE: closing}}),), feed_forward=below)
        return of(layer, logit={"v": -1}, bias="1/2" if bias else 0, position="sum", accept="logit >= 0")

    formula = "all(count('0', j) >= count('1', j) for j in positions)"
    mistakes = {"a 1 weighs less": network("-1/2"), "equality is none": network(bias="1/100")}
    return Case(lambda w: min(_sums(w), default=0) >= 0, formula, network(), mistakes)


def strictly_ahead() -> Case:
    """At every prefix more 0 than 1."""

    def network(zero: object = 1, begin: object = 0) -> Encoder:
        layer = Layer(
            heads=(so_far({"d": {ZERO: zero, ONE: -1, BEGIN: begin}}),),
            feed_forward=steps({"u": {"d": 1, BEGIN: 1}}, {"ahead": {"u": 1}}),
        )
        behind = mean({"all": {"ahead": 1}})
        return of(layer, behind, logit={"all": 1}, bias=-1, accept="logit >= 0")

    formula = "all(count('0', j) > count('1', j) for j in positions)"
    mistakes = {"a 0 weighs two": network(2), "equality is enough": network(begin="1/2")}
    return Case(lambda w: min(_sums(w), default=1) >= 1, formula, network(), mistakes)


def depth_two() -> Case:
    """Dyck-1 of depth 2: the balance stays between 0 and 2, by what CLS gives to each mean."""

    def network(most: object = "5/2", least: object = "1/2") -> Encoder:
        layer = Layer(
            heads=(so_far({"d": {ZERO: 1, ONE: -1}, "start": {BEGIN: 1}}), *mean({"e": {ZERO: 1, ONE: -1}}).heads),
            feed_forward=steps(
                {
                    "a": {"d": 1, "start": f"-({most})"},
                    "b": {"d": -1, "start": f"-({least})"},
                    "p": {"e": 1},
                    "m": {"e": -1},
                },
                {"v": {"a": 1, "b": 1, "p": 1, "m": 1}},
            ),
        )
        return of(layer, logit={"v": 1}, position="sum", accept="logit = 0")

    depth = "count('0', j) - count('1', j)"
    formula = f"count('0') == count('1') and all({depth} >= 0 and {depth} <= 2 for j in positions)"
    return Case(
        lambda w: all(0 <= own <= 2 for own in _sums(w)) and w.count("0") == w.count("1"),
        formula,
        network(),
        {"depth 3": network("7/2"), "one too many is borne": network(least="3/2")},
    )


def zeros_then_as_many_ones() -> Case:
    """0^k 1^k: no 0 behind a 1, and equal numbers."""

    def network(order: object = 1, total: object = -1) -> Encoder:
        heads = (so_far({"seen": {ONE: 1}}), *mean({"e": {ZERO: 1, ONE: total}}).heads)
        first: Rows = {"u": {ZERO: order, "seen": 1}, "x": {"e": 1}, "y": {"e": -1}}
        found = steps(first, {"v": {"u": 1, "x": 1, "y": 1}}, {"u": -1}, "relu")
        return of(Layer(heads=heads, feed_forward=found), logit={"v": 1}, position="sum", accept="logit = 0")

    formula = "count('0') == count('1') and all(w[j] != '0' or count('1', j) == 0 for j in positions)"
    return Case(
        lambda w: w == "0" * (len(w) // 2) + "1" * (len(w) // 2),
        formula,
        network(),
        {"order does not matter": network(0), "a 1 weighs two": network(total=-2)},
    )


def at_least_three_ones_before_a_zero() -> Case:
    """A 0 behind three 1: a threshold by what CLS gives."""

    def network(wanted: object = "5/2", what: str = ZERO) -> Encoder:
        three = Layer(
            heads=(so_far({"d": {ONE: 1, BEGIN: f"-({wanted})"}}),),
            feed_forward=steps({"u": {"d": 1}}, {"three": {"u": 1}}),
        )
        return of(three, Layer(feed_forward=both("h", "three", what)), logit={"h": 1}, position="sum")

    formula = "any(w[j] == '0' and count('1', j) >= 3 for j in positions)"
    mistakes = {"two are enough": network("3/2"), "a 1 behind three": network(what=ONE)}
    return Case(lambda w: re.search("1.*1.*1.*0", w) is not None, formula, network(), mistakes)


def subsequence_010() -> Case:
    """Piecewise testable: one layer for each symbol of it."""

    def network(second: str = ONE, last: object = -1) -> Encoder:
        seen = [
            Layer(
                heads=(so_far({"a": {ZERO: 1}}),),
                feed_forward=steps({"u": {"a": 1, second: 1}}, {"01": {"u": 1}}, {"u": -1}),
            ),
            Layer(
                heads=(so_far({"b": {"01": 1}}),),
                feed_forward=steps({"u": {"b": 1, ZERO: 1}}, {"010": {"u": 1}}, {"u": last}),
            ),
        ]
        return of(*seen, logit={"010": 1}, position="sum")

    before = "any(k < j and w[k] == '1' and any(m < k and w[m] == '0' for m in positions) for k in positions)"
    formula = f"any(w[j] == '0' and {before} for j in positions)"
    return Case(
        lambda w: re.search("0.*1.*0", w) is not None,
        formula,
        network(),
        {"000 is enough": network(ZERO), "01 is enough": network(last=0)},
    )


def majority_of_leads() -> Case:
    """0 leads at more than half of the positions of symbols."""

    def network(lead: object = 1, half: object = "1/2") -> Encoder:
        leads = Layer(
            heads=(so_far({"d": {ZERO: lead, ONE: -1}}),), feed_forward=steps({"u": {"d": 1}}, {"lead": {"u": 1}})
        )
        return of(leads, mean({"s": {"lead": 1, ZERO: f"-({half})", ONE: f"-({half})"}}), logit={"s": 1})

    formula = "2*sum((count('0', j) > count('1', j)) for j in positions) > count('0') + count('1')"
    return Case(
        lambda w: 2 * sum(own > 0 for own in _sums(w)) > len(w),
        formula,
        network(),
        {"a 0 weighs two": network(2), "a third is enough": network(half="1/3")},
    )


def ties_more_often_than_leads() -> Case:
    """Two numbers of positions at which two numbers are compared."""

    def network(ties: object = 1, clip: str = "step") -> Encoder:
        found = Layer(
            heads=(so_far({"d": {ZERO: 1, ONE: -1}}),),
            feed_forward=steps({"p": {"d": 1}, "m": {"d": -1}}, {"up": {"p": 1}, "down": {"m": 1}}, None, clip),
        )
        values: Row = {ZERO: ties, ONE: 1, "up": -2, "down": -1}
        return of(found, mean({"s": values}), logit={"s": 1})

    ties, leads = "(count('0', j) == count('1', j))", "(count('0', j) > count('1', j))"
    formula = f"sum({ties} for j in positions) > sum({leads} for j in positions)"
    return Case(
        lambda w: sum(own == 0 for own in _sums(w)) > sum(own > 0 for own in _sums(w)),
        formula,
        network(),
        {"a tie at a 0 weighs more": network("3/2"), "a lead weighs as much as it is": network(clip="relu")},
    )


def first_return() -> Case:
    """The balance is 0 at the last position and at no other one before it."""

    def network(start: object = 1, last: object = -1) -> Encoder:
        found = Layer(
            heads=(so_far({"d": {ZERO: 1, ONE: -1}}),),
            feed_forward=steps({"p": {"d": 1}, "m": {"d": -1}}, {"off": {"p": 1, "m": 1}}),
        )
        values: Row = {"off": last, ZERO: 1, ONE: 1, BEGIN: 0}
        once = Layer(
            heads=(so_far({"s": values, "c": {BEGIN: 1}}),),
            feed_forward=steps(
                {"one": {"s": 1, "c": f"-1/2*({start})"}, "two": {"s": 1, "c": "-3/2"}}, {"once": {"one": 1, "two": -1}}
            ),
        )
        return of(found, once, logit={"once": 1, "off": -1}, bias="-1/2", position="last")

    formula = "count('0') == count('1') and sum((count('0', j) == count('1', j)) for j in positions) == 1"
    return Case(
        lambda w: [place for place, own in enumerate(_sums(w)) if own == 0] == [len(w) - 1] and w != "",
        formula,
        network(),
        {"none is enough": network(-3), "what is off weighs half": network(last="-1/2")},
    )


def seen_both() -> Case:
    """A 0 and a 1 are there, by units of means that are not negative."""

    def network(one: object = 1, activation: str = "step") -> Encoder:
        seen = Layer(
            heads=mean({"a": {ZERO: 1}, "b": {ONE: one}}).heads,
            feed_forward=steps({"u": {"a": 1}, "v": {"b": 1}}, {"s": {"u": 1, "v": 1}}, None, activation),
        )
        return of(
            seen, Layer(feed_forward=steps({"h": {"s": 1}}, {"both": {"h": 1}}, {"h": "-3/2"})), logit={"both": 1}
        )

    formula = "count('0') >= 1 and count('1') >= 1"
    mistakes = {"1s are not seen": network(0), "as much as is there": network(activation="relu")}
    return Case(lambda w: len(set(w)) == 2, formula, network(), mistakes)


def last_before_the_lead() -> Case:
    """The symbol before the last position at which 0 leads is a 1: a head that looks for what a count says."""

    def network(lead: object = 1, distance: int = 1) -> Encoder:
        leads = Layer(
            heads=(so_far({"d": {ZERO: lead, ONE: -1}}), previous({"p": {ONE: 1}}, distance)),
            feed_forward=steps({"u": {"d": 1}, "v": {"p": 1}}, {"lead": {"u": 1}, "before": {"v": 1}}),
        )
        return of(
            leads, Layer(heads=(rightmost({"g": {"before": 1, "lead": 1}}, "lead"),)), logit={"g": 1}, bias="-3/2"
        )

    formula = (
        "any(count('0', j) > count('1', j) and w[j-1] == '1'"
        " and all(k <= j or count('0', k) <= count('1', k) for k in positions) for j in positions)"
    )

    def member(word: str) -> bool:
        leads = [place for place, own in enumerate(_sums(word)) if own > 0]
        return bool(leads) and leads[-1] > 0 and word[leads[-1] - 1] == "1"

    return Case(member, formula, network(), {"a 0 weighs two": network(2), "two before": network(distance=2)})


def majority_of_what_leads_says() -> Case:
    """A mean of the first layer that a unit of the third one compares, with one of the second."""

    def network(first: object = 1, half: object = "-1/2") -> Encoder:
        counted = Layer(heads=(so_far({"d": {ZERO: first, ONE: -1}, "start": {BEGIN: 1}}),))
        asked = Layer(feed_forward=steps({"u": {"d": 1, "start": half}}, {"ahead": {"u": 1}}))
        again = Layer(heads=(so_far({"s": {"ahead": 1}}),))
        both_of_them = Layer(feed_forward=steps({"v": {"s": 2, "d": -1, "start": half}}, {"more": {"v": 1}}))
        return of(counted, asked, again, both_of_them, logit={"more": 1}, bias="-1/2", position="last")

    formula = "2*sum((count('0', j) > count('1', j)) for j in positions) > count('0') - count('1')"
    return Case(
        lambda w: 2 * sum(own > 0 for own in _sums(w)) > w.count("0") - w.count("1"),
        formula,
        network(),
        {"a 0 weighs two": network(2), "equality is enough": network(half="1/2")},
    )


def more_ones_behind_ones() -> Case:
    """Hard attention that averages over the positions with the best key: 1 if there is one, and else 0."""

    def network(key: object = 1, half: object = "-1/2") -> Encoder:
        before = Layer(heads=(previous({"p": {ONE: 1}}),))
        best = Head(W_V={"m": {"p": 1}}, W_Q={"x": {"one": 1}}, W_K={"x": {ONE: key, BEGIN: -1}}, normaliser="hardmax")
        return of(before, Layer(heads=(best,)), logit={"m": 1}, bias=half)

    formula = "2*sum((w[j] == '1')*(w[j-1] == '1') for j in positions) > count('1')"
    mistakes = {"all positions": network(0), "a third": network(half="-1/3")}

    def member(word: str) -> bool:
        pairs = sum(pair == ("1", "1") for pair in itertools.pairwise(word))
        return 2 * pairs > word.count("1")

    return Case(member, formula, network(), mistakes)


def last_by_softmax() -> Case:
    """Scores that rise with the position, as in ALiBi: the last one has more weight than all others together."""

    def network(scale: object = "log(2)", mask: Mask = "causal") -> Encoder:
        seen = Head(W_V={"g": {ONE: 1, ZERO: -1}}, W_Q={"x": {"one": 1}}, W_K={"x": {"i": 1}}, mask=mask, scale=scale)  # type: ignore[arg-type]
        return of(Layer(heads=(seen,)), logit={"g": 1}, position="last")

    mistakes = {"half as steep": network("log(2)/2"), "the first by softmax": network("-log(2)")}
    return Case(lambda w: w[-1:] == "1", "w[n-1] == '1'", network(), mistakes)


def twice_as_heavy() -> Case:
    """1 weighs twice as much in a softmax: at 2 a = b the logit is exactly 0."""

    def network(key: object = "log(2)", ones: object = 1) -> Encoder:
        head = Head(W_V={"s": {ONE: ones, ZERO: -1}}, W_Q={"x": {"one": 1}}, W_K={"x": {ONE: key}}, scale=1)
        return of(Layer(heads=(head,)), logit={"s": 1}, accept="logit >= 0")

    formula = "2*count('1') >= count('0')"
    mistakes = {"three times": network("log(3)"), "a 1 is worth half": network(ones="1/2")}
    return Case(lambda w: 2 * w.count("1") >= w.count("0"), formula, network(), mistakes)


def parity_by_a_count() -> Case:
    """What a position says of itself whose number is how many 1 there are: whether it is even (after Kozachinskiy and
    Steifer, 2501.02535)."""

    def network(scale: str = "n*log(4)", shift: object = 0) -> Encoder:
        counted = Layer(heads=(Head(W_V={"f": {ONE: 1, BEGIN: shift}}),))
        there = Head(
            W_V={"g": {"even": 2, "one": -1}},
            W_Q={"x": {"f": 1}, "y": {"one": 1}},
            W_K={"x": {"one": 1}, "y": {"pos": -1}},
            score="-|dot|",
            scale=scale,
        )
        return of(counted, Layer(heads=(there,)), logit={"g": 1})

    mistakes = {"too flat": network("log(4)"), "CLS is counted": network(shift=1)}
    return Case(lambda w: w.count("1") % 2 == 0, "count('1') % 2 == 0", network(), mistakes)


MAKERS: tuple[Callable[[], Case], ...] = (
    dyck_1,
    dyck_1_in_two_layers,
    ballot,
    strictly_ahead,
    depth_two,
    zeros_then_as_many_ones,
    at_least_three_ones_before_a_zero,
    subsequence_010,
    majority_of_leads,
    ties_more_often_than_leads,
    first_return,
    seen_both,
    last_before_the_lead,
    majority_of_what_leads_says,
    more_ones_behind_ones,
    last_by_softmax,
    twice_as_heavy,
    parity_by_a_count,
)
CASES = {make.__name__.replace("_", " "): make() for make in MAKERS}

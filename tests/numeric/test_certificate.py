"""Certified safe lengths: confirmed by sweeps, below every failure that was found, and changed by a changed weight."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch
from flint import arb, ctx, fmpq

from tests.support.streams import names_of
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import FeedForward, Linear
from weightproof.constructions.scalars.exact import enclosure
from weightproof.numeric.certificate.certificate import (
    SINGLY,
    Margin,
    certified_from_left_to_right,
    certified_safe_length,
    certifier,
    margin,
    over_block,
)
from weightproof.numeric.certificate.uniform.block import Block
from weightproof.numeric.certificate.uniform.feedforward import Row
from weightproof.numeric.model.transformer import PROBABILITY, Transformer
from weightproof.numeric.rounding.formats import FORMATS, Format
from weightproof.numeric.rounding.model import Order, by_sigmoid

DTYPES = ("float64", "float32", "float16", "bfloat16")


def both(value: str, when: str = "n >= 1") -> tuple[Margin, Margin]:
    return Margin("accepted", value, when), Margin("rejected", value, when)


Z1 = "((n - 1)/2*exp(c) + (n + 1)/2*exp(-c))"
Z2 = "((n + 1)/2*exp(c) + (n - 1)/2*exp(-c))"
MARGINS: dict[str, tuple[Margin, ...]] = {
    "parity": (
        *both("2*tanh(c)/n**2", "n % 2 == 0"),
        Margin("accepted", f"(n + 1)*sinh(2*c)/(n*{Z1}*{Z2})", "n % 2 == 1"),
        Margin("rejected", f"(n - 1)*sinh(2*c)/(n*{Z1}*{Z2})", "n % 2 == 1"),
    ),
    "first": both("exp(c)/(exp(c) + n - 1)/2", "n >= 2"),
    "one": both("1/(2*n)"),
    "palindrome": (Margin("rejected", "1/(2**n - 1)"),),
    "palindrome-margin": (Margin("accepted", "1/(2**n - 1)"), Margin("rejected", "1/(2**n - 1)", "n >= 4")),
    "palindrome-isometric": (Margin("accepted", "1/2**n/n"), Margin("rejected", "3/2**n/n", "n >= 4")),
    "balanced": both("1/(2*n)"),
}
TOLERANCE = "1/(2**n - 1)/2"
"""Half the margin: a logit is taken for 0 where it is nearer to 0 than to the margin."""


def balanced() -> Construction:
    """1-DYCK with 1/(2n) taken off the logit, so that a prefix of open brackets is not at 0: [last]/(i+1) is
    relu([last] + 1/(i+1) - 1)."""
    original = load("dyck1")
    first, last = original.network.layers
    network = last.feed_forward
    assert network is not None
    network = FeedForward(
        Linear({**network.first.weights, "l": {"[last]": 1, "1/i": 1}}, {"l": -1}),
        Linear({**network.second.weights, "[last]/i": {"l": 1}}),
    )
    readout = original.network.readout
    weights = {**readout.W.weights["logit"], "[last]/i": "-1/2"}
    encoder = replace(
        original.network,
        coordinates=(*original.network.coordinates, "[last]/i"),
        layers=(first, replace(last, feed_forward=network)),
        readout=replace(readout, W=Linear({"logit": weights})),
    )
    return replace(original, name="balanced", network=encoder)


CASES = {name: balanced() if name == "balanced" else load(name) for name in MARGINS}


def certified(name: str, dtype: str, longest: int = 10**30, **changed: object) -> int:
    tolerance = TOLERANCE if name == "palindrome" else 0
    construction = changed.get("construction", CASES[name])
    return certified_safe_length(construction, MARGINS[name], None, dtype, longest, tolerance)  # type: ignore[arg-type]


EXPECTED = {
    "parity": (40090578, 1725, 7, 3),
    "first": (1000507885142015, 1862613, 202, 18),
    "one": (643191051909084, 1198063, 143, 27),
    "palindrome": (77, 22, 4, 2),
}
"""By DTYPES; recorded, so that a change of a rule shows. A smaller number is weaker, a greater one needs a reason."""
RUNS = [
    *(
        (name, dtype, length)
        for name, lengths in EXPECTED.items()
        for dtype, length in zip(DTYPES, lengths, strict=True)
    ),
    ("palindrome-margin", "float32", 24),
    ("palindrome-isometric", "float32", 26),
    ("balanced", "float64", 207966),
    ("balanced", "float16", 6),
]
"""`balanced` takes long: in two dtypes only."""
IN_ORDER = {("parity", "float64"): 73319697, ("parity", "float32"): 3143, ("parity", "float16"): 17}
"""The same for sums from left to right alone, from what is certified of any order on."""
FAILURES = {"float32": 5858, "float16": 71, "bfloat16": 20}
"""Symbols of the shortest words found that strict arithmetic classifies wrongly for parity."""


def _is_long(name: str, dtype: str) -> bool:
    """Whether a certificate takes many seconds."""
    return dtype in ("float64", "float32") and name in ("parity", "balanced", "one")


@pytest.mark.parametrize(
    ("name", "dtype", "length"),
    [pytest.param(*run, marks=[pytest.mark.controls] if _is_long(*run[:2]) else []) for run in RUNS],
)
def test_certified_lengths_are_as_recorded(name: str, dtype: str, length: int) -> None:
    assert certified(name, dtype) == length


@pytest.mark.parametrize(
    ("name", "dtype", "length"),
    [
        pytest.param(*case, length, marks=[pytest.mark.controls] if _is_long(*case) else [])
        for case, length in IN_ORDER.items()
    ],
)
def test_sums_from_left_to_right_are_certified_further(name: str, dtype: str, length: int) -> None:
    known = EXPECTED[name][DTYPES.index(dtype)]
    assert certified_from_left_to_right(CASES[name], MARGINS[name], None, dtype, known=known) == length


@pytest.mark.parametrize("dtype", FAILURES)
def test_certified_lengths_are_below_known_failures(dtype: str) -> None:
    assert EXPECTED["parity"][DTYPES.index(dtype)] < FAILURES[dtype]


@pytest.mark.parametrize("name", MARGINS)
def test_the_margins_are_those_of_the_exact_logit(name: str) -> None:
    """Written in by hand here, they have to hold, and are attained where n is small."""
    construction = CASES[name]
    with ctx.workprec(128):
        for word in words("01", 6):
            n = len(word) + len(certifier(construction, ()).block(1, 1).markers)
            result = run(construction, word)
            side = "accepted" if construction.language.member(word) else "rejected"
            least = margin(MARGINS[name], side, names_of(construction), n, n)  # type: ignore[arg-type]
            if least is not None:
                assert not abs(enclosure(result.logit)) < least
                assert result.accepts == (side == "accepted")


def hard_words(length: int, source: random.Random) -> list[str]:
    """Words of every count of 1s, in the order that is hardest for sums, and in none."""
    counts = sorted({0, 1, 2, 3, length // 2, length - 1, length, *(source.randint(0, length) for _ in range(6))})
    found = []
    for k in counts:
        if 0 <= k <= length:
            ordered = "1" * k + "0" * (length - k)
            shuffled = "".join(source.sample(ordered, length))
            found += [ordered, ordered[::-1], shuffled, shuffled[: length // 2] + shuffled[: (length + 1) // 2][::-1]]
    return [*found, ("01" * length)[:length], "0" * (length // 2) + "1" * (length - length // 2)]


@pytest.mark.parametrize("attention", ["strict", "explicit"])
@pytest.mark.parametrize(("name", "dtype", "limit"), RUNS)
def test_no_word_within_a_certified_length_fails(name: str, dtype: str, limit: int, attention: str) -> None:
    """All short words; longer ones of many counts, up to the certified length or the patience of a test."""
    construction, source = CASES[name], random.Random(0)
    model = Transformer(construction, dtype=dtype, attention=attention)
    tried = list(words("01", min(9, limit)))
    lengths = [10, 11, 17, 40, 63, 64, 65, 128, 201, 499] if attention == "explicit" else [10, 19, 50]
    for length in (*lengths, limit):
        if 10 <= length <= min(limit, 1000):
            tried += hard_words(length, source)
    if name == "palindrome":
        logits = model.logits(tried).tolist()
        accepted = [2 * abs(x) * (2 ** (len(w) + 2) - 1) <= 1 for w, x in zip(tried, logits, strict=True)]
    else:
        accepted = model.accepts(tried).tolist()
    member = construction.language.member
    assert [w for w, a in zip(tried, accepted, strict=True) if a != member(w)] == []


BY_PROBABILITY = [*DTYPES[2:], *(pytest.param(dtype, marks=pytest.mark.controls) for dtype in DTYPES[:2])]


@pytest.mark.parametrize("attention", ["strict", pytest.param("explicit", marks=pytest.mark.controls)])
@pytest.mark.parametrize("dtype", BY_PROBABILITY)
def test_the_probability_is_right_within_its_own_certified_length(dtype: str, attention: str) -> None:
    construction, source = CASES["one"], random.Random(1)
    limit = certified_safe_length(construction, MARGINS["one"], None, dtype, 500, by_probability=True)
    assert limit <= certified("one", dtype, 500)
    model = Transformer(construction, dtype=dtype, attention=attention)
    tried = [word for length in {1, 2, min(limit, 9), min(limit, 200)} for word in hard_words(length, source)]
    accepted = PROBABILITY.accepts(model, model.logits(tried)).tolist()
    assert [w for w, a in zip(tried, accepted, strict=True) if a != construction.language.member(w)] == []


@pytest.mark.parametrize(("attention", "order"), [("strict", "left to right"), ("strict", "any"), ("explicit", "any")])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_sigmoid_decides_from_where_it_is_said_to(dtype: str, attention: str, order: Order) -> None:
    """And not much before: the least logits, of which none is taken for more than 1/2, are above u."""
    format, model = FORMATS[dtype], Transformer(CASES["one"], dtype=dtype, attention=attention)
    decision, u = by_sigmoid(format, order), float(format.unit_roundoff)
    logits = torch.tensor([u * k / 8 for k in range(-1024, 1025)], dtype=model.dtype)
    logits = torch.cat([logits, torch.nextafter(logits, torch.tensor(torch.inf, dtype=model.dtype)), *every(format)])
    accepted = (model.probabilities(logits) > 0.5).tolist()
    for x, accepts in zip(logits.tolist(), accepted, strict=True):
        exact = fmpq(*x.as_integer_ratio())
        assert accepts or not exact > decision.above
        assert not (accepts and (exact <= decision.below or x == 0))
    assert not (model.probabilities(torch.tensor([0.0, u / 2, u], dtype=model.dtype)) > 0.5).any()


def every(format: Format) -> list[torch.Tensor]:
    """All finite numbers of a format of 16 bits; none of the others."""
    if format.name not in ("bfloat16", "float16"):
        return []
    found = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int16).view(getattr(torch, format.name))
    return [found[found.isfinite()]]


# What a certificate depends on


def test_a_changed_weight_changes_the_certificate() -> None:
    """The tent of PARITY no longer vanishes where all its units are on: errors of all positions pass."""
    original = CASES["parity"]
    first, *rest = original.network.layers
    assert first.feed_forward is not None
    second = Linear({"[i=k]/n": {"h1": 1, "h2": -2, "h3": "99/100"}})
    layer = replace(first, feed_forward=replace(first.feed_forward, second=second))
    changed = replace(original, network=replace(original.network, layers=(layer, *rest)))
    assert certified("parity", "float32", construction=changed) < EXPECTED["parity"][1] / 4


@pytest.mark.parametrize("rule", ["gamma", "near"])
def test_a_rule_that_is_broken_certifies_more(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """So that the recorded lengths notice it."""
    if rule == "gamma":
        monkeypatch.setattr(Block, "gamma", lambda self, count: arb(0))
    else:
        monkeypatch.setattr(Row, "near_count", lambda self, pivot, above, below: arb(0))
    assert certified("parity", "float32") > EXPECTED["parity"][1]


def test_without_margins_only_short_words_are_certified() -> None:
    """One by one, by their exact logits."""
    assert certified_safe_length(CASES["one"], (), dtype="float64") == 6
    assert certified_safe_length(CASES["one"], MARGINS["one"][:1], dtype="float64") == 6
    gaps = both("1/(2*n)", "n % 2 == 0")
    assert certified_safe_length(CASES["one"], gaps, dtype="float64") == 7


def test_a_smaller_margin_certifies_less_and_a_rejected_margin_of_0_nothing() -> None:
    assert certified_safe_length(CASES["one"], both("1/(4*n)"), dtype="float32") < EXPECTED["one"][1]
    at_0 = (MARGINS["one"][0], Margin("rejected", 0))
    assert certified_safe_length(CASES["one"], at_0, dtype="float32") == 6


def test_zero_is_certified_only_with_a_tolerance() -> None:
    construction, margins = CASES["palindrome"], MARGINS["palindrome"]
    assert certified_safe_length(construction, margins) < certified("palindrome", "float64")


def test_nothing_is_certified_beyond_the_range_of_the_format() -> None:
    """Positions are numbers in palindrome's stream; where they may overflow there is no bound."""
    given = certifier(CASES["palindrome"], MARGINS["palindrome"], format=FORMATS["float16"])
    assert given.error(10, 10) is not None
    assert given.error(70_000, 70_000) is None


OVERFLOWING = {
    "a scale": {"scale": 70_000},
    "a weight": {"W_V": {"k/n": {"[w=1]": 1, "s": 70_000}, "1/n": {"[w=CLS]": 1}}},
}


@pytest.mark.parametrize("changed", OVERFLOWING.values(), ids=OVERFLOWING)
def test_nothing_is_certified_of_0_times_what_overflows(changed: dict[str, object]) -> None:
    """Which is no number: the network decides nothing."""
    original = load("one")
    [layer] = original.encoder.layers
    layer = replace(layer, heads=(replace(layer.heads[0], **changed),))
    construction = replace(original, network=replace(original.encoder, layers=(layer,)))
    logits = Transformer(construction, dtype="float16", attention="strict").logits(["1", "01"])
    assert logits.isnan().all()
    assert certified_safe_length(construction, MARGINS["one"], dtype="float16", longest=9) < 1
    assert certified_from_left_to_right(construction, MARGINS["one"], dtype="float16", longest=9) < 1
    assert certified_safe_length(construction, MARGINS["one"], dtype="float32", longest=9) == 9


def test_a_limit_is_kept() -> None:
    assert certified("one", "float64", longest=100) == 100
    assert certified("one", "float64", longest=3) == 3


def test_blocks_agree_with_single_lengths() -> None:
    """What is certified in a block is certified for each of its lengths alone."""
    given = certifier(CASES["parity"], MARGINS["parity"], format=FORMATS["float32"])
    assert given.certifies(SINGLY, SINGLY + 30)
    assert all(given.certifies(n, n) for n in range(SINGLY, SINGLY + 31))
    reach = EXPECTED["parity"][1]
    assert not given.certifies(2 * reach, 2 * reach)


# Margins


def test_margins_are_lower_bounds_over_a_block() -> None:
    names = names_of(CASES["parity"])
    with ctx.workprec(128):
        for case in MARGINS["parity"]:
            for shortest, longest in ((5, 5), (8, 8), (7, 30), (100, 120)):
                whole = margin(MARGINS["parity"], case.side, names, shortest, longest)
                assert whole is not None
                for n in range(shortest, longest + 1):
                    if (n % 2 == 0) == ("0" in case.when.source.split()[-1]):
                        assert not whole > over_block(case.value, names, n, n).high


@pytest.mark.parametrize("when", ["n >= 3", "n % 3 == 1", "n % 2 == 0 and n >= 5", "not n >= 5", "n % n == 0"])
def test_lengths_without_a_case_have_no_margin(when: str) -> None:
    with ctx.workprec(128):
        assert margin(both("1/n", when), "accepted", {}, 2, 6) is None


def test_cases_that_may_hold_count() -> None:
    cases = (*both("1/n"), *both("1/n**2", "n >= 5"))
    with ctx.workprec(128):
        assert margin(cases, "accepted", {}, 4, 4) == arb(fmpq(1, 4))
        low = margin(cases, "accepted", {}, 4, 6)
        assert low is not None
        assert not low > fmpq(1, 36)


def test_bad_options_are_refused() -> None:
    with pytest.raises(InputError, match="palindrome: accepts by logit = 0"):
        certified_safe_length(CASES["palindrome"], MARGINS["palindrome"], by_probability=True)
    with pytest.raises(InputError, match="unknown dtype 'float12'"):
        certified_safe_length(CASES["one"], MARGINS["one"], dtype="float12")
    with pytest.raises(InputError, match="tolerance i: the name i"):
        certified_safe_length(CASES["palindrome"], MARGINS["palindrome"], tolerance="i")

"""The uniform bounds against many words: every bound of every coordinate, for built-in, user's and random encoders."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numeric.test_containment import drawn, strays
from tests.support.places import EXAMPLES
from tests.support.streams import block_of, escapes, exact_streams, logit_bound, misjudged, positions
from tests.support.suites import short_suite
from weightproof.constructions.library import load, load_file, names
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.certificate.uniform import block, feedforward
from weightproof.numeric.certificate.uniform import bound as module
from weightproof.numeric.certificate.uniform.block import Block, Form, Value
from weightproof.numeric.certificate.uniform.bound import Weights, output_errors, streams
from weightproof.numeric.certificate.uniform.feedforward import Row, Tent, Unit
from weightproof.numeric.certificate.uniform.positions import ZERO, Curve, NotUnderstood, PositionReader, Profile, Range
from weightproof.numeric.model.parts import DTYPES
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.arithmetic import TYPES
from weightproof.numeric.rounding.formats import FORMATS, Format

ALL = [load(name) for name in names()] + [load_file(path).construction for path in EXAMPLES]
IDS = [construction.name for construction in ALL]


# The built-in and the users' constructions


@pytest.mark.parametrize("dtype", short_suite(FORMATS, ["float64", "bfloat16"]))
@pytest.mark.parametrize("construction", ALL, ids=IDS)
def test_no_bound_of_any_coordinate_is_missed(construction: Construction, dtype: str) -> None:
    number = [*FORMATS].index(dtype)
    for length in (1, 2, 3 + number, 9 + number):
        words = drawn(construction, length, 2, length)
        assert escapes(construction, words, dtype, wider=(0, 4)) == []


@pytest.mark.parametrize("construction", ALL, ids=IDS)
def test_a_block_bounds_all_its_lengths(construction: Construction) -> None:
    """The error bound of a block is at least those of the lengths in it."""
    with ctx.workprec(128):
        single = [logit_bound(construction, "float64", n) for n in (20, 23, 25)]
        whole = output_errors(block_of(construction, "float64", 20, 25), ["logit"])["logit"]
    assert all(error is not None and not whole < error for error in single)


@pytest.mark.parametrize("dtype", FORMATS)
def test_exp_of_0_is_1_in_torch(dtype: str) -> None:
    """As the rounding model assumes; long enough for the vector code, odd enough for the rest."""
    for size in (1, 3, 64, 1027):
        zeros = torch.zeros(size, dtype=DTYPES[dtype])
        assert (torch.exp(zeros) == 1).all()
        weights = torch.softmax(zeros, 0)
        assert (weights == weights[0]).all()


# Random encoders

SMALL = st.sampled_from(["1", "-1", "2", "-2", "1/2", "1/3", "-3/5", "log(2)"])
ENCODINGS = st.sampled_from(
    ["i/n", "(i == 1)", "(i == n - 1)", "1/(i + 1)", "cos(pi*i)", "i", "(i >= n/2)", "1 - i/n", "2/3", "(n - i - 1)/n",
     "(-1)**i/2", "1/n", "i*i/n**2", "(i == 0 or i == 2)", "0", "exp(-i)", "(i > n/2)*sqrt(i + 1)/n"]
)  # fmt: skip
COORDINATES = ("a", "b", "c", "p", "q", "x", "y")


@st.composite
def rows(draw: Callable[..., object], outputs: tuple[str, ...], inputs: tuple[str, ...], most: int = 3):  # type: ignore[no-untyped-def]
    entry = st.dictionaries(st.sampled_from(inputs), SMALL, min_size=1, max_size=most)
    return {name: draw(entry) for name in outputs}


@st.composite
def heads(draw, target: str):  # type: ignore[no-untyped-def]
    scored = ("s", "t")[: draw(st.integers(0, 2))]
    return Head(
        draw(rows((target,), COORDINATES)),
        draw(rows(scored, COORDINATES, 1)),
        draw(rows(scored, COORDINATES, 2)),
        scale=draw(st.sampled_from(["1", "1/sqrt(d)"])),
        mask=draw(st.sampled_from(["none", "none", "causal"])),
    )


@st.composite
def networks(draw):  # type: ignore[no-untyped-def]
    """Random units, or a tent: units that differ by multiples of one coordinate, with outer weights that sum to 0."""
    if draw(st.booleans()):
        base, width = draw(rows(("z",), COORDINATES[:6], 2))["z"], draw(st.sampled_from(("x", "p", "c")))
        shifts = {f"h{shift}": {**base, width: str(shift)} for shift in (-1, 0, 1)}
        outer = draw(st.sampled_from([("1", "-2", "1"), ("-1", "1", "0"), ("1", "1", "-2")]))
        return FeedForward(Linear(shifts), Linear({"y": dict(zip(shifts, outer, strict=True))}))
    units = tuple(f"h{number}" for number in range(draw(st.integers(1, 4))))
    bias = draw(st.dictionaries(st.sampled_from(units), SMALL, max_size=2))
    return FeedForward(Linear(draw(rows(units, COORDINATES)), bias), Linear(draw(rows(("y", "b"), units, 4))))


@st.composite
def encoders(draw) -> Construction:  # type: ignore[no-untyped-def]
    WE = {token: draw(st.dictionaries(st.sampled_from(("a", "b", "c")), SMALL, max_size=2)) for token in "01^$"}
    begin, end = draw(st.sampled_from(["^", None])), draw(st.sampled_from(["$", None]))
    WE = {token: row for token, row in WE.items() if token in ("0", "1", begin, end)}
    PE = draw(st.dictionaries(st.sampled_from(("p", "q", "c")), ENCODINGS, max_size=3))
    layers = []
    for _ in range(draw(st.integers(1, 2))):
        network = draw(st.one_of(st.none(), networks()))
        added = tuple(draw(heads(draw(st.sampled_from("xyc")))) for _ in range(draw(st.integers(0, 2))))
        layers.append(Layer(added, network))
    readout = Readout(Linear(draw(rows(("logit",), COORDINATES))), draw(st.sampled_from(["first", "last", "sum"])))
    encoder = Encoder(COORDINATES, Embedding(WE, PE), tuple(layers), readout, begin, end)
    language = Language("any", ("0", "1"), lambda word: True, "n >= 0")
    return Construction("random", "random", "a test", language, encoder)


@pytest.mark.controls
@settings(max_examples=150)
@given(encoders(), st.text("01", min_size=1, max_size=9), st.sampled_from(list(FORMATS)), st.integers(0, 3))
def test_no_bound_of_a_random_encoder_is_missed(construction: Construction, word: str, dtype: str, wider: int) -> None:
    assert escapes(construction, [word, "1" * len(word)], dtype, (wider,)) == []
    models = [Transformer(construction, dtype=dtype, attention=kind) for kind in ("strict", "explicit")]
    assert strays(construction, dtype, {word: [model.logits([word]).item() for model in models]}) == []


# Position encodings

TEXTS = (
    "i/n", "cos(pi*i)", "(-1)**i", "(i == 1)", "(i == n - 1)", "(i <= (n - 1)/2)", "n - i - 1", "i", "3/(i + 1)",
    "1/(2*i + 3)", "(i == 1 or i == 3)", "(i >= 1 and i == 2)", "(not i == 0)", "i*i/n", "1/n", "log(n + 1)/3",
    "2*i - n", "sqrt(2)*i", "(i != 2)", "1/2", "0", "(i/n - 1/2)/3", "i**2 - i",
    "(i > n/2)/2", "(n - 2*i >= 3)*i", "(i < 3 or n - i < 2)", "(3 >= n - i)",
    "(i > n/2)*exp(2*i - n)", "(i <= 3)*sqrt(i + 1)",
    "exp(i - n)", "exp((n - 2*i)/7)", "(2*i < n - 1)*exp(-(i + 1))", "sqrt(1 - exp(2*(i - n)))", "sqrt(i + 1)",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_encodings_are_read_rightly(text: str) -> None:
    scalar = expression(text)
    with ctx.workprec(128):
        for shortest, longest in [(1, 1), (2, 2), (3, 3), (7, 7), (12, 12), (2, 5), (7, 9), (30, 40)]:
            block = block_of(load("one"), "float64", shortest, longest)
            profile = PositionReader(block.n, {}).read(scalar)
            form = Form({}, {profile: fmpq(1)})
            for n in {shortest, (shortest + longest) // 2, longest}:
                values = [evaluate(scalar, {"n": fmpq(n), "i": fmpq(i)}) for i in range(n)]
                assert list(misjudged(block, form, "all", [enclosure(x) for x in values])) == []
                if profile.quantum is not None:
                    step = fmpq(profile.quantum.numerator, profile.quantum.denominator)
                    assert all(isinstance(x, fmpq) and (x / step).q == 1 for x in values)


@pytest.mark.parametrize("text", ["i % 2", "cos(pi*(i + n))", "2**i", "log(i)", "1/(i - 20)", "1/(n - i)", "sqrt(i)"])
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        PositionReader(Range(arb(5), arb(9)), {}).read(expression(text))


@pytest.mark.parametrize(
    "layer",
    [
        Layer((Head({"s": {"1/n": 1}}, normaliser="hardmax"),)),
        Layer((Head({"s": {"1/n": 1}}, score="-|dot|"),)),
        Layer(feed_forward=FeedForward(Linear({"h": {"s": 1}}), Linear({"s": {"h": 1}}), "square")),
        Layer(attention_norm=LayerNorm(1)),
    ],
    ids=["hardmax", "-|dot|", "square", "layer norm"],
)
def test_parts_without_a_rule_are_refused(layer: Layer) -> None:
    original = load("one")
    network = replace(original.network, layers=(*original.network.layers, layer))
    assert logit_bound(replace(original, network=network), "float64", 5) is None


# Planted mistakes: each rule is needed


def gain() -> Construction:
    """Errors of an average go through a unit that adds none of its own; another one adds its own to exact inputs; a
    third is near where half of the word are 1s."""
    original = load("one")
    network = FeedForward(
        Linear({"g": {"k/n": 1}, "h": {"[w=1]": "1/3", "[w=0]": "1/5"}, "m": {"k/n": 1}}, {"m": "-1/2"}),
        Linear({"s": {"g": 1}, "1/n": {"h": 1}, "m": {"m": 1}}),
    )
    average = Head(W_V={"k/n": {"[w=1]": 1}})
    readout = Readout(Linear({"logit": {"s": 1}}), "sum")
    coordinates = (*original.network.coordinates, "m")
    encoder = replace(original.network, coordinates=coordinates, layers=(Layer((average,), network),), readout=readout)
    return replace(original, name="gain", network=encoder)


def adder() -> Construction:
    """Sums that cancel, so that what is rounded on the way is all that counts: 1 + 3/512 - 1, and 1/3 - 171/512, where
    in bfloat16 1/3 is 171/512; the latter error goes through two more averages."""
    original = load("one")
    first = Head(W_V={"s": {"x": 1, "y": 1, "one": -1}, "t": {"x": "1/3", "z": -1}})
    coordinates = ("x", "y", "z", "one", "s", "t", "u")
    embedding = Embedding({token: {"x": 1, "y": "3/512", "z": "171/512", "one": 1} for token in ("0", "1", "CLS")})
    layers = (Layer((first,)), Layer((Head(W_V={"u": {"t": 1}}), Head(W_V={"u": {"t": "-1/2"}}))))
    readout = Readout(Linear({"logit": {"u": 1}}))
    encoder = replace(original.network, coordinates=coordinates, embedding=embedding, layers=layers, readout=readout)
    return replace(original, name="adder", network=encoder)


def tents() -> Construction:
    """Tents over the position: one is shifted by the error of an average, its units begin with the same large terms;
    the roundings of the other one's units do not cancel."""
    original = load("one")
    embedding = Embedding(
        {token: {"16": 16, "1/2": "1/2"} for token in ("0", "1", "CLS")}, {"i/n": "i/n", "1/n": "1/n"}
    )
    tops = {"a": {"16": -1, "mean": 1}, "b": {}}
    units = {f"{name}{k}": {**top, "1/2": 1, "i/n": -1, "1/n": k} for name, top in tops.items() for k in (-1, 0, 1)}
    rows = {"s": {"a-1": 1, "a0": -2, "a1": 1}, "t": {"b-1": 1, "b0": 1, "b1": -2}}
    layer = Layer((Head(W_V={"mean": {"16": 1}}),), FeedForward(Linear(units), Linear(rows)))
    coordinates = ("16", "mean", "1/2", "i/n", "1/n", "s", "t")
    readout = Readout(Linear({"logit": {"s": 1}}), "sum")
    encoder = replace(original.network, coordinates=coordinates, embedding=embedding, layers=(layer,), readout=readout)
    return replace(original, name="tents", network=encoder)


PLANTED: dict[str, tuple[object, str, object]] = {
    "no roundings of sums": (Block, "gamma", lambda self, count: ZERO),
    "no roundings of entries": (Block, "_given", lambda self, form: Value(form, quantum=Fraction(1))),
    "errors do not pass": (Row, "passed", lambda self, gradient, sizes: ZERO),
    "units do not round": (Row, "rounded", lambda self, patterns, sizes, heights, own=True: ZERO),
    "roundings do not add up": (Row, "_rounding_total", lambda self: ZERO),
    "sums round once": (block, "roundings", lambda count, reach, format: (ZERO, ZERO)),
    "equal terms add up exactly": (module, "_equal_terms", lambda block, count: ZERO),
    "spacings are forgotten": (Block, "off", lambda self, size: ZERO),
    "units that move evenly round nowhere": (Row, "_own_total", lambda self, unit: ZERO),
    "means that share errors owe nothing": (Block, "owing", lambda self, debt: ZERO),
    "no position is near": (Row, "near_count", lambda self, pivot, above, below: ZERO),
    "no position is awake": (Row, "awake_count", lambda self, pivot, below: ZERO),
    "inputs are 0 at near positions": (Row, "_near_size", lambda self, name, pivot, reach: ZERO),
    "tents are flat": (Row, "_tent", lambda self: Tent(Form(), ())),
    "weights are exact": (module, "_relative", lambda *given: (ZERO, ZERO)),
    "weights are equal": (module, "_weights", lambda *given: Weights(True, ZERO, arb(1), ZERO)),
    "causal rows are exact": (module, "_causal_total", lambda *given: ZERO),
    "everything moves evenly": (Block, "slope", lambda self, form: Range.of(1)),
    "what is 0 elsewhere weighs nothing": (Weights, "share", lambda self, block, within: ZERO),
    "everything stands at the first position": (Block, "within", lambda self, form, positive=False: Range.of(0)),
    "all tokens are the last one": (
        feedforward,
        "_blocks",
        lambda block, units, where: [block, *[block.at_token(block.tokens[-1])] * len(block.tokens)],
    ),
    "what rises stays near 0": (Curve, "at", lambda self, position: Range.of(0)),
    "a row and what it is added to are exact": (Row, "beside", lambda self, name, whole: replace(whole, absolute=ZERO)),
    "sums from left to right are exact": (Block, "left_to_right", lambda self, largest, total, count: ZERO),
    "all positions share their errors": (Block, "same", lambda self, value: True),
}
"""What is broken: an attribute, and what it is replaced by."""


def near_misses(construction: Construction, words: list[str], dtype: str) -> list[str]:
    """What the rows say of near positions and is not so of these words, whose networks write to fresh coordinates."""
    found: list[str] = []
    with ctx.workprec(256):
        block = block_of(construction, dtype, positions(construction, words[0]))
        told = []
        with pytest.MonkeyPatch.context() as patch:
            original = Row.near

            def near(self: Row, pivot: Unit) -> tuple[arb, arb, dict[str, arb]]:
                told.append((self, pivot, original(self, pivot)))
                return told[-1][2]

            patch.setattr(Row, "near", near)
            list(streams(block))
        exact = [stream for word in words for stream in exact_streams(construction, word)[1:]]
        for (row, pivot, (above, below, sizes)), stream in itertools.product(told, exact):
            stream = stream if row.where == "all" else stream[:1] if row.where == "first" else stream[-1:]
            values = [
                sum((enclosure(w) * x[c] for c, w in pivot.weights.items()), enclosure(pivot.bias)) for x in stream
            ]
            awake = [x for x, z in zip(stream, values, strict=True) if z > -below]
            near_ones = [x for x, z in zip(stream, values, strict=True) if -below < z < above]
            if row.where == "all" and len(awake) > row.awake_count(pivot, below):
                found.append(f"{construction.name}: awake")
            if row.where == "all" and len(near_ones) > row.near_count(pivot, above, below):
                found.append(f"{construction.name}: near")
            if any(abs(x[name]) > size for x in near_ones for name, size in sizes.items()):
                found.append(f"{construction.name}: sizes")
    return found


@pytest.mark.parametrize("name", ["parity", "one", "dyck1", "dyck1-depth"])
def test_near_positions_are_few_and_their_inputs_small(name: str) -> None:
    """Only the last layer with a network, whose inputs its own stream still shows."""
    original = load(name)
    network = replace(original.network, layers=original.network.layers[:1])
    construction = replace(original, network=network)
    for dtype, length in (("float64", 6), ("float32", 13), ("float16", 24)):
        assert near_misses(construction, drawn(construction, length, 6), dtype) == []


@pytest.mark.parametrize("which", PLANTED)
def test_a_planted_mistake_is_found(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    monkeypatch.setattr(*PLANTED[which])
    for length, dtype in ((5, "bfloat16"), (12, "float16"), (90, "bfloat16")):
        for construction in (gain(), adder(), *ALL):
            words = drawn(construction, length, 1)
            if escapes(construction, words, dtype):
                return
            if len(construction.network.layers) == 1 and near_misses(construction, words, dtype):
                return
    pytest.fail("no bound was missed")


IN_ORDER: dict[str, tuple[tuple[object, str, object], int, str]] = {
    "shifts pass nothing": ((feedforward, "_covered", lambda length, shift, step: ZERO), 145, "float32"),
    "units that share their terms round nowhere": (
        (Unit, "partial_sums", lambda self, stream, block: iter(())),
        303,
        "float16",
    ),
    "all units on, nothing rounds": ((Row, "_on_total", lambda self, form, slack: ZERO), 303, "float16"),
}
"""What is broken of sums from left to right, and where `tents` shows it."""


@pytest.mark.parametrize("which", IN_ORDER)
def test_a_planted_mistake_about_sums_from_left_to_right_is_found(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    planted, length, dtype = IN_ORDER[which]
    assert escapes(tents(), ["1" * length], dtype) == []
    monkeypatch.setattr(*planted)
    assert escapes(tents(), ["1" * length], dtype) != []


def worst_sum(format: Format, terms: np.ndarray) -> float:
    """The greatest error of the sums from left to right of terms in rows, as a part of what it may be."""
    largest, exact = terms.max(1).astype(float), terms.astype(float).sum(1)
    errors = abs(np.add.accumulate(terms, axis=1)[:, -1].astype(float) - exact)
    worst = 0.0
    with ctx.workprec(128):
        block = Block(load("one").network, "01", {}, format, 1, 1)  # type: ignore[arg-type]
        for top, total, error in zip(largest, exact, errors, strict=True):
            allowed = block.left_to_right(arb(top), arb(total), arb(terms.shape[1]))
            worst = max(worst, error / float(allowed))
    return worst


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_sums_from_left_to_right_are_off_by_no_more_than_is_said(dtype: str) -> None:
    """Of equal terms, as of an average, by almost as much: two thirds of the bound would not do."""
    format, kind, random = FORMATS[dtype], TYPES[dtype], np.random.default_rng(0)
    for count in (2, 5, 71, 300):
        sizes = random.uniform(0.5, 1, (40, 1))
        assert worst_sum(format, (random.random((40, count)) * sizes).astype(kind)) <= 1
        assert worst_sum(format, (random.random((40, count)) ** 20 * sizes).astype(kind)) <= 1
    equal = [worst_sum(format, np.full((1, n), 1 / n, kind)) for n in range(20, 400)]
    assert 2 / 3 < max(equal) <= 1


@pytest.mark.parametrize("construction", [gain(), adder()], ids=["gain", "adder"])
def test_no_bound_is_missed_where_nothing_is_broken(construction: Construction) -> None:
    for length, dtype in ((5, "bfloat16"), (12, "float16"), (90, "bfloat16")):
        assert escapes(construction, drawn(construction, length, 1), dtype) == []


def test_profiles_are_told_apart() -> None:
    """Two profiles with equal bounds are different functions: they must not cancel."""
    bounds = Range(ZERO, arb(1))
    one, other = (Profile(bounds, arb(5), bounds, arb(5), None, bounds, bounds) for _ in range(2))
    difference = Form({}, {one: fmpq(1)}) - Form({}, {other: fmpq(1)})
    block = block_of(load("one"), "float64", 5)
    assert block.range(difference).low <= -1
    assert (Form({}, {one: fmpq(1)}) - Form({}, {one: fmpq(1)})).is_zero

"""Strict arithmetic against a forward pass in fractions, each operation rounded where it stands."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numeric.test_containment import escapes
from tests.support.places import EXAMPLES
from tests.support.suites import short_suite
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, load_file, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.model import strict
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.arithmetic import TYPES, Rounded, exponential
from weightproof.numeric.rounding.formats import FORMATS, Format, nearest, rounded
from weightproof.numeric.rounding.repeated import repeated

ALL = [pytest.param(load(name), id=name) for name in names()] + [
    pytest.param(load_file(path).construction, id=path.stem) for path in EXAMPLES
]
Vector = dict[str, float]


class Naive:
    """One word, one position after the other, in exact fractions that are rounded after each operation."""

    def __init__(self, construction: Construction, format: Format, word: str) -> None:
        network = construction.network
        assert isinstance(network, Encoder)
        self.network, self.format, self.tokens = network, format, add_markers(network, word)
        self.names = parameter_values(construction) | {
            "n": fmpq(len(self.tokens)), "d": fmpq(len(network.coordinates))
        }  # fmt: skip

    def entry(self, scalar: Expression, **more: fmpq) -> float:
        return rounded(evaluate(scalar, {**self.names, **more}), self.format)

    def round(self, exact: Fraction) -> float:
        return nearest(exact, self.format)

    def add(self, terms: Iterable[float]) -> float:
        total, *rest = [*terms] or [0.0]
        for term in rest:
            total = self.round(Fraction(total) + Fraction(term))
        return total

    def times(self, a: float, b: float) -> float:
        return self.round(Fraction(a) * Fraction(b))

    def rows(self, rows: object, x: Vector) -> Vector:
        weights = {r: {c: self.entry(columns[c]) for c in x if c in columns} for r, columns in rows.items()}  # type: ignore[attr-defined]
        return {r: self.add(self.times(w, x[c]) for c, w in columns.items() if w) for r, columns in weights.items()}

    def linear(self, linear: Linear, x: Vector) -> Vector:
        result = self.rows(linear.weights, x)
        for row, bias in linear.bias.items():
            result[row] = self.add([result[row], self.entry(bias)]) if row in result else self.entry(bias)
        return result

    def attend(self, head: Head, stream: list[Vector], i: int) -> Vector:
        seen = stream[: i + 1] if head.mask == "causal" else stream
        query, values = self.rows(head.W_Q, stream[i]), [self.rows(head.W_V, x) for x in seen]
        keys = [self.rows(head.W_K, x) for x in seen]
        scale = self.entry(head.scale)
        scores = [self.times(self.add(self.times(query[q], key[q]) for q in query), scale) for key in keys]
        powers = [exponential(self.round(Fraction(s) - Fraction(max(scores))), self.format) for s in scores]
        total = self.add(powers)
        weights = [self.round(Fraction(p) / Fraction(total)) for p in powers]
        return {
            row: self.add(self.times(w, value[row]) for w, value in zip(weights, values, strict=True))
            for row in head.W_V
        }

    def logit(self) -> float:
        WE, PE = self.network.embedding.WE, self.network.embedding.PE
        stream = []
        for i, token in enumerate(self.tokens):
            parts = {c: [self.entry(WE[token][c])] if c in WE[token] else [] for c in self.network.coordinates}
            stream.append(
                {c: self.add([*p, *([self.entry(PE[c], i=fmpq(i))] if c in PE else [])]) for c, p in parts.items()}
            )
        for layer in self.network.layers:
            middle = []
            for i, x in enumerate(stream):
                added = [self.attend(head, stream, i) for head in layer.heads]
                attended = {c: self.add(rows[c] for rows in added if c in rows) for c in x}
                middle.append({c: self.add([x[c], attended[c]]) for c in x})
            stream = middle
            if layer.feed_forward is not None:
                assert layer.feed_forward.activation == "relu"
                hidden = [{h: max(v, 0.0) for h, v in self.linear(layer.feed_forward.first, x).items()} for x in middle]
                updates = [self.linear(layer.feed_forward.second, h) for h in hidden]
                stream = [{c: self.add([x[c], u.get(c, 0.0)]) for c in x} for x, u in zip(middle, updates, strict=True)]
        position = self.network.readout.position
        read = {"first": stream[:1], "last": stream[-1:], "sum": stream, "mean": stream}[position]
        total = self.add(self.linear(self.network.readout.W, x)["logit"] for x in read)
        if position != "mean":
            return total
        return self.round(Fraction(total) / Fraction(self.round(Fraction(len(stream)))))


def averaged(name: str) -> Construction:
    """Read out as the mean over all positions."""
    construction = load(name)
    readout = replace(construction.encoder.readout, position="mean")
    return replace(construction, network=replace(construction.encoder, readout=readout))


MEANS = [pytest.param(averaged(name), id=f"{name}, averaged") for name in ("parity", "dyck1")]


@pytest.mark.parametrize("dtype", short_suite(FORMATS, ["float64", "bfloat16"]))
@pytest.mark.parametrize("construction", [*ALL, *MEANS])
def test_strict_is_each_operation_rounded(construction: Construction, dtype: str) -> None:
    format = FORMATS[dtype]
    alphabet = construction.language.alphabet
    drawn = random.Random(0)
    tried = [w for w in words(alphabet, 2) if w] + ["".join(drawn.choices(alphabet, k=n)) for n in (3, 5, 8, 11)]
    computed = Transformer(construction, dtype=format.name, attention="strict").logits(tried).tolist()
    assert computed == [Naive(construction, format, word).logit() for word in tried]


@settings(max_examples=200)
@given(st.floats(-60, 0), st.sampled_from(list(FORMATS.values())))
def test_exponentials_are_correctly_rounded(x: float, format: Format) -> None:
    value, least = Fraction(exponential(x, format)), format.smallest / 2
    with ctx.workprec(4000):
        exact = arb(x).exp()
        error = exact * arb(fmpq(1, format.unit_roundoff.denominator)) + arb(fmpq(least.numerator, least.denominator))
        assert abs(exact - arb(fmpq(value.numerator, value.denominator))) <= error


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_sums_run_from_left_to_right(format: Format) -> None:
    """1 and two halves of its last place: from the left they are lost one by one, from the right they add up."""
    half = float(format.unit_roundoff)
    terms = np.array([[1.0, half, half], [half, half, 1.0]])
    sums = np.add.accumulate(terms.astype(TYPES[format.name]), axis=1)[:, -1]
    assert sums.astype(float).tolist() == [1.0, 1.0 + 2 * half]


def drawn_numbers(random: np.random.Generator, format: Format, centre: int, wide: int) -> np.ndarray:
    """Numbers around 2^centre and of both signs; the last bits of many are 0, so that halves of a last place occur."""
    mantissas = random.integers(0, 1 << format.precision, 200)
    kept = random.integers(0, format.precision, 200)
    low, high = max(format.least - format.precision, centre - wide), min(format.greatest, centre + wide)
    exponents = random.integers(low, high + 1, 200) - format.precision + 1
    sizes = np.ldexp((mantissas >> kept << kept).astype(float), exponents)
    return (sizes * random.choice([-1, 1], 200)).astype(TYPES[format.name])


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    a, b = left.astype(float), right.astype(float)
    return bool((((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))).all())


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@np.errstate(all="ignore")
def test_equal_terms_are_summed_as_one_by_one(format: Format) -> None:
    """Ties, sums that grow, shrink and change their sign, that stand still, overflow, or are no numbers."""
    random, special = np.random.default_rng(0), [0.0, -0.0, np.inf, -np.inf, np.nan, float(format.smallest)]
    greatest, least, changed = format.greatest, format.least, 0
    for centre in [0, least, least + 3, greatest - 9, greatest - 1, 0, *random.integers(least, greatest, 20)]:
        most = int(random.integers(1, 2000))
        totals = drawn_numbers(random, format, centre, 14)
        terms = drawn_numbers(random, format, centre, 10)
        totals[:6] = terms[3:9] = special
        times = random.integers(0, most + 1, 200)
        steps = np.concatenate([totals[:, None], np.repeat(terms[:, None], most, 1)], axis=1)
        expected = np.add.accumulate(steps, axis=1)[np.arange(200), times]
        assert same_bits(repeated(totals, terms, times, format), expected)
        long = np.full(200, 1 << 40)  # one by one it would not end, were it no number or as it stands
        rest = repeated(repeated(totals, terms, times, format), terms, long - times, format)
        assert same_bits(repeated(totals, terms, long, format), rest)
        changed += int((np.sign(expected) != np.sign(totals)).sum())
    assert changed > 100


@pytest.mark.parametrize("dtype", short_suite(FORMATS, ["float16"]))
@pytest.mark.parametrize("construction", ALL)
def test_stretches_of_a_token_are_summed_as_position_by_position(
    construction: Construction, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, alphabet, taken = random.Random(0), construction.language.alphabet, []
    model = Transformer(construction, dtype=dtype, attention="strict")
    tried = ["".join(drawn.choice(alphabet) * drawn.randrange(30) for _ in range(4)) or alphabet[0] for _ in range(4)]
    whole = model.logits(tried)
    monkeypatch.setattr(strict, "PIECE", 3)
    monkeypatch.setattr(Rounded, "repeated", lambda *given, own=Rounded.repeated: taken.append(1) or own(*given))
    assert same_bits(model.logits(tried).double().numpy(), whole.double().numpy())
    heads = construction.encoder.layers[0].heads
    assert taken or construction.encoder.causal or not any(not head.W_K or not head.W_Q for head in heads)


def test_strict_runs_on_the_cpu_alone() -> None:
    assert Transformer(load("one"), attention="strict").strict
    with pytest.raises(InputError):
        Transformer(load("one"), attention="strict", device="cuda")


@pytest.mark.parametrize("attention", ["explicit", "matmul", "strict"])
def test_a_scale_below_0_stands_before_less_the_size_of_a_product(attention: str) -> None:
    """-1 * -|q.k| is greatest where |q.k| is."""
    largest = Head(W_Q={"q": {"1": 1}}, W_K={"q": {"a": 1}}, W_V={"s": {"a": 1}}, score="-|dot|", scale=-1)
    network = Encoder(
        coordinates=("1", "a", "s"),
        embedding=Embedding({"0": {"1": 1}, "1": {"1": 1, "a": -2}, "CLS": {"1": 1}}),
        layers=(Layer((largest,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )
    construction = Construction("sizes", "", "", PARITY, network)
    exact = float(ball(run(construction, "01").logit).mid())
    assert exact < -1.5  # -2e^2/(e^2 + 2), and not -2e^-2/(e^-2 + 2)
    found = Transformer(construction, attention=attention).logits(["01"])[0].item()
    assert abs(found - exact) < 1e-12
    assert not escapes(construction, "01", found)

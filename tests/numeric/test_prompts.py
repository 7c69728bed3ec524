"""Where the outputs of a decoder are computed behind all words of a form, against runs of each word: the interpreter's
outputs lie in the exact balls, and what PyTorch computes is off from them by no more than is said."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from tests.proofs.covering.random_networks import ALPHABET, decoder
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.schema import Decoder, Head, Layer
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.values import in_balls
from weightproof.numeric.certificate.prompts import outputs
from weightproof.numeric.decoding.layers import IMPLEMENTATIONS
from weightproof.numeric.decoding.networks import DecoderTransformer
from weightproof.numeric.rounding import computed
from weightproof.numeric.rounding.computed import Computed, Operations
from weightproof.numeric.rounding.formats import FORMATS, Format
from weightproof.numeric.rounding.model import RoundingModel, greatest, least, off

LANGUAGE = Language("MAJ", ALPHABET, lambda word: word.count("a") > word.count("b"), "count('a') > count('b')")
LENGTH, BITS = 4, 256


@dataclass(frozen=True)
class Held:
    """networks: those that have a bound; compared: outputs of runs; finite: of these, where something is said; tight:
    where what is said is at most a hundred times what it was off by. astray: what leaves its bound."""

    networks: int
    compared: int
    finite: int
    tight: int
    astray: list[str]


def drawn(seed: int) -> Construction:
    """A decoder without a table, its heads softmax."""
    network = decoder(Random(seed), LENGTH)
    layers = tuple(
        replace(layer, heads=tuple(replace(head, normaliser="softmax") for head in layer.heads))
        for layer in network.layers
    )
    return Construction("drawn", "drawn", "none", LANGUAGE, replace(network, table=None, layers=layers))


def held(seeds: range, dtype: str) -> Held:
    networks = compared = finite = tight = 0
    astray = []
    for seed, attention in itertools.product(seeds, IMPLEMENTATIONS):
        construction = drawn(seed)
        try:
            found = [*compared_outputs(construction, dtype, attention)]
        except (InputError, NoValue, Undecided, ArithmeticError):
            continue
        networks += 1
        for word, at, exact, logit in found:
            compared += 1
            if not at.error.is_finite():
                continue
            finite += 1
            away = abs(arb(logit) - exact)
            tight += bool(at.error < 100 * away)
            if not at.exact.overlaps(exact) or away > at.error:
                astray.append(f"{seed} {attention} {word}: {logit}, off by {away}, and not {at.error}")
    return Held(networks, compared, finite, tight, astray)


def compared_outputs(
    construction: Construction, dtype: str, attention: str
) -> Iterator[tuple[str, Computed, arb, float]]:
    """Of each word: the output in question as it is known, as the interpreter has it, and as it is computed."""
    network = construction.network
    assert isinstance(network, Decoder)
    begin = [] if network.begin is None else [(network.begin,)]
    choices = [*begin, *[ALPHABET] * LENGTH]
    known = [*outputs(construction, choices, len(begin), dtype, attention == "strict")]
    model = DecoderTransformer(construction, {}, dtype, "cpu", attention)
    for length in range(1, LENGTH + 1):
        words = ["".join(word) for word in itertools.product(ALPHABET, repeat=length)]
        logits = next(iter(model.generate(words))).logits.double().tolist()
        for word, row in zip(words, logits, strict=True):
            with ctx.workprec(BITS):
                exact = next(appended(network, word, {}, in_balls)).outputs
            for name, logit in zip(network.readout.W.rows, row, strict=True):
                value = exact[name]
                yield word, known[length - 1][word[-1]][name], value if isinstance(value, arb) else arb(value), logit


@pytest.mark.parametrize("dtype", FORMATS)
def test_what_is_computed_is_off_by_no_more(dtype: str) -> None:
    found = held(range(12), dtype)
    assert found.astray == []
    assert found.networks > 8
    assert found.finite > 300


@pytest.mark.controls
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("first", [100, 130])
def test_what_is_computed_of_many_is_off_by_no_more(dtype: str, first: int) -> None:
    found = held(range(first, first + 30), dtype)
    assert found.astray == []
    assert found.networks > 20


def without_own(operation: str) -> Callable[[pytest.MonkeyPatch], None]:
    """The operation as if it were not rounded."""

    def planted(monkeypatch: pytest.MonkeyPatch) -> None:
        exact = getattr(Operations, operation)

        def forgetful(self: Operations, *operands: Any) -> Any:
            found = exact(self, *operands)
            return [replace(each, error=arb(0)) for each in found] if isinstance(found, list) else Computed(found.exact)

        monkeypatch.setattr(Operations, operation, forgetful)

    return planted


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    **{f"{name} is not rounded": without_own(name) for name in ("entry", "product", "total", "quotient", "mean")},
    "no sum is rounded": lambda patch: patch.setattr(RoundingModel, "sum_error", lambda self, terms: arb(0)),
    "no number is rounded": lambda patch: patch.setattr(RoundingModel, "off", lambda self, exact: arb(0)),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_rounding_that_is_forgotten_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[name](monkeypatch)
    assert held(range(15, 30), "bfloat16").astray != []


OF_ONE: dict[str, tuple[Callable[[Operations, Computed], Computed], Callable[[arb], arb]]] = {
    "root": (Operations.root, arb.sqrt),
    "tanh": (lambda of, x: of.activated("tanh", x), arb.tanh),
    "sigmoid": (lambda of, x: of.activated("sigmoid", x), lambda x: 1 / (1 + (-x).exp())),
    "silu": (lambda of, x: of.activated("silu", x), lambda x: x / (1 + (-x).exp())),
}


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_what_is_made_of_a_number_that_is_off(name: str, format: Format) -> None:
    """Of an operand that is off by a hundredth: what is said is enough, and where that counts most not five times as
    much as is needed, so that no less than it would do there."""
    bound, function = OF_ONE[name]
    of, far, worst = Operations(RoundingModel(format), is_strict=True), arb(fmpq(1, 100)), 0.0
    for tenth in range(1 if name == "root" else -40, 40):
        x = arb(fmpq(tenth, 10))
        found = bound(of, Computed(x, far))
        assert found.exact.overlaps(function(x))
        for moved in (x - far, x + far):
            exact = function(moved)
            away = abs(exact - function(x)) + off(abs(exact), format)
            assert not away > found.error
            worst = max(worst, float(away) / float(found.error))
    assert worst > 0.2


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "silu"])
def test_what_is_made_of_an_interval(name: str) -> None:
    """All of what the function is within it, and little more."""
    bound, function = OF_ONE[name]
    of, random = Operations(RoundingModel(FORMATS["float64"]), is_strict=True), Random(0)
    for _ in range(300):
        low, high = sorted((random.uniform(-4, 4), random.uniform(-4, 4)))
        found = bound(of, Computed(arb(low).union(arb(high)))).exact
        values = [function(arb(low + (high - low) * k / 50)) for k in range(51)]
        assert all(found.overlaps(value) for value in values)
        assert found.upper() - found.lower() < greatest(values) - least(values) + arb("0.001")


def test_where_silu_turns() -> None:
    """It falls left of there and rises right of it, and is nowhere less."""
    for x in (computed.LOWEST, computed.LOWEST + arb("0.001")):
        slope = computed._sigmoid(x) * (1 + x * (1 - computed._sigmoid(x)))
        assert (slope < 0) == (x < arb("-1.278"))
        assert x * computed._sigmoid(x) > computed.LEAST_SILU


def test_what_has_no_bound_is_refused_in_a_line() -> None:
    network = load("lichengliu03-50").network
    assert isinstance(network, Decoder)
    [layer] = network.layers
    [first, *others] = layer.heads

    def refused(layer: Layer, is_strict: bool = True) -> str:
        construction = replace(load("lichengliu03-50"), network=replace(network, layers=(layer,)))
        with pytest.raises(InputError) as error:
            [*outputs(construction, [("0", "1")] * 3, 2, "float64", is_strict)]
        return str(error.value)

    hard: Head = replace(first, normaliser="hardmax")
    assert "greatest scores" in refused(replace(layer, heads=(hard, *others)))
    fed = layer.feed_forward
    assert fed is not None
    assert "gelu" in refused(replace(layer, feed_forward=replace(fed, activation="gelu")))
    assert "strict attention says it" in refused(replace(layer, feed_forward=replace(fed, activation="silu")), False)
    with pytest.raises(InputError, match="only decoders"):
        [*outputs(load("parity"), [("0", "1")], 0, "float64", True)]

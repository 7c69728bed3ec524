"""The PyTorch reading against the exact interpreter, inside a bound that is derived, and against a quadratic one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, get_args

import pytest
import torch
from flint import arb, ctx, fmpq

from tests.numeric.test_containment import escapes
from tests.numeric.test_pieces import in_pieces
from tests.support.derived import NAMES, construction_of
from tests.support.streams import logit_bound
from tests.support.suites import short_suite
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load
from weightproof.constructions.meaning.choices import READS_ALL
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import ACTIVATIONS, add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import (
    Activation,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    Place,
    Readout,
    RootMeanSquare,
)
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.certificate.bound import PRECISION, BallPass, output_balls
from weightproof.numeric.model import attention as kernels
from weightproof.numeric.model import transformer
from weightproof.numeric.model.parts import Entries, Normalising
from weightproof.numeric.model.transformer import Transformer, encode
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.rounding.model import RoundingModel


def quadratic(model: Transformer, word: str) -> float:
    """The same forward pass, naively: positions first, every row of every layer, every score."""
    network, dtype = model.network, model.dtype
    ids = encode(model.construction, [word])[0].long()
    n = len(ids)
    encoding, scores_by_layer = model._at_length(n)
    stream = model.W_E[ids]
    for coordinate in range(len(network.coordinates)):
        if (values := encoding(coordinate, 0, n)) is not None:
            stream[:, coordinate] += values[0]
    for layer, block, scores_of in zip(network.layers, model.blocks, scores_by_layer, strict=True):
        attended = torch.zeros_like(stream)
        for number, head in enumerate(layer.heads):
            Q, K, V = (stream @ getattr(block.attn, part)[number] for part in ("W_Q", "W_K", "W_V"))
            scores = Q @ K.T * scores_of[number].scale
            scores = -scores.abs() if head.score == "-|dot|" else scores
            if head.mask == "causal":
                scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
            if head.normaliser == "softmax":
                weights = torch.softmax(scores, 1)
            else:
                best = (scores == scores.amax(1, keepdim=True)).to(dtype)
                weights = best / best.sum(1, keepdim=True)
            attended = attended + weights @ V @ block.attn.W_O[number]
        stream = attended + stream if layer.attention_residual else attended
        stream = _norm(layer.attention_norm, stream)
        if block.mlp is not None:
            hidden = stream @ block.mlp.W_in + block.mlp.b_in
            gate = hidden if block.mlp.W_gate is None else stream @ block.mlp.W_gate + block.mlp.b_gate
            hidden = activated(layer, gate) * (1 if block.mlp.W_gate is None else hidden)
            update = hidden @ block.mlp.W_out + block.mlp.b_out
            stream = _norm(layer.feed_forward_norm, stream + update if layer.feed_forward_residual else update)
    output = stream @ model.unembed.W_U + model.unembed.b_U
    read = {"first": output[0], "last": output[-1], "sum": output.sum(0), "mean": output.sum(0) / n}
    return float(read[network.readout.position])


def activated(layer: Layer, x: torch.Tensor) -> torch.Tensor:
    assert layer.feed_forward is not None
    match layer.feed_forward.activation:
        case "relu":
            return x.clamp(min=0)
        case "saturated-linear":
            return x.clamp(0, 1)
        case "step":
            return x.gt(0).to(x.dtype)
        case "square":
            return x.square()
        case "identity":
            return x
        case "abs":
            return x.abs()
    return OF_TORCH[layer.feed_forward.activation](x)


OF_TORCH: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "tanh": torch.nn.Tanh(),
    "sigmoid": torch.nn.Sigmoid(),
    "silu": torch.nn.SiLU(),
    "gelu": torch.nn.GELU(),
    "gelu-tanh": torch.nn.GELU(approximate="tanh"),
}


def _norm(norm: LayerNorm | None, x: torch.Tensor) -> torch.Tensor:
    if norm is None:
        return x
    assert norm.epsilon.source == "1"
    return (x - x.mean(1, keepdim=True)) / (x.var(1, keepdim=True, correction=0) + 1).sqrt()


@pytest.mark.parametrize("dtype", short_suite(["float64", "float32"], ["float64"]))
@pytest.mark.parametrize("name", NAMES)
def test_decisions_are_those_of_the_quadratic_one(name: str, dtype: str) -> None:
    """On words whose exact logit is so far from 0 that no rounding can change its sign."""
    construction, decided = construction_of(name), surviving(name)
    models = [Transformer(construction, dtype=dtype, attention=kind) for kind in ("explicit", "fused", "matmul")]
    slow = [quadratic(models[0], word) for word in decided]
    accepts = [x > 0 if models[0].network.readout.accept == "logit > 0" else x == 0 for x in slow]
    assert decided
    for model in models:
        assert model.accepts(decided).tolist() == accepts


@pytest.mark.parametrize("name", ["parity", "first", "first-one-layer", "one", "dyck1", "dyck1-depth"])
def test_decisions_on_longer_words_are_those_of_the_quadratic_one(name: str) -> None:
    """In float64, where margins of order 1/n^2 are far above the rounding."""
    construction, random = load(name), Random(1)
    model = Transformer(construction)
    tried = [construction.language.sample(random, length) for length in range(30, 331, 50)]
    assert model.accepts(tried).tolist() == [quadratic(model, word) > 0 for word in tried]


@pytest.mark.parametrize("name", ["parity", "first", "one", "dyck1-margin", "palindrome"])
def test_products_of_matrices_decide_far_from_the_failure_as_explicit_ones(name: str) -> None:
    """In float64, 300 symbols; PALINDROME 24, beyond which its margin is no longer seen."""
    construction, length = load(name), 24 if name == "palindrome" else 300
    tried = [construction.language.sample(Random(seed), length) for seed in range(12)]
    square, explicit = (Transformer(construction, attention=kind).logits(tried) for kind in ("matmul", "explicit"))
    assert (square > 0).tolist() == (explicit > 0).tolist()
    if name != "palindrome":
        assert (square > 0).tolist() == [is_member(construction, word, {}) for word in tried]


@pytest.mark.parametrize("name", ["parity", "first", "one", "dyck1"])
def test_products_of_matrices_share_and_skip_no_row(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every head is two products, of all queries with all keys and of all weights with all values."""
    model = Transformer(load(name), attention="matmul")
    shapes, original = list[tuple[int, ...]](), torch.matmul

    def multiplied(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        result = original(left, right)
        shapes.append((*result.shape[:2], left.shape[2], result.shape[2]))
        return result

    monkeypatch.setattr(torch, "matmul", multiplied)
    model.logits(["0101", "0011", "0000"])
    n = 4 + (model.network.begin is not None) + (model.network.end is not None)
    assert len(shapes) == 2 * sum(len(layer.heads) for layer in model.network.layers)
    assert all(shape[:2] == (3, n) for shape in shapes)
    assert [shape[3] for shape in shapes[::2]] == [n] * (len(shapes) // 2)
    assert [shape[2] for shape in shapes[1::2]] == [n] * (len(shapes) // 2)


def test_words_whose_scores_do_not_fit_into_memory_are_refused() -> None:
    """10^6 positions are 8 TB of scores, and 48 MB of anything else."""
    with pytest.raises(InputError, match="GiB"):
        Transformer(load("parity"), attention="matmul").require_memory(10**6)
    Transformer(load("parity")).require_memory(10**6)


@functools.cache
def surviving(name: str) -> list[str]:
    """Words whose exact logit keeps its sign under the rounding of float32, as far as the bound can tell."""
    construction, random = construction_of(name), Random(0)
    tried = [construction.language.sample(random, length) for length in range(1, 25)]
    return [word for word in tried if not output_balls(construction, word, dtype="float32")["logit"].contains(0)]


def tiny(layer: Layer, position: str = "first", **parts: object) -> Construction:
    """Two coordinates of everything, and one layer to try."""
    network = load("one").network
    assert isinstance(network, Encoder)
    embedding = replace(
        network.embedding,
        WE={"0": {"a": network_entry(1)}, "1": {"b": network_entry(-1)}, "CLS": {"a": network_entry(2)}},
        PE={"b": network_entry("i/n")},
    )
    readout = Readout(Linear({"logit": {"a": 1, "b": "1/3"}}, {"logit": "1/7"}), position)  # type: ignore[arg-type]
    small = replace(network, coordinates=("a", "b"), embedding=embedding, layers=(layer,), readout=readout, **parts)  # type: ignore[arg-type]
    return replace(load("one"), name="tiny", network=small)


def network_entry(value: object):  # type: ignore[no-untyped-def]
    from weightproof.constructions.scalars.grammar import expression

    return expression(value)


V, Q, K = {"a": {"b": 1}, "b": {"a": "1/2", "b": 1}}, {"q": {"a": 1, "b": 1}}, {"q": {"b": 3}}
BOTH = {"q": {"a": 1}, "r": {"b": 1}}
FFN = FeedForward(
    Linear({"h": {"a": 1, "b": -2}, "g": {"b": 1}}, {"g": "-1/3"}), Linear({"a": {"h": 1, "g": 2}}, {"b": 1})
)
LAYERS = {
    "uniform": Layer((Head(V),)),
    "softmax": Layer((Head(V, Q, K),)),
    "two heads": Layer((Head(V, Q, K), Head({"a": {"a": 1}}, BOTH, {"q": {"a": 1}, "r": {"b": 2}}))),
    "W_O": Layer((Head({"v": {"a": 1, "b": 1}}, Q, K, {"b": {"v": 3}}),)),
    "causal": Layer((Head(V, Q, K, mask="causal"),)),
    "causal, uniform": Layer((Head(V, mask="causal"),)),
    "causal, equal queries": Layer((Head(V, {"q": {}}, K, mask="causal"),)),
    "hardmax": Layer((Head(V, {"q": {"a": 1}}, {"q": {"a": 1}}, normaliser="hardmax"),)),
    "hardmax, ties": Layer((Head(V, normaliser="hardmax"),)),
    "-|dot|": Layer((Head(V, Q, K, score="-|dot|"),)),
    "scale": Layer((Head(V, Q, K, scale="log(n)/sqrt(d)"),)),
    "no residual": Layer((Head(V),), attention_residual=False),
    "no heads": Layer((), FFN),
    "nothing left": Layer((), FFN, attention_residual=False),
    "relu": Layer((Head(V),), FFN),
    "saturated-linear": Layer((Head(V),), replace(FFN, activation="saturated-linear")),
    "step": Layer((Head(V),), replace(FFN, activation="step")),
    "square": Layer((Head(V),), replace(FFN, activation="square")),
    "identity": Layer((Head(V),), replace(FFN, activation="identity")),
    "abs": Layer((Head(V),), replace(FFN, activation="abs")),
    "gate": Layer((Head(V),), replace(FFN, gate=Linear({"h": {"b": 1}, "g": {"a": "1/3"}}, {"h": 1}))),
    "cut after the network": Layer((Head(V),), FFN, feed_forward_residual=False),
    "layer norm": Layer((Head(V),), FFN, attention_norm=LayerNorm(1), feed_forward_norm=LayerNorm(1)),
}  # fmt: skip


@pytest.mark.parametrize("position", get_args(Place))
@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
def test_every_part_of_the_schema_runs(layer: Layer, position: str) -> None:
    """Within the bound of the exact interpreter, and as the quadratic one decides."""
    construction = tiny(layer, position)
    # Exact sums of quotients of exponentials and roots grow fast with the word.
    tried = list(words("01", 3 if not READS_ALL[position] else 0 if layer.attention_norm else 2))
    models = [Transformer(construction, attention=kind) for kind in ("explicit", "matmul")]
    computed = zip(*(model.logits(tried).tolist() for model in models), strict=True)
    assert [w for w, x in zip(tried, computed, strict=True) if escapes(construction, w, *x)] == []
    long = ["01101" * 8, "1" * 33]
    for model in models:
        assert model.accepts(long).tolist() == [quadratic(model, word) > 0 for word in long]


FINE = 2.0**-40
"""Bounds are less than this, of logits of about 1, so that they say something: a thousand units of float64 and more."""
CURVED = replace(
    FFN,
    first=Linear({**FFN.first.weights, "nothing": {}}, {"g": "-1/3"}),
    second=Linear({"a": {"h": 1, "g": 2, "nothing": "1/5"}}),
)


OFF = {"tanh": 9, "sigmoid": 11, "silu": 12, "gelu": 8, "gelu-tanh": 11}
"""By how many units roundoff u a curve is taken to be off, of its value, or of x where it is x times another curve.

The model lets exp be off by EXP_ULPS units in the last place, 8 u; let that hold of tanh and of erf, too. sigmoid: 8 of
the power, 2 for sum and quotient. silu: a product more. gelu, x (1 + E)/2 with E = erf(z): z is off by 2 u, for its
constant and the product, which erf makes no more of, as it is concave from 0 on; so E by 10 u, the sum by 10 u |E| +
u (1 + E), and all of it, with the product, by at most 7 u |x|. gelu-tanh: z takes two products, a constant and its
product, a sum, another constant and its product, of numbers of one sign: 7 u, and tanh of it 15 u; all of it by at most
10 u |x|. And one u more each, for what products of roundings amount to.
"""


class Curved(BallPass):
    """The pass of the bound, which knows no curves, with those."""

    def _activate(self, activation: Activation, x: arb) -> arb:
        if activation not in OFF:
            return super()._activate(activation, x)
        value = ACTIVATIONS[activation](x)
        size = abs(value) if activation in ("tanh", "sigmoid") else abs(x)
        return value + arb(0, 1) * size.upper() * OFF[activation] * arb(2) ** -53


def curved(construction: Construction, word: str) -> arb:
    """Where the logit lies that is computed in float64."""
    tokens = add_markers(construction.encoder, word)
    names = {"n": fmpq(len(tokens)), "d": fmpq(len(construction.encoder.coordinates))}
    with ctx.workprec(PRECISION):
        return Curved(RoundingModel(FORMATS["float64"]), names).outputs(construction.encoder, tokens)["logit"]


@pytest.mark.parametrize("attention", ["explicit", "fused", "matmul", "strict"])
@pytest.mark.parametrize("activation", OF_TORCH)
@pytest.mark.parametrize("gate", [None, Linear({"h": {"b": 1}, "nothing": {"a": 1}}, {"g": "1/2"})])
def test_curves_are_those_of_torch_and_of_the_interpreter(
    activation: Activation, attention: str, gate: Linear | None
) -> None:
    """Of a unit that reads nothing, too, whose sigmoid is 1/2; the program has no bound on rounding of them. Nor has it
    one of the fused kernel: that this lies within the others' is seen here, and proved nowhere."""
    construction = tiny(Layer((Head(V),), replace(CURVED, activation=activation, gate=gate)), "sum")
    model = Transformer(construction, attention=attention)
    tried = list(words("01", 3))
    for word, logit in zip(tried, model.logits(tried).tolist(), strict=True):
        bound, exact = curved(construction, word), ball(run(construction, word).logit)
        assert bound.contains(exact)
        assert bound.contains(arb(logit))
        assert bound.contains(arb(quadratic(Transformer(construction), word)))
        assert bound.rad() < FINE
    with pytest.raises(InputError, match=f"the activation {activation} has no bound on rounding"):
        output_balls(construction, "01")


GAIN, SHIFT = {"a": "3/2", "b": "-1/3"}, {"a": "1/5", "b": 2}
NORMS: dict[str, Norm] = {
    "layer norm": LayerNorm("1/7"),
    "layer norm, gain and bias": LayerNorm("1/7", gain=GAIN, bias=SHIFT),
    "bias alone": LayerNorm("1/7", bias=SHIFT),
    "root mean square": RootMeanSquare("1/7"),
    "root mean square, gain": RootMeanSquare("1/7", gain=GAIN),
}
SCORED = Head(V, BOTH, {"q": {"b": 1}, "r": {"a": 2, "b": "1/3"}}, scale="1/2")
OF_SCORES: dict[str, Norm] = {
    "layer norm": LayerNorm("1/3", gain={"q": 2, "r": 1}, bias={"r": "1/5"}),
    "root mean square": RootMeanSquare("1/3", gain={"q": "1/2", "r": -3}),
}
CAUSAL = replace(SCORED, mask="causal", query_norm=OF_SCORES["layer norm"])
NORMED: dict[str, Layer] = {
    **{f"{where}, {name}": Layer((SCORED,), FFN, **{where: norm}) for name, norm in NORMS.items() for where in (
        "attention_norm", "attention_norm_before", "feed_forward_norm", "feed_forward_norm_before"
    )},
    **{
        f"{where}, {name}": Layer((replace(SCORED, **{where: norm}),), FFN)
        for name, norm in OF_SCORES.items() for where in ("query_norm", "key_norm")
    },
    "causal": Layer((CAUSAL,), FFN, attention_norm_before=LayerNorm(1)),
}  # fmt: skip


@pytest.mark.parametrize("name", NORMED)
def test_norms_of_every_kind_run_everywhere(name: str) -> None:
    """Within the bound of each word; the fused kernel, of which there is none, within the others'."""
    construction = tiny(NORMED[name], "last")
    network = replace(
        construction.encoder, layers=construction.encoder.layers * 2, final_norm=NORMS["root mean square, gain"]
    )
    tried = list(words("01", 2))
    for given in (construction, replace(construction, network=network)):
        exact = [run(given, word, bits=256).logit for word in tried]
        bounds = [output_balls(given, word)["logit"] for word in tried]
        for attention in ("explicit", "fused", "matmul", "strict"):
            found = Transformer(given, attention=attention).logits(tried).tolist()
            assert all(bound.contains(arb(x)) for bound, x in zip(bounds, found, strict=True))
        assert all(bound.overlaps(y) and bound.rad() < FINE for bound, y in zip(bounds, exact, strict=True))


def test_pieces_of_words_are_normed_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    long = ["01101" * 4, "1" * 20, "0" * 19 + "1"]
    for name in (
        "attention_norm_before, root mean square, gain",
        "query_norm, layer norm",
        "key_norm, root mean square",
    ):
        construction = tiny(NORMED[name], "first", final_norm=NORMS["layer norm, gain and bias"])
        bounds = [output_balls(construction, word)["logit"] for word in long]
        in_pieces(monkeypatch, 7)
        found = Transformer(construction).logits(long).tolist()
        assert all(bound.contains(arb(x)) and bound.rad() < FINE for bound, x in zip(bounds, found, strict=True))
        monkeypatch.undo()


ERRORS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a word": lambda _: test_norms_of_every_kind_run_everywhere("attention_norm_before, layer norm"),
    "pieces of words": lambda planted: test_pieces_of_words_are_normed_as_the_whole(planted),
    "a vector": lambda _: test_norms_are_those_of_torch(),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_of_a_norm_that_is_above_the_bounds_is_seen(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Normalising.of
    monkeypatch.setattr(Normalising, "of", lambda *given: own(*given) * (1 + 4 * FINE))
    with pytest.raises(AssertionError, match=r"contains|all"):
        ERRORS[kind](monkeypatch)


def test_an_error_of_a_curve_that_is_above_the_bounds_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    own = torch.nn.functional.silu
    monkeypatch.setattr(torch.nn.functional, "silu", lambda x: own(x) * (1 + FINE))
    with pytest.raises(AssertionError, match="contains"):
        test_curves_are_those_of_torch_and_of_the_interpreter("silu", "explicit", None)


def normed(norm: Norm, vector: list[float]) -> tuple[list[arb], list[arb]]:
    """Where a norm of a vector lies as the program computes it; and by how much more torch may be off, which takes
    x s - mean s, with s = 1/deviation rounded, in place of (x - mean)/deviation: s, two products and their difference
    are off by 4 u of (|x| + |mean|) s, which the gain multiplies, and everything else is rounded as often."""
    with ctx.workprec(PRECISION):
        exact = {name: arb(x) for name, x in zip("ab", vector, strict=True)}
        found = BallPass(RoundingModel(FORMATS["float64"]), {})._norm(norm, exact)
        mean = sum(exact.values(), arb(0)) / 2 if isinstance(norm, LayerNorm) else arb(0)
        square = sum(((x - mean) ** 2 for x in exact.values()), arb(0)) / 2
        deviation = (square + ball(evaluate(norm.epsilon, {}))).sqrt()
        gains = {name: abs(ball(evaluate(norm.gain[name], {}))) if norm.gain else arb(1) for name in exact}
        more = [4 * arb(2) ** -53 * (abs(x) + abs(mean)) / deviation * gains[name] for name, x in exact.items()]
        return [*found.values()], more


def test_norms_are_those_of_torch() -> None:
    """Layer norm with weight and bias, and that by the root mean square with a weight, of torch.nn.functional."""
    vectors = torch.randn(5, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    entries = Entries({}, "float64", "cpu")
    for norm in NORMS.values():
        epsilon = float(Fraction(norm.epsilon.source))
        weight, bias = (
            None if row is None else torch.tensor([float(Fraction(row[x].source)) for x in "ab"], dtype=torch.float64)
            for row in (norm.gain, norm.bias)
        )
        if isinstance(norm, LayerNorm):
            wanted = torch.nn.functional.layer_norm(vectors, (2,), weight, bias, epsilon)
        else:
            wanted = torch.nn.functional.rms_norm(vectors, (2,), weight, epsilon)
        found = Normalising(norm, ("a", "b"), entries).of(vectors, 1)
        for vector, ours, theirs in zip(vectors.tolist(), found.tolist(), wanted.tolist(), strict=True):
            for bound, more, x, y in zip(*normed(norm, vector), ours, theirs, strict=True):
                assert bound.contains(arb(x))
                assert (bound + arb(0, 1) * more).contains(arb(y))
                assert bound.rad() + more < FINE


def test_a_layer_reads_all_rows_of_the_one_below() -> None:
    """The last layer reads one row, but its keys are all rows of the layer below."""
    for below in ("uniform", "hardmax", "no heads", "no residual"):
        construction = tiny(LAYERS["softmax"])
        network = replace(construction.network, layers=(LAYERS[below], LAYERS["softmax"]))
        construction = replace(construction, network=network)
        tried = list(words("01", 2))
        computed = Transformer(construction).logits(tried).tolist()
        assert [w for w, x in zip(tried, computed, strict=True) if escapes(construction, w, x)] == []


def test_scores_too_far_apart_for_running_sums() -> None:
    steep = Layer((Head(V, {"q": {}}, {"q": {}}, mask="causal"), Head(V, {"q": {"b": 0}}, K, mask="causal")))
    construction = tiny(steep, "sum")
    key = Head({"a": {"a": 1}}, {"q": {"one": 1}}, {"q": {"i": 100}}, mask="causal")
    network = construction.network
    assert isinstance(network, Encoder)
    network = replace(
        network,
        coordinates=("a", "b", "i", "one"),
        embedding=replace(network.embedding, PE={"i": network_entry("i"), "one": network_entry(1)}),
        layers=(Layer((key,)),),
    )
    construction = replace(construction, network=network)
    computed = Transformer(construction).logits(["01101"]).tolist()
    assert not escapes(construction, "01101", computed[0])


def test_blocks_stay_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not beyond the order of the sums: blocks of one row and of three lie within the bound, too."""
    construction = tiny(LAYERS["causal"], "last")
    for size in (1, 30):
        monkeypatch.setattr(kernels, "LARGEST_BLOCK", size)
        tried = list(words("01", 3))
        computed = Transformer(construction).logits(tried).tolist()
        assert [w for w, x in zip(tried, computed, strict=True) if escapes(construction, w, x)] == []


def test_words_of_different_lengths_come_back_in_order() -> None:
    model = Transformer(load("parity"))
    tried = ["1", "", "0110", "10", "111", "0111", "11"]
    assert model.logits(tried).tolist() == [model.logits([word])[0].item() for word in tried]
    assert model.logits([]).shape == (0,)


def test_parameters_have_the_names_of_interpretability_tools() -> None:
    model = Transformer(load("parity"), dtype="float32")
    shapes = {name: tuple(tensor.shape) for name, tensor in model.named_parameters()}
    assert shapes["W_E"] == (3, 9)
    assert shapes["blocks.0.attn.W_Q"][:2] == (1, 9)
    assert shapes["blocks.1.attn.W_O"][::2] == (2, 9)
    assert shapes["blocks.0.mlp.W_in"] == (9, 3)
    assert shapes["unembed.W_U"] == (9, 1)
    assert {tensor.dtype for tensor in model.parameters()} == {torch.float32}


def test_parameters_can_be_changed() -> None:
    """A weight that was 0, too, counts from the moment it is set, as in any module."""
    model, word = Transformer(load("parity")), "0110"
    for part, place in (
        (model.W_E, (2, 8)),
        (model.blocks[0].mlp.W_out, (0, 8)),
        (model.blocks[1].attn.W_V, (1, 3, 0)),
    ):
        before = model.logits([word]).item()
        part[place] = 2.0
        after = model.logits([word]).item()
        assert after != before
        assert after == pytest.approx(quadratic(model, word))


@pytest.mark.parametrize("name", NAMES)
def test_queries_of_markers_are_alike_without_being_looked_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Which would wait for a GPU: but for the tokens of the row that is read, once a call, whatever the blocks."""
    model, original, asked = Transformer(construction_of(name)), torch.Tensor.__bool__, list[torch.Tensor]()
    monkeypatch.setitem(transformer.BLOCK, "cpu", 15)  # two words of five or six positions
    monkeypatch.setattr(torch.Tensor, "__bool__", lambda tensor: (asked.append(tensor), original(tensor))[1])
    random, language = Random(0), model.construction.language
    model.outputs([[*random.choices(language.alphabet, k=4)] for _ in range(4)])
    assert len(asked) <= 1


def test_other_tokens_in_the_row_that_is_read_are_other_queries() -> None:
    model = Transformer(load("palindrome"))
    ids = encode(model.construction, ["0110", "0100", "0010"])
    ids[1, 0] = ids[2, 0] = 0  # no marker
    together, alone = model.outputs(ids), torch.cat([model.outputs(word[None]) for word in ids])
    assert together.tolist() == alone.tolist()


def test_weights_are_read_once_for_all_blocks_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once a block, whose reading would wait for a GPU; and anew for the next words."""
    model, tried, counts, original = Transformer(load("parity")), ["0110"] * 6, list[int](), torch.Tensor.tolist
    read = list[torch.Tensor]()
    monkeypatch.setattr(torch.Tensor, "tolist", lambda tensor: (read.append(tensor), original(tensor))[1])
    for size in (1000, 5, 5):  # all at once, and word by word
        monkeypatch.setitem(transformer.BLOCK, "cpu", size)
        read.clear()
        model.logits(tried)
        counts.append(len(read))
    assert counts[0] == counts[1] == counts[2] > 5


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"dtype": "float12"}, "unknown dtype 'float12'; there are float64, float32, bfloat16, float16"),
        ({"device": "nowhere"}, "unknown device 'nowhere'"),
        ({"device": "mps"}, "is not supported"),
        ({"attention": "loud"}, "unknown attention 'loud'"),
        ({"parameters": {"c": "-1"}}, "outside its domain"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        Transformer(load("parity"), **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fits", [3, 1, 0])
def test_words_that_do_not_fit_together_are_run_in_smaller_blocks(monkeypatch: pytest.MonkeyPatch, fits: int) -> None:
    """Where memory is left for so many words; for none, one line says it."""
    model, sizes, block = Transformer(load("parity")), list[int](), Transformer._block

    def short(self: Transformer, tokens: torch.Tensor, *given: Any) -> torch.Tensor:
        sizes.append(len(tokens))
        if len(tokens) > fits:
            raise torch.OutOfMemoryError
        return block(self, tokens, *given)

    tried = encode(model.construction, ["".join(symbols) for symbols in product("01", repeat=4)])
    wanted = model(tried)
    monkeypatch.setattr(Transformer, "_block", short)
    if not fits:
        with pytest.raises(InputError, match="a word of 5 positions does not fit into the memory of cpu"):
            model(tried)
        return
    bound = logit_bound(model.construction, "float64", 5)
    assert bound is not None
    assert (model(tried) - wanted).abs().max() <= 2 * float(bound)  # either is off by no more
    halved = {3: [16, 8, 4, *[2] * 8], 1: [16, 8, 4, 2, *[1] * 16]}
    assert sizes == halved[fits]


def test_memory_that_the_allocator_keeps_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device with 1 kB free, and 1 GB that torch has reserved and does not use."""
    model = Transformer(load("parity"), attention="matmul")
    model.device = torch.device("cuda")
    for name, held in {"mem_get_info": (1_000, 2**34), "memory_reserved": 2**30, "memory_allocated": 2**20}.items():
        monkeypatch.setattr(torch.cuda, name, lambda device, held=held: held)
    model.require_memory(3_000)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: 2**30)
    with pytest.raises(InputError, match="take a shorter one"):
        model.require_memory(3_000)


def test_a_missing_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="not available"):
        Transformer(load("parity"), device="cuda")


def test_what_the_fused_kernel_cannot_do_is_refused() -> None:
    for part in ("hardmax", "-|dot|"):
        with pytest.raises(InputError, match="take explicit"):
            Transformer(tiny(LAYERS[part]), attention="fused")


def test_unknown_symbols_and_huge_words_are_refused() -> None:
    model = Transformer(load("parity"))
    with pytest.raises(InputError, match="symbol '2' at index 3 of the word"):
        model.logits(["0101", "0112"])
    with pytest.raises(InputError, match="GiB"):
        model.require_memory(10**12)
    with pytest.raises(InputError, match="parity: words without a position"):
        model.logits(torch.zeros(2, 0, dtype=torch.uint8))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_low_precision_stays_in_its_dtype(dtype: str) -> None:
    model = Transformer(load("one"), dtype=dtype)
    logits = model.logits(["1", "0", "0100", "11"])
    assert logits.dtype == model.dtype
    assert model.accepts(["1", "0", "0100", "11"]).tolist() == [True, False, True, False]

"""What heads make of positions, in floating point, beside the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import Any

import pytest
from flint import arb

from tests.test_fields import construction
from weightproof import Construction, InputError
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.running import decode, run
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.decoding.networks import DecoderTransformer, EncoderDecoderTransformer
from weightproof.numeric.model.kernels import NoKernel
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.arithmetic import exponential
from weightproof.numeric.rounding.formats import FORMATS, nearest, rounded

WORDS = ["".join(word) for length in (1, 2, 4) for word in product("01", repeat=length)]
CLOSE = 1e-12
"""Scores are sums of at most ten terms and below 20 in size: some 30 roundings move one by less than 600 times the unit
roundoff, and a weight by as much of itself; values are at most 2, so that two layers of means, or steps that are fed
back, move outputs by a few thousand units, some 5e-13. That is a count of roundings, and no bound of each. What a part
adds is more by far, which a test holds, too: without it logits are not within 1e-6."""
HEAD = Head(
    W_Q={"q": {"1": 1, "a": "1/3"}, "r": {"a": -1}, "t": {"1": 2}},
    W_K={"q": {"a": 1, "1": "1/2"}, "r": {"1": 3}, "t": {"a": 2}},
    W_V={"s": {"a": 1, "i": "1/5"}},
    scale="1/2",
)
PARTS: dict[str, dict[str, Any]] = {
    "rotary": {"rotary": (Rotary("q", "t", "1/3"),)},
    "rotary behind norms": {
        "rotary": (Rotary("t", "r", "2*pi/5"),),
        "query_norm": RootMeanSquare("1/9"),
        "key_norm": LayerNorm(1, bias={"q": 1}),
    },
    "bias": {"bias": "-(i - j)/d"},
    "bias alone": {"W_Q": {}, "W_K": {}, "bias": "(i % 2 == j % 2) + j/n", "normaliser": "hardmax"},
    "sees": {"sees": "i - j < 3 and j - i < 2"},
    "sink": {"sink": "log(n)"},
    "all": {"rotary": (Rotary("r", "q", 1),), "bias": "i*j/n", "sees": "j != 1", "sink": "-1"},
    "all causal": {"rotary": (Rotary("r", "q", 1),), "bias": "i - j", "sees": "j < i", "sink": 0, "mask": "causal"},
}


def network(position: Any, **parts: Any) -> Encoder:
    """Two layers, so that all rows of the first are wanted."""
    head = replace(HEAD, **parts)
    return Encoder(
        coordinates=("1", "a", "i", "s"),
        embedding=Embedding({"0": {"1": 1}, "1": {"1": 1, "a": 1}, "CLS": {}}, {"i": "i"}),
        layers=(Layer((head,)), Layer((replace(head, W_V={"s": {"s": -1, "1": 1}}), HEAD))),
        readout=Readout(Linear({"logit": {"s": 1, "a": "1/7"}}), position),
    )


def logits_of(construction: Construction, words: Sequence[str]) -> list[float]:
    """As the interpreter says; exactly where ties are open in balls."""
    heads = (head for layer in construction.encoder.layers for head in layer.heads)
    bits = None if any(head.normaliser == "hardmax" for head in heads) else 100
    logits = [run(construction, word, bits=bits).logit for word in words]
    return [float(x if isinstance(x, arb) else ball(x)) for x in logits]


@pytest.mark.parametrize("attention", ["explicit", "matmul", "strict"])
@pytest.mark.parametrize("position", ["first", "last", "sum"])
@pytest.mark.parametrize("parts", PARTS)
def test_logits_are_those_of_the_interpreter(parts: str, position: str, attention: str) -> None:
    given = construction(network(position, **PARTS[parts]))
    found = Transformer(given, attention=attention).logits(WORDS).tolist()
    exact = logits_of(given, WORDS)
    assert found == pytest.approx(exact, rel=CLOSE)
    plain = construction(network(position, **{name: x for name, x in PARTS[parts].items() if name.endswith("norm")}))
    assert Transformer(plain, attention=attention).logits(WORDS).tolist() != pytest.approx(exact, rel=1e-6)


def decoder(**parts: Any) -> Decoder:
    of_encoder = network("last", **{**parts, "mask": "causal"})
    return Decoder(
        coordinates=of_encoder.coordinates,
        begin="CLS",
        embedding=of_encoder.embedding,
        layers=tuple(
            replace(layer, heads=tuple(replace(head, mask="causal") for head in layer.heads))
            for layer in of_encoder.layers
        ),
        readout=Readout(Linear({"0": {"s": 1, "a": "1/7"}, "1": {"s": -1}}), "last", "argmax"),
    )


@pytest.mark.parametrize("attention", ["explicit", "strict"])
@pytest.mark.parametrize("parts", PARTS)
def test_what_decoders_append_is_as_the_interpreter_says(parts: str, attention: str) -> None:
    given = construction(decoder(**PARTS[parts]))
    for word in ("0", "101"):
        found = islice(DecoderTransformer(given, attention=attention).generate([word]), 3)
        exact = islice(appended(decoder(**PARTS[parts]), word, {}), 3)
        for made, wanted in zip(found, exact, strict=True):
            logits = [float(ball(x)) for x in wanted.outputs.values()]  # type: ignore[arg-type]
            assert made.logits[0].tolist() == pytest.approx(logits, rel=CLOSE)
            assert made.tokens == (wanted.token,)


@pytest.mark.parametrize("attention", ["explicit", "strict"])
def test_steps_behind_an_encoder_know_positions(attention: str) -> None:
    """An encoder whose head does, read by a cross head, and an own head that does."""
    parts = PARTS["all"]
    own = replace(HEAD, **{**parts, "sees": "j < i"})
    made = EncoderDecoder(
        encoder=network("last", **parts),
        coordinates=("1", "a", "i", "s"),
        seed={"a": 1, "1": 1},
        PE={"i": "i"},
        layers=(Layer((own,), cross_heads=(HEAD,)),),
        feedback=Linear({"a": {"s": 1}, "1": {"1": 1}}),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )
    [found] = EncoderDecoderTransformer(made, ("0", "1"), attention=attention)(["01"], 4)
    exact = [[float(ball(x)) for x in vector.values()] for vector in islice(decode(made, "01"), 4)]  # type: ignore[arg-type]
    assert [pytest.approx(row, rel=CLOSE) for row in found.tolist()] == exact


def test_a_decoder_whose_position_sees_nothing_appends_nothing() -> None:
    given = construction(decoder(sees="j < i"))
    with pytest.raises(InputError, match="position 0 sees nothing in some head"):
        next(iter(DecoderTransformer(given).generate(["01"])))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_each_operation_of_the_strict_order_is_rounded(dtype: str) -> None:
    """A query (x, y) and a key of one position, by hand: the products, their difference and sum, the score, the bias
    and the share of the sink, each rounded once."""
    head = Head(
        W_Q={"q": {"1": "5/7"}, "r": {"1": "3/11"}},
        W_K={"q": {"1": "2/3"}, "r": {"1": "-9/13"}},
        W_V={"s": {"1": "1/3"}},
        scale="1/3",
        rotary=(Rotary("q", "r", "2/3"),),
        bias="i/7 + j/3",
        sees="i == j",
        sink="1/5",
    )
    made = Encoder(
        coordinates=("1", "s"),
        embedding=Embedding({"0": {"1": 1}, "1": {}}, {}),
        layers=(Layer((head,), attention_residual=False),),
        readout=Readout(Linear({"logit": {"s": 1}}), "last"),
        begin=None,
    )
    format = FORMATS[dtype]
    f = partial(nearest, format=format)

    def number(text: str) -> Fraction:
        return Fraction(rounded(evaluate(expression(text), {}), format))

    cosine, sine = number("cos(2/3)"), number("sin(2/3)")

    def turned(x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        products = [Fraction(f(a * b)) for a, b in ((x, cosine), (y, sine), (x, sine), (y, cosine))]
        return Fraction(f(products[0] - products[1])), Fraction(f(products[2] + products[3]))

    (a, b), (c, d) = turned(number("5/7"), number("3/11")), turned(number("2/3"), number("-9/13"))
    product = Fraction(f(Fraction(f(a * c)) + Fraction(f(b * d))))
    score = Fraction(f(Fraction(f(product * number("1/3"))) + number("1/7 + 1/3")))
    best = max(score, number("1/5"))
    powers = [Fraction(exponential(f(x - best), format)) for x in (score, number("1/5"))]
    weight = Fraction(f(powers[0] / Fraction(f(sum(powers)))))
    logit = f(weight * number("1/3"))
    assert Transformer(construction(made), dtype=dtype, attention="strict").logits(["00"]).tolist() == [logit]


def test_where_a_position_sees_nothing_there_is_no_logit() -> None:
    given = construction(network("first", sees="j > i"))
    for attention in ("explicit", "strict"):
        with pytest.raises(InputError, match="at length 3, position 2 sees nothing in some head"):
            Transformer(given, attention=attention).logits(["01"])
    with pytest.raises(NoValue):
        run(given, "01")


@pytest.mark.parametrize(
    ("parts", "called"),
    [
        ("rotary", "rotary positions"),
        ("bias", "a bias of scores"),
        ("sees", "a formula of what is seen"),
        ("sink", "a sink"),
    ],
)
def test_fused_kernels_are_refused_by_name(parts: str, called: str) -> None:
    with pytest.raises(NoKernel, match=f"layer 1: fused attention has no heads with {called}; take explicit"):
        Transformer(construction(network("first", **PARTS[parts])), attention="fused")

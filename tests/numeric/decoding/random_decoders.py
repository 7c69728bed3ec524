"""Random decoders and encoder-decoders, drawn from the whole schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from hypothesis import strategies as st

from weightproof.constructions.checks.networks import refuse_malformed
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Activation,
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    Extreme,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Norm,
    Readout,
    RootMeanSquare,
)

OUTER, INNER = ("a", "b", "c"), ("e", "f")
DYADIC = ("0", "1", "-1", "1/2")
ANY = (*DYADIC, "2", "1/3", "-7/5")
PIECEWISE = ("relu", "saturated-linear", "step", "square", "identity", "abs")
"""Activations that have rational values."""
Weights = Sequence[str]


def row(columns: Sequence[str], weights: Weights) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({column: st.sampled_from(weights) for column in columns})


def rows(
    names: Sequence[str], columns: Sequence[str], weights: Weights
) -> st.SearchStrategy[dict[str, dict[str, str]]]:
    return st.fixed_dictionaries({name: row(columns, weights) for name in names})


@st.composite
def heads(draw: st.DrawFn, weights: Weights, memory: Sequence[str], into: Sequence[str], causal: bool = False) -> Head:
    """memory: of what keys and values are made; into: the stream of the queries; causal: no others."""
    scored, through = draw(st.sampled_from(((), ("q",), ("q", "r")))), draw(st.sampled_from((None, ("v", "w"))))
    softly = weights is ANY and draw(st.booleans())
    norms = maybe_normed(scored) if weights is ANY and scored else st.none()
    return Head(
        W_Q=draw(rows(scored, into, weights)),
        W_K=draw(rows(scored, memory, weights)),
        W_V=draw(rows(through or into[:2], memory, weights)),
        W_O=None if through is None else draw(rows(into, through, weights)),
        score=draw(st.sampled_from(("dot", "-|dot|"))),
        scale=draw(st.sampled_from(("1", "2") if weights is DYADIC else ("1", "1/3", "1/sqrt(d)"))),
        normaliser="softmax" if softly else "hardmax",
        mask="causal" if causal else draw(st.sampled_from(("none", "causal"))),
        query_norm=draw(norms),
        key_norm=draw(norms),
    )


@st.composite
def layers(draw: st.DrawFn, weights: Weights, stream: Sequence[str], memory: Sequence[str], causal: bool) -> Layer:
    hidden = ("x", "y")
    kept = st.sampled_from((True, True, False))
    norms = maybe_normed(stream) if weights is ANY else st.none()
    crossing = draw(st.lists(heads(weights, memory, stream), max_size=2)) if memory else []
    drawn = FeedForward(
        Linear(draw(rows(hidden, stream, weights)), bias=draw(row(hidden[:1], weights))),
        Linear(draw(rows(stream, hidden, weights)), bias=draw(row(stream[:1], weights))),
        draw(st.sampled_from(get_args(Activation) if weights is ANY else PIECEWISE)),
        gate=draw(st.none() | rows(hidden, stream, weights).map(Linear)),
    )
    network = draw(st.sampled_from((None, drawn)))
    own = tuple(draw(st.lists(heads(weights, stream, stream, causal), max_size=2)))
    return Layer(
        heads=own,
        feed_forward=network,
        cross_heads=tuple(crossing),
        attention_residual=draw(kept),
        cross_residual=draw(kept) if crossing else True,
        feed_forward_residual=True if network is None else draw(kept),
        attention_norm=draw(norms),
        cross_norm=draw(norms) if crossing else None,
        feed_forward_norm=None if network is None else draw(norms),
        attention_norm_before=draw(norms) if own else None,
        cross_norm_before=draw(norms) if crossing else None,
        feed_forward_norm_before=None if network is None else draw(norms),
    )


def maybe_normed(names: Sequence[str]) -> st.SearchStrategy[Norm | None]:
    """None, or a norm of either kind, with gain and bias or without."""
    gain, bias = {names[0]: "2", names[-1]: "1/3"}, {names[-1]: "-1/2"}
    norms: tuple[Norm, ...] = (
        LayerNorm("1/2"),
        LayerNorm("1/2", gain=gain, bias=bias),
        RootMeanSquare("1/3"),
        RootMeanSquare("1/3", gain=gain),
    )
    return st.none() | st.sampled_from(norms)


UNREAD = Readout(Linear({"logit": {}}))


@st.composite
def encoder_decoders(draw: st.DrawFn, weights: Weights) -> EncoderDecoder:
    """Over the alphabet 0, 1."""
    begin, end = draw(st.sampled_from(((None, None), ("#", None), (None, "$"), ("#", "$"))))
    tokens = ("0", "1", *(marker for marker in (begin, end) if marker))
    network = EncoderDecoder(
        encoder=Encoder(
            coordinates=INNER,
            embedding=Embedding(
                draw(rows(tokens, INNER, weights)), PE=draw(st.sampled_from(({}, {"e": "i"}, {"f": "n"})))
            ),
            layers=tuple(draw(st.lists(layers(weights, INNER, (), False), max_size=1))),
            readout=UNREAD,
            begin=begin,
            end=end,
        ),
        coordinates=OUTER,
        seed=draw(row(OUTER, weights)),
        PE=draw(st.sampled_from(({}, {"c": "i"}, {"c": "i", "a": "1"}))),
        layers=tuple(draw(st.lists(layers(weights, OUTER, INNER, False), min_size=1, max_size=2))),
        feedback=Linear(draw(rows(OUTER, OUTER, weights)), bias=draw(row(OUTER[:1], weights))),
        readout=UNREAD,
    )
    refuse_malformed("random", network, ("0", "1"), ())
    return network


ANYTHING = Language("anything", ("0", "1"), lambda word: True, "n >= 0")


@st.composite
def decoders(draw: st.DrawFn, weights: Weights) -> Construction:
    begin = draw(st.sampled_from((None, "#")))
    tokens = ("0", "1", ".", *(() if begin is None else (begin,)))
    network = Decoder(
        coordinates=OUTER,
        embedding=Embedding(draw(rows(tokens, OUTER, weights)), PE=draw(st.sampled_from(({}, {"c": "i"})))),
        layers=tuple(draw(st.lists(layers(weights, OUTER, (), True), min_size=1, max_size=2))),
        readout=Readout(
            Linear(draw(rows((".", "1", "0"), OUTER, weights)), bias=draw(row((".",), weights))),
            "last",
            draw(st.sampled_from(get_args(Extreme))),
        ),
        stop=".",
        begin=begin,
        final_norm=draw(maybe_normed(OUTER)) if weights is ANY else None,
    )
    return Construction("random", "random", "none", ANYTHING, network)

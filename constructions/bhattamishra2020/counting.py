"""The counting task of Bhattamishra et al. (2020), proposition 4.3 and appendix C.1: 0, D, 2D, 3D, ... from an input D.

`counting` does it with the residual connections that the paper has, without a feed-forward network and for every D: the
cross head brings D, which is fed back and added. `rising` has softmax and no residual connection around the cross head:
on a word of two positions it holds another number at every step, as no network without it does on a word of one.
`halving` is a recurrent network that no transformer simulates whose output vectors are finitely many: on a word with an
a it takes infinitely many values.
"""

from __future__ import annotations

from weightproof.constructions.bhattamishra2020.encoder_decoder import UNREAD
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.schema import Embedding, Encoder, EncoderDecoder, Head, Layer, Linear

INPUT, SUM, BESIDE = "D", "sum", "#"
FOLLOWING = 5
"""How many numbers are asked for in section 5: those that follow a number."""


def counting(value: object) -> EncoderDecoder:
    """The transformer whose `SUM` at step t is t times the value, an exact number or a name for one; it reads the word
    "D", which embeds as that."""
    return EncoderDecoder(
        encoder=Encoder(
            coordinates=(INPUT,),
            embedding=Embedding(WE={INPUT: {INPUT: value}}),
            layers=(),
            readout=UNREAD,
            begin=None,
        ),
        coordinates=(SUM, INPUT),
        seed={},
        PE={},
        layers=(Layer(cross_heads=(Head(W_V={INPUT: {INPUT: 1}}, normaliser="hardmax", scale=1),)),),
        feedback=Linear({SUM: {SUM: 1, INPUT: 1}}),
        readout=UNREAD,
    )


def rising() -> EncoderDecoder:
    """The transformer of one softmax head, without the residual connection around it and without position encodings,
    whose `SUM` at step t is, on the word "D#", what the sigmoid function makes of that at step t - 1, or of 0 at step
    0: 1/2, 0.62, 0.65, ..., more at every step."""
    head = Head(W_Q={"q": {SUM: 1}}, W_K={"q": {INPUT: 1}}, W_V={SUM: {INPUT: 1}}, scale=1)
    return EncoderDecoder(
        encoder=Encoder(
            coordinates=(INPUT,),
            embedding=Embedding(WE={INPUT: {INPUT: 1}, BESIDE: {}}),
            layers=(),
            readout=UNREAD,
            begin=None,
        ),
        coordinates=(SUM,),
        seed={},
        PE={},
        layers=(Layer(cross_heads=(head,), cross_residual=False),),
        feedback=Linear({SUM: {SUM: 1}}),
        readout=UNREAD,
    )


def halving() -> RNN:
    """h_t = h_(t-1)/2, and 1/2 more on an a: of a and then nothing else it is 1/2, 1/4, 1/8, ..., and of b it is 0."""
    return RNN(
        name="halving",
        alphabet=("a", "b"),
        units=("h",),
        inputs=("x",),
        embedding=Embedding(WE={"a": {"x": 1}, "b": {}}),
        W_h=Linear({"h": {"h": "1/2"}}),
        W_x=Linear({"h": {"x": "1/2"}}),
    )

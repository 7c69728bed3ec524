"""AS MANY 1s AS 0s, OR MORE, where a norm with epsilon = 0 leaves the sign of the difference alone.

CLS breaks ties, so that the row is never 0; the residual connection around the attention is cut.
"""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, LayerNorm, Linear, Readout

language = Language(
    name="AS MANY, OR MORE",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") >= word.count("0"),
    characterisation="count('1') >= count('0')",
    description="at least as many 1s as 0s",
)


def network(marker: object = 1, zero: object = -2) -> Encoder:
    difference = Head(W_V={"+": {"s": 1}, "-": {"s": -1}})
    return Encoder(
        coordinates=("s", "+", "-"),
        embedding=Embedding(WE={"0": {"s": zero}, "1": {"s": 2}, "CLS": {"s": marker}}),
        layers=(Layer(heads=(difference,), attention_residual=False, attention_norm=LayerNorm(0)),),
        readout=Readout(Linear({"logit": {"+": 1}})),
    )


construction = Construction("sign", "AS MANY, OR MORE by a norm that leaves a sign", "an example", language, network())

mistakes = {"ties go the other way": network(marker=-1), "late: a 0 weighs a little more": network(zero="-25/12")}

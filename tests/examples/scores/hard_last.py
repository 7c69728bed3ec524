"""LAST, the words of which the last symbol is a b: hardmax attention with the position as the score finds it."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="LAST",
    alphabet=("a", "b", "c"),
    member=lambda word: word[-1:] == "b",
    characterisation="w[n - 1] == 'b'",
    description="the last symbol is b",
)


def network(score: str = "i", b: object = 1) -> Encoder:
    look_at_last = Head(
        W_Q={"q": {"1": 1}}, W_K={"q": {"i": 1}}, W_V={"s": {"[w=b]": b, "1": "-1/2"}}, normaliser="hardmax"
    )
    return Encoder(
        coordinates=("[w=b]", "1", "i", "s"),
        embedding=Embedding(
            WE={"a": {"1": 1}, "b": {"[w=b]": 1, "1": 1}, "c": {"1": 1}, "CLS": {"1": 1}}, PE={"i": score}
        ),
        layers=(Layer(heads=(look_at_last,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("hard-last", "LAST by hardmax attention", "an example", language, network())

mistakes = {
    "the first position is found": network(score="-i"),
    "late: positions from 14 on are all found": network(score="i*(i < 14) + 14*(i >= 14)"),
}

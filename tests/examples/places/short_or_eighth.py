"""SHORT, OR THE EIGHTH IS a: the words of fewer than 8 symbols, and those of which the eighth is an a.

What is not an a at position 8 is marked; the average of the marks is weighed against CLS. Heads have a W_O.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="SHORT, OR THE EIGHTH IS a",
    alphabet=("a", "b", "c"),
    member=lambda word: len(word) < 8 or word[7] == "a",
    characterisation="n <= 8 or w[8] == 'a'",
    description="fewer than 8 symbols, or an a as the eighth",
)


def network(mark: object = -1, bias: object = 0) -> Encoder:
    wrong = FeedForward(
        first=Linear({"h": {"[w=a]": -1, "[w=CLS]": -1, "[i=8]": 1}}), second=Linear({"[i=8 and not a]": {"h": 1}})
    )
    average = Head(W_V={"mark": {"[i=8 and not a]": mark}, "CLS": {"[w=CLS]": "1/2"}}, W_O={"s": {"mark": 1, "CLS": 1}})
    return Encoder(
        coordinates=("[w=a]", "[w=CLS]", "[i=8]", "[i=8 and not a]", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {}, "c": {}, "CLS": {"[w=CLS]": 1}}, PE={"[i=8]": "(i == 8)"}),
        layers=(Layer(feed_forward=wrong), Layer(heads=(average,))),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": bias})),
    )


construction = Construction("short-or-eighth", "SHORT, OR THE EIGHTH IS a by a mark", "an example", language, network())

mistakes = {"the mark weighs too little": network(mark="-1/4"), "late: a bias": network(bias="-1/40")}

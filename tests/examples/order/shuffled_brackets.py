"""SHUFFLED BRACKETS of two kinds: each kind is balanced by itself, whatever stands between. Two causal means find
closing brackets without a partner, two means over all positions find opening ones.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout


def member(word: str) -> bool:
    depth = {"(": 0, "[": 0}
    for symbol in word:
        depth[{")": "(", "]": "["}.get(symbol, symbol)] += 1 if symbol in depth else -1
        if min(depth.values()) < 0:
            return False
    return not any(depth.values())


language = Language(
    name="SHUFFLED BRACKETS",
    alphabet=("(", ")", "[", "]"),
    member=member,
    characterisation="count('(') == count(')') and count('[') == count(']') and "
    "all(count('(', j) >= count(')', j) and count('[', j) >= count(']', j) for j in positions)",
    description="a shuffle of two words of balanced brackets",
)


def network(close: object = -1, bias: object = 0) -> Encoder:
    depths = {"round/i": {"[(]": 1, "[)]": close}, "square/i": {"[[]": 1, "[]]": -1}}
    prefixes = Layer(
        heads=(Head(W_V=depths, mask="causal"),),
        feed_forward=FeedForward(
            Linear({"round < 0": {"round/i": -1}, "square < 0": {"square/i": -1}}, {"square < 0": bias}),
            Linear({"v": {"round < 0": 1, "square < 0": 1}}),
        ),
    )
    ends = Layer(
        heads=(Head(W_V={"s": {"v": 1}, "round/n": {"[(]": 1, "[)]": -1}, "square/n": {"[[]": 1, "[]]": -1}}),),
        feed_forward=FeedForward(
            Linear({"round": {"round/n": 1}, "square": {"square/n": 1}}), Linear({"s": {"round": 1, "square": 1}})
        ),
    )
    return Encoder(
        coordinates=("[(]", "[)]", "[[]", "[]]", "round/i", "square/i", "v", "round/n", "square/n", "s"),
        embedding=Embedding(
            WE={"(": {"[(]": 1}, ")": {"[)]": 1}, "[": {"[[]": 1}, "]": {"[]]": 1}, "CLS": {}},
        ),
        layers=(prefixes, ends),
        readout=Readout(Linear({"logit": {"s": 1}}), accept="logit = 0"),
    )


construction = Construction("shuffled-brackets", "SHUFFLED BRACKETS by means", "an example", language, network())

mistakes = {"closing weighs two": network(close=-2), "late: one square bracket in sixteen": network(bias="-1/16")}

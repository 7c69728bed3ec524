"""MORE b, the words with more bs than as, with claims about it that no paper prints: some true, some not.

Uniform attention averages the signs and the places of CLS; a hidden layer keeps the positive part of the difference.
"""

from weightproof import (
    Claims,
    Construction,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Language,
    Layer,
    Linear,
    Published,
    Reading,
    Readout,
    statements,
)

language = Language(
    name="MORE b",
    alphabet=("a", "b"),
    member=lambda word: word.count("b") > word.count("a"),
    characterisation="count('b') > count('a')",
    description="more bs than as",
)

embedding = Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}})
average = Head(W_V={"d": {"[w=a]": -1, "[w=b]": 1}, "1/n": {"[w=CLS]": 1}})
positive_part = FeedForward(first=Linear({"up": {"d": 1}}), second=Linear({"s": {"up": 2}}))

construction = Construction(
    name="more-b",
    title="MORE b by the positive part of an average",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "d", "1/n", "s"),
        embedding=embedding,
        layers=(Layer(heads=(average,), feed_forward=positive_part),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)

DIFFERENCE = "(count('b') - count('a'))"
UP = f"{statements.relu(DIFFERENCE, '2')}/n"

claims = Claims(
    "more-b",
    Published("recognises", "here", "recognises MORE b", statements.Accepts()),
    Published(
        "d",
        "here",
        "$c^{1,i}_4 = (k_b - k_a)/n$",
        statements.Value(statements.Stream("d", 1, "attention"), f"{DIFFERENCE}/n"),
    ),
    Published(
        "d-length",
        "here",
        "$c^{1,i}_4$, over the symbols",
        statements.Value(statements.Stream("d", 1, "attention"), f"{DIFFERENCE}/(n-1)"),
    ),
    Published(
        "hidden", "here", "$h^{1,i}$", statements.Vector(1, statements.relu(DIFFERENCE, "1/n"), stage="activation")
    ),
    Published(
        "vector", "here", "$a^{1,0}$", statements.Vector(1, "0", "0", "1", f"{DIFFERENCE}/n", "1/n", UP, when="i == 0")
    ),
    Published(
        "value",
        "here",
        "$V_i$",
        statements.Value(statements.Projected("W_V", 1, 1, "d"), "(w[i] == 'b') - (w[i] == 'a')"),
    ),
    Published("uniform", "here", "$\\alpha_i = 1/n$", statements.Value(statements.Attention(1, 1), "1/n")),
    Published(
        "W_V",
        "here",
        "$W^V$",
        statements.Matrix(statements.Weights("W_V", 1, 1), *statements.zeros(3, 3), "-1 1 0", "0 0 1"),
    ),
    Published(
        "W_V-wrong",
        "here",
        "$W^V$",
        statements.Matrix(statements.Weights("W_V", 1, 1), *statements.zeros(3, 3), "1 -1 0", "0 0 1"),
    ),
    Published("shape", "here", "$W^V$ is $5 \\times 3$", statements.Shape(statements.Weights("W_V", 1, 1), 5, 3)),
    Published(
        "rows",
        "here",
        "$a^{1,i}$ has 7 rows",
        Reading(statements.Shape(statements.Rows(1), 7), sense="s has a row of its own"),
        Reading(statements.Shape(statements.Rows(1), 6), sense="d is overwritten"),
    ),
    Published("units", "here", "one hidden unit", statements.Count("units", 1, layer=1)),
    Published("s", "here", "$s = 2 \\max(0, k_b - k_a)/n$", statements.Value(statements.Logit(), UP)),
    Published(
        "positive",
        "here",
        "$s > 0$ without a",
        statements.Compares(">", 0, "count('a') == 0"),
        under=(("empty word",),),
    ),
    Published(
        "order", "here", "$s \\in O(1/n)$ where $k_b = k_a + 1$", statements.Order("O", "1/n", f"{DIFFERENCE} == 1")
    ),
)

"""A construction that is hard to print: odd symbols, long names, large numbers, many coordinates."""

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

SYMBOLS = ("%", "_", "&", "#", "~", "^", "\\", "{", "}", "$", "é", "<", '"', "'")
NAMES = {symbol: f"[w={symbol}]_with_a_long_name/{k}" for k, symbol in enumerate(SYMBOLS)}
VALUES = {name: f"1/{10**k + 7}" for k, name in enumerate(NAMES.values())}
LARGE = f"{'1234567890' * 9}/7"

language = Language(
    name="SOME %",
    alphabet=SYMBOLS,
    member=lambda word: "%" in word,
    characterisation="count('%') >= 1",
    description="at least one % & more",
)

construction = Construction(
    name="hard to print/100%",
    title="A network that is hard to print: 100% of $x_1$ & {y} \\ #",
    source="nobody_knows (100%)",
    language=language,
    parameters=(
        Parameter("c", domain="c >= log(2)", default="log(2)"),
        Parameter("depth_of_it", domain="depth_of_it >= 1", default=2, kind="natural"),
    ),
    network=Encoder(
        coordinates=(*NAMES.values(), "s", "t"),
        embedding=Embedding(
            WE={**{symbol: {name: 1} for symbol, name in NAMES.items()}, "CLS": {}}, PE={"t": "depth_of_it*i/n"}
        ),
        layers=(
            Layer(
                heads=(Head(W_V={"s": VALUES | {NAMES["%"]: LARGE}}),),
                feed_forward=FeedForward(
                    first=Linear({"h_1%": {"s": 1}}, {"h_1%": "1/3"}),
                    second=Linear({"t": {"h_1%": "exp(c)"}}),
                ),
            ),
        ),
        readout=Readout(Linear({"logit": {"s": 1, "t": "1/3"}}, {"logit": "-1/2"})),
    ),
)

"""PALINDROME under layer normalisation: ours, after Nowak et al. (2022), section 3.2.

The rows of `palindrome` hold their positions and have different lengths, which norms scale differently: its two halves
are no numbers in one base any more. Here all rows that are read together have the same length, so that a norm
multiplies them by one factor, whatever epsilon is.

The weight of a position is e^c to its distance from the nearer end of the word, times e^(-cn), positive on the left and
negative on the right: p. Beside it stands q = sqrt(1 - p^2). The first layer turns the sign of p round where the symbol
is 0, which leaves the length as it is. Uniform attention sums p over the word: every 1 counts for its half, every 0
against it, and the sum s is 0 just for the palindromes, else at least 2 e^c e^(-cn)/n in size. The feed-forward network
makes it s - 2 relu(s) = -|s|, and the readout accepts where that is above -e^(-cn)/n.
"""

from weightproof.constructions.languages.languages import PALINDROME
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

BASE = Parameter("c", domain="c >= log(2)", default="log(2)")
LEFT, RIGHT = "(2*i < n - 1)", "(2*i > n - 1)"
NO_0 = {"[w=1]": -1, "[w=CLS]": -1, "[w=EOS]": -1}
"""Makes a hidden unit 0 on every other row than that of a 0, as |p| < 1."""

construction = Construction(
    name="palindrome-isometric",
    title="PALINDROME by rows of one length",
    source="after Nowak et al. (2022), section 3.2",
    language=PALINDROME,
    parameters=(BASE,),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[w=EOS]", "p", "q", "e^(-cn)/n", "s"),
        embedding=Embedding(
            WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}, "EOS": {"[w=EOS]": 1}},
            PE={
                "p": f"{LEFT}*exp(c*(i - n)) - {RIGHT}*exp(-c*(i + 1))",
                "q": f"sqrt(1 - {LEFT}*exp(2*c*(i - n)) - {RIGHT}*exp(-2*c*(i + 1)))",
                "e^(-cn)/n": "exp(-c*n)/n",
            },
        ),
        layers=(
            Layer(
                feed_forward=FeedForward(
                    first=Linear({"+": {"p": 1, **NO_0}, "-": {"p": -1, **NO_0}}),
                    second=Linear({"p": {"+": -2, "-": 2}}),
                )
            ),
            Layer(
                heads=(Head(W_V={"s": {"p": 1}}),),
                feed_forward=FeedForward(first=Linear({"h": {"s": 1}}), second=Linear({"s": {"h": -2}})),
            ),
        ),
        readout=Readout(Linear({"logit": {"s": 1, "e^(-cn)/n": 1}})),
        end="EOS",
    ),
)

"""PALINDROME: Nowak et al. (2022), section 3.2 and appendix A.

The first layer marks the 1s of the left and of the right half. The heads of the second layer weigh position i by
e^(ci) and by e^(c(n-1-i)): each reads one half as a number in base e^c, and the logit is their difference.

As printed, both value matrices of the second layer read the mark of the right half (the last of the ten coordinates),
so the two heads do not read the two halves. The repair moves one weight, W_V of head 1, to the mark of the left half,
which is what the derivation in appendix A uses.

Acceptance is an equality, logit = 0, which no rounded arithmetic decides. `palindrome-margin` is ours, not the paper's:
head 1 also copies CLS, which it weighs e^0/Z, so that 1/Z is at hand; one hidden unit after the heads turns the
difference s of the two numbers into s - 2 relu(s) = -|s|; the readout adds the two, and accepts where logit > 0. The
numbers of a palindrome differ by 0, those of another word by at least e^c/Z. Less does not do: the reversed word has
-s for s, so that |s| must be formed, and whatever is fixed is not small beside 1/Z.
"""

from collections.abc import Mapping

from weightproof.constructions.languages.languages import PALINDROME
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}, "EOS": {"[w=EOS]": 1}},
    PE={"i": "i", "n-i-1": "n - i - 1", "[left]": "(i <= (n - 1)/2)", "[right]": "(i >= (n - 1)/2)"},
)

mark_halves = FeedForward(
    first=Linear(
        {
            "h1": {"[w=0]": -1, "[w=CLS]": -1, "[w=EOS]": -1, "[left]": 1},
            "h2": {"[w=0]": -1, "[w=CLS]": -1, "[w=EOS]": -1, "[right]": 1},
        }
    ),
    second=Linear({"[left and w=1]": {"h1": 1}, "[right and w=1]": {"h2": 1}}),
)


COORDINATES = (
    "[w=0]",
    "[w=1]",
    "[w=CLS]",
    "[w=EOS]",
    "i",
    "n-i-1",
    "[left]",
    "[right]",
    "[left and w=1]",
    "[right and w=1]",
    "s",
)
BASE = Parameter("c", domain="c > 0", default="log(2)")


def number_in_base(key: str, half: str, direction: int) -> Head:
    """Reads the 1s of one half as a number in base e^c, the exponent of a position standing in `key`."""
    return leaning(key, {"s": {half: direction}})


def leaning(key: str, W_V: Mapping[str, Mapping[str, object]]) -> Head:
    """Weighs a position by e^c to the power of its coordinate `key`."""
    return Head(W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}}, W_K={"q": {key: 1}}, W_V=W_V)


def palindrome(name: str, title: str, half_of_head_1: str) -> Construction:
    return Construction(
        name=name,
        title=title,
        source="Nowak et al. (2022), section 3.2",
        language=PALINDROME,
        parameters=(BASE,),
        network=Encoder(
            coordinates=COORDINATES,
            embedding=embedding,
            layers=(
                Layer(feed_forward=mark_halves),
                Layer(
                    heads=(
                        number_in_base("i", half_of_head_1, 1),
                        number_in_base("n-i-1", "[right and w=1]", -1),
                    )
                ),
            ),
            readout=Readout(Linear({"logit": {"s": 1}}), accept="logit = 0"),
            end="EOS",
        ),
    )


construction = palindrome(
    "palindrome", "PALINDROME by comparing two numbers in base e^c", half_of_head_1="[left and w=1]"
)
as_printed = palindrome(
    "palindrome-as-printed", "PALINDROME with W_V of head 1 as printed", half_of_head_1="[right and w=1]"
)

with_margin = Construction(
    name="palindrome-margin",
    title="PALINDROME with a margin on both sides",
    source="after Nowak et al. (2022), section 3.2",
    language=PALINDROME,
    parameters=(BASE,),
    network=Encoder(
        coordinates=(*COORDINATES, "1/Z"),
        embedding=embedding,
        layers=(
            Layer(feed_forward=mark_halves),
            Layer(
                heads=(
                    leaning("i", {"s": {"[left and w=1]": 1}, "1/Z": {"[w=CLS]": 1}}),
                    number_in_base("n-i-1", "[right and w=1]", -1),
                ),
                feed_forward=FeedForward(first=Linear({"h": {"s": 1}}), second=Linear({"s": {"h": -2}})),
            ),
        ),
        readout=Readout(Linear({"logit": {"s": 1, "1/Z": 1}})),
        end="EOS",
    ),
)

"""PALINDROME: Nowak et al. (2022), section 3.2 and appendix A.

The first layer marks the 1s of the left and of the right half. The heads of the second layer weigh position i by
e^(ci) and by e^(c(n-1-i)): each reads one half as a number in base e^c, and the logit is their difference.

As printed, both value matrices of the second layer read the mark of the right half (the last of the ten coordinates),
so the two heads do not read the two halves. The repair moves one weight, W_V of head 1, to the mark of the left half,
which is what the derivation in appendix A uses.
"""

from constructions.languages import PALINDROME
from constructions.schema import (
    Claim,
    Construction,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Parameter,
    Readout,
)

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


def number_in_base(key: str, half: str, direction: int) -> Head:
    """Reads the 1s of one half as a number in base e^c, the exponent of a position standing in `key`."""
    return Head(W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}}, W_K={"q": {key: 1}}, W_V={"s": {half: direction}})


def palindrome(name: str, title: str, half_of_head_1: str) -> Construction:
    return Construction(
        name=name,
        title=title,
        source="Nowak et al. (2022), section 3.2",
        language=PALINDROME,
        parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
        claims=(
            Claim(
                place="section 3.2.3",
                value="sum((2*j <= n - 1 and w[j] != w[n-1-j])*(-1)**(w[j] == '0')*2**j for j in positions)/(2**n - 1)",
                at={"c": "log(2)"},
            ),
            Claim(
                place="appendix A",
                value="sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in positions)"
                "*(exp(c) - 1)/(exp(c*n) - 1)",
            ),
        ),
        network=Encoder(
            coordinates=(
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
            ),
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

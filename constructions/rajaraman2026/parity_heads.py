"""The parity of k bits by k heads of one layer: Rajaraman, Sundaram and Tesfaye (2026), The Head Complexity of Boolean
Functions in Single-Layer Attention, arXiv 2609.04046, theorem 2 and appendix A.2.

Head j weighs a 0 by j/k and a 1 by 1 + j/k, so that of c ones among k bits its denominator is c + j, but for the weight
e^-M of the query token; its values make the numerator affine in c. The sum of the k fractions is P(c)/D(c), a fraction
whose sign alternates from c = 0 to c = k. Nothing is said of words of other lengths.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

MASKED = Parameter("M", domain="M > 0", default="10")
"""How little the query token weighs: the paper asks for a number that is large enough."""


def coefficients(k: int) -> Iterator[tuple[Fraction, Fraction]]:
    """alpha_j and beta_j of lemma 4, for j from 1 to k: P(t)/D(t) is the sum of (alpha_j + beta_j t)/(t + j)."""
    leading = (-1) ** k
    for j in range(1, k + 1):
        P = leading * prod((-j - m - Fraction(1, 2) for m in range(k)), start=Fraction(1))
        residue = P / prod(other - j for other in range(1, k + 1) if other != j)
        yield residue + Fraction(leading * j, k), Fraction(leading, k)


def head(k: int, j: int, alpha: Fraction, beta: Fraction) -> Head:
    """Head j of k: what it finds of each of the two outputs is half of a fraction, with opposite signs."""
    of_0, of_1 = alpha / j, (beta + alpha / k) / (1 + Fraction(j, k))
    return Head(
        W_Q={"q": {"[?]": 1}},
        W_K={"q": {"[w=0]": f"log({j}/{k})", "[w=1]": f"log(1 + {j}/{k})", "[?]": "-M"}},
        W_V={
            "Z0": {"[w=0]": of_0 / 2, "[w=1]": of_1 / 2},
            "Z1": {"[w=0]": -of_0 / 2, "[w=1]": -of_1 / 2},
        },
        scale=1,
    )


def parity(k: int) -> Construction:
    """The network for k bits. The positions have coordinates that nothing reads."""
    places = tuple(f"[i={place}]" for place in range(1, k + 1))
    return Construction(
        name=f"parity-{k}-heads",
        title=f"the parity of {k} bits by {k} heads",
        source="Rajaraman et al. (2026), theorem 2",
        language=PARITY,
        parameters=(MASKED,),
        network=Encoder(
            coordinates=("[w=0]", "[w=1]", *places, "[?]", "Z0", "Z1"),
            embedding=Embedding(
                WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "?": {"[?]": 1}},
                PE={name: f"(i == {place})" for place, name in enumerate(places)},
            ),
            layers=(
                Layer(
                    heads=tuple(head(k, j, *both) for j, both in enumerate(coefficients(k), start=1)),
                    attention_residual=False,
                ),
            ),
            readout=Readout(Linear({"logit": {"Z1": 1, "Z0": -1}}), position="last"),
            begin=None,
            end="?",
        ),
    )


of_two = parity(2)
of_three = parity(3)

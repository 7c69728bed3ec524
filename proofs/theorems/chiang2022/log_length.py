"""Attention that grows with log n: Chiang and Cholak (2022), section 5.3 and proposition 3.

The attention weight n of the first position is as much as those of all others and one more: the network of one layer,
which errs from some length on for every c, errs no longer. Without layer normalisation the logit of FIRST stays above
1/4 but for the empty word, whose logit is 0: no factor brings its cross-entropy below log 2. With one weight repaired
every |logit| is at least 1/4, which it is exactly on all words that are accepted, so that proposition 3 holds.

Under layer normalisation the scales stand in the exponent of n, too, so that the attention to the first position dies
out where epsilon is large, and the bound that is printed for every epsilon is wrong there; 1/4 holds of every length up
to epsilon = 3/10.
"""

from weightproof.constructions.chiang2022.transformed import FIRST_REPAIRED, GROWING, NORMALISED
from weightproof.constructions.chiang2022.transformed_claims import LEAST
from weightproof.proofs.theorem import Compares, Decides, Margin, Theorem, Transformed


def recognises(
    construction: str, *theorems: Theorem, before: tuple[str, ...] = (), behind: tuple[str, ...] = ()
) -> Transformed:
    stated = Decides("recognises", "accepts exactly the words that start with 1")
    return Transformed(construction, (*before, *GROWING, *behind), (stated, *theorems))


theorems = (
    recognises(
        "first",
        Margin("accepted", "n/(2*(2*n - 1))", when="n >= 2", attained=(("1", "n - 1"),)),
        Margin("rejected", "n/(2*(2*n - 1))", when="n >= 2", attained=(("0", "n - 1"),)),
        Margin("rejected", 0, when="n == 1", attained=()),
    ),
    recognises(
        "first",
        Margin("accepted", "1/4", when="n >= 2", attained=(("1", "n - 1"),)),
        Margin("rejected", "(2*n + 1)/(4*(2*n - 1))", when="n >= 2", attained=(("0", "n - 1"),)),
        Margin("rejected", "1/4", when="n == 1", attained=()),
        before=(FIRST_REPAIRED,),
    ),
    recognises(
        "first",
        Compares(">=", "1/4", "w[1] == '1'", given="epsilon <= 3/10", name="accepted by 1/4"),
        Compares("<=", "-1/4", "w[1] == '0'", given="epsilon <= 3/10", name="rejected by 1/4"),
        Compares(">", LEAST, "w[1] == '1'", name="accepted as printed", expected="refuted"),
        Compares("<", f"-{LEAST}", "w[1] == '0'", name="rejected as printed", expected="refuted"),
        behind=NORMALISED,
    ),
    recognises(
        "first-one-layer",
        Margin("accepted", "1/(2*(2*n - 1))", when="n >= 2", attained=(("1", 1), ("0", "n - 2"))),
        Margin("rejected", "3/(2*(2*n - 1))", when="n >= 2", attained=(("0", 1), ("1", "n - 2"))),
    ),
    recognises("first-one-layer", behind=NORMALISED),
)

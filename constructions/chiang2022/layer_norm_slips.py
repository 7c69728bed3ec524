"""The mistakes of print in Chiang and Cholak (2022), section 4.1 and appendix B, each with its smallest correction."""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.chiang2022.first_claims import ENCODING
from weightproof.constructions.chiang2022.parity_claims import AVERAGES, EVEN, K_SIGN
from weightproof.constructions.chiang2022.parity_claims import ENCODING as PARITY_ENCODING
from weightproof.constructions.chiang2022.transformed import EXACTLY, NORMALISED, SCALED, UNCENTRED
from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.statements import Accepts, Kept, Logit, Matrix, Stream, Value, Vector, Weights

ONE, NOT_ONE = "w[1] == '1'", "w[1] != '1'"
MARK = "(w[i] == '1' and i == 1)"
S = f"exp(c)/(exp(c) + n - 1)*(({ONE}) - 1/2)"
"""Equation 1, the logit of FIRST."""


def of_norm(entries: Sequence[str], square: str, spared: int) -> tuple[str, ...]:
    """LN of the entries, behind them `spared` coordinates that are 0, and of their opposites; square: the mean square
    of them, and epsilon."""
    scaled = tuple(f"({entry})/sqrt({square})" for entry in entries)
    return (*scaled, *("0",) * spared, *(f"-{entry}" for entry in scaled))


WIDTH = Slip(
    "chiang2022/width",
    "first",
    "The width doubles, and scores are divided by its root: of $c \\sqrt d$ with the old $d$ a factor "
    "$\\frac{1}{\\sqrt 2}$ stays.",
    "section 4.1",
    "$\\bar{W}^{Q,2,1} = (0, 0, c \\sqrt{2 \\cdot 6}, 0, \\dots, 0)$",
    Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(2*6) 0 0 0 0 0 0 0 0 0"),
    asked=UNCENTRED,
)
NORM_OF_SCALED = Slip(
    "chiang2022/norm-of-scaled",
    "first",
    "The norm is applied to a row that the norm before it has scaled, to which $\\epsilon > 0$ is added.",
    "section 4.1",
    "for $\\epsilon = 0$, $\\bar{a}^{1,i} = LN(a^{1,i}, -a^{1,i})$",
    Vector(1, *of_norm((*ENCODING, MARK), f"(1 + (i == 1) + {MARK})/6", 1)),
    asked=EXACTLY,
)
TWICE = "exp(2*sqrt(3)*c)/(exp(2*sqrt(3)*c) + n - 1)*sqrt(2)/2"
SCALED_LOGITS = Slip(
    "chiang2022/scaled-attention",
    "first",
    "The rows of the first layer are scaled, and with them attention logits and values of the second.",
    "section 4.1",
    "for $\\epsilon = 0$ and $w_1 = 1$, row $s$ at CLS is that of the norm of $(\\sqrt 6, s, -\\sqrt 6, -s)$ with "
    "$s = \\frac{\\exp 2 \\sqrt 3 c}{\\exp 2 \\sqrt 3 c + n - 1} \\frac{\\sqrt 2}{2}$",
    Value(Stream("s", 2, "attention"), f"{TWICE}/sqrt((6 + ({TWICE})**2)/6)", f"i == 0 and {ONE}"),
    asked=EXACTLY,
)
SECOND_NORM = Slip(
    "chiang2022/second-norm",
    "first",
    "A norm with $\\epsilon > 0$ shrinks what is normalised already.",
    "appendix B",
    "for $\\epsilon = 0$ the last norm has no effect ($A^2 = 1$)",
    Kept(2),
    asked=EXACTLY,
)
SQUARE = "((2 + (i**2 + count('1')**2 + 1)/n**2)/9 + epsilon)"
ONE_SCALE = Slip(
    "chiang2022/one-scale",
    "parity",
    "Layer normalisation scales each row by a factor of its own, not a layer by one factor.",
    "appendix B",
    "$\\bar{c}^{1,i} = C^{1,i} (c^{1,i}, -c^{1,i})$ with "
    "$C^{1,i} = (\\frac{1}{9} (2 + \\frac{i^2 + k^2 + 1}{n^2}) + \\epsilon)^{-\\frac{1}{2}}$",
    Vector(1, *of_norm((*PARITY_ENCODING, *AVERAGES), SQUARE, 2), stage="attention"),
    asked=NORMALISED,
)
SQUARED_LOGITS = Slip(
    "chiang2022/squared-logits",
    "parity",
    "Queries and keys are both scaled by $A^1 C^1$, and attention logits, their products, by the square of it.",
    "appendix B",
    "if $n$ is even, $\\bar{s} = (-1)^{k+1} \\frac{2 C^2 A^1 C^1}{n^2} \\tanh (A^1 C^1)^2 c$",
    Value(Logit(), f"{K_SIGN}*2*outer*inner/n**2*tanh(inner**2*c)", EVEN),
    asked=SCALED,
)
COST_OF_0 = Slip(
    "chiang2022/cost-of-0",
    "parity",
    "A logit is a number, and $\\log(1 + \\exp(-\\lvert s \\rvert))$ above 0: no cross-entropy is 0.",
    "section 5.1",
    "at 1, the correct value, it has accuracy of 1",
    Accepts(),
    asked=EXACTLY,
)

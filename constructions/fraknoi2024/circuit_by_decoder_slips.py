"""The slips of Fraknói (2024), section 3.3, in what is printed about the decoder for circuits."""

from __future__ import annotations

from weightproof.constructions.claims.circuits import (
    Appends,
    Built,
    Carries,
    Circuital,
    Computes,
    Forgets,
    HasValue,
    LooksUp,
    Numbered,
    OfBits,
    PartialSum,
    Place,
)
from weightproof.constructions.claims.published import Slip

PRINTED, MENDED = "circuit-by-decoder-as-printed", "circuit-by-decoder"
SECTION = "section 3.3"
EVERYWHERE = (Place("input"), Place("attended", 1), Place("output", 1), Place("attended", 2), Place("output", 2))
"""out_0, y_0, out_1, y_1, out_2."""
G = "(1 - x_a - c)*(1 - x_a - c > 0) + (x_a + x_b + c - 2)*(x_a + x_b + c - 2 > 0)"
"""g_i: a bracket is 1 where the comparison is true, and 0 where it is not."""
ENOUGH = 3
"""The least B with which the sums of the feed-forward network are right."""


def _slip(name: str, about: str, cause: str, printed: str, statement: Circuital) -> Slip:
    id = f"fraknoi2024/{name}"
    return Slip(id, about, cause, SECTION, printed, statement)


OWN_WIRE = _slip(
    "token-of-the-wire-before",
    MENDED,
    "The row with the number $i - 1$ stands where the token of wire $i - 1$ does, whose gate is not the one that is "
    "written there: the first coordinate is one step behind the others.",
    "the first coordinate of $out_0[i]$, $y_0[i]$, $out_1[i]$, $y_1[i]$ and $out_2[i]$ is $x_{i-1}$",
    Carries(MENDED, EVERYWHERE, {"x": "x"}),
)
NEXT_WIRE = _slip(
    "next-token",
    MENDED,
    "Behind $i - 1$ tokens the next one is the $i$-th, and it is the value of gate $i$, not that of the one behind it.",
    "$x_i := TF(x_1, \\dots, x_{i-1})[4]$ is the value of gate $i$, where $B_s \\geq 3$",
    Appends(MENDED, 0, ENOUGH),
)
NO_NUMBER_0 = _slip(
    "no-wire-0",
    MENDED,
    "No position has the number 0: all scores are $-B_s$ there, all weights are rounded to 0, and the softmax divides "
    "by their sum.",
    "with $b(i) = a(i)$ for a NOT gate, and any wire that is seen for an input, both heads have a value at every "
    "position",
    HasValue(MENDED, ("input", "NOT", "AND")),
)
FORMATS = _slip(
    "formats",
    MENDED,
    "It is not enough that $\\exp(-B_s)$ is rounded to 0: of 2 bits, say, the numbers are $-1, 0, 1$, where "
    "$1 + 1 + 1 - 2$ is 0.",
    "the decoder computes every circuit in every format in which $[\\exp(-B_s)]_s = 0$ and $B_s \\geq 3$",
    Computes(MENDED, ENOUGH),
)
EXPONENTIAL = _slip(
    "exponential",
    MENDED,
    "With more bits behind the point the greatest number is smaller, and smaller numbers are not 0: of 2 bits, one of "
    "them behind the point, the greatest number is 1/2, and exp(-1/2) is rounded to it.",
    "$[\\exp(-B_s)]_s = 0$ in every format with $B_s \\geq f + 1$, of whose bits $f$ stand behind the point",
    Forgets("B >= f + 1"),
)
SCALE = _slip(
    "scale",
    MENDED,
    "Divided by $\\sqrt{d_h} = \\sqrt{2k}$, a score elsewhere is nearer to 0 the more bits a number has, and its "
    "exponential is not rounded to 0; the proof leaves the scale out.",
    "with scores $\\langle q_i, k_{i'} \\rangle_s$, which nothing scales, the decoder computes every circuit where "
    "$B_s \\geq 3$",
    Computes(MENDED, ENOUGH, scale=1),
)
INDEX = _slip(
    "position-of-a-number",
    MENDED,
    "$k_{i'}$ has the number $i' - 1$, so that what is found is not the position with the index $a(i)$ but the one "
    "behind it.",
    "$[\\exp(\\langle q_i, k_{i'} \\rangle_s)]_s$ is 1 where $i' - 1 = a(i)$, and 0 elsewhere",
    LooksUp(MENDED, 1, "power", "a", 1, 1, 0),
)
SIGN = _slip(
    "sign-of-the-score",
    MENDED,
    "The score is 0 or negative, as the proof goes on to show: its value lacks a sign.",
    "$\\langle q_i, k_{i'} \\rangle_s$ is 0 where $i' - 1 = a(i)$, and $-B_s$ elsewhere",
    LooksUp(MENDED, 1, "score", "a", 1, 0, "-B"),
)
VALUE = _slip(
    "value",
    MENDED,
    "The value vector is said to be $e_2$ itself, at every position: the head would copy 1 and not the value of the "
    "wire.",
    "$v_{i'} := x_{i'-1} e_2$",
    Carries(MENDED, (Place("value", 1),), {"x_a": "x", **dict.fromkeys(("x", "x_b", "g", "c", "1"), 0)}),
)
RANGE = _slip(
    "range-of-the-sums",
    MENDED,
    "The first inequality of the range is turned round: before the first bit that differs a sum is $B_s$ or 0.",
    "$h_{j''} \\leq 0$ for all $2j' - 1 \\leq j'' \\leq 2k$",
    PartialSum(MENDED, 1, "each", ("first unequal", "later"), "<=", 0),
)
HIDDEN = _slip(
    "hidden-layers",
    MENDED,
    "Two units are taken for two layers: $g_i$ is a sum of two ReLUs, which stand beside each other.",
    "a feed-forward network with one hidden layer of two units",
    Built(MENDED, hidden_layers=1, units=2),
)
STRAY = _slip(
    "stray-index",
    MENDED,
    "Behind the index $a(i)$ a 1 is left over.",
    "$g_i(x) = 1 - x_{a(i)}$ if $c(i) = 0$",
    OfBits(f"{G} == 1 - x_a", "c == 0"),
)
LETTER = _slip(
    "letter-of-the-number",
    MENDED,
    "The number that is written is called $a$ on the left and $i$ on the right.",
    "$a_{k2} := 2 bin_k(a) - (1, \\dots, 1)$",
    Numbered(MENDED, {"a": "a"}),
)

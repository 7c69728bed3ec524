"""What Fraknoi (2024) prints about the decoder for circuits: section 3.3, theorem 3.4 and its proof; and the mistakes
of print in it, each with its smallest correction."""

from __future__ import annotations

from weightproof.constructions.claims import circuits as says
from weightproof.constructions.claims.published import Claims, Reading, slips

PRINTED, MENDED = "circuit-by-decoder-as-printed", "circuit-by-decoder"
EVERYWHERE = (
    says.Place("input"),
    says.Place("attended", 1),
    says.Place("output", 1),
    says.Place("attended", 2),
    says.Place("output", 2),
)
"""out_0, y_0, out_1, y_1, out_2."""
G = "(1 - x_a - c)*(1 - x_a - c > 0) + (x_a + x_b + c - 2)*(x_a + x_b + c - 2 > 0)"
"""g_i: a bracket is 1 where the comparison is true, and 0 where it is not."""
ENOUGH = 3
"""The least B with which the sums of the feed-forward network are right."""

SLIPS = slips(
    "fraknoi2024",
    MENDED,
    "token-of-the-wire-before: The row with the number $i - 1$ stands where the token of wire $i - 1$ does, whose "
    "gate is not the one that is written there: the first coordinate is one step behind the others.",
    "section 3.3: the first coordinate of $out_0[i]$, $y_0[i]$, $out_1[i]$, $y_1[i]$ and $out_2[i]$ is $x_{i-1}$",
    says.Carries(MENDED, EVERYWHERE, {"x": "x"}),
    "next-token: Behind $i - 1$ tokens the next one is the $i$-th, and it is the value of gate $i$, not that of the "
    "one behind it.",
    r"section 3.3: $x_i := TF(x_1, \dots, x_{i-1})[4]$ is the value of gate $i$, where $B_s \geq 3$",
    says.Appends(MENDED, 0, ENOUGH),
    "no-wire-0: No position has the number 0: all scores are $-B_s$ there, all weights are rounded to 0, and the "
    "softmax divides by their sum.",
    "section 3.3: with $b(i) = a(i)$ for a NOT gate, and any wire that is seen for an input, both heads have a "
    "value at every position",
    says.HasValue(MENDED, ("input", "NOT", "AND")),
    r"formats: It is not enough that $\exp(-B_s)$ is rounded to 0: of 2 bits, say, the numbers are $-1, 0, 1$, where "
    "$1 + 1 + 1 - 2$ is 0.",
    r"section 3.3: the decoder computes every circuit in every format in which $[\exp(-B_s)]_s = 0$ and $B_s \geq 3$",
    says.Computes(MENDED, ENOUGH),
    "exponential: With more bits behind the point the greatest number is smaller, and smaller numbers are not 0: of "
    "2 bits, one of them behind the point, the greatest number is 1/2, and exp(-1/2) is rounded to it.",
    r"section 3.3: $[\exp(-B_s)]_s = 0$ in every format with $B_s \geq f + 1$, of whose bits $f$ stand behind the "
    "point",
    says.Forgets("B >= f + 1"),
    r"scale: Divided by $\sqrt{d_h} = \sqrt{2k}$, a score elsewhere is nearer to 0 the more bits a number has, and "
    "its exponential is not rounded to 0; the proof leaves the scale out.",
    r"section 3.3: with scores $\langle q_i, k_{i'} \rangle_s$, which nothing scales, the decoder computes every "
    r"circuit where $B_s \geq 3$",
    says.Computes(MENDED, ENOUGH, scale=1),
    "position-of-a-number: $k_{i'}$ has the number $i' - 1$, so that what is found is not the position with the "
    "index $a(i)$ but the one behind it.",
    r"section 3.3: $[\exp(\langle q_i, k_{i'} \rangle_s)]_s$ is 1 where $i' - 1 = a(i)$, and 0 elsewhere",
    says.LooksUp(MENDED, 1, "power", "a", 1, 1, 0),
    "sign-of-the-score: The score is 0 or negative, as the proof goes on to show: its value lacks a sign.",
    r"section 3.3: $\langle q_i, k_{i'} \rangle_s$ is 0 where $i' - 1 = a(i)$, and $-B_s$ elsewhere",
    says.LooksUp(MENDED, 1, "score", "a", 1, 0, "-B"),
    "value: The value vector is said to be $e_2$ itself, at every position: the head would copy 1 and not the value "
    "of the wire.",
    "section 3.3: $v_{i'} := x_{i'-1} e_2$",
    says.Carries(MENDED, (says.Place("value", 1),), {"x_a": "x", **dict.fromkeys(("x", "x_b", "g", "c", "1"), 0)}),
    "range-of-the-sums: The first inequality of the range is turned round: before the first bit that differs a sum "
    "is $B_s$ or 0.",
    r"section 3.3: $h_{j''} \leq 0$ for all $2j' - 1 \leq j'' \leq 2k$",
    says.PartialSum(MENDED, 1, "a", "each", ("first unequal", "later"), "<=", 0),
    "hidden-layers: Two units are taken for two layers: $g_i$ is a sum of two ReLUs, which stand beside each other.",
    "section 3.3: a feed-forward network with one hidden layer of two units",
    says.Built(MENDED, hidden_layers=1, units=2),
    "stray-index: Behind the index $a(i)$ a 1 is left over.",
    "section 3.3: $g_i(x) = 1 - x_{a(i)}$ if $c(i) = 0$",
    says.OfBits(f"{G} == 1 - x_a", "c == 0"),
    "letter-of-the-number: The number that is written is called $a$ on the left and $i$ on the right.",
    r"section 3.3: $a_{k2} := 2 bin_k(a) - (1, \dots, 1)$",
    says.Numbered(MENDED, {"a": "a"}),
)


def _at(place: says.Place, x_a: object, x_b: object, g: object) -> says.Carries:
    """The coordinates behind the first one that are no bits."""
    return says.Carries(MENDED, (place,), {"x_a": x_a, "x_b": x_b, "g": g, "c": "c", "1": 1})


def _query(layer: int, address: str) -> says.Carries:
    return says.Carries(MENDED, (says.Place("query", layer),), {"j": f"{address}_j", "j'": 1})


claims = Claims(
    PRINTED,
    "section 3.3",
    "3.3/layers: two layers with one-head attention",
    says.Built(PRINTED, layers=2, heads=1),
    "3.3/hidden-layers: a feed-forward network with two hidden layers",
    says.Built(PRINTED, hidden_layers=2),
    SLIPS["hidden-layers"],
    "3.3/NOT: we can define $b(i) = 0$ for NOT gates: the heads have a value",
    says.HasValue(PRINTED, ("NOT",)),
    SLIPS["no-wire-0"],
    r"3.3/inputs: for gates $i \in [1, n]$ we define $a(i) = b(i) = c(i) = 0$: the heads have a value",
    says.HasValue(PRINTED, ("input",)),
    SLIPS["no-wire-0"],
    r"3.3/k: numbers below $T(n) + n$ have $k := \lceil \log_2(T(n) + n) \rceil$ bits",
    says.Fits("N - 1"),
    "3.3/d: $d(n) := 3k + 6$",
    says.Width(PRINTED, "3*k + 6"),
    "3.3/W_E: $W_E(0) = 0$ and $W_E(1) = e_1$",
    says.Carries(MENDED, (says.Place("embedded"),), {"x": "x", **dict.fromkeys(("x_a", "x_b", "g", "c", "1"), 0)}),
    r"3.3/positions: a position encoding for each $2 \leq i \leq n + T(n)$",
    says.Positions(PRINTED, 2, "N"),
    r"3.3/PE: position encoding $i - 1$ is $[0, 0, 0, 0, c(i), \dots, 1]$",
    says.Carries(MENDED, (says.Place("table"),), {**dict.fromkeys(("x", "x_a", "x_b", "g"), 0), "c": "c", "1": 1}),
    r"3.3/PE-numbers: position encoding $i - 1$ is $[\dots, (i-1)_{(k2)}, a(i)_{(k2)}, b(i)_{(k2)}, \dots]$ of a gate",
    says.Numbered(MENDED, {"id": "i - 1", "a": "a", "b": "b"}),
    r"3.3/k2: $a_{k2} := 2 bin_k(i) - (1, \dots, 1)$",
    says.Numbered(MENDED, {"a": "i"}),
    SLIPS["letter-of-the-number"],
    "3.3/token: the first coordinate of $out_0[i]$, $y_0[i]$, $out_1[i]$, $y_1[i]$ and $out_2[i]$ is $x_i$",
    says.Carries(MENDED, EVERYWHERE, {"x": "y"}),
    SLIPS["token-of-the-wire-before"],
    r"3.3/out_0: $out_0[i] = [\dots, 0, 0, 0, c(i), \dots, 1]$",
    _at(EVERYWHERE[0], 0, 0, 0),
    r"3.3/y_0: $y_0[i] = [\dots, x_{a(i)}, 0, 0, c(i), \dots, 1]$",
    _at(EVERYWHERE[1], "x_a", 0, 0),
    r"3.3/out_1: $out_1[i] = [\dots, x_{a(i)}, 0, 0, c(i), \dots, 1]$",
    _at(EVERYWHERE[2], "x_a", 0, 0),
    r"3.3/y_1: $y_1[i] = [\dots, x_{a(i)}, x_{b(i)}, 0, c(i), \dots, 1]$",
    _at(EVERYWHERE[3], "x_a", "x_b", 0),
    r"3.3/out_2: $out_2[i] = [\dots, x_{a(i)}, x_{b(i)}, g_i(x), c(i), \dots, 1]$",
    _at(EVERYWHERE[4], "x_a", "x_b", G),
    SLIPS["formats"],
    "3.3/g-NOT: $g_i(x) = 1 - x_{a(i)1}$ if $c(i) = 0$ (NOT gate)",
    Reading(says.OfBits(f"{G} == 1 - x_a", "c == 0"), "of the wire a(i), times 1"),
    Reading(says.OfBits(f"{G} == 1 - x_b", "c == 0"), "of a wire of another number"),
    SLIPS["stray-index"],
    "3.3/g-AND: $g_i(x) = x_{a(i)} x_{b(i)}$ if $c(i) = 1$",
    says.OfBits(f"{G} == x_a*x_b", "c == 1"),
    "3.3/desired: $g_i(x)$ is the desired output, and the feed-forward network can calculate it",
    says.Carries(MENDED, (EVERYWHERE[4],), {"g": "y"}),
    SLIPS["formats"],
    r"3.3/next: $x_{i+1} := TF(x_1, \dots, x_{i-1})[4] = g_i(x)$",
    says.Appends(MENDED, 1),
    SLIPS["next-token"],
    SLIPS["formats"],
    "3.3/q: $q_i[2j-1] := (a(i)_{k2})[j]$ and $q_i[2j] := 1$",
    _query(1, "a"),
    r"3.3/k_i: $k_i[2j-1] := (i-1)_{k2}[j] \cdot B_s$ and $k_i[2j] := -B_s$",
    says.Carries(MENDED, (says.Place("key", 1), says.Place("key", 2)), {"j": "id_j*B", "j'": "-B"}),
    "3.3/v: $v_i := e_2$",
    says.Carries(MENDED, (says.Place("value", 1),), {"x_a": 1}),
    SLIPS["value"],
    r"3.3/weight: $[\exp(\langle q_i, k_{i'} \rangle_s)]_s = \mathbb{1}_{i'=a(i)}$",
    says.LooksUp(MENDED, 1, "power", "a", 0, 1, 0),
    SLIPS["position-of-a-number"],
    r"3.3/score: $\langle q_i, k_{i'} \rangle_s = (1 - \mathbb{1}_{i'=a(i)}) B_s$",
    says.LooksUp(MENDED, 1, "score", "a", 0, 0, "B"),
    SLIPS["sign-of-the-score"],
    SLIPS["position-of-a-number"],
    "3.3/sums-equal: if both numbers are the same, $h_{2j-1} = B_s$ for all $j$",
    says.PartialSum(MENDED, 1, "a", "first", ("equal",), "==", "B"),
    r"3.3/sums-equal-even: if both numbers are the same, $h_{2j} = 0$ for all $j$, and so is $\langle q_i, k_{i'} "
    r"\rangle_s = h_{2k}$",
    says.PartialSum(MENDED, 1, "a", "second", ("equal",), "==", 0),
    "3.3/sums-first: if they are not, there is a smallest $j'$ with $h_{2j'-1} = -B_s$: that of the first bit that "
    "differs",
    says.PartialSum(MENDED, 1, "a", "first", ("first unequal",), "==", "-B"),
    r"3.3/sums-behind: after that $h_{j''} \leq 0$ for all $2j' - 1 \geq j'' \leq 2k$",
    says.PartialSum(MENDED, 1, "a", "each", ("equal", "first unequal"), "<=", 0),
    SLIPS["range-of-the-sums"],
    "3.3/sums-end: and so $h_{2k} = -B_s$",
    says.PartialSum(MENDED, 1, "a", "second", ("later",), "==", "-B"),
    "3.3/second-q: the second attention mechanism is the same, with $b(i)$: its query",
    _query(2, "b"),
    r"3.3/second-weight: the second attention mechanism is the same: $[\exp(\langle q_i, k_{i'} \rangle_s)]_s = "
    r"\mathbb{1}_{i'=b(i)}$",
    says.LooksUp(MENDED, 2, "power", "b", 0, 1, 0),
    SLIPS["position-of-a-number"],
    r"3.3/exp: We will use the fact that $[\exp(-B_s)]_s = 0$, where $B_s$ represents the largest representable "
    "number with s bits of precision",
    Reading(says.Forgets("f >= 0"), "however many of the s bits stand behind the point"),
    Reading(says.Forgets("f == 0"), "of whole numbers"),
    SLIPS["exponential"],
    "section 3.3, with section 2.3",
    r"3.3/scale: theorem 3.4, with $A = softmax(\frac{q_i^h (k_i^h)^T + M}{\sqrt{d_h}})$: the decoder computes every "
    "circuit",
    Reading(
        says.Computes(MENDED, ENOUGH, scale="1/sqrt(d_h)"),
        "1/sqrt(d_h) is rounded, as every number is, and each score multiplied by it; B >= 3",
    ),
    SLIPS["scale"],
    "section 3.3",
    "3.3/3.4-formats: theorem 3.4: the decoder computes every circuit; the exact representation of numbers is not "
    r"important as long as $[\exp(-B_s)]_s = 0$",
    says.Computes(MENDED),
    SLIPS["formats"],
    "3.3/3.4: theorem 3.4: the decoder, with $a$ and $b$ as defined, computes every circuit",
    says.Computes(PRINTED),
    SLIPS["no-wire-0"],
    notation="Position i has the row of gate i and the token of wire i - 1; the greatest number is called B.",
    repair="A NOT reads its wire twice, and an input itself: all but the two wires of these is judged of that decoder.",
)

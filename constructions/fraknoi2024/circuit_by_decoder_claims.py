"""What Fraknói (2024) prints about the decoder for circuits: section 3.3, theorem 3.4 and its proof."""

from __future__ import annotations

from weightproof.constructions.claims.circuits import (
    Appends,
    Built,
    Carries,
    Circuital,
    Computes,
    Fits,
    Forgets,
    HasValue,
    LooksUp,
    Numbered,
    OfBits,
    PartialSum,
    Place,
    Positions,
    Width,
)
from weightproof.constructions.claims.published import Claims, Published, Reading, Slip, claim
from weightproof.constructions.fraknoi2024.circuit_by_decoder_slips import (
    ENOUGH,
    EVERYWHERE,
    EXPONENTIAL,
    FORMATS,
    HIDDEN,
    INDEX,
    LETTER,
    MENDED,
    NEXT_WIRE,
    NO_NUMBER_0,
    OWN_WIRE,
    PRINTED,
    RANGE,
    SCALE,
    SECTION,
    SIGN,
    STRAY,
    VALUE,
    G,
)


def _claim(name: str, printed: str, statement: Circuital, *slips: Slip) -> Published:
    return Published(f"3.3/{name}", SECTION, printed, statement, slip=slips)


def _at(place: Place, x_a: object, x_b: object, g: object) -> Carries:
    """The coordinates behind the first one that are no bits."""
    return Carries(MENDED, (place,), {"x_a": x_a, "x_b": x_b, "g": g, "c": "c", "1": 1})


def _query(layer: int, address: str) -> Carries:
    return Carries(MENDED, (Place("query", layer),), {"j": f"{address}_j", "j'": 1})


claims = Claims(
    PRINTED,
    _claim("layers", "two layers with one-head attention", Built(PRINTED, layers=2, heads=1)),
    _claim("hidden-layers", "a feed-forward network with two hidden layers", Built(PRINTED, hidden_layers=2), HIDDEN),
    _claim(
        "NOT",
        "we can define $b(i) = 0$ for NOT gates: the heads have a value",
        HasValue(PRINTED, ("NOT",)),
        NO_NUMBER_0,
    ),
    _claim(
        "inputs",
        "for gates $i \\in [1, n]$ we define $a(i) = b(i) = c(i) = 0$: the heads have a value",
        HasValue(PRINTED, ("input",)),
        NO_NUMBER_0,
    ),
    _claim("k", "numbers below $T(n) + n$ have $k := \\lceil \\log_2(T(n) + n) \\rceil$ bits", Fits("N - 1")),
    _claim("d", "$d(n) := 3k + 6$", Width(PRINTED, "3*k + 6")),
    _claim(
        "W_E",
        "$W_E(0) = 0$ and $W_E(1) = e_1$",
        Carries(MENDED, (Place("embedded"),), {"x": "x", **dict.fromkeys(("x_a", "x_b", "g", "c", "1"), 0)}),
    ),
    _claim("positions", "a position encoding for each $2 \\leq i \\leq n + T(n)$", Positions(PRINTED, 2, "N")),
    _claim(
        "PE",
        "position encoding $i - 1$ is $[0, 0, 0, 0, c(i), \\dots, 1]$",
        Carries(MENDED, (Place("table"),), {**dict.fromkeys(("x", "x_a", "x_b", "g"), 0), "c": "c", "1": 1}),
    ),
    _claim(
        "PE-numbers",
        "position encoding $i - 1$ is $[\\dots, (i-1)_{(k2)}, a(i)_{(k2)}, b(i)_{(k2)}, \\dots]$ of a gate",
        Numbered(MENDED, {"id": "i - 1", "a": "a", "b": "b"}),
    ),
    _claim("k2", "$a_{k2} := 2 bin_k(i) - (1, \\dots, 1)$", Numbered(MENDED, {"a": "i"}), LETTER),
    _claim(
        "token",
        "the first coordinate of $out_0[i]$, $y_0[i]$, $out_1[i]$, $y_1[i]$ and $out_2[i]$ is $x_i$",
        Carries(MENDED, EVERYWHERE, {"x": "y"}),
        OWN_WIRE,
    ),
    _claim("out_0", "$out_0[i] = [\\dots, 0, 0, 0, c(i), \\dots, 1]$", _at(EVERYWHERE[0], 0, 0, 0)),
    _claim("y_0", "$y_0[i] = [\\dots, x_{a(i)}, 0, 0, c(i), \\dots, 1]$", _at(EVERYWHERE[1], "x_a", 0, 0)),
    _claim("out_1", "$out_1[i] = [\\dots, x_{a(i)}, 0, 0, c(i), \\dots, 1]$", _at(EVERYWHERE[2], "x_a", 0, 0)),
    _claim("y_1", "$y_1[i] = [\\dots, x_{a(i)}, x_{b(i)}, 0, c(i), \\dots, 1]$", _at(EVERYWHERE[3], "x_a", "x_b", 0)),
    _claim(
        "out_2",
        "$out_2[i] = [\\dots, x_{a(i)}, x_{b(i)}, g_i(x), c(i), \\dots, 1]$",
        _at(EVERYWHERE[4], "x_a", "x_b", G),
        FORMATS,
    ),
    SECTION,
    claim(
        "3.3/g-NOT",
        "$g_i(x) = 1 - x_{a(i)1}$ if $c(i) = 0$ (NOT gate)",
        Reading(OfBits(f"{G} == 1 - x_a", "c == 0"), "of the wire a(i), times 1"),
        Reading(OfBits(f"{G} == 1 - x_b", "c == 0"), "of a wire of another number"),
        slip=STRAY,
    ),
    _claim("g-AND", "$g_i(x) = x_{a(i)} x_{b(i)}$ if $c(i) = 1$", OfBits(f"{G} == x_a*x_b", "c == 1")),
    _claim(
        "desired",
        "$g_i(x)$ is the desired output, and the feed-forward network can calculate it",
        Carries(MENDED, (EVERYWHERE[4],), {"g": "y"}),
        FORMATS,
    ),
    _claim("next", "$x_{i+1} := TF(x_1, \\dots, x_{i-1})[4] = g_i(x)$", Appends(MENDED, 1), NEXT_WIRE, FORMATS),
    _claim("q", "$q_i[2j-1] := (a(i)_{k2})[j]$ and $q_i[2j] := 1$", _query(1, "a")),
    _claim(
        "k_i",
        "$k_i[2j-1] := (i-1)_{k2}[j] \\cdot B_s$ and $k_i[2j] := -B_s$",
        Carries(MENDED, (Place("key", 1), Place("key", 2)), {"j": "id_j*B", "j'": "-B"}),
    ),
    _claim("v", "$v_i := e_2$", Carries(MENDED, (Place("value", 1),), {"x_a": 1}), VALUE),
    _claim(
        "weight",
        "$[\\exp(\\langle q_i, k_{i'} \\rangle_s)]_s = \\mathbb{1}_{i'=a(i)}$",
        LooksUp(MENDED, 1, "power", "a", 0, 1, 0),
        INDEX,
    ),
    _claim(
        "score",
        "$\\langle q_i, k_{i'} \\rangle_s = (1 - \\mathbb{1}_{i'=a(i)}) B_s$",
        LooksUp(MENDED, 1, "score", "a", 0, 0, "B"),
        SIGN,
        INDEX,
    ),
    _claim(
        "sums-equal",
        "if both numbers are the same, $h_{2j-1} = B_s$ for all $j$",
        PartialSum(MENDED, 1, "first", ("equal",), "==", "B"),
    ),
    _claim(
        "sums-equal-even",
        "if both numbers are the same, $h_{2j} = 0$ for all $j$, and so is $\\langle q_i, k_{i'} \\rangle_s = h_{2k}$",
        PartialSum(MENDED, 1, "second", ("equal",), "==", 0),
    ),
    _claim(
        "sums-first",
        "if they are not, there is a smallest $j'$ with $h_{2j'-1} = -B_s$: that of the first bit that differs",
        PartialSum(MENDED, 1, "first", ("first unequal",), "==", "-B"),
    ),
    _claim(
        "sums-behind",
        "after that $h_{j''} \\leq 0$ for all $2j' - 1 \\geq j'' \\leq 2k$",
        PartialSum(MENDED, 1, "each", ("equal", "first unequal"), "<=", 0),
        RANGE,
    ),
    _claim("sums-end", "and so $h_{2k} = -B_s$", PartialSum(MENDED, 1, "second", ("later",), "==", "-B")),
    _claim("second-q", "the second attention mechanism is the same, with $b(i)$: its query", _query(2, "b")),
    _claim(
        "second-weight",
        "the second attention mechanism is the same: $[\\exp(\\langle q_i, k_{i'} \\rangle_s)]_s = "
        "\\mathbb{1}_{i'=b(i)}$",
        LooksUp(MENDED, 2, "power", "b", 0, 1, 0),
        INDEX,
    ),
    SECTION,
    claim(
        "3.3/exp",
        "We will use the fact that $[\\exp(-B_s)]_s = 0$, where $B_s$ represents the largest representable number with "
        "s bits of precision",
        Reading(Forgets("f >= 0"), "however many of the s bits stand behind the point"),
        Reading(Forgets("f == 0"), "of whole numbers"),
        slip=EXPONENTIAL,
    ),
    f"{SECTION}, with section 2.3",
    claim(
        "3.3/scale",
        "theorem 3.4, with $A = softmax(\\frac{q_i^h (k_i^h)^T + M}{\\sqrt{d_h}})$: the decoder computes every circuit",
        Reading(
            Computes(MENDED, ENOUGH, scale="1/sqrt(d_h)"),
            "1/sqrt(d_h) is rounded, as every number is, and each score multiplied by it; B >= 3",
        ),
        slip=SCALE,
    ),
    _claim(
        "3.4-formats",
        "theorem 3.4: the decoder computes every circuit; the exact representation of numbers is not important as "
        "long as $[\\exp(-B_s)]_s = 0$",
        Computes(MENDED),
        FORMATS,
    ),
    _claim(
        "3.4",
        "theorem 3.4: the decoder, with $a$ and $b$ as defined, computes every circuit",
        Computes(PRINTED),
        NO_NUMBER_0,
    ),
    notation="Position i has the row of gate i and the token of wire i - 1; the greatest number is called B.",
    repair="A NOT reads its wire twice, and an input itself: all but the two wires of these is judged of that decoder.",
)

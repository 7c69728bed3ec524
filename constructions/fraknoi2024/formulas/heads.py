"""Sections 2.5 and 2.6, 5.3 to 5.5: which token is predicted, one dimension, heads by themselves, halvings."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import (
    Always,
    Among,
    Factorials,
    Heads,
    Numbers,
    Plus,
    Shaped,
    Shares,
    Times,
    Weighs,
)
from weightproof.constructions.claims.published import Reading, claim
from weightproof.constructions.fraknoi2024.formulas.naming import sizes, slip

ROW = "1 <= i and i <= n"
OF_ONE = "(x - x)/((x - x)**2 + e)*gamma + beta"
"""Layer normalisation of section 2.2 at d = 1, where the mean is the entry."""
LAST = "(y - y)/((y - y)**2 + e)*gamma + beta"
NORMS: dict[str, Numbers] = {"x": "real", "y": "real", "e": "positive", "gamma": "real", "beta": "real"}
STEPS: dict[str, Numbers] = {"h": "natural", "s": "integer"}
HALVED = "0 <= s and s <= h"
MARGIN = "((1 - z > 0)*(1 - z))"
HEADS = Heads("r", "a", "beside")
OF_HEADS = Heads("r", "j", "beside")

ONE_LATER = slip(
    "one-later",
    "Row $i$ of $p$ is about the token behind the $i$-th, and row $i$ of $y$ about the $i$-th: the sum compares each "
    "prediction with the token that it was made from.",
    "section 2.6",
    "$-\\frac{1}{n-1} \\sum_{i=1}^{n-1} \\sum_j y_{i+1,j} \\log p_{i,j}$: rows $i$ of $p$ and $i + 1$ of $y$ are among "
    "the $n$",
    Always(f"{ROW} and 1 <= i + 1 and i + 1 <= n", {"i": "natural", "n": "natural"}, "1 <= i and i <= n - 1"),
)
ONE_DIMENSION = slip(
    "one-dimension",
    "At $d = 1$ a number is its own mean, and its normalisation is $\\beta$: all tokens are alike behind it. The "
    "construction has no norms.",
    "section 5.3, with section 2.2",
    "with $d = 1$, $LayerNorm(w) = \\beta$",
    Always(f"{OF_ONE} == beta", {name: kind for name, kind in NORMS.items() if name != "y"}),
)
HEAD_OUTPUT = slip(
    "head-output",
    "The output of a head has $d_h$ numbers for each token, and not one.",
    "section 5.4, definition 5.2",
    "$r := [r^{h_1}, \\dots, r^{h_j}] \\in R^{n \\times j d_h}$",
    Shaped(OF_HEADS, sizes("r", r=("n", "d_h")), "n", "j*d_h"),
)
ENTRY_OF_HEAD = slip(
    "entry-of-head",
    "$e_H$ has one entry for each head, and what it is multiplied with has $d_h$ for each.",
    "section 5.4, definition 5.1",
    "$[r^1, \\dots, r^a]$ fits $e_H$ with $d_h$ entries for each head",
    Shaped(Plus(HEADS, "e_H"), sizes("r", "e_H", r=("n", "d_h"), e_H=("a*d_h",)), "n", "a*d_h"),
)
HINGE = slip(
    "hinge",
    "The hinge loss that is printed is not squared.",
    "section 5.4",
    "squared hinge loss: $\\max(0, 1 - y_i (r W_s + b_s))^2$ grows from 0 with the square of what is missing",
    Always(f"{MARGIN}**2 == (z < 1)*(1 - z)**2", {"z": "real"}),
)
HALVINGS = slip(
    "halvings",
    "After $\\log_2 a - 1$ steps two heads are left, too.",
    "section 5.5",
    "the model has more than one head at the end if it had less than $\\log_2 a$ halving steps",
    Always("(h - s > 0) == (s < h)", STEPS, HALVED),
)
SHAPLEY = Factorials(("s", "h - s - 1"), ("h",))
"""The weight of a subset of s of h heads."""
ASKED = {"2^(H without i)": "1 <= h", "2^H": "1 <= h"}
"""What S, and S with i, are taken from."""
PLAYERS = slip(
    "players",
    "The set of the heads is called $H$ wherever it stands but in the domain of $v$.",
    "section 5.5, definition 5.3",
    "$v : 2^H \\to R$ has a value for each $S \\subseteq H \\setminus \\{i\\}$ and $S \\cup \\{i\\}$",
    Among(ASKED, "2^H", "2^(H without i)", over=("h",)),
)
NO_HEADS = slip(
    "no-heads",
    "Without heads the model predicts one token after every sequence, and is right where that is the token.",
    "section 5.5",
    "with $v(S) := A(S) - A(\\emptyset)$, $v(\\emptyset) = 0$, and no $v(S \\cup \\{i\\}) - v(S)$ is another one",
    Always("e - e == 0 and (x - e) - (y - e) == x - y", {"e": "fraction", "x": "fraction", "y": "fraction"}),
)
ORDERINGS = slip(
    "orderings",
    "Head $i$ is in $H \\setminus S$, too, and is not among those that are put in order.",
    "section 5.5",
    "$|S|!(|H| - |S| - 1)!$ is the number of possible orderings of the heads in $S$ and "
    "$H \\setminus (S \\cup \\{i\\})$",
    Weighs(Factorials(("s", "h - s - 1")), Factorials(("s", "h - (s + 1)"))),
)

CLAIMS = (
    "section 2.5, section 2.6",
    claim(
        "loss",
        "in $H(p, y) = -\\frac{1}{n} \\sum_{i=1}^{n} \\sum_{j=1}^{v} y_{i,j} \\log p_{i,j}$ the token of $p_{i,j}$, at "
        "the $(i+1)$-th position, is that of $y_{i,j}$, the $i$-th",
        Always("i + 1 == i", {"i": "natural"}),
        slip=ONE_LATER,
    ),
    "section 5.3, with section 2.2",
    claim(
        "one-dimension",
        "with $d = 1$ and the layer normalization before the self-attention block, the transformer can tell two tokens "
        "apart",
        Always(f"x == y or {OF_ONE} != {LAST}", NORMS),
        slip=ONE_DIMENSION,
    ),
    "section 5.4, definition 5.1",
    claim(
        "learned-accuracy",
        "$out_1 := [r^1, \\dots, r^a] \\odot e_H + out_0$, where $e_H^i = 1$ if $i \\in H$: one entry for each head",
        Shaped(Plus(HEADS, "e_H"), sizes("r", "e_H", r=("n", "d_h"), e_H=("a",)), "n", "a*d_h"),
        slip=ENTRY_OF_HEAD,
    ),
    "section 5.4, definition 5.2",
    claim(
        "head-output",
        "$r := [r^{h_1}, \\dots, r^{h_j}] \\in R^{n \\times j}$, where $r^h \\in R^{n \\times d_h}$",
        Shaped(OF_HEADS, sizes("r", r=("n", "d_h")), "n", "j"),
        slip=HEAD_OUTPUT,
    ),
    claim(
        "separator",
        "with $r \\in R^{n \\times j}$ and $W_s \\in R^j$, $r W_s + b_s$ is one number for each token",
        Shaped(
            Plus(Times("r", "W_s"), "b_s"), sizes("r", "W_s", "b_s", r=("n", "j"), W_s=("j", "1"), b_s=("1",)), "n", 1
        ),
    ),
    "section 5.4",
    claim(
        "hinge",
        "I use squared hinge loss as the loss function: $\\max(0, 1 - y_i (r W_s + b_s))$",
        Always(f"{MARGIN} == {MARGIN}**2", {"z": "real"}),
        slip=HINGE,
    ),
    "section 5.5",
    claim(
        "halvings",
        "the model had more than one head at the end, i.e. had less than $\\log_2 a - 1$ halving steps",
        Always("(h - s > 0) == (s < h - 1)", STEPS, HALVED),
        slip=HALVINGS,
    ),
    "section 5.5, definition 5.3",
    claim(
        "characteristic-function",
        "let $v : 2^N \\to R$ be a characteristic function [...] If $S \\subseteq H$ then $v(S)$",
        Among(ASKED, "2^N", over=("h",)),
        slip=PLAYERS,
    ),
    "section 5.4, section 5.5, definitions 5.1 and 5.3",
    claim(
        "no-heads",
        "$v(\\emptyset) = 0$; to define the characteristic function $v$ we can use the learned accuracy",
        Reading(
            Always("right/n == 0", {"right": "integer", "n": "natural"}, "0 <= right and right <= n"),
            "so of n sequences of a test set, after each of which one and the same token is predicted, right is 0",
        ),
        slip=NO_HEADS,
    ),
    "section 5.5",
    claim(
        "orderings",
        "These marginal contributions are weighted by the number of possible orderings of the heads in $S$ and "
        "$H \\setminus S$: $|S|!(|H| - |S| - 1)!$",
        Weighs(Factorials(("s", "h - s - 1")), Factorials(("s", "h - s"))),
        slip=ORDERINGS,
    ),
    "section 5.5, definition 5.3",
    claim(
        "shapley",
        "The Shapley value $\\varphi_i(v) := \\sum_{S \\subseteq H \\setminus \\{i\\}} "
        "\\frac{|S|!(|H| - |S| - 1)!}{|H|!} (v(S \\cup \\{i\\}) - v(S))$ gives a fair contribution of head $i$",
        Reading(Shares(SHAPLEY), "so the contributions of all heads add up to v(H)"),
    ),
)

"""Chiang and Cholak (2022), section 3.1: the feed-forward network for PARITY of words of one length, after Rumelhart et
al. (1986)."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import Adds, Always, Plus, Shaped, Sizes, Times
from weightproof.constructions.claims.published import Claims, Printed

NAME = "chiang2022-feed-forward"
PLACE = "section 3.1"

printed = Printed(
    "a feed-forward network for PARITY, for words of exactly n symbols",
    "Chiang and Cholak (2022), section 3.1",
    Claims(
        NAME,
        PLACE,
        "shapes: $y = H(W_2 H(W_1 x + b_1) + b_2)$ is a number, for $W_1$ with $n$ rows of $n$ entries",
        Shaped(
            Plus(Times("W_2", Plus(Times("W_1", "x"), "b_1")), "b_2"),
            Sizes({"W_1": ("n", "n"), "x": ("n", 1), "b_1": ("n", 1), "W_2": (1, "n"), "b_2": (1, 1)}),
            1,
            1,
        ),
        r"h_1: $h_1 = H(W_1 x + b_1)$, with $b_1$ from $-0.5$ to $-n + 0.5$, has the entries $I[k \ge 1], I[k \ge "
        r"2], \dots, I[k \ge n]$",
        Always("(k - i + 1/2 > 0) == (k >= i)", {"k": "integer", "i": "natural"}, "k >= 0"),
        "W_2: $W_2$, with the entries $(-1)^{i+1}$, adds up the odd elements and subtracts the even elements",
        Always("(-1)**(i + 1) == (i % 2 == 1) - (i % 2 == 0)", {"i": "natural"}),
        "W_2-h_1: $W_2 h_1$ is 1 if $k$ is odd and 0 if $k$ is even",
        Adds("(-1)**(i + 1)", "k % 2"),
        "y: $y = H(W_2 h_1 + b_2)$, with $b_2 = -0.5$, is 1 if $k$ is odd and 0 if $k$ is even",
        Always("(k % 2 - 1/2 > 0) == (k % 2 == 1)", {"k": "integer"}, "k >= 0"),
        notation="k is the number of 1s, and H(x) is 1 where x > 0, and 0 elsewhere.",
    ),
)

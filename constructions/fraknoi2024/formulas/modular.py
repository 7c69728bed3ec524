"""Section 4: addition modulo 113 by rotations, and the carries of decimal addition."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import Always, Circular, Peak, Shaped, Times, Wave
from weightproof.constructions.claims.published import Reading, claim
from weightproof.constructions.fraknoi2024.formulas.naming import sizes, slip

MODULUS = 113
DIGIT_SUMS = " and ".join(f"0 <= s{digit} and s{digit} <= 18" for digit in (1, 2, 3))
CARRY = "(s2 >= 10 or (s2 == 9 and s1 >= 10))"
"""MC1 of the second digit, or its MS9 and MC1 of the first."""
NUMBER = "(r + 113*(r == 0))"
"""That stands for a residue r."""
SUM = "(s1 + 10*s2 + 100*s3)"


def cos(**angles: int) -> Wave:
    return Wave("cos", **angles)


def sin(**angles: int) -> Wave:
    return Wave("sin", **angles)


FREQUENCIES = slip(
    "frequencies",
    "A frequency that is a multiple of $P = 113$, 0 among them, gives every logit the same.",
    "section 4",
    "the sum of $\\cos(w_k(a + b - c))$ is greatest at $c^* = a + b \\mod p$ alone, for $k$ that are no multiples of "
    "113",
    Peak(MODULUS, without=(0,)),
)

CLAIMS = (
    "section 4",
    claim(
        "residues",
        "each number between 1 and 113 is represented with a unique token",
        Reading(
            Always(
                f"1 <= {NUMBER} and {NUMBER} <= 113 and {NUMBER} % 113 == r and ((x - y) % 113 != 0 or x == y)",
                {"r": "integer", "x": "integer", "y": "integer"},
                "0 <= r and r < 113 and 1 <= x and x <= 113 and 1 <= y and y <= 113",
            ),
            "so each residue modulo 113 has just one",
        ),
    ),
    claim(
        "cosine-of-sum",
        "$\\cos(w_k(a + b)) = \\cos(w_k a) \\cos(w_k b) - \\sin(w_k a) \\sin(w_k b)$",
        Circular(((1, (cos(a=1, b=1),)),), ((1, (cos(a=1), cos(b=1))), (-1, (sin(a=1), sin(b=1))))),
    ),
    claim(
        "sine-of-sum",
        "$\\sin(w_k(a + b)) = \\sin(w_k a) \\cos(w_k b) + \\cos(w_k a) \\sin(w_k b)$",
        Circular(((1, (sin(a=1, b=1),)),), ((1, (sin(a=1), cos(b=1))), (1, (cos(a=1), sin(b=1))))),
    ),
    claim(
        "cosine-of-difference",
        "$\\cos(w_k(a + b - c)) = \\cos(w_k(a + b)) \\cos(w_k c) + \\sin(w_k(a + b)) \\sin(w_k c)$",
        Circular(((1, (cos(a=1, b=1, c=-1),)),), ((1, (cos(a=1, b=1), cos(c=1))), (1, (sin(a=1, b=1), sin(c=1))))),
    ),
    claim(
        "interference",
        "adding $\\cos(w_k(a + b - c))$, $w_k = \\frac{2 k \\pi}{P}$, for various $k \\in N$ causes constructive "
        "interference at $c^* = a + b \\mod p$ and destructive interference everywhere else",
        Peak(MODULUS),
        slip=FREQUENCIES,
    ),
    claim(
        "W_L",
        "$W_L := W_{1,2} W_H$ maps the $m$ neurons to $v$ logits",
        Shaped(Times("W_2", "W_H"), sizes("W_2", "W_H", W_2=("m", "d")), "m", "v"),
    ),
    claim(
        "third-digit",
        "to predict the third digit from right: MC1 on first digit, MC1 and MS9 on second digit, BA on third digit",
        Always(
            f"(({SUM} - {SUM} % 100)/100) % 10 == (s3 % 10 + {CARRY}) % 10",
            {"s1": "integer", "s2": "integer", "s3": "integer"},
            DIGIT_SUMS,
        ),
    ),
)

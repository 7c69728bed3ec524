"""What Chiang and Cholak (2022) print about layer normalisation: section 4.1 and appendix B."""

from weightproof.constructions.chiang2022.first_claims import ENCODING
from weightproof.constructions.chiang2022.slips import ONE_SCALE
from weightproof.constructions.chiang2022.transformed import NORMALISED, UNCENTRED
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import (
    Accepts,
    Compares,
    Constant,
    Matrix,
    Stream,
    Vector,
    Weights,
    zeros,
)

OPPOSITE = tuple(f"-{entry}" for entry in ENCODING)
MARK = "(w[i] == '1' and i == 1)"

claims = (
    Claims(
        "first",
        Published(
            "first-uncentred/a0",
            "section 4.1",
            "$\\bar{a}^{0,i}$: $a^{0,i}$ above $-a^{0,i}$",
            Vector(0, *ENCODING, 0, 0, *OPPOSITE, stage="embedding"),
        ),
        Published(
            "first-uncentred/W_Q",
            "section 4.1",
            "$\\bar{W}^{Q,2,1}$: $W^{Q,2,1}$ beside 0",
            Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0 0 0 0 0 0 0 0"),
        ),
        Published(
            "first-uncentred/W_K",
            "section 4.1",
            "$\\bar{W}^{K,2,1}$: $W^{K,2,1}$ beside 0",
            Matrix(Weights("W_K", 2, 1), "0 0 0 1 0 0 0 0 0 0 0 0"),
        ),
        Published(
            "first-uncentred/W_V",
            "section 4.1",
            "$\\bar{W}^{V,2,1}$: $W^{V,2,1}$ above $-W^{V,2,1}$, both beside 0",
            Matrix(
                Weights("W_V", 2, 1),
                *zeros(5, 12),
                "0 0 0 -1/2 1 0 0 0 0 0 0 0",
                *zeros(5, 12),
                "0 0 0 1/2 -1 0 0 0 0 0 0 0",
            ),
        ),
        Published(
            "first-uncentred/W_F1",
            "section 4.1",
            "$\\bar{W}^{F,1,1}$: $W^{F,1,1}$ beside 0",
            Matrix(Weights("W_F1", 1), "-1 0 -1 1 0 0 0 0 0 0 0 0"),
        ),
        Published(
            "first-uncentred/W_F2",
            "section 4.1",
            "$\\bar{W}^{F,1,2}$: $W^{F,1,2}$ above $-W^{F,1,2}$",
            Matrix(Weights("W_F2", 1), *"0000100000", "-1"),
        ),
        Published(
            "first-uncentred/c1",
            "section 4.1",
            "$\\bar{c}^{1,i}$ is the norm of $c^{1,i}$ above $-c^{1,i}$",
            Vector(1, *ENCODING, 0, 0, *OPPOSITE, stage="attention"),
        ),
        Published(
            "first-uncentred/a1",
            "section 4.1",
            "$\\bar{a}^{1,i}$ is the norm of $a^{1,i}$ above $-a^{1,i}$",
            Vector(1, *ENCODING, MARK, 0, *OPPOSITE, f"-{MARK}"),
        ),
        asked=UNCENTRED,
        notation="What is normalised is compared: the network with its opposites, before there are norms.",
    ),
    Claims(
        "first",
        Published(
            "first-normalised/decisions",
            "section 4.1",
            "a positive factor at any layer of activations does not change the decisions: FIRST is recognised",
            Accepts(),
        ),
        Published(
            "first-normalised/positive",
            "appendix B",
            "$\\bar{s} > 0$ where $w_1 = 1$",
            Compares(">", 0, "w[1] == '1'"),
        ),
        Published(
            "first-normalised/negative",
            "appendix B",
            "$\\bar{s} < 0$ otherwise",
            Compares("<", 0, "w[1] != '1'"),
            under=(("empty word",),),
        ),
        asked=NORMALISED,
    ),
    Claims(
        "parity",
        Published(
            "parity-normalised/decisions",
            "section 4.1",
            "a positive factor at any layer of activations does not change the decisions: PARITY is recognised",
            Accepts(),
        ),
        Published(
            "parity-normalised/one-scale",
            "appendix B",
            "$\\bar{c}^{1,i} = C^1 c^{1,i}$, with one $C^1$ for all $i$: then row $k/n$ of it is the same everywhere",
            Constant(Stream("k/n", 1, "attention")),
            slip=ONE_SCALE,
        ),
        asked=NORMALISED,
    ),
)

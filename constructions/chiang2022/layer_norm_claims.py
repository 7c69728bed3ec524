"""What Chiang and Cholak (2022) print about layer normalisation: section 4.1 and appendix B."""

from weightproof.constructions.chiang2022.first_claims import ENCODING
from weightproof.constructions.chiang2022.layer_norm_slips import (
    COST_OF_0,
    MARK,
    NORM_OF_SCALED,
    NOT_ONE,
    ONE,
    ONE_SCALE,
    SCALED_LOGITS,
    SECOND_NORM,
    SQUARED_LOGITS,
    WIDTH,
    S,
    of_norm,
)
from weightproof.constructions.chiang2022.parity_claims import AVERAGES, EVEN, K_EVEN, K_ODD, K_SIGN
from weightproof.constructions.chiang2022.parity_claims import ENCODING as PARITY_ENCODING
from weightproof.constructions.chiang2022.transformed import EXACTLY, NORMALISED, SCALED, UNCENTRED
from weightproof.constructions.claims.published import Claims, Reading, claim
from weightproof.constructions.claims.statements import (
    Accepts,
    Compares,
    Constant,
    CrossEntropy,
    Kept,
    Logit,
    Matrix,
    Stream,
    Value,
    Vector,
    Weights,
    zeros,
)

OPPOSITE = tuple(f"-{entry}" for entry in ENCODING)
NO_EFFECT = (
    "the scaling effect of layer normalization has no effect on the decisions of our constructions for PARITY and FIRST"
)
ANY_NUMBER = (
    "in the case of the two transformers constructed above, any activation layer can be scaled by any positive number "
    "without changing the final decisions"
)
SCALES = "inner is A^1 C^1 and outer is C^2, any positive numbers; opposites and norms are left out."

claims = (
    Claims(
        "first",
        "section 4.1",
        claim(
            "first-uncentred/a0",
            "$\\bar{a}^{0,i}$: $a^{0,i}$ above $-a^{0,i}$",
            Vector(0, *ENCODING, 0, 0, *OPPOSITE, stage="embedding"),
        ),
        claim(
            "first-uncentred/W_Q",
            "$\\bar{W}^{Q,2,1}$: $W^{Q,2,1} = (0, 0, c \\sqrt d, 0, 0, 0)$ beside 0",
            Reading(Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0 0 0 0 0 0 0 0"), "with the new d, 12"),
            Reading(Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(6) 0 0 0 0 0 0 0 0 0"), "with the d of section 3.3, 6"),
            slip=WIDTH,
        ),
        claim(
            "first-uncentred/W_K",
            "$\\bar{W}^{K,2,1}$: $W^{K,2,1}$ beside 0",
            Matrix(Weights("W_K", 2, 1), "0 0 0 1 0 0 0 0 0 0 0 0"),
        ),
        claim(
            "first-uncentred/W_V",
            "$\\bar{W}^{V,2,1}$: $W^{V,2,1}$ above $-W^{V,2,1}$, both beside 0",
            Matrix(
                Weights("W_V", 2, 1),
                *zeros(5, 12),
                "0 0 0 -1/2 1 0 0 0 0 0 0 0",
                *zeros(5, 12),
                "0 0 0 1/2 -1 0 0 0 0 0 0 0",
            ),
        ),
        claim(
            "first-uncentred/W_F1",
            "$\\bar{W}^{F,1,1}$: $W^{F,1,1}$ beside 0",
            Matrix(Weights("W_F1", 1), "-1 0 -1 1 0 0 0 0 0 0 0 0"),
        ),
        claim(
            "first-uncentred/W_F2",
            "$\\bar{W}^{F,1,2}$: $W^{F,1,2}$ above $-W^{F,1,2}$",
            Matrix(Weights("W_F2", 1), *"0000100000", "-1"),
        ),
        asked=UNCENTRED,
        notation="The network with its opposites, before there are norms.",
    ),
    Claims(
        "first",
        "section 4.1",
        claim(
            "first-normalised/c1",
            "$\\bar{c}^{\\ell,i} = LN(c^{\\ell,i}, -c^{\\ell,i})$, for $\\ell = 1$",
            Vector(1, *of_norm(ENCODING, "(1 + (i == 1))/6 + epsilon", 2), stage="attention"),
        ),
        claim(
            "first-normalised/a1",
            "$\\bar{a}^{\\ell,i} = LN(a^{\\ell,i}, -a^{\\ell,i})$, for $\\ell = 1$",
            Vector(1, *of_norm((*ENCODING, MARK), f"(1 + (i == 1) + {MARK})/6 + epsilon", 1)),
            slip=NORM_OF_SCALED,
        ),
        "appendix B",
        claim(
            "first-normalised/no-effect",
            "since the second FFNN is the identity function, its layer normalization has no effect ($A^2 = 1$)",
            Kept(2),
            slip=SECOND_NORM,
        ),
        claim("first-normalised/decisions", NO_EFFECT, Accepts()),
        asked=NORMALISED,
    ),
    Claims(
        "first",
        "section 4.1",
        claim(
            "first-normalised-exactly/c2",
            "$\\bar{c}^{\\ell,i} = LN(c^{\\ell,i}, -c^{\\ell,i})$, for $\\ell = 2$ and $\\epsilon = 0$: row $s$ at CLS",
            Value(Stream("s", 2, "attention"), f"{S}/sqrt((1 + ({S})**2)/6)", "i == 0 and n >= 2"),
            slip=SCALED_LOGITS,
        ),
        asked=EXACTLY,
    ),
    Claims(
        "parity",
        "appendix B",
        claim("parity-normalised/decisions", NO_EFFECT, Accepts()),
        claim(
            "parity-normalised/one-scale",
            "$\\bar{c}^{1,i} = C^1 (c^{1,i}, -c^{1,i})$, with one $C^1$ for all $i$: then row $k/n$ of it is the same "
            "everywhere",
            Constant(Stream("k/n", 1, "attention")),
            slip=ONE_SCALE,
        ),
        asked=NORMALISED,
    ),
    Claims(
        "parity",
        "appendix B",
        claim(
            "parity-scaled/a1",
            "because the first FFNN has no bias term, $\\bar{a}^{1,i} = A^1 C^1 (a^{1,i}, -a^{1,i})$",
            Vector(1, *(f"inner*({entry})" for entry in (*PARITY_ENCODING, *AVERAGES, "(i == count('1'))/n"))),
        ),
        "section 4.1",
        claim("parity-scaled/decisions", ANY_NUMBER, Accepts()),
        "appendix B",
        claim(
            "parity-scaled/s",
            "if $n$ is even, $\\bar{s} = (-1)^{k+1} \\frac{2 C^2 A^1 C^1}{n^2} \\tanh A^1 C^1 c$",
            Value(Logit(), f"{K_SIGN}*2*outer*inner/n**2*tanh(inner*c)", EVEN),
            slip=SQUARED_LOGITS,
        ),
        claim(
            "parity-scaled/negative",
            "$\\bar{s}$ is still negative if $k$ is even",
            Compares("<", 0, K_EVEN),
            under=(("empty word",),),
        ),
        claim("parity-scaled/positive", "$\\bar{s}$ is still positive if $k$ is odd", Compares(">", 0, K_ODD)),
        notation=SCALES,
        asked=SCALED,
    ),
    Claims(
        "first",
        "appendix B",
        claim(
            "first-scaled-layers/a1",
            "as before, $\\bar{a}^{1,i} = A^1 C^1 (a^{1,i}, -a^{1,i})$",
            Vector(1, *(f"inner*{entry}" for entry in (*ENCODING, MARK))),
        ),
        "section 4.1",
        claim("first-scaled-layers/decisions", ANY_NUMBER, Accepts()),
        "appendix B",
        claim(
            "first-scaled-layers/s",
            "$\\bar{s} = \\frac{\\exp A^1 C^1 c}{\\exp A^1 C^1 c + n - 1} C^2 A^1 C^1 (I[w_1 = 1] - \\frac{1}{2})$",
            Value(Logit(), f"exp(inner*c)/(exp(inner*c) + n - 1)*outer*inner*(({ONE}) - 1/2)"),
            under=(("empty word",),),
            slip=SQUARED_LOGITS,
        ),
        claim("first-scaled-layers/positive", "$\\bar{s}$ is still positive if $w_1 = 1$", Compares(">", 0, ONE)),
        claim(
            "first-scaled-layers/negative",
            "$\\bar{s}$ is negative otherwise",
            Compares("<", 0, NOT_ONE),
            under=(("empty word",),),
        ),
        notation=SCALES,
        asked=SCALED,
    ),
    Claims(
        "parity",
        "section 5.1",
        claim(
            "parity-normalised-exactly/cost",
            "with layer normalization, $\\epsilon = 0$, at 1, the correct value, it has a cross-entropy of 0",
            CrossEntropy("==", "0"),
            slip=COST_OF_0,
        ),
        claim(
            "parity-normalised-exactly/accuracy",
            "with layer normalization, $\\epsilon = 0$, at 1, the correct value, it has accuracy of 1",
            Accepts(),
        ),
        asked=EXACTLY,
    ),
)

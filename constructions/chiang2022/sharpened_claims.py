"""What Chiang and Cholak (2022) print about cross-entropy under layer normalisation: section 4.2, proposition 2."""

from weightproof.constructions.chiang2022.slips import CROSS_ENTROPY, LARGE_ETA, ZERO_LOGIT
from weightproof.constructions.chiang2022.transformed import EXACTLY, SHARPEN
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import (
    Accepts,
    CrossEntropy,
    Formula,
    Matrix,
    Value,
    Weights,
)

C = "-log(exp(eta)-1)"
BELOW_LOG_2 = "exp(eta) < 2"

claims = (
    Claims(
        "first",
        Published("first-sharpened/W_V", "section 4.2", "$W^{V,L+1,h} = 0$", Matrix(Weights("W_V", 3, 1))),
        Published("first-sharpened/b_F1", "section 4.2", "$\\bar{b}^{F,L+1,1} = 0$", Matrix(Weights("b_F1", 3))),
        Published("first-sharpened/b_F2", "section 4.2", "$\\bar{b}^{F,L+1,2} = 0$", Matrix(Weights("b_F2", 3))),
        Published(
            "first-sharpened/W",
            "section 4.2",
            "$\\bar{W}^{L+2} = (c, 0, \\dots, 0)$, $c = -\\frac{1}{\\sqrt{d/2}} \\log(\\exp\\eta - 1)$",
            Matrix(Weights("W"), f"{C}/sqrt(d/2)"),
        ),
        Published("first-sharpened/b", "section 4.2", "$\\bar{b}^{L+2} = 0$", Matrix(Weights("b"), "0")),
        Published(
            "first-sharpened/recognises",
            "section 4.2, proposition 2",
            "the transformer that the proof makes of that for FIRST recognizes FIRST",
            Accepts(given=BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        Published(
            "first-sharpened/eta",
            "section 4.2, proposition 2",
            "the transformer that the proof makes of that for FIRST has cross-entropy at most $\\eta$",
            CrossEntropy("<=", "eta", BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        Published(
            "first-sharpened/eta-exactly",
            "section 4.2",
            "the cross-entropy is $\\eta$",
            CrossEntropy("==", "eta", BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        Published(
            "first-sharpened/accepted",
            "section 4.2",
            "on words of the language the cross-entropy $\\log \\sigma(c \\sqrt{d/2})$ is $\\eta$",
            Value(Formula(f"log(1/(1 + exp(-({C}))))"), "eta", "n >= 2"),
            slip=CROSS_ENTROPY,
        ),
        Published(
            "first-sharpened/rejected",
            "section 4.2",
            "on the others the cross-entropy $\\log(1 - \\sigma(-c \\sqrt{d/2}))$ is $\\eta$",
            Value(Formula(f"log(1 - 1/(1 + exp({C})))"), "eta", "n >= 2"),
            slip=CROSS_ENTROPY,
        ),
        notation="Here L = 2 and d = 12; eta is below log 2, or c is not positive: see what is printed of ONE.",
        asked=(*EXACTLY, SHARPEN),
    ),
    Claims(
        "one",
        Published(
            "one-sharpened/recognises",
            "section 4.2, proposition 2",
            "for any $\\eta > 0$ the transformer that the proof makes of that for ONE recognizes ONE",
            Accepts(),
            slip=LARGE_ETA,
        ),
        Published(
            "one-sharpened/eta",
            "section 4.2, proposition 2",
            "for any $\\eta > 0$ the transformer that the proof makes of that for ONE has cross-entropy at most "
            "$\\eta$",
            CrossEntropy("<=", "eta"),
        ),
        asked=(*EXACTLY, SHARPEN),
    ),
)

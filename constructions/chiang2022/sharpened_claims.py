"""What Chiang and Cholak (2022) print about cross-entropy under layer normalisation: section 4.2, proposition 2."""

from weightproof.constructions.chiang2022.slips import CROSS_ENTROPY, LARGE_ETA, ZERO_LOGIT
from weightproof.constructions.chiang2022.transformed import EXACTLY, SHARPEN
from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.statements import Accepts, CrossEntropy, Formula, Matrix, Value, Weights

C = "-log(exp(eta)-1)"
BELOW_LOG_2 = "exp(eta) < 2"

claims = (
    Claims(
        "first",
        "section 4.2",
        claim("first-sharpened/W_V", "$W^{V,L+1,h} = 0$", Matrix(Weights("W_V", 3, 1))),
        claim("first-sharpened/b_F1", "$\\bar{b}^{F,L+1,1} = 0$", Matrix(Weights("b_F1", 3))),
        claim("first-sharpened/b_F2", "$\\bar{b}^{F,L+1,2} = 0$", Matrix(Weights("b_F2", 3))),
        claim(
            "first-sharpened/W",
            "$\\bar{W}^{L+2} = (c, 0, \\dots, 0)$, $c = -\\frac{1}{\\sqrt{d/2}} \\log(\\exp\\eta - 1)$",
            Matrix(Weights("W"), f"{C}/sqrt(d/2)"),
        ),
        claim("first-sharpened/b", "$\\bar{b}^{L+2} = 0$", Matrix(Weights("b"), "0")),
        "section 4.2, proposition 2",
        claim(
            "first-sharpened/recognises",
            "the transformer that the proof makes of that for FIRST recognizes FIRST",
            Accepts(given=BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        claim(
            "first-sharpened/eta",
            "the transformer that the proof makes of that for FIRST has cross-entropy at most $\\eta$",
            CrossEntropy("<=", "eta", BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        "section 4.2",
        claim(
            "first-sharpened/eta-exactly",
            "the cross-entropy is $\\eta$",
            CrossEntropy("==", "eta", BELOW_LOG_2),
            slip=ZERO_LOGIT,
        ),
        claim(
            "first-sharpened/accepted",
            "on words of the language the cross-entropy $\\log \\sigma(c \\sqrt{d/2})$ is $\\eta$",
            Value(Formula(f"log(1/(1 + exp(-({C}))))"), "eta", "n >= 2"),
            slip=CROSS_ENTROPY,
        ),
        claim(
            "first-sharpened/rejected",
            "on the others the cross-entropy $\\log(1 - \\sigma(-c \\sqrt{d/2}))$ is $\\eta$",
            Value(Formula(f"log(1 - 1/(1 + exp({C})))"), "eta", "n >= 2"),
            slip=CROSS_ENTROPY,
        ),
        notation="Here L = 2 and d = 12; eta is below log 2, or c is not positive: see what is printed of ONE.",
        asked=(*EXACTLY, SHARPEN),
    ),
    Claims(
        "one",
        "section 4.2, proposition 2",
        claim(
            "one-sharpened/recognises",
            "for any $\\eta > 0$ the transformer that the proof makes of that for ONE recognizes ONE",
            Accepts(),
            slip=LARGE_ETA,
        ),
        claim(
            "one-sharpened/eta",
            "for any $\\eta > 0$ the transformer that the proof makes of that for ONE has cross-entropy at most "
            "$\\eta$",
            CrossEntropy("<=", "eta"),
        ),
        asked=(*EXACTLY, SHARPEN),
    ),
)

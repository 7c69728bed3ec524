"""What Chiang and Cholak (2022) print about attention scaled by log n: section 5.3, with proposition 3."""

from weightproof.constructions.chiang2022.slips import FIRST_NORMS
from weightproof.constructions.chiang2022.transformed import GROWING, NORMALISED
from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.statements import Accepts, Compares, Logit, Value

S = "n/(2*n - 1)*((w[1] == '1') - 1/2)"
LEAST = "1/(4*sqrt(5/24 + epsilon))"

claims = (
    Claims(
        "first",
        "section 5.3, proposition 3",
        claim(
            "first-scaled/s",
            "$s = \\frac{n}{2n-1} (I[w_1 = 1] - \\frac{1}{2})$",
            Value(Logit(), S),
            under=(("empty word",),),
        ),
        claim("first-scaled/recognises", "it recognises FIRST", Accepts()),
        claim(
            "first-scaled/least-1",
            "$\\frac{1}{4} < \\lvert s \\rvert$ where $w_1 = 1$",
            Compares(">", "1/4", "w[1] == '1'"),
        ),
        claim(
            "first-scaled/least-0",
            "$\\frac{1}{4} < \\lvert s \\rvert$ where $w_1 \\ne 1$",
            Compares("<", "-1/4", "w[1] != '1'"),
            under=(("empty word",),),
        ),
        claim(
            "first-scaled/most-1",
            "$\\lvert s \\rvert \\le \\frac{1}{2}$ where $w_1 = 1$",
            Compares("<=", "1/2", "w[1] == '1'"),
        ),
        claim(
            "first-scaled/most-0",
            "$\\lvert s \\rvert \\le \\frac{1}{2}$ where $w_1 \\ne 1$",
            Compares(">=", "-1/2", "w[1] != '1'"),
        ),
        asked=GROWING,
    ),
    Claims(
        "first",
        "section 5.3, proposition 3",
        claim(
            "first-scaled-normalised/s",
            "$\\bar{s} = s (\\frac{1}{6} (1 + s^2) + \\epsilon)^{-\\frac{1}{2}}$",
            Value(Logit(), f"({S})/sqrt((1 + ({S})**2)/6 + epsilon)"),
            under=(("empty word",),),
            slip=FIRST_NORMS,
        ),
        claim(
            "first-scaled-normalised/least-1",
            "$\\lvert\\bar{s}\\rvert > \\frac{1}{4} (\\frac{5}{24} + \\epsilon)^{-\\frac{1}{2}}$ where $w_1 = 1$",
            Compares(">", LEAST, "w[1] == '1'"),
            slip=FIRST_NORMS,
        ),
        claim(
            "first-scaled-normalised/least-0",
            "$\\lvert\\bar{s}\\rvert > \\frac{1}{4} (\\frac{5}{24} + \\epsilon)^{-\\frac{1}{2}}$ where $w_1 \\ne 1$",
            Compares("<", f"-{LEAST}", "w[1] != '1'"),
            under=(("empty word",),),
            slip=FIRST_NORMS,
        ),
        claim("first-scaled-normalised/recognises", "it recognises FIRST", Accepts()),
        asked=(*GROWING, *NORMALISED),
    ),
    Claims(
        "first-one-layer",
        "section 5.3",
        claim(
            "first-one-layer-scaled/s",
            "$s = \\frac{n-1}{2n-1} (I[w_1 = 1] - \\frac{1}{2}) + \\frac{n}{2n-1} (\\frac{k}{n} - \\frac{1}{2})$",
            Value(Logit(), "(n - 1)/(2*n - 1)*((w[1] == '1') - 1/2) + n/(2*n - 1)*(count('1')/n - 1/2)"),
        ),
        claim(
            "first-one-layer-scaled/sign", "$s > 0$ exactly where $w_1 = 1$", Compares(">", 0, "w[1] == '1'", only=True)
        ),
        asked=GROWING,
    ),
)

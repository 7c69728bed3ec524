"""What Rajaraman, Sundaram and Tesfaye (2026) print about the parity of k bits: theorem 2 and appendix A.2, for k = 2
and k = 3."""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims

C = "count('1')"
MINUS_P = {
    2: f"-({C} - 1/2)*({C} - 3/2)",
    3: f"({C} - 1/2)*({C} - 3/2)*({C} - 5/2)",
}
"""-P(c), by k."""
D = {2: f"({C} + 1)*({C} + 2)", 3: f"({C} + 1)*({C} + 2)*({C} + 3)"}
FRACTIONS = {
    2: f"-(17/4 + {C}/2)/({C} + 1 + exp(-M)) - (-31/4 + {C}/2)/({C} + 2 + exp(-M))",
    3: f"-(299/48 - {C}/3)/({C} + 1 + exp(-M)) - (-961/24 - {C}/3)/({C} + 2 + exp(-M))"
    f" - (677/16 - {C}/3)/({C} + 3 + exp(-M))",
}
"""The sum of -(alpha_j + beta_j c)/(c + j + e^-M), with the coefficients of lemma 4."""


def of_length(k: int, enough: str) -> Claims:
    words, zeros = f"n == {k + 1}", ("0",) * (k + 1)
    return Claims(
        f"parity-{k}-heads",
        "theorem 2",
        f"heads: $k = {k}$ heads",
        says.Count("heads", k),
        "layers: one layer",
        says.Count("layers", 1),
        "parity: the network computes the parity of $k$ bits, for $M$ large enough",
        says.Accepts(given=f"{words} and {enough}"),
        "appendix A.2",
        f"embedding-0: a 0 at $i$ is embedded as $e_1 + e_{{i+2}}$, here for $i = 1$, $k = {k}$",
        says.Vector(0, "1", "0", "1", *zeros[:-1], stage="embedding", when=f"{words} and i == 0 and w[i] == '0'"),
        f"embedding-1: a 1 at $i$ is embedded as $e_2 + e_{{i+2}}$, here for $i = 1$, $k = {k}$",
        says.Vector(0, "0", "1", "1", *zeros[:-1], stage="embedding", when=f"{words} and i == 0 and w[i] == '1'"),
        f"query: the query token is embedded as $e_{{k+3}}$, here for $k = {k}$",
        says.Vector(0, "0", "0", *zeros[:-1], "1", stage="embedding", when=f"{words} and i == n - 1"),
        r"finite-M: $\sum_j (\alpha_j + \beta_j c)/(c + j + e^{-M})$ is the output gap",
        says.Value(says.Logit(), FRACTIONS[k], words),
        r"lemma-4: $P(c)/D(c) = \sum_j (\alpha_j + \beta_j c)/(c + j)$",
        says.Value(says.Formula(f"{MINUS_P[k]}/({D[k]})"), FRACTIONS[k].replace(" + exp(-M)", "")),
        notation=r"Output 1 is right where the gap $\Delta$ is below 0: the logit here is $-\Delta$. The bits are at "
        "the positions from 0 on.",
    )


claims = (of_length(2, "exp(M) > 14/3"), of_length(3, "exp(M) >= 40"))

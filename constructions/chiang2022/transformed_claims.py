"""What Chiang and Cholak (2022) print about their networks with layer normalisation, section 4 and appendix B, and with
attention scaled by log n, section 5.3; and the mistakes of print in it, each with its smallest correction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from weightproof.constructions.chiang2022.first_claims import ENCODING
from weightproof.constructions.chiang2022.parity_claims import AVERAGES, EVEN, K_EVEN, K_ODD, K_SIGN
from weightproof.constructions.chiang2022.parity_claims import ENCODING as PARITY_ENCODING
from weightproof.constructions.chiang2022.transformed import (
    EXACTLY,
    FIRST_REPAIRED,
    GROWING,
    NORMALISED,
    SCALED,
    SHARPEN,
    UNCENTRED,
)
from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, Reading, Under, slips

ONE, NOT_ONE = "w[1] == '1'", "w[1] != '1'"
MARK = "(w[i] == '1' and i == 1)"
S = f"exp(c)/(exp(c) + n - 1)*(({ONE}) - 1/2)"
"""Equation 1, the logit of FIRST."""


def of_norm(entries: Sequence[str], square: str, spared: int) -> tuple[str, ...]:
    """LN of the entries, behind them `spared` coordinates that are 0, and of their opposites; square: the mean square
    of them, and epsilon."""
    scaled = tuple(f"({entry})/sqrt({square})" for entry in entries)
    return (*scaled, *("0",) * spared, *(f"-{entry}" for entry in scaled))


TWICE = "exp(2*sqrt(3)*c)/(exp(2*sqrt(3)*c) + n - 1)*sqrt(2)/2"
SQUARE = "((2 + (i**2 + count('1')**2 + 1)/n**2)/9 + epsilon)"

of_first, of_parity = (partial(slips, "chiang2022", name) for name in ("first", "parity"))
SLIPS = (
    of_first(
        r"width: The width doubles, and scores are divided by its root: of $c \sqrt d$ with the old $d$ a factor "
        r"$\frac{1}{\sqrt 2}$ stays.",
        r"section 4.1: $\bar{W}^{Q,2,1} = (0, 0, c \sqrt{2 \cdot 6}, 0, \dots, 0)$",
        says.Matrix(says.Weights("W_Q", 2, 1), "0 0 c*sqrt(2*6) 0 0 0 0 0 0 0 0 0"),
        transforms=UNCENTRED,
    )
    | of_first(
        r"norm-of-scaled: The norm is applied to a row that the norm before it has scaled, to which $\epsilon > 0$ is "
        "added.",
        r"section 4.1: for $\epsilon = 0$, $\bar{a}^{1,i} = LN(a^{1,i}, -a^{1,i})$",
        says.Vector(1, *of_norm((*ENCODING, MARK), f"(1 + (i == 1) + {MARK})/6", 1)),
        "scaled-attention: The rows of the first layer are scaled, and with them attention logits and values of the "
        "second.",
        r"section 4.1: for $\epsilon = 0$ and $w_1 = 1$, row $s$ at CLS is that of the norm of $(\sqrt 6, s, -\sqrt 6, "
        r"-s)$ with $s = \frac{\exp 2 \sqrt 3 c}{\exp 2 \sqrt 3 c + n - 1} \frac{\sqrt 2}{2}$",
        says.Value(says.Stream("s", 2, "attention"), f"{TWICE}/sqrt((6 + ({TWICE})**2)/6)", f"i == 0 and {ONE}"),
        r"second-norm: A norm with $\epsilon > 0$ shrinks what is normalised already.",
        r"appendix B: for $\epsilon = 0$ the last norm has no effect ($A^2 = 1$)",
        says.Kept(2),
        transforms=EXACTLY,
    )
    | of_parity(
        "one-scale: Layer normalisation scales each row by a factor of its own, not a layer by one factor.",
        r"appendix B: $\bar{c}^{1,i} = C^{1,i} (c^{1,i}, -c^{1,i})$ with $C^{1,i} = (\frac{1}{9} (2 + \frac{i^2 + k^2 "
        r"+ 1}{n^2}) + \epsilon)^{-\frac{1}{2}}$",
        says.Vector(1, *of_norm((*PARITY_ENCODING, *AVERAGES), SQUARE, 2), stage="attention"),
        transforms=NORMALISED,
    )
    | of_parity(
        "squared-logits: Queries and keys are both scaled by $A^1 C^1$, and attention logits, their products, by the "
        "square of it.",
        r"appendix B: if $n$ is even, $\bar{s} = (-1)^{k+1} \frac{2 C^2 A^1 C^1}{n^2} \tanh (A^1 C^1)^2 c$",
        says.Value(says.Logit(), f"{K_SIGN}*2*outer*inner/n**2*tanh(inner**2*c)", EVEN),
        transforms=SCALED,
    )
    | of_parity(
        r"cost-of-0: A logit is a number, and $\log(1 + \exp(-\lvert s \rvert))$ above 0: no cross-entropy is 0.",
        "section 5.1: at 1, the correct value, it has accuracy of 1",
        says.Accepts(),
        transforms=EXACTLY,
    )
    | of_first(
        "cross-entropy: The cross-entropy is the negative logarithm of the probability.",
        r"section 4.2: $-\log \sigma(c \sqrt{d/2}) = \eta$",
        says.Value(says.Formula("-log(1/(1 + exp(log(exp(eta) - 1))))"), "eta"),
        transforms=(*EXACTLY, SHARPEN),
    )
    | of_first(
        "zero-logit: Where the logit is 0, as FIRST has it on the empty word, the new layer makes a row of zeros, and "
        r"its norm with $\epsilon = 0$ is 0/0: it is not for any $T$.",
        r"section 4.2, proposition 2: where $T$ is FIRST with a logit below 0 on the empty word, for $\eta < \log 2$ "
        r"the cross-entropy is at most $\eta$",
        says.CrossEntropy("<=", "eta", "exp(eta) < 2"),
        transforms=(FIRST_REPAIRED, *EXACTLY, SHARPEN),
    )
    | slips(
        "chiang2022",
        "one",
        r"eta: For $\eta \ge \log 2$ the factor $c$ is not positive, and turns every decision round.",
        r"section 4.2, proposition 2: for $\eta < \log 2$ it recognises ONE",
        says.Accepts(given="exp(eta) < 2"),
        transforms=(*EXACTLY, SHARPEN),
    )
    | of_first(
        "first-norms: The norms before the last one scale the rows, too: $s$, its row's 1, and the exponent of $n$ in "
        "the attention.",
        r"section 5.3, proposition 3: $\lvert\bar{s}\rvert \ge \frac{1}{4}$ for $\epsilon \le \frac{3}{10}$ where $w_1 "
        "= 1$",
        says.Compares(">=", "1/4", "w[1] == '1'", "epsilon <= 3/10"),
        transforms=(*GROWING, *NORMALISED),
    )
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
C = "-log(exp(eta)-1)"
BELOW_LOG_2 = "exp(eta) < 2"
S_GROWING = "n/(2*n - 1)*((w[1] == '1') - 1/2)"
LEAST = "1/(4*sqrt(5/24 + epsilon))"

claims = (
    Claims(
        "first",
        "section 4.1",
        r"first-uncentred/a0: $\bar{a}^{0,i}$: $a^{0,i}$ above $-a^{0,i}$",
        says.Vector(0, *ENCODING, 0, 0, *OPPOSITE, stage="embedding"),
        r"first-uncentred/W_Q: $\bar{W}^{Q,2,1}$: $W^{Q,2,1} = (0, 0, c \sqrt d, 0, 0, 0)$ beside 0",
        Reading(says.Matrix(says.Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0 0 0 0 0 0 0 0"), "with the new d, 12"),
        Reading(
            says.Matrix(says.Weights("W_Q", 2, 1), "0 0 c*sqrt(6) 0 0 0 0 0 0 0 0 0"), "with the d of section 3.3, 6"
        ),
        SLIPS["width"],
        r"first-uncentred/W_K: $\bar{W}^{K,2,1}$: $W^{K,2,1}$ beside 0",
        says.Matrix(says.Weights("W_K", 2, 1), "0 0 0 1 0 0 0 0 0 0 0 0"),
        r"first-uncentred/W_V: $\bar{W}^{V,2,1}$: $W^{V,2,1}$ above $-W^{V,2,1}$, both beside 0",
        says.Matrix(
            says.Weights("W_V", 2, 1),
            *says.zeros(5, 12),
            "0 0 0 -1/2 1 0 0 0 0 0 0 0",
            *says.zeros(5, 12),
            "0 0 0 1/2 -1 0 0 0 0 0 0 0",
        ),
        r"first-uncentred/W_F1: $\bar{W}^{F,1,1}$: $W^{F,1,1}$ beside 0",
        says.Matrix(says.Weights("W_F1", 1), "-1 0 -1 1 0 0 0 0 0 0 0 0"),
        r"first-uncentred/W_F2: $\bar{W}^{F,1,2}$: $W^{F,1,2}$ above $-W^{F,1,2}$",
        says.Matrix(says.Weights("W_F2", 1), *"0000100000", "-1"),
        transforms=UNCENTRED,
        notation="The network with its opposites, before there are norms.",
    ),
    Claims(
        "first",
        "section 4.1",
        r"first-normalised/c1: $\bar{c}^{\ell,i} = LN(c^{\ell,i}, -c^{\ell,i})$, for $\ell = 1$",
        says.Vector(1, *of_norm(ENCODING, "(1 + (i == 1))/6 + epsilon", 2), stage="attention"),
        r"first-normalised/a1: $\bar{a}^{\ell,i} = LN(a^{\ell,i}, -a^{\ell,i})$, for $\ell = 1$",
        says.Vector(1, *of_norm((*ENCODING, MARK), f"(1 + (i == 1) + {MARK})/6 + epsilon", 1)),
        SLIPS["norm-of-scaled"],
        "appendix B",
        "first-normalised/no-effect: since the second FFNN is the identity function, its layer normalization has no "
        "effect ($A^2 = 1$)",
        says.Kept(2),
        SLIPS["second-norm"],
        f"first-normalised/decisions: {NO_EFFECT}",
        says.Accepts(),
        transforms=NORMALISED,
    ),
    Claims(
        "first",
        "section 4.1",
        r"first-normalised-exactly/c2: $\bar{c}^{\ell,i} = LN(c^{\ell,i}, -c^{\ell,i})$, for $\ell = 2$ and "
        r"$\epsilon = 0$: row $s$ at CLS",
        says.Value(says.Stream("s", 2, "attention"), f"{S}/sqrt((1 + ({S})**2)/6)", "i == 0 and n >= 2"),
        SLIPS["scaled-attention"],
        transforms=EXACTLY,
    ),
    Claims(
        "parity",
        "appendix B",
        f"parity-normalised/decisions: {NO_EFFECT}",
        says.Accepts(),
        r"parity-normalised/one-scale: $\bar{c}^{1,i} = C^1 (c^{1,i}, -c^{1,i})$, with one $C^1$ for all $i$: then "
        "row $k/n$ of it is the same everywhere",
        says.Constant(says.Stream("k/n", 1, "attention")),
        SLIPS["one-scale"],
        transforms=NORMALISED,
    ),
    Claims(
        "parity",
        "appendix B",
        r"parity-scaled/a1: because the first FFNN has no bias term, $\bar{a}^{1,i} = A^1 C^1 (a^{1,i}, -a^{1,i})$",
        says.Vector(1, *(f"inner*({entry})" for entry in (*PARITY_ENCODING, *AVERAGES, "(i == count('1'))/n"))),
        "section 4.1",
        f"parity-scaled/decisions: {ANY_NUMBER}",
        says.Accepts(),
        "appendix B",
        r"parity-scaled/s: if $n$ is even, $\bar{s} = (-1)^{k+1} \frac{2 C^2 A^1 C^1}{n^2} \tanh A^1 C^1 c$",
        says.Value(says.Logit(), f"{K_SIGN}*2*outer*inner/n**2*tanh(inner*c)", EVEN),
        SLIPS["squared-logits"],
        r"parity-scaled/negative: $\bar{s}$ is still negative if $k$ is even",
        says.Compares("<", 0, K_EVEN),
        Under("empty word"),
        r"parity-scaled/positive: $\bar{s}$ is still positive if $k$ is odd",
        says.Compares(">", 0, K_ODD),
        notation=SCALES,
        transforms=SCALED,
    ),
    Claims(
        "first",
        "appendix B",
        r"first-scaled-layers/a1: as before, $\bar{a}^{1,i} = A^1 C^1 (a^{1,i}, -a^{1,i})$",
        says.Vector(1, *(f"inner*{entry}" for entry in (*ENCODING, MARK))),
        "section 4.1",
        f"first-scaled-layers/decisions: {ANY_NUMBER}",
        says.Accepts(),
        "appendix B",
        r"first-scaled-layers/s: $\bar{s} = \frac{\exp A^1 C^1 c}{\exp A^1 C^1 c + n - 1} C^2 A^1 C^1 (I[w_1 = 1] - "
        r"\frac{1}{2})$",
        says.Value(says.Logit(), f"exp(inner*c)/(exp(inner*c) + n - 1)*outer*inner*(({ONE}) - 1/2)"),
        Under("empty word"),
        SLIPS["squared-logits"],
        r"first-scaled-layers/positive: $\bar{s}$ is still positive if $w_1 = 1$",
        says.Compares(">", 0, ONE),
        r"first-scaled-layers/negative: $\bar{s}$ is negative otherwise",
        says.Compares("<", 0, NOT_ONE),
        Under("empty word"),
        notation=SCALES,
        transforms=SCALED,
    ),
    Claims(
        "parity",
        "section 5.1",
        r"parity-normalised-exactly/cost: with layer normalization, $\epsilon = 0$, at 1, the correct value, it has "
        "a cross-entropy of 0",
        says.CrossEntropy("==", "0"),
        SLIPS["cost-of-0"],
        r"parity-normalised-exactly/accuracy: with layer normalization, $\epsilon = 0$, at 1, the correct value, it "
        "has accuracy of 1",
        says.Accepts(),
        transforms=EXACTLY,
    ),
    Claims(
        "first",
        "section 4.2",
        *says.matrix("first-sharpened/W_V", "W^{V,L+1,h}", says.Weights("W_V", 3, 1)),
        *says.matrix("first-sharpened/b_F1", r"\bar{b}^{F,L+1,1}", says.Weights("b_F1", 3)),
        *says.matrix("first-sharpened/b_F2", r"\bar{b}^{F,L+1,2}", says.Weights("b_F2", 3)),
        r"first-sharpened/W: $\bar{W}^{L+2} = (c, 0, \dots, 0)$, $c = -\frac{1}{\sqrt{d/2}} \log(\exp\eta - 1)$",
        says.Matrix(says.Weights("W"), f"{C}/sqrt(d/2)"),
        *says.matrix("first-sharpened/b", r"\bar{b}^{L+2}", says.Weights("b"), "0"),
        "section 4.2, proposition 2",
        "first-sharpened/recognises: the transformer that the proof makes of that for FIRST recognizes FIRST",
        says.Accepts(given=BELOW_LOG_2),
        SLIPS["zero-logit"],
        "first-sharpened/eta: the transformer that the proof makes of that for FIRST has cross-entropy at most "
        r"$\eta$",
        says.CrossEntropy("<=", "eta", BELOW_LOG_2),
        SLIPS["zero-logit"],
        "section 4.2",
        r"first-sharpened/eta-exactly: the cross-entropy is $\eta$",
        says.CrossEntropy("==", "eta", BELOW_LOG_2),
        SLIPS["zero-logit"],
        r"first-sharpened/accepted: on words of the language the cross-entropy $\log \sigma(c \sqrt{d/2})$ is $\eta$",
        says.Value(says.Formula(f"log(1/(1 + exp(-({C}))))"), "eta", "n >= 2"),
        SLIPS["cross-entropy"],
        r"first-sharpened/rejected: on the others the cross-entropy $\log(1 - \sigma(-c \sqrt{d/2}))$ is $\eta$",
        says.Value(says.Formula(f"log(1 - 1/(1 + exp({C})))"), "eta", "n >= 2"),
        SLIPS["cross-entropy"],
        notation="Here L = 2 and d = 12; eta is below log 2, or c is not positive: see what is printed of ONE.",
        transforms=(*EXACTLY, SHARPEN),
    ),
    Claims(
        "one",
        "section 4.2, proposition 2",
        r"one-sharpened/recognises: for any $\eta > 0$ the transformer that the proof makes of that for ONE "
        "recognizes ONE",
        says.Accepts(),
        SLIPS["eta"],
        r"one-sharpened/eta: for any $\eta > 0$ the transformer that the proof makes of that for ONE has "
        r"cross-entropy at most $\eta$",
        says.CrossEntropy("<=", "eta"),
        transforms=(*EXACTLY, SHARPEN),
    ),
    Claims(
        "first",
        "section 5.3, proposition 3",
        r"first-scaled/s: $s = \frac{n}{2n-1} (I[w_1 = 1] - \frac{1}{2})$",
        says.Value(says.Logit(), S_GROWING),
        Under("empty word"),
        "first-scaled/recognises: it recognises FIRST",
        says.Accepts(),
        r"first-scaled/least-1: $\frac{1}{4} < \lvert s \rvert$ where $w_1 = 1$",
        says.Compares(">", "1/4", "w[1] == '1'"),
        r"first-scaled/least-0: $\frac{1}{4} < \lvert s \rvert$ where $w_1 \ne 1$",
        says.Compares("<", "-1/4", "w[1] != '1'"),
        Under("empty word"),
        r"first-scaled/most-1: $\lvert s \rvert \le \frac{1}{2}$ where $w_1 = 1$",
        says.Compares("<=", "1/2", "w[1] == '1'"),
        r"first-scaled/most-0: $\lvert s \rvert \le \frac{1}{2}$ where $w_1 \ne 1$",
        says.Compares(">=", "-1/2", "w[1] != '1'"),
        transforms=GROWING,
    ),
    Claims(
        "first",
        "section 5.3, proposition 3",
        r"first-scaled-normalised/s: $\bar{s} = s (\frac{1}{6} (1 + s^2) + \epsilon)^{-\frac{1}{2}}$",
        says.Value(says.Logit(), f"({S_GROWING})/sqrt((1 + ({S_GROWING})**2)/6 + epsilon)"),
        Under("empty word"),
        SLIPS["first-norms"],
        r"first-scaled-normalised/least-1: $\lvert\bar{s}\rvert > \frac{1}{4} (\frac{5}{24} + "
        r"\epsilon)^{-\frac{1}{2}}$ where $w_1 = 1$",
        says.Compares(">", LEAST, "w[1] == '1'"),
        SLIPS["first-norms"],
        r"first-scaled-normalised/least-0: $\lvert\bar{s}\rvert > \frac{1}{4} (\frac{5}{24} + "
        r"\epsilon)^{-\frac{1}{2}}$ where $w_1 \ne 1$",
        says.Compares("<", f"-{LEAST}", "w[1] != '1'"),
        Under("empty word"),
        SLIPS["first-norms"],
        "first-scaled-normalised/recognises: it recognises FIRST",
        says.Accepts(),
        transforms=(*GROWING, *NORMALISED),
    ),
    Claims(
        "first-one-layer",
        "section 5.3",
        r"first-one-layer-scaled/s: $s = \frac{n-1}{2n-1} (I[w_1 = 1] - \frac{1}{2}) + \frac{n}{2n-1} (\frac{k}{n} - "
        r"\frac{1}{2})$",
        says.Value(says.Logit(), "(n - 1)/(2*n - 1)*((w[1] == '1') - 1/2) + n/(2*n - 1)*(count('1')/n - 1/2)"),
        "first-one-layer-scaled/sign: $s > 0$ exactly where $w_1 = 1$",
        says.Compares(">", 0, "w[1] == '1'", only=True),
        transforms=GROWING,
    ),
)

"""Sections 2.5 to 2.8 and 3.1: the output layer, cross-entropy, AdamW, initialisation, dropout, two languages."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import (
    Always,
    Among,
    Each,
    Entries,
    Numbers,
    OfVectors,
    Plus,
    Shaped,
    Sum,
    Times,
)
from weightproof.constructions.claims.published import Reading, claim
from weightproof.constructions.fraknoi2024.formulas.naming import sizes, slip

DISTRIBUTIONS: dict[str, Entries] = {"p": "distribution", "q": "distribution"}
WEIGHTS = {f"W_{name}": "0 == 0" for name in ("E", "Q", "K", "V", "O", "1", "2", "H")}
INITIALISED = ("W_E", "W_Q", "W_K", "W_O", "W_1", "W_2")
WITH_2_OVER_D = {f"W_({name})": "0 == 0" for name in ("i,1", "i,2", "l,1")}
STEPPED: dict[str, Numbers] = {"x": "real", "l": "positive", "eta": "positive"}


def step(gradient: str) -> str:
    """What AdamW's first update makes of a gradient: its moments, corrected, are the gradient and its square."""
    return f"({gradient})/(sqrt(({gradient})**2) + e)"


DROPPED: dict[str, Numbers] = {"p": "fraction", "x": "real"}


def cross_entropy(expected: str, of: str, weighed: str, logs: str) -> OfVectors:
    """-E_expected[log of] = -sum of weighed times log logs."""
    sums: dict[str, Each | Sum] = {"left": Sum(f"{expected}*(-log({of}))"), "right": Sum(f"-({weighed}*log({logs}))")}
    return OfVectors("left == right", sums, DISTRIBUTIONS, "v")


ROLES = slip(
    "cross-entropy",
    "The expected value is taken with respect to one distribution, and the sum with respect to the other one; with $p$ "
    "estimated and $q$ true, as is said, it is that with respect to $q$.",
    "section 2.6, definition 2.1",
    "$H(p, q) = -E_q[\\log p] = -\\sum_{x} q(x) \\log p(x)$",
    cross_entropy("q", "p", "q", "p"),
)
DECAY = slip(
    "weight-decay",
    "Weight decay that is added to the gradient goes through the moments, as in Adam with $L_2$ regularization; AdamW "
    "adds it to the update only.",
    "section 2.6",
    "AdamW calculates the moments of the gradient alone, and $\\theta_t = \\theta_{t-1} - \\eta (u + \\lambda "
    "\\theta_{t-1})$ with what is made of them, $u$, is $(1 - \\eta \\lambda) \\theta_{t-1} - \\eta u$",
    Always("x - eta*(u + l*x) == (1 - eta*l)*x - eta*u", {**STEPPED, "u": "real"}),
)
RATE = slip(
    "learning-rate",
    "Two learning rates are printed.",
    "section 2.6",
    "$\\eta_t = 10^{-3}$ is the learning rate of 0.001",
    Always("1/10**3 == 1/1000", {}),
)
LEFT_OUT = slip(
    "initialisation",
    "Of the learnable matrices, those of values and of the output layer are left out.",
    "section 2.7",
    "what is initialised is $W_E, W_Q, W_K, W_V, W_O, W_1, W_2, W_H$",
    Among(WEIGHTS, *INITIALISED, "W_V", "W_H"),
)
BEFORE_RELU = slip(
    "before-relu",
    "Of the matrices with the factor $2/d$, those of the second maps stand behind the activation.",
    "section 2.7",
    "what precedes a ReLU activation is $W_{i,1}$, for $1 \\le i \\le \\ell$",
    Among({"W_(i,1)": "0 == 0", "W_(l,1)": "0 == 0"}, "W_(i,1)", "W_(l,1)"),
)
DROPOUT = slip(
    "dropout",
    "What is removed with probability $p$ is kept with probability $1 - p$, and $m_i = 1$ keeps it.",
    "section 2.8",
    "with $m_i = 1$ with probability $1 - p$, the expected value of $w \\odot m$ is $(1 - p) w$",
    Always("(1 - p)*(x*1) + p*(x*0) == (1 - p)*x", DROPPED),
)

CLAIMS = (
    "section 2.5",
    claim(
        "logits",
        "$logits = out_\\ell W_H + b_H \\in R^{n \\times v}$",
        Shaped(Plus(Times("out", "W_H"), "b_H"), sizes("out", "W_H", "b_H"), "n", "v"),
    ),
    "section 2.6, definition 2.1",
    claim(
        "cross-entropy", "$-E_p[\\log q] = -\\sum_{x} q(x) \\log p(x)$", cross_entropy("p", "q", "q", "p"), slip=ROLES
    ),
    "section 2.6",
    claim(
        "weight-decay",
        "First, the AdamW optimizer calculates the gradient of the loss function and adds the weight decay term. Then "
        "it calculates the first and second moments of the gradient",
        Reading(
            Always(
                f"x - eta*({step('g + l*x')} + l*x) == (1 - eta*l)*x - eta*{step('g')}",
                {**STEPPED, "g": "real", "e": "positive"},
            ),
            "so that at t = 1 AdamW shrinks x by eta l x, whatever the gradient g is",
        ),
        slip=DECAY,
    ),
    claim(
        "moments",
        "it calculates the first and second moments of the gradient and uses decay rates, i.e. takes into account the "
        "previous moments",
        Reading(
            Always("b*((1 - p)*g) + (1 - b)*g == (1 - b*p)*g", {"b": "fraction", "p": "fraction", "g": "real"}),
            "so of a gradient g that stays what it is m_t = (1 - b^t) g, by induction from m_0 = 0; p is b^(t - 1)",
        ),
    ),
    claim(
        "bias-correction",
        "it applies bias correction to these moments, that helps correct the bias toward zero during the early time "
        "steps",
        Reading(
            Always(
                "(g == 0 or ((1 - p)*g)**2 < g**2) and (1 - p)*g/(1 - p) == g",
                {"p": "fraction", "g": "real"},
                "0 < p and p < 1",
            ),
            "m_t = (1 - p) g, for p = b^t, is nearer to 0 than g, and m_t/(1 - p) is g",
        ),
    ),
    "section 2.6, section 5.2",
    claim(
        "learning-rate",
        "Let $\\eta_t = 10^{-4}$ the learning rate; learning rate = 0.001",
        Reading(Always("1/10**4 == 1/1000", {}), "of the same training"),
        slip=RATE,
    ),
    "section 2.7",
    claim(
        "initialisation",
        "the parameters are initialised so: $W_E, W_Q, W_K, W_O, W_1, W_2$",
        Among(WEIGHTS, *INITIALISED),
        slip=LEFT_OUT,
    ),
    claim(
        "before-relu",
        "the factor $\\frac{2}{d}$, of $W_{i,1}, W_{i,2}, W_{\\ell,1}$, precedes a ReLU activation",
        Among(WITH_2_OVER_D, "W_(i,1)", "W_(l,1)"),
        slip=BEFORE_RELU,
    ),
    "section 2.8",
    claim(
        "dropout",
        "with $m_i = 1$ with probability $p$, the expected value of $w \\odot m$ is $(1 - p) w$",
        Always("p*(x*1) + (1 - p)*(x*0) == (1 - p)*x", DROPPED),
        slip=DROPOUT,
    ),
    "section 3.1, section 5",
    claim(
        "majority",
        "$\\sum_{i=1}^{n} x_i > \\frac{n}{2}$ says that 1s are in the majority, and is false in case of a tie",
        Always(
            "(ones > n/2) == (ones > n - ones) and not (2*ones == n and ones > n/2)",
            {"n": "natural", "ones": "integer"},
            "0 <= ones and ones <= n",
        ),
    ),
)

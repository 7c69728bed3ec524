"""What Bhattamishra et al. (2020) print about no network in particular: sections 3.2 and 4.2, figure 2, appendices B.2,
C.1 and D."""

from weightproof.constructions.claims.formulas import Always, Needs, Numbers, Role, Takes
from weightproof.constructions.claims.published import Claims, Printed, Reading, slips

NAME = "bhattamishra2020-formulas"
SIGMA = "((0 <= x and x <= 1)*x + (x > 1))"
FEED_FORWARD = "decoder feed-forward network"


def needs(component: str, role: Role) -> Reading:
    return Reading(Needs(component, role), "complete: it simulates every recurrent network")


SLIPS = slips(
    "bhattamishra2020",
    NAME,
    "sigma: At 0 and at 1 no case applies; appendix B.2 has them in the second one.",
    r"appendix B.2, (4): $\sigma(x)$ is 0 for $x < 0$, $x$ for $0 \leq x \leq 1$ and 1 for $x > 1$: one case applies "
    "to every $x$",
    Always("(x < 0) + (0 <= x and x <= 1) + (x > 1) == 1", {"x": "real"}),
    r"feed-forward: The attention computes, too: hardmax makes $\max(0, x)$ of a number $x$, and heads add such "
    "numbers up.",
    "section 4.2: the feed-forward network of the decoder is not necessary",
    Needs(FEED_FORWARD, "not necessary"),
    "constant-output: To the output of the decoder the position encoding is added, which is another one at each step.",
    "proposition 4.3: the output of the network, before $pos(t + 1)$ is added, will also be constant at all steps",
    Takes("output", 1, positions=1),
)
VALUES: dict[str, Numbers] = {"delta": "positive", "k": "natural", "p": "natural"}
GIVEN = "k*delta <= 1 and (k + 1)*delta > 1"

printed = Printed(
    "what transformers need of their components, and formulas of a framework for them",
    "Bhattamishra et al. (2020), sections 3.2 and 4.2, figure 2, appendices B.2, C.1 and D",
    Claims(
        NAME,
        "section 3.2",
        r"sigma: $\sigma(x)$ takes value 0 for $x < 0$, value $x$ for $0 < x < 1$ and value 1 for $x > 1$: one case "
        "applies to every $x$",
        Always("(x < 0) + (0 < x and x < 1) + (x > 1) == 1", {"x": "real"}),
        SLIPS["sigma"],
        r"relu: $\sigma(x) = ReLU(x) - ReLU(x - 1)$",
        Always(f"{SIGMA} == (x > 0)*x - (x - 1 > 0)*(x - 1)", {"x": "real"}),
        "appendix D",
        r"range-of-Delta: $0 \leq \Delta_{t,k} \leq 1$, as $\Delta_t = \sigma(\omega_t - \omega_{t-1})$",
        Always(f"0 <= {SIGMA} and {SIGMA} <= 1", {"x": "real"}),
        "proposition 4.3",
        r"task: where $\Delta < 1/2^n$, the numbers $0, \Delta, 2 \Delta, \dots, k \Delta$, with $k$ the maximum "
        r"integer such that $k \Delta \leq 1$, are more than $2^n - 1$",
        Always("k + 1 > p - 1", VALUES, f"{GIVEN} and delta*p < 1"),
        "section 4.2",
        "encoder-attention: either the attention head or the residual connection is sufficient to achieve "
        "Turing-completeness: in the encoder",
        needs("encoder self-attention; residual around it", "either suffices"),
        "decoder-attention: either the attention head or the residual connection is sufficient to achieve "
        "Turing-completeness: in the decoder",
        needs("decoder-decoder attention; residual around it", "either suffices"),
        "encoder-feed-forward: for the FFN in the encoder layer: either the residual connection or the FFN is "
        "sufficient for Turing-completeness",
        needs("encoder feed-forward network; residual around it", "either suffices"),
        "cross-attention: for the decoder-encoder attention head, since it is the only way for the decoder to "
        "obtain information about the input, it is necessary for the completeness",
        needs("decoder-encoder attention", "essential"),
        "feed-forward: the FFN is the only component that can perform computations based on the input and the "
        "computations performed earlier via recurrence and hence, the model is not Turing-complete without it",
        needs(FEED_FORWARD, "essential"),
        SLIPS["feed-forward"],
        "figure 2",
        "dashed: the dashed residual connection is not necessary for Turing-completeness of the network",
        needs("residual around the decoder's feed-forward network", "not necessary"),
        "proposition 4.3",
        "residual: the class of Transformers without residual connection around the decoder-encoder attention block "
        "is not Turing-complete",
        needs("residual around decoder-encoder attention", "essential"),
        "values: without residual connection $a_t$ can take on at most $2^n - 1$ values",
        Takes("attended", "p - 1"),
        r"constant: if the network receives a single input $\Delta$, the vector $a_t$ will be a constant at any step",
        Takes("attended", 1, positions=1),
        r"constant-output: and hence the output of the network, $y_1, y_2, \dots$, will also be constant at all steps",
        Takes("input", 1, positions=1),
        SLIPS["constant-output"],
        notation="p is 2^n, and delta the number of the task.",
    ),
)

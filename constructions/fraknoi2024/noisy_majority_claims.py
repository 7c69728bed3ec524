"""What Fraknoi (2024) prints about noisy majority by one number, both tasks: sections 5.2 and 5.3; and the mistakes
of print in it, each with its smallest correction."""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, slips

A = "(exp(1)*(N + 1) + N)/(1 + exp(1))"
FOUND = (
    "(exp(N)*(count('0')*N + count('1')*exp(1)*(N + 1)) + exp(1))"
    "/(1 + count('0')*exp(N) + count('1')*exp(N + 1) + count('2') + exp(1))"
)
"""What the head finds at '='."""
FOUND_AT_4 = (
    "(count('0')*N*exp(N**3) + count('1')*(N + 1)*exp(N**3 + N**2) + exp(N**2) + N**2*exp(N**4))"
    "/(1 + count('0')*exp(N**3) + count('1')*exp(N**3 + N**2) + count('2') + exp(N**2) + exp(N**4))"
)
"""What it finds at '4', after one '='."""
ASKED = "count('=') == 1"

SLIPS = (
    slips(
        "fraknoi2024",
        "noisy-majority-as-printed",
        "exchanged: A 1 is the greater number, so that more 1s make $y_=$ greater: the outputs of 4 and 5 are "
        "exchanged, and ties are lost to [BOS], '=' and the 2s, which pull $y_=$ below $a$.",
        r"section 5.3: $n_0 \ge n_1$ implies $y_= < a$",
        says.Compares("<", 0, "count('0') >= count('1')", of="4"),
        "a: $n$ is the length of the sequence; the embeddings are $N$ and $N + 1$.",
        r"section 5.3: $a = \frac{e(N+1)+N}{1+e}$ is $\frac{n_0 N + n_1 e(N+1)}{n_0 + n_1 e}$ where $n_0 = n_1$",
        says.Value(
            says.Formula("(count('0')*N + count('1')*exp(1)*(N + 1))/(count('0') + count('1')*exp(1))"),
            A,
            when="count('0') == count('1') and count('0') > 0",
        ),
        "residual: The residual connection adds $x_= = 1$ to $y_=$; the other two thresholds allow for it, that of "
        "[EOS] does not.",
        "section 5.3: $c = 4 (1 + y_=) - 12(N+1)$",
        says.Value(says.Logit("[EOS]"), f"4*(1 + {FOUND}) - 12*(N + 1)"),
        "W-out: There are eight tokens, and five of them before 4.",
        "section 5.3: $W_{out} = (0, 0, 0, 0, 0, 1, -1, 4)$, transposed",
        says.Matrix(says.Weights("W"), *"00000", "1", "-1", "4"),
        "ratio: Without a 1 there is no $n_0/n_1$.",
        r"section 5.3: $n_0 \ge n_1$",
        says.Value(says.Formula("(count('0') >= count('1'))"), "(count('0') - count('1') >= 0)"),
        "split: The three parts are more than the whole.",
        "section 5.2: 70/15/15",
        says.Value(says.Formula("70 + 15 + 15"), "100"),
    )
    | slips(
        "fraknoi2024",
        "noisy-majority-end-as-printed",
        "y4: The query at 4 is $N^2$, not 1: the weights are $e^{N^3}$, $e^{N^3+N^2}$ and $e^{N^2}$; and in the "
        "denominator $v_4$ has no place.",
        r"section 5.3: $y_4 = \frac{n_0 N e^{N^3} + n_1 (N+1) e^{N^3+N^2} + e^{N^2} + N^2 e^{N^4}}{1 + n_0 e^{N^3} + "
        "n_1 e^{N^3+N^2} + n_2 + e^{N^2} + e^{N^4}}$",
        says.Value(says.Logit("[EOS]"), f"4*(N**2 + {FOUND_AT_4}) - 12*(N + 1)", when=ASKED),
        "residual-4: The residual connection adds $x_4 = N^2$ to $y_4$, which is about $N^2$ itself.",
        "section 5.3: at [EOS]: about $8 N^2 - 12 (N+1)$",
        says.Value(says.Logit("[EOS]"), "8*N**2 - 12*(N + 1)", when=ASKED, tends="N"),
    )
    | slips(
        "fraknoi2024",
        "noisy-majority",
        "solved: For any $N$ enough 2s outweigh a 1; and with $n_0 + n_1 = 0$ there is nothing that goes wrong.",
        r"section 5.3: with the outputs of 4 and 5 exchanged, the right token is predicted for $N \ge 3$ and $e^{N+1} "
        "> (n_2 + 1 + e)(N (1 + e) + e)$",
        says.Predicts("N >= 3 and exp(N + 1) > (count('2') + 1 + exp(1))*(N*(1 + exp(1)) + exp(1))"),
    )
)

RATIO = "(count('0')*N + count('1')*exp(1)*(N + 1))/(count('0') + count('1')*exp(1))"
BIAS = A.replace(" ", "")
SOME = "count('0') + count('1') > 0"


def embedded(token: str, number: str) -> tuple[str, says.Matrix]:
    """A row of the word embedding."""
    printed = f"noisy-majority/WE-{token}: $W_E$: {token} is ${number.replace('**', '^')}$"
    return printed, says.Matrix(says.Weights("WE", token=token), number)


EMBEDDED = {"[BOS]": "0", "0": "N", "1": "N+1", "2": "0", "=": "1", "4": "N**2", "5": "N**2", "[EOS]": "0"}

AS_PRINTED = (
    "(count('0')*exp(N)*N + count('1')*exp(N + 1)*(N + 1) + exp(1) + exp(N**4)*N**2)"
    "/(1 + count('0')*exp(N) + count('1')*exp(N + 1) + count('2') + exp(1) + exp(N**4)*N**2)"
)

claims = (
    Claims(
        "noisy-majority-as-printed",
        "section 5.2",
        "noisy-majority/split: 75/15/15",
        says.Value(says.Formula("75 + 15 + 15"), "100"),
        SLIPS["split"],
        "section 5.1",
        r"noisy-majority/tokens: $\Sigma = \{[BOS], 0, 1, 2, =, 4, 5, [EOS]\}$",
        says.Domain("WE", *EMBEDDED),
        "section 5.2",
        "noisy-majority/layers: one-layer",
        says.Count("layers", 1),
        "noisy-majority/attention-only: attention-only",
        says.Count("units", 0),
        "noisy-majority/positions: no position encoding",
        says.Domain("PE"),
        "section 5.3",
        "noisy-majority/width: $d = 1$",
        says.Count("width", 1),
        "noisy-majority/heads: one head",
        says.Count("heads", 1),
        *(item for row in EMBEDDED.items() for item in embedded(*row)),
        "noisy-majority/W_E: $W_E = (0, N, N, N+1, 0, 1, N^2, N^2, 0)$, transposed",
        says.Matrix(says.Weights("WE"), "0", "N", "N", "N+1", "0", "1", "N**2", "N**2", "0"),
        SLIPS["W-out"],
        *says.matrix("noisy-majority/W_K", "W_K", says.Weights("W_K", 1, 1), "1"),
        *says.matrix("noisy-majority/W_Q", "W_Q", says.Weights("W_Q", 1, 1), "1"),
        *says.matrix("noisy-majority/W_V", "W_V", says.Weights("W_V", 1, 1), "1"),
        "noisy-majority/solves: solves the problem, if $n_0 + n_1 > 0$",
        says.Predicts(SOME),
        SLIPS["exchanged"],
        SLIPS["solved"],
        r"noisy-majority/y: $y_= = \frac{e^N (n_0 N + n_1 e (N+1)) + e}{1 + n_0 e^N + n_1 e^{N+1} + n_2 + e}$",
        says.Value(says.Stream("x", 1), f"1 + {FOUND}", when="i == n - 1"),
        r"noisy-majority/y-approximately: $y_=$ is about $\frac{n_0 N + n_1 e (N+1)}{n_0 + n_1 e}$ if $n_0 + n_1 > 0$ "
        "and $N$ is large",
        says.Value(says.Logit("4"), f"{RATIO} - {A}", when=SOME, tends="N"),
        r"noisy-majority/y-a: $y_= \ge a$ exactly where $n_0 \ge n_1$",
        says.Compares(">=", 0, "count('0') >= count('1')", only=True, given=SOME, of="4"),
        SLIPS["exchanged"],
        r"noisy-majority/a: $a := \frac{e(n+1)+n}{1+e}$",
        says.Value(says.Formula(A), "(exp(1)*(n + 1) + n)/(1 + exp(1))"),
        SLIPS["a"],
        *says.matrix("noisy-majority/W_out", "W_{out}", says.Weights("W"), *"000000", "1", "-1", "4"),
        SLIPS["W-out"],
        r"noisy-majority/b_out: $b_{out} = (0, 0, 0, 0, 0, 0, -a - 1, a + 1, -4 \cdot 3 (N+1))$",
        says.Matrix(says.Weights("b"), *"000000", f"-{BIAS}-1", f"{BIAS}+1", "-4*3*(N+1)"),
        SLIPS["W-out"],
        "noisy-majority/read: $(x_= + y_=) W_{out} + b_{out}$",
        says.Output("last"),
        "noisy-majority/logit-4: at 4: $y_= - a$",
        says.Value(says.Logit("4"), f"{FOUND} - {A}"),
        "noisy-majority/logit-5: at 5: $a - y_=$",
        says.Value(says.Logit("5"), f"{A} - {FOUND}"),
        "noisy-majority/logit-EOS: at [EOS]: $c = 4 y_= - 12 (N+1)$",
        says.Value(says.Logit("[EOS]"), f"4*{FOUND} - 12*(N + 1)"),
        SLIPS["residual"],
        "noisy-majority/c: $c < 0$",
        says.Compares("<", 0, "n >= 1", of="[EOS]"),
        r"noisy-majority/depending: predicts 4 or 5 depending on whether $n_0/n_1 \ge 1$ or not",
        says.Value(says.Formula("(count('0') >= count('1'))"), "(count('0')/count('1') >= 1)", when=SOME),
        SLIPS["ratio"],
        "noisy-majority/predicts: predicts indeed 4 or 5 depending on $n_0$ and $n_1$",
        says.Predicts(f"{SOME} and count('2') == 0"),
        SLIPS["exchanged"],
        notation="$n_0$, $n_1$ and $n_2$ are the numbers of 0s, 1s and 2s, and $n$ here is the number of positions.",
    ),
    Claims(
        "noisy-majority-end-as-printed",
        "section 5.3",
        r"noisy-majority-end/y: $y_4 = \frac{v_{BOS} + n_0 e^N v_0 + n_1 e^{N+1} v_1 + n_2 v_2 + e v_= + e^{N^4} "
        "v_4}{1 + n_0 e^N + n_1 e^{N+1} + n_2 + e + e^{N^4} v_4}$",
        says.Value(says.Logit("[EOS]"), f"4*(N**2 + {AS_PRINTED}) - 12*(N + 1)", when=ASKED),
        SLIPS["y4"],
        "noisy-majority-end/y-approximately: $y_4$ is about $N^2$ if $N$ is large",
        says.Value(says.Logit("4"), f"N**2 + N**2 - {A} - 1", when=ASKED, tends="N"),
        "noisy-majority-end/logit-EOS: at [EOS]: about $4 N^2 - 12 (N+1)$",
        says.Value(says.Logit("[EOS]"), "4*N**2 - 12*(N + 1)", when=ASKED, tends="N"),
        SLIPS["residual-4"],
        "noisy-majority-end/logit-4: at 4: about $N^2 - a - 1$",
        says.Value(says.Logit("4"), f"N**2 - {A} - 1", when=ASKED, tends="N"),
        SLIPS["residual-4"],
        "noisy-majority-end/logit-5: at 5: about $a + 1 - N^2$",
        says.Value(says.Logit("5"), f"{A} + 1 - N**2", when=ASKED, tends="N"),
        SLIPS["residual-4"],
        "noisy-majority-end/predicts: predicts [EOS] if $N$ is large enough",
        says.Predicts("N >= 23/5"),
        notation="$n_0$, $n_1$ and $n_2$ are the numbers of 0s, 1s and 2s.",
    ),
)

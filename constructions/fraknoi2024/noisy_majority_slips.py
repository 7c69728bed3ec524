"""The distinct mistakes of print in Fraknoi (2024), sections 5.2 and 5.3, each with its smallest correction."""

from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.statements import Compares, Formula, Logit, Matrix, Predicts, Value, Weights

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

EXCHANGED = Slip(
    "fraknoi2024/exchanged",
    "noisy-majority-as-printed",
    "A 1 is the greater number, so that more 1s make $y_=$ greater: the outputs of 4 and 5 are exchanged, and ties are "
    "lost to [BOS], '=' and the 2s, which pull $y_=$ below $a$.",
    "section 5.3",
    "$n_0 \\ge n_1$ implies $y_= < a$",
    Compares("<", 0, "count('0') >= count('1')", of="4"),
)
THRESHOLD = Slip(
    "fraknoi2024/a",
    "noisy-majority-as-printed",
    "$n$ is the length of the sequence; the embeddings are $N$ and $N + 1$.",
    "section 5.3",
    "$a = \\frac{e(N+1)+N}{1+e}$ is $\\frac{n_0 N + n_1 e(N+1)}{n_0 + n_1 e}$ where $n_0 = n_1$",
    Value(
        Formula("(count('0')*N + count('1')*exp(1)*(N + 1))/(count('0') + count('1')*exp(1))"),
        A,
        when="count('0') == count('1') and count('0') > 0",
    ),
)
RESIDUAL = Slip(
    "fraknoi2024/residual",
    "noisy-majority-as-printed",
    "The residual connection adds $x_= = 1$ to $y_=$; the other two thresholds allow for it, that of [EOS] does not.",
    "section 5.3",
    "$c = 4 (1 + y_=) - 12(N+1)$",
    Value(Logit("[EOS]"), f"4*(1 + {FOUND}) - 12*(N + 1)"),
)
ONE_MORE = Slip(
    "fraknoi2024/W-out",
    "noisy-majority-as-printed",
    "There are eight tokens, and five of them before 4.",
    "section 5.3",
    "$W_{out} = (0, 0, 0, 0, 0, 1, -1, 4)$, transposed",
    Matrix(Weights("W"), *"00000", "1", "-1", "4"),
)
NO_RATIO = Slip(
    "fraknoi2024/ratio",
    "noisy-majority-as-printed",
    "Without a 1 there is no $n_0/n_1$.",
    "section 5.3",
    "$n_0 \\ge n_1$",
    Value(Formula("(count('0') >= count('1'))"), "(count('0') - count('1') >= 0)"),
)
SPLIT = Slip(
    "fraknoi2024/split",
    "noisy-majority-as-printed",
    "The three parts are more than the whole.",
    "section 5.2",
    "70/15/15",
    Value(Formula("70 + 15 + 15"), "100"),
)
AT_4 = Slip(
    "fraknoi2024/y4",
    "noisy-majority-end-as-printed",
    "The query at 4 is $N^2$, not 1: the weights are $e^{N^3}$, $e^{N^3+N^2}$ and $e^{N^2}$; and in the denominator "
    "$v_4$ has no place.",
    "section 5.3",
    "$y_4 = \\frac{n_0 N e^{N^3} + n_1 (N+1) e^{N^3+N^2} + e^{N^2} + N^2 e^{N^4}}"
    "{1 + n_0 e^{N^3} + n_1 e^{N^3+N^2} + n_2 + e^{N^2} + e^{N^4}}$",
    Value(Logit("[EOS]"), f"4*(N**2 + {FOUND_AT_4}) - 12*(N + 1)", when=ASKED),
)
RESIDUAL_AT_4 = Slip(
    "fraknoi2024/residual-4",
    "noisy-majority-end-as-printed",
    "The residual connection adds $x_4 = N^2$ to $y_4$, which is about $N^2$ itself.",
    "section 5.3",
    "at [EOS]: about $8 N^2 - 12 (N+1)$",
    Value(Logit("[EOS]"), "8*N**2 - 12*(N + 1)", when=ASKED, tends="N"),
)
SOLVED = Slip(
    "fraknoi2024/solved",
    "noisy-majority",
    "For any $N$ enough 2s outweigh a 1; and with $n_0 + n_1 = 0$ there is nothing that goes wrong.",
    "section 5.3",
    "with the outputs of 4 and 5 exchanged, the right token is predicted for $N \\ge 3$ and "
    "$e^{N+1} > (n_2 + 1 + e)(N (1 + e) + e)$",
    Predicts("N >= 3 and exp(N + 1) > (count('2') + 1 + exp(1))*(N*(1 + exp(1)) + exp(1))"),
)

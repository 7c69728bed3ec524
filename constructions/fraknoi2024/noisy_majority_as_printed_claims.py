"""What Fraknoi (2024) prints about noisy majority by one number: sections 5.2 and 5.3, the first task."""

from weightproof.constructions.claims.published import Claims, Published, claim
from weightproof.constructions.claims.statements import (
    Compares,
    Count,
    Domain,
    Formula,
    Logit,
    Matrix,
    Output,
    Predicts,
    Stream,
    Value,
    Weights,
)
from weightproof.constructions.fraknoi2024.noisy_majority_slips import (
    EXCHANGED,
    FOUND,
    NO_RATIO,
    ONE_MORE,
    RESIDUAL,
    SOLVED,
    SPLIT,
    THRESHOLD,
    A,
)

RATIO = "(count('0')*N + count('1')*exp(1)*(N + 1))/(count('0') + count('1')*exp(1))"
BIAS = A.replace(" ", "")
SOME = "count('0') + count('1') > 0"


def embedded(token: str, number: str) -> Published:
    return Published(
        f"noisy-majority/WE-{token}",
        "section 5.3",
        f"$W_E$: {token} is ${number.replace('**', '^')}$",
        Matrix(Weights("WE", token=token), number),
    )


claims = Claims(
    "noisy-majority-as-printed",
    "section 5.2",
    claim("noisy-majority/split", "75/15/15", Value(Formula("75 + 15 + 15"), "100"), slip=SPLIT),
    "section 5.1",
    claim(
        "noisy-majority/tokens",
        "$\\Sigma = \\{[BOS], 0, 1, 2, =, 4, 5, [EOS]\\}$",
        Domain("WE", "[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"),
    ),
    "section 5.2",
    claim("noisy-majority/layers", "one-layer", Count("layers", 1)),
    claim("noisy-majority/attention-only", "attention-only", Count("units", 0)),
    claim("noisy-majority/positions", "no position encoding", Domain("PE")),
    "section 5.3",
    claim("noisy-majority/width", "$d = 1$", Count("width", 1)),
    claim("noisy-majority/heads", "one head", Count("heads", 1)),
    *map(embedded, ("[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"), ("0", "N", "N+1", "0", "1", "N**2", "N**2", "0")),
    "section 5.3",
    claim(
        "noisy-majority/W_E",
        "$W_E = (0, N, N, N+1, 0, 1, N^2, N^2, 0)$, transposed",
        Matrix(Weights("WE"), "0", "N", "N", "N+1", "0", "1", "N**2", "N**2", "0"),
        slip=ONE_MORE,
    ),
    claim("noisy-majority/W_K", "$W_K = 1$", Matrix(Weights("W_K", 1, 1), "1")),
    claim("noisy-majority/W_Q", "$W_Q = 1$", Matrix(Weights("W_Q", 1, 1), "1")),
    claim("noisy-majority/W_V", "$W_V = 1$", Matrix(Weights("W_V", 1, 1), "1")),
    claim("noisy-majority/solves", "solves the problem, if $n_0 + n_1 > 0$", Predicts(SOME), slip=(EXCHANGED, SOLVED)),
    claim(
        "noisy-majority/y",
        "$y_= = \\frac{e^N (n_0 N + n_1 e (N+1)) + e}{1 + n_0 e^N + n_1 e^{N+1} + n_2 + e}$",
        Value(Stream("x", 1), f"1 + {FOUND}", when="i == n - 1"),
    ),
    claim(
        "noisy-majority/y-approximately",
        "$y_=$ is about $\\frac{n_0 N + n_1 e (N+1)}{n_0 + n_1 e}$ if $n_0 + n_1 > 0$ and $N$ is large",
        Value(Logit("4"), f"{RATIO} - {A}", when=SOME, tends="N"),
    ),
    claim(
        "noisy-majority/y-a",
        "$y_= \\ge a$ exactly where $n_0 \\ge n_1$",
        Compares(">=", 0, "count('0') >= count('1')", only=True, given=SOME, of="4"),
        slip=EXCHANGED,
    ),
    claim(
        "noisy-majority/a",
        "$a := \\frac{e(n+1)+n}{1+e}$",
        Value(Formula(A), "(exp(1)*(n + 1) + n)/(1 + exp(1))"),
        slip=THRESHOLD,
    ),
    claim(
        "noisy-majority/W_out",
        "$W_{out} = (0, 0, 0, 0, 0, 0, 1, -1, 4)$",
        Matrix(Weights("W"), *"000000", "1", "-1", "4"),
        slip=ONE_MORE,
    ),
    claim(
        "noisy-majority/b_out",
        "$b_{out} = (0, 0, 0, 0, 0, 0, -a - 1, a + 1, -4 \\cdot 3 (N+1))$",
        Matrix(Weights("b"), *"000000", f"-{BIAS}-1", f"{BIAS}+1", "-4*3*(N+1)"),
        slip=ONE_MORE,
    ),
    claim("noisy-majority/read", "$(x_= + y_=) W_{out} + b_{out}$", Output("last")),
    claim("noisy-majority/logit-4", "at 4: $y_= - a$", Value(Logit("4"), f"{FOUND} - {A}")),
    claim("noisy-majority/logit-5", "at 5: $a - y_=$", Value(Logit("5"), f"{A} - {FOUND}")),
    claim(
        "noisy-majority/logit-EOS",
        "at [EOS]: $c = 4 y_= - 12 (N+1)$",
        Value(Logit("[EOS]"), f"4*{FOUND} - 12*(N + 1)"),
        slip=RESIDUAL,
    ),
    claim("noisy-majority/c", "$c < 0$", Compares("<", 0, "n >= 1", of="[EOS]")),
    claim(
        "noisy-majority/depending",
        "predicts 4 or 5 depending on whether $n_0/n_1 \\ge 1$ or not",
        Value(Formula("(count('0') >= count('1'))"), "(count('0')/count('1') >= 1)", when=SOME),
        slip=NO_RATIO,
    ),
    claim(
        "noisy-majority/predicts",
        "predicts indeed 4 or 5 depending on $n_0$ and $n_1$",
        Predicts(f"{SOME} and count('2') == 0"),
        slip=EXCHANGED,
    ),
    notation="$n_0$, $n_1$ and $n_2$ are the numbers of 0s, 1s and 2s, and $n$ here is the number of positions.",
)

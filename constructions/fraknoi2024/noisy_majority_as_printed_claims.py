"""What Fraknoi (2024) prints about noisy majority by one number: sections 5.2 and 5.3, the first task."""

from weightproof.constructions.claims.published import Claims, Published
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
    Published("noisy-majority/split", "section 5.2", "75/15/15", Value(Formula("75 + 15 + 15"), "100"), slip=SPLIT),
    Published(
        "noisy-majority/tokens",
        "section 5.1",
        "$\\Sigma = \\{[BOS], 0, 1, 2, =, 4, 5, [EOS]\\}$",
        Domain("WE", "[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"),
    ),
    Published("noisy-majority/layers", "section 5.2", "one-layer", Count("layers", 1)),
    Published("noisy-majority/attention-only", "section 5.2", "attention-only", Count("units", 0)),
    Published("noisy-majority/positions", "section 5.2", "no position encoding", Domain("PE")),
    Published("noisy-majority/width", "section 5.3", "$d = 1$", Count("width", 1)),
    Published("noisy-majority/heads", "section 5.3", "one head", Count("heads", 1)),
    *map(
        embedded,
        ("[BOS]", "0", "1", "2", "=", "4", "5", "[EOS]"),
        ("0", "N", "N+1", "0", "1", "N**2", "N**2", "0"),
    ),
    Published(
        "noisy-majority/W_E",
        "section 5.3",
        "$W_E = (0, N, N, N+1, 0, 1, N^2, N^2, 0)$, transposed",
        Matrix(Weights("WE"), "0", "N", "N", "N+1", "0", "1", "N**2", "N**2", "0"),
        slip=ONE_MORE,
    ),
    Published("noisy-majority/W_K", "section 5.3", "$W_K = 1$", Matrix(Weights("W_K", 1, 1), "1")),
    Published("noisy-majority/W_Q", "section 5.3", "$W_Q = 1$", Matrix(Weights("W_Q", 1, 1), "1")),
    Published("noisy-majority/W_V", "section 5.3", "$W_V = 1$", Matrix(Weights("W_V", 1, 1), "1")),
    Published(
        "noisy-majority/solves",
        "section 5.3",
        "solves the problem, if $n_0 + n_1 > 0$",
        Predicts(SOME),
        slip=(EXCHANGED, SOLVED),
    ),
    Published(
        "noisy-majority/y",
        "section 5.3",
        "$y_= = \\frac{e^N (n_0 N + n_1 e (N+1)) + e}{1 + n_0 e^N + n_1 e^{N+1} + n_2 + e}$",
        Value(Stream("x", 1), f"1 + {FOUND}", when="i == n - 1"),
    ),
    Published(
        "noisy-majority/y-approximately",
        "section 5.3",
        "$y_=$ is about $\\frac{n_0 N + n_1 e (N+1)}{n_0 + n_1 e}$ if $n_0 + n_1 > 0$ and $N$ is large",
        Value(Logit("4"), f"{RATIO} - {A}", when=SOME, tends="N"),
    ),
    Published(
        "noisy-majority/y-a",
        "section 5.3",
        "$y_= \\ge a$ exactly where $n_0 \\ge n_1$",
        Compares(">=", 0, "count('0') >= count('1')", only=True, given=SOME, of="4"),
        slip=EXCHANGED,
    ),
    Published(
        "noisy-majority/a",
        "section 5.3",
        "$a := \\frac{e(n+1)+n}{1+e}$",
        Value(Formula(A), "(exp(1)*(n + 1) + n)/(1 + exp(1))"),
        slip=THRESHOLD,
    ),
    Published(
        "noisy-majority/W_out",
        "section 5.3",
        "$W_{out} = (0, 0, 0, 0, 0, 0, 1, -1, 4)$",
        Matrix(Weights("W"), *"000000", "1", "-1", "4"),
        slip=ONE_MORE,
    ),
    Published(
        "noisy-majority/b_out",
        "section 5.3",
        "$b_{out} = (0, 0, 0, 0, 0, 0, -a - 1, a + 1, -4 \\cdot 3 (N+1))$",
        Matrix(Weights("b"), *"000000", f"-{BIAS}-1", f"{BIAS}+1", "-4*3*(N+1)"),
        slip=ONE_MORE,
    ),
    Published("noisy-majority/read", "section 5.3", "$(x_= + y_=) W_{out} + b_{out}$", Output("last")),
    Published("noisy-majority/logit-4", "section 5.3", "at 4: $y_= - a$", Value(Logit("4"), f"{FOUND} - {A}")),
    Published("noisy-majority/logit-5", "section 5.3", "at 5: $a - y_=$", Value(Logit("5"), f"{A} - {FOUND}")),
    Published(
        "noisy-majority/logit-EOS",
        "section 5.3",
        "at [EOS]: $c = 4 y_= - 12 (N+1)$",
        Value(Logit("[EOS]"), f"4*{FOUND} - 12*(N + 1)"),
        slip=RESIDUAL,
    ),
    Published("noisy-majority/c", "section 5.3", "$c < 0$", Compares("<", 0, "n >= 1", of="[EOS]")),
    Published(
        "noisy-majority/depending",
        "section 5.3",
        "predicts 4 or 5 depending on whether $n_0/n_1 \\ge 1$ or not",
        Value(Formula("(count('0') >= count('1'))"), "(count('0')/count('1') >= 1)", when=SOME),
        slip=NO_RATIO,
    ),
    Published(
        "noisy-majority/predicts",
        "section 5.3",
        "predicts indeed 4 or 5 depending on $n_0$ and $n_1$",
        Predicts(f"{SOME} and count('2') == 0"),
        slip=EXCHANGED,
    ),
    notation="$n_0$, $n_1$ and $n_2$ are the numbers of 0s, 1s and 2s, and $n$ here is the number of positions.",
)

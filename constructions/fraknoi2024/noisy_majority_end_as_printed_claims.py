"""What Fraknoi (2024) prints about noisy majority by one number: section 5.3, the second task."""

from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.statements import Logit, Predicts, Value
from weightproof.constructions.fraknoi2024.noisy_majority_slips import ASKED, AT_4, RESIDUAL_AT_4, A

AS_PRINTED = (
    "(count('0')*exp(N)*N + count('1')*exp(N + 1)*(N + 1) + exp(1) + exp(N**4)*N**2)"
    "/(1 + count('0')*exp(N) + count('1')*exp(N + 1) + count('2') + exp(1) + exp(N**4)*N**2)"
)

claims = Claims(
    "noisy-majority-end-as-printed",
    "section 5.3",
    claim(
        "noisy-majority-end/y",
        "$y_4 = \\frac{v_{BOS} + n_0 e^N v_0 + n_1 e^{N+1} v_1 + n_2 v_2 + e v_= + e^{N^4} v_4}"
        "{1 + n_0 e^N + n_1 e^{N+1} + n_2 + e + e^{N^4} v_4}$",
        Value(Logit("[EOS]"), f"4*(N**2 + {AS_PRINTED}) - 12*(N + 1)", when=ASKED),
        slip=AT_4,
    ),
    claim(
        "noisy-majority-end/y-approximately",
        "$y_4$ is about $N^2$ if $N$ is large",
        Value(Logit("4"), f"N**2 + N**2 - {A} - 1", when=ASKED, tends="N"),
    ),
    claim(
        "noisy-majority-end/logit-EOS",
        "at [EOS]: about $4 N^2 - 12 (N+1)$",
        Value(Logit("[EOS]"), "4*N**2 - 12*(N + 1)", when=ASKED, tends="N"),
        slip=RESIDUAL_AT_4,
    ),
    claim(
        "noisy-majority-end/logit-4",
        "at 4: about $N^2 - a - 1$",
        Value(Logit("4"), f"N**2 - {A} - 1", when=ASKED, tends="N"),
        slip=RESIDUAL_AT_4,
    ),
    claim(
        "noisy-majority-end/logit-5",
        "at 5: about $a + 1 - N^2$",
        Value(Logit("5"), f"{A} + 1 - N**2", when=ASKED, tends="N"),
        slip=RESIDUAL_AT_4,
    ),
    claim("noisy-majority-end/predicts", "predicts [EOS] if $N$ is large enough", Predicts("N >= 23/5")),
    notation="$n_0$, $n_1$ and $n_2$ are the numbers of 0s, 1s and 2s.",
)

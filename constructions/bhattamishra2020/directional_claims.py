"""What Bhattamishra et al. (2020) print about the transformer with masks and without positions: theorem 4.2 and
appendix D."""

from __future__ import annotations

from weightproof.constructions.bhattamishra2020.directional_lemma_claims import of_lemmas
from weightproof.constructions.bhattamishra2020.directional_slips import NAME, slips_of
from weightproof.constructions.bhattamishra2020.directional_vectors import FRACTIONS, OTHER, TOKEN, WIDTH, Vectors
from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.stepwise import (
    BACK,
    IS,
    MEAN,
    NOW,
    Attends,
    Blocks,
    Growth,
    Holds,
    Ratio,
    Score,
    Share,
    Simulates,
)
from weightproof.constructions.machines.rnn import END, RNN


def claims(rnn: RNN) -> Claims:
    v, slips = Vectors(rnn), slips_of(rnn)
    tokens = rnn.tokens
    x, omega, delta, h, after = v.x, v.omega, v.delta, v.h, v.after
    halved, y, first, second, update = v.halved, v.y, v.first, v.second, v.update
    looked, second_update, late = v.looked, v.second_update, v.late
    return Claims(
        NAME,
        "theorem 4.2, proof",
        claim(
            "4.2/y_t",
            "$y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \\omega_{t-1}]$ for $t \\leq n$",
            Holds("input", 1, y, "0 <= t <= n"),
            under=FRACTIONS,
        ),
        claim(
            "4.2/positive",
            "the coordinate of $\\omega_t - \\omega_{t-1}$ for $s_t$ is positive",
            Ratio(Growth(TOKEN), ">", 0, "0 < t <= n"),
        ),
        claim(
            "4.2/only",
            "only that coordinate of $\\omega_t - \\omega_{t-1}$ is positive",
            Ratio(Growth(OTHER), "<=", 0, "0 < t <= n"),
        ),
        claim(
            "4.2/z1",
            "for $t \\leq n$, $z_t^{(1)} = [h_{t-1}, 0, 0, \\delta_t, 1/2^{t+1}, 0, 0, \\omega_t]$",
            Holds("output", 1, second, "0 <= t <= n"),
            under=FRACTIONS,
        ),
        claim(
            "4.2/k",
            "$k_i^e = [0, 0, 0, [s_i], 0, 0, 0, 0]$",
            Holds("keys", 2, {f"is {token}": {IS + token: 1} for token in tokens}),
        ),
        claim("4.2/v", "$v_i^e = [0, 0, f_b(s_i), 0, 0, 0, [s_i], 0]$", Holds("values", 2, looked)),
        claim("4.2/equal", "we give equal attention to all the $t + 1$ values", Attends(1, steps="0 <= t <= n")),
        claim(
            "4.2/disposal",
            "$O^{dec}$ has at its disposal the hidden state $h_t$ (coming from $z_t^{(1)}$), for $t \\leq n$",
            Holds("output", 1, {**second, **after}, "0 <= t <= n"),
            under=FRACTIONS,
            slip=slips.one_ahead,
        ),
        claim(
            "4.2/symbol",
            "and the input symbol $x_t$ (coming via the attention mechanism and the residual connection)",
            Holds("looked", 2, looked, "0 <= t <= n"),
        ),
        claim(
            "4.2/score", "the score in layer 2 is positive if $s_j = s_t$", Ratio(Score(2, TOKEN), ">", 0, "0 < t <= n")
        ),
        claim(
            "4.2/no-score",
            "the score in layer 2 is 0 if $s_j \\neq s_t$",
            Ratio(Score(2, OTHER), "==", 0, "0 < t <= n"),
        ),
        claim(
            "4.2/weights",
            "the weights of positions $1, \\dots, t$ are $I[s_j = s_t]/\\lambda_t$",
            Attends(2, first=1, same=True),
            slip=slips.first_index,
        ),
        "appendix D",
        claim(
            "D/d",
            "$d = 2 d_h + d_e + 4 |\\Sigma| + 1$, of $[h_1, h_2, s_1, [s_1], x_1, [s_2], [s_3], [s_4]]$",
            Blocks(WIDTH, "d_h", "d_h", "d_b", "m", 1, "m", "m", "m"),
        ),
        "appendix D, (12)",
        claim(
            "D/omega",
            "$\\omega_{t,k} = \\phi_{t,k}/(t+1)$, with $\\phi_{t,k} = \\phi_{t-1,k} + 1$ for the token read",
            Ratio(Share(TOKEN), "==", "(phi + 1)/(t + 1)", "0 < t <= n"),
        ),
        claim(
            "D/omega-others",
            "$\\omega_{t,k} = \\phi_{t,k}/(t+1)$, with $\\phi_{t,k} = \\phi_{t-1,k}$ for all others",
            Ratio(Share(OTHER), "==", "phi/(t + 1)", "0 < t <= n"),
        ),
        "appendix D",
        claim(
            "D/omega-begin",
            "the share of # is $1/(t+1)$, for $0 \\leq t \\leq n$",
            Ratio(Share("#"), "==", "1/(t + 1)", "0 <= t <= n"),
        ),
        claim(
            "D/omega-end",
            "$\\omega_{t,|\\Sigma|} = 0$ for $0 \\leq t < n$",
            Holds("looked", 1, {**x(MEAN), **omega("w", NOW), f"w {END}": {}}, "0 <= t < n"),
        ),
        claim(
            "D/omega-end-behind",
            "$\\omega_{t,|\\Sigma|} = 1/(t+1)$ for $t \\geq n$",
            Ratio(Share("$"), "==", "1/(t + 1)", "t >= n"),
            slip=slips.end_share,
        ),
        "appendix D, (13)",
        claim(
            "D/k",
            "$k_i^e = [0, 0, 0, [s_i], 0, 0, 0, 0]$",
            Holds("keys", 2, {f"is {token}": {IS + token: 1} for token in tokens}),
        ),
        claim("D/v", "$v_i^e = [0, 0, s_i, 0, 0, 0, [s_i], 0]$", Holds("values", 2, looked)),
        "appendix D, (14)",
        claim("D/y_t", "$y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \\omega_{t-1}]$", Holds("input", 1, y), under=FRACTIONS),
        "appendix D",
        claim("D/y_0", "$y_0 = [0, 0, 0, 0, 1, 0, 0, 0]$", Holds("input", 1, {"2^-t": {"1": 1}}, "t = 0")),
        claim(
            "D/h_{-1}",
            "let $h_{-1} = 0_h$: $y_0$ holds $h_{-1}$, the state before step 0",
            Holds("input", 1, {**h, "2^-t": {"1": 1}}, "t = 0"),
        ),
        claim(
            "D/h_0",
            "let $h_{-1} = 0_h$ and $h_0 = 0_h$: $z_0^{(2)}$ holds $h_0 = 0_h$",
            Holds("output", 2, {**halved, **omega("w before", NOW)}, "t = 0"),
            under=FRACTIONS,
            slip=slips.begins,
        ),
        "appendix D, layer 1",
        claim(
            "D/alpha1",
            "$(\\alpha_{t,1}, \\dots, \\alpha_{t,\\bar t}) = (1/(\\bar t+1), \\dots, 1/(\\bar t+1))$",
            Attends(1, first=1),
            slip=slips.first_index,
        ),
        claim("D/scores1", "the scores of layer 1 are $(0, \\dots, 0)$", Ratio(Score(1, None), "==", 0, "t >= 0")),
        claim(
            "D/mean",
            "$\\sum_j \\alpha_{t,j} v_j^e = [0, 0, s_{0:t}, 0, 0, 0, \\omega_{\\bar t}, 0]$",
            Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
        ),
        claim(
            "D/a1",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_{\\bar t}, \\omega_{\\bar t-1}]$",
            Holds("attended", 1, {**first, **omega("w before", BACK)}),
            slip=slips.before_last,
        ),
        claim(
            "D/O1",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta_{\\bar t}, -1/2^t + 1/2^{t+1}, 0, -\\omega_{\\bar t}, "
            "-\\omega_{\\bar t-1} + \\omega_{\\bar t}]$",
            Holds(
                "update",
                1,
                {
                    **update,
                    **delta("2^-t'"),
                    **{f"w before {token}": {NOW + token: 1, BACK + token: -1} for token in tokens},
                },
            ),
            under=FRACTIONS,
            slip=(slips.last_delta, slips.before_last),
        ),
        "appendix D, (15)",
        claim(
            "D/z1",
            "$z_t^{(1)} = [h_{t-1}, 0, 0, \\delta_{\\bar t}, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("output", 1, {**second, **late}),
            under=FRACTIONS,
            slip=slips.last_delta,
        ),
        "appendix D, layer 2",
        claim(
            "D/Att2",
            "$Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_{\\bar t}, 0, 0, 0, [s_{\\bar t}], 0]$",
            Holds("looked", 2, looked),
        ),
        claim(
            "D/a2",
            "$a_t^{(2)} = [h_{t-1}, 0, s_{\\bar t}, \\delta_{\\bar t}, 1/2^{t+1}, 0, [s_{\\bar t}], "
            "\\omega_{\\bar t}]$",
            Holds("attended", 2, {**second, **looked, **late}),
            under=FRACTIONS,
            slip=slips.last_delta,
        ),
        claim(
            "D/O2",
            "$O^{(2)}(a_t^{(2)}) = [\\sigma(\\dots) - h_{t-1}, 0, -s_{\\bar t}, -\\delta_{\\bar t}, 0, 0, "
            "-[s_{\\bar t}], 0]$",
            Holds("update", 2, {**second_update, **delta("2^-t'", -1)}),
            under=FRACTIONS,
            slip=slips.last_delta,
        ),
        claim(
            "D/z2",
            "$z_t^{(2)} = [\\sigma(W_h h_{t-1} + W_x s_{\\bar t} + b), 0, 0, 0, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("output", 2, {**after, **halved, **omega("w before", NOW)}),
            under=FRACTIONS,
        ),
        claim(
            "D/y_{t+1}",
            "$y_{t+1} = [h_t, 0, 0, 0, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("next", 2, {**after, **halved, **omega("w before", NOW)}),
            under=FRACTIONS,
        ),
        "theorem D.1",
        claim("D.1/simulates", "RNNs can be simulated, every one of them", Simulates(), under=FRACTIONS),
        *of_lemmas(rnn),
        notation="Behind the end of the word its shares at step t are read as those at the last position; blocks that "
        "hold nothing are judged against print alone.",
    )

"""What Bhattamishra et al. (2020) print in appendix D.1, the technical lemmas of the transformer with masks."""

from __future__ import annotations

from weightproof.constructions.bhattamishra2020.directional_slips import NAME, slips_of
from weightproof.constructions.bhattamishra2020.directional_vectors import FRACTIONS, OTHER, TOKEN, WIDTH, Vectors
from weightproof.constructions.claims.published import Published, Slip, claim
from weightproof.constructions.claims.stepwise import (
    GROWTH,
    MEAN,
    NOW,
    SHARE,
    Attends,
    Block,
    BlockMatrix,
    Blocks,
    Growth,
    Holds,
    Ratio,
    Score,
)
from weightproof.constructions.machines.rnn import END, RNN


def of_lemmas(rnn: RNN) -> tuple[str | Published, ...]:
    """Lemmas D.2 to D.4 with their proofs."""
    v, slips = Vectors(rnn), slips_of(rnn)
    tokens, grows = rnn.tokens, v.grows
    x, omega, h, falls, kept = v.x, v.omega, v.h, v.falls, v.kept
    moves, update, hidden, looked, second_update = v.moves, v.update, v.hidden, v.looked, v.second_update
    W_2 = BlockMatrix(
        "W_F2",
        1,
        (
            Block(tuple(f"x {name}" for name in rnn.inputs), tuple(f"gone x {name}" for name in rnn.inputs), -1),
            Block(tuple(f"delta {token}" for token in grows), tuple(f"grown {token}" for token in grows), 1),
            Block((f"delta {END}",), ("half",), 1),
            Block(("2^-t",), ("half",), -1),
            Block(tuple(f"w {token}" for token in tokens), tuple(f"w {token}" for token in tokens), -1),
            Block(tuple(f"w before {token}" for token in tokens), tuple(f"w {token}" for token in tokens), 1),
            Block(tuple(f"w before {token}" for token in tokens), tuple(f"w before {token}" for token in tokens), -1),
        ),
    )
    return (
        "lemma D.2",
        claim(
            "D.2/O1",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta_t, -1/2^t + 1/2^{t+1}, 0, -\\omega_t, "
            "-\\omega_{t-1} + \\omega_t]$",
            Holds("update", 1, update),
            under=FRACTIONS,
        ),
        "appendix D.1, proof of lemma D.2",
        claim(
            "D.2/O1-defined",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta_t - \\omega_t, -1/2^t + 1/2^{t+1}, 0, 0, "
            "-\\omega_{t-1} + \\omega_t]$",
            Holds(
                "update",
                1,
                {
                    **x(MEAN, -1),
                    **{f"delta {token}": {GROWTH + token: 1, NOW + token: -1} for token in grows},
                    f"delta {END}": {"2^-t": "1/2", NOW + END: -1},
                    **falls,
                    **moves,
                },
            ),
            under=FRACTIONS,
            slip=slips.contradicted,
        ),
        claim(
            "D.2/delta-rows",
            "$\\delta_t = (\\Delta_{t,1}, \\dots, \\Delta_{t,n-1}, 1/2^{t+1})$ has $|\\Sigma|$ rows",
            Blocks("m", "n - 1", 1),
            slip=slips.last_of_delta,
        ),
        claim(
            "D.2/a1",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, \\omega_t, 1/2^t, 0, 0, \\omega_{t-1}]$",
            Holds("attended", 1, {**h, **x(MEAN), **omega("delta", NOW), **kept, **omega("w before", SHARE)}),
            slip=slips.misplaced,
        ),
        claim(
            "D.2/W_1-rows",
            "$W_1 \\in \\mathbb{Q}^{d \\times d}$, of $2 d_h + d_e + (d_\\omega - 1) + 1 + 1 + 3 d_\\omega$ rows",
            Blocks(WIDTH, "2*d_h", "d_b", "m - 1", 1, 1, "m", "m", "m"),
        ),
        claim(
            "D.2/hidden",
            "$\\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, \\Delta_t, 1/2^{t+1}, \\omega_t, \\omega_{t-1}, "
            "\\omega_{t-1}]$",
            Holds("hidden", 1, {**hidden, **{f"w {token}": {SHARE + token: 1} for token in tokens}}),
            under=FRACTIONS,
            slip=slips.twice,
        ),
        claim(
            "D.2/W_2",
            "$W_2$ adds the growth of each share to the second block for tokens, beside what is used",
            BlockMatrix(
                "W_F2",
                1,
                (
                    *W_2.blocks,
                    Block(tuple(f"w {token}" for token in grows), tuple(f"grown {token}" for token in grows), 1),
                ),
            ),
            slip=Slip(
                "bhattamishra2020/W_2",
                NAME,
                "A block of $W_2$ is the identity where it should be 0: the growth would stay behind the layer.",
                "appendix D.1, proof of lemma D.2",
                "$W_2$ with 0 for its sixth block of rows",
                W_2,
            ),
        ),
        claim(
            "D.2/O1-leads",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, s_{0:t}, \\delta_t, -1/2^t + 1/2^{t+1}, 0, -\\omega_t, "
            "-\\omega_{t-1} + \\omega_t]$",
            Holds("update", 1, {**update, **x(MEAN)}),
            under=FRACTIONS,
            slip=slips.contradicted,
        ),
        "lemma D.3, (16)",
        claim("D.3/Att", "$Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_t, 0, 0, 0, [s_t], 0]$", Holds("looked", 2, looked)),
        "appendix D.1, claim 1",
        claim(
            "D.3/weights",
            "$(\\alpha_{t,1}, \\dots, \\alpha_{t,\\bar t}) = (I[s_0 = s_t], \\dots, "
            "I[s_{\\bar t} = s_t])/\\lambda_{\\bar t}$",
            Attends(2, first=1, same=True),
            slip=slips.first_index,
        ),
        claim(
            "D.3/lambda",
            "$\\lambda_t = \\sum_{j=0}^{n-1} I[s_j = s_t]$",
            Attends(2, same=True, counted="n - 1"),
            slip=slips.normaliser,
        ),
        "appendix D.1, proof of claim 1",
        claim(
            "D.3/first",
            "for $0 < t \\leq n$ the first coordinate of $\\omega_t - \\omega_{t-1}$ is $1/(t+1) - 1/t$",
            Ratio(Growth("#"), "==", "1/(t + 1) - 1/t", "0 < t <= n"),
        ),
        claim(
            "D.3/last",
            "for $0 < t \\leq n$ the last coordinate of $\\omega_t - \\omega_{t-1}$ is 0",
            Ratio(Growth("$"), "==", 0, "0 < t <= n"),
            slip=slips.end_grows,
        ),
        "appendix D.1, (17) to (20)",
        claim(
            "D.3/17-20",
            "if $s_t = \\beta_k$, $(\\omega_t - \\omega_{t-1})_k = (t - \\phi_{t-1,k})/(t(t+1))$",
            Ratio(Growth(TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 < t <= n"),
        ),
        "appendix D.1, (21)",
        claim(
            "D.3/21",
            "if $s_t = \\beta_k$, $(\\omega_t - \\omega_{t-1})_k \\geq 1/(t(t+1))$",
            Ratio(Growth(TOKEN), ">=", "1/(t*(t + 1))", "0 < t <= n"),
        ),
        "appendix D.1, (22)",
        claim(
            "D.3/22",
            "if $s_t \\neq \\beta_k$, $(\\omega_t - \\omega_{t-1})_k = -\\phi_{t-1,j}/(t(t+1))$",
            Ratio(Growth(OTHER), "==", "-psi/(t*(t + 1))", "0 < t <= n"),
            slip=slips.index_of_phi,
        ),
        claim(
            "D.3/22-sign",
            "if $s_t \\neq \\beta_k$, $(\\omega_t - \\omega_{t-1})_k \\leq 0$",
            Ratio(Growth(OTHER), "<=", 0, "0 < t <= n"),
        ),
        "appendix D.1, proof of claim 1",
        claim("D.3/Delta-behind", "for $t > n$, $\\Delta_t = 0$", Ratio(Growth(OTHER), "==", 0, "t > n")),
        claim(
            "D.3/others",
            "for $0 < t < n$, $\\langle p_t^{(2)}, k_j^e \\rangle = 0$ if $s_j \\neq s_t$",
            Ratio(Score(2, OTHER), "==", 0, "0 < t < n"),
        ),
        "appendix D.1, (23) and (24)",
        claim(
            "D.3/24",
            "for $0 < t < n$ and $s_j = s_t = \\beta_i$, $\\langle p_t^{(2)}, k_j^e \\rangle = "
            "(t - \\phi_{t-1,j})/(t(t+1))$",
            Ratio(Score(2, TOKEN), "==", "(t - psi)/(t*(t + 1))", "0 < t < n"),
            slip=slips.index_of_phi,
        ),
        "appendix D.1, (24)",
        claim(
            "D.3/24-least",
            "for $0 < t < n$ and $s_j = s_t = \\beta_i$, $\\delta_{t,i} \\geq 1/(t(t+1))$",
            Ratio(Score(2, TOKEN), ">=", "1/(t*(t + 1))", "0 < t < n"),
        ),
        "appendix D.1, proof of claim 1",
        claim(
            "D.3/largest",
            "for $0 \\leq t < n$ the largest coordinates equal $(t - \\phi_{t-1,i})/(t(t+1))$",
            Ratio(Score(2, TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 <= t < n"),
            slip=slips.step_0,
        ),
        claim(
            "D.3/behind",
            "for $t \\geq n$, $\\langle p_t^{(2)}, k_n^e \\rangle = 1/2^{t+1}$",
            Ratio(Score(2, "$"), "==", "p/2", "t >= n"),
        ),
        claim("D.3/others-behind", "for $t \\geq n$ all others are 0", Ratio(Score(2, OTHER), "==", 0, "t >= n")),
        "lemma D.4",
        claim(
            "D.4/O2",
            "$O^{(2)}(a_t^{(2)}) = [\\sigma(W_h h_{t-1} + W_x s_t + b) - h_{t-1}, 0, -s_t, -\\delta_t, 0, 0, "
            "-[s_t], 0]$",
            Holds("update", 2, second_update),
            under=FRACTIONS,
        ),
    )

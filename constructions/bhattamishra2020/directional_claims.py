"""What Bhattamishra et al. (2020) print about the transformer with masks and without positions: theorem 4.2 and
appendix D."""

from __future__ import annotations

from weightproof.constructions.claims.published import Claims, Convention, Published, Slip
from weightproof.constructions.claims.stepwise import (
    BACK,
    GROWTH,
    INPUT,
    IS,
    MEAN,
    NEXT,
    NOW,
    SHARE,
    Attends,
    Block,
    BlockMatrix,
    Blocks,
    Growth,
    Holds,
    Ratio,
    Row,
    Score,
    Share,
    Simulates,
    Token,
)
from weightproof.constructions.machines.rnn import BEGIN, END, RNN

NAME = "rnn-by-directional-as-printed"
WIDTH = "2*d_h + d_b + 4*m + 1"
Rows = dict[str, Row]
HALF: Row = {"2^-t": "1/2"}
FRACTIONS: tuple[tuple[Convention, ...], ...] = (("fractions",),)
TOKEN: Token = "the token at t'"
OTHER: Token = "another token"


def claims(rnn: RNN) -> Claims:
    tokens, grows = rnn.tokens, (BEGIN, *rnn.alphabet)
    h: Rows = {unit: {unit: 1} for unit in rnn.units}
    after: Rows = {unit: {NEXT + unit: 1} for unit in rnn.units}
    change: Rows = {unit: {NEXT + unit: 1, unit: -1} for unit in rnn.units}

    def x(of: str, sign: int = 1) -> Rows:
        return {f"x {name}": {of + name: sign} for name in rnn.inputs}

    def omega(block: str, of: str, sign: int = 1) -> Rows:
        """Shares, or marks of a token, in one of the blocks for tokens."""
        return {f"{block} {token}": {of + token: sign} for token in tokens}

    def delta(last: str = "2^-t", sign: int = 1) -> Rows:
        """The growth of all shares but that of "$", which has half of `last` in its place."""
        shown = f"{'-' if sign < 0 else ''}1/2"
        return {**{f"delta {token}": {GROWTH + token: sign} for token in grows}, f"delta {END}": {last: shown}}

    halved: Rows = {"2^-t": HALF}
    falls: Rows = {"2^-t": {"2^-t": "-1/2"}}
    kept: Rows = {"2^-t": {"2^-t": 1}}
    moves: Rows = {f"w before {token}": {NOW + token: 1, SHARE + token: -1} for token in tokens}
    y: Rows = {**h, **kept, **omega("w before", SHARE)}
    first: Rows = {**h, **x(MEAN), **kept, **omega("w", NOW), **omega("w before", SHARE)}
    second: Rows = {**h, **delta(), **halved, **omega("w before", NOW)}
    update: Rows = {**x(MEAN, -1), **delta(), **falls, **omega("w", NOW, -1), **moves}
    hidden: Rows = {
        **{f"gone x {name}": {MEAN + name: 1} for name in rnn.inputs},
        **{f"grown {token}": {GROWTH + token: 1} for token in grows},
        "half": HALF,
        **{f"w {token}": {NOW + token: 1} for token in tokens},
        **{f"w before {token}": {SHARE + token: 1} for token in tokens},
    }
    looked: Rows = {**x(INPUT), **omega("w", IS)}
    second_update: Rows = {
        **change,
        **x(INPUT, -1),
        **delta(sign=-1),
        **omega("w", IS, -1),
    }
    late = {**delta("2^-t'"), **halved}

    before_last = Slip(
        "bhattamishra2020/share-before",
        NAME,
        "The share before step $t$ is that of $\\overline{t - 1}$ and not of $\\bar t - 1$: behind $n$ it is "
        "$\\omega_n$.",
        Published(
            "bhattamishra2020/share-before",
            "appendix D, layer 1",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_{\\bar t}, \\omega_{\\overline{t-1}}]$",
            Holds("attended", 1, first),
        ),
    )
    last_delta = Slip(
        "bhattamishra2020/delta-behind",
        NAME,
        "By its definition $\\delta_{\\bar t}$ has $1/2^{\\bar t+1}$ for its last coordinate, where the network has "
        "$1/2^{t+1}$.",
        Published(
            "bhattamishra2020/delta-behind",
            "appendix D, (15), for embeddings in [0, 1]",
            "$z_t^{(1)} = [h_{t-1}, 0, 0, \\delta, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$ with $1/2^{t+1}$ in $\\delta$",
            Holds("output", 1, second, fractions=True),
        ),
    )
    first_index = Slip(
        "bhattamishra2020/positions-from-1",
        NAME,
        "Positions count from 0, so that there are $\\bar t + 1$ of them, and not those from 1 to $\\bar t$.",
        Published(
            "bhattamishra2020/positions-from-1",
            "appendix D, layer 1",
            "$(\\alpha_{t,0}, \\dots, \\alpha_{t,\\bar t}) = (1/(\\bar t+1), \\dots, 1/(\\bar t+1))$",
            Attends(1),
        ),
    )
    normaliser = Slip(
        "bhattamishra2020/lambda",
        NAME,
        "The sum of $\\lambda_t$ goes to $n - 1$: it counts positions that are not seen yet, and at $t = n$ none.",
        Published(
            "bhattamishra2020/lambda",
            "appendix D.1, claim 1",
            "$\\lambda_t = \\sum_{j=0}^{\\bar t} I[s_j = s_{\\bar t}]$",
            Attends(2, same=True),
        ),
    )
    end_grows = Slip(
        "bhattamishra2020/growth-of-end",
        NAME,
        "At $t = n$ the share of the end marker grows from 0, which is the last coordinate of the difference.",
        Published(
            "bhattamishra2020/growth-of-end",
            "appendix D.1, proof of claim 1",
            "the last coordinate of $\\omega_n - \\omega_{n-1}$ is $1/(n+1)$",
            Ratio(Growth("$"), "==", "1/(t + 1)", "t = n"),
        ),
    )
    step_0 = Slip(
        "bhattamishra2020/step-0",
        NAME,
        "At step 0 the formula divides by 0; the score is 1 there.",
        Published(
            "bhattamishra2020/step-0",
            "appendix D.1, proof of claim 1",
            "at $t = 0$ the largest coordinate is 1",
            Ratio(Score(2, TOKEN), "==", 1, "t = 0"),
        ),
    )
    end_share = Slip(
        "bhattamishra2020/share-of-end",
        NAME,
        "Behind $n$ no position is added: the share of the end marker stays $1/(n+1)$.",
        Published(
            "bhattamishra2020/share-of-end",
            "appendix D",
            "behind the first layer the share of the end marker is $\\omega_{\\bar t}$'s",
            Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
        ),
    )
    contradicted = Slip(
        "bhattamishra2020/O1",
        NAME,
        "$O^{(1)}$ is printed three times, each otherwise; it is as in the statement of lemma D.2.",
        Published(
            "bhattamishra2020/O1",
            "lemma D.2, for embeddings in [0, 1]",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta, -1/2^t + 1/2^{t+1}, 0, -\\omega_{\\bar t}, "
            "-\\omega_{\\overline{t-1}} + \\omega_{\\bar t}]$",
            Holds("update", 1, update, fractions=True),
        ),
    )
    misplaced = Slip(
        "bhattamishra2020/block-of-omega",
        NAME,
        "The share stands in the block where the values put it, the third of the four for tokens.",
        Published(
            "bhattamishra2020/block-of-omega",
            "appendix D.1, proof of lemma D.2",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_t, \\omega_{t-1}]$",
            Holds("attended", 1, first),
        ),
    )
    twice = Slip(
        "bhattamishra2020/hidden",
        NAME,
        "The last three blocks of the hidden units are printed as $\\omega_t, \\omega_{t-1}, "
        "\\omega_{t-1}$; by $W_1$ the "
        "first of them is 0, as the block that it reads is, and then come $\\omega_t$ and $\\omega_{t-1}$.",
        Published(
            "bhattamishra2020/block-of-omega",
            "appendix D.1, proof of lemma D.2, for embeddings in [0, 1]",
            "$\\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, \\Delta_t, 1/2^{t+1}, 0, \\omega_t, \\omega_{t-1}]$",
            Holds("hidden", 1, hidden, fractions=True),
        ),
    )
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
    return Claims(
        NAME,
        Published(
            "4.2/y_t",
            "theorem 4.2, proof",
            "$y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \\omega_{t-1}]$ for $t \\leq n$",
            Holds("input", 1, y, "0 <= t <= n"),
            under=FRACTIONS,
        ),
        Published(
            "4.2/positive",
            "theorem 4.2, proof",
            "the coordinate of $\\omega_t - \\omega_{t-1}$ for $s_t$ is positive",
            Ratio(Growth(TOKEN), ">", 0, "0 < t <= n"),
        ),
        Published(
            "4.2/only",
            "theorem 4.2, proof",
            "only that coordinate of $\\omega_t - \\omega_{t-1}$ is positive",
            Ratio(Growth(OTHER), "<=", 0, "0 < t <= n"),
        ),
        Published(
            "4.2/z1",
            "theorem 4.2, proof",
            "for $t \\leq n$, $z_t^{(1)} = [h_{t-1}, 0, 0, \\delta_t, 1/2^{t+1}, 0, 0, \\omega_t]$",
            Holds("output", 1, second, "0 <= t <= n"),
            under=FRACTIONS,
        ),
        Published(
            "4.2/score",
            "theorem 4.2, proof",
            "the score in layer 2 is positive if $s_j = s_t$",
            Ratio(Score(2, TOKEN), ">", 0, "0 < t <= n"),
        ),
        Published(
            "4.2/no-score",
            "theorem 4.2, proof",
            "the score in layer 2 is 0 if $s_j \\neq s_t$",
            Ratio(Score(2, OTHER), "==", 0, "0 < t <= n"),
        ),
        Published(
            "4.2/weights",
            "theorem 4.2, proof",
            "the weights of positions $1, \\dots, t$ are $I[s_j = s_t]/\\lambda_t$",
            Attends(2, first=1, same=True),
            slip=first_index,
        ),
        Published(
            "D/d",
            "appendix D",
            "$d = 2 d_h + d_e + 4 |\\Sigma| + 1$, of $[h_1, h_2, s_1, [s_1], x_1, [s_2], [s_3], [s_4]]$",
            Blocks(WIDTH, "d_h", "d_h", "d_b", "m", 1, "m", "m", "m"),
        ),
        Published(
            "D/omega",
            "appendix D, (12)",
            "$\\omega_{t,k} = \\phi_{t,k}/(t+1)$, with $\\phi_{t,k} = \\phi_{t-1,k} + 1$ for the token read",
            Ratio(Share(TOKEN), "==", "(phi + 1)/(t + 1)", "0 < t <= n"),
        ),
        Published(
            "D/omega-others",
            "appendix D, (12)",
            "$\\omega_{t,k} = \\phi_{t,k}/(t+1)$, with $\\phi_{t,k} = \\phi_{t-1,k}$ for all others",
            Ratio(Share(OTHER), "==", "phi/(t + 1)", "0 < t <= n"),
        ),
        Published(
            "D/omega-begin",
            "appendix D",
            "the share of # is $1/(t+1)$, for $0 \\leq t \\leq n$",
            Ratio(Share("#"), "==", "1/(t + 1)", "0 <= t <= n"),
        ),
        Published(
            "D/omega-end",
            "appendix D",
            "$\\omega_{t,|\\Sigma|} = 0$ for $0 \\leq t < n$",
            Holds("looked", 1, {**x(MEAN), **omega("w", NOW), f"w {END}": {}}, "0 <= t < n"),
        ),
        Published(
            "D/omega-end-behind",
            "appendix D",
            "$\\omega_{t,|\\Sigma|} = 1/(t+1)$ for $t \\geq n$",
            Ratio(Share("$"), "==", "1/(t + 1)", "t >= n"),
            slip=end_share,
        ),
        Published(
            "D/k",
            "appendix D, (13)",
            "$k_i^e = [0, 0, 0, [s_i], 0, 0, 0, 0]$",
            Holds("keys", 2, {f"is {token}": {IS + token: 1} for token in tokens}),
        ),
        Published("D/v", "appendix D, (13)", "$v_i^e = [0, 0, s_i, 0, 0, 0, [s_i], 0]$", Holds("values", 2, looked)),
        Published(
            "D/y_t",
            "appendix D, (14)",
            "$y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \\omega_{t-1}]$",
            Holds("input", 1, y),
            under=FRACTIONS,
        ),
        Published(
            "D/y_0",
            "appendix D",
            "$y_0 = [0, 0, 0, 0, 1, 0, 0, 0]$",
            Holds("input", 1, {**h, "2^-t": {"1": 1}}, "t = 0"),
        ),
        Published(
            "D/alpha1",
            "appendix D, layer 1",
            "$(\\alpha_{t,1}, \\dots, \\alpha_{t,\\bar t}) = (1/(\\bar t+1), \\dots, 1/(\\bar t+1))$",
            Attends(1, first=1),
            slip=first_index,
        ),
        Published(
            "D/scores1",
            "appendix D, layer 1",
            "the scores of layer 1 are $(0, \\dots, 0)$",
            Ratio(Score(1, None), "==", 0, "t >= 0"),
        ),
        Published(
            "D/mean",
            "appendix D, layer 1",
            "$\\sum_j \\alpha_{t,j} v_j^e = [0, 0, s_{0:t}, 0, 0, 0, \\omega_{\\bar t}, 0]$",
            Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
        ),
        Published(
            "D/a1",
            "appendix D, layer 1",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_{\\bar t}, \\omega_{\\bar t-1}]$",
            Holds("attended", 1, {**first, **omega("w before", BACK)}),
            slip=before_last,
        ),
        Published(
            "D/O1",
            "appendix D, layer 1",
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
            slip=(last_delta, before_last),
        ),
        Published(
            "D/z1",
            "appendix D, (15)",
            "$z_t^{(1)} = [h_{t-1}, 0, 0, \\delta_{\\bar t}, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("output", 1, {**second, **late}),
            under=FRACTIONS,
            slip=last_delta,
        ),
        Published(
            "D/Att2",
            "appendix D, layer 2",
            "$Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_{\\bar t}, 0, 0, 0, [s_{\\bar t}], 0]$",
            Holds("looked", 2, looked),
        ),
        Published(
            "D/a2",
            "appendix D, layer 2",
            "$a_t^{(2)} = [h_{t-1}, 0, s_{\\bar t}, \\delta_{\\bar t}, 1/2^{t+1}, 0, [s_{\\bar t}], "
            "\\omega_{\\bar t}]$",
            Holds("attended", 2, {**second, **looked, **late}),
            under=FRACTIONS,
            slip=last_delta,
        ),
        Published(
            "D/O2",
            "appendix D, layer 2",
            "$O^{(2)}(a_t^{(2)}) = [\\sigma(\\dots) - h_{t-1}, 0, -s_{\\bar t}, -\\delta_{\\bar t}, 0, 0, "
            "-[s_{\\bar t}], 0]$",
            Holds("update", 2, {**second_update, **delta("2^-t'", -1)}),
            under=FRACTIONS,
            slip=last_delta,
        ),
        Published(
            "D/z2",
            "appendix D, layer 2",
            "$z_t^{(2)} = [\\sigma(W_h h_{t-1} + W_x s_{\\bar t} + b), 0, 0, 0, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("output", 2, {**after, **halved, **omega("w before", NOW)}),
            under=FRACTIONS,
        ),
        Published(
            "D/y_{t+1}",
            "appendix D, layer 2",
            "$y_{t+1} = [h_t, 0, 0, 0, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$",
            Holds("next", 2, {**after, **halved, **omega("w before", NOW)}),
            under=FRACTIONS,
        ),
        Published(
            "D.1/simulates", "theorem D.1", "RNNs can be simulated, every one of them", Simulates(), under=FRACTIONS
        ),
        Published(
            "D.2/O1",
            "lemma D.2",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta_t, -1/2^t + 1/2^{t+1}, 0, -\\omega_t, "
            "-\\omega_{t-1} + \\omega_t]$",
            Holds("update", 1, update),
            under=FRACTIONS,
        ),
        Published(
            "D.2/O1-defined",
            "appendix D.1, proof of lemma D.2",
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
            slip=contradicted,
        ),
        Published(
            "D.2/delta-rows",
            "appendix D.1, proof of lemma D.2",
            "$\\delta_t = (\\Delta_{t,1}, \\dots, \\Delta_{t,|\\Sigma|-1}, 1/2^{t+1})$ has $|\\Sigma|$ rows",
            Blocks("m", "m - 1", 1),
        ),
        Published(
            "D.2/a1",
            "appendix D.1, proof of lemma D.2",
            "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, \\omega_t, 1/2^t, 0, 0, \\omega_{t-1}]$",
            Holds("attended", 1, {**h, **x(MEAN), **omega("delta", NOW), **kept, **omega("w before", SHARE)}),
            slip=misplaced,
        ),
        Published(
            "D.2/W_1-rows",
            "appendix D.1, proof of lemma D.2",
            "$W_1 \\in \\mathbb{Q}^{d \\times d}$, of $2 d_h + d_e + (d_\\omega - 1) + 1 + 1 + 3 d_\\omega$ rows",
            Blocks(WIDTH, "2*d_h", "d_b", "m - 1", 1, 1, "m", "m", "m"),
        ),
        Published(
            "D.2/hidden",
            "appendix D.1, proof of lemma D.2",
            "$\\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, \\Delta_t, 1/2^{t+1}, \\omega_t, \\omega_{t-1}, "
            "\\omega_{t-1}]$",
            Holds("hidden", 1, {**hidden, **{f"w {token}": {SHARE + token: 1} for token in tokens}}),
            under=FRACTIONS,
            slip=twice,
        ),
        Published(
            "D.2/W_2",
            "appendix D.1, proof of lemma D.2",
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
                Published(
                    "bhattamishra2020/W_2",
                    "appendix D.1, proof of lemma D.2",
                    "$W_2$ with 0 for its sixth block of rows",
                    W_2,
                ),
            ),
        ),
        Published(
            "D.2/O1-leads",
            "appendix D.1, proof of lemma D.2",
            "$O^{(1)}(a_t^{(1)}) = [0, 0, s_{0:t}, \\delta_t, -1/2^t + 1/2^{t+1}, 0, -\\omega_t, "
            "-\\omega_{t-1} + \\omega_t]$",
            Holds("update", 1, {**update, **x(MEAN)}),
            under=FRACTIONS,
            slip=contradicted,
        ),
        Published(
            "D.3/Att",
            "lemma D.3, (16)",
            "$Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_t, 0, 0, 0, [s_t], 0]$",
            Holds("looked", 2, looked),
        ),
        Published(
            "D.3/weights",
            "appendix D.1, claim 1",
            "$(\\alpha_{t,1}, \\dots, \\alpha_{t,\\bar t}) = (I[s_0 = s_t], \\dots, "
            "I[s_{\\bar t} = s_t])/\\lambda_{\\bar t}$",
            Attends(2, first=1, same=True),
            slip=first_index,
        ),
        Published(
            "D.3/lambda",
            "appendix D.1, claim 1",
            "$\\lambda_t = \\sum_{j=0}^{n-1} I[s_j = s_t]$",
            Attends(2, same=True, counted="n - 1"),
            slip=normaliser,
        ),
        Published(
            "D.3/first",
            "appendix D.1, proof of claim 1",
            "for $0 < t \\leq n$ the first coordinate of $\\omega_t - \\omega_{t-1}$ is $1/(t+1) - 1/t$",
            Ratio(Growth("#"), "==", "1/(t + 1) - 1/t", "0 < t <= n"),
        ),
        Published(
            "D.3/last",
            "appendix D.1, proof of claim 1",
            "for $0 < t \\leq n$ the last coordinate of $\\omega_t - \\omega_{t-1}$ is 0",
            Ratio(Growth("$"), "==", 0, "0 < t <= n"),
            slip=end_grows,
        ),
        Published(
            "D.3/17-20",
            "appendix D.1, (17) to (20)",
            "if $s_t = \\beta_k$, $(\\omega_t - \\omega_{t-1})_k = (t - \\phi_{t-1,k})/(t(t+1))$",
            Ratio(Growth(TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 < t <= n"),
        ),
        Published(
            "D.3/21",
            "appendix D.1, (21)",
            "which is at least $1/(t(t+1))$",
            Ratio(Growth(TOKEN), ">=", "1/(t*(t + 1))", "0 < t <= n"),
        ),
        Published(
            "D.3/22",
            "appendix D.1, (22)",
            "if $s_t \\neq \\beta_k$, $(\\omega_t - \\omega_{t-1})_k = -\\phi_{t-1,k}/(t(t+1))$",
            Ratio(Growth(OTHER), "==", "-phi/(t*(t + 1))", "0 < t <= n"),
        ),
        Published(
            "D.3/22-sign", "appendix D.1, (22)", "which is at most 0", Ratio(Growth(OTHER), "<=", 0, "0 < t <= n")
        ),
        Published(
            "D.3/Delta-behind",
            "appendix D.1, proof of claim 1",
            "for $t > n$, $\\Delta_t = 0$",
            Ratio(Growth(OTHER), "==", 0, "t > n"),
        ),
        Published(
            "D.3/others",
            "appendix D.1, proof of claim 1",
            "for $0 < t < n$, $\\langle p_t^{(2)}, k_j^e \\rangle = 0$ if $s_j \\neq s_t$",
            Ratio(Score(2, OTHER), "==", 0, "0 < t < n"),
        ),
        Published(
            "D.3/24",
            "appendix D.1, (23) and (24)",
            "for $0 < t < n$ and $s_j = s_t$ it is $(t - \\phi_{t-1,i})/(t(t+1))$",
            Ratio(Score(2, TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 < t < n"),
        ),
        Published(
            "D.3/24-least",
            "appendix D.1, (24)",
            "which is at least $1/(t(t+1))$",
            Ratio(Score(2, TOKEN), ">=", "1/(t*(t + 1))", "0 < t < n"),
        ),
        Published(
            "D.3/largest",
            "appendix D.1, proof of claim 1",
            "for $0 \\leq t < n$ the largest coordinates equal $(t - \\phi_{t-1,i})/(t(t+1))$",
            Ratio(Score(2, TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 <= t < n"),
            slip=step_0,
        ),
        Published(
            "D.3/behind",
            "appendix D.1, proof of claim 1",
            "for $t \\geq n$, $\\langle p_t^{(2)}, k_n^e \\rangle = 1/2^{t+1}$",
            Ratio(Score(2, "$"), "==", "p/2", "t >= n"),
        ),
        Published(
            "D.3/others-behind",
            "appendix D.1, proof of claim 1",
            "for $t \\geq n$ all others are 0",
            Ratio(Score(2, OTHER), "==", 0, "t >= n"),
        ),
        Published(
            "D.4/O2",
            "lemma D.4",
            "$O^{(2)}(a_t^{(2)}) = [\\sigma(W_h h_{t-1} + W_x s_t + b) - h_{t-1}, 0, -s_t, -\\delta_t, 0, 0, "
            "-[s_t], 0]$",
            Holds("update", 2, second_update),
            under=FRACTIONS,
        ),
        notation="Behind the end of the word its shares at step t are read as those at the last position; blocks that "
        "hold nothing are judged against print alone.",
    )

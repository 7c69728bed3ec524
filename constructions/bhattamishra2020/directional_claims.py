"""What Bhattamishra et al. (2020) print about the transformer with masks and without positions, theorem 4.2 and
appendix D with its lemmas; and the mistakes of print in it, each with its smallest correction."""

from __future__ import annotations

from collections.abc import Iterable

from weightproof.constructions.claims import stepwise as says
from weightproof.constructions.claims.published import Claims, Slip, Under, slips
from weightproof.constructions.claims.stepwise import BACK, GROWTH, INPUT, IS, MEAN, NEXT, NOW, SHARE
from weightproof.constructions.machines.rnn import BEGIN, END, RNN

NAME = "rnn-by-directional-as-printed"
WIDTH = "2*d_h + d_b + 4*m + 1"
FRACTIONS = Under("fractions")
TOKEN: says.Token = "the token at t'"
OTHER: says.Token = "another token"
Rows = dict[str, says.Row]
HALF: says.Row = {"2^-t": "1/2"}


def named(block: str, of: Iterable[str]) -> tuple[str, ...]:
    """The coordinates of a block."""
    return tuple(f"{block} {name}" for name in of)


def claims(rnn: RNN) -> Claims:
    """The claims about the transformer for one recurrent network, and their slips."""
    tokens, grows = rnn.tokens, (BEGIN, *rnn.alphabet)  # those whose growth counts

    def x(of: str, sign: int = 1) -> Rows:
        """An embedding."""
        return {f"x {name}": {of + name: sign} for name in rnn.inputs}

    def omega(block: str, of: str, sign: int = 1) -> Rows:
        """Shares, or marks of a token, in one of the blocks for tokens."""
        return {f"{block} {token}": {of + token: sign} for token in tokens}

    def delta(last: str = "2^-t", sign: int = 1) -> Rows:
        """The growth of all shares but that of "$", which has half of `last` in its place."""
        shown = f"{'-' if sign < 0 else ''}1/2"
        return {**{f"delta {token}": {GROWTH + token: sign} for token in grows}, f"delta {END}": {last: shown}}

    h: Rows = {unit: {unit: 1} for unit in rnn.units}  # h_(t-1)
    after: Rows = {unit: {NEXT + unit: 1} for unit in rnn.units}  # h_t
    change: Rows = {unit: {NEXT + unit: 1, unit: -1} for unit in rnn.units}
    halved: Rows = {"2^-t": HALF}
    falls: Rows = {"2^-t": {"2^-t": "-1/2"}}
    kept: Rows = {"2^-t": {"2^-t": 1}}
    moves: Rows = {f"w before {token}": {NOW + token: 1, SHARE + token: -1} for token in tokens}
    y = {**h, **kept, **omega("w before", SHARE)}
    first = {**h, **x(MEAN), **kept, **omega("w", NOW), **omega("w before", SHARE)}  # behind the first cross head
    update = {**x(MEAN, -1), **delta(), **falls, **omega("w", NOW, -1), **moves}  # by the first feed-forward network
    hidden: Rows = {
        **{f"gone x {name}": {MEAN + name: 1} for name in rnn.inputs},
        **{f"grown {token}": {GROWTH + token: 1} for token in grows},
        "half": HALF,
        **omega("w", NOW),
        **omega("w before", SHARE),
    }
    second = {**h, **delta(), **halved, **omega("w before", NOW)}  # behind the first layer
    late = {**delta("2^-t'"), **halved}  # what differs if the last coordinate of delta stops at n
    looked = {**x(INPUT), **omega("w", IS)}  # by the second cross head
    second_update = {**change, **x(INPUT, -1), **delta(sign=-1), **omega("w", IS, -1)}
    W_2 = says.BlockMatrix(
        "W_F2",
        1,
        (
            says.Block(named("x", rnn.inputs), named("gone x", rnn.inputs), -1),
            says.Block(named("delta", grows), named("grown", grows), 1),
            says.Block((f"delta {END}",), ("half",), 1),
            says.Block(("2^-t",), ("half",), -1),
            says.Block(named("w", tokens), named("w", tokens), -1),
            says.Block(named("w before", tokens), named("w", tokens), 1),
            says.Block(named("w before", tokens), named("w before", tokens), -1),
        ),
    )
    slip = slips(
        "bhattamishra2020",
        NAME,
        r"share-before: The share before step $t$ is that of $\overline{t - 1}$ and not of $\bar t - 1$: behind $n$ "
        r"it is $\omega_n$.",
        r"appendix D, layer 1: $a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \omega_{\bar t}, "
        r"\omega_{\overline{t-1}}]$",
        says.Holds("attended", 1, first),
        r"delta-behind: By its definition $\delta_{\bar t}$ has $1/2^{\bar t+1}$ for its last coordinate, where the "
        "network has $1/2^{t+1}$.",
        r"appendix D, (15), for embeddings in [0, 1]: $z_t^{(1)} = [h_{t-1}, 0, 0, \delta, 1/2^{t+1}, 0, 0, "
        r"\omega_{\bar t}]$ with $1/2^{t+1}$ in $\delta$",
        says.Holds("output", 1, second, fractions=True),
        r"positions-from-1: Positions count from 0, so that there are $\bar t + 1$ of them, and not those from 1 to "
        r"$\bar t$.",
        r"appendix D, layer 1: $(\alpha_{t,0}, \dots, \alpha_{t,\bar t}) = (1/(\bar t+1), \dots, 1/(\bar t+1))$",
        says.Attends(1),
        r"lambda: The sum of $\lambda_t$ goes to $n - 1$: it counts positions that are not seen yet, and at $t = n$ "
        "none.",
        r"appendix D.1, claim 1: $\lambda_t = \sum_{j=0}^{\bar t} I[s_j = s_{\bar t}]$",
        says.Attends(2, same=True),
        "growth-of-end: At $t = n$ the share of the end marker grows from 0, which is the last coordinate of the "
        "difference.",
        r"appendix D.1, proof of claim 1: the last coordinate of $\omega_n - \omega_{n-1}$ is $1/(n+1)$",
        says.Ratio(says.Growth("$"), "==", "1/(t + 1)", "t = n"),
        "step-0: At step 0 the formula divides by 0; the score is 1 there.",
        "appendix D.1, proof of claim 1: at $t = 0$ the largest coordinate is 1",
        says.Ratio(says.Score(2, "the token at t'"), "==", 1, "t = 0"),
        "share-of-end: Behind $n$ no position is added: the share of the end marker stays $1/(n+1)$.",
        r"appendix D: behind the first layer the share of the end marker is $\omega_{\bar t}$'s",
        says.Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
        "O1: $O^{(1)}$ is printed three times, each otherwise; it is as in the statement of lemma D.2.",
        r"lemma D.2, for embeddings in [0, 1]: $O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \delta, -1/2^t + 1/2^{t+1}, 0, "
        r"-\omega_{\bar t}, -\omega_{\overline{t-1}} + \omega_{\bar t}]$",
        says.Holds("update", 1, update, fractions=True),
        "block-of-omega: The share stands in the block where the values put it, the third of the four for tokens.",
        r"appendix D.1, proof of lemma D.2: $a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \omega_t, \omega_{t-1}]$",
        says.Holds("attended", 1, first),
        r"hidden: The last three blocks of the hidden units are printed as $\omega_t, \omega_{t-1}, \omega_{t-1}$; "
        r"by $W_1$ the first of them is 0, as the block that it reads is, and then come $\omega_t$ and "
        r"$\omega_{t-1}$.",
        r"appendix D.1, proof of lemma D.2, for embeddings in [0, 1]: $\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, "
        r"\Delta_t, 1/2^{t+1}, 0, \omega_t, \omega_{t-1}]$",
        says.Holds("hidden", 1, hidden, fractions=True),
        r"index-of-phi: The second index of $\phi$ is printed as $j$, which is a position, or nothing; it is that of "
        "the token that is spoken of.",
        r"appendix D.1, (22): if $s_t \neq \beta_k$, $(\omega_t - \omega_{t-1})_k = -\phi_{t-1,k}/(t(t+1))$",
        says.Ratio(says.Growth(OTHER), "==", "-phi/(t*(t + 1))", "0 < t <= n"),
        r"last-of-delta: The coordinates of $\delta_t$ are counted by $n$, the length of the word; there is one for "
        "each token.",
        r"appendix D.1, proof of lemma D.2: $\delta_t = (\Delta_{t,1}, \dots, \Delta_{t,|\Sigma|-1}, 1/2^{t+1})$ has "
        r"$|\Sigma|$ rows",
        says.Blocks("m", "m - 1", 1),
        "h-0: $y_0$ holds $h_{-1} = 0$, and step 0 reads # and makes $h_0$ of it, which need not be 0.",
        r"appendix D, for embeddings in [0, 1]: let $h_{-1} = 0_h$; then $z_0^{(2)}$ holds $h_0 = \sigma(W_x s_0 + "
        "b)$",
        says.Holds("output", 2, {**after, **halved, **omega("w before", NOW)}, "t = 0", fractions=True),
        "h-t: $y_t$ holds $h_{t-1}$, as the sketch has it a few lines before: the state is one step behind.",
        "theorem 4.2, proof, for embeddings in [0, 1]: $O^{dec}$ has at its disposal the hidden state $h_{t-1}$ "
        r"(coming from $z_t^{(1)}$), for $t \leq n$",
        says.Holds("output", 1, second, "0 <= t <= n", fractions=True),
    )
    return Claims(
        NAME,
        "theorem 4.2, proof",
        r"4.2/y_t: $y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \omega_{t-1}]$ for $t \leq n$",
        says.Holds("input", 1, y, "0 <= t <= n"),
        FRACTIONS,
        r"4.2/positive: the coordinate of $\omega_t - \omega_{t-1}$ for $s_t$ is positive",
        says.Ratio(says.Growth(TOKEN), ">", 0, "0 < t <= n"),
        r"4.2/only: only that coordinate of $\omega_t - \omega_{t-1}$ is positive",
        says.Ratio(says.Growth(OTHER), "<=", 0, "0 < t <= n"),
        r"4.2/z1: for $t \leq n$, $z_t^{(1)} = [h_{t-1}, 0, 0, \delta_t, 1/2^{t+1}, 0, 0, \omega_t]$",
        says.Holds("output", 1, second, "0 <= t <= n"),
        FRACTIONS,
        "4.2/k: $k_i^e = [0, 0, 0, [s_i], 0, 0, 0, 0]$",
        says.Holds("keys", 2, {f"is {token}": {IS + token: 1} for token in tokens}),
        "4.2/v: $v_i^e = [0, 0, f_b(s_i), 0, 0, 0, [s_i], 0]$",
        says.Holds("values", 2, looked),
        "4.2/equal: we give equal attention to all the $t + 1$ values",
        says.Attends(1, steps="0 <= t <= n"),
        r"4.2/disposal: $O^{dec}$ has at its disposal the hidden state $h_t$ (coming from $z_t^{(1)}$), for $t \leq "
        "n$",
        says.Holds("output", 1, {**second, **after}, "0 <= t <= n"),
        FRACTIONS,
        slip["h-t"],
        "4.2/symbol: and the input symbol $x_t$ (coming via the attention mechanism and the residual connection)",
        says.Holds("looked", 2, looked, "0 <= t <= n"),
        "4.2/score: the score in layer 2 is positive if $s_j = s_t$",
        says.Ratio(says.Score(2, TOKEN), ">", 0, "0 < t <= n"),
        r"4.2/no-score: the score in layer 2 is 0 if $s_j \neq s_t$",
        says.Ratio(says.Score(2, OTHER), "==", 0, "0 < t <= n"),
        r"4.2/weights: the weights of positions $1, \dots, t$ are $I[s_j = s_t]/\lambda_t$",
        says.Attends(2, first=1, same=True),
        slip["positions-from-1"],
        "appendix D",
        r"D/d: $d = 2 d_h + d_e + 4 |\Sigma| + 1$, of $[h_1, h_2, s_1, [s_1], x_1, [s_2], [s_3], [s_4]]$",
        says.Blocks(WIDTH, "d_h", "d_h", "d_b", "m", 1, "m", "m", "m"),
        "appendix D, (12)",
        r"D/omega: $\omega_{t,k} = \phi_{t,k}/(t+1)$, with $\phi_{t,k} = \phi_{t-1,k} + 1$ for the token read",
        says.Ratio(says.Share(TOKEN), "==", "(phi + 1)/(t + 1)", "0 < t <= n"),
        r"D/omega-others: $\omega_{t,k} = \phi_{t,k}/(t+1)$, with $\phi_{t,k} = \phi_{t-1,k}$ for all others",
        says.Ratio(says.Share(OTHER), "==", "phi/(t + 1)", "0 < t <= n"),
        "appendix D",
        r"D/omega-begin: the share of # is $1/(t+1)$, for $0 \leq t \leq n$",
        says.Ratio(says.Share("#"), "==", "1/(t + 1)", "0 <= t <= n"),
        r"D/omega-end: $\omega_{t,|\Sigma|} = 0$ for $0 \leq t < n$",
        says.Holds("looked", 1, {**x(MEAN), **omega("w", NOW), f"w {END}": {}}, "0 <= t < n"),
        r"D/omega-end-behind: $\omega_{t,|\Sigma|} = 1/(t+1)$ for $t \geq n$",
        says.Ratio(says.Share("$"), "==", "1/(t + 1)", "t >= n"),
        slip["share-of-end"],
        "appendix D, (13)",
        "D/k: $k_i^e = [0, 0, 0, [s_i], 0, 0, 0, 0]$",
        says.Holds("keys", 2, {f"is {token}": {IS + token: 1} for token in tokens}),
        "D/v: $v_i^e = [0, 0, s_i, 0, 0, 0, [s_i], 0]$",
        says.Holds("values", 2, looked),
        "appendix D, (14)",
        r"D/y_t: $y_t = [h_{t-1}, 0, 0, 0, 1/2^t, 0, 0, \omega_{t-1}]$",
        says.Holds("input", 1, y),
        FRACTIONS,
        "appendix D",
        "D/y_0: $y_0 = [0, 0, 0, 0, 1, 0, 0, 0]$",
        says.Holds("input", 1, {"2^-t": {"1": 1}}, "t = 0"),
        "D/h_{-1}: let $h_{-1} = 0_h$: $y_0$ holds $h_{-1}$, the state before step 0",
        says.Holds("input", 1, {**h, "2^-t": {"1": 1}}, "t = 0"),
        "D/h_0: let $h_{-1} = 0_h$ and $h_0 = 0_h$: $z_0^{(2)}$ holds $h_0 = 0_h$",
        says.Holds("output", 2, {**halved, **omega("w before", NOW)}, "t = 0"),
        FRACTIONS,
        slip["h-0"],
        "appendix D, layer 1",
        r"D/alpha1: $(\alpha_{t,1}, \dots, \alpha_{t,\bar t}) = (1/(\bar t+1), \dots, 1/(\bar t+1))$",
        says.Attends(1, first=1),
        slip["positions-from-1"],
        r"D/scores1: the scores of layer 1 are $(0, \dots, 0)$",
        says.Ratio(says.Score(1, None), "==", 0, "t >= 0"),
        r"D/mean: $\sum_j \alpha_{t,j} v_j^e = [0, 0, s_{0:t}, 0, 0, 0, \omega_{\bar t}, 0]$",
        says.Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
        r"D/a1: $a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \omega_{\bar t}, \omega_{\bar t-1}]$",
        says.Holds("attended", 1, {**first, **omega("w before", BACK)}),
        slip["share-before"],
        r"D/O1: $O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \delta_{\bar t}, -1/2^t + 1/2^{t+1}, 0, -\omega_{\bar t}, "
        r"-\omega_{\bar t-1} + \omega_{\bar t}]$",
        says.Holds(
            "update",
            1,
            {
                **update,
                **delta("2^-t'"),
                **{f"w before {token}": {NOW + token: 1, BACK + token: -1} for token in tokens},
            },
        ),
        FRACTIONS,
        slip["delta-behind"],
        slip["share-before"],
        "appendix D, (15)",
        r"D/z1: $z_t^{(1)} = [h_{t-1}, 0, 0, \delta_{\bar t}, 1/2^{t+1}, 0, 0, \omega_{\bar t}]$",
        says.Holds("output", 1, {**second, **late}),
        FRACTIONS,
        slip["delta-behind"],
        "appendix D, layer 2",
        r"D/Att2: $Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_{\bar t}, 0, 0, 0, [s_{\bar t}], 0]$",
        says.Holds("looked", 2, looked),
        r"D/a2: $a_t^{(2)} = [h_{t-1}, 0, s_{\bar t}, \delta_{\bar t}, 1/2^{t+1}, 0, [s_{\bar t}], \omega_{\bar t}]$",
        says.Holds("attended", 2, {**second, **looked, **late}),
        FRACTIONS,
        slip["delta-behind"],
        r"D/O2: $O^{(2)}(a_t^{(2)}) = [\sigma(\dots) - h_{t-1}, 0, -s_{\bar t}, -\delta_{\bar t}, 0, 0, -[s_{\bar "
        "t}], 0]$",
        says.Holds("update", 2, {**second_update, **delta("2^-t'", -1)}),
        FRACTIONS,
        slip["delta-behind"],
        r"D/z2: $z_t^{(2)} = [\sigma(W_h h_{t-1} + W_x s_{\bar t} + b), 0, 0, 0, 1/2^{t+1}, 0, 0, \omega_{\bar t}]$",
        says.Holds("output", 2, {**after, **halved, **omega("w before", NOW)}),
        FRACTIONS,
        r"D/y_{t+1}: $y_{t+1} = [h_t, 0, 0, 0, 1/2^{t+1}, 0, 0, \omega_{\bar t}]$",
        says.Holds("next", 2, {**after, **halved, **omega("w before", NOW)}),
        FRACTIONS,
        "theorem D.1",
        "D.1/simulates: RNNs can be simulated, every one of them",
        says.Simulates(),
        FRACTIONS,
        "lemma D.2",
        r"D.2/O1: $O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \delta_t, -1/2^t + 1/2^{t+1}, 0, -\omega_t, -\omega_{t-1} + "
        r"\omega_t]$",
        says.Holds("update", 1, update),
        FRACTIONS,
        "appendix D.1, proof of lemma D.2",
        r"D.2/O1-defined: $O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \delta_t - \omega_t, -1/2^t + 1/2^{t+1}, 0, 0, "
        r"-\omega_{t-1} + \omega_t]$",
        says.Holds(
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
        FRACTIONS,
        slip["O1"],
        r"D.2/delta-rows: $\delta_t = (\Delta_{t,1}, \dots, \Delta_{t,n-1}, 1/2^{t+1})$ has $|\Sigma|$ rows",
        says.Blocks("m", "n - 1", 1),
        slip["last-of-delta"],
        r"D.2/a1: $a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, \omega_t, 1/2^t, 0, 0, \omega_{t-1}]$",
        says.Holds("attended", 1, {**h, **x(MEAN), **omega("delta", NOW), **kept, **omega("w before", SHARE)}),
        slip["block-of-omega"],
        r"D.2/W_1-rows: $W_1 \in \mathbb{Q}^{d \times d}$, of $2 d_h + d_e + (d_\omega - 1) + 1 + 1 + 3 d_\omega$ "
        "rows",
        says.Blocks(WIDTH, "2*d_h", "d_b", "m - 1", 1, 1, "m", "m", "m"),
        r"D.2/hidden: $\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, \Delta_t, 1/2^{t+1}, \omega_t, \omega_{t-1}, "
        r"\omega_{t-1}]$",
        says.Holds("hidden", 1, {**hidden, **{f"w {token}": {SHARE + token: 1} for token in tokens}}),
        FRACTIONS,
        slip["hidden"],
        "D.2/W_2: $W_2$ adds the growth of each share to the second block for tokens, beside what is used",
        says.BlockMatrix("W_F2", 1, (*W_2.blocks, says.Block(named("w", grows), named("grown", grows), 1))),
        Slip(
            "bhattamishra2020/W_2",
            NAME,
            "A block of $W_2$ is the identity where it should be 0: the growth would stay behind the layer.",
            "appendix D.1, proof of lemma D.2",
            "$W_2$ with 0 for its sixth block of rows",
            W_2,
        ),
        r"D.2/O1-leads: $O^{(1)}(a_t^{(1)}) = [0, 0, s_{0:t}, \delta_t, -1/2^t + 1/2^{t+1}, 0, -\omega_t, "
        r"-\omega_{t-1} + \omega_t]$",
        says.Holds("update", 1, {**update, **x(MEAN)}),
        FRACTIONS,
        slip["O1"],
        "lemma D.3, (16)",
        "D.3/Att: $Att(p_t^{(2)}, K_t^e, V_t^e) = [0, 0, s_t, 0, 0, 0, [s_t], 0]$",
        says.Holds("looked", 2, looked),
        "appendix D.1, claim 1",
        r"D.3/weights: $(\alpha_{t,1}, \dots, \alpha_{t,\bar t}) = (I[s_0 = s_t], \dots, I[s_{\bar t} = "
        r"s_t])/\lambda_{\bar t}$",
        says.Attends(2, first=1, same=True),
        slip["positions-from-1"],
        r"D.3/lambda: $\lambda_t = \sum_{j=0}^{n-1} I[s_j = s_t]$",
        says.Attends(2, same=True, counted="n - 1"),
        slip["lambda"],
        "appendix D.1, proof of claim 1",
        r"D.3/first: for $0 < t \leq n$ the first coordinate of $\omega_t - \omega_{t-1}$ is $1/(t+1) - 1/t$",
        says.Ratio(says.Growth("#"), "==", "1/(t + 1) - 1/t", "0 < t <= n"),
        r"D.3/last: for $0 < t \leq n$ the last coordinate of $\omega_t - \omega_{t-1}$ is 0",
        says.Ratio(says.Growth("$"), "==", 0, "0 < t <= n"),
        slip["growth-of-end"],
        "appendix D.1, (17) to (20)",
        r"D.3/17-20: if $s_t = \beta_k$, $(\omega_t - \omega_{t-1})_k = (t - \phi_{t-1,k})/(t(t+1))$",
        says.Ratio(says.Growth(TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 < t <= n"),
        "appendix D.1, (21)",
        r"D.3/21: if $s_t = \beta_k$, $(\omega_t - \omega_{t-1})_k \geq 1/(t(t+1))$",
        says.Ratio(says.Growth(TOKEN), ">=", "1/(t*(t + 1))", "0 < t <= n"),
        "appendix D.1, (22)",
        r"D.3/22: if $s_t \neq \beta_k$, $(\omega_t - \omega_{t-1})_k = -\phi_{t-1,j}/(t(t+1))$",
        says.Ratio(says.Growth(OTHER), "==", "-psi/(t*(t + 1))", "0 < t <= n"),
        slip["index-of-phi"],
        r"D.3/22-sign: if $s_t \neq \beta_k$, $(\omega_t - \omega_{t-1})_k \leq 0$",
        says.Ratio(says.Growth(OTHER), "<=", 0, "0 < t <= n"),
        "appendix D.1, proof of claim 1",
        r"D.3/Delta-behind: for $t > n$, $\Delta_t = 0$",
        says.Ratio(says.Growth(OTHER), "==", 0, "t > n"),
        r"D.3/others: for $0 < t < n$, $\langle p_t^{(2)}, k_j^e \rangle = 0$ if $s_j \neq s_t$",
        says.Ratio(says.Score(2, OTHER), "==", 0, "0 < t < n"),
        "appendix D.1, (23) and (24)",
        r"D.3/24: for $0 < t < n$ and $s_j = s_t = \beta_i$, $\langle p_t^{(2)}, k_j^e \rangle = (t - "
        r"\phi_{t-1,j})/(t(t+1))$",
        says.Ratio(says.Score(2, TOKEN), "==", "(t - psi)/(t*(t + 1))", "0 < t < n"),
        slip["index-of-phi"],
        "appendix D.1, (24)",
        r"D.3/24-least: for $0 < t < n$ and $s_j = s_t = \beta_i$, $\delta_{t,i} \geq 1/(t(t+1))$",
        says.Ratio(says.Score(2, TOKEN), ">=", "1/(t*(t + 1))", "0 < t < n"),
        "appendix D.1, proof of claim 1",
        r"D.3/largest: for $0 \leq t < n$ the largest coordinates equal $(t - \phi_{t-1,i})/(t(t+1))$",
        says.Ratio(says.Score(2, TOKEN), "==", "(t - phi)/(t*(t + 1))", "0 <= t < n"),
        slip["step-0"],
        r"D.3/behind: for $t \geq n$, $\langle p_t^{(2)}, k_n^e \rangle = 1/2^{t+1}$",
        says.Ratio(says.Score(2, "$"), "==", "p/2", "t >= n"),
        r"D.3/others-behind: for $t \geq n$ all others are 0",
        says.Ratio(says.Score(2, OTHER), "==", 0, "t >= n"),
        "lemma D.4",
        r"D.4/O2: $O^{(2)}(a_t^{(2)}) = [\sigma(W_h h_{t-1} + W_x s_t + b) - h_{t-1}, 0, -s_t, -\delta_t, 0, 0, "
        "-[s_t], 0]$",
        says.Holds("update", 2, second_update),
        FRACTIONS,
        notation="Behind the end of the word its shares at step t are read as those at the last position; blocks that "
        "hold nothing are judged against print alone.",
    )

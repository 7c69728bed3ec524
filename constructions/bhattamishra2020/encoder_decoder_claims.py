"""What Bhattamishra et al. (2020) print about the transformer with positions: sections 3.2, 4.1 and appendix C."""

from __future__ import annotations

from weightproof.constructions.claims import stepwise as says
from weightproof.constructions.claims.published import Claims, slips
from weightproof.constructions.claims.stepwise import INPUT, NEXT
from weightproof.constructions.machines.rnn import RNN

NAME, REPAIRED = "rnn-by-encoder-decoder-as-printed", "rnn-by-encoder-decoder"
WIDTH = "2*d_h + d_b + 2"
LATER: says.Row = {"t": 1, "1": 1}
"""t + 1."""


def claims(rnn: RNN) -> Claims:
    """The claims about the transformer for one recurrent network, and their slips."""
    h: dict[str, says.Row] = {unit: {unit: 1} for unit in rnn.units}
    after: dict[str, says.Row] = {unit: {NEXT + unit: 1} for unit in rnn.units}
    x = {name: f"x {name}" for name in rnn.inputs}
    s: dict[str, says.Row] = {x[name]: {INPUT + name: 1} for name in rnn.inputs}
    change: dict[str, says.Row] = {unit: {NEXT + unit: 1, unit: -1} for unit in rnn.units}
    cleared: dict[str, says.Row] = {x[name]: {INPUT + name: -1} for name in rnn.inputs}
    position: dict[str, says.Row] = {"t": LATER, "1": {"1": 1}}
    here: dict[str, says.Row] = {"t": {"t": 1}, "1": {"1": 1}}
    hidden: dict[str, says.Row] = {
        **{f"new {unit}": {NEXT + unit: 1} for unit in rnn.units},
        **{f"gone {x[name]}": {INPUT + name: 1} for name in rnn.inputs},
        **{f"old {unit}": {unit: 1} for unit in rnn.units},
        "gone t": LATER,
        "gone 1": {"1": 1},
    }

    def later(place: says.Place, rows: dict[str, says.Row]) -> says.Holds:
        """What is said of step t of print, whose input has t + 1 for its position."""
        return says.Holds(place, 1, rows, ahead=1)

    slip = slips(
        "bhattamishra2020",
        NAME,
        "position: $y_t$ is said to have $t + 1$ for its position, where $pos(t)$ puts $t$: at step 0 the decoder "
        "reads # and not the token behind it.",
        "appendix C.2, (9): $y_t = [h_{t-1}, 0; 0, t, 1]$ at step 0 and at step 1, as far as nothing was saturated",
        says.Holds("input", 1, {**h, **here}, "t = 0"),
        "W_k: The rows of $W_k^T$ have the opposite sign of what makes the keys $(-1, i)$. Under the bars of the "
        "score both are the same.",
        "appendix C.3, proof of lemma C.3: $W_k^T$ has $-1$ from the constant and $1$ from the position",
        says.BlockMatrix("W_K", 1, (says.Block(("q1",), ("1",), -1), says.Block(("q2",), ("j",), 1))),
        "maximum: The score is not positive: its greatest value lacks a sign.",
        "appendix C.3, proof of lemma C.5: the maximum value $-(t + 1 - n)$ is achieved for $i = n$",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "-(t + 1 - n)", "t >= n", ahead=1),
        "value-block: A value vector of all $d$ rows stands in the block of an embedding.",
        "appendix C.2, (10): $[0_h, s; 0_h, 0, 0]$ has $d$ rows",
        says.Blocks(WIDTH, "d_h", "d_b", "d_h", 1, 1),
        "zero-blocks: Blocks of hidden states are given the size of an embedding.",
        "section 4.1: $k_i = [0_{d_h}, 0_{d_b}, 0_{d_h}, -1, i]$ has $d$ rows",
        says.Blocks(WIDTH, "d_h", "d_b", "d_h", 1, 1),
        "W_v: The first $d - 2$ coordinates are those of hidden states, too, of which the encoder has none: only "
        "the block of the embedding is read.",
        "appendix C.3, proof of lemma C.3: the submatrix of $W_v$ on the block of the embedding is the identity, "
        "and the rest are zeros",
        says.BlockMatrix("W_V", 1, (says.Block(tuple(x.values()), rnn.inputs, 1),)),
        "t-th-symbol: The score is greatest at $i = t + 1$, as is said a few lines below: what is retrieved is the "
        "symbol behind the $t$-th.",
        "section 4.1: the attention can retrieve the embedding of $s_{t+1}$, for $t < n$: it looks at $i = t + 1$",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "(t + 1) - (t + 1)", "0 <= t < n", ahead=1),
        "keys: The vectors are $n + 1$, with that of the end marker, and so are the keys: one of them is not counted.",
        r"lemma C.3: takes as input $(x_0, \dots, x_n)$ and generates $K^e = (k_0, \dots, k_n)$, which are $n + 1$ "
        "keys",
        says.Keys("n + 1"),
        "h-0-with-positions: If the RNN gets # at step 0, it makes $h_0$ of it, which need not be 0; what is 0 is "
        "the state before that.",
        r"appendix C.2: let $h_{-1} = 0_h$: $z_0$ holds $h_0 = \sigma(W_x s_0 + b)$, for embeddings in [0, 1]",
        says.Holds("output", 1, after, "t = 0", fractions=True),
        "bars: The bars of the score are left out: without them it would be greatest at the first position, at "
        "every step.",
        r"theorem 4.2, footnote 3: the scoring function $-\lvert \langle q, k \rangle \rvert$ used in theorem 4.1: "
        "between its bars stands $i - (t + 1)$",
        says.Ratio(says.Score(1, None), "==", "i - (t + 1)", "t >= 0", ahead=1),
    ) | slips(
        "bhattamishra2020",
        REPAIRED,
        "saturated-position: What is to be subtracted passes through saturated units, which are at most 1: of $t + "
        "1$ no more than 1 is gone, and of an embedding no more than lies in $[0, 1]$. It is enough that the next "
        "input takes $h$ alone.",
        "appendix C.2: the next input is $[h_t, 0; 0, t + 1, 1]$, if it takes $h$ alone of the output vector",
        says.Holds("next", 1, {**after, **position}),
    )
    units, inputs = rnn.units, tuple(x.values())
    second = tuple(f"second {unit}" for unit in units)
    new, old = tuple(f"new {unit}" for unit in units), tuple(f"old {unit}" for unit in units)
    gone = tuple(f"gone {name}" for name in inputs)
    return Claims(
        NAME,
        "section 4.1",
        "4.1/y_t-rows: $y_t = [h_t, 0_{d_b}, 0_{d_b}, t + 1, 1]$ has $d$ rows",
        says.Blocks(WIDTH, "d_h", "d_b", "d_b", 1, 1),
        slip["zero-blocks"],
        "4.1/k_i-rows: $k_i = [0_{d_b}, 0_{d_b}, 0_{d_b}, -1, i]$ has $d$ rows",
        says.Blocks(WIDTH, "d_b", "d_b", "d_b", 1, 1),
        slip["zero-blocks"],
        "4.1/k_i: $k_i = [0, 0, 0, -1, i]$",
        says.Holds("keys", 1, {"q1": {"1": -1}, "q2": {"j": 1}}),
        "4.1/v_i: $v_i = [0, f_b(s_i), 0, 0, 0]$",
        says.Holds("values", 1, s),
        "4.1/score: $f^{att}(p_t, k_i) = -|i - (t + 1)|$",
        says.Ratio(says.Score(1, None), "==", "i - (t + 1)", "t >= 0", ahead=1),
        "4.1/symbol: using $t + 1$ in $y_t$, the attention can retrieve the embedding of the $t$-th input symbol: "
        "it looks at $i = t$",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "t - (t + 1)", "0 <= t < n", ahead=1),
        slip["t-th-symbol"],
        "4.1/maximum-inside: for $t < n$ it is maximised at $i = t + 1$, where it is 0",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "0", "0 <= t < n", ahead=1),
        "theorem 4.2, footnote 3",
        r"4.2/footnote-3: the scoring function $-\langle q, k \rangle$ used in Pérez et al. (2019) and Theorem 4.1: "
        "of $p_t$ and $k_i$ it is $-(i - (t + 1))$",
        says.Ratio(says.Score(1, None, whole=True), "==", "-(i - (t + 1))", "t >= 0", ahead=1),
        slip["bars"],
        "theorem 4.1, proof",
        "4.1/simulates: $y_t$ contains $h_t$ as a sub-vector at every step, of every RNN",
        says.Simulates(),
        slip["saturated-position"],
        "appendix C.2",
        "C.2/d: $d = 2 d_h + d_b + 2$, of $[h_1, s; h_2, x_1, x_2]$",
        says.Blocks(WIDTH, "d_h", "d_b", "d_h", 1, 1),
        r"C.2/reads: the RNN gets $s_{\bar t}$ at step $t$, for $t = 0, 1, \dots$",
        says.Holds("looked", 1, s),
        "appendix C.2, (9)",
        "C.2/y_t: $y_t = [h_t, 0; 0, t + 1, 1]$",
        says.Holds("input", 1, {**h, **position}),
        slip["position"],
        slip["saturated-position"],
        "appendix C.2",
        r"C.2/h_0: let $h_0 = 0_h$ and $\tilde y_0 = 0$: at step 0 the decoder gets nothing beside $pos(0)$",
        says.Holds("input", 1, here, "t = 0"),
        r"C.2/h_0-read: let $h_0 = 0_h$, where the RNN gets $s_{\bar t}$ at step $t$, for $t = 0, 1, \dots$: $z_0$ "
        "holds $h_0 = 0_h$, for embeddings in [0, 1]",
        says.Holds("output", 1, {}, "t = 0", fractions=True),
        slip["h-0-with-positions"],
        r"C.2/y_0: $y_0 = \tilde y_0 + pos(0) = [0, 0; 0, 1, 1]$",
        says.Holds("input", 1, {**h, **position}, "t = 0"),
        slip["position"],
        "appendix C.2, (10)",
        r"C.2/Att-rows: $[0_h, v; 0_h, 0, 0]$, with $v \in \mathbb{Q}^d$, has $d$ rows",
        says.Blocks(WIDTH, "d_h", WIDTH, "d_h", 1, 1),
        slip["value-block"],
        r"C.2/Att: $Att(p_t, K^e, V^e) = [0, s_{\overline{t+1}}; 0, 0, 0]$",
        later("looked", s),
        "appendix C.2",
        r"C.2/a_t: $a_t = [h_t, s_{\overline{t+1}}, 0, t + 1, 1]$",
        later("attended", {**h, **s, **position}),
        "lemma C.4",
        r"C.4/O: $O(a_t) = [h_{t+1} - h_t, -s_{\overline{t+1}}, 0, -(t + 1), -1]$",
        later("update", {**change, **cleared, "t": {"t": -1, "1": -1}, "1": {"1": -1}}),
        slip["saturated-position"],
        "appendix C.2",
        "C.4/h: $z_t = [h_{t+1}, 0; 0, 0, 0]$",
        later("output", after),
        slip["saturated-position"],
        r"C.2/y_{t+1}: $y_{t+1} = \tilde y_{t+1} + pos(t + 1) = [h_{t+1}, 0; 0, t + 2, 1]$",
        says.Holds("next", 1, {**after, "t": {"t": 1, "1": 2}, "1": {"1": 1}}),
        slip["position"],
        slip["saturated-position"],
        "lemma C.3",
        r"C.3/keys: takes as input the sequence $(x_1, \dots, x_n)$, and behind it the end marker, and generates "
        r"$K^e = (k_1, \dots, k_n)$ and $V^e = (v_1, \dots, v_n)$: $n$ keys",
        says.Keys("n"),
        slip["keys"],
        "C.3/k_i: $k_i = [0, 0; 0, -1, i]$",
        says.Holds("keys", 1, {"q1": {"1": -1}, "q2": {"j": 1}}),
        "C.3/v_i: $v_i = [0, s_i; 0, 0, 0]$",
        says.Holds("values", 1, s),
        "appendix C.3, proof of lemma C.3",
        "C.3/W_k: $W_k^T$ has $1$ from the constant and $-1$ from the position",
        says.BlockMatrix("W_K", 1, (says.Block(("q1",), ("1",), 1), says.Block(("q2",), ("j",), -1))),
        slip["W_k"],
        "C.3/W_v: $v_i$ by setting the submatrix of $W_v$ formed by the first $d - 2$ rows and columns to the "
        "identity matrix, and the rest of the entries to zeros",
        says.BlockMatrix(
            "W_V", 1, (says.Block(units, units, 1), says.Block(inputs, rnn.inputs, 1), says.Block(second, second, 1))
        ),
        slip["W_v"],
        "lemma C.5, (11)",
        r"C.5/Att: $Att(q_t, K^e, V^e) = [0, s_{\overline{t+1}}, 0, 0, 0]$",
        later("looked", s),
        "appendix C.3, proof of lemma C.5",
        r"C.5/product: $\langle p_t, k_i \rangle = i - (t + 1)$",
        says.Ratio(says.Score(1, None), "==", "i - (t + 1)", "t >= 0", ahead=1),
        "C.5/maximum-inside: the maximum value 0 at $i = t + 1$ if $t < n$",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "0", "0 <= t < n", ahead=1),
        r"C.5/maximum-behind: for $t \geq n$, the maximum value $t + 1 - n$ is achieved for $i = n$",
        says.Ratio(says.Score(1, "the token at t'", best=True), "==", "t + 1 - n", "t >= n", ahead=1),
        slip["maximum"],
        r"C.5/Att-rows: $Att(p_t, K^e, V^e) = s_{\overline{t+1}}$ has $d$ rows",
        says.Blocks(WIDTH, "d_b"),
        slip["value-block"],
        "appendix C.3, proof of lemma C.4",
        "C.4/W_1: $W_1$: rows $(W_h, W_x, 0, 0)$, $(0, I, 0, 0)$, $(I, 0, 0, 0)$, $(0, 0, 0, I)$",
        says.BlockMatrix(
            "W_F1",
            1,
            (
                says.Block(new, units, "W_h"),
                says.Block(new, inputs, "W_x"),
                says.Block(gone, inputs, 1),
                says.Block(old, units, 1),
                says.Block(("gone t", "gone 1"), ("t", "1"), 1),
            ),
        ),
        r"C.4/W_1-rows: $W_1 \in \mathbb{Q}^{d \times d}$, of $d_h + d_e + d_h + 2$ rows",
        says.Blocks(WIDTH, "d_h", "d_b", "d_h", 2),
        r"C.4/hidden: $\sigma(W_1 a_t + b_1) = [\sigma(W_h h_t + W_x s_{\overline{t+1}} + b), s_{\overline{t+1}}, "
        "h_t, t + 1, 1]$",
        later("hidden", hidden),
        slip["saturated-position"],
        "C.4/W_2: $W_2$: rows $(I, 0, -I, 0)$, $(0, -I, 0, 0)$, $(0, 0, 0, 0)$, $(0, 0, 0, -I)$",
        says.BlockMatrix(
            "W_F2",
            1,
            (
                says.Block(units, new, 1),
                says.Block(units, old, -1),
                says.Block(inputs, gone, -1),
                says.Block(("t", "1"), ("gone t", "gone 1"), -1),
            ),
        ),
        r"C.4/O-proof: $O(a_t) = [\sigma(\dots) - h_t, -s_{\overline{t+1}}, 0, -(t + 1), -1]$",
        later("update", {**change, **cleared, "t": {"t": -1, "1": -1}, "1": {"1": -1}}),
        slip["saturated-position"],
        notation="Its step t, with t + 1 for the position, is step t + 1 of the network, and its state h the one "
        "before that step; blocks that hold nothing are judged against print alone.",
    )

"""The mistakes behind what Bhattamishra et al. (2020), appendix D, print, each with the smallest correction."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.bhattamishra2020.directional_vectors import OTHER, Vectors
from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.stepwise import MEAN, NOW, Attends, Blocks, Growth, Holds, Ratio, Score
from weightproof.constructions.machines.rnn import RNN

NAME = "rnn-by-directional-as-printed"


@dataclass(frozen=True)
class Slips:
    """Each by what it is about."""

    before_last: Slip
    last_delta: Slip
    first_index: Slip
    normaliser: Slip
    end_grows: Slip
    step_0: Slip
    end_share: Slip
    contradicted: Slip
    misplaced: Slip
    twice: Slip
    index_of_phi: Slip
    last_of_delta: Slip
    begins: Slip
    one_ahead: Slip


def slips_of(rnn: RNN) -> Slips:
    v = Vectors(rnn)
    x = v.x
    omega = v.omega
    first = v.first
    second = v.second
    update = v.update
    hidden = v.hidden
    before_last = Slip(
        "bhattamishra2020/share-before",
        NAME,
        "The share before step $t$ is that of $\\overline{t - 1}$ and not of $\\bar t - 1$: behind $n$ it is "
        "$\\omega_n$.",
        "appendix D, layer 1",
        "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_{\\bar t}, \\omega_{\\overline{t-1}}]$",
        Holds("attended", 1, first),
    )
    last_delta = Slip(
        "bhattamishra2020/delta-behind",
        NAME,
        "By its definition $\\delta_{\\bar t}$ has $1/2^{\\bar t+1}$ for its last coordinate, where the network has "
        "$1/2^{t+1}$.",
        "appendix D, (15), for embeddings in [0, 1]",
        "$z_t^{(1)} = [h_{t-1}, 0, 0, \\delta, 1/2^{t+1}, 0, 0, \\omega_{\\bar t}]$ with $1/2^{t+1}$ in $\\delta$",
        Holds("output", 1, second, fractions=True),
    )
    first_index = Slip(
        "bhattamishra2020/positions-from-1",
        NAME,
        "Positions count from 0, so that there are $\\bar t + 1$ of them, and not those from 1 to $\\bar t$.",
        "appendix D, layer 1",
        "$(\\alpha_{t,0}, \\dots, \\alpha_{t,\\bar t}) = (1/(\\bar t+1), \\dots, 1/(\\bar t+1))$",
        Attends(1),
    )
    normaliser = Slip(
        "bhattamishra2020/lambda",
        NAME,
        "The sum of $\\lambda_t$ goes to $n - 1$: it counts positions that are not seen yet, and at $t = n$ none.",
        "appendix D.1, claim 1",
        "$\\lambda_t = \\sum_{j=0}^{\\bar t} I[s_j = s_{\\bar t}]$",
        Attends(2, same=True),
    )
    end_grows = Slip(
        "bhattamishra2020/growth-of-end",
        NAME,
        "At $t = n$ the share of the end marker grows from 0, which is the last coordinate of the difference.",
        "appendix D.1, proof of claim 1",
        "the last coordinate of $\\omega_n - \\omega_{n-1}$ is $1/(n+1)$",
        Ratio(Growth("$"), "==", "1/(t + 1)", "t = n"),
    )
    step_0 = Slip(
        "bhattamishra2020/step-0",
        NAME,
        "At step 0 the formula divides by 0; the score is 1 there.",
        "appendix D.1, proof of claim 1",
        "at $t = 0$ the largest coordinate is 1",
        Ratio(Score(2, "the token at t'"), "==", 1, "t = 0"),
    )
    end_share = Slip(
        "bhattamishra2020/share-of-end",
        NAME,
        "Behind $n$ no position is added: the share of the end marker stays $1/(n+1)$.",
        "appendix D",
        "behind the first layer the share of the end marker is $\\omega_{\\bar t}$'s",
        Holds("looked", 1, {**x(MEAN), **omega("w", NOW)}),
    )
    contradicted = Slip(
        "bhattamishra2020/O1",
        NAME,
        "$O^{(1)}$ is printed three times, each otherwise; it is as in the statement of lemma D.2.",
        "lemma D.2, for embeddings in [0, 1]",
        "$O^{(1)}(a_t^{(1)}) = [0, 0, -s_{0:t}, \\delta, -1/2^t + 1/2^{t+1}, 0, -\\omega_{\\bar t}, "
        "-\\omega_{\\overline{t-1}} + \\omega_{\\bar t}]$",
        Holds("update", 1, update, fractions=True),
    )
    misplaced = Slip(
        "bhattamishra2020/block-of-omega",
        NAME,
        "The share stands in the block where the values put it, the third of the four for tokens.",
        "appendix D.1, proof of lemma D.2",
        "$a_t^{(1)} = [h_{t-1}, 0, s_{0:t}, 0, 1/2^t, 0, \\omega_t, \\omega_{t-1}]$",
        Holds("attended", 1, first),
    )
    twice = Slip(
        "bhattamishra2020/hidden",
        NAME,
        "The last three blocks of the hidden units are printed as $\\omega_t, \\omega_{t-1}, "
        "\\omega_{t-1}$; by $W_1$ the "
        "first of them is 0, as the block that it reads is, and then come $\\omega_t$ and $\\omega_{t-1}$.",
        "appendix D.1, proof of lemma D.2, for embeddings in [0, 1]",
        "$\\sigma(W_1 a_t^{(1)} + b_1) = [0, 0, s_{0:t}, \\Delta_t, 1/2^{t+1}, 0, \\omega_t, \\omega_{t-1}]$",
        Holds("hidden", 1, hidden, fractions=True),
    )
    index_of_phi = Slip(
        "bhattamishra2020/index-of-phi",
        NAME,
        "The second index of $\\phi$ is printed as $j$, which is a position, or nothing; it is that of the token that "
        "is spoken of.",
        "appendix D.1, (22)",
        "if $s_t \\neq \\beta_k$, $(\\omega_t - \\omega_{t-1})_k = -\\phi_{t-1,k}/(t(t+1))$",
        Ratio(Growth(OTHER), "==", "-phi/(t*(t + 1))", "0 < t <= n"),
    )
    last_of_delta = Slip(
        "bhattamishra2020/last-of-delta",
        NAME,
        "The coordinates of $\\delta_t$ are counted by $n$, the length of the word; there is one for each token.",
        "appendix D.1, proof of lemma D.2",
        "$\\delta_t = (\\Delta_{t,1}, \\dots, \\Delta_{t,|\\Sigma|-1}, 1/2^{t+1})$ has $|\\Sigma|$ rows",
        Blocks("m", "m - 1", 1),
    )
    begins = Slip(
        "bhattamishra2020/h-0",
        NAME,
        "$y_0$ holds $h_{-1} = 0$, and step 0 reads # and makes $h_0$ of it, which need not be 0.",
        "appendix D, for embeddings in [0, 1]",
        "let $h_{-1} = 0_h$; then $z_0^{(2)}$ holds $h_0 = \\sigma(W_x s_0 + b)$",
        Holds("output", 2, {**v.after, **v.halved, **omega("w before", NOW)}, "t = 0", fractions=True),
    )
    one_ahead = Slip(
        "bhattamishra2020/h-t",
        NAME,
        "$y_t$ holds $h_{t-1}$, as the sketch has it a few lines before: the state is one step behind.",
        "theorem 4.2, proof, for embeddings in [0, 1]",
        "$O^{dec}$ has at its disposal the hidden state $h_{t-1}$ (coming from $z_t^{(1)}$), for $t \\leq n$",
        Holds("output", 1, second, "0 <= t <= n", fractions=True),
    )
    return Slips(
        before_last,
        last_delta,
        first_index,
        normaliser,
        end_grows,
        step_0,
        end_share,
        contradicted,
        misplaced,
        twice,
        index_of_phi,
        last_of_delta,
        begins,
        one_ahead,
    )

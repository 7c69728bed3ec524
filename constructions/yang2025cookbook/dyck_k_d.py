"""Well-nested brackets of two kinds, at most two deep: chapter 8, section "Dyck Language", "AHAT Dyck-k-D", after Yao et
al. (2021), section 5.2.

- The first layer finds how many more brackets are open than closed, over i + 1, and its units how deep that is: -1 or
  less, 0, 1, 2, or more.
- A head of the second layer sees the last open bracket that is as deep as the position itself: the top of the stack,
  since what was opened there later has been closed. Where the stack is empty, what it sees does not matter.
- The third layer looks one position back, for the top of the stack before. Its units find what is wrong at a position:
  a bracket that closes one of the other kind, or a depth that is not from 0 to 2.
- The fourth takes the average of what is wrong.

A word is accepted where nothing is wrong anywhere, and the depth is 0 at the end. The source generates words, from
prefixes of them, and so does without the third and the fourth layer; for brackets of one kind see `dyck1-depth`.
"""

from __future__ import annotations

from weightproof.constructions.crasp.weights import looking_back
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import average_so_far
from weightproof.constructions.yang2025cookbook.on_words import BEGIN, SOURCE, Row, Rows, encoder, of

KINDS = ("()", "[]")
OPEN, CLOSED = zip(*KINDS, strict=True)
BRACKETS = ("(", ")", "[", "]")
PLACES = {"i": "i", "1": 1, "j/n": "i/n"}
MOST = 2


def depth(of_depth: int) -> str:
    return f"[depth={of_depth}]"


def depths(most: int) -> FeedForward:
    """How deep a position is, from the number of open brackets over i + 1: a step at each depth."""
    units: dict[str, Row] = {f"d>{d}": {"d/(i+1)": 1, "1/(i+1)": f"-({2 * d + 1}/2)"} for d in range(-1, most + 1)}
    found = {depth(d): {f"d>{d - 1}": 1, f"d>{d}": -1} for d in range(most + 1)}
    return FeedForward(Linear(units), Linear(found), activation="step")


def top_of_stack(most: int) -> Head:
    """The last open bracket that is as deep as the position."""
    levels = range(1, most + 1)
    raised: dict[str, Row] = {depth(d): {depth(d): 1} for d in levels}
    opens: Row = dict.fromkeys(map(of, OPEN), 1)
    values: Rows = {f"top {a}": {of(a): 1} for a in OPEN}
    return Head(
        W_V=values,
        W_Q={**raised, "open": {"1": 1}, "order": {"1": 1}},
        W_K={**raised, "open": opens, "order": {"j/n": 1}},
        normaliser="hardmax",
        scale=1,
        mask="causal",
    )


WRONG: dict[str, Row] = {
    **{f"{a}{b} wrong": {f"top {a} before": 1, of(b): 1} for a, own in KINDS for b in CLOSED if b != own},
    "depth wrong": {"1": 2, **{depth(d): -2 for d in range(MOST + 1)}},
}
REGEX = r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*"


def is_nested(word: str) -> bool:
    stack: list[str] = []
    for symbol in word:
        if symbol in OPEN:
            stack.append(symbol)
        elif not stack or stack.pop() + symbol not in KINDS:
            return False
        if len(stack) > MOST:
            return False
    return not stack


DYCK_2_2 = Language(
    "DYCK-(2,2)",
    BRACKETS,
    is_nested,
    f"matches({REGEX!r})",
    description="well-nested brackets of two kinds, at most two deep",
)

counts = average_so_far(
    {"d/(i+1)": {of(a): 1 if a in OPEN else -1 for a in BRACKETS}, "1/(i+1)": {BEGIN: 1}},
)
previous = looking_back({f"top {a} before": {f"top {a}": 1} for a in OPEN}, 1, "i", "1")
wrong = FeedForward(
    Linear(WRONG, dict.fromkeys(WRONG, -1)), Linear({"wrong": dict.fromkeys(WRONG, 1)}), activation="step"
)
construction = Construction(
    "cookbook-dyck-2-2",
    "DYCK-(2,2) by depths and the top of the stack",
    f"after {SOURCE}, chapter 8, Dyck Language",
    DYCK_2_2,
    encoder(
        Layer(heads=(counts,), feed_forward=depths(MOST)),
        Layer(heads=(top_of_stack(MOST),)),
        Layer(heads=(previous,), feed_forward=wrong),
        Layer(heads=(average_so_far({"#wrong/(i+1)": {"wrong": 1}}),)),
        logit={depth(0): 1, "1/(i+1)": "1/2", "#wrong/(i+1)": -1},
        bias=-1,
        places=PLACES,
        symbols=BRACKETS,
    ),
)

"""Well-nested brackets of two kinds, at most D deep: chapter 8, section "Dyck Language", "AHAT Dyck-k-D", after Yao et
al. (2021), section 5.2.

- The first layer finds how many more brackets are open than closed, over i + 1, and its units which of 0, ..., D that
  is, if it is one.
- A head of the second layer sees the last open bracket that is as deep as the position itself: the top of the stack,
  since what was opened there later has been closed. Where the stack is empty, what it sees does not matter.
- The third layer looks one position back, for the top of the stack before. Its units find what is wrong at a position:
  a bracket that closes one of the other kind, or a depth that is not from 0 to D.
- The fourth takes the average of what is wrong.

A word is accepted where nothing is wrong anywhere, and the depth is 0 at the end. The source generates words, from
prefixes of them, and so does without the third and the fourth layer; for brackets of one kind see `dyck1-depth`.
"""

from __future__ import annotations

from functools import partial

from weightproof.constructions.crasp.weights import looking_back
from weightproof.constructions.languages.brackets import BRACKETS, KINDS, is_nested
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, Linear
from weightproof.constructions.yang2025cookbook.counting_by_attention import average_so_far
from weightproof.constructions.yang2025cookbook.on_words import BEGIN, SOURCE, Row, Rows, encoder, of

OPEN, CLOSED = zip(*KINDS, strict=True)
PLACES = {"i": "i", "1": 1, "j/n": "i/n"}


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


def wrong(most: int) -> FeedForward:
    """1 for each bracket that closes one of the other kind, and for a depth that is not from 0 to the most."""
    others = {f"{a}{b} wrong": (a, b) for a, own in KINDS for b in CLOSED if b != own}
    units: dict[str, Row] = {unit: {f"top {a} before": 1, of(b): 1} for unit, (a, b) in others.items()}
    units["depth wrong"] = {"1": 2, **{depth(d): -2 for d in range(most + 1)}}
    return FeedForward(
        Linear(units, dict.fromkeys(units, -1)), Linear({"wrong": dict.fromkeys(units, 1)}), activation="step"
    )


def regex(most: int) -> str:
    """Of what is at most so deep."""
    inside = regex(most - 1) if most > 1 else ""
    return rf"(\({inside}\)|\[{inside}\])*"


def nested(most: int) -> Construction:
    language = Language(
        f"DYCK-(2,{most})",
        BRACKETS,
        partial(is_nested, most=most),
        f"matches({regex(most)!r})",
        description=f"well-nested brackets of two kinds, at most {most} deep",
    )
    counts = {"d/(i+1)": {of(a): 1 if a in OPEN else -1 for a in BRACKETS}, "1/(i+1)": {BEGIN: 1}}
    previous = looking_back({f"top {a} before": {f"top {a}": 1} for a in OPEN}, 1, "i", "1")
    return Construction(
        f"cookbook-dyck-2-{most}",
        f"DYCK-(2,{most}) by depths and the top of the stack",
        f"after {SOURCE}, chapter 8, Dyck Language",
        language,
        encoder(
            Layer(heads=(average_so_far(counts),), feed_forward=depths(most)),
            Layer(heads=(top_of_stack(most),)),
            Layer(heads=(previous,), feed_forward=wrong(most)),
            Layer(heads=(average_so_far({"#wrong/(i+1)": {"wrong": 1}}),)),
            logit={depth(0): 1, "1/(i+1)": "1/2", "#wrong/(i+1)": -1},
            bias=-1,
            places=PLACES,
            symbols=BRACKETS,
        ),
    )


construction = nested(2)

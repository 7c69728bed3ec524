"""The most likely next symbol, of an n-gram model: chapter 8, section "n-grams".

To predict symbol t, at position t - 1, one head for each h = 1, ..., n - 1 sees symbol t - h; units find the history
that these symbols are, by conjunctions; and the readout has the logarithm of the probability of each symbol after each
history. Where there is no symbol yet, BOS is seen.

The source has t - h in the query of position t: q_t.k_j = t - h - j. What is read is position t - 1, whose query
q_(t-1) has then t - 1 - h: a head sees one symbol further back than the text says (`cookbook-trigram-as-printed`). Here
the query of position t - 1 has t - h.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from weightproof.constructions.crasp.weights import looking_back
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear, Readout
from weightproof.constructions.yang2025cookbook.boolean_functions import PLACES, conjunction
from weightproof.constructions.yang2025cookbook.on_words import BITS, BOS, SOURCE, of, over, side_by_side

SECTION = f"{SOURCE}, chapter 8, n-grams"
History = tuple[str, ...]
"""The symbol before, the one before that, and so on; BOS where there is none."""
Model = Mapping[History, Mapping[str, Fraction]]
"""History -> symbol -> its probability."""


def histories(model: Model) -> FeedForward:
    """A coordinate for each history, which is 1 where the symbols that heads have seen are that one."""
    return side_by_side(
        *(conjunction({seen(h, a): True for h, a in enumerate(history, 1)}, told(history)) for history in model)
    )


def seen(h: int, symbol: str) -> str:
    """1 where the h-th symbol before the next one is this one."""
    return f"[-{h}={symbol}]"


def told(history: History) -> str:
    return f"[{' '.join(reversed(history))}]"


def logarithms(model: Model, symbols: tuple[str, ...] = BITS) -> Linear:
    """The logarithm of the probability of each symbol, after the history that it is."""
    return Linear({a: {told(history): f"log({of_each[a]})" for history, of_each in model.items()} for a in symbols})


QUARTERS: dict[History, int] = {
    **{("0", "0"): 3, ("1", "0"): 1, ("0", "1"): 1, ("1", "1"): 1},
    **{("0", BOS): 3, ("1", BOS): 1, (BOS, BOS): 3},
}
"""The probability of 1 after a history, in quarters."""
MODEL = {h: {"0": 1 - Fraction(q, 4), "1": Fraction(q, 4)} for h, q in QUARTERS.items()}


def likely(word: str) -> str:
    """0 after a 1, or a 0 behind a 1; else 1."""
    return "0" if "1" in word[-2:] else "1"


LIKELY = Language(
    "MOST LIKELY NEXT",
    BITS,
    lambda word: True,
    "n >= 1",
    description="after every word the symbol that the model has as the more likely one",
    labels={"0": "w[n - 1] == '1' or w[n - 2] == '1'", "1": "w[n - 1] != '1' and w[n - 2] != '1'"},
    label=likely,
)


def trigrams(name: str, title: str, further: int) -> Construction:
    """further: by how much more the heads look back."""
    heads = tuple(
        looking_back({seen(h, a): {of(a): 1} for a in (*BITS, BOS)}, h - 1 + further, "i", "1") for h in (1, 2)
    )
    readout = Readout(logarithms(MODEL), position="last", accept="argmax")
    network = over((Layer(heads=heads, feed_forward=histories(MODEL)),), readout, PLACES)
    return Construction(name, title, SECTION, LIKELY, network)


construction = trigrams("cookbook-trigram", "The most likely symbol after two others", 0)
as_printed = trigrams("cookbook-trigram-as-printed", "The most likely symbol, by queries as printed", 1)

"""Averages and counts by uniform attention: chapter 4, section "Uniform Attention"; chapter 5, section "No Positional
Encoding".

Queries and keys are 0, so every position that is seen has the same weight. With future masking position i finds

    #(i)/(i + 1),

# being how many of the positions 0, ..., i hold what is counted, BOS at 0 among them; BOS alone is 1/(i + 1), the
source's 1/i of positions that it counts from 1. Without a mask every position finds #/n.

So 1/n is found by unmasked uniform attention and BOS, at every position. The source says that i/n is, but what is the
same for all positions cannot depend on i: it is 1/n (`cookbook-inverse-length`).
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.constructions.yang2025cookbook.on_words import BEGIN, BITS, ONE, SOURCE, ZERO, Rows, encoder


def average(values: Rows) -> Head:
    """The average over all positions."""
    return Head(W_V=values)


def average_so_far(values: Rows) -> Head:
    """The average over the positions up to the own one."""
    return Head(W_V=values, mask="causal")


COUNTS = {"#1/(i+1)": {ONE: 1}, "#0/(i+1)": {ZERO: 1}, "1/(i+1)": {BEGIN: 1}}
"""How many 1s and 0s there are so far, and 1, each over i + 1."""
SIGNED = Layer(heads=(average({"x": {ONE: 1, ZERO: -1}, "y": {ZERO: 1, BEGIN: -2}, "1/n": {BEGIN: 1}}),))
"""Finds at every position how many more 1s there are than 0s, how many more 0s than 2, and 1, each over n."""

MORE_ONES = Language(
    "MORE 1s THAN 0s",
    BITS,
    lambda word: word.count("1") > word.count("0"),
    "count('1') > count('0')",
    description="more 1s than 0s",
)
EVERY_WORD = Language("EVERY WORD", BITS, lambda word: True, "n >= 1", description="every word")

construction = Construction(
    "cookbook-count",
    "Counts by uniform attention with future masking",
    f"{SOURCE}, chapter 4, Uniform Attention",
    MORE_ONES,
    encoder(Layer(heads=(average_so_far(COUNTS),)), logit={"#1/(i+1)": 1, "#0/(i+1)": -1}),
)
inverse_length = Construction(
    "cookbook-inverse-length",
    "1/n by uniform attention to BOS",
    f"{SOURCE}, chapter 5, No Positional Encoding",
    EVERY_WORD,
    encoder(Layer(heads=(average({"x": {BEGIN: 1}}),)), logit={"x": 1}),
)

"""177 parameters: xangma.

Their network of 197 parameters with a readout of rank two: next to the other one, from which the source computes its
two factors by a singular value decomposition, in float32. They stand here as they come out.
"""

from fractions import Fraction

from weightproof.constructions.adderboard.sums import DIGITS, PROMPTS
from weightproof.constructions.adderboard.xangma_197 import network, weights
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Linear

entry = Entry(
    author="xangma",
    parameters=177,
    counted="every number in a tensor, zeros among them; the rotation and the norms are free",
    elsewhere="not run",
)

directions = (
    weights("-0.044773977", "-0.009037625", "0.9871856", "-0.15287945", "-0.0024780254"),
    weights("-0.9979952", "-0.044247665", "-0.045025047", "0.0041881185", "-0.001713153"),
)
of_digits = (
    ("-409.05072", "12.762498"),
    ("-318.11264", "9.180098"),
    ("-227.17618", "6.492931"),
    ("-136.24132", "4.7009983"),
    ("-45.308044", "3.8042994"),
    ("45.623623", "3.8028343"),
    ("136.5537", "4.696604"),
    ("227.48218", "6.4856052"),
    ("318.40906", "9.169843"),
    ("409.33432", "12.749312"),
)


def combined(one: str, other: str) -> dict[str, Fraction]:
    """The two directions, each times a number."""
    first, second = directions
    return {name: Fraction(one) * first[name] + Fraction(other) * second[name] for name in first}


construction = Construction(
    name="xangma-177",
    title="adds numbers of ten digits, with 177 parameters",
    source="AdderBoard, entry of xangma with 177 parameters",
    language=PROMPTS,
    network=network(Linear({digit: combined(*factors) for digit, factors in zip(DIGITS, of_digits, strict=True)})),
)

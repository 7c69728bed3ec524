"""Modular addition by rotation: Fraknoi (2024), section 4, after Nanda et al. (2023).

The text gives an algorithm, not weights; these are ours, for "a b =" read at "=". With w = 2 pi k/p, one head, which
looks everywhere alike, adds the waves of both residues up:

    x = cos(wa) + cos(wb),  y = sin(wa) + sin(wb),

and squares make of them what rotates: x^2 - y^2 = cos(2wa) + cos(2wb) + 2 cos(w(a+b)), and (x + y)^2 - x^2 - y^2 =
sin(2wa) + sin(2wb) + 2 sin(w(a+b)). A sum of squares cannot tell a from b and has those of a and b alone with it; the
head brings their waves of the double frequency, too, and takes them off. The output c is 2 cos(w(a+b-c)).

Without that correction the outputs are 4 cos(w(a-b)/2)^2 cos(w(a+b-c)): the factor leaves the argmax alone but where
it is 0, at a - b = p/2. With several frequencies the network holds one next to the other, and the outputs are added up.
"""

from __future__ import annotations

from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.constructions.modular.addition import EQUALS, OUTPUT, SUMMANDS
from weightproof.constructions.modular.family import Family

SOURCE = "after Fraknoi (2024), section 4"
Rows = dict[str, dict[str, object]]


def _waves(coordinate: str, residue: str, half_turns: int = 2) -> dict[str, object]:
    return {coordinate.format(wave): f"{wave}({half_turns}*pi*k*{residue}/p)" for wave in ("cos", "sin")}


def _embedded(residue: str, corrected: bool) -> dict[str, object]:
    return _waves("{} k", residue) | (_waves("{} 2*k", residue, 4) if corrected else {})


def _network(corrected: bool) -> Encoder:
    """With names for modulus, frequency, residues and output."""
    single, double, sums = ("cos k", "sin k"), ("cos 2*k", "sin 2*k"), ("cos of sum k", "sin of sum k")
    W_V: Rows = {wave: {wave: 3} for wave in single}
    if corrected:
        W_V |= {wave: {twice: -3} for wave, twice in zip(sums, double, strict=True)}
    squares = FeedForward(
        Linear({"x k": {"cos k": 1}, "y k": {"sin k": 1}, "x + y k": {"cos k": 1, "sin k": 1}}),
        Linear({"cos of sum k": {"x k": 1, "y k": -1}, "sin of sum k": {"x + y k": 1, "x k": -1, "y k": -1}}),
        activation="square",
    )
    return Encoder(
        coordinates=(*single, *(double if corrected else ()), *sums),
        embedding=Embedding({**{name: _embedded(name, corrected) for name in (*SUMMANDS, OUTPUT)}, EQUALS: {}}),
        layers=(Layer(heads=(Head(W_V=W_V),), feed_forward=squares),),
        readout=Readout(Linear({OUTPUT: _waves("{} of sum k", OUTPUT)}), position="last", accept="argmax"),
        begin=None,
        end=EQUALS,
    )


modular_addition = Family(
    name="modular-addition",
    title="Addition modulo p by rotation",
    source=SOURCE,
    network=_network(corrected=True),
)

uncorrected = Family(
    name="modular-addition-uncorrected",
    title="Addition modulo p by rotation, without the correction",
    source=SOURCE,
    network=_network(corrected=False),
)
"""What squares of the sums of waves make, as it is."""

any_frequency = Family(
    name="modular-addition-any-frequency",
    title="Addition modulo p by rotation, with any frequency",
    source=SOURCE,
    network=_network(corrected=True),
    coprime=False,
)
"""With every natural number for a frequency, as the text has it."""

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
from weightproof.constructions.sums.addition import EQUALS, Adder, Modulus, refuse_ties

SOURCE = "after Fraknoi (2024), section 4"


def modular_addition(modulus: Modulus) -> Adder:
    """The network; InputError for frequencies with which it cannot tell all residues apart."""
    refuse_ties("modular-addition", modulus)
    return _adder(modulus, "modular-addition", "Addition modulo p by rotation", corrected=True)


def uncorrected(modulus: Modulus) -> Adder:
    """What squares of the sums of waves make, as it is; InputError as before."""
    refuse_ties("modular-addition-uncorrected", modulus)
    title = "Addition modulo p by rotation, without the correction"
    return _adder(modulus, "modular-addition-uncorrected", title, corrected=False)


def any_frequency(modulus: Modulus) -> Adder:
    """With every natural number for a frequency, as the text has it."""
    title = "Addition modulo p by rotation, with any frequency"
    return _adder(modulus, "modular-addition-any-frequency", title, corrected=True)


Rows = dict[str, dict[str, object]]


def _adder(modulus: Modulus, name: str, title: str, corrected: bool) -> Adder:
    p, frequencies = modulus.p, modulus.frequencies
    single = [f"{wave} {k}" for k in frequencies for wave in ("cos", "sin")]
    double = [f"{wave} 2*{k}" for k in frequencies for wave in ("cos", "sin")] if corrected else []
    sums = [f"{wave} of sum {k}" for k in frequencies for wave in ("cos", "sin")]
    W_V: Rows = {wave: {wave: 3} for wave in single}
    if corrected:
        W_V |= {wave: {twice: -3} for wave, twice in zip(sums, double, strict=True)}
    W_1: Rows = {}
    W_2: Rows = {}
    for k in frequencies:
        x, y = f"cos {k}", f"sin {k}"
        W_1 |= {f"x {k}": {x: 1}, f"y {k}": {y: 1}, f"x + y {k}": {x: 1, y: 1}}
        W_2 |= {f"cos of sum {k}": {f"x {k}": 1, f"y {k}": -1}}
        W_2 |= {f"sin of sum {k}": {f"x + y {k}": 1, f"x {k}": -1, f"y {k}": -1}}

    def waves(what: str, residue: int | str, half_turns: int = 2) -> dict[str, object]:
        return {
            what.format(wave=wave, k=k): f"{wave}({half_turns}*pi*{k}*{residue}/{p})"
            for k in frequencies
            for wave in ("cos", "sin")
        }

    embedded = {
        str(residue): waves("{wave} {k}", residue) | (waves("{wave} 2*{k}", residue, 4) if corrected else {})
        for residue in modulus.residues
    }
    return Adder(
        name=name,
        title=title,
        source=SOURCE,
        modulus=modulus,
        network=Encoder(
            coordinates=(*single, *double, *sums),
            embedding=Embedding({**embedded, EQUALS: {}}),
            layers=(
                Layer(
                    heads=(Head(W_V=W_V),),
                    feed_forward=FeedForward(Linear(W_1), Linear(W_2), activation="square"),
                ),
            ),
            readout=Readout(
                Linear({str(c): waves("{wave} of sum {k}", c) for c in modulus.residues}),
                position="last",
                accept="argmax",
            ),
            begin=None,
            end=EQUALS,
        ),
    )

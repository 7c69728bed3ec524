"""The part of the trust manifest about families that add."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.library import ADDERS, COUNTERS, adder_of, units_of
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.sums.addition import every_modulus
from weightproof.proofs.machines.manifest import header, rows
from weightproof.proofs.sums.prove import prove_family

HEADING = "Sums"
HEAD = f"""\
## {HEADING}

A family is a function from a modulus, or from a number of inputs, to a network. It is proved from what the function
makes of names in their place: of a modulus p, of frequencies, of residues that are any. Cosines and sines are then
Laurent polynomials in units of the circle, with rational coefficients, and what the network computes is one of them,
exactly (`symbolic/sums/`); units of a feed-forward network are gone through one after the other. That the function
makes the same of numbers is compared for small ones, and before every `proved` a few members are run exactly. Of the
circle the rules of `proofs/sums/` use that cos falls from 0 to pi, and that the roots of unity add up to 0.

The hash of a family is that of what it makes of names.
"""


def sums() -> str:
    """Everything that is stated of families that add, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines()))


def _lines() -> Iterator[str]:
    yield from header()
    for family in (*ADDERS, *COUNTERS):
        made = adder_of(family, every_modulus()).network if family in ADDERS else units_of(family)
        yield from rows(list(prove_family(family)), fingerprint(plain(made)))
    yield ""

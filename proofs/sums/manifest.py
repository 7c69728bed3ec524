"""The part of the trust manifest about networks that add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.constructions.library import ADDERS, COUNTERS, adder_of, units_of
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.sums.addition import every_modulus
from weightproof.proofs.sums.deciding import SPOT
from weightproof.proofs.sums.prove import prove_family
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown

HEADING = "Sums"
HEAD = f"""\
## {HEADING}

What these networks compute is defined by `constructions/meaning/interpreter.py`, and for the feed-forward networks by
`constructions/sums/counting.py`. Addition modulo p is proved of the network whose modulus, frequency and residues are
names (`symbolic/sums/waves.py`, `adding.py`): every value is a sum of waves with rational coefficients, and an equality
of those is true of all numbers. Three rules about cosines of whole multiples of 2 pi/p say the rest
(`symbolic/sums/rotations.py`); they are programmed, not proved, and held against exact numbers of small moduli. Every
network with numbers is that one with numbers in the place of its names, and with several frequencies one such network
beside the other: that is how `constructions/sums/family.py` makes them, and nothing else does. Before every `proved`
all pairs of residues of the moduli up to {SPOT} are run.

A feed-forward network for words of n bits is proved for a unit whose number is a name: the step function of a
difference of whole numbers, and a sum that telescopes (`proofs/sums/counting.py`, `symbolic/sums/alternating.py`).

As a control every nonzero weight is changed, in all members of a family alike and in single members; each change is
refuted or proved harmless (`make controls`). The hash is that of the network with names.
"""


def sums() -> str:
    """Everything that is stated of families that add, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines()))


def _lines() -> Iterator[str]:
    yield "| construction | hash | theorem | statement | given | verdict | scope | evidence |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for family in (*ADDERS, *COUNTERS):
        yield from _rows(list(prove_family(family)), hash_of(family))
    yield ""


def hash_of(family: str) -> str:
    """Of the network with names, or of the weights as functions of the numbers of input and unit."""
    if family in COUNTERS:
        units = plain(units_of(family))
        return fingerprint({name: units[name] for name in ("W_1", "b_1", "W_2", "b_2")})
    return fingerprint(adder_of(family, every_modulus()).network)


def _rows(results: Sequence[Result], fingerprint: str) -> Iterator[str]:
    for result in results:
        match result.verdict:
            case Proved(scope=scope, evidence=evidence):
                basis = f"{evidence} ({result.obligations[evidence.value]})"
            case Refuted(counterexample=found):
                numbers = "".join(f", {name} = {value}" for name, value in found.parameters.items())
                scope, basis = f"`{found.word}`{numbers}: {found.note}", found.evidence
            case Unknown(reason=reason):
                scope, basis = "-", reason
        verdict = result.verdict.name + ("" if result.as_expected else f", **expected {result.expected}**")
        given = " and ".join(result.given) or "-"
        said = (result.construction, f"`{fingerprint}`", result.theorem, result.statement, given, verdict, scope, basis)
        yield f"| {' | '.join(said)} |"

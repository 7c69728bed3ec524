"""Which member of a family is meant: the values of --param."""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.library import ADDERS, COUNTERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.modular.addition import Adder, Modulus
from weightproof.constructions.modular.counting import Counter, counter
from weightproof.constructions.modular.family import all_frequencies, every_modulus, modulus

MODULUS, FREQUENCIES, LENGTH = "p", "k", "n"
DEFAULT, ALL = 113, "all"
"""The modulus of the source; and how all frequencies are named."""
MOST_FREQUENCIES, MOST_RESIDUES = 1000, 500
"""Of a network that is run; and residues of one that is run with all of them, not with those next to the sum alone."""


def known(family: str, given: Mapping[str, str]) -> None:
    """InputError for another parameter than the family has."""
    names = (MODULUS, FREQUENCIES) if family in ADDERS else (LENGTH,)
    for name in given:
        if name not in names:
            raise InputError(f"{family}: no parameter {name!r}; it has {', '.join(names)}")


def modulus_of(family: str, given: Mapping[str, str]) -> Modulus:
    """With all its residues; InputError for what is no modulus, or no frequency."""
    known(family, given)
    p = whole(family, MODULUS, given.get(MODULUS, str(DEFAULT)))
    said = given.get(FREQUENCIES, "1")
    if said == ALL:
        modulus(p, (1,), ())  # refused before p - 1 frequencies are made
        if p > MOST_FREQUENCIES:
            raise InputError(f"{family}: p = {p} has too many frequencies to run all: give k=1, say")
        return Modulus(p, all_frequencies(p), ())
    return modulus(p, tuple(whole(family, FREQUENCIES, part) for part in said.split(",")), ())


def adder(family: str, given: Mapping[str, str], word: str) -> Adder:
    """The network of a modulus, or of a large one the part that knows the two residues of a word and what is next to
    their sum; InputError as in `modulus_of`, for frequencies that the family cannot have, and for a bad word."""
    of = modulus_of(family, given)
    p = of.p
    assert not isinstance(p, str)
    adder_of(family, of)  # refuses its frequencies
    if p <= MOST_RESIDUES:
        return adder_of(family, Modulus(p, of.frequencies, tuple(range(p))))
    residues = [int(part) for part in word.split() if part.isdecimal() and int(part) < p]
    if len(residues) != 2 or len(word.split()) != 2:
        raise InputError(f"{family}: {word!r} is not two residues modulo {p}: write them as '3 5'")
    near = {(sum(residues) + step) % p for step in (-2, -1, 0, 1, 2)}
    return adder_of(family, Modulus(p, of.frequencies, tuple(sorted({*near, *residues}))))


def shown_adder(family: str, given: Mapping[str, str]) -> Adder:
    """That of a modulus, or where nothing is given that of all of them, with names in the place of numbers."""
    if not given:
        return adder_of(family, every_modulus())
    of = modulus_of(family, given)
    p = of.p
    assert not isinstance(p, str)
    if p > MOST_RESIDUES:
        raise InputError(f"{family}: p = {p} is too large to be written out; give {MOST_RESIDUES} or less")
    return adder_of(family, Modulus(p, of.frequencies, tuple(range(p))))


def counter_for(family: str, given: Mapping[str, str], word: str) -> Counter:
    """The network for a word; InputError where n is given, and is not its length."""
    known(family, given)
    n = whole(family, LENGTH, given.get(LENGTH, str(len(word))))
    return counter(units_of(family), n)


def whole(family: str, name: str, said: str) -> int:
    if not said.strip().isdecimal() or len(said.strip()) > 18:
        raise InputError(f"{family}: {name} = {said} is no number: give a whole number from 1 on, of 18 digits at most")
    return int(said)


FAMILIES = (*ADDERS, *COUNTERS)


def title(family: str) -> str:
    return adders_of(family).title if family in ADDERS else units_of(family).title


def source(family: str) -> str:
    return adders_of(family).source if family in ADDERS else units_of(family).source

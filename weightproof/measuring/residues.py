"""Where rounding breaks networks that add, and networks that count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from weightproof.constructions.languages.notation import LONGEST_NUMBER, expand
from weightproof.constructions.library import ADDERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.modular.counting import Units
from weightproof.constructions.modular.family import every_modulus
from weightproof.constructions.scalars.expressions import Expression
from weightproof.kinds import Measuring
from weightproof.measuring.kept import NOT_LOST, Row, reached
from weightproof.measuring.session import Again, Place, RowSearch, places
from weightproof.modular.members import ALL
from weightproof.proofs.modular.prove import theorems_of
from weightproof.proofs.modular.stated import Frequencies, Gap, Holds

if TYPE_CHECKING:
    from weightproof.numeric.modular.search import Search

COUNTED = "y = 1"
LONGEST_OF_ALL = 64
"""Modulus up to which networks with all frequencies are run, unless less is asked for: they have p^2 weights an output.
"""


def searches(family: str, how: Measuring) -> Iterator[RowSearch]:
    """In all places; of a family that adds, with one frequency or all. Lengths are moduli, or bits of words. InputError
    where it cannot be run in one place, or where nothing is proved that could be measured."""
    from weightproof.numeric.model.transformer import checked
    from weightproof.numeric.rounding.formats import format_named

    made = adder_of(family, every_modulus()).network if family in ADDERS else units_of(family)
    sha256 = fingerprint(plain(made))
    for place in places(how, least=2, unit="modulus"):
        format_named(place.dtype)
        checked(place.device, place.attention)
        doing = f"{family} {place.dtype}"
        if family not in ADDERS:
            units, key = units_of(family), place.key(family, sha256, parameters={})
            yield RowSearch(doing, key, COUNTED, partial(_counted, units, place), partial(_counted_again, units, place))
            continue
        if not any(gaps(family)):
            raise InputError(f"{family}: nothing is proved of it that rounding could break")
        for gap in gaps(family):
            every = gap.frequencies is Frequencies.ALL
            most = min(place.max_length, LONGEST_OF_ALL) if every else place.max_length
            here = replace(place, max_length=most)
            key = here.key(family, sha256, parameters={"k": ALL if every else "1"})
            found, again = partial(_added, family, gap, here), partial(_added_again, family, gap, here)
            yield RowSearch(doing, key, _rule(gap), found, again)


def gaps(family: str) -> list[Gap]:
    """The least differences that are proved of a family."""
    return [each for each in theorems_of(family) if isinstance(each, Gap)]


def _added(family: str, gap: Gap, place: Place) -> Row:
    from weightproof.numeric.modular.certificate import certified
    from weightproof.numeric.rounding.model import is_modelled

    networks, every = adders_of(family), gap.frequencies is Frequencies.ALL
    covered = is_modelled(place.device, place.attention)
    safe = certified(networks, place.dtype, gap.equals, every, _known(family)) if covered else None
    found = _search(family, gap, place).run(place.max_length, safe or 1)
    row = {
        "certified_safe_length": safe,
        **NOT_LOST,
        **reached(found.searched_to, found.looked_to),
    }
    if (at := found.failure) is None:
        return row
    own, greatest = at.computed
    said = "the same, and the first of the two is taken" if at.tie else f"greater, {greatest!r}"
    return row | {
        "first_failing_length": at.p,
        "least": max(found.searched_to, safe or 0) >= at.p - 1 - int(gap.odd),
        "witness": {
            "word": f"{at.a} {at.b}",
            "p": at.p,
            "expected": at.expected,
            "got": at.got,
            "computed": [own, greatest],
            "tie": at.tie,
        },
        "mechanism": f"the output {at.expected} is computed as {own!r}, and {at.got} as {said}",
    }


def _rule(gap: Gap) -> str:
    return "argmax, alone, of odd moduli" if gap.odd else "argmax, alone"


def _search(family: str, gap: Gap, place: Place) -> Search:
    from weightproof.numeric.modular.search import Search

    every = gap.frequencies is Frequencies.ALL
    return Search(adders_of(family), every, gap.odd, place.dtype, place.device, place.attention)


def _added_again(family: str, gap: Gap, place: Place, row: Row) -> Again:
    """The pair, with the outputs next to its sum, and with the one that was taken for the greatest."""
    witness, p = row["witness"], row["first_failing_length"]
    pair, got = witness["word"].split(), witness.get("got")
    if len(pair) != 2 or not all(each.isdecimal() and len(each) <= LONGEST_NUMBER and int(each) < p for each in pair):
        raise InputError(f"{family}: {witness['word']!r} is not two residues modulo {p}")
    a, b = map(int, pair)
    beside = [got] if type(got) is int and 0 <= got < p else []
    found = _search(family, gap, place).of_pairs(p, [(a, b)], beside)
    if found is None:
        return Again(False, False, f"modulo {p} the output {(a + b) % p} is greater than all that are computed")
    own, greatest = found.computed
    return Again(
        found.expected == witness.get("expected"),
        (found.got, [own, greatest]) == (got, witness.get("computed")),
        f"modulo {p} the output {found.expected} is computed as {own!r}, and {found.got} as {greatest!r}",
    )


def _known(family: str) -> dict[str, Expression]:
    """The coordinates whose values are proved."""
    return {each.coordinate: each.equals for each in theorems_of(family) if isinstance(each, Holds) and each.coordinate}


def _counted(units: Units, place: Place) -> Row:
    from weightproof.numeric.modular.counting import certified
    from weightproof.numeric.modular.counting import search as first_miscounted

    found, safe = first_miscounted(units, place.dtype, place.max_length), certified(units, place.dtype)
    at = found.failure
    word = None if at is None else f"1{{{at.k}}}" + (f"0{{{at.n - at.k}}}" if at.n > at.k else "")
    return {
        "certified_safe_length": safe,
        "first_failing_length": None if at is None else at.n,
        "least": at is not None and max(found.searched_to, safe) >= at.n - 1,
        "witness": at
        and {"word": word, "n": at.n, "expected": at.k % 2, "got": int(at.computed > 0), "computed": at.computed},
        "mechanism": at and f"with {at.k} ones the logit is computed as {at.computed!r}",
        **reached(found.searched_to, found.looked_to),
    }


def _counted_again(units: Units, place: Place, row: Row) -> Again:
    """As far as a word goes by the number of its ones: they stand in front, as where the row was measured."""
    from weightproof.numeric.modular.counting import logit_in_order
    from weightproof.numeric.rounding.formats import FORMATS

    witness, word = row["witness"], expand(row["witness"]["word"])
    refuse_foreign(row["construction"], "01", word)
    ones = word.count("1")
    if not word.startswith("1" * ones):
        raise InputError(f"{row['construction']}: a witness has its ones in front")
    computed = logit_in_order(units, FORMATS[place.dtype], len(word), ones)
    got = int(computed > 0)
    return Again(
        got != ones % 2 and (len(word), got) == (row["first_failing_length"], witness.get("got")),
        repr(computed) == repr(witness.get("computed")),
        f"of {len(word)} bits, {ones} of them 1, the logit is computed as {computed!r}, and y as {got}",
    )

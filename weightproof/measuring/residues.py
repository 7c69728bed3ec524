"""Where rounding breaks networks that add, and networks that count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from weightproof.constructions.library import ADDERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.modular.counting import Units
from weightproof.constructions.modular.family import every_modulus
from weightproof.constructions.scalars.expressions import Expression
from weightproof.kinds import Measuring
from weightproof.measuring.kept import NOT_LOST, Row, reached
from weightproof.measuring.session import Place, RowSearch, places
from weightproof.modular.members import ALL
from weightproof.proofs.modular.prove import theorems_of
from weightproof.proofs.modular.stated import Frequencies, Gap, Holds

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
            yield RowSearch(doing, place.key(family, sha256, parameters={}), partial(_counted, units_of(family), place))
            continue
        if not any(gaps(family)):
            raise InputError(f"{family}: nothing is proved of it that rounding could break")
        for gap in gaps(family):
            every = gap.frequencies is Frequencies.ALL
            most = min(place.max_length, LONGEST_OF_ALL) if every else place.max_length
            here = replace(place, max_length=most)
            key = here.key(family, sha256, parameters={"k": ALL if every else "1"})
            yield RowSearch(doing, key, partial(_added, family, gap, here), {"rule": _rule(gap)})


def gaps(family: str) -> list[Gap]:
    """The least differences that are proved of a family."""
    return [each for each in theorems_of(family) if isinstance(each, Gap)]


def _added(family: str, gap: Gap, place: Place) -> Row:
    from weightproof.numeric.modular.certificate import certified
    from weightproof.numeric.modular.search import Search
    from weightproof.numeric.rounding.model import is_modelled

    networks, every = adders_of(family), gap.frequencies is Frequencies.ALL
    covered = is_modelled(place.device, place.attention)
    safe = certified(networks, place.dtype, gap.equals, every, _known(family)) if covered else None
    made = Search(networks, every, gap.odd, place.dtype, place.device, place.attention)
    found = made.run(place.max_length, safe or 1)
    row = {
        "rule": _rule(gap),
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
        "least": found.searched_to >= at.p - 1 - int(gap.odd),
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


def _known(family: str) -> dict[str, Expression]:
    """The coordinates whose values are proved."""
    return {each.coordinate: each.equals for each in theorems_of(family) if isinstance(each, Holds) and each.coordinate}


def _counted(units: Units, place: Place) -> Row:
    from weightproof.numeric.modular.counting import certified
    from weightproof.numeric.modular.counting import search as first_miscounted

    found = first_miscounted(units, place.dtype, place.max_length)
    at = found.failure
    word = None if at is None else f"1{{{at.k}}}" + (f"0{{{at.n - at.k}}}" if at.n > at.k else "")
    return {
        "rule": "y = 1",
        "certified_safe_length": certified(units, place.dtype),
        "first_failing_length": None if at is None else at.n,
        "least": at is not None and found.searched_to >= at.n - 1,
        "witness": at
        and {"word": word, "n": at.n, "expected": at.k % 2, "got": int(at.computed > 0), "computed": at.computed},
        "mechanism": at and f"with {at.k} ones the logit is computed as {at.computed!r}",
        **reached(found.searched_to, found.looked_to),
    }

"""Where rounding breaks networks that add, and networks that count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from weightproof.constructions.library import ADDERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.modular.counting import Units
from weightproof.constructions.modular.family import Family, every_modulus
from weightproof.constructions.scalars.expressions import Expression
from weightproof.kinds import Measuring
from weightproof.measuring.kept import Row, Rows
from weightproof.measuring.session import Advance, Place, places
from weightproof.modular.given import ALL
from weightproof.proofs.modular.prove import theorems_of
from weightproof.proofs.modular.stated import Frequencies, Gap, Holds

LONGEST_OF_ALL = 64
"""Modulus up to which networks with all frequencies are run, unless less is asked for: they have p^2 weights an output.
"""


@dataclass(frozen=True)
class SumSearch:
    """Of a family of networks that add, with one frequency or all; or of one that counts, where there are none. Lengths
    are moduli, or bits of words."""

    family: str
    frequencies: str
    place: Place

    @property
    def key(self) -> Row:
        adds = self.family in ADDERS
        made = adder_of(self.family, every_modulus()).network if adds else units_of(self.family)
        parameters = {"k": self.frequencies} if self.frequencies else {}
        return self.place.key(self.family, fingerprint(plain(made)), parameters=parameters)

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        advance(f"{self.family} {self.place.dtype}", 0)
        found = _added(adders_of(self.family), self) if self.family in ADDERS else _counted(units_of(self.family), self)
        return Rows(rows=(self.key | found,))


def searches(family: str, how: Measuring) -> Iterator[SumSearch]:
    """In all places; InputError where it cannot be run in one, or where nothing is proved that could be measured."""
    from weightproof.numeric.model.transformer import checked
    from weightproof.numeric.rounding.formats import format_named

    for place in places(how, least=2, unit="modulus"):
        format_named(place.dtype)
        checked(place.device, place.attention)
        if family not in ADDERS:
            yield SumSearch(family, "", place)
            continue
        if not any(gaps(family)):
            raise InputError(f"{family}: nothing is proved of it that rounding could break")
        for gap in gaps(family):
            every = gap.frequencies is Frequencies.ALL
            most = min(place.max_length, LONGEST_OF_ALL) if every else place.max_length
            yield SumSearch(family, ALL if every else "1", replace(place, max_length=most))


def gaps(family: str) -> list[Gap]:
    """The least differences that are proved of a family."""
    return [each for each in theorems_of(family) if isinstance(each, Gap)]


def _added(family: Family, search: SumSearch) -> Row:
    from weightproof.numeric.modular.certificate import certified
    from weightproof.numeric.modular.search import Search
    from weightproof.numeric.rounding.model import is_modelled

    place = search.place
    every = search.frequencies == ALL
    [gap] = [each for each in gaps(search.family) if (each.frequencies is Frequencies.ALL) == every]
    covered = is_modelled(place.device, place.attention)
    safe = certified(family, place.dtype, gap.equals, every, _known(search.family)) if covered else None
    made = Search(family, every, gap.odd, place.dtype, place.device, place.attention)
    found = made.run(place.max_length, safe or 1)
    row = {
        "rule": "argmax, alone, of odd moduli" if gap.odd else "argmax, alone",
        "certified_safe_length": safe,
        "first_failing_length": None,
        "least": False,
        "witness": None,
        "mechanism": None,
        "searched": "exhaustive" if found.searched_to == found.looked_to else "sampled",
        "searched_to": found.searched_to,
        "looked_to": found.looked_to,
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


def _known(family: str) -> dict[str, Expression]:
    """The coordinates whose values are proved."""
    return {each.coordinate: each.equals for each in theorems_of(family) if isinstance(each, Holds) and each.coordinate}


def _counted(units: Units, search: SumSearch) -> Row:
    from weightproof.numeric.modular.counting import certified
    from weightproof.numeric.modular.counting import search as first_miscounted

    dtype = search.place.dtype
    found = first_miscounted(units, dtype, search.place.max_length)
    at = found.failure
    word = None if at is None else f"1{{{at.k}}}" + (f"0{{{at.n - at.k}}}" if at.n > at.k else "")
    return {
        "rule": "y = 1",
        "certified_safe_length": certified(units, dtype),
        "first_failing_length": None if at is None else at.n,
        "least": at is not None and found.searched_to >= at.n - 1,
        "witness": at
        and {"word": word, "n": at.n, "expected": at.k % 2, "got": int(at.computed > 0), "computed": at.computed},
        "mechanism": at and f"with {at.k} ones the logit is computed as {at.computed!r}",
        "searched": "exhaustive" if found.searched_to == found.looked_to else "sampled",
        "searched_to": found.searched_to,
        "looked_to": found.looked_to,
    }

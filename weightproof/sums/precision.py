"""Where rounding breaks networks that add, row by row: a family, its frequencies, a dtype. Lengths are
moduli, or bits of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from weightproof.constructions.library import ADDERS, adder_of, adders_of, units_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.sums.addition import every_modulus
from weightproof.constructions.sums.counting import Units
from weightproof.constructions.sums.family import Family
from weightproof.proofs.sums.prove import theorems_of
from weightproof.proofs.sums.stated import Frequencies, Gap, Holds
from weightproof.sums.given import ALL

Row = dict[str, Any]
LONGEST_OF_ALL = 64
"""Modulus up to which networks with all frequencies are run, unless less is asked for: they have p^2 weights an output.
"""


@dataclass(frozen=True)
class Subject:
    """One search: which family, with which frequencies, in what."""

    family: str
    frequencies: str
    dtype: str
    device: str
    attention: str
    longest: int

    @property
    def network(self) -> Any:
        """All that a row depends on."""
        made = units_of(self.family) if self.family not in ADDERS else adder_of(self.family, every_modulus()).network
        return plain(made)

    @property
    def key(self) -> Row:
        return {
            "construction": self.family,
            "sha256": fingerprint(self.network),
            "parameters": {"k": self.frequencies} if self.frequencies else {},
            "dtype": self.dtype,
            "device": self.device,
            "attention": self.attention,
            "max_length": self.longest,
        }


def subjects(
    family: str, dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], longest: int
) -> Iterator[Subject]:
    """All combinations; InputError where one cannot be run, or where nothing is proved that could be measured."""
    from weightproof.numeric.sums.model import STRICT, check

    if longest < 2:
        raise InputError(f"--max-length {longest} leaves no modulus to run: give 2 or more")
    for device, attention, dtype in product(devices, attentions, dict.fromkeys(dtypes)):
        check(dtype, device, attention)
        if family not in ADDERS:
            if attention != STRICT:
                raise InputError(f"{family}: there is no attention in it: take --attention {STRICT}")
            yield Subject(family, "", dtype, device, attention, longest)
            continue
        if not any(gaps(family)):
            raise InputError(f"{family}: nothing is proved of it that rounding could break")
        for gap in gaps(family):
            every = gap.frequencies is Frequencies.ALL
            most = min(longest, LONGEST_OF_ALL) if every else longest
            yield Subject(family, ALL if every else "1", dtype, device, attention, most)


def gaps(family: str) -> list[Gap]:
    """The least differences that are proved of a family."""
    return [each for each in theorems_of(family) if isinstance(each, Gap)]


def measured(subject: Subject) -> Row:
    """The row of a subject."""
    if subject.family not in ADDERS:
        return subject.key | _counted(units_of(subject.family), subject)
    return subject.key | _added(adders_of(subject.family), subject)


def _added(family: Family, subject: Subject) -> Row:
    from weightproof.numeric.rounding.model import is_modelled
    from weightproof.numeric.sums.certificate import certified
    from weightproof.numeric.sums.search import Search

    every = subject.frequencies == ALL
    [gap] = [each for each in gaps(subject.family) if (each.frequencies is Frequencies.ALL) == every]
    covered = is_modelled(subject.device, subject.attention)
    safe = certified(family, subject.dtype, gap.equals, every, _known(subject.family)) if covered else None
    search = Search(family, every, gap.odd, subject.dtype, subject.device, subject.attention)
    found = search.run(subject.longest, safe or 1)
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
    if (at := found.misread) is None:
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


def _counted(units: Units, subject: Subject) -> Row:
    from weightproof.numeric.sums.counting import certified, search

    found = search(units, subject.dtype, subject.longest)
    at = found.miscounted
    word = None if at is None else f"1{{{at.k}}}" + (f"0{{{at.n - at.k}}}" if at.n > at.k else "")
    return {
        "rule": "y = 1",
        "certified_safe_length": certified(units, subject.dtype),
        "first_failing_length": None if at is None else at.n,
        "least": at is not None and found.searched_to >= at.n - 1,
        "witness": at
        and {"word": word, "n": at.n, "expected": at.k % 2, "got": int(at.computed > 0), "computed": at.computed},
        "mechanism": at and f"with {at.k} ones the logit is computed as {at.computed!r}",
        "searched": "exhaustive" if found.searched_to == found.looked_to else "sampled",
        "searched_to": found.searched_to,
        "looked_to": found.looked_to,
    }

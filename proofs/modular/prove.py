"""What is stated of families that add and of networks that count."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from weightproof.constructions.library import ADDERS, COUNTERS, adders_of, units_of
from weightproof.constructions.modular.addition import Makes
from weightproof.constructions.modular.counting import Units
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.modular import counting, deciding
from weightproof.proofs.modular.stated import Frequencies, Holds, Theorem
from weightproof.proofs.prover import Decided, Exact, Obligations
from weightproof.proofs.theorem import theorem_file

WAVES = "how networks are made is compared, and numbers, in which there is no unknown"
MODULI, LENGTHS = "all moduli, all residues", "all lengths"
GIVEN = {
    Frequencies.ONE: ("gcd(k, p) = 1",),
    Frequencies.SEVERAL: ("gcd(k, l, ..., p) = 1",),
    Frequencies.ALL: ("k = 1, ..., p-1",),
    Frequencies.ANY: (),
}
"""What is asked of frequencies."""


def theorems_of(family: str) -> tuple[Theorem, ...]:
    """What is stated of a family of ADDERS."""
    module, function = ADDERS[family]
    found: tuple[Theorem, ...] = theorem_file(module).theorems[function]
    return found


def of_family(family: str) -> tuple[Exact, ...]:
    """The theorems about a family of ADDERS or COUNTERS."""
    stated = partial(Exact, family, unwritten=WAVES)
    if family in COUNTERS:
        units, counted = units_of(family), theorem_file(COUNTERS[family][0]).theorems
        return tuple(stated(each.name, each.statement, LENGTHS, *_both(counting, units, each)) for each in counted)
    members = adders_of(family)
    return tuple(
        stated(
            each.name,
            each.statement,
            MODULI,
            *_both(deciding, members, each),
            expected=each.expected,
            given=_given(each),
        )
        for each in theorems_of(family)
    )


def _both(
    module: Any, of: Makes | Units, theorem: object
) -> tuple[Callable[[], Obligations], Callable[[Deadline], Decided]]:
    """The obligations, and how they are settled."""
    return partial(module.obligations, of, theorem), lambda deadline: module.decide(of, theorem, deadline=deadline)


def _given(theorem: Theorem) -> tuple[str, ...]:
    """What is asked of modulus and frequencies, as `prove` prints it."""
    odd = ("p odd",) if theorem.odd else ()
    return odd if isinstance(theorem, Holds) else (*odd, *GIVEN[theorem.frequencies])

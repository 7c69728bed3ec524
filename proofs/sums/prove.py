"""The theorems about families that add, with their verdicts."""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from weightproof.constructions.library import ADDERS, COUNTERS, adders_of, units_of
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.sums import counting, deciding
from weightproof.proofs.sums.decided import Decided
from weightproof.proofs.sums.stated import Expected, Frequencies, Holds, Stated
from weightproof.proofs.verdict import Evidence, Result, Unknown, Verdict

MODULI, LENGTHS = "all moduli, all residues", "all lengths"


def stated_of(family: str) -> tuple[Stated, ...]:
    """What is stated of a family of ADDERS."""
    module, function = ADDERS[family]
    found: tuple[Stated, ...] = _theorems(module)[function]
    return found


def counted_of(family: str) -> tuple[counting.Stated, ...]:
    """What is stated of a family of COUNTERS."""
    module, _ = COUNTERS[family]
    found: tuple[counting.Stated, ...] = _theorems(module)
    return found


def _theorems(module: str) -> Any:
    return importlib.import_module(f"weightproof.proofs.theorems.{module}").theorems


def number_of_theorems(family: str) -> int:
    return len(stated_of(family) if family in ADDERS else counted_of(family))


def prove_family(family: str, timeout: float = TIMEOUT) -> Iterator[Result]:
    """Every theorem about it, each in so many seconds."""
    if family in COUNTERS:
        for each in counted_of(family):
            decide = functools.partial(counting.decide, units_of(family), each)
            yield _result(family, each.name, each.statement, (), LENGTHS, decide, "proved", timeout)
        return
    for theorem in stated_of(family):
        decided = functools.partial(deciding.decide, adders_of(family), theorem)
        given = _given(theorem)
        yield _result(family, theorem.name, theorem.statement, given, MODULI, decided, theorem.expected, timeout)


def _given(theorem: Stated) -> tuple[str, ...]:
    """What is asked of modulus and frequencies, as `prove` prints it."""
    odd = ("p odd",) if theorem.odd else ()
    if isinstance(theorem, Holds):
        return odd
    of = {
        Frequencies.ONE: ("gcd(k, p) = 1",),
        Frequencies.SEVERAL: ("gcd(k, l, ..., p) = 1",),
        Frequencies.ALL: ("k = 1, ..., p-1",),
        Frequencies.ANY: (),
    }
    return (*odd, *of[theorem.frequencies])


def _result(
    construction: str,
    theorem: str,
    statement: str,
    given: tuple[str, ...],
    scope: str,
    decide: Callable[[], Decided],
    expected: Expected,
    timeout: float,
) -> Result:
    begin = time.monotonic()
    verdict: Verdict
    try:
        decided = Deadline.after(timeout).during("the proof", decide)
        verdict, closed = decided.verdict(scope), decided.obligations
    except TimeUp as late:
        verdict, closed = Unknown(str(late), timed_out=True), 0
    return Result(
        construction=construction,
        theorem=theorem,
        statement=statement,
        given=given,
        accepts=None,
        verdict=verdict,
        expected=expected,
        solvers=(),
        obligations={Evidence.CERTIFICATE.value: closed},
        seconds=time.monotonic() - begin,
        solver_seconds=0.0,
    )

"""What a source says of the components of a network, judged by theorems about networks with one of them less."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from weightproof.constructions.claims.formulas import Role
from weightproof.constructions.library import COMPONENTS
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import Decided, Exact, Obligation, Obligations
from weightproof.proofs.simulation.deciding import decide_simulation
from weightproof.proofs.simulation.holding import Invariant
from weightproof.proofs.simulation.prove import OF_SIZES, SIZED, SIZES
from weightproof.proofs.simulation.simulates import induction
from weightproof.proofs.theorem import PROVER, theorem_file
from weightproof.proofs.verdict import Evidence, Proved, Result, weakest

ALL, NETWORKS = "components", "all networks, all words, all steps"
"""What the theorems are about, together, and the scope of what is true of every network that lacks a part."""

OF_SHAPES = "shapes of layers and choices of positions are gone through, in which there is no unknown"


@dataclass(frozen=True)
class Shown(Exact):
    """A theorem about networks without a part; made: the one that is to simulate an RNN, where it speaks of one."""

    made: Callable[[RNN], Simulation] | None = None


@dataclass(frozen=True)
class Component:
    """A component, or a pair of them, and what is printed of it.

    without: the theorems that networks without it, of a pair without each of them, simulate every RNN of some sizes;
    impossible: those that none simulates every RNN, of a pair without both. note: what else the reader must know.
    """

    name: str
    printed: Role
    source: str
    without: tuple[Shown, ...] = ()
    impossible: tuple[Shown, ...] = ()
    note: str = ""


WORDS: Mapping[bool | None, Literal["true", "false", "unknown"]] = {True: "true", False: "false", None: "unknown"}


def judged(component: Component, results: Mapping[str, Result]) -> Literal["true", "false", "unknown"]:
    """What is printed of a component, of networks that simulate every RNN; results by the names of the theorems."""

    def holds(theorems: tuple[Shown, ...]) -> bool:
        return bool(theorems) and all(isinstance(results[each.name].verdict, Proved) for each in theorems)

    is_pair, none_does, one_does = len(component.without) > 1, holds(component.impossible), holds(component.without)
    is_essential = True if none_does else False if one_does and not is_pair else None
    one_suffices = True if is_pair and one_does else False if none_does and not is_pair else None
    said = {
        "essential": is_essential,
        "either suffices": one_suffices,
        "not necessary": None if is_essential is None else not is_essential,
    }
    return WORDS[PROVER.of("role", component.printed, said)]


def evidence_of(component: Component, results: Mapping[str, Result]) -> Evidence | None:
    """What that rests on: networks without a part are shown to simulate recurrent networks of some sizes alone."""
    verdict = judged(component, results)
    if verdict == "unknown":
        return None
    if (component.printed == "essential") is not (verdict == "true"):
        return Evidence.SAMPLED
    found = [results[each.name].verdict for each in component.impossible]
    return weakest(each.evidence for each in found if isinstance(each, Proved))


def components() -> tuple[Component, ...]:
    """Those of the source, in its order."""
    rows: tuple[Component, ...] = theorem_file(COMPONENTS).components
    return rows


def theorems() -> tuple[Shown, ...]:
    """All of them, and those beside the table."""
    beside: tuple[Shown, ...] = theorem_file(COMPONENTS).beside
    return (*(each for row in components() for each in (*row.without, *row.impossible)), *beside)


def simulates(name: str, made: Callable[[RNN], Simulation], invariant: Callable[[RNN], Invariant]) -> Shown:
    """The theorem that networks without a part simulate every RNN of SIZES."""

    def decide(deadline: Deadline) -> Decided:
        closed: tuple[Obligation, ...] = ()
        for size in SIZES:
            rnn = every_rnn(*size)
            decided = decide_simulation(made(rnn), invariant(rnn), deadline)
            closed += decided.closed
            if decided.gap is not None:
                obligation, reason = decided.gap
                return replace(decided, closed=closed, gap=(f"{rnn.name}: {obligation}", reason))
        return Decided(closed)

    def obligations() -> Obligations:
        for size in SIZES:
            rnn = every_rnn(*size)
            yield from induction(made(rnn), invariant(rnn))

    return Shown(ALL, name, f"simulates all {SIZED}", OF_SIZES, obligations, decide, made=made)


def bound(
    name: str,
    statement: str,
    *parts: Callable[[], Obligations],
    scope: str = NETWORKS,
    evidence: Evidence = Evidence.CERTIFICATE,
) -> Shown:
    """A theorem about every network that lacks a part."""

    def obligations() -> Obligations:
        return itertools.chain.from_iterable(each() for each in parts)

    return Shown(ALL, name, statement, scope, obligations, evidence=evidence, unwritten=OF_SHAPES)

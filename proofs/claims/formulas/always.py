"""Claims that a formula is true of all numbers: refuted at some, or proved by the solvers; one without names is
evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from weightproof.constructions.claims.formulas import Always, Numbers
from weightproof.constructions.scalars.exact import Real
from weightproof.proofs.claims.formulas.exactly import SAMPLES, is_true, refuted, tried
from weightproof.proofs.claims.formulas.scripts import divisors, script
from weightproof.proofs.quantities.outcome import Holds, Open, Outcome
from weightproof.proofs.solving.solvers import SOLVERS, Answer, ask
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence

TIMEOUT = 10.0
"""Seconds for each question to a solver."""
SCOPE = "all numbers"
WHOLE = ("integer", "natural")
BOUNDS = {
    "natural": "(>= |{0}| 1)",
    "positive": "(> |{0}| 0.0)",
    "fraction": "(and (>= |{0}| 0.0) (<= |{0}| 1.0))",
}


def judge_always(said: Always) -> Outcome:
    """A combination of numbers at which it is false, or else what both solvers say."""
    met = False
    for names in tried(said.over):
        if _given(said, names):
            met = True
            failure = refuted(said.says, names)
            if failure is not None:
                return failure
    if not met:
        return Open("no numbers were found of which it speaks")
    return _solved(said) if said.over else _evaluated(said)


def _evaluated(said: Always) -> Outcome:
    """Of no names: it was not false where it was evaluated, and may not have been decided."""
    try:
        true = is_true(said.says, {})
    except ArithmeticError:
        true = False
    return Holds(SCOPE, Evidence.CERTIFICATE.value) if true else Open("whether it is true is not decided")


def _given(said: Always, names: dict[str, Real]) -> bool:
    try:
        return is_true(said.given, names)
    except ArithmeticError:
        return False


def _solved(said: Always) -> Outcome:
    """Every divisor is not 0, and then it is true."""
    evidence = Evidence.TWO_SOLVERS
    whole = [name for name, kind in said.over.items() if kind in WHOLE]
    for goal in (*divisors(said.says, whole), script(said.says, whole)):
        question = _question(said, whole, goal)
        answers = [ask(solver, question, TIMEOUT) for solver in SOLVERS]
        found = {answer.status for answer in answers}
        if "sat" in found:
            return next(_from_models(said, answers), Open("a solver has a countermodel, which is none when evaluated"))
        if "unsat" not in found:
            return Open(f"the solvers answer {' and '.join(sorted(found))}")
        if found != {"unsat"}:
            evidence = Evidence.ONE_SOLVER
    return Holds(SCOPE, evidence.value)


def _question(said: Always, whole: list[str], goal: str) -> str:
    lines = ["(set-logic ALL)"]
    for name, kind in said.over.items():
        lines.append(f"(declare-const |{name}| {'Int' if name in whole else 'Real'})")
        lines += [f"(assert {BOUNDS[kind].format(name)})"] if kind in BOUNDS else []
    lines += [f"(assert {script(said.given, whole)})", f"(assert (not {goal}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


def _from_models(said: Always, answers: list[Answer]) -> Iterator[Outcome]:
    """A solver's countermodel is a lead: it counts where the formula is false there when it is evaluated. A name that
    is left out may stand for any number."""
    for answer in answers:
        told = {name: answer.model.get(name, str(SAMPLES[kind][0])) for name, kind in said.over.items()}
        try:
            named: dict[str, Real] = {name: fmpq(*map(int, value.split("/"))) for name, value in told.items()}
        except ValueError:  # an algebraic number
            continue
        if all(_is_one(named[name], kind) for name, kind in said.over.items()) and _given(said, named):
            failure = refuted(said.says, named)
            if failure is not None:
                yield failure


def _is_one(value: Real, kind: Numbers) -> bool:
    assert isinstance(value, fmpq)
    match kind:
        case "positive":
            return bool(value > 0)
        case "fraction":
            return bool(0 <= value <= 1)
        case "natural":
            return bool(value.q == 1 and value >= 1)
        case "integer":
            return bool(value.q == 1)
        case "real":
            return True
    PROVER.refuse("kind of numbers", kind)

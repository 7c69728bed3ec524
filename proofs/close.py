"""Closes obligations: by an exact certificate where one is found, otherwise by Z3 confirmed by cvc5."""

from __future__ import annotations

from dataclasses import dataclass, field

from proofs.logic import TRUE, And, Formula, Rel
from proofs.obligation import Obligation, obligation, to_smt
from proofs.solvers import Answer, ask
from proofs.verdict import Evidence
from symbolic.certificates import certify
from symbolic.linear import linear_form


@dataclass(frozen=True)
class Closed:
    """How an obligation was closed; evidence None says that it was not, and `reason` why.

    model: values that satisfy the hypotheses and break the goal, as a solver claims; never shown unchecked.
    """

    obligation: Obligation
    evidence: Evidence | None
    answers: tuple[Answer, ...] = ()
    reason: str = ""
    model: dict[str, str] = field(default_factory=dict)


def close(item: Obligation, timeout: float) -> Closed:
    """Close an obligation within `timeout` seconds for each question to a solver."""
    if item.goal == TRUE or item.context.impossible() or _certified(item):
        return Closed(item, Evidence.CERTIFICATE)
    if isinstance(item.goal, And):
        return _weakest(item, [close(_with_goal(item, part), timeout) for part in item.goal.parts])
    return _by_solvers(item, timeout)


def _with_goal(item: Obligation, goal: Formula) -> Obligation:
    return obligation(item.name, item.vocabulary, item.context, item.relations, goal)


def _weakest(item: Obligation, parts: list[Closed]) -> Closed:
    answers = tuple(answer for part in parts for answer in part.answers)
    for part in parts:
        if part.evidence is None:
            return Closed(item, None, answers, part.reason, part.model)
    order = list(Evidence)
    evidence = max((part.evidence for part in parts if part.evidence is not None), key=order.index)
    return Closed(item, evidence, answers)


def _certified(item: Obligation) -> bool:
    """Whether exact arithmetic alone shows the goal from the context; the other relations are not used."""
    if not isinstance(item.goal, Rel):
        return False
    op, expression, context = item.goal.op, item.goal.expression, item.context
    form = linear_form(expression)
    if form is None:
        return op != "==" and certify(expression, context, item.vocabulary, strict=op == ">") is not None
    match op:
        case "==":
            return context.nonnegative(form) and context.nonnegative(-form)
        case ">=":
            return context.nonnegative(form)
    return context.positive(form)


def _by_solvers(item: Obligation, timeout: float) -> Closed:
    """unsat from both solvers proves; the relaxation to reals is tried first, being easier where it suffices."""
    answers: list[Answer] = []
    for integers in (False, True):
        script = to_smt(item, integers=integers)
        first = ask("z3", script, timeout)
        answers.append(first)
        if first.status == "unsat":
            second = ask("cvc5", script, timeout)
            answers.append(second)
            if second.status == "sat":
                return Closed(item, None, tuple(answers), "the solvers disagree: z3 unsat, cvc5 sat")
            evidence = Evidence.TWO_SOLVERS if second.status == "unsat" else Evidence.ONE_SOLVER
            return Closed(item, evidence, tuple(answers))
        if first.status in ("unknown", "timeout"):
            second = ask("cvc5", script, timeout)
            answers.append(second)
            if second.status == "unsat":
                return Closed(item, Evidence.ONE_SOLVER, tuple(answers))
    last = answers[-1] if answers[-1].solver == "z3" else answers[-2]
    reason = {
        "sat": "the solver has a countermodel",
        "timeout": f"solver time-out after {timeout:g} s",
        "unknown": "the solvers answer unknown",
    }[last.status]
    return Closed(item, None, tuple(answers), reason, last.model)


def satisfiable(item: Obligation, timeout: float) -> Answer:
    """Whether the hypotheses have a model (kept in the answer); a proof from hypotheses without one says nothing."""
    return ask("z3", to_smt(item, integers=True, negated_goal=False), timeout)

"""Closes obligations: by an exact certificate where one is found, otherwise by Z3 confirmed by cvc5."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from weightproof.proofs.solving.combining import follows, within_bounds, without_root
from weightproof.proofs.solving.implication import Implication, to_smt
from weightproof.proofs.solving.logic import TRUE, And, Rel, conjunction, disjunction
from weightproof.proofs.solving.solvers import SOLVERS, Answer, ask
from weightproof.proofs.verdict import Evidence, weakest
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.linear import Context, Fact, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary


@dataclass(frozen=True)
class Closed:
    """How an obligation was closed; evidence None says that it was not, and `reason` why.

    model: values that satisfy the hypotheses, from Z3; None where it found none. vacuous: there are none.
    timed_out: open because the solvers gave up, having used up their steps.
    """

    obligation: Implication
    evidence: Evidence | None
    answers: tuple[Answer, ...] = ()
    reason: str = ""
    model: dict[str, str] | None = None
    vacuous: bool = False
    timed_out: bool = False


LONGEST_MODEL_SEARCH = 2.0
"""Seconds of counted work."""
SIDE_CONDITIONS = "side conditions"


def close(item: Implication, timeout: float) -> Closed:
    """Close an obligation, with `timeout` seconds of counted work for each question to a solver, and satisfy its
    hypotheses."""
    closed = _close(item, timeout)
    if closed.evidence is None:
        return closed
    answer = satisfiable(item, min(timeout, LONGEST_MODEL_SEARCH))
    model = answer.model if answer.status == "sat" else None
    return replace(closed, model=model, vacuous=answer.status == "unsat", answers=(*closed.answers, answer))


def _close(item: Implication, timeout: float) -> Closed:
    if by_certificate(item):
        return Closed(item, Evidence.CERTIFICATE)
    if isinstance(item.goal, And):
        return _weakest(item, [_close(item.with_goal(part), timeout) for part in item.goal.parts])
    if isinstance(item.goal, Rel):
        vocabulary = within_bounds(item.vocabulary, item.relations)
        rational = without_root(item.goal, item.context, vocabulary)
        if rational is not None and (closed := _close(item.with_goal(rational), timeout)).evidence is not None:
            return closed
    return _by_solvers(item, timeout)


def by_certificate(item: Implication) -> bool:
    """Whether exact arithmetic alone closes an obligation."""
    return item.goal == TRUE or item.context.impossible() or _certified(item) or _combined(item)


def _weakest(item: Implication, parts: list[Closed]) -> Closed:
    answers = tuple(answer for part in parts for answer in part.answers)
    for part in parts:
        if part.evidence is None:
            return Closed(item, None, answers, part.reason, timed_out=part.timed_out)
    return Closed(item, weakest(part.evidence for part in parts if part.evidence is not None), answers)


def _certified(item: Implication) -> bool:
    """Whether exact arithmetic alone shows the goal from the context; of the other relations only the bounds of real
    parameters are used."""
    if not isinstance(item.goal, Rel):
        return False
    op, expression, context = item.goal.op, item.goal.expression, item.context
    form = linear_form(expression)
    if form is None:
        vocabulary = within_bounds(item.vocabulary, item.relations)
        return op != "==" and certify(expression, context, vocabulary, strict=op == ">") is not None
    match op:
        case "==":
            return context.nonnegative(form) and context.nonnegative(-form)
        case ">=":
            return context.nonnegative(form)
        case ">":
            return context.positive(form)
    return False


def _combined(item: Implication) -> bool:
    """Whether exact arithmetic shows the goal from one of the other relations."""
    if not isinstance(item.goal, Rel):
        return False
    return follows(item.goal, item.relations, item.context, within_bounds(item.vocabulary, item.relations))


def _by_solvers(item: Implication, timeout: float) -> Closed:
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
        if first.status != "sat":
            second = ask("cvc5", script, timeout)
            answers.append(second)
            if second.status == "unsat":
                return Closed(item, Evidence.ONE_SOLVER, tuple(answers))
    last = answers[-1] if answers[-1].solver == "z3" else answers[-2]
    reason = {
        "sat": "the solver has a countermodel",
        "given up": f"the solvers gave up after {timeout:g} s of counted work",
        "hung": "a solver hung",
        "unknown": f"the solvers answer unknown{f': {last.error}' if last.error else ''}",
    }[last.status]
    return Closed(item, None, tuple(answers), reason, timed_out=last.status in ("given up", "hung"))


def confirm(facts: Iterable[Fact], vocabulary: Vocabulary, timeout: float) -> Closed:
    """The linear facts that a proof used, settled by exact elimination, put to both solvers again.

    An answer "sat" from either leaves them open; no answer leaves the elimination's.
    """
    impossible = [
        disjunction(*(Rel(">", -form.expression()) for form in sorted(fact.constraints, key=str))) for fact in facts
    ]
    context = Context(frozenset(), len(vocabulary.alphabet))
    item = Implication(SIDE_CONDITIONS, vocabulary, context, (), conjunction(*sorted(impossible, key=str)))
    script = to_smt(item, integers=True)
    answers = tuple(ask(solver, script, timeout) for solver in SOLVERS)
    against = [answer.solver for answer in answers if answer.status == "sat"]
    if against:
        return Closed(item, None, answers, f"{' and '.join(against)} found a side condition that does not hold")
    return Closed(item, Evidence.CERTIFICATE, answers)


def satisfiable(item: Implication, timeout: float) -> Answer:
    """Whether the hypotheses have a model (kept in the answer); a proof from hypotheses without one says nothing."""
    return ask("z3", to_smt(item, integers=True, negated_goal=False), timeout)

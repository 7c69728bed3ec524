"""Closes obligations: by exact arithmetic where that shows why, otherwise by Z3 confirmed by cvc5."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import sympy

from weightproof.proofs.solving.combining import follows, sign_of_logarithm, within_bounds, without_root
from weightproof.proofs.solving.implication import Implication, implication, to_smt
from weightproof.proofs.solving.logic import TRUE, And, Formula, Or, Rel, conjunction, disjunction, negation
from weightproof.proofs.solving.products import sum_of_products
from weightproof.proofs.solving.reasons import (
    Absolute,
    Absurd,
    Each,
    Evident,
    Impossible,
    Linear,
    OneOf,
    Reason,
    SameSign,
)
from weightproof.proofs.solving.solvers import SOLVERS, Answer, ask
from weightproof.proofs.verdict import Evidence, weakest
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.linear import Context, Fact, below, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary


@dataclass(frozen=True)
class Closed:
    """How an obligation was closed; evidence None says that it was not, and `reason` why.

    because: how exact arithmetic shows it; None where it does not. model: values that satisfy the hypotheses, from Z3;
    None where it found none. vacuous: there are none.
    timed_out: open because the solvers gave up, having used up their steps.
    """

    obligation: Implication
    evidence: Evidence | None
    answers: tuple[Answer, ...] = ()
    reason: str = ""
    because: Reason | None = None
    model: dict[str, str] | None = None
    vacuous: bool = False
    timed_out: bool = False

    def named(self, about: str) -> Closed:
        """As one of the obligations of something."""
        return replace(self, obligation=replace(self.obligation, name=f"{about}: {self.obligation.name}"))


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
    reason = by_certificate(item)
    if reason is not None:
        return Closed(item, Evidence.CERTIFICATE, because=reason)
    if isinstance(item.goal, And):
        return _together(item, [_close(item.with_goal(part), timeout) for part in item.goal.parts])
    if isinstance(item.goal, Rel):
        rational = without_root(item.goal, item.context, within_bounds(item.vocabulary, item.relations))
        if rational is not None and (closed := _close(item.with_goal(rational), timeout)).evidence is not None:
            return replace(closed, because=closed.because and SameSign(rational, closed.because))
    return _by_solvers(item, timeout)


def by_products(item: Implication, timeout: float) -> Reason | None:
    """Why exact arithmetic closes an obligation, products of what is known being sought; None where it is not seen to.
    Of the parts of a disjunction Z3 says which need not be tried."""
    known = by_certificate(item)
    if known is not None:
        return known
    match item.goal:
        case And(parts=parts):
            reasons = [(part, by_products(item.with_goal(part), timeout)) for part in parts]
            kept = tuple((part, reason) for part, reason in reasons if reason is not None)
            return Each(kept) if len(kept) == len(parts) else None
        case Or(parts=parts):
            tried = ((part, item.with_goal(part)) for part in parts)
            hopeful = ((part, one) for part, one in tried if len(parts) == 1 or _hopeful(one, timeout))
            found = ((part, by_products(one, timeout)) for part, one in hopeful)
            one_of = (OneOf(part, reason) for part, reason in found if reason is not None)
            return next(one_of, None) or _absurd(item, parts)
        case Rel() as goal if goal.expression.atoms(sympy.Abs):
            return _without_absolute(item, goal, timeout)
        case Rel() as goal if (sign := sign_of_logarithm(goal)) is not None:
            reason = by_products(item.with_goal(sign), timeout)
            return None if reason is None else SameSign(sign, reason)
    return sum_of_products(item, within_bounds(item.vocabulary, item.relations))


def _absurd(item: Implication, parts: tuple[Formula, ...]) -> Reason | None:
    """Why not all parts of a disjunction of relations are false."""
    denied = [negation(part) for part in parts]
    relations = tuple(part for part in denied if isinstance(part, Rel))
    if len(relations) < len(denied):
        return None
    wanted = Rel(">", sympy.S.Zero)
    more = implication(item.name, item.vocabulary, item.context, (*item.relations, *relations), wanted)
    reason = sum_of_products(more, within_bounds(more.vocabulary, more.relations))
    return None if reason is None else Absurd(relations, reason)


def _without_absolute(item: Implication, goal: Rel, timeout: float) -> Reason | None:
    """|x| is x where x >= 0 is shown, and -x where x <= 0 is."""
    size = min(goal.expression.atoms(sympy.Abs), key=str)
    for sign in (1, -1):
        value = sign * size.args[0]
        known = Rel(">=", value)
        why = by_products(item.with_goal(known), timeout)
        if why is not None:
            without = Rel(goal.op, sympy.expand(goal.expression.xreplace({size: value})))
            reason = by_products(item.with_goal(without), timeout)
            return None if reason is None else Absolute(size, known, why, without, reason)
    return None


def _hopeful(item: Implication, timeout: float) -> bool:
    """Whether Z3 finds no countermodel in the reals."""
    return ask("z3", to_smt(item, integers=False), timeout).status != "sat"


def by_certificate(item: Implication) -> Reason | None:
    """Why exact arithmetic closes an obligation at once, without a search for products; None where it does not."""
    if item.goal == TRUE:
        return Evident()
    if item.context.impossible() or item.context.contradictory():
        return Impossible()
    if not isinstance(item.goal, Rel):
        return None
    vocabulary = within_bounds(item.vocabulary, item.relations)
    known = _certified(item.goal, item.context, vocabulary)
    if known is not None or _is_linear(item.goal, *item.relations):  # then a sum of all that is known is found at once
        return known
    return follows(item.goal, item.relations, item.context, vocabulary)


def _is_linear(*relations: Rel) -> bool:
    return all(linear_form(each.expression) is not None for each in relations)


def _together(item: Implication, parts: list[Closed]) -> Closed:
    """A conjunction of which each part was closed by itself."""
    answers = tuple(answer for part in parts for answer in part.answers)
    for part in parts:
        if part.evidence is None:
            return Closed(item, None, answers, part.reason, timed_out=part.timed_out)
    reasons = tuple((part.obligation.goal, part.because) for part in parts if part.because is not None)
    because = Each(reasons) if len(reasons) == len(parts) else None
    return Closed(item, weakest(part.evidence for part in parts if part.evidence is not None), answers, because=because)


def _certified(goal: Rel, context: Context, vocabulary: Vocabulary) -> Reason | None:
    """The goal from the context; of the other relations only the bounds of real parameters are used."""
    form = linear_form(goal.expression)
    if form is None:
        return None if goal.op == "==" else certify(goal.expression, context, vocabulary, strict=goal.op == ">")
    holds = {
        "==": lambda: context.nonnegative(form) and context.nonnegative(-form),
        ">=": lambda: context.nonnegative(form) or context.contradictory(below(form)),
        ">": lambda: context.positive(form) or context.contradictory(-form),
    }[goal.op]()
    return Linear() if holds else None


def _by_solvers(item: Implication, timeout: float) -> Closed:
    """unsat from both solvers proves; the relaxation to reals is tried first, being easier where it suffices.

    Where the reals have no countermodel, as far as Z3 finds one, exact arithmetic may show why: then nothing rests on
    the solvers.
    """
    answers: list[Answer] = []
    for integers in (False, True):
        script = to_smt(item, integers=integers)
        first = ask("z3", script, timeout)
        if not integers and first.status != "sat" and (because := by_products(item, timeout)) is not None:
            return Closed(item, Evidence.CERTIFICATE, because=because)
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

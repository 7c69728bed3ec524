"""`derive`: the closed form of the logit and every step to it, as plain text and as JSON."""

from __future__ import annotations

from typing import Any

from constructions.interpreter import InputError
from constructions.schema import Construction
from symbolic.derivation import Derivation, OverPositions, Quotient, Step
from symbolic.forward import derive
from symbolic.plain import cases, closed_form, explicit_sum, steps, value
from symbolic.vocabulary import Underivable
from weightproof.page import Page


def derived(construction: Construction) -> Derivation:
    """The derivation; InputError where no rule covers a step."""
    try:
        return derive(construction)
    except Underivable as error:
        raise InputError(f"{construction.name}: no closed form: {error}") from error


def report(page: Page, derivation: Derivation, with_steps: bool) -> None:
    construction = derivation.construction
    page.heading(f"{construction.name}: {construction.title}")
    for line in closed_form(derivation).splitlines():
        page.line(line, indent=1)
    if with_steps:
        page.heading("Steps")
        for line in steps(derivation).splitlines():
            page.line(line, indent=1)


def payload(argument: str, derivation: Derivation) -> dict[str, Any]:
    vocabulary = derivation.vocabulary
    listed = cases(derivation.logit, vocabulary)
    return {
        "construction": argument,
        "closed_form": value(derivation.logit, vocabulary),
        "cases": None if listed is None else [{"value": text, "condition": where} for text, where in listed],
        "sums": {str(symbol): explicit_sum(total, vocabulary) for symbol, total in derivation.all_sums.items()},
        "steps": [_step(step, derivation) for step in derivation.steps],
    }


def _step(step: Step, derivation: Derivation) -> dict[str, Any]:
    vocabulary = derivation.vocabulary
    match step.before:
        case OverPositions(summands=summands):
            before: Any = {token: value(summand, vocabulary) for token, summand in summands}
        case Quotient(numerator=numerator, denominator=denominator):
            before = {"numerator": value(numerator, vocabulary), "denominator": value(denominator, vocabulary)}
        case _:
            before = value(step.before, vocabulary)
    return {
        "rule": step.rule,
        "location": step.location,
        "before": before,
        "after": value(step.after, vocabulary),
        "condition": None if step.positive is None else f"{value(step.positive, vocabulary)} > 0",
    }

"""Refuses malformed theorems before anything is proved, naming the construction and the theorem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from constructions.exact import Undecided, holds
from constructions.interpreter import InputError, mark, parameter_values
from constructions.schema import Claim, Construction, Encoder
from constructions.validation import claim_problems, formula_problems
from proofs.refute import words
from proofs.theorem import ClosedForm, Decides, Theorem

SHORT = 3
"""The formulas of a theorem must have a truth value on all words up to this length."""


def check(construction: Construction, theorems: Sequence[object]) -> None:
    """Raises InputError at the first thing that is wrong with the theorems."""
    names: set[str] = set()
    for number, theorem in enumerate(theorems):
        place = f"{construction.name}: theorems[{number}]"
        if not isinstance(theorem, Theorem):
            raise InputError(f"{place} is of type {type(theorem).__name__}; write a Decides or a ClosedForm")
        for problem in _problems(construction, theorem):
            raise InputError(" ".join(f"{place}: {problem}".split()))
        if theorem.name in names:
            raise InputError(f"{place}: there are two theorems {theorem.name!r}; give them different names")
        names.add(theorem.name)


def _problems(construction: Construction, theorem: Theorem) -> Iterator[str]:
    if theorem.expected not in ("proved", "refuted"):
        yield f"expected is {theorem.expected!r}, not 'proved' or 'refuted'"
    if isinstance(theorem, ClosedForm):
        if not isinstance(theorem.claim, Claim):
            yield f"claim is of type {type(theorem.claim).__name__}, not a Claim"
        yield from claim_problems(theorem.claim, construction)
        return
    for field in ("name", "statement"):
        text = getattr(theorem, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"{field} is {text!r}, not a line of text"
    if theorem.up_to is not None and (type(theorem.up_to) is not int or theorem.up_to < 1):
        yield f"up_to is {theorem.up_to!r}, not a number of positions; write 12, say"
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    alphabet = construction.language.alphabet
    for field, formula in (("accepts", theorem.accepts), ("given", theorem.given)):
        if formula is not None:
            yield from formula_problems(formula, known, alphabet, field)
    if theorem.invariant is not None:  # the names it may use depend on the derivation
        yield from formula_problems(theorem.invariant, theorem.invariant.names, alphabet, "invariant")
    yield from _without_value(construction, theorem)


def _without_value(construction: Construction, theorem: Decides) -> Iterator[str]:
    """A formula that divides by zero somewhere, say, would mean one thing to a solver and another to a reader."""
    network, alphabet = construction.network, construction.language.alphabet
    if not isinstance(network, Encoder):
        return
    values = parameter_values(construction)
    for field, formula in (("accepts", theorem.accepts), ("given", theorem.given)):
        for word in words(alphabet, SHORT) if formula is not None else ():
            tokens = mark(network, word)
            try:
                if tokens and formula is not None:
                    holds(formula, values, tokens, alphabet)
            except Undecided:
                continue
            except ArithmeticError as error:
                yield f"{field}: {formula} has no value on {word!r}: {error}"

"""Proofs by induction over positions, for logits that keep sums over an unknown word.

The state after position j: the prefix counts, the partial sums S1, S2, ... of the derivation, and for each quantified
part of the characterisation a flag, whether it has held so far. The steps from j to j+1 come from the derivation; only
the invariant is the theorem's. Three kinds of obligations: base (before the first symbol), step, conclusion.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy

from proofs.direct import Replacement, cleared, decision, logit_cases, moved, obligations_of
from proofs.logic import (
    And,
    Flag,
    Formula,
    Quantifier,
    conjunction,
    disjuncts,
    flags_of,
    negation,
    of_cell,
    read_formula,
    substitute_formula,
)
from proofs.obligation import Obligation
from proofs.theorem import Decides
from symbolic.derivation import Derivation, ExplicitSum
from symbolic.iverson import Iverson, substitute
from symbolic.linear import Context, linear_form
from symbolic.signs import Sign, sign_of
from symbolic.vocabulary import Underivable, Vocabulary, cells, j

def by_induction(derivation: Derivation, theorem: Decides) -> Iterator[Obligation]:
    """Base, step and conclusion of the theorem's invariant."""
    vocabulary = derivation.vocabulary
    for total in derivation.sums.values():
        if (total.lo, total.hi) != (sympy.Integer(vocabulary.first), vocabulary.last):
            raise Underivable(f"the sum {total.symbol} does not run over all symbols of the word")
    quantifiers: list[Quantifier] = []
    accepts = read_formula(
        theorem.accepts or derivation.construction.language.characterisation, vocabulary, quantifiers=quantifiers
    )
    given = read_formula(theorem.given, vocabulary)
    invariant = _read_invariant(theorem, derivation, {quantifier.flag for quantifier in quantifiers})
    yield from _base(derivation, given, invariant, quantifiers)
    yield from _step(derivation, given, invariant, quantifiers)
    yield from _conclusion(derivation, given, invariant, accepts, quantifiers)


def _read_invariant(theorem: Decides, derivation: Derivation, flags: set[str]) -> Formula:
    assert theorem.invariant is not None
    sums: dict[str, sympy.Expr] = {str(symbol): symbol for symbol in derivation.sums}
    for symbol, total in derivation.sums.items():
        following = _next_addition(total, derivation.vocabulary)
        if following is not None:
            sums[f"{symbol}_next"] = following

    def name(identifier: str) -> Iverson | Formula | None:
        if identifier == "j":
            return Iverson.constant(j)
        if identifier in flags:
            return Flag(identifier)
        return Iverson.constant(sums[identifier]) if identifier in sums else None

    return read_formula(theorem.invariant, derivation.vocabulary, name)


def _next_addition(total: ExplicitSum, vocabulary: Vocabulary) -> sympy.Expr | None:
    """The absolute value of what position j+1 adds to a sum where it adds anything; None if there are several."""
    position = linear_form(j - (vocabulary.first - 1))
    assert position is not None
    context = vocabulary.words().given(position)
    values = set()
    for _, value in cells(substitute(total.body, {j: j + 1})):
        match sign_of(value, context, vocabulary):
            case Sign.POSITIVE:
                values.add(value)
            case Sign.NEGATIVE:
                values.add(-value)
            case Sign.ZERO:
                pass
            case _:
                return None
    return values.pop() if len(values) == 1 else None


def _goal(formula: Formula, context: Context, vocabulary: Vocabulary) -> Formula:
    return substitute_formula(formula, lambda e: cleared(e, context, vocabulary), {})


def _base(
    derivation: Derivation, given: Formula, invariant: Formula, quantifiers: list[Quantifier]
) -> Iterator[Obligation]:
    """Before the first symbol all counts and sums are 0, and nothing has been violated."""
    vocabulary = derivation.vocabulary
    before = sympy.Integer(vocabulary.first - 1)
    start = dict.fromkeys(derivation.sums, sympy.S.Zero) | {j: before}
    start |= {vocabulary.prefix_atom(symbol)(before): sympy.S.Zero for symbol in vocabulary.alphabet}
    start |= {vocabulary.token(before): sympy.S.NegativeOne}
    goal = moved(moved(invariant, start), start, {q.flag: True for q in quantifiers})
    for literals in disjuncts(given):
        yield from obligations_of(
            "base", vocabulary, vocabulary.words(), literals, lambda c: _goal(goal, c, vocabulary)
        )


def _step(
    derivation: Derivation, given: Formula, invariant: Formula, quantifiers: list[Quantifier]
) -> Iterator[Obligation]:
    """From j to j+1, for each symbol at j+1, each case of what it adds to the sums, each state of the flags."""
    vocabulary = derivation.vocabulary
    after = j + 1
    low, high = linear_form(j - (vocabulary.first - 1)), linear_form(vocabulary.last - after)
    assert low is not None and high is not None
    context = vocabulary.prefixes(j, vocabulary.words().given(low, high))
    for symbol in vocabulary.alphabet:
        room = linear_form(vocabulary.total(symbol) - vocabulary.prefix_atom(symbol)(j) - 1)
        assert room is not None
        counts: dict[sympy.Expr, sympy.Expr] = {vocabulary.token(after): vocabulary.alphabet.index(symbol)}
        for other in vocabulary.alphabet:
            atom = vocabulary.prefix_atom(other)
            counts[atom(after)] = atom(j) + int(other == symbol)
        counts = {old: sympy.sympify(new) for old, new in counts.items()}
        for where, added in _additions(derivation, counts):
            sums = {total: total + value for total, value in added.items()}
            for flags, flags_after, which in _flags(quantifiers, after, counts):
                hypothesis = conjunction(given, moved(invariant, {}, flags), where, which)
                goal = moved(moved(moved(invariant, {j: after}), counts), sums, flags_after)
                for number, literals in enumerate(disjuncts(hypothesis), start=1):
                    name = f"step on {symbol}, {_describe(flags, flags_after)}, {number}"
                    yield from obligations_of(
                        name,
                        vocabulary,
                        context.given(room),
                        literals,
                        lambda c, g=goal: _goal(g, c, vocabulary),  # type: ignore[misc]
                    )


def _additions(derivation: Derivation, counts: Replacement) -> Iterator[tuple[Formula, dict[sympy.Expr, sympy.Expr]]]:
    """What position j+1 adds to each sum, case by case."""
    options = []
    for symbol, total in derivation.sums.items():
        body = substitute(substitute(total.body, {j: j + 1}), counts)
        options.append([(symbol, cell, value) for cell, value in cells(body)])
    for choice in itertools.product(*options):
        where = conjunction(*(of_cell(cell) for _, cell, _ in choice))
        if where != negation(And(())):
            yield where, {symbol: value for symbol, _, value in choice}


def _flags(
    quantifiers: list[Quantifier], after: sympy.Expr, counts: Replacement
) -> Iterator[tuple[dict[str, bool], dict[str, bool], Formula]]:
    """States of the flags before and after the step, and the formula under which the step leads from one to other."""
    options = []
    for quantifier in quantifiers:
        body = moved(quantifier.body(after), counts)
        options.append(
            [
                (quantifier.flag, True, True, body),
                (quantifier.flag, True, False, negation(body)),
                (quantifier.flag, False, False, And(())),
            ]
        )
    for choice in itertools.product(*options):
        before = {flag: old for flag, old, _, _ in choice}
        later = {flag: new for flag, _, new, _ in choice}
        yield before, later, conjunction(*(formula for *_, formula in choice))


def _describe(before: dict[str, bool], later: dict[str, bool]) -> str:
    kept = [("kept" if later[flag] else "lost" if before[flag] else "already lost") for flag in before]
    return ", ".join(kept) or "no flags"


def _conclusion(
    derivation: Derivation, given: Formula, invariant: Formula, accepts: Formula, quantifiers: list[Quantifier]
) -> Iterator[Obligation]:
    """After the last symbol the prefix counts are the totals, and the invariant decides."""
    vocabulary = derivation.vocabulary
    last = vocabulary.last
    end: dict[sympy.Expr, sympy.Expr] = {
        vocabulary.prefix_atom(symbol)(last): vocabulary.total(symbol) for symbol in vocabulary.alphabet
    }
    reached = moved(moved(invariant, {j: last}), end)
    rule = derivation.construction.network.readout.accept  # type: ignore[union-attr]
    names = sorted({q.flag for q in quantifiers} | flags_of(reached))
    for number, (where, value) in enumerate(logit_cases(derivation), start=1):
        for values in itertools.product((True, False), repeat=len(names)):
            flags = dict(zip(names, values, strict=True))
            side = moved(accepts, {}, flags)
            for wanted, condition in ((True, side), (False, negation(side))):
                hypothesis = conjunction(given, where, condition, moved(reached, {}, flags))
                for part, literals in enumerate(disjuncts(hypothesis), start=1):
                    name = f"conclusion {number}.{part}, {'accepted' if wanted else 'rejected'}"
                    yield from obligations_of(
                        name,
                        vocabulary,
                        vocabulary.words(),
                        literals,
                        lambda c, v=value, w=wanted: decision(rule, v, w, c, vocabulary),  # type: ignore[misc]
                    )

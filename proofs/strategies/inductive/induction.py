"""Proofs by induction over positions, for logits that keep sums over an unknown word.

The state after position j: the prefix counts, the partial sums S1, S2, ... of the derivation, and for each quantified
part of the characterisation a flag, whether it has held so far. The steps from j to j+1 come from the derivation; only
the invariant is the theorem's. Three kinds of obligations: base (before the first symbol), step, conclusion.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.cases import cases, cleared, cleared_formula, obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    TRUE,
    And,
    Flag,
    Formula,
    Quantifier,
    bracket_of,
    conjunction,
    disjunction,
    expressions_of,
    flags_of,
    negation,
    of_cell,
    read_formula,
    relation,
)
from weightproof.proofs.strategies.direct import Replacement, logit_cases, moved
from weightproof.proofs.strategies.goals import goal, require_plain_sums, sides
from weightproof.proofs.strategies.inductive.outweighed import Bounds, at_the_last_place
from weightproof.proofs.strategies.scales import COMPARED, with_comparison
from weightproof.proofs.theorem import OnWords
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, at_point, canonical, substitute
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, is_scale, j
from weightproof.symbolic.derivation import Derivation, ExplicitSum


@dataclass(frozen=True)
class Reading:
    """A theorem about a derivation, read for an induction over positions. words: what holds of every word."""

    derivation: Derivation
    theorem: OnWords
    words: Context
    accepts: Formula
    given: Formula
    most: Rewards
    quantifiers: tuple[Quantifier, ...]
    named: Callable[[str], Iverson | Formula | None]

    @property
    def flags(self) -> tuple[str, ...]:
        """What stands for the statements about all positions."""
        return tuple(quantifier.flag for quantifier in self.quantifiers)

    def formula(self, text: Expression) -> Formula:
        """A formula in the names of an invariant; Underivable where it has no truth value at some position."""
        vocabulary = self.derivation.vocabulary
        so_far = self.words.within(j, vocabulary.first - 1, vocabulary.last)
        return read_formula(text, vocabulary, self.named, context=so_far)


def reading_of(derivation: Derivation, theorem: OnWords, words: Context) -> Reading:
    """Raises Underivable where a sum does not run over all symbols, or a formula of the theorem cannot be read."""
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    quantifiers: list[Quantifier] = []
    accepts = read_formula(
        theorem.accepts or derivation.construction.language.characterisation, vocabulary, quantifiers=quantifiers
    )
    given = read_formula(theorem.hypothesis, vocabulary)
    most = reward(derivation, words, accepts, {quantifier.flag for quantifier in quantifiers})
    names = _names(derivation, words, most, quantifiers)
    return Reading(derivation, theorem, words, accepts, given, most, tuple(quantifiers), names)


def by_induction(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Implication]:
    """Base, step and conclusion of the theorem's invariant; words: what holds of every word."""
    assert theorem.invariant is not None
    reading = reading_of(derivation, theorem, words)
    invariant = reading.formula(theorem.invariant)
    yield from base(reading, invariant)
    yield from step(reading, invariant)
    yield from conclusion(reading, invariant)


def _names(
    derivation: Derivation, words: Context, most: Rewards, quantifiers: list[Quantifier]
) -> Callable[[str], Iverson | Formula | None]:
    """What an invariant has names for, beside the vocabulary."""
    flags = {quantifier.flag for quantifier in quantifiers}
    values: dict[str, sympy.Expr | None] = {"j": j}
    added = {f"{symbol}_added": total.body for symbol, total in derivation.sums.items()}
    least = {f"{symbol}_least": total for symbol, total in derivation.sums.items()}
    for symbol, total in derivation.sums.items():
        addition = least_addition(total, j + 1, derivation.vocabulary.last, derivation.vocabulary, words)
        first = None if addition is None else addition.xreplace({j: sympy.Integer(derivation.vocabulary.first - 1)})
        values |= {str(symbol): symbol, f"{symbol}_next": addition, f"{symbol}_first": first}

    def name(identifier: str) -> Iverson | Formula | None:
        if identifier in flags:
            return Flag(identifier)
        if identifier == "logit":
            return derivation.logit
        if identifier == "reward":
            return reward_of(most)
        if identifier in added:
            return added[identifier]
        if identifier in least:
            return Iverson.constant(least_before_last(least[identifier], derivation.vocabulary, words))
        value = values.get(identifier)
        if identifier in values and value is None:
            raise Underivable(f"{identifier} has no single value in this derivation")
        return None if value is None else Iverson.constant(value)

    return name


def base(reading: Reading, invariant: Formula) -> Iterator[Implication]:
    """Before the first symbol all counts and sums are 0, and nothing has been violated; the word without symbols stands
    apart, as in the conclusion."""
    derivation, vocabulary = reading.derivation, reading.derivation.vocabulary
    before = sympy.Integer(vocabulary.first - 1)
    start = dict.fromkeys(derivation.sums, sympy.S.Zero) | {j: before, vocabulary.token(before): sympy.S.NegativeOne}
    start |= {vocabulary.prefix_atom(symbol)(before): sympy.S.Zero for symbol in vocabulary.alphabet}
    goal = moved(moved(invariant, start), start, dict.fromkeys(reading.flags, True))
    symbols = reading.words.given(form_of(vocabulary.last - vocabulary.first))
    yield from obligations_of(
        "base", vocabulary, symbols, reading.given, lambda c: cleared_formula(goal, c, vocabulary)
    )


@dataclass(frozen=True)
class Move:
    """A step from j to j+1 in one case: what is known, as an obligation without a goal; `after` is a formula at j+1 in
    terms of what is known at j. added: to the sums. counts: what tokens and prefix counts at j+1 are."""

    known: Implication
    added: Mapping[sympy.Expr, sympy.Expr]
    counts: Mapping[sympy.Expr, sympy.Expr]
    flags: Mapping[str, bool]

    def after(self, formula: Formula) -> Formula:
        sums = {total: total + value for total, value in self.added.items()}
        there = moved(moved(moved(formula, {j: j + 1}), self.counts), sums, dict(self.flags))
        return cleared_formula(there, self.known.context, self.known.vocabulary)


def step(reading: Reading, invariant: Formula) -> Iterator[Implication]:
    """From j to j+1."""
    for move in moves(reading, invariant):
        item = replace(move.known, goal=move.after(invariant))
        yield from _with_scales(item, reading.most, move.added.values(), reading.derivation, move.counts)


def moves(reading: Reading, invariant: Formula) -> Iterator[Move]:
    """Each symbol at j+1, each case of what it adds to the sums, each state of the flags, where an invariant holds."""
    derivation, vocabulary = reading.derivation, reading.derivation.vocabulary
    after = j + 1
    inside = reading.words.given(form_of(after - vocabulary.first), form_of(vocabulary.last - after))
    context = vocabulary.prefixes(j, inside)
    ends = _whether_last(invariant, after, vocabulary) if derivation.scales else TRUE
    fixed = [token for token in _tokens(invariant, vocabulary) if not token.has(j)]
    for symbol in vocabulary.alphabet:
        index = vocabulary.alphabet.index(symbol)
        room = form_of(vocabulary.total(symbol) - vocabulary.prefix_atom(symbol)(j) - 1)
        counts: dict[sympy.Expr, sympy.Expr] = {vocabulary.token(after): index}
        for other in vocabulary.alphabet:
            atom = vocabulary.prefix_atom(other)
            counts[atom(after)] = atom(j) + int(other == symbol)
        counts = {old: sympy.sympify(new) for old, new in counts.items()}
        for where, added in _additions(derivation, counts):
            for flags, flags_after, which in _flags(reading.quantifiers, after, counts):
                case = conjunction(where, which)
                seen = [moved(_instances(q, case, vocabulary), counts) for q in reading.quantifiers if flags[q.flag]]
                here = _read_here([*_tokens(case, vocabulary), *fixed], index)
                known = (reading.given, moved(invariant, {}, flags), where, which, here, *seen, ends)
                for item in obligations_of(
                    f"step on {symbol}, {_describe(flags, flags_after)}",
                    vocabulary,
                    context.given(room),
                    conjunction(*known),
                    lambda _: TRUE,
                ):
                    yield Move(item, added, counts, flags_after)


def _with_scales(
    item: Implication,
    most: Rewards,
    added: Collection[sympy.Expr],
    derivation: Derivation,
    counts: Replacement,
) -> Iterator[Implication]:
    """A step with what is known of the scales that it speaks of."""
    if not derivation.scales:
        yield item
        return
    item = at_the_last_place(item, j + 1, counts)
    bounds = Bounds(derivation, item.context, counts)
    for part in _with_rewards([item], most, added, derivation, counts):
        yield part if COMPARED in part.name else replace(part, otherwise=functools.partial(bounds.compared, part))


def _with_rewards(
    items: Iterable[Implication],
    most: Rewards,
    added: Collection[sympy.Expr],
    derivation: Derivation,
    counts: Replacement,
) -> Iterator[Implication]:
    """Steps with what is shown of each reward and what is added, and what shows it."""
    if not most:
        yield from items
        return
    (value, where), *others = most
    for item in items:
        parts = [item] if COMPARED in item.name else with_comparison(item, value, where, added, derivation, counts)
        yield from _with_rewards(parts, tuple(others), added, derivation, counts)


def _instances(quantifier: Quantifier, where: Formula, vocabulary: Vocabulary) -> Formula:
    """What a quantifier that has held so far says of the positions up to j whose tokens a formula speaks of.

    Of a place that may be no integer it says nothing.
    """
    places = {token.args[0] for token in _tokens(where, vocabulary)}
    return conjunction(
        *(
            disjunction(
                quantifier.body(place),
                relation("<", place - vocabulary.first),
                relation(">", place - j),
            )
            for place in sorted(places, key=str)
            if form_of(place).denominator == 1
        )
    )


def _whether_last(invariant: Formula, position: sympy.Expr, vocabulary: Vocabulary) -> Formula:
    """That a position is the last one or not, where an invariant tells these apart by itself."""
    there = vocabulary.last - position
    told = {form.terms for e in expressions_of(invariant) if (form := linear_form(e)) is not None}
    if not {form_of(there).terms, form_of(-there).terms} & told:
        return TRUE
    return disjunction(relation("==", there), relation(">", there))


def _read_here(tokens: Iterable[sympy.Expr], index: int) -> Formula:
    """That tokens are the symbol at j+1 where they stand there."""
    return conjunction(
        *(
            disjunction(relation("==", token - index), relation("!=", token.args[0] - (j + 1)))
            for token in sorted(set(tokens), key=str)
        )
    )


def _tokens(formula: Formula, vocabulary: Vocabulary) -> set[sympy.Expr]:
    return {a for e in expressions_of(formula) for a in e.atoms(AppliedUndef) if vocabulary.is_token(a)}


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
    quantifiers: Iterable[Quantifier], after: sympy.Expr, counts: Replacement
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


def conclusion(reading: Reading, invariant: Formula) -> Iterator[Implication]:
    """After the last symbol the prefix counts are the totals, and the invariant decides.

    The word without symbols stands apart: it ends before the first step, with empty sums and nothing violated.
    """
    derivation, vocabulary, words = reading.derivation, reading.derivation.vocabulary, reading.words
    last = vocabulary.last
    end: dict[sympy.Expr, sympy.Expr] = {
        vocabulary.prefix_atom(symbol)(last): vocabulary.total(symbol) for symbol in vocabulary.alphabet
    }
    reached = moved(moved(invariant, {j: last}), end)
    names = sorted({*reading.flags, *flags_of(reached)})
    empty = words.equal(form_of(last - (vocabulary.first - 1)))
    nothing = dict.fromkeys(derivation.sums, sympy.S.Zero)
    held = moved(reading.accepts, {}, dict.fromkeys(names, True))
    yield from _decisions("empty word", derivation, reading.theorem, empty, reading.given, held, nothing)
    symbols = words.given(form_of(last - vocabulary.first))
    for values in itertools.product((True, False), repeat=len(names)):
        flags = dict(zip(names, values, strict=True))
        known, accepts = conjunction(reading.given, moved(reached, {}, flags)), moved(reading.accepts, {}, flags)
        yield from _decisions("conclusion", derivation, reading.theorem, symbols, known, accepts, {})


def _decisions(
    name: str,
    derivation: Derivation,
    theorem: OnWords,
    context: Context,
    known: Formula,
    accepts: Formula,
    sums: Replacement,
) -> Iterator[Implication]:
    """That the logit is as the theorem wants it on the words of its sides, in each case of the closed form."""
    vocabulary = derivation.vocabulary
    rule = derivation.construction.network.readout.accept
    for number, (where, value) in enumerate(logit_cases(derivation, context), start=1):
        logit = value.xreplace(dict(sums))
        for wanted in sides(theorem):
            side = accepts if wanted else negation(accepts)
            yield from obligations_of(
                f"{name} {number}, {'accepted' if wanted else 'rejected'}",
                vocabulary,
                context,
                conjunction(known, where, side),
                lambda c, v=logit, w=wanted: goal(theorem, rule, v, w, c, vocabulary),  # type: ignore[misc]
            )


Rewards = tuple[tuple[sympy.Expr, Formula], ...]
"""Values, each with what is known of the words that it is said of."""


def least_before_last(total: ExplicitSum, vocabulary: Vocabulary, words: Context) -> sympy.Expr:
    """The least absolute value of what position j adds to a sum where it adds anything and is not the last one; 0 if no
    value is least."""
    return least_addition(total, j, vocabulary.last - 1, vocabulary, words) or sympy.S.Zero


def least_addition(
    total: ExplicitSum, position: sympy.Expr, last: sympy.Expr, vocabulary: Vocabulary, words: Context
) -> sympy.Expr | None:
    """The least absolute value of what a position up to the last one adds to a sum where it adds anything; None if no
    value is least."""
    context = words.given(form_of(position - vocabulary.first), form_of(last - position))
    body = vocabulary.tokens_in_range(substitute(total.body, {j: position}), context)
    added: list[tuple[sympy.Expr, Context]] = []
    candidates: set[sympy.Expr] = set()
    for conditions, value in body.terms:
        inside = context.given(*(form for condition in conditions for form in condition.forms()))
        direction = sign_of(value, inside, vocabulary)
        if direction in (Sign.OPEN, Sign.ZERO):
            return None
        size = Iverson.constant(value * direction.value)
        added.append((value * direction.value, inside))
        ends = [(c.axis, end) for c in conditions for end in (c.lo, c.hi) if end is not None]
        for option in (size, *(at_point(size, axis, end) for axis, end in ends)):
            candidates |= {canonical(number) for _, number in option.terms}
    bounds = [
        bound
        for bound in sorted(candidates, key=str)
        if all(is_scale(atom) for atom in bound.atoms(AppliedUndef))
        and sign_of(bound, context, vocabulary) is Sign.POSITIVE
        and all(_at_least(value, bound, inside, vocabulary) for value, inside in added)
    ]
    best = (bound for bound in bounds if all(_at_least(bound, other, context, vocabulary) for other in bounds))
    return next(best, None)


def _at_least(value: sympy.Expr, bound: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    difference = cleared(value - bound, context, vocabulary)
    form = linear_form(difference)
    if form is not None:
        return context.nonnegative(form)
    return certify(difference, context, vocabulary, strict=False) is not None


def reward(derivation: Derivation, words: Context, accepts: Formula, flags: set[str]) -> Rewards:
    """The most that the logit of an accepted word has beside its sums, and of which words that is said; what it has in
    each case, if no value is the most, or if that is had only where the last symbol is a certain one: of words that end
    otherwise, a step need not show that they are outweighed by as much."""
    vocabulary = derivation.vocabulary
    context = words.given(form_of(vocabulary.last - vocabulary.first))
    hypothesis = moved(accepts, {}, dict.fromkeys(flags, True))
    values: dict[sympy.Expr, Formula] = {}
    for where, value in logit_cases(derivation, words):
        if any(cases(conjunction(where, hypothesis), context)):
            alone = canonical(value.xreplace(dict.fromkeys(derivation.sums, sympy.S.Zero)))
            values[alone] = disjunction(where, values[alone]) if alone in values else where
    for value in sorted(values, key=str):
        most = all(sign_of(value - other, context, vocabulary) in (Sign.ZERO, Sign.POSITIVE) for other in values)
        if most and not _speaks_of(vocabulary.token(vocabulary.last), values[value]):
            return ((value, values[value]),)
    return tuple((value, values[value]) for value in sorted(values, key=str))


def _speaks_of(atom: sympy.Expr, formula: Formula) -> bool:
    return any(expression.has(atom) for expression in expressions_of(formula))


def reward_of(most: Rewards) -> Iverson:
    """One value for all words, or its cases, which are disjoint, and 0 elsewhere."""
    if len(most) == 1:
        return Iverson.constant(most[0][0])
    total = ZERO
    for value, where in most:
        total += bracket_of(where).scaled(value)
    return total

"""That a margin is attained for every n: the logit on a family of words, one for each n, made of repeated blocks.

A token or a prefix count at a position is known once it is known in which copy of which block the position lies; an
explicit sum is known where each block adds the same at each copy. What linear arithmetic does not settle about that is
split into cases; where the cases disagree, nothing is guessed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import lcm

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.atoms import contexts_with_facts
from weightproof.proofs.solving.cases import cases, obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    TRUE,
    Formula,
    Quantifier,
    conjunction,
    disjunction,
    expressions_of,
    negation,
    of_cell,
    read_formula,
    relation,
)
from weightproof.proofs.strategies.direct import logit_cases, moved
from weightproof.proofs.strategies.goals import attaining, require_plain_sums
from weightproof.proofs.theorem import Margin
from weightproof.symbolic.algebra.iverson import Iverson, canonical, residue, substitute
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, j, n
from weightproof.symbolic.derivation import Derivation, ExplicitSum
from weightproof.symbolic.rules.reading import read_scalar

Values = Mapping[sympy.Expr, sympy.Expr]


FAMILY = "a word for each n"
"""What the obligation is called that there is one."""


@dataclass(frozen=True)
class Block:
    """`times` copies of a word, the first one at position `start`; before: the counts of the symbols before it."""

    word: str
    times: sympy.Expr
    start: sympy.Expr
    before: Mapping[str, sympy.Expr]


def blocks(theorem: Margin, vocabulary: Vocabulary) -> tuple[Block, ...]:
    result = []
    start: sympy.Expr = sympy.Integer(vocabulary.first)
    counts: dict[str, sympy.Expr] = dict.fromkeys(vocabulary.alphabet, sympy.S.Zero)
    for word, repeated in theorem.attained or ():
        times = Value(read_scalar(repeated, vocabulary)).plain()
        if linear_form(times) is None:
            raise Underivable(f"{word!r} is repeated {repeated} times, which is not linear in n and natural parameters")
        result.append(Block(word, times, start, dict(counts)))
        start += len(word) * times
        counts = {symbol: count + word.count(symbol) * times for symbol, count in counts.items()}
    return tuple(result)


def _length(family: tuple[Block, ...]) -> sympy.Expr:
    return sum((len(block.word) * block.times for block in family), sympy.S.Zero)


def _count(symbol: str, family: tuple[Block, ...]) -> sympy.Expr:
    """How many of a symbol a word of the family has."""
    return sum((block.word.count(symbol) * block.times for block in family), sympy.S.Zero)


def attained(derivation: Derivation, theorem: Margin, words: Context) -> Iterator[Implication]:
    """The family has a word for each n of the case; it is on the side of the theorem; there |logit| is the margin."""
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    family = blocks(theorem, vocabulary)
    hypothesis = read_formula(theorem.hypothesis, vocabulary)
    length = _length(family)
    room = n - int(vocabulary.begin) - int(vocabulary.end)
    exists = conjunction(
        relation("==", length - room),
        *(part for block in family for part in (relation(">=", block.times), _whole(block))),
    )
    yield from obligations_of(FAMILY, vocabulary, words, hypothesis, lambda c: exists)

    totals = {vocabulary.total(symbol): _count(symbol, family) for symbol in vocabulary.alphabet}
    counted = words.equal(*(form_of(atom - value) for atom, value in totals.items()))
    for where, literals in cases(hypothesis, counted):
        for context in contexts_with_facts(where, [rel.expression for rel in literals], vocabulary):
            yield from _on_the_family(derivation, theorem, family, totals, context, conjunction(*literals))


def logits(derivation: Derivation, family: tuple[Block, ...], words: Context) -> Iterator[tuple[Context, sympy.Expr]]:
    """The logit on a family with as many symbols as n leaves room for, in the cases that linear arithmetic tells apart.

    Raises Underivable where the copies of a block add different values to an explicit sum.
    """
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    totals = {vocabulary.total(symbol): _count(symbol, family) for symbol in vocabulary.alphabet}
    context = words.given(*(form_of(block.times) for block in family))
    context = context.equal(*(form_of(atom - value) for atom, value in totals.items()))
    context = context.equal(form_of(_length(family) + int(vocabulary.begin) + int(vocabulary.end) - n))
    sums = {symbol: _sum(total, family, context, vocabulary) for symbol, total in derivation.sums.items()}
    for where, value in logit_cases(derivation, context):
        logit = value.xreplace({**totals, **sums})
        for place, at in _located({logit, *expressions_of(where)}, family, context, vocabulary):
            for inside, _ in cases(moved(where, {**totals, **at}), place):
                yield inside, logit.xreplace(at)


def _whole(block: Block) -> Formula:
    """That the number of copies is an integer."""
    form = form_of(block.times)
    denominator = lcm(form.constant.denominator, *(factor.denominator for _, factor in form.terms))
    held = residue(form * denominator, denominator, 0)
    return disjunction(*(of_cell(cell) for cell, value in cells(held) if value != 0))


def _on_the_family(
    derivation: Derivation,
    theorem: Margin,
    family: tuple[Block, ...],
    totals: Values,
    context: Context,
    known: Formula,
) -> Iterator[Implication]:
    vocabulary, rule = derivation.vocabulary, derivation.construction.network.readout.accept
    sums = {symbol: _sum(total, family, context, vocabulary) for symbol, total in derivation.sums.items()}
    quantifiers: list[Quantifier] = []
    accepts = read_formula(derivation.construction.language.characterisation, vocabulary, quantifiers=quantifiers)
    settled = {q.flag: _holds_throughout(q, family, context, vocabulary) for q in quantifiers}
    for number, (where, value) in enumerate(logit_cases(derivation, context), start=1):
        logit = value.xreplace({**totals, **sums})
        mentioned = {logit, *expressions_of(where), *expressions_of(accepts)}
        for place, at in _located(mentioned, family, context, vocabulary):
            here = {**totals, **at}
            reached = logit.xreplace(at)
            for truth in itertools.product(*([t] if t is not None else [True, False] for t in settled.values())):
                member = moved(accepts, here, dict(zip(settled, truth, strict=True)))
                side = member if theorem.of_accepted else negation(member)
                yield from obligations_of(
                    f"attained, case {number}",
                    vocabulary,
                    place,
                    conjunction(known, moved(where, here)),
                    lambda c, v=reached, s=side: conjunction(s, attaining(theorem, rule, v, c, vocabulary)),  # type: ignore[misc]
                )


def _places(family: tuple[Block, ...], context: Context) -> Iterator[tuple[Block, sympy.Expr, Context]]:
    """Each block, a position at each offset of a generic copy of it, and what is known there; empty blocks left out."""
    for number, block in enumerate(family):
        copy = sympy.Integer(0) if block.times == 1 else sympy.Symbol(f"k_copy{number}", integer=True)
        inside = context.given(form_of(copy), form_of(block.times - 1 - copy))
        if not inside.impossible():
            for offset in range(len(block.word)):
                yield block, block.start + len(block.word) * copy + offset, inside


def _sum(total: ExplicitSum, family: tuple[Block, ...], context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """An explicit sum on the family; Underivable where the copies of a block do not all add the same."""
    result = sympy.S.Zero
    for block, position, inside in _places(family, context):
        added: set[sympy.Expr] = set()
        body = substitute(total.body, {j: position})
        for place, at in _located(_atoms_of(body), family, inside, vocabulary):
            for cell, value in cells(substitute(body, at)):
                forms = cell.forms()
                if not place.impossible(*forms):
                    added.add(canonical(value))
        if len(added) > 1 or any(str(symbol).startswith("k_") for value in added for symbol in value.free_symbols):
            raise Underivable(f"the copies of {block.word!r} in the family add different values to {total.symbol}")
        result += sum(added, sympy.S.Zero) * block.times
    return result


def _atoms_of(value: Iverson) -> set[sympy.Expr]:
    return {e for conditions, x in value.terms for e in (x, *(c.axis.expression() for c in conditions))}


def _holds_throughout(
    quantifier: Quantifier, family: tuple[Block, ...], context: Context, vocabulary: Vocabulary
) -> bool | None:
    """Whether the body holds at all positions of the family (True), or fails at one that there is (False)."""
    throughout = True
    for block, position, inside in _places(family, context):
        body = quantifier.body(position)
        if _follows(body, family, inside, vocabulary):
            continue
        throughout = False
        there_is = context.positive(form_of(block.times))
        last = position.xreplace({symbol: block.times - 1 for symbol in position.free_symbols if _is_copy(symbol)})
        if there_is and _follows(negation(quantifier.body(last)), family, context, vocabulary):
            return False
    return True if throughout else None


def _is_copy(symbol: sympy.Basic) -> bool:
    return str(symbol).startswith("k_copy")


def _follows(formula: Formula, family: tuple[Block, ...], context: Context, vocabulary: Vocabulary) -> bool:
    return formula == TRUE or not any(
        any(cases(negation(moved(formula, at)), place))
        for place, at in _located(expressions_of(formula), family, context, vocabulary)
    )


def _located(
    expressions: Iterable[sympy.Expr], family: tuple[Block, ...], context: Context, vocabulary: Vocabulary
) -> Iterator[tuple[Context, dict[sympy.Expr, sympy.Expr]]]:
    """The cases of where the positions that are spoken of lie in the family, and the tokens and counts there."""
    atoms = {atom for expression in expressions for atom in expression.atoms(AppliedUndef)}
    positions = sorted({atom.args[0] for atom in atoms}, key=str)
    for position in positions:
        form = form_of(position)
        if any(value.denominator != 1 for value in (form.constant, *(factor for _, factor in form.terms))):
            raise Underivable(f"position {position} of the family may be no integer")
    found: list[tuple[Context, dict[sympy.Expr, sympy.Expr]]] = [(context, {})]
    for position in positions:
        found = [
            (place, {**values, **at})
            for before, values in found
            for place, at in _located_one(position, family, before, vocabulary)
            if not place.impossible()
        ]
    yield from found


def _located_one(
    position: sympy.Expr, family: tuple[Block, ...], context: Context, vocabulary: Vocabulary
) -> Iterator[tuple[Context, dict[sympy.Expr, sympy.Expr]]]:
    def meaning(token: int, counts: Mapping[str, sympy.Expr]) -> dict[sympy.Expr, sympy.Expr]:
        at = {vocabulary.prefix_atom(symbol)(position): count for symbol, count in counts.items()}
        return {**at, vocabulary.token(position): sympy.Integer(token)}

    nothing = dict.fromkeys(vocabulary.alphabet, sympy.S.Zero)
    yield context.given(form_of(vocabulary.first - 1 - position)), meaning(-1, nothing)
    everything = {symbol: _count(symbol, family) for symbol in vocabulary.alphabet}
    yield context.given(form_of(position - vocabulary.last - 1)), meaning(-1, everything)
    for number, block in enumerate(family):
        size = len(block.word)
        for offset in range(size):
            copy = sympy.Symbol(f"k_in{number}({position})", integer=True) if size > 1 else position - block.start
            place = context.given(form_of(copy), form_of(block.times - 1 - copy))
            place = place.equal(form_of(block.start + size * copy + offset - position))
            counts = {
                symbol: block.before[symbol] + block.word.count(symbol) * copy + block.word[: offset + 1].count(symbol)
                for symbol in vocabulary.alphabet
            }
            yield place, meaning(vocabulary.alphabet.index(block.word[offset]), counts)

"""What of a word the closed form and a theorem can tell: the plan of a search over states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.logic import Formula, Quantifier, expressions_of, read_formula
from weightproof.proofs.strategies.goals import require_plain_sums
from weightproof.proofs.theorem import OnWords
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j, n
from weightproof.symbolic.derivation import Derivation


@dataclass(frozen=True)
class Plan:
    """What of a word matters.

    quantified: the flag of each statement about all positions, and its body at j. head, tail: how many of its first and
    last symbols are spoken of by their place. window: how many of the last symbols the next ones are seen together
    with. counted: the symbols, by index, whose counts matter. inward: symbols are chosen from both ends, where those at
    j and n-1-j are seen together. by_length: what a position adds depends on n.
    """

    accepts: Formula
    given: Formula
    quantified: tuple[tuple[str, Formula], ...]
    head: int
    tail: int
    window: int
    counted: tuple[int, ...]
    inward: bool
    by_length: bool


def plan(derivation: Derivation, theorem: OnWords) -> Plan:
    """Raises Underivable where words cannot be told apart by states of this kind."""
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    quantifiers: list[Quantifier] = []
    accepts = theorem.accepts or derivation.construction.language.characterisation
    formulas = [read_formula(f, vocabulary, quantifiers=quantifiers) for f in (accepts, theorem.hypothesis)]
    once = [*_expressions(derivation.logit), *(e for formula in formulas for e in expressions_of(formula))]
    each = [e for total in derivation.sums.values() for e in _expressions(total.body)]
    quantified = tuple((quantifier.flag, quantifier.body(j)) for quantifier in quantifiers)
    each += [e for _, body in quantified for e in expressions_of(body)]
    if any(vocabulary.total(symbol) in e.free_symbols for e in each for symbol in vocabulary.alphabet):
        raise Underivable("what a position adds depends on the whole word")
    head, tail = _ends(_atoms(once), vocabulary)
    offsets = [(vocabulary.is_token(atom), atom.args[0] - j) for atom in _atoms(each) if atom.has(j)]
    ahead = [offset for _, offset in offsets if not offset.is_Integer or offset > 0]
    inward = bool(ahead)
    if inward and not all(
        token and (offset == 0 or offset + 2 * j - vocabulary.first - vocabulary.last == 0) for token, offset in offsets
    ):
        raise Underivable("what a position adds depends on symbols after it")
    if any(not atom.has(j) for atom in _atoms(each)):
        raise Underivable("what a position adds depends on a fixed one")
    counts = {str(a.func)[2:] for a in _atoms([*once, *each]) if vocabulary.is_prefix(a)}
    counts |= {a for a in vocabulary.alphabet if any(vocabulary.total(a) in e.free_symbols for e in once)}
    return Plan(
        formulas[0],
        formulas[1],
        quantified,
        head,
        tail,
        1 if inward else 1 + max((-int(offset) for _, offset in offsets), default=0),
        tuple(index for index, symbol in enumerate(vocabulary.alphabet) if symbol in counts),
        inward,
        inward or any(e.has(n) for e in each),
    )


def _expressions(value: Iverson) -> Iterator[sympy.Expr]:
    for conditions, coefficient in value.terms:
        yield coefficient
        yield from (condition.axis.expression() for condition in conditions)


def _atoms(expressions: Iterable[sympy.Expr]) -> set[sympy.Expr]:
    return {atom for expression in expressions for atom in expression.atoms(AppliedUndef)}


def _ends(atoms: Iterable[sympy.Expr], vocabulary: Vocabulary) -> tuple[int, int]:
    """How many of the first and of the last symbols are spoken of."""
    head = tail = 0
    for atom in atoms:
        from_start, from_end = (
            linear_form(p) for p in (atom.args[0] - vocabulary.first, vocabulary.last - atom.args[0])
        )
        if not vocabulary.is_token(atom) or from_start is None or from_end is None:
            raise Underivable(f"{atom} is known only where the position comes")
        if not from_start.terms:
            head = max(head, int(from_start.constant) + 1)
        elif not from_end.terms:
            tail = max(tail, int(from_end.constant) + 1)
        else:
            raise Underivable(f"{atom} stands neither near the start nor near the end")
    return head, tail

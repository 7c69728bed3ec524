"""What was derived, explained in a case: a formula for a reader, with the names that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.quantities.differences import Derived, substitutions
from weightproof.proofs.quantities.explanation import Explanation, Named, Values, explained, joined
from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import cells, i
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import rows
from weightproof.symbolic.writing.hypotheses import impossible, simplified
from weightproof.symbolic.writing.plain import explicit_sum
from weightproof.symbolic.writing.plain import value as plain

Shown = tuple[Expression, ...]


@dataclass(frozen=True)
class Case:
    """The words and positions with `when`, at the parameter values `at`."""

    when: Expression
    at: Mapping[str, Expression] = field(default_factory=dict)


def _says_all(derivation: Derivation, derived: Mapping[str, Iverson], words: Context) -> bool:
    """Whether the one value that all symbols have says what the markers have, too."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.encoder
    table = rows(vocabulary, (network.begin, network.end), words)
    values = {derived[symbol] for symbol in vocabulary.alphabet}
    if len(values) != 1:
        return False
    [general] = values
    markers = [token for token in derived if token not in vocabulary.alphabet]
    here = (vocabulary.settle(substitute(general, {i: table[token].position})) - derived[token] for token in markers)
    return not any(normalise(x, table[token].context).terms for token, x in zip(markers, here, strict=True))


def describe(derivation: Derivation, derived: Derived, case: Case, words: Context) -> Explanation:
    """What was derived, in a case; where the tokens differ, one after the other."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.encoder
    used: set[sympy.Basic] = set()
    given = substitutions(case.at, vocabulary)

    def shown(value: Iverson, position: sympy.Expr | None, context: Context, token: str = "") -> Shown:
        """The values where the case is met; none where it never is."""
        met = substitute(read_scalar(case.when, vocabulary, position), given)
        if token in vocabulary.alphabet and position is not None:
            met = vocabulary.known_token(vocabulary.settle(met), token, position)
        here = [context.given(*cell.forms()) for cell, true in cells(normalise(met, context)) if true != 0]
        here = [inside for inside in here if not impossible(inside, vocabulary)]
        parts = dict.fromkeys(simplified(substitute(value, given), inside, vocabulary) for inside in here)
        for part in parts:
            used.update(part.free_symbols)
        return tuple(Expression(plain(part, vocabulary)) for part in parts)

    if isinstance(derived, Iverson):
        parts = [Values(shown(derived, None, words) or (Expression("0"),))]
    else:
        table = rows(vocabulary, (network.begin, network.end), words)
        tokens: dict[Shown, list[str]] = {}
        for token, value in derived.items():
            here = shown(value, table[token].position, table[token].context, token)
            if here:
                tokens.setdefault(here, []).append(token)
        of_symbols = [here for here, those in tokens.items() if set(those) & {*vocabulary.alphabet}]
        if len(of_symbols) == 1 and len(tokens) > 1 and _says_all(derivation, derived, words):
            tokens = {of_symbols[0]: []}
        one = len(tokens) == 1
        parts = [Values(values, () if one else tuple(those)) for values, those in tokens.items()]
    sums = [
        Named(Expression(str(symbol)), Expression(explicit_sum(total, vocabulary)))
        for symbol, total in derivation.all_sums.items()
        if symbol in used
    ]
    return joined([joined(map(explained, parts), "; "), *map(explained, sums)], ", where ")

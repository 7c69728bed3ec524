"""What was derived, told in the case of a claim."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from weightproof.constructions.meaning.schema import Claim, Encoder
from weightproof.proofs.differences import Derived, substitutions
from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import cells, i
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.rules import attention
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.writing.hypotheses import impossible, simplified
from weightproof.symbolic.writing.plain import explicit_sum
from weightproof.symbolic.writing.plain import value as plain


def _says_all(derivation: Derivation, derived: Mapping[str, Iverson], words: Context) -> bool:
    """Whether the one value that all symbols have says what the markers have, too."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    table = attention.rows(vocabulary, (network.begin, network.end), words)
    values = {derived[symbol] for symbol in vocabulary.alphabet}
    if len(values) != 1:
        return False
    [general] = values
    markers = [token for token in derived if token not in vocabulary.alphabet]
    here = (vocabulary.settle(substitute(general, {i: table[token].position})) - derived[token] for token in markers)
    return not any(normalise(x, table[token].context).terms for token, x in zip(markers, here, strict=True))


def describe(derivation: Derivation, derived: Derived, claim: Claim, words: Context) -> str:
    """What was derived, in the case of a claim, as plain text; where the tokens differ, one after the other."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    used: set[sympy.Basic] = set()

    def shown(value: Iverson, position: sympy.Expr | None, context: Context, token: str = "") -> str | None:
        """The value where the claim is made; None where it is not made at all."""
        given = substitutions(claim, vocabulary)
        case = substitute(read_scalar(claim.when, vocabulary, position), given)
        if token in vocabulary.alphabet and position is not None:
            case = vocabulary.known_token(vocabulary.settle(case), token, position)
        here = [
            context.given(*(form for terms, _ in cell.terms for condition in terms for form in condition.forms()))
            for cell, true in cells(normalise(case, context))
            if true != 0
        ]
        here = [inside for inside in here if not impossible(inside, vocabulary)]
        parts = dict.fromkeys(simplified(substitute(value, given), inside, vocabulary) for inside in here)
        for part in parts:
            used.update(part.free_symbols)
        return " or ".join(plain(part, vocabulary) for part in parts) if parts else None

    if isinstance(derived, Iverson):
        result = shown(derived, None, words) or "0"
    else:
        table = attention.rows(vocabulary, (network.begin, network.end), words)
        by_text: dict[str, list[str]] = {}
        for token, value in derived.items():
            here = shown(value, table[token].position, table[token].context, token)
            if here is not None:
                by_text.setdefault(here, []).append(token)
        of_symbols = [here for here, tokens in by_text.items() if set(tokens) & {*vocabulary.alphabet}]
        if len(of_symbols) == 1 and len(by_text) > 1 and _says_all(derivation, derived, words):
            by_text = {of_symbols[0]: []}
        one = len(by_text) == 1
        result = "; ".join(value if one else f"{value} at {', '.join(tokens)}" for value, tokens in by_text.items())
    sums = [
        f"{symbol} = {explicit_sum(total, vocabulary)}"
        for symbol, total in derivation.all_sums.items()
        if symbol in used
    ]
    return result + "".join(f", where {each}" for each in sums)

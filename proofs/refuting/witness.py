"""A word that a theorem says something of: without one the theorem would be vacuous.

Short words first, then those that the solver's models of the hypotheses lead to, then the states of the closed form.
Each is looked at as it stands: only a word of which the hypothesis holds is a witness, and only one of the side that a
theorem is about. That something holds of the other words, too ("and on no others"), makes it no less vacuous.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.refuting.critical import relations, settings
from weightproof.proofs.refuting.decode import decoded
from weightproof.proofs.refuting.long import LONGEST_SPOKEN, spelled, symbols_in
from weightproof.proofs.refuting.refute import in_scope, likely_words
from weightproof.proofs.refuting.states import satisfying
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.theorem import PROVER, Compares, Decides, Margin, OnWords
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

LONGEST_TRIED = 6
STEPS = 3_000_000
"""For the search among states."""


def witness(
    construction: Construction, theorem: OnWords, derivation: Derivation, closed: Sequence[Closed]
) -> tuple[str, dict[str, str]] | None:
    """A word and parameters that the theorem speaks of, or None; closed: with the models of its obligations."""
    return _among(construction, theorem, _candidates(construction, theorem, derivation, closed))


def witness_among(
    construction: Construction, theorem: OnWords, words: Iterable[Sequence[str]]
) -> tuple[str, dict[str, str]] | None:
    """The same, from short words and from some that are known, where nothing is derived."""
    tried = samples(construction)

    def candidates() -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
        for length in range(LONGEST_TRIED + 1):
            for word in likely_words(construction, theorem, length):
                yield from ((word, parameters) for parameters in tried)
        for each in words:
            yield from ((each, parameters) for parameters in tried)

    return _among(construction, theorem, candidates())


def _among(
    construction: Construction, theorem: OnWords, candidates: Iterable[tuple[Sequence[str], Mapping[str, str]]]
) -> tuple[str, dict[str, str]] | None:
    for word, parameters in candidates:
        tokens = add_markers(construction.encoder, word)
        try:
            values = parameter_values(construction, parameters)
        except InputError:  # outside a parameter's domain
            continue
        if (
            tokens
            and in_scope(construction, theorem, tokens, values)
            and _on_its_side(construction, theorem, tokens, values)
        ):
            return "".join(word), dict(parameters)
    return None


def _on_its_side(construction: Construction, theorem: OnWords, tokens: Sequence[str], values: dict[str, Real]) -> bool:
    """Whether a marked word is on a side of which the theorem says something."""
    language = construction.language
    match theorem:
        case Decides() | Margin(value=None):
            return True
        case Margin(side=side):
            formula, wanted = language.characterisation, side == "accepted"
        case Compares(where=where):
            formula, wanted = where or language.characterisation, True
        case _:
            PROVER.refuse("theorem", theorem)
    try:
        return holds(formula, values, tokens, language.alphabet) == wanted
    except ArithmeticError:
        return False


def _candidates(
    construction: Construction, theorem: OnWords, derivation: Derivation, closed: Sequence[Closed]
) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
    tried = _settings(construction, theorem, derivation)
    for length in range(LONGEST_TRIED + 1):
        for word in likely_words(construction, theorem, length):
            yield from ((word, parameters) for parameters in tried)
    for item in closed:
        lead = decoded(item.model or {}, item.obligation.expressions(), item.obligation.vocabulary)
        if lead is not None and symbols_in(lead.runs) <= LONGEST_SPOKEN:
            symbols = spelled(lead.runs)
            yield symbols, tried[0] | dict(lead.parameters)
            yield from ((symbols, parameters) for parameters in tried)
    try:
        yield from satisfying(construction, theorem, derivation, Budget(STEPS))
    except (Underivable, ValueError, ArithmeticError):  # the hypothesis cannot be read there
        return


def _settings(construction: Construction, theorem: OnWords, derivation: Derivation) -> list[dict[str, str]]:
    """Parameter values to try on any word: the samples, then those at which the hypothesis changes."""
    tried = samples(construction)
    try:
        critical = settings(construction, relations(theorem, derivation))
    except (Underivable, ValueError):  # as above
        critical = []
    return [*tried, *(given for given in critical if given not in tried)]

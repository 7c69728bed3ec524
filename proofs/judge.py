"""Judges claimed closed forms: the difference from the derived value is 0 in every case, or a word shows otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from flint import fmpq

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import mark, parameter_values, run
from weightproof.constructions.meaning.schema import Claim, Encoder
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.values import holds, value_on
from weightproof.proofs.differences import Derived, Rest, differences, leads, occurrences
from weightproof.proofs.refuting.refute import logit_text
from weightproof.proofs.refuting.refute import words as words_up_to
from weightproof.proofs.theorem import ClosedForm
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.iverson import ZERO
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

LONGEST = 7
"""Symbols of the longest words that are all tried; beyond, those to which the difference leads."""
SECONDS = 8.0
"""For the leads."""


def judge(construction: Construction, derivation: Derivation, theorem: ClosedForm, words: Context) -> Verdict:
    """Proved for all lengths, refuted with a word, or unknown where the normal forms differ on no word that was tried.

    words: what holds of every word, with the ledger for the facts that are used.
    """
    reason, claim = "the claimed form differs from the derived one, but on no word that was tried", theorem.claim
    rests: list[Rest] = []
    try:
        derived = _derived(derivation, claim.quantity)
        in_case = itertools.chain(
            _short(construction), _led(occurrences(derivation, claim, words, derived), derivation)
        )
        if next(_instances(construction, claim, in_case), None) is None:
            return Unknown("no word that was tried is in the case of the claim: it may be vacuous")
        rests = list(differences(derivation, claim, words, derived))
        if not rests:
            return Proved("all lengths", Evidence.CERTIFICATE)
    except Underivable as error:
        reason = f"the claimed form cannot be read: {error}"
    found = _difference(construction, theorem, itertools.chain(_short(construction), _led(rests, derivation)))
    return Unknown(reason) if found is None else Refuted(found)


Candidate = tuple[Sequence[str], Mapping[str, str]]
"""A word, and values for some of the parameters."""


def _short(construction: Construction) -> Iterator[Candidate]:
    return ((word, {}) for word in words_up_to(construction.language.alphabet, LONGEST))


def _led(rests: Iterable[Rest], derivation: Derivation) -> Iterator[Candidate]:
    return ((lead.word, lead.parameters) for lead in leads(rests, derivation.vocabulary, SECONDS))


def _derived(derivation: Derivation, quantity: str) -> Derived:
    if quantity == "logit":
        return derivation.logit
    return {token: vector.get(quantity, ZERO) for token, vector in derivation.streams[-1].items()}


def _difference(
    construction: Construction, theorem: ClosedForm, candidates: Iterable[Candidate]
) -> Counterexample | None:
    """The first word on which the exact run and the claim differ."""
    claim, alphabet = theorem.claim, construction.language.alphabet
    for word, parameters, tokens, places in _instances(construction, claim, candidates):
        values = parameter_values(construction, parameters)
        result = run(construction, word, parameters)
        for place in places:
            value = result.logit if claim.quantity == "logit" else result.streams[-1][place][claim.quantity]
            try:
                claimed = value_on(claim.value, {**values, "i": fmpq(place)}, tokens, alphabet)
                if sign(value - claimed) == 0:
                    continue
            except ArithmeticError:
                continue
            shown = "".join(word)
            member = is_member(construction, shown, values)
            return Counterexample(construction.name, shown, parameters, member, result.accepts, logit_text(result))
    return None


def _instances(
    construction: Construction, claim: Claim, candidates: Iterable[Candidate]
) -> Iterator[tuple[Sequence[str], dict[str, str], tuple[str, ...], list[int]]]:
    """Where a claim is made: word, parameters, marked word, positions."""
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    for word, known in candidates:
        tokens = mark(network, word)
        last = len(tokens) - 1
        read = {"first": [0], "last": [last], "sum": list(range(last + 1))}[network.readout.position]
        for parameters in _parameters(construction, claim, known) if tokens else []:
            try:
                values = parameter_values(construction, parameters)
            except InputError:  # outside the parameter's domain
                continue
            rows = [0] if claim.quantity == "logit" else read
            try:
                made = [p for p in rows if holds(claim.when, {**values, "i": fmpq(p)}, tokens, alphabet)]
            except ArithmeticError:
                continue
            if made:
                yield word, parameters, tokens, made


def _parameters(construction: Construction, claim: Claim, known: Mapping[str, str]) -> list[dict[str, str]]:
    """The parameter values to try: those that are known or that the claim is printed for, the others at the samples."""
    printed = {**known, **{name: str(value) for name, value in claim.at.items()}}
    tried: list[dict[str, str]] = []
    for sample in samples(construction):
        if sample | printed not in tried:
            tried.append(sample | printed)
    return tried

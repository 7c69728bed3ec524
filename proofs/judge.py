"""Judges claimed closed forms: the difference from the derived value is 0 in every case, or a word shows otherwise.

Equality is decided by normal forms: in each case of the brackets both sides are rational functions, and their
difference cancels to 0 or does not.
"""

from __future__ import annotations

from flint import fmpq

from constructions.exact import Real, Undecided, holds, sign, value_on
from constructions.interpreter import mark, parameter_values, run
from constructions.membership import is_member
from constructions.schema import Construction, Encoder
from proofs.refute import logit_text, samples
from proofs.refute import words as words_up_to
from proofs.theorem import ClosedForm
from proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict
from symbolic.attention import rows
from symbolic.derivation import Derivation
from symbolic.iverson import ZERO, normalise
from symbolic.linear import Context
from symbolic.reading import read_scalar

LONGEST = 7


def judge(construction: Construction, derivation: Derivation, theorem: ClosedForm, words: Context) -> Verdict:
    """Proved for all lengths, refuted with a word, or unknown where the normal forms differ on no short word.

    words: what holds of every word, with the ledger for the facts that are used.
    """
    if _agrees(derivation, theorem, words):
        return Proved("all lengths", Evidence.CERTIFICATE)
    found = _difference(construction, theorem)
    if found is not None:
        return Refuted(found)
    return Unknown(f"the claimed form differs from the derived one, but on no word up to length {LONGEST}")


def _agrees(derivation: Derivation, theorem: ClosedForm, words: Context) -> bool:
    claim, vocabulary = theorem.claim, derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    if claim.quantity == "logit":
        when = read_scalar(claim.when, vocabulary)
        claimed = read_scalar(claim.value, vocabulary)
        difference = vocabulary.without_first_count((derivation.logit - claimed) * when)
        return not vocabulary.tokens_in_range(difference, words).terms
    table = rows(vocabulary, (network.begin, network.end), words)
    for token, vector in derivation.streams[-1].items():
        row = table[token]
        when = read_scalar(claim.when, vocabulary, row.position)
        claimed = read_scalar(claim.value, vocabulary, row.position)
        difference = vocabulary.settle((vector.get(claim.quantity, ZERO) - claimed) * when)
        if token in vocabulary.alphabet:  # the token at the row itself is known
            difference = vocabulary.known_token(difference, token, row.position)
        if normalise(vocabulary.without_first_count(difference), row.context).terms:
            return False
    return True


def _difference(construction: Construction, theorem: ClosedForm) -> Counterexample | None:
    """The shortest word on which the exact run and the claim differ."""
    claim, alphabet = theorem.claim, construction.language.alphabet
    network = construction.network
    assert isinstance(network, Encoder)
    for word in words_up_to(alphabet, LONGEST):
        tokens = mark(network, word)
        for parameters in samples(construction) if tokens else []:
            values = parameter_values(construction, parameters)
            result = run(construction, word, parameters)
            names: dict[str, Real] = dict(values)
            computed: list[tuple[int, Real]]
            if claim.quantity == "logit":
                computed = [(0, result.logit)]
            elif network.readout.position == "sum":
                computed = [(place, vector[claim.quantity]) for place, vector in enumerate(result.streams[-1])]
            else:
                place = 0 if network.readout.position == "first" else len(tokens) - 1
                computed = [(place, result.streams[-1][place][claim.quantity])]
            for place, value in computed:
                names["i"] = fmpq(place)
                try:
                    if not holds(claim.when, names, tokens, alphabet):
                        continue
                    if sign(value - value_on(claim.value, names, tokens, alphabet)) == 0:
                        continue
                except (ZeroDivisionError, Undecided):
                    continue
                member = is_member(construction, word, values)
                return Counterexample(
                    construction.name, word, dict(parameters), member, result.accepts, logit_text(result)
                )
    return None

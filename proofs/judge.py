"""Judges claimed closed forms: the difference from the derived value is 0 in every case, or a word shows otherwise.

Equality is decided by normal forms: in each case of the brackets both sides are rational functions, and their
difference cancels to 0 or does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy
from flint import fmpq

from constructions.exact import Undecided, holds, sign, value_on
from constructions.expressions import Expression
from constructions.interpreter import mark, parameter_values, run
from constructions.membership import is_member
from constructions.samples import samples
from constructions.schema import Claim, Construction, Encoder
from proofs.refute import logit_text
from proofs.refute import words as words_up_to
from proofs.theorem import ClosedForm
from proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict
from symbolic.attention import rows
from symbolic.derivation import Derivation, Record
from symbolic.iverson import ZERO, Iverson, normalise, substitute
from symbolic.linear import Context, Form, linear_form
from symbolic.reading import read_scalar
from symbolic.sums import collect
from symbolic.vocabulary import Underivable, Vocabulary, cells

LONGEST = 7


def judge(construction: Construction, derivation: Derivation, theorem: ClosedForm, words: Context) -> Verdict:
    """Proved for all lengths, refuted with a word, or unknown where the normal forms differ on no short word.

    words: what holds of every word, with the ledger for the facts that are used.
    """
    reason = f"the claimed form differs from the derived one, but on no word up to length {LONGEST}"
    try:
        if next(_instances(construction, theorem.claim), None) is None:
            return Unknown(f"no word up to length {LONGEST} is in the case of the claim: it may be vacuous")
        if _agrees(derivation, theorem, words):
            return Proved("all lengths", Evidence.CERTIFICATE)
    except Underivable as error:
        reason = f"the claimed form cannot be read: {error}"
    found = _difference(construction, theorem)
    return Unknown(reason) if found is None else Refuted(found)


def _agrees(derivation: Derivation, theorem: ClosedForm, words: Context) -> bool:
    quantity = theorem.claim.quantity
    return agrees(derivation, theorem.claim, words, derivation.logit if quantity == "logit" else quantity)


def agrees(
    derivation: Derivation, claim: Claim, words: Context, derived: Iverson | str | Mapping[str, Iverson]
) -> bool:
    """Whether what was derived is what is claimed: a single value, a coordinate after the last layer, or the value at
    the position of each token."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    given = substitutions(claim, vocabulary)
    record = Record(facts=words.ledger)
    for symbol, total in derivation.all_sums.items():
        record.sums[symbol] = replace(total, body=substitute(total.body, given))

    def vanishes(derived: Iverson, position: sympy.Expr | None, token: str, context: Context) -> bool:
        """Whether derived - claimed is 0 where the claim is made, at a row or for the logit."""
        claimed = read_scalar(claim.value, vocabulary, position, record)
        difference = substitute((derived - claimed) * read_scalar(claim.when, vocabulary, position), given)
        difference = vocabulary.settle(difference)
        if position is not None and token in vocabulary.alphabet:  # the token at the row itself is known
            difference = vocabulary.known_token(difference, token, position)
        difference = vocabulary.tokens_in_range(vocabulary.without_first_count(difference), context)
        rest = collect(difference, record, context, vocabulary)
        return not normalise(_without_absent_symbols(rest, context, vocabulary), context).terms

    if isinstance(derived, Iverson):
        return vanishes(derived, None, "", words)
    if isinstance(derived, str):
        derived = {token: vector.get(derived, ZERO) for token, vector in derivation.streams[-1].items()}
    table = rows(vocabulary, (network.begin, network.end), words)
    return all(vanishes(value, table[token].position, token, table[token].context) for token, value in derived.items())


def _without_absent_symbols(value: Iverson, context: Context, vocabulary: Vocabulary) -> Iverson:
    """Counts replaced by 0 in the cases that leave no room for the symbol."""
    total = ZERO
    for conditions, coefficient in value.terms:
        inside = context.given(*(form for condition in conditions for form in condition.forms()))
        atoms = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
        absent = [atom for atom in atoms if atom in coefficient.free_symbols and inside.impossible(_at_least_one(atom))]
        total += Iverson(((conditions, coefficient.xreplace(dict.fromkeys(absent, sympy.S.Zero))),))
    return total


def _at_least_one(atom: sympy.Symbol) -> Form:
    form = linear_form(atom - 1)
    assert form is not None
    return form


def substitutions(claim: Claim, vocabulary: Vocabulary) -> dict[sympy.Expr, sympy.Expr]:
    """The units and the natural parameters at the values that the claim is printed for."""
    result = {}
    for name, value in claim.at.items():
        atom = vocabulary.unit(name) if name in vocabulary.real else vocabulary.parameter(name)
        scalar = Expression(f"exp({value})") if name in vocabulary.real else value
        [(_, number)] = cells(read_scalar(scalar, vocabulary))
        result[atom] = number
    return result


def _difference(construction: Construction, theorem: ClosedForm) -> Counterexample | None:
    """The shortest word on which the exact run and the claim differ."""
    claim, alphabet = theorem.claim, construction.language.alphabet
    for word, parameters, tokens, places in _instances(construction, claim):
        values = parameter_values(construction, parameters)
        result = run(construction, word, parameters)
        for place in places:
            value = result.logit if claim.quantity == "logit" else result.streams[-1][place][claim.quantity]
            try:
                claimed = value_on(claim.value, {**values, "i": fmpq(place)}, tokens, alphabet)
                if sign(value - claimed) == 0:
                    continue
            except (ZeroDivisionError, Undecided):
                continue
            member = is_member(construction, word, values)
            return Counterexample(construction.name, word, dict(parameters), member, result.accepts, logit_text(result))
    return None


def _instances(
    construction: Construction, claim: Claim
) -> Iterator[tuple[str, dict[str, str], tuple[str, ...], list[int]]]:
    """Where a claim is made: word, parameters, marked word, positions; shortest words first."""
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    for word in words_up_to(alphabet, LONGEST):
        tokens = mark(network, word)
        last = len(tokens) - 1
        read = {"first": [0], "last": [last], "sum": list(range(last + 1))}[network.readout.position]
        for parameters in _parameters(construction, claim) if tokens else []:
            values = parameter_values(construction, parameters)
            rows = [0] if claim.quantity == "logit" else read
            try:
                made = [p for p in rows if holds(claim.when, {**values, "i": fmpq(p)}, tokens, alphabet)]
            except Undecided:
                continue
            if made:
                yield word, parameters, tokens, made


def _parameters(construction: Construction, claim: Claim) -> list[dict[str, str]]:
    """The parameter values to try: those that the claim is printed for, the others at the samples."""
    printed = {name: str(value) for name, value in claim.at.items()}
    tried: list[dict[str, str]] = []
    for sample in samples(construction):
        if sample | printed not in tried:
            tried.append(sample | printed)
    return tried

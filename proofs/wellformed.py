"""Refuses malformed theorems before anything is proved, naming the construction and the theorem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import get_args

from flint import fmpq

from weightproof.constructions.checks.scalars import formula_problems, scalar_problems
from weightproof.constructions.claims.problems import claim_problems
from weightproof.constructions.claims.published import Published, value_of
from weightproof.constructions.claims.statements import Attention, Value
from weightproof.constructions.languages.samples import words
from weightproof.constructions.languages.transducers import Track, Transducer
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.outputs import outputs, predicts
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.proofs.refuting.refute import MOST_WORDS, likely_words
from weightproof.proofs.theorem import (
    Appends,
    ClosedForm,
    Compares,
    Computes,
    Margin,
    OnWords,
    Op,
    Predicts,
    Theorem,
    with_each_invariant,
)

SHORT = 3
"""The formulas of a theorem must have a truth value on words up to this length, all of a small alphabet."""


def check(construction: Construction, theorems: Sequence[object]) -> None:
    """Raises InputError at the first thing that is wrong with the theorems."""
    names: set[str] = set()
    for number, theorem in enumerate(theorems):
        place = f"{construction.name}: theorems[{number}]"
        if not isinstance(theorem, Theorem):
            raise InputError(
                f"{place} is of type {type(theorem).__name__}; write a Decides, a ClosedForm, a Compares, a Margin, or "
                "a Predicts, or of a decoder an Appends or a Computes"
            )
        for problem in _problems(construction, theorem):
            raise InputError(" ".join(f"{place}: {problem}".split()))
        if theorem.name in names:
            raise InputError(f"{place}: there are two theorems {theorem.name!r}; give them different names")
        names.add(theorem.name)


def _problems(construction: Construction, theorem: Theorem) -> Iterator[str]:
    if theorem.expected not in ("proved", "refuted"):
        yield f"expected is {theorem.expected!r}, not 'proved' or 'refuted'"
    if isinstance(theorem, ClosedForm):
        yield from _no_closed_form(construction, theorem)
    for field in ("name", "statement"):
        text = getattr(theorem, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"{field} is {text!r}, not a line of text"
    if isinstance(theorem, ClosedForm):
        yield from _case_without_value(construction, theorem.stated)
        return
    if isinstance(theorem, Appends):
        yield from _appending_problems(construction, theorem)
        return
    if isinstance(theorem, Computes):
        yield from _computing_problems(construction, theorem)
        return
    if isinstance(theorem, Predicts):
        yield from _prediction_problems(construction, theorem)
        return
    if predicts(construction):
        yield "the network predicts a token or a class, and reads out no logit; write a Predicts"
    if isinstance(theorem, Margin):
        yield from _margin_problems(construction, theorem)
    elif isinstance(theorem, Compares):
        yield from _comparison_problems(construction, theorem)
    elif theorem.up_to is not None:
        yield from _up_to_problems(theorem.up_to)
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    alphabet = construction.language.alphabet
    for field, formula in _formulas(theorem):
        if formula is not None:
            yield from formula_problems(formula, known, alphabet, field)
    for invariant in (each.invariant for each in with_each_invariant(theorem)):
        if invariant is not None:  # the names it may use depend on the derivation
            yield from formula_problems(invariant, invariant.names, alphabet, "invariant")
    yield from _without_value(construction, theorem)


def _appending_problems(construction: Construction, theorem: Appends) -> Iterator[str]:
    network, alphabet = construction.network, construction.language.alphabet
    if not isinstance(network, Decoder):
        yield "the network appends no tokens; only decoders do"
        return
    if theorem.behind not in (*alphabet, *(() if network.begin is None else (network.begin,))):
        yield f"behind is {theorem.behind!r}, neither a symbol nor the marker of the beginning"
    if theorem.token not in (*alphabet, network.stop):
        yield f"token is {theorem.token!r}, neither a symbol nor {network.stop!r}"
    yield from formula_problems(theorem.given, {"n"}, alphabet, "given")
    if theorem.up_to is not None:
        yield from _up_to_problems(theorem.up_to)


MOST_SLOTS = 1_000


def _computing_problems(construction: Construction, theorem: Computes) -> Iterator[str]:
    network, transducer = construction.network, theorem.transducer
    if not isinstance(network, Decoder):
        yield "the network appends no tokens; only decoders do"
        return
    if not isinstance(transducer, Transducer):
        yield f"transducer is of type {type(transducer).__name__}, not a Transducer"
        return
    for field, least in (("slots", 1), ("more", 0)):
        number = getattr(transducer, field)
        if type(number) is not int or not least <= number <= MOST_SLOTS:
            yield f"transducer: {field} is {number!r}, not a number from {least} to {MOST_SLOTS}"
    if not isinstance(theorem.prompt, tuple) or not all(isinstance(part, str | Track) for part in theorem.prompt):
        yield f"prompt is {theorem.prompt!r}, not a tuple of texts and tracks"
        return
    named = [part.name for part in theorem.prompt if isinstance(part, Track)]
    if sorted(named) != sorted(transducer.tracks):
        yield f"prompt has the tracks {', '.join(named) or 'none'}, not each of {', '.join(transducer.tracks)} once"
    known = construction.language.alphabet
    spoken = [("prompt", "".join(part for part in theorem.prompt if isinstance(part, str)))]
    for where, tokens in (*spoken, *((f"track {name}", letters) for name, letters in transducer.tracks.items())):
        for token in tokens:
            if token not in known:
                yield f"{where}: {token!r} is no symbol of {{{', '.join(known)}}}"
    if transducer.more and transducer.blank not in known:
        yield f"transducer: blank is {transducer.blank!r}, no symbol of {{{', '.join(known)}}}"


def _up_to_problems(up_to: object) -> Iterator[str]:
    if type(up_to) is not int or up_to < 1:
        yield f"up_to is {up_to!r}, not a number of positions; write 12, say"


def _prediction_problems(construction: Construction, theorem: Predicts) -> Iterator[str]:
    language = construction.language
    if not predicts(construction):
        yield "the network predicts nothing; only encoders with argmax or argmin do"
    elif len(outputs(construction)) == 1:
        yield "the network has one output alone, which none is greater than, whatever its weights are; give it another"
    if not language.labels:
        yield f"language {language.name} does not say which token is right; give it labels"
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    for token, formula in (theorem.where or {}).items():
        if token not in language.labels:
            yield f"where: {token!r} is never right; there are {', '.join(map(repr, language.labels))}"
        yield from formula_problems(formula, known, language.alphabet, f"where, {token!r}")
    yield from formula_problems(theorem.given, known, language.alphabet, "given")
    if theorem.up_to is not None:
        yield from _up_to_problems(theorem.up_to)
    yield from _without_value(construction, theorem)


def _no_closed_form(construction: Construction, theorem: ClosedForm) -> Iterator[str]:
    if not isinstance(theorem.claim, Published):
        yield f"claim is of type {type(theorem.claim).__name__}, not a Published"
    if isinstance(construction.network, Encoder):
        yield from claim_problems(theorem.claim, construction)
    if value_of(theorem.claim) is None:
        yield f"claim {theorem.claim.id}: it states no value, or has more than one sense; write one Value(...)"
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    yield from formula_problems(theorem.given, known, construction.language.alphabet, "given")


def _formulas(theorem: OnWords | Predicts) -> tuple[tuple[str, Expression | None], ...]:
    if isinstance(theorem, Predicts):
        return (*((f"where, {token!r}", of) for token, of in (theorem.where or {}).items()), ("given", theorem.given))
    if isinstance(theorem, Margin):
        return (("when", theorem.when), ("given", theorem.given))
    return (("where" if isinstance(theorem, Compares) else "accepts", theorem.accepts), ("given", theorem.given))


def _comparison_problems(construction: Construction, theorem: Compares) -> Iterator[str]:
    if theorem.op not in get_args(Op):
        yield f"op is {theorem.op!r}, not one of {', '.join(get_args(Op))}"
    if not isinstance(theorem.only, bool):
        yield f"only is {theorem.only!r}, not True or False"
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    yield from scalar_problems(theorem.value, known, "value")


def _margin_problems(construction: Construction, theorem: Margin) -> Iterator[str]:
    """A margin, its case and its words are the same for all words of a length: they speak of n and parameters alone."""
    if theorem.side not in ("accepted", "rejected"):
        yield f"side is {theorem.side!r}, not 'accepted' or 'rejected'"
    known = {"n", *(parameter.name for parameter in construction.parameters)}
    if theorem.value is not None:
        yield from scalar_problems(theorem.value, known, "value")
    elif theorem.attained is not None:
        yield "attained: a theorem without a value says that there are no such words; leave them out, or give a value"
    for field in ("when", "given"):
        formula = getattr(theorem, field)
        if symbols_of(formula.tree) is not None:
            yield f"{field}: {formula} speaks of the word; a case is a condition on n and parameters"
    for word, times in theorem.attained or ():
        if not isinstance(word, str) or not word or not set(word) <= set(construction.language.alphabet):
            yield f"attained: {word!r} is no word over the alphabet"
        yield from scalar_problems(times, known, f"attained, {word!r}")


def _without_value(construction: Construction, theorem: OnWords | Predicts) -> Iterator[str]:
    """A formula that divides by zero somewhere, say, would mean one thing to a solver and another to a reader."""
    network, alphabet = construction.network, construction.language.alphabet
    if not isinstance(network, Encoder):
        return
    values = parameter_values(construction)
    tried = [word for length in range(SHORT + 1) for word in likely_words(construction, theorem, length)]
    for field, formula in _formulas(theorem):
        for word in tried if formula is not None else ():
            tokens = add_markers(network, word)
            try:
                if tokens and formula is not None:
                    holds(formula, values, tokens, alphabet)
            except Undecided:
                continue
            except ArithmeticError as error:
                yield f"{field}: {formula} has no value on {word!r}: {error}"


def _case_without_value(construction: Construction, claim: Value) -> Iterator[str]:
    """As `_without_value`, of the case of a claimed closed form, at every position."""
    network, alphabet = construction.network, construction.language.alphabet
    if not isinstance(network, Encoder):
        return
    values, position = parameter_values(construction), "p" if isinstance(claim.of, Attention) else "i"
    for word in islice(words(alphabet, SHORT), MOST_WORDS):
        tokens = add_markers(network, word)
        for place in range(len(tokens)):
            try:
                holds(claim.when, {**values, position: fmpq(place)}, tokens, alphabet)
            except Undecided:
                continue
            except ArithmeticError as error:
                yield f"case: {claim.when} has no value on {word!r}: {error}"

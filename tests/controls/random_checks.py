"""What must be true of every construction: derived = interpreted, `proved` = brute force finds nothing.

A failed check is an AssertionError whose first words say which property broke.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from flint import fmpq

from tests.controls.random_constructions import admissible, encoder
from tests.support.read_back.derivations import check_printed
from weightproof.constructions.claims.statements import Logit, Stream, Value
from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import NoValue, add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.formulas import holds, value_on
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prove import default_theorems, proofs
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import CERTAIN
from weightproof.proofs.refuting.refute import UNDEFINED
from weightproof.proofs.theorem import ClosedForm, Decides, Theorem
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit, has_value

DERIVING, PROVING = 0.5, 4.0
"""Seconds for a derivation, and for all of a theorem: a solver has a quarter of that for a question."""
PRINTED_OF = 2
"""What is printed is read back of one derivation in two."""
COMPARING = 0.03
"""Seconds of processor time for the words of one comparison."""

BECAME = {Derivation: "derived", Underivable: "underivable", TimeUp: "too long"}
SHORT = 2
"""Symbols of the words that come first; a sum of 25 tanh(i) takes the interpreter seconds."""
Trial = tuple[str, dict[str, str]]
"""A word and parameter values."""


def analysed(construction: Construction) -> Analysis:
    """With its derivation, or with why there is none."""
    analysis = Analysis(construction, PROVING)
    analysis.maybe_derived(None, Deadline.after(DERIVING))
    return analysis


def check_derivation(analysis: Analysis, tally: Counter[str]) -> None:
    """Counts what became of the derivation in `tally`."""
    construction, tried = analysis.construction, analysis.maybe_derived()
    tally[BECAME[type(tried)]] += 1
    if isinstance(tried, Derivation):
        check_closed_form(construction, tried)
        if tally["derived"] % PRINTED_OF == 1:
            tally["printed"] += 1
            check_printed(tried, _to_read(construction), tally)


def _to_read(construction: Construction) -> Iterator[tuple[tuple[str, ...], dict[str, Real]]]:
    """A short word and a longer one, at the default parameters and at others."""
    random, options = Random(0), admissible(construction)
    for length in (2, 4):
        word = "".join(random.choices(construction.language.alphabet, k=length))
        yield add_markers(encoder(construction), word), parameter_values(construction, random.choice(options))


def check_theorems(analysis: Analysis, drawn: Sequence[Theorem], tally: Counter[str]) -> None:
    """Counts what became of the theorems in `tally`."""
    construction = analysis.construction
    if not isinstance(analysis.maybe_derived(), Derivation) and tally["underivable"] % 4:
        return  # there is nothing to prove, and the search for a word is as good on each fourth
    theorems = (*default_theorems(construction), *drawn)
    try:
        results = [proof.result for proof in proofs(construction, theorems, timeout=PROVING, analysis=analysis)]
    except InputError:
        tally["refused"] += 1
        return
    for theorem, result in zip(theorems, results, strict=True):
        tally[result.verdict.name] += 1
        match result.verdict:
            case Refuted(counterexample=found):
                check_refuted(construction, theorem, found)
            case Proved():
                check_proved(construction, theorem)
            case Unknown(timed_out=True):
                tally["timed out"] += 1


def trials(construction: Construction) -> Iterator[Trial]:
    """Short words, then long ones, where mistakes hide, and then all others: the time may end before they do."""
    alphabet, options = construction.language.alphabet, admissible(construction)
    middle = {1: 12, 2: 5}.get(len(alphabet), 3)
    random = Random(0)
    for word in words(alphabet, SHORT):
        yield from ((word, given) for given in options)
    for length in (10, 25, 41, 19, 20, 21, 9, 30) if not encoder(construction).normed else (4,):
        yield "".join(random.choices(alphabet, k=length)), random.choice(options)
        yield random.choice(alphabet) * length, random.choice(options)
    for word in words(alphabet, middle, 3):
        yield from ((word, given) for given in options[:2])
    for word in words(alphabet, middle + 2, middle + 1):
        yield word, options[0]
    for _ in range(20 if not encoder(construction).normed else 0):
        yield "".join(random.choices(alphabet, k=random.randint(8, 40))), random.choice(options)


def in_time(items: Iterator[Trial]) -> Iterator[Trial]:
    """The items, as long as COMPARING lasts; at least seven, as far as there are so many short words."""
    end = time.process_time() + COMPARING
    for number, item in enumerate(items):
        if (number > 6 or len(item[0]) > SHORT) and time.process_time() > end:
            return
        yield item


def check_closed_form(construction: Construction, derivation: Derivation) -> None:
    for word, given in in_time(trials(construction)):
        tokens = add_markers(encoder(construction), word)
        if not tokens:
            continue
        values = parameter_values(construction, given)
        try:
            interpreted = run(construction, word, given).logit
        except Undecided:
            continue
        except ArithmeticError as error:
            if has_value(derivation, tokens, values):
                raise AssertionError(f"no value, but derived: {word!r} {given}: {error}") from error
            continue
        derived = evaluate_logit(derivation, tokens, values)
        try:
            same = sign(derived - interpreted, CERTAIN) == 0
        except Undecided:  # two forms of one number, as far as is known
            continue
        assert same, f"wrong closed form: {word!r} {given}: {derived} and not {interpreted}"


def check_refuted(construction: Construction, theorem: Theorem, found: Counterexample) -> None:
    if isinstance(theorem, Decides) and found.logit != UNDEFINED:
        assert run(construction, found.word, found.parameters).accepts == found.accepts, f"does not replay: {found}"
    assert not is_right(construction, theorem, found.word, found.parameters), f"refuted, but right: {found}"


def check_proved(construction: Construction, theorem: Theorem) -> None:
    for word, given in in_time(trials(construction)):
        try:
            right = is_right(construction, theorem, word, given)
        except Undecided:
            continue
        except ArithmeticError as error:
            raise AssertionError(f"proved without a value: {theorem.name}: {word!r} {given}: {error}") from error
        assert right, f"FALSE PROOF: {theorem.name}: {word!r} {given}"


def is_right(construction: Construction, theorem: Theorem, word: str, given: dict[str, str]) -> bool:
    """Whether a theorem is right of a word: it is where its hypothesis is not met."""
    tokens, alphabet = add_markers(encoder(construction), word), construction.language.alphabet
    values = parameter_values(construction, given)
    if not tokens:
        return True
    if isinstance(theorem, ClosedForm):
        return all(_claimed(construction, theorem.stated, word, given, values))
    assert isinstance(theorem, Decides)
    if not holds(theorem.given, values, tokens, alphabet) or len(tokens) > (theorem.up_to or len(tokens)):
        return True
    formula = theorem.accepts or construction.language.characterisation
    try:
        return run(construction, word, given).accepts == holds(formula, values, tokens, alphabet)
    except NoValue:
        return False


def _claimed(
    construction: Construction, claim: Value, word: str, given: dict[str, str], values: dict[str, Real]
) -> Iterator[bool]:
    """At each position, whether the quantity has its claimed value; what has none is not right."""
    result, alphabet = run(construction, word, given), construction.language.alphabet
    values = {**values, "d": fmpq(len(construction.network.coordinates))}
    for place in [0] if isinstance(claim.of, Logit) else range(len(result.tokens)):
        names = {**values, "i": fmpq(place)}
        if holds(claim.when, names, result.tokens, alphabet):
            found = result.logit if isinstance(claim.of, Logit) else result.streams[-1][place][_coordinate(claim)]
            try:
                yield sign(found - value_on(claim.equals, names, result.tokens, alphabet)) == 0
            except Undecided:
                raise
            except ArithmeticError:
                yield False


def _coordinate(claim: Value) -> str:
    assert isinstance(claim.of, Stream)
    return claim.of.coordinate

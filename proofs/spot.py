"""The last wall before `proved`: what is about to be said, held against the exact interpreter on words of many lengths.

The derivation's logit has to be the interpreter's, and the theorem has to be right of the words that were run. A
difference is a mistake of this program, whichever part made it: it is raised, and never becomes a verdict.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice, product

from flint import fmpq

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.languages.samples import long_words, samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Run, mark, parameter_values, run
from weightproof.constructions.meaning.schema import Claim, Encoder
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.values import holds, value_on
from weightproof.proofs.refuting.refute import broken, in_scope, text
from weightproof.proofs.theorem import ClosedForm, OnWords, Theorem
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit

SECONDS = 1.0
"""Of processor time, for the runs of one construction."""
SHORT = 4
"""Symbols up to which every parameter value is tried."""


class InternalError(Exception):
    """Two readings of the same data differ, or a proved theorem is wrong of a word: a mistake of this program."""


@dataclass(frozen=True)
class Sample:
    """A word that was run, and at which parameter values."""

    word: str
    parameters: Mapping[str, str]
    values: Mapping[str, Real]
    run: Run


@dataclass(frozen=True)
class Wall:
    """The runs of one construction, made once, against which all its theorems are held."""

    construction: Construction
    _runs: dict[tuple[tuple[str, str], ...], tuple[Sample, ...]] = field(default_factory=dict)

    def require(self, theorem: Theorem, derivation: Derivation) -> None:
        """Raises InternalError where a theorem whose proof was found is wrong of a word that is run, or where the
        derivation that it rests on is."""
        at = theorem.claim.at if isinstance(theorem, ClosedForm) else {}
        given = {name: str(value) for name, value in at.items()}
        key = tuple(given.items())
        if key not in self._runs:
            self._runs[key] = sampled(self.construction, given)
            compare(self.construction, derivation, self._runs[key])
        require_true(self.construction, theorem, self._runs[key])


def sampled(construction: Construction, at: Mapping[str, str]) -> tuple[Sample, ...]:
    """Runs on short words and on `long_words`, as far as SECONDS reach. at: parameter values that are given, the
    others are sampled.

    Raises InternalError where the interpreter has no value on a word of a network that was derived.
    """
    end, result = time.process_time() + SECONDS, []
    for word, given in _chosen(construction, at):
        values = parameter_values(construction, given)
        if not mark(_network(construction), word):
            continue
        try:
            result.append(Sample(word, given, values, run(construction, word, given)))
        except Undecided:
            continue
        except ArithmeticError as error:
            raise _difference(construction, word, given, f"a closed form was derived, but {error}") from error
        if time.process_time() > end:
            break
    return tuple(result)


def _network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def _chosen(construction: Construction, at: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Short words at all the parameter values to try, long ones at one of them each."""
    alphabet = construction.language.alphabet
    points = _points(construction, at)
    short = ["".join(word) for length in range(SHORT + 1) for word in islice(product(alphabet, repeat=length), 2)]
    yield from ((word, given) for word in short for given in points)
    yield from zip(long_words(alphabet, SHORT + 1), cycle(points), strict=False)


def _points(construction: Construction, at: Mapping[str, str]) -> list[dict[str, str]]:
    """Parameter values to try, some of them given."""
    result: list[dict[str, str]] = []
    for given in (values | dict(at) for values in samples(construction)):
        with contextlib.suppress(InputError):
            parameter_values(construction, given)
            if given not in result:
                result.append(given)
    return result


def compare(construction: Construction, derivation: Derivation, runs: tuple[Sample, ...]) -> None:
    """Raises InternalError unless the derived logit is that of each run."""
    for sample in runs:
        try:
            derived = evaluate_logit(derivation, sample.run.tokens, sample.values)
            same = sign(derived - sample.run.logit) == 0
        except Undecided:
            continue
        except ArithmeticError as error:
            raise _difference(construction, sample.word, sample.parameters, f"the derived logit: {error}") from error
        if not same:
            said = f"the derived logit is {text(derived)}, the interpreter's {text(sample.run.logit)}"
            raise _difference(construction, sample.word, sample.parameters, said)


def require_true(construction: Construction, theorem: Theorem, runs: tuple[Sample, ...]) -> None:
    """Raises InternalError if a theorem whose proof was found is wrong of a run."""
    for sample in runs:
        try:
            wrong = (
                _misstated(construction, theorem.claim, sample)
                if isinstance(theorem, ClosedForm)
                else _broken(construction, theorem, sample)
            )
        except Undecided:
            continue
        except ArithmeticError as error:
            wrong = str(error)
        if wrong is not None:
            said = f"theorem {theorem.name!r} was proved, but is wrong{f': {wrong}' if wrong else ''}"
            raise _difference(construction, sample.word, sample.parameters, said)


def _broken(construction: Construction, theorem: OnWords, sample: Sample) -> str | None:
    tokens, alphabet = sample.run.tokens, construction.language.alphabet
    if not in_scope(construction, theorem, tokens, sample.values):
        return None
    formula = theorem.accepts or construction.language.characterisation
    wanted = holds(formula, dict(sample.values), tokens, alphabet)
    return broken(construction, theorem, sample.run, wanted, sample.values)


def _misstated(construction: Construction, claim: Claim, sample: Sample) -> str | None:
    tokens, alphabet = sample.run.tokens, construction.language.alphabet
    last = len(tokens) - 1
    read = {"first": [0], "last": [last], "sum": range(last + 1)}[_network(construction).readout.position]
    for place in [0] if claim.quantity == "logit" else read:
        values = {**sample.values, "i": fmpq(place)}
        if not holds(claim.when, values, tokens, alphabet):
            continue
        found = sample.run.logit if claim.quantity == "logit" else sample.run.streams[-1][place][claim.quantity]
        claimed = value_on(claim.value, values, tokens, alphabet)
        if sign(found - claimed) != 0:
            return f"{claim.quantity} is {text(found)}, not {text(claimed)}"
    return None


def _difference(construction: Construction, word: str, parameters: Mapping[str, str], what: str) -> InternalError:
    at = "".join(f", {name} = {value}" for name, value in parameters.items())
    return InternalError(f"{construction.name} on {compact(word)!r}{at}: {what}")

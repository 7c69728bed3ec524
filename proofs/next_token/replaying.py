"""Words after which a network predicts otherwise than a theorem says, as the exact interpreter runs them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, Vector, add_markers, ahead, best
from weightproof.constructions.meaning.running import Prediction, parameter_values, predict
from weightproof.constructions.meaning.schema import Readout
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import Number
from weightproof.proofs.deciding import UNDECIDED
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import CERTAIN, WORK, InternalError, many_words, within
from weightproof.proofs.refuting.refute import BITS, NOWHERE, UNDEFINED, arithmetics, in_scope, likely_words, text
from weightproof.proofs.running.every import Check, Said, checked, in_balls_or_exactly
from weightproof.proofs.running.forward import Outputs
from weightproof.proofs.theorem import PROVER, Predicts
from weightproof.proofs.verdict import Counterexample, Unknown, Verdict


def misprediction(
    analysis: Analysis, theorem: Predicts, word: Sequence[str], parameters: Mapping[str, str]
) -> Counterexample | None:
    """Run a word; a Counterexample if it satisfies the hypothesis and breaks the theorem.

    A sign that cannot be certified makes none; a word without a right token breaks nothing.
    """
    try:
        return certain_misprediction(analysis, theorem, word, parameters)
    except ArithmeticError:
        return None


def certain_misprediction(
    analysis: Analysis, theorem: Predicts, word: Sequence[str], parameters: Mapping[str, str]
) -> Counterexample | None:
    """As `misprediction`; ArithmeticError where a sign is open, or a formula has no value."""
    construction = analysis.construction
    values, tokens = parameter_values(construction, parameters), add_markers(analysis.network, word)
    if not tokens or not in_scope(construction, theorem, tokens, values):
        return None

    def true(formula: Expression) -> bool:
        return holds(formula, dict(values), tokens, construction.language.alphabet)

    for right, wanted in right_tokens(construction, theorem, true):
        found = _run(analysis, word, parameters, CERTAIN)
        if found is not None and wanted == is_predicted(found, right):
            continue
        if found is not None and arithmetics(construction)[0] is not None:
            with contextlib.suppress(Undecided):  # which of the others is the best
                return counterexample(construction, "".join(word), parameters, right, found, CERTAIN)
        found = _run(analysis, word, parameters, None)
        if found is None and wanted:
            shown, given = "".join(word), dict(parameters)
            return Counterexample(construction.name, shown, given, True, False, UNDEFINED, NOWHERE, right=right)
        if found is not None and wanted != is_predicted(found, right):
            return counterexample(construction, "".join(word), parameters, right, found)
    return None


def is_predicted(found: Prediction, token: str) -> bool:
    """Whether the output of a token is ahead of every other one."""
    return found.decided and found.token == token


def right_tokens(
    construction: Construction, theorem: Predicts, true: Callable[[Expression], bool]
) -> Iterator[tuple[str, bool]]:
    """The right token after a marked word, and whether the theorem says that it is predicted; true: whether a formula
    is, of that word."""
    for token, formula in construction.language.labels.items():
        if true(formula):
            where = None if theorem.where is None else theorem.where.get(token)
            yield token, theorem.where is None or (where is not None and true(where))


def _run(analysis: Analysis, word: Sequence[str], parameters: Mapping[str, str], bits: int | None) -> Prediction | None:
    """In balls, as a lead, or exactly; None where the network has no output, or balls do not tell."""
    try:
        return analysis.prediction(word, parameters, bits)
    except NoValue:
        return None
    except Undecided:
        if bits is None:
            raise
        return None


def counterexample(
    construction: Construction,
    word: str,
    parameters: Mapping[str, str],
    right: str,
    found: Prediction,
    bits: int | None = None,
) -> Counterexample:
    """A word after which what was found predicts otherwise than a theorem says; bits: those of the balls, if any."""
    is_right, over = is_predicted(found, right), margin(construction.encoder.readout, found, right)
    if is_right:
        note = f"{right!r} is predicted, which the theorem excludes"
    elif sign(over) == 0:
        note = f"{right!r} is right, but another output is equal"
    else:
        note = f"{right!r} is right, but {found.token!r} is predicted"
    return Counterexample(
        construction.name,
        word,
        dict(parameters),
        member=True,
        accepts=is_right,
        logit=text(over),
        note=note,
        bits=bits,
        right=right,
        predicted=found.token,
    )


def margin(readout: Readout, found: Prediction, right: str) -> Number:
    """By how much the output of a token is ahead of the best of the others."""
    others = {token: output for token, output in found.outputs.items() if token != right}
    return ahead(readout, found.outputs, right, best(readout, others)) if others else fmpq(1)


def search(analysis: Analysis, theorem: Predicts, longest: int) -> Counterexample | None:
    """The first misprediction among likely words of up to `longest` symbols, at a few parameter values."""
    for length in range(longest + 1):
        for word in likely_words(analysis.construction, theorem, length):
            for parameters in samples(analysis.construction):
                found = misprediction(analysis, theorem, word, parameters)
                if found is not None:
                    return found
    return None


def require_true(analysis: Analysis, theorem: Predicts) -> Unknown | None:
    """None where the theorem is right of words that were run, UNDECIDED where a sign stays open on all of them.

    Raises InternalError where a theorem whose proof was found is wrong of a word that is run.
    """
    decided = skipped = 0
    for instances in within(analysis.construction, many_words(analysis.construction, {}), WORK):
        asked = False
        for instance in instances:
            if not in_scope(analysis.construction, theorem, instance.tokens, instance.values):
                continue
            asked = True
            try:
                found = certain_misprediction(analysis, theorem, instance.word, instance.parameters)
            except ArithmeticError:
                continue
            if found is not None:
                said = f"theorem {theorem.name!r} was proved, but is wrong: {found.note}"
                raise InternalError(f"{analysis.construction.name} on {found.word!r}: {said}")
            decided += 1
            break
        else:
            skipped += asked
    return UNDECIDED if skipped and not decided else None


def every_prediction(analysis: Analysis, theorem: Predicts, most: int) -> Verdict | None:
    """As `every_word`; words after which no token is right are not run, and not counted."""
    return checked(Predicted(analysis, theorem), most)


@dataclass
class Predicted(Check):
    """That the right tokens of words are predicted, or not, as a theorem says."""

    analysis: Analysis
    theorem: Predicts
    words: int = 0

    def _said(self, true: Callable[[Expression], bool]) -> Iterable[tuple[str, bool]]:
        return right_tokens(self.analysis.construction, self.theorem, true)

    def _by_enclosures(self, found: Outputs, number: int, said: Said) -> bool | None:
        values, rank = found.values[number], PROVER.ranked(self.analysis.network.readout.accept)
        for token, wanted in said:
            place = found.names.index(token)
            over = rank.ahead(values[[place]], values[[k for k in range(len(found.names)) if k != place]])
            if not over.positive.all() and not (over.negative | over.zero).any():
                return None
            if over.positive.all() != wanted:
                return False
        return True

    def _by_the_interpreter(self, word: str, said: Said) -> bool:
        found = in_balls_or_exactly(lambda bits: predict(self.analysis.construction, word, {}, bits))
        return all(wanted == (found is not None and is_predicted(found, token)) for token, wanted in said)

    def _replayed(self, word: str) -> Counterexample | None:
        return certain_misprediction(self.analysis, self.theorem, word, {})

    def _outputs(self, word: str) -> Vector:
        return predict(self.analysis.construction, word, {}, BITS).outputs

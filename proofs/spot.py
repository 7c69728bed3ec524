"""The last wall before `proved`: what is about to be said, held against the exact interpreter on words of many lengths.

The theorem has to be right of the words that were run. A difference is a mistake of this program, whichever part made
it: it is raised, and never becomes a verdict.
"""

from __future__ import annotations

import time

from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.values import holds
from weightproof.proofs.quantities import judge
from weightproof.proofs.quantities.runs import CERTAIN, Sample, differing
from weightproof.proofs.quantities.subject import Subject
from weightproof.proofs.refuting.refute import broken, in_scope
from weightproof.proofs.theorem import ClosedForm, OnWords

SECONDS = 2.0
"""Of processor time, for the words of one theorem."""


def require_true(subject: Subject, theorem: OnWords | ClosedForm) -> None:
    """Raises InternalError where a theorem whose proof was found is wrong of a word that is run, or where the
    derivation that it rests on is."""
    if isinstance(theorem, ClosedForm):
        judge.require_true(subject, theorem.stated)
        return
    bits = CERTAIN if subject.network.normed else None
    end = time.process_time() + SECONDS
    for sample in subject.runs(None, {}, bits=bits):
        if time.process_time() > end:  # the formulas of the theorem may take longer than the runs
            return
        try:
            wrong = _broken(subject, theorem, sample)
        except Undecided:
            continue
        except ArithmeticError as error:
            wrong = str(error)
        if wrong is not None:
            said = f"theorem {theorem.name!r} was proved, but is wrong{f': {wrong}' if wrong else ''}"
            raise differing(subject.construction, sample.instance, said)


def _broken(subject: Subject, theorem: OnWords, sample: Sample) -> str | None:
    construction, tokens, values = subject.construction, sample.run.tokens, sample.instance.values
    if not in_scope(construction, theorem, tokens, values):
        return None
    formula = theorem.accepts or construction.language.characterisation
    wanted = holds(formula, dict(values), tokens, subject.alphabet)
    return broken(construction, theorem, sample.run, wanted, values)

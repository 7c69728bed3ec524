"""The last wall before `proved`: what is about to be said, held against the exact interpreter on words of many lengths.

The theorem has to be right of the words that were run. A difference is a mistake of this program, whichever part made
it: it is raised, and never becomes a verdict. Where no word could be decided there is no wall, and no `proved`.
"""

from __future__ import annotations

from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.quantities import judge
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.instances import Instance
from weightproof.proofs.quantities.runs import differing
from weightproof.proofs.refuting.refute import broken, in_scope
from weightproof.proofs.theorem import ClosedForm, OnWords
from weightproof.proofs.verdict import Unknown

UNDECIDED = Unknown("it was derived, but on no word that was run can the interpreter decide whether it is right")


def require_true(analysis: Analysis, theorem: OnWords | ClosedForm) -> Unknown | None:
    """None where the theorem is right of words that were run, or speaks of none of these; UNDECIDED where it speaks of
    some, and a sign stays open on all of them.

    Raises InternalError where a theorem whose proof was found is wrong of a word that is run, or where the derivation
    that it rests on is. That a value is not to be told from the printed one is no open sign.
    """
    if isinstance(theorem, ClosedForm):
        judge.require_true(analysis, theorem.stated)
        return None
    runs = analysis.runs(None, {})
    decided = skipped = 0
    for sample in runs.decided:
        if not _in_scope(analysis, theorem, sample.instance):
            continue
        try:
            values = sample.instance.values
            wanted = holds(_formula(analysis, theorem), dict(values), sample.run.tokens, analysis.alphabet)
            wrong = broken(analysis.construction, theorem, sample.run, wanted, values)
            decided += 1
        except Undecided:
            skipped += 1
            continue
        except ArithmeticError as error:
            wrong = str(error)
        if wrong is not None:
            said = f"theorem {theorem.name!r} was proved, but is wrong{f': {wrong}' if wrong else ''}"
            raise differing(analysis.construction, sample.instance, said)
    skipped += sum(_in_scope(analysis, theorem, instance) for instance in runs.skipped)
    return UNDECIDED if skipped and not decided else None


def _formula(analysis: Analysis, theorem: OnWords) -> Expression:
    return theorem.accepts or analysis.construction.language.characterisation


def _in_scope(analysis: Analysis, theorem: OnWords, instance: Instance) -> bool:
    return in_scope(analysis.construction, theorem, instance.tokens, instance.values)

"""The last step of a proof in Coq where a closed form is printed: in each case of the derived one it is the same."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.kernel.signs import Signs
from weightproof.proofs.kernel.subjects import OR, Subject, either, logit_in
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.rules.reading import read_scalar


def equal(subject: Subject) -> Iterator[str]:
    """The closed form of the logit, the printed one, and that they are the same."""
    printed = subject.value
    assert printed is not None
    if subject.derivation.sums:
        raise Unwritten("a closed form with sums over positions")
    yield f"Definition logit : R :=\n  {subject.terms.iverson(subject.derivation.logit)}."
    yield f"Definition printed : R :=\n  {printed.of_integers}."
    yield f"Theorem decides : {subject.conclusion}.\nProof using All."
    yield "  change (logit = printed)."
    yield from in_each_case(subject, printed.formula, "facts", "unfold printed; same_value")
    yield "Qed."


def in_each_case(subject: Subject, value: Expression, known: str, end: str) -> Iterator[str]:
    """What the tactic `end` has to show in each case of the closed form, which stands in the place of the logit; known:
    the tactic that says what is known.

    A value has cases of its own, which Coq goes through; whatever it or the closed form divides by is positive or
    negative.
    """
    cases = subject.cases
    yield f"  assert (cases : {OR.join(case.where for case in cases)}) by ({known}; one_of_cases)."
    yield f"  {either('cases', 'C', len(cases))}."
    for case in cases:
        signs = Signs(subject.terms, case.inside)
        read = read_scalar(value, subject.vocabulary, context=case.inside)
        divided = (line for x in (case.logit, *(x for _, x in read.terms)) for line in signs.denominators(x))
        lines = [line.removesuffix(".") for line in (logit_in(case, subject), *dict.fromkeys(divided))]
        yield f"  - apart C. {known}. settled. first [exfalso; lia|"
        yield ";\n".join(f"    {line}" for line in (*lines, "rewrite E", f"{end}]."))

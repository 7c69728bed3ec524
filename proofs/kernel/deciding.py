"""The last step of a proof in Coq, from the closed form of the logit to the language, for all lengths.

Each term of the closed form is a case: its brackets hold, all others do not, and the sign of its coefficient is that of
what is left once factors of known sign are gone. What is left is compared with the language by linear arithmetic, and
where the logit keeps sums with what an induction over positions says of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.kernel.formulas import everywhere
from weightproof.proofs.kernel.inductions import Induction
from weightproof.proofs.kernel.pairs import Pairing
from weightproof.proofs.kernel.scales import known_scales
from weightproof.proofs.kernel.signs import Quotient, Signs
from weightproof.proofs.kernel.subjects import AND, OR, PREAMBLE, Subject, either, known, negated
from weightproof.proofs.kernel.terms import ATOM, factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import FALSE, expressions_of, read_formula
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.scales import told_sign
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.iverson import Conditions
from weightproof.symbolic.algebra.linear import is_atom, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation


def deciding(derivation: Derivation, theorem: Decides) -> str:
    """A file of Coq that says of every marked word whether the closed form of its logit accepts it: `logit`, and the
    theorem `decides`. Unwritten names the step that is missing."""
    if theorem.strict:
        raise Unwritten("that no word has the logit 0")
    subject = Subject(derivation, theorem)
    try:
        lines = "\n".join(
            (
                PREAMBLE,
                "Section Deciding.",
                *known(subject),
                *known_scales(derivation),
                *_decided(subject),
                "End Deciding.",
            )
        )
    except Underivable as error:
        raise Unwritten(str(error)) from error
    return lines + "\n"


@dataclass(frozen=True)
class Case:
    """A case of the closed form: its name, where it holds, and what is left of the logit but for a positive factor."""

    name: str
    where: str
    left: sympy.Expr


def _decided(subject: Subject) -> Iterator[str]:
    """The closed form, its cases, and the theorem."""
    if everywhere(subject.theorem.given, subject.construction):
        raise Unwritten("a statement about all positions that is given")
    if subject.derivation.scales and subject.derivation.sums:
        yield from _paired(subject)
        return
    by_positions = bool(subject.derivation.sums or everywhere(subject.accepts, subject.construction))
    induction = Induction.of(subject) if by_positions else None
    if induction is not None:
        yield from induction.definitions()
    logit, words = subject.derivation.logit, subject.vocabulary.words()
    yield f"Definition logit : R :=\n  {subject.terms.iverson(logit)}."
    logarithms = {each for _, x in logit.terms for each in x.atoms(sympy.log)}
    signs = {each: told_sign(each, subject.theorem, subject.vocabulary) for each in logarithms}
    told = {each: sign for each, sign in signs.items() if sign is not None}
    cases = list[Case]()
    for number, (conditions, coefficient) in enumerate(logit.terms, start=1):
        value = factored(coefficient)
        inside = words.given(*(form for condition in conditions for form in condition.forms()))
        quotient = Signs(subject.terms, inside, told).quotient(value)
        cases.append(Case(str(number), subject.conditions(conditions), quotient.left))
        yield from _case(str(number), conditions, value, subject, quotient)
    *_, (outside, _) = logit_cases(subject.derivation, words)
    if outside != FALSE:
        cases.append(Case("else", f"({AND.join(negated(case.where) for case in cases)})", sympy.S.Zero))
        yield (
            f"Lemma case_else : {cases[-1].where} -> exists p, 0 < p /\\ logit = p * IZR 0.\n"
            "Proof. facts. intros C. exists 1. split; [lra|]. first [exfalso; lia | unfold logit; settle; ring]. Qed."
        )
    if induction is not None:
        yield from induction.lemmas()
    relation, sign = subject.accepting
    yield f"Theorem decides : logit {relation} <-> {subject.proposition(subject.accepts)}.\nProof using All."
    yield f"  assert (cases : {OR.join(case.where for case in cases)}) by (facts; lia)."
    if induction is not None:
        yield from induction.reached()
    yield f"  {either('cases', 'C', len(cases))}."
    for case in cases:
        end = _end(subject, case) if induction is None else induction.end(case.left)
        yield f"  - destruct (case_{case.name} C) as (p & P & ->). rewrite ({sign}_product p _ P). {end}"
    yield "Qed."


def _paired(subject: Subject) -> Iterator[str]:
    """The theorem of a logit with sums and the scales of normalised rows, by pairs of positions."""
    logit, (relation, _) = subject.derivation.logit, subject.accepting
    spoken_of = expressions_of(read_formula(subject.accepts, subject.vocabulary, quantifiers=[]))
    if subject.theorem.invariant is not None or relation != "> 0" or everywhere(subject.accepts, subject.construction):
        raise Unwritten("the sign of a logit with sums and the scales of normalised rows, by induction")
    if any(_integer(expression, subject) is None for expression in spoken_of):
        raise Unwritten("a language of other numbers than integers, beside scales of normalised rows")
    pairing = Pairing(subject)
    yield from pairing.definitions()
    yield f"Definition logit : R :=\n  {subject.terms.iverson(logit)}."
    yield from pairing.signs()
    wheres = [subject.conditions(conditions) for conditions, _ in logit.terms]
    *_, (outside, _) = logit_cases(subject.derivation, subject.vocabulary.words())
    if outside != FALSE:
        raise Unwritten("a logit with sums and scales that is 0 where no bracket holds")
    for number, (conditions, value) in enumerate(logit.terms, start=1):
        yield from pairing.lemmas(number, conditions, value)
    said = subject.proposition(subject.accepts)
    yield f"Theorem decides : logit {relation} <-> {said}.\nProof using All."
    yield f"  assert (cases : {OR.join(wheres)}) by (facts; lia)."
    yield f"  assert (side : {said} \\/ ~ {said}) by (facts; lia)."
    yield f"  {either('cases', 'C', len(wheres))}; destruct side as [A|A]."
    for number, _ in enumerate(wheres, start=1):
        yield f"  - split; [intros _; exact A|intros _; exact (case_{number}_accepted C A)]."
        yield f"  - split; [intros L; pose proof (case_{number}_rejected C A); lra|intros H; contradiction]."
    yield "Qed."


def _case(name: str, conditions: Conditions, value: sympy.Expr, subject: Subject, quotient: Quotient) -> Iterator[str]:
    """That the logit has the sign of what is left of a coefficient, where its brackets hold."""
    terms = subject.terms
    integer = _integer(quotient.left, subject)
    left = terms.real(quotient.left, ATOM) if integer is None else f"IZR ({integer})"
    yield f"Lemma case_{name} : {subject.conditions(conditions)} -> exists p, 0 < p /\\ logit = p * {left}."
    yield "Proof."
    yield "  facts. intros C. settled."
    yield (f"  assert (E : logit = {terms.real(value)}) by first [exfalso; lia | unfold logit; settle; ring].")
    yield from (f"  {line}" for line in quotient.proof)
    yield f"  exists ({quotient.positive}). split; [positive|]. rewrite E. as_reals. field; nonzero."
    yield "Qed."


def _integer(polynomial: sympy.Expr, subject: Subject) -> str | None:
    """A polynomial in integers with integer coefficients, as one of Z; None for another one."""
    if linear_form(polynomial) is not None:
        return subject.terms.integer(polynomial)
    atoms = sorted(polynomial.atoms(AppliedUndef, sympy.Symbol, sympy.Mod), key=str)
    atoms = [atom for atom in atoms if not any(atom in other.free_symbols for other in atoms if other != atom)]
    if not all(map(is_atom, atoms)) or not polynomial.is_polynomial(*atoms):
        return None
    products = []
    for powers, coefficient in sympy.Poly(polynomial, *atoms).terms():
        if not coefficient.is_Integer:
            return None
        factors = [subject.terms.integer(a, ATOM) for a, power in zip(atoms, powers, strict=True) for _ in range(power)]
        products.append(" * ".join((f"({coefficient})", *factors)))
    return " + ".join(products)


def _end(subject: Subject, case: Case) -> str:
    """That what is left is as the theorem has it: of integers alone, or by the outcomes of comparisons of reals."""
    _, sign = subject.accepting
    formulas = (subject.accepts, subject.theorem.given)
    compared = {e for formula in formulas for e in expressions_of(read_formula(formula, subject.vocabulary))}
    if all(_integer(expression, subject) is not None for expression in (case.left, *compared)):
        return f"rewrite {sign}_integer. facts. settled. first [lia | nia]."
    return "facts. outcomes; decided."

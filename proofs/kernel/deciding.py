"""The last step of a proof in Coq, from the closed form of the logit to the language, for all lengths.

Each term of the closed form is a case: its brackets hold, all others do not, and the sign of its coefficient is that of
what is left once factors of known sign are gone. What is left is compared with the language by linear arithmetic, and
where the logit keeps sums with what an induction over positions says of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.kernel.counted import counted, lemmas
from weightproof.proofs.kernel.equations import equal
from weightproof.proofs.kernel.formulas import everywhere
from weightproof.proofs.kernel.inductions import Induction
from weightproof.proofs.kernel.margins import attained, attained_by_sign, none_on_side
from weightproof.proofs.kernel.of_sign import OfSign, of_sign
from weightproof.proofs.kernel.pairs import Pairing
from weightproof.proofs.kernel.scales import positive_scales
from weightproof.proofs.kernel.signs import Quotient, Signs
from weightproof.proofs.kernel.statement import is_strict, on_side
from weightproof.proofs.kernel.subjects import CALLED, OR, PREAMBLE, Case, Subject, either, known, logit_in
from weightproof.proofs.kernel.terms import ATOM, factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import expressions_of, read_formula
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.goals import value_of
from weightproof.proofs.strategies.signs import before_norm
from weightproof.proofs.theorem import AboutLogits, ClosedForm, Compares, Decides, Margin
from weightproof.symbolic.algebra.constants import number_bounds
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, is_atom, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation


def deciding(derivation: Derivation, theorem: AboutLogits) -> str:
    """A file of Coq that says of every marked word what the theorem says of the closed form of its logit: `logit`, and
    the theorem `decides`. Unwritten names the step that is missing."""
    try:
        steps = _steps if of_sign(derivation) is None else _steps_by_sign
        lines = "\n".join((PREAMBLE, "Section Deciding.", *steps(derivation, theorem), "End Deciding."))
    except Underivable as error:
        raise Unwritten(str(error)) from error
    return lines + "\n"


def _steps(derivation: Derivation, theorem: AboutLogits) -> Iterator[str]:
    """What is supposed, and the theorem from the closed form."""
    subject = Subject(derivation, theorem)
    yield from known(subject)
    yield from positive_scales(derivation)
    match theorem:
        case ClosedForm():
            yield from equal(subject)
        case Margin(value=None):
            yield from none_on_side(subject)
        case Margin():
            yield from _compared(subject)
            yield from attained(subject, theorem)
        case Decides() | Compares():
            yield from _counted(subject, theorem)


def _steps_by_sign(derivation: Derivation, theorem: AboutLogits) -> Iterator[str]:
    """The same of a logit that is a number times the sign of a value: `decides_before` says of the value that it is not
    0, and on which words it is positive."""
    sign, subject = of_sign(derivation), Subject(derivation, theorem)
    assert sign is not None
    if isinstance(theorem, ClosedForm | Compares):
        raise Unwritten("of a logit that is the sign of a value, another thing than whom it accepts and its margin")
    if derivation.all_sums:
        raise Unwritten("the sign of a value before a norm, where it has sums over the word")
    bare, question, _ = before_norm(derivation, theorem)
    if bare.logit != sign.value:
        raise Unwritten("a logit that has the opposite sign of the value before the norm")
    before = Subject(bare, question, "before")
    yield from known(before)
    yield from positive_scales(derivation)
    yield from _counted(before, question, "decides_before")
    terms, name = subject.terms, sign.name
    size, ratio, inverse = (terms.real(each, ATOM) for each in (sign.size, sign.ratio, 1 / sign.ratio))
    yield f"Variable {name} : R."
    yield f"Hypothesis {name}positive : 0 < {name}."
    yield f"Hypothesis {name}squared : {name} * {name} * ({sign.square(terms, 'before')}) = 1."
    yield f"Definition logit : R := {sign.logit(terms, 'before')}."
    yield f"Lemma logit_is : (before > 0 -> logit = {size}) /\\ (before < 0 -> logit = - {size})."
    yield f"Proof. exact (of_sign {size} {name} before {ratio} {inverse} {name}positive ltac:(lra) ltac:(field)"
    yield f"  {name}squared). Qed."
    if isinstance(theorem, Decides):
        yield from _decided_by_sign(subject, sign)
    elif theorem.value is None:
        yield from none_on_side(subject)
    else:
        yield from _on_side_by_sign(subject, theorem, sign)
        yield from attained_by_sign(subject, theorem)


def _decided_by_sign(subject: Subject, sign: OfSign) -> Iterator[str]:
    """The theorem, by the sign of the value and that of the number."""
    size = subject.terms.real(sign.size, ATOM)
    quotient = Signs(subject.terms, subject.vocabulary.words(), subject.told).quotient(sign.size)
    if quotient.left != 1:
        raise Unwritten(f"that the size {sign.size} of a logit is positive")
    yield f"Lemma size_is_positive : 0 < {size}.\nProof using All.\n  facts. settled."
    yield from (f"  {line}" for line in quotient.proof)
    yield f"  replace {size} with ({quotient.positive}) by (field; nonzero). positive.\nQed."
    yield f"Theorem decides : {subject.conclusion}.\nProof using All."
    yield "  destruct decides_before as [N D]."
    yield "  destruct (sign_as_before logit before _ size_is_positive N logit_is) as [E S]."
    yield f"  {'split; [exact E|]. ' * is_strict(subject.construction, subject.theorem)}rewrite S. exact D.\nQed."


def _on_side_by_sign(subject: Subject, theorem: Margin, sign: OfSign) -> Iterator[str]:
    """What the logit is on the side of a margin, and that this is as large as the theorem has it."""
    assert subject.words is not None
    assert subject.value is not None
    size, value = subject.terms.real(sign.size, ATOM), subject.value.of_integers
    side = on_side(theorem, subject.words.of_integers)
    yield f"Lemma size_is : {size} = {value}.\nProof using All. facts. settled. same_value. Qed."
    yield f"Lemma logit_on_side : {side} -> logit = {subject.minus}{value}.\nProof using All."
    yield "  destruct decides_before as [N D], logit_is as [P M]. intros A. rewrite <- size_is."
    yield f"  {'exact (P (proj2 D A))' if theorem.of_accepted else 'exact (M (below_0 _ N (fun L => A (proj1 D L))))'}."
    yield f"Qed.\nTheorem decides : {subject.conclusion}."
    yield "Proof using All. intros A. rewrite (logit_on_side A). lra. Qed."


def _counted(subject: Subject, theorem: Decides | Compares, name: str = "decides") -> Iterator[str]:
    """The theorem, under a name; statements about all positions in it are replaced by what is said of counts, where
    they can be."""
    outermost = not subject.derivation.sums and theorem.invariant is None
    assert subject.words is not None
    accepts, statements = counted(subject.words.formula, subject.vocabulary, outermost)
    if not statements:
        yield from _compared(subject, name)
        return
    changed = replace(theorem, accepts=accepts) if isinstance(theorem, Decides) else replace(theorem, where=accepts)
    without = replace(subject, theorem=changed)
    assert without.words is not None
    for each in statements:
        yield from lemmas(each, subject.construction, subject.vocabulary)
    yield from _compared(without, f"{name}_counted")
    known = " | ".join(use for each in statements for use in each.uses)
    yield f"Lemma same_language :\n  {subject.words.of_integers}\n  <-> {without.words.of_integers}."
    yield f"Proof. same_counted ltac:(fun _ => first [{known}]). Qed."
    yield f"Theorem {name} : {subject.conclusion}.\nProof using All."
    yield f"  rewrite same_language. exact {name}_counted.\nQed."


MOST_CASES = 300
"""Of tokens that are told apart."""
OF_ROOTS = ("positive", "zero")
"""What is known of an integer times a root and another integer, by squares."""


def _compared(subject: Subject, name: str = "decides") -> Iterator[str]:
    """The closed form, its cases, and the theorem, under a name."""
    if subject.given is not None and everywhere(subject.given.formula, subject.construction):
        raise Unwritten("a statement about all positions that is given")
    if subject.derivation.scales and subject.derivation.sums:
        yield from _paired(subject)
        return
    by_positions = bool(subject.derivation.sums or any(everywhere(f, subject.construction) for f in subject.formulas))
    induction = Induction.of(subject) if by_positions else None
    if induction is not None:
        yield from induction.definitions()
    yield f"Definition {subject.called} : R :=\n  {subject.terms.iverson(subject.derivation.logit)}."
    sign, cases = CALLED[subject.op], subject.cases
    strict = is_strict(subject.construction, subject.theorem)
    left = dict[str, sympy.Expr]()
    for case in cases:
        signs, least = Signs(subject.terms, case.inside, subject.told), _least(subject, case.inside)
        quotient = signs.quotient(factored(canonical(case.logit - least)))
        left[case.name] = quotient.left
        divided = [line for each in (case.logit, least) for line in signs.denominators(each)]
        yield from _case(case, subject, quotient, divided)
    if induction is not None:
        yield from induction.lemmas()
    yield f"Theorem {name} : {subject.conclusion}.\nProof using All."
    yield f"  assert (cases : {OR.join(case.where for case in cases)}) by ({_each_token(subject)}facts; one_of_cases)."
    if induction is not None:
        yield from induction.reached()
    if subject.value is not None:
        yield f"  rewrite ({sign}_difference {subject.called})."
    yield f"  {either('cases', 'C', len(cases))}."
    for case in cases:
        end = _end(subject, left[case.name]) if induction is None else induction.end(left[case.name])
        of_left = f"rewrite ({sign}_product p _ P)" + ", (nonzero_product p _ P)" * strict
        yield f"  - destruct (case_{case.name} C) as (p & P & ->). {of_left}. {end}"
    yield "Qed."


def _paired(subject: Subject) -> Iterator[str]:
    """The theorem of a logit with sums and the scales of normalised rows, by pairs of positions."""
    theorem, words = subject.theorem, subject.words
    if not isinstance(theorem, Decides) or theorem.strict or theorem.invariant is not None or subject.op != ">":
        raise Unwritten("what is said of a logit with sums and the scales of normalised rows but whom it accepts")
    assert words is not None
    spoken_of = expressions_of(read_formula(words.formula, subject.vocabulary, quantifiers=[]))
    if everywhere(words.formula, subject.construction):
        raise Unwritten("the sign of a logit with sums and the scales of normalised rows, by induction")
    if any(_integer(expression, subject) is None for expression in spoken_of):
        raise Unwritten("a language of other numbers than integers, beside scales of normalised rows")
    pairing = Pairing(subject)
    yield from pairing.definitions()
    yield f"Definition logit : R :=\n  {subject.terms.iverson(subject.derivation.logit)}."
    yield from pairing.signs()
    cases = subject.cases
    for case, (where, _) in zip(cases, logit_cases(subject.derivation, subject.vocabulary.words()), strict=False):
        yield from pairing.lemmas(case, where)
    yield f"Theorem decides : {subject.conclusion}.\nProof using All."
    yield f"  assert (cases : {OR.join(case.where for case in cases)}) by (facts; lia)."
    yield f"  assert (side : {words.of_integers} \\/ ~ {words.of_integers}) by (facts; lia)."
    yield f"  {either('cases', 'C', len(cases))}; destruct side as [A|A]."
    for case in cases:
        yield f"  - split; [intros _; exact A|intros _; exact (case_{case.name}_accepted C A)]."
        yield f"  - split; [intros L; pose proof (case_{case.name}_rejected C A); lra|intros H; contradiction]."
    yield "Qed."


def _least(subject: Subject, inside: Context) -> sympy.Expr:
    """What the logit is compared with, in a case."""
    if subject.value is None:
        return sympy.S.Zero
    value = value_of(subject.value.formula, inside, subject.vocabulary)
    return -value if subject.minus else value


def _case(case: Case, subject: Subject, quotient: Quotient, divided: Sequence[str]) -> Iterator[str]:
    """That what the logit is beyond the value has the sign of what is left, in a case; divided: that what they are
    divided by has a sign."""
    beyond = subject.called
    if subject.value is not None:
        beyond += f" - {subject.minus}{subject.value.of_integers}"
    left = _left(quotient.left, subject)
    yield f"Lemma case_{case.name} : {case.where} -> exists p, 0 < p /\\ {beyond} = p * {left}."
    yield "Proof."
    yield "  intros C. apart C. facts. settled."
    yield f"  {logit_in(case, subject)}"
    yield from (f"  {line}" for line in dict.fromkeys((*quotient.proof, *divided)))
    yield f"  exists ({quotient.positive}). split; [positive|]. rewrite E. same_value."
    yield "Qed."


def _left(left: sympy.Expr, subject: Subject) -> str:
    """What is left of the logit, with its integers in one piece each."""
    if (integer := _integer(left, subject)) is not None:
        return f"IZR ({integer})"
    if (parts := _with_root(left, subject)) is not None:
        return "(IZR ({}) * sqrt {} + IZR ({}))".format(*parts)
    return subject.terms.real(left, ATOM)


def _with_root(expression: sympy.Expr, subject: Subject) -> tuple[str, int, str] | None:
    """The integers a, k and b of a * sqrt(k) + b, a and b as those of Z; None for another expression."""
    roots = [p for p in expression.atoms(sympy.Pow) if p.exp == sympy.Rational(1, 2) and p.base.is_Integer]
    name = sympy.Dummy()
    named = expression.xreplace(dict.fromkeys(roots, name))
    if len(roots) != 1 or not named.is_polynomial(name) or sympy.degree(named, name) != 1:
        return None
    a, b = (_integer(named.expand().coeff(name, power), subject) for power in (1, 0))
    return None if a is None or b is None else (a, int(roots[0].base), b)


def _each_token(subject: Subject) -> str:
    """The cases of all tokens, where there are several."""
    values, places = (-1, *subject.symbols), subject.tokens
    if len(places) < 2 or len(values) ** len(places) > MOST_CASES:
        return ""
    cases = list[str]()
    for number, place in enumerate(places, start=1):
        known = OR.join(f"(token ({place}) = {value})%Z" for value in values)
        range_ = f"pose proof (token_in_range _ _ _ _ _ _ _ marked ({place})%Z)"
        cases.append(
            f"assert (t{number} : {known}) by ({range_}; lia); {either(f't{number}', f't{number}', len(values))}; "
        )
    return "".join(cases)


def _integer(polynomial: sympy.Expr, subject: Subject) -> str | None:
    """A polynomial in integers with integer coefficients, as one of Z; None for another one."""
    if (form := linear_form(polynomial)) is not None:
        return subject.terms.integer(polynomial) if form.denominator == 1 else None
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


def _end(subject: Subject, left: sympy.Expr) -> str:
    """That what is left is as the theorem has it: of integers alone, by squares where it has a root of one, or by the
    outcomes of comparisons of reals."""
    read = [read_formula(formula, subject.vocabulary) for formula in subject.formulas]
    compared = [expression for formula in read for expression in expressions_of(formula)]
    if all(_integer(expression, subject) is not None for expression in compared):
        sign, strict = CALLED[subject.op], is_strict(subject.construction, subject.theorem)
        by_integers = "apart C. facts. counts_so_far. settled. first [lia | nia]."
        if _integer(left, subject) is not None:
            return f"rewrite {sign}_integer{', nonzero_integer' * strict}. {by_integers}"
        if sign in OF_ROOTS and _with_root(left, subject) is not None:
            return f"rewrite {sign}_root{', nonzero_root' * strict} by lia. {by_integers}"
    bounded = [
        f"number_bounds ({subject.terms.real(number)}) B; times_number ({subject.terms.real(number)}) ({factor})%Z; "
        for number, factor in _times_numbers(left, subject)
    ]
    return f"apart C. facts. {''.join(bounded)}outcomes; decided."


def _times_numbers(expression: sympy.Expr, subject: Subject) -> Iterator[tuple[sympy.Expr, str]]:
    """Roots and logarithms of numbers in an expression that is linear in them, each with the integer that it is
    multiplied by, up to a constant factor, as one of Z."""
    roots = {p for p in expression.atoms(sympy.Pow) if p.exp == sympy.Rational(1, 2)}
    for number in sorted(roots | expression.atoms(sympy.log), key=str):
        if number_bounds(number) is None:
            continue
        name = sympy.Dummy()
        factor = sympy.expand(expression.xreplace({number: name})).coeff(name)
        if (integer := _integer(factor.primitive()[1], subject)) is not None:
            yield number, integer

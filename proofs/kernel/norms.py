"""Layer normalisation, in Coq: the scales of rows, with what is known of them, and what a norm leaves of each row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms
from weightproof.proofs.kernel.terms import Terms, scale_name
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import i, is_scale
from weightproof.symbolic.derivation import Normed

PLACES = {BEFORE: "0%Z", BEHIND: "(n - 1)%Z"}


def scale_variable(terms: Terms, scale: sympy.Expr, square: Iverson) -> str:
    """A scale as a variable, and what it is."""
    name, of_i = scale_name(scale), scale.has(i)
    return (
        f"Variable {name} : {'Z -> ' * of_i}R.\n"
        f"Hypothesis {name}is : {'forall i : Z, ' * of_i}{name}{' i' * of_i} = / sqrt ({terms.iverson(square)}).\n"
    )


@dataclass(frozen=True)
class Scale:
    """A scale as one of the rows has it; name: what it is called in Coq, square: 1 over the square of it."""

    forms: Forms
    name: str
    square: Iverson
    of_i: bool
    row: str

    @property
    def kind(self) -> int:
        return self.forms.kinds[self.row]

    @property
    def label(self) -> str:
        return f"{self.name}{{}}_{self.forms.label(self.row)}"

    def at(self, position: str) -> str:
        """The scale at a position."""
        return f"({self.name} {position})" if self.of_i else self.name

    def known(self, position: str) -> str:
        """The text of the square at a position."""
        return f"(let i := {position} in {self.forms.terms.iverson(self.square)})"

    def is_it(self, position: str) -> str:
        """Why it is what it is, at a position."""
        return f"({self.name}is {position})" if self.of_i else f"{self.name}is"

    def fact(self, fact: str, position: str, kind_is: str) -> str:
        """A lemma about it at a position of that kind."""
        lemma = self.label.format(fact)
        return lemma if self.kind in PLACES else f"({lemma} {position} {kind_is})"

    def lemmas(self) -> Iterator[str]:
        """That it is positive, and its square."""
        place = PLACES.get(self.kind)
        where = " :" if place else f" q : kind q = ({self.kind})%Z ->"
        position, start = place or "q", "intros K. " * (place is None)
        facts = "end_facts known." if place else f"kind_facts known q ({self.kind})%Z K."
        above = self.fact("above", "q", "K")
        yield (
            f"Lemma {self.label.format('above')}{where} 0 < {self.known(position)}.\n"
            f"Proof. {start}word_facts known. {facts} cbv zeta. square_positive. Qed."
        )
        yield (
            f"Lemma {self.label.format('positive')}{where} 0 < {self.at(position)}.\n"
            f"Proof. {start}exact (scale_is_positive _ _ {self.is_it(position)} {above}). Qed."
        )
        yield (
            f"Lemma {self.label.format('squared')}{where}\n"
            f"  {self.at(position)} * {self.at(position)} * {self.known(position)} = 1.\n"
            f"Proof. {start}exact (scale_squared _ _ {self.is_it(position)} {above}). Qed.\n"
        )


def scale_of(forms: Forms, scale: sympy.Expr, row: str) -> Scale:
    """A scale that a row has, at its own position."""
    [(known, square)] = [item for item in forms.derivation.scales.items() if scale_name(item[0]) == scale_name(scale)]
    return Scale(forms, scale_name(scale), square, known.has(i), row)


def norm(forms: Forms, number: int) -> Iterator[str]:
    """The lemmas of the norm behind a sublayer, and that of what is behind it, from those of what is before it."""
    stage = forms.stages[number]
    yield from _new_scales(forms, number)
    for row in stage.stream:
        yield from _normable(forms, number, row)
    part = f"({stage.part}{forms.arguments})"

    def prove(row: str) -> str:
        scale_is = _scale_is(forms, number, row)
        return (
            f"rewrite (normed_is _ _ _ _ _ _ _ _ _ _ (normed_{number}_{forms.label(row)} p P K) {scale_is} N).\n"
            "    each_name N; unfold closed; rewrite K; reduce; decide_equation."
        )

    yield (
        f"Lemma forms_{number} : agree len {forms.condition(stage)} names\n"
        f"  (after names {part} len {forms.stream(number - 1)}) {forms.stream(number)}.\n"
        "Proof.\n  intros p P A name N. word_facts known. unfold after.\n"
        f"  rewrite (normed_ext _ _ _ (closed kind U{number} p)) by first [exact N|exact (before_{number} p P A)].\n"
        f"  change (norm {part}) with (Some (epsilon_of {part})). position A.\n"
        f"  {forms.at_kinds(stage.stream, 'p', prove, 'P')}\nQed.\n"
    )


def _normable(forms: Forms, number: int, row: str) -> Iterator[str]:
    """The lemma of what a norm does to a row."""
    stage, normed, label = forms.stages[number], forms.normed(number, row), forms.label(row)
    mean, factor = (f"(let i := Z.of_nat p in {forms.terms.iverson(x)})" for x in (normed.mean, normed.factor))
    scale = _factor(forms, normed, row)
    position = PLACES.get(forms.kinds[row], "(Z.of_nat p)")
    q, positive, squared = f"(/ ({factor} * {factor}))", "square_positive", "field. assert (0 < {factor}) by x"
    if normed.factor == Iverson.constant(1):
        q, positive, squared = "1", "lra", "ring"
    elif scale is not None:
        q = scale.known(position)
        positive, squared = (f"exact {scale.fact(x, '(Z.of_nat p)', 'K')}" for x in ("positive", "squared"))
    square, above = _square(forms, normed, row, position)
    e = f"(epsilon_of ({stage.part}{forms.arguments}))"
    if normed.scale is None:
        yield _root(forms, number, row)
    unfolded = "unfold closed; rewrite K; reduce"
    yield (
        f"Lemma normed_{number}_{label} p : (p < len)%nat -> kind (Z.of_nat p) = ({forms.kinds[row]})%Z ->\n"
        f"  normable names {e} (closed kind U{number} p) (closed kind Y{number} p)\n"
        f"    {mean} {factor} {q} {square}.\n"
        f"Proof.\n  intros P K. word_facts known. {forms.facts(row)} cbv zeta.\n"
        f"  assert (F : 0 < {factor}) by (cbv zeta; {positive}). cbv zeta in F. constructor.\n"
        f"  - unfold average. rewrite size_is. {unfolded}. decide_equation.\n"
        f"  - intros c N. each_name N; {unfolded}; decide_equation.\n"
        "  - exact F.\n"
        f"  - {squared}.\n"
        f"  - unfold average. rewrite size_is. {unfolded}. decide_equation.\n"
        f"  - {above}.\nQed.\n"
    )


def _factor(forms: Forms, normed: Normed, row: str) -> Scale | None:
    """The scale that a row has before a norm, if it has one."""
    match normed.factor.terms:
        case ((conditions, factor),) if not conditions and is_scale(factor):
            return scale_of(forms, factor, row)
    return None


def _square(forms: Forms, normed: Normed, row: str, position: str) -> tuple[str, str]:
    """1 over the square of the scale behind a norm, and why that is positive."""
    if normed.scale is None:
        return forms.terms.iverson(normed.square), "lra"
    scale = scale_of(forms, normed.scale, row)
    return scale.known(position), f"exact {scale.fact('above', '(Z.of_nat p)', 'K')}"


def _scale_is(forms: Forms, number: int, row: str) -> str:
    """Why the scale behind a norm is what it is."""
    normed = forms.normed(number, row)
    if normed.scale is None:
        return f"root_{number}_{forms.label(row)}"
    return scale_of(forms, normed.scale, row).is_it(PLACES.get(forms.kinds[row], "(Z.of_nat p)"))


def _root(forms: Forms, number: int, row: str) -> str:
    """The scale of a row that keeps a sign alone."""
    [(_, square)] = forms.normed(number, row).square.terms
    root, of = forms.terms.real(1 / sympy.sqrt(square)), forms.terms.real(square)
    return (
        f"Lemma root_{number}_{forms.label(row)} : {root} = / sqrt ({of}).\n"
        "Proof. apply is_scale; positives; [above|nra]. Qed."
    )


def _scales(forms: Forms, number: int) -> list[Scale]:
    """The scales behind a norm."""
    rows = [(row, forms.normed(number, row).scale) for row in forms.stages[number].stream]
    return [scale_of(forms, scale, row) for row, scale in rows if scale is not None]


def _new_scales(forms: Forms, number: int) -> Iterator[str]:
    """What is known of the scales behind a norm that no norm before it has."""
    numbers = [other for other, stage in enumerate(forms.stages) if forms.norm_of(stage) is not None]
    before = [scale for other in numbers if other < number for scale in _scales(forms, other)]
    new = [scale for scale in _scales(forms, number) if scale not in before]
    for scale in new:
        yield from scale.lemmas()
    cases = "\n".join(_case(scale) for scale in (*before, *new))
    if cases:
        yield f"Ltac known_scales ::= repeat match goal with\n{cases} end.\n"


def _case(scale: Scale) -> str:
    """How a goal that speaks of a scale is told that it is positive."""
    lemma = scale.label.format("positive")
    if scale.kind in PLACES:
        why = f"replace q with {PLACES[scale.kind]} by lia; exact {lemma}" if scale.of_i else f"exact {lemma}"
    else:
        why = f"apply {lemma}; kind_is" if scale.of_i else f"eapply {lemma}; eassumption"
    at, pattern = scale.at("q"), scale.at("?q")
    return f"  | |- context [{pattern}] => known_positive {at}; assert (0 < {at}) by ({why})"

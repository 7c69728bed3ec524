"""Layer normalisation, in Coq: the scales of rows, with what is known of them, and what a norm leaves of each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms
from weightproof.proofs.kernel.terms import Terms, scale_name
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import i, is_scale
from weightproof.symbolic.derivation import Normed
from weightproof.symbolic.rules.reading import read_scalar

PLACES = {BEFORE: "0%Z", BEHIND: "(n - 1)%Z"}


def square_of(forms: Forms, terms: Terms, scale: sympy.Expr) -> str:
    """1 over the square of a scale, at position i."""
    sign = forms.of_sign
    if sign is not None and scale == sign.scale:
        return sign.square(terms, f"({terms.iverson(sign.value)})")
    return terms.iverson(forms.derivation.scales[scale])


def scale_variable(forms: Forms, scale: sympy.Expr) -> str:
    """A scale as a variable, and what it is; 1 over its square has a name, so that no case of it is taken there. Of one
    that there may not be, that there is."""
    name, of_i, sign = scale_name(scale), scale.has(i), forms.of_sign
    text = (
        f"Definition {name}square{' (i : Z)' * of_i} : R := {square_of(forms, forms.terms, scale)}.\n"
        f"Variable {name} : {'Z -> ' * of_i}R.\n"
        f"Hypothesis {name}is : {'forall i : Z, ' * of_i}{name}{' i' * of_i} = / sqrt ({name}square{' i' * of_i}).\n"
    )
    if sign is not None and scale == sign.scale:
        text += f"Definition {name}value : R := {forms.terms.iverson(sign.value)}.\n"
        text += f"Hypothesis {sign.there} : {name}value <> 0.\n"
    return text


def scale_defined(forms: Forms, terms: Terms, scale: sympy.Expr) -> str:
    """Takes a scale, of which it is known what it is."""
    name, of = scale_name(scale), f"/ sqrt ({square_of(forms, terms, scale)})"
    there_is = f"defined (fun i : Z => {of})" if scale.has(i) else f"defined_number ({of})"
    return f"destruct ({there_is}) as ({name} & {name}is)."


@dataclass(frozen=True)
class Scale:
    """A scale as one of the rows has it; name: what it is called in Coq, of_i: whether it is a function."""

    forms: Forms = field(compare=False)
    name: str
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
        """The square at a position."""
        return f"({self.name}square {position})" if self.of_i else f"{self.name}square"

    def is_it(self, position: str) -> str:
        """Why it is what it is, at a position."""
        return f"({self.name}is {position})" if self.of_i else f"{self.name}is"

    def fact(self, fact: str, position: str, kind_is: str) -> str:
        """A lemma about it at a position of that kind."""
        lemma = self.label.format(fact)
        return lemma if self.kind in PLACES else f"({lemma} {position} {kind_is})"

    @property
    def stated(self) -> str:
        """That it is positive, wherever it is that of the row."""
        if self.kind in PLACES:
            return f"0 < {self.at(PLACES[self.kind])}"
        return f"forall q : Z, {self._is_there('q')} -> 0 < {self.at('q')}"

    def squared(self, square: str) -> str:
        """What its square is, wherever it is that of the row; square: 1 over it, at position i."""
        if self.kind in PLACES:
            at = self.at(PLACES[self.kind])
            return f"let i := {PLACES[self.kind]} in {at} * {at} * ({square}) = 1"
        return f"forall i : Z, {self._is_there('i')} -> {self.at('i')} * {self.at('i')} * ({square}) = 1"

    def _is_there(self, position: str) -> str:
        first, last = (int(marker is not None) for marker in (self.forms.network.begin, self.forms.network.end))
        return f"Words.kind {first} {last} n token {position} = ({self.kind})%Z"

    @property
    def shown(self) -> str:
        """How it is shown that it is positive at a place q."""
        lemma = self.label.format("positive")
        if self.kind in PLACES:
            return f"replace q with {PLACES[self.kind]} by lia; exact {lemma}" if self.of_i else f"exact {lemma}"
        return f"apply {lemma}; kind_is" if self.of_i else f"eapply {lemma}; eassumption"

    def lemmas(self, squares: str, before: Scale | None) -> Iterator[str]:
        """That it is positive, and its square; squares: what 1 over this is a sum of; before: the scale before it."""
        place = PLACES.get(self.kind)
        where = " :" if place else f" q : kind q = ({self.kind})%Z ->"
        position, start = place or "q", "intros K. " * (place is None)
        facts = "end_facts known." if place else f"kind_facts known q ({self.kind})%Z K."
        above = self.fact("above", "q", "K")
        unfolded, known = "idtac", ""
        sign = self.forms.of_sign
        if before is not None:
            unfolded, known = f"unfold {before.name}square", f"pose proof {before.fact('above', position, 'K')}; "
        sum_of = f"ltac:(fun _ => {unfolded}) (let i := {position} in {squares})"
        why = f"word_facts known. {facts} unfold {self.name}square.\n"
        why += f"  first [square_positive | {known}squares_positive {sum_of}]."
        if sign is not None and self.name == sign.name:
            why = f"unfold {self.name}square. apply square_there; [lra|exact {sign.there}]."
        yield (f"Lemma {self.label.format('above')}{where} 0 < {self.known(position)}.\nProof. {start}{why}\nQed.")
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
    return Scale(forms, scale_name(scale), bool(scale.args), row)


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


def images(forms: Forms) -> Iterator[str]:
    """That no norm meets a vector without an image, the lemma `images`; and that scales are positive, as lemmas of
    all that is supposed."""
    steps = list[str]()
    for number, stage in enumerate(forms.stages[1:], start=1):
        if forms.norm_of(stage) is None:
            steps.append("split; [intros; exact Logic.I|].")
            continue
        yield _images_of(forms, number)
        at = "exact Logic.I"
        if forms.condition(stage) != "everywhere":
            at = "destruct R as [R|R]; [not_attending R|exact R]"
        steps.append(f"split; [intros i I R; apply (images_{number} i I); {at}|].")
    network = f"(network{forms.arguments})"
    squares, last = squares_by_name(forms, forms.terms), of_last_norm(forms)
    for scale in scales(forms):
        known, positive = scale.label.format("known"), scale.label.format("positive")
        yield f"Lemma {known} : {scale.stated}.\nProof using {_using(forms, scale)}. exact {positive}. Qed."
    for scale in (*in_sums(forms), *last):
        known, squared = scale.label.format("square_known"), scale.label.format("squared")
        stated = scale.squared(squares[scale.name])
        yield f"Lemma {known} : {stated}.\nProof using {_using(forms, scale)}. exact {squared}. Qed."
    yield f"Lemma images : all_images names (sublayers {network}) (read_at {network}) len stream_0."
    yield "Proof using All.\n  " + "\n  ".join((*steps, "exact Logic.I.")) + "\nQed.\n"


def _images_of(forms: Forms, number: int) -> str:
    """The lemma that the vectors that a norm meets have images."""
    stage = forms.stages[number]
    part, before, where = f"({stage.part}{forms.arguments})", f"stream_{number - 1}", forms.condition(stage)

    def prove(row: str) -> str:
        return f"exact (has_deviation _ _ _ _ _ _ _ _ (normed_{number}_{forms.label(row)} p P K))."

    return (
        f"Lemma images_{number} p : (p < len)%nat -> {where} p -> has_image names {part} len {before} p.\n"
        "Proof.\n  intros P A. word_facts known.\n"
        f"  assert (U : agree len {where} names (update {part} len {before}) (closed kind U{number})).\n"
        f"  {{ eapply agree_trans; [apply update_agrees; [reflexivity|]|exact before_{number}].\n"
        f"    eapply agree_at; [|exact agrees_{number - 1}]. intros; first [exact Logic.I|assumption]. }}\n"
        f"  change (deviation names (epsilon_of {part}) (update {part} len {before} p) <> 0).\n"
        "  rewrite (deviation_ext _ _ _ _ (U p P A)). position A.\n"
        f"  {forms.at_kinds(stage.stream, 'p', prove, 'P')}\nQed.\n"
    )


def _squares(forms: Forms, number: int, row: str) -> tuple[str, Scale | None]:
    """The mean square of a row less its mean, and epsilon, as the sum that it is, and the scale before the norm."""
    normed, norm = forms.normed(number, row), forms.norm_of(forms.stages[number])
    assert norm is not None
    epsilon = read_scalar(norm.epsilon, forms.derivation.vocabulary, context=forms.table[row].context)
    before = _factor(forms, normed, row)
    parts = [f"({forms.terms.iverson(value)}) ^ 2" for value in normed.divided.values()]
    mean = f"({' + '.join(parts) or '0'}) / {len(forms.network.coordinates)}"
    times = "" if before is None else f" * {before.known('i')}"
    return f"{mean} + ({forms.terms.iverson(epsilon)}){times}", before


def _normable(forms: Forms, number: int, row: str) -> Iterator[str]:
    """The lemma of what a norm does to a row."""
    stage, normed, label = forms.stages[number], forms.normed(number, row), forms.label(row)
    mean, factor = (f"(let i := Z.of_nat p in {forms.terms.iverson(x)})" for x in (normed.mean, normed.factor))
    scale = _factor(forms, normed, row)
    position = PLACES.get(forms.kinds[row], "(Z.of_nat p)")
    q, positive, squared = (
        f"(/ ({factor} * {factor}))",
        "square_positive",
        "exact (Rinv_r _ (Rgt_not_eq _ _ (Rmult_lt_0_compat _ _ F F)))",
    )
    if normed.factor == Iverson.constant(1):
        q, positive, squared = "1", "lra", "ring"
    elif scale is not None:
        q = scale.known(position)
        positive, squared = (f"exact {scale.fact(x, '(Z.of_nat p)', 'K')}" for x in ("positive", "squared"))
    square, above, defined = forms.terms.iverson(normed.square), "lra", ""
    if normed.scale is None:
        yield _root(forms, number, row)
    else:
        after = scale_of(forms, normed.scale, row)
        square, above = after.known(position), f"exact {after.fact('above', '(Z.of_nat p)', 'K')}"
        defined = f"unfold {', '.join(dict.fromkeys(f'{each.name}square' for each in (after, scale) if each))}; "
    if forms.kinds[row] in PLACES:
        defined = f"end_facts known. {defined}"
    e = f"(epsilon_of ({stage.part}{forms.arguments}))"
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
        f"  - unfold average. rewrite size_is. {unfolded}. {defined}decide_equation.\n"
        f"  - {above}.\nQed.\n"
    )


def _factor(forms: Forms, normed: Normed, row: str) -> Scale | None:
    """The scale that a row has before a norm, if it has one."""
    match normed.factor.terms:
        case ((conditions, factor),) if not conditions and is_scale(factor):
            return scale_of(forms, factor, row)
    return None


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


def scales(forms: Forms, end: int | None = None) -> list[Scale]:
    """The scales of all rows, or of those behind the sublayers before one."""
    found = dict[Scale, None]()
    for number, stage in enumerate(forms.stages[:end]):
        if forms.norm_of(stage) is not None:
            rows = [(row, forms.normed(number, row).scale) for row in stage.stream]
            found |= {scale_of(forms, scale, row): None for row, scale in rows if scale is not None}
    return list(found)


def in_sums(forms: Forms) -> list[Scale]:
    """Those that the explicit sums of the logit speak of, whose squares its sign may rest on."""
    spoken_of = [x for total in forms.derivation.sums.values() for _, x in total.body.terms]
    names = {scale_name(atom) for x in spoken_of for atom in x.atoms(sympy.Symbol, AppliedUndef) if is_scale(atom)}
    return [scale for scale in scales(forms) if scale.name in names]


def of_last_norm(forms: Forms) -> list[Scale]:
    """That which there may not be, if there is such a one."""
    return [scale for scale in scales(forms) if forms.of_sign is not None and scale.name == forms.of_sign.name]


def scales_of_all_words(forms: Forms) -> list[Scale]:
    """Those that there are on all words."""
    last = of_last_norm(forms)
    return [scale for scale in scales(forms) if scale not in last]


def _using(forms: Forms, scale: Scale) -> str:
    """On which suppositions a lemma about a scale rests: on all of them, but not that there is another scale."""
    sign = forms.of_sign
    return "All" if sign is None or scale.name == sign.name else f"-({sign.there})"


def squares_by_name(forms: Forms, terms: Terms) -> dict[str, str]:
    """1 over the square of each scale, at position i, by what the scale is called."""
    return {scale_name(scale): square_of(forms, terms, scale) for scale in forms.derivation.scales}


def _new_scales(forms: Forms, number: int) -> Iterator[str]:
    """What is known of the scales behind a norm that no norm before it has."""
    before = scales(forms, number)
    new = scales(forms, number + 1)[len(before) :]
    for scale in new:
        yield from scale.lemmas(*_squares(forms, number, scale.row))
    if before or new:
        yield from known_scales("::=", cases_of_scales((*before, *new)))


def cases_of_scales(found: Iterable[Scale]) -> Iterator[str]:
    """The cases of the tactic `known_scales`: of a scale at a place that a goal speaks of, that it is positive, by what
    is known of one row or of another."""
    ways = dict[tuple[str, str], list[str]]()
    for scale in found:
        ways.setdefault((scale.at("?q"), scale.at("q")), []).append(f"assert (0 < {scale.at('q')}) by ({scale.shown})")
    for (pattern, at), shown in ways.items():
        yield f"|- context [{pattern}] => known_positive {at}; first [{' | '.join((*shown, f'in_vain {at}'))}]"


def known_scales(defines: str, cases: Iterable[str]) -> Iterator[str]:
    """The tactic that says of the scales in a goal that they are positive."""
    written = "\n".join(f"  | {case}" for case in cases)
    yield f"Ltac known_scales {defines} repeat match goal with\n{written} end; look_again.\n"

"""What the heads of a layer add, in Coq: the values and weights of all keys, their sums, and the quotients."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from weightproof.constructions.meaning.schema import Head
from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms, Stage
from weightproof.proofs.kernel.telescoping import summed
from weightproof.proofs.kernel.terms import ATOM
from weightproof.proofs.kernel.weights import CHOICES, NORMALISERS, text
from weightproof.symbolic.algebra.iverson import ZERO
from weightproof.symbolic.algebra.vocabulary import n
from weightproof.symbolic.derivation import Looked
from weightproof.symbolic.rules.rows import symbols_in_view
from weightproof.symbolic.rules.shared_terms import bounds, is_range

AT_J = "(kind (Z.of_nat j)) (Z.of_nat j)"


def attention(forms: Forms, number: int) -> Iterator[str]:
    """The lemmas of the heads of an attention sublayer, and that of what is behind it."""
    stage = forms.stages[number]
    layer = forms.network.layers[stage.layer - 1]
    heads = [Looking(forms, stage, number, place, head) for place, head in enumerate(layer.heads, start=1)]
    for head in heads:
        yield from head.values()
        for row in stage.stream:
            yield from head.looked(row)
    yield from _totals(forms, number)

    def at_coordinate(name: str, row: str) -> str:
        added = "; ".join(head.added(name, row) for head in heads)
        return f"{added}{'; ' * bool(heads)}unfold closed; rewrite ?K; reduce; decide_equation"

    def prove(row: str) -> str:
        cases = "\n    |".join(at_coordinate(name, row) for name in forms.network.coordinates)
        return f"each_name N; unfold {stage.part}; after_attention;\n    [{cases}]."

    yield forms.agreement(number, prove)


def _totals(forms: Forms, number: int) -> Iterator[str]:
    """That sums of weights which are explicit are positive, told to what follows."""
    known = list[Looking]()
    for earlier, stage in enumerate(forms.stages[: number + 1]):
        if stage.is_attention:
            heads = enumerate(forms.network.layers[stage.layer - 1].heads, start=1)
            known += (Looking(forms, stage, earlier, place, head) for place, head in heads)
    told = [
        f"first [match goal with H : 0 < {head.total} |- _ => idtac end | pose proof total_{head.name}]"
        for head in known
        if head.total is not None
    ]
    if told:
        yield f"Ltac known_totals ::= {'; '.join(told)}.\n"


@dataclass(frozen=True)
class Looking:
    """A head of the sublayer behind stage number - 1; place: its number in the layer."""

    forms: Forms
    stage: Stage
    number: int
    place: int
    head: Head

    @property
    def name(self) -> str:
        return f"{self.stage.layer}_{self.place}"

    @property
    def whole(self) -> str:
        """The head with its parameters."""
        return f"(head_{self.name}{self.forms.arguments})"

    @property
    def stream(self) -> str:
        return self.forms.stream(self.number - 1)

    @cached_property
    def written(self) -> list[str]:
        """The coordinates that it writes."""
        return list(self.head.W_V if self.head.W_O is None else self.head.W_O)

    def at(self, row: str) -> Looked:
        return self.forms.derivation.looked[f"layer {self.stage.layer}, head {self.place}", row]

    @property
    def total(self) -> str | None:
        """The sum of its weights at the begin marker, where that is explicit."""
        row = next((row for row in self.stage.stream if self.forms.kinds[row] == BEFORE), None)
        total = ZERO if row is None else self.at(row).total
        return self.forms.terms.iverson(total) if total.free_symbols & self.forms.derivation.all_sums.keys() else None

    def total_is_positive(self) -> str:
        """The lemma that it is positive, as weights are."""
        weight = f"weight_{self.name}_before"
        return (
            f"Lemma total_{self.name} : 0 < {self.total}.\n"
            "Proof.\n  word_facts known. assert (B : kind 0 = (-1)%Z) by (apply kind_before; lia).\n"
            f"  pose proof (sum_{self.name}_total_before 0%nat ltac:(lia) B) as T. cbv zeta in T.\n"
            f"  rewrite <- T, <- (sum_ext _ _ _ (fun j J => {weight}_is 0%nat j ltac:(lia) B J)).\n"
            "  apply sum_positive; [lia|]. intros. apply exp_pos.\nQed.\n"
        )

    def added(self, name: str, row: str) -> str:
        """The rewriting of what it adds to a coordinate."""
        if name in self.written:
            return f"rewrite (attend_{self.name}_{self.written.index(name)}_{self.forms.label(row)} p P K)"
        absent = f"attend_absent {self.whole} len {self.stream} p {text(name)}"
        return f"rewrite ({absent}) by (intros; first [reflexivity|assumption])"

    def values(self) -> Iterator[str]:
        """The values of all positions, by coordinate."""
        forms, some = self.forms, self.at(next(iter(self.stage.stream)))
        for place, coordinate in enumerate(self.written):
            name = f"value_{self.name}_{place}"
            of_rows = {row: forms.terms.iverson(some.values[row].get(coordinate, ZERO)) for row in forms.table}
            yield forms.by_kind(name, "(kind j : Z) : R", {row: f"({x})%R" for row, x in of_rows.items()}, "0%R")
            proofs = dict.fromkeys(forms.table, f"unfold closed, {name}; rewrite K; reduce; decide_equation.")
            yield (
                f"Lemma {name}_is j : (j < len)%nat -> value {self.whole} ({self.stream} j) {text(coordinate)}\n"
                f"  = {name} {AT_J}.\nProof.\n  intros J. word_facts known.\n"
                f"  {forms.at_kinds(forms.table, 'j', proofs.__getitem__, 'J')}\nQed.\n"
            )

    def seen(self, row: str) -> tuple[str, list[str]]:
        """How many positions a row sees, and the kinds of them."""
        kinds = self.forms.kinds
        causal = CHOICES.is_causal(self.head.mask)
        count = "(S p)" if causal else "len"
        if not causal or kinds[row] == BEHIND:
            return count, list(kinds)
        if kinds[row] == BEFORE:
            return count, [row]
        return count, [each for each, kind in kinds.items() if kind != BEHIND]

    def looked(self, row: str) -> Iterator[str]:
        """Weights, sums and quotients at a row."""
        forms, label, looked = self.forms, self.forms.label(row), self.at(row)
        count, keys = self.seen(row)
        weight = f"weight_{self.name}_{label}"
        yield forms.by_kind(
            weight,
            "(i kind j : Z) : R",
            {key: f"({forms.terms.iverson(looked.weights[key])})%R" for key in keys},
            "0%R",
        )
        yield from self.weights(row, weight, count, keys)
        weights = {key: looked.weights[key] for key in keys}
        at_row = {weight: f"(Z.of_nat p) {AT_J}"}
        yield from summed(forms, f"sum_{self.name}_total_{label}", count, row, weights, looked.total, at_row)
        if self.total is not None and forms.kinds[row] == BEFORE:
            yield self.total_is_positive()
            yield f"Ltac known_totals ::= pose proof total_{self.name}.\n"
        for place, coordinate in enumerate(self.written):
            products = {key: weights[key] * looked.values[key].get(coordinate, ZERO) for key in keys}
            lemma, factors = f"sum_{self.name}_{place}_{label}", {**at_row, f"value_{self.name}_{place}": AT_J}
            yield from summed(forms, lemma, count, row, products, looked.numerators.get(coordinate, ZERO), factors)
            yield self.quotient(row, place, coordinate, weight, count)

    def scores(self) -> str:
        return f"(fun j => score {self.whole} ({self.stream} p) ({self.stream} j))"

    def weights(self, row: str, weight: str, count: str, keys: list[str]) -> Iterator[str]:
        """The lemma of the weights."""
        forms, scores, normaliser = self.forms, self.at(row).scores, NORMALISERS[self.head.normaliser]
        statement = (
            f"Lemma {weight}_is p j : {self.at_row(row)} (j < {count})%nat ->\n"
            f"  weight {normaliser} {count} {self.scores()} j = {weight} (Z.of_nat p) {AT_J}.\n"
            f"Proof.\n  intros P K J. word_facts known. {forms.facts(row)}\n  "
        )
        if not CHOICES.is_soft(self.head.normaliser):
            yield from self.greatest(row, weight, count, keys, statement)
            return

        def prove(key: str) -> str:
            score = f"let i := Z.of_nat p in let j := Z.of_nat j in {forms.terms.iverson(scores[key])}"
            return (
                f"unfold weight, {weight}. rewrite L. transitivity (exp ({score})); cbv zeta; [f_equal; unfold closed; "
                "rewrite K, L; reduce; decide_equation|exponential]."
            )

        yield f"{statement}{forms.at_kinds(keys, 'j', prove, name='L')}\nQed.\n"

    def greatest(self, row: str, weight: str, count: str, keys: list[str], statement: str) -> Iterator[str]:
        """The lemma of weights that are 1 where no score is greater, and 0 where some position has a greater one."""
        forms, scores = self.forms, self.at(row).scores
        name = f"score_{self.name}_{forms.label(row)}"
        yield forms.by_kind(
            name, "(i kind j : Z) : R", {key: f"({forms.terms.iverson(scores[key])})%R" for key in keys}, "0%R"
        )
        proof = f"unfold closed, {name}; rewrite K, L; reduce; decide_equation."
        yield (
            f"Lemma {name}_is p j : {self.at_row(row)} (j < {count})%nat ->\n"
            f"  score {self.whole} ({self.stream} p) ({self.stream} j) = {name} (Z.of_nat p) {AT_J}.\n"
            f"Proof.\n  intros P K J. word_facts known. {forms.facts(row)}\n"
            f"  {forms.at_kinds(keys, 'j', lambda key: proof, name='L')}\nQed.\n"
        )
        known = f"known kinds ltac:(fun _ => unfold {name}) L"
        proof = (
            f"unfold {weight}; rewrite L; split_brackets; simplified;\n"
            f"    lazymatch goal with |- _ = 1 => apply hardmax_one; [exact J|no_greater_score {known}]\n"
            f"    | |- _ = 0 => positions_{weight} p; greater_score {known} end."
        )
        attained = ";\n  ".join(dict.fromkeys(self.attained(row, count, keys)))
        yield f"Ltac positions_{weight} p := let i := constr:(Z.of_nat p) in\n  {attained}.\n"
        yield (
            f"{statement}end_facts known.\n"
            f"  rewrite (weight_ext _ _ _ (fun j => {name} (Z.of_nat p) {AT_J}) _ J)\n"
            f"    by (intros; apply {name}_is; assumption).\n"
            f"  {forms.at_kinds(keys, 'j', lambda key: proof, name='L')}\nQed.\n"
        )

    def attained(self, row: str, count: str, keys: list[str]) -> Iterator[str]:
        """Where some position may have weight 1, as tactics that look for a position there."""
        terms, vocabulary = self.forms.terms, self.forms.derivation.vocabulary
        first, last = symbols_in_view(self.head, self.forms.table[row])
        for key in keys:
            kind = self.forms.kinds[key]
            for conditions, _ in self.at(row).weights[key].terms:
                if kind < 0:
                    yield f"position_at {count} {terms.integer(self.forms.table[key].position, ATOM)}%Z"
                    continue
                ranges = [bounds(condition) for condition in conditions if is_range(condition)]
                [*places] = (low for low, high in ranges if low == high)
                if places:
                    yield f"position_at {count} {terms.integer(places[0], ATOM)}%Z"
                    continue
                lows = [first, *(low for low, _ in ranges if low is not None)]
                highs = [vocabulary.last if last == n - 1 else last, *(high for _, high in ranges if high is not None)]
                for low, high in itertools.product(lows, highs):
                    lo, hi = terms.integer(low, ATOM), terms.integer(high, ATOM)
                    yield f"position_of known {count} {kind}%Z {lo}%Z {hi}%Z"

    def at_row(self, row: str) -> str:
        return f"(p < len)%nat -> kind (Z.of_nat p) = ({self.forms.kinds[row]})%Z ->"

    def quotient(self, row: str, place: int, coordinate: str, weight: str, count: str) -> str:
        """The lemma of what is added to a coordinate."""
        forms, label, looked = self.forms, self.forms.label(row), self.at(row)
        normaliser = NORMALISERS[self.head.normaliser]
        closed_forms = (looked.added.get(coordinate, ZERO), looked.total, looked.numerators.get(coordinate, ZERO))
        added, total, numerator = (f"(let i := Z.of_nat p in {forms.terms.iverson(x)})" for x in closed_forms)
        value = f"value_{self.name}_{place}"
        product = f"(fun j => {weight} (Z.of_nat p) {AT_J} * {value} {AT_J})"
        return (
            f"Lemma attend_{self.name}_{place}_{label} p : {self.at_row(row)}\n"
            f"  attend {self.whole} len {self.stream} p {text(coordinate)} = {added}.\n"
            f"Proof.\n  intros P K. word_facts known. {forms.facts(row)} cbv zeta.\n"
            f"  change (mean {count} (weight {normaliser} {count} {self.scores()})\n"
            f"    (fun j => value {self.whole} ({self.stream} j) {text(coordinate)}) = {added}).\n"
            f"  rewrite (mean_is _ _ _ {total} {numerator}); cbv zeta.\n"
            "  - decide_equation.\n"
            f"  - rewrite (sum_ext _ _ _ (fun j J => {weight}_is p j P K J)).\n"
            f"    apply sum_{self.name}_total_{label}; assumption.\n"
            f"  - rewrite (sum_ext _ _ {product}); [apply sum_{self.name}_{place}_{label}; assumption|].\n"
            f"    intros j J. rewrite <- {value}_is by lia. f_equal. apply {weight}_is; assumption.\nQed.\n"
        )

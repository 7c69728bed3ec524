"""Inductions over the positions of a word in Coq: what an invariant says of a logit that keeps sums.

The invariant is that of the theorem. Beginning, step and end are proved by the cases of the symbol, of the brackets and
of what has held so far; each case is linear arithmetic, with what is known of inverses, powers and products.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.kernel.formulas import Truth, everywhere, negation
from weightproof.proofs.kernel.subjects import AND, OR, Subject, either
from weightproof.proofs.kernel.terms import ATOM, Terms
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import And, Flag, Formula, Or, Rel, expressions_of
from weightproof.proofs.strategies.inductive.induction import Reading, reading_of
from weightproof.proofs.theorem import ClosedForm
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary, j

RELATIONS = {"==": "=", ">=": "<=", ">": "<"}


def written(formula: Formula, terms: Terms, flags: Mapping[str, str]) -> str:
    """A formula as a statement of Coq; flags: what stands for each of them."""
    match formula:
        case Rel(op=op, expression=expression) if linear_form(expression) is not None:
            return f"(0 {RELATIONS[op]} {terms.integer(expression)})%Z"
        case Rel(op=op, expression=expression):
            return f"(0 {RELATIONS[op]} {terms.real(expression)})"
        case Flag(name=name, value=value):
            return flags[name] if value else f"(~ {flags[name]})"
        case And(parts=parts):
            return f"({AND.join(written(part, terms, flags) for part in parts) or 'True'})"
        case Or(parts=parts):
            return f"({OR.join(written(part, terms, flags) for part in parts) or 'False'})"
    raise TypeError(formula)


@dataclass(frozen=True)
class Induction:
    """An induction over the positions of a word."""

    subject: Subject
    reading: Reading
    invariant: Formula
    bodies: tuple[Truth, ...]

    @staticmethod
    def of(subject: Subject) -> Induction:
        """Unwritten where the theorem has no invariant."""
        theorem, words = subject.theorem, subject.words
        if isinstance(theorem, ClosedForm) or words is None:
            raise Unwritten("a closed form with sums over positions")
        if theorem.invariant is None:
            raise Unwritten("an invariant of sums and statements about all positions: the theorem has none")
        reading = reading_of(subject.derivation, theorem, subject.vocabulary.words())
        bodies = everywhere(words.formula, subject.construction)
        if any("forall" in body.text or "exists" in body.text for body in bodies):
            raise Unwritten("whether a statement about all positions has held so far that has another one inside")
        return Induction(subject, reading, reading.formula(theorem.invariant), bodies)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.subject.vocabulary

    @property
    def first(self) -> int:
        return self.vocabulary.first

    @cached_property
    def last(self) -> str:
        """The last position of a symbol."""
        return Terms(self.vocabulary).integer(self.vocabulary.last)

    @cached_property
    def terms(self) -> Terms:
        """Atoms, with the sums up to position j."""
        return Terms(self.vocabulary, {symbol: f"({symbol} j)" for symbol in self.subject.derivation.sums})

    @cached_property
    def flags(self) -> dict[str, str]:
        """Statements about all positions up to j, by what the invariant calls them."""
        return {flag: self.so_far(number, "j") for number, flag in enumerate(self.reading.flags, start=1)}

    def so_far(self, number: int, last: str) -> str:
        return f"(everywhere {self.first} holds_{number} {last})"

    def definitions(self) -> Iterator[str]:
        """The sums up to a position."""
        for symbol, total in self.subject.derivation.sums.items():
            body = Terms(self.vocabulary).iverson(total.body)
            yield f"Definition {symbol} (last : Z) : R := sum_over {self.first} last (fun j : Z =>\n  {body})."
            yield (
                f"Lemma {symbol}_next j : ({self.first} <= j + 1)%Z -> {symbol} (j + 1)%Z = {symbol} j + "
                f"(fun j : Z =>\n  {body}) (j + 1)%Z.\nProof. intros J. exact (sum_over_next _ _ _ J). Qed."
            )

    def lemmas(self) -> Iterator[str]:
        """The invariant, that it holds before the first symbol, and that each symbol keeps it."""
        for number, body in enumerate(self.bodies, start=1):
            text, fails = body.text, negation(body).text
            yield f"Definition holds_{number} (p : Z) : Prop := ({text})%Z."
            yield f"Lemma holds_{number}_decided (p : Z) : (({text}) \\/ ~ ({text}))%Z.\nProof. lia. Qed."
            yield (
                f"Lemma fails_{number} : (exists p : Z, ({self.first} <= p <= {self.last})%Z /\\ ({fails})%Z)\n"
                f"  <-> ~ {self.so_far(number, f'({self.last})%Z')}.\n"
                f"Proof.\n  apply (somewhere_is _ _ holds_{number});\n"
                f"    [exact holds_{number}_decided|unfold holds_{number}; intros; lia|facts; lia|].\n"
                "  exact (iff_refl _).\nQed."
            )
        yield f"Definition invariant (j : Z) : Prop :=\n  {written(self.invariant, self.terms, self.flags)}."
        yield from self._begins()
        for index in range(len(self.vocabulary.alphabet)):
            yield from self._step(index)

    def _begins(self) -> Iterator[str]:
        before, vocabulary = self.first - 1, self.vocabulary
        yield f"Lemma begins j : j = ({before})%Z -> (j < {self.last})%Z -> invariant j."
        yield "Proof."
        yield "  intros B J. facts."
        yield from self._before("j", "B")
        yield "  unfold invariant."
        for symbol in self.subject.derivation.sums:
            yield f"  rewrite {symbol}_before."
        places = {
            atom.args[0]
            for e in expressions_of(self.invariant)
            for atom in e.atoms(AppliedUndef)
            if vocabulary.is_token(atom)
        }
        yield from (
            f"  pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) ({self.terms.integer(place)})%Z)."
            for place in sorted(places, key=str)
        )
        for power in self._powers(expressions_of(self.invariant)):
            value = power.exp.xreplace({j: sympy.Integer(before)})
            if value.is_Integer and value >= 0:
                text = self.terms.real(power)
                at = f"{self.terms.real(power.base, ATOM)} ^ {value}"
                yield f"  replace ({text}) with ({at}) by (subst; reflexivity)."
        yield from (f"  {line}." for line in self._of_powers(expressions_of(self.invariant), self.terms))
        yield "  stated."
        yield "Qed."

    def _before(self, place: str, why: str) -> Iterator[str]:
        """What is known of the position before the first symbol: there are no sums, no counts, nothing is violated."""
        for symbol in self.subject.derivation.sums:
            yield f"  assert ({symbol}_before : {symbol} {place} = 0) by (apply sum_over_none; lia)."
        for index in range(len(self.vocabulary.alphabet)):
            yield f"  pose proof (prefix_begins _ _ _ _ _ _ _ marked {index} {place} ltac:(lia) ltac:(lia))."
        for number, _ in enumerate(self.bodies, start=1):
            yield f"  assert {self.so_far(number, place)} by (apply everywhere_begins; lia)."

    def _step(self, index: int) -> Iterator[str]:
        vocabulary, terms = self.vocabulary, self.terms
        after = j + 1
        sums = self.subject.derivation.sums
        counts: dict[sympy.Expr, sympy.Expr] = {
            vocabulary.prefix_atom(symbol)(after): vocabulary.prefix_atom(symbol)(j) + int(index == other)
            for other, symbol in enumerate(vocabulary.alphabet)
        }
        there = [e.xreplace({j: after}).xreplace(counts) for e in expressions_of(self.invariant)]
        added = [c.xreplace({j: after}).xreplace(counts) for total in sums.values() for _, c in total.body.terms]
        here = [*expressions_of(self.invariant), *there, *added]
        inside = self.reading.words.within(j, self.first - 1, vocabulary.last - 1)
        yield f"Lemma step_{index} j : ({self.first - 1} <= j)%Z -> (j + 1 <= {self.last})%Z ->"
        yield f"  token (j + 1)%Z = {index}%Z -> invariant j -> invariant (j + 1)."
        yield "Proof."
        yield "  intros J L T. facts."
        yield "  pose proof (prefixes_sum _ _ _ _ _ _ _ marked j ltac:(lia)) as A. adding A."
        for other in range(len(vocabulary.alphabet)):
            yield (
                f"  pose proof (prefix_next _ _ _ _ _ _ _ marked j {other} {index} ltac:(lia) T) as N_{other}. "
                f"cbn [Z.eqb Pos.eqb] in N_{other}."
            )
            yield f"  pose proof (prefix_is_nonnegative _ _ _ _ _ _ _ marked {other} j)."
            yield f"  pose proof (prefix_within _ _ _ _ _ _ _ marked {other} (j + 1) ltac:(lia))."
        yield "  unfold invariant."
        yield from (f"  rewrite ({symbol}_next j) by lia." for symbol in sums)
        for number, _ in enumerate(self.bodies, start=1):
            yield f"  next_holds {self.first}%Z holds_{number} holds_{number}_decided j;"
        tokens = [after, *sorted(self._places(after), key=str)]
        texts = [terms.integer(place) for place in dict.fromkeys(tokens)]
        yield f"  {' '.join(f'place_to token ({text})%Z;' for text in texts)}"
        for other in range(len(vocabulary.alphabet)):
            yield f"  place_to (prefix {other}) j; place_to (prefix {other}) (j + 1)%Z;"
        names = [f"?N_{other}" for other in range(len(vocabulary.alphabet))]
        yield f"  rewrite ?T, {', '.join(names)}; as_reals; unfold Rdiv;"
        yield from (f"  inverse_of {terms.real(x, ATOM)};" for x in self._denominators(here))
        for power in self._powers(here):
            yield f"  power_to ({terms.integer(power.exp)})%Z;"
        yield f"  {' '.join(self._tokens(texts))}"
        yield "  intros; by_cases; given_apart; try contradiction; try (exfalso; lia)."
        yield from (f"  all: sum_known ({symbol} j)." for symbol in sums)
        yield from (f"  all: {line}." for line in self._hints(here, inside, terms, expressions_of(self.invariant)))
        yield "  all: stated."
        yield "Qed."

    def _tokens(self, texts: list[str]) -> Iterator[str]:
        for text in texts:
            yield f"pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) ({text})%Z);"
        for number, left in enumerate(texts):
            for right in texts[:number]:
                yield f"pose proof (fun E : (({left}) = ({right}))%Z => f_equal token E);"

    def _places(self, after: sympy.Expr) -> set[sympy.Expr]:
        """The places of the tokens that a step speaks of."""
        expressions = set(expressions_of(self.invariant))
        for total in self.subject.derivation.sums.values():
            expressions |= {c.axis.expression() for conditions, _ in total.body.terms for c in conditions}
        for quantifier in self.reading.quantifiers:
            expressions.update(expressions_of(quantifier.body(j)))
        found = {atom.args[0] for e in expressions for atom in e.atoms(AppliedUndef) if self.vocabulary.is_token(atom)}
        return {sympy.expand(place.xreplace({j: after})) for place in found} | {
            atom.args[0]
            for e in expressions_of(self.invariant)
            for atom in e.atoms(AppliedUndef)
            if self.vocabulary.is_token(atom)
        }

    def _powers(self, expressions: Iterable[sympy.Expr]) -> list[sympy.Pow]:
        """Powers of units with exponents that are integer forms."""
        found = {p for e in expressions for p in e.atoms(sympy.Pow) if not p.exp.is_number}
        return sorted(found, key=str)

    def _denominators(self, expressions: Iterable[sympy.Expr]) -> list[sympy.Expr]:
        powers = (p for e in expressions for p in e.atoms(sympy.Pow) if p.exp.is_number and p.exp < 0)
        return sorted({p.base for p in powers if not p.base.is_number}, key=str)

    def _hints(
        self, expressions: Iterable[sympy.Expr], context: Context, terms: Terms, relations: Iterable[sympy.Expr]
    ) -> Iterator[str]:
        """What linear arithmetic is told: of inverses, of powers, of products of sums and of positive numbers with
        integers; relations: what is known to be 0 or more in some cases, times what it is divided by."""
        sums, expressions = self.subject.derivation.sums, [*expressions]
        products = sorted({product for e in expressions for product in e.atoms(sympy.Mul)}, key=str)
        denominators = self._denominators(expressions)
        of_sums = {
            (symbol, form)
            for product in products
            for symbol in product.args
            if symbol in sums
            for form in _forms(product)
        }
        for x in sorted({*denominators, *(form for _, form in of_sums)}, key=str):
            if linear_form(x) is None or not context.positive(form_of(x)):
                raise Unwritten(f"that {x} is positive")
            yield f"assert (0 < {terms.real(x, ATOM)}) by ({_at_least_0(x - 1, terms)})"
        for x in denominators:
            text = terms.real(x, ATOM)
            yield f"pose proof (Rinv_0_lt_compat {text} ltac:(assumption)); pose proof (Rinv_r {text} ltac:(lra))"
            for y in denominators:
                if x != y and context.nonnegative(form_of(y - x)):
                    order = f"ltac:({_at_least_0(y - x, terms)})"
                    yield f"pose proof (inverse_order {text} {terms.real(y, ATOM)} ltac:(assumption) {order})"
        for symbol, x in sorted(of_sums, key=str):
            signed = f"signed_product {terms.real(x, ATOM)} {terms.real(symbol, ATOM)} ltac:(assumption)"
            yield f"destruct ({signed}) as [[? ?]|[? ?]]"
        for product in products:
            for x in self._denominators([product]):
                for form in _forms(product):
                    yield f"cofactor (/ {terms.real(x, ATOM)}) ({terms.integer(form)})%Z"
        for relation in relations:
            for x in self._denominators([relation]):
                yield f"scaled {terms.real(x, ATOM)} ({terms.real(relation)})"
        yield from self._of_powers(expressions, terms)

    def _of_powers(self, expressions: Iterable[sympy.Expr], terms: Terms) -> Iterator[str]:
        """That powers are positive, each the base times the one before, and what is known of the base times each."""
        powers = self._powers(expressions)
        bases = sorted({power.base for power in powers}, key=str)
        known = [e for e in expressions_of(self.reading.given) if e.free_symbols & set(bases)]
        known += [base - _rational(self.vocabulary.lower_bound(base)) for base in bases]
        for power in powers:
            base, exponent = terms.real(power.base, ATOM), terms.integer(power.exp)
            yield f"pose proof (powerRZ_lt {base} ({exponent})%Z ltac:(positive_base))"
            for other in powers:
                if other.base == power.base and other.exp - power.exp == 1:
                    yield (
                        f"pose proof (powerRZ_next {base} ({exponent})%Z ({terms.integer(other.exp)})%Z "
                        "ltac:(positive_base) ltac:(lia))"
                    )
            for e in known:
                yield f"scaled {terms.real(power, ATOM)} ({terms.real(e)})"

    def reached(self) -> Iterator[str]:
        """That the invariant holds at the last symbol, if there is one."""
        last, alphabet = self.last, range(len(self.vocabulary.alphabet))
        for number, body in enumerate(self.bodies, start=1):
            quantified = f"(forall p : Z, ({self.first} <= p <= {last})%Z -> ({body.text})%Z)"
            yield f"  change {quantified} with {self.so_far(number, f'({last})%Z')}. rewrite ?fails_{number}."
        nothing = [f"({last} = {self.first - 1})%Z", *(f"{s} ({last}) = 0" for s in self.subject.derivation.sums)]
        nothing += [self.so_far(number, f"({last})") for number, _ in enumerate(self.bodies, start=1)]
        symbols = OR.join(f"(token (j + 1) = {index})%Z" for index in alphabet)
        yield f"  assert (I : ({AND.join(nothing)}) \\/ ({self.first} <= {last})%Z /\\ invariant ({last}))."
        yield f"  {{ destruct (Z.le_gt_cases {self.first} ({last})) as [L|L]; [right|left]."
        yield f"    - split; [exact L|]. apply (over_positions invariant ({self.first - 1}));"
        yield "        [apply begins; lia| |lia]."
        yield "      intros j J I. pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) (j + 1)%Z)."
        yield f"      assert (t : {symbols}) by lia."
        yield f"      {either('t', 'T', len(alphabet))}."
        yield from (f"      + apply step_{index}; first [assumption | lia]." for index in alphabet)
        yield "    - facts. split; [lia|]."
        yield "      repeat apply conj; first [apply sum_over_none; lia | apply everywhere_begins; lia]. }"

    def end(self, left: sympy.Expr) -> str:
        """That what is left of the logit is as the theorem has it, by what the invariant says."""
        vocabulary, terms = self.vocabulary, self.subject.terms
        ends = {j: vocabulary.last}
        counts = {vocabulary.prefix_atom(a)(vocabulary.last): vocabulary.total(a) for a in vocabulary.alphabet}
        relations = [e.xreplace(ends).xreplace(counts) for e in expressions_of(self.invariant)]
        here = [left, *relations]
        lines = ["facts"]
        for index in range(len(vocabulary.alphabet)):
            ends_at = f"prefix_ends _ _ _ _ _ _ _ marked {index} ({self.last}) ltac:(lia) ltac:(lia)"
            lines.append(f"pose proof ({ends_at}) as N_{index}")
        lines.append(f"pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) ({self.last})%Z)")
        for number, _ in enumerate(self.bodies, start=1):
            lines.append(f"destruct (everywhere_decided {self.first} _ ({self.last}) holds_{number}_decided)")
        names = ", ".join(f"?N_{index}" for index in range(len(vocabulary.alphabet)))
        lines.append(f"revert I; unfold invariant; rewrite {names}; as_reals; unfold Rdiv")
        lines += [f"inverse_of {terms.real(x, ATOM)}" for x in self._denominators(here)]
        lines += [f"power_to ({terms.integer(power.exp)})%Z" for power in self._powers(here)]
        lines.append("intros I; given_apart; try contradiction; try (exfalso; lia)")
        lines += (f"sum_known ({symbol} ({self.last}))" for symbol in self.subject.derivation.sums)
        symbols = self.reading.words.given(form_of(vocabulary.last - self.first))
        lines += self._hints(here, symbols, terms, relations)
        lines.append("by_sizes")
        lines.append("directions; intros; given_apart; try contradiction; stated")
        return ";\n    ".join(lines) + "."


def _rational(bound: tuple[Fraction, bool] | None) -> sympy.Rational:
    """A bound from below as a number; 0 where none is known."""
    return sympy.S.Zero if bound is None else sympy.Rational(bound[0].numerator, bound[0].denominator)


def _forms(product: sympy.Expr) -> list[sympy.Expr]:
    """The integer forms among the factors of a product."""
    return [factor for factor in product.args if linear_form(factor) is not None and not factor.is_number]


def _at_least_0(form: sympy.Expr, terms: Terms) -> str:
    """Why an integer form is 0 or more as a real."""
    return f"pose proof (least_integer ({terms.integer(form)})%Z ltac:(lia)) as Q; in_reals Q; lra"

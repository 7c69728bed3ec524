"""The sign of a logit with sums of powers of e whose exponents are made of scales, in Coq: by pairs of neighbours, as
`strategies.pairing` finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import sympy

from weightproof.proofs.kernel.signs import Signs, factors_of
from weightproof.proofs.kernel.subjects import AND, OR, Case, Subject, either
from weightproof.proofs.kernel.terms import ATOM, Terms, scale_name
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import Formula, Rel, conjunction, negation, read_formula
from weightproof.proofs.strategies.pairing import Case as PairingCase
from weightproof.proofs.strategies.pairing import Part, Run, contexts
from weightproof.proofs.strategies.powers import Power, Powers, Shown, collected
from weightproof.proofs.strategies.scales import scales_of
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, Form
from weightproof.symbolic.algebra.signs import Sign, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Vocabulary, cases_of, is_scale, j
from weightproof.symbolic.derivation import ExplicitSum, square_of
from weightproof.symbolic.rules.signs_of_sums import stand_in

SIGN = {True: "<", False: "<="}


@dataclass(frozen=True)
class Recorded(Powers):
    """With the ratios of scales that are found: the first is at most so many times the second."""

    ratios: dict[tuple[sympy.Expr, sympy.Expr], sympy.Rational] = field(default_factory=dict, compare=False)

    def ratio(self, scale: sympy.Expr, other: sympy.Expr) -> tuple[sympy.Rational, list[tuple[Context, Rel]]] | None:
        found = super().ratio(scale, other)
        if found is not None:
            self.ratios[scale, other] = found[0]
        return found


@dataclass(frozen=True)
class Written:
    """Lines that show the sum of powers of a part to be >= 0, or > 0 if `strict`."""

    lines: tuple[str, ...]
    strict: bool


@dataclass(frozen=True)
class Pairing:
    """The sign of a logit by pairs of positions."""

    subject: Subject

    @property
    def vocabulary(self) -> Vocabulary:
        return self.subject.vocabulary

    @property
    def terms(self) -> Terms:
        return self.subject.terms

    @property
    def sums(self) -> dict[sympy.Symbol, ExplicitSum]:
        return self.subject.derivation.sums

    @cached_property
    def plain(self) -> Terms:
        """Atoms without sums."""
        return Terms(self.vocabulary)

    def definitions(self) -> Iterator[str]:
        """The sums up to a position."""
        for symbol, total in self.sums.items():
            body = self.plain.iverson(total.body)
            yield (
                f"Definition {symbol} (last : Z) : R := "
                f"sum_over {self.plain.integer(total.lo, ATOM)} last (fun j : Z =>\n  {body})."
            )

    def lemmas(self, case: Case, where: Formula) -> Iterator[str]:
        """What the logit is more than where brackets hold, as the lemmas `case_NAME_accepted` and `_rejected`."""
        subject = self.subject
        assert subject.words is not None
        accepts = read_formula(subject.words.formula, self.vocabulary)
        given = read_formula(subject.theorem.hypothesis, self.vocabulary)
        for wanted, side in ((True, "accepted"), (False, "rejected")):
            name, right = f"case_{case.name}_{side}", accepts if wanted else negation(accepts)
            hypothesis = conjunction(where, given, right)
            words, found = self.vocabulary.words(), list[str]()
            for place, context in enumerate(contexts(hypothesis, case.logit, words, self.vocabulary), start=1):
                forms = sorted(context.constraints - words.constraints, key=str)
                found.append(self._all(forms))
                yield from self._in_context(f"{name}_{place}", found[-1], context, case.logit, wanted)
            goal = "0 < logit" if wanted else "logit <= 0"
            yield f"Lemma {name} : {case.where} -> {'' if wanted else '~ '}{subject.words.of_integers} -> {goal}."
            if not found:
                yield "Proof. facts. intros C A. exfalso. lia. Qed."
                continue
            yield "Proof."
            yield f"  facts. intros C A. assert (cases : {OR.join(found)}) by lia."
            yield f"  {either('cases', 'U', len(found))}."
            yield from (f"  - exact ({name}_{place} U)." for place, _ in enumerate(found, start=1))
            yield "Qed."

    def _all(self, forms: Iterable[Form]) -> str:
        """That forms are 0 or more; quotients of integers by numerals are left out, which residues tell."""
        texts = []
        for form in forms:
            try:
                texts.append(f"(0 <= {self.plain.integer(form.expression())})%Z")
            except Unwritten:
                continue
        return f"({AND.join(texts) or 'True'})"

    def _in_context(self, name: str, said: str, context: Context, value: sympy.Expr, wanted: bool) -> Iterator[str]:
        """The lemma of the sign of the logit in a context."""
        toward = value if wanted else -value
        case = PairingCase(self.subject.derivation, context, name, wanted)
        numerator = case.numerator(toward)
        sums = case.mentioned(numerator)
        if not sums:
            raise Unwritten("the sign of a logit with sums and scales, in a case without sums")
        factors = [sympy.diff(numerator, total.symbol) for total in sums]
        of_sums = [factor * total.symbol for factor, total in zip(factors, sums, strict=True)]
        if sympy.expand(numerator - sympy.Add(*of_sums)) != 0:
            raise Unwritten("a sum of powers of e with more beside it")
        lo, hi = (self.plain.integer(end, ATOM) for end in (sums[0].lo, sums[0].hi))
        added = [self.terms.real(factor, ATOM) for factor in factors]
        bodies = [self.plain.iverson(total.body) for total in sums]
        adds = " + ".join(f"{factor} * ({body})" for factor, body in zip(added, bodies, strict=True))
        apart = " + ".join(
            f"{factor} * sum_over {lo} {hi} (fun j : Z => {body})" for factor, body in zip(added, bodies, strict=True)
        )
        positive, why = self._positive(canonical(toward / numerator), context)
        whole, text = f"sum_over {lo} {hi} adds_of_{name}", self.terms.real(numerator, ATOM)
        yield f"Definition adds_of_{name} (j : Z) : R :=\n  {adds}."
        yield f"Lemma {name} : {said} -> {'0 < logit' if wanted else 'logit <= 0'}."
        yield "Proof.\n  facts. intros C. settled."
        yield f"  assert (N : 0 {SIGN[wanted]} {whole}).\n  {{"
        yield from self._taken_apart(case, numerator, sums, f"adds_of_{name}", wanted)
        yield "  }"
        yield f"  assert (E : {text} = {whole}).\n  {{ transitivity ({apart}); [unfold {self._names(sums)}; ring|]."
        yield "    rewrite <- !sum_over_scale, <- ?sum_over_add. reflexivity. }"
        yield from (f"  {line}" for line in why)
        opposite = "" if wanted else "- "
        yield f"  assert (L : logit = {opposite}({positive} * {text})) by (unfold logit; settle; field; nonzero)."
        yield f"  assert (P : 0 < {positive}) by positive. rewrite L, E."
        yield "  first [apply Rmult_lt_0_compat; assumption | pose proof (Rmult_le_pos _ _ (Rlt_le _ _ P) N); lra]."
        yield "Qed."

    def _names(self, sums: Iterable[ExplicitSum]) -> str:
        return ", ".join(str(total.symbol) for total in sums)

    def _positive(self, value: sympy.Expr, context: Context) -> tuple[str, list[str]]:
        """A product of what is positive, as a text, and why its factors are."""
        lines = [f"pose proof {symbol}_sign." for symbol in sorted(self.sums.keys() & value.free_symbols, key=str)]
        texts: tuple[list[str], list[str]] = ([], [])
        for side, found in zip(sympy.fraction(sympy.factor(value)), texts, strict=True):
            constant, factors = factors_of(side)
            found.append(self.terms.real(constant, ATOM))
            for factor, power in factors:
                text = self.terms.real(factor, ATOM)
                shown: tuple[str, ...] | None = (f"assert (0 < {text}) by positive.",)
                if not factor.free_symbols & self.sums.keys():
                    shown = Signs(self.terms, context).positive(factor)
                if shown is None:
                    raise Unwritten(f"that {factor} is positive")
                lines += shown
                found.append(f"{text} ^ {power}")
        above, below = (" * ".join(found) for found in texts)
        return f"({above} / ({below}))", lines

    def signs(self) -> Iterator[str]:
        """That the sums are positive, or 0 or more, as their summands are."""
        words = self.vocabulary.words()
        for symbol, total in self.sums.items():
            if any(not _is_power(x) for _, x in total.body.terms):
                raise Unwritten(f"the sign of the sum {symbol}, of other values than powers of e")
            strict = bool(stand_in(total, words, self.vocabulary).is_positive)
            summands = "intros j J; cbv beta; by_cases; powers_positive; nonnegative"
            proof = f"apply sum_over_nonnegative; {summands}"
            if strict:
                first = "cbv beta; by_cases; powers_positive; positive"
                proof = f"apply sum_over_above; [lia|{first}|{summands}]"
            yield f"Lemma {symbol}_sign : 0 {SIGN[strict]} {self.terms.explicit[symbol]}.\nProof. facts. {proof}. Qed."

    def _taken_apart(
        self, case: PairingCase, numerator: sympy.Expr, sums: list[ExplicitSum], adds: str, wanted: bool
    ) -> Iterator[str]:
        """That a sum has the sign that is asked for, by the first plan that shows it."""
        for plan in case.plans(numerator, sums):
            runs = [self._run(case, run, adds) for run in plan.runs]
            pivot = None if plan.pivot is None else self._part(plan.pivot, adds, (plan.place,))
            if any(run is None for run in runs) or (plan.pivot is not None and pivot is None):
                continue
            shown = [each for each in (*runs, pivot) if each is not None]
            if wanted and not any(each.strict for each in shown):
                continue
            names = []
            for number, (run, each) in enumerate(zip(plan.runs, runs, strict=True), start=1):
                assert each is not None
                lo, hi = (self.plain.integer(end, ATOM) for end in (run.lo, run.hi))
                names.append(f"A{number}")
                yield f"    assert (A{number} : 0 {SIGN[each.strict]} sum_over {lo} {hi} {adds}).\n    {{"
                yield from (f"      {line}" for line in each.lines)
                yield "    }"
            if pivot is None:
                yield "    lra."
                return
            assert plan.place is not None
            place = self.plain.integer(plan.place, ATOM)
            yield f"    assert (V : 0 {SIGN[pivot.strict]} {adds} {place}).\n    {{"
            yield from (f"      {line}" for line in pivot.lines)
            yield "    }"
            ends = [self.plain.integer(end) for run in plan.runs for end in (run.lo, run.hi)]
            yield f"    rewrite (sum_over_split _ {place}) by lia. in_place ({ends[1]})%Z ({ends[2]})%Z. lra."
            return
        raise Unwritten(f"{case.name}: the way in which positions are paired")

    def _run(self, case: PairingCase, run: Run, adds: str) -> Written | None:
        """The sum over a run of positions."""
        absent = Written(("exfalso. lia.",), True)
        pairs = absent if run.pairs is None else self._part(run.pairs, adds, (j, j + 1))
        last = absent if run.last is None else self._part(run.last, adds, (run.hi,))
        if pairs is None or last is None:
            return None
        by_pairs, by_last = run.pairs is not None and pairs.strict and case.has_pair(run), last.strict
        by_last = by_last and run.last is not None
        if by_pairs:
            lines, asked = ["apply run_above_by_pairs; [lia| |]."], (True, False)
        elif by_last:
            lines, asked = ["apply run_above_by_last; [lia|lia| |]."], (False, True)
        else:
            lines, asked = ["apply run_at_least_0."], (False, False)
        for introduced, each, strict in zip(("intros j J K M.", "intros J M."), (pairs, last), asked, strict=True):
            weaker = "apply Rlt_le. " * (each.strict and not strict)
            lines.append(f"- {introduced} {weaker}{each.lines[0]}")
            lines += (f"  {line}" for line in each.lines[1:])
        return Written(tuple(lines), by_pairs or by_last)

    def _part(self, part: Part, adds: str, places: Sequence[sympy.Expr]) -> Written | None:
        """What is added at some places is a sum of powers, each negative one no more than a positive one."""
        powers = collected(part.powers)
        known = Recorded(self.subject.derivation, part.context, part.name)
        sides = known.sides(powers) if powers else None
        matched = None if sides is None else known.matched(*sides)
        if sides is None or matched is None:
            return None
        above, below = sides
        chosen, shown = matched
        strict = shown[1] or len(above) > len(below)
        of = next(p.factor for p in powers if sign_of(p.factor, part.context, self.vocabulary) is Sign.POSITIVE)
        scales = sorted({scale for power in powers for scale in scales_of(power.exponent)}, key=str)
        lines = []
        for scale in scales:
            known_at = f"{scale_name(scale)}known {self.plain.integer(scale.args[0], ATOM)}%Z"
            lines.append(f"pose proof ({known_at} ltac:(lia) ltac:(lia)) as {_fact(scales, scale)}.")
            lines.append(f"pose proof (proj1 {_fact(scales, scale)}).")
        differences = [line for x, y in zip(chosen, below, strict=True) for line in self._less(x, y, known)]
        for (scale, other), ratio in known.ratios.items():
            lines += self._compared(scale, other, ratio, part.context, scales)
        lines += differences
        lines += (f"pose proof (exp_pos ({self.plain.real(x)}))." for x in above if x not in chosen)
        rewritten = ""
        total = " + ".join(f"exp ({self.plain.real(x)})" for x in above)
        total += "".join(f" - exp ({self.plain.real(x)})" for x in below)
        factor = self.terms.real(of, ATOM)
        for number, exponent in enumerate(dict.fromkeys((*above, *below))):
            if (product := self._product(exponent)) is not None:
                text = f"exp ({self.plain.real(exponent)}) = {product}"
                lines.append(f"assert (X{number} : {text}) by exponents.")
                rewritten += f"rewrite ?X{number}; "
        added = " + ".join(f"{adds} {self.plain.integer(place, ATOM)}{'%Z' * (place != j)}" for place in places)
        why = f"unfold {adds}; settle; {rewritten}same_powers; powers_positive; field; nonzero"
        lines.append(f"replace ({added}) with ({factor} * ({total})) by ({why}).")
        lemma = "Rmult_lt_0_compat; [positive|lra]" if strict else "Rmult_le_pos; [nonnegative|lra]"
        lines.append(f"apply {lemma}.")
        return Written(tuple(lines), strict)

    def _product(self, exponent: sympy.Expr) -> str | None:
        """A power of e as a product of those of the terms of its exponent; None where it is one itself."""
        factors = []
        for term in sympy.Add.make_args(exponent):
            times, product = term.as_coeff_Mul()
            if not times.is_Integer:
                raise Unwritten(f"a power of e with the exponent {exponent}")
            text = f"exp ({self.plain.real(product)})" + f" ^ {abs(times)}" * (abs(times) != 1)
            factors.append(f"/ ({text})" if times < 0 else text)
        return None if len(factors) == 1 and exponent.as_coeff_Mul()[0] == 1 else " * ".join(factors)

    def _less(self, more: sympy.Expr, less: sympy.Expr, known: Recorded) -> Iterator[str]:
        """That a power of e is less than another one, or at most that, by their exponents."""
        difference = sympy.expand(more - less)
        sign = signed(difference, known.context, self.vocabulary)
        found: Shown | None = known.at_least_0(difference)
        assert found is not None
        text, strict = self.plain.real(difference), found[1]
        if not sign.numerator:
            yield f"assert (0 < {text}) by positive."
        else:
            rest = sympy.expand(sign.direction * sign.numerator[0])
            if not all(is_scale(term.as_coeff_Mul()[1]) for term in sympy.Add.make_args(rest)):
                raise Unwritten(f"the sign of {rest}")
            positive = self.plain.real(canonical(difference / rest), ATOM)
            lemma = "Rmult_lt_0_compat; [positive|lra]" if strict else "Rmult_le_pos; [nonnegative|lra]"
            yield f"assert (0 {SIGN[strict]} {text})."
            yield f"{{ replace ({text}) with ({positive} * ({self.plain.real(rest)})) by ring. apply {lemma}. }}"
        above, below = self.plain.real(more), self.plain.real(less)
        proof = "apply exp_increasing; lra" if strict else "apply exp_at_most; lra"
        yield f"assert (exp ({below}) {SIGN[strict]} exp ({above})) by ({proof})."

    def _compared(
        self, scale: sympy.Expr, other: sympy.Expr, ratio: sympy.Rational, context: Context, scales: list[sympy.Expr]
    ) -> Iterator[str]:
        """That a scale is at most a multiple of another one, by the cases of their squares."""
        squares = self.subject.derivation.scales
        value = square_of(scale, squares).scaled(ratio**2) - square_of(other, squares)
        texts = [self.plain.real(each, ATOM) for each in (scale, other)]
        facts = [_fact(scales, each) for each in (scale, other)]
        known = [f"({scale_name(each)}square {self.plain.integer(each.args[0], ATOM)}%Z)" for each in (scale, other)]
        times = self.plain.real(ratio, ATOM)
        yield f"assert ({texts[0]} <= {times} * {texts[1]})."
        yield f"{{ apply (scale_at_most _ {known[0]} _ {known[1]}); [exact {facts[0]}|exact {facts[1]}|lra|]."
        for number, (inside, difference) in enumerate(cases_of(self.vocabulary.settle(value), context), start=1):
            above, below = sympy.fraction(canonical(difference))
            signs = Signs(self.plain, inside)
            constant, factors = factors_of(below)
            lines = [signs.positive(factor) for factor, _ in factors]
            lines.append(signs.not_negative(sympy.expand(above)))
            if constant < 0 or None in lines:
                raise Unwritten(f"that {difference} is 0 or more")
            said = self._all(sorted(inside.constraints - context.constraints, key=str))
            denominator = " * ".join(
                [self.plain.real(constant, ATOM), *(f"{self.plain.real(x, ATOM)} ^ {k}" for x, k in factors)]
            )
            text = self.plain.real(difference, ATOM)
            yield f"  assert (Q{number} : {said} -> 0 <= {text})."
            yield "  { intros U. settled."
            yield from (f"    {line}" for shown in lines for line in shown or ())
            quotient = f"({self.plain.real(sympy.expand(above), ATOM)} / ({denominator}))"
            yield f"    replace {text} with {quotient} by (field; nonzero)."
            yield "    apply quotient_above; [positive|assumption]. }"
            for factor, _ in factors:
                yield from (f"  {line}" for line in Signs(self.plain, context).positive(factor) or ())
        unfolded = ", ".join(dict.fromkeys(f"{scale_name(each)}square" for each in (scale, other)))
        yield f"  unfold {unfolded}. by_cases; settled; as_reals;"
        yield "  match goal with H : 0 <= ?x |- 0 <= ?y => replace y with x by (field; nonzero); exact H end. }"


def _fact(scales: list[sympy.Expr], scale: sympy.Expr) -> str:
    """The name of what is known of a scale."""
    return f"R_{scales.index(scale) + 1}"


def _is_power(value: sympy.Expr) -> bool:
    """Whether it is a positive number times a power of e."""
    return bool(Power.of(value).factor.is_positive)

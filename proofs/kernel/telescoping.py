"""Sums over positions, proved by telescoping: the sum so far begins as it should, grows by each summand, and ends at
the closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms
from weightproof.proofs.kernel.partial_sums import partial_sum
from weightproof.proofs.kernel.terms import ATOM, Terms, m
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import form_of
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.derivation import ExplicitSum, Record
from weightproof.symbolic.rules.shared_terms import bounds, is_range
from weightproof.symbolic.rules.sums import LONGEST_GAP, collect


def summed(
    forms: Forms,
    lemma: str,
    count: str,
    row: str | None,
    summands: Mapping[str, Iverson],
    closed_form: Iverson,
    factors: Mapping[str, str],
) -> Iterator[str]:
    """The lemma that the sum over the first positions of a product of functions is a closed form.

    row: the row that looks at them, if one does; summands: of each kind of position that is there, in terms of j;
    factors: each function of the product, and what it is applied to.
    """
    vocabulary, kinds = forms.derivation.vocabulary, forms.kinds
    begin, end = (next((key for key in summands if kinds[key] == kind), None) for kind in (BEFORE, BEHIND))
    symbols = {key: value for key, value in summands.items() if kinds[key] >= 0}
    context = vocabulary.words() if row is None else forms.table[row].context
    record = Record()
    so_far = partial_sum(symbols, context, vocabulary, record) if symbols else ZERO
    if row is None:  # as the derivation does with the logit
        within = context.given(form_of(m - vocabulary.first), form_of(vocabulary.last + 1 - m))
        so_far = collect(so_far, record, within, vocabulary)
    so_far, growing = _named(forms, record, so_far)
    terms = _with_sums(forms, record, growing)
    if begin is not None:
        so_far += summands[begin]
    summand = " * ".join(f"{factor} {arguments}" for factor, arguments in factors.items())
    let = "" if row is None else "let i := Z.of_nat p in "
    at_row = " :" if row is None else f" p : (p < len)%nat -> kind (Z.of_nat p) = ({kinds[row]})%Z ->"
    yield f"Lemma {lemma}{at_row}\n  sum {count} (fun j => {summand}) = {let}{forms.terms.iverson(closed_form)}."
    yield "Proof.\n  word_facts known."
    if row is not None:
        yield f"  intros P K. {forms.facts(row)} cbv zeta."
    yield "  end_facts known. ends_of_sums."
    yield from (f"  {line}" for each in growing for line in each.introduced(terms, let))
    upper = count
    if end is not None:
        upper = f"({count} - 1)"
        yield f"  rewrite (sum_last {count}) by lia. rewrite (kind_behind _ _ _ _ (Z.of_nat {upper})) by lia."
    unfold, first = f"unfold {', '.join(factors)}.", int(begin is not None)
    yield f"  rewrite (telescopes {first} {upper} _ (fun m => {let}{terms.iverson(so_far)})); cbv beta zeta."
    related = "".join(each.ended(terms) for each in growing) + "".join(
        _relations(forms, closed_form, growing, terms, let)
    )
    yield f"  - {unfold} {related}decide_equation."
    yield "  - lia."
    start = "rewrite (kind_before _ _ _ _ (Z.of_nat 0)) by lia. sums_grow 0%Z. " if begin is not None else ""
    yield f"  - cbn [sum]. {start}{unfold} decide_equation."
    steps = "".join(f"{each.step} " for each in growing)
    proof = f"{steps}sums_grow (Z.of_nat j). {unfold} rewrite L. decide_equation."
    yield f"  - intros j J. {forms.at_kinds(symbols, 'j', lambda key: proof, name='L', bullet='    +')}\nQed.\n"


@dataclass(frozen=True)
class Growing:
    """An explicit sum up to position m - 1 that the derivation does not have up to the last one: a function in Coq that
    grows by each summand."""

    symbol: sympy.Symbol
    lo: sympy.Expr
    body: Iverson
    last: sympy.Expr

    @property
    def window(self) -> list[sympy.Expr]:
        """The positions whose values may not be 0, where these are a few that end at a place of their own."""
        [(conditions, _)] = self.body.terms
        ranges = [bounds(condition) for condition in conditions if is_range(condition)]
        lows = [low for low, _ in ranges if low is not None]
        highs = [high for _, high in ranges if high is not None] or [self.last]
        size = sympy.expand(highs[0] - lows[0] + 1) if lows else None
        if size is None or not size.is_Integer or size > LONGEST_GAP:
            return []
        return [lows[0] + step for step in range(int(size))]

    def introduced(self, terms: Terms, let: str) -> Iterator[str]:
        name, lo = str(self.symbol), terms.integer(self.lo, ATOM)
        yield f"destruct (sum_over_grows {lo} ({let}fun j : Z => {terms.iverson(self.body)}))"
        yield f"  as ({name} & {name}_is & {name}_none & {name}_grows & {name}_at)."
        yield f"cbv beta zeta in {name}_is, {name}_grows, {name}_at."
        yield f"pose proof ({name}_none ({terms.integer(self.lo - 1)})%Z ltac:(lia))."
        if self.window:
            zero = f"rewrite {name}_is; apply sum_over_zero; intros j J; decide_equation"
            for place in (self.window[0] - 2, self.window[0] - 1):
                yield f"assert ({name} ({terms.integer(place)})%Z = 0) by ({zero})."

    def ended(self, terms: Terms) -> str:
        """Its values in the window, for where it has ended."""
        return "".join(f"pose proof ({self.symbol}_at ({terms.integer(place)})%Z). " for place in self.window)

    @property
    def step(self) -> str:
        return f"pose proof ({self.symbol}_grows (Z.of_nat j) ltac:(lia))."


def _named(forms: Forms, record: Record, so_far: Iverson) -> tuple[Iverson, tuple[Growing, ...]]:
    """The sum so far with the derivation's own explicit sums for those of the same body, and others of bodies that do
    not depend on where the sum ends: one over falling powers is reflected back."""
    vocabulary, growing = forms.derivation.vocabulary, list[Growing]()
    for total in record.sums.values():
        if total.symbol not in so_far.free_symbols:
            continue
        if (own := _own(forms, total)) is not None:
            so_far = substitute(so_far, {total.symbol: total.symbol - own.before})
            continue
        body, outer = total.body, sympy.S.One
        if m in body.free_symbols:
            body = vocabulary.settle(substitute(body, {j: total.lo + total.hi - j}))
            [(conditions, coefficient)] = body.terms
            outer, inner = sympy.expand_power_exp(coefficient).as_independent(j, as_Add=False)
            body = Iverson(((conditions, inner),))
        if m in body.free_symbols:
            raise Unwritten("an explicit sum of values that depend on where it ends")
        growing.append(Growing(sympy.Symbol(f"T{len(growing) + 1}", real=True), total.lo, body, vocabulary.last))
        so_far = substitute(so_far, {total.symbol: outer * growing[-1].symbol})
    return so_far, tuple(growing)


@dataclass(frozen=True)
class Own:
    """An explicit sum of the derivation; before: what it adds for the marker before the symbols, if it begins there."""

    total: ExplicitSum
    before: sympy.Expr = sympy.S.Zero


def _own(forms: Forms, total: ExplicitSum) -> Own | None:
    """The derivation's own explicit sum of the same values."""
    vocabulary = forms.derivation.vocabulary
    for each in forms.derivation.all_sums.values():
        if each.body == total.body and each.lo == total.lo:
            return Own(each)
        if each.body == total.body and each.lo == 0 and total.lo == vocabulary.first:
            match normalise(vocabulary.settle(substitute(each.body, {j: each.lo})), vocabulary.words()).terms:
                case ():
                    return Own(each)
                case ((conditions, value),) if not conditions:
                    return Own(each, value)
    return None


def _with_sums(forms: Forms, record: Record, growing: tuple[Growing, ...]) -> Terms:
    """The terms, with explicit sums up to the position before m."""
    explicit = dict(forms.terms.explicit)
    for symbol, total in record.sums.items():
        if (own := _own(forms, total)) is not None:
            explicit[symbol] = f"({forms.applied(own.total)} {forms.terms.integer(total.hi, ATOM)})"
    explicit |= {each.symbol: f"({each.symbol} (m - 1)%Z)" for each in growing}
    return Terms(forms.derivation.vocabulary, explicit)


def _relations(
    forms: Forms, closed_form: Iverson, growing: tuple[Growing, ...], terms: Terms, let: str
) -> Iterator[str]:
    """That the derivation's explicit sums in a closed form are multiples of those that grow, over falling positions."""
    vocabulary = forms.derivation.vocabulary
    for symbol, total in forms.derivation.all_sums.items():
        if symbol not in closed_form.free_symbols:
            continue
        for each in growing:
            reflected = vocabulary.settle(substitute(each.body, {j: total.lo + total.hi - j}))
            factor = _factor(total.body, reflected)
            if each.lo != total.lo or factor is None:
                continue
            hi, lo = terms.integer(total.hi, ATOM), terms.integer(total.lo, ATOM)
            name = f"{symbol}_{each.symbol}"
            yield (
                f"\n    assert ({name} : {forms.terms.explicit[symbol]} = "
                f"{let}{terms.real(factor, ATOM)} * {each.symbol} ({hi})%Z).\n"
                f"    {{ cbv zeta. rewrite {symbol}_is, {each.symbol}_is, (sum_over_reverse {lo} {hi}),\n"
                "        <- sum_over_scale. apply sum_over_ext. intros j J. decide_equation. }\n"
                f"    cbv zeta in {name}. "
            )
            break


def _factor(value: Iverson, other: Iverson) -> sympy.Expr | None:
    """What a value is a multiple of another one by, at every position; None if it is none."""
    if len(value.terms) != 1 or len(other.terms) != 1:
        return None
    [(conditions, above)], [(others, below)] = value.terms, other.terms
    factor = sympy.powsimp(sympy.simplify(sympy.expand_power_exp(above / below)))
    return factor if conditions == others and j not in factor.free_symbols else None

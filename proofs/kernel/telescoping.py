"""Sums over positions, proved by telescoping: the sum so far begins as it should, grows by each summand, and ends at
the closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms
from weightproof.proofs.kernel.partial_sums import partial_sum
from weightproof.proofs.kernel.terms import ATOM, Terms, m
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, substitute
from weightproof.symbolic.algebra.linear import form_of
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules.sums import collect


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
    terms = _with_sums(forms, record, so_far)
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
    upper = count
    if end is not None:
        upper = f"({count} - 1)"
        yield f"  rewrite (sum_last {count}) by lia. rewrite (kind_behind _ _ _ _ (Z.of_nat {upper})) by lia."
    unfold, first = f"unfold {', '.join(factors)}.", int(begin is not None)
    yield f"  rewrite (telescopes {first} {upper} _ (fun m => {let}{terms.iverson(so_far)})); cbv beta zeta."
    yield f"  - {unfold} decide_equation."
    yield "  - lia."
    start = "sums_grow 0%Z. rewrite (kind_before _ _ _ _ (Z.of_nat 0)) by lia. " if begin is not None else ""
    yield f"  - cbn [sum]. {start}{unfold} decide_equation."
    proof = f"sums_grow (Z.of_nat j). {unfold} rewrite L. decide_equation."
    yield f"  - intros j J. {forms.at_kinds(symbols, 'j', lambda key: proof, name='L', bullet='    +')}\nQed.\n"


def _with_sums(forms: Forms, record: Record, so_far: Iverson) -> Terms:
    """The terms, with explicit sums up to the position before m as the derivation's own of the same body."""
    explicit = dict(forms.terms.explicit)
    for symbol, total in record.sums.items():
        if symbol not in so_far.free_symbols:
            continue
        known = [each for each in forms.derivation.all_sums.values() if each.body == total.body]
        before = [list(range(int(each.lo), int(total.lo))) for each in known if (total.lo - each.lo).is_Integer]
        if not known or not before or known[0].lo > total.lo:
            raise Unwritten("an explicit sum up to a position that is another one than up to the last")
        here = f"{forms.applied(known[0])} {forms.terms.integer(total.hi, ATOM)}"
        settle = forms.derivation.vocabulary.settle
        markers = sum((settle(substitute(total.body, {j: sympy.Integer(q)})) for q in before[0]), ZERO)
        explicit[symbol] = f"({here} - ({forms.terms.iverson(markers)}))" if markers.terms else f"({here})"
    return Terms(forms.derivation.vocabulary, explicit)

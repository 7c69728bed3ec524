"""Scales of normalised rows in the last step of a proof in Coq: positive numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms
from weightproof.proofs.kernel.norms import (
    Scale,
    cases_of_scales,
    in_sums,
    known_scales,
    of_last_norm,
    scales_of_all_words,
    squares_by_name,
)
from weightproof.proofs.kernel.subjects import OR, either
from weightproof.proofs.kernel.terms import scale_name
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.algebra.vocabulary import i
from weightproof.symbolic.derivation import Derivation


def positive_scales(derivation: Derivation) -> Iterator[str]:
    """The scales as variables, that they are positive, and the tactic that says so of those in a goal."""
    forms = Forms(derivation, "")
    if not _of_all_words(forms):
        return
    for scale in _of_all_words(forms):
        yield f"Variable {scale_name(scale)} : {'Z -> ' * scale.has(i)}R."
    known, compared = scales_of_all_words(forms), in_sums(forms)
    squares = squares_by_name(forms, forms.terms)
    for each in known:
        yield f"Hypothesis {each.label.format('positive')} : {each.stated}."
    for name, of_i in dict.fromkeys((each.name, each.of_i) for each in compared):
        yield f"Definition {name}square{' (i : Z)' * of_i} : R := {squares[name]}."
    for each in compared:
        yield f"Hypothesis {each.label.format('squared')} : {each.squared(each.known('i'))}."
    by_name = dict[str, list[Scale]]()
    for each in compared:
        by_name.setdefault(each.name, []).append(each)
    for name, found in by_name.items():
        yield from _at_all_positions(forms, name, found)
    cases = [f"|- context [{name} ?q] => known_positive ({name} q); {_is_known(name, 'q')}" for name in by_name]
    cases += cases_of_scales(each for each in known if each.name not in by_name)
    yield from known_scales(":=", cases)


def _of_all_words(forms: Forms) -> list[sympy.Expr]:
    """The scales that there are on all words."""
    sign = forms.of_sign
    return [scale for scale in forms.derivation.scales if sign is None or scale != sign.scale]


def _is_known(name: str, place: str) -> str:
    return f"pose proof (proj1 ({name}known {place} ltac:(lia) ltac:(lia)))"


def _at_all_positions(forms: Forms, name: str, found: list[Scale]) -> Iterator[str]:
    """The lemma of what is known of a scale, at whatever position."""
    if not found[0].of_i or {each.kind for each in found} != set(forms.kinds.values()):
        raise Unwritten(f"the scale {name}, which not all positions have")
    yield f"Lemma {name}known q : (0 <= q)%Z -> (q <= n - 1)%Z ->"
    yield f"  0 < {name} q /\\ {name} q * {name} q * {name}square q = 1."
    yield "Proof.\n  intros B D. facts. pose proof (token_facts _ _ _ _ _ _ _ marked ltac:(lia) q)."
    places = {BEFORE: "q = 0", BEHIND: "q = n - 1"}
    cases = [f"({places.get(each.kind, f'token q = {each.kind}')})%Z" for each in found]
    yield f"  assert (cases : {OR.join(cases)}) by lia."
    yield f"  {either('cases', 'K', len(cases))}."
    for each in found:
        facts = tuple(each.label.format(fact) for fact in ("positive", "squared"))
        if each.kind in places:
            yield f"  - subst q. exact (conj {facts[0]} {facts[1]})."
        else:
            yield f"  - split; [apply {facts[0]}|apply {facts[1]}]; rewrite kind_symbol by lia; exact K."
    yield "Qed."


@dataclass(frozen=True)
class Named:
    """The scales and what is known of them, by name, as the theorem of closed forms has found them, and as that of the
    last step asks for them; last: the scale of a norm that may have no value, and what is known where it has one."""

    found: tuple[str, ...]
    asked: tuple[str, ...]
    last: tuple[str, ...]


def known_by_name(derivation: Derivation) -> Named:
    """The names of a derivation's scales, and of what is known of them."""
    forms = Forms(derivation, "")
    known = [each.label.format("positive") for each in scales_of_all_words(forms)]
    known += [each.label.format("squared") for each in in_sums(forms)]
    found = tuple(scale_name(each) for each in forms.named if each in derivation.scales)
    last = [(each.name, *map(each.label.format, ("positive", "squared"))) for each in of_last_norm(forms)]
    asked = (*map(scale_name, _of_all_words(forms)), *known)
    return Named((*found, *known), asked, last[0] if last else ())

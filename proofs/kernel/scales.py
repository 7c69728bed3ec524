"""Scales of normalised rows in the last step of a proof in Coq: positive numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weightproof.proofs.kernel.forms import Forms
from weightproof.proofs.kernel.norms import scales
from weightproof.proofs.kernel.terms import scale_name
from weightproof.symbolic.algebra.vocabulary import i
from weightproof.symbolic.derivation import Derivation


def known_scales(derivation: Derivation) -> Iterator[str]:
    """The scales as variables, that they are positive, and the tactic that says so of those in a goal."""
    if not derivation.scales:
        return
    for scale in derivation.scales:
        yield f"Variable {scale_name(scale)} : {'Z -> ' * scale.has(i)}R."
    known = scales(Forms(derivation, ""))
    for each in known:
        yield f"Hypothesis {each.label.format('positive')} : {each.stated}."
    cases = "\n".join(each.case for each in known)
    yield f"Ltac known_scales := repeat match goal with\n{cases} end."


@dataclass(frozen=True)
class Named:
    """The scales and what is known of them, by name, as the theorem of closed forms has found them, and as that of the
    last step asks for them."""

    found: tuple[str, ...]
    asked: tuple[str, ...]


def known_by_name(derivation: Derivation) -> Named:
    """The names of a derivation's scales, and of what is known of them."""
    forms = Forms(derivation, "")
    positive = tuple(each.label.format("positive") for each in scales(forms))
    found = tuple(scale_name(each) for each in forms.named if each in derivation.scales)
    return Named((*found, *positive), (*map(scale_name, derivation.scales), *positive))

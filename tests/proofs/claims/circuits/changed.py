"""Statements about decoders for circuits with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import get_args

from weightproof.constructions.claims.circuits import Carries, Circuital, Phase, Place
from weightproof.constructions.library import CIRCUITS
from weightproof.constructions.scalars.expressions import Expression

CHOICES: Mapping[str, tuple[object, ...]] = {
    "family": tuple(CIRCUITS),
    "op": ("==", "<=", ">="),
    "products": ("first", "second", "each"),
    "address": ("a", "b"),
    "of": ("score", "power"),
    "layer": (1, 2),
    "least": (1, 2, 3, 4),
}


def changed(said: Circuital) -> Iterator[Circuital]:
    """Each formula 1 more, negated, or with another name; each number 1 more or less; each choice another one."""
    for field in fields(said):
        value = getattr(said, field.name)
        for other in _others(field.name, value):
            yield replace(said, **{field.name: other})
    if isinstance(said, Carries):
        for place in said.places:
            if place.layer:
                moved = replace(place, layer=3 - place.layer)
                yield replace(said, places=tuple(moved if each == place else each for each in said.places))
            if place.part in ("input", "attended", "output"):
                yield replace(said, places=(*said.places, Place("embedded")))


def _others(name: str, value: object) -> Iterator[object]:
    match value:
        case Expression():
            yield from _formulas(value)
        case Mapping():
            for row, formula in value.items():
                for other in _formulas(formula):
                    yield {**value, row: other}
        case int() | str() if name in CHOICES:
            yield from (other for other in CHOICES[name] if other != value)
        case int():
            yield from (value - 1, value + 1)
        case tuple() if name == "phases":
            for phase in get_args(Phase):
                rest = tuple(each for each in value if each != phase)
                yield rest if phase in value else (*value, phase)
        case tuple() if name == "of":
            yield from (tuple(each for each in value if each != one) for one in value if len(value) > 1)


def _formulas(formula: Expression) -> Iterator[str]:
    if any(op in formula.source for op in ("==",)):
        left, _, right = formula.source.partition("==")
        yield from (f"{left} == {right} + 1", f"{left} != {right}")
        return
    if ">=" in formula.source:
        left, _, right = formula.source.partition(">=")
        yield from (f"{left} <= {right}", f"{left} >= -({right})", f"{left} >= {right} + 1")
        return
    yield from (f"({formula}) + 1", f"-({formula})")
    for name, other in (("x_a", "x_b"), ("x_b", "x_a"), ("a_j", "b_j"), ("id_j", "a_j"), ("B", "1"), ("y", "x")):
        if name in formula.names:
            yield formula.source.replace(name, other)

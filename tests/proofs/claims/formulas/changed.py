"""Statements about formulas with one thing changed: a number, a sign, a comparison, a size, a factor, a function."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from tests.controls.mutants import changes
from weightproof.constructions.claims.formulas import (
    Factorials,
    Formulaic,
    Heads,
    Needs,
    Peak,
    Place,
    Plus,
    Role,
    Sizes,
    Takes,
    Times,
    Transposed,
    Tree,
    Wave,
    Waves,
)
from weightproof.constructions.scalars.expressions import Expression


def changed(said: Formulaic) -> Iterator[Formulaic]:
    """Every single change, each once."""
    seen = [repr(said)]
    for mutant in _changed(said):
        if repr(mutant) not in seen:
            seen.append(repr(mutant))
            yield mutant


def _changed(said: Formulaic) -> Iterator[Formulaic]:
    for field in dataclasses.fields(said):
        for value in _values(getattr(said, field.name), field.name):
            yield _with(said, field.name, value)
    match said:
        case Peak(modulus=modulus):
            yield Peak(modulus - 1, said.without)
            yield Peak(modulus, (1, *said.without))
        case Needs(component=component, role=role):
            yield from (Needs(component, other) for other in get_args(Role) if other != role)
        case Takes(of=of):
            yield from (_with(said, "of", other) for other in get_args(Place) if other != of)


def _with(said: Any, name: str, value: object) -> Any:
    other = copy.copy(said)
    object.__setattr__(other, name, value)
    return other


def _values(value: object, name: str) -> Iterator[object]:
    match value:
        case Expression(source="0 == 0"):  # no condition
            return
        case Expression():
            yield from (formula for _, formula in changes(value, ()))
        case Factorials():
            yield from _factorials(value)
        case Sizes() | Times() | Plus() | Transposed() | Heads():
            yield from _sizes(value) if isinstance(value, Sizes) else _trees(value)
        case Mapping():
            for key, each in value.items():
                if isinstance(each, str):
                    continue
                parts = _parts(each) if dataclasses.is_dataclass(each) and not isinstance(each, Expression) else None
                for other in _values(each, name) if parts is None else parts:
                    yield {**value, key: other}
        case (_, *_) if name in ("left", "right"):
            yield from _waves(value)  # type: ignore[arg-type]
        case (_, *_) if name == "trees":
            for place, tree in enumerate(value):
                for other in _trees(tree):  # type: ignore[arg-type]
                    yield (*value[:place], other, *value[place + 1 :])
        case (_, _, *_) if name in ("allowed", "growing"):
            for place in range(len(value)):
                yield (*value[:place], *value[place + 1 :])


def _factorials(weight: Factorials) -> Iterator[Factorials]:
    for name, part in (("over", weight.over), ("under", weight.under)):
        for place, each in enumerate(part):
            before, behind = part[:place], part[place + 1 :]
            others = [(formula,) for formula in (f"{each} + 1", f"{each} - 1", "s", "h", "h - s")]
            for other in ((), *others):
                yield _with(weight, name, Factorials((*before, *other, *behind)).over)


def _parts(defined: Any) -> Iterator[object]:
    """Of what a name is defined as."""
    for field in dataclasses.fields(defined):
        for value in _values(getattr(defined, field.name), field.name):
            yield _with(defined, field.name, value)
    if hasattr(defined, "mean"):
        yield _with(defined, "mean", not defined.mean)


def _sizes(sizes: Sizes) -> Iterator[Sizes]:
    for name, size in sizes.of.items():
        yield Sizes({**sizes.of, name: tuple(reversed(size))}, sizes.where)
        yield Sizes({**sizes.of, name: (*size[:-1], f"({size[-1]}) + 1")}, sizes.where)
    if sizes.where:
        yield Sizes(sizes.of)


def _trees(tree: Tree) -> Iterator[Tree]:
    match tree:
        case str():
            yield Transposed(tree)
        case Transposed(of=of):
            yield of
        case Heads(of=of, how_many=how_many, put=put):
            yield Heads(of, how_many, "sum" if put == "beside" else "beside")
            yield of
            for other in _trees(of):
                yield Heads(other, how_many, put)
        case Times(factors=parts) | Plus(terms=parts):
            for place, part in enumerate(parts):
                if len(parts) > 1:
                    yield type(tree)(*parts[:place], *parts[place + 1 :])
                for other in _trees(part):
                    yield type(tree)(*parts[:place], other, *parts[place + 1 :])


def _waves(waves: Waves) -> Iterator[Waves]:
    for place, (coefficient, product) in enumerate(waves):
        before, behind = waves[:place], waves[place + 1 :]
        yield (*before, *behind)
        yield (*before, (-coefficient, product), *behind)
        for number, wave in enumerate(product):
            others = [Wave("sin" if wave.function == "cos" else "cos", **wave.angles)]
            others += [Wave(wave.function, **{**wave.angles, name: -k}) for name, k in wave.angles.items()]
            others += [Wave(wave.function, **{**wave.angles, name: k + 1}) for name, k in wave.angles.items()]
            for other in others:
                yield (*before, (coefficient, (*product[:number], other, *product[number + 1 :])), *behind)

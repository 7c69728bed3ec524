"""The theorems that are stated: of the built-in constructions, and of some of them after transformations."""

from __future__ import annotations

import importlib

from weightproof.constructions.library import load, module_of, names, predictors
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.transforms.chosen import transformed
from weightproof.proofs.theorem import Margin, Theorem, Transformed


def theorems_of(name: str) -> tuple[Theorem, ...]:
    """The theorems about a built-in construction; InputError if there is none of that name."""
    module = importlib.import_module(f"weightproof.proofs.theorems.{module_of(name)}")
    theorems: tuple[Theorem, ...] = module.theorems
    return theorems


TRANSFORMED = ("chiang2022.layer_norm", "chiang2022.log_length", "chiang2022.sharpened", "nowak2022.layer_norm")
"""The theorem files about transformed constructions."""


def of_transformed() -> tuple[Transformed, ...]:
    """The theorems about transformed constructions, in the order of their files."""
    modules = (importlib.import_module(f"weightproof.proofs.theorems.{name}") for name in TRANSFORMED)
    return tuple(each for module in modules for each in module.theorems)


def stated() -> dict[str, tuple[Construction, tuple[Theorem, ...]]]:
    """All constructions with theorems, by name: the built-in ones, and then transformed ones."""
    found = {name: (load(name), theorems_of(name)) for name in (*names(), *predictors())}
    for each in of_transformed():
        construction = transformed(load(each.named), each.asked)
        found[construction.name] = construction, each.theorems
    return found


def margins_of(name: str) -> tuple[Margin, ...]:
    """The margins that are stated of a built-in construction; InputError if there is none of that name."""
    return tuple(theorem for theorem in theorems_of(name) if isinstance(theorem, Margin))

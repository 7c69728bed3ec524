"""The experiments that are built in, by name. A paper's stand in a folder of its own, which lists their files."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from weightproof.constructions.meaning.inputs import InputError
from weightproof.numeric import learning
from weightproof.numeric.learning.experiment import AnyExperiment


@cache
def experiments() -> dict[str, AnyExperiment]:
    """All of them, in the order of papers and of files."""
    found: list[AnyExperiment] = []
    for paper in pkgutil.iter_modules(learning.__path__):
        if paper.ispkg:
            place = f"{learning.__name__}.{paper.name}"
            for file in pkgutil.iter_modules(importlib.import_module(place).__path__):
                found.extend(importlib.import_module(f"{place}.{file.name}").experiments)
    return {each.name: each for each in found}


def experiment(name: str) -> AnyExperiment:
    """That of the name; InputError where there is none."""
    if name not in experiments():
        raise InputError(f"no experiment is called {name!r}; there are: {', '.join(experiments())}")
    return experiments()[name]

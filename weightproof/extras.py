"""What the program is installed with, and what can be installed beside it: which library adds what, by which extra."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from weightproof.constructions.meaning.inputs import InputError


@dataclass(frozen=True)
class Library:
    """name: as pip calls it; module: as Python imports it; adds: what works with it; extra: what installs it, "" where
    every installation has it."""

    name: str
    module: str
    adds: str
    extra: str = ""


LIBRARIES = (
    Library("python-flint", "flint", "exact numbers"),
    Library("sympy", "sympy", "derivations"),
    Library("z3-solver", "z3", "proofs: the first solver"),
    Library("cvc5", "cvc5", "proofs: the second solver"),
    Library("torch", "torch", "run --dtype, precision, learn, import, export of rounded weights", "numeric"),
    Library("safetensors", "safetensors", "import; export --to safetensors and transformer-lens", "numeric"),
    Library("matplotlib", "matplotlib", "run --picture", "pictures"),
    Library("onnx", "onnx", "export --to onnx", "exports"),
    Library("latex2mathml", "latex2mathml", "site: formulas of its pages", "site"),
    Library("mkdocs-material", "material", "site: the manual", "site"),
    Library("mkdocstrings-python", "mkdocstrings_handlers", "site: the manual, what Python has", "site"),
    Library("distributed", "distributed", "--scheduler: the workers of a Dask cluster", "cluster"),
)


def install(library: Library) -> str:
    """The command that installs it."""
    return f"pip install '{f'weightproof[{library.extra}]' if library.extra else library.name}'"


def require(name: str) -> None:
    """InputError, with the command that installs it, where a library of an extra is not there."""
    library = next(each for each in LIBRARIES if each.name == name)
    if importlib.util.find_spec(library.module) is None:
        raise InputError(_missing(library))


@contextmanager
def told() -> Iterator[None]:
    """InputError, with the command that installs it, where the block imports a library that is not there. Any other
    module that is not there is a fault, and stays one."""
    try:
        yield
    except ModuleNotFoundError as error:
        root = (error.name or "").partition(".")[0]
        library = next((each for each in LIBRARIES if each.module == root), None)
        if library is None:
            raise
        raise InputError(_missing(library)) from error


def _missing(library: Library) -> str:
    return f"{library.name} is not installed, which this needs ({library.adds}); run: {install(library)}"

"""The house of DESIGN.md: which package may import which, that the machinery knows no construction, and file sizes."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from constructions.library import BUILT_IN

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "constructions": {"constructions"},
    "symbolic": {"symbolic", "constructions"},
    "proofs": {"proofs", "symbolic", "constructions"},
    "numeric": {"numeric", "constructions"},
    "weightproof": {"weightproof", "numeric", "proofs", "symbolic", "constructions"},
}
MODULES = {module for module, _ in BUILT_IN.values()}
ENGLISH = {"first", "one"}
"""Names that are also ordinary words, of a field or a sentence; for them only imports and look-ups are searched."""
LONGEST = 400


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(tree: ast.AST, package: str = "") -> Iterator[str]:
    """Every imported module, wherever the import stands; relative ones belong to the package."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                start = ".".join(part for part in (package if level else "", module) if part)
                yield from (f"{start}.{alias.name}" for alias in names)
            case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"), args=[name, *_]):
                yield ast.unparse(name).lstrip("f'\"")


def texts(tree: ast.AST) -> Iterator[str]:
    """Every identifier and every string that is no docstring."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) not in docstrings:
            for _, value in ast.iter_fields(node):
                yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))


def looked_up(tree: ast.AST) -> Iterator[str]:
    """The literal keys of load("NAME") and BUILT_IN["NAME"]."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="load") | ast.Attribute(attr="load"), args=[ast.Constant(value=str(name))]):
                yield name
            case ast.Subscript(value=ast.Name(id="BUILT_IN"), slice=ast.Constant(value=str(name))):
                yield name


def test_the_searches_find_what_they_look_for() -> None:
    source = '''
"""parity in a docstring"""
import symbolic.sums
def f(dyck1, x=("one palindrome", f"{x} first-one-layer")):
    "parity again"
    from proofs import close
    from . import sums
    importlib.import_module(f"numeric.{x}")
    load("one"), BUILT_IN["first"]
'''
    tree = ast.parse(source)
    assert set(imports(tree, "symbolic")) == {"symbolic.sums", "proofs.close", "numeric.{x}'"}
    words = {word for text in texts(tree) for word in re.findall(r"[\w-]+", text)}
    assert {"dyck1", "palindrome", "first-one-layer", "first"} <= words
    assert "parity" not in words
    assert set(looked_up(tree)) == {"one", "first"}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_arrows_point_one_way(package: str) -> None:
    for path in files(package):
        found = {name.split(".")[0] for name in imports(ast.parse(path.read_text()), package)}
        assert found & MAY_IMPORT.keys() <= MAY_IMPORT[package], path


def test_the_data_need_the_standard_library_and_flint_alone() -> None:
    for path in files("constructions"):
        found = {name.split(".")[0] for name in imports(ast.parse(path.read_text()), "constructions")}
        assert found <= {*sys.stdlib_module_names, "flint", "constructions"}, path


MACHINERY = [
    path
    for package in ("symbolic", "numeric", "proofs", "weightproof")
    for path in files(package)
    if path.parent.name != "theorems"
]


@pytest.mark.parametrize("path", MACHINERY, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_machinery_knows_no_construction(path: Path) -> None:
    tree = ast.parse(path.read_text())
    words = {word for text in texts(tree) for word in re.findall(r"[\w-]+", text)}
    assert words & ({*BUILT_IN, *MODULES} - ENGLISH) == set()
    assert set(looked_up(tree)) == set()
    modules = {".".join(name.split(".")[:2]) for name in imports(tree)}
    assert (
        modules & {f"{package}.{module}" for package in ("constructions", "proofs.theorems") for module in MODULES}
        == set()
    )


def test_there_is_machinery() -> None:
    assert {path.parent.name for path in MACHINERY} >= {"symbolic", "proofs", "weightproof"}


def test_no_file_is_long() -> None:
    paths = [path for folder in (*MAY_IMPORT, "tests", "benchmarks") for path in files(folder)]
    long = {str(path.relative_to(ROOT)) for path in paths if len(path.read_text().splitlines()) > LONGEST}
    assert long == set()

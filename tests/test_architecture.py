"""The house of DESIGN.md: who may import whom, no circles, and a machinery that knows no construction."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.places import ROOT
from weightproof.constructions.library import (
    ADDERS,
    APART,
    AS_PRINTED,
    BUILT_IN,
    CIRCUITS,
    CONTEST,
    COUNTERS,
    FAMILIES,
    FORMULAS,
    MACHINE_NETWORK,
    PREDICTORS,
    RECIPES,
    TRAINED,
)
from weightproof.constructions.scalars import exact

MAY_IMPORT = {
    "constructions": {"constructions"},
    "symbolic": {"symbolic", "constructions"},
    "proofs": {"proofs", "symbolic", "constructions"},
    "numeric": {"numeric", "constructions"},
    "weightproof": {"weightproof", "numeric", "proofs", "symbolic", "constructions"},
}
MADE = (
    *(made for group in (FAMILIES, AS_PRINTED, CIRCUITS, ADDERS, COUNTERS, FORMULAS) for made in group.values()),
    MACHINE_NETWORK,
)
NAMED = BUILT_IN | PREDICTORS | APART | CONTEST | RECIPES | TRAINED
PAPERS = {module.split(".")[0] for module, _ in (*NAMED.values(), *MADE)}
MODULES = {module.split(".")[-1] for module, _ in NAMED.values()}
ENGLISH = {"first", "one", "ordered"}
"""Names that are also ordinary words, of a field or a sentence; for them only imports and look-ups are searched."""
LONGEST = 800
"""Lines of a file."""


def files(folder: str) -> list[Path]:
    """The Python files of a room; its links to the other rooms are theirs."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    return [path for path in paths if path.resolve() == path.absolute()]


def module(path: Path) -> str:
    """As the rooms are named in the repository: constructions.meaning.schema."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, package: str = "") -> Iterator[str]:
    """Every imported module, wherever the import stands; relative ones belong to the package."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=name, names=names, level=level):
                start = ".".join(part for part in (package if level else "", name) if part)
                yield from (f"{start}.{alias.name}" for alias in names)
            case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"), args=[name, *_]):
                yield ast.unparse(name).lstrip("f'\"")


def ours(tree: ast.AST, package: str = "") -> Iterator[str]:
    """The imports of what is ours, named as in the repository."""
    for name in imports(tree, package):
        if name.split(".")[0] == "weightproof":
            room = name.removeprefix("weightproof.")
            yield room if room.split(".")[0] in MAY_IMPORT else name


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


def circle(arrows: Mapping[str, Set[str]]) -> list[str]:
    """A circle of arrows, empty where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_searches_find_what_they_look_for() -> None:
    source = '''
"""parity in a docstring"""
import weightproof.symbolic.rules.sums
def f(dyck1, x=("one palindrome", f"{x} first-one-layer")):
    "parity again"
    from weightproof.proofs import close
    from weightproof import cli
    from . import sums
    importlib.import_module(f"weightproof.numeric.{x}")
    load("one"), BUILT_IN["first"]
'''
    tree = ast.parse(source)
    assert set(ours(tree)) == {"symbolic.rules.sums", "proofs.close", "numeric.{x}'", "weightproof.cli"}
    assert "symbolic.sums" in set(imports(tree, "symbolic"))
    words = {word for text in texts(tree) for word in re.findall(r"[\w-]+", text)}
    assert {"dyck1", "palindrome", "first-one-layer", "first"} <= words
    assert "parity" not in words
    assert set(looked_up(tree)) == {"one", "first"}
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}}) == []


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_point_one_way(room: str) -> None:
    assert files(room)
    for path in files(room):
        tree = ast.parse(path.read_text())
        assert {name.split(".")[0] for name in ours(tree)} <= MAY_IMPORT[room], path
        others = {name.split(".")[0] for name in imports(tree, room)}
        assert not others & (MAY_IMPORT.keys() - {"weightproof"}), path  # a second copy of what is imported


def test_there_is_no_circle() -> None:
    """Neither between files nor between folders; a file that stands in a room itself counts as one."""
    known = {module(path): path for room in MAY_IMPORT for path in files(room)}
    arrows: dict[str, set[str]] = {}
    for name, path in known.items():
        named = set(ours(ast.parse(path.read_text())))
        arrows[name] = {n if n in known else n.rpartition(".")[0] for n in named} & known.keys() - {name}
    assert any(arrows.values())
    assert circle(arrows) == []

    def folder(name: str) -> str:
        parts = name.split(".")
        return name if len(parts) <= 2 or known[name].name == "__init__.py" else ".".join(parts[:-1])

    between: dict[str, set[str]] = {}
    for name, others in arrows.items():
        between.setdefault(folder(name), set()).update({folder(other) for other in others} - {folder(name)})
    assert circle(between) == []


MEANING = 2_570
"""Lines from which it follows what a network of any kind computes, and an object that it is made of or simulates."""
ARITHMETIC = 609
"""Lines that compute with exact numbers, beside these: of what they answer the meaning says only that it is true, as of
exp that it is the power of e. Who trusts a run trusts them, too."""
COMPUTE = {"constructions.scalars.cosines", "constructions.scalars.irrational"}
KINDS = ("meaning.interpreter", "circuits.circuit", "machines.rnn", "machines.simulation", "machines.turing")
KINDS += ("modular.addition", "modular.counting")


def test_what_a_referee_reads_is_short_and_checks_nothing() -> None:
    known = {module(path): path for path in files("constructions")}
    todo, read = {f"constructions.{kind}" for kind in KINDS}, set[str]()
    while todo:
        name = todo.pop()
        read.add(name)
        named = set(ours(ast.parse(known[name].read_text())))
        todo |= ({n if n in known else n.rpartition(".")[0] for n in named} & known.keys()) - read
    assert "constructions.meaning.interpreter" in read
    assert not any(name.startswith("constructions.checks") for name in read)
    assert sum(len(known[name].read_text().splitlines()) for name in read) <= MEANING
    registered = {kind.__module__ for kind in exact.RealForm.__subclasses__()}
    for function in (
        exact.exp,
        exact.log,
        exact.sqrt,
        exact.tanh,
        exact.erf,
        exact.cos,
        exact.sin,
        exact.cosine,
        exact.pi_times,
    ):
        registered |= {body.__module__ for kind, body in function.registry.items() if kind is not object}
    assert {name.removeprefix("weightproof.") for name in registered} == COMPUTE
    assert read & COMPUTE == set()
    assert sum(len(known[name].read_text().splitlines()) for name in COMPUTE) <= ARITHMETIC


def test_the_data_need_the_standard_library_and_flint_alone() -> None:
    """But for the files of machines, which are YAML, and regular expressions, of which automata-lib makes automata."""
    beside = {"constructions/machines/files.py": {"yaml"}, "constructions/circuits/regular.py": {"automata"}}
    for path in files("constructions"):
        found = {name.split(".")[0] for name in imports(ast.parse(path.read_text()), "constructions")}
        others = beside.get(str(path.relative_to(ROOT)), set())
        assert found <= {*sys.stdlib_module_names, "flint", "weightproof", *others}, path


MACHINERY = [
    path
    for room in MAY_IMPORT
    for path in files(room)
    if not {*path.relative_to(ROOT).parts} & PAPERS and path != ROOT / "constructions" / "library.py"
]


def test_the_machinery_knows_no_construction() -> None:
    for path in MACHINERY:
        tree = ast.parse(path.read_text())
        words = {word for text in texts(tree) for word in re.findall(r"[\w-]+", text)}
        assert words & ({*NAMED, *MODULES} - ENGLISH) == set(), path
        assert set(looked_up(tree)) == set(), path
        assert {part for name in ours(tree) for part in name.split(".")} & PAPERS == set(), path


def test_there_is_machinery() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MACHINERY} == MAY_IMPORT.keys()


def test_no_file_is_long() -> None:
    paths = [path for room in (*MAY_IMPORT, "tests", "benchmarks") for path in files(room)]
    long = {str(path.relative_to(ROOT)) for path in paths if len(path.read_text().splitlines()) > LONGEST}
    assert long == set()


def test_every_benchmark_is_still_one() -> None:
    """They are run by hand, hours apart; that their imports hold is seen here."""
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "benchmarks"]
    collected = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True)
    assert collected.returncode == 0, collected.stdout

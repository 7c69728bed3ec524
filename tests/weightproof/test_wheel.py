"""The wheel: one name at the top level, every room in it as real files, and nothing else; it works far from here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.places import ROOT
from weightproof.constructions.library import names, predictors
from weightproof.constructions.machines.files import SHIPPED

pytestmark = pytest.mark.xdist_group("wheel")
ROOMS = ("constructions", "symbolic", "proofs", "numeric")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "results", "pictures")
BUILD = ("pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index")
ELSEWHERE = """
import sys
import weightproof as wp
from weightproof.website.manual.building import manual

assert wp.prove("first-one-layer")["recognises"].as_expected
assert wp.claims("first-one-layer").data["claims"]
assert wp.Transformer(wp.load("one")).logits(["01"])[0] > 0
assert not manual()  # its pages are in a checkout
print(*(module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "weightproof"), sep="\\n")
"""


def checkout(folder: Path) -> Path:
    """A copy, in which no earlier build has left anything."""
    copy = folder / "weightproof"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=LEFT_OUT)
    return copy


def built_of(source: Path, folder: Path) -> Path:
    """The wheel, built without the network."""
    subprocess.run([sys.executable, "-m", *BUILD, "--wheel-dir", str(folder), str(source)], check=True, cwd=folder)
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_of(checkout(tmp_path_factory.mktemp("copy")), tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def held_by(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_a_checkout_without_links_makes_the_same_by_way_of_a_source_archive(wheel: Path, tmp_path: Path) -> None:
    """On some systems, and in an archive of the repository, a link is a small file with the path in it."""
    copy = checkout(tmp_path)
    for room in ROOMS:
        link = copy / "weightproof" / room
        path = link.readlink()
        link.unlink()
        link.write_text(str(path))
    for folder in ("archive", "unpacked", "built"):
        (tmp_path / folder).mkdir()
    pack = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path / 'archive')!r})"
    subprocess.run([sys.executable, "-c", pack], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    [archive] = (tmp_path / "archive").iterdir()
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    [source] = (tmp_path / "unpacked").iterdir()
    assert held_by(built_of(source, tmp_path / "built")) == held_by(wheel)


def test_everything_of_ours_is_in_it_under_one_name(wheel: Path) -> None:
    held = held_by(wheel)
    rooms = {
        path
        for room in ROOMS
        for kind in ("*.py", "*.yaml", "*.aag", "*.cr", "*.v", "checked.json")
        for path in (ROOT / room).rglob(kind)
    }
    own = (
        path
        for kind in (
            "*.py",
            "schemas/*.json",
            "website/shipped/*",
            "website/manual/*.yml",
            "website/manual/theme/*",
        )
        for path in (ROOT / "weightproof").rglob(kind)
    )
    front = {path for path in own if path.resolve() == path.absolute()}
    expected = {f"weightproof/{path.relative_to(ROOT)}" for path in rooms}
    expected |= {str(path.relative_to(ROOT)) for path in front} | {"weightproof/py.typed"}
    assert len(rooms) > 100
    assert held == expected


def elsewhere(unpacked: Path, folder: Path, *arguments: str) -> list[str]:
    """What Python prints in another folder, with the unpacked wheel in front of what is installed."""
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    result = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.splitlines()


def test_it_works_in_another_folder(unpacked: Path, tmp_path: Path) -> None:
    listed = elsewhere(unpacked, tmp_path, "-m", "weightproof", "list")
    for expected in (names(), predictors(), SHIPPED):  # tables with an empty line behind each
        assert [line.split()[0] for line in listed[1 : listed.index("")]] == list(expected)
        listed = listed[listed.index("") + 1 :]
    files = elsewhere(unpacked, tmp_path, "-c", ELSEWHERE)
    assert len(files) > 100
    assert {Path(file).relative_to(unpacked).parts[0] for file in files} == {"weightproof"}


def test_its_command_is_the_front_door(unpacked: Path) -> None:
    [folder] = unpacked.glob("*.dist-info")
    assert "weightproof = weightproof.__main__:main" in (folder / "entry_points.txt").read_text()

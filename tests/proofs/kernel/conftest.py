"""What every proof rests on, compiled: it takes half a minute, and once is enough for all processes of a run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from weightproof.constructions.library import load
from weightproof.proofs.kernel.coq import check
from weightproof.proofs.kernel.development import development
from weightproof.proofs.theorem import Decides, theorems_of


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """For all processes of a run; each waits for a file that another one compiles."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if hasattr(request.config, "workerinput") else own) / "compiled"
    folder.mkdir(exist_ok=True)
    recognises = next(each for each in theorems_of("one") if isinstance(each, Decides))
    check(development(load("one"), recognises), folder)
    return folder


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> Path:
    """A folder of a module's own with it, where it need not be compiled again."""
    folder = tmp_path_factory.mktemp("kernel") / "library"
    shutil.copytree(compiled, folder)
    return folder

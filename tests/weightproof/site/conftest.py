"""A small site, built once: networks of each kind of readout, one that no page runs, and the report of one paper."""

from __future__ import annotations

import pytest

from tests.support.places import ROOT
from weightproof.website.building import Site, built_of

SUBJECTS = (
    "one",
    "first-one-layer",
    "palindrome-isometric",
    "dyck1-depth-margin",
    "noisy-majority-silent-2",
    "full-adder",
    "modular-addition-uncorrected",
    "one --with sharpen",
    "first-one-layer --with fix:c=1 --with scale-attention-by-log-length",
)
PAPERS = ("bhattamishra2020",)
ROWS = (ROOT / "benchmarks" / "results" / "precision-cpu.json",)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return built_of(SUBJECTS, PAPERS, tmp_path_factory.mktemp("site"), ROWS)

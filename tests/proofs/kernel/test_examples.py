"""Networks that are not of the library, small ones and those that the authors of papers published: Coq checks them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.weightproof.imports.published import PUBLISHED
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.prove import proofs
from weightproof.proofs.verdict import Checked, Evidence, Folders, Proved, Refuted

EXAMPLES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "examples").rglob("*.py"))}
TIMEOUT = 900
"""Seconds for one of them, on a machine that does other work, too."""
pytestmark = [
    pytest.mark.controls,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed"),
]


def checked(construction: Construction, library: Path) -> str | None:
    """Why Coq has not checked the first theorem that it has not checked, if there is one."""
    for proof in proofs(construction, timeout=TIMEOUT, folders=Folders(kernel=library)):
        found, verdict = proof.result.kernel, proof.result.verdict
        if not isinstance(found, Checked):
            return str(found)
        assert isinstance(verdict, Proved | Refuted)
        assert verdict.evidence is Evidence.KERNEL
    return None


OPEN = {
    "chiang-parity-layernorm": "not written: a power of e with the exponent",
    "nowak-palindrome": "not written: an invariant of sums",
}
"""Those that do not go through yet, and where they stop."""


def holds(name: str, construction: Construction, library: Path) -> bool:
    """Whether Coq has checked it, or stops where it is known to."""
    why = checked(construction, library)
    return why is None if name not in OPEN else why is not None and why.startswith(OPEN[name])


@pytest.mark.parametrize("name", EXAMPLES)
def test_coq_checks_an_example(name: str, library: Path) -> None:
    assert holds(name, load_file(EXAMPLES[name]).construction, library)


@pytest.mark.parametrize("name", PUBLISHED)
def test_coq_checks_a_published_network(name: str, library: Path) -> None:
    assert holds(name, PUBLISHED[name].imported(name=name).construction, library)

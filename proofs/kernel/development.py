"""The files of a proof about a construction, for Coq."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import Decides


@dataclass(frozen=True)
class Development:
    """The files of a kernel-checked theorem, in the order in which they compile: file name -> text; theorem: where it
    is proved, as Proof_parity.recognises. What it states stands in the file of statements under the same name."""

    files: Mapping[str, str]
    theorem: str


def development(construction: Construction, theorem: Decides) -> Development:
    """Unwritten, with the step that is missing, where a part of it cannot be written."""
    raise Unwritten("the closed forms")

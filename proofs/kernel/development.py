"""The files of a proof about a construction, for Coq."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.closed_forms import closed_forms
from weightproof.proofs.kernel.concluding import concluding
from weightproof.proofs.kernel.deciding import deciding
from weightproof.proofs.kernel.statement import (
    identifier,
    module_of,
    statement,
)
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import weights
from weightproof.proofs.theorem import AboutLogits
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.forward import derive

LIBRARY = (
    "Transformer", "Words", "Rules", "Waves", "Tactics", "Hard", "Norms", "Sums", "Bounds", "Signs", "Deciding",
    "Inductions", "Pairs", "Languages", "Plain", "Families",
)  # fmt: skip
"""What every proof rests on, in the order in which it compiles."""


@dataclass(frozen=True)
class Development:
    """The files of a kernel-checked theorem, in the order in which they compile: file name -> text; theorem: where it
    is proved, as Proof_parity.recognises. What it states stands in the file of statements under the same name.
    refutes: whether it is the negation of that which is proved, as in Refutes_parity.recognises."""

    files: Mapping[str, str]
    theorem: str
    refutes: bool = False


def shipped(library: Iterable[str]) -> dict[str, str]:
    """The files that come with the program: file name -> text."""
    return {f"{name}.v": (Path(__file__).parent / f"{name}.v").read_text(encoding="utf-8") for name in library}


def development(construction: Construction, theorem: AboutLogits) -> Development:
    """Unwritten, with the step that is missing, where a part of it cannot be written."""
    of_weights = weights(construction)
    try:
        derivation = derive(construction)
    except Underivable as error:
        raise Unwritten(f"what is not derived: {error}") from error
    network, module = identifier(construction.name), module_of(construction, theorem)
    files = shipped(LIBRARY)
    files[f"Weights_{network}.v"] = of_weights
    files[f"Forms_{network}.v"] = closed_forms(derivation, network)
    files[f"Statement_{module}.v"] = statement(construction, theorem)
    files[f"Decides_{module}.v"] = deciding(derivation, theorem)
    files[f"Proof_{module}.v"] = concluding(derivation, theorem)
    return Development(files, f"Proof_{module}.{identifier(theorem.name)}")

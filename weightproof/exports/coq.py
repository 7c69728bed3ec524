"""`--to coq`: the weights, what is stated of them, and the proofs of it, for Coq: every theorem that can be written."""

from __future__ import annotations

from weightproof.constructions.languages.notation import quoted
from weightproof.exports.exporting import Exporting, require_unset
from weightproof.proofs.expected import as_expected
from weightproof.proofs.kernel.coq import PROJECT, project, written
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import AboutLogits
from weightproof.stating import theorems_about
from weightproof.terminal.streams import warn

FORMAT = "coq"


def files(exporting: Exporting) -> dict[str, bytes]:
    """The files of Coq, in the order in which they compile, and their list. They speak of all values of parameters, so
    none is taken. InputError where no theorem can be written; of some that cannot, a warning."""
    options = exporting.options
    require_unset(FORMAT, param=options.given or None, length=options.length, max_length=options.max_length)
    found: dict[str, str] = {}
    missing: list[str] = []
    for theorem in theorems_about(exporting.source):
        if isinstance(theorem, AboutLogits):
            try:
                found |= written(as_expected(exporting.construction, theorem))
            except Unwritten as step:
                missing.append(f"{quoted(theorem.name)}, not written: {step}")
    if not found:
        raise exporting.refused(FORMAT, "; ".join(missing) or "no theorem speaks of the logit")
    for each in missing:
        warn(f"{exporting.construction.name}: left out is {each}")
    return {PROJECT: project(found).encode(), **{name: text.encode() for name, text in found.items()}}

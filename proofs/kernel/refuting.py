"""The files of a refutation, for Coq: that a theorem says of a word, at certain parameters, what is not so.

Coq computes it all again: what is taken of the counterexample is the word, the values, and whether the network has a
value there.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.proofs.kernel.development import Development, shipped
from weightproof.proofs.kernel.scalars import ATOM
from weightproof.proofs.kernel.statement import comment, identifier, module_of, parts, statement
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.values import real
from weightproof.proofs.kernel.weights import texts, weights
from weightproof.proofs.refuting.refute import UNDEFINED
from weightproof.proofs.theorem import AboutLogits
from weightproof.proofs.verdict import Counterexample

LIBRARY = ("Transformer", "Words", "Languages", "Plain", "Sums", "Bounds", "Exact", "Numbers", "Evaluation", "Refuting")
"""What every refutation rests on, in the order in which it compiles."""


def refutation(construction: Construction, theorem: AboutLogits, found: Counterexample) -> Development:
    """That the statement of the theorem is false. Unwritten, with what is missing, where that cannot be written."""
    if found.counted:
        raise Unwritten("a word that is too long to be written out")
    network, module = identifier(construction.name), module_of(construction, theorem)
    files = shipped(LIBRARY)
    files[f"Weights_{network}.v"] = weights(construction)
    files[f"Statement_{module}.v"] = statement(construction, theorem)
    files[f"Refutes_{module}.v"] = _proof(construction, theorem, found)
    return Development(files, f"Refutes_{module}.{identifier(theorem.name)}", refutes=True)


def _proof(construction: Construction, theorem: AboutLogits, found: Counterexample) -> str:
    """The word and the values in the statement, and what is computed of them."""
    name, network, module = identifier(theorem.name), identifier(construction.name), module_of(construction, theorem)
    values = _values(construction, found)
    at_values = " ".join(("network", *values.values()))
    net, word = f"({at_values})" if values else at_values, texts(found.word)
    unfolded = [f"Statement_{module}.{name}", *(part.name for part in parts(construction, theorem))]
    lines = [
        comment(f"{construction.name}, {theorem.name}: it is false of the word {found.word!r}."),
        "Require Import Reals ZArith List String.",
        "From Weightproof Require Import Transformer Words Languages Evaluation Refuting.",
        f"From Weightproof Require Import Weights_{network} Statement_{module}.",
        "Import ListNotations.",
        "Open Scope string_scope.",
        "Open Scope R_scope.",
        "",
        f"Definition read : written := ltac:(read_network {net}).",
        f"Lemma reads : {net} = encoder_of read.",
        "Proof. reflexivity. Qed.",
        f"Theorem {name} : ~ Statement_{module}.{name}.",
        "Proof.",
        f"  pose proof reads. unfold {', '.join(unfolded)}, accepts_above_0, accepts_at_0.",
        "  cbv zeta. intros said.",
        *(f"  specialize (said {value}). granted said." for value in values.values()),
        f"  specialize (said {word}). granted said.",
    ]
    proof = "apply not_both_left. by_computing reads." if found.logit == UNDEFINED else "by_formula."
    return "\n".join((*lines, f"  denied said. {proof}", "Qed.", ""))


def _values(construction: Construction, found: Counterexample) -> dict[str, str]:
    """The parameters, as numbers of Coq."""
    exact = parameter_values(construction, found.parameters)
    return {
        each.name: f"{exact[each.name]}%Z" if each.is_natural else real(exact[each.name]).at(ATOM)
        for each in construction.parameters
    }

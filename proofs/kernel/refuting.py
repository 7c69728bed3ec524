"""The files of a refutation, for Coq: that a word is decided otherwise than a theorem says, at certain parameters.

Coq computes it all again: what is taken of the counterexample is the word, the values, and which part of the statement
is false there.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.proofs.kernel.development import Development, shipped
from weightproof.proofs.kernel.scalars import ATOM
from weightproof.proofs.kernel.statement import (
    ACCEPTS,
    CHOICES,
    comment,
    hypothesis,
    identifier,
    language,
    module_of,
    statement,
)
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.values import real
from weightproof.proofs.kernel.weights import texts, weights
from weightproof.proofs.refuting.refute import UNDEFINED
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample

LIBRARY = ("Transformer", "Words", "Languages", "Plain", "Sums", "Bounds", "Numbers", "Evaluation", "Refuting")
"""What every refutation rests on, in the order in which it compiles."""


def refutation(construction: Construction, theorem: Decides, found: Counterexample) -> Development:
    """That the statement of the theorem is false. Unwritten, with what is missing, where that cannot be written."""
    if found.counted:
        raise Unwritten("a word that is too long to be written out")
    network, module = identifier(construction.name), module_of(construction, theorem)
    files = shipped(LIBRARY)
    files[f"Weights_{network}.v"] = weights(construction)
    files[f"Statement_{module}.v"] = statement(construction, theorem)
    files[f"Refutes_{module}.v"] = _proof(construction, theorem, found)
    return Development(files, f"Refutes_{module}.{identifier(theorem.name)}", refutes=True)


def _proof(construction: Construction, theorem: Decides, found: Counterexample) -> str:
    """The word and the values in the statement, and what is computed of them."""
    name, network, module = identifier(theorem.name), identifier(construction.name), module_of(construction, theorem)
    values = _values(construction, found)
    of_words, asked = language(construction, theorem), hypothesis(construction, theorem)
    assert of_words is not None
    word = texts(found.word)
    at_values = " ".join(("network", *values.values()))
    net = f"({at_values})" if values else at_values
    member = f"{' '.join((of_words.name, *(values[each.name] for each in of_words.parameters)))} {word}"
    on = f"{net} (marked {word})"
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
        f"  unfold Statement_{module}.{name}{', given' if asked is not None else ''}. cbv zeta. intros said.",
        *(f"  specialize (said {value}). granted said." for value in values.values()),
        f"  specialize (said {word}). granted said.",
    ]
    if found.logit == UNDEFINED:
        lines += _fact("undefined", f"~ has_value {on}", "by_computing reads")
    elif found.member == found.accepts:
        lines += _fact("zero", f'output {on} "logit" = 0', "by_output reads")
    else:
        accepts = CHOICES.of("acceptance rule", construction.encoder.readout.accept, ACCEPTS)
        decided, is_member = ("" if truth else "~ " for truth in (found.accepts, found.member))
        lines += _fact("decided", f"{decided}{accepts} {on}", f"unfold {accepts}. by_output reads")
        lines += _fact("member", f"{is_member}{member}", f"unfold {of_words.name}. cbv zeta. by_formula")
    return "\n".join((*lines, "  tauto.", "Qed.", ""))


def _values(construction: Construction, found: Counterexample) -> dict[str, str]:
    """The parameters, as numbers of Coq."""
    exact = parameter_values(construction, found.parameters)
    return {
        each.name: f"{exact[each.name]}%Z" if each.is_natural else real(exact[each.name]).at(ATOM)
        for each in construction.parameters
    }


def _fact(name: str, said: str, proof: str) -> list[str]:
    return [f"  assert ({name} : {said}).", f"  {{ {proof}. }}"]

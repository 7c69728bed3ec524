"""The files of a proof about a construction, for Coq."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.closed_forms import closed_forms
from weightproof.proofs.kernel.deciding import deciding
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.scales import known_by_name
from weightproof.proofs.kernel.statement import (
    hypothesis,
    identifier,
    language,
    module_of,
    on_integers,
    statement,
)
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import texts, weights
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

LIBRARY = (
    "Transformer", "Words", "Rules", "Waves", "Tactics", "Hard", "Norms", "Signs", "Deciding", "Inductions", "Pairs",
    "Languages", "Plain",
)  # fmt: skip
"""What every proof rests on, in the order in which it compiles."""


@dataclass(frozen=True)
class Development:
    """The files of a kernel-checked theorem, in the order in which they compile: file name -> text; theorem: where it
    is proved, as Proof_parity.recognises. What it states stands in the file of statements under the same name."""

    files: Mapping[str, str]
    theorem: str


def development(construction: Construction, theorem: Decides) -> Development:
    """Unwritten, with the step that is missing, where a part of it cannot be written."""
    of_weights = weights(construction)
    if theorem.up_to is not None:
        raise Unwritten("a theorem up to a length")
    try:
        derivation = derive(construction)
    except Underivable as error:
        raise Unwritten(f"what is not derived: {error}") from error
    if derivation.nonzero and hypothesis(construction, theorem) is not None:
        raise Unwritten("a norm that may have no value on words that the theorem leaves out")
    network, module = identifier(construction.name), module_of(construction, theorem)
    files = {f"{name}.v": (Path(__file__).parent / f"{name}.v").read_text(encoding="utf-8") for name in LIBRARY}
    files[f"Weights_{network}.v"] = of_weights
    files[f"Forms_{network}.v"] = closed_forms(derivation, network)
    files[f"Statement_{module}.v"] = statement(construction, theorem)
    files[f"Decides_{module}.v"] = deciding(derivation, theorem)
    files[f"Proof_{module}.v"] = _proof(derivation, theorem, network, module)
    return Development(files, f"Proof_{module}.{identifier(theorem.name)}")


def _proof(derivation: Derivation, theorem: Decides, network: str, module: str) -> str:
    """That the closed form of the logit and the last step make the theorem."""
    construction, name = derivation.construction, identifier(theorem.name)
    encoder = construction.encoder
    parameters = [parameter_name(parameter) for parameter in construction.parameters]
    domains = [f"domain_{parameter}" for parameter in parameters]
    before, behind = (texts(() if marker is None else (marker,)) for marker in (encoder.begin, encoder.end))
    of_words, asked = language(construction, theorem), hypothesis(construction, theorem)
    introduced = [each for pair in zip(parameters, domains, strict=True) for each in pair] + ["w", "word"]
    supposed = ["known"]
    if not encoder.markers:
        introduced.append("nonempty")
        supposed.append("positions")
    if asked is not None:
        introduced.append("given")
    word = "(token alphabet (marked w)) (prefix alphabet (marked w)) (count alphabet (marked w))"
    n = "(length_of (marked w))"
    size, first, last = len(construction.alphabet), int(encoder.begin is not None), int(encoder.end is not None)
    lines = [
        f"(* {construction.name}, {theorem.name}: from the weights to the words. *)",
        "Require Import Reals ZArith List String Lia.",
        "From Weightproof Require Import Transformer Words Rules Languages.",
        f"From Weightproof Require Import Weights_{network} Statement_{module}.",
        f"From Weightproof Require Forms_{network} Decides_{module}.",
        "Import ListNotations.",
        "Open Scope string_scope.",
        "Open Scope R_scope.",
        "",
        on_integers(construction, theorem),
        f"Theorem {name} : Statement_{module}.{name}.",
        "Proof.",
        f"  unfold Statement_{module}.{name}. intros {' '.join(introduced)}.",
        f"  assert (known : marked_word {size} {first} {last} {n}\n    {word}).",
        f"  {{ refine (is_marked_word alphabet {before} {behind} w word _ _ _); unfold alphabet; cbn;",
        "    repeat constructor; cbn; intuition discriminate. }",
    ]
    if not encoder.markers:
        lines.append(
            "  assert (positions : (1 <= length_of (marked w))%Z) by (destruct w; [easy|unfold length_of; cbn; lia])."
        )
    if asked is not None:
        lines.append(
            f"  apply (given_on_integers{asked.arguments} w word) in given. unfold given_of_integers in given."
        )
    of_word = f"Forms_{network}.logit_of_word {' '.join(introduced[: 2 * len(parameters)])} w word\n    "
    of_word += f"(List.length (marked w)) {n} {word} eq_refl eq_refl (fun _ => eq_refl) {' '.join(supposed)}"
    named = known_by_name(derivation)
    if encoder.normed:
        lines += [
            f"  destruct ({of_word})\n    as ({' & '.join((*named.found, 'value', 'logit_is'))}).",
            "  split; [exact value|].",
        ]
        of_word = "logit_is"
    asked_for = ["given"] if asked is not None else []
    lines += [
        f"  rewrite (in_language_on_integers{of_words.arguments} w word). unfold in_language_of_integers.",
        "  unfold accepts_above_0, accepts_at_0.",
        f"  rewrite ({of_word}).",
        f"  exact (Decides_{module}.decides {' '.join(parameters)} {n} {word}",
        f"    {' '.join((*domains, *supposed, *asked_for, *named.asked))}).",
        "Qed.",
    ]
    return "\n".join(lines) + "\n"

"""The output of a network, in Coq: the streams of its sublayers, and the logit that is read from the last one."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.proofs.kernel.forms import Forms
from weightproof.proofs.kernel.heads import AT_J
from weightproof.proofs.kernel.joined_sums import joined_sums
from weightproof.proofs.kernel.telescoping import summed
from weightproof.proofs.kernel.weights import arguments
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, substitute
from weightproof.symbolic.algebra.vocabulary import i, j
from weightproof.symbolic.rules.feedforward import apply_linear

AFFINE = "rewrite (affine_agrees _ _ _ _ _ _ _ _ agrees_{0})"
PLACES = {"first": "0%nat", "last": "(len - 1)%nat"}


def streams(forms: Forms) -> Iterator[str]:
    """That the stream behind each sublayer has its closed forms."""
    yield f"Notation stream_0 := (embed (network{forms.arguments}) (marked w))."
    yield f"Lemma agrees_0 : agree len everywhere names stream_0 {forms.stream(0)}.\nProof. exact embedded. Qed."
    for number, stage in enumerate(forms.stages[1:], start=1):
        yield f"Notation stream_{number} := (after names ({stage.part}{forms.arguments}) len stream_{number - 1})."
        yield (
            f"Lemma agrees_{number} :\n"
            f"  agree len {forms.condition(stage)} names stream_{number} {forms.stream(number)}.\n"
            f"Proof.\n  eapply agree_trans; [apply after_agrees; [reflexivity|]|exact forms_{number}].\n"
            f"  eapply agree_at; [|exact agrees_{number - 1}]. intros; first [exact Logic.I|assumption].\nQed."
        )


def logit(forms: Forms) -> Iterator[str]:
    """The theorem `logit_is`."""
    last, position = len(forms.stages) - 1, forms.network.readout.position
    closed_form = forms.logit(forms.terms)
    if position == "sum":
        yield from _sum_of_outputs(forms)
    yield (
        f'Theorem logit_is : output (network{arguments(forms.construction)}) (marked w) "logit" = {closed_form}.\n'
        "Proof using All.\n  word_facts known. unfold output, last_stream, size_of. rewrite len_is, n_is."
    )
    at = f'affine (readout (network{forms.arguments})) (stream_{last} {{}}) "logit"'
    if position == "sum":
        yield f"  change (sum len (fun j => {at.format('j')}) = {closed_form})."
        yield f"  rewrite (sum_ext _ _ (fun j => output_at {AT_J})); [apply sum_of_outputs|]."
        yield f"  intros j J. {AFFINE.format(last)}; [|reflexivity|lia|exact Logic.I]."
        proof = "unfold closed, output_at. rewrite K. reduce. decide_equation."
        yield f"  {forms.at_kinds(forms.stages[-1].stream, 'j', lambda row: proof, 'J')}\nQed."
        return
    place = PLACES[position]
    yield f"  change ({at.format(place)} = {closed_form})."
    yield f"  {AFFINE.format(last)}; [|reflexivity|lia|first [exact Logic.I|reflexivity|unfold is_last; lia]]."
    yield f"  assert (P : ({place} < len)%nat) by lia."
    for output in _outputs(forms).values():
        yield from joined_sums(forms, output, forms.derivation.logit)
    proof = "unfold closed. rewrite K. reduce. decide_equation."
    yield f"  {forms.at_kinds(forms.stages[-1].stream, place, lambda row: proof, 'P')}\nQed."


def _outputs(forms: Forms) -> dict[str, Iverson]:
    """What is read from the last stream, by kinds of positions."""
    readout, vocabulary = forms.network.readout.W, forms.derivation.vocabulary
    return {
        row: apply_linear(readout, vector, vocabulary).get("logit", ZERO)
        for row, vector in forms.stages[-1].stream.items()
    }


def _sum_of_outputs(forms: Forms) -> Iterator[str]:
    """The outputs of all positions, summed."""
    outputs = {row: substitute(output, {i: j}) for row, output in _outputs(forms).items()}
    texts = {row: f"({forms.terms.iverson(output)})%R" for row, output in outputs.items()}
    yield forms.by_kind("output_at", "(kind j : Z) : R", texts, "0%R")
    yield from summed(forms, "sum_of_outputs", "len", None, outputs, forms.derivation.logit, {"output_at": AT_J})

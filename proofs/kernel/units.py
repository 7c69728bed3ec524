"""The units of a feed-forward network, in Coq, by the cases of their arguments."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.proofs.kernel.forms import Forms
from weightproof.proofs.kernel.joined_sums import joined_sums
from weightproof.proofs.kernel.weights import ACTIVATIONS, text
from weightproof.symbolic.algebra.iverson import ZERO, Iverson
from weightproof.symbolic.rules.feedforward import apply_linear


def feed_forward(forms: Forms, number: int) -> Iterator[str]:
    """The lemmas of the units of a feed-forward sublayer, and that of what is behind it."""
    stage, stream = forms.stages[number], forms.stream(number - 1)
    layer = stage.layer
    network = forms.network.layers[layer - 1].feed_forward
    assert network is not None

    def in_place_of(before: Iverson, after: Iverson) -> str:
        return "".join(f"{line.strip()}\n    " for line in joined_sums(forms, before, after))

    activation = ACTIVATIONS[network.activation]
    whole, units = f"(feed_forward_{layer}{forms.arguments})", list(network.first.rows)
    joined = dict[str, dict[str, None]]()
    for row in stage.stream:
        found = forms.derivation.units[f"layer {layer}, feed-forward network", row]
        read = apply_linear(network.first, forms.stages[number - 1].stream[row], forms.derivation.vocabulary)
        behind = forms.normed(number, row).vector if forms.norm_of(stage) is not None else stage.stream[row]
        kept = forms.stages[number - 1].stream[row] if forms.network.layers[layer - 1].feed_forward_residual else {}
        joined[row] = {in_place_of(value, behind.get(name, ZERO)): None for name, value in kept.items()}
        for place, unit in enumerate(units):
            values = found.get(unit, (ZERO, ZERO))
            sums = in_place_of(read.get(unit, ZERO), values[0])
            joined[row][sums] = None
            argument, value = (f"(let i := Z.of_nat p in {forms.terms.iverson(x)})" for x in values)
            yield (
                f"Lemma unit_{layer}_{place}_{forms.label(row)} p : (p < len)%nat ->\n"
                f"  kind (Z.of_nat p) = ({forms.kinds[row]})%Z ->\n"
                f"  activation {whole} (affine (first {whole}) ({stream} p) {text(unit)}) = {value}.\n"
                f"Proof.\n  intros P K. word_facts known. {forms.facts(row)} cbv zeta.\n"
                f"  transitivity ({activation} {argument}); cbv zeta.\n"
                f"  - {sums}unfold closed. rewrite K. reduce; f_equal; decide_equation.\n  - unit_by_cases.\nQed.\n"
            )

    def prove(row: str) -> str:
        known = "".join(
            f"pose proof (unit_{layer}_{place}_{forms.label(row)} p P K : units {text(unit)} = _) as U{place}; "
            for place, unit in enumerate(units)
        )
        rewritten = "".join(f"rewrite ?U{place}; " for place, _ in enumerate(units))
        told = "".join(f"U{place} " for place, _ in enumerate(units))
        return (
            f"{''.join(joined[row])}each_name N; unfold {stage.part}; after_feed; unfold feed;\n"
            f"    set (units := fun unit => activation {whole} (affine (first {whole}) ({stream} p) unit));\n"
            f"    {known}clearbody units;\n"
            f"    unfold closed; rewrite ?K; reduce; {rewritten}clear {told}units; cbv zeta; decide_equation."
        )

    yield forms.agreement(number, prove)

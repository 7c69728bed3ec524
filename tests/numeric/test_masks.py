"""Every mask and normaliser in floating point, against an evaluator of its own."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq

import weightproof as wp
from tests.constructions.meaning.masked_words import CASES, WORDS, added, construction, words_with_values
from tests.test_choices import DECODER, constructed
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.schema import OF_ONE_POSITION, Mask, Normaliser
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model import attention, pieces, strict
from weightproof.numeric.model.kernels import NoKernel

READ = {"first": lambda values: values[0], "last": lambda values: values[-1], "sum": sum}


def logits(of: wp.Construction, words: list[str], kind: str) -> list[float]:
    found: list[float] = wp.Transformer(of, attention=kind).logits(words).tolist()
    return found


@pytest.mark.parametrize("kind", ["explicit", "matmul", "strict"])
@pytest.mark.parametrize(("mask", "normaliser", "sees"), CASES)
def test_what_a_head_adds_is_what_its_choices_say(
    mask: Mask, normaliser: Normaliser, sees: str | None, kind: str
) -> None:
    pairs = [*words_with_values(mask, normaliser, sees)]
    for position, read in READ.items():
        made = construction(mask, normaliser, sees, position)
        if len(pairs) < len(WORDS):
            with pytest.raises(InputError, match=r"position \d sees nothing in some head"):
                logits(made, ["abc"], kind)
            continue
        words = [word for word, _ in pairs] if kind != "strict" else [word for word, _ in pairs[::5]]
        found = dict(zip(words, logits(made, words, kind), strict=True))
        for word, values in pairs:
            if word in found:
                assert found[word] == pytest.approx(float(Fraction(read(values))), rel=1e-14, abs=0), word


@pytest.mark.parametrize(("mask", "normaliser"), [*dict.fromkeys(case[:2] for case in CASES)])
def test_the_bound_on_rounding_is_around_it(mask: Mask, normaliser: Normaliser) -> None:
    """And refused where a position has no value."""
    made = construction(mask, normaliser, None)
    values = added(mask, normaliser, None, "abcbc")
    if values is None:
        with pytest.raises(InputError, match=r"^position \d sees nothing in some head$"):
            output_balls(made, "abcbc")
        return
    found = output_balls(made, "abcbc")["logit"]
    assert found.contains(arb(wp.Transformer(made, attention="strict").logits(["abcbc"]).item()))
    assert found.overlaps(arb(fmpq(sum(values).numerator, sum(values).denominator)))  # type: ignore[union-attr]


@pytest.mark.parametrize("mask", ["none", "causal"])
def test_a_best_position_is_found_in_many_equal_rows(mask: Mask) -> None:
    """Queries are equal, so that rows are computed once; hard attention is no softmax of the same scores then."""
    for normaliser in ("hardmax", "leftmost", "rightmost"):
        made = construction(mask, normaliser, None)  # type: ignore[arg-type]
        assert logits(made, ["bacab"], "explicit") == logits(made, ["bacab"], "strict")


@pytest.mark.parametrize("kind", ["explicit", "strict"])
@pytest.mark.parametrize("normaliser", OF_ONE_POSITION)
def test_a_decoder_may_not_see_its_own_position(normaliser: Normaliser, kind: str) -> None:
    """Nor any, at the first one."""
    [layer] = DECODER.layers
    head = replace(layer.heads[0], mask="strictly-causal", normaliser=normaliser)
    given = constructed(replace(DECODER, layers=(replace(layer, heads=(head,)),)))
    model = wp.DecoderTransformer(given, attention=kind)
    for word in ("0", "1", "01", "110", "0101"):
        exact = [*itertools.islice(appended(given.network, word, {}), 3)]
        found = [*itertools.islice(model.generate([word]), 3)]
        assert [each.logits.flatten().tolist() for each in found] == [
            [float(str(x)) for x in each.outputs.values()] for each in exact
        ]


def test_a_long_word_is_not_taken_in_pieces_where_one_position_has_all_the_weight() -> None:
    assert wp.Transformer(construction("none", "hardmax", None, "first")).divides
    for mask, normaliser in (("none", "leftmost"), ("causal", "rightmost"), ("future", "hardmax")):
        assert not wp.Transformer(construction(mask, normaliser, None, "first")).divides  # type: ignore[arg-type]


def test_a_fused_kernel_refuses_what_it_does_not_compute() -> None:
    with pytest.raises(NoKernel, match="layer 1: fused attention has no mask 'future'; take explicit"):
        wp.Transformer(construction("future", "softmax", None), dtype="float32", attention="fused")
    with pytest.raises(NoKernel, match="fused attention has no rightmost over dot scores; take explicit"):
        wp.Transformer(construction("causal", "rightmost", None), dtype="float32", attention="fused")


def last_of(some: Any) -> Any:
    """The last column of what is true in each row."""
    found = some & False
    for row, own in enumerate(some.reshape(-1, some.shape[-1])):
        found.reshape(-1, some.shape[-1])[row, [k for k, x in enumerate(own) if x][-1:]] = True
    return found


@pytest.mark.parametrize(
    ("module", "name", "kind"), [(attention, "outermost", "explicit"), (strict, "_outermost", "strict")]
)
def test_a_tie_that_is_taken_the_other_way_is_seen(
    module: object, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, word = construction("strictly-future", "leftmost", None, "first"), "abcb"
    values = added("strictly-future", "leftmost", None, word)
    assert values is not None
    assert logits(made, [word], kind) == [float(values[0])]
    monkeypatch.setattr(module, name, lambda some, side: last_of(some) if side < 0 else some)
    assert logits(made, [word], kind) != [float(values[0])]


def test_pieces_are_made_of_what_can_be_added_up() -> None:
    head = construction("none", "leftmost", None).encoder.layers[0].heads[0]
    with pytest.raises(pieces.WholeWordsOnly):
        pieces._require_spread(head)

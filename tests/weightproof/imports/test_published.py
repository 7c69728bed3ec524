"""The networks that two papers published as PyTorch: read from their tensors, and proved for all lengths."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
import torch

import weightproof as wp
from tests.support.changes import changes
from tests.weightproof.imports.published import PUBLISHED, Published, filled
from weightproof.constructions.languages.languages import PALINDROME
from weightproof.constructions.meaning.running import run

TOLERANCE = "1/10000000"
"""|logit| up to which Nowak et al. take a word for a palindrome: PalindromeExactTransformer(..., error=1e-7)."""


@pytest.fixture(scope="module")
def imported() -> dict[str, wp.Imported]:
    """Held against their modules, in float64, as they are read."""
    return {name: network.imported(name=name) for name, network in PUBLISHED.items()}


@pytest.mark.parametrize("name", PUBLISHED)
def test_it_is_proved_for_all_lengths(name: str, imported: dict[str, wp.Imported]) -> None:
    [result] = wp.prove(imported[name].construction)
    assert isinstance(result.verdict, wp.Proved), result.verdict
    assert result.verdict.scope == "all lengths"


def test_float32_has_the_same_weights(imported: dict[str, wp.Imported]) -> None:
    """They are small integers and halves; so the construction is the same, to the letter."""
    for name in ("chiang-parity", "nowak-palindrome"):
        single = PUBLISHED[name].imported(torch.float32, name=name)
        assert single.construction.network == imported[name].construction.network
        assert single.compared is not None
        assert 0 < single.compared.difference < 1e-6


def words(network: Published, count: int) -> list[str]:
    """Words of up to 60 symbols; every other one is a palindrome or has few 1s, so that both sides are there."""
    random, alphabet = Random(1), network.said["language"].alphabet
    found = []
    for number in range(count):
        word = "".join(random.choices(alphabet, k=random.randrange(61)))
        few = "".join(random.choices(alphabet, weights=(20, 1), k=random.randrange(61)))
        found.append([word, word + word[::-1], few][number % 3])
    return found


def largest_difference(name: str, imported: wp.Imported, count: int) -> float:
    """Of the logits of the module and of the construction, both in float64, over so many words."""
    network = PUBLISHED[name]
    module, tokens, said = network.module(torch.float64), network.said["tokens"], network.said
    chosen = words(network, count)
    ours = wp.Transformer(imported.construction, dtype="float64").logits(chosen)
    theirs = []
    for word in chosen:
        marked = [m for m in (said["begin"], *word, said.get("end")) if m is not None]
        with torch.no_grad():
            theirs.append(module(torch.tensor([tokens.index(token) for token in marked])).item())
    assert len({logit > 0 for logit in theirs}) == 2 or name == "nowak-palindrome"
    return float((ours - torch.tensor(theirs, dtype=torch.float64)).abs().max())


@pytest.mark.parametrize("name", PUBLISHED)
def test_logits_are_those_of_the_module(name: str, imported: dict[str, wp.Imported]) -> None:
    assert largest_difference(name, imported[name], 30) <= 1e-12


@pytest.mark.controls
@pytest.mark.parametrize("name", PUBLISHED)
def test_logits_are_those_of_the_module_on_1000_words(name: str, imported: dict[str, wp.Imported]) -> None:
    assert largest_difference(name, imported[name], 1000) <= 1e-12


def test_a_change_in_the_module_is_a_change_in_the_logits(imported: dict[str, wp.Imported]) -> None:
    """What the comparison with the module rests on can fail."""
    construction = imported["nowak-one"].construction
    changed = wp.transformed(construction, "set-weight:layer=1,part=W_F2,row=x6,column=h4,to=-1/4")
    assert largest_difference("nowak-one", replace(imported["nowak-one"], construction=changed), 10) > 1e-3


def test_both_value_matrices_on_one_half_are_refuted() -> None:
    """As the paper prints PALINDROME, and its code does not."""
    module = PUBLISHED["nowak-palindrome"].module(torch.float64)
    attention = module.layers[1].self_attn
    packed = {(24, 9): 1.0, (30, 9): 1.0}
    with torch.no_grad():
        attention.in_proj_weight[24:] = filled(36, 12, packed, torch.float64)[24:]  # type: ignore[index]
    printed = wp.from_torch(module, **PUBLISHED["nowak-palindrome"].said).construction
    [result] = wp.prove(printed)
    assert isinstance(result.verdict, wp.Refuted)


def tolerant(construction: wp.Construction) -> wp.Construction:
    """What the code decides: no palindrome where |logit| > 1e-7, strictly, so that the words it rejects are accepted
    here. Its output is the one coordinate that is read."""
    network = construction.network
    assert isinstance(network, wp.Encoder)
    [s] = network.readout.W.weights["logit"]
    first, second = network.layers
    size = wp.FeedForward(wp.Linear({"above": {s: 1}, "below": {s: -1}}), wp.Linear({"x11": {"above": 1, "below": 1}}))
    return wp.Construction(
        name="palindrome with a tolerance",
        title="",
        source=construction.source,
        language=wp.Language(
            "NO PALINDROME", ("0", "1"), lambda word: word != word[::-1], PALINDROME.complement, description="differs"
        ),
        network=replace(
            network,
            layers=(first, replace(second, feed_forward=size)),
            readout=wp.Readout(wp.Linear({"logit": {"x11": 1}}, {"logit": f"-{TOLERANCE}"})),
        ),
    )


def test_the_tolerance_of_the_code_takes_a_word_of_37_symbols_for_a_palindrome(
    imported: dict[str, wp.Imported],
) -> None:
    """In exact arithmetic: what a symbol adds in base 1.504 has come down to 1e-7 by then; the weights are right."""
    construction = tolerant(imported["nowak-palindrome"].construction)
    assert wp.run(construction, "0" * 35 + "1").data["accepts"] is True
    assert wp.run(construction, "0" * 36 + "1").data["accepts"] is False  # taken for a palindrome
    exact = wp.run(imported["nowak-palindrome"].construction, "0" * 36 + "1").data
    assert (exact["accepts"], exact["member"]) == (False, False)


@pytest.mark.controls
@pytest.mark.parametrize("name", ["chiang-parity", "nowak-palindrome"])
def test_changed_weights_are_refuted_or_harmless(name: str, imported: dict[str, wp.Imported]) -> None:
    """A sample of all changes of the weights; those that are proved again are run on every word up to 7 symbols."""
    construction = imported[name].construction
    found = set()
    for change in changes(construction, one_of=13):
        [result] = wp.prove(change.construction)
        found.add(result.verdict.name)
        match result.verdict:
            case wp.Refuted(counterexample=word):
                ran = wp.run(change.construction, "".join(word.word)).data  # type: ignore[union-attr]
                assert ran["accepts"] != ran["member"], change.place
            case wp.Proved():
                short = ("".join(word) for length in range(8) for word in product("01", repeat=length))
                ran_all = (run(change.construction, word) for word in short)
                assert all(
                    each.accepts == construction.language.member("".join(each.tokens).strip("$&")) for each in ran_all
                ), change.place
    assert found == {"proved", "refuted"}

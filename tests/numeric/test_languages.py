"""Words and labels as tensors, against the membership functions."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric.model import languages
from weightproof.numeric.model.languages import balanced_words, members, random_words
from weightproof.numeric.model.transformer import by_length, encode

RANDOM = torch.Generator()


@pytest.mark.parametrize("name", names())
def test_labels_are_those_of_the_membership_function(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Of all short words, some at a time."""
    monkeypatch.setattr(languages, "BLOCK", {"cpu": 50})
    construction = load(name)
    values = parameter_values(construction)
    tried = list(words(construction.alphabet, 7))[1:]
    for indices, _ in by_length(tried):
        some = [tried[index] for index in indices]
        found = members(construction, encode(construction, some), values).tolist()
        assert found == [is_member(construction, word, values) for word in some]


@pytest.mark.parametrize("name", ["parity", "palindrome-margin"])
def test_random_words_are_marked_as_encoded_ones(name: str) -> None:
    construction = load(name)
    tokens = random_words(construction, 64, 20, RANDOM.manual_seed(0))
    first = int(construction.encoder.begin is not None)
    said = ["".join(construction.alphabet[id] for id in word[first : first + 20].tolist()) for word in tokens]
    assert torch.equal(tokens, encode(construction, said))
    assert len(set(said)) == 64


def test_balanced_words_are_members_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six symbols, all five members come."""
    monkeypatch.setattr(languages, "BLOCK", {"cpu": 1_000})
    construction = load("dyck1")
    for length in (0, 2, 6, 500):
        tokens = balanced_words(construction, 300, length, RANDOM.manual_seed(0))
        assert members(construction, tokens, {}).all() or not length
        assert len(set(map(tuple, tokens.tolist()))) == {0: 1, 2: 1, 6: 5, 500: 300}[length]
    with pytest.raises(InputError, match="an even length, not 3"):
        balanced_words(construction, 1, 3, RANDOM)


def judged(formula: str) -> torch.Tensor:
    construction = load("parity")
    language = replace(construction.language, characterisation=Expression(formula))
    tokens = encode(construction, ["".join(word) for word in ("0110", "0111", "1001")])
    return members(replace(construction, language=language), tokens, {})


def test_formulas_that_are_not_read_for_many_words_are_refused() -> None:
    assert judged("any(w[j] == '1' and w[j + 1] == '1' for j in positions)").tolist() == [True, True, False]
    assert judged("sum(w[j] == '1' for j in positions) % 2 == 1 and not w[1] == '1'").tolist() == [False, True, False]
    assert judged("sum(2*j for j in positions) == 20 and not w[1] == '0'").tolist() == [False, False, True]
    assert judged("matches('0(1|0)*') and count('11') == 1").tolist() == [True, False, False]
    assert judged("matches('0.{2}1') or matches('1(0*1)+')").tolist() == [False, True, True]
    with pytest.raises(InputError, match="more than 2000 states"):
        judged("matches('(0|1)*1(0|1){12}')")
    nested = "all(any(w[i] == w[j] for i in positions) for j in positions)"
    found = ("any(w[j] == w[count('1')] for j in positions)", "count('0', count('1')) == 1")
    for formula in ("count('1')/2 == 1", nested, *found, "w[n/2] == '1'", "count('1', n/2) == 1"):
        with pytest.raises(InputError, match="language PARITY is more than whole numbers of one position at a time"):
            judged(formula)

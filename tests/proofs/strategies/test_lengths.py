"""Short words length by length: what is taken apart so says as much as before, and what is wrong stays so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.unusual import contains, is_right
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.prove import proofs
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.strategies.lengths import with_lengths
from weightproof.proofs.verdict import Evidence, Proved, Refuted


def names(construction: Construction) -> list[str]:
    [proof] = proofs(construction)
    assert isinstance(proof.result.verdict, Proved)
    assert proof.result.verdict.evidence is Evidence.CERTIFICATE
    return [item.obligation.name for item in proof.closed]


def test_what_holds_of_all_lengths_is_seen_of_long_ones_at_once() -> None:
    """e^(n/3) > n - 1, always; the line at n = 2 crosses n - 1, that at 6 does not."""
    assert [is_right(contains("n/3"), length) for length in range(8)] == [True] * 8
    found = names(contains("n/3"))
    assert [name.rpartition(", ")[2] for name in found[:5]] == ["n = 2", "n = 3", "n = 4", "n = 5", "n >= 6"]


def test_what_is_seen_at_once_is_not_taken_apart() -> None:
    assert not [name for name in names(contains("n")) if "n =" in name or "n >=" in name]


@pytest.mark.parametrize(("scale", "word"), [("n/4", "001"), ("n/5", "01"), ("(n - 3)/3", "1")])
def test_a_length_of_which_it_is_false_is_found(scale: str, word: str) -> None:
    [proof] = proofs(contains(scale))
    assert isinstance(proof.result.verdict, Refuted)
    assert proof.result.verdict.counterexample.word == word
    assert not all(is_right(contains(scale), length) for length in range(len(word) + 1))


def apart(item: Implication) -> Iterator[Implication]:
    """All that an obligation may be taken apart into."""
    for each in () if item.otherwise is None else item.otherwise():
        yield each
        yield from apart(each)


def test_every_length_is_in_one_part() -> None:
    """Of those that the hypotheses allow: 2, 3, ... as there is a marker and a 1."""
    [proof] = proofs(contains("n/3"))
    whole = next(item.obligation for item in proof.closed if item.obligation.name.endswith("n = 2"))
    alike = next(item.obligation for item in proof.closed if item.obligation.name.endswith("n >= 6"))
    assert alike.otherwise is not None
    lengths = [int(each.name.rpartition(" ")[2]) for each in apart(alike) if each.name.rpartition(", ")[2][2] == "="]
    assert lengths == list(range(6, 6 + 8 + 16))
    assert whole.otherwise is None
    [same] = with_lengths([whole])
    assert same is whole

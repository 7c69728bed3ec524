"""What hides in one word of a family: families in full around promising lengths, and what is said of shorter words."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.support.fakes import Fake
from weightproof.constructions.library import load
from weightproof.constructions.meaning.running import parameter_values
from weightproof.numeric.certificate.scaling import Law
from weightproof.numeric.model.transformer import PROBABILITY, Rule, Transformer, rules
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.search import search as module
from weightproof.numeric.search.search import Extent, Finding, Part, Search, edge, outward, stretches

SIGN = Rule("logit > 0")
EFFORT = 1 << 16
HIDDEN = "1" * 263 + "0" * 37
"""None of the few words of its family that are run at lengths beyond 200."""


def found(fake: Fake, max_length: int, predicted: Mapping[str, int] | None = None, effort: int = EFFORT) -> Finding:
    [finding] = Search(fake.construction, fake.model, fake.names, effort).run((SIGN,), max_length, predicted)
    return finding


def hiding() -> Fake:
    return Fake("parity", lambda word, size: word == HIDDEN)


@pytest.mark.parametrize("near", [297, 300, 303])
def test_a_failure_of_one_word_of_a_family_is_found_near_a_prediction(near: int) -> None:
    finding = found(hiding(), 20_000, {"logit > 0": near})
    assert finding.failure is not None
    assert finding.failure.word == HIDDEN
    assert not finding.of_families
    assert any(first <= 299 <= last for first, last in finding.in_full)
    assert not any(first <= 300 <= last for first, last in finding.in_full)


def test_without_whole_families_it_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "_in_full", lambda *given: None)
    assert found(hiding(), 20_000, {"logit > 0": 300}).failure is None


@pytest.mark.parametrize("predicted", [None, {"logit > 0": 700}, {"another rule": 300}])
def test_far_from_every_promising_length_it_is_missed_and_not_said_to_be_searched(
    predicted: dict[str, int] | None,
) -> None:
    finding = found(hiding(), 20_000, predicted)
    assert finding.failure is None
    assert not any(first <= 300 <= last for first, last in finding.in_full)


def test_families_are_run_in_full_where_the_format_stops_counting() -> None:
    """256 in bfloat16."""
    hidden = "1" * 201 + "0" * 54
    finding = found(Fake("parity", lambda word, size: word == hidden), 20_000)
    assert finding.failure is not None
    assert finding.failure.word == hidden


@pytest.mark.parametrize(("units", "finds"), [(module.CLOSE, True), (module.CLOSE + 1, False)])
def test_families_are_run_in_full_where_a_logit_comes_close_to_0(
    monkeypatch: pytest.MonkeyPatch, units: int, finds: bool
) -> None:
    """At 30 symbols some words come within so many unit roundoffs, and one that is not among them fails."""
    monkeypatch.setattr(module, "FULL", 12)
    hidden, near = "1" * 19 + "0" * 11, units * float(FORMATS["bfloat16"].unit_roundoff)

    def logit(word: str) -> float:
        right = 1.0 if word.count("1") % 2 else -1.0
        return -right if word == hidden else right * near if len(word) == 30 else right

    finding = found(Fake("parity", logit=logit), 40)
    assert (finding.failure is not None and finding.failure.word == hidden) == finds
    assert not any(first <= 30 <= last for first, last in finding.in_full)


def test_a_failure_that_is_known_has_families_run_in_full_below_it() -> None:
    """A shorter one hides among words unlike the longer one."""
    hidden = "1" * 201 + "0" * 97
    fake = Fake("parity", lambda word, size: word == hidden or (len(word) >= 300 and "0" not in word))
    finding = found(fake, 20_000)
    assert finding.failure is not None
    assert finding.failure.word == hidden


def test_the_least_of_families_is_said_only_where_every_shorter_length_was_run_in_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Words of 13 symbols and more are sampled at every length: a gap within a length, and none between lengths."""
    monkeypatch.setattr(module, "FULL", 12)
    monkeypatch.setattr(module, "SLOWER", 0)
    monkeypatch.setattr(module, "AROUND", 0)
    for length, least in ((9, True), (13, True), (14, False), (40, False)):
        finding = found(Fake("parity", lambda word, size, at=length: word == "1" * at), 50)  # type: ignore[misc]
        assert finding.failure is not None
        assert (len(finding.failure.word), finding.searched_to) == (length, length - 1)
        assert finding.of_families == least
        assert finding.in_full == ((0, min(length - 1, 12)),)


@pytest.mark.parametrize(("effort", "skipped", "exhausted"), [(20, 20, True), (20, 7, False), (14, 20, False)])
def test_all_words_are_said_to_be_run_only_where_they_were(
    monkeypatch: pytest.MonkeyPatch, effort: int, skipped: int, exhausted: bool
) -> None:
    """Not with little effort, nor where more words of a length are wrong in the batch than are run alone."""
    monkeypatch.setattr(module, "ALONE", 3)

    def wrong(word: str, size: int) -> bool:
        return (len(word) == skipped and size > 1 and word.startswith("000")) or word == "1" * 9

    finding = found(Fake("parity", wrong), 12, effort=1 << effort)
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.exhausted) == (9, exhausted)


def test_whole_families_below_a_failure_make_it_the_least_of_them() -> None:
    finding = found(
        Fake("parity", lambda word, size: len(word) >= 205 and word == "1" * len(word)), 300, effort=1 << 20
    )
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.of_families, finding.in_full) == (205, True, ((0, 204),))


def test_a_word_of_a_family_that_is_skipped_takes_the_least_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """More words are wrong in the batch than are run alone: none of them fails, but not all were run."""
    monkeypatch.setattr(module, "ALONE", 3)

    def wrong(word: str, size: int) -> bool:
        return (len(word) == 7 and size > 1 and word.startswith("000")) or word == "1" * 9

    finding = found(Fake("parity", wrong), 12)
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.searched_to, finding.of_families) == (9, 8, False)
    assert finding.in_full == ((0, 6), (8, 8))
    assert finding.in_part == (Part("every length", 7, 7, 1, 25), Part("bred", 7, 7, 1, finding.in_part[1].words))


def test_what_was_run_in_part_is_told() -> None:
    fake = Fake("parity")
    finding = found(fake, 2_000, {"logit > 0": 900}, effort=1 << 14)
    assert [part.phase for part in finding.in_part] == ["growing lengths", "predicted lengths"]
    told = {length for first, last in finding.in_full for length in range(first, last + 1)}
    for part in finding.in_part:
        run = {length for length in fake.lengths() if part.first <= length <= part.last} - told
        assert len(run) >= part.lengths
        batches = [len(batch) for batch in fake.batches if len(batch[0]) == part.first]
        assert sum(batches) >= part.words > 0
    assert fake.lengths() <= told | {length for part in finding.in_part for length in range(part.first, part.last + 1)}


def test_long_lengths_do_not_keep_short_ones_from_being_run_in_full() -> None:
    """The closest logit is that of the longest words, whose families are beyond the budget."""
    hidden = "1" * 101 + "0" * 41

    def logit(word: str) -> float:
        right = 1.0 if word.count("1") % 2 else -1.0
        return -right if word == hidden else right / (1 + 256 * len(word))

    finding = found(Fake("parity", logit=logit), 20_000, effort=1 << 13)
    assert finding.failure is not None
    assert finding.failure.word == hidden


def test_a_length_that_does_not_fit_rules_out_those_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """To count the words of every length between would take longer than the search."""
    counted: list[int] = []
    monkeypatch.setattr(Search, "_full_cost", lambda _, length, most: counted.append(length) or most + 1)
    fake = Fake("parity")
    search = Search(fake.construction, fake.model, fake.names, 1 << 20)
    search._in_full(outward(640, 0, 2_000), [module._Open(SIGN)], lambda done: None)
    assert counted[:3] == [640, 629, 619]
    assert counted[-1] == 0
    assert len(counted) < 300
    assert fake.batches == []


def test_lengths_far_beyond_the_budget_are_passed_over() -> None:
    """The list of all words of a family alone would fill the memory."""
    fake = Fake("one")
    search = Search(fake.construction, fake.model, fake.names, 1 << 23)
    assert not search._affordable(300_000_000)
    assert search._affordable(20_000)


@pytest.mark.parametrize("length", [205, 230])
def test_in_full_means_every_word_of_every_family(length: int) -> None:
    fake = Fake("palindrome")
    [finding] = Search(fake.construction, fake.model, fake.names, 1 << 18).run(
        (Rule("logit = 0"),), 5_000, {"logit = 0": 217}
    )
    told = any(first <= length <= last for first, last in finding.in_full)
    families = fake.construction.language.families.values()
    run = {word for batch in fake.batches for word in batch}
    assert told == ({word for family in families for word in family(length, 1 << 60)} <= run)


@pytest.mark.parametrize(
    ("numbers", "expected"), [((), ()), ((3,), ((3, 3),)), ((5, 1, 2, 3, 7), ((1, 3), (5, 5), (7, 7)))]
)
def test_stretches_join_neighbours(numbers: tuple[int, ...], expected: tuple[tuple[int, int], ...]) -> None:
    assert stretches(numbers) == expected


def test_lengths_in_full_are_not_told_again_in_part() -> None:
    extent = Extent({4, 5})
    extent.ran("growing lengths", 5, 3)
    assert extent.in_part == ()
    extent.ran("growing lengths", 8, 3)
    extent.ran("growing lengths", 12, 2)
    extent.ran("growing lengths", 8, 4)
    assert extent.in_part == (Part("growing lengths", 8, 12, 2, 2),)


def test_the_edge_of_a_rule() -> None:
    import torch

    logits = torch.tensor([0.5, -0.25, torch.nan, torch.inf])
    assert edge(SIGN, logits) == edge(PROBABILITY, logits) == 0.25
    assert edge(Rule("|logit| <= 0.375", 0.375), logits) == 0.125
    assert edge(Rule("logit = 0"), torch.tensor([0.0, 0.5])) == 0.5
    assert edge(SIGN, torch.tensor([0.0, 0.5])) == 0
    assert edge(SIGN, torch.tensor([torch.nan])) == float("inf")


def test_lengths_go_outward_from_the_centre() -> None:
    assert [*outward(6, 0, 100)] == [6, 5, 7, 4, 8, 3, 9, 2, 10, 1, 11, 0, 12]
    assert [*outward(3, 2, 5)] == [3, 2, 4, 5]
    assert [*outward(1, 0, 1)] == [1, 0]


@pytest.mark.controls
def test_one_in_float16_fails_near_the_length_that_bfloat16_predicts() -> None:
    """It was once said to be right by luck: only 1{540}0{10} and a few words like it fail, at 550 to 553 symbols."""
    construction = load("one")
    values, law = parameter_values(construction), Law("power", 1.0)
    lower = Transformer(construction, dtype="bfloat16", attention="strict")
    [short, _] = Search(construction, lower, values, 1 << 20).run(rules(lower.network, None), 100)
    assert short.failure is not None
    assert short.of_families
    near = law.extended(8, len(short.failure.word), 11)
    assert near == 544

    model = Transformer(construction, dtype="float16", attention="strict")
    [finding] = Search(construction, model, values, 1 << 22).run((SIGN,), 1_000, {"logit > 0": near})
    assert finding.failure is not None
    assert finding.failure.word == "1" * 540 + "0" * 10
    assert (finding.failure.member, finding.of_families) == (False, False)
    assert float(model.logits([finding.failure.word])[0]) == finding.failure.logit > 0
    assert any(first <= near < 549 == last for first, last in finding.in_full)

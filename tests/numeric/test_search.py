"""The search for the failure length: against all words while there are few, and on models with planted failures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
import torch

from tests.support.fakes import Fake
from tests.test_readme import BLOCK, README
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.notation import stretched
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, load_file
from weightproof.constructions.meaning.choices import UnknownChoice
from weightproof.constructions.meaning.running import parameter_values
from weightproof.numeric.model.transformer import PROBABILITY, Rule, Transformer, rules
from weightproof.numeric.search import search as module
from weightproof.numeric.search.search import Finding, Search

SIGN, EQUALITY = Rule("logit > 0"), Rule("logit = 0")
EFFORT = 1 << 20


def found(
    fake: Fake,
    max_length: int,
    effort: int = EFFORT,
    predicted: Mapping[str, int] | None = None,
    rule: Rule = SIGN,
) -> Finding:
    [finding] = Search(fake.construction, fake.model, fake.names, effort).run((rule,), max_length, predicted)
    return finding


def measured(name: str, dtype: str, max_length: int, attention: str = "strict") -> dict[str, Finding]:
    construction = load(name)
    model = Transformer(construction, dtype=dtype, attention=attention)
    search = Search(construction, model, parameter_values(construction), EFFORT)
    return {finding.rule.name: finding for finding in search.run(rules(model.network, 2**-10), max_length)}


def by_brute_force(name: str, dtype: str, longest: int) -> dict[str, int]:
    """The least failing length by the names of the rules, of all words up to a length, each one run alone."""
    construction, result = load(name), dict[str, int]()
    values = parameter_values(construction) if name.startswith("dyck1-depth") else {}
    given = {key: int(str(value)) for key, value in values.items()}
    model = Transformer(construction, dtype=dtype, attention="strict")
    for length in range(longest + 1):
        tried = [*words("01", length, length)]
        logits = model.logits(tried)
        decisions = {
            "logit > 0": [x > 0 for x in logits.tolist()],
            "logit = 0": [x == 0 for x in logits.tolist()],
            "|logit| <= 0.000976562": [abs(x) <= 2**-10 for x in logits.tolist()],
            "probability > 1/2": [p > 0.5 for p in model.probabilities(logits).tolist()],
        }
        members = [construction.language.member(word, **given) for word in tried]
        for rule, accepted in decisions.items():
            if accepted != members:
                result.setdefault(rule, length)
    return result


SHORT = [
    ("parity", "bfloat16", {"probability > 1/2": 13}),
    ("palindrome", "bfloat16", {"logit = 0": 2, "|logit| <= 0.000976562": 9}),
    ("palindrome-margin", "bfloat16", {"logit > 0": 11, "probability > 1/2": 6}),
    ("palindrome-as-printed", "float16", {"logit = 0": 2, "|logit| <= 0.000976562": 2}),
    ("first-one-layer", "bfloat16", {"logit > 0": 2, "probability > 1/2": 2}),
    ("dyck1", "bfloat16", {"logit > 0": 5}),
    ("dyck1-depth", "bfloat16", {"logit > 0": 5}),
    ("one", "bfloat16", {}),
]


@pytest.mark.parametrize(("name", "dtype", "lengths"), SHORT, ids=[f"{name}, {dtype}" for name, dtype, _ in SHORT])
def test_the_first_failing_length_is_that_of_all_words(name: str, dtype: str, lengths: dict[str, int]) -> None:
    longest = max(lengths.values(), default=8)
    brute = by_brute_force(name, dtype, longest)
    for rule, finding in measured(name, dtype, longest).items():
        assert brute.get(rule) == lengths.get(rule)
        assert (None if finding.failure is None else len(finding.failure.word)) == lengths.get(rule)
        assert finding.searched_to == lengths.get(rule, longest + 1) - 1


LONG = [
    ("parity", "bfloat16", "1" * 23 + "0" * 6),
    ("parity", "float16", "1" * 71),
    ("one", "bfloat16", "1" * 68),
]


@pytest.mark.parametrize(("name", "dtype", "word"), LONG, ids=[f"{name}, {dtype}" for name, dtype, _ in LONG])
def test_longer_first_failures_are_found_in_the_families(name: str, dtype: str, word: str) -> None:
    finding = measured(name, dtype, 100)["logit > 0"]
    assert finding.failure is not None
    assert finding.failure.word == word
    assert finding.failure.member == load(name).language.member(word)
    assert (finding.searched, finding.searched_to) == ("families", len(word) - 1)
    alone = Transformer(load(name), dtype=dtype, attention="strict").logits([word])
    assert float(alone[0]) == finding.failure.logit
    assert (finding.failure.logit > 0) != finding.failure.member


def test_the_failure_is_a_misclassification_of_the_word_alone() -> None:
    fake = Fake("parity", lambda word, size: word == "0101")
    finding = found(fake, 6)
    assert finding.failure is not None
    assert (finding.failure.word, finding.failure.member, finding.failure.logit) == ("0101", False, 1.0)
    assert ["0101"] in fake.batches
    assert (finding.searched, finding.searched_to, finding.followed) == ("exhaustive", 3, False)


def test_a_failure_in_batches_alone_is_told_and_is_no_failure() -> None:
    finding = found(Fake("parity", lambda word, size: len(word) in (5, 7) and size > 1), 9)
    assert finding.failure is None
    assert finding.only_in_batches == 5
    assert finding.searched_to == 9


def test_a_failure_alone_is_found_beside_others_in_batches_alone() -> None:
    finding = found(Fake("parity", lambda word, size: word == "00111" or (len(word) >= 4 and size > 1)), 9)
    assert finding.failure is not None
    assert finding.failure.word == "00111"
    assert finding.only_in_batches == 4


def test_nothing_fails_where_nothing_is_wrong() -> None:
    finding = found(Fake("parity"), 60)
    assert (finding.failure, finding.probed_to, finding.only_in_batches) == (None, 60, None)


def test_the_labels_say_which_words_were_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FULL", 12)
    fake = Fake("parity")
    search = Search(fake.construction, fake.model, fake.names, EFFORT)
    for length, label in ((0, "exhaustive"), (10, "exhaustive"), (11, "families"), (12, "families"), (13, "sampled")):
        searched, tried = search._searched(length), search._words(length)
        assert searched == label
        assert {len(word) for word in tried} == {length}
        if label == "exhaustive":
            assert sorted(tried) == [*words("01", length, length)]
        if label == "families":
            assert {*fake.construction.language.families["each count"](length, 1 << 60)} <= {*tried}
    assert [found(Fake("parity"), n).searched for n in (10, 11, 12, 13)] == [
        "exhaustive", "families", "families", "sampled",
    ]  # fmt: skip


@pytest.mark.parametrize("length", [11, 30, 200, 201])
def test_random_words_are_run_beside_the_families(length: int) -> None:
    fake, random = Fake("palindrome"), Random(length)
    drawn = [fake.construction.language.sample(random, length) for _ in range(8 if length <= 200 else 1)]
    tried = Search(fake.construction, fake.model, fake.names, 1 << 10)._words(length)
    assert {*drawn} <= {*tried}


def test_failures_at_isolated_lengths_are_found_and_followed_back() -> None:
    """Probes at 39, 48, 60, 75, ... meet a failure; the least one lies between them, where no other length fails."""
    passed = [42, 51]

    def wrong(word: str, size: int) -> bool:
        return len(word) in (*passed, *range(70, 200)) and word == "1" * len(word)

    finding = found(Fake("parity", wrong), 200, effort=1 << 16)
    assert finding.failure is not None
    assert finding.searched_to < 42
    assert len(finding.failure.word) == 42
    assert finding.followed


def test_failures_where_every_length_is_searched_need_no_following() -> None:
    finding = found(Fake("parity", lambda word, size: len(word) == 33 and "0" not in word), 50)
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.searched_to, finding.followed) == (33, 32, False)


def test_where_following_costs_too_much_the_distance_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FOLLOWED", 100)
    fake = Fake("parity", lambda word, size: len(word) >= 50 and "0" not in word)
    finding = found(fake, 200, effort=1 << 14)
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.followed) == (50, False)


def test_a_failure_that_only_other_words_have_is_kept_where_it_was_found() -> None:
    """Nothing shorter fails: what was found stays, and is not lost by following it."""
    finding = found(Fake("parity", lambda word, size: len(word) >= 60 and "0" not in word), 200, effort=1 << 14)
    assert finding.failure is not None
    assert finding.failure.word == "1" * 60
    assert finding.followed


@pytest.mark.parametrize("near", [500, 5000])
def test_predicted_lengths_are_run_whatever_the_effort(near: int) -> None:
    """The word is none of the last of a family, which are run at growing lengths."""
    fake = Fake("parity", lambda word, size: len(word) >= near and word == "1" + "0" * (len(word) - 1))
    finding = found(fake, 20_000, effort=1 << 10, predicted={"logit > 0": near})
    assert finding.failure is not None
    assert len(finding.failure.word) == near
    assert found(fake, 20_000, effort=1 << 10).failure is None


def test_a_little_further_than_predicted_is_run_too() -> None:
    fake = Fake("parity", lambda word, size: len(word) >= 700 and word == "1" + "0" * (len(word) - 1))
    finding = found(fake, 20_000, effort=1 << 10, predicted={"logit > 0": 500})
    assert finding.failure is not None
    assert len(finding.failure.word) == 750
    fake = Fake("parity")
    finding = found(fake, 20_000, effort=1 << 10, predicted={"logit > 0": 500})
    assert finding.probed_to >= 1000
    assert {500, 750, 1000} <= fake.lengths()


@pytest.mark.parametrize("near", [60, 90, 500])
def test_nothing_longer_than_the_greatest_length_is_run(near: int) -> None:
    fake = Fake("parity")
    finding = found(fake, 80, effort=1 << 12, predicted={"logit > 0": near, "another rule": 70})
    assert max(fake.lengths()) <= 80
    assert finding.probed_to <= 80


@pytest.mark.parametrize("max_length", [1, 2, 7, 33])
def test_a_search_ends_at_the_greatest_length(max_length: int) -> None:
    fake = Fake("parity", lambda word, size: len(word) > max_length)
    finding = found(fake, max_length)
    assert finding.failure is None
    assert finding.searched_to == finding.probed_to == max_length
    assert fake.lengths() == {*range(max_length + 1)}


def test_a_failure_of_one_rule_leaves_the_other_open() -> None:
    """0.6 of probability, but a logit of -1 at 4 symbols; at 6 it is the other way round."""

    class Twofold(Fake):
        def probabilities(self, logits: torch.Tensor) -> torch.Tensor:
            return torch.where(logits == -2, 1.0, torch.sigmoid(logits))

    def logit(word: str) -> float:
        right = 1.0 if word.count("1") % 2 else -1.0
        return {4: -2.0 if right > 0 else -1.0, 6: -2.0}.get(len(word), right)

    fake = Twofold("parity", logit=logit)
    sign, probability = Search(fake.construction, fake.model, fake.names, EFFORT).run((SIGN, PROBABILITY), 9)
    assert sign.failure is not None
    assert len(sign.failure.word) == 4
    assert probability.failure is not None
    assert len(probability.failure.word) == 6
    assert (sign.searched_to, probability.searched_to) == (3, 5)


@pytest.mark.parametrize("name", ["parity", "palindrome", "dyck1"])
def test_a_search_finds_the_same_again(name: str) -> None:
    first, again = Fake(name), Fake(name)
    rule = rules(first.network, None)[0]
    assert found(first, 60, 1 << 16, rule=rule) == found(again, 60, 1 << 16, rule=rule)
    assert first.batches == again.batches
    assert measured(name, "bfloat16", 12) == measured(name, "bfloat16", 12)


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize("attention", ["strict", "explicit"])
def test_a_logit_that_is_no_number_accepts_nothing(dtype: str, attention: str) -> None:
    model = Transformer(load("first"), dtype=dtype, attention=attention)
    logits = torch.tensor([torch.nan, 1.0, 0.0, -1.0, torch.inf, -torch.inf], dtype=model.dtype)
    expected = {
        SIGN: [False, True, False, False, True, False],
        EQUALITY: [False, False, True, False, False, False],
        Rule("|logit| <= 1", 1.0): [False, True, True, True, False, False],
        PROBABILITY: [False, True, False, False, True, False],
        Rule("logit >= 0"): [False, True, True, False, True, False],
        Rule("logit < 0"): [False, False, False, True, False, True],
        Rule("logit <= 0"): [False, False, True, True, False, True],
    }
    for rule, accepted in expected.items():
        assert rule.accepts(model, logits).tolist() == accepted
    with pytest.raises(UnknownChoice, match="does not know the rule of acceptance 'logit != 0'"):
        Rule("logit != 0").accepts(model, logits)


def test_a_member_without_a_number_is_a_failure() -> None:
    finding = found(Fake("parity", logit=lambda word: float("nan") if word == "100" else word.count("1") % 2 - 0.5), 5)
    assert finding.failure is not None
    assert finding.failure.word == "100"
    assert finding.failure.logit != finding.failure.logit


@pytest.mark.parametrize("attention", ["strict", "explicit"])
def test_a_network_that_overflows_is_wrong_on_its_members(attention: str) -> None:
    """c = 10^6 is infinite in float16; on every word but the empty one the logit is no number."""
    construction, given = load("first"), {"c": "1000000"}
    model = Transformer(construction, given, "float16", attention=attention)
    names = parameter_values(construction, given)
    [finding, _] = Search(construction, model, names, 1 << 12).run((SIGN, PROBABILITY), 9)
    assert finding.failure is not None
    assert (finding.failure.word, finding.failure.member) == ("1", True)


def test_ownare_the_constructions_own_and_those_of_papers() -> None:
    assert rules(Fake("parity").network, 0.1) == (SIGN, PROBABILITY)
    assert rules(Fake("palindrome").network, None) == (EQUALITY,)
    assert rules(Fake("palindrome").network, 1e-7) == (EQUALITY, Rule("|logit| <= 1e-07", 1e-7))


def test_progress_grows_to_the_end() -> None:
    fake, told = Fake("parity"), list[float]()
    Search(fake.construction, fake.model, fake.names, 1 << 14).run((SIGN,), 100, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


MISTAKES = {
    "words are not run alone": ("_alone", lambda self, rule, word: None),
    "families are not run": ("_hard", lambda self, length, most, drawn: ["0" * length]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_search_is_noticed(monkeypatch: pytest.MonkeyPatch, mistake: str) -> None:
    monkeypatch.setattr(Search, *MISTAKES[mistake])
    monkeypatch.setattr(Search, "_breed", lambda *given: None)  # which finds a word of 29 symbols in another way
    finding = measured("parity", "bfloat16", 40)["logit > 0"]
    assert finding.failure is None or len(finding.failure.word) != 29


@pytest.mark.parametrize("without", [("_back",), ("_in_full",), ("_back", "_in_full")])
def test_a_failure_is_led_back_in_two_ways(monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...]) -> None:
    """By words like it, and by whole families below it; without both a longer one is all that is found."""
    fake = Fake("parity", lambda word, size: len(word) >= 60 and "0" not in word)
    for step in without:
        monkeypatch.setattr(Search, step, lambda *given: None)
    finding = found(fake, 200, effort=1 << 14)
    assert finding.failure is not None
    assert (len(finding.failure.word) > 60) == (len(without) == 2)


def test_a_language_without_families_is_searched(tmp_path: Path) -> None:
    """A language that names no hard words: what is drawn is run, and nothing is said to have been run in full."""
    [text] = [block["body"] for block in BLOCK.finditer(README.read_text()) if "# majority.py" in block["body"]]
    path = tmp_path / "majority.py"
    path.write_text(text)
    construction = load_file(path).construction
    assert construction.language.families == {}
    model = Transformer(construction, dtype="bfloat16", attention="strict")
    names = parameter_values(construction)

    def searched(effort: int) -> list[Finding]:
        return Search(construction, model, names, effort).run(rules(model.network, None), 1_000)

    own, probability = searched(1 << 20)
    assert own.failure is not None
    assert (own.searched, own.exhausted, own.in_full) == ("exhaustive", True, ((0, len(own.failure.word) - 1),))
    assert (probability.searched, probability.of_families) == ("sampled", False)
    own, probability = searched(1 << 14)
    assert own.failure is not None
    assert (own.searched, own.of_families) == ("sampled", False)
    assert max(last for _, last in own.in_full) < own.searched_to
    assert (probability.searched, probability.probed_to) == ("sampled", 1_000)


def test_a_word_that_lower_precision_loses_is_stretched() -> None:
    """In float16 dyck1-margin is lost at some 200 symbols by a word like that of 60 which bfloat16 loses, and no other
    phase finds one with so little effort."""
    construction = load("dyck1-margin")
    model = Transformer(construction, None, "float16", attention="strict")
    search = Search(construction, model, parameter_values(construction, {}), 1 << 8)
    own = rules(model.network, None)[:1]
    [without] = search.run(own, 400)
    [finding] = search.run(own, 400, known={"logit > 0": "0{16}1{16}(01){14}"})
    assert without.failure is None
    assert finding.failure is not None
    word = finding.failure.word
    assert len(word) <= 230
    assert finding.failure.member == is_member(construction, word, {})
    assert bool(model.accepts([word])[0]) != finding.failure.member
    assert "stretched words" in [part.phase for part in finding.in_part]


def test_what_has_no_repeated_parts_is_not_stretched() -> None:
    assert stretched("0101", Fraction(7)) == "0101"
    assert stretched("0{2}1(01){3}", Fraction(5, 2)) == "0{5}1(01){8}"
    assert stretched("1{3}", Fraction(1, 100)) == "1{1}"

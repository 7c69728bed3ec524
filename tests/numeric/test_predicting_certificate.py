"""The certified length of networks that predict a token or a class, against runs, brute force and planted mistakes."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from flint import arb, ctx, fmpq

from tests.constructions.predicting.ranking import ranking
from tests.support.places import ROOT
from weightproof.constructions.languages.membership import right_token
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, predict
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.numeric.certificate import next_token
from weightproof.numeric.certificate.next_token import (
    PRECISION,
    Lead,
    certified_length,
    holds_of_counts,
    in_danger,
    kept,
    leads,
)
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.formats import FORMATS

NOISY, SILENT, END = map(load, ("noisy-majority", "noisy-majority-silent-2", "noisy-majority-end"))


def leads_of(construction: Construction) -> dict[tuple[str, str], Lead]:
    return {(lead.right, lead.other): lead for lead in leads(construction, parameter_values(construction, {}))}


def network_of(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


@pytest.mark.parametrize("construction", [NOISY, SILENT, END], ids=lambda each: each.name)
def test_a_lead_is_the_difference_of_the_interpreters_outputs(construction: Construction) -> None:
    words = ("", "=") if construction is END else ("", "0", "1", "2201", "0012211")
    for word, lead in itertools.product(words, leads_of(construction).values()):
        tokens = add_markers(network_of(construction), word)
        ran = predict(construction, word, {}, bits=PRECISION).outputs
        with ctx.workprec(PRECISION):
            shares, weights = lead.sums({token: tokens.count(token) for token in tokens})
            assert (shares / weights).overlaps(arb(ran[lead.right] - ran[lead.other]))
            assert shares.rad() < arb(2) ** -200


def brute(lead: Lead, error: arb, alphabet: str, shortest: int, longest: int) -> set[tuple[int, ...]]:
    found = set()
    for counts in itertools.product(range(longest + 1), repeat=len(alphabet)):
        if shortest <= sum(counts) <= longest:
            shares, weights = lead.sums(dict(zip(alphabet, counts, strict=True)) | {"[BOS]": 1, "=": 1})
            found |= {counts} if shares > 0 and shares <= error * weights else set()
    return found


@pytest.mark.parametrize("construction", [NOISY, SILENT], ids=lambda each: each.name)
@pytest.mark.parametrize("alphabet", ["0", "12", "012"])
def test_what_is_in_danger_is_found_by_going_through_all_counts(construction: Construction, alphabet: str) -> None:
    seen = 0
    for lead in leads_of(construction).values():
        for error in (arb(fmpq(1, 100)), arb(fmpq(3, 10)), arb(2), arb(60)):
            wanted = brute(lead, error, alphabet, 4, 11)
            found = [
                tuple(int(counts[symbol][place]) for symbol in alphabet)
                for counts in in_danger(lead, error, alphabet, ("[BOS]", "="), 4, 11)
                for place in range(len(counts[alphabet[0]]))
            ]
            assert len(found) == len(set(found))
            assert set(found) == wanted
            seen += len(wanted)
    assert seen > 0


COUNTED = ("count('0') >= count('1')", "count('1') > 2 and not count('0') == 1 or n - 3 < count('2')")
MORE = (
    "w[1] == '0'",
    "count('0', 2) > 1",
    "count('0')/2 > 1",
    "count('0') % 2 == 1",
    "N > count('0')",
    "1/2 < n",
    "matches('0*')",
    "count('00') > 1",
)


def test_formulas_of_counts() -> None:
    for source, word in itertools.product(COUNTED, map("".join, itertools.product("012", repeat=4))):
        counts: Any = {symbol: word.count(symbol) for symbol in "012"}
        formula, tokens = Expression(source), add_markers(network_of(NOISY), word)
        assert bool(holds_of_counts(formula, counts, 2)) == holds(formula, {}, tokens, ("0", "1", "2"))
    for source in MORE:
        with pytest.raises(NotUnderstood):
            holds_of_counts(Expression(source), {"0": 1, "1": 1}, 2)  # type: ignore[dict-item]


def is_lost(construction: Construction, word: str, dtype: str, attention: str) -> bool:
    """Whether exact arithmetic predicts the right token, and the format does not, or not alone."""
    exact, right = predict(construction, word, {}, bits=PRECISION), right_token(construction, word)
    if right is None or not (exact.decided and exact.token == right):
        return False
    model = Transformer(construction, {}, dtype, attention=attention)
    computed = dict(zip(model.rows, model.outputs([word])[0].tolist(), strict=True))
    return not all(computed[right] > output for token, output in computed.items() if token != right)


def test_no_word_up_to_a_certified_length_is_lost_and_the_next_is() -> None:
    assert certified_length(NOISY, {}, "bfloat16") == 1
    for attention in ("strict", "explicit"):
        assert is_lost(NOISY, "01", "bfloat16", attention)
        assert not any(is_lost(NOISY, word, "bfloat16", attention) for word in ("", "0", "1", "2"))
    assert certified_length(NOISY, {}, "float16") == 3
    assert not any(is_lost(NOISY, word, "float16", "strict") for word in ("1", "01", "12", "122", "012", "110"))


def test_an_error_that_is_left_out_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without errors a length would be certified at which a word is known that is lost."""
    monkeypatch.setattr(next_token, "output_errors", lambda _, tokens: dict.fromkeys(tokens, arb(0)))
    assert (certified_length(NOISY, {}, "bfloat16", 12) or 0) >= 12


def test_counts_that_are_passed_over_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without those in danger a length would be certified at which a word is known that is lost."""
    monkeypatch.setattr(next_token, "in_danger", lambda *_: iter(()))
    assert (certified_length(NOISY, {}, "float16", 15) or 0) >= 15
    assert is_lost(NOISY, "1" + "2" * 14, "float16", "strict")


def test_lengths_grow_with_the_format_and_end_where_counts_are_gone_through() -> None:
    assert certified_length(NOISY, {}, "float32", 12) == 12
    assert certified_length(SILENT, {}, "bfloat16") == 0
    assert certified_length(END, {}, "bfloat16") == 10
    assert (certified_length(END, {}, "float32") or 0) > 900_000


def test_what_the_head_averages_may_not_matter() -> None:
    def pairs(construction: Construction, dtype: str, n: int, N: str = "5") -> set[tuple[str, str]]:
        return kept(construction, parameter_values(construction, {"N": N}), FORMATS[dtype], n)

    assert {("[EOS]", "4"), ("[EOS]", "5"), ("[EOS]", "[BOS]")} <= pairs(END, "bfloat16", 5)
    assert ("[EOS]", "5") not in pairs(END, "bfloat16", 60)  # so many roundings weigh as much as the lead
    assert ("[EOS]", "5") not in pairs(END, "float64", 5, N="4")  # exactly, too, it is less after many 2s
    assert ("[EOS]", "5") in pairs(END, "float64", 5, N="23/5")
    assert {("4", "5"), ("5", "4")}.isdisjoint(pairs(NOISY, "float64", 3))
    assert pairs(END, "bfloat16", 1000) == set()


def test_other_networks_are_not_analysed() -> None:
    assert certified_length(ranking()) is None  # it reads the first position
    network = network_of(NOISY)
    behind = FeedForward(Linear({"h": {"x": 1}}), Linear({"x": {"h": 1}}), activation="relu")
    layer = replace(network.layers[0], feed_forward=behind)
    assert certified_length(replace(NOISY, network=replace(network, layers=(layer,)))) is None


def test_no_row_in_the_repository_fails_where_it_is_certified() -> None:
    rows = json.loads((ROOT / "benchmarks/results/precision-predicting-cpu.json").read_text())["rows"]
    assert all(row["certified_safe_length"] is not None for row in rows)
    failing = [row for row in rows if row["first_failing_length"] is not None]
    assert failing
    assert all(row["certified_safe_length"] < row["first_failing_length"] for row in failing)
    for row in (row for row in rows if row["dtype"] == "bfloat16"):
        assert row["certified_safe_length"] == certified_length(load(row["construction"]), {}, row["dtype"])

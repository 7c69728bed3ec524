"""Every claim that is derived, with one thing changed: what is false is replayed, and nothing false is true. Those in
formulas that are about no network are changed in tests/proofs/claims/formulas/test_formula_mutants.py.

The rule for a mutant that is judged true. It is not enough that the judge says so: the exact interpreter, stopped by
hand, has to find the mutant right on every word that is tried (`tests.support.replays` knows nothing of derivations or
proofs; an order of magnitude has to show from short words to long ones). Such mutants are counted: as equal where only
a value was changed, as all true values of a quantity in a case are equal; as implied where the case, the comparison,
the words or the order was, as a weaker or a narrower statement than a true one is true, and the mutant of a false claim
may be.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from tests.controls.mutants import RULES, Mutant, mutants, parts
from tests.support.replays import breaks, replayed
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import Accepts, Compares, Order, Statement, Value
from weightproof.constructions.languages.samples import long_words, samples, words
from weightproof.constructions.library import claims_of_transformed, load, load_claims, names
from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.named import resolve
from weightproof.proofs.claims.judging import Judgement, judge_claims
from weightproof.proofs.quantities.outcome import Difference
from weightproof.proofs.quantities.probe import substituted
from weightproof.stating import theorems_about

HEADER = "claims mutated\ttried\tfalse with a word\tunknown\tequal\timplied"
CLAIMED = {
    after(known.construction, known.transforms): known
    for known in (*map(load_claims, names()), *claims_of_transformed())
    if known is not None and "layer-norm" not in " ".join(known.transforms)
}
"""By the name of the construction. Under a norm exact runs are too slow for some thousand mutants."""
EVERY, FEWEST = 80, 3
"""One mutant of so many is part of `make test`, but three of each construction; all are of `make controls`."""
TIMEOUT = 2.0
"""Seconds for one mutant."""


def construction_of(name: str) -> Construction:
    return transformed(load(CLAIMED[name].construction), CLAIMED[name].transforms)


@functools.cache
def all_mutants(name: str) -> list[Mutant]:
    """The mutants of what is claimed of a construction, each once, as far as they are well-formed claims: by each rule,
    those at the first and at the last place of each formula, between which one judge goes the same way."""
    construction, known = construction_of(name), CLAIMED[name]
    derived = [claim for claim in known.claims if not claim.transcribed]
    found: dict[str, Mutant] = {}
    for statement in (part for c in derived for s in c.senses for part in parts(s.statement, construction)):
        for mutant in _at_the_ends(mutants(statement, construction)):
            found.setdefault(repr(mutant.statement), mutant)
    return [mutant for mutant in found.values() if _well_formed(construction, mutant)]


def _at_the_ends(made: Iterable[Mutant]) -> Iterator[Mutant]:
    places: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in made:
        places.setdefault((mutant.rule, mutant.field), []).append(mutant)
    for first, *rest in places.values():
        yield from (first, *rest[-1:])


def _claim(mutant: Mutant) -> Published:
    return Published("mutant", "here", "as stated", mutant.statement)


def _well_formed(construction: Construction, mutant: Mutant) -> bool:
    try:
        check_claims(Claims(construction.name, _claim(mutant)), construction)
    except ConstructionError:
        return False
    return True


def judged(name: str, chosen: Sequence[Mutant]) -> Iterator[tuple[Mutant, Judgement]]:
    published = (
        Published(f"mutant {number}", "here", "as stated", mutant.statement) for number, mutant in enumerate(chosen)
    )
    theorems = theorems_about(resolve(CLAIMED[name].construction, CLAIMED[name].transforms))
    found = judge_claims(construction_of(name), Claims(name, *published), theorems, timeout=TIMEOUT)
    return zip(chosen, found, strict=True)


LONGEST, LONG = 3, (8, 16)
"""Symbols of the words that are all tried, and of some longer ones."""


def borne_out(construction: Construction, statement: Statement) -> bool:
    """Whether a statement is right wherever it is tried, by runs that are stopped by hand."""
    if isinstance(statement, Order):
        return _of_that_order(construction, statement)
    alphabet = construction.language.alphabet
    tried = [*words(alphabet, LONGEST), *(word for word in long_words(alphabet) if len(word) in LONG)]
    return all(
        not breaks(construction, statement, Difference("", "", "", word, given, place))
        for word in tried
        for given in _values(construction, statement, word)
        for place in (range(len(replayed(construction, word, given).tokens)) if isinstance(statement, Value) else (0,))
    )


def _values(construction: Construction, statement: Statement, word: str) -> Iterator[dict[str, str]]:
    """Sampled parameter values, but those that a claim is printed for."""
    length = len(word) + len(replayed(construction, "", {}).tokens)
    at = {name: str(substituted(value, {"n": length})) for name, value in getattr(statement, "at", {}).items()}
    for given in samples(construction)[:3]:
        try:
            replayed(construction, word, given | at)
        except InputError:  # outside the domain at this length
            continue
        yield given | at


def _of_that_order(construction: Construction, claim: Order) -> bool:
    """Whether the greatest quotient of |logit| by the bound behaves as is said, from short words to long ones."""
    lengths = ((2, 3, 4), (5, 6, 7)) if claim.side is not None else ((4, 5, 6), (31, 32, 33))
    short, long = (_quotient(construction, claim, options) for options in lengths)
    if short is None or long is None:
        return False
    grows, shrinks = sign(long - 2 * short) > 0, sign(2 * long - short) <= 0
    return {"O": not grows, "o": shrinks or sign(short) == 0, "Theta": not grows and not shrinks}[claim.relation]


def _quotient(construction: Construction, claim: Order, lengths: Sequence[int]) -> Real | None:
    """Of words of these lengths in the case of the claim; None where none is."""
    alphabet, sizes = construction.language.alphabet, []
    for length in lengths:
        least: Real | None = None
        for word in words(alphabet, length, length) if length < 8 else _regular(alphabet, length):
            for given in list(_values(construction, claim, word))[:1]:
                replay = replayed(construction, word, given)
                level = replay.printed(claim.bound)
                if not replay.holds(claim.when) or level is None:
                    continue
                size = replay.result.logit * sign(replay.result.logit) / level
                if claim.side is None:
                    sizes.append(size)
                elif replay.holds(construction.language.characterisation) == (claim.side == "accepted"):
                    least = size if least is None or sign(size - least) < 0 else least
        sizes += [] if least is None else [least]
    best: Real | None = None
    for size in sizes:
        best = size if best is None or sign(size - best) > 0 else best
    return best


def _regular(alphabet: tuple[str, ...], length: int) -> Iterator[str]:
    """Words with at most one symbol unlike the others, and words of two halves."""
    for a in alphabet:
        yield a * length
        for b in alphabet:
            if b != a:
                yield from (b + a * (length - 1), a * (length - 1) + b, a * (length // 2) + b * (length - length // 2))


def tally(name: str, chosen: Sequence[Mutant]) -> tuple[Counter[str], list[Any]]:
    """Mutants by what came out, and those for which that is wrong."""
    construction, counted, wrong = construction_of(name), Counter[str](), []
    for mutant, judgement in judged(name, chosen):
        kind: str = judgement.verdict
        if kind == "false":
            assert judgement.difference is not None
            if not breaks(construction, mutant.statement, judgement.difference):
                wrong.append((mutant, judgement.difference))
        elif kind == "true":
            kind = "equal" if mutant.field == "equals" else "implied"
            if not borne_out(construction, mutant.statement):
                wrong.append((mutant, judgement.deciding.outcome))
        counted[kind] += 1
    return counted, wrong


Row = Callable[[str, str, Sequence[int]], None]


@pytest.mark.parametrize("name", CLAIMED)
def test_a_sample_of_mutants_is_false_or_unknown_or_borne_out(name: str) -> None:
    every = all_mutants(name)
    chosen = every[:: min(EVERY, len(every) // FEWEST)]
    counted, wrong = tally(name, chosen)
    assert not wrong, wrong
    assert counted["false"] > 0
    assert counted.total() == len(chosen)


@pytest.mark.controls
@pytest.mark.parametrize("name", CLAIMED)
def test_every_mutant_is_false_or_unknown_or_borne_out(name: str, count_row: Row) -> None:
    counted, wrong = tally(name, all_mutants(name))
    count_row(HEADER, name, [counted.total(), *(counted[kind] for kind in ("false", "unknown", "equal", "implied"))])
    assert not wrong, wrong


def test_every_rule_makes_mutants() -> None:
    assert {mutant.rule for name in CLAIMED for mutant in all_mutants(name)} == set(RULES)


def test_a_judge_that_takes_every_value_for_the_derived_one_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.quantities.judge.differences", lambda *_: iter(()))
    monkeypatch.setattr("weightproof.proofs.quantities.judge.require_true", lambda *_, **__: None)
    chosen = [mutant for mutant in all_mutants("one") if isinstance(mutant.statement, Value)][::10]
    counted, wrong = tally("one", chosen)
    assert counted["false"] == 0
    assert len(wrong) > len(chosen) / 2


def test_a_judge_that_allows_for_too_much_growth_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    too_small = Mutant("number", "bound", Order("O", "1/n**2"))
    assert tally("one", [too_small]) == (Counter({"false": 1}), [])
    monkeypatch.setattr("weightproof.proofs.claims.orders.CONSTANT", (1, 1))
    counted, wrong = tally("one", [too_small])
    assert counted == Counter({"implied": 1})
    assert [mutant for mutant, _ in wrong] == [too_small]


def test_what_is_not_so_is_not_borne_out() -> None:
    one = load("one")
    for right, false in (
        (Accepts("count('1') == 1"), Accepts("count('1') == 1 or n == 3")),
        (Compares(">", 0, "count('1') == 1", only=True), Compares(">", 0, "count('1') == 1 and n != 3", only=True)),
        (Order("O", "1/n"), Order("O", "1/n**2")),
        (Order("o", "1"), Order("o", "1/n")),
        (Order("Theta", "1/n"), Order("Theta", "1")),
    ):
        assert borne_out(one, right)
        assert not borne_out(one, false)

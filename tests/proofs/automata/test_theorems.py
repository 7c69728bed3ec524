"""What networks of regular and of counting languages recognise, for words of all lengths, and their mistakes."""

from __future__ import annotations

import pytest

from tests.proofs.automata import counting, networks
from tests.proofs.automata.drawn import words
from tests.proofs.automata.networks import BEGIN, ONE, ZERO, of, weighted_softmax
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.automata.deciding import by_automata
from weightproof.proofs.automata.flows import Flow
from weightproof.proofs.automata.network import read
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.logic import TRUE
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable

DECIDES = Decides("decides", "it accepts the words of the language and no others")
CASES = networks.CASES | counting.CASES
MISTAKES = [(name, mistake) for name, case in CASES.items() for mistake in case.mistakes]


@pytest.mark.parametrize("name", CASES)
def test_a_language_and_its_formula_are_the_same(name: str) -> None:
    case = CASES[name]
    said = case.construction().language.characterisation
    assert [w for w in words(7) if case.member(w) != holds(said, {}, ("CLS", *w), ("0", "1"))] == []


@pytest.mark.parametrize("name", CASES)
def test_a_network_is_proved_to_recognise_its_language(name: str) -> None:
    [result] = prove(CASES[name].construction(), [DECIDES], timeout=120)
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_mistake_is_refuted_by_a_word(name: str, mistake: str) -> None:
    case = CASES[name]
    construction = case.construction(mistake)
    [result] = prove(construction, [DECIDES], timeout=120)
    assert isinstance(result.verdict, Refuted)
    word = result.verdict.counterexample.word
    assert run(construction, word).accepts != case.member(word)


BY_EXPRESSION = {
    "tomita 1": ("1*", "(1{0,30})"),
    "tomita 2": ("(10)*", "(10){0,12}"),
    "tomita 4": ("(1|01|001)*0{0,2}", "(1|01|001){0,25}0{0,2}"),
    "tomita 7": ("0*1*0*1*", "0*1*0*1{0,9}"),
    "ab star": ("(01)*", "(01){0,7}"),
    "contains 01": (".*01.*", "1{0,15}0+1.*"),
    "softly contains 01": (".*01+0*", ".*[^1]1.{0,10}"),
    "some 111": (".*1{3}.*", "(0|10|110)*111(.{3})*"),
    "ends with 01": ("[01]*01", "[01]+01"),
    "ones then zeros": ("1*0*", "1*0?0?0?0?"),
}
"""Of networks, what they recognise as a regular expression, and one that is wrong, of most of them on long words."""
BY_COUNTS = {
    "contains 01": ("count('01') > 0", "count('01') > 1"),
    "tomita 7": ("count('10') <= 1", "count('10') <= 1 or count('101') == 6"),
    "exactly one 10": ("count('10') == 1", "count('10') == 1 and count('00000000') == 0"),
    "bigram majority": ("count('00') > count('11')", "count('00') > count('11') + (n > 20)"),
    "no two ones": ("count('11') == 0", "count('111') == 0"),
}
IN_WORDS = [
    (name, [said.format(each) for each in both])
    for said, given in (("matches('{}')", BY_EXPRESSION), ("{}", BY_COUNTS))
    for name, both in given.items()
]


@pytest.mark.parametrize(("name", "formulas"), IN_WORDS)
def test_a_language_said_as_people_say_it_is_proved_and_a_wrong_one_refuted(name: str, formulas: list[str]) -> None:
    construction = CASES[name].construction()
    right, wrong = (Decides(each, "it accepts these words and no others", accepts=each) for each in formulas)
    proved, refuted = prove(construction, [right, wrong], timeout=120)
    assert isinstance(proved.verdict, Proved)
    assert proved.verdict.scope == "all lengths"
    assert isinstance(refuted.verdict, Refuted)
    word = refuted.verdict.counterexample.word
    assert wrong.accepts is not None
    assert run(construction, word).accepts != holds(wrong.accepts, {}, ("CLS", *word), ("0", "1"))


def test_up_to_a_length_it_is_covered() -> None:
    right, wrong = (
        Decides(each, "up to 40 positions", accepts=f"matches('{each}')", up_to=40) for each in ("1*", "1{0,30}")
    )
    proved, refuted = prove(CASES["tomita 1"].construction(), [right, wrong], timeout=60)
    assert isinstance(proved.verdict, Proved)
    assert proved.verdict.evidence is Evidence.COVERING
    assert isinstance(refuted.verdict, Refuted)
    assert refuted.verdict.counterexample.word == "1" * 31


def test_no_rule_for_closed_forms_reads_one() -> None:
    """Of a network with a parameter, which is no finite automaton."""
    theorem = Decides("first", "a 1 comes first", accepts="matches('1.*')")
    [result] = prove(load("first"), [theorem], timeout=30)
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.reason.startswith("matches('1.*'): no rule for closed forms reads regular expressions")


def ones_behind_a_leading_zero() -> Construction:
    """More than three 1s behind a 0 that comes first; a graph of its runs has two branches, by what comes first."""
    first = Head(
        W_V={"f": {ZERO: 1}},
        W_Q={"x": {"one": 1}},
        W_K={"x": {ZERO: 2, ONE: 2, "pos": -1}},
        normaliser="hardmax",
        scale=1,
    )
    units = Linear({"u": {"f": 1, ONE: 1}, "v": {"f": 1, BEGIN: 1}}, {"u": -1, "v": -1})
    layer = Layer(heads=(first,), feed_forward=FeedForward(units, Linear({"h": {"u": 1}, "k": {"v": 1}})))
    language = Language(
        name="L",
        alphabet=("0", "1"),
        member=lambda word: word.startswith("0") and word.count("1") > 3,
        characterisation="sum((w[1] == '0')*(w[j] == '1') for j in positions) > 3",
    )
    network = of(layer, logit={"h": 1, "k": -3}, position="sum")
    return Construction(name="drawn", title="drawn", source="own", language=language, network=network)


@pytest.mark.parametrize("cuts", [True, False])
def test_cycles_that_hang_apart_are_cut_off(cuts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """1s of the branch where a 0 comes first, on a path where a 1 does: no word has such uses of edges."""
    construction, asked = ones_behind_a_leading_zero(), list[frozenset[int]]()
    entered = Flow.entered

    def cut(flow: Flow, nodes: frozenset[int]) -> object:
        asked.append(nodes)
        return entered(flow, nodes) if cuts else TRUE

    monkeypatch.setattr(Flow, "entered", cut)
    proving = by_automata(construction, read(construction), DECIDES, Deadline.after(120))
    assert proving.counterexample is None
    assert asked
    assert proving.closed
    assert (proving.gap is None) is cuts


def test_a_word_that_is_too_long_to_run_is_not_made() -> None:
    """Where a weight is known nearly, a solver answers with uses in which that matters: some 2^250 of them."""
    construction = weighted_softmax()
    with pytest.raises(Underivable, match="too long to run"):
        by_automata(construction, read(construction), DECIDES, Deadline.after(120))


def test_a_formula_that_counts_for_each_position_is_left_to_others() -> None:
    """It ended in a traceback."""
    formula = "w[n-1] == '1' and w[n-2] == '0' and all(count('1', j) >= 0 for j in positions)"
    theorem = Decides("decides", "the same, said so that no automaton reads it", accepts=formula)
    [result] = prove(CASES["ends with 01"].construction(), [theorem], timeout=30)
    assert isinstance(result.verdict, Proved | Unknown)

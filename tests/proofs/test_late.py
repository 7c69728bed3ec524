"""Late mistakes: words of 9, 30 and 200 symbols are found and replayed, in time; no lead counts by itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.derived import derivation_of
from tests.support.places import TESTS
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, load_file
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Linear, Readout
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.transforms.by_name import transformed
from weightproof.numeric.model.transformer import Transformer
from weightproof.proofs.prove import prove
from weightproof.proofs.refuting import guided, patterns, states
from weightproof.proofs.refuting.critical import search_critical
from weightproof.proofs.refuting.decode import Requirements, decoded, number, realise
from weightproof.proofs.refuting.long import spelled
from weightproof.proofs.refuting.refute import FAR, counterexample, likely_words, search, search_extreme
from weightproof.proofs.refuting.search import late
from weightproof.proofs.refuting.states import MANY_STATES, search_states
from weightproof.proofs.solving.solvers import Answer
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Unknown
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, n
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LATE = TESTS / "examples" / "late"


def example(stem: str) -> Construction:
    return load_file(LATE / f"{stem}.py").construction


def much(steps: int = 20_000_000) -> Budget:
    return Budget(steps)


def refuted(construction: Construction, theorem: Decides, timeout: float = 20.0) -> Counterexample:
    """The word of a refutation, replayed once more."""
    [result] = prove(construction, [theorem], timeout=timeout)
    assert isinstance(result.verdict, Refuted), result.verdict
    found = result.verdict.counterexample
    again = run(construction, found.word, found.parameters)
    assert again.accepts == found.accepts != found.member
    return found


PLANTED = {"nine": 9, "thirty": 30, "two_hundred": 200}


@pytest.mark.parametrize("stem", PLANTED)
def test_a_planted_mistake_is_refuted_at_the_length_at_which_it_shows_first(stem: str) -> None:
    construction = example(stem)
    found = refuted(construction, Decides("recognises", "a test"), timeout=60)
    assert len(found.word) == PLANTED[stem]


@pytest.mark.parametrize("stem", PLANTED)
def test_without_the_late_search_a_planted_mistake_stays_open(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.deciding.late", lambda *_: iter(()))
    monkeypatch.setattr("weightproof.proofs.deciding.shortest_wrong", lambda *_: (0, None))
    [result] = prove(example(stem), [Decides("recognises", "a test")], timeout=60)
    assert isinstance(result.verdict, Unknown)


def test_two_hundred_symbols_are_needed() -> None:
    """One symbol fewer is decided rightly, whatever the word: of those that start with 1, 1 0...0 is the worst."""
    construction, theorem = example("two_hundred"), Decides("recognises", "a test")
    assert counterexample(construction, theorem, "1" + "0" * 199, {}) is not None
    assert counterexample(construction, theorem, "1" + "0" * 198, {}) is None


def test_a_given_on_a_real_parameter_leads_to_long_words() -> None:
    found = refuted(load("first-one-layer"), Decides("late", "a test", given="exp(c) > 20"))
    assert found.word == "1" + "0" * (len(found.word) - 1)
    assert 21 <= len(found.word) <= 40


@pytest.mark.parametrize(("logit", "wrong"), [("(D - 9)**2", "9"), ("n*(D - 20)**2", "20")])
def test_a_statement_up_to_a_length_is_refuted_at_a_parameter_that_a_model_names(logit: str, wrong: str) -> None:
    """Left free, the solver takes longer words, of which the statement says nothing."""
    everything = Language("ALL", ("0", "1"), lambda word, **_: True, "n >= 1")
    embedding = Embedding({"0": {}, "1": {}, "CLS": {}}, {"p": logit})
    read = Readout(Linear({"logit": {"p": 1}}), position="first")
    network = Encoder(("p",), embedding, (), read)
    construction = Construction("far", "t", "s", everything, network, (Parameter("D", "D >= 1", 3, "natural"),))
    assert refuted(construction, Decides("few", "a test", up_to=3)).parameters == {"D": wrong}


def test_palindrome_in_every_base_is_refuted_at_the_golden_ratio() -> None:
    found = refuted(load("palindrome"), Decides("every base", "a test", given="c > 0"))
    assert found.word == "001011"
    assert "sqrt(5)" in found.parameters["c"]


def test_a_statement_on_sums_that_fails_at_ten_symbols() -> None:
    balanced = "count('1') == count('0') and all(count('1', j) <= count('0', j) for j in positions)"
    theorem = Decides("late", "a test", accepts=f"{balanced} and count('1') != 5", invariant="S1 <= 0")
    assert len(refuted(load("dyck1"), theorem).word) == 10


OTHER = [
    ("one", "count('1') == 1 or (count('1') == 2 and n > 40)", 40),
    ("parity", "count('1') % 2 == 1 and not (n == 30 and count('1') == 11)", 29),
    ("first", "w[1] == '1' and not (w[n - 2] == '0' and count('0') == 12)", 13),
]


@pytest.mark.parametrize(("name", "accepts", "length"), OTHER)
def test_the_built_in_networks_do_not_decide_what_differs_late(name: str, accepts: str, length: int) -> None:
    assert len(refuted(load(name), Decides("late", "a test", accepts=accepts)).word) == length


def test_the_least_length_is_found_by_bisection() -> None:
    construction, derivation = load("first-one-layer"), derivation_of("first-one-layer")
    theorem = Decides("late", "a test", given="exp(c) > 30")
    found = guided.search_guided(construction, theorem, derivation, 60, much())
    assert found is not None
    assert len(found.word) == 31


# Decoding: the word that is built has what the model says


@st.composite
def requirements(draw: st.DrawFn) -> tuple[tuple[str, ...], Requirements]:
    alphabet = ("a", "b", "c")[: draw(st.integers(1, 3))]
    word = draw(st.lists(st.sampled_from(alphabet), max_size=12))
    places = draw(st.sets(st.integers(0, max(len(word) - 1, 0)), max_size=3)) if word else set()
    ends = draw(st.sets(st.integers(0, len(word)), max_size=3))
    some = draw(st.sets(st.sampled_from(alphabet)))
    counts = {a: word.count(a) for a in alphabet if ends or a in some}
    prefixes = {end: {a: word[:end].count(a) for a in alphabet} for end in ends}
    return alphabet, Requirements(len(word), counts, {place: word[place] for place in places}, prefixes)


@given(requirements())
@settings(max_examples=300)
def test_a_word_is_built_wherever_there_is_one(case: tuple[tuple[str, ...], Requirements]) -> None:
    alphabet, wanted = case
    runs = realise(alphabet, wanted)
    assert runs is not None
    word = spelled(runs)
    assert len(word) == wanted.length
    assert all(word.count(symbol) == count for symbol, count in wanted.counts.items())
    assert all(word[place] == symbol for place, symbol in wanted.tokens.items())
    for end, counts in wanted.prefixes.items():
        assert all(word[:end].count(symbol) == count for symbol, count in counts.items())


def test_what_no_word_has_is_not_built() -> None:
    for wanted in (
        Requirements(3, {"a": 4, "b": 0}, {}, {}),
        Requirements(3, {"a": 1, "b": 1}, {}, {}),
        Requirements(2, {"a": 2, "b": 0}, {0: "b"}, {}),
        Requirements(4, {"a": 2, "b": 2}, {0: "b"}, {2: {"a": 2, "b": 0}}),
    ):
        assert realise(("a", "b"), wanted) is None, wanted


def test_numbers_are_read_as_z3_prints_them() -> None:
    shown = {"7": 7, "-7": -7, "3/2": Fraction(3, 2), "1.618?": Fraction(1618, 1000), "(root-obj x 1)": None}
    assert {text: number(text) for text in shown} == shown


def test_a_model_is_decoded_with_its_parameters() -> None:
    vocabulary = Vocabulary.of(load("first-one-layer"))
    atoms = [n, vocabulary.token(n - 1), vocabulary.total("0"), vocabulary.total("1"), vocabulary.unit("c")]
    model = {"n": "5", "|w(n - 1)|": "1", "K_0": "3", "K_1": "1", "u_c": "3/2"}
    lead = decoded(model, atoms, vocabulary)
    assert lead is not None
    assert (lead.runs, lead.parameters) == ((("0", 3), ("1", 1)), {"c": "log(3/2)"})
    assert decoded({**model, "K_1": "3"}, atoms, vocabulary) is None
    assert decoded({}, atoms, vocabulary) is None


# Leads are no verdicts


def test_a_model_that_does_not_replay_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that lies, and a closed form that lies, are found out by the interpreter."""
    lies = {"n": "12", "K_0": "5", "K_1": "6", "w(1)": "1"}
    monkeypatch.setattr(guided, "ask", lambda *_: Answer("z3", "sat", lies))
    construction, theorem = load("one"), Decides("recognises", "a test")
    assert guided.search_guided(construction, theorem, derive(construction), 40, much()) is None


def test_a_closed_form_that_lies_refutes_nothing() -> None:
    """Every word is a lead here: the closed form is that of another network."""
    construction, theorem = load("one"), Decides("recognises", "a test")
    other = replace(derive(construction), logit=derive(construction).logit * Iverson.constant(sympy.Integer(-1)))
    assert search_states(construction, theorem, other, 6, much()) is None
    assert list(late(construction, theorem, other, 4_000_000)) == []


# States


@pytest.mark.parametrize("name", ["one", "parity", "first", "dyck1", "dyck1-margin", "palindrome", "palindrome-margin"])
def test_a_state_has_the_logit_and_the_truth_of_its_words(name: str) -> None:
    """The word that stands for a state has its sums and flags; no two words of a short length are merged wrongly."""
    construction = load(name)
    derivation = derive(construction)
    theorem = Decides("recognises", "a test")
    values = states.parameter_values(construction, {})
    how = states.plan(derivation, theorem)
    walk = states._walk(construction, theorem, derivation, how, values, much())
    outcomes: dict[int, set[tuple[str, bool]]] = {}
    for word, at, flags in walk.words(6):
        tokens = add_markers(construction.network, word)  # type: ignore[arg-type]
        logit = evaluate_logit(derivation, tokens, values)
        assert sign(at.iverson(derivation.logit) - logit) == 0, word
        truth = holds(construction.language.characterisation, dict(values), tokens, construction.language.alphabet)
        assert states.true(how.accepts, at, flags) == truth, word
        outcomes.setdefault(len(word), set()).add((str(logit), truth))
    every: dict[int, set[tuple[str, bool]]] = {}
    for word in words(construction.language.alphabet, 6):
        tokens = add_markers(construction.network, word)  # type: ignore[arg-type]
        if holds(theorem.given, dict(values), tokens, construction.language.alphabet):
            truth = holds(construction.language.characterisation, dict(values), tokens, construction.language.alphabet)
            every.setdefault(len(word), set()).add((str(evaluate_logit(derivation, tokens, values)), truth))
    assert outcomes == every


def test_many_states_are_thinned_to_the_extreme_sums() -> None:
    """2^30 words have few states that matter."""
    construction = example("thirty")
    derivation, theorem = derive(construction), Decides("recognises", "a test")
    values = states.parameter_values(construction, {})
    walk = states._walk(construction, theorem, derivation, states.plan(derivation, theorem), values, much())
    seen: dict[int, int] = {}
    for word, _, _ in walk.words(20):
        seen[len(word)] = seen.get(len(word), 0) + 1
    assert seen[5] <= 32
    assert max(seen.values()) <= MANY_STATES


def test_what_states_cannot_tell_apart_is_left_to_other_searches() -> None:
    theorem = Decides("late", "a test", accepts="all(count('1') != 3 or w[j] == '1' for j in positions)")
    with pytest.raises(Underivable, match="the whole word"):
        states.plan(derivation_of("one"), theorem)


# Without a closed form


def test_regular_words_find_late_mistakes_without_a_closed_form() -> None:
    theorem = Decides("late", "a test", accepts="count('1') == 1 and not (n > 20 and w[1] == '1')")
    found = patterns.search_patterns(load("one"), theorem, None, 40, much())
    assert found is not None
    assert found.word == "1" + "0" * 19


@pytest.mark.parametrize(
    ("given", "parameter"), [("c > 30", "c"), ("epsilon > 10", "epsilon"), ("epsilon == 1/64", "epsilon")]
)
def test_a_mistake_far_out_is_found_without_a_closed_form(given: str, parameter: str) -> None:
    construction = transformed(load("first"), ["remove-centering", "layer-norm"])
    theorem = Decides("far", "a test", accepts="w[1] == '0'", given=given)
    assert search(construction, theorem, 2) is None  # at the sampled parameters
    found = search_extreme(construction, theorem, 2, much())
    assert found is not None
    assert found.parameters[parameter] in FAR
    again = run(construction, found.word, found.parameters, found.bits)
    assert again.accepts == found.accepts != found.member
    assert search_extreme(construction, theorem, 2, Budget(0)) is None


@pytest.mark.parametrize(("hidden", "to"), [("h1", "-1/2"), ("h3", "1/2")])
def test_a_mark_on_too_many_positions_is_wrong_where_attention_is_strong(hidden: str, to: str) -> None:
    """PARITY, with a hat of 1 and 1/2 that does not end before position k: right for each c that is sampled."""
    weight = f"set-weight:layer=1,part=W_F1,row={hidden},column=1/n,to={to}"
    construction = transformed(load("parity"), [weight, "remove-centering", "layer-norm"])
    found = search_extreme(construction, Decides("recognises", "a test"), 3, much())
    assert found is not None
    assert run(construction, found.word, found.parameters, found.bits).accepts != found.member


# Budgets


def test_lengths_double_until_a_word_is_wrong_and_are_halved_back() -> None:
    """A mistake that comes with 41 symbols, under a norm, where every run takes its time."""
    construction = transformed(load("one"), ["remove-centering", "layer-norm:epsilon=1"])
    theorem = Decides("late", "a test", accepts="count('1') == 1 and n <= 41")
    found = patterns.search_distant(construction, theorem, 600, much())
    assert found is not None
    assert (found.word, found.accepts, found.member) == ("1" + "0" * 40, True, False)
    assert patterns.search_distant(construction, theorem, 32, much()) is None
    assert patterns.search_distant(construction, theorem, 600, Budget(0)) is None


def test_long_words_at_the_default_come_before_others_at_many_parameters() -> None:
    default, others = {"D": "3"}, [{"D": "0"}, {"D": "1"}]
    lengths = list(patterns._lengths(600, default, others))
    assert sorted(length for length, tried in lengths if tried == [default]) == [8, 16, 32, 64, 128, 256, 512]
    assert [length for length, tried in lengths if tried == others] == [8, 16, 32, 64]
    assert lengths.index((128, [default])) < lengths.index((32, others)) < lengths.index((256, [default]))
    assert max(length for length, _ in patterns._lengths(100, default, others)) == 64


def test_a_network_that_rejects_long_balanced_words_is_refuted_with_one() -> None:
    """1-DYCK under a norm, where the last position costs the same at each length, and a balanced end earns 1/n."""
    weight = "set-weight:part=W,row=logit,column=[last],to=-1/20"
    construction = transformed(load("dyck1"), [weight, "remove-centering", "layer-norm:epsilon=1"])
    found = patterns.search_distant(construction, Decides("recognises", "a test"), 100, much())
    assert found is not None
    assert found.member
    assert run(construction, found.word, found.parameters, found.bits).accepts == found.accepts == (not found.member)


def test_a_shape_has_a_word_of_each_length() -> None:
    of_one = patterns.shapes(load("one"), Decides("any", "a test"))
    assert all(len(shape(length)) == length for shape in of_one for length in (1, 2, 8, 65))
    of_one_kind = {"0000", "1000", "0001", "1111", "0111", "1110"}
    assert {shape(4) for shape in of_one} == of_one_kind | {"0101", "1010", "0011", "1100"}


def test_a_search_without_work_finds_nothing_at_once() -> None:
    construction, theorem = load("dyck1"), Decides("wrong", "a test", accepts="count('1') >= 1")
    derivation = derive(construction)
    none = Budget(0)
    begin = time.monotonic()
    assert search(construction, theorem, 30, 0, none) is None
    assert search_states(construction, theorem, derivation, 200, none) is None
    assert patterns.search_patterns(construction, theorem, derivation, 200, none) is None
    assert search_critical(load("first"), theorem, derivation_of("first"), 30, none) is None
    assert guided.search_guided(load("first"), theorem, derivation_of("first"), 200, none) is None
    assert time.monotonic() - begin < 10


def test_the_late_search_keeps_to_its_budget() -> None:
    """There is nothing to find."""
    construction = load("palindrome")
    begin = time.monotonic()
    assert (
        list(late(construction, Decides("right", "a test", given="exp(c) >= 2"), derive(construction), 2_000_000)) == []
    )
    assert time.monotonic() - begin < 10


LETTERS = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567")


def many_letters() -> Construction:
    """`nine` over sixty letters, of which none but q weighs anything."""
    network = example("nine").network
    assert isinstance(network, Encoder)
    rows: Mapping[str, Mapping[str, object]] = {
        **{letter: {"[w=b]": 1} if letter == "q" else {} for letter in LETTERS},
        "CLS": {"[w=CLS]": 1},
    }
    language = Language("TWO q", LETTERS, lambda word: word.count("q") >= 2, "count('q') >= 2", description="a test")
    return replace(
        example("nine"), name="letters", language=language, network=replace(network, embedding=Embedding(WE=rows))
    )


def test_of_sixty_letters_words_with_few_different_ones_are_tried() -> None:
    construction, theorem = many_letters(), Decides("recognises", "a test")
    for length in range(5):
        tried = list(likely_words(construction, theorem, length))
        assert 1 <= len(tried) <= 600
        assert "q" * length in tried
        assert all(len(word) == length for word in tried)
    found = refuted(construction, theorem, timeout=30)
    assert len(found.word) == 9


# Vacuity


def test_a_hypothesis_that_only_long_words_satisfy_is_not_vacuous() -> None:
    for name, hypothesis in (("one", "n >= 20 and count('1') == 15"), ("parity", "n == 41 and count('1') == 23")):
        [result] = prove(load(name), [Decides("long", "a test", given=hypothesis)])
        assert isinstance(result.verdict, Proved), result.verdict


def test_a_witness_is_a_word_of_which_the_hypothesis_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models and states that lie are no witnesses."""
    monkeypatch.setattr("weightproof.proofs.refuting.witness.satisfying", lambda *_: iter([(("0",) * 30, {})]))
    [result] = prove(load("one"), [Decides("none", "a test", given="count('1') > n")])
    assert isinstance(result.verdict, Unknown)
    assert "vacuous" in result.verdict.reason


def test_under_a_norm_a_word_is_replayed_in_balls() -> None:
    """Its exact numbers are roots of roots; the numeric reading decides the word alike."""
    construction = transformed(load("palindrome-margin"), ["remove-centering", "layer-norm:epsilon=0", "fix:c=log(2)"])
    [result] = prove(construction)
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert (found.word, found.evidence) == ("01001", "replayed in balls")
    [logit] = Transformer(construction).logits([found.word]).tolist()
    assert logit > 0
    assert found.word != found.word[::-1]

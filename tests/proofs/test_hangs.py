"""What once did not come back: huge weights, positions and moduli, many parameters, letters and lengths.

The verdicts are asserted, not the times; each theorem has a deadline of its own.
"""

from __future__ import annotations

import string
from fractions import Fraction
from itertools import product

import pytest
import sympy

from tests.support.unusual import recogniser
from weightproof.constructions.languages.samples import MOST_SAMPLES, samples
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.exact import sign
from weightproof.proofs.prove import prove
from weightproof.proofs.strategies.direct import MOST_COMBINATIONS
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.constants import LONGEST_BOUND, constant_bounds
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LETTERS = tuple(string.ascii_letters + string.digits)[:60]


def verdict(construction: Construction, *theorems: Decides) -> Verdict:
    [result] = prove(construction, theorems or None)
    assert not (isinstance(result.verdict, Unknown) and result.verdict.timed_out), result.verdict.reason
    return result.verdict


def leaning(weight: str, **parts: object) -> Construction:
    """CLS leans to the 1s, by e to the weight."""
    head = Head(W_Q={"q": {"C": weight}}, W_K={"q": {"1": 1}}, W_V={"s": {"1": 1, "0": -1}}, scale=1)
    return recogniser(
        "count('1') > 0 and count('0') <= count('1')",
        lambda word, **_: "1" in word and word.count("0") <= word.count("1"),
        head=head,
        **parts,  # type: ignore[arg-type]
    )


def eight() -> tuple[Parameter, ...]:
    return tuple(Parameter(f"c{k}", f"c{k} > 0", k + 1) for k in range(8))


ALL = " + ".join(f"c{k}" for k in range(8))


@pytest.mark.parametrize("weight", ["1000", "1000*log(3)", "1000*c", "10**100"])
def test_an_attention_weight_of_a_thousand(weight: str) -> None:
    construction = leaning(weight, parameters=(Parameter("c", "c > 0", "log(2)"),) if "c" in weight else ())
    derive(construction)
    assert isinstance(verdict(construction), Proved | Refuted | Unknown)


def test_a_word_refutes_an_attention_weight_of_a_thousand() -> None:
    found = verdict(leaning("1000*log(3)"))
    assert isinstance(found, Refuted)
    word = found.counterexample.word
    result = run(leaning("1000*log(3)"), word)
    assert result.accepts != ("1" in word and word.count("0") <= word.count("1"))


def same_as_the_interpreter(construction: Construction, longest: int) -> None:
    """The derived closed form on all words up to a length, and on some longer ones, against the run."""
    derivation = derive(construction)
    network, values = construction.network, parameter_values(construction)
    assert isinstance(network, Encoder)
    short = ["".join(word) for length in range(longest + 1) for word in product("01", repeat=length)]
    for word in (*short, *("1" * ones + "01" * ((14 - ones) // 2) for ones in range(14))):
        logit = evaluate_logit(derivation, add_markers(network, word), values)
        assert sign(logit - run(construction, word).logit) == 0, word


MIXED = Head(W_V={"s": {"1": 1, "0": -1, "p": 1}})
ENCODINGS = ["(i == 8)", "(i == 2) + (i == 4)", "(i != 3)", "(i % 3 != 0)", "(i % 3 == 1)*2", "(i % 4 > 1)"]


@pytest.mark.parametrize(
    "encoding", [*ENCODINGS, "i % 100000", "(i % 100000 == 3)", "(i % 70 > 2)", "(i % 70 != 4)", "(i > 2)"]
)
def test_a_position_that_stands_out_beside_a_count(encoding: str) -> None:
    same_as_the_interpreter(recogniser(PE={"p": encoding}, head=MIXED), 6)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_all_symbols_share_is_summed_in_closed_form(encoding: str) -> None:
    assert not derive(recogniser(PE={"p": encoding}, head=MIXED)).sums


def test_a_position_that_stands_out_beside_a_count_is_refuted_where_it_does() -> None:
    found = verdict(recogniser(PE={"p": "(i == 8)"}, head=MIXED))
    assert isinstance(found, Refuted)
    assert len(found.counterexample.word) == 8


def test_a_count_over_many_fixed_positions_is_a_quantity_of_its_own() -> None:
    """Not a sum over 99,999 tokens; of few positions it is one."""
    vocabulary = Vocabulary.of(recogniser())
    assert len(vocabulary.prefix("1", sympy.Integer(99_999)).terms) == 1
    assert len(vocabulary.prefix("1", sympy.Integer(9)).terms) == 9


@pytest.mark.usefixtures("little_search")
def test_a_modulus_of_a_hundred_thousand() -> None:
    def member(word: str) -> bool:
        return word.count("1") % 100_000 == 1

    assert isinstance(verdict(recogniser("count('1') % 100000 == 1", member)), Refuted)
    few = Decides("few", "as long as there are few", "count('1') % 100000 > count('0')", given="n < 100000")
    assert isinstance(verdict(recogniser(), few), Proved)
    many = Decides("many", "however many there are", "count('1') % 100000 > count('0')", given="count('1') >= 1")
    assert isinstance(verdict(recogniser(), many), Unknown)


def test_eight_real_parameters() -> None:
    weights = {"s": {"1": ALL, "0": f"-({ALL})"}}
    construction = recogniser(head=Head(W_V=weights), parameters=eight())
    assert len(samples(construction)) <= MOST_SAMPLES
    assert isinstance(verdict(construction), Proved)


def test_of_eight_parameters_each_is_changed_alone_and_all_together() -> None:
    tried = samples(recogniser(parameters=eight()))
    default = tried[0]
    changed = [sum(given[name] != default[name] for name in default) for given in tried]
    assert changed.count(1) == 24
    assert 8 in changed
    assert len(samples(recogniser(parameters=eight()[:2]))) == 10  # the defaults, and three by three


@pytest.mark.parametrize(("bias", "kind"), [(0, Proved), (1, Refuted)])
def test_sixty_letters(bias: int, kind: type) -> None:
    assert isinstance(verdict(recogniser(alphabet=LETTERS, bias=bias)), kind)


def test_a_bounded_theorem_over_very_many_lengths() -> None:
    bounded = Decides("bounded", "as far as anyone counts", up_to=10**9)
    assert verdict(recogniser(), bounded) == Proved("n <= 1000000000", Evidence.BOUNDED)
    late = recogniser(PE={"p": "(i == 8)"}, head=MIXED)
    assert not isinstance(verdict(late, bounded), Proved)


def test_a_bounded_theorem_holds_up_to_its_bound_only() -> None:
    late = recogniser(PE={"p": "(i == 300)"}, head=MIXED)
    assert isinstance(verdict(late, Decides("before", "up to where it differs", up_to=300)), Proved)
    assert not isinstance(verdict(late, Decides("beyond", "further than that", up_to=301)), Proved)
    assert MOST_COMBINATIONS < 300**2


def test_a_theorem_about_long_words_only_is_not_vacuous() -> None:
    assert isinstance(verdict(recogniser(), Decides("long", "of long words", given="n >= 30")), Proved)
    found = verdict(recogniser(), Decides("none", "of no words", given="n > 3 and n < 3"))
    assert isinstance(found, Unknown)
    assert "vacuous" in found.reason


def test_bounds_of_a_huge_and_of_a_tiny_unit_are_simple_ones() -> None:
    huge, tiny = constant_bounds(sympy.Symbol("exp(1000000)")), constant_bounds(sympy.Symbol("exp(-1000000)"))
    assert huge == (2**LONGEST_BOUND, None)
    assert tiny is not None
    assert tiny[1] is not None
    assert 0 <= tiny[0] < tiny[1] == Fraction(1, 2**LONGEST_BOUND)
    ordinary = constant_bounds(sympy.Symbol("exp(1)"))
    assert ordinary is not None
    assert ordinary[1] is not None
    assert 2.718 < ordinary[0] < ordinary[1] < 2.719

"""What speaks of nothing is not proved: a hypothesis that no word satisfies, a side without words, a value that does
not exist, finitely many words where an order of magnitude is claimed. Each is refused as such, in a line.
"""

from __future__ import annotations

import pytest

from weightproof.constructions.circuits.circuit import Circuit, Gate
from weightproof.constructions.claims import statements as claimed
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import Attention, Formula, Logit, Statement, Stream, Value
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.schema import Decoder, Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.circuits.prove import of_circuit
from weightproof.proofs.claims.judging import judge_claims
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.prover import proved
from weightproof.proofs.quantities.outcome import Open
from weightproof.proofs.theorem import Appends, ClosedForm, Compares, Decides, Margin, Predicts, Theorem
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict

ONES, ZEROS = "count('1')", "count('0')"
BALANCE = Encoder(
    ("[0]", "[1]", "b"),
    Embedding({"0": {"[0]": 1}, "1": {"[1]": 1}, "CLS": {}}),
    (Layer(heads=(Head(W_V={"b": {"[1]": 1, "[0]": -1}}),)),),
    Readout(Linear({"logit": {"b": 1}}), position="first", accept="logit > 0"),
)
MORE = Language("MORE ONES", ("0", "1"), lambda w: w.count("1") > w.count("0"), f"{ONES} > {ZEROS}")
MAJORITY = Construction("majority", "t", "s", MORE, BALANCE)
WITH_C = Construction("with-c", "t", "s", MORE, BALANCE, (Parameter("c", "c > 0", 1),))
NOTHING = Construction("nothing", "t", "s", Language("NO WORD", ("0", "1"), lambda w: False, "n < 0"), BALANCE)
ALWAYS = Construction(
    "always",
    "t",
    "s",
    Language("ALL", ("0", "1"), lambda w: True, "n >= 1"),
    Encoder(
        ("one",),
        Embedding({"0": {}, "1": {}, "CLS": {"one": "exp(c)"}}),
        (),
        Readout(Linear({"logit": {"one": 1}}), position="first", accept="logit > 0"),
    ),
    (Parameter("c", "c > 0", 1),),
)


def verdict(construction: Construction, theorem: Theorem, timeout: float = 3.0) -> Verdict:
    [result] = prove(construction, [theorem], timeout=timeout)
    return result.verdict


def of_value(of: claimed.Quantity, equals: str, when: str = "n >= 1", at: dict[str, str] | None = None) -> ClosedForm:
    return ClosedForm(Published("v", "p", "x", Value(of, equals, when, at)))


VACUOUS: list[tuple[str, Construction, Theorem]] = [
    ("no word is so short", MAJORITY, Decides("d", "s", given="n < 1")),
    ("contradictory counts", MAJORITY, Compares("<", 5, given=f"{ONES} > n")),
    ("contradictory lengths", MAJORITY, Compares("<", 5, given="n > 1000 and n < 1000")),
    ("outside the domain", WITH_C, Compares("<", 5, where="n >= 1", given="c < 0")),
    ("an invariant saves nothing", MAJORITY, Decides("d", "s", given="n == n + 1", invariant="n >= 0")),
    ("up_to below the least length", MAJORITY, Decides("d", "s", given="n >= 3", up_to=2)),
    ("where of no word", MAJORITY, Compares(">", 1000, where="n < 0")),
    ("a language without words", NOTHING, Compares(">", 1000)),
    ("no word to attain it", MAJORITY, Margin("accepted", "1/n", when="n > 4 and n < 4", attained=(("1", "n - 1"),))),
    ("no such n", MAJORITY, Margin("rejected", None, when="n == 3 and n == 4")),
    ("no such n for a logit", MAJORITY, of_value(Logit(), "7", "n < 1")),
    ("no such count", MAJORITY, of_value(Logit(), "7", f"{ONES} > n")),
    ("a position behind the end", MAJORITY, of_value(Stream("b", 1), "7", "i >= n")),
    ("a position before the beginning", MAJORITY, of_value(Stream("b", 1), "7", "i < 0")),
    ("attention to nothing", MAJORITY, of_value(Attention(1, 1), "7", "p >= n")),
    ("a parameter outside its domain", WITH_C, of_value(Logit(), "7", at={"c": "-1"})),
]


@pytest.mark.parametrize(("construction", "theorem"), [case[1:] for case in VACUOUS], ids=[case[0] for case in VACUOUS])
def test_a_theorem_about_no_word_is_unknown_and_says_so(construction: Construction, theorem: Theorem) -> None:
    found = verdict(construction, theorem)
    assert isinstance(found, Unknown), found
    assert "vacuous" in found.reason


def test_that_others_do_not_is_no_theorem_about_no_word() -> None:
    """ "and on no others" was proved of a `where` that holds nowhere."""
    found = verdict(MAJORITY, Compares(">", 5, where="n < 1", only=True), 20.0)
    assert isinstance(found, Unknown), found
    assert found.timed_out or "vacuous" in found.reason
    assert isinstance(verdict(MAJORITY, Compares(">", 0, only=True)), Proved)


def test_a_solver_that_does_not_see_that_there_is_no_word_does_not_prove_it() -> None:
    """No square is twice another one. The certificate needs no hypothesis, and no solver refutes this one."""
    found = verdict(MAJORITY, Compares(">", -2, where=f"{ONES}**2 == 2*{ZEROS}**2 and {ONES} >= 1"), 20.0)
    assert isinstance(found, Unknown), found
    assert found.timed_out or "it may be vacuous" in found.reason


@pytest.mark.parametrize("value", ["1/(n - 50)", "0/(n - 50)", "log(-n)", "1 + 0*sqrt(50 - n)"])
@pytest.mark.parametrize("theorem", [Compares, Margin, ClosedForm])
def test_a_value_that_does_not_exist_is_compared_with_nothing(theorem: type, value: str) -> None:
    """It is missing beyond the words that are run, or everywhere, and nowhere may it be cancelled."""
    stated: Theorem
    if theorem is Compares:
        stated = Compares("!=", value, where="n >= 1")
    elif theorem is Margin:
        stated = Margin("rejected", value, when="n >= 2", attained=(("0", "n - 1"),))
    else:
        stated = of_value(Formula(value), value)
    assert not isinstance(verdict(MAJORITY, stated, 1.0), Proved)


def test_equal_formulas_without_a_value_are_refuted() -> None:
    for formula in ("1/(n - n)", "log(-n)", "(n - 2)/(n - 2)"):
        found = verdict(MAJORITY, of_value(Formula(formula), formula))
        assert isinstance(found, Refuted), (formula, found)
        assert found.counterexample.note == "the printed formula has no value there"


CLAIMED: list[tuple[str, Construction, Statement]] = [
    ("compares, only", MAJORITY, claimed.Compares(">", 1000, where="n < 1")),
    ("accepts", MAJORITY, claimed.Accepts("n == 7", given=f"{ONES} > n")),
    ("cross-entropy", MAJORITY, claimed.CrossEntropy("<=", 1, given="n < 1")),
    ("value", MAJORITY, Value(Logit(), "7", "n < 1")),
    ("vector", MAJORITY, claimed.Vector(1, "5", "6", "7", when="i >= n")),
    ("tends", WITH_C, Value(Logit(), "7", f"2*{ONES} == 2*{ZEROS} + 1", tends="c")),
    ("finitely many lengths", ALWAYS, claimed.Order("O", 1, when="n <= 20")),
    ("one length", ALWAYS, claimed.Order("O", "1/n**5", when="n == 13")),
    ("finitely many words", ALWAYS, claimed.Order("O", "1/n**5", when=f"{ONES} <= 3 and {ZEROS} <= 20")),
    ("no word", ALWAYS, claimed.Order("o", "1/n**5", when=f"{ONES} > n")),
    ("outside the domain", ALWAYS, claimed.Order("O", 1, at={"c": "-1"})),
    ("outside it where n is large", ALWAYS, claimed.Order("O", 1, at={"c": "7 - n"})),
]


@pytest.mark.parametrize(
    ("construction", "statement"), [case[1:] for case in CLAIMED], ids=[case[0] for case in CLAIMED]
)
def test_a_claim_about_nothing_is_unknown_and_says_so(construction: Construction, statement: Statement) -> None:
    claims = Claims(construction.name, Published("c", "p", "x", statement))
    [judgement] = judge_claims(construction, claims, timeout=6.0)
    assert judgement.verdict == "unknown", judgement
    outcome = judgement.deciding.outcome
    assert isinstance(outcome, Open)
    assert any(word in outcome.reason for word in ("vacuous", "finitely many", "outside their domains")), outcome


REFUSED = [
    (Value(Logit(), 7, at={"c": "5"}, tends="c"), "at: 'c' tends to infinity, and parameters are fixed"),
    (Value(Logit(), 7, "c < 5", tends="c"), "when: c < 5 speaks of c, which tends to infinity"),
    (claimed.Order("O", 1, "n <= 9", "accepted"), "when: n <= 9, but the least |logit| of a side is that of all words"),
]


@pytest.mark.parametrize(("statement", "told"), REFUSED)
def test_a_claim_that_takes_back_what_it_speaks_of_is_refused(statement: Statement, told: str) -> None:
    with pytest.raises(ConstructionError) as error:
        list(judge_claims(WITH_C, Claims("with-c", Published("c", "p", "x", statement))))
    assert told in str(error.value)


def test_an_order_is_not_taken_from_a_margin_that_supposes_more() -> None:
    """The margin is proved where c is 2 alone, and the claim is about every c."""
    theorem = Margin("accepted", "exp(2)", given="c == 2", attained=(("0", "n - 1"),))
    order = Claims("always", Published("c", "p", "x", claimed.Order("O", 1, side="accepted")))
    [judgement] = judge_claims(ALWAYS, order, [theorem])
    assert judgement.verdict == "unknown"
    assert isinstance(judgement.deciding.outcome, Open)
    assert "is about c == 2 alone" in judgement.deciding.outcome.reason


def test_a_decoder_appends_nothing_where_no_word_ends_so() -> None:
    bigram = Construction(
        "bigram",
        "t",
        "s",
        Language("ALL", ("a", "b"), lambda w: True, "n >= 1"),
        Decoder(
            coordinates=("[a]", "[b]"),
            embedding=Embedding(WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {}}),
            layers=(Layer(),),
            begin="C",
            readout=Readout(Linear({"a": {"[b]": 1}, "b": {"[a]": 1}}), position="last", accept="argmax"),
        ),
    )
    assert isinstance(verdict(bigram, Appends("a", "b")), Proved)
    for theorem in (Appends("a", "a", given="count('b') < 0"), Appends("C", "a", given="count('a') >= 1")):
        found = verdict(bigram, theorem, 20.0)
        assert isinstance(found, Unknown), (theorem, found)
        assert "vacuous" in found.reason
    found = verdict(bigram, Appends("a", "b", given="1/(count('b') - 3) > -7"), 20.0)
    assert isinstance(found, Unknown)
    assert "a division by a count" in found.reason


def predictor(*rows: str, right: str = "n >= 1") -> Construction:
    language = Language("P", ("0", "1"), lambda w: True, "n >= 1", label=lambda w: "0", labels={"0": right})
    network = Encoder(
        ("a",),
        Embedding({"0": {"a": 1}, "1": {"a": 1}, "CLS": {"a": 1}}),
        (),
        Readout(Linear({row: {"a": number} for number, row in enumerate(reversed(rows))}), "last", "argmax"),
    )
    return Construction("predictor", "t", "s", language, network)


def test_what_is_predicted_of_no_word_or_against_no_other_output_is_not_proved() -> None:
    [result] = prove(predictor("0", "1"))
    assert isinstance(result.verdict, Proved)
    for construction, given in ((predictor("0", "1"), "n < 1"), (predictor("0", "1", right="n < 1"), "n >= 1")):
        found = verdict(construction, Predicts("p", "s", given=given))
        assert isinstance(found, Unknown), found
        assert "vacuous" in found.reason
    with pytest.raises(InputError, match="the network has one output alone"):
        list(prove(predictor("0"), default_theorems(predictor("0"))))


def test_a_circuit_without_gates_has_no_theorem() -> None:
    [result] = proved(of_circuit(Circuit("wires", 2, (), (1,))))
    assert isinstance(result.verdict, Unknown)
    assert "vacuous" in result.verdict.reason
    [result] = proved(of_circuit(Circuit("gate", 2, (Gate("AND", 1, 2),))))
    assert isinstance(result.verdict, Proved)


def test_what_is_shipped_speaks_of_something() -> None:
    """The least length of a network between two markers is 2: a theorem up to 1 speaks of no word of it."""
    palindrome = load("palindrome")
    found = verdict(palindrome, Decides("d", "s", up_to=1), 20.0)
    assert isinstance(found, Unknown), found
    assert "vacuous" in found.reason

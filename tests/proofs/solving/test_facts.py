"""What solvers are told: each fact is true, is checked before it is told, and stands in the table of findings/trust."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.support.places import ROOT
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.deciding import decide
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving import facts
from weightproof.proofs.solving.implication import implication, to_smt
from weightproof.proofs.solving.logic import FALSE, Rel
from weightproof.proofs.solving.trusted import FACTS, Rule
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra import value as values
from weightproof.symbolic.algebra import vocabulary as vocabularies
from weightproof.symbolic.algebra.exponentials import exponential, square_root
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, n


def encoder(
    p: str, domain: str = "c > 0", parameter: str = "c", alphabet: tuple[str, ...] = ("0", "1")
) -> Construction:
    """One head with uniform attention to a coordinate that a position encoding alone fills."""
    embedding = Embedding({**{a: {} for a in alphabet}, "CLS": {}}, {"p": p})
    readout = Readout(Linear({"logit": {"s": 1}}), position="first", accept="logit > 0")
    network = Encoder(("p", "s"), embedding, (Layer(heads=(Head(W_V={"s": {"p": 1}}),)),), readout, "CLS", None)
    language = Language("L", alphabet, lambda word, **_: True, "n >= 1")
    return Construction("equal", "a title", "a test", language, network, (Parameter(parameter, domain, "2"),))


EQUAL_POWERS = "sqrt(exp(sqrt(2)*c)) - exp(sqrt(2)*c/2)"
RECOGNISES = Decides("recognises", "a test")


def test_two_spellings_of_a_power_are_not_ordered() -> None:
    """The logit is 0 everywhere: the network rejects every word, and was proved to accept it."""
    [result] = prove(encoder(EQUAL_POWERS), timeout=10)
    assert isinstance(result.verdict, Refuted)


@pytest.mark.parametrize(
    "zero",
    [
        EQUAL_POWERS,
        "exp(sqrt(2)*c/4) - sqrt(sqrt(exp(sqrt(2)*c)))",
        "sqrt(exp(sqrt(2)*c/3)) - exp(sqrt(2)*c/6)",
        "exp(c*log(4)/4) - sqrt(exp(c*log(2)))",
        "sqrt(exp(c**2)) - exp(c**2/2)",
        "sqrt(exp(sqrt(2)*log(n))) - exp(sqrt(2)*log(n)/2)",
        "exp(sqrt(2)*c/2)**2 - exp(sqrt(2)*c)",
        "exp(sqrt(8)*c) - exp(sqrt(2)*c)**2",
        "cos(pi/12) - (sqrt(6) + sqrt(2))/4",
    ],
)
def test_no_proof_is_found_that_nothing_is_positive(zero: str) -> None:
    """Without the words that refute it, and with either sign."""
    for said in (zero, f"-({zero})"):
        verdict, _ = decide(Analysis(encoder(said)), RECOGNISES, 10, searched=True, longer=False)
        assert not isinstance(verdict, Proved), said


def test_equal_powers_are_one_unit() -> None:
    vocabulary = Vocabulary.of(encoder("1"))
    c = vocabulary.parameter("c")
    here = vocabulary.words()
    root = sympy.sqrt(2) * c
    e, half = exponential(root, vocabulary), exponential(root / 2, vocabulary)
    assert square_root(e) == half
    assert square_root(square_root(e)) == exponential(root / 4, vocabulary)
    assert sign_of(half**2 - e, here, vocabulary) is Sign.ZERO
    assert sign_of(half**3 - e, here, vocabulary) is Sign.POSITIVE
    assert sign_of(exponential(sympy.sqrt(8) * c / 3, vocabulary) ** 3 - e**2, here, vocabulary) is Sign.ZERO
    assert sign_of(sympy.sqrt(vocabulary.unit("c")) ** 3 - vocabulary.unit("c"), here, vocabulary) is Sign.POSITIVE


def told(*expressions: sympy.Expr, vocabulary: Vocabulary | None = None) -> str:
    known = Vocabulary.of(encoder("1")) if vocabulary is None else vocabulary
    goals = [Rel(">", expression) for expression in expressions]
    return to_smt(implication("a test", known, known.words(), goals, FALSE), integers=True)


VOCABULARY = Vocabulary.of(encoder("1"))
C, U = VOCABULARY.parameter("c"), VOCABULARY.unit("c")
POWER = exponential(sympy.sqrt(2) * C, VOCABULARY)
HALF = exponential(sympy.sqrt(2) * C / 2, VOCABULARY)
E = exponential(sympy.Rational(1, 3), VOCABULARY)


def test_every_rule_is_told_and_stands_in_the_table() -> None:
    atoms = (
        sympy.Abs(C), sympy.log(C + 2), E, U, POWER, HALF, C, sympy.sqrt(U), U**n,
        exponential(C**2, VOCABULARY), sympy.Symbol("R1", positive=True),
    )  # fmt: skip
    known = [*facts.facts(atoms, VOCABULARY, VOCABULARY.words(), {C}, True)]
    assert {fact.rule for fact in known} == {*Rule}
    assert {*Rule} <= {line.fact for line in FACTS}
    assert len({line.fact for line in FACTS}) == len(FACTS)


@pytest.mark.parametrize("line", FACTS, ids=lambda line: line.fact)
def test_what_settles_a_fact_is_defined_where_the_table_says(line: Any) -> None:
    path, _, name = line.where.partition(":")
    body: Any = ast.parse((ROOT / path).read_text()).body
    for part in name.split("."):
        targets = [(target, each) for each in body if isinstance(each, ast.Assign) for target in each.targets]
        names = {target.id: each for target, each in targets if isinstance(target, ast.Name)}
        names |= {each.name: each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        assert part in names, line.where
        body = getattr(names[part], "body", [])


def test_a_power_and_its_root_are_told_to_be_that() -> None:
    script = told(POWER - HALF)
    assert "(assert (< |exp(sqrt(2)*c/2)| |exp(sqrt(2)*c)|))" in script
    assert "(assert (= (* 1.0 |exp(sqrt(2)*c/2)| |exp(sqrt(2)*c/2)|) (* 1.0 |exp(sqrt(2)*c)|)))" in script
    same = sympy.sqrt(POWER)  # no reading makes it, as it is HALF
    assert "(assert (= |exp(sqrt(2)*c/2)| |sqrt(exp(sqrt(2)*c))|))" in told(HALF - same)


def test_what_cannot_be_told_apart_is_refused() -> None:
    nested = sympy.sqrt(3 + 2 * sympy.sqrt(2))
    written = sympy.sqrt(2) * sympy.sqrt(sympy.Rational(3, 2) + sympy.sqrt(2))
    assert nested != written
    with pytest.raises(Underivable, match="cannot be told apart"):
        told(exponential(nested * C, VOCABULARY) - exponential(written * C, VOCABULARY))


@pytest.mark.parametrize(
    ("name", "wrong", "expression"),
    [
        ("constant_bounds", (Fraction(2), None), E),
        ("constant_bounds", (Fraction(1), Fraction(6, 5)), E),
        ("constant_bounds", (Fraction(3), None), U - C),  # of e, whose tangent is told
        ("number_bounds", (Fraction(7, 10), Fraction(1)), sympy.log(2)),
        ("number_bounds", (Fraction(0), Fraction(6, 10)), sympy.log(2)),
        ("number_bounds", (Fraction(0), Fraction(2)), sympy.sqrt(2)),
        ("power_bound", (Fraction(11, 10), True), sympy.sqrt(U)),
    ],
)
def test_a_wrong_number_is_not_told(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: tuple[Any, Any], expression: sympy.Expr
) -> None:
    right = getattr(facts, name)
    told(expression)
    monkeypatch.setattr(facts, name, lambda *of: None if right(*of) is None else wrong)
    with pytest.raises(Underivable, match="is not certain"):
        told(expression)


def test_a_wrong_bound_of_a_multiple_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Vocabulary.of(encoder("1", "c >= 1"))
    told(POWER, vocabulary=known)
    monkeypatch.setattr(Vocabulary, "_least_of_multiple", lambda *_: (Fraction(42, 10), True))
    with pytest.raises(Underivable, match="is not certain"):
        told(POWER, vocabulary=known)


@pytest.mark.parametrize("domain", ["c >= 1", "c > log(2)"])
def test_a_wrong_bound_of_a_parameter_is_refused(monkeypatch: pytest.MonkeyPatch, domain: str) -> None:
    least = {name: bound for name, bound, _ in Vocabulary.of(encoder("1", domain)).least}
    assert least["c"] == 2 or 2.718 < least["c"] < 2.719
    for name in ("below", "fmpq_of"):
        with monkeypatch.context() as patch:
            right = getattr(vocabularies, name)
            patch.setattr(vocabularies, name, lambda x, right=right: right(x) + Fraction(1, 10**6))
            changed = name == ("below" if domain == "c >= 1" else "fmpq_of")
            if changed:
                with pytest.raises(Underivable, match="is no bound of a parameter"):
                    Vocabulary.of(encoder("1", domain))


def test_a_wrong_cosine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    said, right = Decides("t", "a test", accepts="cos(pi*n/6) > 0"), sympy.cos
    for wrong in (lambda x: right(x + sympy.pi / 3), lambda x: right(x) + sympy.Rational(1, 10**9)):
        with monkeypatch.context() as patch:
            patch.setattr(values.sympy, "cos", wrong)
            values._require_cosine.cache_clear()
            verdict, _ = decide(Analysis(encoder("1")), said, 10, searched=True, longer=False)
        assert isinstance(verdict, Unknown)
        assert "is not certain to be cos" in verdict.reason


def test_quantities_that_print_alike_are_refused() -> None:
    other = sympy.Symbol("c", integer=True)
    with pytest.raises(Underivable, match="two different quantities are called c"):
        told(other * C)


@pytest.mark.parametrize(
    "name",
    ["j", "S1", "S1_next", "R2", "so_far", "so_far2", "logit", "reward", "u_c", "K_0", "k_1", "y_0"],
)
def test_a_parameter_that_is_called_like_a_quantity_is_refused(name: str) -> None:
    with pytest.raises(Underivable, match="is called like a quantity of the derivation"):
        Vocabulary.of(encoder(f"exp({name})", f"{name} > 0", name))


@pytest.mark.parametrize("name", ["E", "I", "S", "e", "m", "m_copies", "later", "x"])
def test_a_parameter_may_be_called_anything_else(name: str) -> None:
    construction = encoder(f"exp(sqrt(2)*{name}) - 1", f"{name} > 0", name)
    verdict, _ = decide(Analysis(construction), RECOGNISES, 10, searched=True, longer=False)
    assert isinstance(verdict, Proved)


def test_tokens_that_solvers_cannot_quote_are_kept_apart() -> None:
    known = Vocabulary.of(encoder("1", alphabet=("|", "\\")))
    script = told(known.total("|") - known.total("\\"), vocabulary=known)
    assert "|K_{bar}|" in script
    assert "|K_{backslash}|" in script
    construction = replace(encoder("1", alphabet=("|", "\\")), name="bars")
    more = Decides("more", "a test", accepts='count("|") > count("\\\\")')
    verdict, _ = decide(Analysis(construction), more, 10, searched=True, longer=False)
    assert isinstance(verdict, Unknown)


def test_a_line_in_a_name_is_no_line_of_the_script() -> None:
    item = implication("x\n(assert false)", VOCABULARY, Context(), [], FALSE)
    assert not re.search(r"^\(assert false\)", to_smt(item, integers=True), re.MULTILINE)

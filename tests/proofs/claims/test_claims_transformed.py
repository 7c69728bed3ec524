"""Claims about transformed constructions: which are judged, what they cost, and what is the same at every position."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tests.support.replays import breaks
from weightproof.cli import main
from weightproof.constructions.chiang2022.transformed import EXACTLY, FIRST_REPAIRED, NORMALISED, SCALED, SHARPEN
from weightproof.constructions.claims.published import Claims, Published, Slip
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Constant,
    Count,
    CrossEntropy,
    Formula,
    Kept,
    Logit,
    Prefers,
    Projected,
    Statement,
    Stream,
    Value,
)
from weightproof.constructions.library import claims_of_transformed, load, load_claims
from weightproof.constructions.meaning.construction import after
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.transforms.by_name import transformed
from weightproof.named import Named, printed, resolve
from weightproof.proofs.claims import words
from weightproof.proofs.claims.judging import Judgement, judge_claims
from weightproof.proofs.claims.words import Stated
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.outcome import Holds, Open, Outcome
from weightproof.reports.claiming import judged, mistakes, sections
from weightproof.subjects.registry import subject_of


def judgement(statement: Statement, name: str, *transforms: str) -> Judgement:
    claims = Claims(name, Published("claim", "here", "as stated", statement), transforms=transforms)
    [found] = judge_claims(transformed(load(name), transforms), claims)
    if found.verdict == "false":
        assert found.difference is not None
        assert breaks(transformed(load(name), transforms), statement, found.difference)
    return found


REPAIRED = (FIRST_REPAIRED, "sharpen:eta=1/100")
COSTS = [
    ("first", (FIRST_REPAIRED, SHARPEN), "<=", "eta", "true"),
    ("first", (FIRST_REPAIRED, SHARPEN), "==", "eta", "true"),
    ("first", (FIRST_REPAIRED, SHARPEN), "<=", "eta/2", "false"),
    ("first", REPAIRED, "<=", "1/100", "true"),
    ("first", REPAIRED, "==", "1/100", "true"),
    ("first", REPAIRED, "<=", "1/50", "true"),
    ("first", REPAIRED, "==", "1/50", "false"),
    ("first", REPAIRED, "<=", "1/200", "false"),
    ("first", REPAIRED, ">=", "1/100", "true"),
    ("first", REPAIRED, ">=", "1/200", "true"),
    ("first", REPAIRED, ">=", "1/50", "false"),
    ("first", (), ">=", "2/3", "false"),
    ("first", (SHARPEN,), "<=", "eta", "false"),  # the empty word has no logit
    ("first", (), "<=", "1", "true"),  # at worst log 2 = 0.693, of the empty word
    ("first", (), "<=", "log(2)", "true"),
    ("first", (), "<=", "2/3", "false"),
    ("one", (*EXACTLY, "sharpen:eta=1"), "==", "1", "true"),  # decided wrongly, and no worse for it
    ("one", (*EXACTLY, "sharpen:eta=1"), "<=", "99/100", "false"),
]


@pytest.mark.parametrize(("name", "transforms", "op", "nats", "expected"), COSTS)
def test_what_a_decision_costs(
    name: str, transforms: tuple[str, ...], op: Literal["<=", "==", ">="], nats: str, expected: str
) -> None:
    assert judgement(CrossEntropy(op, nats), name, *transforms).verdict == expected


def test_a_cost_below_0_is_none() -> None:
    assert judgement(CrossEntropy("<=", "-1"), "first").verdict == "false"
    assert judgement(CrossEntropy(">=", "-1"), "first").verdict == "unknown"


K = Stream("k/n", 1, "attention")
SAME = [
    (K, "parity", (), "true"),
    (K, "parity", ("remove-centering",), "true"),
    (K, "parity", NORMALISED, "false"),
    (Stream("i/n", 1, "attention"), "parity", (), "false"),
    (Stream("s", 1), "parity", (), "true"),  # 0, before the second layer writes it
    (Projected("W_K", 2, 1, "q"), "parity", (), "false"),
]


@pytest.mark.parametrize(("of", "name", "transforms", "expected"), SAME)
def test_what_is_the_same_at_every_position(
    of: Stream | Projected, name: str, transforms: tuple[str, ...], expected: str
) -> None:
    found = judgement(Constant(of), name, *transforms)
    assert found.verdict == expected
    assert (found.difference is None) == (expected == "true")
    if isinstance(outcome := found.deciding.outcome, Holds):
        assert outcome.scope == "all lengths"


KEPT = [
    (1, "first", (), "false"),  # the feed-forward network marks the first symbol
    (2, "first", (), "true"),  # there is none
    (2, "first", EXACTLY, "true"),  # what is normalised stays what it is, without epsilon
    (2, "first", NORMALISED, "false"),
]


@pytest.mark.parametrize(("layer", "name", "transforms", "expected"), KEPT)
def test_what_the_second_half_of_a_layer_leaves_what_it_is(
    layer: int, name: str, transforms: tuple[str, ...], expected: str
) -> None:
    assert judgement(Kept(layer), name, *transforms).verdict == expected


SQUARE = "((2 + (i**2 + count('1')**2 + 1)/n**2)/9 + epsilon)"
ROOTS = [
    (K, f"count('1')/n/sqrt({SQUARE})", "parity", NORMALISED, "true"),
    (K, f"count('1')/n*sqrt({SQUARE})", "parity", NORMALISED, "false"),
    (K, f"count('1')/n/sqrt({SQUARE} + 1)", "parity", NORMALISED, "false"),
    (K, f"2*count('1')/n/sqrt(4*({SQUARE}))", "parity", NORMALISED, "true"),
    (K, f"2*count('1')/n/sqrt({SQUARE})", "parity", NORMALISED, "false"),
    (Stream("[i=1]", 1), "(i == 1)/sqrt((2 + (w[i] == '1'))/6)", "first", EXACTLY, "true"),
    (Stream("[i=1]", 1), "(i == 1)/sqrt((2 + (w[i] == '0'))/6)", "first", EXACTLY, "false"),
]


@pytest.mark.parametrize(("of", "equals", "name", "transforms", "expected"), ROOTS)
def test_printed_roots_are_those_of_the_norms(
    of: Stream, equals: str, name: str, transforms: tuple[str, ...], expected: str
) -> None:
    """A row's scale is the inverse of the root of its mean square, for every epsilon."""
    assert judgement(Value(of, equals), name, *transforms).verdict == expected


DECIDED = ("parity", "first")


@pytest.mark.controls
@pytest.mark.parametrize("name", DECIDED)
def test_a_factor_of_a_layer_leaves_decisions_alone(name: str) -> None:
    assert judgement(Accepts(), name, *SCALED).verdict == "true"


@pytest.mark.controls
def test_a_factor_of_a_layer_is_squared_in_the_attention() -> None:
    for exponent, expected in (("inner", "false"), ("inner**2", "true")):
        said = f"(-1)**(count('1') + 1)*2*outer*inner/n**2*tanh({exponent}*c)"
        assert judgement(Value(Logit(), said, "n % 2 == 0"), "parity", *SCALED).verdict == expected


POSITIONS = [
    ("one", "m + 1", "true"),
    ("one", "m", "false"),
    ("palindrome", "m + 2", "true"),
    ("parity", "2*m", "false"),
    ("parity", "(m + 1)/m", "false"),  # which the empty word gives no value
    ("parity", "(m + 1)**2/(m + 1)", "true"),
]


@pytest.mark.parametrize(("name", "number", "expected"), POSITIONS)
def test_positions_are_counted_from_the_symbols_of_a_word(name: str, number: str, expected: str) -> None:
    assert judgement(Count("positions", number), name).verdict == expected


MALFORMED: list[tuple[Any, str]] = [
    (Constant(Logit()), "Logit(token=None) stands at no position"),  # type: ignore[arg-type]
    (Constant(Stream("nothing")), "'nothing' is none of"),
    (CrossEntropy("<", "1"), "op: '<' is none of <=, ==, >="),  # type: ignore[arg-type]
    (CrossEntropy("<=", "i"), "nats"),
    (Kept(3), "there is no layer 3"),
    (Count("positions", "n"), "number"),
]


@pytest.mark.parametrize(("statement", "says"), MALFORMED, ids=lambda value: str(value)[:30])
def test_malformed_statements_are_refused(statement: Statement, says: str) -> None:
    with pytest.raises(ConstructionError, match="claim: ") as caught:
        judgement(statement, "parity")
    assert says in str(caught.value)


def test_claims_stand_under_what_they_are_about() -> None:
    for known in claims_of_transformed():
        assert load_claims(known.construction, known.transforms) == known
        assert printed(known.construction, known.transforms) == known
        assert resolve(known.construction, known.transforms).is_printed
        name = after(known.construction, known.transforms)
        assert resolve(known.construction, known.transforms).construction.name == name
    assert printed("first", ("fix:c=2",)) is None
    assert not resolve("first", ["fix:c=2"]).is_printed


def test_claims_about_another_transformation_are_refused() -> None:
    claims = Claims("one", Published("d", "here", "$d = 7$", Count("width", 7)), transforms=("remove-centering",))
    with pytest.raises(ConstructionError, match=r"its claims are about 'one\+remove-centering'"):
        list(judge_claims(load("one"), claims))


def test_a_correction_about_another_transformation_is_judged_there() -> None:
    right = Count("width", 14)
    slip = Slip("wide", "one", "It is doubled.", "here", "twice as wide", right, transforms=("remove-centering",))
    claims = Claims("one", Published("d", "here", "$d = 8$", Count("width", 8), slip=slip))
    section = judged(Named("one.py", load("one"), True, None, claims))
    assert section is not None
    assert section.corrections == {}
    [mistake] = mistakes([section])
    assert mistake.correction.verdict == "true"


def test_what_is_printed_of_the_transformed_one_comes_before_what_is_of_the_original(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ids(*transforms: str) -> list[str]:
        [section] = sections(lambda: [subject_of("first", transforms).claims()]).found
        return [each.claim.id for each in section.judgements]

    assert {id.split("/")[0] for id in ids("remove-centering")} == {"first-uncentred"}
    assert {id.split("/")[0] for id in ids("set-weight:part=W,row=logit,column=s,to=2")} == {"first"}
    assert main(["claims", "first", "--with", "remove-centering"]) == 0
    assert "first-uncentred/W_V" in capsys.readouterr().out


def test_a_bare_formula_needs_no_network_with_a_value() -> None:
    for formula, verdict in (("log(exp(1/100))", "true"), ("log(exp(1/50))", "false")):
        assert (
            judgement(Value(Formula(formula), "1/100", "n >= 2"), "first", *EXACTLY, "sharpen:eta=1/100").verdict
            == verdict
        )
    assert judgement(Value(Logit(), "0", "n == 1"), "first", SHARPEN).verdict == "unknown"  # it has none there


def test_a_cost_is_as_certain_as_the_less_certain_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """A side that is refuted goes before one that is open, and the weaker evidence is told of two that hold."""
    held = {kind: Holds("all lengths", kind) for kind in ("certificate", "one solver")}
    fails, unsettled = judgement(CrossEntropy("<=", "2/3"), "first").deciding.outcome, Open("a test")
    for one, other, expected in (
        (held["certificate"], held["one solver"], held["one solver"]),
        (held["one solver"], held["certificate"], held["one solver"]),
        (unsettled, fails, fails),
        (held["certificate"], unsettled, unsettled),
    ):
        sides = iter((one, other))
        monkeypatch.setattr(words, "judge_compares", lambda *_, left=sides: next(left))
        assert judgement_of(CrossEntropy("<=", "1")) is expected


def judgement_of(claim: CrossEntropy) -> Outcome:
    return words.judge_cross_entropy(Stated(Analysis(load("first"))), claim)


def test_a_word_without_a_logit_is_told_as_that() -> None:
    found = judgement(CrossEntropy("<=", "eta"), "first", SHARPEN).difference
    assert found is not None
    assert (found.word, found.printed, found.found) == ("", "a value", "undefined")
    decided = judgement(Accepts(), "first", SHARPEN).difference
    assert decided is not None
    assert (decided.word, decided.printed, decided.found) == ("", "rejected", "neither, logit undefined")


@pytest.mark.parametrize(
    ("statement", "name", "layer_of_no_norm"),
    [
        (Value(Attention(2, 1), "1/n", "n >= 1"), "parity", Value(Attention(1, 1), "1/n", "n >= 1")),
        (Prefers(2, 1, "p < q"), "palindrome", None),
        (Value(Stream("h", 2, "activation"), "0"), "dyck1", None),
    ],
)
def test_what_a_norm_would_go_over_too_is_not_judged(
    statement: Statement, name: str, layer_of_no_norm: Statement | None
) -> None:
    """The weight of a position is shown by a coordinate more, which a norm below takes for one of its own: so is a
    hidden unit. Nothing is said of them then, not even what is false."""
    found = judgement(statement, name, "layer-norm:epsilon=1/100")
    assert found.verdict == "unknown"
    assert isinstance(found.deciding.outcome, Open)
    assert found.deciding.outcome.reason == ("the prover does not know attention weights and activations behind a norm")
    if layer_of_no_norm is not None:
        assert judgement(layer_of_no_norm, name, "layer-norm:epsilon=1/100").verdict == "true"

"""Claims about the decoder for circuits: their verdicts, what planted mistakes make of them, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq

import weightproof as wp
from tests.proofs.claims.circuits.test_circuit_claim_mutants import statements
from weightproof.appendix.published import as_markdown, as_tex
from weightproof.cli import main
from weightproof.constructions.circuits import family
from weightproof.constructions.claims.circuits import (
    Appends,
    Built,
    Carries,
    Circuital,
    Computes,
    Fits,
    Forgets,
    HasValue,
    LooksUp,
    Numbered,
    OfBits,
    PartialSum,
    Place,
    Positions,
    Width,
)
from weightproof.constructions.claims.formulas import Always
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Published, Slip
from weightproof.constructions.claims.statement import Topic
from weightproof.constructions.fraknoi2024 import circuit_by_decoder
from weightproof.constructions.library import CIRCUITS, printed_of
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.schema import FeedForward, Head, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.circuits.deciding import forgets, formats
from weightproof.proofs.claims import circuit_runs, circuits
from weightproof.proofs.claims.circuit_runs import DecoderDifference, value_of
from weightproof.proofs.claims.judging import judge_printed, judge_statement
from weightproof.proofs.quantities.outcome import Fails, Holds, Open, Outcome
from weightproof.reports.claiming import sections
from weightproof.subjects.registry import subject_of
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import EveryFormat, Number, OneFormat

PRINTED, MENDED = "circuit-by-decoder-as-printed", "circuit-by-decoder"
FALSE = {
    "hidden-layers": ["hidden-layers"],
    "NOT": ["no-wire-0"],
    "inputs": ["no-wire-0"],
    "k2": ["letter-of-the-number"],
    "token": ["token-of-the-wire-before"],
    "out_2": ["formats"],
    "desired": ["formats"],
    "next": ["next-token", "formats"],
    "v": ["value"],
    "weight": ["position-of-a-number"],
    "score": ["sign-of-the-score", "position-of-a-number"],
    "sums-behind": ["range-of-the-sums"],
    "second-weight": ["position-of-a-number"],
    "scale": ["scale"],
    "3.4-formats": ["formats"],
    "3.4": ["no-wire-0"],
}


def printed() -> Claims:
    found = printed_of(PRINTED)
    assert found is not None
    return found.claims


@pytest.mark.controls
def test_what_is_false_has_its_slips_and_a_run_and_nothing_is_unknown() -> None:
    found = list(judge_printed(printed().claims))
    false = {judgement.claim.id: judgement for judgement in found if judgement.verdict == "false"}
    slips = {id: [slip.id for slip in judgement.claim.slips] for id, judgement in false.items()}
    assert slips == {f"3.3/{id}": [f"fraknoi2024/{slip}" for slip in those] for id, those in FALSE.items()}
    assert {judgement.verdict for judgement in found} == {"true", "false", "ambiguous"}
    assert [judgement.claim.id for judgement in found if judgement.verdict == "ambiguous"] == ["3.3/g-NOT", "3.3/exp"]
    assert not any(judgement.claim.slips for judgement in found if judgement.verdict == "true")
    for id, judgement in false.items():
        assert judgement.difference is not None
        assert judgement.difference.printed != judgement.difference.found
        assert isinstance(judgement.difference, DecoderDifference) or id in ("3.3/hidden-layers", "3.3/scale")
    assert {type(reading.statement) for claim in printed().claims for reading in claim.senses} == set(
        Circuital.__subclasses__()
    )


def test_every_correction_is_true() -> None:
    slips = {slip.id: slip for claim in printed().claims for slip in claim.slips}
    assert len(slips) == 13
    for judgement in judge_printed(tuple(slip.correction for slip in slips.values())):
        assert judgement.verdict == "true", judgement


def test_the_counterexamples_of_theorem_3_4() -> None:
    small, nought = (judge_statement(statements()[f"3.3/{id}"]) for id in ("3.4-formats", "3.4"))
    assert isinstance(small, Fails)
    assert isinstance(nought, Fails)
    assert small.difference.parameters == {"circuit": "AND(1,1)", "bits": "2", "fraction": "0"}
    assert (small.difference.word, small.difference.printed, small.difference.found) == ("1", "1", "0")
    assert nought.difference.found == "no value (position 0, layer 2: a quotient by 0 has no value)"
    assert small.difference.command(PRINTED) == (
        f"weightproof run {MENDED} '1' --param circuit='AND(1,1)' --param bits='2' --param fraction='0' --steps --trace"
    )


def test_the_settings_are_all_formats_that_are_asked_for() -> None:
    for least in (1, 2, 3, 5):
        alone = {s.format for s in circuit_runs.settings(MENDED, least) if isinstance(s.arithmetic, OneFormat)}
        wanted = {f for f in formats() if forgets(f) and least <= f.greatest < max(least, 3)}
        assert alone == wanted
        [wide] = [s for s in circuit_runs.settings(MENDED, least) if isinstance(s.arithmetic, EveryFormat)]
        assert forgets(wide.format)
        assert wide.format.greatest >= max(least, 3)


@pytest.fixture
def changing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, object], None]]:
    """Puts another function of the construction, or of families, in the place of one; what was derived is forgotten,
    also afterwards."""

    def forget() -> None:
        for cached in (circuit_runs.derived, circuit_runs.layout_gap, circuit_runs.heads_gap, circuits._underived):
            cached.cache_clear()

    def change(name: str, to: object) -> None:
        monkeypatch.setattr(family if name == "signed" else circuit_by_decoder, name, to)
        forget()

    yield change
    monkeypatch.undo()
    forget()


gate, look_up, signed = circuit_by_decoder._gate, circuit_by_decoder._look_up, family.signed


def other_bias() -> FeedForward:
    made = gate()
    return replace(made, first=Linear(made.first.weights, bias={"not": 1, "and": -1}))


def other_value(wire: str, bits: tuple[str, ...], B: str) -> Head:
    return replace(look_up(wire, bits, B), W_V={f"x_{wire}": {"1": 1}})


def other_address(wire: str, bits: tuple[str, ...], B: str) -> Head:
    return replace(look_up("b", bits, B), W_V={f"x_{wire}": {"x": 1}})


def other_key(wire: str, bits: tuple[str, ...], B: str) -> Head:
    made = look_up(wire, bits, B)
    return replace(made, W_K={**made.W_K, **{f"{bit}'": {"1": -1} for bit in bits}})


def other_bits(number: int, k: int) -> dict[int, int]:
    return {k + 1 - j: bit for j, bit in signed(number, k).items()}


MISTAKES: list[tuple[str, object, str, type[Outcome]]] = [
    ("_gate", other_bias, "fraknoi2024/next-token", Fails),
    ("_gate", other_bias, "fraknoi2024/formats", Fails),
    ("_gate", other_bias, "3.3/y_1", Holds),
    ("_look_up", other_value, "3.3/y_0", Fails),
    ("_look_up", other_value, "fraknoi2024/value", Fails),
    ("_look_up", other_value, "3.3/v", Holds),
    ("_look_up", other_address, "3.3/y_0", Fails),
    ("_look_up", other_address, "fraknoi2024/position-of-a-number", Fails),
    ("_look_up", other_address, "3.3/sums-equal", Fails),
    ("_look_up", other_key, "3.3/sums-equal-even", Fails),
    ("_look_up", other_key, "3.3/sums-end", Fails),
    ("_look_up", other_key, "3.3/k_i", Fails),
    ("signed", other_bits, "3.3/PE-numbers", Fails),
]


@pytest.mark.controls
@pytest.mark.parametrize(("name", "to", "id", "outcome"), MISTAKES, ids=lambda value: getattr(value, "__name__", None))
def test_a_planted_mistake_changes_the_verdict(
    name: str, to: object, id: str, outcome: type[Outcome], changing: Callable[[str, object], None]
) -> None:
    changing(name, to)
    assert isinstance(judge_statement(statements()[id]), outcome)


TOPIC = Topic("circuits", Circuital, tuple(CIRCUITS))
WRONG: list[tuple[Circuital, str]] = [
    (Computes("parity"), "there are no decoders 'parity'"),
    (Computes(MENDED, 0), "least: 0 is no B from 1 to 16"),
    (Carries(MENDED, (), {"x": "x"}), "places: there is none"),
    (Carries(MENDED, (Place("output"),), {"x": "x"}), "places: 'output' needs a layer"),
    (Carries(MENDED, (Place("input", 1),), {"x": "x"}), "places: 'input' has no layer"),
    (Carries(MENDED, (Place("somewhere"),), {"x": "x"}), "part: 'somewhere' is none of"),  # type: ignore[arg-type]
    (Carries(MENDED, (Place("input"),), {}), "it says of nothing what it is"),
    (Carries(MENDED, (Place("input"),), {"x": "a_j"}), "x: a_j uses a_j"),
    (Numbered(MENDED, {"c": "i"}), "numbers: 'c' is none of id, a, b"),
    (Numbered(MENDED, {"a": "x"}), "a: x uses x"),
    (Positions(MENDED, 2, "k"), "last: k uses k"),
    (Width(MENDED, "3*N"), "width: 3*N uses N"),
    (Fits("k"), "greatest: k uses k"),
    (Built(MENDED), "it says nothing of how the decoder is built"),
    (PartialSum(MENDED, 1, "a", "each", (), "==", 0), "phases: there is none"),
    (PartialSum(MENDED, 1, "a", "each", "first unequal", "==", 0), "phases: 'first unequal' is no tuple"),  # type: ignore[arg-type]
    (HasValue(MENDED, "input"), "of: 'input' is no tuple"),  # type: ignore[arg-type]
    (PartialSum(MENDED, 0, "a", "each", ("equal",), "==", 0), "layer: layers are counted from 1"),
    (PartialSum(MENDED, 1, "a", "third", ("equal",), "==", 0), "products: 'third' is none of"),  # type: ignore[arg-type]
    (PartialSum(MENDED, 1, "a", "each", ("equal",), "<", 0), "op: '<' is none of"),  # type: ignore[arg-type]
    (LooksUp(MENDED, 1, "score", "c", 0, 0, 0), "address: 'c' is none of a, b"),
    (LooksUp(MENDED, 1, "weight", "a", 0, 0, 0), "of: 'weight' is none of score, power"),  # type: ignore[arg-type]
    (LooksUp(MENDED, 1, "score", "a", 0, "x", 0), "here: x uses x"),
    (HasValue(MENDED, ()), "of: there is none"),
    (Forgets("k == 0"), "given: k == 0 uses k"),
    (Computes(MENDED, 3, "1/k"), "scale: 1/k uses k"),
    (OfBits("x_a"), "says: x_a is neither true nor false"),
    (Always("x == x", {"x": "real"}), "states nothing about circuits"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("said", "message"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_malformed_is_refused(said: Circuital, message: str) -> None:
    with pytest.raises(ConstructionError) as refused:
        check_claims(Claims(PRINTED, Published("wrong", "here", "as stated", said)), TOPIC)
    assert message in str(refused.value)


def test_slips_and_claims_that_are_malformed_are_refused() -> None:
    right = Published("right", "here", "as stated", Appends(MENDED, 0, 3))
    for claims, message in (
        ((right, right), "there are two claims of that id"),
        ((Published("a", "b", "c", right.senses[0], under=(("padding",),)),), "under: padding leaves the statement"),
        (
            (replaced(right, Slip("s", "parity", "why", "here", "as stated", Appends(MENDED, 0, 3))),),
            "slip s: 'parity' is none of",
        ),
        ((replaced(right, Slip("s", MENDED, "why", "b", "c", Computes("no"))),), "slip s, correction:"),
    ):
        with pytest.raises(ConstructionError) as refused:
            check_claims(Claims(PRINTED, *claims), TOPIC)
        assert message in str(refused.value)


def replaced(claim: Published, slip: Slip) -> Published:
    return Published(claim.id, claim.place, claim.printed, claim.senses[0], slip=slip)


@pytest.mark.parametrize(
    ("greatest", "outcome"),
    [
        ("N - 1", Holds),
        ("(2*N - 4)/2", Holds),
        ("N", Fails),
        ("N - 1 + N*(N - 1)*(N - 2)*(N - 5)", Open),
        ("N - 1 + 9*(N > 5)", Open),
    ],
)
def test_a_number_that_fits_is_n_and_a_constant_for_every_n(greatest: str, outcome: type[Outcome]) -> None:
    """At 0, 1, 2 and 5 all but one of these are."""
    assert isinstance(judge_statement(Fits(greatest)), outcome)


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ("f == 0", Holds),
        ("B >= f + 1", Holds),
        ("f >= 0", Fails),
        ("f == 1", Fails),
        ("B >= f/2", Fails),
        ("s >= 4 and f < 3", Fails),
        ("B >= f", Open),
        ("B > 10000", Open),
    ],
)
def test_an_exponential_is_rounded_to_0_where_the_greatest_number_is_large_for_the_bits_behind_the_point(
    given: str, outcome: type[Outcome]
) -> None:
    """Just where it is at least (f + 1) log 2; what is not seen from that is unknown."""
    found = judge_statement(Forgets(given))
    assert isinstance(found, outcome)
    if isinstance(found, Fails):
        names = {name: fmpq(*map(int, text.split("/"))) for name, text in found.difference.parameters.items()}
        assert holds(Expression(given), names, (), ())
        assert not forgets(FixedPoint(int(names["s"].p), int(names["f"].p)))


@pytest.mark.parametrize(("scale", "outcome"), [("1", Holds), ("1/sqrt(d_h)", Fails), ("1/d_h", Fails), ("-1", Fails)])
def test_a_decoder_with_another_scale_is_another_one(scale: str, outcome: type[Outcome]) -> None:
    found = judge_statement(Computes(MENDED, 3, scale))
    assert isinstance(found, outcome)
    if isinstance(found, Fails):
        assert found.difference.command(PRINTED) == f"weightproof claims {PRINTED}"


def test_formulas_are_linear_in_the_greatest_number() -> None:
    every, one = EveryFormat(3), OneFormat(FixedPoint(3, 1))
    formula = Expression("-2*(B - x) + B*(1/2)")
    assert value_of(formula, {"x": 1}, every) == Number(Fraction(2), Fraction(-3, 2))
    assert value_of(formula, {"x": 1}, one) == Number(Fraction(-1, 4))
    for other in ("B*B", "1/B", "(B > 3)", "B**2"):
        with pytest.raises(Underivable):
            value_of(Expression(other), {}, every)


@pytest.mark.parametrize(
    ("wanted", "asked", "message"),
    [
        (MENDED, (), f"{MENDED}: no claims are known about it; ask for {PRINTED}"),
        (
            PRINTED,
            ("fix",),
            f"{PRINTED} is a family of decoders for circuits, and only constructions are transformed",
        ),
    ],
)
def test_what_has_no_claims_is_refused(wanted: str, asked: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as refused:
        subject_of(wanted, asked).claims()
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        (MENDED, PRINTED),
        ("full-adder", PRINTED),
        ("regular:1*", PRINTED),
        ("modular-addition", "fraknoi2024-formulas"),
        ("parity-feed-forward", "chiang2022-feed-forward"),
    ],
)
def test_under_which_name_print_speaks_of_it_is_said(name: str, known: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = f"{name}: no claims are known about it; ask for {known}"
    assert main(["claims", name]) == 2
    assert capsys.readouterr().err == f"weightproof: {message}\n"
    with pytest.raises(InputError, match=re.escape(message)):
        wp.claims(name)


def test_they_are_judged_by_name() -> None:
    [section] = sections(lambda: [subject_of(PRINTED).claims()]).found
    assert section.about.construction is None
    assert len(section.judgements) == len(printed().claims)
    assert {judgement.verdict for judgement in section.corrections.values()} == {"true"}
    in_markdown, in_tex = as_markdown([section]), as_tex([section])
    assert all(f"`{claim.id}`" in in_markdown for claim in printed().claims)
    rows = [row for row in in_tex.splitlines() if row.endswith(r"\\") and row.count(" & ") == 3]
    assert len(rows) == len(printed().claims)

"""Each kind of statement about formulas: true, false where that was planted, and unknown where nothing decides it."""

from __future__ import annotations

import pytest

import weightproof
from tests.proofs.claims.formulas.by_hand import breaks
from tests.proofs.claims.test_slips import faults
from weightproof.cli import main
from weightproof.constructions.claims.formulas import (
    Adds,
    Always,
    Among,
    Circular,
    Costs,
    Each,
    Factorials,
    Formulaic,
    Heads,
    Mean,
    Needs,
    OfVectors,
    Peak,
    Plus,
    Shaped,
    Shares,
    Sizes,
    Sum,
    Takes,
    Times,
    Transposed,
    Wave,
    Weighs,
)
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Printed, Published, Reading, Slip
from weightproof.constructions.claims.statement import Topic
from weightproof.constructions.library import FORMULAS, printed_of
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.proofs.claims.judging import READING, judge_printed, judge_statement
from weightproof.proofs.quantities.outcome import Fails, Holds, Open
from weightproof.reports.claiming import printed_to_judge

SQUARE = Sizes({"A": ("n", "n"), "B": ("n", "m"), "b": ("m",)})
OUTER = Sizes({"C": ("n", 1), "D": (1, "m")})
MOMENTS: dict[str, Each | Sum] = {"mu": Mean("x"), "second": Mean("x*x"), "variance": Mean("(x - mu)**2")}
PARTS: dict[str, Each | Sum] = {"all_of": Sum("x"), "part": Sum("x", upto="k")}
COS_2A = ((1, (Wave("cos", a=2),)),)
WITHOUT_ONE = Factorials(("s", "h - s - 1"))

TRUE: list[Formulaic] = [
    Always("(x + y)**2 == x**2 + 2*x*y + y**2", {"x": "real", "y": "real"}),
    Always("1/x > 0", {"x": "positive"}),
    Always("p*(1 - p) >= 0", {"p": "fraction"}),
    Always("(2*k + 1) % 2 == 1", {"k": "integer"}),
    Always("n % 2 == 0 or (-1)**n == -1", {"n": "natural"}),
    Always("x*x > x", {"x": "real"}, "x > 1"),
    Always("2**40 > 10**12 and sqrt(2)*sqrt(2) == 2", {}),
    OfVectors("variance == second - mu**2", MOMENTS, {"x": "real"}, "d"),
    OfVectors("variance >= 0", MOMENTS, {"x": "real"}, "d"),
    OfVectors("sqrt(mu)*sqrt(mu) == mu", {"mu": Mean("x")}, {"x": "positive"}, "d"),
    OfVectors("whole/half == 2", {"whole": Sum("x"), "half": Sum("x/2")}, {"x": "positive"}, "d"),
    OfVectors("ones == d", {"ones": Sum("1")}, {"x": "real"}, "d"),
    Shaped(Times("A", "B"), SQUARE, "n", "m"),
    Shaped(Plus(Times(Transposed("B"), "A", "B"), "b"), SQUARE, "m", "m"),
    Shaped(Heads("B", "k", "beside"), SQUARE, "n", "k*m"),
    Shaped(Heads("B", "k", "sum"), SQUARE, "n", "m"),
    Shaped(Heads("B", "k", "beside"), Sizes({"B": ("n", "m")}, {"d": "k*m"}), "n", "d"),
    Costs(Times("A", "B"), sizes=SQUARE, bound="n**2*m", growing=("n", "m")),
    Costs(Times("A", "B"), sizes=SQUARE, bound="n**2", growing=("n",)),
    Circular(COS_2A, ((1, (Wave("cos", a=1), Wave("cos", a=1))), (-1, (Wave("sin", a=1), Wave("sin", a=1))))),
    Circular(((1, (Wave("sin", a=-1),)),), ((-1, (Wave("sin", a=1),)),)),
    Peak(7, without=(0,)),
    Peak(6, without=(0, 2, 3, 4)),
    Adds("(-1)**i", "(-1)*(k % 2)"),
    Adds("2*i - 1", "k**2"),
    Adds("i", "k*(k + 1)/2"),
    Among({"0": "j <= i", "1": "i < j"}, "0", "1", over=("i", "j")),
    Weighs(
        Factorials(("h - s", "s + 2"), ("h - s - 1", "s")), Factorials(("h - s", "s + 2", "3"), ("s", "h - s - 1", "3"))
    ),
    Weighs(Factorials(("2*s + 1", "2"), ("2*s",)), Factorials(("2*s + 1", "2"), ("2*s",))),
    Shares(Factorials(("s", "h - s - 1"), ("h",))),
    Shares(Factorials(("s", "2", "h - 1 - s"), ("h", "2"))),
    Needs("decoder-encoder attention", "essential"),
    Needs("encoder self-attention; residual around it", "either suffices"),
    Needs("encoder self-attention; residual around it", "essential"),
    Needs("decoder feed-forward network", "not necessary"),
    Takes("attended", "p - 1"),
    Takes("output", "p**2"),
    Takes("output", 3, positions=2),
]
FALSE: list[tuple[Formulaic, str]] = [
    (Always("(x + y)**2 == x**2 + y**2", {"x": "real", "y": "real"}), "4"),
    (Always("x < 100000", {"x": "real"}), ""),
    (Always("2**40 > 10**13", {}), "1099511627776"),
    (Always("n % 12345 != 12344", {"n": "natural"}), ""),
    (Always("1/(x - 1) != 0", {"x": "real"}), "no value"),
    (OfVectors("variance == second", MOMENTS, {"x": "real"}, "d"), "4"),
    (OfVectors("all_of == part", PARTS, {"x": "real"}, "d", {"k": "natural"}), "4"),
    (OfVectors("mu/spread == mu/spread", {**MOMENTS, "spread": Mean("x - mu")}, {"x": "real"}, "d"), "no value"),
    (Shaped(Times("B", "A"), SQUARE, "n", "n"), "1 and 2"),
    (Shaped(Times("A", "B"), SQUARE, "m", "n"), "2"),
    (Shaped(Plus("A", "B"), SQUARE, "n", "m"), "2 and 1"),
    (Shaped(Plus("A", "b"), SQUARE, "n", "n"), "2 and 1"),
    (Shaped(Heads("B", "k", "beside"), SQUARE, "n", "m"), "2"),
    (Costs(Times("A", "B"), sizes=SQUARE, bound="n*m", growing=("n", "m")), "1000"),
    (Costs(Times("A", "B"), sizes=SQUARE, bound="n", growing=("n",)), "1000"),
    (Circular(COS_2A, ((1, (Wave("cos", a=1),)),)), ""),
    (Circular(COS_2A, ((1, (Wave("cos", a=1), Wave("cos", a=1))), (1, (Wave("sin", a=1), Wave("sin", a=1))))), ""),
    (Peak(6, without=(0,)), "1"),
    (Peak(7), "1"),
    (Adds("(-1)**i", "k % 2"), "-1"),
    (Adds("i", "k**2/2"), "1"),
    (Adds("1", "k + 1"), "0"),
    (Among({"0": "j <= i", "1": "i < j"}, "0", over=("i", "j")), "1"),
    (Weighs(WITHOUT_ONE, Factorials(("s", "h - s"))), "1"),
    (Weighs(WITHOUT_ONE, Factorials(("s - 1", "h - s"))), "no value"),
    (Weighs(Factorials(("h",)), Factorials(("h", "h - s - 6"), ("h - s - 6",))), "no value"),
    (Shares(Factorials(("s", "h - s"), ("h",))), "1/2"),
    (Shares(Factorials(("0",), ("h",))), "-1/6"),
    (Shares(Factorials(("s", "h - s - 1"), ("h - 1",))), "2"),
    (Shares(Factorials(("s - 1", "h - s - 1"), ("h",))), "no value"),
    (Needs("decoder-encoder attention", "not necessary"), ""),
    (Needs("encoder self-attention; residual around it", "not necessary"), ""),
    (Needs("decoder feed-forward network", "essential"), ""),
    (Needs("residual around the decoder's feed-forward network", "essential"), ""),
    (Takes("attended", "p - 2"), "1"),
    (Takes("output", "p/2"), "3"),
    (Takes("output", 6, positions=3), "7"),
    (Takes("input", 1, positions=1), "2"),
    (Takes("input", "p"), "3"),
]  # fmt: skip
UNKNOWN: list[tuple[Formulaic, str]] = [
    (Always("exp(x) > x", {"x": "real"}), "the solvers are not asked about exp"),
    (Always("x > 0", {"x": "real"}, "x > 1 and x < 0"), "no numbers were found"),
    (Always("2**n > n", {"n": "natural"}), "small powers only"),
    (Always("sqrt(2 + sqrt(3)) == (sqrt(6) + sqrt(2))/2", {}), "is not decided"),
    (Always("(-1)**(x + x) == 1", {"x": "integer"}, "x > 100"), "no numbers were found"),
    (OfVectors("total == 1", {"total": Sum("x")}, {"x": "distribution"}, "d"), "both sides differ"),
    (OfVectors("second >= mu**2", MOMENTS, {"x": "real"}, "d"), "both sides differ"),
    (Shaped("b", SQUARE, "n", "m"), "it is a vector"),
    (Shaped(Times("A", "b"), SQUARE, "n", "m"), "a vector is multiplied"),
    (Costs(Times("A", "B"), sizes=SQUARE, bound="2*n**2*m - n*m", growing=("n", "m")), "no sum of positive terms"),
    (Costs(Times("C", "D"), sizes=OUTER, bound="n**2 + m**2", growing=("n", "m")), "is not seen"),
    (Peak(2, without=(0, 1)), "there is no such frequency"),
    (Adds("i - i", "k % 3 - k % 3"), "no polynomial arithmetic is known"),
    (Among({"0": "i == i", "1": "i > 100"}, "0", over=("i",)), "it was not found"),
    (Weighs(Factorials(("s*h",)), Factorials(("s*h",))), "no sum of whole multiples"),
    (Weighs(Factorials(("h - s + s*h - s*h",)), Factorials(("h - s + (h > 9)",))), "no polynomial arithmetic"),
    (Weighs(Factorials(("h", "h")), Factorials(("h + (h > 6)", "h"))), "no polynomial arithmetic"),
    (Needs("an oracle", "essential"), "there is no component 'an oracle'"),
    (Needs("decoder feed-forward network", "either suffices"), "no theorem about networks without it tells"),
    (Takes("attended", "p - (p > 100)*2"), "is not seen"),
    (Takes("attended", 1, positions=9), "was not gone through"),
    (Takes("input", "10**6*p"), "in 1000 steps there are no more"),
]  # fmt: skip


@pytest.mark.parametrize("said", TRUE, ids=repr)
def test_what_is_true_is_proved(said: Formulaic) -> None:
    assert isinstance(judge_statement(said), Holds)


@pytest.mark.parametrize(("said", "found"), FALSE, ids=repr)
def test_what_is_false_is_evaluated(said: Formulaic, found: str) -> None:
    outcome = judge_statement(said)
    assert isinstance(outcome, Fails)
    assert outcome.difference.found == found or not found
    assert outcome.difference.printed != outcome.difference.found
    assert breaks(said, outcome.difference)


@pytest.mark.parametrize(("said", "reason"), UNKNOWN, ids=repr)
def test_what_nothing_decides_is_unknown(said: Formulaic, reason: str) -> None:
    outcome = judge_statement(said)
    assert isinstance(outcome, Open), outcome
    assert reason in outcome.reason


def test_what_divides_by_what_may_be_0_is_not_proved() -> None:
    """The mean of x - mu is 0 for every x: what divides by it has no value, whatever cancels."""
    ratio: dict[str, Each | Sum] = {"whole": Sum("x"), "ratio": Sum("x/whole")}
    assert isinstance(judge_statement(OfVectors("ratio == 1", ratio, {"x": "positive"}, "d")), Holds)
    outcome = judge_statement(OfVectors("ratio == 1", ratio, {"x": "real"}, "d"))
    assert not isinstance(outcome, Holds)


def test_a_number_of_first_entries_is_to_be_a_natural_number() -> None:
    halves = OfVectors("h == h", {"h": Sum("x", upto="i/2")}, {"x": "real"}, "d", {"i": "natural"})
    outcome = judge_statement(halves)
    assert isinstance(outcome, Fails)
    assert outcome.difference.found == "no value"


def test_a_claim_with_readings_at_odds_is_ambiguous() -> None:
    claim = Published(
        "c",
        "here",
        "$n^2 \\ge n$",
        Reading(Always("n*n >= n", {"n": "natural"}), "natural numbers"),
        Reading(Always("n*n >= n", {"n": "real"}), "real numbers"),
    )
    [judgement] = judge_printed((claim,))
    assert judgement.verdict == "ambiguous"
    assert judgement.difference is not None
    assert judgement.difference.parameters == {"n": "1/2"}


def test_what_is_printed_of_adamw_and_of_shapley_values_is_as_by_hand() -> None:
    """Weight decay in the gradient is no AdamW, two learning rates are not one, H less S has i in it, and a model
    without heads is right sometimes."""
    verdicts = {
        **dict.fromkeys(("scale", "moments", "bias-correction", "shapley"), "true"),
        **dict.fromkeys(("weight-decay", "learning-rate", "characteristic-function", "no-heads", "orderings"), "false"),
    }
    named = {f"fraknoi2024-formulas/{id}" for id in verdicts}
    claims = [claim for claim in printed_of("fraknoi2024-formulas").claims.claims if claim.id in named]
    assert {each.claim.id.split("/")[1]: each.verdict for each in judge_printed(tuple(claims))} == verdicts
    corrections = tuple(slip.correction for claim in claims for slip in claim.slips)
    assert [each.verdict for each in judge_printed(corrections)] == ["true"] * 5


def test_faults_of_slips_are_found() -> None:
    """A correction that is false, and a false claim without a slip."""
    wrong = Always("x*x > x", {"x": "real"})
    slip = Slip("s", "here", "A sign.", "here", "$x^2 < 0$", wrong)
    claims = Claims("here", Published("a", "here", "a", wrong, slip=slip), Published("b", "here", "b", wrong))
    found = faults([printed_to_judge("here", Printed("formulas", "a paper", claims)).judged(READING)])
    assert found == ["b: false without a slip", "s: its correction is false"]


TOPIC = Topic("formulas", Formulaic, ("here",))
MALFORMED: list[tuple[Formulaic, str]] = [
    (Always("x >", {"x": "real"}), "cannot read"),
    (Always("x + 1", {"x": "real"}), "neither true nor false"),
    (Always("y > 0", {"x": "real"}), "uses y"),
    (Always("x > 0", {"x": "odd"}), "none of real"),  # type: ignore[dict-item]
    (Always("w > 0", {"w": "real"}), "no name for a number"),
    (OfVectors("d > 0", {}, {}, "d"), "about no vectors"),
    (OfVectors("s == 1", {"s": Sum("z")}, {"x": "real"}, "d"), "uses z"),
    (OfVectors("x == 1", {}, {"x": "real"}, "d"), "uses x"),
    (OfVectors("x == 1", {"x": Sum("1")}, {"x": "real"}, "d"), "x has a meaning already"),
    (Shaped("C", SQUARE, "n", "n"), "'C' has no size"),
    (Shaped("A", Sizes({"A": ("n", "n", "n")}), "n", "n"), "has 3 sizes"),
    (Shaped("A", Sizes({"A": ("n", "n")}, {"n": "m", "m": "k"}), "n", "n"), "is made of other sizes"),
    (Shaped(Plus(), SQUARE, "n", "n"), "empty product or sum"),
    (Costs("A", sizes=SQUARE, bound="n", growing=()), "of nothing how it grows"),
    (Peak(1), "no remainders"),
    (Adds("k", "k"), "uses k"),
    (Among({}, "0"), "of no entry"),
    (Shares(Factorials(())), "a product of no factorials"),
    (Weighs(WITHOUT_ONE, Factorials(("n",))), "n uses n"),
    (Needs("decoder-encoder attention", "useful"), "'useful' is none of essential"),  # type: ignore[arg-type]
    (Takes("hidden", 1), "'hidden' is none of attended"),  # type: ignore[arg-type]
    (Takes("output", "n"), "uses n"),
    (Takes("output", 1, positions=0), "no number of positions"),
]


@pytest.mark.parametrize(("said", "message"), MALFORMED, ids=[message for _, message in MALFORMED])
def test_what_is_malformed_is_refused_in_one_line(said: Formulaic, message: str) -> None:
    with pytest.raises(ConstructionError, match=message) as error:
        check_claims(Claims("here", Published("a", "there", "a line", said)), TOPIC)
    assert str(error.value).startswith("here: claim a: ")
    assert "\n" not in str(error.value)


def test_two_claims_of_one_id_are_refused() -> None:
    claim = Published("a", "there", "a line", Peak(3))
    with pytest.raises(ConstructionError, match="two claims of that id"):
        check_claims(Claims("here", claim, claim), TOPIC)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_command_line_has_them_by_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", name]) == 0
    printed = capsys.readouterr().out
    assert all(claim.id in printed for claim in printed_of(name).claims.claims)
    assert main(["claims", name, "--with", "sharpen"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["show", name]) == 2
    assert capsys.readouterr().err.endswith("; what takes it: claims\n")


def test_python_has_them_by_name() -> None:
    found = weightproof.claims("one", *FORMULAS)
    assert [section.about.name for section in found.sections] == ["one", *FORMULAS]

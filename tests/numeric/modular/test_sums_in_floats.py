"""Networks that add, in floating point: the module against exact runs, the certificate against what is computed, and
the search against moduli that are known to fail."""

from __future__ import annotations

from functools import cache

import pytest
from flint import ctx

from weightproof.constructions.chiang2022.parity_feed_forward import units
from weightproof.constructions.fraknoi2024.modular_addition import modular_addition, uncorrected
from weightproof.constructions.library import adder_of, adders_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.modular.counting import Units, counter
from weightproof.constructions.modular.family import all_frequencies, modulus
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.numeric.model.transformer import IMPLEMENTATIONS, Transformer
from weightproof.numeric.modular import certificate, counting
from weightproof.numeric.modular.certificate import certified, off_of_output, terms_of_output
from weightproof.numeric.modular.search import Search
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.proofs.modular.instances import run

KNOWN = {f"{wave} of sum k": expression(f"2*{wave}(2*pi*k*(a + b)/p)") for wave in ("cos", "sin")}
GAP, GAP_OF_ALL = expression("2*(1 - cos(2*pi/p))"), expression("2*p")


def pairs(p: int) -> list[tuple[str, str]]:
    return [(str(a), str(b)) for a in range(p) for b in range(p)]


@cache
def exact_outputs(family: str, p: int, frequencies: tuple[int, ...], pair: tuple[str, str]) -> list[float]:
    made = run(adder_of(family, modulus(p, frequencies)), " ".join(pair)).prediction.outputs
    return [float(ball(made[str(c)]).mid()) for c in range(p)]


@pytest.mark.controls
@pytest.mark.parametrize("attention", IMPLEMENTATIONS)
@pytest.mark.parametrize("dtype", FORMATS)
def test_outputs_are_within_the_certified_error(dtype: str, attention: str) -> None:
    """Of every pair, in each implementation."""
    p, u = 7, 2.0 ** -FORMATS[dtype].precision
    for frequencies in ((3,), all_frequencies(p)):
        model = Transformer(modular_addition(modulus(p, frequencies)), None, dtype, attention=attention)
        bound = off_of_output(terms_of_output(modular_addition, dtype, KNOWN), dtype, len(frequencies))
        computed = model.outputs(pairs(p)).double().tolist()
        worst = 0.0
        for pair, row in zip(pairs(p), computed, strict=True):
            wanted = exact_outputs(modular_addition.name, p, frequencies, pair)
            worst = max(worst, *(abs(x - y) for x, y in zip(row, wanted, strict=True)))
        assert u / 4 < worst < float(bound)


def test_a_bound_is_not_a_hundred_times_too_large() -> None:
    p, dtype = 11, "float16"
    model = Transformer(uncorrected(modulus(p, (1,))), None, dtype, attention="strict")
    terms = terms_of_output(uncorrected, dtype, {})
    assert worst_of(model, p) < float(off_of_output(terms, dtype, 1)) < 100 * worst_of(model, p)


def worst_of(model: Transformer, p: int) -> float:
    computed = model.outputs(pairs(p)).double().tolist()
    exact = (exact_outputs(uncorrected.name, p, (1,), pair) for pair in pairs(p))
    rows = zip(computed, exact, strict=True)
    return max(abs(x - y) for row, wanted in rows for x, y in zip(row, wanted, strict=True))


def test_certified_moduli() -> None:
    assert {dtype: certified(modular_addition, dtype, GAP, False, KNOWN) for dtype in FORMATS} == {
        "float64": 24758589,
        "float32": 1116,
        "bfloat16": 3,
        "float16": 12,
    }
    assert {dtype: certified(modular_addition, dtype, GAP_OF_ALL, True, KNOWN) for dtype in FORMATS} == {
        "float64": 900719918763186,
        "float32": 1677697,
        "bfloat16": 5,
        "float16": 181,
    }


def test_a_certificate_needs_the_gap_and_parts_that_it_knows() -> None:
    assert certified(modular_addition, "float32", expression("0"), False, KNOWN) == 1
    less = certified(modular_addition, "float32", GAP, False, {})
    assert 1 < less < 1116  # without what is proved of the coordinates
    smaller = expression("(1 - cos(2*pi/p))/50")
    assert certified(modular_addition, "float32", smaller, False, KNOWN) < 200
    with pytest.raises(certificate.NotBounded):
        certificate._size(Expression("exp(2)"))


@pytest.mark.controls
def test_all_pairs_of_certified_moduli_are_right_and_bfloat16_fails_first_at_41() -> None:
    search = Search(modular_addition, False, False, "bfloat16", "cpu", "strict")
    assert all(search.at(p, None) is None for p in range(2, 41))
    at = search.at(41, None)
    assert at is not None
    assert (at.p, at.a, at.b, at.expected, at.got, at.tie) == (41, 28, 28, 15, 16, True)
    assert search.run(41).failure == at
    assert search.run(40).failure is None
    short = search.run(30)
    assert (short.searched_to, short.looked_to) == (30, 30)


def test_another_frequency_fails_at_the_same_moduli() -> None:
    """It permutes residues and outputs."""
    for p, k, fails in ((41, 3, True), (37, 2, False)):
        model = Transformer(modular_addition(modulus(p, (k,))), None, "bfloat16", attention="strict")
        outputs = model.outputs(pairs(p)).double()
        expected = [(int(a) + int(b)) % p for a, b in pairs(p)]
        own = outputs[range(p * p), expected].clone()
        outputs[range(p * p), expected] = -float("inf")
        assert bool((own <= outputs.max(1).values).any()) == fails


def test_only_odd_moduli_are_run_where_the_theorem_is_of_those() -> None:
    search = Search(uncorrected, False, True, "float32", "cpu", "strict")
    tried = [search._next(1)]
    while tried[-1] < 9:
        tried.append(search._next(tried[-1]))
    assert tried == [3, 5, 7, 9]
    assert search.run(15).failure is None
    even = Search(uncorrected, False, False, "float32", "cpu", "strict").run(15).failure
    assert even is not None
    assert even.p == 2


def test_large_moduli_are_sampled() -> None:
    """float32 at a modulus at which the least difference is a few units in the last place."""
    search = Search(modular_addition, False, False, "float32", "cpu", "strict")
    at = search.at(60_000, 32)
    assert at is not None
    assert (at.a + at.b) % at.p == at.expected != at.got
    assert at.computed[0] <= at.computed[1]
    known = (at.a, at.b, at.expected, at.got)
    again = Transformer(modular_addition(modulus(at.p, (1,), known)), None, "float32", attention="strict")
    outputs = dict(zip(again.rows, again.outputs([(str(at.a), str(at.b))])[0].tolist(), strict=True))
    assert outputs[str(at.got)] >= outputs[str(at.expected)]


def test_what_is_not_there_is_refused() -> None:
    adder = modular_addition(modulus(3, (1,)))
    for place, says in ((("float8",), "unknown dtype"), (("float32", "cpu", "quick"), "unknown attention")):
        with pytest.raises(InputError, match=says):
            Transformer(adder, None, *place)


def test_units_lose_count_where_a_bias_is_rounded() -> None:
    wanted = {"bfloat16": (128, 130), "float16": (1024, 1026)}
    for dtype, (safe, fails) in wanted.items():
        assert counting.certified(units, dtype) == safe
        found = counting.search(units, dtype, 10_000)
        assert found.failure is not None
        assert (found.failure.n, found.failure.k, found.searched_to) == (fails, fails, fails)
        assert counting.search(units, dtype, fails - 1).failure is None
        assert counting.logit_in_order(units, FORMATS[dtype], fails, fails) == found.failure.computed
    assert counting.certified(units, "float32") == 1 << 23
    assert counting.certified(units, "float64") == 1 << 52


def test_the_module_of_units_says_the_same() -> None:
    of = counter(units, 130)
    assert counting.logit(of, "1" * 130, "bfloat16", "cpu") == 0.5
    assert counting.logit(of, "1" * 130, "float16", "cpu") == -0.5
    assert counting.logit(of, "1" * 129 + "0", "bfloat16", "cpu") == 0.5


@pytest.mark.parametrize(
    "weights", [{"W_1": "2"}, {"W_2": "j"}, {"b_1": "1/3 - j"}, {"b_1": "1/2 - 2*j"}, {"b_1": "j + 1"}, {"b_1": "j**2"}]
)
def test_other_units_are_not_certified(weights: dict[str, object]) -> None:
    given = {"W_1": 1, "b_1": "1/2 - j", "W_2": "(-1)**(j + 1)", "b_2": "-1/2"} | weights
    with pytest.raises(counting.NotCertified):
        counting.certified(Units("x", "", "", **given), "float32")  # type: ignore[arg-type]


def test_the_working_precision_is_left_as_it_was() -> None:
    before = ctx.prec
    certified(adders_of("modular-addition"), "float16", GAP, False, KNOWN)
    assert ctx.prec == before

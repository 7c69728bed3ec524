"""Lengths at which sums from left to right are off by most: the closed form against sums, and which lengths are run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.numeric.model.transformer import Transformer, rules
from weightproof.numeric.rounding.arithmetic import Rounded
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.rounding.repeated import repeated
from weightproof.numeric.search.scan import Candidates, Mean, errors, means, nearly_all, run_candidates, scanned
from weightproof.numeric.search.search import FULL, Search, _Open

BITS = ("0", "1")


@pytest.mark.parametrize(("dtype", "low", "high"), [("float64", 10**6, 3 * 10**8), ("float32", 2000, 10**5)])
@pytest.mark.parametrize("value", [1.0, -0.5, 0.375, 3.0])
def test_the_closed_form_is_what_sums_are_off_by(dtype: str, low: int, high: int, value: float) -> None:
    arithmetic = Rounded(FORMATS[dtype])
    n = np.random.default_rng(0).integers(low, high, 300)
    term = arithmetic.type(1) / n.astype(arithmetic.type) * arithmetic.type(value)
    sums = repeated(np.zeros_like(term), term, n, arithmetic.format).astype(float).tolist()
    exact = [float(abs(Fraction(s) * k / Fraction(value) - k)) for s, k in zip(sums, n.tolist(), strict=True)]
    weight = n * float(arithmetic.format.unit_roundoff)  # by which 1/n itself is off, in positions
    assert (np.abs(errors(Mean("1", value), n, arithmetic) - exact) <= 0.02 * np.array(exact) + weight + 0.01).all()
    assert max(exact) > 10 * weight.max()


def of(network: Encoder, dtype: str = "float32") -> list[Mean]:
    model = Transformer(load("parity"), dtype=dtype, attention="strict")
    assert model.strict is not None
    return means(network, BITS, model.strict, model.names)


@pytest.mark.parametrize("name", names())
def test_a_mean_is_of_a_head_that_weighs_all_positions_alike(name: str) -> None:
    construction = load(name)
    heads = construction.encoder.layers[0].heads
    model = Transformer(construction, attention="strict")
    assert model.strict is not None
    found = means(model.network, construction.language.alphabet, model.strict, model.names)
    assert bool(found) == any(not head.W_Q or not head.W_K for head in heads)


def test_what_reads_positions_or_scores_is_no_such_mean() -> None:
    network = load("parity").encoder
    [head] = network.layers[0].heads
    assert of(network) == [Mean("1", 1.0)]

    def instead(*heads: Head) -> list[Mean]:
        return of(replace(network, layers=(replace(network.layers[0], heads=heads), *network.layers[1:])))

    assert instead() == []
    assert instead(replace(head, W_V={"k/n": {"[w=1]": 1, "i/n": 1}})) == []
    assert instead(replace(head, W_V={"k/n": {"[w=1]": "n"}})) == []
    assert instead(replace(head, W_V={"k/n": {"[w=0]": 3}})) == [Mean("0", 3.0)]
    assert instead(replace(head, W_Q={"q": {"[w=1]": 1}})) == [Mean("1", 1.0)]  # without keys
    assert instead(replace(head, W_Q={"q": {"[w=1]": 1}}, W_K={"q": {"[w=1]": 1}})) == []


def test_a_record_is_farther_off_than_all_before() -> None:
    arithmetic = Rounded(FORMATS["float32"])
    found, far = scanned(Mean("1", 1.0), 201, 9000, 1, arithmetic), 0.0
    off = errors(Mean("1", 1.0), np.arange(202, 9002), arithmetic).tolist()
    records = []
    for length, error in zip(range(201, 9001), off, strict=True):
        records += [length] if error > far else []
        far = max(far, error)
    assert [found.lengths[place] for place in found.records] == records
    assert set(found.lengths) > {*records}


def test_no_length_beyond_what_the_format_counts_is_scanned() -> None:
    found = scanned(Mean("1", 1.0), 0, 10**9, 1, Rounded(FORMATS["float16"]))
    assert max(found.lengths) < 2**11


def ran(failing: Iterable[int], records: tuple[int, ...] = (0, 2, 4, 6, 8)) -> tuple[list[int], int]:
    """The lengths that were run, of 10 to 19, and the shortest that failed."""
    candidates = Candidates("1", tuple(range(10, 20)), tuple(1 + place / 10 for place in range(10)), records)
    wrong, run = {*failing}, list[int]()

    def fails(length: int) -> bool:
        run.append(length)
        return length in wrong

    run_candidates(candidates, fails)
    return run, min(wrong & {*run}, default=0)


def test_records_are_halved_and_neighbours_are_run() -> None:
    assert ran(())[0] == [14, 16, 18]
    assert ran({16, 18}) == ([14, 16, 15, 13, 12, 11], 16)
    assert ran({15, 16, 18}) == ([14, 16, 15, 13, 12, 11, 10], 15)
    assert ran({10, 11, 16, 18}) == ([14, 16, 15, 13, 12, 11, 10], 10)


def test_a_word_has_one_other_symbol_at_most() -> None:
    assert [*nearly_all("1", BITS, 4, True)] == ["1111", "1110", "0111"]
    assert [*nearly_all("1", ("0", "1", "2"), 3, False)] == ["111", "110", "112"]


def test_parity_is_lost_where_the_closed_form_points() -> None:
    """In float32 as in float64: just beyond 2^(p/2) positions a mean over all is off by half a position."""
    construction = load("parity")
    model = Transformer(construction, dtype="float32", attention="strict")
    state = _Open(rules(model.network, None)[0], searched_to=FULL)
    Search(construction, model, parameter_values(construction), 1 << 20)._scanned(state, 20_000)
    assert state.failing is not None
    assert 2**12.5 < state.failing <= 5858

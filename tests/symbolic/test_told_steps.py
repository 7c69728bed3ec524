"""Every printed step is an equation: both sides, read back from the LaTeX, have the same value on words."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Mapping

import pytest
from flint import fmpq

from tests.support.derived import NAMES, derivation_of
from tests.support.latex_reader import Reader
from tests.support.places import NEWCOMERS
from weightproof.appendix.steps import Known, Teller, place_of
from weightproof.constructions.library import BUILT_IN, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.trace import trace
from weightproof.constructions.scalars.exact import Real, log, sign
from weightproof.symbolic.forward import derive
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.breakable import Cases, Written

DEFAULTS: dict[str, Real] = {"c": log(fmpq(2)), "D": fmpq(1)}
LENGTHS = (0, 1, 3)


def words(construction: Construction) -> list[str]:
    first, *_, last = construction.language.alphabet
    return ["", first, last, f"{first}{last}{first}", f"{last}{last}{first}", f"{last}{first}{last}"]


class Page:
    """What a reader knows at a place of a word: numbers, sums, and what the lines above have named."""

    def __init__(self, teller: Teller, sums: Mapping[str, Written], word: str, position: int | None) -> None:
        construction = teller.construction
        assert isinstance(construction.network, Encoder)
        self.tokens, self.alphabet = add_markers(construction.network, word), construction.language.alphabet
        self.names: dict[str, Real] = {**DEFAULTS, "n": fmpq(len(self.tokens))}
        if position is not None:
            self.names["i"] = fmpq(position)
        self.named: dict[str, str] = {}
        for symbol, written in sums.items():
            self.names[symbol] = self.value(written)

    def value(self, written: Written) -> Real:
        if isinstance(written, Cases):
            for value, condition in written.rows:
                if condition == r"\text{otherwise}" or self.reader(condition).truth():
                    return self.reader(value).value()
            return fmpq(0)
        text = str(written)
        for name, value in self.named.items():
            text = text.replace(name, value)
        return self.reader(text).value()

    def reader(self, text: str) -> Reader:
        return Reader(text, self.tokens, self.alphabet, self.names)


def fraction(value: Real) -> str:
    """A rational in brackets; "" for other numbers."""
    if not isinstance(value, fmpq):
        return ""
    return rf"({'-' if value < 0 else ''}\frac{{{abs(value.p)}}}{{{value.q}}})"


NEAREST = next(path for path in NEWCOMERS if path.stem == "nearest_to_three")
"""With hardmax attention and scores -|q.k|."""


@functools.cache
def told(name: str) -> Teller:
    return Teller(derive(load_file(NEAREST).construction) if name == NEAREST.stem else derivation_of(name), "A")


@pytest.mark.parametrize("name", [*NAMES, NEAREST.stem])
def test_every_printed_step_is_an_equation(name: str) -> None:
    teller, construction = told(name), told(name).construction
    compared, totals = 0, teller.derivation.all_sums
    sums = {str(symbol): latex.explicit_sum(total, teller.vocabulary) for symbol, total in totals.items()}
    for word in words(construction):
        pages: dict[tuple[str | None, int | None], Page] = {}
        known: dict[tuple[str, str | None], Known] = {}
        for step in teller.derivation.steps:
            place = place_of(step, teller.tokens)
            network = construction.network
            assert isinstance(network, Encoder)
            tokens = add_markers(network, word)
            held: list[int | None] = [p for p, token in enumerate(tokens) if token == place.row]
            line = teller.line(step, place, known.setdefault((place.part, place.row), {}))
            keys: list[int | None] = [p for p, token in enumerate(tokens) if token == place.key]
            for position, key in itertools.product(
                held if place.row is not None else [None], keys if place.key is not None else [None]
            ):
                page = pages.setdefault((place.row, position), Page(teller, sums, word, position))
                page.names |= {} if key is None else {"j": fmpq(key)}
                values = [page.value(right) for right in line.rights]
                assert all(sign(value - values[-1]) == 0 for value in values), (word, position, line)
                page.named[line.left] = fraction(values[-1]) or line.left
                compared += len(values) > 1
    assert compared > (5 if name in BUILT_IN else 0)


def test_the_scores_that_are_printed_are_those_of_the_run() -> None:
    """Of every shipped head that has scores: both sides, with the product of query and key of the exact run in it."""
    heads: Counter[str] = Counter()
    for name in (*NAMES, NEAREST.stem):
        teller, construction = told(name), told(name).construction
        keyed = [(step, place_of(step, teller.tokens)) for step in teller.derivation.steps]
        scored = [(step, place) for step, place in keyed if place.key is not None]
        given = {p.name: {"c": "log(2)", "D": 1}[p.name] for p in construction.parameters}
        for word in words(construction)[3:4] if scored else ():
            done = run(construction, word, given)
            traced = trace(construction, done, given)
            for step, place in scored:
                layer, head = (int(number) for number in re.findall(r"\d+", place.part))
                found = traced.layers[layer - 1].heads[head - 1]
                rows = [p for p, token in enumerate(done.tokens) if token == place.row]
                keys = [p for p, token in enumerate(done.tokens) if token == place.key]
                line = teller.line(step, place, {})
                for position, key in itertools.product(rows, keys):
                    page = Page(teller, {}, word, position)
                    page.names |= {"j": fmpq(key), "d": fmpq(len(construction.network.coordinates))}
                    queries, keys_ = found.queries[position], found.keys[key]
                    product = sum((x * keys_[row] for row, x in queries.items() if row in keys_), fmpq(0))
                    page.names["product"] = product
                    left = re.sub(r"q\^\{[\d,]+\} \\cdot K\^\{[\d,]+\}_\{[^}]+\}", r"\\text{product}", line.left)
                    wanted = product if step.rule == "dot product" else found.scores[position][key]
                    for side in (page.reader(left).value(), page.value(line.rights[-1])):
                        assert sign(side - wanted) == 0, (name, word, position, key, line)
                    heads[construction.network.layers[layer - 1].heads[head - 1].score] += 1
    assert heads["dot"] > 40
    assert heads["-|dot|"] > 2

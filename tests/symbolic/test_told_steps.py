"""Every printed step is an equation: both sides, read back from the LaTeX, have the same value on words."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from flint import fmpq

from tests.support.derived import NAMES, derivation_of
from tests.support.latex_reader import Reader
from weightproof.appendix.sides import Known, place_of
from weightproof.appendix.steps import Teller
from weightproof.constructions.library import BUILT_IN
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import mark
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, log, sign
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.latex import Cases, Written

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
        self.tokens, self.alphabet = mark(construction.network, word), construction.language.alphabet
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


@pytest.mark.parametrize("name", NAMES)
def test_every_printed_step_is_an_equation(name: str) -> None:
    teller, construction = Teller(derivation_of(name), "A"), derivation_of(name).construction
    compared, totals = 0, teller.derivation.all_sums
    sums = {str(symbol): latex.explicit_sum(total, teller.vocabulary) for symbol, total in totals.items()}
    for word in words(construction):
        pages: dict[tuple[str | None, int | None], Page] = {}
        known: dict[tuple[str, str | None], Known] = {}
        for step in teller.derivation.steps:
            place = place_of(step, teller.tokens)
            network = construction.network
            assert isinstance(network, Encoder)
            tokens = mark(network, word)
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

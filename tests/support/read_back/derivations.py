"""What is printed of a derivation, as text, JSON, LaTeX and Markdown, read back at points: it is what was derived.

A failed comparison is an AssertionError that says who printed it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy
from flint import fmpq
from sympy.core.function import AppliedUndef

from tests.support.derived import row_of
from tests.support.latex_reader import Reader
from tests.support.read_back.documents import in_latex, in_markdown
from tests.support.read_back.points import Point
from weightproof.appendix.appendix import derivation_alone
from weightproof.appendix.deriving import LogitExplained
from weightproof.appendix.steps import Place, Teller, place_of
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.document import markdown
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import i, j
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.writing import latex, plain
from weightproof.symbolic.writing.breakable import Cases, Written
from weightproof.symbolic.writing.presentation import logit

OTHERWISE = r"\text{otherwise}"
Read = Callable[[], Real]
Printed = tuple[str, str, Read]
"""Who printed a formula, the formula, and how it is read."""


class Seen:
    """A derivation seen from a marked word with parameter values; at positions i and j, where these are said."""

    def __init__(
        self,
        derivation: Derivation,
        tokens: Sequence[str],
        parameters: Mapping[str, Real],
        here: int | None = None,
        there: int | None = None,
    ) -> None:
        self.derivation, self.vocabulary, self.tokens = derivation, derivation.vocabulary, tokens
        self.word = Word(derivation.vocabulary, tokens, parameters, derivation.scales)
        places = {atom: fmpq(place) for atom, place in ((i, here), (j, there)) if place is not None}
        self.word.values |= {i: places[i]} if i in places else {}
        self.sums = []
        for total in derivation.all_sums.values():
            with contextlib.suppress(KeyError):  # a sum that speaks of a position i which is not said
                self.word.values[total.symbol] = self.word.total(total)
                self.sums.append(total.symbol)
        self.word.values |= places
        fixed = [scale for scale in derivation.scales if isinstance(scale, sympy.Symbol)]
        values = {str(atom): self.word.atom(atom) for atom in (*self.sums, *fixed, *places)}
        self.names: dict[str, Real] = {**parameters, **values, "n": fmpq(len(tokens))}
        self.scales = {
            str(scale.func): self.scale(scale) for scale in derivation.scales if isinstance(scale, AppliedUndef)
        }
        self.point = Point(tokens, self.vocabulary.alphabet, self.names, self.scales)

    def scale(self, of: AppliedUndef) -> Callable[[Real], Real]:
        def at(place: Real) -> Real:
            assert isinstance(place, fmpq)
            return self.word.atom(of.func(sympy.Rational(int(place.p), int(place.q))))

        return at

    def typed(self, text: str) -> Real:
        return self.point.value(text)

    def typed_cases(self, rows: Iterable[tuple[str, str]]) -> Real:
        return only(text for text, where in rows if self.point.truth(where))(self.typed)

    def reader(self, text: str) -> Reader:
        return Reader(text, self.tokens, self.vocabulary.alphabet, self.names, self.scales)

    def set(self, written: Written) -> Real:
        """Of a formula in LaTeX."""
        if not isinstance(written, Cases):
            return self.reader(str(written)).value()
        held = only(value for value, where in written.rows if where != OTHERWISE and self.reader(where).truth())
        return held(lambda text: self.reader(text).value())


def only(held: Iterable[str]) -> Callable[[Callable[[str], Real]], Real]:
    """The value of the one case that holds; of none, 0."""
    found = list(held)
    assert len(found) <= 1, f"several cases hold: {', '.join(found)}"
    return lambda read: read(found[0]) if found else fmpq(0)


def of_value(value: Iverson, seen: Seen) -> Iterator[Printed]:
    """The ways in which a value is printed."""
    vocabulary = seen.vocabulary
    line = plain.value(value, vocabulary)
    yield "plain", line, lambda: seen.typed(line)
    listed = plain.cases(value, vocabulary)
    if listed is not None:
        yield "plain", str(listed), lambda: seen.typed_cases(listed)
    for form in dict.fromkeys((latex.terms(value, vocabulary), latex.written(value, vocabulary))):
        yield "LaTeX", str(form), lambda form=form: seen.set(form)


def compare(wanted: Real, printed: Iterable[Printed], seen: Seen, tally: Counter[str]) -> None:
    for writer, text, read in printed:
        try:
            found = read()
            same = sign(found - wanted) == 0
        except Undecided:
            tally["undecided"] += 1
            continue
        except ArithmeticError as error:
            raise AssertionError(f"{writer}: {text} has no value: {error}, at {seen.names}") from error
        assert same, f"{writer}: {text} is {found} and not {wanted}, at {seen.names}, {seen.tokens}"
        tally[writer] += 1


def check(value: Iverson, printed: Iterable[Printed], seen: Seen, tally: Counter[str]) -> None:
    """Where the value has none, nothing is said."""
    try:
        wanted = seen.word.iverson(value)
    except ArithmeticError:
        return
    compare(wanted, printed, seen, tally)


class Page:
    """All that is printed of a derivation, once."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.json: dict[str, Any] = json.loads(json.dumps(LogitExplained(derivation).data("a network")))
        self.text = plain.closed_form(derivation)
        teller = Teller(derivation, "A")
        self.counts = [self._counts(teller, index) for index in range(len(derivation.steps))]
        self.joins = {
            (layer, row, coordinate): line
            for layer, stream in enumerate(derivation.attended, start=1)
            for row, vector in stream.items()
            for coordinate in vector
            if (line := teller.between.join(layer, row, coordinate, "c")) is not None
        }
        self.steps = plain.steps(derivation).split("\n\n") if derivation.steps else []
        self.tagged = {
            "LaTeX": in_latex(self.json["latex"]),
            "Markdown": in_markdown(markdown.page(derivation_alone(derivation))),
        }

    def _counts(self, teller: Teller, index: int) -> Written | None:
        step = self.derivation.steps[index]
        place = place_of(step, teller.tokens)
        head = teller.sides.head(place.part)
        return None if head is None or place.row is None else teller.between.counts(step, head, place.row)

    @property
    def names(self) -> list[str]:
        return [str(symbol) for symbol in self.derivation.all_sums]

    def between(self, seen: Seen, row: str) -> Iterator[tuple[Iverson, list[Printed]]]:
        """What heads add at a row, and the lines of fractions that say so."""
        for (layer, at, coordinate), line in self.joins.items():
            if at == row:
                forms = [("joined", str(form), functools.partial(seen.set, form)) for form in line.rights[1:]]
                yield self.derivation.attended[layer - 1][row][coordinate], forms

    def closed_forms(self, seen: Seen) -> Iterator[Printed]:
        yield "JSON", self.json["closed_form"], lambda: seen.typed(self.json["closed_form"])
        if self.json["cases"] is not None:
            rows = [(row["value"], row["condition"]) for row in self.json["cases"]]
            yield "JSON", str(rows), lambda: seen.typed_cases(rows)
        text = self.text.split("\nwhere ")[0].removeprefix("logit =")
        yield "plain", text, lambda: seen.typed_cases(_rows(text))
        for writer, tagged in self.tagged.items():
            yield writer, str(tagged["A.1"]), lambda tagged=tagged: seen.set(tagged["A.1"])

    def sums(self, seen: Seen, name: str) -> Iterator[Printed]:
        text = self.json["sums"][name]
        yield "JSON", text, lambda: seen.typed(text)
        number = f"A.{self.names.index(name) + 2}"
        for writer, tagged in self.tagged.items():
            yield writer, str(tagged[number]), lambda tagged=tagged: seen.set(tagged[number])

    def step(self, index: int, place: Place, seen: Seen, here: int | None) -> Iterator[Printed]:
        told, lines = self.json["steps"][index], self.steps[index].splitlines()
        yield "JSON", told["after"], lambda: seen.typed(told["after"])
        yield "JSON", str(told["before"]), lambda: self.before(told["before"], place, seen, here)
        where = next(number for number, line in enumerate(lines) if line.startswith("  ="))
        after = [line for line in lines[where:] if not line.startswith(("  because", "  = 1/R"))]
        yield "plain", str(after), lambda: seen.typed_cases(_rows("\n".join(after).removeprefix("  =")))
        if where == 2:
            yield "plain", lines[1], lambda: seen.typed(lines[1])

    def before(self, told: Any, place: Place, seen: Seen, here: int | None) -> Real:
        match told:
            case str():
                return seen.typed(told)
            case {"numerator": above, "denominator": below}:
                return seen.typed(above) / seen.typed(below)
            case {"scale": scale, "query": query, "key": key}:
                products = (seen.typed(a) * seen.typed(b) for a, b in zip(query, key, strict=True))
                return seen.typed(scale) * sum(products, fmpq(0))
        rows = {p: row_of(self.derivation, p, seen.tokens) for p in self.in_view(place, seen, here)}
        return sum((seen.point.knowing(j=fmpq(p)).value(told[row]) for p, row in rows.items() if row in told), fmpq(0))

    def in_view(self, place: Place, seen: Seen, here: int | None) -> Sequence[int]:
        """The positions that a sum goes over."""
        network, last = self.derivation.construction.network, len(seen.tokens) - 1
        assert isinstance(network, Encoder)
        if here is None:
            every = range(last + 1)
            return {"first": [0], "last": [last], "sum": every, "mean": every}[network.readout.position]
        layer, head = (int(number) for number in re.findall(r"\d+", place.part))
        return range(here + 1 if network.layers[layer - 1].heads[head - 1].mask == "causal" else last + 1)


def _rows(text: str) -> list[tuple[str, str]]:
    """Value and condition, case by case, of a text on one line or on several."""
    if "\n" not in text:
        return [(text, "")]
    rows = [re.fullmatch(r" *(.*?) +(?:if (.*)|otherwise)", line) for line in text.splitlines()[1:]]
    return [(row[1], row[2]) for row in rows if row is not None and row[2] is not None]


def check_printed(
    derivation: Derivation, words: Iterable[tuple[Sequence[str], Mapping[str, Real]]], tally: Counter[str]
) -> None:
    """All that is printed of a derivation, at marked words with parameter values, and at one position of each row."""
    page = Page(derivation)
    for tokens, parameters in words:
        _check_at(page, tokens, parameters, tally)


def _check_at(page: Page, tokens: Sequence[str], parameters: Mapping[str, Real], tally: Counter[str]) -> None:
    derivation, rows = page.derivation, tuple(page.derivation.streams[0])

    @functools.cache
    def at(here: int | None, there: int | None = None) -> Seen | None:
        """None where a sum, or a scale, has no value."""
        try:
            return Seen(derivation, tokens, parameters, here, there)
        except ArithmeticError:
            return None

    whole = at(None)
    if whole is None:
        return
    check(derivation.logit, (*of_value(logit(derivation), whole), *page.closed_forms(whole)), whole, tally)
    for name in map(str, derivation.sums):
        compare(whole.names[name], page.sums(whole, name), whole, tally)
    last = {row_of(derivation, p, tokens): p for p in range(len(tokens))}
    for row, p in last.items():
        if (there := at(p)) is not None:
            for value, printed in page.between(there, row):
                check(value, printed, there, tally)
    for index, step in enumerate(derivation.steps):
        place = place_of(step, rows)
        here, there = (None if of is None else last.get(of, -1) for of in (place.row, place.key))
        seen = None if -1 in (here, there) else at(here, there)
        if seen is not None:
            check(step.after, (*of_value(step.after, seen), *page.step(index, place, seen, here)), seen, tally)
            counts = page.counts[index]
            if counts is not None:
                check(step.after, [("counted", str(counts), functools.partial(seen.set, counts))], seen, tally)
            condition = page.json["steps"][index]["condition"]
            assert condition is None or seen.point.truth(condition), f"JSON: {condition} does not hold at {seen.names}"

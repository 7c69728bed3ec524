"""What is printed of a derivation, read back at points and compared with what was derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import sympy
from flint import fmpq
from sympy.core.function import AppliedUndef

from tests.support.latex_reader import Reader
from tests.support.read_back import Point
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import i, j
from weightproof.symbolic.derivation import Derivation, DotProduct, OverPositions, Quotient, Step
from weightproof.symbolic.evaluate import Word, _sum
from weightproof.symbolic.writing import latex, plain
from weightproof.symbolic.writing.latex import Cases, Written

OTHERWISE = r"\text{otherwise}"


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
        self.derivation, self.vocabulary = derivation, derivation.vocabulary
        self.word = Word(derivation.vocabulary, tokens, parameters, derivation.scales)
        places = {atom: fmpq(place) for atom, place in ((i, here), (j, there)) if place is not None}
        self.word.values |= {i: places[i]} if i in places else {}
        self.sums = derivation.sums if here is None else derivation.all_sums
        for total in self.sums.values():
            self.word.values[total.symbol] = _sum(total, self.word)
        self.word.values |= places
        fixed = [scale for scale in derivation.scales if isinstance(scale, sympy.Symbol)]
        names = {str(atom): self.word.atom(atom) for atom in (*self.sums, *fixed)}
        names |= {str(atom): place for atom, place in places.items()}
        self.names: dict[str, Real] = {**parameters, **names, "n": fmpq(len(tokens))}
        self.scales = {
            str(scale.func): self.scale(scale) for scale in derivation.scales if isinstance(scale, AppliedUndef)
        }
        self.tokens = tokens
        self.point = Point(tokens, self.vocabulary.alphabet, self.names, self.scales)

    def scale(self, of: AppliedUndef) -> Callable[[Real], Real]:
        def at(place: Real) -> Real:
            assert isinstance(place, fmpq)
            return self.word.atom(of.func(sympy.Rational(int(place.p), int(place.q))))  # type: ignore[return-value]

        return at

    def reader(self, text: str) -> Reader:
        return Reader(text, self.tokens, self.vocabulary.alphabet, self.names, self.scales)

    def read(self, written: Written) -> Real:
        """The value of a printed formula; of cases, that of the one that holds."""
        if not isinstance(written, Cases):
            return self.reader(str(written)).value()
        return self.of_cases(
            [
                (self.reader(value).value, (lambda: True) if where == OTHERWISE else self.reader(where).truth)
                for value, where in written.rows
            ],
            OTHERWISE in [where for _, where in written.rows],
        )

    def of_cases(self, rows: Sequence[tuple[Callable[[], Real], Callable[[], bool]]], ordered: bool = False) -> Real:
        """Of cases of which one holds, or none, where the value is 0."""
        held = [value for value, where in rows if where()]
        assert len(held) <= 1 + ordered, "two cases hold together"
        return held[0]() if held else fmpq(0)


def written(value: Iverson, seen: Seen) -> Iterator[tuple[str, str, Callable[[], Real]]]:
    """The ways in which a value is printed: by whom, the text, and how it is read."""
    vocabulary, point = seen.vocabulary, seen.point
    line = plain.value(value, vocabulary)
    yield "plain", line, lambda: point.value(line)
    listed = plain.cases(value, vocabulary)
    if listed is not None:
        rows = [
            ((lambda text=text: point.value(text)), (lambda where=where: point.truth(where))) for text, where in listed
        ]
        yield "plain cases", str(listed), lambda: seen.of_cases(rows)
    for name, form in (("LaTeX", latex.terms(value, vocabulary)), ("LaTeX cases", latex.written(value, vocabulary))):
        yield name, str(form), lambda form=form: seen.read(form)  # type: ignore[misc]


def compare(value: Iverson, seen: Seen, tally: Counter[str]) -> None:
    """AssertionError where a printed text has another value than was derived. Where that has none, nothing is said."""
    try:
        wanted = seen.word.iverson(value)
    except (ArithmeticError, KeyError):
        tally["no value"] += 1
        return
    for name, text, read in written(value, seen):
        try:
            same = sign(read() - wanted) == 0  # type: ignore[operator]
        except ArithmeticError as error:
            if type(error).__name__ != "Undecided":
                raise AssertionError(f"{name}: {text} has no value at {seen.names} {seen.tokens}: {error}") from error
            tally["undecided"] += 1
            continue
        assert same, f"{name}: {text} is {read()} and not {wanted} at {seen.names} {seen.tokens}"
        tally[name] += 1


def sides(step: Step) -> Iterator[tuple[str | None, Iverson]]:
    """The values that a step prints, those under a sum with the token that they are of."""
    yield None, step.after
    if step.positive is not None:
        yield None, step.positive
    match step.before:
        case OverPositions(summands=summands):
            yield from summands
        case Quotient(numerator=above, denominator=below):
            yield from ((None, above), (None, below))
        case DotProduct(scale=scale, factors=factors):
            yield from ((None, x) for x in (scale, *(x for pair in factors for x in pair)))
        case Iverson() as before:
            yield None, before

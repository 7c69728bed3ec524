"""From which value on a theorem is true: of a parameter, or of the number of positions.

Every question is a theorem of its own. That it holds for every value from x on is proved, or refuted by a word at a
value of which it speaks; bisection brings together the least x for which it is proved and the greatest value at which a
word refutes it. Between the two nothing is known, and nothing is supposed: what is true at one value need not be true
at a greater one. Which question comes next rests on approximate numbers; what is said at the end does not.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, Protocol

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import compare, evaluate
from weightproof.constructions.transforms.fix import fix
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import EVERYTHING, Decides, said_scope
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Result, Unknown

EACH = 20.0
"""Seconds of counted work for one question."""
NEAR = Fraction(1, 1000)
"""Values of a real parameter are near each other where they differ by at most this times the greater of 1 and them."""
LARGEST = 1 << 12
"""No question begins at a greater value."""
SHORT = 64
"""The greatest numerator and denominator in what is tried as the exact value."""
Reach = Literal["from", "above", "at"]
"""All values from it on; all greater ones; this one alone."""


@dataclass(frozen=True)
class Question:
    """Whether the theorem is true at all the values that the reach says."""

    reach: Reach
    value: Expression


@dataclass(frozen=True)
class Answer:
    """fails_at: the value at which a word refutes it, if one does."""

    question: Question
    result: Result
    fails_at: Expression | None

    @property
    def is_proved(self) -> bool:
        return isinstance(self.result.verdict, Proved)


class Scale(Protocol):
    """What the values are of. name: as formulas have it; is_whole: whether its values are whole numbers."""

    @property
    def name(self) -> str: ...

    @property
    def is_whole(self) -> bool: ...

    @property
    def everywhere(self) -> Question:
        """Of all values that there are."""

    def asked(self, question: Question) -> tuple[Construction, Decides]:
        """The question as a theorem about a construction."""

    def placed(self, word: Counterexample, question: Question) -> Counterexample:
        """The word that answers a question, as one of the construction itself."""

    def value_of(self, word: Counterexample) -> Expression:
        """The value at which it was run."""

    def between(self, low: Fraction, high: Fraction) -> Fraction | None:
        """A value between two; None where they are as near each other as is asked for."""

    def likely(self, low: Fraction, high: Fraction) -> Iterator[Expression]:
        """What the exact value may be, between two that are near each other."""


@dataclass(frozen=True)
class Positions:
    """Of the number n of positions, markers included, for all values of the parameters at once. InputError where the
    theorem ends at a length."""

    construction: Construction
    theorem: Decides
    name: str = "n"
    is_whole: bool = True

    def __post_init__(self) -> None:
        if self.theorem.up_to is not None:
            place = f"{self.construction.name}, {self.theorem.name}"
            raise InputError(f"{place}: it is about {said_scope(self.theorem)} alone, and true from no n on")

    @property
    def everywhere(self) -> Question:
        return Question("from", Expression(str(len(self._markers))))

    @property
    def _markers(self) -> tuple[str, ...]:
        return add_markers(self.construction.encoder, ())

    def asked(self, question: Question) -> tuple[Construction, Decides]:
        if question == self.everywhere:
            return self.construction, self.theorem
        relation = {"from": ">=", "above": ">", "at": "=="}[question.reach]
        length = f"n {relation} {question.value}"
        given = str(self.theorem.given)
        hypothesis = length if given == EVERYTHING else f"({given}) and {length}"
        return self.construction, replace(self.theorem, given=Expression(hypothesis))

    def placed(self, word: Counterexample, question: Question) -> Counterexample:
        return word

    def value_of(self, word: Counterexample) -> Expression:
        return Expression(str(word.length + len(self._markers)))

    def between(self, low: Fraction, high: Fraction) -> Fraction | None:
        return Fraction((low + high) // 2) if high - low > 1 else None

    def likely(self, low: Fraction, high: Fraction) -> Iterator[Expression]:
        return iter(())


@dataclass(frozen=True)
class OfParameter:
    """Of a real parameter, at words of every length. InputError where the theorem or the language speaks of it, as it
    would be another theorem at each value, and where it is a natural number."""

    construction: Construction
    theorem: Decides
    parameter: Parameter
    is_whole: bool = False

    def __post_init__(self) -> None:
        name, theorem = self.name, self.theorem
        place = f"{self.construction.name}, {theorem.name}"
        said = (self.construction.language.characterisation, theorem.accepts, theorem.given, theorem.invariant)
        if any(name in formula.names for formula in (*said, *theorem.or_else) if formula is not None):
            raise InputError(f"{place}: it speaks of {name} itself, and says something else at each value; ask --of n")
        if self.parameter.is_natural:
            raise InputError(f"{place}: {name} is a natural number; thresholds are sought of real parameters and of n")

    @property
    def name(self) -> str:
        return self.parameter.name

    @property
    def everywhere(self) -> Question:
        bound, strict = self.parameter.bound
        return Question("above" if strict else "from", bound)

    def asked(self, question: Question) -> tuple[Construction, Decides]:
        value = question.value
        if question == self.everywhere:
            return self.construction, self.theorem
        if question.reach == "at":
            return fix(self.construction, {self.name: value}), self.theorem
        relation, default = (">=", str(value)) if question.reach == "from" else (">", f"{value} + 1")
        changed = replace(
            self.parameter, domain=Expression(f"{self.name} {relation} {value}"), default=Expression(default)
        )
        others = (changed if each == self.parameter else each for each in self.construction.parameters)
        return replace(self.construction, parameters=tuple(others)), self.theorem

    def placed(self, word: Counterexample, question: Question) -> Counterexample:
        return replace(word, parameters={self.name: str(question.value)} | word.parameters)

    def value_of(self, word: Counterexample) -> Expression:
        return Expression(word.parameters[self.name])

    def between(self, low: Fraction, high: Fraction) -> Fraction | None:
        if high - low <= NEAR * max(high, Fraction(1)):
            return None
        quarter = (high - low) / 4
        return simplest(low + quarter, high - quarter)

    def likely(self, low: Fraction, high: Fraction) -> Iterator[Expression]:
        """Fractions, their logarithms and their square roots, the shortest first."""
        found = [(simplest(low, high), "{}")]
        square = simplest(low * low, high * high) if low > 0 else Fraction(0)
        if any(math.isqrt(part) ** 2 != part for part in square.as_integer_ratio()):
            found += [(square, "sqrt({})")]
        if high < math.log(SHORT):
            found += [(simplest(Fraction(math.exp(low)), Fraction(math.exp(high))), "log({})")]
        for number, written in sorted(found, key=lambda each: each[0].numerator + each[0].denominator):
            if max(abs(number.numerator), number.denominator) <= SHORT:
                yield Expression(written.format(number))


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator among those from low to high, and of these the one nearest to 0; by the
    continued fractions of the two, which agree as far as it goes."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / simplest(1 / (high - below), 1 / (low - below))


@dataclass
class Search:
    """The questions that were asked so far with their answers, which are kept when it is interrupted."""

    scale: Scale
    answers: list[Answer] = field(default_factory=list)

    @property
    def holds(self) -> Question | None:
        """What the proofs come to: all values from the least on of which it is proved, or all above it; None where it
        is proved from none on. Whole numbers that are proved one by one go before those that are proved together."""
        if not self.proofs:
            return None
        least = self.proofs[-1].question
        if not self.scale.is_whole:
            return least
        return Question("from", least.value)

    @property
    def proofs(self) -> tuple[Answer, ...]:
        """Of the proofs for all values from one on, or above one, that with the least, and of two that which speaks of
        the value itself; then, of whole numbers, the proofs for the number before, the one before that, and so on."""
        proved = [each for each in self.answers if each.is_proved]
        together = [each for each in proved if each.question.reach != "at"]
        if not together:
            return ()
        found = [min(together, key=lambda each: (_order(each.question.value), each.question.reach == "above"))]
        alone = {str(each.question.value): each for each in proved if each.question.reach == "at"}
        while self.scale.is_whole and (before := alone.get(str(int(str(found[-1].question.value)) - 1))) is not None:
            found.append(before)
        return tuple(found)

    @property
    def fails(self) -> Answer | None:
        """Of all words that refute it the one at the greatest value."""
        refuted = [(each.fails_at, each) for each in self.answers if each.fails_at is not None]
        return max(refuted, key=lambda pair: _order(pair[0]), default=(None, None))[1]

    @property
    def fails_at(self) -> Expression | None:
        """The greatest value at which a word refutes it."""
        return None if self.fails is None else self.fails.fails_at

    @property
    def is_exact(self) -> bool:
        """Whether the value from which on it is true is known: it fails at the value above which it is proved, or at
        the whole number before."""
        if self.holds is None or self.fails_at is None:
            return False
        begin, end = evaluate(self.holds.value, {}), evaluate(self.fails_at, {})
        if self.holds.reach == "above":
            return compare("==", begin, end)
        return self.scale.is_whole and compare("==", begin, end + 1)

    def ask(self, question: Question, timeout: float) -> None:
        """timeout: seconds of counted work."""
        construction, theorem = self.scale.asked(question)
        [result] = prove(construction, [theorem], timeout=timeout)
        fails_at = None
        if isinstance(verdict := result.verdict, Refuted):
            word = self.scale.placed(verdict.counterexample, question)
            result, fails_at = replace(result, verdict=replace(verdict, counterexample=word)), self.scale.value_of(word)
        self.answers.append(Answer(question, result, fails_at))

    @property
    def next(self) -> Question | None:
        """What is to be asked next; None where there is nothing left that would tell more."""
        if not self.answers:
            return self.scale.everywhere
        first = self.answers[0].question
        fails = _near(first.value) - self.scale.is_whole if self.fails_at is None else _near(self.fails_at)
        if self.holds is None:
            if self._is_stuck:
                return None
            greatest = max([fails, Fraction(0), *(_near(each.question.value) for each in self.answers)])
            begin = 1 << math.floor(greatest).bit_length()
            return Question("from", Expression(str(begin))) if begin <= LARGEST else None
        if self.holds == first:
            return None
        top = _near(self.holds.value)
        unproved = [_near(each.value) for each in self._asked("from") if _near(each.value) < top]
        if (middle := self.scale.between(max([fails, *unproved]), top)) is not None:
            return Question("from", Expression(str(middle)))
        before = Question("at", Expression(str(math.floor(top) - 1)))
        if self.scale.is_whole and fails < top - 1 and before not in self._asked("at"):
            return before
        unrefuted = [_near(each.value) for each in self._asked("at") if _near(each.value) > fails]
        if (middle := self.scale.between(fails, min([top, *unrefuted]))) is not None:
            return Question("at", Expression(str(middle)))
        itself = Question("from", self.holds.value)
        likely = [] if self.is_exact else [Question("above", value) for value in self.scale.likely(fails, top)]
        further = likely if self.scale.is_whole else [itself, *likely]
        return next((each for each in further if each not in self._asked(each.reach)), None)

    @property
    def _is_stuck(self) -> bool:
        """Whether two questions in a row are open for one reason, as that there is no closed form: no value helps."""
        verdicts = [each.result.verdict for each in self.answers[-2:]]
        reasons = {each.reason for each in verdicts if isinstance(each, Unknown) and not each.timed_out}
        return len(verdicts) == 2 and len(reasons) == 1 and all(isinstance(each, Unknown) for each in verdicts)

    def _asked(self, reach: Reach) -> list[Question]:
        return [each.question for each in self.answers if each.question.reach == reach]


@functools.cmp_to_key
def _order(left: Expression, right: Expression) -> int:
    return sign(evaluate(left, {}) - evaluate(right, {}))


def _near(value: Expression) -> Fraction:
    """A fraction near the value, by which questions are chosen."""
    return Fraction(float(ball(evaluate(value, {})))).limit_denominator(10**9)

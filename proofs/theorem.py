"""What a theorem is: a statement about one construction, as data; its strategy is chosen by its shape."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from weightproof.constructions.claims.published import Published, value_of
from weightproof.constructions.claims.statements import Quantity, Value, named
from weightproof.constructions.languages.transducers import Track, Transducer
from weightproof.constructions.library import apart, load, module_of, names, predictors
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import tied_outputs
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import Written, freeze
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.transforms.by_name import transformed

EVERYTHING = "n >= 1"
"""The hypothesis that holds of every word."""
NEVER = "never"
"""What results say of a token that is never predicted."""
Expected = Literal["proved", "refuted"]
Blocks = tuple[tuple[str, Expression], ...]
"""A family of words, one for each n and all parameters: words, each with how often it is repeated."""


def formula_or_none(value: object | None) -> Expression | None:
    return None if value is None else expression(value)


def formulas(values: Iterable[object]) -> tuple[Expression, ...]:
    return tuple(map(expression, values))


def blocks(values: Iterable[tuple[str, object]] | None) -> Blocks | None:
    return None if values is None else tuple((word, expression(times)) for word, times in values)


def by_token(values: Mapping[str, object] | None) -> Mapping[str, Expression] | None:
    return None if values is None else MappingProxyType({token: expression(of) for token, of in values.items()})


def unchanged(name: str) -> str:
    return name


def together(*hypotheses: Expression) -> Expression:
    """All of these at once."""
    asked = [each for each in hypotheses if each.source != EVERYTHING]
    if not asked:
        return Expression(EVERYTHING)
    return asked[0] if len(asked) == 1 else Expression(" and ".join(f"({each})" for each in asked))


def named_as(theorem: ClosedForm | Compares | Margin | Appends, name: str) -> None:
    """Calls a theorem so that was given no name."""
    if theorem.name is None:
        freeze(theorem, name=name)


@dataclass(frozen=True)
class Decides:
    """For every word and all parameters with `given`: the network accepts exactly where `accepts` is true.

    accepts: a formula in the vocabulary of `expressions`; None is the language's characterisation.
    given: a hypothesis on n, counts, tokens and parameters.
    invariant: for a proof by induction over positions, what holds after position j of n: a formula over j, prefix
    counts, the explicit sums S1, S2, ... of the derivation so far, and
      S1_next, the least absolute value of what position j+1 adds to S1 where it adds anything;
      S1_first, the same for the first symbol;
      S1_added, what position j adds to S1;
      S1_least, the least absolute value of what position j adds to S1 where it adds anything and is not the last one
      of the word, or 0 where no value is the least;
      reward, the most that the logit of an accepted word has beside its sums, case by case where no value is the most;
      logit, the closed form with the sums so far, as it is at the last position, but for a positive factor;
      so_far, whether the quantified part of `accepts` has held at all positions up to j.
    Without one the proof is direct, by cases; or an invariant is looked for, where the logit keeps sums over the word
    or `accepts` speaks of all positions.
    or_else: other invariants, which are tried in turn where that one is not enough.
    strict: and no word has the logit 0, at which a network that accepts where logit > 0 rejects.
    up_to: if set, only n <= up_to is claimed and checked, every length and count for itself where they are not too
    many: a bounded check, named as such.
    """

    name: str
    statement: str
    accepts: Written[Expression | None] = Written(formula_or_none, None)
    given: Written[Expression] = Written(expression, EVERYTHING)
    invariant: Written[Expression | None] = Written(formula_or_none, None)
    up_to: int | None = None
    strict: bool = False
    expected: Expected = "proved"
    or_else: Written[tuple[Expression, ...]] = Written(formulas, ())

    @property
    def hypothesis(self) -> Expression:
        return self.given


@dataclass(frozen=True)
class ClosedForm:
    """A printed value of a quantity is the derived one: on all words with `given`, wherever it is printed for.

    claim: read literally, it states a `Value`, and has no other sense. given: a hypothesis besides the printed case.
    name: as tables show it; the quantity and the place, if there is none.
    """

    claim: Published
    given: Written[Expression] = Written(expression, EVERYTHING)
    name: Written[str] = Written(unchanged, None)
    expected: Expected = "proved"

    def __post_init__(self) -> None:
        named_as(self, _closed_form_name(self.claim))

    @property
    def stated(self) -> Value:
        """What is printed, in the case of the theorem. TypeError where the claim states something else."""
        value = value_of(self.claim)
        if value is None:
            raise TypeError(f"{self.claim!r} states no value")
        return replace(value, when=together(value.when, self.given))

    @property
    def hypothesis(self) -> Expression:
        return self.stated.when

    @property
    def statement(self) -> str:
        stated = self.stated
        case = "" if stated.when.source == EVERYTHING else f" if {stated.when}"
        at = ", ".join(f"{name} = {value}" for name, value in stated.at.items())
        return f"{named(stated.of)} = {stated.equals}{case}" + (f" at {at}" if at else "")


def _closed_form_name(claim: object) -> str:
    value = value_of(claim)
    if not isinstance(claim, Published) or value is None:
        return "closed form"
    quantity = named(value.of) if isinstance(value.of, Quantity) else "closed form"
    return f"{quantity}, {claim.place}"


PROVER = Choices("the prover")
Side = Literal["accepted", "rejected"]
OF_ACCEPTED = {"accepted": True, "rejected": False}
"""Side -> whether it is that of the words that are to be accepted."""
Op = Literal["<", "<=", "==", "!=", ">=", ">"]


@dataclass(frozen=True)
class Compares:
    """For all words and parameters with `given`: the logit is in the relation `op` to `value` where `where` is true.

    where: a formula; None is the language's characterisation. only: and the logit of no other word does.
    value: in n and the parameters. invariant: for a proof by induction over positions, as in `Decides`.
    """

    op: Op
    value: Written[Expression] = Written(expression)
    where: Written[Expression | None] = Written(formula_or_none, None)
    only: bool = False
    given: Written[Expression] = Written(expression, EVERYTHING)
    invariant: Written[Expression | None] = Written(formula_or_none, None)
    name: Written[str] = Written(unchanged, None)
    expected: Expected = "proved"

    def __post_init__(self) -> None:
        named_as(self, f"logit {self.op} {self.value}")

    @property
    def accepts(self) -> Expression | None:
        """The words that it speaks of."""
        return self.where

    @property
    def statement(self) -> str:
        words = "on the words of the language" if self.where is None else f"where {self.where}"
        return f"logit {self.op} {self.value} {words}" + ", and on no others" * self.only

    @property
    def hypothesis(self) -> Expression:
        return self.given


@dataclass(frozen=True)
class Margin:
    """The least |logit| of the words of n positions (markers counted) on one side of the language is exactly `value`.

    Two things are shown, for all n and parameters with `when` and `given`. The bound: on a member logit >= value, on a
    non-member logit <= -value; where a network accepts at logit = 0, the logit of a member is 0, and that of a
    non-member is value or more, with either sign. And that it is attained, by the words `attained`: (("01", "m"),
    ("1", "1")) are m times 01 and then 1, with m in n and parameters, an integer and 0 or more throughout; the network
    decides them as their side has it. Without them that is checked on short words only, and the scope says up to which
    length.

    A value is 0 or more. 0 is a margin too: it says that rounding alone decides some word of each length. Without a
    value the theorem says that no word of n positions is on the side.
    value: in n and the parameters; when, given: hypotheses on these, the case and what is asked of the parameters.
    invariant: for a proof by induction over positions, as in `Decides`.
    """

    side: Side
    value: Written[Expression | None] = Written(formula_or_none)
    when: Written[Expression] = Written(expression, EVERYTHING)
    given: Written[Expression] = Written(expression, EVERYTHING)
    invariant: Written[Expression | None] = Written(formula_or_none, None)
    attained: Written[Blocks | None] = Written(blocks, None)
    name: Written[str] = Written(unchanged, None)
    expected: Expected = "proved"

    def __post_init__(self) -> None:
        subject = f"none {self.side}" if self.value is None else f"margin, {self.side}"
        named_as(self, subject if self.when.source == EVERYTHING else f"{subject}, {self.when}")

    @property
    def accepts(self) -> None:
        """The language is the construction's own."""
        return None

    @property
    def of_accepted(self) -> bool:
        """Whether it speaks of the words that are to be accepted."""
        return PROVER.of("side", self.side, OF_ACCEPTED)

    @property
    def statement(self) -> str:
        conditions = [str(formula) for formula in (self.when, self.given) if formula.source != EVERYTHING]
        said = f"no word is {self.side}" if self.value is None else f"least |logit| of {self.side} words = {self.value}"
        return said + f" if {' and '.join(conditions)}" * bool(conditions)

    @property
    def hypothesis(self) -> Expression:
        return together(self.when, self.given)


@dataclass(frozen=True)
class Appends:
    """Of a decoder: to every word that ends in `behind` with `given`, whatever it is before, `token` is appended.

    behind: a symbol, or the marker of the beginning for the empty word. given: a conjunction of comparisons of counts,
    of all positions. The words are all over the alphabet, so those with tokens that were appended are among them.
    up_to: if set, only words of at most so many positions, the marker among them, are spoken of: a bounded check.
    """

    behind: str
    token: str
    given: Written[Expression] = Written(expression, EVERYTHING)
    name: Written[str] = Written(unchanged, None)
    expected: Expected = "proved"
    up_to: int | None = None

    def __post_init__(self) -> None:
        case = "" if self.given.source == EVERYTHING else f", {self.given}"
        named_as(self, f"{self.token!r} behind {self.behind!r}{case}")

    @property
    def statement(self) -> str:
        case = "" if self.given.source == EVERYTHING else f" where {self.given}"
        length = "" if self.up_to is None else f" of at most {self.up_to} positions"
        return f"to every word{length} that ends in {self.behind!r}{case}, {self.token!r} is appended"


@dataclass(frozen=True)
class Predicts:
    """For every word and all parameters with `given`, of a network that predicts a token or a class: where the
    language says which token is right, its output is greater than every other one.

    where: and that exactly on some of these words: token -> those after which it is predicted, of those after which it
    is right; a token that is left out is never predicted where it is right. None: on all of them. A token whose output
    another one attains, too, is not predicted.
    up_to: if set, only words of at most so many positions, markers among them, are spoken of: a bounded check that runs
    each of them, or a proof where these are too many, or there are parameters.
    """

    name: str
    statement: str
    where: Written[Mapping[str, Expression] | None] = Written(by_token, None)
    given: Written[Expression] = Written(expression, EVERYTHING)
    expected: Expected = "proved"
    up_to: int | None = None

    @property
    def accepts(self) -> None:
        """The words that it speaks of are those of the language."""
        return None

    @property
    def hypothesis(self) -> Expression:
        return self.given if self.up_to is None else Expression(f"({self.given}) and n <= {self.up_to}")


@dataclass(frozen=True)
class Computes:
    """Of a decoder: to every prompt what a transducer writes is appended, token by token.

    prompt: texts, whose symbols are tokens, and tracks of the transducer, in the order in which they stand there.
    backward: the token of its last slot is appended first. What comes behind as many tokens as it has slots is not
    spoken of. Each token is the only one with the greatest output after the prompt and the tokens before it; where all
    are right, so is all that a decoder appends that takes the greatest output, by induction over them.
    """

    name: str
    statement: str
    transducer: Transducer
    prompt: tuple[str | Track, ...]
    backward: bool = False
    expected: Expected = "proved"

    @property
    def given(self) -> Expression:
        """It speaks of every input."""
        return Expression(EVERYTHING)


OnWords = Decides | Margin | Compares
"""What says something of the sign of the logit, or of a shifted logit, on every word."""
AboutLogits = OnWords | ClosedForm
"""What says something of the logit of every word."""
Theorem = Decides | ClosedForm | Margin | Compares | Predicts | Appends | Computes


def said_scope(theorem: Theorem) -> str:
    """Of which words a theorem speaks, as the scope of its proof would say."""
    if isinstance(theorem, Computes):
        return "all inputs"
    most = most_positions(theorem)
    return "all lengths" if most is None else f"n <= {most}"


def most_positions(theorem: Theorem) -> int | None:
    """The positions of the longest words that a theorem speaks of; None where it speaks of all lengths."""
    return theorem.up_to if isinstance(theorem, Decides | Predicts | Appends) else None


def with_each_invariant(theorem: OnWords) -> tuple[OnWords, ...]:
    """The theorem with each of its invariants alone, in the order in which they are tried."""
    if not isinstance(theorem, Decides):
        return (theorem,)
    return tuple(replace(theorem, invariant=each, or_else=()) for each in (theorem.invariant, *theorem.or_else))


@dataclass(frozen=True)
class Transformed:
    """Theorems about a built-in construction after transformations, which are written as on the command line."""

    named: str
    transforms: tuple[str, ...]
    theorems: tuple[Theorem, ...]


def hypotheses(theorem: Theorem) -> tuple[str, ...]:
    """What a theorem asks of words and parameters, as text; nothing where it speaks of all of them."""
    match theorem:
        case ClosedForm(stated=stated):
            said = [str(stated.when), *(f"{name} = {value}" for name, value in stated.at.items())]
        case Margin():
            said = [str(theorem.when), str(theorem.given)]
        case _:
            said = [str(theorem.given)]
    return tuple(formula for formula in said if formula != EVERYTHING)


def theorem_file(module: str) -> Any:
    """What stands in a file of theorems, by its paper and name, as chiang2022.parity."""
    return importlib.import_module(f"weightproof.proofs.theorems.{module}")


def theorems_of(name: str) -> tuple[Theorem, ...]:
    """The theorems about a built-in construction; InputError if there is none of that name. They are called as it is in
    its own module; those of `construction` are called `theorems`."""
    module, attribute = module_of(name)
    of_it = "theorems" if attribute == "construction" else attribute
    theorems: tuple[Theorem, ...] = getattr(theorem_file(module), of_it)
    return theorems


TRANSFORMED = ("chiang2022.layer_norm", "chiang2022.log_length", "chiang2022.sharpened", "nowak2022.layer_norm")
"""The theorem files about transformed constructions."""


def of_transformed() -> tuple[Transformed, ...]:
    """The theorems about transformed constructions, in the order of their files."""
    return tuple(each for module in TRANSFORMED for each in theorem_file(module).theorems)


Stated = dict[str, tuple[Construction, tuple[Theorem, ...]]]
"""Constructions with the theorems about them, by name."""


def stated() -> Stated:
    """All constructions with theorems: the built-in ones, and then transformed ones."""
    return {name: each for found in by_file().values() for name, each in found.items()}


def by_file() -> dict[str, Stated]:
    """The same, the built-in ones by the folder of their paper, transformed ones by the file of their theorems."""
    found: dict[str, Stated] = {}
    for name in (*names(), *predictors()):
        paper = module_of(name)[0].partition(".")[0]
        found.setdefault(paper, {})[name] = load(name), theorems_of(name)
    for module in TRANSFORMED:
        for each in theorem_file(module).theorems:
            construction = transformed(load(each.named), each.transforms)
            found.setdefault(module, {})[construction.name] = construction, each.theorems
    return found


def apart_by_file() -> dict[str, Stated]:
    """Of the networks that stand apart: by the folder of their paper, too."""
    found: dict[str, Stated] = {}
    for name in apart():
        paper = module_of(name)[0].partition(".")[0]
        found.setdefault(paper, {})[name] = load(name), theorems_of(name)
    return found


@dataclass(frozen=True)
class Part:
    """On some of the words after which `token` is right its output is greater than that of each of `others`, or, where
    it is not `predicted`, at most that of one of them."""

    token: str
    predicted: bool
    others: tuple[str, ...]
    on: Expression
    given: Expression

    def compares(self, other: str) -> Compares:
        op: Op = ">" if self.predicted else "<="
        name = f"{self.token!r} {'' if self.predicted else 'not '}over {other!r}"
        return Compares(op, 0, self.on, given=self.given, name=name)


def parts(construction: Construction, theorem: Predicts) -> Iterator[Part]:
    """Together they are the theorem: no other words have a right token."""
    for token, right in construction.language.labels.items():
        others = rivals(construction, token)
        where = Expression(EVERYTHING) if theorem.where is None else theorem.where.get(token)
        if where is None:
            yield Part(token, False, others, right, theorem.hypothesis)
        elif where.source == EVERYTHING:
            yield Part(token, True, others, right, theorem.hypothesis)
        else:
            yield Part(token, True, others, Expression(f"({right}) and ({where})"), theorem.hypothesis)
            yield Part(token, False, others, Expression(f"({right}) and not ({where})"), theorem.hypothesis)


def rivals(construction: Construction, token: str) -> tuple[str, ...]:
    """The other outputs, of those with the same weights one, the right tokens of other words first."""
    labels = construction.language.labels
    others = (next((o for o in tokens if o != token), None) for tokens in tied_outputs(construction).values())
    return tuple(sorted((other for other in others if other is not None), key=lambda other: other not in labels))

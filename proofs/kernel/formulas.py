"""Formulas about words as propositions of Coq: of the tokens, as a referee reads them, and of the integers of closed
forms."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, Protocol

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold, quantifier
from weightproof.constructions.scalars.formulas import conjuncts
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.kernel import scalars
from weightproof.proofs.kernel.scalars import (
    APPLICATION,
    ATOM,
    LARGEST_LITERAL,
    POWER,
    PRODUCT,
    SUM,
    Term,
    applied,
    parameter_name,
)
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import text

RELATION, NEGATION, CONJUNCTION, DISJUNCTION, QUANTIFIED = 70, 75, 80, 85, 200
"""Levels of Coq's grammar, beyond those of terms."""
RELATIONS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
DECISIONS = {"==": "=?", "<": "<?", "<=": "<=?", ">": ">?", ">=": ">=?"}
"""Those of integers; that they are not the same is the negation of that they are."""
REMAINDER = (PRODUCT + SUM) // 2
"""Of x mod y: Coq does not associate it with products, so that it stands in brackets among them."""


@dataclass(frozen=True)
class Bound:
    """What a number is no less than, or if `strict`, more than."""

    least: Fraction
    strict: bool = False

    @property
    def is_positive(self) -> bool:
        return self.least > 0 or (self.least == 0 and self.strict)

    def __add__(self, other: Bound) -> Bound:
        return Bound(self.least + other.least, self.strict or other.strict)

    def __mul__(self, other: Bound) -> Bound | None:
        """Of a product; None where one of the factors may be negative."""
        if self.least < 0 or other.least < 0:
            return None
        strict = (self.strict and other.is_positive) or (other.strict and self.is_positive)
        return Bound(self.least * other.least, strict)


ABOVE_0, AT_LEAST_0, AT_LEAST_1 = Bound(Fraction(0), strict=True), Bound(Fraction(0)), Bound(Fraction(1))


@dataclass(frozen=True)
class Number:
    """A number in a formula: as a term of Coq's integers, None where its form does not show that it is one, and as a
    term of its real numbers; above: a bound from below that its form shows."""

    integer: Term | None
    real: Term
    above: Bound | None = None

    @property
    def is_positive(self) -> bool:
        """Whether its form shows that."""
        return self.above is not None and self.above.is_positive

    def _joined(self, other: Number, join: Callable[[Term, Term], Term], above: Bound | None) -> Number:
        integers = (self.integer, other.integer)
        integer = None if None in integers else join(*integers)  # type: ignore[arg-type]
        return Number(integer, join(self.real, other.real), above)

    def __add__(self, other: Number) -> Number:
        both = None if self.above is None or other.above is None else self.above + other.above
        return self._joined(other, operator.add, both)

    def __sub__(self, other: Number) -> Number:
        literal = other.real.literal
        above = None if self.above is None or literal is None else self.above + Bound(Fraction(-literal))
        return self._joined(other, operator.sub, above)

    def __mul__(self, other: Number) -> Number:
        both = None if self.above is None or other.above is None else self.above * other.above
        return self._joined(other, operator.mul, both)

    def __truediv__(self, other: Number) -> Number:
        if not other.is_positive:
            raise Unwritten(f"a formula that divides by what may be 0: {other.real.text}")
        inverse = ABOVE_0 if other.real.literal is None else Bound(Fraction(1, other.real.literal))
        return Number(None, self.real / other.real, None if self.above is None else self.above * inverse)

    def __neg__(self) -> Number:
        return Number(None if self.integer is None else -self.integer, -self.real)


def _least(integer: Term) -> int:
    return -1 if integer.least is None else integer.least


def _integer(term: Term) -> Number:
    """An integer, which is a real number, too."""
    real = applied("IZR", term) if term.level == ATOM else f"IZR ({term.text})%Z"  # also for numerals within it
    return Number(
        term, Term(real, APPLICATION, True, term.least), None if term.least is None else Bound(Fraction(term.least))
    )


@dataclass(frozen=True)
class Truth:
    """A proposition of Coq, the level that it is written at, and its negation, if that is not written by ~.

    decision: the truth value of Coq that decides it, to stand in brackets; None where it has none.
    """

    text: str
    level: int
    negated: Truth | None = None
    decision: str | None = None

    def at(self, level: int) -> str:
        """Its text, in brackets where only what is at that level may stand."""
        return self.text if self.level <= level else f"({self.text})"


@dataclass(frozen=True)
class Token:
    """The token at a position, in the words of a vocabulary."""

    text: str


class Vocabulary(Protocol):
    """What a formula speaks of in a word: how tokens, symbols, counts and domains of positions are written; and how it
    is decided that two tokens, or a token and a symbol, are the same."""

    def token(self, place: Term) -> str: ...
    def symbol(self, symbol: str) -> str: ...
    def count(self, symbol: str) -> str: ...
    def prefix(self, symbol: str, last: Term) -> str: ...
    def within(self, place: str, domain: Domain) -> str: ...
    def same(self, left: str, right: str) -> str: ...


class OfTokens:
    """The words of `Languages.v`, of the tokens of the word between its markers."""

    def token(self, place: Term) -> str:
        return f"symbol_at alphabet tokens {place.at(ATOM)}"

    def symbol(self, symbol: str) -> str:
        return text(symbol)

    def count(self, symbol: str) -> str:
        return f"occurrences {text(symbol)} tokens"

    def prefix(self, symbol: str, last: Term) -> str:
        return f"occurrences_upto {text(symbol)} tokens {last.at(ATOM)}"

    def within(self, place: str, domain: Domain) -> str:
        return f"is_index tokens {place}" if domain == "indices" else f"is_position alphabet tokens {place}"

    def same(self, left: str, right: str) -> str:
        return f"({left} =? {right})%string"


@dataclass(frozen=True)
class OfIntegers:
    """The integers of `Words.v`, on which closed forms rest: n, and the functions token, prefix and count."""

    construction: Construction

    def token(self, place: Term) -> str:
        return f"token {place.at(ATOM)}"

    def symbol(self, symbol: str) -> str:
        return str(self.construction.alphabet.index(symbol))

    def count(self, symbol: str) -> str:
        return f"count {self.symbol(symbol)}"

    def prefix(self, symbol: str, last: Term) -> str:
        return f"prefix {self.symbol(symbol)} {last.at(ATOM)}"

    def within(self, place: str, domain: Domain) -> str:
        network, of_word = self.construction.encoder, domain == "positions"
        first, behind = (int(of_word and marker is not None) for marker in (network.begin, network.end))
        return f"{first} <= {place} <= n - {1 + behind}"

    def same(self, left: str, right: str) -> str:
        return f"({left} =? {right})"


def proposition(formula: Expression, construction: Construction, vocabulary: Vocabulary) -> str:
    """A formula about a word as a proposition of Coq in Z_scope, what it joins by `and` a line each; `n` is the number
    of positions, and parameters have the names that they have in Coq.

    Unwritten where the formula may have no value, and for what is no plain statement of integers or real numbers.
    """
    parts: list[Truth] = [fold(tree, _meaning(formula, construction, vocabulary)) for tree in conjuncts(formula.tree)]
    if len(parts) == 1:
        return parts[0].text
    return "\n  /\\ ".join(part.at(CONJUNCTION - 1) for part in parts)


def number(formula: Expression, construction: Construction, vocabulary: Vocabulary) -> str:
    """A number that is said of a word as a real number of Coq, to stand in R_scope; otherwise as `proposition`."""
    read: Number = fold(formula.tree, _meaning(formula, construction, vocabulary))
    return read.real.text


def integer(formula: Expression, construction: Construction) -> str:
    """A number in n and the parameters as an integer of Coq, to stand in Z_scope; Unwritten where it may be none."""
    read: Number = fold(formula.tree, _meaning(formula, construction, OfIntegers(construction)))
    if read.integer is None:
        raise Unwritten(f"a number that may be no integer: {formula}")
    return read.integer.text


LONG = 90
"""Characters of a line."""


def between(parts: Sequence[str]) -> str:
    """What stands between parts of a formula: a new line, where one does not hold them all."""
    return " " if sum(map(len, parts)) < LONG else "\n    "


def negation(truth: Truth) -> Truth:
    """That a proposition is false."""
    decision = None if truth.decision is None else f"(negb {truth.decision})"
    return truth.negated or Truth(f"~ {truth.at(ATOM)}", NEGATION, truth, decision)


def _meaning(formula: Expression, construction: Construction, vocabulary: Vocabulary) -> Meaning:
    names = {"n": _integer(Term("n", ATOM, True, 1))}
    names |= {parameter.name: _parameter(parameter) for parameter in construction.parameters}
    inside: list[str] = []  # the positions that are bound where a part is read

    def refuse(*_: object) -> NoReturn:
        raise Unwritten(f"a formula with a sum: {formula}")

    def matches(_: str) -> NoReturn:
        raise Unwritten(f"a formula with a regular expression: {formula}")

    def bracket(truth: Truth) -> Number:
        if truth.decision is None:
            raise Unwritten(f"a formula with a truth value of real numbers in the place of a number: {formula}")
        return _integer(Term(f"Z.b2z {truth.decision}", APPLICATION, True, 0))

    def whole(place: Number) -> Term:
        if place.integer is None:
            raise Unwritten(f"a formula with a position that may be no integer: {formula}")
        return place.integer

    def count(symbol: str, last: Number | None) -> Number:
        said = vocabulary.count(symbol) if last is None else vocabulary.prefix(symbol, whole(last))
        return _integer(Term(said, APPLICATION, True, 0))

    def function(name: str, x: Number) -> Number:
        if name in ("sqrt", "log") and not x.is_positive:
            raise Unwritten(f"a formula with {name} of what may not be positive: {formula}")
        return Number(None, scalars.function(name, x.real), _above(name, x.above))

    def modulo(left: Number, right: Number) -> Number:
        if left.integer is None or right.integer is None or _least(right.integer) <= 0:
            raise Unwritten(f"a formula with % of other numbers than an integer and a positive integer: {formula}")
        return _integer(Term(f"{left.integer.at(POWER)} mod {right.integer.at(POWER)}", REMAINDER, True, 0))

    def power(base: Number, exponent: Number) -> Number:
        literal = exponent.real.literal
        if literal is not None and 0 <= literal <= LARGEST_LITERAL:
            integer, real = (
                None if x is None else Term(f"{x.at(APPLICATION)} ^ {literal}", POWER, x.integer)
                for x in (base.integer, base.real)
            )
            assert real is not None
            return Number(integer, real, ABOVE_0 if base.is_positive else AT_LEAST_0 if literal % 2 == 0 else None)
        if exponent.integer is None:
            raise Unwritten(f"a formula with a power whose exponent may be no integer: {formula}")
        if base.integer is not None and _least(exponent.integer) >= 0:
            return _integer(Term(f"{base.integer.at(APPLICATION)} ^ {exponent.integer.at(APPLICATION)}", POWER, True))
        if not base.is_positive:
            raise Unwritten(f"a formula with a power of what may not be positive: {formula}")
        return Number(
            None,
            Term(applied("powerRZ", base.real, exponent.integer), APPLICATION),
            ABOVE_0 if base.is_positive else None,
        )

    def compare(op: str, left: Number | Token | str, right: Number | Token | str) -> Truth:
        if isinstance(left, Number) and isinstance(right, Number):
            if left.integer is not None and right.integer is not None:
                x, y = left.integer.at(SUM), right.integer.at(SUM)
                decision = f"({x} {DECISIONS[op]} {y})" if op in DECISIONS else f"(negb ({x} =? {y}))"
                return Truth(f"{x} {RELATIONS[op]} {y}", RELATION, decision=decision)
            return Truth(f"({left.real.at(SUM)} {RELATIONS[op]} {right.real.at(SUM)})%R", ATOM)
        sides = [
            side.text if isinstance(side, Token) else vocabulary.symbol(str(side))
            for side in ((right, left) if isinstance(left, str) else (left, right))
        ]
        same = vocabulary.same(sides[0], sides[1])
        decision = same if op == "==" else f"(negb {same})"
        return Truth(f" {RELATIONS[op]} ".join(sides), RELATION, decision=decision)

    def joined(sign: str, level: int, decided: str) -> Callable[[Sequence[Truth]], Truth]:
        def join(truths: Sequence[Truth]) -> Truth:
            parts = [truth.at(NEGATION) for truth in truths]  # also where Coq needs no brackets, for the reader
            decisions = [truth.decision for truth in truths]
            decision = None if None in decisions else f"({f' {decided} '.join(map(str, decisions))})%bool"
            return Truth(f"{between(parts)}{sign} ".join(parts), level, decision=decision)

        return join

    def for_all(body: Callable[[Number], Truth], domain: Domain) -> Truth:
        place = "j" + "'" * len(inside)
        inside.append(place)
        holds = body(_integer(Term(place, ATOM, True, 0)))
        inside.pop()
        where = vocabulary.within(place, domain)
        fails = ("exists", "/\\", negation(holds).at(CONJUNCTION - 1))
        every = ("forall", "->", holds.at(DISJUNCTION))
        quantified = [
            f"{word} {place}, {where} {sign}{between([where, body])}{body}" for word, sign, body in (fails, every)
        ]
        some, all_ = (Truth(text, QUANTIFIED) for text in quantified)
        return Truth(all_.text, QUANTIFIED, Truth(some.text, QUANTIFIED, all_))

    return meaning_of_part(
        refuse,
        number=lambda value: Number(scalars.number(value), scalars.number(value), Bound(Fraction(value))),
        name=names.__getitem__,
        function=function,
        compare=compare,
        bracket=bracket,
        token=lambda place: Token(vocabulary.token(whole(place))),
        count=count,
        conjunction=joined("/\\", CONJUNCTION, "&&"),
        disjunction=joined("\\/", DISJUNCTION, "||"),
        negation=negation,
        for_all=for_all,
        matches=matches,
        modulo=modulo,
        power=power,
    )


def _above(function: str, x: Bound | None) -> Bound | None:
    """A bound of an elementary function from below, by one of its argument."""
    at_least_0 = x is not None and x.least >= 0
    is_positive = x is not None and x.is_positive
    match function:
        case "exp" if at_least_0:
            return Bound(Fraction(1), strict=is_positive)
        case "exp":
            return ABOVE_0
        case "cosh":
            return AT_LEAST_1
        case "sqrt" | "sinh" | "tanh" if is_positive:
            return ABOVE_0
        case "log" if x is not None and x.least >= 1:
            return Bound(Fraction(0), strict=x.strict or x.least > 1)
    return None


def _parameter(parameter: Parameter) -> Number:
    """A parameter, with what the bound that is its domain shows."""
    name, domain = parameter_name(parameter), parameter.domain.tree
    assert isinstance(domain, ast.Compare)
    [op], [bound] = domain.ops, domain.comparators
    try:
        least = sign(evaluate(Expression(ast.unparse(bound)), {}))
    except Undecided:
        least = -1
    is_positive = least > 0 or (least == 0 and isinstance(op, ast.Gt))
    if parameter.is_natural:
        return _integer(Term(name, ATOM, True, int(is_positive)))
    return Number(None, Term(name, ATOM), ABOVE_0 if is_positive else AT_LEAST_0 if least == 0 else None)


def at_places(tree: ast.expr, construction: Construction, places: Mapping[str, str]) -> Truth:
    """What a part of a formula says, by the integers of `Words.v`; places: the names in Coq of its free positions."""
    bound = {name: _integer(Term(place, ATOM, True, 0)) for name, place in places.items()}
    whole = Expression(ast.unparse(tree))
    truth: Truth = fold(tree, _meaning(whole, construction, OfIntegers(construction)), bound)
    return truth


def everywhere(formula: Expression, construction: Construction) -> tuple[Truth, ...]:
    """What each statement about all positions in a formula says of the position p, by the integers of `Words.v`; not of
    those inside of others."""
    found = []
    pending: list[ast.AST] = [formula.tree]
    while pending:
        match pending.pop(0):
            case ast.Call(func=ast.Name(id="all" | "any" as which), args=[ast.GeneratorExp() as body]):
                name, _, inner = quantifier(body)
                truth = at_places(inner, construction, {name: "p"})
                found.append(truth if which == "all" else negation(truth))
            case other:
                pending += ast.iter_child_nodes(other)
    return tuple(found)

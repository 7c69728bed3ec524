"""Statements that are false by construction, each with a word that it is wrong of, which may be too long for the first
search: of networks that count, whose logit, a sum of weights of the symbols, over n or not, is known without them.

What a statement says of a word is written down here a second time, from the words of `proofs.theorem` alone.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from flint import fmpq

from weightproof.constructions.claims import statements as claimed
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Statement, Value
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.theorem import ClosedForm, Compares, Decides, Margin, Op, Theorem

LONGEST = 20
"""Symbols of the longest words that a statement may be wrong of."""
OPS = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
RULES = {
    "logit > 0": operator.gt, "logit >= 0": operator.ge, "logit = 0": operator.eq, "logit < 0": operator.lt,
    "logit <= 0": operator.le,
}  # fmt: skip
"""Which logits are accepted."""
Counts = Mapping[str, int]


@dataclass(frozen=True)
class Counting:
    """A network with the weight of each symbol: its logit is their sum over the word, divided by n if `mean`, by a
    head or by the readout."""

    construction: Construction
    weights: Mapping[str, int]
    mean: bool

    def logit(self, counts: Counts) -> Fraction:
        total = sum(self.weights[symbol] * number for symbol, number in counts.items())
        return Fraction(total, sum(counts.values()) + 1) if self.mean else Fraction(total)

    def accepts(self, counts: Counts) -> bool:
        return RULES[self.construction.encoder.readout.accept](self.logit(counts), 0)

    @property
    def formula(self) -> str:
        """The logit, as a claim writes it."""
        total = " + ".join(f"{weight}*count({symbol!r})" for symbol, weight in self.weights.items())
        return f"({total})/n" if self.mean else total


def network(random: Random) -> Counting:
    """Its language is what it accepts."""
    alphabet = tuple("01" if random.random() < 0.7 else "abc")
    weights = {symbol: random.choice((-3, -2, -1, 0, 1, 2, 3)) for symbol in alphabet}
    while len(set(weights.values())) == 1:
        weights[alphabet[0]] = random.choice((-3, -2, -1, 0, 1, 2, 3))
    how, rule = random.choice(("a head", "the readout", "none", "none")), random.choice(("logit > 0", *RULES))
    total = " + ".join(f"{weight}*count({symbol!r})" for symbol, weight in weights.items())

    def member(word: str) -> bool:
        return bool(RULES[rule](sum(weights[symbol] for symbol in word), 0))

    embedding = Embedding({**{symbol: {f"[{symbol}]": 1} for symbol in alphabet}, "CLS": {}})
    coordinates = tuple(f"[{symbol}]" for symbol in alphabet)
    row = {f"[{symbol}]": weight for symbol, weight in weights.items()}
    if how == "a head":
        layers, logit = (Layer(heads=(Head(W_V={"s": row}),)),), {"s": 1}
    else:
        layers, logit = (), row
    read = {"a head": "first", "the readout": "mean", "none": "sum"}[how]
    made = Encoder((*coordinates, "s"), embedding, layers, Readout(Linear({"logit": logit}), read, rule))  # type: ignore[arg-type]
    language = Language("COUNTED", alphabet, member, f"{total} {rule.removeprefix('logit').replace(' = ', ' == ')}")
    return Counting(Construction("counting", "counts symbols", "a test", language, made), weights, how != "none")


def every_count(alphabet: tuple[str, ...], length: int) -> Iterator[dict[str, int]]:
    for counts in itertools.product(range(length + 1), repeat=len(alphabet)):
        if sum(counts) == length:
            yield dict(zip(alphabet, counts, strict=True))


def word_of(counts: Counts) -> str:
    return "".join(symbol * number for symbol, number in counts.items())


class Truth:
    """What is so of each word of a network, up to LONGEST symbols; a word by its counts."""

    def __init__(self, of: Counting) -> None:
        self.of, self.alphabet = of, of.construction.language.alphabet
        longest = LONGEST if len(self.alphabet) == 2 else LONGEST // 2
        self.words = [counts for length in range(longest + 1) for counts in every_count(self.alphabet, length)]

    def holds(self, formula: Expression, counts: Counts) -> bool:
        return holds(formula, {"n": fmpq(sum(counts.values()) + 1)}, ("CLS", *word_of(counts)), self.alphabet)

    def value(self, scalar: Expression, n: int) -> Fraction:
        found = evaluate(scalar, {"n": fmpq(n)})
        assert isinstance(found, fmpq)
        return Fraction(int(found.p), int(found.q))

    def wrong(self, theorem: Theorem) -> Counts | None:
        """A word that a theorem is wrong of."""
        match theorem:
            case Margin():
                return self._misses(theorem)
            case Decides() | Compares():
                return next((counts for counts in self.words if self._breaks(theorem, counts)), None)
            case ClosedForm():
                stated = theorem.stated
                return next((c for c in self.words if self.holds(stated.when, c) and not self._is(stated, c)), None)
        raise TypeError(theorem)

    def _breaks(self, theorem: Decides | Compares, counts: Counts) -> bool:
        n, logit = sum(counts.values()) + 1, self.of.logit(counts)
        if not self.holds(theorem.given, counts):
            return False
        formula = theorem.accepts or self.of.construction.language.characterisation
        said = self.holds(formula, counts)
        if isinstance(theorem, Decides):
            return (theorem.up_to is None or n <= theorem.up_to) and self.of.accepts(counts) != said
        is_so = OPS[theorem.op](logit, self.value(theorem.value, n))
        return (said and not is_so) or (theorem.only and not said and is_so)

    def _is(self, stated: Value, counts: Counts) -> bool:
        n = sum(counts.values()) + 1
        at = Expression(_counted(stated.equals.source, counts))
        return self.value(at, n) == self.of.logit(counts)

    def _misses(self, theorem: Margin) -> Counts | None:
        """A word of an n at which the least |logit| of the side is another one, or that is said to attain it."""
        assert theorem.value is not None
        for counts in self.words:
            n = sum(counts.values()) + 1
            if not self.holds(theorem.hypothesis, counts):
                continue
            side = [c for c in every_count(self.alphabet, n - 1) if self.of.accepts(c) == (theorem.side == "accepted")]
            if side and min(abs(self.of.logit(c)) for c in side) != self.value(theorem.value, n):
                return side[0]
            named = self._named(theorem, n)
            if named is not None and (named not in side or abs(self.of.logit(named)) != self.value(theorem.value, n)):
                return named
        return None

    def _named(self, theorem: Margin, n: int) -> Counts | None:
        """The word that is said to attain a margin, where there is one of n positions."""
        found = dict.fromkeys(self.alphabet, 0)
        for word, times in theorem.attained or ():
            number = self.value(times, n)
            if number.denominator != 1 or number < 0:
                return None
            for symbol in word:
                found[symbol] += int(number)
        return found if sum(found.values()) == n - 1 else None


def _counted(source: str, counts: Counts) -> str:
    for symbol, number in counts.items():
        source = source.replace(f"count({symbol!r})", f"({number})")
    return source


def scalar(random: Random) -> str:
    """A number, or a formula in n."""
    number = random.choice((0, 1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 3), 3, 5, 7))
    return random.choice((f"({number})", f"({number})/n", f"{random.randint(1, 12)} - n", f"({number}) + (n >= 9)/n"))


def condition(random: Random, alphabet: tuple[str, ...]) -> str:
    symbol, other = random.choice(alphabet), random.choice(alphabet)
    return random.choice((
        "n >= 1", f"n >= {random.randint(2, 9)}", f"n % 2 == {random.randint(0, 1)}", f"n != {random.randint(6, 12)}",
        f"count({symbol!r}) >= {random.randint(1, 4)}", f"count({symbol!r}) > count({other!r})",
        f"count({symbol!r}) != {random.randint(3, 6)} or n <= 8",
    ))  # fmt: skip


def margin(random: Random, of: Counting) -> Margin:
    alphabet, m = of.construction.language.alphabet, random.randint(1, 12)
    blocks: tuple[tuple[str, str], ...] | None = tuple(
        (random.choice(alphabet), str(times)) for times in (f"n - {m + 1}", m, 0)
    )
    if random.random() < 0.3:
        blocks = None
    value = random.choice((scalar(random), f"({of.formula})", scalar(random)))
    for symbol, number in zip(alphabet, ((f"(n - {m + 1})"), str(m), "0"), strict=False):  # what such a word has
        value = value.replace(f"count({symbol!r})", number)
    value = value if random.random() < 0.5 else f"-({value})"
    case = random.choice((f"n >= {m + 1}", f"n >= {m + 1} and n % 2 == {m % 2}"))
    return Margin(random.choice(("accepted", "rejected")), value, when=case, attained=blocks)


def comparison(random: Random, of: Counting) -> Compares:
    alphabet = of.construction.language.alphabet
    ops: tuple[Op, ...] = ("<", "<=", "==", "!=", ">=", ">")
    where = None if random.random() < 0.4 else condition(random, alphabet)
    given = condition(random, alphabet)
    return Compares(random.choice(ops), scalar(random), where, only=random.random() < 0.3, given=given)


def decision(random: Random, of: Counting) -> Decides:
    language = of.construction.language
    alphabet, right = language.alphabet, f"({language.characterisation})"
    late = random.choice((f"n == {random.randint(4, 12)}", f"count({alphabet[0]!r}) == {random.randint(3, 6)}"))
    accepts = random.choice((f"{right} or {late}", f"{right} and not ({late})", condition(random, alphabet)))
    up_to = None if random.random() < 0.6 else random.randint(6, 12)
    return Decides("decides", "a test", accepts, condition(random, alphabet), up_to=up_to)


def value_claim(random: Random, of: Counting) -> Value:
    added = random.choice((f"({scalar(random)})*(n >= {random.randint(1, 12)})", f"(n == {random.randint(3, 12)})/n"))
    return Value(Logit(), f"{of.formula} + {added}", when=condition(random, of.construction.language.alphabet))


def closed_form(random: Random, of: Counting) -> ClosedForm:
    return ClosedForm(Published("v", "p", "a test", value_claim(random, of)))


KINDS = {"margins": margin, "comparisons": comparison, "decisions": decision, "closed forms": closed_form}


def false_theorems(random: Random, of: Counting, each: int) -> Iterator[tuple[str, Theorem, Counts]]:
    """So many of each kind, as far as they are drawn, each with a word that it is wrong of."""
    truth = Truth(of)
    for kind, draw in KINDS.items():
        found = 0
        for _ in range(20 * each):
            theorem = draw(random, of)
            counts = truth.wrong(theorem)
            if counts is not None:
                yield kind, theorem, counts
                found += 1
            if found == each:
                break


def as_claim(theorem: Theorem) -> Statement:
    """The theorem as something that is printed."""
    match theorem:
        case Compares():
            return claimed.Compares(theorem.op, theorem.value, theorem.where, theorem.given, theorem.only)
        case Decides():
            return claimed.Accepts(theorem.accepts, theorem.given)
        case ClosedForm():
            return theorem.stated
    raise TypeError(theorem)

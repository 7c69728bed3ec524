"""Theorems that are false by construction, about logits that are 0 in a way that is hard to see: a number less the same
number written otherwise, or that and very little more or less. The prover alone is asked, without a search for words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random

import pytest

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Linear, Readout
from weightproof.proofs.deciding import decide
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.theorem import Compares, Decides, OnWords, Op
from weightproof.proofs.verdict import Proved, Unknown

pytestmark = pytest.mark.controls

CHUNKS, DRAWN = 6, 10
"""Of each chunk so many logits, and nine false theorems about each."""
SECONDS = 5.0
"""For one theorem: what stays unknown is no matter here."""
SMALL = Fraction(1, 10**9)
HEADER = "\t".join(("equal numbers", "logits", "false theorems", "proved", "no closed form"))
MULTIPLES = (
    "1", "sqrt(2)", "sqrt(3)", "sqrt(8)", "sqrt(2)*sqrt(3)", "sqrt(6)", "log(2)", "log(4)", "log(6)", "log(2)/sqrt(2)",
    "sqrt(2)/3", "sqrt(3 + 2*sqrt(2))", "(1 + sqrt(2))", "sqrt(5)/5", "1/sqrt(5)", "cos(pi/4)",
)  # fmt: skip
"""Of a parameter, a length or nothing; some are equal or rational multiples of others, written otherwise."""
COSINES = (("cos(pi/4)", "sqrt(2)/2"), ("cos(pi/5)", "(1 + sqrt(5))/4"), ("sin(pi/3)", "sqrt(3)/2"),
           ("cos(pi/12)", "(sqrt(6) + sqrt(2))/4"), ("cos(pi*n)", "(-1)**n"))  # fmt: skip
ROOTS = (
    ("sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)"),
    ("sqrt(sqrt(2))", "sqrt(2)/sqrt(sqrt(2))"),
    ("1/(sqrt(3) - sqrt(2))", "sqrt(3) + sqrt(2)"),
    ("sqrt(4*n)", "2*sqrt(n)"),
    ("sqrt(n)*sqrt(n)", "n"),
)


def rational(random: Random) -> Fraction:
    return Fraction(random.choice((1, 1, 2, 3, 5)), random.choice((1, 2, 2, 3, 4)))


def exponent(random: Random) -> str:
    of = random.choice(("c", "c", "c", "c", "c", "c*n", "c**2", "1", "log(n)"))
    return f"{rational(random)}*{random.choice(MULTIPLES)}*{of}"


def power(random: Random) -> tuple[str, str]:
    """A power of e, written in two ways."""
    x, more = exponent(random), exponent(random)
    match random.choice((0, 0, 0, 1, 1, 2, 3, 4, 5, 6)):
        case 0:
            return f"sqrt(exp({x}))", f"exp(({x})/2)"
        case 1:
            return f"sqrt(sqrt(exp({x})))", f"exp(({x})/4)"
        case 2:
            return f"exp({x})**2", f"exp(2*({x}))"
        case 3:
            return f"exp({x})*exp({more})", f"exp({x} + {more})"
        case 4:
            return f"exp({x})*exp(-({x}))", "1"
        case 5:
            return f"sqrt(exp({x})**3)", f"exp({x})*exp(({x})/2)"
    return f"log(exp({x}))", x


def root(random: Random) -> tuple[str, str]:
    a, b = random.sample((2, 3, 5, 6, 8, 12), 2)
    return random.choice((*ROOTS, (f"sqrt({a})*sqrt({b})", f"sqrt({a * b})"), (f"sqrt({a * a * b})", f"{a}*sqrt({b})")))


def logarithm(random: Random) -> tuple[str, str]:
    a, b = random.sample((2, 3, 4, 6, 9), 2)
    return random.choice(
        (
            (f"log({a * b})", f"log({a}) + log({b})"),
            (f"log({a}**3)", f"3*log({a})"),
            (f"log(sqrt({a}))", f"log({a})/2"),
            (f"exp(c*log({a}))*exp(c*log({b}))", f"exp(c*log({a * b}))"),
            (f"exp(n*log({a}))", f"{a}**n"),
            ("log(n**2)", "2*log(n)"),
        )
    )


def equal(random: Random) -> str:
    """A difference of two equal numbers, times something positive."""
    kinds = (power, power, power, power, root, logarithm, lambda r: r.choice(COSINES))
    parts = [random.choice(kinds)(random) for _ in range(random.choice((1, 1, 1, 2)))]
    factors = [random.choice(("1", "1", "2", "1/3", "n", "exp(c)", "1/n")) for _ in parts]
    left, right = (" + ".join(f"{f}*({pair[side]})" for f, pair in zip(factors, parts, strict=True)) for side in (0, 1))
    return f"({left}) - ({right})" if random.random() < 0.5 else f"({right}) - ({left})"


def logit(value: str) -> Construction:
    language = Language("all", ("a",), lambda word, **_: True, "n >= 1")
    readout = Readout(Linear({"logit": {"p": 1}}), position="first")
    network = Encoder(("p",), Embedding({"a": {}}, {"p": value}), (), readout, begin=None, end=None)
    return Construction("equal", "equal numbers", "a test", language, network, (Parameter("c", "c > 0", "1"),))


def false_of(value: str) -> Iterator[tuple[str, OnWords]]:
    """Logits with what is false of them on every word."""
    yield value, Decides("above", "a test")
    yield value, Compares("!=", "0")
    yield value, Compares(">", "0")
    sides: tuple[tuple[str, str | None, Op], ...] = (("-", None, ">="), ("+", "n < 0", "<="))
    for sign, wrong, op in sides:
        yield f"{value} {sign} {SMALL}", Decides("on the wrong side", "a test", accepts=wrong)
        yield f"{value} {sign} {SMALL}", Compares(op, "0")
        yield f"{value} {sign} {SMALL}", Compares("==", "0")


@pytest.fixture(autouse=True, scope="module")
def _solvers_have_started() -> None:
    for solver in SOLVERS:
        ask(solver, "(set-logic ALL)(check-sat)", 60)


@pytest.mark.parametrize("number", range(CHUNKS))
def test_nothing_false_is_proved_of_equal_numbers(
    number: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    random, asked, proved, underivable = Random(number), 0, list[str](), 0
    for _ in range(DRAWN):
        value, subjects = equal(random), dict[str, Analysis]()
        for said, theorem in false_of(value):
            analysis = subjects.setdefault(said, Analysis(logit(said)))
            verdict, _ = decide(analysis, theorem, SECONDS, searched=True, longer=False)
            asked += 1
            underivable += isinstance(verdict, Unknown) and "no closed form" in verdict.reason
            proved += [f"{theorem.name}: {said}"] if isinstance(verdict, Proved) else []
    count_row(HEADER, "drawn", [DRAWN, asked, len(proved), underivable])
    assert not proved
    assert asked == 9 * DRAWN
    assert underivable < asked / 2

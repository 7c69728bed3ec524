"""Claims that a formula is true of all numbers: refuted at some, where it is evaluated exactly, or proved by the
solvers, which get it as SMT-LIB 2; one without names is evaluated."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from weightproof.constructions.claims.formulas import Always, Numbers
from weightproof.constructions.scalars.exact import Real, Undecided, enclosure
from weightproof.constructions.scalars.expressions import COMPARE, Expression, Meaning, fold, free_names
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.quotients import ONE, Quotient, power
from weightproof.proofs.quantities.explanation import Piece, explained
from weightproof.proofs.quantities.outcome import NO_VALUE, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.solving.smt import rational
from weightproof.proofs.solving.solvers import SOLVERS, Answer, ask
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

SAMPLES: Mapping[Numbers, tuple[fmpq, ...]] = {
    "real": (fmpq(1), fmpq(2), fmpq(0), fmpq(-1), fmpq(1, 2)),
    "positive": (fmpq(1, 100), fmpq(1), fmpq(2), fmpq(1, 2)),
    "fraction": (fmpq(1, 4), fmpq(1, 2), fmpq(1), fmpq(0)),
    "integer": tuple(map(fmpq, (0, 1, 2, 3, 4, 5, -1, -2))),
    "natural": tuple(map(fmpq, range(1, 7))),
}
"""The numbers that are tried, in this order."""
MOST_COMBINATIONS = 20_000
"""Combinations of numbers that are tried."""


def tried(over: Mapping[str, Numbers]) -> Iterator[dict[str, Real]]:
    """Combinations of numbers, the first ones of each name first."""
    choices = [SAMPLES[kind] for kind in over.values()]
    for values in itertools.islice(itertools.product(*choices), MOST_COMBINATIONS):
        yield dict(zip(over, values, strict=True))


def is_true(says: Expression, names: dict[str, Real]) -> bool:
    """Whether a formula is true; ArithmeticError where it has no value."""
    return bool(evaluate(says, names) != 0)


def sides(says: Expression) -> tuple[Expression, str, Expression] | None:
    """The two sides of a comparison and what stands between them; None for any other formula."""
    match says.tree:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return Expression(ast.unparse(left)), COMPARE[type(op)], Expression(ast.unparse(right))
    return None


def refuted(says: Expression, names: dict[str, Real], shown: Mapping[str, Any] | None = None) -> Fails | None:
    """How a formula fails at these numbers; None where it does not, or where that is not decided.

    shown: what is told of the place, where it is not these numbers.
    """
    place = names if shown is None else shown
    try:
        if is_true(says, names):
            return None
    except Undecided:
        return None
    except ArithmeticError:
        return differs(says.source, "true", NO_VALUE, place)
    two = sides(says)
    if two is None:
        return differs(says.source, "true", "false", place, "it is false")
    left, op, right = two
    wanted, found = (evaluate(side, names) for side in (right, left))
    return differs(left.source, wanted if op == "==" else f"{op} {text(wanted)}", found, place)


def differs(what: str, printed: Real | str, found: Real | str, at: Mapping[str, Any], derived: Piece = "") -> Fails:
    """What is found of something at the values of names, where that is not what is printed. derived: what is said of it
    in general, if anything is."""
    if not isinstance(found, str):
        derived = derived or (Expression(str(found)) if isinstance(found, fmpq) else text(found))
    place = {name: written(value) for name, value in at.items()}
    difference = Evaluated(what, written(printed), written(found), parameters=place)
    return Fails(explained(derived or difference.found), difference)


def written(value: Any) -> str:
    """A number, or the entries of a vector."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"({', '.join(map(written, value))})"
    return value if isinstance(value, str) else text(value)


def text(value: Real | int) -> str:
    """A rational number, or the first digits of a number."""
    return str(value) if isinstance(value, fmpq | int) else f"{enclosure(value).str(12, radius=False)}..."


LARGEST_EXPONENT = 8
OPS = {"==": "=", "!=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
MADE_WHOLE = ("(ite ", "(mod ", "(to_int ")
"""How the atoms of sort Int begin that are no names."""


def _of_int(polynomial: Polynomial, whole: Collection[str]) -> bool:
    """Whether it is of sort Int. Its atoms are texts in SMT-LIB 2; whole: the names that stand for whole numbers."""
    made = all(atom.startswith(MADE_WHOLE) or atom.strip("|") in whole for atom in polynomial.atoms)
    return made and all(value.q == 1 for _, value in polynomial.terms)


def _text(polynomial: Polynomial, whole: Collection[str], of_int: bool) -> str:
    """A term of sort Int, where nothing is cast, as solvers lose themselves in casts; or else of sort Real."""
    products = []
    for monomial, value in polynomial.terms or (((), fmpq(0)),):
        number = str(abs(value.p)) if of_int else rational(Fraction(abs(int(value.p)), int(value.q)))
        cast = (f"(to_real {atom})" if _of_int(Polynomial.atom(atom), whole) else atom for atom in monomial)
        factors = list(monomial if of_int else cast)
        product = _joined("*", factors if factors and abs(value) == 1 else [number, *factors])
        products.append(product if value >= 0 else f"(- {product})")
    return _joined("+", products)


def _joined(op: str, parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({op} {' '.join(parts)})"


def _relation(op: str, polynomial: Polynomial, whole: Collection[str]) -> str:
    """How a polynomial compares with 0."""
    of_int = _of_int(polynomial, whole)
    relation = f"({OPS[op]} {_text(polynomial, whole, of_int)} {'0' if of_int else '0.0'})"
    return f"(not {relation})" if op == "!=" else relation


def script(formula: Expression, whole: Collection[str]) -> str:
    """whole: the names that stand for whole numbers. Underivable where the solvers have no word for something."""
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_whole(node.right, whole):
            raise Underivable("the solvers are asked about whole exponents only")
    return str(fold(formula.tree, _meaning(whole)))


def divisors(formula: Expression, whole: Collection[str]) -> Iterator[str]:
    """That a divisor is not 0, for each that is not a number."""
    meaning = _meaning(whole)
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            found: Quotient | str = fold(node.right, meaning)
            divisor = meaning.bracket(found) if isinstance(found, str) else found
            if divisor.over.atoms or not divisor.over.terms:
                yield _relation("!=", divisor.over, whole)


def _is_whole(exponent: ast.expr, whole: Collection[str]) -> bool:
    divides = any(isinstance(node, ast.Div) for node in ast.walk(exponent))
    return not divides and free_names(exponent) <= set(whole)


def _meaning(whole: Collection[str]) -> Meaning:
    """Numbers are quotients of polynomials in texts, and truth values are texts."""

    def function(name: str, _: Quotient) -> Quotient:
        raise Underivable(f"the solvers are not asked about {name}")

    def compare(op: str, left: Quotient, right: Quotient) -> str:
        """Where nothing that is divided by is 0: times the square of that, as solvers lose themselves in quotients."""
        gap = left - right
        return _relation(op, gap.over * gap.under, whole)

    def bracket(truth: str) -> Quotient:
        return Quotient.atom(f"(ite {truth} 1 0)")

    def modulo(left: Quotient, right: Quotient) -> Quotient:
        """x % m = x - m*floor(x/m), as `values` has it."""
        if right.whole is None or right.whole <= 0:
            raise Underivable("the solvers are asked about remainders of division by a number only")
        if left.under == ONE and _of_int(left.over, whole):
            return Quotient.atom(f"(mod {_text(left.over, whole, True)} {right.whole})")
        parts = left / right
        over, under = (_text(part, whole, False) for part in (parts.over, parts.under))
        return left - right * Quotient.atom(f"(to_int (/ {over} {under}))")

    def smaller_power(base: Quotient, exponent: Quotient) -> Quotient:
        """Powers of -1 by the parity of the exponent, which is to be a whole number."""
        if base.whole == -1:
            odd = compare("!=", modulo(exponent, Quotient.number(2)), Quotient.number(0))
            return Quotient.number(1) - Quotient.number(2) * bracket(odd)
        if exponent.whole is None or not 1 <= exponent.whole <= LARGEST_EXPONENT:
            raise Underivable("the solvers are asked about small powers only")
        return power(base, exponent)

    return Meaning(
        number=Quotient.number,
        name=lambda name: Quotient.atom(f"|{name}|"),
        function=function,
        compare=compare,
        bracket=bracket,
        conjunction=lambda parts: f"(and {' '.join(parts)})",
        disjunction=lambda parts: f"(or {' '.join(parts)})",
        negation=lambda part: f"(not {part})",
        modulo=modulo,
        power=smaller_power,
    )


TIMEOUT = 10.0
"""Seconds for each question to a solver."""
SCOPE = "all numbers"
WHOLE = ("integer", "natural")
BOUNDS = {"natural": "(>= |{0}| 1)", "positive": "(> |{0}| 0.0)", "fraction": "(and (>= |{0}| 0.0) (<= |{0}| 1.0))"}


def judge_always(said: Always) -> Outcome:
    """A combination of numbers at which it is false, or else what both solvers say."""
    met = False
    for names in tried(said.over):
        if _given(said, names):
            met = True
            failure = refuted(said.says, names)
            if failure is not None:
                return failure
    if not met:
        return Open("no numbers were found of which it speaks")
    return _solved(said) if said.over else _evaluated(said)


def _evaluated(said: Always) -> Outcome:
    """What comes of a formula without names: it was not false where it was evaluated, and may not have been decided."""
    try:
        true = is_true(said.says, {})
    except ArithmeticError:
        true = False
    return Holds(SCOPE, Evidence.CERTIFICATE.value) if true else Open("whether it is true is not decided")


def _given(said: Always, names: dict[str, Real]) -> bool:
    try:
        return is_true(said.given, names)
    except ArithmeticError:
        return False


def _solved(said: Always) -> Outcome:
    """Every divisor is not 0, and then it is true."""
    evidence = Evidence.TWO_SOLVERS
    whole = [name for name, kind in said.over.items() if kind in WHOLE]
    for goal in (*divisors(said.says, whole), script(said.says, whole)):
        question = _question(said, whole, goal)
        answers = [ask(solver, question, TIMEOUT) for solver in SOLVERS]
        found = {answer.status for answer in answers}
        if "sat" in found:
            return next(_from_models(said, answers), Open("a solver has a countermodel, which is none when evaluated"))
        if "unsat" not in found:
            return Open(f"the solvers answer {' and '.join(sorted(found))}")
        if found != {"unsat"}:
            evidence = Evidence.ONE_SOLVER
    return Holds(SCOPE, evidence.value)


def _question(said: Always, whole: list[str], goal: str) -> str:
    lines = ["(set-logic ALL)"]
    for name, kind in said.over.items():
        lines.append(f"(declare-const |{name}| {'Int' if name in whole else 'Real'})")
        lines += [f"(assert {BOUNDS[kind].format(name)})"] if kind in BOUNDS else []
    lines += [f"(assert {script(said.given, whole)})", f"(assert (not {goal}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


def _from_models(said: Always, answers: list[Answer]) -> Iterator[Outcome]:
    """A solver's countermodel is a lead: it counts where the formula is false there when it is evaluated. A name that
    is left out may stand for any number."""
    for answer in answers:
        texts = {name: answer.model.get(name, str(SAMPLES[kind][0])) for name, kind in said.over.items()}
        try:
            named: dict[str, Real] = {name: fmpq(*map(int, value.split("/"))) for name, value in texts.items()}
        except ValueError:  # an algebraic number
            continue
        if all(_is_one(named[name], kind) for name, kind in said.over.items()) and _given(said, named):
            failure = refuted(said.says, named)
            if failure is not None:
                yield failure


def _is_one(value: Real, kind: Numbers) -> bool:
    assert isinstance(value, fmpq)
    whole = value.q == 1
    kinds = {
        "real": True,
        "positive": value > 0,
        "fraction": 0 <= value <= 1,
        "integer": whole,
        "natural": whole and value >= 1,
    }
    return bool(PROVER.of("kind of numbers", kind, kinds))

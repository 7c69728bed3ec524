"""Counterexamples: words that the exact interpreter decides otherwise than a theorem says, shortest first.

Candidates may come from anywhere; only the replay makes one a counterexample. Parameters are tried at a few fixed
values and at the critical ones: between and at the roots, in u_c = e^c, of the derived logit on each word.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import sympy
from flint import fmpq

from constructions.exact import Real, Undecided, ball, holds
from constructions.interpreter import InputError, Run, mark, parameter_values, run
from constructions.schema import Construction, Encoder
from proofs.theorem import Decides
from proofs.verdict import Counterexample
from symbolic.derivation import Derivation
from symbolic.evaluate import specialised_logit

REAL_SAMPLES = ("log(2)", "log(1001/1000)", "log(1000)")
NATURAL_SAMPLES = ("0", "1", "2", "3")


def words(alphabet: Sequence[str], longest: int, shortest: int = 0) -> Iterator[str]:
    """All words from `shortest` to `longest`, shortest first, in the order of the alphabet."""
    for length in range(shortest, longest + 1):
        for symbols in itertools.product(alphabet, repeat=length):
            yield "".join(symbols)


def samples(construction: Construction) -> list[dict[str, str]]:
    """Parameter values to try: the defaults, then fixed ones inside the domains."""
    default = {p.name: str(p.default) for p in construction.parameters}
    options = [REAL_SAMPLES if p.kind == "real" else NATURAL_SAMPLES for p in construction.parameters]
    result = [default]
    for values in itertools.product(*options):
        given = dict(zip(default, values, strict=True))
        try:
            parameter_values(construction, given)
        except InputError:
            continue
        if given not in result:
            result.append(given)
    return result


def counterexample(
    construction: Construction, theorem: Decides, word: str, parameters: Mapping[str, str]
) -> Counterexample | None:
    """Replay a word exactly; a Counterexample if it satisfies the hypothesis and breaks the theorem.

    An empty input without markers, or a sign that cannot be certified, is no counterexample.
    """
    network = construction.network
    assert isinstance(network, Encoder)
    values = parameter_values(construction, parameters)
    tokens = mark(network, word)
    if not tokens or not _in_scope(theorem, tokens, values, construction):
        return None
    try:
        result = run(construction, word, parameters)
        wanted = holds(
            theorem.accepts or construction.language.characterisation, values, tokens, construction.language.alphabet
        )
    except (Undecided, ZeroDivisionError):
        return None
    if result.accepts == wanted:
        return None
    return Counterexample(construction.name, word, dict(parameters), wanted, result.accepts, logit_text(result))


def _in_scope(theorem: Decides, tokens: Sequence[str], values: dict[str, Real], construction: Construction) -> bool:
    if theorem.up_to is not None and len(tokens) > theorem.up_to:
        return False
    try:
        return holds(theorem.given, values, tokens, construction.language.alphabet)
    except Undecided:
        return False


def logit_text(result: Run) -> str:
    """The logit as an exact rational, or as a ball that contains it."""
    return str(result.logit) if isinstance(result.logit, fmpq) else ball(result.logit).str(20)


def search(
    construction: Construction, theorem: Decides, longest: int, shortest: int = 0
) -> Counterexample | None:
    """The first counterexample among all words of the lengths, at the sampled parameters."""
    tried = samples(construction)
    for word in words(construction.language.alphabet, longest, shortest):
        for parameters in tried:
            found = counterexample(construction, theorem, word, parameters)
            if found is not None:
                return found
    return None


def search_critical(
    construction: Construction, theorem: Decides, derivation: Derivation, longest: int, shortest: int = 0
) -> Counterexample | None:
    """As `search`, at the parameter values where the derived logit on the word changes its sign, and between them.

    For constructions with one real parameter; others have no critical values here.
    """
    reals = [p.name for p in construction.parameters if p.kind == "real"]
    if len(reals) != 1:
        return None
    [name] = reals
    naturals = [p.name for p in construction.parameters if p.kind == "natural"]
    network = construction.network
    assert isinstance(network, Encoder)
    for word in words(construction.language.alphabet, longest, shortest):
        for choice in itertools.product(NATURAL_SAMPLES, repeat=len(naturals)):
            fixed = dict(zip(naturals, choice, strict=True))
            values: dict[str, Real] = {key: fmpq(int(value)) for key, value in fixed.items()}
            tokens = mark(network, word)
            if not tokens:
                continue
            logit = specialised_logit(derivation, tokens, values)
            for value in critical_values(logit, derivation.vocabulary.unit(name)):
                try:
                    found = counterexample(construction, theorem, word, {**fixed, name: f"log({value})"})
                except InputError:
                    continue
                if found is not None:
                    return found
    return None


def critical_values(logit: sympy.Expr, unit: sympy.Symbol) -> list[str]:
    """Positive values of u that matter to the sign of a rational function: its rational and quadratic roots, exactly,
    and a rational number between any two neighbours among all its roots and beyond the last."""
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(logit)))
    x = sympy.Dummy("x", positive=True)
    product = (numerator * denominator).xreplace({unit: x})
    if product.free_symbols - {x} or not product.is_polynomial(x):
        return []
    polynomial = sympy.Poly(product, x, domain="QQ")
    exact: list[str] = []
    brackets: list[tuple[Fraction, Fraction]] = []
    if polynomial.degree() > 0:
        for factor, _ in polynomial.factor_list()[1]:
            if factor.degree() <= 2:
                exact += [_text(root) for root in sympy.roots(factor, filter="R") if root.is_positive]
            for (low, high), _ in factor.intervals(eps=sympy.Rational(1, 10**6)):
                brackets.append((Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))))
    brackets.sort()
    ends = [Fraction(0), *itertools.chain.from_iterable(brackets)]
    between = [(left + right) / 2 for left, right in itertools.pairwise(ends)][::2] if brackets else []
    beyond = [ends[-1] + 1]
    return exact + [str(value) for value in _distinct(between + beyond) if value > 0]


def _distinct(values: Iterable[Fraction]) -> list[Fraction]:
    return list(dict.fromkeys(value.limit_denominator(10**6) for value in values))


def _text(root: sympy.Expr) -> str:
    return str(sympy.radsimp(root))


def witness(construction: Construction, theorem: Decides, longest: int = 6) -> tuple[str, dict[str, str]] | None:
    """A word and parameters that satisfy the hypothesis: without one the theorem would be vacuous."""
    network = construction.network
    assert isinstance(network, Encoder)
    for word in words(construction.language.alphabet, longest):
        tokens = mark(network, word)
        for parameters in samples(construction) if tokens else []:
            if _in_scope(theorem, tokens, parameter_values(construction, parameters), construction):
                return word, parameters
    return None

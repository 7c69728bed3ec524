"""Judges orders of magnitude: how the logit grows in each case of its closed form, against what is printed.

A rational function of n and of one growing power grows like the quotient of its leading terms, exactly. Where the
closed form keeps a sum over the word, families of words are tried: one that grows faster refutes, none proves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from flint import fmpq

from weightproof.constructions.claims.statements import Order
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.exact import Real, ball, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.growth import CONSTANT, Growth, Size, growth
from weightproof.proofs.claims.stated import Stated
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.differences import substitutions
from weightproof.proofs.quantities.instances import LONGEST, instances, made, truth
from weightproof.proofs.quantities.outcome import EVERY_WORD, NOTHING, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.probe import substituted
from weightproof.proofs.quantities.told import Theta, Told, told
from weightproof.proofs.refuting.refute import text
from weightproof.proofs.strategies.family import Block, logits
from weightproof.proofs.theorem import EVERYTHING, OF_ACCEPTED, PROVER, Margin
from weightproof.proofs.verdict import Proved
from weightproof.symbolic.algebra.iverson import Condition, Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, Form, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.writing.plain import condition, number

FAR = 12
"""From which n on a bound has to be positive, and the least |logit| be stated."""


LARGE = (100, 10_000)
"""At these n the values that a claim gives to parameters have to be in their domains."""


@dataclass(frozen=True)
class Case:
    """The growth of |logit|, and of its quotient by the bound, on the words with `where`."""

    where: str
    own: Growth | None
    quotient: Growth | None

    @property
    def size(self) -> Size | None:
        return None if self.quotient is None else self.quotient.size


def judge_order(stated: Stated, claim: Order) -> Outcome:
    analysis = stated.analysis
    if not all(_are_parameters(analysis, claim, length) for length in LARGE):
        return Open("the parameters are outside their domains where n is large, so that nothing is said")
    try:
        derivation = analysis.derivation()
        if claim.side is not None:
            found = list(_of_margins(stated, derivation, claim))
        elif derivation.sums:
            return _by_families(analysis, derivation, claim)
        else:
            found = list(_of_cases(analysis, derivation, claim))
    except Underivable as error:
        return Open(str(error))
    if not found:
        return Open("the claim speaks of finitely many words, of which everything is O, or of none")
    largest = max((case.size for case in found), key=lambda size: (0, 0) if size is None else size)
    bounded, vanishes = largest is None or largest <= CONSTANT, largest is None or largest < CONSTANT
    true = {"O": bounded, "o": vanishes, "Theta": bounded and not vanishes}[claim.relation]
    case, witnesses = _witnessed(analysis, claim, [case for case in found if case.size == largest])
    order = _order(claim, case)
    if len(witnesses) < 2 and not (true and claim.relation != "Theta"):
        return Open(f"{order} where {case.where}, but no two short words are known to be in that case")
    if true:
        tight = told() if claim.relation != "O" else told("not tight: " if vanishes else "tight: ")
        return Holds(EVERY_WORD, "certificate (leading terms)", tight + order if len(witnesses) > 1 else NOTHING)
    where = told(" where ", Expression(case.where)) if case.where else told()
    return Fails(order + where, _shown(analysis, claim, case, witnesses))


def _are_parameters(analysis: Analysis, claim: Order, length: int) -> bool:
    try:
        parameter_values(analysis.construction, {k: str(substituted(v, {"n": length})) for k, v in claim.at.items()})
    except InputError:
        return False
    return True


def _order(claim: Order, case: Case) -> Told:
    own = None if case.own is None else Expression(case.own.text())
    if claim.side is None:
        return told("|logit| is 0" if own is None else Theta(own))
    return told(f"the least |logit| of {claim.side} words is {'0' if own is None else f'Theta({own})'}")


def _witnessed(analysis: Analysis, claim: Order, equally: list[Case]) -> tuple[Case, tuple[str, ...]]:
    """Of the cases that grow fastest the first of which words of two lengths are known, and these."""
    for case in equally:
        known = tuple(_some_words(analysis, claim, case))
        if len(known) > 1 and len(known[0]) < len(known[-1]):
            return case, known
    return equally[0], ()


def _far() -> Form:
    form = linear_form(n - FAR)
    assert form is not None
    return form


def _is_finite(context: Context) -> bool:
    """Whether n is bounded where the linear conditions of a context hold, which are then finitely many words, and no
    matter of growth: whether they go on for ever in no direction in which n grows."""
    onward = Context(frozenset(Form(form.terms) for form in context.constraints), context.symbols, context.ledger)
    one_more = linear_form(n - 1)
    assert one_more is not None
    return onward.impossible(one_more)


def _bound(derivation: Derivation, claim: Order) -> sympy.Expr:
    """Raises Underivable unless it is positive for every large n."""
    vocabulary = derivation.vocabulary
    far = vocabulary.words().given(_far())
    bound = Value(read_scalar(claim.bound, vocabulary, context=far)).plain()
    if sign_of(bound, far, vocabulary) is not Sign.POSITIVE:
        raise Underivable(f"whether {claim.bound} is positive for every large n is open")
    return bound


def _of_cases(analysis: Analysis, derivation: Derivation, claim: Order) -> Iterator[Case]:
    """The cases of the closed form that hold of infinitely many words."""
    vocabulary, words = derivation.vocabulary, analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    bound = _bound(derivation, claim)
    far = _far()
    when = substitute(read_scalar(claim.when, vocabulary), given)
    for case in (cell for cell, true in cells(normalise(when, words)) if true != 0):
        inside = words.given(*(form for terms, _ in case.terms for c in terms for form in c.forms()))
        value = normalise(substitute(derivation.logit, given), inside)
        for cell, logit in cells(value):
            conditions = [c for part in (case, cell) for terms, _ in part.terms for c in terms]
            context = words.given(*(form for c in conditions for form in c.forms()))
            if _is_finite(context) or not vocabulary.tokens_in_range(case * cell, words.given(far)).terms:
                continue
            logit = sympy.sympify(logit).xreplace(_settled_counts(conditions, vocabulary))
            where = condition(frozenset(conditions), vocabulary)
            own = growth(logit, n, context, vocabulary)
            yield Case(where, own, growth(logit / bound, n, context, vocabulary))


def _settled_counts(conditions: list[Condition], vocabulary: Vocabulary) -> dict[sympy.Expr, sympy.Expr]:
    """The counts that the equations among the conditions express by n, as all counts add up to the symbols."""
    totals = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
    room = n - int(vocabulary.begin) - int(vocabulary.end)
    equations = [c.axis.expression() - c.lo for c in conditions if c.lo is not None and c.lo == c.hi]
    linear = [e for e in (*equations, sum(totals, -room)) if e.free_symbols <= {n, *totals} and not e.atoms(sympy.Mod)]
    return {
        atom: value
        for solution in sympy.solve(linear, totals, dict=True)
        for atom, value in solution.items()
        if value.free_symbols <= {n}
    }


def _of_margins(known: Stated, derivation: Derivation, claim: Order) -> Iterator[Case]:
    """The least |logit| of a side, as the theorems about it state it, which have to be proved."""
    vocabulary, words = derivation.vocabulary, known.analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    stated = [t for t in known.theorems if isinstance(t, Margin) and t.side == claim.side and t.value is not None]
    if not stated:
        raise Underivable(f"no theorem states the least |logit| of the {claim.side} words")
    uncovered = Iverson.constant(1)
    for theorem in stated:
        uncovered *= Iverson.constant(1) - read_scalar(theorem.when, vocabulary)
    if normalise(uncovered, words.given(_far())).terms:
        raise Underivable(f"no theorem states the least |logit| of the {claim.side} words for every large n")
    for theorem in stated:
        if not _is_given(theorem, claim):
            raise Underivable(f"the theorem {theorem.name!r} is about {theorem.given} alone")
        verdict = known.verdict(theorem)
        if not isinstance(verdict, Proved) or verdict.scope != EVERY_WORD:
            raise Underivable(f"the theorem {theorem.name!r} is not proved for all lengths")
        assert theorem.value is not None
        context = words.given(*_lengths(derivation, theorem))
        least = Value(read_scalar(theorem.value, vocabulary, context=context)).plain().xreplace(given)
        bound = _bound(derivation, claim)
        quotient = growth(least / bound, n, words, vocabulary)
        yield Case(str(theorem.when), growth(least, n, words, vocabulary), quotient)


def _is_given(theorem: Margin, claim: Order) -> bool:
    """Whether what a theorem supposes of the parameters is so at the values that a claim is about."""
    supposed = substituted(theorem.given, claim.at)
    if supposed.source == EVERYTHING:
        return True
    try:
        return not supposed.names and holds(supposed, {}, (), ())
    except ArithmeticError:
        return False


def _lengths(derivation: Derivation, theorem: Margin) -> list[Form]:
    """What the case of a margin says of n, as far as it is linear."""
    [*parts] = cells(read_scalar(theorem.when, derivation.vocabulary))
    true = [cell for cell, value in parts if value != 0]
    return (
        [form for cell in true for terms, _ in cell.terms for c in terms for form in c.forms()]
        if len(true) == 1
        else []
    )


COPIES = sympy.Symbol("m copies", integer=True)
"""How long a family has become."""


def _by_families(analysis: Analysis, derivation: Derivation, claim: Order) -> Outcome:
    """Refuted by a family on which |logit| outgrows the bound."""
    vocabulary, words = derivation.vocabulary, analysis.words(derivation)
    given = substitutions(claim.at, vocabulary)
    bound = _bound(derivation, claim)
    for pattern in _patterns(analysis.alphabet):
        start, family = sympy.Integer(vocabulary.first), []
        before: dict[str, sympy.Expr] = dict.fromkeys(vocabulary.alphabet, sympy.S.Zero)
        for word, times in pattern:
            family.append(Block(word, times, start, dict(before)))
            start += len(word) * times
            before = {symbol: count + word.count(symbol) * times for symbol, count in before.items()}
        length = start + int(vocabulary.end)
        try:
            for context, logit in logits(derivation, tuple(family), words):
                value = logit.xreplace(given).xreplace({n: length})
                quotient = growth(value / bound.xreplace({n: length}), COPIES, context, vocabulary)
                if quotient is None or quotient.size < CONSTANT:
                    continue
                if quotient.size == CONSTANT and claim.relation != "o":
                    continue
                size = growth(value, COPIES, context, vocabulary)
                assert size is not None
                named = " ".join(f"{word}{{{number(times.subs(COPIES, sympy.Symbol('m')), vocabulary)}}}"
                                 for word, times in pattern)  # fmt: skip
                concrete = tuple("".join(w * int(t.subs(COPIES, m)) for w, t in pattern) for m in (2, 6))
                order = size.text("m")
                case = Case(f"the word is {named}", size, quotient)
                derived = told(Theta(Expression(order)), f" on the words {named}")
                return Fails(derived, _shown(analysis, claim, case, concrete))
        except Underivable:
            continue
    return Open("the closed form keeps a sum over the word, and no family of words that was tried outgrows the bound")


def _patterns(alphabet: tuple[str, ...]) -> Iterator[tuple[tuple[str, sympy.Expr], ...]]:
    m = COPIES
    for a in alphabet:
        yield ((a, m),)
        for b in alphabet:
            if a != b:
                yield ((b, sympy.S.One), (a, m))
                yield ((a, m), (b, sympy.S.One))
                yield ((a, m), (b, sympy.S.One), (a, m))
                yield ((a, m), (b, sympy.S.One), (a, m + 1))


def _shown(analysis: Analysis, claim: Order, case: Case, words: tuple[str, ...]) -> Difference:
    """The quotient of |logit| by the bound on words of the case, the first and the last one, exactly."""
    found: list[tuple[str, dict[str, str], Real]] = []
    construction = analysis.construction
    for word in words:
        tokens = add_markers(analysis.network, word)
        at = {name: str(substituted(value, {"n": len(tokens)})) for name, value in claim.at.items()}
        given = {p.name: str(p.default) for p in construction.parameters} | at
        try:
            parameter_values(construction, given)
        except InputError:
            continue
        logit = run(construction, word, given).logit
        bound = evaluate(claim.bound, {"n": fmpq(len(tokens))})
        found.append((word, given, logit * sign(logit) / bound))
    (first, _, small), (last, given, large) = found[0], found[-1]
    wanted = {"O": "bounded", "o": "tends to 0", "Theta": "bounded, and not tending to 0"}[claim.relation]
    trend = "stays away from 0"
    if case.size is None or case.size != CONSTANT:
        trend = "tends to 0" if case.size is None or case.size < CONSTANT else "grows"
    values = f"{_decimal(small)} on {first!r}, {_decimal(large)} on {last!r}, and so on: it {trend}"
    return Difference(f"|logit|/({claim.bound})", wanted, values, last, given)


def _decimal(value: Real) -> str:
    return text(value) if isinstance(value, fmpq) else ball(value).str(6, radius=False)


def _some_words(analysis: Analysis, claim: Order, case: Case) -> Iterator[str]:
    """The first short word of a case that has more than one symbol, and the last one; of a side the closest ones."""
    lengths = (2, 3, LONGEST - 1, LONGEST)
    if claim.side is not None:
        yield from (word for length in (2, LONGEST - 1) for word in _closest(analysis, claim, length))
        return
    where = Expression(case.where) if case.where else Expression("n >= 1")
    found = [
        instance.word
        for instance in instances(analysis.construction)
        if len(instance.word) in lengths
        and made(where, instance, analysis.alphabet)
        and made(claim.when, instance, analysis.alphabet)
    ]
    yield from (found[0], found[-1]) if found else ()


def _closest(analysis: Analysis, claim: Order, length: int) -> Iterator[str]:
    """The word of a length on the claim's side whose |logit| is least, if there is one."""
    best: tuple[str, Real] | None = None
    language = analysis.construction.language.characterisation
    tried = set()
    for instance in instances(analysis.construction, claim.at, length):
        known = instance.word in tried or len(instance.word) < length
        if known or truth(language, instance, analysis.alphabet) is not PROVER.of("side", str(claim.side), OF_ACCEPTED):
            continue
        tried.add(instance.word)
        logit = run(analysis.construction, instance.word, instance.parameters).logit
        size = logit * sign(logit)
        if best is None or sign(size - best[1]) < 0:
            best = instance.word, size
    if best is not None:
        yield best[0]

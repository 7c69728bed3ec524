"""Judges what is printed of single quantities and of whole vectors: for all lengths, by the derivation of a probe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy
from flint import fmpq

from constructions.claim_problems import units
from constructions.claims import Attention, Formula, Logit, Projected, Quantity, Stream, Value, Vector
from constructions.exact import Real, Undecided, value_on
from constructions.expressions import Expression
from constructions.interpreter import Run, apply_rows, numbers, run
from constructions.schema import Claim, Construction, Encoder
from constructions.schema import Rows as Matrix
from proofs.claims.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from proofs.claims.probe import POSITION, WEIGHT, AttentionPoint, Point, substituted
from proofs.claims.subject import LONGEST, Instance, Subject, equal, instances, made
from proofs.judge import agrees, substitutions
from proofs.refute import text
from symbolic import attention
from symbolic.derivation import Derivation, Record
from symbolic.iverson import ZERO, Iverson, normalise, substitute
from symbolic.linear import Context
from symbolic.plain import explicit_sum
from symbolic.plain import value as plain
from symbolic.reading import read_scalar
from symbolic.vocabulary import Underivable, cells, i

Derived = Iverson | Mapping[str, Iverson]
"""One value, or the value at the position of each token."""


@dataclass(frozen=True)
class Wanted:
    """A quantity with its name in words, and the point at which a probe stops to show it; None: the whole network."""

    of: Quantity
    name: str
    point: Point | AttentionPoint | None


def wanted(of: Quantity) -> Wanted:
    match of:
        case Logit():
            return Wanted(of, "logit", None)
        case Formula():
            return Wanted(of, "the formula", None)
        case Stream(coordinate=coordinate, layer=layer, stage=stage):
            return Wanted(of, f"{coordinate} {stage_name(layer, stage)}", Point(layer, stage))
        case Projected(part=part, layer=layer, head=head, row=row):
            before = Point(layer - 1, "layer" if layer > 1 else "embedding")
            return Wanted(of, f"row {row} of layer {layer}, head {head}, {part} times the vector", before)
        case Attention(layer=layer, head=head):
            name = f"attention of position 0 to position p in layer {layer}, head {head}"
            return Wanted(of, name, AttentionPoint(layer, head))


def stage_name(layer: int, stage: str) -> str:
    names = {
        "position": "of the position encoding",
        "embedding": "of the embedding",
        "attention": f"after the attention of layer {layer}",
        "activation": f"of the hidden layer of layer {layer}",
        "layer": f"after layer {layer}",
    }
    return names[stage]


def judge_value(subject: Subject, claim: Value) -> Outcome:
    """Holds for all lengths; fails at a word; or, where nothing is derived, holds on the short words."""
    goal = wanted(claim.of)
    claim = replace(claim, equals=substituted(claim.equals, {"d": len(subject.network.coordinates)}))
    when = claim.when if not isinstance(claim.of, Attention) else f"({claim.when}) and {POSITION.name} <= n - 1"
    printed = Claim("", claim.equals, "", when, claim.at)
    if not _occurs(subject, goal, claim):
        return Open(f"no word up to length {LONGEST} is in the case of the claim: it may be vacuous")
    reason = ""
    try:
        derivation = subject.derivation(goal.point)
        words = subject.words(derivation)
        if _agrees(subject, derivation, goal, printed, words):
            return Holds(EVERY_WORD, "certificate")
    except Underivable as error:
        reason = str(error)
    found, compared = _compare(subject, goal, claim)
    if found is not None:
        return Fails(_described(subject, goal, printed), found)
    if not reason:
        return Open(f"the printed form differs from the derived one, but on no word up to length {LONGEST}")
    return Holds(f"words up to length {LONGEST}", f"{compared} values compared; not derived: {reason}")


def _agrees(subject: Subject, derivation: Derivation, goal: Wanted, printed: Claim, words: Context) -> bool:
    """Whether print and weights agree; the two sides of a formula are read together, so that their sums cancel."""
    if isinstance(goal.of, Formula):
        return agrees(derivation, replace(printed, value=_less(printed.value, goal.of.value)), words, ZERO)
    return agrees(derivation, printed, words, _derived(subject.construction, derivation, goal))


def _less(left: Expression, right: Expression) -> Expression:
    return Expression(f"({left}) - ({right})")


def _described(subject: Subject, goal: Wanted, printed: Claim) -> str:
    """What was derived, in the case of the claim where the derivation can speak of it."""
    try:
        derivation = subject.derivation(goal.point)
        values = _derived(subject.construction, derivation, goal)
        return describe(derivation, values, printed, subject.words(derivation))
    except Underivable as error:
        return f"not derived: {error}"


def judge_vector(subject: Subject, claim: Vector) -> Outcome:
    """Each entry is judged; those that are not printed are to be 0. Of those that fail the first is replayed."""
    names = units(subject.network, claim.layer) if claim.stage == "activation" else subject.network.coordinates
    if len(claim.entries) > len(names):
        row = f"row {len(names) + 1} of the vector {stage_name(claim.layer, claim.stage)}"
        return Fails(f"{len(names)} rows", Difference(row, str(claim.entries[len(names)]), "there is no such row"))
    entries = (*claim.entries, *[Expression("0")] * (len(names) - len(claim.entries)))
    outcomes = [
        judge_value(subject, Value(Stream(name, claim.layer, claim.stage), entry, claim.when))
        for name, entry in zip(names, entries, strict=True)
    ]
    wrong = [
        (row, name, o) for row, (name, o) in enumerate(zip(names, outcomes, strict=True), 1) if isinstance(o, Fails)
    ]
    if wrong:
        number, name, first = wrong[0]
        derived = f"row {number}, {name}: {first.derived}"
        if len(wrong) > 1:
            others = ", ".join(str(number) for number, *_ in wrong[1:])
            derived += f"; row {others} differs, too" if len(wrong) == 2 else f"; rows {others} differ, too"
        return Fails(derived, replace(first.difference, what=f"row {number}, {first.difference.what}"))
    open_or_short = [o for o in outcomes if isinstance(o, Open) or (isinstance(o, Holds) and o.scope != EVERY_WORD)]
    return min(open_or_short, key=lambda o: isinstance(o, Holds)) if open_or_short else Holds(EVERY_WORD, "certificate")


def _derived(construction: Construction, derivation: Derivation, goal: Wanted) -> Derived:
    """The quantity at a generic position, by the token there."""
    stream = derivation.streams[-1]
    match goal.of:
        case Logit():
            return derivation.logit
        case Formula(value=value):
            return read_scalar(value, derivation.vocabulary, record=Record())
        case Stream(coordinate=name):
            return {token: vector.get(name, ZERO) for token, vector in stream.items()}
        case Projected(row=row):
            matrix = _matrix(construction, goal.of)
            return {
                token: attention.apply_rows(matrix, vector, derivation.vocabulary).get(row, ZERO)
                for token, vector in stream.items()
            }
    if not derivation.vocabulary.begin:
        raise Underivable("position 0 holds no marker, so that its attention depends on the word")
    return stream[next(iter(stream))].get(WEIGHT, ZERO)


def _matrix(construction: Construction, of: Projected) -> Matrix:
    network = construction.network
    assert isinstance(network, Encoder)
    matrix: Matrix = getattr(network.layers[of.layer - 1].heads[of.head - 1], of.part)
    return matrix


def _occurs(subject: Subject, goal: Wanted, claim: Value) -> bool:
    """Whether some short word is in the case of a claim."""
    return any(
        made(claim.when, instance, subject.alphabet, i=place)
        for instance in instances(subject.probe(goal.point), claim.at)
        for place in _places(goal, instance)
    )


def _places(goal: Wanted, instance: Instance) -> range:
    """The positions at which a quantity has a value; a logit has one, and stands at none."""
    if isinstance(goal.of, Attention):
        return range(int(made(Expression("p < n"), instance, ())))
    return range(1 if isinstance(goal.of, Logit | Formula) else len(instance.tokens))


def _compare(subject: Subject, goal: Wanted, claim: Value) -> tuple[Difference | None, int]:
    """The first place on a short word at which the exact run and print differ, and how many values were compared."""
    target, alphabet, compared = subject.probe(goal.point), subject.alphabet, 0
    for instance in instances(target, claim.at):
        places = [p for p in _places(goal, instance) if made(claim.when, instance, alphabet, i=p)]
        if not places:
            continue
        result = run(target, instance.word, instance.parameters)
        for place in places:
            found = _found(subject, goal, result, place, instance)
            try:
                printed = value_on(claim.equals, {**instance.values, "i": fmpq(place)}, instance.tokens, alphabet)
                compared += 1
                if equal(found, printed):
                    continue
                shown = text(printed)
            except Undecided:
                continue
            except ArithmeticError:
                shown = "no value"
            return _difference(goal, instance, place, shown, text(found)), compared
    return None, compared


def _difference(goal: Wanted, instance: Instance, place: int, printed: str, found: str) -> Difference:
    given = dict(instance.parameters)
    name, position = goal.name, None if isinstance(goal.of, Logit | Formula) else place
    if isinstance(goal.of, Attention):
        position = int(given.pop(POSITION.name))
    return Difference(name, printed, found, instance.word, given, position)


def _found(subject: Subject, goal: Wanted, result: Run, place: int, instance: Instance) -> Real:
    """The quantity in the exact run."""
    match goal.of:
        case Logit():
            return result.logit
        case Formula(value=value):
            return value_on(value, instance.values, instance.tokens, subject.alphabet)
        case Stream(coordinate=name):
            return result.streams[-1][place][name]
        case Attention():
            return result.streams[-1][0][WEIGHT]
        case Projected(row=row):
            names = {**instance.values, "d": fmpq(len(subject.network.coordinates))}
            rows = numbers(_matrix(subject.construction, goal.of), names)
            return apply_rows(rows, result.streams[-1][place]).get(row, fmpq(0))
    raise TypeError(goal.of)


def _says_all(derivation: Derivation, derived: Mapping[str, Iverson], words: Context) -> bool:
    """Whether the one value that all symbols have says what the markers have, too."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    table = attention.rows(vocabulary, (network.begin, network.end), words)
    values = {derived[symbol] for symbol in vocabulary.alphabet}
    if len(values) != 1:
        return False
    [general] = values
    markers = [token for token in derived if token not in vocabulary.alphabet]
    here = (vocabulary.settle(substitute(general, {i: table[token].position})) - derived[token] for token in markers)
    return not any(normalise(x, table[token].context).terms for token, x in zip(markers, here, strict=True))


def describe(derivation: Derivation, derived: Derived, claim: Claim, words: Context) -> str:
    """What was derived, in the case of a claim, as plain text; where the tokens differ, one after the other."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.network
    assert isinstance(network, Encoder)
    used: set[sympy.Basic] = set()

    def shown(value: Iverson, position: sympy.Expr | None, context: Context, token: str = "") -> str | None:
        """The value where the claim is made; None where it is not made at all."""
        given = substitutions(claim, vocabulary)
        case = substitute(read_scalar(claim.when, vocabulary, position), given)
        if token in vocabulary.alphabet and position is not None:
            case = vocabulary.known_token(vocabulary.settle(case), token, position)
        here = [
            context.given(*(form for terms, _ in cell.terms for condition in terms for form in condition.forms()))
            for cell, true in cells(normalise(case, context))
            if true != 0
        ]
        here = [inside for inside in here if not inside.impossible()]
        parts = dict.fromkeys(normalise(substitute(value, given), inside) for inside in here)
        for part in parts:
            used.update(part.free_symbols)
        return " or ".join(plain(part, vocabulary) for part in parts) if parts else None

    if isinstance(derived, Iverson):
        result = shown(derived, None, words) or "0"
    else:
        table = attention.rows(vocabulary, (network.begin, network.end), words)
        by_text: dict[str, list[str]] = {}
        for token, value in derived.items():
            here = shown(value, table[token].position, table[token].context, token)
            if here is not None:
                by_text.setdefault(here, []).append(token)
        of_symbols = [here for here, tokens in by_text.items() if set(tokens) & {*vocabulary.alphabet}]
        if len(of_symbols) == 1 and len(by_text) > 1 and _says_all(derivation, derived, words):
            by_text = {of_symbols[0]: []}
        one = len(by_text) == 1
        result = "; ".join(value if one else f"{value} at {', '.join(tokens)}" for value, tokens in by_text.items())
    sums = [
        f"{symbol} = {explicit_sum(total, vocabulary)}"
        for symbol, total in derivation.all_sums.items()
        if symbol in used
    ]
    return result + "".join(f", where {each}" for each in sums)

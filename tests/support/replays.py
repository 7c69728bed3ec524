"""Counterexamples to claims, replayed without what found them: the exact interpreter on the whole construction, and a
forward pass that is stopped by hand."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Constant,
    Count,
    CrossEntropy,
    Domain,
    Formula,
    Kept,
    Logit,
    Matrix,
    Order,
    Output,
    Predicts,
    Prefers,
    Projected,
    Quantity,
    Rows,
    Shape,
    Stack,
    Statement,
    Stream,
    Value,
    Vector,
    Writes,
)
from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import (
    Memory,
    NoValue,
    add_markers,
    apply_linear,
    apply_rows,
    look,
    normalised,
    numbers,
    seen_from,
    valued_head,
)
from weightproof.constructions.meaning.interpreter import Vector as Point
from weightproof.constructions.meaning.outputs import first_right, logit_difference, predicts
from weightproof.constructions.meaning.running import parameter_values, predict, run
from weightproof.constructions.meaning.schema import Encoder, LayerNorm
from weightproof.constructions.scalars.exact import Real, exp, sign, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds, value_on
from weightproof.constructions.scalars.values import COMPARISONS, evaluate, exactly
from weightproof.proofs.quantities.outcome import Difference

OfWords = Accepts | CrossEntropy | Compares | Predicts
"""Statements about what comes out on whole words."""


@dataclass(frozen=True, eq=False)
class _Itself:
    """A construction, equal to no other object: what may be kept of its runs is kept by this."""

    construction: Construction

    def __hash__(self) -> int:
        return id(self.construction)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.construction is self.construction


def replayed(construction: Construction, word: str, parameters: Mapping[str, str]) -> Replay:
    """The run of a construction on one word, made once."""
    return _replayed(_Itself(construction), word, tuple(sorted(parameters.items())))


@functools.lru_cache(maxsize=2_000)
def _replayed(which: _Itself, word: str, parameters: tuple[tuple[str, str], ...]) -> Replay:
    return Replay(which.construction, word, dict(parameters))


class Replay:
    """A construction on one word with parameters."""

    def __init__(self, construction: Construction, word: str, parameters: Mapping[str, str]) -> None:
        network = construction.network
        assert isinstance(network, Encoder)
        self.construction, self.network = construction, network
        self.tokens = add_markers(network, word)
        self.result = run(construction, word, parameters)
        width = fmpq(len(network.coordinates))
        self.names = {**parameter_values(construction, parameters), "n": fmpq(len(self.tokens)), "d": width}
        self._stages: dict[tuple[int, str, int], Point] = {}

    def holds(self, formula: Expression, position: int = 0) -> bool:
        names = {**self.names, "i": fmpq(position), "p": fmpq(position)}
        return holds(formula, names, self.tokens, self.construction.language.alphabet)

    def printed(self, formula: Expression, position: int = 0) -> Real | None:
        """What a printed formula comes to; None where it divides by zero."""
        names = {**self.names, "i": fmpq(position), "p": fmpq(position)}
        try:
            return value_on(formula, names, self.tokens, self.construction.language.alphabet)
        except ZeroDivisionError:
            return None

    def number(self, formula: Expression, **names: int) -> Real | None:
        """What a formula in names of its own comes to; None where it divides by zero."""
        try:
            return evaluate(formula, {name: fmpq(value) for name, value in names.items()})
        except ZeroDivisionError:
            return None

    def stage(self, layer: int, stage: str, position: int) -> Point:
        """The vector at a stage of a layer, computed once."""
        at = layer, stage, position
        if at not in self._stages:
            self._stages[at] = self._stage(layer, stage, position)
        return self._stages[at]

    def _stage(self, layer: int, stage: str, position: int) -> Point:
        if stage == "position":
            names = {**self.names, "i": fmpq(position)}
            zero = dict.fromkeys(self.network.coordinates, fmpq(0))
            return zero | {name: evaluate(value, names) for name, value in self.network.embedding.PE.items()}
        if stage in ("embedding", "layer"):
            return self.result.streams[layer][position]
        number, before = layer - 1, list(self.result.streams[layer - 1])
        heads = [valued_head(head, exactly(self.names)) for head in self.network.layers[number].heads]
        added = [look(head, before[position], position, Memory().see(head, before)).added for head in heads]
        middle = {name: sum((a.get(name, fmpq(0)) for a in added), x) for name, x in before[position].items()}
        if self.network.layers[number].attention_norm is not None:
            middle = self._normalised(middle, self.network.layers[number].attention_norm)
        if stage == "attention":
            return middle
        feed_forward = self.network.layers[number].feed_forward
        assert stage == "activation"
        assert feed_forward is not None
        [hidden] = apply_linear(feed_forward.first, [middle], exactly(self.names))
        return {unit: x if sign(x) > 0 else fmpq(0) for unit, x in hidden.items()}

    def _normalised(self, vector: Point, norm: LayerNorm) -> Point:
        mean = sum(vector.values(), fmpq(0)) / len(vector)
        variance = sum(((x - mean) * (x - mean) for x in vector.values()), fmpq(0)) / len(vector)
        scale = sqrt(variance + evaluate(norm.epsilon, self.names))
        return {name: (x - mean) / scale for name, x in vector.items()}

    def quantity(self, of: Quantity, position: int) -> Real:
        match of:
            case Logit():
                return self.result.logit
            case Formula(value=value):
                found = self.printed(value)
                assert found is not None
                return found
            case Stream(coordinate=name, layer=layer, stage=stage):
                return self.stage(layer, stage, position)[name]
            case Projected(part=part, layer=layer, head=head, row=row):
                rows = numbers(getattr(self.network.layers[layer - 1].heads[head - 1], part), exactly(self.names))
                return apply_rows(rows, self.result.streams[layer - 1][position]).get(row, fmpq(0))
            case Attention(layer=layer, head=number):
                return self.weight(layer, number, position)
        raise TypeError(of)

    def weight(self, layer: int, number: int, position: int) -> Real:
        """What position 0 gives to a position."""
        head = self.network.layers[layer - 1].heads[number - 1]
        stream = self.result.streams[layer - 1]
        query = apply_rows(numbers(head.W_Q, exactly(self.names)), stream[0])
        keys = [apply_rows(numbers(head.W_K, exactly(self.names)), vector) for vector in stream]
        scale = evaluate(head.scale, self.names)
        powers = [exp(scale * sum((query[q] * key[q] for q in query), fmpq(0))) for key in keys]
        seen = seen_from(head, 0, len(powers))
        return powers[position] / sum((powers[j] for j in seen), fmpq(0)) if position in seen else fmpq(0)

    def prefers(self, layer: int, head: int, p: int, q: int, where: Expression) -> bool | None:
        """Whether position 0 gives more weight to p than to q; None where that is not spoken of."""
        names = {**self.names, "p": fmpq(p), "q": fmpq(q)}
        if not holds(where, names, self.tokens, self.construction.language.alphabet):
            return None
        return sign(self.weight(layer, head, p) - self.weight(layer, head, q)) > 0


def _mispredicted(construction: Construction, statement: Predicts, difference: Difference) -> bool:
    """Whether another token is predicted than the language's function says, of a word that is spoken of."""
    word, language = difference.word or "", construction.language
    found = predict(construction, word, difference.parameters)
    names = {**parameter_values(construction, difference.parameters), "n": fmpq(len(found.tokens))}
    spoken_of = holds(statement.given, names, found.tokens, language.alphabet)
    right = language.label(word) if language.label is not None else None
    return spoken_of and difference.printed == right and not (found.decided and found.token == right)


@functools.cache
def _output(which: _Itself, token: str) -> Construction:
    return logit_difference(which.construction, token)


def _one_output(construction: Construction, statement: Statement) -> Construction:
    """The recogniser of the output that a statement names, or of the first one that is ever right."""
    match statement:
        case Value(of=Logit(token=str(token))) | Compares(of=str(token)):
            return _output(_Itself(construction), token)
    return _output(_Itself(construction), first_right(construction))


GREATER = ("5", "10")
"""Values of a parameter that grows."""


def _stays_apart(construction: Construction, statement: Value, parameter: str, word: str) -> bool:
    """Whether the quantity comes no nearer to the printed value, by more than half, when the parameter is doubled."""
    apart = []
    for value in GREATER:
        replay = replayed(construction, word, {parameter: value})
        printed = replay.printed(statement.equals)
        if printed is None or not replay.holds(statement.when):
            return False
        difference = replay.quantity(statement.of, 0) - printed
        apart.append(difference if sign(difference) >= 0 else -difference)
    return sign(2 * apart[1] - apart[0]) > 0


def breaks(construction: Construction, statement: Statement, difference: Difference) -> bool:
    """Whether a statement is wrong where a difference says it is."""
    if difference.word is None:
        return _wrong_in_the_weights(construction, statement, difference)
    if isinstance(statement, Predicts):
        return _mispredicted(construction, statement, difference)
    if predicts(construction):
        construction = _one_output(construction, statement)
    if isinstance(statement, Value) and statement.tends is not None:
        return _stays_apart(construction, statement, statement.tends, difference.word)
    try:
        replay = replayed(construction, difference.word, difference.parameters)
    except NoValue:  # no logit, and so no decision and no cross-entropy
        return isinstance(statement, OfWords) and _speaks_of(construction, statement, difference)
    place = difference.position or 0
    match statement:
        case Constant(of=of):
            return sign(replay.quantity(of, place) - replay.quantity(of, 0)) != 0
        case Kept(layer=layer):
            name = difference.what.removesuffix(f" after layer {layer}")
            before, after = (replay.stage(layer, stage, place)[name] for stage in ("attention", "layer"))
            return sign(after - before) != 0
        case Prefers(layer=layer, head=head, where=where):
            told = re.search(r"position (\d+) less that of position (\d+)", difference.what)
            every = itertools.product(range(len(replay.tokens) + 1), repeat=2)
            pairs = every if told is None else [(int(told[1]), int(told[2]))]
            return any(replay.prefers(layer, head, p, q, where) is False for p, q in pairs)
        case Vector(layer=layer, entries=entries, stage=stage, when=when):
            row = int(difference.what.split(",")[0].removeprefix("row ")) - 1
            found = [*replay.stage(layer, stage, place).values()][row]
            wanted = replay.printed(entries[row] if row < len(entries) else Expression("0"), place)
            return replay.holds(when, place) and (wanted is None or sign(found - wanted) != 0)
        case Value(of=of, equals=equals, when=when):
            wanted = replay.printed(equals, place)
            return replay.holds(when, place) and (wanted is None or sign(replay.quantity(of, place) - wanted) != 0)
        case Accepts(where=where, given=given):
            member = replay.holds(where or construction.language.characterisation)
            return replay.holds(given) and replay.result.accepts != member
        case Compares(op=op, value=value, where=where, given=given, only=only):
            level = replay.printed(value)
            there = replay.holds(where or construction.language.characterisation)
            true = level is not None and COMPARISONS[op](sign(replay.result.logit - level))
            return replay.holds(given) and (there or only) and (level is None or true != there)
        case CrossEntropy(op=op, nats=nats, given=given):
            try:
                least = replay.printed(Expression(f"-log(exp({nats}) - 1)"))
            except ArithmeticError:  # no decision costs as little
                return replay.holds(given) and op != ">="
            assert least is not None
            member = replay.holds(construction.language.characterisation)
            beyond = sign((replay.result.logit if member else -replay.result.logit) - least)
            return replay.holds(given) and {"<=": beyond < 0, "==": beyond != 0, ">=": beyond > 0}[op]
        case Count(of=of, equals=equals):
            if of == "positions":
                return replay.number(equals, m=len(difference.word)) != len(replay.tokens)
            assert of == "layers"
            return replay.printed(equals) != len(replay.network.layers)
        case Domain(of="PE", names=names):
            return _depends(replay, difference, names)
        case Output(position=position):
            network, stream = replay.network, list(replay.result.streams[-1])
            vectors = {"first": stream[:1], "last": stream[-1:], "sum": stream, "mean": stream}[position]
            normed = [normalised(network.final_norm, vector, exactly(replay.names)) for vector in vectors]
            read = sum((x["logit"] for x in apply_linear(network.readout.W, normed, exactly(replay.names))), fmpq(0))
            read = read / len(stream) if position == "mean" else read
            return sign(read - replay.result.logit) != 0
        case Order(bound=bound):
            ratios = []
            for word in difference.found.split("'")[1::2]:
                again = replayed(construction, word, difference.parameters)
                level = again.printed(bound)
                assert level is not None
                ratios.append(again.result.logit * sign(again.result.logit) / level)
            first, last = ratios
            if "stays away from 0" in difference.found:
                return sign(2 * last - first) > 0
            return sign(last - first) > 0 if "grows" in difference.found else sign(last - first) < 0
    raise TypeError(statement)


def _speaks_of(construction: Construction, statement: OfWords, difference: Difference) -> bool:
    network = construction.network
    assert isinstance(network, Encoder)
    tokens = add_markers(network, difference.word or "")
    names = {**parameter_values(construction, difference.parameters), "n": fmpq(len(tokens))}
    return holds(statement.given, names, tokens, construction.language.alphabet)


def _depends(replay: Replay, difference: Difference, names: tuple[str, ...]) -> bool:
    """Whether some row of the position encoding has another value at the same place of a shorter word."""
    assert names == ("i",)
    for length in range(len(replay.tokens)):
        shorter = replayed(replay.construction, replay.construction.language.alphabet[0] * length, {})
        place = difference.position or 0
        if place < len(shorter.tokens) < len(replay.tokens):
            pairs = ((_encoded(each, place)) for each in (replay, shorter))
            if len({tuple(map(str, values)) for values in pairs}) > 1:
                return True
    return False


def _encoded(replay: Replay, place: int) -> list[Real]:
    names = {**replay.names, "i": fmpq(place)}
    return [evaluate(value, names) for value in replay.network.embedding.PE.values()]


def _wrong_in_the_weights(construction: Construction, statement: Statement, difference: Difference) -> bool:
    """What shows without a word: an entry, a shape, a number."""
    network = construction.network
    assert isinstance(network, Encoder)
    match statement:
        case Shape(of=Rows(layer=layer, stage=stage), rows=rows):
            return rows != _rows_in_use(construction, layer, stage)
    match statement:
        case Domain(of="WE", names=names):
            return set(names) != {*network.embedding.WE}
        case Writes(rows=rows):
            return ", ".join(map(str, rows)) == difference.printed != difference.found
        case Matrix() | Shape() | Stack() | Count() | Vector():
            return difference.printed != difference.found
    raise TypeError(statement)


def _rows_in_use(construction: Construction, layer: int, stage: str) -> int:
    """The last row that is not 0 at some position of some short word."""
    most = 0
    for word in words(construction.language.alphabet, 5):
        replay = replayed(construction, word, {})
        for position in range(len(replay.tokens)):
            vector = replay.stage(layer, stage, position).values()
            most = max(most, *(row if sign(x) else 0 for row, x in enumerate(vector, start=1)))
    return most

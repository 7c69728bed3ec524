"""Judges printed matrices, shapes and counts: they are compared with the data entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy
from flint import fmpq

from weightproof.constructions.claims.statements import Count, Matrix, Rows, Shape, Weights, stage_name, units
from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.instances import equal
from weightproof.proofs.quantities.outcome import NO_VALUE, WEIGHTS, Difference, Fails, Open, Outcome
from weightproof.proofs.quantities.told import Told, joined, told
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.iverson import normalise
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.rules.reading import read_scalar

ZERO = Expression("0")
Entries = Mapping[str, Mapping[str, Expression]]


def judge_matrix(analysis: Analysis, claim: Matrix) -> Outcome:
    """The printed entries against those of the data, in the order of the named rows and columns."""
    rows, columns, entries = entries_of(analysis.network, claim.of)
    most = len(analysis.network.coordinates) if claim.padded else 0
    printed = [row.split() for row in claim.rows]
    name, part = title(claim.of), _part(claim.of)
    for number, row in enumerate(printed, start=1):
        beyond = max(len(rows), most) < number or max(len(columns), most) < len(row)
        if beyond:
            what = f"{name}, row {number}" if len(rows) < number else f"{name}, column {len(columns) + 1}"
            shape = f"{len(rows)} x {len(columns)}"
            return Fails(told(f"{shape} with padding"), Difference(what, " ".join(row), "none in the data", part=part))
    for number, row_name in enumerate(rows):
        for place, column in enumerate(columns):
            row = printed[number] if number < len(printed) else []
            entry = expression(row[place]) if place < len(row) else ZERO
            found = entries.get(row_name, {}).get(column, ZERO)
            if not _same(analysis, entry, found):
                where = f"{name}, row {number + 1} ({row_name})"
                if columns != VECTOR:
                    where += f", column {place + 1} ({column})"
                return Fails(_shown(rows, columns, entries), Difference(where, str(entry), str(found), part=part))
    return WEIGHTS


VECTOR = ("",)
"""The one column of a vector."""


def title(of: Weights | Rows) -> str:
    """What is printed, in words."""
    if isinstance(of, Rows):
        return f"the vector {stage_name(of.layer, of.stage)}"
    where = "" if of.layer is None else f"layer {of.layer}, "
    where += "" if of.head is None else f"head {of.head}, "
    return where + of.part + (f"({of.token})" if of.token is not None else "")


def _part(of: Weights | Rows) -> str | None:
    """The part of `weightproof show` that shows it."""
    if isinstance(of, Rows):
        return f"layer-{of.layer}" if of.layer else "embedding"
    if of.layer is not None:
        return f"layer-{of.layer}"
    return "embedding" if of.part == "WE" else "readout"


def entries_of(network: Encoder, of: Weights) -> tuple[Sequence[str], Sequence[str], Entries]:
    """Names of rows and columns, and the entries that are not 0; a part that is left out has no rows."""
    stream = network.coordinates
    if of.part in ("WE", "W", "b"):
        readout = network.readout.W
        match of.part:
            case "WE":
                embedded = network.embedding.WE
                if of.token is None:
                    return tuple(embedded), stream, embedded
                return stream, VECTOR, _vector(embedded[of.token])
            case "W":
                return tuple(readout.weights), stream, readout.weights
            case "b":
                return tuple(readout.weights), VECTOR, _vector(readout.bias)
    layer = _layer(network, of.layer)
    if of.part in ("W_Q", "W_K", "W_V", "W_O"):
        heads = layer.heads
        head = heads[of.head - 1] if of.head is not None and of.head <= len(heads) else Head(W_V={})
        entries = getattr(head, of.part) or {}
        into_stream = of.part == "W_O" or (of.part == "W_V" and head.W_O is None)
        from_values = tuple(head.W_V) if of.part == "W_O" else stream
        return (stream if into_stream else tuple(entries)), from_values, entries
    hidden, feed_forward = units(network, of.layer or 0), layer.feed_forward
    first, second = (feed_forward.first, feed_forward.second) if feed_forward is not None else (None, None)
    maps: dict[str, tuple[Sequence[str], Sequence[str], Entries]] = {
        "W_F1": (hidden, stream, first.weights if first else {}),
        "b_F1": (hidden, VECTOR, _vector(first.bias) if first else {}),
        "W_F2": (stream, hidden, second.weights if second else {}),
        "b_F2": (stream, VECTOR, _vector(second.bias) if second else {}),
    }
    return PROVER.of("part", of.part, maps)


def _vector(entries: Mapping[str, Expression]) -> Entries:
    return {name: {"": value} for name, value in entries.items()}


def _layer(network: Encoder, number: int | None) -> Layer:
    assert number is not None
    return network.layers[number - 1]


def _same(analysis: Analysis, left: Expression, right: Expression) -> bool:
    """Equal for all parameters, by normal forms."""
    if left == right:
        return True
    vocabulary = Vocabulary.of(analysis.construction)
    words = vocabulary.words(analysis.ledger)
    return not normalise(read_scalar(left, vocabulary) - read_scalar(right, vocabulary), words).terms


def _shown(rows: Sequence[str], columns: Sequence[str], entries: Entries) -> Told:
    """The entries that are not 0."""
    listed = [
        told(f"{row}: " if column == "" else f"{row} from {column}: ", value)
        for row in rows
        for column in columns
        if (value := entries.get(row, {}).get(column, ZERO)) != ZERO
    ]
    return joined(listed, ", ") if listed else told("all entries are 0")


def judge_shape(analysis: Analysis, claim: Shape) -> Outcome:
    """The printed shape against what the rows and columns that are in use ask for."""
    network = analysis.network
    rows, columns = shape(network, claim.of)
    fits = (claim.rows, claim.columns) == (rows, columns)
    if claim.padded:
        most = len(network.coordinates)
        fits = rows <= claim.rows <= most and columns <= claim.columns <= (1 if columns == 1 else most)
    if fits:
        return WEIGHTS
    printed, found = f"{claim.rows} x {claim.columns}", f"{rows} x {columns}"
    return Fails(told(found), Difference(f"shape of {title(claim.of)}", printed, found, part=_part(claim.of)))


def shape(network: Encoder, of: Weights | Rows) -> tuple[int, int]:
    """Rows and columns that are in use where a matrix or vector stands."""
    if isinstance(of, Rows):
        hidden = of.stage == "activation"
        return (len(units(network, of.layer)) if hidden else _used(network, of.layer, of.stage)), 1
    rows, columns, _ = entries_of(network, of)
    if of.layer is None:
        return (len(rows), len(columns)) if of.token is None else (_used(network, 0, "embedding"), 1)
    before, attended = _used(network, of.layer - 1, "layer"), _used(network, of.layer, "attention")
    match of.part:
        case "W_Q" | "W_K":
            return len(rows), before
        case "W_V" if rows == network.coordinates:
            return attended, before
        case "W_V":
            return len(rows), before
        case "W_O":
            return attended, len(columns)
        case "W_F1":
            return len(rows), attended
        case "W_F2":
            return _used(network, of.layer, "layer"), len(columns)
        case "b_F2":
            return _used(network, of.layer, "layer"), 1
        case "b_F1" | "WE" | "W" | "b":
            return len(rows), 1
    PROVER.refuse("part", of.part)


def _used(network: Encoder, layer: int, stage: str) -> int:
    """How many coordinates there are up to the last one that is written by then."""
    written = {*network.embedding.PE}
    if stage != "position":
        written |= {name for row in network.embedding.WE.values() for name in row}
    for number in range(1, layer + 1):
        for head in network.layers[number - 1].heads:
            written |= set(head.W_V if head.W_O is None else head.W_O)
        feed_forward = network.layers[number - 1].feed_forward
        if feed_forward is not None and (number < layer or stage == "layer"):
            written |= {*feed_forward.second.weights, *feed_forward.second.bias}
    return max((network.coordinates.index(name) + 1 for name in written), default=0)


def judge_count(analysis: Analysis, claim: Count) -> Outcome:
    network = analysis.network
    if claim.of == "positions":
        return _positions(analysis, claim)
    layers = network.layers if claim.layer is None else (_layer(network, claim.layer),)
    numbers = [claim.layer] if claim.layer is not None else range(1, len(network.layers) + 1)
    numbers_of = {
        "width": lambda: len(network.coordinates),
        "layers": lambda: len(network.layers),
        "heads": lambda: max(len(layer.heads) for layer in layers),
        "units": lambda: max(len(units(network, number)) for number in numbers),
    }
    found = PROVER.of("number", claim.of, numbers_of)()
    if "n" in claim.equals.names:
        return _in_n(analysis, claim, Expression(str(found)))
    if evaluate(claim.equals, {}) == found:
        return WEIGHTS
    name = claim.of + ("" if claim.layer is None else f" of layer {claim.layer}")
    part = None if claim.layer is None else f"layer-{claim.layer}"
    return Fails(told(Expression(str(found))), Difference(name, str(claim.equals), str(found), part=part))


def _positions(analysis: Analysis, claim: Count) -> Outcome:
    """One for each of the m symbols of a word, and one for each marker; the shortest word shows where print has another
    number."""
    m, markers = sympy.Symbol("m"), len(add_markers(analysis.network, ""))
    if sympy.expand(sympy.sympify(claim.equals.source) - m - markers) == 0:
        return WEIGHTS
    for length in range(8):
        word, count = analysis.alphabet[0] * length, fmpq(length + markers)
        try:
            printed = evaluate(claim.equals, {"m": fmpq(length)})
        except ArithmeticError:
            printed = None
        if printed is None or not equal(printed, count):
            said, given = NO_VALUE if printed is None else str(printed), samples(analysis.construction)[0]
            found = told(Expression(f"m + {markers}"))
            return Fails(found, Difference("number of positions", said, str(count), word, given))
    return Open("the printed number is another formula, but no other number for any short word")


def _in_n(analysis: Analysis, claim: Count, found: Expression) -> Outcome:
    """A number that print has as a formula in n; where it is another one, the shortest word shows it."""
    vocabulary = Vocabulary.of(analysis.construction)
    words = vocabulary.words(analysis.ledger)
    if not normalise(read_scalar(claim.equals, vocabulary) - read_scalar(found, vocabulary), words).terms:
        return WEIGHTS
    for length in range(8):
        word = analysis.alphabet[0] * length
        names = {"n": fmpq(len(add_markers(analysis.network, word)))}
        printed, count = evaluate(claim.equals, names), evaluate(found, names)
        if names["n"] and not equal(printed, count):
            given = samples(analysis.construction)[0]
            return Fails(told(found), Difference(f"number of {claim.of}", str(printed), str(count), word, given))
    raise AssertionError("two formulas in n differ, but at no small n")

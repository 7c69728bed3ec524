"""The forward pass at a generic position of a word of symbolic length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Layer, Norm
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, bracket, normalise, substitute
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable, Vocabulary, i, is_scale, j, n
from weightproof.symbolic.derivation import (
    Derivation,
    ExplicitSum,
    OverPositions,
    Record,
    Stream,
    Vector,
    marker_names,
    renamed,
)
from weightproof.symbolic.rules.attention import attend
from weightproof.symbolic.rules.feedforward import apply_linear, feed_forward
from weightproof.symbolic.rules.norms import normalised
from weightproof.symbolic.rules.reading import read_scalar, require_scalars
from weightproof.symbolic.rules.rows import Row, rows
from weightproof.symbolic.rules.sums import collect, sum_symbols


def derive(construction: Construction) -> Derivation:
    """Derive every vector that the readout sees, and the logit; raises Underivable where no rule applies, or where the
    algebra gives up, as on weights of training with ten digits each."""
    try:
        return _derived(construction)
    except (OverflowError, RecursionError, MemoryError) as error:
        raise Underivable(f"formulas that are too large: {error or type(error).__name__}") from error


def _derived(construction: Construction) -> Derivation:
    vocabulary = Vocabulary.of(construction)
    network = construction.encoder
    if network.readout.predicts:
        raise Underivable("it has no logit, but outputs, which are derived one at a time")
    record = Record()
    words = vocabulary.words(record.facts)
    require_scalars(network, vocabulary, words)
    table = rows(vocabulary, (network.begin, network.end), words)

    stream = {token: _embed(network, row) for token, row in table.items()}
    streams, attended_streams = [stream], []
    for number, layer in enumerate(network.layers, start=1):
        wanted = table if number < len(network.layers) else _read_rows(network, table)
        after: Stream = {}
        between: Stream = {}
        read = _before(layer, number, stream, table, network, record)
        for token, row in _symbols_first(wanted, layer).items():
            attended: Vector = {}
            for index, head in enumerate(layer.heads, start=1):
                location = f"layer {number}, head {index}"
                added = attend(head, row, read, table, record, location)
                attended = _add(attended, added, row.context)
            middle = _add(attended, stream[token], row.context) if layer.attention_residual else attended
            location = f"layer {number}, norm after attention"
            middle = _normed(layer.attention_norm, middle, row, network, record, location)
            between[token] = middle
            if layer.feed_forward is not None:
                location = f"layer {number}, feed-forward network"
                middle = _joined(middle, row, record, location)
                before = f"layer {number}, norm before feed-forward"
                inner = _normed(layer.feed_forward_norm_before, middle, row, network, record, before)
                update = feed_forward(layer.feed_forward, inner, row, record, location)
                middle = _add(middle, update, row.context) if layer.feed_forward_residual else update
                location = f"layer {number}, norm after feed-forward"
                middle = _normed(layer.feed_forward_norm, middle, row, network, record, location)
            after[token] = middle
        stream = after
        streams.append(stream)
        attended_streams.append(between)
    if network.final_norm is not None:
        wanted = _first_symbols(_read_rows(network, table))
        stream = {
            name: _normed(network.final_norm, stream[name], row, network, record, "final norm")
            for name, row in wanted.items()
        }
    logit = _read(network, stream, table, words, vocabulary, record)
    closed = vocabulary.tokens_in_range(collect(logit, record, words, vocabulary), words)
    record.step("explicit sums joined, tokens in range", "logit", logit, closed)
    nonzero = {
        scale: each.changed(lambda x: vocabulary.tokens_in_range(collect(x, record, words, vocabulary), words))
        for scale, each in record.nonzero.items()
    }
    return _renumbered(
        Derivation(
            construction=construction,
            vocabulary=vocabulary,
            streams=tuple(streams),
            attended=tuple(attended_streams),
            logit=closed,
            scales=record.scales | {scale: each.square() for scale, each in nonzero.items()},
            nonzero=nonzero,
            sums=record.sums,
            inner_sums={},
            steps=tuple(record.steps),
            looked=record.looked,
            units=record.units,
            norms=record.norms,
            facts=frozenset(record.facts),
        )
    )


def _embed(network: Encoder, row: Row) -> Vector:
    result: Vector = {}
    word = network.embedding.WE.get(row.token, {})
    for coordinate in network.coordinates:
        total = ZERO
        if coordinate in word:
            total += read_scalar(word[coordinate], row.vocabulary)
        if coordinate in network.embedding.PE:
            total += read_scalar(network.embedding.PE[coordinate], row.vocabulary, row.position)
        total = normalise(total, row.context)
        if total.terms:
            result[coordinate] = total
    return result


def _add(left: Vector, right: Vector, context: Context) -> Vector:
    result = {
        name: normalise(left.get(name, ZERO) + right.get(name, ZERO), context)
        for name in dict.fromkeys((*left, *right))
    }
    return {name: value for name, value in result.items() if value.terms}


def _symbols_first(wanted: dict[str, Row], layer: Layer) -> dict[str, Row]:
    """Where a layer has norms the markers' rows come last, as their scales may be those of symbols taken there."""
    return _first_symbols(wanted) if layer.norms else wanted


def _first_symbols(wanted: dict[str, Row]) -> dict[str, Row]:
    return dict(sorted(wanted.items(), key=lambda item: item[1].position != i))


def _before(
    layer: Layer, number: int, stream: Stream, table: dict[str, Row], network: Encoder, record: Record
) -> Stream:
    """What the heads of a layer read."""
    for head in layer.heads:
        DERIVATION.require_plain(head)
        if head.query_norm is not None or head.key_norm is not None:
            raise Underivable(f"layer {number}: norms of queries and keys have no rule for closed forms")
    if layer.attention_norm_before is None:
        return stream
    location = f"layer {number}, norm before attention"
    return {
        token: _normed(layer.attention_norm_before, stream[token], row, network, record, location)
        for token, row in _first_symbols(table).items()
    }


def _normed(norm: Norm | None, vector: Vector, row: Row, network: Encoder, record: Record, location: str) -> Vector:
    return vector if norm is None else normalised(norm, vector, row, network.coordinates, record, location)


def _joined(vector: Vector, row: Row, record: Record, location: str) -> Vector:
    """Explicit sums joined before an activation, which would hold them apart."""
    result: Vector = {}
    for name, value in vector.items():
        joined = (
            collect(value, record, row.context, row.vocabulary) if value.free_symbols & record.sums.keys() else value
        )
        if joined != value:
            record.step("explicit sums joined", f"{location}, coordinate {name}, row {row.name}", value, joined)
        if joined.terms:
            result[name] = joined
    return result


def _read_rows(network: Encoder, table: dict[str, Row]) -> dict[str, Row]:
    """The rows that the readout sees: that of the marker which is read, or of every position that may be."""
    begin, end = marker_names(network.begin, network.end)
    match network.readout.position:
        case "first":
            return table if network.begin is None else {begin: table[begin]}
        case "last":
            return table if network.end is None else {end: table[end]}
        case "sum" | "mean":
            return table
    DERIVATION.refuse("readout position", network.readout.position)


def _read(
    network: Encoder,
    stream: Stream,
    table: dict[str, Row],
    words: Context,
    vocabulary: Vocabulary,
    record: Record,
) -> Iverson:
    outputs: Stream = {}
    for name in _read_rows(network, table):  # without layers all rows are there
        output = apply_linear(network.readout.W, stream[name], vocabulary).get("logit", ZERO)
        outputs[name] = {"logit": output.scaled(1 / n) if network.readout.position == "mean" else output}
    logit = _read_positions(network, outputs, words, vocabulary, record)
    outputs |= {a: {"logit": record.at(outputs[a]["logit"], j)} for a in vocabulary.alphabet if a in outputs}
    record.step("readout", f"position {network.readout.position}", OverPositions.of(outputs, "logit"), logit)
    return logit


def _read_positions(
    network: Encoder, outputs: Stream, words: Context, vocabulary: Vocabulary, record: Record
) -> Iverson:
    """The sum over all positions; or the logit at the one position that is read, be it a marker's, or a symbol's, or
    that of the other marker where the word is empty."""
    position = network.readout.position
    markers = [outputs[name]["logit"] for name in outputs if name not in vocabulary.alphabet]
    reads_all = DERIVATION.reads_all(position)
    if not reads_all and not outputs.keys() & {*vocabulary.alphabet}:
        [at_marker] = markers
        return normalise(at_marker, words)
    symbols = {a: record.at(outputs[a]["logit"], j) for a in vocabulary.alphabet}
    total = ZERO
    if reads_all:
        for at_marker in markers:
            total += at_marker
        total += sum_symbols(symbols, words, vocabulary, record)
    else:
        place = DERIVATION.of("readout position", position, {"first": sympy.S.Zero, "last": n - 1})
        holds_symbol = bracket(">=", place - vocabulary.first) * bracket("<=", place - vocabulary.last)
        for symbol, value in symbols.items():
            here = vocabulary.settle(substitute(value, {j: place}))
            total += here * vocabulary.token_is(symbol, place) * holds_symbol
        for at_marker in markers:
            total += at_marker * (Iverson.constant(1) - holds_symbol)
    return normalise(vocabulary.settle(total), words)


def _renumbered(derivation: Derivation) -> Derivation:
    """The sums numbered S1, S2, ... in the order in which they arose: those that the logit uses, those that the scales
    use, the others."""
    arisen = derivation.sums
    in_logit = _used(arisen, [derivation.logit], derivation.scales)
    rows = [*derivation.scales.values(), *(value for each in derivation.nonzero.values() for value in each.values)]
    used = in_logit | _used(arisen, rows, derivation.scales)
    order = sorted(arisen, key=lambda symbol: (symbol not in in_logit, symbol not in used))
    names = {old: sympy.Symbol(f"S{number}", real=True) for number, old in enumerate(order, start=1)}
    sums = {
        names[old]: replace(arisen[old], symbol=names[old], body=substitute(arisen[old].body, names)) for old in order
    }
    return replace(
        derivation,
        streams=tuple(_renamed(stream, names) for stream in derivation.streams),
        attended=tuple(_renamed(stream, names) for stream in derivation.attended),
        logit=substitute(derivation.logit, names),
        scales={scale: substitute(square, names) for scale, square in derivation.scales.items()},
        nonzero={scale: each.changed(lambda x: substitute(x, names)) for scale, each in derivation.nonzero.items()},
        sums={names[old]: sums[names[old]] for old in order if old in used},
        inner_sums={names[old]: sums[names[old]] for old in order if old not in used},
        steps=tuple(step.renamed(names) for step in derivation.steps),
        looked={place: looked.renamed(names) for place, looked in derivation.looked.items()},
        units={
            place: {unit: (substitute(x, names), substitute(y, names)) for unit, (x, y) in units.items()}
            for place, units in derivation.units.items()
        },
        norms={place: normed.renamed(names) for place, normed in derivation.norms.items()},
    )


def _used(
    arisen: Mapping[sympy.Symbol, ExplicitSum], values: list[Iverson], scales: Mapping[sympy.Expr, Iverson]
) -> set[sympy.Symbol]:
    """The sums that values mention, and those in their bodies, and in the squares of the scales that stand there."""
    squares = {scale.func if scale.args else scale: square for scale, square in scales.items()}
    used = {symbol for symbol in arisen if any(symbol in value.free_symbols for value in values)}
    for symbol in reversed(arisen):  # a body mentions only sums that arose before it
        if symbol in used:
            todo = [arisen[symbol].body]
            while todo:
                value = todo.pop()
                used |= value.free_symbols & arisen.keys()
                named = {x for _, c in value.terms for x in c.atoms(sympy.Symbol, AppliedUndef) if is_scale(x)}
                todo += [squares.pop(key) for x in named if (key := x.func if x.args else x) in squares]
    return used


def _renamed(stream: Stream, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Stream:
    return {token: renamed(vector, names) for token, vector in stream.items()}

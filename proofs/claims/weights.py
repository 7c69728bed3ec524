"""Judges what is printed of a network's data and make: matrices, shapes and counts, which are compared with the
data entry by entry; what a map depends on, where the output is read, how vectors are put together, which rows a
matrix writes."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy
from flint import fmpq

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.statements import OF_A_HEAD, stage_name, units
from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.interpreter import add_markers, decision, read_out
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Linear
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate, exactly
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.explanation import Explanation, explained, joined
from weightproof.proofs.quantities.instances import equal, instances
from weightproof.proofs.quantities.outcome import NO_VALUE, WEIGHTS, Difference, Fails, Open, Outcome
from weightproof.proofs.refuting.refute import text
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.iverson import normalise
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.rules.reading import read_scalar

MISSING = Expression("0")
Entries = Mapping[str, Mapping[str, Expression]]


def judge_matrix(analysis: Analysis, claim: says.Matrix) -> Outcome:
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
            return Fails(
                explained(f"{shape} with padding"), Difference(what, " ".join(row), "none in the data", part=part)
            )
    for number, row_name in enumerate(rows):
        for place, column in enumerate(columns):
            row = printed[number] if number < len(printed) else []
            entry = expression(row[place]) if place < len(row) else MISSING
            found = entries.get(row_name, {}).get(column, MISSING)
            if not _same(analysis, entry, found):
                where = f"{name}, row {number + 1} ({row_name})"
                if columns != VECTOR:
                    where += f", column {place + 1} ({column})"
                if not _apart(analysis, entry, found):
                    return _open(entry, found, where)
                return Fails(_shown(rows, columns, entries), Difference(where, str(entry), str(found), part=part))
    return WEIGHTS


VECTOR = ("",)
"""The one column of a vector."""


def title(of: says.Weights | says.Rows) -> str:
    """What is printed, in words."""
    if isinstance(of, says.Rows):
        return f"the vector {stage_name(of.layer, of.stage)}"
    where = "" if of.layer is None else f"layer {of.layer}, "
    where += "" if of.head is None else f"head {of.head}, "
    return where + of.part + (f"({of.token})" if of.token is not None else "")


def _part(of: says.Weights | says.Rows) -> str | None:
    """The part of `weightproof show` that shows it."""
    if isinstance(of, says.Rows):
        return f"layer-{of.layer}" if of.layer else "embedding"
    if of.layer is not None:
        return f"layer-{of.layer}"
    return "embedding" if of.part == "WE" else "readout"


def entries_of(network: Encoder, of: says.Weights) -> tuple[Sequence[str], Sequence[str], Entries]:
    """Names of rows and columns, and the entries that are not 0; a part that is left out has no rows."""
    stream, WE, W = network.coordinates, network.embedding.WE, network.readout.W
    if of.part == "WE" and of.token is not None:
        return stream, VECTOR, _vector(WE[of.token])
    maps: dict[str, tuple[Sequence[str], Sequence[str], Entries]] = {
        "WE": (tuple(WE), stream, WE),
        "W": (tuple(W.weights), stream, W.weights),
        "b": (tuple(W.weights), VECTOR, _vector(W.bias)),
    }
    if of.part in maps:
        return maps[of.part]
    layer = _layer(network, of.layer)
    if of.part in OF_A_HEAD:
        head = layer.heads[of.head - 1] if of.head is not None and of.head <= len(layer.heads) else Head(W_V={})
        entries = getattr(head, of.part) or {}
        into_stream = of.part == "W_O" or (of.part == "W_V" and head.W_O is None)
        from_values = tuple(head.W_V) if of.part == "W_O" else stream
        return (stream if into_stream else tuple(entries)), from_values, entries
    hidden, feed_forward = units(network, of.layer or 0), layer.feed_forward or FeedForward(Linear(), Linear())
    first, second = feed_forward.first, feed_forward.second
    maps |= {
        "W_F1": (hidden, stream, first.weights),
        "b_F1": (hidden, VECTOR, _vector(first.bias)),
        "W_F2": (stream, hidden, second.weights),
        "b_F2": (stream, VECTOR, _vector(second.bias)),
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


def _apart(analysis: Analysis, left: Expression, right: Expression) -> bool:
    """Whether they are other numbers for some parameters and some n, which alone refutes print: equal numbers may have
    other normal forms."""
    construction, width = analysis.construction, fmpq(len(analysis.network.coordinates))
    for given, n in itertools.product(samples(construction), range(1, 4)):
        values = {**parameter_values(construction, given), "d": width, "n": fmpq(n)}
        with contextlib.suppress(ArithmeticError):
            if not equal(evaluate(left, values), evaluate(right, values)):
                return True
    return False


def _open(left: Expression, right: Expression, where: str) -> Open:
    return Open(f"{where}: {left} is neither seen to be {right} nor to be another number")


def _shown(rows: Sequence[str], columns: Sequence[str], entries: Entries) -> Explanation:
    """The entries that are not 0."""
    listed = [
        explained(f"{row}: " if column == "" else f"{row} from {column}: ", value)
        for row in rows
        for column in columns
        if (value := entries.get(row, {}).get(column, MISSING)) != MISSING
    ]
    return joined(listed, ", ") if listed else explained("all entries are 0")


def judge_shape(analysis: Analysis, claim: says.Shape) -> Outcome:
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
    return Fails(explained(found), Difference(f"shape of {title(claim.of)}", printed, found, part=_part(claim.of)))


def shape(network: Encoder, of: says.Weights | says.Rows) -> tuple[int, int]:
    """Rows and columns that are in use where a matrix or vector stands."""
    if isinstance(of, says.Rows):
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
            written |= set(feed_forward.second.rows)
    return max((network.coordinates.index(name) + 1 for name in written), default=0)


def judge_count(analysis: Analysis, claim: says.Count) -> Outcome:
    network = analysis.network
    if claim.of == "positions":  # one for each of the m symbols of a word, and one for each marker
        positions = Expression(f"m + {len(add_markers(network, ''))}")
        same = sympy.expand(sympy.sympify(claim.equals.source) - sympy.sympify(positions.source)) == 0
        return WEIGHTS if same else _of_length(analysis, claim, positions)
    layers = network.layers if claim.layer is None else (_layer(network, claim.layer),)
    numbers = [claim.layer] if claim.layer is not None else range(1, len(network.layers) + 1)
    numbers_of = {
        "width": lambda: len(network.coordinates),
        "layers": lambda: len(network.layers),
        "heads": lambda: max(len(layer.heads) for layer in layers),
        "units": lambda: max(len(units(network, number)) for number in numbers),
    }
    found = Expression(str(PROVER.of("number", claim.of, numbers_of)()))
    if _same(analysis, claim.equals, found):
        return WEIGHTS
    if "n" in claim.equals.names:
        return _of_length(analysis, claim, found)
    name = claim.of + ("" if claim.layer is None else f" of layer {claim.layer}")
    if not _apart(analysis, claim.equals, found):
        return _open(claim.equals, found, name)
    part = None if claim.layer is None else f"layer-{claim.layer}"
    return Fails(explained(found), Difference(name, str(claim.equals), str(found), part=part))


def _of_length(analysis: Analysis, claim: says.Count, found: Expression) -> Outcome:
    """A number that print has as a formula in n or m; where it is another one, the shortest word shows it."""
    for length in range(8):
        word = analysis.alphabet[0] * length
        names: dict[str, Real] = {"m": fmpq(length), "n": fmpq(len(add_markers(analysis.network, word)))}
        count = evaluate(found, names)
        try:
            printed = evaluate(claim.equals, names)
        except ArithmeticError:
            printed = None
        of_none = claim.of != "positions" and names["n"] == 0
        if not of_none and (printed is None or not equal(printed, count)):
            said, given = NO_VALUE if printed is None else str(printed), samples(analysis.construction)[0]
            return Fails(explained(found), Difference(f"number of {claim.of}", said, str(count), word, given))
    return Open("the printed number is another formula, but no other number for any short word")


SHORT = 5
"""Symbols of the longest words that are read out another way."""
PLACES = {
    "first": "position 0",
    "last": "the last position",
    "sum": "all positions, summed",
    "mean": "all positions, averaged",
}


def judge_domain(analysis: Analysis, claim: says.Domain) -> Outcome:
    """The tokens that have a word embedding; or whether the position encoding depends on anything that is not named."""
    embedding = analysis.network.embedding
    if PROVER.of("domain", claim.of, {"WE": True, "PE": False}):
        if set(embedding.WE) == set(claim.names):
            return WEIGHTS
        printed, found = ", ".join(claim.names), ", ".join(embedding.WE)
        return Fails(explained(found), Difference("tokens with a word embedding", printed, found, part="embedding"))
    depending = {name: value for name, value in embedding.PE.items() if value.names & {"i", "n"} - {*claim.names}}
    for name, value in depending.items():
        different = _two_values(analysis, name, value, claim)
        if different is not None:
            return Fails(explained(f"{name}: ", value), different)
    if depending:
        return Open(f"{', '.join(depending)}: on the first positions of short words it depends on nothing else")
    return WEIGHTS


def _two_values(analysis: Analysis, name: str, value: Expression, claim: says.Domain) -> Difference | None:
    """Two values of a row of the position encoding at places that print does not tell apart."""
    given = samples(analysis.construction)[0]
    seen: dict[tuple[int, ...], tuple[Real, str]] = {}
    for instance in instances(analysis.construction):
        if instance.word.strip(analysis.alphabet[0]) or instance.parameters != given:
            continue
        for place in range(len(instance.tokens)):
            at = {"i": place, "n": len(instance.tokens)}
            here = evaluate(value, {**instance.values, "i": fmpq(place)})
            before, word = seen.setdefault(tuple(at[known] for known in claim.names), (here, instance.word))
            if not equal(before, here):
                what = f"{name} of the position encoding, as on {repr(word) if word else 'the empty word'}"
                return Difference(what, text(before), text(here), instance.word, given, place)
    return None


def judge_output(analysis: Analysis, claim: says.Output) -> Outcome:
    """The readout at another position, or at all of them, of what the final norm makes of the stream, against the logit
    on short words; shown on the first one that it decides otherwise, if there is one."""
    readout = analysis.network.readout
    if readout.position == claim.position:
        return WEIGHTS
    as_said = replace(analysis.network, readout=replace(readout, position=claim.position))
    first: Difference | None = None
    for instance in instances(analysis.construction, longest=SHORT):
        result = run(analysis.construction, instance.word, instance.parameters)
        printed = read_out(as_said, result.streams[-1], instance.values, exactly)["logit"]
        if equal(printed, result.logit):
            continue
        found = Difference("logit", text(printed), text(result.logit), instance.word, instance.parameters)
        first = first or found
        if result.accepts != decision(readout, printed)[0]:
            first = found
            break
    if first is None:
        return Open(f"it reads {PLACES[readout.position]}, but that makes no difference up to {SHORT} symbols")
    return Fails(explained(f"the readout of {PLACES[readout.position]}"), first)


def judge_writes(analysis: Analysis, claim: says.Writes) -> Outcome:
    """The rows that have an entry that is not 0."""
    rows, _, entries = entries_of(analysis.network, claim.of)
    written = []
    for number, row in enumerate(rows, start=1):
        filled = [entry for entry in entries.get(row, {}).values() if not _same(analysis, entry, MISSING)]
        if filled and not any(_apart(analysis, entry, MISSING) for entry in filled):
            return _open(filled[0], MISSING, f"row {number}")
        if filled:
            written.append(number)
    if written == sorted(set(claim.rows)):
        return WEIGHTS
    printed, found = ", ".join(map(str, claim.rows)), ", ".join(map(str, written)) or "none"
    what = f"rows of {title(claim.of)} that are not 0"
    rows_written = (
        joined((explained(Expression(str(number))) for number in written), ", ") if written else explained(found)
    )
    return Fails(
        rows_written, Difference(what, printed, found, part=f"layer-{claim.of.layer}" if claim.of.layer else None)
    )


def judge_stack(analysis: Analysis, claim: says.Stack) -> Outcome:
    """A row or a column for each position, of as many entries as the matrix has rows."""
    of = says.Weights(claim.part, claim.layer, claim.head)
    positions, entries = Expression("n"), Expression(str(shape(analysis.network, of)[0]))
    found = PROVER.of("stack", claim.put, {"rows": (positions, entries), "columns": (entries, positions)})
    wanted = (claim.rows, claim.columns)
    if all(_same(analysis, a, b) for a, b in zip(wanted, found, strict=True)):
        return WEIGHTS
    printed, derived = (" x ".join(map(str, pair)) for pair in (wanted, found))
    what = f"shape of {title(of)} times the vectors of all positions, put together as {claim.put}"
    if not any(_apart(analysis, a, b) for a, b in zip(wanted, found, strict=True)):
        return Open(f"{what}: {printed} is neither seen to be {derived} nor to be another shape")
    return Fails(explained(derived), Difference(what, printed, derived, part=f"layer-{claim.layer}"))

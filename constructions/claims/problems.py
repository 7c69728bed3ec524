"""Refuses malformed claims before they are judged, naming the construction and the claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from reprlib import repr as short
from typing import get_args

from weightproof.constructions.claims.conventions import under
from weightproof.constructions.claims.published import Claims, Convention, Published, Reading, Slip
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Constant,
    Count,
    Counted,
    CrossEntropy,
    Domain,
    Formula,
    Kept,
    Logit,
    Matrix,
    Op,
    Order,
    Output,
    Part,
    Predicts,
    Prefers,
    Projected,
    Put,
    Quantity,
    Rows,
    Shape,
    Stack,
    Stage,
    Statement,
    Stream,
    Value,
    Vector,
    Weights,
    Writes,
)
from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.outputs import outputs, ranks
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.meaning.validation import ConstructionError
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.problems import formula_problems, scalar_problems, value_problems

OF_A_HEAD = ("W_Q", "W_K", "W_V", "W_O")
OF_A_LAYER = (*OF_A_HEAD, "W_F1", "b_F1", "W_F2", "b_F2")


def check_claims(claims: Claims, construction: Construction) -> None:
    """Raises ConstructionError at the first thing that is wrong with the claims."""
    for message in _problems(claims, construction):
        raise ConstructionError(" ".join(f"{construction.name}: {message}".split()))


def _problems(claims: Claims, construction: Construction) -> Iterator[str]:
    if not isinstance(construction.network, Encoder):
        yield "claims are judged of encoders only"
    if not isinstance(claims.repair, str) or not (claims.repair.isprintable()):
        yield f"repair {short(claims.repair)} is no line of text"
    about = after(claims.construction, claims.asked)
    if about != construction.name:
        yield f"its claims are about {about!r}"
    seen: set[str] = set()
    for number, claim in enumerate(claims.claims):
        yield from (f"claims[{number}]{message}" for message in _no_claim(claim))
        if claim.id in seen:
            yield f"claim {claim.id}: there are two claims of that id"
        seen.add(claim.id)
        yield from (f"claim {claim.id}: {message}" for message in _claim(claim, construction))


def claim_problems(claim: Published, construction: Construction) -> Iterator[str]:
    """What is wrong with a single claim about an encoder that reads out a logit."""
    yield from (f"claim{message}" for message in _no_claim(claim))
    yield from (f"claim {claim.id}: {message}" for message in _claim(claim, construction))


def _no_claim(claim: object) -> Iterator[str]:
    if not isinstance(claim, Published):
        yield f" is {short(claim)}, not a Published"
    elif not isinstance(claim.id, str) or not claim.id.strip() or not claim.id.isprintable():
        yield f": id {short(claim.id)} is no line of text"


def lines_of(claim: Published) -> Iterator[str]:
    """What is wrong with what is said of a claim, whatever it states."""
    for field in ("place", "printed"):
        text = getattr(claim, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"{field} {short(text)} is no line of text"
    if claim.printed.count("$") % 2:
        yield "printed: a formula is not closed by a dollar sign"
    if not claim.senses:
        yield "it has no reading"
    if len(claim.senses) > 1 and len({getattr(each, "sense", None) for each in claim.senses} - {None}) < len(
        claim.senses
    ):
        yield "there is more than one literal reading: tell them apart by their sense"


def _claim(claim: Published, construction: Construction) -> Iterator[str]:
    yield from lines_of(claim)
    for reading in claim.senses:
        if not isinstance(reading, Reading):
            yield f"{short(reading)} is no reading"
        if not isinstance(reading.statement, Statement):
            yield f"a reading states {short(reading.statement)}, which is no statement"
        if getattr(reading.statement, "padded", False):
            yield "a literal reading is padded: write under=(('padding',),)"
        if isinstance(reading.statement, Statement):
            yield from _statement(reading.statement, construction)
    yield from _conventions(claim, construction)
    for slip in claim.slips:
        yield from _slip(slip, construction)


def _conventions(claim: Published, construction: Construction) -> Iterator[str]:
    if not isinstance(claim.under, tuple):
        yield f"under is {short(claim.under)}, not a tuple of combinations of conventions"
    for conventions in claim.under:
        if not isinstance(conventions, tuple) or not conventions:
            yield f"under: {short(conventions)} is no combination of conventions; write ('padding',), say"
        for convention in conventions:
            if convention not in get_args(Convention):
                yield f"under: {short(convention)} is none of the conventions {', '.join(get_args(Convention))}"
        senses = [reading.statement for reading in claim.senses if isinstance(reading.statement, Statement)]
        if all(under(statement, conventions, construction) is None for statement in senses):
            yield f"under: {' and '.join(conventions)} leaves the statement what it is"


def lines_of_slip(slip: Slip) -> Iterator[str]:
    """What is wrong with a slip, whatever its correction states."""
    if not isinstance(slip, Slip):
        yield f"slip is {short(slip)}, not a Slip"
    for field in ("id", "about", "cause"):
        text = getattr(slip, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"slip: {field} {short(text)} is no line of text"


def _slip(slip: Slip, construction: Construction) -> Iterator[str]:
    yield from lines_of_slip(slip)
    if after(slip.about, slip.asked) == construction.name:
        yield from (f"slip {slip.id}, correction: {message}" for message in _claim(slip.correction, construction))


def _statement(statement: Statement, construction: Construction) -> Iterator[str]:
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    if ranks(construction) and isinstance(statement, Accepts | CrossEntropy | Constant | Order):
        yield f"a network that takes the argmax over tokens has no logit, of which {type(statement).__name__} speaks"
    words = {"n", *(parameter.name for parameter in construction.parameters)}
    match statement:
        case Value(of=of, equals=equals, when=when, at=at, tends=tends):
            yield from _quantity(of, construction)
            if tends is not None and tends not in [p.name for p in construction.parameters if not p.is_natural]:
                yield f"tends: {short(tends)} is no real parameter"
            if tends is not None and at:
                yield f"at: {short(tends)} tends to infinity, and parameters are fixed; leave one of the two out"
            if tends is not None and tends in when.names:
                yield f"when: {when} speaks of {tends}, which tends to infinity; leave it out of the case"
            names = words | {Logit: set(), Formula: set(), Attention: {"p"}}.get(type(of), {"i"})
            yield from value_problems(equals, names | {"d"}, alphabet, "value")
            yield from formula_problems(when, names, alphabet, "when")
            yield from _at(at, construction)
        case Vector(layer=layer, entries=entries, stage=stage, when=when):
            yield from _stage(layer, stage, network)
            for number, entry in enumerate(entries, start=1):
                yield from value_problems(entry, words | {"i"}, alphabet, f"entry {number}")
            yield from formula_problems(when, words | {"i"}, alphabet, "when")
        case Matrix(of=of, rows=rows):
            yield from _weights(of, construction)
            for number, row in enumerate(rows, start=1):
                if not isinstance(row, str) or not row.split():
                    yield f"row {number} is {short(row)}, not entries separated by spaces"
                if len(row.split()) != len(rows[0].split()):
                    yield f"row {number} has {len(row.split())} entries, row 1 has {len(rows[0].split())}"
                for printed in row.split():
                    yield from scalar_problems(printed, words - {"n"} | {"d"}, f"row {number}")
        case Shape(of=of, rows=count, columns=columns):
            yield from _weights(of, construction) if isinstance(of, Weights) else _stage(of.layer, of.stage, network)
            if not all(isinstance(number, int) and number > 0 for number in (count, columns)):
                yield f"{short(count)} x {short(columns)} is no shape"
        case Stack(part=part, layer=layer, head=head, put=put, rows=rows, columns=columns):
            yield from _weights(Weights(part, layer, head), construction)
            if part not in ("W_K", "W_V") or put not in get_args(Put):
                yield f"{short(part)} put together as {short(put)}: write W_K or W_V, and rows or columns"
            for size in (rows, columns):
                yield from scalar_problems(size, {"n"}, "shape")
        case Writes(of=of, rows=rows):
            yield from _weights(of, construction)
            if not rows or not all(isinstance(row, int) and row > 0 for row in rows):
                yield f"{short(rows)} are no rows; the first one is 1"
        case Domain(of=of, names=named):
            if of not in ("WE", "PE") or (of == "PE" and not set(named) <= {"i", "n"}):
                yield f"{short(of)} of {short(named)}: write WE with tokens, or PE with i and n"
        case Output(position=position):
            if position not in ("first", "last", "sum"):
                yield f"position {short(position)} is none of first, last, sum"
        case Count(of=of, equals=equals, layer=layer):
            if of not in get_args(Counted):
                yield f"{short(of)} cannot be counted"
            yield from scalar_problems(equals, {"m" if of == "positions" else "n"}, "number")
            if layer is not None:
                yield from _layer(layer, network)
        case Constant(of=of):
            if not isinstance(of, Stream | Projected):
                yield f"{short(of)} stands at no position"
            yield from _quantity(of, construction)
        case Kept(layer=layer):
            yield from _layer(layer, network)
        case Prefers(layer=layer, head=head, where=where):
            yield from _head(layer, head, {"p", "q"}, construction)
            yield from formula_problems(where, words | {"p", "q"}, alphabet, "where")
        case Accepts(where=where, given=given):
            yield from _words(where, given, words, alphabet)
        case CrossEntropy(op=op, nats=nats, given=given):
            if op not in ("<=", "==", ">="):
                yield f"{short(op)} is no comparison of a cross-entropy; write <=, == or >="
            yield from scalar_problems(nats, words, "nats")
            yield from _words(None, given, words, alphabet)
        case Predicts(given=given):
            if not ranks(construction) or not construction.language.labels:
                yield "the network predicts no token, or none is said to be right"
            yield from _words(None, given, words, alphabet)
        case Compares(op=op, value=value, where=where, given=given, of=of):
            yield from _quantity(Logit(of), construction)
            if op not in get_args(Op):
                yield f"{short(op)} is no comparison"
            yield from scalar_problems(value, words, "value")
            yield from _words(where, given, words, alphabet)
        case Order(relation=relation, bound=bound, when=when, side=side, at=at):
            if relation not in ("O", "o", "Theta"):
                yield f"relation {short(relation)} is none of O, o, Theta"
            if side not in (None, "accepted", "rejected"):
                yield f"side {short(side)} is neither accepted nor rejected"
            if side is not None and when.source != "n >= 1":
                yield f"when: {when}, but the least |logit| of a side is that of all words of a length; leave one out"
            yield from scalar_problems(bound, {"n"}, "bound")
            yield from formula_problems(when, words, alphabet, "when")
            yield from _at(at, construction)


def _words(where: Expression | None, given: Expression, names: set[str], alphabet: tuple[str, ...]) -> Iterator[str]:
    if where is not None:
        yield from formula_problems(where, names, alphabet, "where")
    yield from formula_problems(given, names, alphabet, "given")


def _at(at: Mapping[str, Expression], construction: Construction) -> Iterator[str]:
    if not isinstance(at, Mapping):
        yield f"at is {short(at)}, not a mapping from parameters"
        return
    known = [parameter.name for parameter in construction.parameters]
    for name, value in at.items():
        if name not in known:
            yield f"at: there is no parameter {name!r}"
        yield from scalar_problems(value, {"n"}, f"at, {name}")


def _quantity(of: Quantity, construction: Construction) -> Iterator[str]:
    network = construction.network
    assert isinstance(network, Encoder)
    match of:
        case Logit(token=token):
            known = outputs(construction) if ranks(construction) else (None,)
            if token not in known:
                yield f"there is no output {short(token)}; there are {', '.join(map(str, known))}"
        case Formula(value=value):
            of_words = {"n", *(parameter.name for parameter in construction.parameters)}
            yield from value_problems(value, of_words, construction.language.alphabet, "formula")
        case Stream(coordinate=coordinate):
            layer, stage = placed(of, network)
            yield from _stage(layer, stage, network)
            names = units(network, layer) if stage == "activation" else network.coordinates
            if coordinate not in names:
                yield f"{coordinate!r} is none of {', '.join(names) or 'the hidden units, as there are none'}"
        case Projected(part=part, layer=layer, head=head, row=row):
            yield from _weights(Weights(part, layer, head), construction)
            if head > len(network.layers[layer - 1].heads):
                yield f"layer {layer} has no head {head}"
            known = getattr(network.layers[layer - 1].heads[head - 1], part)
            if row not in (known if part != "W_V" else {*known, *network.coordinates}):
                yield f"{part} has no row {row!r}"
        case Attention(layer=layer, head=head):
            yield from _head(layer, head, {"p"}, construction)
        case _:
            yield f"{short(of)} is no quantity"


def placed(of: Stream, network: Encoder) -> tuple[int, Stage]:
    """The layer and the stage of a vector; after the last of no layers it is the embedding."""
    if of.layer is not None:
        return of.layer, of.stage
    return (len(network.layers), of.stage) if network.layers else (0, "embedding")


def units(network: Encoder, layer: int) -> tuple[str, ...]:
    """The hidden units of a layer, in their order."""
    feed_forward = network.layers[layer - 1].feed_forward
    if feed_forward is None:
        return ()
    return tuple(dict.fromkeys((*feed_forward.first.weights, *feed_forward.first.bias)))


def _layer(layer: int | None, network: Encoder) -> Iterator[str]:
    if not isinstance(layer, int) or not 1 <= layer <= len(network.layers):
        yield f"there is no layer {short(layer)}"


def _head(layer: int, head: int, places: set[str], construction: Construction) -> Iterator[str]:
    """places: what formulas about its weights call positions."""
    network = construction.network
    assert isinstance(network, Encoder)
    yield from _layer(layer, network)
    if not isinstance(head, int) or not 1 <= head <= len(network.layers[layer - 1].heads):
        yield f"layer {layer} has no head {short(head)}"
    for name in sorted(places & {parameter.name for parameter in construction.parameters}):
        yield f"attention weights are formulas in {name}, and {name} is a parameter"


def _stage(layer: int, stage: str, network: Encoder) -> Iterator[str]:
    if stage not in get_args(Stage):
        yield f"stage {short(stage)} is none of {', '.join(get_args(Stage))}"
    if stage in ("position", "embedding"):
        if layer != 0:
            yield f"the {stage} stands before the first layer: write layer 0"
    else:
        yield from _layer(layer, network)


def _weights(of: Weights, construction: Construction) -> Iterator[str]:
    network = construction.network
    assert isinstance(network, Encoder)
    if not isinstance(of, Weights | Rows):
        yield f"{short(of)} is no matrix"
    if isinstance(of, Weights) and of.part not in get_args(Part):
        yield f"part {short(of.part)} is none of {', '.join(get_args(Part))}"
    if of.part in OF_A_LAYER:
        yield from _layer(of.layer, network)
    if of.part in OF_A_HEAD and (not isinstance(of.head, int) or of.head < 1):
        yield f"{of.part}: write the number of the head"
    if of.part == "WE" and of.token not in (None, *network.embedding.WE):
        yield f"there is no token {short(of.token)}"

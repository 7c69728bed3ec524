"""Refuses malformed constructions when they are built, naming the construction, layer, part and coordinate.

Each generator yields what is wrong and may rely on nothing being wrong before: `refuse` stops at the first message.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from reprlib import repr as short
from typing import get_args

from flint import fmpq

from weightproof.constructions.checks import parts
from weightproof.constructions.checks.scalars import Known, formula_problems, is_negative, scalar_problems
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.construction import Construction, Language, Numbers, Parameter
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.running import value_of
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.expressions import COMPARE, Expression, free_names
from weightproof.constructions.scalars.fixed_point import FEWEST_BITS, MOST_BITS, FixedPoint
from weightproof.constructions.scalars.frozen import check
from weightproof.constructions.scalars.grammar import is_free
from weightproof.constructions.scalars.values import evaluate


@check.register
def _construction(construction: Construction) -> None:
    refuse(construction.name, _problems(construction))


def refuse_malformed(name: str, network: schema.Network, alphabet: tuple[str, ...], numbers: tuple[str, ...]) -> None:
    """Raises ConstructionError at the first thing that is wrong with a network; numbers: names that its weights use."""
    refuse(name, _network(network, alphabet, (), dict.fromkeys(numbers)))


def refuse(name: object, problems: Iterable[str]) -> None:
    """Raises ConstructionError at the first of the problems of what is called so."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ConstructionError(f"a construction needs a name, not {short(name)}")
    for message in problems:
        raise ConstructionError(" ".join(f"{name}: {message}".split()))


def _problems(construction: Construction) -> Iterator[str]:
    yield from parts.types(construction, "construction", title=str, source=str, language=Language)
    yield from parts.tuples(construction, "construction", parameters=Parameter)
    language, network, known = construction.language, construction.network, dict[str, Real | None]()
    for parameter in construction.parameters:
        yield from _parameter(parameter, known)
        known[parameter.name] = _default(parameter)
    yield from _language(language, known)
    yield from _network(network, language.alphabet, tuple(language.labels), known)
    yield from _labels(language, network)
    for parameter in construction.parameters:
        try:
            value_of(parameter, parameter.default)
        except InputError as error:
            yield str(error)


def _language(language: Language, parameters: Collection[str]) -> Iterator[str]:
    yield from parts.types(language, "language", name=str, description=str, families=Mapping)
    place = f"language {language.name}"
    yield from parts.alphabet_problems(language, place)
    functions = {"member": language.member, "sample": language.sample}
    for name, function in (functions | {f"family {short(name)}": f for name, f in language.families.items()}).items():
        if not callable(function):
            yield f"{place}: {name} is {short(function)}, not a function"
    names = {"n", *parameters}
    yield from formula_problems(language.characterisation, names, language.alphabet, f"{place}, characterisation")
    yield from parts.types(language, place, labels=Mapping)
    for token, formula in language.labels.items():
        yield from formula_problems(formula, {"n"}, language.alphabet, f"{place}, label {short(token)}")
    if bool(language.labels) != callable(language.label):
        yield f"{place}: labels are said twice: as formulas, in labels, and by a function, label"


def _labels(language: Language, network: schema.Network) -> Iterator[str]:
    """The right tokens, or classes, are outputs of the network."""
    if not language.labels:
        return
    readout = network.readout
    if not isinstance(network, schema.Encoder) or not readout.predicts:
        yield f"language {language.name}: labels are for encoders that predict a token or a class"
    for token in language.labels:
        if token not in readout.W.rows:
            yield f"language {language.name}: label {short(token)} is no output of the network"


def _parameter(parameter: Parameter, others: Collection[str]) -> Iterator[str]:
    place = f"parameter {parameter.name}"
    yield from parts.types(parameter, "parameter", name=str)
    if not is_free(parameter.name) or parameter.name in others:
        yield f"{place}: the name is reserved, repeated or no identifier"
    yield from scalar_problems(parameter.domain, {parameter.name}, f"{place}, domain")
    if not _is_bound(parameter.domain, parameter.name):
        yield f"{place}: domain {parameter.domain} is no bound from below; write '{parameter.name} > 0', say"
    yield from scalar_problems(parameter.default, {}, f"{place}, default")
    yield from _choice(f"{place}: kind", parameter.kind, Numbers)


def _default(parameter: Parameter) -> Real | None:
    """Its value; None where that cannot be told."""
    try:
        return evaluate(parameter.default, {})
    except Undecided:
        return None


def _is_bound(domain: Expression, name: str) -> bool:
    match domain.tree:
        case ast.Compare(left=ast.Name(id=left), ops=[op], comparators=[right]):
            return left == name and COMPARE[type(op)] in (">", ">=") and not free_names(right)
    return False


def _network(
    network: schema.Network, alphabet: tuple[str, ...], classes: tuple[str, ...], parameters: Known
) -> Iterator[str]:
    """classes: those that the language of an encoder names."""
    match network:
        case schema.Encoder():
            yield from _stream(network.coordinates)
            yield from _embedding(network, alphabet, (network.begin, network.end), parameters)
            yield from parts.types(network, "encoder", layers=tuple, readout=schema.Readout)
            for number, layer in enumerate(network.layers, start=1):
                yield from _layer(layer, network.coordinates, parameters, f"layer {number}")
            yield from _norm(network.final_norm, network.coordinates, parameters, "final_norm")
            outputs = tuple(dict.fromkeys((*network.embedding.WE, *classes))) if network.readout.predicts else None
            yield from _readout(network.readout, outputs, network.coordinates, parameters)
        case schema.Decoder():
            yield from _stream(network.coordinates)
            yield from parts.types(network, "decoder", layers=tuple, readout=schema.Readout)
            yield from _embedding(network, alphabet, (network.begin, network.stop), parameters)
            names = _known(parameters, network.coordinates)
            if network.table is not None:
                yield from parts.types(network, "decoder", table=tuple)
            for position, row in enumerate(network.table or ()):
                yield from parts.column_problems(row, network.coordinates, names, f"table, position {position}")
            yield from _format(network.arithmetic)
            for number, layer in enumerate(network.layers, start=1):
                yield from _layer(layer, network.coordinates, parameters, f"layer {number}")
                for head in layer.heads:
                    if head.mask not in ("causal", "strictly-causal"):
                        yield f"layer {number}: the heads of a decoder are causal, and the mask {head.mask!r} is not"
            yield from _norm(network.final_norm, network.coordinates, parameters, "final_norm")
            stop = () if network.stop is None else (network.stop,)
            yield from _readout(network.readout, (*alphabet, *stop), network.coordinates, parameters)
            if not network.readout.predicts:
                yield f"readout: a decoder predicts a token, so accept is {' or '.join(get_args(schema.Extreme))}"
            if network.readout.position != "last":
                yield f"readout: a decoder is read at the last position, not {network.readout.position!r}"
            if not {*stop} <= {*network.readout.W.rows}:
                yield f"readout: no row {network.stop!r}, so that the decoder never stops"
        case schema.EncoderDecoder():
            yield from parts.types(network, "network", encoder=schema.Encoder)
            yield from _network(network.encoder, alphabet, (), parameters)
            if network.encoder.final_norm is not None:
                yield "encoder, final_norm: nothing is read out of the encoder of this encoder; norm its last layer"
            yield from _stream(network.coordinates)
            yield from parts.types(network, "decoder", layers=tuple, readout=schema.Readout)
            names = _known(parameters, network.coordinates)
            yield from parts.column_problems(network.seed, network.coordinates, names, "decoder, seed")
            yield from parts.column_problems(network.PE, network.coordinates, {**names, "i": None}, "decoder, PE")
            for number, layer in enumerate(network.layers, start=1):
                place = f"decoder layer {number}"
                yield from _layer(layer, network.coordinates, parameters, place, network.encoder.coordinates)
                for head in (*layer.heads, *layer.cross_heads):
                    if head.mask not in ("none", "causal", "strictly-causal"):
                        yield f"{place}: the mask {head.mask!r} looks ahead, and a decoder sees what is there alone"
            yield from parts.linear_problems(
                network.feedback, network.coordinates, network.coordinates, names, "feedback"
            )
            yield from _readout(network.readout, None, network.coordinates, parameters)
        case _:
            yield f"network {short(network)} is no Encoder, Decoder or EncoderDecoder"


def _known(parameters: Known, coordinates: tuple[str, ...]) -> Known:
    """The names that a weight may use."""
    return {**parameters, "d": fmpq(len(coordinates))}


def _stream(coordinates: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(coordinates, tuple) or not coordinates:
        yield "coordinates: the residual stream needs a tuple of at least one name"
    yield from parts.distinct(coordinates, "coordinates")


def _format(format: FixedPoint | None) -> Iterator[str]:
    if format is None:
        return
    if not isinstance(format, FixedPoint):
        yield f"arithmetic: {short(format)} is no FixedPoint"
        return
    yield from parts.types(format, "arithmetic", bits=int, fraction=int)
    if not FEWEST_BITS <= format.bits <= MOST_BITS or not 0 <= format.fraction < format.bits:
        yield (
            f"arithmetic: {format.name}: give {FEWEST_BITS} to {MOST_BITS} bits, the sign among them, and none to all "
            "of the others behind the point"
        )


def _embedding(
    network: schema.Encoder | schema.Decoder,
    alphabet: tuple[str, ...],
    markers: tuple[str | None, ...],
    parameters: Known,
) -> Iterator[str]:
    yield from parts.types(network, "network", embedding=schema.Embedding)
    for marker in markers:
        if marker is not None and (not isinstance(marker, str) or not marker or not marker.isprintable()):
            yield f"marker {short(marker)} is no name"
        if marker in alphabet:
            yield f"marker {marker!r} is also a symbol of the alphabet"
    tokens = (*alphabet, *(marker for marker in markers if marker is not None))
    names = _known(parameters, network.coordinates)
    # What predicts tokens may have some that no word holds, as what it appends.
    ranks = isinstance(network, schema.Encoder) and getattr(network.readout, "predicts", False)
    embedded = None if ranks else tokens
    yield from parts.row_problems(network.embedding.WE, embedded, network.coordinates, names, "embedding WE", "token")
    for token in tokens:
        if token not in network.embedding.WE:
            yield f"embedding WE: token {token!r} has no embedding; give it one, {{}} for the zero vector"
    yield from parts.column_problems(
        network.embedding.PE, network.coordinates, {**names, "i": None, "n": None}, "embedding PE"
    )


def _choice(place: str, name: object, known: object) -> Iterator[str]:
    """known: the Literal that has the names."""
    if name not in get_args(known):
        yield f"{place} {short(name)} is none of {', '.join(get_args(known))}"


def _layer(
    layer: schema.Layer,
    coordinates: tuple[str, ...],
    parameters: Known,
    place: str,
    memory: tuple[str, ...] | None = None,
) -> Iterator[str]:
    if not isinstance(layer, schema.Layer):
        yield f"{place}: {short(layer)} is no Layer"
    yield from parts.types(layer, place, heads=tuple, cross_heads=tuple)
    yield from parts.types(layer, place, attention_residual=bool, cross_residual=bool, feed_forward_residual=bool)
    for number, head in enumerate(layer.heads, start=1):
        yield from _head(head, coordinates, coordinates, parameters, f"{place}, head {number}")
    if layer.cross_heads and memory is None:
        yield f"{place}: cross heads attend to an encoder, and there is none"
    for number, head in enumerate(layer.cross_heads, start=1):
        yield from _head(head, coordinates, memory or (), parameters, f"{place}, cross head {number}")
        for field in ("rotary", "bias", "sees", "sink"):
            if getattr(head, field):
                yield f"{place}, cross head {number}: cross heads have no {field}; only heads of one stream do"
    if layer.feed_forward is not None:
        yield from _feed_forward(layer.feed_forward, coordinates, parameters, f"{place}, feed-forward network")
    for name in ("attention_norm", "cross_norm", "feed_forward_norm"):
        for each in (name, f"{name}_before"):
            yield from _norm(getattr(layer, each), coordinates, parameters, f"{place}, {each}")
    if layer.attention_norm_before is not None and not layer.heads:
        yield f"{place}: a norm before heads that are not there"
    if layer.cross_norm_before is not None and not layer.cross_heads:
        yield f"{place}: a norm before cross heads that are not there"
    if layer.feed_forward_norm_before is not None and layer.feed_forward is None:
        yield f"{place}: a norm before a feed-forward network that is not there"
    if layer.feed_forward is None and not (layer.feed_forward_norm is None and layer.feed_forward_residual):
        yield f"{place}: a norm or a cut residual after a feed-forward network that is not there"
    if not layer.cross_heads and not (layer.cross_norm is None and layer.cross_residual):
        yield f"{place}: a norm or a cut residual after cross heads that are not there"


def _norm(norm: schema.Norm | None, coordinates: tuple[str, ...], parameters: Known, place: str) -> Iterator[str]:
    if norm is None:
        return
    if not isinstance(norm, schema.LayerNorm | schema.RootMeanSquare):
        yield f"{place}: {short(norm)} is no LayerNorm or RootMeanSquare"
    yield from scalar_problems(norm.epsilon, parameters, f"{place}, epsilon")
    if is_negative(norm.epsilon, parameters):
        yield f"{place}: epsilon {norm.epsilon} is negative; give 0 or more"
    for name, row in (("gain", norm.gain), ("bias", norm.bias)):
        if row is not None:
            yield from parts.column_problems(row, coordinates, parameters, f"{place}, {name}")


def _head(
    head: schema.Head, queries: tuple[str, ...], keys: tuple[str, ...], parameters: Known, place: str
) -> Iterator[str]:
    if not isinstance(head, schema.Head):
        yield f"{place}: {short(head)} is no Head"
    names = _known(parameters, queries)
    yield from parts.row_problems(head.W_Q, None, queries, names, f"{place}, W_Q")
    yield from parts.row_problems(head.W_K, None, keys, names, f"{place}, W_K")
    if set(head.W_Q) != set(head.W_K):
        different = ", ".join(sorted(set(head.W_Q) ^ set(head.W_K)))
        yield f"{place}: W_Q and W_K have different score coordinates ({different}); give both the same rows"
    if head.W_O is None:
        yield from parts.row_problems(head.W_V, queries, keys, names, f"{place}, W_V")
    else:
        yield from parts.row_problems(head.W_V, None, keys, names, f"{place}, W_V")
        yield from parts.row_problems(head.W_O, queries, tuple(head.W_V), names, f"{place}, W_O")
    yield from scalar_problems(head.scale, {**names, "n": None}, f"{place}, scale")
    for name, norm in (("query_norm", head.query_norm), ("key_norm", head.key_norm)):
        if norm is not None and not head.W_Q:
            yield f"{place}, {name}: there are no score coordinates to normalise; give W_Q and W_K"
        yield from _norm(norm, tuple(head.W_Q), parameters, f"{place}, {name}")
    yield from _positioned(head, names, place)
    for field, names_known in (("score", schema.Score), ("normaliser", schema.Normaliser), ("mask", schema.Mask)):
        yield from _choice(f"{place}: {field}", getattr(head, field), names_known)


def _positioned(head: schema.Head, names: Known, place: str) -> Iterator[str]:
    """What a head makes of positions, and its sink; names: those that a weight may use."""
    yield from parts.tuples(head, place, rotary=schema.Rotary)
    for number, pair in enumerate(head.rotary, start=1):
        here = f"{place}, rotary, entry {number}"
        for name in (pair.first, pair.second):
            if name not in head.W_Q:
                yield f"{here}: {short(name)} is no score coordinate; W_Q has {', '.join(head.W_Q) or 'none'}"
        yield from scalar_problems(pair.angle, names, f"{here}, angle")
    yield from parts.distinct((name for pair in head.rotary for name in (pair.first, pair.second)), f"{place}, rotary")
    both = {**names, "n": None, "i": None, "j": None}
    if (head.bias or head.sees) and "j" in names:
        yield f"{place}: a parameter is called j, as the position that is seen in bias and sees; rename it"
    if head.bias is not None:
        yield from scalar_problems(head.bias, both, f"{place}, bias")
    if head.sees is not None:
        yield from formula_problems(head.sees, both, None, f"{place}, sees")
    if head.sink is not None:
        yield from scalar_problems(head.sink, {**names, "n": None}, f"{place}, sink")
        if head.normaliser != "softmax":
            yield f"{place}: a sink is for softmax, not for {head.normaliser}"


def _feed_forward(
    network: schema.FeedForward, coordinates: tuple[str, ...], parameters: Known, place: str
) -> Iterator[str]:
    if not isinstance(network, schema.FeedForward):
        yield f"{place}: {short(network)} is no FeedForward"
    names = _known(parameters, coordinates)
    yield from parts.linear_problems(network.first, None, coordinates, names, f"{place}, first map")
    hidden = network.first.rows
    yield from parts.linear_problems(network.second, coordinates, hidden, names, f"{place}, second map")
    if network.gate is not None:
        yield from parts.linear_problems(network.gate, None, coordinates, names, f"{place}, gate")
        for row in sorted({*hidden} ^ {*network.gate.rows}):
            lacking = "gate" if row in hidden else "first map"
            yield f"{place}: the {lacking} has no row {row!r}; give the gate and the first map the same rows"
    yield from _choice(f"{place}: activation", network.activation, schema.Activation)


def _readout(
    readout: schema.Readout, outputs: tuple[str, ...] | None, coordinates: tuple[str, ...], parameters: Known
) -> Iterator[str]:
    yield from parts.linear_problems(readout.W, outputs, coordinates, _known(parameters, coordinates), "readout")
    yield from _choice("readout: position", readout.position, schema.Place)
    yield from _choice("readout: acceptance rule", readout.accept, schema.Acceptance)
    rows = set(readout.W.rows)
    if not readout.predicts and rows != {"logit"}:
        yield f"readout: a recogniser has the one output row 'logit', not {', '.join(sorted(rows)) or 'none'}"

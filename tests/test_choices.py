"""A name that is new among the choices of the schema is refused, by its name, by every reading that meets it.

NEW is put into a network behind the back of validation, as if somebody had added it to the Literal and to nothing else.
A reading may refuse it, or say the very name; it may not read it as another one.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flint import arb

import weightproof as wp
from tests.numeric.decoding.fixed_point import FixedPointDecoder
from weightproof.appendix.language import language
from weightproof.constructions.bhattamishra2020.encoder_decoder import rnn_by_encoder_decoder
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.record import record
from weightproof.constructions.meaning.running import decode, run
from weightproof.constructions.meaning.schema import Embedding, FeedForward, Head, Layer, Linear, Readout
from weightproof.constructions.meaning.trace import trace
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.transforms.sharpen import sharpen
from weightproof.exports.exporting import Exporting, Options
from weightproof.exports.onnx_graph import Graph
from weightproof.exports.verifying import _misread
from weightproof.imports.writing import python
from weightproof.named import source_of
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.certificate.certificate import certifier
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.proofs.covering.asking import Signs, asked
from weightproof.proofs.covering.checking.network import Check
from weightproof.proofs.covering.checking.sets import WordSet
from weightproof.proofs.covering.progression import automaton
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.searching import stacked
from weightproof.proofs.kernel.statement import statement
from weightproof.proofs.kernel.weights import weights
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.running.forward import outputs
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import induction_steps
from weightproof.proofs.strategies.appending import stages_for, standings
from weightproof.proofs.theorem import Decides
from weightproof.reports import matrices
from weightproof.symbolic.forward import derive
from weightproof.symbolic.simulation import generating

NEW = "swirl"


# Networks, each with a head that attends, hidden units, and a readout.

HEAD = Head(W_Q={"q": {"1": 1}}, W_K={"q": {"a": 1}}, W_V={"s": {"a": 1}}, scale=1)
UNITS = FeedForward(Linear({"h": {"s": 1}}, {"h": 1}), Linear({"s": {"h": 1}}))
ENCODER = wp.Encoder(
    coordinates=("1", "a", "s"),
    embedding=Embedding({"0": {"1": 1}, "1": {"1": 1, "a": 1}, "CLS": {"1": 1}}),
    layers=(Layer((HEAD,), UNITS),),
    readout=Readout(Linear({"logit": {"s": 1}}, {"logit": "-3/2"})),
)
READS_LAST = replace(ENCODER, begin=None, end="CLS", readout=replace(ENCODER.readout, position="last"))
DECODER = wp.Decoder(
    coordinates=("1", "a", "s"),
    embedding=Embedding({"0": {"1": 1}, "1": {"1": 1, "a": 1}, "!": {}}),
    layers=(Layer((replace(HEAD, mask="causal", normaliser="hardmax"),), UNITS),),
    readout=Readout(Linear({"0": {"s": 1}, "!": {"1": 3}}), "last", "argmax"),
    stop="!",
)
FORMATTED = copy.copy(DECODER)
object.__setattr__(FORMATTED, "arithmetic", FixedPoint(12, 4))
OF_ONE_UNIT = wp.RNN(
    name="one unit",
    alphabet=("a",),
    units=("h",),
    inputs=("x",),
    embedding=Embedding({"a": {"x": "1/2"}}),
    W_h=Linear({"h": {"h": "1/2"}}),
    W_x=Linear({"h": {"x": 1}}, {"h": "1/8"}),
)
SIMULATION = rnn_by_encoder_decoder(OF_ONE_UNIT)


def constructed(network: Any) -> wp.Construction:
    """What is said of it is nothing that is asked here; it is not validated."""
    made = wp.Construction("tried", "", "", PARITY, ENCODER)
    object.__setattr__(made, "network", network)
    return made


def parts(value: Any) -> Iterator[Any]:
    """All dataclasses in it."""
    if is_dataclass(value) and not isinstance(value, type):
        yield value
        value = tuple(getattr(value, field.name) for field in fields(value))
    if isinstance(value, tuple):
        for each in value:
            yield from parts(each)


def renamed(network: Any, kind: type, field: str, name: str = NEW) -> Any:
    """A copy in which every part of that kind has the new name; of an encoder-decoder its decoder alone."""
    changed = copy.deepcopy(network, {id(x): x for x in mappings(network)})
    of_encoder = [*parts(changed.encoder)] if hasattr(changed, "encoder") else []
    for part in parts(changed):
        if isinstance(part, kind) and not any(part is each for each in of_encoder):
            object.__setattr__(part, field, name)
    return changed


def mappings(network: Any) -> Iterator[Any]:
    """The mappings in it, which cannot be copied."""
    for part in parts(network):
        for field in fields(part):
            value = getattr(part, field.name)
            if not isinstance(value, tuple) and not is_dataclass(value):
                yield value
            elif isinstance(value, tuple):
                yield from (each for each in value if not is_dataclass(each))


# Readings.


def proved(construction: wp.Construction) -> str:
    return str([result.verdict for result in wp.prove(construction)])


def exported(to: str, **options: Any) -> Callable[[wp.Construction], Any]:
    def read(construction: wp.Construction, tmp_path: Path) -> str:
        wp.export(construction, to, tmp_path, **options)
        return " ".join(path.read_text() for path in tmp_path.iterdir() if path.suffix in (".json", ".vnnlib"))

    return read


def floats(attention: str) -> Callable[[wp.Construction], Any]:
    def read(construction: wp.Construction) -> Any:
        return wp.Transformer(construction, attention=attention).accepts(["01"])

    return read


def decoded(attention: str) -> Callable[[wp.Construction], Any]:
    def read(construction: wp.Construction) -> Any:
        model = wp.DecoderTransformer(construction, attention=attention)
        return next(iter(model.generate(["01"])))

    return read


def traced(construction: wp.Construction) -> Any:
    good = constructed(ENCODER)
    return trace(construction, run(good, "01"))


def certified(construction: wp.Construction) -> Any:
    found = certifier(construction, ())
    return found.error(1, 3), found.right(arb(1), arb(2), True, 3)


def covered(given: wp.Construction) -> Any:
    """Outputs on each word of two symbols, in sets of one word, and what is asked of them."""
    network = given.encoder
    reader = automaton(network, given.alphabet, (), 2 + len(network.markers))
    reading, found = Reading(network, reader), []
    for word in itertools.product(reader.tokens, repeat=len(reader.carriers)):
        words = stacked([reader.of_word(word)])
        if words.some.all():
            found.append([side.tolist() for side in reading.outputs(words).range()])
    return found, asked(given, Decides("tried", "")).of((True, True))


def checked(given: wp.Construction) -> Any:
    """The same outputs, at least and at most, by the check of certificates, and what is asked of them."""
    network = given.encoder
    reader = automaton(network, given.alphabet, (), 2 + len(network.markers))
    check, rows = Check(network, len(reader.carriers)), network.readout.W.rows
    signs = [Signs((tuple(sign * (name == row) for name in rows),), "positive") for row in rows for sign in (1, -1)]
    found = []
    for word in itertools.product(reader.tokens, repeat=len(reader.carriers)):
        words = WordSet.everything(reader, range(len(reader.outcomes)))
        for place, token in enumerate(word):
            words = words.with_token(place, token)
        if words.count():
            found += [str(check.away(words, each)) for each in signs]
    return found, asked(given, Decides("tried", "")).of((True, True))


def shown(construction: wp.Construction) -> str:
    return str(wp.show(construction))


class Drawn(Graph):
    """Its nodes, without the package that makes them."""

    def node(self, operation: str, *inputs: str, **attributes: Any) -> str:
        return operation

    def constant(self, name: str, values: Any) -> str:
        return name


def onnx_drawn(construction: wp.Construction) -> str:
    network = construction.network
    assert isinstance(network, wp.Encoder)
    exporting = Exporting(source_of(construction), Options({}))
    graph = Drawn(exporting, 3)
    graph.read(graph.layer("blocks.0", network.layers[0], "stream"), network.readout.position)
    return _misread(exporting, True, 0.5)


def appending(construction: wp.Construction) -> list[str]:
    stages = stages_for(construction)
    return [generating.appended(stages, each) for each in standings(stages, "1")]


OF_ENCODERS: dict[str, Callable[..., Any]] = {
    "interpreter": lambda c: run(c, "01"),
    "covering": covered,
    "check of a certificate": checked,
    "every word": lambda c: (outputs(c.encoder, ["01"], {}), asked(c, Decides("tried", "")).of((True, True))),
    "interpreter in balls": lambda c: run(c, "01", bits=64),
    "trace": traced,
    "derivation": derive,
    "prover": proved,
    "explicit": floats("explicit"),
    "fused": floats("fused"),
    "matmul": floats("matmul"),
    "strict": floats("strict"),
    "bound on rounding": lambda c: output_balls(c, "01")["logit"],
    "certificate": certified,
    "sharpen": lambda c: derive(sharpen(c)),
    "safetensors": exported("safetensors"),
    "TransformerLens": exported("transformer-lens"),
    "ONNX": onnx_drawn,
    "edges": exported("edges"),
    "python": lambda c: python(c, ""),
    "JSON": record,
    "show": shown,
    "appendix": lambda c: [*matrices.weights(c.network), *language(c)],
    "Coq": lambda c: [weights(c), *(statement(c, theorem) for theorem in default_theorems(c))],
}
OF_DECODERS: dict[str, Callable[..., Any]] = {
    "interpreter": lambda c: next(appended(c.network, "01", {})),
    "derivation": appending,
    "explicit": decoded("explicit"),
    "strict": decoded("strict"),
    "JSON": record,
    "show": shown,
}
OF_FORMATS: dict[str, Callable[..., Any]] = {
    "interpreter": lambda c: next(appended(c.network, "01", {})),
    "fixed point": lambda c: next(FixedPointDecoder(c.network, ("0", "1")).generate(["01"])),
}


def simulated(network: wp.EncoderDecoder) -> list[Any]:
    found = replace(SIMULATION)
    object.__setattr__(found, "network", network)
    invariant = invariant_of("rnn-by-encoder-decoder", OF_ONE_UNIT)
    return [each.compared(found, invariant).gap for each in induction_steps(OF_ONE_UNIT)]


OF_ENCODER_DECODERS: dict[str, Callable[..., Any]] = {
    "interpreter": lambda network: [*itertools.islice(decode(network, "a"), 3)],
    "derivation": simulated,
    "explicit": lambda network: EncoderDecoderTransformer(network, ("a",))(["a"], 3),
    "strict": lambda network: EncoderDecoderTransformer(network, ("a",), attention="strict")(["a"], 3),
}
SCHEMA = "weightproof.constructions.meaning.schema"
KINDS: dict[tuple[str, str, str], type] = {
    (SCHEMA, "Head", "score"): Head,
    (SCHEMA, "Head", "normaliser"): Head,
    (SCHEMA, "Head", "mask"): Head,
    (SCHEMA, "FeedForward", "activation"): FeedForward,
    (SCHEMA, "Readout", "position"): Readout,
    (SCHEMA, "Readout", "accept"): Readout,
}
UNREAD = {
    *(("accept", reading) for reading in ("trace", "derivation", "bound on rounding", "fused")),
    *(("position", reading) for reading in ("trace",)),
}
"""Choice and reading, where the reading has to do with nothing that the choice is about."""
READINGS: dict[str, tuple[Any, dict[str, Callable[..., Any]]]] = {
    "encoder": (ENCODER, OF_ENCODERS),
    "decoder": (DECODER, OF_DECODERS),
    "formatted": (FORMATTED, OF_FORMATS),
    "pair": (SIMULATION.network, OF_ENCODER_DECODERS),
}
GRID = [(arrangement, reading) for arrangement, (_, readings) in READINGS.items() for reading in readings]


@pytest.mark.parametrize(("arrangement", "reading"), GRID)
def test_a_name_that_is_new_is_refused_by_every_reading(arrangement: str, reading: str, tmp_path: Path) -> None:
    network, readings = READINGS[arrangement]
    read = readings[reading]
    tried = [
        (kind, field, owner)
        for (_, kind, field), owner in KINDS.items()
        if (field, reading) not in UNREAD and (kind != "Readout" or arrangement == "encoder")
    ]
    assert tried
    for kind, field, owner in tried:
        (folder := tmp_path / f"{kind}-{field}").mkdir()
        more = (folder,) if "tmp_path" in inspect.signature(read).parameters else ()
        changed = renamed(network, owner, field)
        given = changed if arrangement == "pair" else constructed(changed)
        found = told(lambda given=given, more=more: read(given, *more))  # type: ignore[misc]
        assert NEW in found, f"{kind}.{field} was read as another one: {found}"
        assert not found.startswith(REFUSED) or "\n" not in found


REFUSED = "refused: "


def told(read: Callable[[], Any]) -> str:
    """What a reading makes of it, or why it refuses."""
    try:
        return str(read())
    except Exception as error:
        return f"{REFUSED}{error}"

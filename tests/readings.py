"""What every reading makes of a network, as a value that can be compared with that of another network."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import weightproof as wp
from tests.numeric.decoding.fixed_point import FixedPointDecoder
from tests.test_choices import OF_ONE_UNIT, Drawn, checked, covered
from weightproof.appendix.language import language
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.machines.rnn import states
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.record import digest, record
from weightproof.constructions.meaning.running import decode, run
from weightproof.exports.exporting import Exporting, Options
from weightproof.imports.writing import python
from weightproof.named import source_of
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer, RecurrentNetwork
from weightproof.numeric.learning.architecture import opened
from weightproof.numeric.learning.tasks import seen
from weightproof.numeric.learning.tensors import tensors
from weightproof.numeric.learning.words import outputs as trained_outputs
from weightproof.numeric.model.transformer import encode
from weightproof.proofs.kernel.statement import statement
from weightproof.proofs.kernel.weights import weights
from weightproof.proofs.prove import default_theorems
from weightproof.proofs.running.forward import outputs
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import before, induction_steps, input_at
from weightproof.proofs.strategies.appending import stages_for, standings
from weightproof.reports import matrices
from weightproof.symbolic.forward import derive
from weightproof.symbolic.simulation import decoder, generating

WORDS = ["".join(word) for length in range(3) for word in itertools.product("01", repeat=length)]
Readings = dict[str, Callable[..., Any]]


def construction(network: Any) -> Construction:
    return Construction("tried", "", "", PARITY, network)


def floats(attention: str) -> Callable[[Construction], Any]:
    def read(given: Construction) -> Any:
        model = wp.Transformer(given, attention=attention)
        return model.logits(WORDS).tolist(), model.accepts(WORDS).tolist()

    return read


def exported(to: str) -> Callable[[Construction, Path], Any]:
    def read(given: Construction, tmp_path: Path) -> Any:
        wp.export(given, to, tmp_path)
        found = {path.name: path.read_bytes().replace(digest(given).encode(), b"") for path in tmp_path.iterdir()}
        return {name: hashlib.sha256(content).hexdigest() for name, content in sorted(found.items())}

    return read


class Written(Drawn):
    """Nodes as text, and constants by their values; no types, which the package names."""

    element = 0

    def node(self, operation: str, *inputs: str, **attributes: Any) -> str:
        return f"{operation}({', '.join(inputs)}; {attributes})"

    def constant(self, name: str, values: Any) -> str:
        return f"{name}={values.tolist()}"

    def read(self, logits: str, position: str) -> None:
        self.found = logits
        super().read(logits, position)


def onnx(given: Construction) -> str:
    """As far as it is made without the package: layers alone."""
    graph = Written(Exporting(source_of(given), Options({})), 3)
    stream = "stream"
    for number, layer in enumerate(given.network.layers):
        stream = graph.layer(f"blocks.{number}", layer, stream)
    stream = graph.norm("ln_final", given.network.final_norm, stream)
    return stream


def shown(given: Construction) -> str:
    return str(wp.show(given))


def enclosed(given: Construction) -> Any:
    """Of the logits of all words of two symbols, and how they count."""
    found = outputs(given.encoder, ["00", "01", "10", "11"], {})
    return found.values.middle.tolist(), given.encoder.readout.accept


def trained(given: Construction) -> Any:
    """What is trained of it, before the first step."""
    architecture = opened(given.encoder)
    named = {each.name: torch.from_numpy(each.written)[None] for each in tensors(architecture, given.alphabet)}
    every = [seen(architecture, given.alphabet, encode(given, [word])[None].long()) for word in WORDS]
    return [trained_outputs(architecture, named, each)[0].tolist() for each in every], given.encoder.readout.accept


OF_ENCODERS: Readings = {
    "interpreter": lambda c: [(str((it := run(c, word)).logit), it.accepts, it.decided) for word in WORDS],
    "covering": covered,
    "check of a certificate": checked,
    "every word": enclosed,
    "derivation": lambda c: (str((it := derive(c)).logit), str(it.sums), str(it.scales), c.network.readout.accept),
    "explicit": floats("explicit"),
    "fused": floats("fused"),
    "matmul": floats("matmul"),
    "strict": floats("strict"),
    "bound on rounding": lambda c: [str(output_balls(c, word)["logit"]) for word in ("1", "01", "010")],
    "training": trained,
    "safetensors": exported("safetensors"),
    "TransformerLens": exported("transformer-lens"),
    "ONNX": onnx,
    "edges": exported("edges"),
    "python": lambda c: python(c, ""),
    "JSON": record,
    "show": shown,
    "appendix": lambda c: [*matrices.weights(c.network), *language(c)],
    "Coq": lambda c: [weights(c), *(statement(c, theorem) for theorem in default_theorems(c))],
}


def produced(steps: Any) -> list[Any]:
    return [(each.token, {name: str(x) for name, x in each.outputs.items()}) for each in itertools.islice(steps, 3)]


def decoded(attention: str) -> Callable[[Construction], Any]:
    def read(given: Construction) -> Any:
        model = wp.DecoderTransformer(given, attention=attention)
        return [
            (each.tokens, each.logits.tolist())
            for word in ("01", "11", "0")
            for each in itertools.islice(model.generate([word]), 3)
        ]

    return read


def generated(given: Construction) -> Any:
    stages = stages_for(given)
    found = (case for symbol in "01" for at in standings(stages, symbol) for case in generating.cases(stages, at))
    return [(case.made.outputs, generating.best(case)) for case in found]


OF_DECODERS: Readings = {
    "interpreter": lambda c: [produced(appended(c.network, word, {})) for word in ("01", "11", "0")],
    "derivation": generated,
    "explicit": decoded("explicit"),
    "strict": decoded("strict"),
    "JSON": record,
    "show": shown,
    "appendix": lambda c: [*matrices.weights(c.network), *language(c)],
}
OF_FORMATS: Readings = {
    "interpreter": lambda c: [produced(appended(c.network, word, {})) for word in ("01", "11", "0")],
    "fixed point": lambda c: [
        (each.tokens, each.logits.tolist())
        for word in ("01", "11", "0")
        for each in itertools.islice(FixedPointDecoder(c.network, ("0", "1")).generate([word]), 3)
    ],
    "JSON": record,
    "show": shown,
}


def steps(network: wp.EncoderDecoder) -> Any:
    invariant = invariant_of("rnn-by-encoder-decoder", OF_ONE_UNIT)
    earlier = before(invariant, OF_ONE_UNIT)
    found = []
    for each in induction_steps(OF_ONE_UNIT):
        made = decoder.step(network, input_at(each, OF_ONE_UNIT, invariant), earlier, each.moment, ())
        found.append((made, decoder.next_input(network, made, each.moment.step)))
    return found


OF_PAIRS: Readings = {
    "interpreter": lambda network: [[*map(str, z.values())] for z in itertools.islice(decode(network, "a"), 3)],
    "explicit": lambda network: EncoderDecoderTransformer(network, ("a",))(["a"], 5).tolist(),
    "strict": lambda network: EncoderDecoderTransformer(network, ("a",), attention="strict")(["a"], 5).tolist(),
    "derivation": steps,
}
OF_RECURRENT: Readings = {
    "interpreter": lambda rnn: [[*map(str, h.values())] for h in itertools.islice(states(rnn, "a"), 5)],
    "floats": lambda rnn: RecurrentNetwork(rnn)(["a"], 5).tolist(),
    "derivation": lambda rnn: str(wp.derive(rnn)),
}

"""`--to onnx`: a network for words of one length, and what a verifier of neural networks may be asked about it."""

from __future__ import annotations

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import predicts_tokens
from weightproof.exports import onnx_graph
from weightproof.exports.exporting import Exporting, about, as_json, require_unset
from weightproof.exports.properties import properties, require_few

FORMAT = "onnx"
DTYPES = ("float64", "float32")


def files(exporting: Exporting) -> dict[str, bytes]:
    """model.onnx, accepted.vnnlib and rejected.vnnlib, as far as there are such words, and config.json."""
    options, construction = exporting.options, exporting.construction
    require_unset(FORMAT, max_length=options.max_length)
    if options.length is None:
        raise InputError("--to onnx is for words of one length: give it as --length 5, in symbols")
    if options.length < 1:
        raise InputError(f"--length {options.length} leaves the network no input: give 1 or more")
    if options.dtype not in DTYPES:
        raise InputError(f"--dtype {options.dtype}: runtimes of ONNX compute in {' or '.join(DTYPES)}")
    if predicts_tokens(construction):
        raise exporting.refused(
            "this export to ONNX", "it takes the argmax over tokens, and properties speak of a logit"
        )
    require_few(exporting, options.length)
    onnx_graph.require_onnx()
    said = properties(exporting, options.length)
    config = about(exporting) | {
        "dtype": options.dtype,
        "length": options.length,
        "input": "X[i, a] is 1 where symbol i of the word is the a-th of the alphabet, and 0 elsewhere",
        "output": "Y[0] is the logit",
    }
    return {
        "model.onnx": onnx_graph.model(exporting, options.length),
        **{name: text.encode() for name, text in said.items()},
        "config.json": as_json(config),
    }

"""The kinds of subjects, and which verbs and options each takes: the table from which all else is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VERBS = ("show", "run", "prove", "derive", "claims", "precision", "export", "repair", "ablate")


@dataclass(frozen=True)
class Kind:
    """noun and plural: what it is called; takes: verb -> the options that it takes, as a command line writes them, and
    not every kind does. A verb that is not there is refused."""

    noun: str
    plural: str
    takes: Mapping[str, frozenset[str]]


def _takes(**options: str) -> dict[str, frozenset[str]]:
    return {verb: frozenset(f"--{name}" for name in said.split()) for verb, said in options.items()}


FLOATING = "dtype device attention"
ENCODER = Kind(
    "an encoder that reads out a logit",
    "encoders that read out a logit",
    _takes(
        show="with part dense",
        run=f"with param {FLOATING} tolerance trace position picture",
        prove="with",
        derive="with",
        claims="with",
        precision=f"with param {FLOATING} max-length tolerance",
        export="with",
        repair="with",
        ablate="with",
    ),
)
PREDICTOR = Kind(
    "a network that takes the argmax over tokens",
    "networks that take the argmax over tokens",
    _takes(
        show="with part dense",
        run=f"with param {FLOATING} trace position",
        prove="with",
        derive="with",
        claims="with",
        precision=f"with param {FLOATING} max-length",
        export="with",
    ),
)
DECODER = Kind(
    "a decoder",
    "decoders",
    _takes(
        show="with part dense",
        run=f"with param {FLOATING} steps max-steps",
        prove="with",
        derive="with",
        claims="with",
    ),
)
ENCODER_DECODER = Kind("an encoder-decoder", "encoder-decoders", _takes(show="with part dense", claims="with"))
MACHINE = Kind(
    "a Turing machine",
    "Turing machines",
    _takes(show="", run="steps max-steps", prove="", derive="", precision=f"{FLOATING} max-length"),
)
RECURRENT = Kind("a recurrent network", "recurrent networks", _takes(prove="", derive=""))
SIMULATORS = Kind(
    "a family of transformers for recurrent networks",
    "families of transformers for recurrent networks",
    _takes(run="param trace steps max-steps", prove="", derive="", claims="", precision=f"{FLOATING} max-length"),
)
COMPONENTS = Kind("no network but a table of components", "the components of a transformer", _takes(show="", prove=""))
FORMULAS = Kind("no network but printed formulas", "printed formulas", _takes(claims=""))
CIRCUIT = Kind("a circuit", "circuits", _takes(show="param", run="param trace steps max-steps", prove="", derive=""))
REGULAR = Kind(
    "a regular language, with a circuit for each length",
    "regular languages",
    _takes(run="param trace steps max-steps", prove=""),
)
CIRCUITS = Kind(
    "a family of decoders for circuits",
    "families of decoders for circuits",
    _takes(show="param", run="param trace steps max-steps", prove="", derive="", claims=""),
)
ADDER = Kind(
    "a family of networks that add",
    "families of networks that add",
    _takes(show="param", run=f"param {FLOATING} trace", prove="", derive="", precision=f"{FLOATING} max-length"),
)
COUNTER = Kind(
    "a family of feed-forward networks",
    "families of feed-forward networks",
    _takes(show="param", run="param dtype device", prove="", derive="", precision=f"{FLOATING} max-length"),
)
KINDS = (
    ENCODER,
    PREDICTOR,
    DECODER,
    ENCODER_DECODER,
    MACHINE,
    RECURRENT,
    SIMULATORS,
    COMPONENTS,
    FORMULAS,
    CIRCUIT,
    REGULAR,
    CIRCUITS,
    ADDER,
    COUNTER,
)

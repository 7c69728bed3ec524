"""What can be named, kind by kind, and what can be asked of it: verbs, their options, and the table of which kind takes
which. What is not in the table is refused, in one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Self

from weightproof.constructions.meaning.inputs import InputError

VERBS = ("show", "run", "prove", "derive", "claims", "precision", "export", "threshold", "repair", "ablate")


@dataclass(frozen=True)
class Kind:
    """noun and plural: what it is called; takes: verb -> the options that it takes, as a command line writes them, and
    not every kind does. A verb that is not there is refused."""

    noun: str
    plural: str
    takes: Mapping[str, frozenset[str]]


def _takes(plainly: str, everywhere: str = "", **options: str) -> dict[str, frozenset[str]]:
    """The verbs, by their names in `VERBS`: those without options of their own, and the others, each with its own;
    everywhere: options of all of them."""
    said = dict.fromkeys(plainly.split(), "") | options
    return {
        verb: frozenset(f"--{name}" for name in f"{everywhere} {said[verb]}".split()) for verb in VERBS if verb in said
    }


FLOATING = "dtype device attention"
ENCODER = Kind(
    "an encoder that reads out a logit",
    "encoders that read out a logit",
    _takes(
        "prove derive claims export threshold repair ablate",
        "with",
        show="part dense",
        run=f"param exact {FLOATING} tolerance trace position picture",
        precision=f"param {FLOATING} max-length tolerance law",
    ),
)
PREDICTOR = Kind(
    "a network that predicts a token or a class",
    "networks that predict a token or a class",
    _takes(
        "prove derive claims export",
        "with",
        show="part dense",
        run=f"param exact {FLOATING} trace position",
        precision=f"param {FLOATING} max-length",
    ),
)
DECODER = Kind(
    "a decoder",
    "decoders",
    _takes(
        "prove derive claims",
        "with",
        show="part dense",
        run=f"param exact {FLOATING} steps max-steps",
        precision=FLOATING,
    ),
)
ENCODER_DECODER = Kind("an encoder-decoder", "encoder-decoders", _takes("claims", "with", show="part dense"))
MACHINE = Kind(
    "a Turing machine",
    "Turing machines",
    _takes("show prove derive", run="steps max-steps", precision=f"{FLOATING} max-length"),
)
RECURRENT = Kind("a recurrent network", "recurrent networks", _takes("prove derive"))
STEPWISE = "param trace steps max-steps"
SIMULATORS = Kind(
    "a family of transformers for recurrent networks",
    "families of transformers for recurrent networks",
    _takes("prove derive claims", run=STEPWISE, precision=f"{FLOATING} max-length"),
)
COMPONENTS = Kind("no network but a table of components", "the components of a transformer", _takes("show prove"))
FORMULAS = Kind("no network but printed formulas", "printed formulas", _takes("claims"))
CIRCUIT = Kind("a circuit", "circuits", _takes("prove derive claims", show="param", run=STEPWISE))
REGULAR = Kind(
    "a regular language, with a circuit for each length", "regular languages", _takes("prove claims", run=STEPWISE)
)
CIRCUITS = Kind(
    "a family of decoders for circuits",
    "families of decoders for circuits",
    _takes("show prove derive claims", run=STEPWISE),
)
ADDER = Kind(
    "a family of networks that add",
    "families of networks that add",
    _takes("prove derive claims", show="param", run=f"param {FLOATING} trace", precision=f"{FLOATING} max-length"),
)
COUNTER = Kind(
    "a family of feed-forward networks",
    "families of feed-forward networks",
    _takes("prove derive claims", show="param", run="param dtype device", precision="dtype device max-length"),
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


def refusal(argument: str, kind: Kind, verb: str) -> InputError:
    """The line about a verb that is not for what was named: for which kinds it is, and which verbs are."""
    others = "; ".join(each.plural for each in KINDS if verb in each.takes)
    return InputError(f"{argument} is {kind.noun}; {verb} takes: {others}; what takes it: {', '.join(kind.takes)}")


def require(argument: str, kind: Kind, verb: str, options: Sequence[str] = ()) -> None:
    """InputError where the verb, or one of the options, is not taken by the kind of what was named."""
    if verb not in kind.takes:
        raise refusal(argument, kind, verb)
    taken = kind.takes[verb]
    strange = [option for option in dict.fromkeys(options) if option not in taken]
    if strange:
        known = ", ".join(sorted(taken)) or "no options of the kind"
        raise InputError(f"{argument} is {kind.noun}, of which {verb} takes no {', '.join(strange)}; it takes: {known}")


def require_tolerance(tolerance: float | None) -> None:
    """InputError where it is none."""
    if tolerance is not None and not 0 <= tolerance < float("inf"):
        raise InputError(f"--tolerance {tolerance:g} is no tolerance: give a number such as 1e-7")


WRITTEN = {
    "parameters": "--param",
    "parts": "--part",
    "dtypes": "--dtype",
    "devices": "--device",
    "attentions": "--attention",
    "positions": "--position",
}
"""Fields that a command line calls otherwise; the others it calls as they are called here."""


def option(name: str) -> str:
    """How a command line writes a field of a request."""
    return WRITTEN.get(name, f"--{name.replace('_', '-')}")


@dataclass(frozen=True)
class Request:
    """The fields of each kind of request are its options; one that has its default was not given."""

    @property
    def given(self) -> tuple[str, ...]:
        """The options that were given, as a command line writes them."""
        usual = type(self)()
        names = (each.name for each in fields(self) if getattr(self, each.name) != getattr(usual, each.name))
        return tuple(map(option, names))

    def restricted(self, taken: frozenset[str]) -> Self:
        """With the defaults in the place of options that are not among these."""
        usual = type(self)()
        others = (each.name for each in fields(self) if option(each.name) not in taken)
        return replace(self, **{name: getattr(usual, name) for name in others})


@dataclass(frozen=True)
class Showing(Request):
    """parameters: values as they were written; parts: only these; dense: zeros, too."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    dense: bool = False


@dataclass(frozen=True)
class Running(Request):
    """How a word is run. dtypes: in floating point, too, in these, on these devices, by these kinds of attention;
    tolerance: where logit 0 accepts, |logit| up to it does, too; trace: with every vector, of a long word at these
    positions, too; steps: told one by one; max_steps: not more than so many; picture: drawn to this file; exact: in
    exact numbers, however long they take, and not in balls."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    attentions: tuple[str, ...] = ()
    tolerance: float | None = None
    trace: bool = False
    positions: tuple[int, ...] = ()
    steps: bool = False
    max_steps: int | None = None
    picture: Path | None = None
    exact: bool = False


@dataclass(frozen=True)
class Measuring(Request):
    """Where rounding is searched: in these formats, on these devices, by these kinds of attention, all or the usual
    ones where none is named; max_length: symbols of the longest words; law: also how the certified length grows with
    the precision, by which failing lengths are predicted."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    attentions: tuple[str, ...] = ()
    max_length: int = 1_000_000
    tolerance: float | None = None
    law: bool = False

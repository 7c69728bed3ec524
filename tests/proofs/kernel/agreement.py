"""Files of Coq that prove of networks what the interpreter says of them: their outputs, exactly, and whether they have
values.

`Transformer.v` says in Coq what an encoder computes, and the interpreter says it in Python: the two are held together
here, on words, with values of the parameters. Outputs are computed in Coq, by `Evaluation.v`, which proves that what it
computes is what `Transformer.v` defines.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.places import ROOT
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, add_markers, read_out, streams
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.values import exactly
from weightproof.proofs.kernel.scalars import ATOM
from weightproof.proofs.kernel.values import real
from weightproof.proofs.kernel.weights import PREAMBLE, text, texts, weights

DEFINITION = ROOT / "proofs" / "kernel" / "Transformer.v"
COMPUTES = [DEFINITION.with_name(f"{name}.v") for name in ("Sums", "Bounds", "Exact", "Numbers", "Evaluation")]


@dataclass(frozen=True)
class Output:
    """What the interpreter computes of a word: an output, and its value."""

    word: str
    name: str
    value: Real

    def statement(self, network: str) -> str:
        """In Coq."""
        return f"output {network} (marked {texts(self.word)}) {text(self.name)} = {real(self.value).text}"


@dataclass(frozen=True)
class HasValue:
    """Whether the norms of a network have a value on a word, as far as the interpreter needs them."""

    word: str
    truth: bool

    def statement(self, network: str) -> str:
        """In Coq."""
        said = f"has_value {network} (marked {texts(self.word)})"
        return said if self.truth else f"~ {said}"


@dataclass(frozen=True)
class Agreement:
    """A network at values of its parameters, and what the interpreter says of it.

    undefined: words on which a scalar of the data has no value, by the reason; in Coq all functions are total.
    """

    construction: Construction
    parameters: Mapping[str, Real]
    claims: Sequence[Output | HasValue]
    undefined: Mapping[str, str] = field(default_factory=dict)

    @property
    def network(self) -> str:
        """As a term of Coq."""
        values = [
            f"{self.parameters[each.name]}%Z" if each.is_natural else real(self.parameters[each.name]).at(ATOM)
            for each in self.construction.parameters
        ]
        return f"({' '.join(('network', *values))})" if values else "network"

    @property
    def statements(self) -> tuple[str, ...]:
        """The claims, in Coq."""
        return tuple(claim.statement(self.network) for claim in self.claims)

    def written(self, write: Callable[[int, str], str]) -> str:
        """The definition of the network, and what is written of each statement and its number."""
        lines = (
            weights(self.construction).removeprefix(PREAMBLE),
            f"Definition read : written := ltac:(read_network {self.network}).",
            f"Lemma reads : {self.network} = encoder_of read.\nProof. reflexivity. Qed.",
            *map(write, range(len(self.claims)), self.statements),
        )
        return "\n".join(lines)


def agreement(construction: Construction, words: Iterable[str], given: Mapping[str, object] | None = None) -> Agreement:
    """What the interpreter says of these words."""
    parameters, undefined = parameter_values(construction, given), dict[str, str]()
    claims, normed = list[Output | HasValue](), construction.encoder.normed
    for word in words:
        try:
            claims += [Output(word, *found) for found in outputs(construction, word, parameters).items()]
            claims += [HasValue(word, True)] * normed
        except NoValue:
            claims.append(HasValue(word, False))
        except ArithmeticError as error:
            undefined[word] = str(error)
    return Agreement(construction, parameters, claims, undefined)


def outputs(construction: Construction, word: str, parameters: Mapping[str, Real]) -> dict[str, Real]:
    """All outputs on a word; ArithmeticError where there are none."""
    network = construction.encoder
    tokens = add_markers(network, word)
    if not tokens:
        raise ArithmeticError("there is no position")
    stream = streams(network, tokens, dict(parameters), exactly)[-1]
    read = read_out(network, stream, dict(parameters), exactly)
    return {name: value for name, value in read.items() if isinstance(value, Real)}


def proved(agreements: Iterable[Agreement]) -> str:
    """A file that proves all equations."""
    return _file(
        agreements, lambda number, equation: f"Lemma at_{number} : {equation}.\nProof. by_computing reads. Qed."
    )


def asked(agreements: Iterable[Agreement]) -> str:
    """A file that prints of each claim whether it is true, false, or unknown, as it cannot be computed in Coq."""
    return _file(agreements, lambda _, said: f"Goal {said}.\nProof. verdict reads. Abort.")


def _file(agreements: Iterable[Agreement], write: Callable[[int, str], str]) -> str:
    modules = (
        f"Module Network_{number}.\n{each.written(write)}\nEnd Network_{number}."
        for number, each in enumerate(agreements)
    )
    return "\n".join((PREAMBLE, "From Weightproof Require Import Evaluation.", *modules, ""))


class Refused(Exception):
    """What Coq says of a file that it does not compile."""


@dataclass(frozen=True)
class Library:
    """A folder with the definition, and what computes by it, compiled."""

    folder: Path

    def compile(self, name: str, content: str) -> str:
        """What Coq prints."""
        (self.folder / f"{name}.v").write_text(content)
        command = ["coqc", "-Q", ".", "Weightproof", f"{name}.v"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Refused(done.stderr)
        return done.stdout


def library(folder: Path, definition: str) -> Library:
    """With another text than that of `Transformer.v`."""
    made = Library(folder)
    made.compile("Transformer", definition)
    for path in COMPUTES:
        made.compile(path.stem, path.read_text())
    return made


def decided(made: Library, agreements: Sequence[Agreement]) -> list[list[str]]:
    """Of each of their claims, by computing in Coq: true, false, or unknown."""
    printed = iter(re.findall(r"^verdict: (\w+)$", made.compile("Asked", asked(agreements)), re.MULTILINE))
    return [list(itertools.islice(printed, len(each.claims))) for each in agreements]

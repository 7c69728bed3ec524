"""Files of Coq that prove of the outputs of networks that they are what the interpreter computes, exactly.

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

from tests.proofs.kernel.values import real
from tests.support.places import ROOT, TESTS
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers, read_out, streams
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.values import exactly
from weightproof.proofs.kernel.scalars import ATOM
from weightproof.proofs.kernel.weights import PREAMBLE, text, texts, weights

DEFINITION = ROOT / "proofs" / "kernel" / "Transformer.v"
COMPUTES = [TESTS / "proofs" / "kernel" / name for name in ("Numbers.v", "Evaluation.v")]


@dataclass(frozen=True)
class Computed:
    """What the interpreter computes of a word: an output, and its value."""

    word: str
    output: str
    value: Real

    def equation(self, network: str) -> str:
        """In Coq."""
        return f"output {network} (marked {texts(self.word)}) {text(self.output)} = {real(self.value).text}"


@dataclass(frozen=True)
class Agreement:
    """A network at values of its parameters, and what the interpreter computes of it; without: words of which it says
    that there is no output, and why."""

    construction: Construction
    parameters: Mapping[str, Real]
    computed: Sequence[Computed]
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def network(self) -> str:
        """As a term of Coq."""
        values = [
            f"{self.parameters[each.name]}%Z" if each.is_natural else real(self.parameters[each.name]).at(ATOM)
            for each in self.construction.parameters
        ]
        return f"({' '.join(('network', *values))})" if values else "network"

    def written(self, write: Callable[[int, str], str]) -> str:
        """The definition of the network, and what is written of each equation and its number."""
        lines = (
            weights(self.construction).removeprefix(PREAMBLE),
            f"Definition read : written := ltac:(read_network {self.network}).",
            f"Lemma reads : {self.network} = encoder_of read.\nProof. reflexivity. Qed.",
            *(write(number, each.equation(self.network)) for number, each in enumerate(self.computed)),
        )
        return "\n".join(lines)


def agreement(construction: Construction, words: Iterable[str], given: Mapping[str, object] | None = None) -> Agreement:
    """What the interpreter computes on these words."""
    parameters, computed, without = parameter_values(construction, given), list[Computed](), dict[str, str]()
    for word in words:
        try:
            computed += [Computed(word, name, value) for name, value in outputs(construction, word, parameters).items()]
        except (ArithmeticError, InputError) as error:
            without[word] = str(error)
    return Agreement(construction, parameters, computed, without)


def outputs(construction: Construction, word: str, parameters: Mapping[str, Real]) -> dict[str, Real]:
    """All outputs on a word; ArithmeticError where there are none."""
    network = construction.encoder
    tokens = add_markers(network, word)
    if not tokens:
        raise InputError("there is no position")
    stream = streams(network, tokens, dict(parameters), exactly)[-1]
    read = read_out(network, stream, dict(parameters), exactly)
    return {name: value for name, value in read.items() if isinstance(value, Real)}


def proved(agreements: Iterable[Agreement]) -> str:
    """A file that proves all equations."""
    return _file(
        agreements, lambda number, equation: f"Lemma at_{number} : {equation}.\nProof. by_computing reads. Qed."
    )


def asked(agreements: Iterable[Agreement]) -> str:
    """A file that prints of each equation whether it is true, false, or cannot be decided by computing it in Coq."""
    return _file(agreements, lambda _, equation: f"Goal {equation}.\nProof. verdict reads. Abort.")


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


def library(folder: Path, definition: str | None = None) -> Library:
    """definition: the text that stands for `Transformer.v`, if it is another one."""
    made = Library(folder)
    made.compile("Transformer", DEFINITION.read_text() if definition is None else definition)
    for path in COMPUTES:
        made.compile(path.stem, path.read_text())
    return made


def decided(made: Library, agreements: Sequence[Agreement]) -> list[list[str]]:
    """Of each of their equations, by computing both sides in Coq: true, false, or unknown."""
    printed = iter(re.findall(r"^verdict: (\w+)$", made.compile("Asked", asked(agreements)), re.MULTILINE))
    return [list(itertools.islice(printed, len(each.computed))) for each in agreements]

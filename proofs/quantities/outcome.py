"""What comes of a statement: it holds, it fails with a place where it does, or it stays open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from weightproof.constructions.languages.notation import run_command
from weightproof.proofs.quantities.explanation import Explanation
from weightproof.proofs.verdict import LONGEST_COMMAND

NOTHING = Explanation(())


@dataclass(frozen=True)
class Difference:
    """Where print and weights differ; both values are exact, or a ball that contains them, as text.

    what: the quantity, entry or number; word and position: where it has those values, None for what is the same
    on all words; part: that of `show` where it stands. evidence: how the word was run. symbols: how many it has, where
    it was not run but counted (`Counterexample.symbols`).
    """

    what: str
    printed: str
    found: str
    word: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    position: int | None = None
    part: str | None = None
    evidence: str = "replayed exactly"
    symbols: int | None = None

    def command(self, construction: str) -> str:
        """The command line that replays it, or that judges it once more where the word is too long to be run;
        construction: its name, or the file that defines it."""
        if self.symbols is not None and self.symbols > LONGEST_COMMAND:
            return f"weightproof claims {construction}"
        if self.word is None:
            return f"weightproof show {construction}" + (f" --part {self.part}" if self.part else "")
        given = "".join(f" --param {name}={value!r}" for name, value in self.parameters.items())
        trace = " --trace" if self.symbols is None else ""  # for which a long word is too long
        return run_command(construction, self.word, f"{given}{trace}")

    @property
    def basis(self) -> str:
        """What it rests on that they differ."""
        return "the entry differs" if self.word is None else self.evidence


@dataclass(frozen=True)
class Evaluated(Difference):
    """Where print fails and no run of one network shows it: a formula about none, or what is said of a whole family.
    parameters are the values of its names."""

    evidence: str = "evaluated exactly"

    def command(self, construction: str) -> str:
        """The command line that judges it once more."""
        return f"weightproof claims {construction}"

    @property
    def basis(self) -> str:
        return self.evidence


class _NoTruth:
    def __bool__(self) -> NoReturn:
        raise TypeError("an outcome has no truth value; match on Holds, Fails or Open")


@dataclass(frozen=True)
class Holds(_NoTruth):
    """scope: for which words; evidence: what that rests on; note: what else came out."""

    scope: str
    evidence: str
    note: Explanation = NOTHING


@dataclass(frozen=True)
class Fails(_NoTruth):
    """derived: what the weights make of it."""

    derived: Explanation
    difference: Difference


@dataclass(frozen=True)
class Open(_NoTruth):
    """timed_out: it was stopped at a deadline, and more time might settle it."""

    reason: str
    timed_out: bool = False


Outcome = Holds | Fails | Open
EVERY_WORD = "all lengths"
NO_VALUE = "no value"
"""Of a formula that divides by zero, say."""
WEIGHTS = Holds("the weights", "")
"""Of what can be read off the weights."""

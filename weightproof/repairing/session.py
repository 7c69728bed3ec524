"""One call of `repair`: the verdict before, the search, and what it has reached when it ends or is interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.inputs import InputError
from weightproof.proofs.prove import prove
from weightproof.proofs.repairing.candidates import KEYS
from weightproof.proofs.repairing.search import Search
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample, Proved, Refuted
from weightproof.reports.proving import Outcome
from weightproof.sources import Source
from weightproof.stating import decides
from weightproof.terminal.progress import progress

ALL, FIRST = 300.0, 30.0
"""Seconds of counted work for the whole search, and at most for the verdict before."""


@dataclass
class Session:
    """What one call has reached so far. before: the verdict on the construction as it is."""

    source: Source
    theorem: Decides
    seconds: float
    """Of counted work, for the whole search."""
    search: Search
    before: Outcome | None = None
    interrupted: bool = False

    @staticmethod
    def of(source: Source, theorem: str | None, kinds: Sequence[str], most: int, timeout: float | None) -> Session:
        """timeout: the limit that the user sets. InputError for what cannot be asked."""
        unknown = [kind for kind in kinds if kind not in KEYS]
        if unknown:
            raise InputError(f"--kind {unknown[0]}: there is no such kind of change; there are {', '.join(KEYS)}")
        if most < 1:
            raise InputError(f"--most {most}: ask for one repair or more")
        stated = decides(source, theorem)
        seconds = ALL if timeout is None else timeout
        return Session(source, stated, seconds, Search(source.construction, stated, tuple(kinds) or KEYS, most))

    def run(self) -> None:
        """The verdict, and where it is a word the search; Ctrl-C ends it early and keeps what is there."""
        try:
            [result] = prove(self.source.construction, [self.theorem], timeout=min(self.seconds, FIRST))
            self.before = Outcome(self.source.argument, self.source.is_named, result)
            verdict = result.verdict
            if isinstance(verdict, Refuted) and isinstance(verdict.counterexample, Counterexample):
                with progress(1.0) as advance:
                    self.search.run(
                        verdict.counterexample,
                        self.seconds,
                        lambda kind, done, count: advance(f"{kind}, {done} of {count}", done / count),
                    )
        except KeyboardInterrupt:
            self.interrupted = True

    @property
    def is_repaired(self) -> bool:
        """Whether a repair was found, or none is needed."""
        proved = self.before is not None and isinstance(self.before.result.verdict, Proved)
        return proved or bool(self.search.found)

    def complaint(self) -> str | None:
        """One line about what did not run to its end, if anything."""
        if self.interrupted:
            return "interrupted; what was searched is above" if self.search.tried else "interrupted"
        if self.search.timed_out and len(self.search.found) < self.search.most:
            return f"given up after {self.seconds:g} s; give more with --timeout SECONDS, or less to search with --kind"
        return None

"""The protocol: what a command line or Python names, and what every verb makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from weightproof.constructions.languages.notation import expand
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import record
from weightproof.kinds import Kind, Measuring, Request, Running, Showing, refusal, require
from weightproof.terminal.streams import waiting

if TYPE_CHECKING:
    from weightproof.document.blocks import Table
    from weightproof.measuring.session import Search
    from weightproof.named import Named
    from weightproof.proofs.prover import Provable as Theorem
    from weightproof.proofs.prover import Reached
    from weightproof.proofs.verdict import Folders, Result
    from weightproof.reported import Ran, Shown
    from weightproof.reports.claiming import Claimed, ToJudge
    from weightproof.reports.explanation import Derivable, Explanation
    from weightproof.reports.proving import Stated
    from weightproof.results import Derived, DerivedSteps


Results = Callable[[float, "Folders"], "Iterator[Result]"]
"""Of theorems, with so many seconds of counted work for each; their proofs are written to folders, if any."""


@dataclass(frozen=True)
class Listing:
    """The lines of `list` about some subjects: under which name in its JSON, with which rows, and as a table, or in
    one line."""

    name: str
    rows: Sequence[dict[str, Any]]
    table: Table | None = None
    line: str = ""


class Subject:
    """What was named. Verbs that its kind does not take are refused, and so are options, in one line: by the table of
    kinds before anything is done, and by the defaults here, so that no kind can answer by another one's means.

    argument: as a command line says it; is_named: a command line can name it.
    """

    kind: ClassVar[Kind]
    argument: str
    is_named: bool = True

    @property
    def name(self) -> str:
        """What documents call it."""
        return self.argument

    @property
    def source(self) -> Named | None:
        """The construction that it is, if it is one."""
        return None

    def show(self, how: Showing) -> Shown:
        self._require("show", how)
        return self._show(how)

    def run(self, word: str, how: Running) -> Ran:
        """A word, which may be written with powers, as 1{9}(01){4}. InputError for what is no text."""
        self._require("run", how)
        if not isinstance(word, str):
            raise InputError(f"{self.argument}: the word {word!r} is no text; write it in quotes, as '01'")
        spelt = expand(word, self._alphabet)
        with waiting(f"running {self.name}"):
            return self._run(spelt, how)

    def statements(self) -> Stated:
        self._require("prove")
        from weightproof.reports.proving import Stated

        number, results = len(self._said()), self._results()
        transforms = 0 if self.source is None else len(self.source.transforms)
        return Stated(self.argument, self.is_named, number, results, self._content, transforms)

    def derivation(self) -> Derivable:
        self._require("derive")
        from weightproof.reports.explanation import Derivable, in_time

        explained = partial(in_time, self.name, self._explained)
        return Derivable(self.argument, self.name, explained, self._settled, self._decisive, self.source, self.is_named)

    def derive(self) -> Derived | DerivedSteps:
        """What Python gets; InputError where there is no closed form."""
        self._require("derive")
        return self._derive()

    def claims(self) -> Claimed:
        """InputError where nothing is claimed about it."""
        self._require("claims")
        if (hint := self._without_claims) is not None:
            raise InputError(f"{self.argument}: no claims are known about it; {hint}")
        from weightproof.reports.claiming import Claimed

        return Claimed(self.name, self.argument, self._content, self._to_judge)

    def searches(self, how: Measuring) -> list[Search]:
        """For where rounding breaks it; InputError for what cannot be run."""
        self._require("precision", how)
        return [*self._searches(how)]

    @property
    def attentions(self) -> tuple[str, ...]:
        """The kinds of attention by which it is run in floating point."""
        from weightproof.numeric.model.transformer import IMPLEMENTATIONS

        return IMPLEMENTATIONS

    @property
    def is_measurable(self) -> bool:
        """Whether there is something that rounding could break."""
        return True

    def network(self, verb: str) -> Named:
        """The construction, for a verb that takes nothing else."""
        self._require(verb)
        assert self.source is not None
        return self.source

    def _require(self, verb: str, how: Request | None = None) -> None:
        require(self.argument, self.kind, verb, (*self._transforms, *(() if how is None else how.given)))

    @property
    def _transforms(self) -> tuple[str, ...]:
        return ()

    @property
    def _alphabet(self) -> Sequence[str]:
        """Symbols that stand for themselves in a word, whatever its powers are written with."""
        return ()

    def _show(self, how: Showing) -> Shown:
        raise refusal(self.argument, self.kind, "show")

    def _run(self, word: str, how: Running) -> Ran:
        raise refusal(self.argument, self.kind, "run")

    def _content(self) -> dict[str, Any]:
        """All that decides what its theorems come to, beside the program, as data."""
        from weightproof.parallel.program import beside

        source, theorems = self.source, self._said() if "prove" in self.kind.takes else ()
        if source is None:
            return {"theorems": theorems, "files": beside(self.argument)}
        return {"construction": record(source.construction), "theorems": theorems, "files": beside(source.named)}

    def _decisive(self) -> dict[str, Any]:
        """All that decides what a document tells of it, beside the program, as data: what is printed about it, too."""
        if "claims" not in self.kind.takes or self._without_claims is not None:
            return self._content()
        return self.claims().content()

    def _said(self) -> Sequence[Any]:
        """What each of its theorems says, as data."""
        return [each.said for each in self._theorems()]

    def _results(self) -> Results:
        """Those of its theorems."""
        theorems = self._theorems()

        def results(seconds: float, folders: Folders) -> Iterator[Result]:
            from weightproof.proofs.prover import proved

            return proved(theorems, seconds, folders)

        return results

    def _theorems(self) -> Sequence[Theorem]:
        raise refusal(self.argument, self.kind, "prove")

    def _settled(self) -> list[tuple[Result, Reached]]:
        from weightproof.proofs.prover import settled

        return list(settled(self._theorems()))

    def _explained(self) -> Explanation:
        raise refusal(self.argument, self.kind, "derive")

    def _derive(self) -> Derived | DerivedSteps:
        from weightproof.results import DerivedSteps

        return DerivedSteps(self.derivation())

    @property
    def _without_claims(self) -> str | None:
        """What to do, where nothing is claimed about it."""
        return None

    def _to_judge(self) -> ToJudge:
        raise refusal(self.argument, self.kind, "claims")

    def _searches(self, how: Measuring) -> Iterable[Search]:
        raise refusal(self.argument, self.kind, "precision")

"""One call of `precision`: searches made one after the other, whatever they are of. Rows are kept in a file as soon as
they are measured, and those that are there are not measured again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Protocol

from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import Measuring
from weightproof.measuring.kept import Row, Rows, added, refused, taken_up
from weightproof.measuring.machine import machine
from weightproof.parallel.pieces import Gone, Workers
from weightproof.terminal.streams import progress

DTYPES = ("float64", "float32", "bfloat16", "float16")
Advance = Callable[[str, float], None]
"""Is told what is being done, and which share of the search is done."""


@dataclass(frozen=True)
class Place:
    """In what a network is run, where, how, and how far: symbols of the longest words, unless a search says of what."""

    dtype: str
    device: str
    attention: str
    max_length: int

    def key(self, construction: str, sha256: str, **of_its_kind: object) -> Row:
        """What the rows of one search have in common; kernel: the fused one, None where attention is not fused, or has
        none there."""
        from weightproof.numeric.model.kernels import kernel_of

        kernel = kernel_of(self.attention, self.device, self.dtype)
        return {"construction": construction, "sha256": sha256, **of_its_kind, **asdict(self), "kernel": kernel}


@dataclass(frozen=True)
class Again:
    """What the witness of a row comes to when it is run once more. fails: it is decided as the row says, and wrongly;
    same: all numbers are those of the row, to the bit; said: what is computed, in a line."""

    fails: bool
    same: bool
    said: str


class Search(Protocol):
    """One search for where rounding breaks a network."""

    @property
    def key(self) -> Row:
        """What a row that was measured before has to share with it to be its row."""

    def done(self, kept: Rows) -> bool:
        """Whether all that it comes to is known."""

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        """Its rows, and laws of certificates; kept: what is known by now."""

    def again(self, row: Row) -> Again:
        """The witness of one of its rows, run here; InputError where that is no word of the network."""


@dataclass(frozen=True)
class RowSearch:
    """A search that comes to one row. doing: what progress says of it; rule: what a lost word breaks; found: columns
    behind the key and the rule; once_more: runs the witness of such a row; unfound: those of its kind, where attention
    may be fused and no such kernel runs it."""

    doing: str
    key: Row
    rule: str
    found: Callable[[], Row]
    once_more: Callable[[Row], Again]
    unfound: Row = field(default_factory=dict)

    def done(self, kept: Rows) -> bool:
        return bool(kept.of(self.key))

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        from weightproof.numeric.model.kernels import NoKernel

        advance(self.doing, 0)
        try:
            found = self.found()
        except NoKernel as error:
            found = self.unfound | refused(error)
        return Rows(rows=({**self.key, "rule": self.rule, **found},))

    def again(self, row: Row) -> Again:
        if row["rule"] != self.rule:
            raise InputError(f"{row['construction']}: its rule is {self.rule!r}, and not {row['rule']!r}")
        return self.once_more(row)


def places(how: Measuring, attention: str = "strict", least: int = 1, unit: str = "word") -> list[Place]:
    """All that are asked for, the lowest precision first; attention: where none is named. InputError where the longest
    are shorter than `least`."""
    from weightproof.numeric.rounding.formats import FORMATS

    if how.max_length < least:
        raise InputError(f"--max-length {how.max_length} leaves no {unit} to run: give {least} or more")
    devices, attentions = dict.fromkeys(how.devices or ("cpu",)), dict.fromkeys(how.attentions or (attention,))
    named = dict.fromkeys(how.dtypes or DTYPES)
    dtypes = sorted(named, key=lambda dtype: FORMATS[dtype].precision if dtype in FORMATS else 0)
    return [Place(dtype, device, kind, how.max_length) for device, kind, dtype in product(devices, attentions, dtypes)]


Wanted = Callable[[], Sequence[Search]]


def measure(wanted: Wanted, file: Path | None, workers: Workers | None = None) -> tuple[Rows, bool, Gone | None]:
    """The rows of all of them; whether Ctrl-C ended it, or those went away who measured, with the rows that were
    reached. InputError where a network has no value on some word, and where the file is no file of results.

    wanted: is asked for them here, and once more in each process of the workers. workers: who measures, all searches
    for one network one after the other; this process, if none are given, as a network is run by all cores already.
    """
    kept, interrupted, gone = taken_up(file), False, None
    every = wanted()
    missing = [number for number, search in enumerate(every) if not search.done(kept)]
    try:
        with progress(len(missing)) as advance:
            if workers is None:
                for place, number in enumerate(missing):
                    if every[number].done(kept):  # another process has measured it in the meantime
                        continue
                    new = _measured(every[number], kept, _after(place, advance))
                    kept = added(kept, new, file, place == len(missing) - 1)
            else:
                advance("", 0)
                pieces = partial(_pieces, wanted, kept, missing)
                spread = workers.spread(pieces, range(len(_by_network(every, missing))))
                for place, (_, _, new) in enumerate(spread, start=1):
                    kept = added(kept, new, file, False)
                    advance(new.rows[0]["construction"], place)
        if not kept.complete:
            kept = added(kept, Rows(), file, True)
    except KeyboardInterrupt:
        interrupted = True
    except Gone as error:
        gone = error
    rows = tuple(row for search in every for row in kept.of(search.key))
    return replace(kept, rows=rows, complete=not interrupted and gone is None), interrupted, gone


def _after(searches: int, advance: Advance) -> Advance:
    """Tells of the search after so many how much is done of all."""
    return lambda doing, share: advance(doing, searches + share)


def _measured(search: Search, kept: Rows, advance: Advance) -> Rows:
    """What a search comes to on this computer; all its rows or none."""
    try:
        new = search.measured(kept, advance)
    except ArithmeticError as error:
        raise InputError(f"{search.key['construction']}: no value on some word: {error}") from error
    rows = tuple({**row, "refused": row.get("refused"), "machine": 0} for row in new.rows)
    return replace(new, machines=(machine(),), rows=rows)


def _by_network(every: Sequence[Search], missing: Sequence[int]) -> list[list[Search]]:
    """The searches that are missing: those for one network together, as one goes on from what another has found."""
    found: dict[str, list[Search]] = {}
    for number in missing:
        found.setdefault(every[number].key["construction"], []).append(every[number])
    return [*found.values()]


def _pieces(wanted: Wanted, kept: Rows, missing: Sequence[int]) -> list[Callable[[], Iterator[Rows]]]:
    return [partial(_piece, searches, kept) for searches in _by_network(wanted(), missing)]


def _piece(searches: Sequence[Search], kept: Rows) -> Iterator[Rows]:
    for search in searches:
        new = _measured(search, kept, lambda doing, share: None)
        kept = kept.joined(new)
        yield new

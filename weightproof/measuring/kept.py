"""The results of `precision`, in memory and in a file: what stands in a row, one way to read them, and one
to put more of them there.

What is in a file is read anew whenever something is added, under a lock: several processes that keep their rows in one
file lose none. A file may have been written by hand; its rows are checked before anything is made of them.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from weightproof import keeping
from weightproof.constructions.files import locked
from weightproof.constructions.meaning.inputs import InputError

Row = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """said: what it is, as a sentence goes on after "is 3, and not"."""

    said: str
    holds: Callable[[Any], bool]

    @property
    def or_null(self) -> Kind:
        return Kind(f"{self.said}, or null", lambda value: value is None or self.holds(value))


def _is_whole(value: Any, least: float = -math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: Any, least: float = -sys.float_info.max) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and least <= value <= sys.float_info.max


def _is_list(value: Any, of: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(of, value))


def _is_stretch(value: Any) -> bool:
    return _is_list(value, _is_whole) and len(value) == 2


def _is_object(value: Any, wanted: Columns) -> bool:
    return isinstance(value, dict) and all(name in value and kind.holds(value[name]) for name, kind in wanted.items())


def one_of(names: tuple[str, ...]) -> Kind:
    return Kind(f"one of {', '.join(names)}", lambda value: value in names)


Columns = Mapping[str, Kind]

TEXT = Kind("a text", lambda value: isinstance(value, str))
HASH = Kind("64 hexadecimal digits", lambda value: isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{64}", value)))
WHOLE = Kind("a whole number", _is_whole)
LENGTH = Kind("a whole number from 0 on", partial(_is_whole, least=0))
NUMBER = Kind("a number", _is_number)
TOLERANCE = Kind("a number from 0 on", partial(_is_number, least=0))
TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
FLOAT = Kind(
    "a number, or one of inf, -inf, nan",
    lambda value: value in ("inf", "-inf", "nan") if isinstance(value, str) else _is_number(value),
)
TEXTS = Kind("an object of texts", lambda value: isinstance(value, dict) and all(map(TEXT.holds, value.values())))
NAMES = Kind(
    "an object of texts, or nulls",
    lambda value: isinstance(value, dict) and all(map(TEXT.or_null.holds, value.values())),
)
OBJECTS = Kind("a list of objects", partial(_is_list, of=lambda value: isinstance(value, dict)))
STRETCHES = Kind("a list of pairs of whole numbers", partial(_is_list, of=_is_stretch))


def _witness(**wanted: Kind) -> Kind:
    names = " and ".join(("a text 'word'", *(f"{kind.said} {name!r}" for name, kind in wanted.items())))
    return Kind(f"an object with {names}", partial(_is_object, wanted={"word": TEXT, **wanted})).or_null


NETWORK: Columns = {"construction": TEXT, "sha256": HASH, "parameters": TEXTS}
"""Which network a row, or a law, is of."""


MACHINE: Columns = {"processor": TEXT, "threads": LENGTH, "libraries": TEXTS, "date": TEXT}
"""What a computer is named by."""
RECORDED: Columns = {
    "cpu": TEXT.or_null,
    "capability": TEXT.or_null,
    "blas": NAMES,
    "lapack": NAMES,
    "torch": Kind("an object with a text 'build'", partial(_is_object, wanted={"build": TEXT})),
    "accelerator": TEXT.or_null,
    "driver": TEXT.or_null,
    "cuda": TEXT.or_null,
    "flags": Kind("an object", lambda value: isinstance(value, dict)),
}
"""What is told of one, as far as it was recorded."""


def columns(dtypes: tuple[str, ...], attentions: tuple[str, ...]) -> dict[str, Kind]:
    """Those of every row."""
    return {
        **NETWORK,
        "dtype": one_of(dtypes),
        "device": TEXT,
        "attention": one_of(attentions),
        "kernel": TEXT.or_null,
        "max_length": LENGTH,
        "rule": TEXT,
        "certified_safe_length": WHOLE.or_null,
        "first_failing_length": LENGTH.or_null,
        "least": TRUTH,
        "witness": _witness(),
        "mechanism": TEXT.or_null,
        "searched": TEXT,
        "searched_to": WHOLE,
        "refused": TEXT.or_null,
        "machine": LENGTH,
    }


NOT_LOST: Row = {"first_failing_length": None, "least": False, "witness": None, "mechanism": None}
"""What a row says of a failure where none was found."""


def reached(searched_to: int, looked_to: int) -> Row:
    """What a row says of a search: all words up to one length, and some up to another."""
    said = "exhaustive" if searched_to == looked_to else "sampled"
    return {"searched": said, "searched_to": searched_to, "looked_to": looked_to}


def refused(why: InputError) -> Row:
    """What a row says where nothing was run, as there is no such kernel."""
    return {"certified_safe_length": None, **NOT_LOST, "searched": "nothing", "searched_to": 0, "refused": str(why)}


ENCODER, SIMULATED, PREDICTING, COMPUTING = "tolerance", "simulator", "searched_in_full", "prompts"
"""Columns by which rows are told apart: those of encoders that read out a logit, of networks that run machines, of
networks that predict a token or a class, and of decoders."""
UNCERTIFIED = "uncertified"
"""Why a decoder is not certified, where it is not."""
BESIDE: Mapping[str, Columns] = {
    ENCODER: {
        ENCODER: TOLERANCE.or_null,
        "predicted_length": WHOLE.or_null,
        "luck": TEXT.or_null,
        "followed": TRUTH,
        "of_families": TRUTH,
        "only_in_batches": LENGTH.or_null,
        "in_full": STRETCHES,
        "in_part": OBJECTS,
        "witness": _witness(member=TRUTH, accepts=TRUTH, logit=FLOAT),
    },
    SIMULATED: {SIMULATED: TEXT, "witness": _witness(step=WHOLE, unit=TEXT, computed=TEXT)},
    PREDICTING: {PREDICTING: WHOLE, "witness": _witness(right=TEXT, outputs=TEXTS)},
    COMPUTING: {COMPUTING: LENGTH, UNCERTIFIED: TEXT.or_null, "witness": _witness(right=TEXT, appended=TEXT)},
}
"""What rows that have such a column have beside those of every row."""
LAWS: Columns = {
    **NETWORK,
    ENCODER: TOLERANCE.or_null,
    "form": one_of(("power", "logarithm")).or_null,
    "rate": NUMBER.or_null,
}


def require_kind(row: Row, column: str) -> None:
    """InputError where a row has not the column by which those of its kind are told, and so was not checked for it."""
    if column not in row:
        raise InputError(f"{row['construction']}: its rows have a {column!r}, and this one has none")


def fault(row: Any, wanted: Columns) -> str | None:
    """What is wrong with it, as "'dtype' is ..."; None where nothing is."""
    if not isinstance(row, dict):
        return "is no object"
    for name, kind in wanted.items():
        if name not in row:
            return f"has no {name!r}"
        if not kind.holds(row[name]):
            return f"{name!r} is {_shown(row[name])}, and not {kind.said}"
    return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


SEARCH = (*NETWORK, SIMULATED, "dtype", "device", "attention", "kernel", "max_length", ENCODER)
"""What the rows of one search have in common, as far as they have it."""
LAW = (*NETWORK, ENCODER)
"""What a law has in common with the rows that it is about."""


@dataclass(frozen=True)
class Rows:
    """Rows, the computers that they were measured on, which they name by their place, and laws of certificates.

    complete: whether the call of `precision` that added the last of them was through.
    """

    machines: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    laws: tuple[Row, ...] = ()
    complete: bool = False

    def of(self, key: Mapping[str, Any]) -> list[Row]:
        """The rows that have all of this."""
        return [row for row in self.rows if all(row.get(name) == value for name, value in key.items())]

    def law(self, row: Row) -> Row | None:
        """The law for the network of a row, with its tolerance."""
        return next((law for law in self.laws if all(law.get(name) == row.get(name) for name in LAW)), None)

    def joined(self, others: Rows) -> Rows:
        """These and the others; of a search, or a law, that both have, these. Rows of one search stay together."""
        machines = [*self.machines, *(each for each in others.machines if each not in self.machines)]
        known = {_search(row) for row in self.rows}
        new = [
            row | {"machine": machines.index(others.machines[row["machine"]])}
            for row in others.rows
            if _search(row) not in known
        ]
        laws = [law for law in others.laws if self.law(law) is None]
        return replace(self, machines=tuple(machines), rows=(*self.rows, *new), laws=(*self.laws, *laws))

    @property
    def data(self) -> dict[str, Any]:
        """The JSON."""
        return {name: [*value] if isinstance(value, tuple) else value for name, value in vars(self).items()}


def _search(row: Row) -> str:
    return json.dumps([row.get(name) for name in SEARCH], sort_keys=True)


def read(file: Path) -> Rows:
    """What is in a file of results; InputError where there is none, or it is malformed."""
    try:
        if not file.exists():
            raise InputError(f"{file}: no such file; name one that precision --keep has written")
        return _read(file)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; name a file that can be read") from error


def taken_up(file: Path | None) -> Rows:
    """What earlier calls have kept there; InputError where that is no results of `precision`, or where nothing could be
    written."""
    return Rows() if file is None else keeping.taken_up(file, _read)


def added(known: Rows, new: Rows, file: Path | None, complete: bool) -> Rows:
    """What is known, what is new, and whatever else is in the file by now, which then holds all of it."""
    if file is None:
        return replace(known.joined(new), complete=complete)
    with locked(file):
        whole = replace(_read(file).joined(known).joined(new), complete=complete)
        keeping.put(file, whole.data)
    return whole


def _read(file: Path) -> Rows:
    """Nothing where there is no file."""
    kept = keeping.content(file, "precision", ("machines", "rows", "laws"))
    machines, rows, laws = (tuple(kept[name]) for name in ("machines", "rows", "laws"))
    found = Rows(machines, rows, laws, kept.get("complete") is True)
    if (wrong := _fault(found)) is not None:
        raise InputError(f"{file}: {wrong}; mend it, or name another file")
    return found


def _fault(found: Rows) -> str | None:
    """The first thing that is wrong: where it stands, and what it is."""
    from weightproof.numeric.model.transformer import IMPLEMENTATIONS
    from weightproof.numeric.rounding.formats import FORMATS

    every = columns(tuple(FORMATS), IMPLEMENTATIONS)
    for place, each in enumerate(found.machines):
        told = {name: kind for name, kind in RECORDED.items() if isinstance(each, dict) and name in each}
        if (wrong := fault(each, {**MACHINE, **told})) is not None:
            return f"machines[{place}] {wrong}"
    for place, law in enumerate(found.laws):
        if (wrong := fault(law, LAWS)) is not None:
            return f"laws[{place}]{_named(law)} {wrong}"
    for place, row in enumerate(found.rows):
        beside = [BESIDE[name] for name in BESIDE if isinstance(row, dict) and name in row]
        wanted = {name: kind for some in (every, *beside) for name, kind in some.items()}
        wrong = fault(row, wanted)
        if wrong is None and (row["witness"] is None) != (row["first_failing_length"] is None):
            wrong = "has one of 'witness' and 'first_failing_length', and not the other"
        if wrong is None and row["machine"] >= len(found.machines):
            wrong = f"'machine' is {row['machine']}, of which there are only {len(found.machines)}"
        if wrong is not None:
            return f"rows[{place}]{_named(row)} {wrong}"
    return None


def _named(row: Any) -> str:
    name = row.get("construction") if isinstance(row, dict) else None
    return f", {name}:" if isinstance(name, str) else ""

"""A proof by covering as data: in which sets all words were found to be as a theorem says, to be checked by another
reading of the network. A file of it is JSON, compressed by gzip.

What the sets are of is not said: which words there are, what is to be shown of them, and so what each part is, is
derived from the construction by whoever checks it. Edges are told by their numbers in their layer of the automaton that
reads the words.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError

MOST_FIGURES = 400
"""Before and behind the point of a margin, which floats have not more of."""


@dataclass(frozen=True)
class Shown:
    """A set on which what is to be shown is at least so far from 0, as a decimal."""

    margin: str


@dataclass(frozen=True)
class Ran:
    """A set of no other words than these, tokens with markers, which are as they should be when they are run."""

    words: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Split:
    """A set in parts: by a layer, the words that use some edges there, and how these are covered."""

    layer: int
    parts: tuple[tuple[tuple[int, ...], Sets], ...]


Sets = Shown | Ran | Split
"""How the words of a set are covered."""


@dataclass(frozen=True)
class Positions:
    """Words of so many positions, markers among them, or inputs before which so many tokens stand, in parts: the token
    at the place that is read, None where several are, and how the part is covered."""

    positions: int
    parts: tuple[tuple[str | None, Sets], ...]


@dataclass(frozen=True)
class Certificate:
    """construction: its name; digest: of all that it computes with; theorem: its name; positions: all that it speaks
    of, in their order."""

    construction: str
    digest: str
    theorem: str
    positions: tuple[Positions, ...]


def number_of(sets: Sets) -> int:
    """How many sets these are, without those that are split."""
    return sum(number_of(each) for _, each in sets.parts) if isinstance(sets, Split) else 1


def written(certificate: Certificate, path: Path) -> int:
    """How many bytes its file has, which is the same whenever it is written."""
    text = json.dumps(as_data(certificate), separators=(",", ":"))
    content = gzip.compress(text.encode(), mtime=0)
    write(path, content)
    return len(content)


def as_data(certificate: Certificate) -> dict[str, Any]:
    return {
        "construction": certificate.construction,
        "digest": certificate.digest,
        "theorem": certificate.theorem,
        "positions": [
            {
                "positions": each.positions,
                "parts": [{"token": token, "sets": _sets_data(sets)} for token, sets in each.parts],
            }
            for each in certificate.positions
        ],
    }


def _sets_data(sets: Sets) -> dict[str, Any]:
    match sets:
        case Shown(margin=margin):
            return {"margin": margin}
        case Ran(words=words):
            return {"run": [[*word] for word in words]}
        case Split(layer=layer, parts=parts):
            return {"layer": layer, "parts": [{"edges": [*edges], "sets": _sets_data(each)} for edges, each in parts]}


def read(path: Path) -> Certificate:
    """InputError where a file is none, or no certificate."""
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
        return Certificate(
            _text(data["construction"]),
            _text(data["digest"]),
            _text(data["theorem"]),
            tuple(
                Positions(
                    _whole(each["positions"]),
                    tuple(
                        (None if part["token"] is None else _text(part["token"]), _read_sets(part["sets"]))
                        for part in _several(each["parts"])
                    ),
                )
                for each in _several(data["positions"])
            ),
        )
    except OSError as error:
        told = error.strerror or "it is no file of gzip"
    except (EOFError, zlib.error, ValueError):
        told = "it is not whole, or no JSON"
    except KeyError as error:
        told = f"it has no {error}"
    except (TypeError, RecursionError):
        told = "it is no certificate"
    raise InputError(f"{path}: {told}; have it written by: prove FILE.py --covering DIR")


def _read_sets(data: Mapping[str, Any]) -> Sets:
    if "margin" in data:
        try:
            margin = Decimal(_text(data["margin"]))
        except InvalidOperation as error:
            raise TypeError from error
        if not margin.is_finite() or abs(margin.adjusted()) > MOST_FIGURES:
            raise TypeError
        return Shown(str(margin))
    if "run" in data:
        return Ran(tuple(tuple(map(_text, _several(word))) for word in _several(data["run"])))
    parts = _several(data["parts"])
    return Split(
        _whole(data["layer"]),
        tuple((tuple(map(_whole, _several(each["edges"]))), _read_sets(each["sets"])) for each in parts),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _several(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value

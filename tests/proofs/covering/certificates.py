"""Certificates of proofs by covering, made by the search, and what their check says of them."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest
from weightproof.proofs.covering.certificate import Certificate, as_data, read
from weightproof.proofs.covering.checking.theorem import NONE, pieces
from weightproof.proofs.deciding import decide
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.theorem import Computes, Decides, Predicts
from weightproof.proofs.verdict import Covered, Proved


def certificate(construction: Construction, theorem: Decides | Computes) -> tuple[Certificate, Covered]:
    """That of a theorem which is proved by covering, with what its proof says."""
    verdict, tried = decide(Analysis(construction), theorem, 600)
    assert isinstance(verdict, Proved), verdict
    assert verdict.covered is not None, verdict
    return Certificate(construction.name, digest(construction), theorem.name, tried.covered), verdict.covered


def shown(construction: Construction, theorem: Decides | Predicts | Computes, given: Certificate) -> Covered:
    """What a certificate shows, all lengths together."""
    return sum((found for each in pieces(construction, theorem, given) for found in each()), start=NONE)


def changed(given: Certificate, change: Callable[[Any], object], folder: Path) -> Certificate:
    """Written to a file with a change in its data, and read."""
    data = copy.deepcopy(as_data(given))
    change(data)
    path = folder / "changed.json.gz"
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    return read(path)


def nodes(data: Any, key: str) -> Iterator[dict[str, Any]]:
    """All objects in the data that have this key, and stand for sets."""
    if isinstance(data, dict):
        if key in data and data.keys() <= {"margin", "run", "layer", "parts"}:
            yield data
        data = [*data.values()]
    for each in data if isinstance(data, list) else ():
        yield from nodes(each, key)

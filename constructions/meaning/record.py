"""A construction as plain data, every scalar as its text, and the hash of what theorems about it depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import RootMeanSquare
from weightproof.constructions.scalars.expressions import Expression


def record(construction: Construction) -> dict[str, Any]:
    """Everything but the language's Python functions, which are code."""
    language = construction.language
    return {
        "name": construction.name,
        "title": construction.title,
        "source": construction.source,
        "language": {
            "name": language.name,
            "description": language.description,
            "alphabet": list(language.alphabet),
            "characterisation": language.characterisation.source,
            **({"labels": plain(language.labels)} if language.labels else {}),
        },
        "parameters": plain(construction.parameters),
        "network": plain(construction.network),
    }


def plain(value: Any) -> Any:
    """Dataclasses and mappings as objects, tuples as arrays, scalars as text; without fields that are given by name
    alone, and are None or empty if they are not given, and are not: so that a network without a part is recorded, and
    hashed, as it was before there was such a part."""
    match value:
        case Expression():
            return value.source
        case Mapping():
            return {key: plain(item) for key, item in value.items()}
        case tuple():
            return [plain(item) for item in value]
    if is_dataclass(value):
        found = {field: getattr(value, field.name) for field in fields(value)}
        told = {field.name: plain(each) for field, each in found.items() if not _is_left_out(field, each)}
        return {"kind": "root mean square", **told} if isinstance(value, RootMeanSquare) else told
    return value


def _is_left_out(field: Field[Any], value: Any) -> bool:
    return field.kw_only and (value is None or (value == () and field.default == ()))


def digest(construction: Construction) -> str:
    """SHA-256, in hexadecimal, of the network with all its weights, the parameters, the alphabet and the formulas.

    Entries are hashed in the order in which they are written. Names, titles and Python functions do not count.
    """
    whole = record(construction)
    language = {
        key: whole["language"][key] for key in ("alphabet", "characterisation", "labels") if key in whole["language"]
    }
    return fingerprint({"network": whole["network"], "parameters": whole["parameters"], "language": language})


def fingerprint(value: Any) -> str:
    """SHA-256, in hexadecimal, of data as `plain` writes them."""
    text = json.dumps(plain(value), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

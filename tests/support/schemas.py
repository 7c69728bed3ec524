"""The schemas of what the commands write with --json, and how a document is held against one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.support.places import ROOT

SHARED = "shared"
FILES: dict[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "weightproof" / "schemas").glob("*.json"))
}
COMMANDS = FILES.keys() - {SHARED}
_REGISTRY: Any = Registry().with_resources(
    [(f"{name}.json", Resource.from_contents(schema)) for name, schema in FILES.items()]
)
_VALIDATORS: dict[str, Any] = {name: Draft202012Validator(schema, registry=_REGISTRY) for name, schema in FILES.items()}
Place = tuple[str | int, ...]
"""The keys and places that lead to a value of a document."""


def faults(command: str, document: Any) -> list[str]:
    """What is wrong with a document of a command: where, and what."""
    return [f"{error.json_path} {error.message}" for error in _VALIDATORS[command].iter_errors(document)]


def is_valid(command: str, document: Any) -> bool:
    return bool(_VALIDATORS[command].is_valid(document))


def described(file: str, value: Any) -> Iterator[tuple[Place, Any]]:
    """The places of a document, each with a part of its schema that is about it. Of a choice it is what holds."""
    yield from _described(file, FILES[file], value, ())


def _described(file: str, schema: Any, value: Any, at: Place) -> Iterator[tuple[Place, Any]]:
    yield at, schema
    if "$ref" in schema:
        named, _, name = schema["$ref"].partition("#/$defs/")
        home = named.removesuffix(".json") or file
        yield from _described(home, FILES[home]["$defs"][name], value, at)
    chosen = [part for part in schema.get("anyOf", ()) if _VALIDATORS[file].evolve(schema=part).is_valid(value)]
    for part in (*schema.get("allOf", ()), *chosen):
        yield from _described(file, part, value, at)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for key, inner in value.items():
            yield from _described(file, known.get(key, others), inner, (*at, key))
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for place, inner in enumerate(value):
            yield from _described(file, [*first, *[schema.get("items", {})] * len(value)][place], inner, (*at, place))

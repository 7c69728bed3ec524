"""What is wrong with the parts that all data are made of: fields of another type than the schema says, alphabets, and
matrices and vectors, whose names may not exist and whose entries may be no scalars.

Each generator yields what is wrong and may rely on nothing being wrong before, here and in the other checks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from reprlib import repr as short

from weightproof.constructions.checks.scalars import Known, scalar_problems
from weightproof.constructions.meaning.schema import Linear, Rows
from weightproof.constructions.scalars.expressions import Expression


def types(value: object, place: str, /, **expected: type) -> Iterator[str]:
    """The fields of `value` have the types that the schema says."""
    for field, kind in expected.items():
        found = getattr(value, field)
        if not _is(found, kind):
            yield f"{place}: {field} is {short(found)}, not a {kind.__name__}"


def _is(found: object, kind: type) -> bool:
    """Whether it is of a type; what is true or false is no number."""
    return isinstance(found, kind) and (kind is bool or not isinstance(found, bool))


def tuples(value: object, place: str, /, **expected: type) -> Iterator[str]:
    """The fields of `value` are tuples, each entry of the type that the schema says."""
    yield from types(value, place, **dict.fromkeys(expected, tuple))
    for field, kind in expected.items():
        for number, found in enumerate(getattr(value, field), start=1):
            if not _is(found, kind):
                yield f"{place}: {field}, entry {number} is {short(found)}, not a {kind.__name__}"


def alphabet_problems(value: object, place: str) -> Iterator[str]:
    """Of a field `alphabet`: words are written as text, a character a symbol."""
    yield from tuples(value, place, alphabet=str)
    alphabet: tuple[str, ...] = value.alphabet  # type: ignore[attr-defined]
    if not alphabet or len(set(alphabet)) != len(alphabet):
        yield f"{place}: the alphabet is empty or repeats a symbol"
    for symbol in alphabet:
        if len(symbol) != 1:
            yield f"{place}: symbols of the alphabet are single characters, not {symbol!r}; take one for it"
        if not symbol.isprintable():
            yield f"{place}: symbol {symbol!r} of the alphabet cannot be printed; take another character"


def distinct(names: Iterable[object], place: str) -> Iterator[str]:
    """Names of coordinates, each once."""
    seen: set[object] = set()
    for name in names:
        if not isinstance(name, str) or not name or not name.isprintable():
            yield f"{place}: {short(name)} is no name"
        if name in seen:
            yield f"{place}: {name!r} stands twice"
        seen.add(name)


def linear_problems(
    linear: Linear,
    outputs: tuple[str, ...] | None,
    inputs: tuple[str, ...],
    names: Known,
    place: str,
) -> Iterator[str]:
    if not isinstance(linear, Linear):
        yield f"{place}: {short(linear)} is no Linear"
    yield from row_problems(linear.weights, outputs, inputs, names, place)
    yield from column_problems(linear.bias, outputs, names, f"{place}, bias")


def row_problems(
    rows: Rows,
    outputs: tuple[str, ...] | None,
    inputs: tuple[str, ...],
    names: Collection[str] | Known,
    place: str,
    kind: str = "row",
) -> Iterator[str]:
    yield from _names(rows, outputs, place, kind)
    for row, columns in rows.items():
        yield from column_problems(columns, inputs, names, f"{place}, {kind} {row!r}")


def column_problems(
    entries: Mapping[str, Expression], allowed: tuple[str, ...] | None, names: Collection[str] | Known, place: str
) -> Iterator[str]:
    yield from _names(entries, allowed, place, "coordinate")
    sound: set[Expression] = set()  # a row has many equal weights
    for column, weight in entries.items():
        if isinstance(weight, Expression) and weight in sound:
            continue
        yield from scalar_problems(weight, names, f"{place}, coordinate {column!r}")
        sound.add(weight)


def _names(entries: object, allowed: tuple[str, ...] | None, place: str, kind: str) -> Iterator[str]:
    if not isinstance(entries, Mapping):
        yield f"{place}: {short(entries)} is no mapping from names"
    else:
        for name in entries:
            if not isinstance(name, str) or not name or not name.isprintable():
                yield f"{place}: {kind} {short(name)} is no name"
            if allowed is not None and name not in allowed:
                yield f"{place}: {_unknown(kind, name, allowed)}"


def _unknown(kind: str, name: object, allowed: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    lowered = {other.lower(): other for other in allowed}
    close = get_close_matches(str(name).lower(), lowered, n=1)
    hint = f"did you mean {lowered[close[0]]!r}?" if close else f"there are {', '.join(map(repr, allowed))}"
    return f"{kind} {short(name)} does not exist; {hint}"

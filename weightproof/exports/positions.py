"""Position encodings and the scales of heads as tables: what may depend on the number n of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.values import evaluate
from weightproof.exports.subject import Subject, depends_on_length

if TYPE_CHECKING:
    import torch

LARGEST = 1 << 28
"""Bytes of a table."""


def encodings_depend_on_length(subject: Subject) -> bool:
    return depends_on_length(tuple(subject.network.embedding.PE.values()))


def table(subject: Subject, n: int) -> torch.Tensor:
    """The position encodings of words of n positions, each rounded once: [n, d_model]."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, over_positions

    network, format = subject.network, FORMATS[subject.options.dtype]
    result = torch.zeros(n, len(network.coordinates), dtype=torch.float64)
    for coordinate, encoding in network.embedding.PE.items():
        try:
            values = over_positions(encoding, subject.names, n, format)
        except (InputError, ArithmeticError) as error:
            raise InputError(f"{subject.construction.name}: of words of {n} positions {error}") from error
        result[:, network.coordinates.index(coordinate)] = torch.from_numpy(values)
    return result.to(DTYPES[subject.options.dtype])


def tables(subject: Subject) -> torch.Tensor:
    """W_pos of words of up to max_length symbols, N positions: [N, d_model] where encodings do not depend on n, and
    else [N + 1, N, d_model], of which W_pos[n, :n] is for words of n positions; the rest is 0."""
    import torch

    most, width = subject.positions(subject.max_length), len(subject.network.coordinates)
    each = encodings_depend_on_length(subject)
    if 8 * width * most * (most + 1 if each else 1) > LARGEST:
        raise InputError(f"--max-length {subject.max_length}: the position tables get too large; give less")
    if not each:
        return table(subject, most)
    first = table(subject, most)
    result = torch.zeros(most + 1, most, width, dtype=first.dtype)
    for n in _lengths(subject):
        result[n, :n] = table(subject, n)
    return result


def scales(subject: Subject) -> dict[str, torch.Tensor]:
    """By the name of a layer's attention what multiplies its scores: [heads], or, where one depends on n, [N + 1,
    heads] by the number of positions; where there is no word of so many, 0."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, rounded

    format, dtype = FORMATS[subject.options.dtype], DTYPES[subject.options.dtype]
    most, found = subject.positions(subject.max_length), {}
    for number, layer in enumerate(subject.network.layers):
        if not layer.heads:
            continue
        each = depends_on_length([head.scale for head in layer.heads])
        result = torch.zeros(most + 1 if each else 1, len(layer.heads), dtype=torch.float64)
        for n in _lengths(subject) if each else [0]:
            names = {**subject.names, "n": fmpq(n)}
            exact = [rounded(evaluate(head.scale, names), format) for head in layer.heads]
            result[n] = torch.tensor(exact, dtype=torch.float64)
        found[f"blocks.{number}.attn.scale"] = (result if each else result[0]).to(dtype)
    return found


def _lengths(subject: Subject) -> range:
    """Numbers of positions, those of the empty word first."""
    return range(max(1, subject.positions(0)), subject.positions(subject.max_length) + 1)

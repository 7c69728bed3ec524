"""Position encodings and the scales of heads as tables: what may depend on the number n of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.values import evaluate
from weightproof.exports.exporting import Exporting, depends_on_length

if TYPE_CHECKING:
    import torch

LARGEST_TABLE = 1 << 28
"""Bytes of a table."""


def encodings_depend_on_length(exporting: Exporting) -> bool:
    return depends_on_length(tuple(exporting.network.embedding.PE.values()))


def table(exporting: Exporting, n: int) -> torch.Tensor:
    """The position encodings of words of n positions, each rounded once: [n, d_model]."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, over_positions

    network, format = exporting.network, FORMATS[exporting.options.dtype]
    result = torch.zeros(n, len(network.coordinates), dtype=torch.float64)
    for coordinate, encoding in network.embedding.PE.items():
        try:
            values = over_positions(encoding, exporting.names, n, format)
        except (InputError, ArithmeticError) as error:
            raise InputError(f"{exporting.construction.name}: of words of {n} positions {error}") from error
        result[:, network.coordinates.index(coordinate)] = torch.from_numpy(values)
    return result.to(DTYPES[exporting.options.dtype])


def tables(exporting: Exporting) -> torch.Tensor:
    """W_pos of words of up to max_length symbols, N positions: [N, d_model] where encodings do not depend on n, and
    else [N + 1, N, d_model], of which W_pos[n, :n] is for words of n positions; the rest is 0."""
    import torch

    most, width = exporting.positions(exporting.max_length), len(exporting.network.coordinates)
    each = encodings_depend_on_length(exporting)
    if 8 * width * most * (most + 1 if each else 1) > LARGEST_TABLE:
        raise InputError(f"--max-length {exporting.max_length}: the position tables get too large; give less")
    if not each:
        return table(exporting, most)
    first = table(exporting, most)
    result = torch.zeros(most + 1, most, width, dtype=first.dtype)
    for n in _lengths(exporting):
        result[n, :n] = table(exporting, n)
    return result


def scales(exporting: Exporting) -> dict[str, torch.Tensor]:
    """By the name of a layer's attention what multiplies its scores: [heads], or, where one depends on n, [N + 1,
    heads] by the number of positions; where there is no word of so many, 0."""
    import torch

    from weightproof.numeric.model.parts import DTYPES
    from weightproof.numeric.rounding.formats import FORMATS, rounded

    format, dtype = FORMATS[exporting.options.dtype], DTYPES[exporting.options.dtype]
    most, found = exporting.positions(exporting.max_length), {}
    for number, layer in enumerate(exporting.network.layers):
        if not layer.heads:
            continue
        each = depends_on_length([head.scale for head in layer.heads])
        result = torch.zeros(most + 1 if each else 1, len(layer.heads), dtype=torch.float64)
        for n in _lengths(exporting) if each else [0]:
            names = {**exporting.names, "n": fmpq(n)}
            exact = [rounded(evaluate(head.scale, names), format) for head in layer.heads]
            result[n] = torch.tensor(exact, dtype=torch.float64)
        found[f"blocks.{number}.attn.scale"] = (result if each else result[0]).to(dtype)
    return found


def _lengths(exporting: Exporting) -> range:
    """Numbers of positions, those of the empty word first."""
    return range(max(1, exporting.positions(0)), exporting.positions(exporting.max_length) + 1)

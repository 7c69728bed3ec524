"""One run as a picture: attention of each head, the residual stream layer by layer, and the logit with its closed form.

The same run gives the same bytes: no date, no settings of the user.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from weightproof.constructions.files import require_place, write
from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import Run, parameter_values
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.meaning.trace import Trace, trace
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.values import Number
from weightproof.proofs.quantities.analysis import derived_in_time
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.writing.plain import closed_form
from weightproof.terminal.digits import cell, equation

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import RcStyleType


WIDTH, DPI = 12.0, 120
"""Inches, and pixels of each in a PNG."""
HEADS = 3
"""Heat maps of attention side by side."""
WRITTEN, LABELLED = 12, 36
"""Positions up to which the numbers stand in the cells, and up to which each position has its symbol."""
LONGEST_NUMBER = 6
"""Characters of an exact number in a cell; a longer one has three digits."""
MAP, LETTER = 240.0, 0.62
"""Points across a heat map of attention; the width of a letter, of the size of its font."""
EVERY = 10
"""Of more positions than LABELLED, the number of one in so many."""
COLOURS = "by the square root of the share of the greatest value, so that small ones are seen"
DARK = 0.4
"""Of the greatest value; the numbers in cells of more are white."""
ATTENTION, STREAM, NOTHING = "Blues", "RdBu_r", "#eeeeee"
STYLE: RcStyleType = [
    "default",
    {"font.size": 9, "svg.hashsalt": "weightproof", "svg.fonttype": "none", "text.parse_math": False},
]


@dataclass(frozen=True)
class Pictured:
    """What is drawn. closed_form: the logit of every word, as text, or why there is none; at_word: its value on this
    word."""

    construction: Construction
    word: str
    parameters: str
    run: Run
    trace: Trace
    closed_form: str
    at_word: Number | None


def draw(pictured: Pictured, path: Path) -> None:
    """Writes an SVG or a PNG, as the name ends. OSError where it cannot be written."""
    write(path, drawn(pictured, path.suffix.removeprefix(".")))


def drawn(pictured: Pictured, format: str) -> bytes:
    """The picture, as an "svg" or a "png"."""
    from matplotlib import style

    with style.context(STYLE):
        figure = _figure(pictured)
        metadata = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        file = BytesIO()
        figure.savefig(file, format=format, dpi=DPI, metadata=metadata)
    return file.getvalue()


def _figure(pictured: Pictured) -> Figure:
    from matplotlib.figure import Figure

    network, count = _network(pictured), len(pictured.run.tokens)
    heads = [(layer, number) for layer, each in enumerate(network.layers) for number, _ in enumerate(each.heads)]
    rows = math.ceil(len(heads) / HEADS)
    head_height = WIDTH / HEADS + 0.25
    stream_height = 0.75 + 0.2 * len(network.coordinates)
    text = _text(pictured)
    heights = [0.3 + 0.18 * (text.count("\n") + 1), rows * head_height, (len(network.layers) + 1) * stream_height]
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    parts: Sequence[SubFigure] = list(
        figure.subfigures(
            3 if heads else 2, 1, squeeze=False, height_ratios=[height for height in heights if height]
        ).flat
    )
    parts[0].text(0.01, 0.5, text, va="center", family="monospace", fontsize=9)
    if heads:
        panels = parts[1].subplots(rows, HEADS, squeeze=False)
        for axes, each in zip(panels.flat, [*heads, *[None] * (rows * HEADS - len(heads))], strict=True):
            if each is None:
                axes.set_axis_off()
            else:
                _attention(axes, pictured, *each)
    _streams(parts[-1], pictured, count)
    return figure


def _network(pictured: Pictured) -> Encoder:
    return pictured.construction.encoder


def _text(pictured: Pictured) -> str:
    """What stands above the pictures: the word, the logit, and its closed form."""
    construction, result = pictured.construction, pictured.run
    rule = _network(pictured).readout.accept
    lines = [
        f"{construction.name} on {compact(pictured.word)!r}" + f", {pictured.parameters}" * bool(pictured.parameters),
        f"logit of the run         {equation(result.logit)}, {'accepts' if result.accepts else 'rejects'} ({rule})",
    ]
    if pictured.at_word is not None:
        lines.append(f"closed form at the word  {equation(pictured.at_word)}")
    lines += [f"closed form              {line}" for line in _wrapped(pictured.closed_form)[:1]]
    lines += [f"                         {line}" for line in _wrapped(pictured.closed_form)[1:]]
    lines.append(f"colours                  {COLOURS}")
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    return [piece for line in text.splitlines() for piece in textwrap.wrap(line, 118) or [""]]


def _attention(axes: Axes, pictured: Pictured, layer: int, number: int) -> None:
    """One head: a row for each query, a column for each key, white where the weight is 0, grey where a key is not seen.
    Of a long word the row that is read stands once more above all."""
    head: Head = _network(pictured).layers[layer].heads[number]
    weights = pictured.trace.layers[layer].heads[number].weights
    count = len(pictured.run.tokens)
    grid = [[*weights[query], *[None] * (count - len(weights[query]))] for query in range(count)]
    most = max((_float(weight) for row in grid for weight in row if weight is not None), default=0.0)
    _map(axes, grid, ATTENTION, most)
    _symbols(axes, pictured.run.tokens, both=True)
    kind = " ".join(part for part in (head.mask if head.mask != "none" else "", head.normaliser) if part)
    title = f"layer {layer + 1}, head {number + 1} ({kind}); darkest {_short(most)}"
    places = {"first": 0, "last": count - 1, "sum": None, "mean": None}
    read = Choices("the picture").of("readout position", _network(pictured).readout.position, places)
    if read is None or count <= LABELLED:
        axes.set_title(title, fontsize=9)
    else:  # in the map it is a line that is hardly seen
        strip = axes.inset_axes((0.0, 1.02, 1.0, 0.07))
        _map(strip, [grid[read]], ATTENTION, most)
        strip.set_xticks([])
        strip.set_yticks([0], [pictured.run.tokens[read]], fontsize=8)
        strip.set_title(title, fontsize=9)
    axes.set_xlabel("key position")
    axes.set_ylabel("query position")


def _streams(part: SubFigure, pictured: Pictured, count: int) -> None:
    """The stream after the embedding and after each layer: a row for each coordinate, with one scale of colours for it
    in all of them, up to its greatest absolute value, which stands beside it."""
    network, streams = _network(pictured), pictured.run.streams
    names = network.coordinates
    most = {name: max((abs(_float(v[name])) for stream in streams for v in stream if v), default=0.0) for name in names}
    panels = part.subplots(len(streams), 1, squeeze=False)
    for number, (axes, stream) in enumerate(zip(panels.flat, streams, strict=True)):
        grid = [[vector.get(name) for vector in stream] for name in names]
        shares = [
            [None if x is None else _float(x) / (most[name] or 1.0) for x in row]
            for name, row in zip(names, grid, strict=True)
        ]
        _map(axes, grid, STREAM, 1.0, shares)
        axes.set_yticks([row - 0.5 for row in range(1, len(names))], minor=True)
        axes.grid(axis="y", which="minor", color="white")
        axes.tick_params(which="minor", length=0)
        _symbols(axes, pictured.run.tokens, both=False)
        axes.set_yticks(range(len(names)), names)
        axes.set_title(f"residual stream after layer {number}" if number else "embedding", fontsize=9)
        beside = axes.secondary_yaxis("right")
        beside.set_yticks(range(len(names)), [f"±{_short(most[name])}" if most[name] else "0" for name in names])
        beside.tick_params(length=0)


Grid = Sequence[Sequence[Number | None]]


def _map(
    axes: Axes,
    grid: Grid,
    colours: str,
    most: float,
    shares: Sequence[Sequence[float | None]] | None = None,
) -> None:
    """A heat map, with its numbers in the cells where there are few positions. shares: what is coloured instead of the
    numbers."""
    import numpy as np
    from matplotlib.colors import FuncNorm

    shown = [[None if x is None else _float(x) for x in row] for row in grid] if shares is None else shares
    values = np.array([[np.nan if x is None else x for x in row] for row in shown])
    axes.set_facecolor(NOTHING)
    most = most or 1.0
    roots = FuncNorm((_root, _square), vmin=-most if colours == STREAM else 0.0, vmax=most)
    axes.imshow(values, cmap=colours, norm=roots, aspect="auto", interpolation="nearest")
    if values.shape[1] > WRITTEN:
        return
    for (row, column), value in np.ndenumerate(values):
        number = grid[row][column]
        if number is not None:
            dark = abs(value) > DARK * most
            axes.text(
                column, row, _number(number), ha="center", va="center", fontsize=7, color="white" if dark else "black"
            )


def _root(x: np.ndarray) -> np.ndarray:
    """Of the absolute value, with the sign of x."""
    import numpy as np

    return np.sign(x) * np.sqrt(np.abs(x))


def _square(x: np.ndarray) -> np.ndarray:
    """What `_root` makes of it is x."""
    import numpy as np

    return np.sign(x) * x**2


def _symbols(axes: Axes, tokens: Sequence[str], both: bool) -> None:
    """The symbols along the positions, or where they do not fit the numbers of some positions."""
    fits = len(tokens) <= LABELLED
    places = list(range(len(tokens))) if fits else list(range(0, len(tokens), EVERY))
    labels = list(tokens) if fits else [str(place) for place in places]
    small = 6 if fits and len(tokens) > WRITTEN + 4 else 8
    axes.set_xticks(places, labels, fontsize=small)
    if both:
        axes.set_yticks(places, labels, fontsize=small)
        room = MAP / len(tokens) / (LETTER * small)
        if fits and any((len(a) + len(b) + 1) / 2 > room for a, b in itertools.pairwise(labels)):
            for label in axes.get_xticklabels():
                label.set_rotation(90 if len(label.get_text()) > 1 else 0)


def _float(x: Number) -> float:
    from flint import arb, fmpq

    if isinstance(x, fmpq):
        return int(x.p) / int(x.q)
    return float(x.mid() if isinstance(x, arb) else ball(x).mid())


def _short(x: float) -> str:
    return f"{x:.3g}"


def _number(x: Number) -> str:
    text = cell(x)
    return text if len(text) <= LONGEST_NUMBER else _short(_float(x))


ENDINGS = (".svg", ".png")
LONGEST_DRAWN = 200
"""Symbols of a word that is drawn: a heat map has as many cells as there are pairs of positions."""


def require_drawable(word: str) -> None:
    """InputError where there can be no picture of it."""
    if len(word) > LONGEST_DRAWN:
        raise InputError(f"--picture: a word of {len(word)} symbols is too long to draw; give {LONGEST_DRAWN} or less")


def require_picture(path: Path, word: str) -> None:
    """InputError where there can be no picture of it there."""
    if path.suffix not in ENDINGS:
        raise InputError(f"--picture {path}: a picture is an SVG or a PNG; end its name in .svg or .png")
    require_drawable(word)
    if path.is_dir():
        raise InputError(f"--picture {path}: is a folder; name a file")
    try:
        require_place(path)
    except OSError as error:
        raise InputError(
            f"--picture {path}: {error.strerror}; name a file in a folder that can be written to"
        ) from error


def pictured(construction: Construction, word: str, named: Mapping[str, str], result: Run) -> Pictured:
    """A word that was run at values of parameters, with the closed form where there is one."""
    derivation, values = derived_in_time(construction), parameter_values(construction, named)
    form, at_word = f"none: {derivation}", None
    if isinstance(derivation, Derivation):
        form, at_word = closed_form(derivation), evaluate_logit(derivation, result.tokens, values)
    given = ", ".join(f"{p.name} = {named.get(p.name, p.default)}" for p in construction.parameters)
    traced = trace(construction, result, named)
    return Pictured(construction, word, given, result, traced, form, at_word)

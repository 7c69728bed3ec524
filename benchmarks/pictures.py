"""The pictures of the pages in docs/, from the committed results and from nothing else: `make pictures`.

The same results give the same bytes: no date, no program, no settings of the user. Colours are those of Okabe and Ito,
which readers with any colour vision tell apart; every line is labelled where it ends or lies.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator, StrMethodFormatter

from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from matplotlib.typing import RcStyleType

HERE = Path(__file__).parent
CURVES, PRECISION, LONG = "curves-cpu.json", "precision-cpu.json", "precision-long-cpu.json"
WEIGHT, THROUGHPUT, COVERING = "weight-cpu.json", "throughput-cpu.json", "covering-cpu.json"
LEARNED, MAJORITY = "learning-chiang2022-first-cpu.json", "learning-fraknoi2024-noisy-majority-cpu.json"
DYCK1, DEPTH, EXACT_DYCK1, EXACT_DEPTH = (
    f"learning-steffen2022-{name}-cpu.json"
    for name in ("dyck1", "dyck1-depth", "constructed-dyck1", "constructed-dyck1-depth")
)
ONWARDS = {
    "FIRST": "learning-exact-first-cpu.json",
    "PARITY": "learning-exact-parity-cpu.json",
    "ONE": "learning-exact-one-cpu.json",
    "1-DYCK with a margin": "learning-exact-dyck1-cpu.json",
}
COPIED = "learning-bhattamishra2020-copy-cpu.json"
TRAINED = (LEARNED, MAJORITY, COPIED, DYCK1, DEPTH, EXACT_DYCK1, EXACT_DEPTH, *ONWARDS.values())
COMMANDS = {
    CURVES: "make curves",
    WEIGHT: "make curves",
    COVERING: "make curves",
    PRECISION: "make precision",
    LONG: "make precision-long",
    THROUGHPUT: "make bench",
    **dict.fromkeys(TRAINED, "make learning"),
}

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
COLOURS = (BLUE, "#CC79A7", ORANGE, GREEN)
BELOW: Mapping[str, Any] = {"linewidth": 4, "alpha": 0.4}
ABOVE: Mapping[str, Any] = {"linewidth": 1.2}
"""Of two lines that run into one another: broad and pale, and narrow, so that both are seen."""
PUBLISHED = 37
"""Symbols up to which PALINDROME is reported perfect: Nowak et al. (2022), section 4.1."""
WIDTH, DPI = 8.0, 200
"""1600 pixels, twice the width of a page; what is 10 points here is 14 pixels there."""
STYLE: RcStyleType = [
    "default",
    {
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "lines.linewidth": 1.5,
        "figure.dpi": DPI,
        "figure.constrained_layout.use": True,
    },
]

Row = dict[str, Any]
Results = Mapping[str, list[Row]]
"""File name -> its rows."""


def read(folder: Path, names: Sequence[str] = (CURVES, PRECISION, LONG)) -> Results:
    """The rows of result files; InputError, in one line, where one is missing or is something else."""
    found = {}
    for name in names:
        try:
            payload = json.loads((folder / name).read_text(encoding="utf-8"))
            found[name] = [dict(row) for row in payload["curves" if name == CURVES or name in TRAINED else "rows"]]
        except OSError as error:
            raise InputError(f"{folder / name}: {error.strerror}; make it with: {COMMANDS[name]}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder / name}: no such results; make them anew with: {COMMANDS[name]}") from error
    return found


def row(results: Results, file: str, **wanted: object) -> Row:
    """The first row of a file with these values; InputError, in one line, if there is none."""
    for candidate in results[file]:
        if all(candidate.get(key) == value for key, value in wanted.items()):
            return candidate
    said = ", ".join(f"{key} {value}" for key, value in wanted.items())
    raise InputError(f"{file}: no row with {said}; make it anew with: {COMMANDS[file]}")


def accuracy_parity(results: Results) -> Figure:
    """One panel for each dtype: random words, and the family of hard words, in strict arithmetic."""
    dtypes = ("bfloat16", "float16", "float32")
    figure = Figure(figsize=(WIDTH, 6.4))
    panels = figure.subplots(len(dtypes), 1, sharex=True, sharey=True)
    for axes, dtype in zip(panels, dtypes, strict=True):
        for words, colour, looks in (("random", BLUE, BELOW), ("each count", ORANGE, ABOVE)):
            curve = row(results, CURVES, picture="accuracy-parity", dtype=dtype, words=words)
            axes.plot(curve["lengths"], curve["values"], color=colour, marker=".", markersize=4, **looks)
        table = row(
            results, PRECISION, construction="parity", dtype=dtype, attention="strict", rule="logit > 0",
            parameters={"c": curve["c"]},
        )  # fmt: skip
        _marks(axes, table["certified_safe_length"], table["first_failing_length"], table["least"])
        axes.set(xscale="log", ylim=(-0.05, 1.12), yticks=(0, 0.5, 1))
        axes.set_ylabel(dtype, fontweight="bold")
        axes.axhline(0.5, color=GREY, linewidth=0.5, linestyle=":")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    panels[0].set_xlim(0.9, 1.2 * max(curve["lengths"]))  # of the finest format: all share the axis
    panels[0].set_title("PARITY, strict arithmetic: share of words decided rightly", loc="left")
    panels[-1].text(1.1, 0.32, "random words", color=BLUE)
    panels[-1].text(1.1, 0.12, "words with each number of 1s", color=ORANGE)
    panels[-1].set_xlabel("length of the word")
    return figure


def _marks(axes: Axes, certified: int | None, failing: int | None, least: bool) -> None:
    """The lengths up to which every word is certainly right, shaded, and the least one known to fail."""
    if certified is not None and certified >= 1:
        axes.axvspan(0.9, certified, color=GREEN, alpha=0.15, linewidth=0)
        axes.text(0.95, 0.62, f"certified to {certified:,}", color="#00664B")
    if failing is not None:
        axes.axvline(failing, color="black", linewidth=1, linestyle="--")
        said = f"a word fails at {failing:,} " if least else f"a word fails at {failing:,} or before "
        axes.text(failing, 0.0, said, ha="right", bbox={"color": "white", "alpha": 0.6, "pad": 1})


def failure_lengths(results: Results) -> Figure:
    """One panel for each construction: certified and failing lengths, in strict arithmetic and by its own rule.

    Certified is for any order of sums, and drawn above failing lengths, which would hide it where both are near.

    Only constructions that rounding breaks, and not those that are wrong over the reals already.
    """
    groups: dict[str, list[Row]] = {}
    for candidate in (*results[PRECISION], *results[LONG]):
        if candidate["attention"] == "strict" and candidate["rule"] in ("logit > 0", "logit = 0"):
            groups.setdefault(candidate["construction"], []).append(candidate)
    shown = {name: rows for name, rows in groups.items() if not any(map(_wrong_over_the_reals, rows))}
    if not shown:
        raise InputError(f"{PRECISION}: no row in strict arithmetic; make it anew with: {COMMANDS[PRECISION]}")
    columns = 3
    figure = Figure(figsize=(WIDTH, 2.1 * -(-len(shown) // columns) + 0.3))
    panels = figure.subplots(-(-len(shown) // columns), columns, sharex=True, sharey=True, squeeze=False).flatten()
    for axes in panels[len(shown) :]:
        axes.remove()
    for axes, (name, rows) in zip(panels, sorted(shown.items()), strict=False):
        axes.set_title(name, loc="left", fontweight="bold", fontsize=10)
        axes.plot(*_columns(rows, "certified_safe_length"), color=GREEN, marker=".", linestyle="--", zorder=3)
        axes.plot(*_columns(rows, "first_failing_length"), color=ORANGE)
        for candidate in rows:
            length, full = candidate["first_failing_length"], candidate["least"]
            if length is not None:
                axes.plot(_roundoff(candidate), length, marker="o", color=ORANGE, mfc=ORANGE if full else "white")
        axes.set(xscale="log", ylim=(-0.5, 1e16))
        axes.set_yscale("symlog", linthresh=1, linscale=2)  # which has a place for 0
        axes.set_yticks([0, 1, 1e4, 1e8, 1e12, 1e16], ["0", "1", *(f"$10^{{{power}}}$" for power in (4, 8, 12, 16))])
        axes.yaxis.set_minor_locator(NullLocator())
    ticks = sorted({_roundoff(r) for rows in shown.values() for r in rows})
    for axes in panels[: len(shown)]:
        axes.xaxis.set_minor_locator(NullLocator())
        below = {-11: "\n"}  # beside 2^-8
        axes.set_xticks(ticks, [f"{below.get(power, '')}$2^{{{power}}}$" for power in map(round, map(log2, ticks))])
        axes.tick_params(labelbottom=True)
    panels[0].invert_xaxis()
    panels[0].text(0.05, 0.9, "certified, any order", color=GREEN, transform=panels[0].transAxes)
    panels[0].text(0.05, 0.76, "a word fails, none before", color=ORANGE, transform=panels[0].transAxes)
    panels[0].text(0.05, 0.62, "open: there or before", color=ORANGE, transform=panels[0].transAxes)
    figure.suptitle("Length of words against the unit roundoff u of the format, strict arithmetic", x=0.01, ha="left")
    return figure


def _wrong_over_the_reals(candidate: Row) -> bool:
    return (candidate["mechanism"] or "").startswith("no rounding")


def _columns(rows: Sequence[Row], column: str) -> tuple[list[float], list[int]]:
    """Unit roundoffs, the coarsest first, and lengths from 0 on."""
    points = sorted({(_roundoff(r), r[column]) for r in rows if r[column] is not None and r[column] >= 0}, reverse=True)
    return [u for u, _ in points], [length for _, length in points]


def _roundoff(candidate: Row) -> float:
    from weightproof.numeric.rounding.formats import FORMATS

    return float(FORMATS[candidate["dtype"]].unit_roundoff)


def accuracy_palindrome(results: Results) -> Figure:
    """Nowak et al. (2022), figure 2: with the tolerance of their code, in two formats, and without."""
    figure = Figure(figsize=(WIDTH, 7.2))
    within = "|logit| <= 1e-07"
    shown = (("float32", within, "explicit"), ("float64", within, "explicit"), ("float32", "logit = 0", "strict"))
    panels = figure.subplots(len(shown), 1, sharex=True, sharey=True)
    for axes, (dtype, measure, attention) in zip(panels, shown, strict=True):
        for c, colour, looks in (("log(2)", BLUE, BELOW), ("1/sqrt(6)", ORANGE, ABOVE)):
            curve = row(
                results, CURVES, picture="accuracy-palindrome", c=c, measure=measure, dtype=dtype, attention=attention
            )
            axes.plot(curve["lengths"], curve["values"], color=colour, **looks)
        axes.axhline(0.5, color=GREY, linewidth=0.5, linestyle=":")
        axes.set(ylim=(0.4, 1.05), yticks=(0.5, 0.75, 1))
    panels[0].axvline(PUBLISHED, color="black", linewidth=1, linestyle="--")
    panels[0].text(PUBLISHED + 2, 0.41, f"published as perfect up to {PUBLISHED}")
    panels[0].text(100, 0.9, "base 2, as printed", color=BLUE)
    panels[0].text(100, 0.8, "base exp(1/√6), as in the authors' code", color=ORANGE)
    panels[0].set_title("PALINDROME, float32: share of words decided rightly; |logit| up to 1e-7 accepts", loc="left")
    panels[1].set_title("The same in float64, where the tolerance alone decides", loc="left")
    panels[2].set_title("float32 in strict arithmetic, where only a logit of 0 accepts", loc="left")
    panels[2].set_xlabel("length of the word")
    return figure


def cross_entropy(results: Results) -> Figure:
    """Chiang and Cholak (2022), figure 2, without layer normalisation; beside it what is left to 1 bit."""
    figure = Figure(figsize=(WIDTH, 3.4))
    panels = figure.subplots(1, 2)
    for name, colour in (("parity", BLUE), ("first", ORANGE)):
        for dtype, looks in (("float64", {"linewidth": 4, "alpha": 0.3}), ("float32", {})):
            curve = row(results, CURVES, picture="cross-entropy", construction=name, dtype=dtype)
            panels[0].plot(curve["lengths"], curve["values"], color=colour, **looks)
            panels[1].plot(curve["lengths"], [1 - value for value in curve["values"]], color=colour, **looks)
    for axes in panels:
        axes.set(xscale="log", xlabel="length of the word")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    panels[1].set_yscale("log")
    panels[0].set_title("Cross-entropy in bits, strict float32", loc="left")
    panels[1].set_title("What it lacks to 1 bit (pale: float64)", loc="left")
    panels[0].text(6, 0.82, "FIRST", color=ORANGE)
    panels[0].text(6, 0.96, "PARITY", color=BLUE)
    return figure


def layer_norm(results: Results) -> Figure:
    """One panel for each construction: without layer normalisation, and with it for two values of epsilon."""
    curves = [found for found in results[CURVES] if found["picture"] == "layer norm"]
    names = list(dict.fromkeys(curve["construction"] for curve in curves))
    if not names:
        raise InputError(f"{CURVES}: no curve under layer normalisation; make it anew with: {COMMANDS[CURVES]}")
    looks = ((ORANGE, "no norm"), (BLUE, "$\\epsilon = 10^{-5}$"), (GREEN, "$\\epsilon = 0$"))
    columns = 3
    figure = Figure(figsize=(WIDTH, 5.2))
    panels = figure.subplots(-(-len(names) // columns), columns, sharex=True, sharey=True).flatten()
    for axes in panels[len(names) :]:
        axes.axis("off")
    for axes, name in zip(panels, names, strict=False):
        axes.set_title(name, loc="left", fontweight="bold", fontsize=10)
        mine = [curve for curve in curves if curve["construction"] == name]
        for (colour, _), curve in zip(looks, mine, strict=True):
            axes.plot(curve["lengths"], curve["values"], color=colour)
        axes.set(xscale="log", ylim=(-0.03, 1.05), yticks=(0, 0.5, 1))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    lines = [Line2D([], [], color=colour, label=label) for colour, label in looks]
    figure.legend(handles=lines, loc="upper right", ncols=len(looks), frameon=False, fontsize=10)
    figure.supxlabel("length of the word", fontsize=10)
    figure.suptitle("Cross-entropy in bits, random words, float64", x=0.01, ha="left", fontsize=12)
    return figure


def one_weight(results: Results) -> Figure:
    """Chiang and Cholak (2022), figure 3: PARITY against the weight that counts 1s, the closed form over the points."""
    found = results[WEIGHT]
    if not found:
        raise InputError(f"{WEIGHT}: no rows; make it anew with: {COMMANDS[WEIGHT]}")
    weights = [float(Fraction(each["weight"])) for each in found]
    figure = Figure(figsize=(WIDTH, 4.6))
    for axes, measure in zip(figure.subplots(2, 1, sharex=True), ("cross-entropy", "accuracy"), strict=True):
        axes.plot(weights, [each[f"derived {measure}"] for each in found], color=ORANGE, linewidth=1)
        axes.plot(weights, [each[measure] for each in found], "o", color=BLUE, markersize=2.5)
        axes.set_title({"cross-entropy": "Cross-entropy in bits", "accuracy": "Accuracy"}[measure], loc="left")
    axes.set_xlabel("the weight that counts 1s, 1 where it is right")
    length = found[0]["length"]
    figure.suptitle(
        rf"PARITY, random words of {length} symbols: float64 with $\epsilon = 0$ (points), closed form (line)",
        x=0.01, ha="left", fontsize=12,
    )  # fmt: skip
    return figure


def throughput(results: Results) -> Figure:
    """Symbols a second of one thread against the length, beside a plain dense network and a count of bits."""
    figure = Figure(figsize=(WIDTH, 4.6))
    axes = figure.subplots()
    names = list(dict.fromkeys(each["construction"] for each in results[THROUGHPUT]))
    if not names:
        raise InputError(f"{THROUGHPUT}: no rows; make it anew with: {COMMANDS[THROUGHPUT]}")
    for name, colour, marker in zip(names, (BLUE, ORANGE, GREEN), "os^", strict=True):
        for kind, line in (("explicit", "-"), ("dense", "--"), ("popcount", ":")):
            mine = [each for each in results[THROUGHPUT] if (each["construction"], each["kind"]) == (name, kind)]
            points = [each["n"] for each in mine], [each["symbols a second"] for each in mine]
            axes.plot(*points, line, color=colour, marker=marker, markersize=5, mfc="white", label=name * (line == "-"))
    axes.set(xscale="log", yscale="log", xlabel="positions", ylabel="symbols a second")
    lowest = min(each["symbols a second"] for each in results[THROUGHPUT] if each["kind"] == "explicit")
    axes.text(1.2e3, lowest / 2, "this program (full lines)")
    axes.text(1.2e4, 2e4, "a plain dense network with the same weights (dashed)")
    axes.text(1.2e3, 1.2e9, "numpy counts the bits of the same bytes (dotted)")
    axes.legend([line for line in axes.lines if line.get_linestyle() == "-"], names, frameon=False, loc="center right")
    axes.set_title("Symbols a second of processor time of one thread, float32", loc="left")
    return figure


def covering(results: Results) -> Figure:
    """What covering takes of processor time and memory, and how many sets: against positions, and the width."""
    if not results[COVERING]:
        raise InputError(f"{COVERING}: no rows; make it anew with: {COMMANDS[COVERING]}")
    figure = Figure(figsize=(WIDTH, 7.2))
    panels = figure.subplots(3, 2, sharex="col", sharey="row")
    measures = {"seconds": "seconds of one core", "looked at": "sets that are looked at", "peak MB": "memory in MB"}
    for column, (grows, label) in enumerate({"n": "positions n", "width": "width d"}.items()):
        for k, (rows, told) in enumerate(_covered(results, grows)):
            looks = {"color": (BLUE, ORANGE)[rows[0]["layers"] - 1], "marker": "os^Dv"[k], "mfc": "white"}
            for axes, measure in zip(panels[:, column], measures, strict=True):
                at = [each for each in rows if each[measure] > 0]
                axes.plot([each[grows] for each in at], [each[measure] for each in at], label=told, **looks)
                axes.set(xscale="log", yscale="linear" if measure == "peak MB" else "log")
        ticks = sorted({each[grows] for each in results[COVERING] if each["grows"] == grows})
        panels[-1, column].set_xticks(ticks, map(str, ticks))
        panels[-1, column].xaxis.set_minor_locator(NullLocator())
        panels[-1, column].set_xlabel(label)
        panels[-1, column].legend(frameon=False, fontsize=8, loc="upper left")
    for axes, label in zip(panels[:, 0], measures.values(), strict=True):
        axes.set_ylabel(label)
    panels[-1, 0].set_ylim(0)
    [length] = {each["n"] for each in results[COVERING] if each["grows"] == "width"}
    panels[0, 0].set_title("All words of n positions", loc="left")
    panels[0, 1].set_title(f"All words of {length} positions", loc="left")
    return figure


def _covered(results: Results, grows: str) -> Iterator[tuple[list[Row], str]]:
    """The rows of each network that was covered, as positions or its width grow, and what it is called."""
    fixed = "width" if grows == "n" else "n"
    mine = [each for each in results[COVERING] if each["grows"] == grows and each["verdict"] == "proved"]
    for layers, size in dict.fromkeys((each["layers"], each[fixed]) for each in mine):
        rows = [each for each in mine if (each["layers"], each[fixed]) == (layers, size)]
        yield rows, f"{layers} layer{'s' if layers > 1 else ''}" + (f", d = {size}" if fixed == "width" else "")


def over_seeds(axes: Axes, curve: Row, measure: str, colour: str, label: str) -> None:
    """A curve of an experiment with training, by epochs: the median, the middle half, shaded, and the mean, dotted."""
    points = [point for point in curve["points"] if measure in point]
    epochs = [point["epoch"] for point in points]
    each = {of: [point[measure][of] for point in points] for of in ("mean", "median", "lower", "upper")}
    axes.fill_between(epochs, each["lower"], each["upper"], color=colour, alpha=0.15, linewidth=0)
    axes.plot(epochs, each["median"], color=colour, label=label)
    axes.plot(epochs, each["mean"], color=colour, linewidth=1, linestyle=":")


def constructed(results: Results) -> Figure:
    """Words of 100 brackets as figures 2, 3 and 4 of Steffen et al. (2022) have them: the standard transformer, whose
    weights are drawn, and the exact solution, trained on. The second is of depth 2 there, and of depth 3 here."""
    figure = Figure(figsize=(WIDTH, 5.4))
    panels = figure.subplots(2, 2, sharex=True, sharey="row")
    titles = {"1-DYCK": (DYCK1, EXACT_DYCK1), "DYCK-(1,2) and DYCK-(1,3)": (DEPTH, EXACT_DEPTH)}
    measures = {"accuracy": "accuracy", "cross-entropy": "cross-entropy (bits)"}
    for column, (title, (drawn, exact)) in enumerate(titles.items()):
        lines = (
            (drawn, "n=100", GREY, "standard"),
            (exact, "n=100", BLUE, "from the exact solution"),
            (exact, "n=100 norms", ORANGE, "the same, with norms"),
        )
        for file, name, colour, label in lines:
            curve = row(results, file, name=name)
            for axes, measure in zip(panels[:, column], measures, strict=True):
                over_seeds(axes, curve, measure, colour, label)
        panels[0, column].set_title(f"{title}, 100 symbols", loc="left")
        panels[1, column].set(xlabel="epoch", xlim=(0, 150))
    for axes, label, top in zip(panels[:, 0], measures.values(), (1.05, 1.8), strict=True):
        axes.set(ylabel=label, ylim=(0, top))
    panels[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def onwards(results: Results) -> Figure:
    """Exact solutions, trained on words of 10 symbols: does gradient descent stay, leave, come back?"""
    figure = Figure(figsize=(WIDTH, 5.4))
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (title, file) in zip(panels.flat, ONWARDS.items(), strict=True):
        for suffix, colour in (("", BLUE), (" moved 0.01", ORANGE), (" moved 0.1", GREEN)):
            curve = row(results, file, name=f"n=10{suffix}")
            over_seeds(axes, curve, "accuracy", colour, suffix.strip() or "as it is")
        axes.set_title(f"{title}, 10 symbols", loc="left")
        axes.set_xscale("symlog", linthresh=1)
        axes.set(xlim=(0, 300), ylim=(0, 1.05), xticks=(0, 1, 10, 100))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    for axes in panels[:, 0]:
        axes.set_ylabel("accuracy")
    for axes in panels[1]:
        axes.set_xlabel("epoch")
    panels[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def copied(results: Results) -> Figure:
    """Copies of longer sentences than those of training, as figure 3 of Bhattamishra et al. (2020) has them: with
    encodings of positions, and with masks alone; here with the share of copies that are wholly right, too."""
    figure = Figure(figsize=(WIDTH, 3.2))
    panels = figure.subplots(1, 2, sharex=True)
    ranges = {"5-12": "", "13-15": " 13-15", "15-20": " 15-20", "21-25": " 21-25", "26-30": " 26-30"}
    for axes, (measure, top) in zip(panels, {"BLEU": 105, "wholly right": 1.05}.items(), strict=True):
        for name, colour, label in (("SAN", ORANGE, "encodings of positions"), ("DiSAN", BLUE, "masks alone")):
            last = row(results, COPIED, name=name)["points"][-1]
            each = {of: [last[measure + suffix][of] for suffix in ranges.values()] for of in ("mean", "lower", "upper")}
            axes.fill_between([*ranges], each["lower"], each["upper"], color=colour, alpha=0.15, linewidth=0)
            axes.plot([*ranges], each["mean"], color=colour, marker=".", label=label)
        axes.set(ylabel=measure, ylim=(0, top), xlabel="words of a sentence")
    panels[1].legend(frameon=False, fontsize=8, loc="upper right")
    return figure


def halved(results: Results) -> Figure:
    """Noisy majority, from one head on: test accuracy of the weights that words of validation have chosen."""
    figure = Figure(figsize=(WIDTH, 3.2))
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    labels = {"": "all heads", " masked": "one of them", " svc": "halved", " Shapley": "halved, Shapley"}
    for axes, size in zip(panels, ("d=8 a=4", "d=32 a=16"), strict=True):
        for curve in results[MAJORITY]:
            if curve["name"] == "d=2 a=1":
                over_seeds(axes, curve, "accuracy", GREY, "d = 2, one head")
            elif curve["name"].startswith(size):
                suffix = curve["name"].removeprefix(size)
                over_seeds(axes, curve, "accuracy", dict(zip(labels, COLOURS, strict=True))[suffix], labels[suffix])
        width, heads = (part.partition("=")[2] for part in size.split())
        axes.set_title(f"d = {width}, {heads} heads", loc="left")
        axes.set(xscale="log", xlabel="epoch", xlim=(1, 200), ylim=(0, 1.05))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    panels[0].set_ylabel("accuracy")
    panels[0].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def learned(results: Results) -> Figure:
    """FIRST as figure 4 of Chiang and Cholak (2022) has it, on the same axes: left without and right with scores scaled
    by log n. Medians over seeds, their middle halves, shaded, and means, dotted, which are what is printed."""
    figure = Figure(figsize=(WIDTH, 7.2))
    panels = figure.subplots(3, 2, sharex=True, sharey="row")
    measures = {"accuracy": "accuracy", "cross-entropy": "cross-entropy (bits)", "attention": "total attention weight"}
    for curve in results[LEARNED]:
        length, points = curve["trained_length"], curve["points"]
        column, colour = int("scaled" in curve["name"]), {10: BLUE, 30: ORANGE, 100: GREEN, 300: GREY}[length]
        epochs = [point["epoch"] for point in points]
        for axes, measure in zip(panels[:, column], measures, strict=True):
            over_seeds(axes, curve, measure, colour, f"n = {length}")
            axes.set(xscale="log", xlim=(1, epochs[-1]))
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    for axes, label, top in zip(panels[:, 0], measures.values(), (1.05, 1.5, 1.05), strict=True):
        axes.set_ylabel(label)
        axes.set_ylim(0, top)
    for axes, title in zip(panels[0], ("standard", "scores scaled by log n"), strict=True):
        axes.set_title(f"FIRST, 1000 symbols: {title}", loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("epoch")
    panels[0, 1].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


PICTURES: Mapping[str, tuple[Callable[[Results], Figure], tuple[str, ...]]] = {
    "accuracy-palindrome": (accuracy_palindrome, (CURVES,)),
    "cross-entropy": (cross_entropy, (CURVES,)),
    "layer-norm": (layer_norm, (CURVES,)),
    "one-weight": (one_weight, (WEIGHT,)),
    "accuracy-parity": (accuracy_parity, (CURVES, PRECISION)),
    "failure-lengths": (failure_lengths, (PRECISION, LONG)),
    "throughput": (throughput, (THROUGHPUT,)),
    "covering": (covering, (COVERING,)),
    "learning-first": (learned, (LEARNED,)),
    "learning-dyck": (constructed, (DYCK1, EXACT_DYCK1, DEPTH, EXACT_DEPTH)),
    "learning-exact": (onwards, tuple(ONWARDS.values())),
    "learning-majority": (halved, (MAJORITY,)),
    "learning-copy": (copied, (COPIED,)),
}
"""Name -> how it is drawn, and from which result files."""


def draw(results: Path, pictures: Path) -> list[Path]:
    """Draws every picture from a folder of results into another folder."""
    pictures.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, (figure, names) in PICTURES.items():
        with style.context(STYLE):
            drawn.append(pictures / f"{name}.png")
            figure(read(results, names)).savefig(drawn[-1], metadata={"Software": None})
    return drawn


def main() -> None:
    try:
        for path in draw(HERE / "results", HERE / "pictures"):
            print(path.relative_to(HERE.parent))
    except InputError as error:
        sys.exit(f"pictures: {error}")


if __name__ == "__main__":
    main()

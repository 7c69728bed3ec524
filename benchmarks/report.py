"""The pages in findings/precision from the result files: `make report`. Every number in them is read from these.

The results of `weightproof precision` are in PRECISION, all encoders in precision-cpu.json, and what takes longer to
reach, on single ones, in precision-long-cpu.json; other measurements are in files of their own.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import families

from weightproof.constructions import library
from weightproof.document import markdown
from weightproof.document.blocks import Code, Items, Link, Spans, Table, Text
from weightproof.document.pages import INDEX, written
from weightproof.measuring import report as measured
from weightproof.measuring.logits import spans
from weightproof.measuring.machine import said
from weightproof.measuring.report import command

Row = dict[str, Any]

FOLDER = Path(__file__).parent / "results"
DTYPES = ("bfloat16", "float16", "float32", "float64")
PUBLISHED = 10_000
"""Symbols up to which FIRST, PARITY and ONE are reported perfect: Nowak et al. (2022), section 4.1."""
CLAIMED = ("first", "parity", "one")
PRECISION = tuple(
    f"precision-{name}cpu.json" for name in ("", "long-", "normalised-", "machines-", "sums-", "predicting-")
)

HEAD = """\
# Where rounding breaks them

Written by `make report` from `benchmarks/results/`; a test fails when a page says something else.

Over the reals these networks are right at every length, except those that are [refuted](../trust/README.md). In
floating point some word of most of them is misclassified. In the table stands *certified / fails at*, in symbols: up to
the one length no word is misclassified, which is proved, and at the other one some word is, which was found. It is of
strict arithmetic and the construction's own rule, of words of up to a million symbols; for parity and one, of up to 300
million.
"""

READING = """\
*Certified* is a length, in symbols, up to which no word is misclassified: proved from the weights and the proved
margins, for every order of summation, under `numeric/rounding/model.py`: each operation is correctly rounded, and exp
off by at most `EXP_ULPS` units in the last place, which of torch on a CPU is an assumption. `-` stands where no
certificate covers a row, as of fused kernels. In brackets, where it is more, is the length for sums from left to right
alone, as `strict` takes them, and for its sigmoid, whose exp is correctly rounded: up to some length every word was
run, or one for each count of symbols where their order makes no difference, and from there an analysis of that order
carries on.

*Fails at* is the length of the shortest word found that is misclassified. Without `<=` no word is shorter and fails,
too: each is certified, or was run. With `<=` a shorter one may; with a `*` behind it that one is at least not in the
hard families of the language, all words of which were run at every shorter length. Words are run in batches, and what
fails there again alone. So, where both are given, the first length at which rounding breaks a network is greater than
the certified one and not greater than the other. `none found` and `luck`, which [a page of its own](luck.md) explains,
prove nothing beyond the certified length. Of what is `unmeasured` there are no rows yet.

`strict` rounds every elementary operation and sums from left to right, which gives the same bits on every machine;
`explicit` is softmax and matrix products in torch, an arrangement of our own that computes equal rows once and no row
that nothing reads; `matmul` is softmax(Q K^T scale) V by matrix products over all rows, as published code computes it,
and `fused` the same by one of torch's fused kernels, whose name stands in brackets, both on words of up to 10,000
symbols.
"""

UNNAMED = "Rows of `fused` without a name are of whichever kernel torch took.\n"

PORTABLE = """\
All rows of these pages are of CPUs; those of a GPU are in `benchmarks/results/precision-cuda.json`, and none of them is
certified. Only `strict` is portable. Every other failure is about the machine that measured it: another CPU, another
BLAS, another build of torch or another number of threads may add up in another order, and get the word right.
`weightproof precision --replay FILE` runs the witnesses of a file again, and says which still fail on your machine; it
does not search anew, nor certify. In a file each row names its machine by the place among these, from 0 on:
"""

LAWS = """\
By the unit roundoff u: the law of the certificate, which is certified for made-up formats of many precisions, too;
and that of the same form through the lengths at which strict arithmetic was found to fail, `<=` or not, in the formats
that are named.
"""

LUCK = """\
No word was found to fail, although the format does not count as far as words were looked at, or some word of each
length has a logit of exactly 0. Why not, as far as it is known:
"""

PREDICTED = """\
Where lower formats fail, and how the certified length grows with the precision, predict a failure near some length in a
higher one. Words were looked at up to the length in the last column: where it is less, nothing says that the network is
right at the predicted length, and where it is more, the prediction has not come true.
"""

ROWS = """\
*Searched* is what was run at every length up to the next column: `exhaustive` every word, `families` every word of the
hard families of the language, `sampled` some of these. *In full* are all lengths at which whole families were run
without a failure. *Looked at up to* bounds the lengths at which any words were run, the witness aside.
"""


def load(name: str) -> dict[str, Any]:
    """The results in a file of benchmarks/results."""
    result: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return result


def number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}" if value < 10**9 else f"{value:.2e}"


def certified(row: Row) -> str:
    """For every order of summation; in brackets, where it is more, for the order that strict arithmetic takes."""
    every, strict = row["certified_safe_length"], row["certified_strict"]
    return number(every) if strict in (None, every) else f"{number(every)} ({number(strict)})"


def fails_at(row: Row) -> str:
    return "luck" if row["luck"] else measured.fails_at(row, number)


def implementation(row: Row) -> str:
    """The kind of attention, with the name of a fused kernel."""
    return row["attention"] if row["kernel"] is None else f"{row['attention']} ({row['kernel']})"


def _is_unnamed(row: Row) -> bool:
    """Whether something was run by a fused kernel that is not known."""
    return row["attention"] == "fused" and row["kernel"] is None and row["refused"] is None


def own_rule(row: Row) -> bool:
    """Whether the row decides as the construction itself does."""
    return row["rule"] in ("logit > 0", "logit = 0")


def unmeasured(known: Iterable[str], rows: Sequence[Row]) -> list[str]:
    """The constructions of which there are no rows yet: they land before somebody has the hours to measure them."""
    measured = {row["construction"] for row in rows}
    return [name for name in known if name not in measured]


def without_rows(names: Iterable[str], columns: int) -> list[list[str]]:
    """Their lines in a table of so many columns."""
    return [[name, "unmeasured", *["-"] * (columns - 2)] for name in names]


def summary(rows: Sequence[Row], missing: Sequence[str] = ()) -> list[str]:
    """Strict, the construction's own rule; of two rows the one that fails earlier; then those that are missing.

    Without these it is the table of docs/rounding.md.
    """
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        if own_rule(row) and row["attention"] == "strict":
            place = row["construction"], row["dtype"]
            found[place] = min(row, found.get(place, row), key=lambda row: row["first_failing_length"] or math.inf)
    cells = {place: f"{certified(row)} / {fails_at(row)}" for place, row in found.items()}
    names = list(dict.fromkeys(name for name, _ in cells))
    lines = [[name, *(cells[name, dtype] for dtype in DTYPES)] for name in names]
    return table(("construction", *DTYPES), [*lines, *without_rows(missing, 1 + len(DTYPES))])


def table(header: Sequence[str], lines: Sequence[Sequence[Text]]) -> list[str]:
    return markdown.markdown((Table(header, lines),)).splitlines()


HEADER = (
    *("construction", "dtype", "attention", "rule", "certified", "fails at", "witness"),
    *("searched", "up to", "in full", "looked at up to"),
)


def full(rows: Sequence[Row]) -> list[str]:
    return table(HEADER, [_line(row) for row in rows])


def of_one(rows: Sequence[Row]) -> list[str]:
    """The same of a single construction, which is not named in each row."""
    return table(HEADER[1:], [_line(row)[1:] for row in rows])


def _line(row: Row) -> list[Text]:
    witness = row["witness"]
    word = "" if witness is None else Code(_short(witness["word"]) or "''")
    return [
        row["construction"],
        row["dtype"],
        implementation(row),
        row["rule"],
        certified(row),
        fails_at(row),
        word,
        row["searched"],
        number(row["searched_to"]),
        spans(row["in_full"]),
        number(row["probed_to"]),
    ]


def _short(word: str) -> str:
    return word if len(word) <= 24 else word[:21] + "..."


def witnesses(rows: Sequence[Row]) -> Iterator[str]:
    """How strict arithmetic loses each word, and the command that shows it."""
    for row in rows:
        if row["witness"] is not None and own_rule(row) and row["attention"] == "strict":
            yield f"- **{row['construction']}, {row['dtype']}**: {row['mechanism'] or 'too long to be traced exactly'}."
            yield f"  `{command(row)}`"


def laws(rows: Sequence[Row], certificates: Sequence[Row]) -> list[str]:
    """The law of each certificate, and the one of the same form that fits the failing lengths of strict arithmetic."""
    from weightproof.numeric.certificate.scaling import fitted
    from weightproof.numeric.rounding.formats import FORMATS

    lines = []
    for law in certificates:
        lengths = {
            row["dtype"]: row["first_failing_length"]
            for row in rows
            if row["construction"] == law["construction"]
            and row["attention"] == "strict"
            and own_rule(row)
            and row["first_failing_length"] is not None
        }
        if law["form"] is not None:
            found = fitted([(FORMATS[dtype].precision, length) for dtype, length in lengths.items()], law["form"])
            names = ", ".join(dtype for dtype in DTYPES if dtype in lengths)
            lines.append([law["construction"], law["text"], "-" if found is None else str(found), names or "-"])
    return table(("construction", "certified", "fails at", "formats that fail"), lines)


def lucky(rows: Sequence[Row]) -> Iterator[str]:
    """What no word was found to break, by the reason."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row["luck"] is not None:
            place = f"{row['dtype']} {implementation(row)}" + ("" if own_rule(row) else f" by {row['rule']}")
            found.setdefault(row["luck"], {}).setdefault(row["construction"], []).append(place)
    for reason, constructions in found.items():
        yield f"- {reason[0].upper()}{reason[1:]}:"
        yield from (f"  - {name}: {', '.join(places)}" for name, places in constructions.items())


def predicted(rows: Sequence[Row]) -> list[str]:
    """What no word was found to break: the length that lower precision and the law of the certificate predict.

    Of two rows about the same, the one that looked farther; none where the other one found a word.
    """
    header = ("construction", "dtype", "attention", "rule")
    found: dict[tuple[str, str, str, str], Row] = {}
    for row in rows:
        place = row["construction"], row["dtype"], implementation(row), row["rule"]
        found[place] = max(found.get(place, row), row, key=lambda row: (_settled(row), row["probed_to"]))
    lines = [
        [*place, number(row["predicted_length"]), number(row["probed_to"])]
        for place, row in found.items()
        if not _settled(row) and row["predicted_length"] is not None
    ]
    return table((*header, "predicted near", "looked at up to"), lines)


def _settled(row: Row) -> bool:
    """Whether a row says why no failure is awaited any more: there is one, or luck."""
    return row["first_failing_length"] is not None or row["luck"] is not None


def dependence(rows: Sequence[Row]) -> list[str]:
    """The logits, by construction, dtype and implementation, that change with the batch or the number of threads."""
    lines = {}
    for row in rows:
        found = row["dependence"]
        if found is not None and (found["batch"]["different"] or found["threads"]["different"]):
            lines[row["construction"], row["dtype"], implementation(row)] = [
                f"{part['different']} of {part['words']}, {part['most_units']:.3g}"
                for part in (found["batch"], found["threads"])
            ]
    header = ("construction", "dtype", "attention", "alone or in a batch", "1 thread or all")
    return table(header, [[*place, *cells] for place, cells in lines.items()])


def published(rows: Sequence[Row]) -> Iterator[str]:
    """The claim of perfect accuracy up to 10,000 symbols in float32, as published code computes it first."""
    for name in CLAIMED:
        chosen = [row for row in rows if row["construction"] == name and row["dtype"] == "float32"]
        for row in sorted(chosen, key=lambda row: row["attention"] != "matmul"):
            yield f"- {name}, {implementation(row)}, {row['rule']}: {_verdict(row)}"


def _verdict(row: Row) -> str:
    length, certified = row["first_failing_length"], row["certified_safe_length"]
    if length is not None and length <= PUBLISHED:
        return f"**broken** by `{row['witness']['word']}`."
    if certified is not None and certified >= PUBLISHED:
        return f"**confirmed**, and proved up to {number(certified)}."
    if length is not None:
        return f"not broken, nor proved: the shortest word found to fail has {number(length)} symbols."
    return (
        f"not broken, nor proved: no word found to fail, of families in full at {spans(row['in_full'])} symbols, and "
        f"looked at up to {number(row['probed_to'])} symbols."
    )


def palindrome(curves: Sequence[Row]) -> list[str]:
    """What the published limit of PALINDROME rests on: random words as in the paper, by base, format and rule."""
    lines = []
    for curve in curves:
        if curve["picture"] == "accuracy-palindrome":
            at = dict(zip(curve["lengths"], curve["values"], strict=True))
            perfect = next(length - 1 for length in curve["lengths"] if at[length] < 1)
            base = "2, as printed" if curve["c"] == "log(2)" else f"exp({curve['c']})"
            place = (base, curve["dtype"], curve["attention"], curve["measure"])
            lines.append([*place, str(perfect), f"{at[38]:.3f}", f"{at[70]:.3f}"])
    return table(("base", "dtype", "attention", "rule", "perfect up to", "accuracy at 38", "at 70"), lines)


PALINDROME = """\
Nowak et al. (2022), section 4.1, report perfect accuracy up to 37 symbols, and 0.5 at about 70. That does not follow
from the printed weights: in base 2 the margin falls below the 1e-7 that their code takes for 0 much earlier, in float64
as in float32, and without a tolerance accuracy ends almost at once. What produces it is their public code, which leaves
the entry of W_Q at 1 with heads of width 6, so that the base is exp(1/sqrt(6)); and which draws words of even length
for every odd one, which adds a symbol to the limit. 1,000 random words of each length:
"""


SHOWN = {None: "approaches 1 quickly", "1/100000": "better, grows towards 1", "0": "the same at every n"}
"""What figure 2 of Chiang and Cholak (2022) shows, by epsilon, as its caption says."""
LAYER_NORM = """\
Figure 2 of Chiang and Cholak (2022) in numbers: bits on random words of n symbols, without layer normalisation, and
after `remove-centering`, `layer-norm` and the last layer of proposition 2, whose readout has weight 1 as in their code;
c = log(2), which the figure does not say. The mean over 1,000 words is PyTorch's in float64; on a few of them the
interpreter has run in balls, and what is printed are digits of every number in the ball of their mean.
"""


def layer_norm(rows: Sequence[Row]) -> list[str]:
    """The cross-entropies of figure 2 at three lengths, computed twice."""
    lines = [
        (
            row["construction"],
            {None: "no norm", "1/100000": "10^-5", "0": "0"}[row["epsilon"]],
            number(row["length"]),
            row["all"],
            str(row["words"]),
            row["float64"],
            row["exact"],
            SHOWN[row["epsilon"]],
        )
        for row in rows
    ]
    header = ("construction", "epsilon", "n", "1,000 words", "of which", "PyTorch", "in balls", "figure 2")
    return table(header, lines)


def one_weight(rows: Sequence[Row]) -> Iterator[str]:
    """What figure 3 says, and how far the points lie from the line."""
    least = min(rows, key=lambda row: row["derived accuracy"])
    apart = max(rows, key=lambda row: abs(row["accuracy"] - row["derived accuracy"]))
    yield (
        f"After figure 3 of Chiang and Cholak (2022): random words of {rows[0]['length']} symbols under layer "
        "normalisation with epsilon = 0, against the weight that counts 1s, which is 1 where it is right. The line is "
        "the closed form of the network without norms, derived anew at each weight and summed over all words; at "
        f"{least['weight']} it is right on {least['derived accuracy']:.2g} of them. Of 1,000 words the share that is "
        f"decided rightly is off it by {abs(apart['accuracy'] - apart['derived accuracy']):.2g} at most."
    )
    yield ""
    yield "![Cross-entropy and accuracy against one weight](../../benchmarks/pictures/one-weight.png)"


def tokens(rows: Sequence[Row]) -> list[str]:
    """The table of networks that predict a token or a class."""
    header, lines = families.predicting(rows, DTYPES)
    return table(header, [*lines, *without_rows(unmeasured(library.predictors(), rows), len(header))])


THROUGHPUT = """\
Millions of symbols a second of processor time of one thread, float32, random words that fill n positions, about two
million symbols together, or one word; beside it how often that is a plain dense network with the same weights, which
computes every row, and which share of numpy's count of the bits of the same bytes. The slope is that of the line
through the logarithms of lengths and speeds; memory is the peak of the process, torch and this program included.
"""


def throughput(found: Row) -> Iterator[str]:
    """Speeds by construction and length, the ratios to both yardsticks, the slopes, and the memory."""
    from weightproof.numeric.certificate.scaling import least_squares

    speeds = {(row["construction"], row["kind"], row["n"]): row["symbols a second"] for row in found["rows"]}
    lines = []
    points: dict[str, list[tuple[float, float]]] = {}
    for row in found["rows"]:
        if row["kind"] == "explicit":
            name, n, speed = row["construction"], row["n"], row["symbols a second"]
            plain, bits = speeds.get((name, "dense", n)), speeds[name, "popcount", n]
            times = "-" if plain is None else f"{speed / plain:,.0f}"
            lines.append([name, number(n), f"{speed / 1e6:.1f}", times, f"1/{bits / speed:.0f}", f"{row['peak MB']}"])
            points.setdefault(name, []).append((math.log(n), math.log(speed)))
    yield from table(("construction", "n", "million symbols a second", "dense network", "bits", "MB"), lines)
    slopes = ", ".join(f"{name} {least_squares(each)[0]:.2f}" for name, each in points.items())
    yield from ("", f"Slopes: {slopes}. When this began other programs ran, at a load of {found['load']}.")
    yield from ("", "![Symbols a second against the length](../../benchmarks/pictures/throughput.png)")


def machines(files: Sequence[str]) -> Iterator[str]:
    """Of each file, the machines that its rows name."""
    for name in files:
        yield from (f"- {name}, {said(machine)}." for machine in load(name)["machines"])


Part = tuple[str, Sequence[str]]
"""A heading, and the lines under it."""


@dataclass(frozen=True)
class Page:
    """title and, for the index, what is on it; then its parts."""

    title: str
    said: str
    parts: Sequence[Part]

    def text(self) -> str:
        """As Markdown."""
        return _page(f"# {self.title}\n", self.parts)


def _page(head: str, parts: Iterable[Part]) -> str:
    found = ((f"## {heading}\n\n" if heading else "") + "\n".join(lines).strip() + "\n" for heading, lines in parts)
    return "\n".join((head, *found))


def of_papers(rows: Sequence[Row]) -> Iterator[tuple[str, Page]]:
    """A page for each paper: how each word is lost, then a table for each of its constructions."""
    papers: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        papers.setdefault(library.paper_of(row["construction"]), {}).setdefault(row["construction"], []).append(row)
    for paper, found in papers.items():
        source = library.load(next(iter(found))).source.removeprefix("after ").partition(",")[0]
        lost = [line for each in found.values() for line in witnesses(each)]
        each = [(name, of_one(of_it)) for name, of_it in found.items()]
        parts = (("", [ROWS]), *each, ("How each word is lost in strict arithmetic", lost))
        yield paper, Page(f"{source}: all rows", f"all rows of {', '.join(found)}, and how each word is lost", parts)


def others() -> dict[str, Page]:
    """The pages that are about no single paper, by their names."""
    table_ = load("precision-cpu.json")
    rows = table_["rows"]
    every = [*rows, *load("precision-long-cpu.json")["rows"]]
    machine, adding = load("precision-machines-cpu.json")["rows"], load("precision-sums-cpu.json")["rows"]
    predicting = load("precision-predicting-cpu.json")["rows"]
    return {
        "growth": Page(
            "How the lengths grow with the precision",
            "laws in the unit roundoff, and failures that they predict and that were not found",
            [
                ("Laws", [LAWS, *laws(every, table_["laws"])]),
                ("Failures that are predicted and were not found", [PREDICTED, *predicted(every)]),
            ],
        ),
        "luck": Page("Right by luck", "why some are right where nothing certifies it", [("", [LUCK, *lucky(rows)])]),
        "published": Page(
            "What papers say of lengths",
            "perfect accuracy up to 10,000 symbols, and PALINDROME's limit of 37, of Nowak et al. (2022)",
            [
                (
                    "Perfect accuracy up to 10,000 symbols",
                    [
                        "Nowak et al. (2022), section 4.1, for FIRST, PARITY and ONE, here in float32. Published code",
                        "computes attention as `matmul` does.",
                        "",
                        *published(rows),
                    ],
                ),
                (
                    "The limit of 37 symbols for PALINDROME",
                    [PALINDROME, *palindrome(load("curves-cpu.json")["curves"])],
                ),
            ],
        ),
        "layer-normalisation": Page(
            "Under layer normalisation",
            "cross-entropies and lengths under norms; PARITY against one weight",
            [
                (
                    "Cross-entropy",
                    [
                        LAYER_NORM,
                        *layer_norm(load("cross-entropy-cpu.json")["rows"]),
                        "",
                        "![Cross-entropy against length](../../benchmarks/pictures/layer-norm.png)",
                        "",
                        "Where the line of palindrome-isometric leaves the picture rounding decides: over the reals it",
                        "stays flat, as is proved.",
                    ],
                ),
                (
                    "Lengths",
                    [
                        "Strict arithmetic, with norms after `remove-centering`; words of up to 1,000 symbols are",
                        "looked at. No margin is known to the certificate there: where it says -1 it covers no word;",
                        "in brackets, all words of so many symbols have been run.",
                        "",
                        *full(load("precision-normalised-cpu.json")["rows"]),
                    ],
                ),
                ("PARITY against one weight", [*one_weight(load("weight-cpu.json")["rows"])]),
            ],
        ),
        "machines": Page(
            "Turing machines",
            "on how many cells of tape recurrent networks and the transformers that simulate them depart",
            [
                (
                    "",
                    [
                        *families.INTRODUCTION.splitlines(),
                        "",
                        *table(*families.summary(machine, DTYPES)),
                        "",
                        *families.witnesses(machine),
                    ],
                )
            ],
        ),
        "sums": Page(
            "Sums",
            "which moduli, and how many bits, are added rightly",
            [
                (
                    "",
                    [
                        *families.SUMS.splitlines(),
                        "",
                        *table(*families.sums(adding, DTYPES)),
                        "",
                        *families.lost(adding),
                    ],
                )
            ],
        ),
        "tokens": Page(
            "Tokens",
            "of networks that predict a token or a class",
            [
                (
                    "",
                    [
                        *families.PREDICTING.splitlines(),
                        "",
                        *tokens(predicting),
                        "",
                        *families.mispredicted(predicting),
                    ],
                )
            ],
        ),
        "throughput": Page(
            "Speed, batches and threads",
            "symbols a second, and which logits depend on the batch and on the number of threads",
            [
                ("Throughput", [*THROUGHPUT.splitlines(), "", *throughput(load("throughput-cpu.json"))]),
                (
                    "What depends on the batch and on threads",
                    [
                        "Logits of 64 random words of 1,000 symbols that differ, and by how many units in the last",
                        "place at most; what is not listed depends on neither. Words of different lengths are never",
                        "padded to one.",
                        "",
                        *dependence(rows),
                    ],
                ),
            ],
        ),
        "measured-on": Page(
            "What all this was measured on",
            "the machines, and how to find out what holds on yours",
            [("", [PORTABLE, *machines(PRECISION)])],
        ),
    }


def pages() -> dict[str, str]:
    """By their names, as Markdown, with the one that leads to the others."""
    every = [*load("precision-cpu.json")["rows"], *load("precision-long-cpu.json")["rows"]]
    found = {**dict(of_papers(every)), **others()}
    links: list[Spans] = [(Link(page.title, name), f": {page.said}.") for name, page in found.items()]
    unnamed = [UNNAMED] if any(map(_is_unnamed, every)) else []
    parts: list[Part] = [
        ("", summary(every, unmeasured(library.names(), every))),
        ("The pages", [markdown.markdown((Items(tuple(links)),))]),
        ("How to read it", [READING, *unnamed]),
    ]
    return {INDEX: _page(HEAD, parts), **{name: page.text() for name, page in found.items()}}


if __name__ == "__main__":
    written(pages(), Path(sys.argv[1]))

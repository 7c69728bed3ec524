"""`run` of families that add: the exact run of one member on a word, and beside it those in floating point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import ADDERS
from weightproof.constructions.meaning.interpreter import activated, apply_linear
from weightproof.constructions.modular.addition import Adder
from weightproof.constructions.modular.counting import Counted, Counter, count, odd
from weightproof.constructions.scalars.values import exactly
from weightproof.document.blocks import Heading, Paragraph, Plain, Table, pairs
from weightproof.kinds import Running
from weightproof.modular.members import adder, counter_for
from weightproof.proofs.modular.instances import AdderRun
from weightproof.proofs.modular.instances import run as run_exactly
from weightproof.reported import Ran
from weightproof.reports import running
from weightproof.terminal.digits import decimal, fraction
from weightproof.terminal.digits import exactly as exact_text

Floats = list[dict[str, Any]]
DIGITS = 12
"""Of an output, which may be next to another one."""


@dataclass(frozen=True, repr=False, kw_only=True)
class AdderRan(Ran):
    """Two residues, added. floats: rows of the answers in floating point; traced: with all vectors."""

    made: AdderRun
    floats: Floats
    traced: bool

    @property
    def agrees(self) -> bool:
        return self.made.is_right

    @property
    def data(self) -> dict[str, Any]:
        """outputs of a large modulus are those next to the sum."""
        made = self.made
        p, *frequencies = made.adder.modulus.numbers
        found = {
            "construction": made.adder.name,
            "word": made.word,
            "p": p,
            "frequencies": frequencies,
            "expected": made.expected,
            "argmax": made.prediction.token,
            "decided": made.prediction.decided,
            "agrees": made.is_right,
            "evaluated": running.INTERPRETER,
            "ahead": exact_text(made.ahead),
            "all_outputs": len(made.adder.modulus.residues) == p,
            "outputs": {row: exact_text(value) for row, value in made.prediction.outputs.items()},
            "numeric": self.floats,
        }
        return found | ({"trace": _trace(made)} if self.traced else {})

    def report(self) -> Iterator[Plain]:
        made = self.made
        p, *frequencies = made.adder.modulus.numbers
        yield Heading(3, f"{made.adder.name} on {quoted(made.word)}")
        alone = "" if made.prediction.decided else ", and others are as great"
        yield pairs(
            [
                ("modulus", f"p = {p}"),
                ("frequency" if len(frequencies) == 1 else "frequencies", f"k = {', '.join(map(str, frequencies))}"),
                ("sum", made.expected),
                ("argmax", f"{made.prediction.token}{alone}"),
                ("ahead by", _equation(made.ahead)),
                ("agrees", running.yes(made.is_right)),
            ]
        )
        yield Heading(3, "Outputs" if len(made.adder.modulus.residues) == p else "Outputs next to the sum")
        outputs = made.prediction.outputs.items()
        rows = [[row, exact_text(x), str(decimal(x, DIGITS))] for row, x in outputs]
        yield Table(("output", "value", "digits"), rows)
        if self.traced:
            yield from _report_trace(made)
        cells = [[*running.place(row), row["argmax"], str(row["ahead"])] for row in self.floats]
        yield from _floats(self.floats, (*running.PLACE, "argmax", "ahead"), cells)


@dataclass(frozen=True, repr=False, kw_only=True)
class CounterRan(Ran):
    """Bits, counted. floats: rows of the answers in floating point."""

    of: Counter
    made: Counted
    floats: Floats

    @property
    def agrees(self) -> bool:
        return self.made.y == odd(self.word)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.of.name,
            "word": self.word,
            "n": self.of.n,
            "ones": self.word.count("1"),
            "expected": odd(self.word),
            "y": self.made.y,
            "agrees": self.agrees,
            "evaluated": running.INTERPRETER,
            "units": {name: str(x) for name, x in self.made.units.items()},
            "logit": str(self.made.logit),
            "numeric": self.floats,
        }

    def report(self) -> Iterator[Plain]:
        yield Heading(3, f"{self.of.name} on {quoted(self.word)}")
        yield pairs(
            [
                ("bits", f"n = {self.of.n}, of which {self.word.count('1')} are 1"),
                ("units", ", ".join(f"{name} = {x}" for name, x in self.made.units.items())),
                ("logit", str(self.made.logit)),
                ("y", str(self.made.y)),
                ("expected", str(odd(self.word))),
                ("agrees", running.yes(self.agrees)),
            ]
        )
        columns = "dtype", "device", "logit", "y"
        yield from _floats(self.floats, columns, [[str(row[name]) for name in columns] for row in self.floats])


def ran(family: str, word: str, how: Running) -> AdderRan | CounterRan:
    """A member on a word; InputError for what is none."""
    floating = running.floating_point(how)
    if family in ADDERS:
        network = adder(family, how.parameters, word)
        made = run_exactly(network, word)
        floats = [] if floating is None else _adder_floats(network, word, made.expected, floating)
        return AdderRan(word=word, made=made, floats=floats, traced=how.trace)
    of = counter_for(family, how.parameters, word)
    return CounterRan(word=word, of=of, made=count(of, word), floats=_counter_floats(of, word, how))


def _floats(rows: Floats, columns: tuple[str, ...], cells: list[list[str]]) -> Iterator[Plain]:
    """The cells of the columns, row by row, and whether each agrees."""
    whole = [[*cells, running.agreement(row["agrees"])] for row, cells in zip(rows, cells, strict=True)]
    yield from running.in_floating_point((*columns, "agrees"), whole)


def _trace(made: AdderRun) -> list[dict[str, Any]]:
    """The stream at every position before and behind each layer, and its hidden units at the last one."""
    layers = made.adder.network.layers
    scalars = exactly({})
    stages: list[dict[str, Any]] = []
    for number, stream in enumerate(made.prediction.streams):
        vectors = [
            {"token": token, "vector": {name: exact_text(x) for name, x in vector.items()}}
            for token, vector in zip(made.prediction.tokens, stream, strict=True)
        ]
        stages.append({"layer": number, "positions": vectors})
        if number < len(layers) and (inner := layers[number].feed_forward) is not None:
            middle = made.attended(number)
            units = activated(inner.activation, apply_linear(inner.first, [middle], scalars)[0])
            stages[-1]["attended"] = {name: exact_text(x) for name, x in middle.items()}
            stages[-1]["hidden"] = {name: exact_text(x) for name, x in units.items()}
    return stages


def _report_trace(made: AdderRun) -> Iterator[Plain]:
    for stage in _trace(made):
        yield Heading(3, "The embedding" if stage["layer"] == 0 else f"Behind layer {stage['layer']}")
        for number, position in enumerate(stage["positions"]):
            yield Paragraph(f"position {number}, {position['token']!r}", 1)
            yield pairs(position["vector"].items(), 2)
        for what in ("attended", "hidden"):
            if what in stage:
                yield Heading(3, {"attended": "Behind the head, at '='", "hidden": "Hidden units there"}[what])
                yield pairs(stage[what].items(), 1)


def _adder_floats(network: Adder, word: str, expected: str, floating: running.FloatingPoint) -> Floats:
    from weightproof.numeric.model.transformer import Transformer

    def answer(dtype: str, device: str, attention: str) -> dict[str, Any]:
        model = Transformer(network, None, dtype, device, attention)
        outputs = dict(zip(model.rows, model.outputs([network.read(word)])[0].double().tolist(), strict=True))
        own, greatest = outputs[expected], max(x for row, x in outputs.items() if row != expected)
        argmax = next(row for row, x in outputs.items() if x == max(outputs.values()))
        return {"argmax": argmax, "ahead": own - greatest, "agrees": own > greatest}

    return [*floating.rows(answer)]


def _counter_floats(of: Counter, word: str, how: Running) -> Floats:
    from weightproof.numeric.modular.counting import logit

    rows = []
    for dtype, device in product(how.dtypes, how.devices or ("cpu",)):
        found = logit(of, word, dtype, device)
        place = {"dtype": dtype, "device": device, "logit": found, "y": int(found > 0)}
        rows.append(place | {"agrees": int(found > 0) == odd(word)})
    return rows


def _equation(value: Any) -> str:
    """The exact value, and its digits where it is no fraction."""
    text = exact_text(value)
    return text if fraction(value) is not None else f"{text} = {decimal(value)}"

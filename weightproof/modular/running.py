"""`run` of families that add: the exact run of one member on a word, and beside it those in floating point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import ADDERS
from weightproof.constructions.meaning.interpreter import hidden_units
from weightproof.constructions.modular.addition import Adder
from weightproof.constructions.modular.counting import Counted, Counter, count, odd
from weightproof.constructions.scalars.numbers import exactly
from weightproof.kinds import Running
from weightproof.modular.given import adder, counter_for
from weightproof.proofs.modular.instances import AdderRun
from weightproof.proofs.modular.instances import run as run_exactly
from weightproof.reports.running import INTERPRETER
from weightproof.terminal.digits import decimal, fraction
from weightproof.terminal.digits import exactly as exact_text
from weightproof.terminal.page import Cell, Page, Table, waiting

Floats = list[dict[str, Any]]
DIGITS = 12
"""Of an output, which may be next to another one."""

CPU, EXPLICIT = ("cpu",), ("explicit",)
"""Where and how a member is run in floating point, if nothing is said."""


def ran(family: str, word: str, how: Running) -> tuple[dict[str, Any], Callable[[Page], None]]:
    """The JSON of a run, and what writes its report."""
    with waiting(f"running {family}"):
        if family in ADDERS:
            network = adder(family, how.parameters, word)
            made = run_exactly(network, word)
            floats = _adder_floats(network, word, made.expected, how)
            return adder_payload(made, floats, how.trace), lambda page: report_adder(page, made, floats, how.trace)
        of = counter_for(family, how.parameters, word)
        counted = count(of, word)
        rows = _counter_floats(of, word, how)
        return counter_payload(of, word, counted, rows), lambda page: report_counter(page, of, word, counted, rows)


def adder_payload(made: AdderRun, floats: Floats, traced: bool) -> dict[str, Any]:
    """outputs of a large modulus are those next to the sum."""
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
        "evaluated": INTERPRETER,
        "ahead": exact_text(made.ahead),
        "all_outputs": len(made.adder.modulus.residues) == p,
        "outputs": {row: exact_text(value) for row, value in made.prediction.outputs.items()},
        "numeric": floats,
    }
    return found | ({"trace": _trace(made)} if traced else {})


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
            [units] = hidden_units(inner, [middle], scalars)
            stages[-1]["attended"] = {name: exact_text(x) for name, x in middle.items()}
            stages[-1]["hidden"] = {name: exact_text(x) for name, x in units.items()}
    return stages


def counter_payload(of: Counter, word: str, made: Counted, floats: Floats) -> dict[str, Any]:
    return {
        "construction": of.name,
        "word": word,
        "n": of.n,
        "ones": word.count("1"),
        "expected": odd(word),
        "y": made.y,
        "agrees": made.y == odd(word),
        "evaluated": INTERPRETER,
        "units": {name: str(x) for name, x in made.units.items()},
        "logit": str(made.logit),
        "numeric": floats,
    }


def _adder_floats(network: Adder, word: str, expected: str, how: Running) -> Floats:
    if not how.dtypes:
        return []
    from weightproof.numeric.model.transformer import Transformer

    rows = []
    for dtype, device, attention in product(how.dtypes, how.devices or CPU, how.attentions or EXPLICIT):
        model = Transformer(network, None, dtype, device, attention)
        outputs = dict(zip(model.rows, model.outputs([network.read(word)])[0].double().tolist(), strict=True))
        own, greatest = outputs[expected], max(x for row, x in outputs.items() if row != expected)
        argmax = next(row for row, x in outputs.items() if x == max(outputs.values()))
        place = {"dtype": dtype, "device": device, "attention": attention}
        rows.append(place | {"argmax": argmax, "ahead": own - greatest, "agrees": own > greatest})
    return rows


def _counter_floats(of: Counter, word: str, how: Running) -> Floats:
    if not how.dtypes:
        return []
    from weightproof.numeric.modular.counting import logit

    rows = []
    for dtype, device in product(how.dtypes, how.devices or CPU):
        found = logit(of, word, dtype, device)
        place = {"dtype": dtype, "device": device, "logit": found, "y": int(found > 0)}
        rows.append(place | {"agrees": int(found > 0) == odd(word)})
    return rows


def report_adder(page: Page, made: AdderRun, floats: Floats, traced: bool) -> None:
    p, *frequencies = made.adder.modulus.numbers
    page.heading(f"{made.adder.name} on {quoted(made.word)}")
    alone = "" if made.prediction.decided else ", and others are as great"
    page.pairs(
        [
            ("modulus", f"p = {p}"),
            ("frequency" if len(frequencies) == 1 else "frequencies", f"k = {', '.join(map(str, frequencies))}"),
            ("sum", made.expected),
            ("argmax", f"{made.prediction.token}{alone}"),
            ("ahead by", _equation(made.ahead)),
            ("agrees", _yes(made.is_right)),
        ]
    )
    page.heading("Outputs" if len(made.adder.modulus.residues) == p else "Outputs next to the sum")
    outputs = made.prediction.outputs.items()
    page.table(
        Table(("output", "value", "digits"), [[row, exact_text(x), str(decimal(x, DIGITS))] for row, x in outputs])
    )
    if traced:
        _report_trace(page, made)
    _report_floats(page, floats, ("argmax", "ahead"))


def _report_trace(page: Page, made: AdderRun) -> None:
    for stage in _trace(made):
        page.heading("The embedding" if stage["layer"] == 0 else f"Behind layer {stage['layer']}")
        for number, position in enumerate(stage["positions"]):
            page.line(f"position {number}, {position['token']!r}", indent=1)
            page.pairs(position["vector"].items(), indent=2)
        for what in ("attended", "hidden"):
            if what in stage:
                page.heading({"attended": "Behind the head, at '='", "hidden": "Hidden units there"}[what])
                page.pairs(stage[what].items(), indent=1)


def report_counter(page: Page, of: Counter, word: str, made: Counted, floats: Floats) -> None:
    page.heading(f"{of.name} on {quoted(word)}")
    units = ", ".join(f"{name} = {x}" for name, x in made.units.items())
    page.pairs(
        [
            ("bits", f"n = {of.n}, of which {word.count('1')} are 1"),
            ("units", units),
            ("logit", str(made.logit)),
            ("y", str(made.y)),
            ("expected", str(odd(word))),
            ("agrees", _yes(made.y == odd(word))),
        ]
    )
    _report_floats(page, floats, ("logit", "y"))


def _report_floats(page: Page, floats: Sequence[Mapping[str, Any]], columns: tuple[str, ...]) -> None:
    if not floats:
        return
    page.heading("In floating point")
    names = tuple(name for name in ("dtype", "device", "attention", *columns, "agrees") if name in floats[0])
    cells: list[list[str | Cell]] = [
        [_yes(row[name]) if isinstance(row[name], bool) else str(row[name]) for name in names] for row in floats
    ]
    page.table(Table(names, cells))


def _equation(value: Any) -> str:
    """The exact value, and its digits where it is no fraction."""
    text = exact_text(value)
    return text if fraction(value) is not None else f"{text} = {decimal(value)}"


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"

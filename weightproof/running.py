"""`run`: one word, exactly, and in floating point where a dtype is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from constructions.exact import Real
from constructions.interpreter import InputError, Run, parameter_values, run
from constructions.membership import is_member
from constructions.schema import Construction
from weightproof.digits import cell, decimal, equation, fraction
from weightproof.page import Cell, Page, Table

LONGEST = 5_000
"""Symbols of a word: the exact run compares all pairs of positions, and takes minutes there."""


def exact(construction: Construction, word: str, given: Mapping[str, str]) -> Run:
    """The exact run; InputError where the network has no value on the word, or the word is too long for it."""
    if len(word) > LONGEST:
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long for exact arithmetic, which compares all "
            f"pairs of positions; give at most {LONGEST}"
        )
    try:
        return run(construction, word, given)
    except ArithmeticError as error:
        raise InputError(f"{construction.name}: no exact value on {word!r}: {error}") from error


def payload(
    argument: str, construction: Construction, word: str, given: Mapping[str, str], result: Run
) -> dict[str, Any]:
    """The JSON of `run`, without the numeric readings."""
    member = is_member(construction, word, parameter_values(construction, given))
    text = fraction(result.logit)
    digits = decimal(result.logit)
    return {
        "construction": argument,
        "word": word,
        "parameters": {
            parameter.name: given.get(parameter.name, parameter.default.source) for parameter in construction.parameters
        },
        "tokens": list(result.tokens),
        "member": member,
        "accepts": result.accepts,
        "agrees": member == result.accepts,
        "logit": digits.digits if text is None else text,
        "logit_decimal": digits.digits,
        "logit_is_exact": text is not None,
        "decided": result.decided,
        "numeric": [],
    }


def trace_payload(result: Run) -> list[dict[str, Any]]:
    return [
        {"after": name, "vectors": [{key: fraction(x) or decimal(x).digits for key, x in v.items()} for v in stream]}
        for name, stream in _streams(result)
    ]


def numeric(
    construction: Construction,
    word: str,
    given: Mapping[str, str],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
) -> list[dict[str, Any]]:
    """The same weights in floating point, one row for each dtype, device and kind of attention."""
    from numeric.model import Transformer

    rows = []
    for dtype, device, attention in product(dtypes, devices, attentions):
        model = Transformer(construction, parameters=given, dtype=dtype, device=device, attention=attention)
        logit = float(model.logits([word])[0])
        rows.append(
            {
                "dtype": dtype,
                "device": device,
                "attention": attention,
                "logit": logit if math.isfinite(logit) else str(logit),  # JSON has no NaN
                "accepts": bool(model.accepts([word])[0]),
            }
        )
    return rows


def report(page: Page, data: Mapping[str, Any], construction: Construction, result: Run) -> None:
    """The exact answer, then a table of the numeric ones."""
    language, rule = construction.language, construction.network.readout.accept
    values = ", ".join(f"{name} = {value}" for name, value in data["parameters"].items())
    description = f": {language.description}" if language.description else ""
    page.heading(f"{construction.name} on {data['word']!r}")
    page.pairs(
        [
            ("language", f"{language.name}{description}"),
            *([("parameters", values)] if values else []),
            ("positions", f"{len(result.tokens)}: {' '.join(result.tokens)}"),
            ("logit", Cell(equation(result.logit), "bold")),
            ("accepts", f"{_yes(data['accepts'])} ({rule})"),
            ("member", _yes(data["member"])),
            ("agrees", _agreement(data["agrees"])),
            *([] if data["decided"] else [("undecided", Cell("the logit is 0, which rejects", "yellow"))]),
        ]
    )
    if data["numeric"]:
        page.heading("In floating point")
        header = ("dtype", "device", "attention", "logit", "accepts", "agrees")
        rows: list[Sequence[str | Cell]] = [
            [
                row["dtype"],
                row["device"],
                row["attention"],
                str(row["logit"]),
                _yes(row["accepts"]),
                _agreement(row["accepts"] == data["member"]),
            ]
            for row in data["numeric"]
        ]
        page.table(Table(header, rows, right=frozenset({"logit"})))


def trace(page: Page, result: Run) -> None:
    """The residual stream, coordinates as rows and positions as columns, one table a layer."""
    header = [f"{i}:{token}" for i, token in enumerate(result.tokens)]
    for name, stream in _streams(result):
        page.heading(f"Residual stream, {name}")
        rows = [
            [Cell(coordinate, "bold"), *(_entry(vector[coordinate]) for vector in stream)] for coordinate in stream[0]
        ]
        page.table(Table(("", *header), rows, matrix=True))


def _streams(result: Run) -> list[tuple[str, tuple[dict[str, Real], ...]]]:
    names = ["embedding", *(f"after layer {number}" for number in range(1, len(result.streams)))]
    return list(zip(names, result.streams, strict=True))


def _entry(value: Real) -> str | Cell:
    text = cell(value)
    return Cell(text, "dim") if text == "0" else text


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _agreement(agrees: bool) -> Cell:
    return Cell("yes", "green") if agrees else Cell("no", "bold red")

"""Polynomials of a step as formulas, and vectors of them as text: parts of derivations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, assert_never

from weightproof.constructions.meaning.schema import Head
from weightproof.document.blocks import Code, Math, Paragraph, Spans, Text, joined, spans
from weightproof.proofs.simulation.holding import FIRST_POSITION, HELD, LATER
from weightproof.proofs.simulation.simulates import SHRINKING
from weightproof.symbolic.simulation.polynomial import Polynomial, Rectified, Saturated, Simplex, Values
from weightproof.symbolic.writing.latex import identifier, label
from weightproof.symbolic.writing.latex_source import score


def vector(told: Text, name: str, values: Values) -> Paragraph:
    """What is told, and then the coordinates that are not 0."""
    shown = {rf"{name}_{{{label(row)}}}": value for row, value in nonzero(values).items()}
    return Paragraph((*spans(told), *(equations(shown) if shown else (Math("0"),)), "."))


def scores(head: Head, name: str, products: Mapping[str, Polynomial]) -> Spans:
    """What a head scores by, token by token, of the products of its query and keys."""

    def written(product: Polynomial) -> str:
        text = tex(product)
        alone = len(product.terms) == 1 and not text.startswith("-")
        return score(head, text, None if alone else f"({text})")

    return equations({rf"{name}_{{{label(token)}}}": product for token, product in products.items()}, written)


def scores_typed(head: Head, products: Mapping[str, str]) -> dict[str, str]:
    """The same, of products as they are typed."""
    scale = "" if head.scale.source == "1" else f"({head.scale})*"
    match head.score:
        case "dot":
            return {token: f"{scale}({text})" if scale else text for token, text in products.items()}
        case "-|dot|":
            return {token: f"-{scale}abs({text})" for token, text in products.items()}
        case other:
            assert_never(other)


def equations(values: Values, written: Callable[[Polynomial], str] | None = None) -> Spans:
    """Names that have the same value stand together. written: how a value is."""
    names: dict[Polynomial, list[str]] = {}
    for name, value in values.items():
        names.setdefault(value, []).append(name)
    return joined([(Math(" = ".join((*equal, (written or tex)(value)))),) for value, equal in names.items()])


def tex(polynomial: Polynomial) -> str:
    """A polynomial as a formula, which begins with what is added, if anything is."""
    terms = []
    first = next((term for term in polynomial.terms if term[1] > 0), None)
    for monomial, value in sorted(polynomial.terms, key=lambda term: term != first):
        number = () if abs(value) == 1 and monomial else (rational(abs(value)),)
        terms.append((value, r" \cdot ".join((*number, *map(_atom, monomial)))))
    return signed(terms)


def signed(terms: Iterable[tuple[Any, str]]) -> str:
    """A sum: coefficients, whose signs are written, and what stands behind the sign."""
    return " ".join(f"{'-' if x < 0 else '+'} {text}" for x, text in terms).removeprefix("+ ") or "0"


def rational(x: Any) -> str:
    """A fraction in a line, or a whole number."""
    return str(x.p) if x.q == 1 else rf"\tfrac{{{x.p}}}{{{x.q}}}"


def _atom(name: str) -> str:
    if isinstance(name, Saturated):
        return rf"\sigma({tex(name.argument)})"
    if isinstance(name, Rectified):
        return rf"\max(0, {tex(name.argument)})"
    if name.startswith("2^-"):
        return f"2^{{-{name.removeprefix('2^-')}}}"
    known = {
        SHRINKING: r"\tfrac{1}{t+1}",
        "j": "j",
        "n-1": "(n-1)",
        LATER: r"\mathbb{I}[t > 0]",
        FIRST_POSITION: r"\omega_{\text{first}}",
    }
    if name in known:
        return known[name]
    if name.startswith(HELD):
        return rf"y_{{{label(name.removeprefix(HELD))}}}"
    if name.startswith("share of "):
        return rf"\omega_{{{label(name.removeprefix('share of '))}}}"
    return identifier(name) if re.fullmatch(r"[a-zA-Z](\d*|(_[a-zA-Z0-9]+)+)", name) else label(name)


def nonzero(values: Values) -> Values:
    return {row: value for row, value in values.items() if value.terms}


def typed(values: Values) -> dict[str, str]:
    """The coordinates that are not 0, as they are typed."""
    return {row: str(value) for row, value in nonzero(values).items()}


def held(values: Values) -> Spans:
    """What units hold, as a part of a sentence; those that hold the same stand together."""
    names: dict[Polynomial, list[str]] = {}
    for unit, value in values.items():
        names.setdefault(value, []).append(unit)
    told: list[Spans] = [
        (*joined([(Code(unit),) for unit in equal], " = "), " = ", Math(tex(x))) for x, equal in names.items()
    ]
    return joined(told, "; ") if told else ("all units are 0",)


def region(simplices: Iterable[Simplex]) -> Spans:
    """Where atoms are."""
    return joined([_place(simplex) for simplex in simplices])


def _place(simplex: Simplex) -> Spans:
    if len(simplex.atoms) == 1:
        least, most = (tex(Polynomial.number(x)) for [x] in simplex.vertices)
        return (Math(rf"{least} \le {tex(Polynomial.atom(simplex.atoms[0]))} \le {most}"),)
    corners = [f"({', '.join(tex(Polynomial.number(x)) for x in point)})" for point in simplex.vertices]
    point = Math(f"({', '.join(tex(Polynomial.atom(atom)) for atom in simplex.atoms)})")
    return point, " in the convex hull of ", Math(", ".join(corners))

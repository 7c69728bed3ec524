"""Sums of waves and alternating sums as formulas: parts of derivations and proofs about sums."""

from __future__ import annotations

from typing import Any

from weightproof.machines.formulas import rational, signed
from weightproof.symbolic.modular.alternating import Alternating
from weightproof.symbolic.modular.waves import Phase, Powers, Waves


def alternating_tex(value: Alternating) -> str:
    def part(degree: int, sign: int, size: str) -> str:
        factors = ([f"j^{degree}" if degree > 1 else "j"] if degree else []) + (["(-1)^j"] if sign else [])
        return r" \cdot ".join(([] if size == "1" and factors else [size]) + factors)

    return signed((x, part(*place, rational(abs(x)))) for place, x in value.terms)


def tex(value: Waves) -> str:
    """A sum of waves as a formula."""
    terms = []
    for x, function, phase in value.parts:
        number = "" if abs(x) == 1 and function else rational(abs(x))
        wave = "" if not function else rf"\{function}\left({_in_wave(phase, 'i' if function == 'exp' else '')}\right)"
        terms.append((x, f"{number}{wave}"))
    return signed(terms)


def _in_wave(phase: Phase, unit: str = "") -> str:
    """With pi, and with the imaginary unit where it is said: 2 pi k (a + b - c)/p as a fraction."""
    (powers, x), rest = phase.factored
    inner = ""
    if len(rest.terms) == 1:
        [(powers, x)] = phase.terms
    else:
        inner = f"({signed((y, _product(y, names)) for names, y in rest.terms)})"
    above = [name for name, exponent in powers for _ in range(exponent)]
    below = [name for name, exponent in powers for _ in range(-exponent)]
    number = "" if abs(x.p) == 1 else str(abs(x.p))
    divisor = " ".join([*([] if x.q == 1 else [str(x.q)]), *below])
    product = rf"{number}\pi {' '.join(above)} {inner}".strip()
    sign = ("-" if x < 0 else "") + unit
    return rf"{sign}\tfrac{{{product}}}{{{divisor}}}" if divisor else f"{sign}{product}"


def _product(x: Any, powers: Powers) -> str:
    names = " ".join(name for name, exponent in powers for _ in range(exponent))
    return names if abs(x) == 1 and names else f"{rational(abs(x))} {names}".strip()


def phase_tex(value: Phase) -> str:
    """A sum of products of names."""
    return signed((x, _product(x, powers)) for powers, x in value.terms)

"""The proofs of theorems about sums: by what was looked at of a rotation, or of units that count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.document.blocks import Block, Equations, Line, Math, Paragraph, Spans, Styled, equation
from weightproof.machines.formulas import rational
from weightproof.modular.formulas import alternating_tex, phase_tex, tex
from weightproof.proofs.modular.counting import FIRST_ODD, Signs, Slope, Summed, Threshold
from weightproof.proofs.modular.deciding import Alike, Factor, Members, Steady, Turned
from weightproof.proofs.modular.stated import Equal
from weightproof.proofs.prover import Obligation
from weightproof.symbolic.modular.alternating import Alternating
from weightproof.symbolic.modular.rotations import ONE, PART, turn
from weightproof.symbolic.modular.waves import Phase, Waves, cos
from weightproof.symbolic.writing.breakable import Terms

EVERY = "; this is true of every network of numbers, which is this one with numbers in the place of names."


def told(closed: Sequence[Obligation]) -> Iterator[Block]:
    """One obligation after the other, and what follows from all of them."""
    shown = [each.value(object) for each in closed]
    yield Paragraph((_way(shown),))
    for found in shown:
        yield from _step(found)
    yield from _end(shown)


def _way(shown: Sequence[object]) -> str:
    names = "the forward pass of the network whose numbers are names, shown above"
    if any(isinstance(each, Slope) for each in shown):
        return "Proof, for a word of any length and a unit of any number."
    return (
        f"Proof, from {names}{EVERY}" if any(isinstance(each, Members) for each in shown) else f"Proof, from {names}."
    )


def _step(found: object) -> Iterator[Block]:
    match found:
        case Members():
            return
        case Equal():
            yield Paragraph("What is derived and what is stated are the same, term by term, whatever the names are:")
            yield Equations((Line("", (Terms((_written(found.found),)),), relation=""),))
        case Turned(moving=moving, rotation=one, k=k):
            yield Paragraph(("What depends on ", Math("c"), " in the output ", Math("c"), " is a rotation:"))
            factor = f"{_signed(one.steady)} {_more(one.varying)} {tex(cos(turn(k, 1, -1, 0)))}"
            turned = [rf"\left({factor}\right) {tex(cos(turn(k, 1, 1, -1)))}"] if one.varying else []
            yield Equations((equation("y_c", tex(moving), *turned),))
        case Alike(several=several):
            yield Paragraph(
                f"Each of {len(several)} frequencies adds the same rotation, with that frequency, as one alone does."
            )
        case Steady(rotation=one):
            yield Paragraph(
                ("Its factor is the same for all residues: ", Math(_signed(one.steady)), ", which adds up.")
            )
        case Factor():
            yield from _factor(found)
        case Slope(weight=weight):
            yield Paragraph(
                (
                    "Every input has the weight ",
                    Math(f"{alternating_tex(weight)} > 0"),
                    ", so that unit ",
                    Math("j"),
                    " sees no more of a word than how many of its bits are 1, ",
                    Math("k"),
                    ".",
                )
            )
        case Threshold():
            yield from _threshold(found)
        case Summed(weight=weight, total=total):
            yield Paragraph(
                (
                    Styled("Induction over the units."),
                    " The second weights of the units 1 to ",
                    Math("j"),
                    " add up to ",
                    Math(f"S(j) = {alternating_tex(total)}"),
                    ": nothing of no unit, and each unit adds its weight:",
                )
            )
            before = alternating_tex(total - total.before())
            yield Equations(
                (
                    equation("S(0)", rational(total.at(0))),
                    equation("S(j) - S(j - 1)", before, alternating_tex(weight)),
                )
            )
        case Signs(bias=bias, odd=odd):
            yield Paragraph(
                (
                    "That is a number times ",
                    Math(rf"[j \text{{ is odd}}] = {alternating_tex(FIRST_ODD)}"),
                    ", so that with the bias the output has two values:",
                )
            )
            yield Equations(
                (
                    Line("y", (Terms((f"{_signed(odd)} > 0",)),), (Math("k"), " odd")),
                    Line("y", (Terms((rf"{_signed(bias)} \le 0",)),), (Math("k"), " even")),
                )
            )
        case _:
            raise TypeError(found)


def _factor(found: Factor) -> Iterator[Block]:
    """The least value of s + v cos of any multiple of 2 pi/p, of all moduli or odd ones."""
    one = found.rotation
    if not one.varying:
        yield Paragraph(("The factor is positive: ", Math(f"{_signed(one.steady)} > 0"), "."))
        return
    least = one.steady - abs(one.varying)
    sign = r"\ge" if least > 0 else ">"
    odd: Spans = (", as ", Math("p"), " is odd and no cosine is -1") if least <= 0 and found.odd else ()
    wave = f"{_signed(one.steady)} {_more(one.varying)} {tex(cos(turn('k', 1, -1, 0)))}"
    yield Paragraph(("The factor is positive: ", Math(f"{wave} {sign} {_signed(least)}"), *odd, "."))


def _threshold(found: Threshold) -> Iterator[Block]:
    """Of w k + x - w j, for whole numbers."""
    share = rational(found.x / found.w)
    over = rf"{_times(found.w)} k {_more(found.x)} {'-' if found.y < 0 else '+'} {_times(abs(found.y))} j"
    yield Paragraph(("Unit ", Math("j"), " is positive just where ", Math("j"), " is at most ", Math("k"), ": of"))
    yield Equations((equation(over, rf"{_times(found.w)} \left(k - j + {share}\right)".strip()),))
    yield Paragraph(
        (
            "the bracket is at least ",
            Math(f"{share} > 0"),
            " where ",
            Math(r"j \le k"),
            ", and else, as these are whole numbers, at most ",
            Math(rf"-1 + {share} \le 0"),
            ".",
        )
    )


def _end(shown: Sequence[object]) -> Iterator[Block]:
    """What follows, by the rules about cosines that stand above."""
    if any(isinstance(each, Factor) for each in shown):
        several = any(isinstance(each, Steady) for each in shown)
        last: Spans = (
            (
                "the sum of the cosines is greatest where all of them are 1, and that is so of one ",
                Math("c"),
                " alone, as the frequencies have no divisor in common with ",
                Math("p"),
            )
            if several
            else (
                "the cosine is 1 where ",
                Math("c = a + b"),
                " modulo ",
                Math("p"),
                ", and less elsewhere, as ",
                Math("k"),
                " has no divisor in common with ",
                Math("p"),
            )
        )
        yield Paragraph((Styled("End."), " The factor is positive, and ", *last, ": so that output is the greatest."))
        yield from _least(shown)
    elif any(isinstance(each, Signs) for each in shown):
        yield Paragraph(
            (
                Styled("End."),
                " The units 1 to ",
                Math("k"),
                " are 1, and the others 0; so the network is 1 just where ",
                Math("k"),
                " is odd, whatever the length of the word is.",
            )
        )


def _least(shown: Sequence[object]) -> Iterator[Block]:
    """Where the difference is least, if it was asked for."""
    [factor] = [each for each in shown if isinstance(each, Factor)]
    match shown[-1]:
        case Equal(found=Phase()):
            told: Spans = (
                "The sum of the cosines is ",
                Math("p - 1"),
                " there and ",
                Math("-1"),
                " at all others, by the rule above, so that each of these is behind by the factor times ",
                Math("p"),
                ".",
            )
            yield Paragraph(told)
        case Equal(found=found):
            yield Paragraph(
                (
                    "The difference is least where the factor is, and where the next cosine is greatest, by the rules "
                    "above; both are attained at once, as ",
                    Math("c"),
                    " is free whatever ",
                    Math("a - b"),
                    " is:",
                )
            )
            least, next_one = factor.rotation.least_factor(factor.odd), ONE - cos(PART + PART)
            times = tex(least) if len(least.terms) == 1 else rf"\left({tex(least)}\right)"
            yield Equations((equation(rf"{times} \left({tex(next_one)}\right)", _written(found)),))


def _written(value: object) -> str:
    match value:
        case Waves():
            return tex(value)
        case Phase():
            return phase_tex(value)
        case Alternating():
            return alternating_tex(value)
    raise TypeError(value)


def _signed(x: object) -> str:
    return f"-{rational(-x)}" if x < 0 else rational(x)  # type: ignore[operator]


def _times(x: object) -> str:
    return "" if x == 1 else _signed(x)


def _more(x: object) -> str:
    """A summand behind another one; of what is multiplied, 1 is left out."""
    return f"- {rational(-x)}" if x < 0 else f"+ {rational(x)}"  # type: ignore[operator]

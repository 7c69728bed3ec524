"""The document's part on theorems: statement, verdict, and the proof's obligations with what closed each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from weightproof.appendix.obligations import SOLVERS, by_solvers_alone, proved_by
from weightproof.appendix.runs import by_runs
from weightproof.constructions.claims.statements import Logit, named
from weightproof.constructions.scalars.expressions import Expression
from weightproof.decoders.proof import told as of_tokens
from weightproof.document.blocks import (
    Block,
    Equations,
    Heading,
    Line,
    Math,
    Paragraph,
    Reference,
    Spans,
    equation,
    joined,
)
from weightproof.proofs.prove import Proof
from weightproof.proofs.solving.close import SIDE_CONDITIONS
from weightproof.proofs.strategies.inductive.one_scale import ONE_SCALE, WithOneScale, with_one_scale
from weightproof.proofs.strategies.scales import without_scales
from weightproof.proofs.theorem import Appends, ClosedForm, Compares, Computes, Decides, Margin, Predicts, Theorem
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.reports.formulas import expression_tex
from weightproof.reports.verdicts import in_a_sentence, in_sets, resting
from weightproof.reports.wording import worded
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.breakable import Terms
from weightproof.symbolic.writing.latex import SIGNS, label
from weightproof.symbolic.writing.latex_source import pieces, scalar, source

LOGIT = r"\mathrm{logit}"
ALWAYS = "n >= 1"
COMPARISON = re.compile("[<>]|[!=]=")


def theorems(proofs: Sequence[Proof], derivation: Derivation | None, section: str, argument: str) -> Iterator[Block]:
    """argument: how the user named the construction."""
    if not proofs:
        return
    yield Heading(2, ("Theorems",))
    versions = sorted({solver for proof in proofs for solver in proof.result.solvers})
    if versions:
        yield Paragraph((f"Solvers: {', '.join(versions)}. {_counted(proofs)}",))
    for number, proof in enumerate(proofs, start=1):
        yield Heading(4, (f"Theorem {section}.{number} (", *called(proof.theorem), ")"))
        statement = in_words(proof.theorem)
        if statement:
            yield Paragraph(statement)
        lines = in_formulas(proof.theorem)
        if lines:
            yield Equations(lines)
        yield Paragraph(_verdict(proof, argument))
        verdict = proof.result.verdict
        if isinstance(verdict, Proved) and verdict.words is not None:
            yield Paragraph((f"Proof: each of the {verdict.words:,} words that it speaks of was run.",))
        elif isinstance(verdict, Proved) and verdict.covered is not None:
            yield Paragraph((f"Proof: {in_sets(verdict.covered)}.",))
        elif isinstance(verdict, Proved):
            yield from _proof(proof, derivation, section)


def called(theorem: Theorem) -> Spans:
    """Its name; the conditions in it are formulas."""
    parts = str(theorem.name).split(", ")
    formulas = ((part, expression_tex(part) if COMPARISON.search(part) else None) for part in parts)
    return joined([worded(part) if tex is None else (Math(tex),) for part, tex in formulas])


def in_words(theorem: Theorem) -> Spans:
    """What it states, but for what `in_formulas` does."""
    text = theorem.statement
    return () if isinstance(theorem, ClosedForm | Margin | Compares) else worded(f"{text[:1].upper()}{text[1:]}.")


def in_formulas(theorem: Theorem) -> tuple[Line, ...]:
    """What of it is a formula; in notes, what it supposes."""
    match theorem:
        case ClosedForm(stated=stated):
            conditions = [source(stated.when)] if stated.when.source != ALWAYS else []
            conditions += [f"{name} = {source(value)}" for name, value in stated.at.items()]
            left = LOGIT if isinstance(stated.of, Logit) else label(named(stated.of))
            note: Spans = ("if ", *joined([(Math(c),) for c in conditions])) if conditions else ()
            return (equation(left, scalar(stated.equals), note=note),)
        case Margin(value=value, side=side):
            asked = [formula for formula in (theorem.when, theorem.given) if formula.source != ALWAYS]
            note = ("if ", *joined([(Math(source(formula)),) for formula in asked])) if asked else ()
            if value is None:
                return (equation(rf"\#\{{\text{{{side} words of }} n \text{{ positions}}\}}", "0", note=note),)
            left = rf"\min_{{\text{{{side} words}}}} \lvert {LOGIT} \rvert"
            return (equation(left, scalar(value), note=note),)
        case Decides(accepts=accepts, given=given) if accepts is not None or given.source != ALWAYS:
            note = ("given ", Math(source(given))) if given.source != ALWAYS else ()
            wanted = (r"\text{the word is in the language}",) if accepts is None else pieces(accepts)
            return (Line(r"\text{accepted}", (Terms(wanted),), note, relation=r"\iff"),)
        case Compares(op=op, value=value, where=where, only=only, given=given):
            words = r"\text{the word is in the language}" if where is None else source(where)
            note = ("given ", Math(source(given))) if given.source != ALWAYS else ()
            compared = (rf"{LOGIT} {SIGNS[op]} {scalar(value)}",)
            return (Line(words, (Terms(compared),), note, relation=r"\iff" if only else r"\implies"),)
        case Predicts(where=where, given=given):
            note = ("given ", Math(source(given))) if given.source != ALWAYS else ()
            said = {token: pieces(formula) for token, formula in (where or {}).items()}
            if where is None and note:
                said = {"each token": (r"\text{it is right}",)}
            return tuple(Line(_predicted(token), (Terms(of),), note, relation=r"\iff") for token, of in said.items())
    return ()


def _predicted(token: str) -> str:
    return rf"{label(token)}\text{{ is predicted, of those that are right,}}"


def _verdict(proof: Proof, argument: str) -> Spans:
    claimed = "the formula has another value there" if isinstance(proof.theorem, ClosedForm) else ""
    verdict, replay = proof.result.verdict, None
    if isinstance(verdict, Refuted):
        replay = replace(verdict.counterexample, construction=argument).command()
    return in_a_sentence(proof.result, replay, claimed)


def _proof(proof: Proof, derivation: Derivation | None, section: str) -> Iterator[Block]:
    theorem = proof.theorem
    if proof.cases:
        yield from by_runs(proof.cases, proof.closed)
        return
    if isinstance(theorem, Appends):
        yield from of_tokens(proof.exactly)
        return
    if derivation is None or isinstance(theorem, Computes):
        return
    if isinstance(theorem, ClosedForm):
        yield Paragraph(
            ("The difference between this and the derived value cancels to 0 in every case of their brackets.",)
        )
        return
    if isinstance(theorem, Predicts):
        yield Paragraph(("Proof, for how far one output is ahead of another one, by the cases of the closed forms.",))
    elif isinstance(theorem, Decides) and theorem.up_to is not None:
        yield Paragraph(("Proof, each length and each count for itself, from the closed form ", *_logit(section), "."))
    elif any(closed.obligation.name.startswith(ONE_SCALE) for closed in proof.closed):
        yield from _of_one_scale(with_one_scale(without_scales(derivation, theorem), theorem), section)
    elif theorem.invariant is None and not derivation.scales and derivation.sums:
        said = " is a multiple of a sum over positions, of rational multiples of different powers of "
        closing = (
            " for an algebraic number a other than 0. That is a transcendental number (Hermite and Lindemann), so that "
            "the sum is 0 only where each summand is, and the language is to say the same of each position."
        )
        yield Paragraph(("Proof. The closed form ", *_logit(section), said, Math("e^{a}"), closing))
    elif theorem.invariant is None and derivation.sums:
        said = ", whose numerator is a sum over positions: neighbours are added in pairs, and powers of e are compared "
        closing = "by their exponents, as scales are by their squares."
        yield Paragraph(("Proof, by the cases of the closed form ", *_logit(section), said + closing))
    elif theorem.invariant is None:
        yield Paragraph(("Proof, by the cases of the closed form ", *_logit(section), "."))
    else:
        yield Paragraph(
            (
                "Proof, by induction over the positions; after position ",
                Math("j"),
                ", from the closed form ",
                *_logit(section),
                ", the invariant is",
            )
        )
        yield Equations((Line("", (Terms(pieces(theorem.invariant)),), relation=""),))
    if isinstance(theorem, Margin) and theorem.attained:
        words = "".join(_power(word, count) for word, count in theorem.attained)
        yield Paragraph(("The margin is attained by the words ", Math(words), "."))
    yield from proved_by(proof.closed, theorem, derivation)


def _of_one_scale(scaled: WithOneScale, section: str) -> Iterator[Block]:
    """What a proof by an induction that is not of the closed form itself speaks of."""
    vocabulary = scaled.derivation.vocabulary
    yield Paragraph(
        (
            "Proof. The scales in the sums of the closed form ",
            *_logit(section),
            " are nearly one. But for a positive factor, and with an error of at most ",
            Math(latex.number(scaled.theorem.room, vocabulary)),
            ", as the first obligations show, the logit is the following; by induction over the positions that is "
            "further from 0, on the right side.",
        )
    )
    sums = ((rf"S_{{{str(symbol)[1:]}}}", total) for symbol, total in scaled.derivation.sums.items())
    yield Equations(
        (
            Line(LOGIT, (Terms((latex.value(scaled.derivation.logit, vocabulary),)),), relation=r"\approx"),
            *(equation(name, latex.explicit_sum(total, vocabulary)) for name, total in sums),
        )
    )


def _power(word: str, times: Expression) -> str:
    """A word repeated."""
    block = label(word) if len(word) == 1 else f"({label(word)})"
    return label(word) if times.source == "1" else f"{block}^{{{source(times)}}}"


def _logit(section: str) -> Spans:
    return (Reference(f"{section}.1"),)


def _counted(proofs: Sequence[Proof]) -> str:
    """What the obligations of all proofs rest on."""
    closed = [
        item
        for proof in proofs
        if isinstance(proof.result.verdict, Proved)
        for item in proof.closed
        if item.obligation.name != SIDE_CONDITIONS
    ]
    sides = [item for proof in proofs for item in proof.closed if item.obligation.name == SIDE_CONDITIONS]
    asked = [{answer.solver for answer in item.answers if answer.status == "unsat"} for item in sides]
    confirmed = [SOLVERS[solver] for solver in SOLVERS if asked and all(solver in each for each in asked)]
    said = (
        f"; the linear side conditions, which exact elimination settled, were confirmed by {' and '.join(confirmed)}"
        if confirmed
        else "; the linear side conditions rest on exact elimination"
        if sides
        else ""
    )
    return f"{resting(len(closed), by_solvers_alone(closed))}{said}."

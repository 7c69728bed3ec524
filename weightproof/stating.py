"""Which theorems are stated about a construction that a command line names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from weightproof.constructions.library import of_papers
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.expressions import Expression, free_names
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.constructions.transforms.by_name import Transform, read, transformed
from weightproof.named import Named
from weightproof.proofs.quantities.probe import substituted
from weightproof.proofs.theorem import EVERYTHING, Decides, Theorem
from weightproof.proofs.wellformed import check


def theorems_about(source: Named) -> tuple[Theorem, ...]:
    """Those that the user gives, checked, or else those of a built-in construction, or the default ones.

    Of a transformed construction those that are stated of it; or else, of those stated where the transformations have
    other values, or of the original's, those that can be carried over, and the default one in any case.
    """
    from weightproof.proofs.prove import default_theorems
    from weightproof.proofs.theorem import of_transformed, theorems_of

    is_built_in = not source.is_own or (bool(source.transforms) and source.named in of_papers())
    about = [each for each in of_transformed() if is_built_in and each.named == source.named]
    theorems, default = source.theorems, default_theorems(source.construction)
    if theorems is None and is_built_in:
        exactly = (each.theorems for each in about if each.transforms == source.transforms)
        if (found := next(exactly, None)) is not None:
            return found
        theorems = theorems_of(source.named)
    if theorems is not None and source.original is not None:
        before = source.original
        for each in about:
            if _kinds(each.transforms) == _kinds(source.transforms):
                theorems, before = each.theorems, transformed(source.original, each.transforms)
                break
        carried = tuple(_carried_over(theorems, before, source))
        known = {theorem.name for theorem in carried}
        theorems = (*(theorem for theorem in default if theorem.name not in known), *carried)
    if not theorems:
        return default
    try:
        check(source.construction, theorems)
    except InputError as error:
        raise InputError(f"{source.argument}: {error}" if source.is_own else str(error)) from error
    return theorems


def _kinds(transforms: Sequence[str]) -> list[Transform]:
    return [read(item)[0] for item in transforms]


def _carried_over(theorems: Sequence[Theorem], before: Construction, source: Named) -> Iterator[Decides]:
    """The theorems that say what is accepted at every length and can be read of the transformed construction, at the
    values that transformations give to parameters of the one before.

    The others speak of the value of the logit. Left out is what supposes another value, and what is expected to be
    refuted of all values: the word may need another one.
    """
    after = source.construction
    gone = {parameter.name for parameter in before.parameters} - {parameter.name for parameter in after.parameters}
    given = (pair for item in source.transforms for pair in read(item)[1].items())
    values = {name: value for name, value in given if name in gone and isinstance(value, Expression)}
    for theorem in theorems:
        if not isinstance(theorem, Decides) or theorem.up_to is not None or (gone and theorem.expected == "refuted"):
            continue
        accepts, invariant = (
            None if formula is None else substituted(formula, values)
            for formula in (theorem.accepts, theorem.invariant)
        )
        or_else = tuple(substituted(formula, values) for formula in theorem.or_else)
        hypothesis = _open(substituted(theorem.given, values))
        if hypothesis is not None:
            carried = replace(theorem, accepts=accepts, given=hypothesis, invariant=invariant, or_else=or_else)
            if _is_readable(after, carried):
                yield carried


def _open(hypothesis: Expression) -> Expression | None:
    """The parts of a hypothesis that speak of something; None where another part is not known to be true."""
    match hypothesis.tree:
        case ast.BoolOp(op=ast.And(), values=parts):
            pass
        case part:
            parts = [part]
    kept = []
    for part in parts:
        text = ast.unparse(part)
        if free_names(part) or symbols_of(part) is not None:
            kept.append(text)
        elif not _is_true(Expression(text)):
            return None
    if len(kept) == len(parts):
        return hypothesis
    return Expression(" and ".join(f"({text})" for text in kept) if len(kept) > 1 else (*kept, EVERYTHING)[0])


def _is_true(formula: Expression) -> bool:
    """Of a formula about numbers alone; not where that cannot be told."""
    try:
        return holds(formula, {}, (), ())
    except ArithmeticError:
        return False


def _is_readable(construction: Construction, theorem: Theorem) -> bool:
    try:
        check(construction, [theorem])
    except InputError:
        return False
    return True


def decides(source: Named, name: str | None = None) -> Decides:
    """The theorem of that name, or the first one, of those that say which words are accepted; it is to be proved."""
    stated = [theorem for theorem in theorems_about(source) if isinstance(theorem, Decides)]
    for theorem in stated:
        if name is None or theorem.name == name:
            return replace(theorem, expected="proved")
    told = ", ".join(repr(theorem.name) for theorem in stated) or "none"
    raise InputError(f"{source.argument}: no theorem {name!r} says which words are accepted; there are {told}")

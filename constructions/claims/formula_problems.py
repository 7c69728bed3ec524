"""Refuses malformed claims about formulas before they are judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from reprlib import repr as short
from typing import get_args

from weightproof.constructions.claims.formulas import (
    Adds,
    Always,
    Among,
    Circular,
    Costs,
    Entries,
    Factorials,
    Formulaic,
    Heads,
    Needs,
    Numbers,
    OfVectors,
    Peak,
    Place,
    Plus,
    Role,
    Shaped,
    Shares,
    Sizes,
    Sum,
    Takes,
    Times,
    Transposed,
    Tree,
    Waves,
    Weighs,
)
from weightproof.constructions.claims.problems import lines_of, lines_of_slip
from weightproof.constructions.claims.published import Claims, Published, Reading
from weightproof.constructions.meaning.validation import ConstructionError
from weightproof.constructions.scalars.expressions import WORDS
from weightproof.constructions.scalars.problems import formula_problems, scalar_problems


def check_formulas(claims: Claims) -> None:
    """Raises ConstructionError at the first thing that is wrong with claims about formulas."""
    for message in _problems(claims):
        raise ConstructionError(" ".join(f"{claims.construction}: {message}".split()))


def _problems(claims: Claims) -> Iterator[str]:
    seen: set[str] = set()
    for claim in claims.claims:
        if claim.id in seen:
            yield f"claim {claim.id}: there are two claims of that id"
        seen.add(claim.id)
        yield from (f"claim {claim.id}: {message}" for message in _claim(claim))
        for slip in claim.slips:
            yield from lines_of_slip(slip)
            if slip.about != claims.construction:
                yield f"slip {slip.id}: its correction is listed under {slip.about!r}"
            yield from (f"slip {slip.id}, correction: {message}" for message in _claim(slip.correction))


def _claim(claim: Published) -> Iterator[str]:
    yield from lines_of(claim)
    if claim.under:
        yield "under: conventions are of claims about networks"
    for reading in claim.senses:
        if not isinstance(reading, Reading) or not isinstance(reading.statement, Formulaic):
            yield f"{short(reading)} states nothing about formulas"
        yield from _statement(reading.statement)  # type: ignore[arg-type]


def _statement(said: Formulaic) -> Iterator[str]:
    match said:
        case Always(says=says, over=over, given=given):
            yield from _kinds(over, get_args(Numbers))
            yield from formula_problems(says, over, None, "says")
            yield from formula_problems(given, over, None, "given")
        case OfVectors():
            yield from _of_vectors(said)
        case Shaped(tree=tree, sizes=sizes, rows=rows, columns=columns):
            yield from _sizes(sizes)
            yield from _tree(tree, sizes)
            for name, size in (("rows", rows), ("columns", columns)):
                yield from _size(size, name)
        case Costs(trees=trees, sizes=sizes, bound=bound, growing=growing):
            yield from _sizes(sizes)
            for tree in trees:
                yield from _tree(tree, sizes)
            yield from _size(bound, "bound")
            if not trees or not growing:
                yield "it says of nothing how it grows"
            for name in growing:
                if name in sizes.where:
                    yield f"{name} grows, but is made of other sizes"
        case Circular(left=left, right=right):
            yield from _waves(left)
            yield from _waves(right)
        case Peak(modulus=modulus, without=without):
            if not isinstance(modulus, int) or modulus < 2 or not all(0 <= k < modulus for k in without):
                yield f"there are no remainders {short(without)} of the division by {short(modulus)}"
        case Adds(term=term, total=total):
            yield from scalar_problems(term, {"i"}, "term")
            yield from scalar_problems(total, {"k"}, "total")
        case Among(entries=entries, allowed=allowed, over=over):
            for entry, condition in entries.items():
                yield from formula_problems(condition, over, None, f"entry {entry}")
            if not entries or not allowed:
                yield "it says of no entry what it may be"
        case Weighs(left=left, right=right):
            yield from _factorials(left, "left")
            yield from _factorials(right, "right")
        case Shares(weight=weight):
            yield from _factorials(weight, "weight")
        case Needs(role=role):
            if role not in get_args(Role):
                yield f"{short(role)} is none of {', '.join(get_args(Role))}"
        case Takes(of=of, at_most=at_most, positions=positions):
            if of not in get_args(Place):
                yield f"{short(of)} is none of {', '.join(get_args(Place))}"
            yield from scalar_problems(at_most, {"p"}, "at_most")
            if positions is not None and (not isinstance(positions, int) or positions < 1):
                yield f"{short(positions)} is no number of positions"


def _factorials(weight: Factorials, place: str) -> Iterator[str]:
    if not weight.over:
        yield f"{place}: it is a product of no factorials"
    for each in (*weight.over, *weight.under):
        yield from scalar_problems(each, {"s", "h"}, place)


def _of_vectors(said: OfVectors) -> Iterator[str]:
    yield from _kinds(said.vectors, get_args(Entries))
    yield from _kinds(said.numbers, get_args(Numbers))
    if not said.vectors:
        yield "it is about no vectors"
    numbers, entries = {said.length, *said.numbers}, {*said.vectors}
    for name, defined in said.let.items():
        if name in numbers | entries or name in WORDS:
            yield f"{name} has a meaning already"
        yield from scalar_problems(defined.of, numbers | entries, name)
        if isinstance(defined, Sum):
            if defined.upto is not None:
                yield from scalar_problems(defined.upto, numbers, f"{name}, upto")
            numbers.add(name)
        else:
            entries.add(name)
    yield from formula_problems(said.says, numbers, None, "says")


def _kinds(over: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    for name, kind in over.items():
        if kind not in known:
            yield f"{name} is {short(kind)}, which is none of {', '.join(known)}"
        if not name.isidentifier() or name in WORDS:
            yield f"{short(name)} is no name for a number"


def _sizes(sizes: Sizes) -> Iterator[str]:
    for name, size in sizes.of.items():
        if len(size) not in (1, 2):
            yield f"{name} has {len(size)} sizes; write rows and columns, or the one size of a vector"
        for each in size:
            yield from _size(each, name)
    for name, value in sizes.where.items():
        yield from _size(value, name)
        if any(other in sizes.where for other in value.names):
            yield f"{name} is made of {value}, of which something is made of other sizes"


def _size(size: object, place: str) -> Iterator[str]:
    yield from scalar_problems(size, getattr(size, "names", ()), place)


def _tree(tree: Tree, sizes: Sizes) -> Iterator[str]:
    match tree:
        case str():
            if tree not in sizes.of:
                yield f"{tree!r} has no size"
        case Times(factors=parts) | Plus(terms=parts):
            if not parts:
                yield "there is an empty product or sum"
            for part in parts:
                yield from _tree(part, sizes)
        case Heads(of=of, how_many=how_many):
            yield from _size(how_many, "how_many")
            yield from _tree(of, sizes)
        case Transposed(of=of):
            yield from _tree(of, sizes)
        case _:
            yield f"{short(tree)} is no matrix"


def _waves(waves: Waves) -> Iterator[str]:
    for coefficient, product in waves:
        if not isinstance(coefficient, int):
            yield f"{short(coefficient)} is no whole coefficient"
        for wave in product:
            if wave.function not in ("cos", "sin") or not all(isinstance(k, int) for k in wave.angles.values()):
                yield f"{short(wave)} is no cosine or sine of whole multiples of angles"

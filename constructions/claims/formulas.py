"""What a paper can print that is about no network in particular: kinds of statements, as data.

Formulas are in the language of `expressions`; each statement names what they may speak of. Where two sides are
compared, the left one is what is there, and the right one what print says that it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from reprlib import repr as short
from types import MappingProxyType
from typing import Any, Literal

from weightproof.constructions.checks.scalars import formula_problems, scalar_problems
from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.scalars.expressions import Expression, entries, entries_or_empty, exact, exact_or_none
from weightproof.constructions.scalars.frozen import Written, freeze, frozen
from weightproof.constructions.scalars.grammar import WORDS

Numbers = Literal["real", "positive", "fraction", "integer", "natural"]
"""What a name stands for: any real number, one greater than 0, one from 0 to 1; any whole number, one from 1 on."""


def exact_each(values: tuple[object, ...]) -> tuple[Expression, ...]:
    """Each of the scalars or formulas of a tuple."""
    return tuple(map(exact, values))


class Formulaic(Statement):
    """A statement about no network in particular."""


@dataclass(frozen=True)
class Always(Formulaic):
    """The formula is true of all numbers with `given`."""

    says: Written[Expression] = Written(exact)
    over: Written[Mapping[str, Numbers]] = Written(frozen)
    given: Written[Expression] = Written(exact, "0 == 0")

    def problems(self, about: object) -> Iterator[str]:
        yield from _named(self.over)
        yield from formula_problems(self.says, self.over, None, "says")
        yield from formula_problems(self.given, self.over, None, "given")


@dataclass(frozen=True)
class Each:
    """A vector, by its entry: a formula in the entries of vectors and in numbers."""

    of: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Sum:
    """The sum of a formula over the entries of vectors: of the first `upto`, or of all if that is None or there are
    fewer; mean: divided by the number of all entries."""

    of: Written[Expression] = Written(exact)
    upto: Written[Expression | None] = Written(exact_or_none, None)
    mean: bool = False


def Mean(of: object) -> Sum:
    """The mean of a formula over the entries of vectors."""
    return Sum(of, mean=True)


Entries = Literal["real", "positive", "distribution"]
"""What the entries of a vector are; those of a distribution are positive, and their sum is 1."""


@dataclass(frozen=True)
class OfVectors(Formulaic):
    """The formula, in what `let` defines one after the other, is true of all vectors of every length, and all numbers.

    vectors: all have the same length, which is called `length`, a natural number; numbers: the other names.
    """

    says: Written[Expression] = Written(exact)
    let: Written[Mapping[str, Each | Sum]] = Written(frozen)
    vectors: Written[Mapping[str, Entries]] = Written(frozen)
    length: Written[str] = Written(str)
    numbers: Written[Mapping[str, Numbers]] = Written(frozen, None)

    def problems(self, about: object) -> Iterator[str]:
        yield from _named({**self.vectors, **self.numbers})
        if not self.vectors:
            yield "it is about no vectors"
        numbers, entries = {self.length, *self.numbers}, {*self.vectors}
        for name, defined in self.let.items():
            if name in numbers | entries or name in WORDS:
                yield f"{name} has a meaning already"
            yield from scalar_problems(defined.of, numbers | entries, name)
            if isinstance(defined, Sum):
                if defined.upto is not None:
                    yield from scalar_problems(defined.upto, numbers, f"{name}, upto")
                numbers.add(name)
            else:
                entries.add(name)
        yield from formula_problems(self.says, numbers, None, "says")


@dataclass(frozen=True)
class Times:
    """A product of matrices, multiplied from the left to the right."""

    factors: tuple[Tree, ...]

    def __init__(self, *factors: Tree) -> None:
        freeze(self, factors=factors)


@dataclass(frozen=True)
class Plus:
    """A sum of matrices of one shape; a vector is added to every row."""

    terms: tuple[Tree, ...]

    def __init__(self, *terms: Tree) -> None:
        freeze(self, terms=terms)


@dataclass(frozen=True)
class Transposed:
    of: Tree


@dataclass(frozen=True)
class Heads:
    """One for each head, beside each other, or added up; how many heads there are is a formula in the sizes."""

    of: Tree
    how_many: Expression
    put: Literal["beside", "sum"]

    def __init__(self, of: Tree, how_many: object, put: Literal["beside", "sum"]) -> None:
        freeze(self, of=of, how_many=exact(how_many), put=put)


Tree = str | Times | Plus | Transposed | Heads
"""A matrix: by its name, or made of others. What acts on entries or rows, as a softmax, changes no shape, and is left
out."""


def _read_sizes(of: Mapping[str, Any]) -> Mapping[str, tuple[Expression, ...]]:
    return frozen({name: exact_each(size) for name, size in of.items()})


@dataclass(frozen=True)
class Sizes:
    """The names of matrices, each with rows and columns, or of vectors, with their one size: formulas in natural
    numbers. where: what some of these are, as formulas in the others."""

    of: Written[Mapping[str, tuple[Expression, ...]]] = Written(_read_sizes)
    where: Written[Mapping[str, Expression]] = Written(entries_or_empty, None)


@dataclass(frozen=True)
class Shaped(Formulaic):
    """What is multiplied and added fits, whatever the sizes are, and what is made of it has this shape."""

    bearing = "form"

    tree: Tree
    sizes: Sizes
    rows: Written[Expression] = Written(exact)
    columns: Written[Expression] = Written(exact)

    def problems(self, about: object) -> Iterator[str]:
        yield from _sizes(self.sizes)
        yield from _tree(self.tree, self.sizes)
        for name, size in (("rows", self.rows), ("columns", self.columns)):
            yield from _size(size, name)


@dataclass(frozen=True)
class Costs(Formulaic):
    """The multiplications that the products in `trees` take, one entry at a time, are O(bound), as the sizes in
    `growing` grow and the others stay what they are."""

    trees: tuple[Tree, ...]
    sizes: Sizes
    bound: Expression
    growing: tuple[str, ...]

    def __init__(self, *trees: Tree, sizes: Sizes, bound: object, growing: tuple[str, ...]) -> None:
        freeze(self, trees=trees, sizes=sizes, bound=exact(bound), growing=growing)

    def problems(self, about: object) -> Iterator[str]:
        yield from _sizes(self.sizes)
        for tree in self.trees:
            yield from _tree(tree, self.sizes)
        yield from _size(self.bound, "bound")
        if not self.trees or not self.growing:
            yield "it says of nothing how it grows"
        for name in self.growing:
            if name in self.sizes.where:
                yield f"{name} grows, but is made of other sizes"


@dataclass(frozen=True)
class Wave:
    """The cosine or sine of a sum of whole multiples of angles."""

    function: Literal["cos", "sin"]
    angles: Mapping[str, int]

    def __init__(self, function: Literal["cos", "sin"], **angles: int) -> None:
        freeze(self, function=function, angles=MappingProxyType(angles))


Waves = tuple[tuple[int, tuple[Wave, ...]], ...]
"""A sum of products of waves, each with a whole coefficient."""


@dataclass(frozen=True)
class Circular(Formulaic):
    """Two sums are equal, whatever the angles are."""

    left: Waves
    right: Waves

    def problems(self, about: object) -> Iterator[str]:
        yield from _waves(self.left)
        yield from _waves(self.right)


@dataclass(frozen=True)
class Peak(Formulaic):
    """The sum of cos(2 pi k x/modulus) over the frequencies k is greatest at the multiples x of the modulus, and less
    at every other whole x, whichever frequencies are chosen: any natural numbers, one or more, but those that leave one
    of these remainders when they are divided by the modulus."""

    modulus: int
    without: tuple[int, ...] = ()

    def problems(self, about: object) -> Iterator[str]:
        if (
            not isinstance(self.modulus, int)
            or self.modulus < 2
            or (not all(0 <= k < self.modulus for k in self.without))
        ):
            yield f"there are no remainders {short(self.without)} of the division by {short(self.modulus)}"


@dataclass(frozen=True)
class Adds(Formulaic):
    """The sum of `term`, a formula in i, over i = 1 ... k is `total`, a formula in k, for every natural k and for 0.

    Both are made of whole numbers by +, -, *, % 2, and powers of -1.
    """

    scalars = MappingProxyType({"term": ("i",), "total": ("k",)})

    term: Written[Expression] = Written(exact)
    total: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Among(Formulaic):
    """Every entry that occurs is one of `allowed`.

    entries: what stands there, with the condition on the names in `over`, natural numbers, under which it does.
    """

    transcribed = True

    entries: Mapping[str, Expression]
    allowed: tuple[str, ...]
    over: tuple[str, ...]

    def __init__(self, of: Mapping[str, object], *allowed: str, over: tuple[str, ...] = ()) -> None:
        freeze(self, entries=entries(of), allowed=allowed, over=over)

    def problems(self, about: object) -> Iterator[str]:
        for entry, condition in self.entries.items():
            yield from formula_problems(condition, self.over, None, f"entry {entry}")
        if not self.entries or not self.allowed:
            yield "it says of no entry what it may be"


@dataclass(frozen=True)
class Factorials:
    """The product of the factorials of `over`, divided by that of the factorials of `under`: formulas in s and h."""

    over: Written[tuple[Expression, ...]] = Written(exact_each)
    under: Written[tuple[Expression, ...]] = Written(exact_each, ())


@dataclass(frozen=True)
class Weighs(Formulaic):
    """Two weights of subsets are equal, for all subsets of s elements that leave out one of h elements or more."""

    left: Factorials
    right: Factorials

    def problems(self, about: object) -> Iterator[str]:
        yield from _factorials(self.left, "left")
        yield from _factorials(self.right, "right")


@dataclass(frozen=True)
class Shares(Formulaic):
    """Each element i of a set H of h elements gets the sum of weight times v(S and i) - v(S) over the subsets S of H
    without i, of s elements: all of them together get v(H), for every function v of subsets that is 0 of the empty one.
    """

    weight: Factorials

    def problems(self, about: object) -> Iterator[str]:
        yield from _factorials(self.weight, "weight")


Role = Literal["essential", "either suffices", "not necessary"]


@dataclass(frozen=True)
class Needs(Formulaic):
    """A component of a transformer, or a pair of them, is needed so for simulating every recurrent network. Essential:
    none does it without the component, or without both of a pair; either suffices: some do without each of a pair; not
    necessary: some do without the component.

    component: what `show components` calls it.
    """

    bearing = "outcome"

    component: str
    role: Role


Place = Literal["attended", "output", "input"]
"""A vector at a step of a decoder: a_t, behind the cross head of its last layer; what it makes of that; the input of
the next step, to which the position encoding is added."""


@dataclass(frozen=True)
class Takes(Formulaic):
    """In every encoder-decoder of one hardmax cross head a layer, with no residual connection around the last one: on a
    word of n positions the vector at a place is one of at most so many, at all steps: a formula in p = 2^n.

    positions: said only of words of so many.
    """

    bearing = "outcome"

    scalars = MappingProxyType({"at_most": ("p",)})

    of: Place
    at_most: Written[Expression] = Written(exact)
    positions: int | None = None

    def problems(self, about: object) -> Iterator[str]:
        yield from super().problems(about)
        if self.positions is not None and (not isinstance(self.positions, int) or self.positions < 1):
            yield f"{short(self.positions)} is no number of positions"


def _factorials(weight: Factorials, place: str) -> Iterator[str]:
    if not weight.over:
        yield f"{place}: it is a product of no factorials"
    for each in (*weight.over, *weight.under):
        yield from scalar_problems(each, {"s", "h"}, place)


def _named(names: Collection[str]) -> Iterator[str]:
    for name in names:
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
            if not all(isinstance(k, int) for k in wave.angles.values()):
                yield f"{short(wave)} is no cosine or sine of whole multiples of angles"

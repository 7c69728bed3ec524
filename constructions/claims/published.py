"""A printed claim, as data: the place where it stands, what it says, the conventions it may be read under, its slips.

Nothing here says whether a claim is true: that is computed from the weights, in `proofs.claims`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.claims.statements import Value
from weightproof.constructions.scalars.frozen import freeze

Convention = Literal["index shift", "padding", "empty word", "symbols only", "transposition", "fractions"]
"""How a statement may be read otherwise than literally; `conventions` says what each one does."""


@dataclass(frozen=True)
class Reading:
    """A statement taken literally. sense: which reading this is, where print leaves more than one."""

    statement: Statement
    sense: str | None = None


@dataclass(frozen=True)
class Published:
    """One claim. place: section or equation; printed: a line of words with TeX formulas between dollar signs.

    under: combinations of conventions, in the order in which they are tried where the literal senses are refuted.
    slips: the mistakes that make it false.
    """

    id: str
    place: str
    printed: str
    senses: tuple[Reading, ...]
    under: tuple[tuple[Convention, ...], ...]
    slips: tuple[Slip, ...]

    def __init__(
        self,
        id: str,
        place: str,
        printed: str,
        *senses: Reading | Statement,
        under: tuple[tuple[Convention, ...], ...] = (),
        slip: Slip | tuple[Slip, ...] = (),
    ) -> None:
        literal = tuple(Reading(sense) if isinstance(sense, Statement) else sense for sense in senses)
        slips = slip if isinstance(slip, tuple) else (slip,)
        freeze(self, id=id, place=place, printed=printed, senses=literal, under=under, slips=slips)

    @property
    def transcribed(self) -> bool:
        """Whether it is compared with data typed from print, and not derived."""
        return all(sense.statement.transcribed for sense in self.senses)


def claim(
    name: str,
    printed: str,
    *senses: Reading | Statement,
    under: tuple[tuple[Convention, ...], ...] = (),
    slip: Slip | tuple[Slip, ...] = (),
) -> Published:
    """A claim in a list with headings: see `Claims`."""
    return Published(name, "", printed, *senses, under=under, slip=slip)


@dataclass(frozen=True)
class Slip:
    """A distinct mistake of print, which may make several claims false, also about different constructions.

    about: the construction that the correction speaks of, after the transformations asked for, or what its claims are
    listed under; cause: what went wrong, in one sentence; place, printed and senses: of the correction, the smallest
    one, a claim like any other with the id of the slip, which is to come out true, or true under a convention.
    """

    id: str
    about: str
    cause: str
    correction: Published
    asked: tuple[str, ...]

    def __init__(
        self,
        id: str,
        about: str,
        cause: str,
        place: str,
        printed: str,
        *senses: Reading | Statement,
        under: tuple[tuple[Convention, ...], ...] = (),
        asked: tuple[str, ...] = (),
    ) -> None:
        correction = Published(id, place, printed, *senses, under=under)
        freeze(self, id=id, about=about, cause=cause, correction=correction, asked=asked)


@dataclass(frozen=True)
class Claims:
    """The claims about one construction, after the transformations asked for, which are written as on the command line.

    A text among the claims is a heading: the place of every `claim` below it. The id of such a claim is its name, with
    the name of the construction before it, unless there is a slash in it.

    notation: how letters of the source are to be read here. repair: how the construction departs from print, in a
    sentence; empty where it does not.
    """

    construction: str
    notation: str
    repair: str
    claims: tuple[Published, ...]
    asked: tuple[str, ...]

    def __init__(
        self,
        construction: str,
        *claims: str | Published,
        notation: str = "",
        repair: str = "",
        asked: tuple[str, ...] = (),
    ) -> None:
        placed = tuple(_placed(construction, claims))
        freeze(self, construction=construction, notation=notation, repair=repair, claims=placed, asked=asked)

    def named(self, id: str) -> Published:
        """The claim of that id; KeyError where there is none."""
        return {claim.id: claim for claim in self.claims}[id]


def _placed(construction: str, claims: tuple[str | Published, ...]) -> Iterator[Published]:
    """The claims of a list, those below a heading at its place."""
    place = ""
    for each in claims:
        if isinstance(each, str):
            place = each
        elif isinstance(each, Published) and place and not each.place:
            id = each.id if "/" in each.id else f"{construction}/{each.id}"
            yield Published(id, place, each.printed, *each.senses, under=each.under, slip=each.slips)
        else:
            yield each


@dataclass(frozen=True)
class Printed:
    """What is printed about no single construction: formulas, decoders for circuits, transformers for every recurrent
    network. The claims are listed under a name of their own."""

    title: str
    source: str
    claims: Claims


def value_of(claim: object) -> Value | None:
    """What a claim states, if that is a value, in one sense."""
    if not isinstance(claim, Published) or len(claim.senses) != 1:
        return None
    statement = getattr(claim.senses[0], "statement", None)
    return statement if isinstance(statement, Value) and statement.tends is None else None

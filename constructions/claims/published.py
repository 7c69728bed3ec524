"""A printed claim, as data: the place where it stands, what it says, the conventions it may be read under, its slips.

Nothing here says whether a claim is true: that is computed from the weights, in `proofs.claims`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any, Literal

from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.claims.statements import Domain, Value
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.scalars.frozen import freeze

Convention = Literal["index shift", "padding", "empty word", "symbols only", "transposition", "fractions"]
"""How a statement may be read otherwise than literally; `conventions` says what each one does."""


@dataclass(frozen=True)
class Reading:
    """A statement as it is read. sense: which literal one this is, where print leaves more than one; conventions: what
    makes it of that, none where it is taken literally."""

    statement: Statement
    sense: str | None = None
    conventions: tuple[Convention, ...] = ()


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
    transforms: tuple[str, ...]

    def __init__(
        self,
        id: str,
        about: str,
        cause: str,
        place: str,
        printed: str,
        *senses: Reading | Statement,
        under: tuple[tuple[Convention, ...], ...] = (),
        transforms: tuple[str, ...] = (),
    ) -> None:
        correction = Published(id, place, printed, *senses, under=under)
        freeze(self, id=id, about=about, cause=cause, correction=correction, transforms=transforms)


class Under:
    """Conventions under which the claim above is read together, in a list of claims."""

    def __init__(self, *conventions: Convention) -> None:
        self.conventions = conventions


Item = str | Published | Statement | Reading | Slip | Under


@dataclass(frozen=True)
class Claims:
    """The claims about one construction, after the transformations asked for, which are written as on the command line.

    They are listed as print has them. "name: what is printed" begins a claim, and what it states, conventions and slips
    stand below it. Any other text is a heading: the place of all that is listed below it. The id of a claim is its
    name, with the name of the construction before it, unless there is a slash in it.

    notation: how letters of the source are to be read here. repair: how the construction departs from print, in a
    sentence; empty where it does not.
    """

    construction: str
    notation: str
    repair: str
    claims: tuple[Published, ...]
    transforms: tuple[str, ...]

    def __init__(
        self, construction: str, *items: Item, notation: str = "", repair: str = "", transforms: tuple[str, ...] = ()
    ) -> None:
        claims = tuple(_listed(construction, items))
        freeze(self, construction=construction, notation=notation, repair=repair, claims=claims, transforms=transforms)

    def named(self, id: str) -> Published:
        """The claim of that id; KeyError where there is none."""
        return {claim.id: claim for claim in self.claims}[id]


BEGINS = re.compile(r"(\S+): (.+)")
"""A claim in a list of claims."""


def _listed(construction: str, items: tuple[Item, ...]) -> Iterator[Any]:
    """The claims of a list; what stands below no claim is handed on, for `check_claims` to refuse it, and so is a
    heading without a claim."""
    place = ""
    starts = [at for at, item in enumerate(items) if isinstance(item, str | Published)]
    yield from items[: starts[0] if starts else None]
    for start, end in itertools.pairwise((*starts, len(items))):
        head, below = items[start], items[start + 1 : end]
        if isinstance(head, str) and (begins := BEGINS.fullmatch(head)):
            name, printed = begins.groups()
            id = name if "/" in name else f"{construction}/{name}"
            slip = tuple(each for each in below if isinstance(each, Slip))
            yield Published(id, place, printed, *_senses(below), under=_under(below), slip=slip)
            continue
        if isinstance(head, str):
            place = head
        if not isinstance(head, str) or (not below and (end == len(items) or _is_heading(items[end]))):
            yield head
        yield from below


def _is_heading(item: Item) -> bool:
    return isinstance(item, str) and not BEGINS.fullmatch(item)


def _senses(below: tuple[Item, ...]) -> tuple[Any, ...]:
    return tuple(each for each in below if not isinstance(each, Slip | Under))


def _under(below: tuple[Item, ...]) -> tuple[tuple[Convention, ...], ...]:
    return tuple(each.conventions for each in below if isinstance(each, Under))


def slips(paper: str, about: str, *items: Item, transforms: tuple[str, ...] = ()) -> dict[str, Slip]:
    """The slips of a paper about one construction by their names, with the name of the paper before them the ids.

    They are listed as "name: cause" and "place: what the correction prints", and below these what it states. Raises
    ConstructionError where they are not.
    """
    texts = [at for at, item in enumerate(items) if isinstance(item, str)]
    found: dict[str, Slip] = {}
    for start, end in itertools.pairwise((0, *texts[2::2], len(items))):
        match items[start:end]:
            case str(said), str(corrected), *_ if ": " in said and ": " in corrected:
                below = items[start + 2 : end]
                (name, cause), (place, printed) = said.split(": ", 1), corrected.split(": ", 1)
            case wrong:
                raise ConstructionError(f"{paper}: {short(wrong)} begins with no 'name: cause', 'place: printed'")
        if name in found:
            raise ConstructionError(f"{paper}: there are two slips {name!r}")
        senses: tuple[Any, ...] = tuple(each for each in below if not isinstance(each, Under))
        under = _under(below)
        found[name] = Slip(f"{paper}/{name}", about, cause, place, printed, *senses, under=under, transforms=transforms)
    return found


def domains(of_words: Slip, *of_positions: Slip) -> tuple[Item, ...]:
    """Rows of a list of claims: the domains of both embeddings, as the papers here declare them, with their slips."""
    words = (r"WE-domain: $WE : \Sigma \to R^d$", Domain("WE", "0", "1"), of_words)
    return (*words, r"PE-domain: $PE : N \to R^d$", Domain("PE", "i"), *of_positions)


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

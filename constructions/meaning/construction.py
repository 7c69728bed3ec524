"""A construction: a network, the language that it is said to recognise, and its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import Language, Network, Parameter
from weightproof.constructions.scalars.frozen import Checked


@dataclass(frozen=True)
class Construction(Checked):
    """A network that is said to recognise a language, with its source; a malformed one raises ConstructionError."""

    name: str
    title: str
    source: str
    language: Language
    network: Network
    parameters: tuple[Parameter, ...] = ()

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols of its words."""
        return self.language.alphabet


def after(name: str, asked: Sequence[str]) -> str:
    """What a construction is called after transformations, which are written as on the command line."""
    return "+".join((name, *(item.strip() for item in asked)))

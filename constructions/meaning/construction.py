"""A construction: a network, the language that it is said to recognise, and its source. A malformed one is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.schema import Language, Network, Parameter
from weightproof.constructions.meaning.validation import validate


@dataclass(frozen=True)
class Construction:
    """A network that is said to recognise a language, with its source; validated when it is built."""

    name: str
    title: str
    source: str
    language: Language
    network: Network
    parameters: tuple[Parameter, ...] = ()

    def __post_init__(self) -> None:
        validate(self.name, self.title, self.source, self.language, self.network, self.parameters)

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols of its words."""
        return self.language.alphabet


def after(name: str, asked: Sequence[str]) -> str:
    """What a construction is called after transformations, which are written as on the command line."""
    return "+".join((name, *(item.strip() for item in asked)))

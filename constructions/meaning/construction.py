"""A construction: a network, the language that it is said to recognise, and its source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from weightproof.constructions.meaning.schema import Encoder, Network, known
from weightproof.constructions.scalars.expressions import Expression, entries_or_empty, exact
from weightproof.constructions.scalars.frozen import Checked, Written, freeze, frozen


@dataclass(frozen=True)
class Language:
    """A set of words over `alphabet`, said twice: as a plain function and as a formula; tests hold them together.

    characterisation is in the vocabulary of `expressions`, over the marked word. It may use parameters.
    member(word, **parameters) gets the bare word, markers excluded, and the parameters that the formula names.
    labels: of a network that predicts a token or a class: that -> the words after which it is the right one. label says
    it again: label(word) is that token, and None where there is none, as after no word outside the language.
    sample(random, length) draws a word of that length as the source draws its test words.
    families maps a name to a function of a length that yields words of it that are hard for finite precision, about as
    many as its second argument says.
    """

    name: str
    alphabet: tuple[str, ...]
    member: Callable[..., bool]
    characterisation: Expression
    sample: Callable[[Random, int], str]
    families: Mapping[str, Callable[[int, int], Iterator[str]]]
    description: str = ""
    labels: Mapping[str, Expression] = field(default_factory=dict)
    label: Callable[[str], str | None] | None = None

    def __init__(
        self,
        name: str,
        alphabet: tuple[str, ...],
        member: Callable[..., bool],
        characterisation: object,
        sample: Callable[[Random, int], str] | None = None,
        families: Mapping[str, Callable[[int, int], Iterator[str]]] | None = None,
        description: str = "",
        labels: Mapping[str, object] | None = None,
        label: Callable[[str], str | None] | None = None,
    ) -> None:
        def uniform(random: Random, length: int) -> str:
            return "".join(random.choices(alphabet, k=length))

        freeze(
            self,
            name=name,
            alphabet=tuple(alphabet) if isinstance(alphabet, Iterable) else alphabet,
            member=member,
            characterisation=exact(characterisation),
            sample=uniform if sample is None else sample,
            families=frozen(families) if families is None or isinstance(families, Mapping) else families,
            description=description,
            labels=entries_or_empty(labels),
            label=label,
        )

    @property
    def complement(self) -> Expression:
        """What characterises the words that are not in it."""
        return Expression(f"not ({self.characterisation})")


Numbers = Literal["real", "natural"]


@dataclass(frozen=True)
class Parameter:
    """A parameter with its domain, one comparison of its name with a constant: "c > 0", "c >= log(2)", "D >= 0".

    `default` is the exact value taken where none is given.
    """

    name: str
    domain: Written[Expression] = Written(exact)
    default: Written[Expression] = Written(exact)
    kind: Numbers = "real"

    @property
    def bound(self) -> tuple[Expression, bool]:
        """The constant that its values are at least, and whether they are above it."""
        tree = self.domain.tree
        assert isinstance(tree, ast.Compare)
        written = ast.get_source_segment(self.domain.source, tree.comparators[0])
        return Expression(written or ast.unparse(tree.comparators[0])), isinstance(tree.ops[0], ast.Gt)

    @property
    def is_natural(self) -> bool:
        """Whether its values are natural numbers, and not all real ones."""
        return known("a parameter", "kind", self.kind, {"real": False, "natural": True})


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
    def encoder(self) -> Encoder:
        """The network, where it is known to be an encoder."""
        assert isinstance(self.network, Encoder)
        return self.network

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols of its words."""
        return self.language.alphabet


def after(name: str, transforms: Sequence[str]) -> str:
    """What a construction is called after transformations, which are written as on the command line."""
    return "+".join((name, *(item.strip() for item in transforms)))

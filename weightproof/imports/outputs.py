"""What the outputs of a network that reads words are: the logit of a recogniser, or one for each of several classes.

Of two classes one may be membership: then the logit is its output less the other one's, which is the logarithm of the
odds that a softmax gives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import torch

from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.meaning.schema import Acceptance, Extreme, Linear
from weightproof.imports.dense import Dense
from weightproof.imports.saying import Missaid, Saying
from weightproof.imports.sparse import Exactly, Scalar, difference

LOGIT = "logit"


@dataclass(frozen=True)
class Outputs:
    """names: those of the outputs of the module, in their order; member: the class that is membership, of two."""

    names: tuple[str, ...] = (LOGIT,)
    member: str | None = None

    @property
    def are_classes(self) -> bool:
        """Whether the greatest output, or the least, says of which class a word is."""
        return self.names != (LOGIT,) and self.member is None

    def accepting(self, said: Acceptance | None) -> Acceptance:
        """The rule that is said, or the one that goes without saying; InputError for one of other outputs."""
        if said is not None and (said in get_args(Extreme)) != self.are_classes:
            of = "several classes" if self.are_classes else "a logit"
            raise Missaid(Saying("accept", said), f" is no rule of {of}; leave it out, or say another one")
        return said or ("argmax" if self.are_classes else "logit > 0")

    def values(self, made: torch.Tensor) -> dict[str, torch.Tensor]:
        """Of the outputs of the module, [names], those of the construction."""
        named = dict(zip(self.names, made, strict=True))
        if self.member is None:
            return named
        [other] = set(self.names) - {self.member}
        return {LOGIT: named[self.member] - named[other]}

    def map(self, dense: Dense, coordinates: Sequence[str], exactly: Exactly) -> Linear:
        """The readout of the construction."""
        places = {name: "readout" if name == LOGIT else f"readout, class {name}" for name in self.names}
        rows = {
            name: exactly.row(values, coordinates, place)
            for (name, place), values in zip(places.items(), dense.W_U, strict=True)
        }
        bias = {} if dense.b_U is None else exactly.row(dense.b_U, self.names, "readout, bias")
        if self.member is None:
            return Linear(rows, bias)
        [other] = set(self.names) - {self.member}

        def of(name: str) -> Mapping[str, Scalar]:
            return {LOGIT: bias[name]} if name in bias else {}

        return Linear({LOGIT: difference(rows[self.member], rows[other])}, difference(of(self.member), of(other)))


def outputs_of(
    count: int, classes: Sequence[str] | None, member: str | None, language: Language, tokens: Sequence[str]
) -> Outputs:
    """What so many outputs are; InputError where what is said of them does not fit, and where nobody says it."""
    if count == 1:
        for name, said in (("classes", classes), ("member", member)):
            if said is not None:
                problem = " is of several outputs, and the readout has one, the logit; leave it out"
                raise Missaid(Saying(name), problem)
        return Outputs()
    if classes is None:
        labels = f"; {language.name} has the labels {', '.join(language.labels)}" if language.labels else ""
        problem = f"the readout has {count} outputs, and nothing names their classes, in order{labels}: say "
        raise Missaid(problem, Saying("classes", ...))
    if len(classes) != count or len(set(classes)) != count:
        problem = f", and there are {count} outputs; name each, in their order, and none twice"
        raise Missaid(Saying("classes", tuple(classes)), problem)
    if member is not None:
        if member not in classes:
            raise Missaid(Saying("member", member), f" is no class; there are {', '.join(classes)}")
        if count != 2:
            raise Missaid(Saying("member"), f" is one of two classes, and there are {count}; leave it out")
        return Outputs(tuple(classes), member)
    unknown = [name for name in classes if name not in (*language.labels, *tokens)]
    if unknown:
        problem = f"nothing says which words are of the class {unknown[0]!r}; give a language whose labels say it"
        member_of_two = (", or say which one is membership: ", Saying("member", *classes)) if count == 2 else ()
        raise Missaid(problem, *member_of_two)
    return Outputs(tuple(classes))

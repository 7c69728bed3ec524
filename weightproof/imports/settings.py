"""What no tensor says of a network, and somebody has to: the user, or a configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, get_args

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation, Mask

Norms = Literal["none", "post"]


@dataclass(frozen=True)
class Settings:
    """None where nobody has said it.

    norms: "post" where the layers normalise after each residual connection, with gain 1 and bias 0, "none" where they
    do not; epsilon: of those. scale: of the scores, 1/sqrt(d_head) where it is None. attention_only: whether no layer
    has a feed-forward network.
    """

    heads: int | None = None
    activation: Activation | None = None
    norms: Norms | None = None
    epsilon: float | None = None
    mask: Mask | None = None
    scale: str | None = None
    attention_only: bool | None = None

    def activation_at(self, name: str) -> Activation:
        """Of the hidden units that a tensor leads to; InputError where nobody has said it."""
        if self.activation is None:
            known = ", ".join(map(repr, get_args(Activation)))
            raise InputError(f"{name} is there; nothing says the activation of its units: say activation={known}")
        return self.activation

    def mask_at(self, name: str) -> Mask:
        if self.mask is None:
            raise InputError(f"{name} is there; nothing says whether attention is causal: say mask='causal' or 'none'")
        return self.mask

    def epsilons_at(self, name: str) -> tuple[float, float] | None:
        """Of the norms of a layer, which tensors alone do not tell to be there, nor where they are; None for none."""
        if self.norms is None:
            raise InputError(
                f"{name} is there; nothing says whether layers normalise: say norms='none', or 'post', after each "
                "residual connection"
            )
        if self.norms == "none":
            return None
        if self.epsilon is None or not math.isfinite(self.epsilon) or self.epsilon < 0:
            raise InputError(
                "tensors do not say which epsilon a norm has: give epsilon=..., 0 or more, with norms='post'"
            )
        return self.epsilon, self.epsilon


def checked(settings: Settings) -> Settings:
    """InputError for a name that is not known, and for an epsilon of no norms."""
    for field, known in (("activation", Activation), ("norms", Norms), ("mask", Mask)):
        name = getattr(settings, field)
        if name is not None and name not in get_args(known):
            more = {"norms": "; there are no other norms here than those after each residual connection"}.get(field, "")
            raise InputError(f"{field} {name!r}: write {' or '.join(map(repr, get_args(known)))}{more}")
    if settings.norms == "none" and settings.epsilon is not None:
        raise InputError("epsilon is of norms, and there are none; leave it out, or say norms='post'")
    return settings


def joined(settings: Settings, config: Settings) -> Settings:
    """What both say together; InputError where they contradict each other."""
    found = {}
    for field in fields(Settings):
        said, configured = getattr(settings, field.name), getattr(config, field.name)
        if said is not None and configured is not None and said != configured:
            raise InputError(f"{field.name} = {said!r}, and the config says {configured!r}; leave one of them out")
        found[field.name] = configured if said is None else said
    return Settings(**found)

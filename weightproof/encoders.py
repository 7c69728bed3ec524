"""Encoders that read out a logit, for what speaks of nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import ranks
from weightproof.constructions.meaning.schema import Encoder
from weightproof.kinds import kind_of
from weightproof.sources import Source, resolve


def resolve_encoder(argument: str, asked: Sequence[str], done: str) -> Source:
    """As `resolve`; done: what is done to it, as "repaired". InputError where it is no encoder that reads out a
    logit."""
    if kind_of(argument) is not None:
        raise InputError(f"{argument} is a family or a member of one; only encoders that read out a logit are {done}")
    return require_encoder(resolve(argument, asked), done)


def require_encoder(source: Source, done: str) -> Source:
    construction = source.construction
    if not isinstance(construction.network, Encoder):
        kind = type(construction.network).__name__
        raise InputError(f"{construction.name} is of the kind {kind}; only encoders that read out a logit are {done}")
    if ranks(construction):
        raise InputError(
            f"{construction.name} takes the argmax over tokens; only encoders that read out a logit are {done}"
        )
    return source

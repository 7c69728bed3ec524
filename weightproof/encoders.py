"""Encoders that read out a logit, for what speaks of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import ranks
from weightproof.constructions.meaning.schema import Encoder
from weightproof.kinds import kind_of
from weightproof.proofs.theorem import Decides
from weightproof.sources import Source, resolve
from weightproof.stating import theorems_about


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


def decides(source: Source, name: str | None = None) -> Decides:
    """The theorem of that name, or the first one, of those that say which words are accepted; it is to be proved."""
    stated = [theorem for theorem in theorems_about(source) if isinstance(theorem, Decides)]
    for theorem in stated:
        if name is None or theorem.name == name:
            return replace(theorem, expected="proved")
    told = ", ".join(repr(theorem.name) for theorem in stated) or "none"
    raise InputError(f"{source.argument}: no theorem {name!r} says which words are accepted; there are {told}")

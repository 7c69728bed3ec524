"""What the input of each step of an encoder-decoder holds beside the state that it simulates: an invariant, as data."""

from __future__ import annotations

from collections.abc import Mapping

STEP, HALVED = "t", "2^-t"
Invariant = Mapping[str, str]
"""Coordinate of the decoder's input at step t -> STEP, HALVED, a number, or `share` of a token; coordinates that are
missing hold 0, but for those of the simulated state."""


def share(token: str) -> str:
    """Of the first min(t, n) positions, those that hold the token."""
    return f"share of {token}"

"""Which tokens stand at a position of a decoder and just before it, and what is known of a position by these.

Of a window that begins at position 0 everything that stands before is known, and so is which position it is. Of others
are known the shares of windows among the positions 0 ... i, which add up to 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import parts
from weightproof.symbolic.simulation.constraints import Constrained, share
from weightproof.symbolic.simulation.decoder import LOOKING
from weightproof.symbolic.simulation.parts import Place
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, interval, total

Window = tuple[str, ...]
"""The tokens at some positions, the last one of which is meant."""
ONE = Polynomial.number(1)
MOST_WINDOWS = 64
"""Windows that are told apart."""


def kind(window: Window) -> str:
    """What is said of a position with this window."""
    return " ".join(window)


def numbered(position: int) -> Place:
    return Place(Polynomial.number(position), Polynomial.number(fmpq(1, 2**position)))


@dataclass(frozen=True)
class Windows:
    """The windows of a position and `back` before it, or all where there are fewer; begin: the marker that stands
    first."""

    symbols: tuple[str, ...]
    begin: str | None
    back: int

    def all(self) -> tuple[Window, ...]:
        """Underivable where there are too many."""
        found = tuple(itertools.islice(self._all(), MOST_WINDOWS + 1))
        if len(found) > MOST_WINDOWS:
            raise Underivable(f"heads that look so far back that there are more than {MOST_WINDOWS} windows")
        return found

    def _all(self) -> Iterator[Window]:
        for length in range(1, self.back + 2):
            if self.begin is not None:
                yield from ((self.begin, *rest) for rest in itertools.product(self.symbols, repeat=length - 1))
            if self.begin is None or length > self.back:
                yield from itertools.product(self.symbols, repeat=length)

    def shorter(self, window: Window) -> Window:
        """The window of the same position that is one of these, of one that reaches back as far or farther."""
        return window[-(self.back + 1) :]

    def is_known(self, window: Window) -> bool:
        """Whether it begins at position 0."""
        return len(window) <= self.back or window[0] == self.begin


@dataclass(frozen=True)
class Standing:
    """A position with a window. shares: of the windows, among the positions up to this one."""

    window: Window
    known: bool
    place: Place
    shares: Mapping[Window, Polynomial]
    region: Constrained

    def shares_of(self, windows: Windows) -> dict[str, Polynomial]:
        """The shares of the kinds of windows that reach back less far."""
        found: dict[str, Polynomial] = {}
        for window, value in self.shares.items():
            name = kind(windows.shorter(window))
            found[name] = found.get(name, Polynomial()) + value
        return found


def standing(windows: Windows, window: Window, signs: Region) -> Standing:
    """A position of which no more is given than the window; signs: of parameters."""
    if windows.is_known(window):
        place, one = numbered(len(window) - 1), Polynomial.number(fmpq(1, len(window)))
        shares: dict[Window, Polynomial] = {}
        for end in range(1, len(window) + 1):
            before = windows.shorter(window[:end])
            shares[before] = shares.get(before, Polynomial()) + one
        return Standing(
            window, True, place, shares, Constrained(positive=signs.positive, not_negative=signs.not_negative)
        )
    others = [each for each in windows.all() if each != window]
    atoms = tuple(share(kind(each)) for each in others)
    own = ONE - total(map(Polynomial.atom, atoms))
    corners = tuple(tuple(fmpq(int(k == number)) for k in range(len(atoms))) for number in range(len(atoms)))
    halves = parts.halved(LOOKING)
    # The marker stands at position 0.
    standing = {halves, *(share(kind(each)) for each in others if each == (windows.begin,))}
    region = Constrained(
        simplices=(Simplex(atoms, ((fmpq(0),) * len(atoms), *corners)), interval(halves, 0, 1)),
        positive=signs.positive | standing,
        not_negative=signs.not_negative,
        above=(own,),
    )
    shares = {**{each: Polynomial.atom(atom) for each, atom in zip(others, atoms, strict=True)}, window: own}
    return Standing(window, False, Place.called(LOOKING), shares, region)

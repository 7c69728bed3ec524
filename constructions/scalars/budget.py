"""What a search may do: steps that are counted before they are done.

The clock of counted work ends what is under way wherever it is; a search ends by itself, between two words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Budget:
    """So many steps that are left of a search, which are counted beforehand, by what it is about to try."""

    left: int

    def allows(self, steps: int) -> bool:
        """Whether there is any left, before so many are done."""
        if self.left <= 0:
            return False
        self.left -= steps
        return True

    def share(self, part: float) -> Budget:
        """A part of what is left, to be settled when it is done."""
        return Budget(int(self.left * part))

    def settle(self, given: int, share: Budget) -> None:
        """Less what a share of so many steps has used."""
        self.left -= given - max(share.left, 0)

"""The derivation of a construction, or why there is none."""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

SECONDS = 30.0
"""For a derivation that no theorem asks for."""

Attempt = Derivation | Underivable | TimeUp
"""The derivation; or that no rule covers a step; or that it takes too long."""


def attempt(construction: Construction, deadline: Deadline | None = None) -> Attempt:
    """Derive a construction, within SECONDS where no deadline is given."""
    within = Deadline.after(SECONDS) if deadline is None else deadline
    try:
        return within.during("the derivation", lambda: derive(construction))
    except (Underivable, TimeUp) as error:
        return error
    except OverflowError:
        return Underivable("its numbers are too long for the polynomials of its closed form")

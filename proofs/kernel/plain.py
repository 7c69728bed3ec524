"""Which formulas about words are plain definitions of `Plain.v`, between which markers."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression

ANY = frozenset((begin, end) for begin in (True, False) for end in (True, False))
"""Whether there is a marker of the beginning, and one of the end."""
BEGUN = frozenset({(True, True), (True, False)})
BOTH_OR_NONE = frozenset({(True, True), (False, False)})


@dataclass(frozen=True)
class Plain:
    """A formula of the data that is the proposition `says` about the word w, between markers as in `markers`, by a
    lemma of `Plain.v`."""

    formula: str
    says: str
    lemma: str
    markers: frozenset[tuple[bool, bool]] = ANY


PLAIN = (
    Plain("count('1') % 2 == 1", "odd_ones w = true", "odd_ones_formula"),
    Plain("count('1') == 1", "exactly_one_one w = true", "exactly_one_one_formula"),
    Plain("w[1] == '1'", 'hd_error w = Some "1"', "starts_with_one_formula", BEGUN),
    Plain("w[0] == '1'", 'hd_error w = Some "1"', "starts_with_one_formula", ANY - BEGUN),
    Plain(
        "all(2*j > n - 1 or w[j] == w[n - 1 - j] for j in positions)",
        "w = rev w",
        "palindrome_formula",
        BOTH_OR_NONE,
    ),
    Plain(
        "count('1') == count('0') and all(count('1', j) <= count('0', j) for j in positions)",
        "balanced None 0 w = true",
        "balanced_formula",
    ),
    Plain(
        "count('1') == count('0') and all(count('1', j) <= count('0', j) "
        "and count('0', j) - count('1', j) <= D for j in positions)",
        "balanced (Some D_) 0 w = true",
        "balanced_within_formula",
    ),
)


def plain(formula: Expression, construction: Construction) -> Plain | None:
    """What a formula says of the words of a construction, if it is in the table."""
    network = construction.encoder
    markers = network.begin is not None, network.end is not None
    if any(each.name in formula.names and not each.is_natural for each in construction.parameters):
        return None
    return next(
        (each for each in PLAIN if markers in each.markers and _same(each.formula, formula)),
        None,
    )


def _same(text: str, formula: Expression) -> bool:
    """Whether they differ in blanks and brackets at most."""
    return ast.unparse(Expression(text).tree) == ast.unparse(formula.tree)

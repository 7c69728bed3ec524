"""What a proof is told without an obligation of its own: how each such fact is settled, and where.

The table stands in TRUST.md. `Rule` names the facts that go to the solvers with every obligation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The facts that solvers are told of the atoms of an obligation; each has a line of the table."""

    ABSOLUTE_VALUE = "absolute values"
    SIGN_OF_LOGARITHM = "signs of logarithms"
    CONSTANT = "bounds of constants"
    PARAMETER = "bounds of parameters"
    UNIT = "bounds of e^(k c)"
    ORDER = "order of e^(k c) and e^(l c)"
    TANGENT = "tangents of e^c"
    ROOT = "roots"
    POWER = "bounds of powers with an open exponent"
    GROWTH = "bounds of e^x"
    SCALE = "scales of norms"


@dataclass(frozen=True)
class Settled:
    """fact: what is asserted; how: why it is true, and what of it is computed; where: file and function."""

    fact: str
    how: str
    where: str


FACTS = (
    Settled(Rule.ABSOLUTE_VALUE, "definition: x where x >= 0, -x elsewhere", "proofs/solving/facts.py:_of_atom"),
    Settled(
        Rule.SIGN_OF_LOGARITHM,
        "rule: log(p/q) < 0 iff p q < q^2, and > 0 iff p q > q^2; that p/q > 0 is shown where the logarithm is read",
        "proofs/solving/facts.py:_of_logarithm",
    ),
    Settled(
        Rule.CONSTANT,
        "computed: the sign of the exact value less the bound; of roots by enclosure in balls",
        "proofs/solving/facts.py:_between",
    ),
    Settled(
        Rule.PARAMETER,
        "computed: the sign of what the domain says less the bound, for c and for e^c",
        "symbolic/algebra/vocabulary.py:_certain",
    ),
    Settled(
        Rule.UNIT,
        "computed: k > 0, and the sign of e^(k m) less the bound, for c >= m; rule: e^x grows",
        "proofs/solving/facts.py:_check_multiple",
    ),
    Settled(
        Rule.ORDER,
        "computed: the sign of k - l, equal powers being told equal, and that c >= 0; rule: e^x grows. Where the sign "
        "is open nothing is proved",
        "proofs/solving/facts.py:_orders",
    ),
    Settled(
        Rule.TANGENT,
        "rule: e^c >= e^k (c - k + 1), and e^c >= c + 1; computed: that what is told in place of e^k is less",
        "proofs/solving/facts.py:_tangents",
    ),
    Settled(Rule.ROOT, "definition: the q-th power of u^(p/q) is u^p, for u > 0", "proofs/solving/facts.py:_root"),
    Settled(
        Rule.POWER,
        "rule: u^x >= b^k for u >= b >= 1 and x >= k; that x >= k is a linear fact, and put to both solvers again",
        "symbolic/algebra/certificates.py:power_bound",
    ),
    Settled(
        Rule.GROWTH,
        "rule: e^x >= 1 + m for x >= m >= 0; computed: a polynomial x with coefficients >= 0 in what parameters exceed "
        "their bounds by. Or x = m log y with m >= 0 and y >= 1",
        "symbolic/algebra/lengths.py:least_of_polynomial",
    ),
    Settled(
        Rule.SCALE,
        "definition: 1 over the root of a sum of squares; that this is not 0 is shown, or where it may be 0 said",
        "symbolic/algebra/vocabulary.py:is_scale",
    ),
)
"""Every fact that is asserted without an obligation, and how it is settled."""

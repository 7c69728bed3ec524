"""What a proof uses without an obligation of its own: how each such fact is settled, and where.

The table stands in findings/trust/rules.md. `Rule` names the facts that go to the solvers with every obligation.
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
    """fact: what is asserted; how: why it is true, and what of it is computed; where: file and what is defined there.

    `computed` says that exact arithmetic checks it each time, `shown` that it is an obligation or a certificate of its
    own, `refused` that nothing is proved where it is not so; a `definition` or a `rule` is trusted.
    """

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
    Settled(
        "integers",
        "definition: n, positions, counts, tokens and residues are integers, and natural parameters by their domains",
        "symbolic/algebra/linear.py:is_atom",
    ),
    Settled(
        "words",
        "definition: n leaves room for the markers, the counts are at least 0 and add up, domains bound naturals",
        "symbolic/algebra/vocabulary.py:Vocabulary.words",
    ),
    Settled(
        "prefixes",
        "definition: prefix counts are at least 0, at most the counts of the word, and add up",
        "symbolic/algebra/vocabulary.py:Vocabulary.prefixes",
    ),
    Settled(
        "ranges",
        "definition: 0 <= a mod m < m, and a token is the place of a symbol or -1",
        "symbolic/algebra/linear.py:_with_ranges",
    ),
    Settled(
        "residues and tokens",
        "definition: a mod m = a - m q; a token is a symbol where its position holds one, tokens at one position are "
        "equal, and those at others are counted apart",
        "proofs/solving/atoms.py:contexts_with_facts",
    ),
    Settled(
        "linear facts",
        "computed: exact elimination; all that were used are put to both solvers again",
        "proofs/solving/close.py:confirm",
    ),
    Settled(
        "certificates",
        "computed: the coefficients of a polynomial in what exceeds the bounds",
        "symbolic/algebra/certificates.py:check",
    ),
    Settled(
        "powers in certificates",
        "rule: for u >= b > 1 and e >= k, u^e >= b^k (1 + (b - 1) (e - k)) where e is an integer (Bernoulli), and u^e "
        ">= b^k times the first four terms of the series of e^((e - k) log b); computed: numbers below b^k and log b; "
        "that e >= k is a linear fact",
        "symbolic/algebra/certificates.py:growth_bound",
    ),
    Settled("values", "shown for each operation, or refused", "symbolic/algebra/definedness.py:require_defined"),
    Settled("signs of denominators", "shown, or refused", "proofs/solving/cases.py:cleared"),
    Settled(
        "cosines of multiples of pi",
        "computed: T_q of the value is cos(q x) = 1 or -1, and which of the q + 1 such numbers it is",
        "symbolic/algebra/value.py:_require_cosine",
    ),
    Settled(
        "equal powers of e",
        "computed: rational multiples of one exponent are powers of one unit; other exponents are not related",
        "symbolic/algebra/constants.py:with_common_units",
    ),
    Settled(
        "sums of positive terms",
        "shown: the sign of every term, and that there is one",
        "symbolic/rules/signs_of_sums.py:stand_in",
    ),
    Settled(
        "one root of a number",
        "rule: x has the sign of x y for y > 0; that no term of the conjugate y is negative is shown",
        "proofs/solving/combining.py:without_root",
    ),
    Settled(
        "a goal from a hypothesis",
        "rule: x > 0 where p x - q y >= 0, y > 0, p > 0 and q >= 0, all of which is shown",
        "proofs/solving/combining.py:follows",
    ),
    Settled(
        "scales of two rows",
        "rule: for positive numbers, a R <= b S where (a/S)^2 <= (b/R)^2, which is shown",
        "proofs/strategies/scales.py:at_most",
    ),
    Settled(
        "powers of n with scales",
        "rule: n^r >= n^k for r >= k, by cases of r^2",
        "proofs/strategies/squares.py:_growth",
    ),
    Settled(
        "sums of powers of e",
        "rule: e^x grows; Karamata's inequality; e^a + e^b >= 2 e^((a + b)/2). What they ask for is shown",
        "proofs/strategies/powers.py:Powers",
    ),
    Settled(
        "scales that are nearly one",
        "rule: |r - 1| <= |r^2 - 1| for r > 0; what is allowed is shown",
        "proofs/strategies/inductive/one_scale.py:with_one_scale",
    ),
    Settled(
        "sums that are outweighed",
        "rule: a S <= u R and b u R <= a v T give b S <= v T, for a, b > 0; the second is shown",
        "proofs/strategies/inductive/outweighed.py:Bounds",
    ),
    Settled(
        "transcendence",
        "rule: e^a is transcendental for an algebraic a that is not 0 (Lindemann)",
        "proofs/strategies/transcendence.py:by_transcendence",
    ),
    Settled(
        "names in solvers",
        "refused where two different quantities print alike",
        "proofs/solving/implication.py:_variables",
    ),
    Settled(
        "names of parameters",
        "refused where a quantity of the derivation is called so",
        "symbolic/algebra/vocabulary.py:RESERVED",
    ),
    Settled(
        "atoms of machines",
        "what the derivation makes is a value that equals no name, whatever a unit is called; names of places and "
        "shares are refused",
        "symbolic/simulation/polynomial.py:Made",
    ),
)
"""Every fact that is asserted without an obligation, and how it is settled."""

"""What Nowak et al. (2022) print about PALINDROME, held against the weights exactly as they print them.

Only what depends on the one weight that `palindrome` repairs; the rest is the same for both.
"""

from weightproof.constructions.claims.published import Claims
from weightproof.constructions.nowak2022.palindrome_claims import of_both
from weightproof.constructions.nowak2022.slips import WRONG_HALF

claims = Claims("palindrome-as-printed", *of_both("palindrome-as-printed", of_sums=(WRONG_HALF,)))

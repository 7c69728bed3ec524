"""What Nowak et al. (2022) print about PALINDROME, held against the weights exactly as they print them.

Only what depends on the one weight that `palindrome` repairs; the rest is the same for both.
"""

from constructions.claims import Claims
from constructions.claims_of.nowak2022 import WRONG_HALF
from constructions.claims_of.palindrome import of_both

claims = Claims("palindrome-as-printed", *of_both("palindrome-as-printed", of_sums=(WRONG_HALF,)))

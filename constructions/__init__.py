"""What a construction is, what it means, and all of them; nothing else of ours is imported here.

Whoever imports any of it gets the checks with it: so nothing malformed is ever built. And what computes with exact
numbers, of which their meaning needs only the names.
"""

from weightproof.constructions.checks import networks as networks
from weightproof.constructions.checks import objects as objects
from weightproof.constructions.scalars import cosines as cosines
from weightproof.constructions.scalars import irrational as irrational

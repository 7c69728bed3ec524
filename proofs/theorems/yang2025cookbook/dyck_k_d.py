"""Well-nested brackets.

For words of every length the automata of the proof are too large for the work that a theorem gets: that is unknown, and
what is proved is of words that are that short.
"""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises, n <= 6", "accepts exactly the well-nested words of depth 2", up_to=6),)

"""Well-nested brackets."""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the well-nested words of depth 2"),)

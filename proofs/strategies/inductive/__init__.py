"""Parts of a proof by induction: what an invariant has names for, and how bounds of sums follow from each other."""

"""Networks that add, read with names in the place of numbers: waves of a formal phase, and units of a formal number."""

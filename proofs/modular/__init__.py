"""That networks add: two residues modulo p, for every p at once; the bits of a word modulo 2, for every length."""

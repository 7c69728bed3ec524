"""Languages, membership, and the words on which constructions are tried."""

"""Proofs that go through every input of a length in sets, on each of which intervals decide."""

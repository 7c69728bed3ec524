"""Boolean circuits by chain of thought, in the front door."""

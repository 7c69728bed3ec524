"""The proofs: obligations, their evidence, theorems and their verdicts."""

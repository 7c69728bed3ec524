"""Proofs written for Coq, whose kernel checks them: what a network means and its weights, statements, closed forms, and
the steps from these to the verdict."""

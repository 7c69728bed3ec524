"""Kozachinskiy, Steifer and Wałęga (2026): PARITY by causal softmax with an encoding that is bounded by a polynomial; the
weights are ours."""

"""Kozachinskiy, Steifer and Wałęga (2026): PARITY by causal softmax, its encoding bounded by a polynomial; weights of
ours."""

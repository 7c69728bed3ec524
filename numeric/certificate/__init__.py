"""Lengths up to which no rounding changes a decision: margins against a running error analysis."""

"""Turing machines in the front door: run beside their simulators, listed and drawn."""

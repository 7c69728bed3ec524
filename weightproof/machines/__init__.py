"""Turing machines in the front door: run beside their simulators, listed and drawn."""

COMPONENTS = "components"
"""What a command line calls the components of a transformer."""

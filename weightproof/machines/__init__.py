"""What runs step by step in the front door: Turing machines beside their simulators, and families of these."""

COMPONENTS = "components"
"""What a command line calls the components of a transformer."""

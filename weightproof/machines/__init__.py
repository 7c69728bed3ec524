"""What runs step by step in the front door: Turing machines beside their simulators, families of these, decoders."""

COMPONENTS = "components"
"""What a command line calls the components of a transformer."""

"""What runs step by step in the front door: Turing machines beside their simulators, and families of these."""

"""What is left of a construction without one of its components."""

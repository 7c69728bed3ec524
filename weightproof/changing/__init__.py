"""Small changes of a network: which part its language needs, and which change makes it right."""

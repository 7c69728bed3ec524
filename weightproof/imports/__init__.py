"""Constructions from weights that people have: torch modules, state dictionaries, safetensors."""

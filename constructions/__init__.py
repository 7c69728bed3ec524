"""The data: constructions, one file each, and what they mean (schema, exact scalars, exact interpreter)."""

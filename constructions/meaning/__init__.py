"""What a construction is and what it means: schema, validation, the exact interpreter."""

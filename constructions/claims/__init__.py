"""What a paper prints about a construction, as data."""

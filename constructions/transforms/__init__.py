"""From construction to construction, one file each. The result is ordinary data."""

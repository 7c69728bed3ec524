"""Long work that falls into pieces, done by all cores or by a cluster."""

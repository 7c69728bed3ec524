"""How a layer is derived: scalars read as symbols, sums, attention, feed-forward networks."""

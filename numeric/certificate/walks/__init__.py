"""All words at once as walks, position by position, for sums from left to right under causal attention that is even."""

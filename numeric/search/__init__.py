"""The search for words that rounding breaks, and how it breaks them."""

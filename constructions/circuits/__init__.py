"""Boolean circuits as objects, with a plain meaning of their own, and the files in which people write them."""

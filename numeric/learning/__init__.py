"""What training finds: experiments of papers as data, training over many seeds at once, and trained networks as
constructions."""

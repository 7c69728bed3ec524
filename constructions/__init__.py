"""What a construction is, what it means, and all of them; nothing else of ours is imported here."""

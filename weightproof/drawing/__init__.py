"""Pictures of one word that was run."""

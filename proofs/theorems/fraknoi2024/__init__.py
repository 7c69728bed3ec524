"""What is proved of the networks of Fraknoi (2024)."""

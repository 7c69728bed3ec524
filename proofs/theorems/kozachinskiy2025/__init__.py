"""What is proved of a network after Kozachinskiy and Steifer (2025)."""

"""What is proved of a network after Kozachinskiy, Steifer and Wałęga (2026)."""

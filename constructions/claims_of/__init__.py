"""What the papers print about the constructions, one file for each."""

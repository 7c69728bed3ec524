"""What is printed in formulas that are about no network in particular, judged."""

"""AdderBoard, entries whose weights are set by hand: which of them add any two numbers of ten digits."""

"""The check of a proof by covering: a second reading of the network, which shares no numbers with the search."""

"""What each command computes, and how it is told on a page or in JSON."""

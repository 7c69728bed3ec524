"""What has to be shown for a theorem: directly, by induction, length by length."""

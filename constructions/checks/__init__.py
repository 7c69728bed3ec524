"""What a construction must satisfy to be accepted; one line a mistake."""

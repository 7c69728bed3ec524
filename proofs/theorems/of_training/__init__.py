"""What is proved about networks that training found."""

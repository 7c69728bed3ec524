"""What no tensor says of a network: said by the user, or by a configuration."""

"""What is proved of the networks of Rajaraman, Sundaram and Tesfaye (2026)."""

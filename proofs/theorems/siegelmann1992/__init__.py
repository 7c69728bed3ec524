"""What is proved of the networks that run Turing machines, after Siegelmann and Sontag (1992)."""

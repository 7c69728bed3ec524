"""Siegelmann and Sontag (1992): a recurrent network that runs a Turing machine, both halves of the tape as stacks."""

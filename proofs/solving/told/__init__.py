"""What solvers are told of the atoms of an obligation, how it is written, and what of it is trusted."""

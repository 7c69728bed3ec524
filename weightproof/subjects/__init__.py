"""Whatever a command line or Python can name, behind one protocol: a file for each kind, and what finds them all."""

"""`ablate`: what each component of a construction does, by taking it out."""

"""The values of the symbolic reading: linear forms, Iverson brackets, atoms, signs, certificates."""

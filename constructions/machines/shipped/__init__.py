"""Turing machines that come with the program, in the format of turingmachine.io."""

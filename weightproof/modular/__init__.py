"""Families of networks that add, as the commands show, run, prove, derive and measure them."""

"""Theorems about networks that predict a token or a class, by the recognisers that their outputs make in pairs."""

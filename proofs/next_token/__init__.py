"""Theorems about networks that take the argmax over tokens, by the recognisers that their outputs make in pairs."""

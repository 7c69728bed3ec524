"""Rounding in networks that take the argmax over tokens."""

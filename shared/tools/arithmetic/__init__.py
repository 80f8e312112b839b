"""Arithmetic for `calculate`: expressions, and the functions and constants that they may name."""

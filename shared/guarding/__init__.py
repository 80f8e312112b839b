"""Guarding: what of a prompt is kept out of the texts that people read."""

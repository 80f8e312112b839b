"""Decides whether a message is answered: by rules, and if they cannot decide, by a small model."""

"""Decide whether a message is answered: by rules, and by a small model if the rules cannot decide."""

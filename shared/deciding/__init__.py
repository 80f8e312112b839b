"""Decide whether a message is answered: by rules, and by a small model where the rules cannot tell."""

"""Deciding: whether a message is answered; by rules, and by a small model where they cannot tell."""

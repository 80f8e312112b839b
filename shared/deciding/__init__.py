"""Deciding: whether a message is answered. Pure rules over data."""

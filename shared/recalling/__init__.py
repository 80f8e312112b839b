"""Recalling: what was said and learned before, for whoever may see it."""

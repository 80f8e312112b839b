"""Noting a conversation that rests: what is due, what the model is asked, and what is taken of its answer. Pure."""

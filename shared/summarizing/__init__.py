"""Summarising a chat: what the model is asked of the last days, and what is taken of its answer. Pure."""

"""Decides whether to answer a message. Rules decide first; a small model decides where the rules cannot."""

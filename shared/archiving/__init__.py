"""Archiving: a conversation as lines of JSON, and back."""

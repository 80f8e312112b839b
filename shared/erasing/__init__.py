"""Erasing: what lull keeps of a person, and what becomes of each part of it when they ask to be forgotten."""

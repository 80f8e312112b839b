"""Searching what was said: terms, segments, scores and dates. Values in, values out."""

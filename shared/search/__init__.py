"""Searching what was said: terms, segments, scores, dates and snippets. Values in, values out."""

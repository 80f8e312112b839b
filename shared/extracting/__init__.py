"""Extracting: the bytes of a page become a text in markdown."""

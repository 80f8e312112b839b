"""Takeouts: what of all that is kept is one person's, and how it reads in the files that they get."""

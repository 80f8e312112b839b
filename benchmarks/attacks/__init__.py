"""Attacks on lull by text from outside, with a model that obeys all of them; and what came of them in the world."""

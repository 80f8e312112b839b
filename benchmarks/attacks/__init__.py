"""Attacks on lull by text from outside, with a model that obeys all of them, and the damage that they did."""

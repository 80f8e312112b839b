"""Kills lull at every step: the harness of `make bench NAME=crash`, and its tests."""

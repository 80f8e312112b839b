"""Killing lull at every step: the harness behind `make bench NAME=crash`, and the tests of it."""

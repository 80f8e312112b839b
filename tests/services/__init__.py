"""Servers of the tests that play the services which tools ask, as their documentation describes them."""

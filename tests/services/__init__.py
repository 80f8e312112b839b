"""Servers that stand in for the services of tools, and behave as their documentation says."""

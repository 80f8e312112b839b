"""Spending: limits on money and messages, budget leases, reservations before each model call, and usage reports."""

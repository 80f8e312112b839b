"""Spending: limits on money and messages, leases of budget to chats, reservations before model calls, usage reports."""

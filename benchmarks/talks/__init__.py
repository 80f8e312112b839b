"""Ordinary talks with lull: people's own messages, their requests, and the results."""

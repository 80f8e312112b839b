"""Ordinary talks with lull, without attackers: people's messages, their requests, and the outcomes."""

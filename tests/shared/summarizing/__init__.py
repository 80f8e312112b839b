"""Summarising a chat: what is asked, and what is taken of the answer."""

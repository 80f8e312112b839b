"""Noting a conversation: what is asked, what is taken of the answer, and when."""

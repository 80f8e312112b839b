"""Ticking: claiming a chat, holding it, and having another tick run."""

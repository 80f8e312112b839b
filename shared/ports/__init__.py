"""Protocols of what varies outside (models, archives, the channel), and the values that adapters take and return."""

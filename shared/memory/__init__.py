"""Memories: facts that an agent learned, who may see them, and how prompts show them."""

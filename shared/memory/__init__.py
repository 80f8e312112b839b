"""Memories: what is merged, how many are kept, which are known where, and how the model is told of them."""

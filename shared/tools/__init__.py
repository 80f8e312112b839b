"""The tools: what answers the model while it plans. None of them changes anything in the world."""

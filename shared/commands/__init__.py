"""Commands: what lull answers by itself, without the model."""

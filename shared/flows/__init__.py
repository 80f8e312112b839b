"""The flows: what each function does, from its input to its answer."""

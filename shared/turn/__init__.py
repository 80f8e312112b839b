"""Turn: the steps from what people wrote to what the agent answers."""

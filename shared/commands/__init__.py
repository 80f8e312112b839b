"""Commands that lull answers without the model. Each module has a `COMMAND`; features have their own."""

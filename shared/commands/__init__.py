"""Commands: what lull answers without the model. Each is one module, with its `COMMAND`; features have theirs, too."""

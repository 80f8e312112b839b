"""Commands: what lull answers by itself, without the model. Each is one module, with its `COMMAND`."""

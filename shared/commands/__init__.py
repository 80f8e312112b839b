"""Commands that lull answers without a model: modules with a `COMMAND`. A feature's are in its folder `commands`."""

"""Commands that lull answers without a model.

Each is a module with a `COMMAND`; a feature's commands are in its folder.
"""

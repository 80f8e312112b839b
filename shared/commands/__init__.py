"""Commands that lull answers without a model. Each is a module with a `COMMAND`; commands that belong to a feature are
in that feature's folder `commands`.
"""

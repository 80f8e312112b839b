"""Commands that lull answers without a model. Each command is a module that defines `COMMAND`. Commands that belong to
a feature are in that feature's folder `commands`.
"""

"""Commands that lull answers without a model: modules with a `COMMAND`. The commands of a feature are in the feature's
folder `commands`.
"""

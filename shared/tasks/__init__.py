"""Plans and tasks, and the kinds of task that belong to no feature.

The kinds that belong to a feature are in the feature's folder `tasks`.
"""

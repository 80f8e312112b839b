"""Plans and tasks, and the kinds of task that belong to no feature; each feature has its own in its `tasks`."""

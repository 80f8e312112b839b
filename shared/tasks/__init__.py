"""Plans and tasks, and the kinds of task that belong to no feature, one module each; features have theirs in `tasks`."""

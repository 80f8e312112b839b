"""Plans and tasks, and the kinds of task that belong to no feature. Each feature has its own in its `tasks`."""

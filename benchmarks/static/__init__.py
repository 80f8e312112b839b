"""Static analysis of lull's code: modules, classes, calls, and places that decide by a task's kind."""

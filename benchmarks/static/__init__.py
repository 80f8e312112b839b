"""Reading the code without running it: modules, classes, calls, and where a task's kind is dispatched on."""

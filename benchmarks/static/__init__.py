"""Static analysis of the code: modules, classes, calls, and dispatch on kinds of task."""

"""The kinds of task that a plan is made of, one module each."""

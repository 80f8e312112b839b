"""Executing: the graph of a plan's tasks, and carrying it out delivery by delivery."""

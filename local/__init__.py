"""The local cloud: everything that lull runs on, on one machine."""

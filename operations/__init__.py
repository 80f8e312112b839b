"""Commands for whoever runs lull: `python -m operations`, or `make incidents` and `make replay`."""
